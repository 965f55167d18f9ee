#include "water/pme/slabs.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "base/team.h"

/* ---- what each rank has ---- */

/* Rows of pairs below the pair y, -y: row 0 is alone, and so is that of half the grid. */
static size_t rows_before(const struct rill_slabs *slabs, size_t y) {
  const size_t rows = y == 0 ? 0 : 2 * y - 1;
  return rows < slabs->grid[1] ? rows : slabs->grid[1];
}

static size_t place_in(size_t first, size_t count, size_t grid, size_t at) {
  const size_t place = at >= first ? at - first : at + grid - first;
  return place < count ? place : SIZE_MAX;
}

size_t rill_slabs_region_plane(const struct rill_slabs *slabs, size_t plane) {
  return place_in(slabs->own->first[0], slabs->own->count[0], slabs->grid[0], plane);
}

size_t rill_slabs_region_row(const struct rill_slabs *slabs, size_t row) {
  return place_in(slabs->own->first[1], slabs->own->count[1], slabs->grid[1], row);
}

/* Whether a region has plane x of the mesh. */
static bool has_plane(const struct rill_slabs *slabs, const struct rill_region *region, size_t x) {
  return place_in(region->first[0], region->count[0], slabs->grid[0], x) != SIZE_MAX;
}

/* Bytes of a plane of a region. */
static size_t plane_bytes(const struct rill_slabs *slabs, const struct rill_region *region) {
  return region->count[1] * region->row * slabs->real_bytes;
}

static const double for_rounding = 1e-5; /* points; kernels round positions to 2^-24 (mesh_body.h) */

/* Points of molecules along an axis, around the box, from the first to the last; false if they may be anywhere. */
static bool find_points(const struct rill_slabs *slabs, int axis, int place, double edge, size_t beyond, long *first,
                        long *last) {
  const double grid = (double)slabs->grid[axis], bricks = slabs->bricks.count[axis];
  const double margin = slabs->margin / edge * grid + for_rounding;
  if (slabs->bricks.count[axis] == 1 || !(2.0 * margin + grid / bricks + (double)beyond + 4.0 < grid)) return false;
  *first = (long)floor(place * grid / bricks - margin);
  *last = (long)floor((place + 1) * grid / bricks + margin);
  return (size_t)(*last - *first + 1) + beyond < slabs->grid[axis];
}

static size_t around(long at, size_t grid) { return (size_t)((at % (long)grid + (long)grid) % (long)grid); }

static struct rill_region find_region(const struct rill_slabs *slabs, int rank, const struct rill_lattice *lattice) {
  struct rill_region region = {0};
  /* Kernels process more points of a row than the order, by whole vectors; those beyond it stay zero. */
  const size_t c = slabs->grid[2], beyond = slabs->order - 1, extended = c + beyond;
  int place[3];
  long first, last;
  rill_bricks_place(&slabs->bricks, rank, place);
  for (int axis = 0; axis < 2; axis++) {
    region.count[axis] = slabs->grid[axis];
    if (!find_points(slabs, axis, place[axis], lattice->box[axis][axis], slabs->order - 1, &first, &last)) continue;
    region.first[axis] = around(first, slabs->grid[axis]);
    region.count[axis] = (size_t)(last - first + 1) + slabs->order - 1;
  }
  region.pieces = 1;
  region.piece[0][1] = extended;
  if (find_points(slabs, 2, place[2], lattice->box[2][2], beyond, &first, &last)) {
    const size_t begin = around(first, c), end = begin + (size_t)(last - first + 1);
    region.piece[0][0] = begin;
    region.piece[0][1] = end < c ? end + beyond : extended;
    if (end > c) { /* around the box */
      region.pieces = 2;
      region.piece[0][1] = extended;
      region.piece[1][1] = end - c + beyond;
    }
  }
  for (size_t k = 0; k < region.pieces; k++) region.row += region.piece[k][1] - region.piece[k][0];
  return region;
}

/* From which points splines stay in the own region. */
static void find_within(struct rill_slabs *slabs, const struct rill_lattice *lattice) {
  int place[3];
  rill_bricks_place(&slabs->bricks, slabs->ranks->rank, place);
  for (int axis = 0; axis < 3; axis++) {
    const size_t grid = slabs->grid[axis];
    long first, last;
    const bool part =
        find_points(slabs, axis, place[axis], lattice->box[axis][axis], slabs->order - 1, &first, &last);
    for (size_t k = 0; k <= grid; k++)
      slabs->within[axis][k] =
          !part || place_in(around(first, grid), (size_t)(last - first + 1), grid, k % grid) != SIZE_MAX;
  }
}

/* ---- who has which planes ---- */

/* Ranks whose bricks have the same place along a are a layer: they follow each other, and have the same planes in
 * their regions. */
static int layer_of(const struct rill_slabs *slabs) { return slabs->ranks->count / slabs->bricks.count[0]; }

static size_t count_layers(const struct rill_slabs *slabs, size_t x) {
  size_t count = 0;
  for (int r = 0; r < slabs->ranks->count; r += layer_of(slabs)) count += has_plane(slabs, &slabs->regions[r], x);
  return count;
}

/* Deals the planes of a layer among its ranks in turn, first those that other layers touch as well: these are beside
 * each other, and a rank that had them all would send more than others. */
static void deal_layer(struct rill_slabs *slabs, int first, int ranks) {
  const size_t begin = slabs->first_plane[first], end = slabs->first_plane[first + ranks];
  size_t turn = 0;
  for (size_t x = begin; x < end && ranks == 1; x++) slabs->home[x] = slabs->plane_at[x] = x;
  if (ranks == 1) return;
  for (int r = 0; r < ranks; r++) slabs->dealt[r] = 0;
  for (size_t layers = (size_t)slabs->bricks.count[0] + 1; layers-- > 0;)
    for (size_t x = begin; x < end; x++) {
      size_t r;
      if (count_layers(slabs, x) != layers) continue;
      do r = turn++ % (size_t)ranks;
      while (slabs->first_plane[(size_t)first + r] + slabs->dealt[r] == slabs->first_plane[(size_t)first + r + 1]);
      slabs->home[x] = slabs->first_plane[(size_t)first + r] + slabs->dealt[r]++;
      slabs->plane_at[slabs->home[x]] = x;
    }
}

/* What leaves the region to each rank, and enters the slab from it: planes in the order in which that rank, or this
 * one, has them. */
static void find_parts(struct rill_slabs *slabs) {
  size_t leaving = 0;
  for (int r = 0; r < slabs->ranks->count; r++) {
    const struct rill_region *theirs = &slabs->regions[r];
    const bool self = r == slabs->ranks->rank;
    const size_t before = leaving;
    size_t entering = 0;
    for (size_t k = slabs->first_plane[r]; k < slabs->first_plane[r + 1] && !self; k++)
      if (has_plane(slabs, slabs->own, slabs->plane_at[k])) slabs->region_before[slabs->plane_at[k]] = leaving++;
    for (size_t k = 0; k < slabs->planes && !self; k++)
      if (has_plane(slabs, theirs, slabs->plane_at[slabs->plane + k]))
        slabs->slab_before[(size_t)r * slabs->planes + k] = entering++;
    slabs->region.length[r] = (leaving - before) * plane_bytes(slabs, slabs->own);
    slabs->slab.length[r] = entering * plane_bytes(slabs, theirs);
  }
}

/* ---- messages ---- */

/* Lays the parts out one after the other; what they held is lost. */
static bool lay_out(const struct rill_slabs *slabs, struct rill_parts *parts) {
  size_t size = 0;
  for (int r = 0; r < slabs->ranks->count; r++) {
    parts->place[r] = size;
    size += parts->length[r];
  }
  if (size <= parts->room && parts->bytes != NULL) return true;
  rill_release(parts->bytes);
  parts->room = size + size / 8;
  parts->bytes = rill_allocate(parts->room, 1);
  return parts->bytes != NULL;
}

static bool make_parts(const struct rill_slabs *slabs, struct rill_parts *parts) {
  parts->length = rill_allocate((size_t)slabs->ranks->count, sizeof *parts->length);
  parts->place = rill_allocate((size_t)slabs->ranks->count, sizeof *parts->place);
  return parts->length != NULL && parts->place != NULL;
}

/* The parts that a message leaves from, and those that it comes to. */
struct way {
  enum rill_pme_traffic_kind kind;
  struct rill_parts *out, *in;
};

static struct way way_of(struct rill_slabs *slabs, enum rill_slabs_message message) {
  switch (message) {
  case RILL_SLABS_CHARGES: return (struct way){RILL_PME_REMAP, &slabs->region, &slabs->slab};
  case RILL_SLABS_POTENTIAL: return (struct way){RILL_PME_REMAP, &slabs->slab, &slabs->region};
  case RILL_SLABS_ROWS: return (struct way){RILL_PME_TRANSPOSE, &slabs->by_plane, &slabs->rows};
  default: return (struct way){RILL_PME_TRANSPOSE, &slabs->rows, &slabs->by_plane};
  }
}

/* Sends by one of the functions of ranks. */
static bool send_by(struct rill_slabs *slabs, enum rill_slabs_message message,
                    enum rill_status (*function)(struct rill_ranks *, const void *, const size_t *, void *,
                                                 const size_t *, struct rill_error *)) {
  const struct way way = way_of(slabs, message);
  if (slabs->error.status != RILL_OK) return false;
  for (int r = 0; r < slabs->ranks->count; r++) {
    slabs->traffic[way.kind].messages += way.out->length[r] > 0;
    slabs->traffic[way.kind].bytes += way.out->length[r];
  }
  return function(slabs->ranks, way.out->bytes, way.out->length, way.in->bytes, way.in->length, &slabs->error) ==
         RILL_OK;
}

bool rill_slabs_send(struct rill_slabs *slabs, enum rill_slabs_message message) {
  return send_by(slabs, message, slabs->ranks->ops->transpose);
}

bool rill_slabs_begin(struct rill_slabs *slabs, enum rill_slabs_message message) {
  return send_by(slabs, message, slabs->ranks->ops->begin);
}

bool rill_slabs_arrived(struct rill_slabs *slabs) {
  bool all = false;
  return slabs->ranks->ops->arrived(slabs->ranks, &all, &slabs->error) != RILL_OK || all;
}

/* ---- regions and slabs ---- */

/* Where plane x of the mesh stands among the parts of this rank's region; own planes are not among them. */
static char *in_region(const struct rill_slabs *slabs, size_t x) {
  return slabs->region.bytes + slabs->region_before[x] * plane_bytes(slabs, slabs->own);
}

/* Where an own plane stands in the part of a rank whose region has it. */
static char *in_slab(const struct rill_slabs *slabs, int rank, size_t plane) {
  const size_t before = slabs->slab_before[(size_t)rank * slabs->planes + plane];
  return slabs->slab.bytes + slabs->slab.place[rank] + before * plane_bytes(slabs, &slabs->regions[rank]);
}

static bool is_own(const struct rill_slabs *slabs, size_t x) { return slabs->home[x] - slabs->plane < slabs->planes; }

size_t rill_slabs_merged_at(const struct rill_slabs *slabs) {
  return slabs->planes > 0 ? rill_slabs_region_plane(slabs, slabs->plane) : 0;
}

static void add(char *to, const char *from, size_t count, size_t size) {
  if (size == sizeof(uint32_t)) {
    uint32_t *sum = (uint32_t *)(void *)to;
    const uint32_t *term = (const uint32_t *)(const void *)from;
    for (size_t k = 0; k < count; k++) sum[k] += term[k];
  } else {
    uint64_t *sum = (uint64_t *)(void *)to;
    const uint64_t *term = (const uint64_t *)(const void *)from;
    for (size_t k = 0; k < count; k++) sum[k] += term[k];
  }
}

/* Rows of a region in a plane of it, or of the slab: `wraps` turns row 0 of the region into that of the mesh. */
struct plane {
  char *bytes;
  bool wraps;
};

static char *row_of(const struct rill_slabs *slabs, const struct rill_region *region, struct plane plane,
                    size_t row) {
  if (plane.wraps) row = (region->first[1] + row) % slabs->grid[1];
  return plane.bytes + row * slabs->row_length * slabs->real_bytes;
}

/* Copies the pieces of all rows of a region between a plane and a message. */
static void copy_pieces(const struct rill_slabs *slabs, const struct rill_region *region, struct plane plane,
                        char *message, bool to_message) {
  const size_t size = slabs->real_bytes;
  for (size_t row = 0; row < region->count[1]; row++)
    for (size_t k = 0; k < region->pieces; k++) {
      char *points = row_of(slabs, region, plane, row) + region->piece[k][0] * size;
      const size_t bytes = (region->piece[k][1] - region->piece[k][0]) * size;
      memcpy(to_message ? message : points, to_message ? points : message, bytes);
      message += bytes;
    }
}

static void add_pieces(const struct rill_slabs *slabs, const struct rill_region *region, struct plane plane,
                       const char *message) {
  for (size_t row = 0; row < region->count[1]; row++)
    for (size_t k = 0; k < region->pieces; k++) {
      const size_t count = region->piece[k][1] - region->piece[k][0];
      add(row_of(slabs, region, plane, row) + region->piece[k][0] * slabs->real_bytes, message, count,
          slabs->real_bytes);
      message += count * slabs->real_bytes;
    }
}

static struct plane region_plane(const struct rill_slabs *slabs, const struct rill_mesh *region, size_t plane) {
  return (struct plane){(char *)region->points + plane * region->plane_length * slabs->real_bytes, false};
}

static struct plane slab_plane(const struct rill_slabs *slabs, const struct rill_mesh *slab, size_t plane) {
  return (struct plane){(char *)slab->points + plane * slabs->plane_length * slabs->real_bytes, true};
}

static size_t mesh_plane(const struct rill_slabs *slabs, size_t plane) {
  return (slabs->own->first[0] + plane) % slabs->grid[0];
}

void rill_slabs_give_charges(struct rill_slabs *slabs, const struct rill_mesh *region, size_t plane) {
  const size_t x = mesh_plane(slabs, plane);
  if (is_own(slabs, x)) return;
  copy_pieces(slabs, slabs->own, region_plane(slabs, region, plane), in_region(slabs, x), true);
}

void rill_slabs_take_charges(struct rill_slabs *slabs, const struct rill_mesh *region, const struct rill_mesh *slab,
                             size_t plane) {
  const size_t x = slabs->plane_at[slabs->plane + plane], own = rill_slabs_region_plane(slabs, x);
  const size_t size = slabs->real_bytes;
  const struct plane to = slab_plane(slabs, slab, plane);
  if (!slabs->merged) memset(to.bytes, 0, slabs->plane_length * size);
  for (size_t row = 0; !slabs->merged && own != SIZE_MAX && row < slabs->own->count[1]; row++)
    add(row_of(slabs, slabs->own, to, row), row_of(slabs, slabs->own, region_plane(slabs, region, own), row),
        slabs->row_length, size);
  for (int r = 0; r < slabs->ranks->count; r++) {
    const struct rill_region *other = &slabs->regions[r];
    if (r != slabs->ranks->rank && has_plane(slabs, other, x)) add_pieces(slabs, other, to, in_slab(slabs, r, plane));
  }
}

void rill_slabs_give_potential(struct rill_slabs *slabs, const struct rill_mesh *slab, size_t plane) {
  const size_t x = slabs->plane_at[slabs->plane + plane];
  for (int r = 0; r < slabs->ranks->count; r++) {
    const struct rill_region *other = &slabs->regions[r];
    if (r != slabs->ranks->rank && has_plane(slabs, other, x))
      copy_pieces(slabs, other, slab_plane(slabs, slab, plane), in_slab(slabs, r, plane), true);
  }
}

void rill_slabs_take_potential(struct rill_slabs *slabs, const struct rill_mesh *region, const struct rill_mesh *slab,
                               size_t plane) {
  const size_t x = mesh_plane(slabs, plane);
  const struct plane to = region_plane(slabs, region, plane);
  if (!is_own(slabs, x)) {
    copy_pieces(slabs, slabs->own, to, in_region(slabs, x), false);
    return;
  }
  if (slabs->merged) return;
  for (size_t row = 0; row < slabs->own->count[1]; row++)
    memcpy(row_of(slabs, slabs->own, to, row),
           row_of(slabs, slabs->own, slab_plane(slabs, slab, slabs->home[x] - slabs->plane), row),
           slabs->own->piece[0][1] * slabs->real_bytes);
}

/* ---- planes and rows ---- */

/* Rows of the pairs of a rank, and a row among them. */
static size_t row_count(const struct rill_slabs *slabs, int rank) {
  return rows_before(slabs, slabs->first_pair[rank + 1]) - rows_before(slabs, slabs->first_pair[rank]);
}

static size_t row_number(const struct rill_slabs *slabs, int rank, size_t pair, size_t mirror) {
  return rows_before(slabs, pair) - rows_before(slabs, slabs->first_pair[rank]) + mirror;
}

/* Of the pairs of rank r, those of this rank's plane, between the slab and a message, in which they are contiguous.
 */
static void move_rows(struct rill_slabs *slabs, const struct rill_mesh *slab, size_t plane, bool to_message) {
  const size_t bytes = slabs->grid[2] * slabs->real_bytes;
  for (int r = 0; r < slabs->ranks->count; r++) {
    char *part = slabs->by_plane.bytes + slabs->by_plane.place[r];
    if (r == slabs->ranks->rank) continue;
    for (size_t y = slabs->first_pair[r]; y < slabs->first_pair[r + 1]; y++)
      for (size_t mirror = 0; mirror < rows_before(slabs, y + 1) - rows_before(slabs, y); mirror++) {
        char *message = part + (plane * row_count(slabs, r) + row_number(slabs, r, y, mirror)) * bytes;
        char *row = slab_plane(slabs, slab, plane).bytes +
                    (mirror ? slabs->grid[1] - y : y) * slabs->row_length * slabs->real_bytes;
        memcpy(to_message ? message : row, to_message ? row : message, bytes);
      }
  }
}

void rill_slabs_give_rows(struct rill_slabs *slabs, const struct rill_mesh *slab, size_t plane) {
  move_rows(slabs, slab, plane, true);
}

void rill_slabs_take_rows(struct rill_slabs *slabs, const struct rill_mesh *slab, size_t plane) {
  move_rows(slabs, slab, plane, false);
}

/* Row y of the plane at this place in plane_at: in the slab, or in the message of the rank that has it. */
static char *row_at(const struct rill_slabs *slabs, const struct rill_mesh *slab, int rank, size_t y, size_t place) {
  const size_t mirror = 2 * y > slabs->grid[1], pair = mirror ? slabs->grid[1] - y : y;
  const int self = slabs->ranks->rank;
  if (rank == self)
    return slab_plane(slabs, slab, place - slabs->plane).bytes + y * slabs->row_length * slabs->real_bytes;
  return slabs->rows.bytes + slabs->rows.place[rank] +
         ((place - slabs->first_plane[rank]) * row_count(slabs, self) + row_number(slabs, self, pair, mirror)) *
             slabs->grid[2] * slabs->real_bytes;
}

/* Rows that are far from each other: many are fetched at once. */
static void fetch_line(const struct rill_slabs *slabs, const struct rill_mesh *slab, size_t y) {
  const size_t bytes = slabs->grid[2] * slabs->real_bytes;
  for (int r = 0; r < slabs->ranks->count; r++)
    for (size_t k = slabs->first_plane[r]; k < slabs->first_plane[r + 1]; k++) {
      const char *row = row_at(slabs, slab, r, y, k);
      for (size_t at = 0; at < bytes; at += RILL_ALIGNMENT) __builtin_prefetch(row + at, 1, 2);
    }
}

void rill_slabs_take_line(const struct rill_slabs *slabs, const struct rill_mesh *slab, size_t y, char *to,
                          size_t apart) {
  fetch_line(slabs, slab, y);
  for (int r = 0; r < slabs->ranks->count; r++)
    for (size_t k = slabs->first_plane[r]; k < slabs->first_plane[r + 1]; k++)
      memcpy(to + slabs->plane_at[k] * apart, row_at(slabs, slab, r, y, k), slabs->grid[2] * slabs->real_bytes);
}

void rill_slabs_give_line(struct rill_slabs *slabs, const struct rill_mesh *slab, size_t y, const char *from,
                          size_t apart) {
  for (int r = 0; r < slabs->ranks->count; r++)
    for (size_t k = slabs->first_plane[r]; k < slabs->first_plane[r + 1]; k++)
      memcpy(row_at(slabs, slab, r, y, k), from + slabs->plane_at[k] * apart, slabs->grid[2] * slabs->real_bytes);
}

/* ---- sums ---- */

/* Of waves, energy and tensor; of integers, two halves. */
enum { WAVE_WORDS = 7, INTEGERS = 19 };

static size_t word_count(const struct rill_slabs *slabs) { return WAVE_WORDS * slabs->grid[1] + 2 * INTEGERS; }

/* A sum of integers of 64 bits over ranks need not fit into one: its halves are added up. */
static void put_integer(uint64_t *words, int64_t value) {
  words[0] = (uint64_t)value & 0xffffffffU;
  words[1] = (uint64_t)(value >> 32);
}

static double take_integer(const uint64_t *words) {
  __extension__ typedef __int128 wide;
  return (double)((wide)(int64_t)words[1] * ((wide)1 << 32) + (wide)words[0]) * RILL_GATHER_UNIT;
}

bool rill_slabs_add_up(struct rill_slabs *slabs, const struct rill_gather_sums *own,
                       const struct rill_wave_sums *waves, struct rill_wave_sums *all_waves,
                       struct rill_slabs_sums *all) {
  uint64_t *integers = slabs->words + WAVE_WORDS * slabs->grid[1];
  struct rill_pme_traffic *traffic = &slabs->traffic[RILL_PME_SUMS];
  memset(all, 0, sizeof *all);
  if (slabs->error.status != RILL_OK) return false;
  for (size_t y = 0; y < slabs->grid[1]; y++) { /* the bits of a double plus zeros are these bits */
    memcpy(slabs->words + WAVE_WORDS * y, &waves[y].energy, sizeof(double));
    memcpy(slabs->words + WAVE_WORDS * y + 1, waves[y].tensor, sizeof waves[y].tensor);
  }
  put_integer(integers, own->excluded);
  for (int k = 0; k < 9; k++) {
    put_integer(integers + 2 + 2 * k, own->virial[k / 3][k % 3]);
    put_integer(integers + 20 + 2 * k, own->inner[k / 3][k % 3]);
  }
  traffic->messages++;
  traffic->bytes += word_count(slabs) * sizeof *slabs->words;
  if (slabs->ranks->ops->sum(slabs->ranks, slabs->words, word_count(slabs), &slabs->error) != RILL_OK) return false;
  for (size_t y = 0; y < slabs->grid[1]; y++) {
    memcpy(&all_waves[y].energy, slabs->words + WAVE_WORDS * y, sizeof(double));
    memcpy(all_waves[y].tensor, slabs->words + WAVE_WORDS * y + 1, sizeof waves[y].tensor);
  }
  all->excluded = take_integer(integers);
  for (int k = 0; k < 9; k++) {
    all->virial[k / 3][k % 3] = take_integer(integers + 2 + 2 * k);
    all->inner[k / 3][k % 3] = take_integer(integers + 20 + 2 * k);
  }
  return true;
}

/* ---- beginning and end ---- */

static enum rill_status no_memory(struct rill_error *error) {
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a mesh that is divided among ranks");
}

static int mesh_ranks(const struct rill_pme_division *division) {
  return division->mesh_ranks > 0 && division->mesh_ranks < division->ranks->count ? division->mesh_ranks
                                                                                   : division->ranks->count;
}

/* Which of `count` planes, or pairs, is the first of a rank: those that have any are evenly taken from all. */
static size_t first_of(const struct rill_pme_division *division, int rank, size_t count) {
  const size_t ranks = (size_t)mesh_ranks(division);
  return rill_share(count, rill_share((size_t)rank, ranks, (size_t)division->ranks->count), ranks);
}

enum rill_status rill_slabs_create(const struct rill_pme_division *division, const size_t grid[3], int order,
                                   size_t real_bytes, struct rill_slabs **slabs, struct rill_error *error) {
  struct rill_slabs *made = rill_allocate(1, sizeof *made);
  const size_t count = (size_t)division->ranks->count;
  bool all = made != NULL;
  *slabs = made;
  if (made == NULL) return no_memory(error);
  *made = (struct rill_slabs){.ranks = division->ranks,
                              .bricks = *division->bricks,
                              .margin = division->margin,
                              .grid = {grid[0], grid[1], grid[2]},
                              .order = (size_t)order,
                              .real_bytes = real_bytes,
                              .merged = division->ranks->count == division->bricks->count[0] &&
                                        mesh_ranks(division) == division->ranks->count};
  made->first_plane = rill_allocate(count + 1, sizeof *made->first_plane);
  made->first_pair = rill_allocate(count + 1, sizeof *made->first_pair);
  made->dealt = rill_allocate(count, sizeof *made->dealt);
  made->plane_at = rill_allocate(grid[0], sizeof *made->plane_at);
  made->home = rill_allocate(grid[0], sizeof *made->home);
  made->region_before = rill_allocate(grid[0], sizeof *made->region_before);
  made->regions = rill_allocate(count, sizeof *made->regions);
  made->words = rill_allocate(word_count(made), sizeof *made->words);
  for (int axis = 0; axis < 3; axis++) {
    made->within[axis] = rill_allocate(grid[axis] + 1, 1);
    all &= made->within[axis] != NULL;
  }
  all &= made->first_plane != NULL && made->first_pair != NULL && made->regions != NULL && made->words != NULL;
  all &= made->dealt != NULL && made->plane_at != NULL && made->home != NULL && made->region_before != NULL;
  all &= make_parts(made, &made->region) && make_parts(made, &made->slab);
  all &= make_parts(made, &made->by_plane) && make_parts(made, &made->rows);
  if (!all) return no_memory(error);
  for (int r = 0; r <= division->ranks->count; r++) {
    made->first_plane[r] = first_of(division, r, grid[0]);
    made->first_pair[r] = first_of(division, r, grid[1] / 2 + 1);
  }
  made->own = &made->regions[division->ranks->rank];
  made->plane = made->first_plane[division->ranks->rank];
  made->planes = made->first_plane[division->ranks->rank + 1] - made->plane;
  made->slab_before = rill_allocate(count * made->planes, sizeof *made->slab_before);
  if (made->slab_before == NULL) return no_memory(error);
  made->pair = made->first_pair[division->ranks->rank];
  made->pairs = made->first_pair[division->ranks->rank + 1] - made->pair;
  for (int r = 0; r < division->ranks->count; r++) {
    const size_t bytes = grid[2] * real_bytes, planes = made->first_plane[r + 1] - made->first_plane[r];
    const size_t rows = rows_before(made, made->first_pair[r + 1]) - rows_before(made, made->first_pair[r]);
    const size_t own = rows_before(made, made->pair + made->pairs) - rows_before(made, made->pair);
    made->by_plane.length[r] = r == division->ranks->rank ? 0 : rows * made->planes * bytes;
    made->rows.length[r] = r == division->ranks->rank ? 0 : own * planes * bytes;
  }
  return lay_out(made, &made->by_plane) && lay_out(made, &made->rows) ? RILL_OK : no_memory(error);
}

enum rill_status rill_slabs_set_box(struct rill_slabs *slabs, const struct rill_lattice *lattice, size_t row_length,
                                    size_t plane_length, struct rill_error *error) {
  slabs->row_length = row_length;
  slabs->plane_length = plane_length;
  for (int r = 0; r < slabs->ranks->count; r++) slabs->regions[r] = find_region(slabs, r, lattice);
  find_within(slabs, lattice);
  for (int r = 0; r < slabs->ranks->count; r += layer_of(slabs)) deal_layer(slabs, r, layer_of(slabs));
  find_parts(slabs);
  return lay_out(slabs, &slabs->region) && lay_out(slabs, &slabs->slab) ? RILL_OK : no_memory(error);
}

void *rill_slabs_reserve(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
#ifdef MADV_NOHUGEPAGE
  (void)madvise(memory, bytes, MADV_NOHUGEPAGE); /* a small page of each plane is touched */
#endif
  return memory;
}

void rill_slabs_unreserve(void *memory, size_t bytes) {
  if (memory != NULL) (void)munmap(memory, bytes);
}

static void release_parts(struct rill_parts *parts) {
  rill_release(parts->bytes);
  rill_release(parts->length);
  rill_release(parts->place);
}

void rill_slabs_destroy(struct rill_slabs *slabs) {
  if (slabs == NULL) return;
  rill_release(slabs->first_plane);
  rill_release(slabs->plane_at);
  rill_release(slabs->home);
  rill_release(slabs->dealt);
  rill_release(slabs->region_before);
  rill_release(slabs->slab_before);
  rill_release(slabs->first_pair);
  rill_release(slabs->regions);
  rill_release(slabs->words);
  for (int axis = 0; axis < 3; axis++) rill_release(slabs->within[axis]);
  release_parts(&slabs->region);
  release_parts(&slabs->slab);
  release_parts(&slabs->by_plane);
  release_parts(&slabs->rows);
  rill_release(slabs);
}
