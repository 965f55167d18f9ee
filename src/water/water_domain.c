#include "water/water_domain.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "parallel/agree.h"
#include "water/water_passes.h"

/* A rank's share may exceed the mean by this factor, and by so many molecules. */
static const double uneven = 1.25;
enum { SPARE = 256 };

size_t rill_water_domain_columns(size_t molecules, int ranks) {
  const size_t share = (size_t)(uneven * (double)molecules / ranks) + SPARE;
  return rill_padded((share < molecules ? share : molecules) + 1); /* the last column stays inert */
}

enum rill_status rill_water_domain_create(struct rill_water *water, struct rill_error *error) {
  struct rill_ranks *ranks = water->options.box.ranks;
  struct rill_domain *domain = water->domain = rill_allocate(1, sizeof *domain);
  if (domain == NULL) goto memory;
  domain->ranks = ranks;
  domain->all = water->options.molecules;
  domain->all_stride = rill_padded(domain->all);
  domain->number = rill_allocate(water->stride, sizeof *domain->number);
  domain->leaves = rill_allocate(water->stride, sizeof *domain->leaves);
  for (int k = 0; k < 2; k++) {
    domain->counts[k] = rill_allocate((size_t)ranks->count, sizeof *domain->counts[k]);
    if (domain->counts[k] == NULL) goto memory;
  }
  if (domain->number != NULL && domain->leaves != NULL) return RILL_OK;
memory:
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the molecules of a rank");
}

void rill_water_domain_destroy(struct rill_water *water) {
  struct rill_domain *domain = water->domain;
  if (domain == NULL) return;
  rill_release(domain->number);
  rill_release(domain->leaves);
  for (int k = 0; k < 2; k++) rill_release(domain->counts[k]);
  rill_release(domain->out);
  rill_release(domain->in);
  rill_release(domain);
  water->domain = NULL;
}

/* ---- agreement ---- */

/* An error that was kept is the earlier one. */
static enum rill_status take_kept(struct rill_domain *domain, enum rill_status status, struct rill_error *error) {
  const enum rill_status kept = domain->kept;
  if (kept == RILL_OK) return status;
  *error = domain->kept_error;
  domain->kept = RILL_OK;
  return kept;
}

enum rill_status rill_water_agree_in_domain(struct rill_water *water, enum rill_status status,
                                            struct rill_error *error) {
  return rill_agree(water->domain->ranks, take_kept(water->domain, status, error), NULL, 0, error);
}

bool rill_water_on_all(const struct rill_water *water, bool holds) {
  uint64_t fails = !holds;
  if (water->domain == NULL) return holds;
  struct rill_error unused = {0}; /* large */
  return rill_agree(water->domain->ranks, RILL_OK, &fails, 1, &unused) == RILL_OK && fails == 0;
}

static enum rill_status agree_on_place(struct rill_water *water, const double *q, enum rill_status status,
                                       struct rill_error *error) {
  struct rill_domain *domain = water->domain;
  bool stale = true;
  uint64_t word;
  if (status == RILL_OK) status = rill_water_field_place(water->field, q, &stale, error);
  word = stale;
  RILL_TRY(rill_agree(domain->ranks, status, &word, 1, error));
  domain->stale = word != 0;
  return RILL_OK;
}

enum rill_status rill_water_agree_on_drift_in_domain(struct rill_water *water, unsigned flags,
                                                     enum rill_status status, struct rill_error *error) {
  struct rill_domain *domain = water->domain;
  status = take_kept(domain, status, error);
  if (!(flags & RILL_FLOW_CONTINUED)) {
    RILL_TRY(agree_on_place(water, water->q, status, error));
    domain->placed = true;
    return RILL_OK;
  }
  domain->kept = status;
  if (status != RILL_OK) domain->kept_error = *error;
  rill_error_clear(error);
  domain->placed = false;
  return RILL_OK;
}

/* ---- molecules that move to other ranks ---- */

struct block {
  double *values;
  size_t rows;
};
enum { MOST_BLOCKS = 20 };

/* All arrays of columns, which move with the molecules.  (Fast and slow forces are stale when these move.) */
static size_t list_blocks(const struct rill_water *water, struct block blocks[MOST_BLOCKS]) {
  const struct block all[] = {{water->q, RILL_COORDINATES},
                              {water->v, RILL_COORDINATES},
                              {water->f, RILL_COORDINATES},
                              {water->saved.q, RILL_COORDINATES},
                              {water->saved.v, RILL_COORDINATES},
                              {water->stiff.a, RILL_COORDINATES},
                              {water->stiff.physical, RILL_COORDINATES},
                              {water->stiff.scratch, RILL_COORDINATES},
                              {water->body.block, RILL_BODY_ROWS},
                              {water->saved.bodies, RILL_BODY_ROWS},
                              {water->pressure.q, RILL_COORDINATES},
                              {water->pressure.f, RILL_COORDINATES},
                              {water->pressure.centres, 3}};
  size_t count = 0;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i].values != NULL) blocks[count++] = all[i];
  return count;
}

static size_t count_rows(const struct block *blocks, size_t count) {
  size_t rows = 0;
  for (size_t i = 0; i < count; i++) rows += blocks[i].rows;
  return rows;
}

static void pack(const struct rill_water *water, const struct block *blocks, size_t count, size_t column,
                 unsigned char *to) {
  memcpy(to, &water->domain->number[column], sizeof(uint64_t));
  to += sizeof(uint64_t);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < blocks[i].rows; k++, to += sizeof(double))
      memcpy(to, blocks[i].values + k * water->stride + column, sizeof(double));
}

static void unpack(struct rill_water *water, const struct block *blocks, size_t count, size_t column,
                   const unsigned char *from) {
  memcpy(&water->domain->number[column], from, sizeof(uint64_t));
  from += sizeof(uint64_t);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < blocks[i].rows; k++, from += sizeof(double))
      memcpy(blocks[i].values + k * water->stride + column, from, sizeof(double));
}

static void move_column(struct rill_water *water, const struct block *blocks, size_t count, size_t from, size_t to) {
  water->domain->number[to] = water->domain->number[from];
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < blocks[i].rows; k++) {
      double *row = blocks[i].values + k * water->stride;
      row[to] = row[from];
    }
}

/* Counts what goes to each rank, and marks the columns. */
static size_t count_leaving(struct rill_water *water, size_t bytes) {
  struct rill_domain *domain = water->domain;
  size_t leaving = 0;
  memset(domain->counts[0], 0, (size_t)domain->ranks->count * sizeof *domain->counts[0]);
  for (size_t m = 0; m < water->molecules; m++) {
    const int owner = rill_water_field_owner(water->field, m);
    domain->leaves[m] = owner != domain->ranks->rank;
    if (!domain->leaves[m]) continue;
    domain->counts[0][owner] += bytes;
    leaving++;
  }
  return leaving;
}

static void pack_leaving(struct rill_water *water, const struct block *blocks, size_t count, size_t bytes) {
  struct rill_domain *domain = water->domain;
  unsigned char *to = domain->out;
  for (int r = 0; r < domain->ranks->count; r++) {
    if (domain->counts[0][r] == 0) continue;
    for (size_t m = 0; m < water->molecules; m++) {
      if (!domain->leaves[m] || rill_water_field_owner(water->field, m) != r) continue;
      pack(water, blocks, count, m, to);
      to += bytes;
    }
  }
}

/* Closes the gaps of those that have left; what they leave at the end is inert, like the last column. */
static void close_gaps(struct rill_water *water, const struct block *blocks, size_t count) {
  size_t stayed = 0;
  for (size_t m = 0; m < water->molecules; m++) {
    if (water->domain->leaves[m]) continue;
    if (stayed != m) move_column(water, blocks, count, m, stayed);
    stayed++;
  }
  for (size_t m = stayed; m < water->molecules; m++) move_column(water, blocks, count, water->stride - 1, m);
  water->molecules = stayed;
}

static enum rill_status exchange_counts(struct rill_domain *domain, struct rill_error *error) {
  const int ranks = domain->ranks->count;
  size_t words[64], *lengths = ranks <= 64 ? words : rill_allocate((size_t)ranks, sizeof *lengths);
  enum rill_status status;
  if (lengths == NULL) {
    domain->ranks->broken = true;
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %d ranks", ranks);
  }
  for (int r = 0; r < ranks; r++) lengths[r] = sizeof(size_t);
  status =
      domain->ranks->ops->transpose(domain->ranks, domain->counts[0], lengths, domain->counts[1], lengths, error);
  if (lengths != words) rill_release(lengths);
  return status;
}

/* Whether this rank has room for those that come, when others have left. */
static enum rill_status make_room(struct rill_water *water, size_t leaving, size_t coming, size_t bytes,
                                  struct rill_error *error) {
  struct rill_domain *domain = water->domain;
  const size_t columns = water->molecules - leaving + coming;
  if (columns >= water->stride)
    return rill_error_set(
        error, RILL_ERROR_FAILED,
        "%zu molecules are in the brick of rank %d, which has room for %zu: the box has become uneven; "
        "resume the run from its checkpoint with fewer ranks",
        columns, domain->ranks->rank, water->stride - 1);
  domain->in = rill_grown(domain->in, &domain->in_room, coming * bytes, 0);
  if (domain->in != NULL) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules that come from other ranks", coming);
}

static enum rill_status move_molecules(struct rill_water *water, struct rill_error *error) {
  struct rill_domain *domain = water->domain;
  struct block blocks[MOST_BLOCKS];
  const size_t count = list_blocks(water, blocks), bytes = (1 + count_rows(blocks, count)) * sizeof(double);
  const size_t leaving = count_leaving(water, bytes);
  size_t coming = 0;
  enum rill_status status = RILL_OK;
  domain->out = rill_grown(domain->out, &domain->out_room, leaving * bytes, 0);
  if (domain->out == NULL)
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules that go to other ranks", leaving);
  RILL_TRY(rill_agree(domain->ranks, status, NULL, 0, error));
  pack_leaving(water, blocks, count, bytes);
  RILL_TRY(exchange_counts(domain, error));
  for (int r = 0; r < domain->ranks->count; r++) coming += domain->counts[1][r] / bytes;
  status = make_room(water, leaving, coming, bytes, error);
  RILL_TRY(rill_agree(domain->ranks, status, NULL, 0, error)); /* so far no molecule has moved */
  close_gaps(water, blocks, count);
  RILL_TRY(domain->ranks->ops->transpose(domain->ranks, domain->out, domain->counts[0], domain->in, domain->counts[1],
                                         error));
  for (size_t i = 0; i < coming; i++) unpack(water, blocks, count, water->molecules++, domain->in + i * bytes);
  domain->migrations++;
  domain->migrated += coming;
  return RILL_OK;
}

enum rill_status rill_water_migrate_in_domain(struct rill_water *water, const double *q, struct rill_error *error) {
  struct rill_domain *domain = water->domain;
  enum rill_status status;
  if (!(domain->placed && q == water->q)) RILL_TRY(agree_on_place(water, q, RILL_OK, error));
  domain->placed = false;
  if (!domain->stale) return RILL_OK;
  RILL_TRY(move_molecules(water, error));
  status = rill_water_field_set_molecules(water->field, water->molecules, q, error);
  return rill_agree(domain->ranks, status, NULL, 0, error);
}

/* ---- sums and largest values ---- */

void rill_water_add_up(const struct rill_water *water, struct rill_exact_sum *sums, size_t count) {
  if (water->domain == NULL) return;
  struct rill_error unused = {0}; /* large */
  if (rill_exact_over_ranks(water->domain->ranks, sums, count, &unused) == RILL_OK) return;
  for (size_t i = 0; i < count; i++) sums[i].invalid = true;
}

void rill_water_largest(const struct rill_water *water, double *values, size_t count) {
  uint64_t words[RILL_AGREED_WORDS];
  if (water->domain == NULL) return;
  struct rill_error unused = {0};
  for (size_t i = 0; i < count; i++) words[i] = rill_word_of(values[i]); /* NaN is larger than all numbers */
  if (rill_agree(water->domain->ranks, RILL_OK, words, count, &unused) == RILL_OK)
    for (size_t i = 0; i < count; i++) values[i] = rill_word_value(words[i]);
  else
    for (size_t i = 0; i < count; i++) values[i] = NAN;
}

/* ---- between columns and order of molecules ---- */

/* On rank 0, of the columns of all ranks, one after the other: their numbers, and how many each rank has; and room
 * for a row of all. */
struct order {
  uint64_t *number;
  size_t *count;
  double *row; /* [all_stride] */
};

static enum rill_status find_order(const struct rill_water *water, struct order *order, struct rill_error *error) {
  const struct rill_domain *domain = water->domain;
  struct rill_ranks *ranks = domain->ranks;
  size_t at = 0;
  *order = (struct order){0};
  if (ranks->rank == 0) {
    order->number = rill_allocate(domain->all, sizeof *order->number);
    order->count = rill_allocate((size_t)ranks->count, sizeof *order->count);
    order->row = rill_allocate(domain->all_stride, sizeof *order->row);
    if (order->number == NULL || order->count == NULL || order->row == NULL) {
      ranks->broken = true; /* the others wait */
      return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", domain->all);
    }
  }
  RILL_TRY(ranks->ops->gather(ranks, domain->number, water->molecules * sizeof *domain->number, false, error));
  for (int r = 0; ranks->rank == 0 && r < ranks->count; r++) {
    const struct rill_gathered *from = &ranks->gathered[r];
    order->count[r] = from->length / sizeof *order->number;
    if (from->length > 0) memcpy(order->number + at, from->bytes, from->length);
    at += order->count[r];
  }
  return RILL_OK;
}

/* row: [stride] of this rank; becomes order->row on rank 0, where columns beyond the molecules are inert, like the
 * last one. */
static enum rill_status collect_row(const struct rill_water *water, const struct order *order, const double *row,
                                    struct rill_error *error) {
  const struct rill_domain *domain = water->domain;
  struct rill_ranks *ranks = domain->ranks;
  size_t at = 0;
  RILL_TRY(ranks->ops->gather(ranks, row, water->molecules * sizeof *row, false, error));
  if (ranks->rank != 0) return RILL_OK;
  for (int r = 0; r < ranks->count; r++)
    for (size_t i = 0; i < order->count[r]; i++, at++)
      memcpy(&order->row[order->number[at]], ranks->gathered[r].bytes + i * sizeof *row, sizeof *row);
  for (size_t m = domain->all; m < domain->all_stride; m++) order->row[m] = row[water->stride - 1];
  return RILL_OK;
}

enum rill_status rill_water_collect_rows(const struct rill_water *water, const double *values, size_t rows,
                                         rill_row_reader *read, void *context, struct rill_error *error) {
  struct order order;
  enum rill_status status = find_order(water, &order, error);
  for (size_t k = 0; k < rows && status == RILL_OK; k++) {
    status = collect_row(water, &order, values + k * water->stride, error);
    if (status == RILL_OK && order.row != NULL) read(context, k, order.row);
  }
  rill_release(order.number);
  rill_release(order.count);
  rill_release(order.row);
  return status;
}

struct table {
  double *values;
  size_t stride;
};

static void store_row(void *context, size_t k, const double *row) {
  const struct table *table = context;
  memcpy(table->values + k * table->stride, row, table->stride * sizeof *row);
}

enum rill_status rill_water_collect(const struct rill_water *water, const double *values, size_t rows, double *all,
                                    struct rill_error *error) {
  struct table table = {all, water->domain->all_stride};
  return rill_water_collect_rows(water, values, rows, store_row, &table, error);
}

void rill_water_deal(struct rill_water *water) {
  struct rill_domain *domain = water->domain;
  const struct rill_ranks *ranks = domain->ranks;
  struct block blocks[MOST_BLOCKS];
  const size_t count = list_blocks(water, blocks), first = rill_ranks_first(ranks, ranks->rank, domain->all);
  const size_t before = water->molecules;
  water->molecules = rill_ranks_first(ranks, ranks->rank + 1, domain->all) - first;
  for (size_t m = 0; m < water->molecules; m++) domain->number[m] = first + m;
  for (size_t m = water->molecules; m < before; m++) move_column(water, blocks, count, water->stride - 1, m);
  domain->placed = false;
}

/* After rill_water_deal: rows are contiguous in each rank's share. */
enum rill_status rill_water_scatter(struct rill_water *water, const double *all, size_t rows, double *values,
                                    struct rill_error *error) {
  struct rill_domain *domain = water->domain;
  struct rill_ranks *ranks = domain->ranks;
  size_t *out = domain->counts[0], *in = domain->counts[1];
  for (int r = 0; r < ranks->count; r++) {
    const size_t share = rill_ranks_first(ranks, r + 1, domain->all) - rill_ranks_first(ranks, r, domain->all);
    out[r] = ranks->rank == 0 ? share * sizeof *values : 0;
    in[r] = r == 0 ? water->molecules * sizeof *values : 0;
  }
  for (size_t k = 0; k < rows; k++)
    RILL_TRY(ranks->ops->transpose(ranks, ranks->rank == 0 ? all + k * domain->all_stride : NULL, out,
                                   values + k * water->stride, in, error));
  return RILL_OK;
}

/* ---- checkpoints ---- */

void rill_water_archive_newmark(struct rill_water *water, struct rill_archive *archive) {
  const struct rill_domain *domain = water->domain;
  const size_t count = RILL_COORDINATES * (domain != NULL ? domain->all_stride : water->stride);
  double *none;
  if (domain == NULL) {
    rill_archive_reals(archive, "newmark", water->stiff.newmark, count);
    return;
  }
  if (domain->ranks->rank != 0 || archive->reading) return;
  none = rill_allocate(count, sizeof *none);
  if (none == NULL) {
    rill_archive_fail(archive, RILL_ERROR_MEMORY, "no memory for %zu molecules", domain->all);
    return;
  }
  none[0] = NAN;
  rill_archive_reals(archive, "newmark", none, count);
  rill_release(none);
}

struct stored_rows {
  unsigned char *items; /* in an archive, where numbers are not aligned; NULL after a fault */
  size_t bytes;         /* of a row */
};

static void archive_row(void *context, size_t k, const double *row) {
  const struct stored_rows *stored = context;
  if (stored->items != NULL) memcpy(stored->items + k * stored->bytes, row, stored->bytes);
}

static enum rill_status collect_to_archive(struct rill_water *water, struct rill_archive *archive, const char *name,
                                           const double *values, size_t rows, struct rill_error *error) {
  const struct rill_domain *domain = water->domain;
  struct stored_rows stored = {.bytes = domain->all_stride * sizeof *values};
  if (domain->ranks->rank == 0) stored.items = rill_archive_reserve_reals(archive, name, rows * domain->all_stride);
  return rill_water_collect_rows(water, values, rows, archive_row, &stored, error);
}

static enum rill_status scatter_from_archive(struct rill_water *water, const struct rill_archive *archive,
                                             const char *name, double *values, size_t rows,
                                             struct rill_error *error) {
  const struct rill_domain *domain = water->domain;
  const size_t bytes = domain->all_stride * sizeof *values;
  const bool first = domain->ranks->rank == 0;
  double *row = first ? rill_allocate(domain->all_stride, sizeof *row) : NULL;
  enum rill_status status = RILL_OK;
  const unsigned char *items = NULL;
  size_t count = 0;
  if (first) items = rill_archive_find(archive, name, RILL_ARCHIVE_REALS, &count);
  if (first && row == NULL)
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", domain->all);
  else if (first && items == NULL)
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s%s is missing", archive->group, name);
  else if (first && count != rows * domain->all_stride)
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s%s has %zu numbers where %zu are expected", archive->group,
                            name, count, rows * domain->all_stride);
  status = rill_agree(domain->ranks, status, NULL, 0, error);
  for (size_t k = 0; k < rows && status == RILL_OK; k++) {
    if (first) memcpy(row, items + k * bytes, bytes);
    status = rill_water_scatter(water, row, 1, values + k * water->stride, error);
  }
  rill_release(row);
  return status;
}

/* Rank 0 has one row at a time beside the archive: arrays of all molecules are large. */
void rill_water_archive_columns(struct rill_water *water, struct rill_archive *archive, const char *name,
                                double *values, size_t rows) {
  struct rill_error error = {0};
  enum rill_status status;
  if (water->domain == NULL) {
    rill_archive_reals(archive, name, values, rows * water->stride);
    return;
  }
  status = archive->reading ? scatter_from_archive(water, archive, name, values, rows, &error)
                            : collect_to_archive(water, archive, name, values, rows, &error);
  if (status != RILL_OK) rill_archive_fail(archive, status, "%s", error.text);
}
