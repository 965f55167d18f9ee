/* The vector bodies of list building: eight distances at a time, in one vector or two, then a compaction without
 * branches. */
#include "base/simd/simd.h"

#include <math.h>

#include "water/neighbours/neighbours.h"

enum { VECTORS = RILL_GROUP / RILL_FLOAT_WIDTH, FOURS = RILL_FLOAT_WIDTH / 4 };
_Static_assert(VECTORS *RILL_FLOAT_WIDTH == RILL_GROUP && FOURS * 4 == RILL_FLOAT_WIDTH,
               "a group of the lists is whole vectors of distances, each of whole fours");

/* A number for each molecule of a group. */
struct group {
  vint32 part[VECTORS];
};

static inline struct group group_load(const int32_t *p) {
  struct group group;
  for (int k = 0; k < VECTORS; k++) group.part[k] = vi_load(p + k * RILL_FLOAT_WIDTH);
  return group;
}

/* The molecule whose neighbours are searched for: its oxygen in quanta and in nm, and the quanta in nm, in all
 * lanes. */
struct seeker {
  vint32 centre[3];
  vfloat quantum[3];
  double at[3];
  unsigned zone;
};

static inline struct seeker seeker_at(const struct rill_neighbours *n, size_t slot) {
  struct seeker seeker;
  for (int c = 0; c < 3; c++) {
    seeker.centre[c] = vi_set(n->oxygen[c][slot]);
    seeker.quantum[c] = vf_set((float)n->quantum[c]);
    seeker.at[c] = n->oxygen[c][slot] * n->quantum[c];
  }
  seeker.zone = n->brick ? n->zone[slot] : 0;
  return seeker;
}

static inline vfloat distance2(const struct seeker *seeker, vint32 x, vint32 y, vint32 z) {
  const vfloat dx = vf_of_int(x - seeker->centre[0]) * seeker->quantum[0];
  const vfloat dy = vf_of_int(y - seeker->centre[1]) * seeker->quantum[1];
  const vfloat dz = vf_of_int(z - seeker->centre[2]) * seeker->quantum[2];
  return vf_fma(dz, dz, vf_fma(dy, dy, dx * dx));
}

/* The molecules of a group, by their square distances, that are nearer than the reach: bits. */
static inline unsigned nearer(const vfloat r2[VECTORS], vfloat reach2) {
  unsigned bits = 0;
  for (unsigned k = 0; k < VECTORS; k++) bits |= vf_mask_bits(vf_less(r2[k], reach2)) << (k * RILL_FLOAT_WIDTH);
  return bits;
}

/* The lanes whose pairs with a molecule of this zone are on the lists of this rank. */
static inline unsigned met_here(const unsigned char *zone, unsigned own) {
  unsigned bits = 0;
  for (unsigned lane = 0; lane < RILL_GROUP; lane++) bits |= (unsigned)((zone[lane] & own) == 0) << lane;
  return bits;
}

static const int32_t lane_numbers[RILL_GROUP] = {0, 1, 2, 3, 4, 5, 6, 7};
/* Four lanes, those whose bits are set first. */
static const int32_t chosen_first[16][4] = {
    {0, 1, 2, 3}, {0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 2, 3}, {2, 0, 1, 3}, {0, 2, 1, 3}, {1, 2, 0, 3}, {0, 1, 2, 3},
    {3, 0, 1, 2}, {0, 3, 1, 2}, {1, 3, 0, 2}, {0, 1, 3, 2}, {2, 3, 0, 1}, {0, 2, 3, 1}, {1, 2, 3, 0}, {0, 1, 2, 3}};
static const unsigned char bits_set[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

/* Stores the entries whose bits are set, and returns where the next belongs; the rest of the group behind them is
 * overwritten. */
static inline uint32_t *append(uint32_t *to, struct group entries, unsigned bits) {
  for (int four = 0; four < 2; four++, bits >>= 4) {
    vi_store_four((int32_t *)to, entries.part[four / FOURS], four % FOURS, chosen_first[bits & 15U]);
    to += bits_set[bits & 15U];
  }
  return to;
}
/* The same downwards. */
static inline uint32_t *prepend(uint32_t *to, struct group entries, unsigned bits) {
  for (int four = 0; four < 2; four++, bits >>= 4) {
    vi_store_four((int32_t *)to - 4, entries.part[four / FOURS], four % FOURS, chosen_first[~bits & 15U]);
    to -= bits_set[bits & 15U];
  }
  return to;
}

/* A list that is being built. */
struct found {
  uint32_t *list;
  size_t count, room;
};

/* Appends the slots of begin ... end-1 that are nearer than the reach. */
static inline void scan(const struct rill_neighbours *n, const struct seeker *seeker, vfloat reach2, uint32_t begin,
                        uint32_t end, struct found *found) {
  size_t count = found->count;
  struct group numbers = group_load(lane_numbers);
  for (int k = 0; k < VECTORS; k++) numbers.part[k] += vi_set((int32_t)begin);
  if (begin >= end) return;
  if (count + (end - begin) + 2 * RILL_GROUP > found->room) {
    found->count += end - begin + 2 * RILL_GROUP; /* truncated; the count still shows that the room is too small */
    return;
  }
  for (uint32_t j = begin; j < end; j += RILL_GROUP) {
    vfloat r2[VECTORS];
    unsigned bits;
    for (uint32_t k = 0; k < VECTORS; k++) {
      const uint32_t at = j + k * RILL_FLOAT_WIDTH;
      r2[k] = distance2(seeker, vi_load(n->oxygen[0] + at), vi_load(n->oxygen[1] + at), vi_load(n->oxygen[2] + at));
    }
    bits = nearer(r2, reach2);
    if (end - j < RILL_GROUP) bits &= (1U << (end - j)) - 1U;
    if (seeker->zone != 0) bits &= met_here(n->zone + j, seeker->zone);
    count = (size_t)(append(found->list + count, numbers, bits) - found->list);
    for (int k = 0; k < VECTORS; k++) numbers.part[k] += vi_set(RILL_GROUP);
  }
  found->count = count;
}

/* Layers of cells along an axis, from first to last; around a closed box they may extend beyond its ends. */
struct layers {
  long first, last;
};

static inline struct layers layers_within(const struct rill_cells *cells, int axis, double at, double reach) {
  const double from = (at - reach - cells->origin[axis]) / cells->size[axis];
  const double to = (at + reach - cells->origin[axis]) / cells->size[axis];
  const long last = (long)cells->count[axis] - 1;
  struct layers layers = {(long)floor(from), (long)floor(to)};
  if (cells->closed[axis]) {
    if (layers.last - layers.first >= last) layers = (struct layers){0, last}; /* all the way around */
  } else {
    layers.first = layers.first < 0 ? 0 : layers.first > last ? last : layers.first;
    layers.last = layers.last < 0 ? 0 : layers.last > last ? last : layers.last;
  }
  return layers;
}

static inline size_t within(const struct rill_cells *cells, int axis, long layer) {
  const long count = (long)cells->count[axis];
  return (size_t)(layer < 0 ? layer + count : layer >= count ? layer - count : layer);
}

/* Distance of a coordinate from a layer, or from the layer's nearest image. */
static inline double beyond(const struct rill_cells *cells, int axis, double at, long layer) {
  const double size = cells->size[axis];
  double between = fabs(at - (cells->origin[axis] + ((double)layer + 0.5) * size));
  if (cells->closed[axis]) between = fmin(between, fabs((double)cells->count[axis] * size - between));
  return fmax(between - 0.5 * size, 0.0);
}

/* Whether columns behind can be skipped because they find this one ahead of them: no pair is found from both
 * sides. */
static inline int looks_ahead(const struct rill_neighbours *n, const struct rill_cells *cells, double reach) {
  int ahead = n->closed;
  for (int axis = 0; axis < 2; axis++)
    ahead &= !cells->closed[axis] || 2 * (size_t)(reach / cells->size[axis]) + 3 < cells->count[axis];
  return ahead;
}

/* Searches layers of one column, around the ends of a closed box: only slots from `least` on. */
static inline void search_column(const struct rill_neighbours *n, const struct seeker *seeker, vfloat reach2,
                                 const uint32_t *start, long count, struct layers z, uint32_t least,
                                 struct found *found) {
  const struct layers inside = {z.first < 0 ? 0 : z.first, z.last < count ? z.last : count - 1};
  const struct layers runs[3] = {{z.first + count, count - 1}, inside, {0, z.last - count}};
  for (int k = z.first < 0 ? 0 : 1; k < (z.last < count ? 2 : 3); k++) {
    const uint32_t begin = start[runs[k].first];
    scan(n, seeker, reach2, begin > least ? begin : least, start[runs[k].last + 1], found);
  }
}

/* Searches columns of cells within reach, in each the layers within reach: only slots from `after` on, or columns
 * ahead. */
static inline void search_cells(const struct rill_neighbours *n, const struct rill_cells *cells,
                                const struct seeker *seeker, double reach, uint32_t after, struct found *found) {
  const vfloat reach2 = vf_set((float)(reach * reach));
  const double *at = seeker->at;
  const struct layers x = layers_within(cells, 0, at[0], reach), y = layers_within(cells, 1, at[1], reach);
  const long own_x = layers_within(cells, 0, at[0], 0.0).first, own_y = layers_within(cells, 1, at[1], 0.0).first;
  const int ahead = looks_ahead(n, cells, reach);
  for (long ix = ahead ? own_x : x.first; ix <= x.last; ix++) {
    const double dx = beyond(cells, 0, at[0], ix);
    for (long iy = ahead && ix == own_x ? own_y : y.first; iy <= y.last; iy++) {
      const double dy = beyond(cells, 1, at[1], iy), rest = reach * reach - dx * dx - dy * dy;
      const size_t column = rill_column(cells, within(cells, 0, ix), within(cells, 1, iy));
      const uint32_t *start = cells->start + column * cells->count[2], end = start[cells->count[2]];
      const uint32_t least = ahead && (ix != own_x || iy != own_y) ? 0 : after;
      if (!(rest >= 0.0) || end <= least || end == start[0]) continue;
      search_column(n, seeker, reach2, start, (long)cells->count[2], layers_within(cells, 2, at[2], sqrt(rest)),
                    least, found);
    }
  }
}

static inline void pad(const struct rill_neighbours *n, struct found *found, size_t first) {
  while ((found->count - first) % RILL_GROUP != 0) found->list[found->count++] = (uint32_t)(n->molecules + n->images);
}

static size_t search(const struct rill_neighbours *n, size_t first, size_t last, double reach, uint32_t *list,
                     size_t room) {
  struct found found = {list, 0, room};
  for (size_t i = first; i < last; i++) {
    const struct seeker seeker = seeker_at(n, i);
    const size_t begin = found.count;
    n->first[i] = (uint32_t)(begin + first / RILL_CHUNK * n->room);
    n->outer_groups[i] = 0;
    if (n->open && n->oxygen[0][i] == INT32_MIN) continue; /* outsiders have no list */
    search_cells(n, &n->cells, &seeker, reach, (uint32_t)i + 1, &found);
    if (n->images > 0) search_cells(n, &n->image_cells, &seeker, reach, 0, &found);
    if (found.count + RILL_GROUP > room) {
      found.count += RILL_GROUP;
      continue;
    }
    pad(n, &found, begin);
    n->outer_groups[i] = (uint32_t)((found.count - begin) / RILL_GROUP);
  }
  return found.count;
}

/* Orders lists by their numbers of near entries: kernels that process two lists side by side lose little if these are
 * about equal. */
static inline void take_turns(const struct rill_neighbours *n, size_t first, size_t last,
                              const size_t near[RILL_CHUNK]) {
  for (size_t i = first; i < last; i++) {
    size_t at = i;
    for (; at > first && near[n->turn[at - 1] - first] < near[i - first]; at--) n->turn[at] = n->turn[at - 1];
    n->turn[at] = (uint32_t)i;
  }
}

/* The near entries, then those of the buffer: kernels leave a group that has no pair within the cutoff early.  The
 * latter are collected at the end of the list's room, in which the last group leaves no gap between the two. */
static void prune(const struct rill_neighbours *n, size_t first, size_t last, double reach, const uint32_t *outer,
                  uint32_t *inner) {
  const vfloat reach2 = vf_set((float)(reach * reach)), near2 = vf_set((float)(n->near * n->near));
  const uint32_t dummy = (uint32_t)(n->molecules + n->images);
  size_t near_count[RILL_CHUNK];
  for (size_t i = first; i < last; i++) {
    const struct seeker seeker = seeker_at(n, i);
    const size_t groups = n->outer_groups[i];
    const uint32_t *from = outer + n->first[i];
    struct found found = {inner + n->first[i], 0, 0};
    uint32_t *const end = found.list + RILL_GROUP * groups, *far = end;
    for (size_t g = 0; g < groups; g++, from += RILL_GROUP) {
      vfloat r2[VECTORS];
      unsigned near, other;
      for (int k = 0; k < VECTORS; k++) {
        const uint32_t *const part = from + k * RILL_FLOAT_WIDTH;
        r2[k] = distance2(&seeker, vi_gather(n->oxygen[0], part), vi_gather(n->oxygen[1], part),
                          vi_gather(n->oxygen[2], part));
      }
      near = nearer(r2, near2);
      other = nearer(r2, reach2) & ~near;
      if (g + 1 < groups) {
        const struct group entries = group_load((const int32_t *)from);
        found.count = (size_t)(append(found.list + found.count, entries, near) - found.list);
        far = prepend(far, entries, other);
        continue;
      }
      for (unsigned lane = 0; lane < RILL_GROUP && from[lane] != dummy; lane++) { /* a dummy may seem near */
        far[-1] = found.list[found.count] = from[lane];
        found.count += near >> lane & 1U;
        far -= other >> lane & 1U;
      }
    }
    near_count[i - first] = found.count;
    while (far < end) found.list[found.count++] = *far++;
    pad(n, &found, 0);
    n->inner_groups[i] = (uint32_t)(found.count / RILL_GROUP);
  }
  take_turns(n, first, last, near_count);
}

#define RILL_LIST_KERNEL                                                                                             \
  { search, prune }
