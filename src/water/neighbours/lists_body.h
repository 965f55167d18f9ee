/* The vector bodies of list making: eight distances at a time, then a compaction without branches. */
#include "base/simd/simd.h"

#include <math.h>

#include "water/neighbours/neighbours.h"

_Static_assert((int)RILL_FLOAT_WIDTH == (int)RILL_GROUP, "a vector of distances is a group of the lists");

static inline vfloat distance2(const struct rill_neighbours *n, const vint32 centre[3], vint32 x, vint32 y,
                               vint32 z) {
  const vfloat dx = vf_of_int(x - centre[0]), dy = vf_of_int(y - centre[1]), dz = vf_of_int(z - centre[2]);
  (void)n;
  return vf_fma(dz, dz, vf_fma(dy, dy, dx * dx));
}

/* Slots begin ... end-1 nearer than the reach are put at list + count; there must be room for end - begin +
 * RILL_GROUP. */
static inline size_t scan(const struct rill_neighbours *n, const vint32 centre[3], vfloat reach2, uint32_t begin,
                          uint32_t end, uint32_t *list, size_t count) {
  for (uint32_t j = begin; j < end; j += RILL_GROUP) {
    const vfloat r2 =
        distance2(n, centre, vi_load(n->oxygen[0] + j), vi_load(n->oxygen[1] + j), vi_load(n->oxygen[2] + j));
    unsigned bits = vf_mask_bits(vf_less(r2, reach2));
    if (end - j < RILL_GROUP) bits &= (1U << (end - j)) - 1U;
    for (unsigned lane = 0; lane < RILL_GROUP; lane++) {
      list[count] = j + lane;
      count += bits >> lane & 1U;
    }
  }
  return count;
}

/* Index of the cell layer that holds a coordinate, kept within the grid. */
static inline size_t layer(const struct rill_cells *cells, int axis, double x) {
  const double at = (x - cells->origin[axis]) * cells->inverse_size[axis];
  const double last = (double)(cells->count[axis] - 1);
  return (size_t)(at > 0.0 ? (at < last ? at : last) : 0.0);
}

static inline double outside(double x, double low, double size) {
  return x < low ? low - x : x > low + size ? x - low - size : 0.0;
}

/* Columns of cells within reach, and in each the layers within reach.  Slots from `after` on only. */
static inline size_t search_cells(const struct rill_neighbours *n, const struct rill_cells *cells, const double at[3],
                                  const vint32 centre[3], double reach, uint32_t after, uint32_t *list, size_t count,
                                  size_t room) {
  const vfloat reach2 = vf_set((float)(reach * reach));
  const double size[2] = {1.0 / cells->inverse_size[0], 1.0 / cells->inverse_size[1]};
  const size_t x_last = layer(cells, 0, at[0] + reach), y_last = layer(cells, 1, at[1] + reach);
  const size_t y_first = layer(cells, 1, at[1] - reach);
  for (size_t ix = layer(cells, 0, at[0] - reach); ix <= x_last; ix++) {
    const double dx = outside(at[0], cells->origin[0] + (double)ix * size[0], size[0]);
    for (size_t iy = y_first; iy <= y_last; iy++) {
      const double dy = outside(at[1], cells->origin[1] + (double)iy * size[1], size[1]);
      const double rest = reach * reach - dx * dx - dy * dy;
      const uint32_t *start = cells->start + (ix * cells->count[1] + iy) * cells->count[2];
      uint32_t begin, end;
      double half;
      if (!(rest >= 0.0) || start[cells->count[2]] <= after || start[cells->count[2]] == start[0]) continue;
      half = sqrt(rest);
      begin = start[layer(cells, 2, at[2] - half)];
      end = start[layer(cells, 2, at[2] + half) + 1];
      if (begin < after) begin = after;
      if (begin >= end) continue;
      if (count + (end - begin) + 2 * RILL_GROUP > room) {
        count += end - begin + 2 * RILL_GROUP; /* cut; tells at least that there is no room */
        continue;
      }
      count = scan(n, centre, reach2, begin, end, list, count);
    }
  }
  return count;
}

static inline size_t pad(const struct rill_neighbours *n, uint32_t *list, size_t count) {
  while (count % RILL_GROUP != 0) list[count++] = (uint32_t)(n->molecules + n->images); /* the dummy */
  return count;
}

static size_t search(const struct rill_neighbours *n, size_t first, size_t last, float reach, uint32_t *list,
                     size_t room) {
  size_t used = 0;
  for (size_t i = first; i < last; i++) {
    const int32_t x[3] = {n->oxygen[0][i], n->oxygen[1][i], n->oxygen[2][i]};
    const double at[3] = {x[0], x[1], x[2]};
    const vint32 centre[3] = {vi_set(x[0]), vi_set(x[1]), vi_set(x[2])};
    size_t count = used;
    n->first[i] = (uint32_t)(used + first / RILL_CHUNK * n->room);
    n->outer_groups[i] = 0;
    if (x[0] == INT32_MIN) continue; /* outside */
    count = search_cells(n, &n->cells, at, centre, (double)reach, (uint32_t)i + 1, list, count, room);
    count = search_cells(n, &n->image_cells, at, centre, (double)reach, 0, list, count, room);
    if (count + RILL_GROUP > room) {
      used = count + RILL_GROUP;
      continue;
    }
    count = used + pad(n, list + used, count - used);
    n->outer_groups[i] = (uint32_t)((count - used) / RILL_GROUP);
    used = count;
  }
  return used;
}

static void prune(const struct rill_neighbours *n, size_t first, size_t last, float reach, const uint32_t *outer,
                  uint32_t *inner) {
  const vfloat reach2 = vf_set(reach * reach);
  for (size_t i = first; i < last; i++) {
    const vint32 centre[3] = {vi_set(n->oxygen[0][i]), vi_set(n->oxygen[1][i]), vi_set(n->oxygen[2][i])};
    const uint32_t *from = outer + n->first[i];
    uint32_t *to = inner + n->first[i];
    size_t count = 0;
    for (size_t g = 0; g < n->outer_groups[i]; g++, from += RILL_GROUP) {
      const vfloat r2 = distance2(n, centre, vi_gather(n->oxygen[0], from), vi_gather(n->oxygen[1], from),
                                  vi_gather(n->oxygen[2], from));
      const unsigned bits = vf_mask_bits(vf_less(r2, reach2));
      for (unsigned lane = 0; lane < RILL_GROUP; lane++) {
        to[count] = from[lane];
        count += bits >> lane & 1U;
      }
    }
    count = pad(n, to, count);
    n->inner_groups[i] = (uint32_t)(count / RILL_GROUP);
  }
}

#define RILL_LIST_KERNEL \
  { search, prune }
