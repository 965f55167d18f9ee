#include "water/neighbours/neighbours.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "config.h"
#include "parallel/bricks.h"

/* Cells: columns about half a nanometre wide, in layers that hold one or two molecules of a liquid. */
static const double column_size = 0.5, layer_size = 0.25;
/* Added to every reach, nm, and per nm of it: allows for rounding of distances in single precision. */
static const double least_slack = 1e-5, slack_per_reach = 1e-6;
/* In a liquid, molecules stay within these for about 20 and 5 steps of 2 fs. */
static const double default_buffer = 0.13, default_inner_buffer = 0.035;
/* The least remainder of an outer list's buffer, in inner buffers: below it the list is rebuilt instead of pruned. */
static const double least_left = 0.5;
static const double liquid_density = 33.4; /* molecules/nm3: for the initial allocation, and an open cluster's size */
/* The inside of an open cluster extends to this many radii of a droplet, and at least this many nm.  It depends only
 * on the number of molecules, since the quanta, and hence the forces, depend on it. */
static const double radii_inside = 3.0, least_inside = 14.0;
/* Within this distance of the box, quanta fit 63 bits, even with the kernels' finer bits. */
static const double farthest_boxes = 0x1p14;

static const struct rill_cell no_cell;

static const struct rill_list_kernel *const kernels[RILL_ISA_COUNT] = {
    [RILL_ISA_PORTABLE] = &rill_lists_portable,
#ifdef RILL_HAVE_NEON
    [RILL_ISA_NEON] = &rill_lists_neon,
#endif
#ifdef RILL_HAVE_X86_VECTORS
    [RILL_ISA_AVX2] = &rill_lists_avx2,         [RILL_ISA_AVX512] = &rill_lists_avx2, /* lists are built in eights */
    [RILL_ISA_AVX512VL] = &rill_lists_avx2,
#endif
};

static enum rill_status no_memory(struct rill_error *error) {
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for neighbour lists");
}

static double reach_of(const struct rill_neighbours *n) { return n->radius + n->buffer + n->slack; }

/* ---- creation ---- */

static int is_closed(const struct rill_neighbours *n) {
  return !n->open && rill_cell_is_rectangular(n->cell) && 2.0 * n->radius <= n->cell->shortest;
}

/* A brick is beside itself only along an axis that is not divided. */
static void find_closed(struct rill_neighbours *n) {
  n->closed = is_closed(n);
  for (int c = 0; c < 3; c++) n->cells.closed[c] = n->closed && n->bricks[c] <= 1;
}

/* Unless the box is closed, all coordinates, including images, are within 2^30 quanta of the middle; outsiders, at
 * -2^31, are far from everything even modulo 2^32. */
static void choose_quanta(struct rill_neighbours *n) {
  double extent = n->open ? n->inside : 0.0;
  for (int c = 0; c < 3; c++) {
    double edge = 0.0;
    for (int i = 0; i < 3; i++) edge += fabs(n->cell->vector[i][c]);
    extent = fmax(extent, 0.5 * edge);
  }
  for (int c = 0; c < 3; c++) {
    n->quanta[c] = n->closed
                       ? 0x1p32 / n->cell->vector[c][c]
                       : exp2(floor(log2(0x1p30 / (extent + n->radius + 2.0 * rill_largest_buffer + least_slack))));
    n->quantum[c] = 1.0 / n->quanta[c];
  }
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++) n->lattice[i][c] = (int32_t)(uint32_t)llrint(n->cell->vector[i][c] * n->quanta[c]);
}

/* Lists are built from positions in whole quanta, which kernels in double precision resolve more finely.  The slack
 * is the length of an error of one quantum along each axis, now and when the list was built, and half a quantum for
 * each lattice vector between two molecules, since lattice vectors are rounded too. */
static double find_slack(const struct rill_neighbours *n, double lattice_vectors) {
  const double quantum = fmax(n->quantum[0], fmax(n->quantum[1], n->quantum[2]));
  const double quantised = sqrt(3.0) * (2.0 + 0.5 * lattice_vectors) * quantum;
  return least_slack + slack_per_reach * (n->radius + n->buffer) + quantised;
}

/* Where a molecule's list begins is a number of 32 bits. */
static enum rill_status check_room(const struct rill_neighbours *n, struct rill_error *error) {
  if (n->room <= UINT32_MAX / n->chunks) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                        "neighbour lists of %zu molecules with %zu neighbours each, in one process; expected at most "
                        "%llu molecules with as many neighbours: take a shorter cutoff or buffer",
                        n->molecules, n->room / RILL_CHUNK, (unsigned long long)(UINT32_MAX / n->room) * RILL_CHUNK);
}

/* A brick may be empty. */
static size_t most_chunks(const struct rill_neighbours *n) {
  const size_t chunks = (n->allocated + RILL_CHUNK - 1) / RILL_CHUNK;
  return chunks > 0 ? chunks : 1;
}

/* Lists and what is kept for each molecule. */
static enum rill_status allocate_lists(struct rill_neighbours *n, struct rill_error *error) {
  n->allocated = n->molecules;
  n->chunks = most_chunks(n);
  RILL_TRY(check_room(n, error));
  n->slot_of = rill_allocate(n->molecules, sizeof *n->slot_of);
  n->whole = rill_allocate(3 * n->molecules, sizeof *n->whole);
  n->base = rill_allocate(3 * n->molecules, sizeof *n->base);
  n->image_start = rill_allocate(n->molecules + 1, sizeof *n->image_start);
  n->outside = rill_allocate(n->molecules, sizeof *n->outside);
  n->outer = rill_allocate(n->chunks * n->room, sizeof *n->outer);
  n->inner = rill_allocate(n->chunks * n->room, sizeof *n->inner);
  n->first = rill_allocate(n->molecules, sizeof *n->first);
  n->outer_groups = rill_allocate(n->molecules, sizeof *n->outer_groups);
  n->inner_groups = rill_allocate(n->molecules, sizeof *n->inner_groups);
  n->turn = rill_allocate(n->molecules, sizeof *n->turn);
  if (n->slot_of == NULL || n->outside == NULL || n->whole == NULL || n->base == NULL || n->image_start == NULL ||
      n->outer == NULL || n->inner == NULL || n->first == NULL || n->outer_groups == NULL ||
      n->inner_groups == NULL || n->turn == NULL)
    return no_memory(error);
  return RILL_OK;
}

static void release_lists(struct rill_neighbours *n) {
  rill_release(n->slot_of);
  rill_release(n->outside);
  rill_release(n->whole);
  rill_release(n->base);
  rill_release(n->image_start);
  rill_release(n->outer);
  rill_release(n->inner);
  rill_release(n->first);
  rill_release(n->outer_groups);
  rill_release(n->inner_groups);
  rill_release(n->turn);
}

static enum rill_status allocate(struct rill_neighbours *n, struct rill_error *error) {
  const double reach = reach_of(n);
  n->room = (size_t)(RILL_CHUNK * (1.6 * 2.0 / 3.0 * 3.1416 * reach * reach * reach * liquid_density + 32.0));
  if (n->open && n->room > RILL_CHUNK * (n->molecules + 3 * RILL_GROUP))
    n->room = RILL_CHUNK * (n->molecules + 3 * RILL_GROUP);
  n->built = rill_allocate(3 * n->stride, sizeof *n->built);
  n->pruned = rill_allocate(3 * n->stride, sizeof *n->pruned);
  RILL_TRY(allocate_lists(n, error));
  return n->built != NULL && n->pruned != NULL ? RILL_OK : no_memory(error);
}

enum rill_status rill_neighbours_create(struct rill_neighbours *n, const struct rill_cell *cell, size_t molecules,
                                        size_t stride, double radius, double buffer, double inner_buffer,
                                        enum rill_isa isa, struct rill_team *team, struct rill_error *error) {
  *n = (struct rill_neighbours){.cell = cell != NULL ? cell : &no_cell,
                                .molecules = molecules,
                                .stride = stride,
                                .radius = radius,
                                .near = radius,
                                .team = team};
  if (cell == NULL) {
    n->open = 1;
    n->inside = fmax(least_inside, radii_inside * cbrt((double)molecules / (4.0 / 3.0 * 3.1416 * liquid_density)));
    if (!(radius <= n->inside))
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "cutoff %g nm for a cluster of %zu molecules; lists reach at most %g nm: use all pairs",
                            radius, molecules, n->inside);
  }
  if (!(buffer <= rill_largest_buffer))
    return rill_error_set(error, RILL_ERROR_INPUT, "a buffer of %g nm for neighbour lists; expected at most %g nm",
                          buffer, rill_largest_buffer);
  n->buffer = buffer > 0.0 ? buffer : default_buffer;
  n->inner_buffer = inner_buffer > 0.0 ? inner_buffer : default_inner_buffer;
  if (n->inner_buffer > n->buffer) n->inner_buffer = n->buffer;
  n->kernel = kernels[isa];
  find_closed(n);
  choose_quanta(n);
  n->slack = find_slack(n, 0.0);
  return allocate(n, error);
}

void rill_neighbours_destroy(struct rill_neighbours *n) {
  if (n == NULL) return;
  release_lists(n);
  rill_release(n->image_slot);
  rill_release(n->image_step);
  rill_release(n->image_shift);
  for (int c = 0; c < 3; c++) {
    rill_release(n->oxygen[c]);
    rill_release(n->at[c]);
    rill_release(n->at_built[c]);
    rill_release(n->at_pruned[c]);
  }
  rill_release(n->zone);
  rill_release(n->cells.start);
  rill_release(n->image_cells.start);
  rill_release(n->built);
  rill_release(n->pruned);
  *n = (struct rill_neighbours){0};
}

size_t rill_neighbours_bytes(const struct rill_neighbours *n) {
  const size_t words =
      2 * n->chunks * n->room + 12 * n->molecules + 12 * n->capacity + n->cells.capacity + n->image_cells.capacity;
  return words * sizeof(uint32_t) + 6 * n->stride * sizeof(double);
}

/* ---- work shared among threads ---- */

/* BLOCK: molecules; with fewer than MANY, checking their positions is not worth sharing. */
enum { BLOCK = 256, MANY = 4096 };

struct task {
  struct rill_neighbours *n;
  const double *q, *kept;
  double limit2, reach;
  _Atomic size_t needed;
  _Atomic int moved;
};

struct span_of_slots {
  size_t first, last;
};

static struct span_of_slots piece(const struct rill_neighbours *n, size_t size, size_t index) {
  const size_t first = index * size;
  return (struct span_of_slots){first, first + size < n->molecules ? first + size : n->molecules};
}

static void over_blocks(struct task *task, void (*body)(void *task, size_t index)) {
  rill_team_run(task->n->team, (task->n->molecules + BLOCK - 1) / BLOCK, true, body, task);
}

/* ---- wrapping and images ---- */

/* Ensures room for `slots`, with a tenth more so that it seldom grows. */
static enum rill_status reserve(struct rill_neighbours *n, size_t slots, struct rill_error *error) {
  size_t capacity;
  if (slots <= n->capacity) return RILL_OK;
  capacity = slots + slots / 10 + 64;
  rill_release(n->image_slot);
  rill_release(n->image_step);
  rill_release(n->image_shift);
  n->image_slot = rill_allocate(capacity, sizeof *n->image_slot);
  n->image_step = rill_allocate(4 * capacity, sizeof *n->image_step);
  n->image_shift = rill_allocate(4 * capacity, sizeof *n->image_shift);
  for (int c = 0; c < 3; c++) {
    rill_release(n->oxygen[c]);
    n->oxygen[c] = rill_allocate(capacity + RILL_GROUP, sizeof *n->oxygen[c]);
  }
  rill_release(n->zone);
  n->zone = n->brick ? rill_allocate(capacity + RILL_GROUP, 1) : NULL;
  n->capacity = 0;
  if (n->brick && n->zone == NULL) return no_memory(error);
  for (int c = 0; c < 3; c++)
    if (n->oxygen[c] == NULL) return no_memory(error);
  if (n->image_slot == NULL || n->image_step == NULL || n->image_shift == NULL) return no_memory(error);
  n->capacity = capacity;
  return RILL_OK;
}

/* Finds every image of a molecule at fractions f that can be within reach, with their steps if requested; returns
 * their number. */
static size_t find_images(const struct rill_neighbours *n, const double f[3], int32_t *steps) {
  double width[3];
  int low[3], high[3];
  size_t count = 0;
  for (int c = 0; c < 3; c++) {
    width[c] = reach_of(n) / n->cell->height[c] + 1e-6;
    low[c] = (int)ceil(-width[c] - f[c]);
    high[c] = (int)floor(1.0 + width[c] - f[c]);
  }
  for (int k = 0; k <= high[2]; k++)
    for (int j = k > 0 ? low[1] : 0; j <= high[1]; j++)
      for (int i = k > 0 || j > 0 ? low[0] : 1; i <= high[0]; i++) {
        if (steps != NULL) {
          steps[4 * count] = i;
          steps[4 * count + 1] = j;
          steps[4 * count + 2] = k;
        }
        count++;
      }
  return count;
}

static void fractions_of(const struct rill_neighbours *n, const double *q, size_t m, double f[3], double whole[3]) {
  const double x[3] = {q[m], q[n->stride + m], q[2 * n->stride + m]};
  rill_cell_fractions(n->cell, x, f);
  for (int c = 0; c < 3; c++) {
    whole[c] = floor(f[c]);
    f[c] -= whole[c];
  }
}

static int is_outside(const struct rill_neighbours *n, const double *q, size_t m) {
  const double x = fabs(q[m]), y = fabs(q[n->stride + m]), z = fabs(q[2 * n->stride + m]);
  return !(x <= n->inside && y <= n->inside && z <= n->inside);
}

static enum rill_status not_finite(const double *q, size_t stride, size_t m, struct rill_error *error) {
  return rill_error_set(error, RILL_ERROR_NOT_FINITE,
                        "molecule %zu is at (%g, %g, %g) nm: not finite, or too far from the box to be wrapped",
                        m + 1, q[m], q[stride + m], q[2 * stride + m]);
}

/* Quanta wrap by themselves, as long as they are whole numbers in a double. */
static enum rill_status check_closed(struct rill_neighbours *n, const double *q, struct rill_error *error) {
  for (size_t c = 0; c < 3; c++) {
    const double limit = farthest_boxes * n->cell->vector[c][c];
    int beyond = 0;
    for (size_t m = 0; m < n->molecules; m++) beyond |= !(fabs(q[c * n->stride + m]) < limit);
    for (size_t m = 0; beyond && m < n->molecules; m++)
      if (!(fabs(q[c * n->stride + m]) < limit)) return not_finite(q, n->stride, m, error);
  }
  n->images = 0;
  return reserve(n, rill_slots(n), error);
}

/* An open cluster: positions are not wrapped, and there are no images. */
static enum rill_status find_outsiders(struct rill_neighbours *n, const double *q, struct rill_error *error) {
  n->outsiders = 0;
  for (size_t m = 0; m < n->molecules; m++) {
    n->outside[m] = (unsigned char)is_outside(n, q, m);
    n->outsiders += n->outside[m];
    if (!isfinite(q[m] + q[n->stride + m] + q[2 * n->stride + m]))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE, "a position of molecule %zu is not finite", m + 1);
  }
  n->images = 0;
  return reserve(n, rill_slots(n), error);
}

static void place_images(void *context, size_t index) {
  const struct task *task = context;
  const struct rill_neighbours *n = task->n;
  const struct span_of_slots molecules = piece(n, BLOCK, index);
  for (size_t m = molecules.first; m < molecules.last; m++) {
    double f[3], whole[3];
    fractions_of(n, task->q, m, f, whole);
    find_images(n, f, n->image_step + 4 * (size_t)n->image_start[m]);
    for (size_t k = n->image_start[m]; k < n->image_start[m + 1]; k++)
      for (size_t c = 0; c < 3; c++) {
        n->image_shift[4 * k + c] = 0;
        for (size_t i = 0; i < 3; i++) n->image_shift[4 * k + c] += n->image_step[4 * k + i] * n->lattice[i][c];
      }
  }
}

/* Finds the lattice vectors that bring each molecule into the box. */
static enum rill_status find_bases(struct rill_neighbours *n, const double *q, struct rill_error *error) {
  double least[3] = {0.0}, most[3] = {0.0}, between = 0.0;
  int32_t middle[3];
  for (int c = 0; c < 3; c++)
    middle[c] =
        rill_quantise(0.5 * (n->cell->vector[0][c] + n->cell->vector[1][c] + n->cell->vector[2][c]), n->quanta[c]);
  for (size_t m = 0; m < n->molecules; m++) {
    double f[3], whole[3];
    fractions_of(n, q, m, f, whole);
    for (int c = 0; c < 3; c++) {
      uint32_t base = (uint32_t)middle[c];
      if (!(fabs(whole[c]) < farthest_boxes)) return not_finite(q, n->stride, m, error);
      least[c] = fmin(least[c], whole[c]);
      most[c] = fmax(most[c], whole[c]);
      n->whole[3 * m + (size_t)c] = (int32_t)whole[c];
      for (int i = 0; i < 3; i++) base += (uint32_t)(int32_t)whole[i] * (uint32_t)n->lattice[i][c];
      n->base[3 * m + (size_t)c] = (int32_t)base;
    }
  }
  for (int c = 0; c < 3; c++) between += most[c] - least[c] + 2.0 * reach_of(n) / n->cell->height[c] + 2.0;
  n->slack = find_slack(n, between);
  return RILL_OK;
}

static enum rill_status wrap(struct rill_neighbours *n, const double *q, struct rill_error *error) {
  struct task task = {.n = n, .q = q};
  size_t images = 0;
  RILL_TRY(find_bases(n, q, error));
  for (size_t m = 0; m < n->molecules; m++) {
    double f[3], whole[3];
    fractions_of(n, q, m, f, whole);
    n->image_start[m] = (uint32_t)images;
    images += find_images(n, f, NULL);
  }
  n->image_start[n->molecules] = (uint32_t)images;
  if (n->molecules + images + 1 >= UINT32_MAX / 16)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "%zu molecules and %zu images; lists hold at most %u",
                          n->molecules, images, UINT32_MAX / 16);
  n->images = images;
  RILL_TRY(reserve(n, rill_slots(n), error));
  over_blocks(&task, place_images);
  return RILL_OK;
}

/* ---- cells ---- */

/* The oxygen of a molecule, in quanta from the middle of the box, or of the brick with its halo. */
static void quantise_oxygen(const struct rill_neighbours *n, const double *q, size_t m, int32_t x[3]) {
  for (size_t c = 0; n->brick && c < 3; c++) x[c] = rill_wrapping_difference(n->at[c][m], n->middle[c]);
  if (n->brick) return;
  for (size_t c = 0; c < 3; c++)
    x[c] = n->outside[m]
               ? INT32_MIN
               : rill_wrapping_difference(rill_quantise(q[c * n->stride + m], n->quanta[c]), n->base[3 * m + c]);
}

/* A molecule interacts with three columns along x, and with two beyond the strip on either side: records and forces
 * of these should stay in a processor's own cache. */
static size_t choose_strip(const struct rill_cells *cells, size_t molecules) {
  enum { BYTES = 1 << 20, MOLECULE_BYTES = 96, DEPTH = 3, BEYOND = 4, LEAST = 4 };
  const size_t column = MOLECULE_BYTES * (molecules / (cells->count[0] * cells->count[1]) + 1);
  const size_t rows = BYTES / (DEPTH * column), strip = rows > BEYOND + LEAST ? rows - BEYOND : LEAST;
  return strip < cells->count[1] ? strip : cells->count[1];
}

/* In a nearly empty box cells are larger, so that there are only a few for each molecule. */
static double coarsening(const struct rill_extent *span, size_t molecules) {
  const double most = 4096.0 + 16.0 * (double)molecules;
  double cells = 1.0;
  for (int c = 0; c < 3; c++) cells *= 1.0 + (span->high[c] - span->low[c]) / (c < 2 ? column_size : layer_size);
  return cells > most ? cbrt(cells / most) : 1.0;
}

static enum rill_status prepare_cells(struct rill_cells *cells, const struct rill_extent *span, size_t molecules,
                                      struct rill_error *error) {
  const double coarser = coarsening(span, molecules);
  size_t total = 1;
  for (int c = 0; c < 3; c++) {
    const double wanted = coarser * (c < 2 ? column_size : layer_size), length = span->high[c] - span->low[c];
    cells->count[c] = (size_t)(length / wanted) + !cells->closed[c];
    if (cells->count[c] == 0) cells->count[c] = 1;
    cells->origin[c] = span->low[c];
    cells->size[c] = cells->closed[c] ? length / (double)cells->count[c] : wanted;
    total *= cells->count[c];
  }
  cells->strip = choose_strip(cells, molecules);
  if (total + 1 > cells->capacity) {
    rill_release(cells->start);
    cells->capacity = 0;
    cells->start = rill_allocate(total + total / 10 + 2, sizeof *cells->start);
    if (cells->start == NULL) return no_memory(error);
    cells->capacity = total + total / 10 + 2;
  }
  memset(cells->start, 0, (total + 1) * sizeof *cells->start);
  return RILL_OK;
}

static uint32_t cell_at(const struct rill_neighbours *n, const struct rill_cells *cells, const int32_t x[3]) {
  size_t layer[3];
  for (int c = 0; c < 3; c++) {
    const double at = ((double)x[c] * n->quantum[c] - cells->origin[c]) / cells->size[c];
    layer[c] = at > 0.0 ? (size_t)at : 0;
    if (layer[c] >= cells->count[c]) layer[c] = cells->count[c] - 1;
  }
  return (uint32_t)(rill_column(cells, layer[0], layer[1]) * cells->count[2] + layer[2]);
}

/* Turns counts into first slots; sorting then advances each start to its cell's end, which is the next cell's
 * start. */
static void begin_slots(struct rill_cells *cells, uint32_t first) {
  const size_t total = cells->count[0] * cells->count[1] * cells->count[2];
  for (size_t k = 0; k <= total; k++) {
    const uint32_t count = cells->start[k];
    cells->start[k] = first;
    first += count;
  }
}

static void end_slots(struct rill_cells *cells, uint32_t first) {
  const size_t total = cells->count[0] * cells->count[1] * cells->count[2];
  memmove(cells->start + 1, cells->start, total * sizeof *cells->start);
  cells->start[0] = first;
}

/* Loops over a molecule's oxygen and its images. */
#define FOR_IMAGES(n, m, k) for (size_t k = (n)->image_start[m]; k < (n)->image_start[(m) + 1]; k++)

/* Finds the extent of the molecules, and of their images. */
static void find_spans(const struct rill_neighbours *n, const double *q, struct rill_extent *own,
                       struct rill_extent *images) {
  if (n->brick) {
    *own = n->extent;
    return;
  }
  if (n->closed) {
    for (int c = 0; c < 3; c++) {
      own->high[c] = 0.5 * n->cell->vector[c][c];
      own->low[c] = -own->high[c];
    }
    return;
  }
  for (int c = 0; c < 3; c++) {
    own->low[c] = images->low[c] = INFINITY;
    own->high[c] = images->high[c] = -INFINITY;
  }
  for (size_t m = 0; m < n->molecules; m++) {
    int32_t x[3];
    if (n->outside[m]) continue;
    quantise_oxygen(n, q, m, x);
    for (int c = 0; c < 3; c++) {
      own->low[c] = fmin(own->low[c], x[c] * n->quantum[c]);
      own->high[c] = fmax(own->high[c], x[c] * n->quantum[c]);
      FOR_IMAGES(n, m, k) {
        const double at = ((double)x[c] + n->image_shift[4 * k + (size_t)c]) * n->quantum[c];
        images->low[c] = fmin(images->low[c], at);
        images->high[c] = fmax(images->high[c], at);
      }
    }
  }
  for (int c = 0; c < 3 && n->outsiders == n->molecules; c++) own->low[c] = own->high[c] = 0.0;
}

static enum rill_status sort(struct rill_neighbours *n, const double *q, struct rill_error *error) {
  struct rill_extent own, images;
  find_spans(n, q, &own, &images);
  RILL_TRY(prepare_cells(&n->cells, &own, n->molecules, error));
  n->lead = (2 * n->cells.strip + 3) * (n->molecules / (n->cells.count[0] * n->cells.count[1]) + 1);
  if (n->images > 0) RILL_TRY(prepare_cells(&n->image_cells, &images, n->images, error));
  for (size_t m = 0; m < n->molecules; m++) {
    int32_t x[3], y[3];
    quantise_oxygen(n, q, m, x);
    n->slot_of[m] = cell_at(n, &n->cells, x);
    n->cells.start[n->slot_of[m]]++;
    FOR_IMAGES(n, m, k) {
      for (size_t c = 0; c < 3; c++) y[c] = x[c] + n->image_shift[4 * k + c];
      n->image_slot[k] = cell_at(n, &n->image_cells, y);
      n->image_cells.start[n->image_slot[k]]++;
    }
  }
  begin_slots(&n->cells, 0);
  for (size_t m = 0; m < n->molecules; m++) n->slot_of[m] = n->cells.start[n->slot_of[m]]++;
  end_slots(&n->cells, 0);
  if (n->images > 0) {
    begin_slots(&n->image_cells, (uint32_t)n->molecules);
    for (size_t k = 0; k < n->images; k++) n->image_slot[k] = n->image_cells.start[n->image_slot[k]]++;
    end_slots(&n->image_cells, (uint32_t)n->molecules);
  }
  return RILL_OK;
}

/* ---- lists ---- */

static void place_block(void *context, size_t index) {
  const struct task *task = context;
  const struct rill_neighbours *n = task->n;
  const struct span_of_slots molecules = piece(n, BLOCK, index);
  for (size_t m = molecules.first; m < molecules.last; m++) {
    int32_t x[3];
    quantise_oxygen(n, task->q, m, x);
    for (int c = 0; c < 3; c++) {
      n->oxygen[c][n->slot_of[m]] = x[c];
      FOR_IMAGES(n, m, k) n->oxygen[c][n->image_slot[k]] = x[c] + n->image_shift[4 * k + (size_t)c];
    }
  }
}

static void place_oxygens(struct rill_neighbours *n, const double *q) {
  struct task task = {.n = n, .q = q};
  over_blocks(&task, place_block);
  for (int c = 0; c < 3; c++) /* read, but not used */
    for (size_t k = 0; k <= RILL_GROUP; k++) n->oxygen[c][n->molecules + n->images + k] = INT32_MIN;
}

static void search_chunk(void *context, size_t chunk) {
  struct task *task = context;
  const struct rill_neighbours *n = task->n;
  const struct span_of_slots slots = piece(n, RILL_CHUNK, chunk);
  const size_t used = n->kernel->search(n, slots.first, slots.last, task->reach, n->outer + chunk * n->room, n->room);
  size_t needed = atomic_load(&task->needed);
  while (used > needed && !atomic_compare_exchange_weak(&task->needed, &needed, used)) continue;
}

static enum rill_status search(struct rill_neighbours *n, struct rill_error *error) {
  for (;;) {
    struct task task = {.n = n, .reach = reach_of(n)};
    size_t needed;
    rill_team_run(n->team, n->chunks, true, search_chunk, &task);
    needed = atomic_load(&task.needed);
    if (needed <= n->room) return RILL_OK;
    n->room = needed + needed / 4;
    rill_release(n->outer);
    rill_release(n->inner);
    n->outer = n->inner = NULL;
    RILL_TRY(check_room(n, error));
    n->outer = rill_allocate(most_chunks(n) * n->room, sizeof *n->outer);
    n->inner = rill_allocate(most_chunks(n) * n->room, sizeof *n->inner);
    if (n->outer == NULL || n->inner == NULL) {
      n->room = 0;
      return no_memory(error);
    }
  }
}

/* Which part of a buffer the shrinkage of the cell has used up since a list was made: distances beyond the reach are
 * now at least `scale` times as long, along the axis that shrank most. */
static double shrinkage(const struct rill_neighbours *n, const double scale[3], double buffer) {
  const double least = fmin(scale[0], fmin(scale[1], scale[2]));
  return least < 1.0 ? (1.0 - least) * (n->radius + buffer + n->slack) : 0.0;
}

static void keep(const struct rill_neighbours *n, const double *q, double *kept) {
  for (size_t c = 0; c < 3; c++) memcpy(kept + c * n->stride, q + c * n->stride, n->molecules * sizeof *q);
}

static enum rill_status build(struct rill_neighbours *n, const double *q, struct rill_error *error) {
  n->fresh = 0;
  RILL_TRY(n->open ? find_outsiders(n, q, error) : n->closed ? check_closed(n, q, error) : wrap(n, q, error));
  RILL_TRY(sort(n, q, error));
  place_oxygens(n, q);
  RILL_TRY(search(n, error));
  keep(n, q, n->built);
  for (int c = 0; c < 3; c++) n->scale_built[c] = 1.0;
  n->fresh = 1;
  n->used = 0.0;
  n->builds++;
  return RILL_OK;
}

static void prune_chunk(void *context, size_t chunk) {
  const struct task *task = context;
  const struct span_of_slots slots = piece(task->n, RILL_CHUNK, chunk);
  task->n->kernel->prune(task->n, slots.first, slots.last, task->reach, task->n->outer, task->n->inner);
}

static void prune(struct rill_neighbours *n, const double *q) {
  struct task task = {.n = n, .reach = n->radius + n->inner_buffer + n->slack};
  rill_team_run(n->team, n->chunks, true, prune_chunk, &task);
  if (q != NULL) keep(n, q, n->pruned);
  for (int c = 0; c < 3; c++) n->scale_pruned[c] = 1.0;
  n->prunes++;
}

static double displacement2(const struct task *task, size_t m) {
  const size_t stride = task->n->stride;
  const double *q = task->q, *kept = task->kept;
  const double x = q[m] - kept[m], y = q[stride + m] - kept[stride + m], z = q[2 * stride + m] - kept[2 * stride + m];
  return x * x + y * y + z * z;
}

static void look_for_moved(void *context, size_t index) {
  struct task *task = context;
  const struct span_of_slots molecules = piece(task->n, BLOCK, index);
  int moved = 0;
  for (size_t m = molecules.first; m < molecules.last; m++) moved |= !(displacement2(task, m) <= task->limit2);
  if (moved) atomic_store(&task->moved, 1);
}

/* An upper bound on how much nearer two molecules can have come: the sum of the two largest displacements.  Infinite
 * if a position is NaN. */
static double largest_approach(const struct task *task) {
  double first2 = 0.0, second2 = 0.0;
  for (size_t m = 0; m < task->n->molecules; m++) {
    const double moved2 = displacement2(task, m);
    if (!(moved2 < INFINITY)) return INFINITY;
    if (moved2 > first2) {
      second2 = first2;
      first2 = moved2;
    } else if (moved2 > second2) {
      second2 = moved2;
    }
  }
  return sqrt(first2) + sqrt(second2);
}

/* Whether a list built at the positions `kept`, with this buffer, still holds all pairs.  Displacements are measured
 * from there in unwrapped positions, so that none is hidden by a box vector, however many steps or however large a
 * step it took.  While none exceeds half of the buffer, which is a quick test, no two together exceed the whole. */
static int is_complete(struct rill_neighbours *n, const double *q, const double *kept, double buffer) {
  struct task task = {.n = n, .q = q, .kept = kept, .limit2 = 0.25 * buffer * buffer};
  if (!(buffer > 0.0)) return 0;
  if (n->molecules >= MANY) over_blocks(&task, look_for_moved);
  else
    for (size_t index = 0; index * BLOCK < n->molecules; index++) look_for_moved(&task, index);
  return !atomic_load(&task.moved) || largest_approach(&task) <= buffer;
}

/* Whether a molecule of an open cluster has crossed the boundary of the inside. */
static int has_crossed(const struct rill_neighbours *n, const double *q) {
  int crossed = 0;
  if (!n->open) return 0;
  for (size_t m = 0; m < n->molecules; m++) crossed |= is_outside(n, q, m) != n->outside[m];
  return crossed;
}

/* A pair is on the inner list only if it was on the outer one when that was pruned: both must be complete.  While the
 * inner one is, the outer one need not be checked if a whole inner buffer of it was left at that time. */
enum rill_status rill_neighbours_update(struct rill_neighbours *n, const double *q, struct rill_error *error) {
  const struct task since_built = {.n = n, .q = q, .kept = n->built};
  const double shrunk = shrinkage(n, n->scale_built, n->buffer);
  const double inner = n->inner_buffer - shrinkage(n, n->scale_pruned, n->inner_buffer);
  int anew = !n->fresh || has_crossed(n, q);
  if (!anew && is_complete(n, q, n->pruned, inner) &&
      (n->used + n->inner_buffer <= n->buffer || is_complete(n, q, n->built, n->buffer - shrunk)))
    return RILL_OK;
  if (!anew) n->used = shrunk + largest_approach(&since_built);
  anew |= n->used + least_left * n->inner_buffer > n->buffer;
  if (anew) RILL_TRY(build(n, q, error));
  else place_oxygens(n, q);
  prune(n, q);
  return RILL_OK;
}

/* ---- a brick of a closed box ---- */

void rill_neighbours_become_brick(struct rill_neighbours *n, const int count[3], const int place[3]) {
  n->brick = 1;
  for (int c = 0; c < 3; c++) {
    n->bricks[c] = count[c];
    n->place[c] = place[c];
  }
  n->fresh = 0;
  find_closed(n);
}

static bool resize(int32_t **positions, size_t kept, size_t room) {
  int32_t *larger = rill_allocate(room, sizeof *larger);
  if (larger == NULL) return false;
  if (kept > 0) memcpy(larger, *positions, kept * sizeof *larger);
  rill_release(*positions);
  *positions = larger;
  return true;
}

enum rill_status rill_neighbours_extend(struct rill_neighbours *n, size_t kept, size_t molecules,
                                        struct rill_error *error) {
  if (molecules <= n->allocated && n->at[0] != NULL) return RILL_OK;
  n->fresh = 0;
  n->molecules = molecules + molecules / 8;
  for (int c = 0; c < 3; c++)
    if (!resize(&n->at[c], kept, n->molecules) || !resize(&n->at_built[c], 0, n->molecules) ||
        !resize(&n->at_pruned[c], 0, n->molecules))
      return no_memory(error);
  release_lists(n);
  return allocate_lists(n, error);
}

enum rill_status rill_neighbours_quantise(struct rill_neighbours *n, size_t own, size_t stride, const double *q,
                                          struct rill_error *error) {
  for (size_t c = 0; c < 3; c++) {
    const double limit = farthest_boxes * n->cell->vector[c][c];
    for (size_t m = 0; m < own; m++) {
      if (!(fabs(q[c * stride + m]) < limit)) return not_finite(q, stride, m, error);
      n->at[c][m] = rill_quantise(q[c * stride + m], n->quanta[c]);
    }
  }
  return RILL_OK;
}

/* The brick and the halo that lists made now reach. */
static void find_extent(struct rill_neighbours *n) {
  for (int c = 0; c < 3; c++) {
    const double reach = n->bricks[c] > 1 ? reach_of(n) : 0.0;
    const uint64_t low = rill_bricks_face(n->bricks[c], n->place[c]);
    const uint64_t high = rill_bricks_face(n->bricks[c], n->place[c] + 1);
    const double half = 0.5 * ((double)(high - low) * n->quantum[c] + reach);
    n->extent.low[c] = -half;
    n->extent.high[c] = half;
    n->middle[c] = n->bricks[c] > 1 ? (int32_t)(uint32_t)(low + (uint64_t)(half * n->quanta[c])) : 0;
  }
}

static void keep_at(const struct rill_neighbours *n, int32_t *const kept[3]) {
  for (int c = 0; c < 3; c++) memcpy(kept[c], n->at[c], n->molecules * sizeof *n->at[c]);
}

static void prune_at(struct rill_neighbours *n) {
  prune(n, NULL);
  keep_at(n, n->at_pruned);
  n->inner_fresh = 1;
}

enum rill_status rill_neighbours_build_brick(struct rill_neighbours *n, size_t own, size_t halo,
                                             const unsigned char *zones, struct rill_error *error) {
  n->fresh = 0;
  n->own = own;
  n->molecules = own + halo;
  n->chunks = (n->molecules + RILL_CHUNK - 1) / RILL_CHUNK;
  n->images = 0;
  find_extent(n);
  RILL_TRY(reserve(n, rill_slots(n), error));
  RILL_TRY(sort(n, NULL, error));
  place_oxygens(n, NULL);
  for (size_t m = 0; m < n->molecules; m++) n->zone[n->slot_of[m]] = m < own ? 0 : zones[m - own];
  RILL_TRY(search(n, error));
  keep_at(n, n->at_built);
  for (int c = 0; c < 3; c++) n->scale_built[c] = 1.0;
  n->fresh = 1;
  n->inner_fresh = 0;
  n->builds++;
  return RILL_OK;
}

static double displaced2(const struct rill_neighbours *n, int32_t *const kept[3], size_t m) {
  double length2 = 0.0;
  for (int c = 0; c < 3; c++) {
    const double d = rill_wrapping_difference(n->at[c][m], kept[c][m]) * n->quantum[c];
    length2 += d * d;
  }
  return length2;
}

double rill_neighbours_moved(const struct rill_neighbours *n) {
  double largest = 0.0;
  if (!n->fresh) return INFINITY;
  for (size_t m = 0; m < n->own; m++) largest = fmax(largest, displaced2(n, n->at_built, m));
  return sqrt(largest);
}

double rill_neighbours_limit(const struct rill_neighbours *n) {
  return 0.5 * (n->buffer - shrinkage(n, n->scale_built, n->buffer));
}

double rill_neighbours_reach(const struct rill_neighbours *n) { return reach_of(n); }

/* The sum of the two largest displacements bounds how much nearer two molecules can have come. */
void rill_neighbours_prune_brick(struct rill_neighbours *n) {
  const double left = n->inner_buffer - shrinkage(n, n->scale_pruned, n->inner_buffer);
  double first2 = 0.0, second2 = 0.0;
  for (size_t m = 0; m < n->molecules; m++) {
    const double moved2 = displaced2(n, n->at_pruned, m);
    second2 = fmax(second2, fmin(moved2, first2));
    first2 = fmax(first2, moved2);
  }
  if (n->inner_fresh && left > 0.0 && sqrt(first2) + sqrt(second2) <= left) return;
  place_oxygens(n, NULL);
  prune_at(n);
}

/* ---- */

static void rescale_kept(const struct rill_neighbours *n, const double scale[3], double *kept, double kept_scale[3]) {
  for (size_t c = 0; c < 3; c++) {
    kept_scale[c] *= scale[c];
    for (size_t m = 0; m < n->molecules; m++) kept[c * n->stride + m] *= scale[c];
  }
}

/* In a closed cell the lists hold no lattice vectors: they stay, and the positions that they were made at follow the
 * cell. */
void rill_neighbours_rescale(struct rill_neighbours *n, const double scale[3]) {
  const int was_closed = n->closed;
  find_closed(n);
  choose_quanta(n);
  n->slack = find_slack(n, 0.0);
  if (n->brick && n->closed) { /* positions in quanta follow the cell */
    for (int c = 0; c < 3; c++) {
      n->scale_built[c] *= scale[c];
      n->scale_pruned[c] *= scale[c];
    }
    return;
  }
  if (n->closed && was_closed) {
    rescale_kept(n, scale, n->built, n->scale_built);
    rescale_kept(n, scale, n->pruned, n->scale_pruned);
    return;
  }
  n->fresh = 0;
  memset(n->whole, 0, 3 * n->molecules * sizeof *n->whole);
  memset(n->base, 0, 3 * n->molecules * sizeof *n->base);
  memset(n->image_start, 0, (n->molecules + 1) * sizeof *n->image_start);
}
