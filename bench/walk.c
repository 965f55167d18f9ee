#include "walk.h"

#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "water/model/model.h"
#include "water/neighbours/neighbours.h"

static enum rill_status no_memory(struct rill_error *error) {
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a box to walk through");
}

/* ---- the box ---- */

static void place_copy(struct walk_box *box, const double *tile, size_t molecules, const double shift[3],
                       size_t first) {
  for (size_t m = 0; m < molecules; m++) {
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      box->q[k * box->stride + first + m] = tile[RILL_COORDINATES * m + k] + shift[k % 3];
    for (size_t c = 0; c < 3; c++)
      box->at[c][first + m] = rill_quantise(box->q[c * box->stride + first + m], 0x1p32 / box->edge[c]);
  }
}

enum rill_status walk_box_fill(struct walk_box *box, const double *tile, size_t molecules, double edge,
                               const size_t copies[3], struct rill_error *error) {
  size_t first = 0;
  *box = (struct walk_box){.molecules = molecules * copies[0] * copies[1] * copies[2]};
  box->stride = rill_padded(box->molecules);
  box->q = rill_allocate(RILL_COORDINATES * box->stride, sizeof *box->q);
  box->order = rill_allocate(box->molecules, sizeof *box->order);
  for (int c = 0; c < 3; c++) {
    box->edge[c] = edge * (double)copies[c];
    box->at[c] = rill_allocate(box->molecules, sizeof *box->at[c]);
    if (box->at[c] == NULL) return no_memory(error);
  }
  if (box->q == NULL || box->order == NULL) return no_memory(error);
  for (size_t i = 0; i < copies[0]; i++)
    for (size_t j = 0; j < copies[1]; j++)
      for (size_t k = 0; k < copies[2]; k++, first += molecules) {
        const double shift[3] = {edge * (double)i, edge * (double)j, edge * (double)k};
        place_copy(box, tile, molecules, shift, first);
      }
  return RILL_OK;
}

static int owner_of(const struct walk_box *box, size_t m) {
  int place[3];
  for (int c = 0; c < 3; c++) place[c] = rill_bricks_holder(box->bricks.count[c], (uint32_t)box->at[c][m]);
  return rill_bricks_rank(&box->bricks, place);
}

enum rill_status walk_box_divide(struct walk_box *box, const struct rill_bricks *bricks, struct rill_error *error) {
  size_t before = 0;
  box->bricks = *bricks;
  box->ranks = bricks->count[0] * bricks->count[1] * bricks->count[2];
  rill_release(box->start);
  box->start = rill_allocate((size_t)box->ranks + 1, sizeof *box->start);
  if (box->start == NULL) return no_memory(error);
  for (size_t m = 0; m < box->molecules; m++) box->start[owner_of(box, m)]++;
  for (int r = 0; r <= box->ranks; r++) {
    const size_t count = box->start[r];
    box->start[r] = before;
    before += count;
  }
  for (size_t m = 0; m < box->molecules; m++) box->order[box->start[owner_of(box, m)]++] = (uint32_t)m;
  for (int r = box->ranks; r > 0; r--) box->start[r] = box->start[r - 1];
  box->start[0] = 0;
  return RILL_OK;
}

void walk_box_release(struct walk_box *box) {
  rill_release(box->q);
  for (int c = 0; c < 3; c++) rill_release(box->at[c]);
  rill_release(box->start);
  rill_release(box->order);
  *box = (struct walk_box){0};
}

/* ---- halos ---- */

/* The rank from which molecules with these zone bits come; -1: none, since an axis is not divided.  face: its lower
 * faces, quanta. */
static int source_of(const struct walk_box *box, int rank, unsigned zone, uint32_t face[3]) {
  int place[3];
  rill_bricks_place(&box->bricks, rank, place);
  for (int c = 0; c < 3; c++) {
    const int count = box->bricks.count[c];
    if (!(zone >> c & 1U)) continue;
    if (count == 1) return -1;
    place[c]++;
    face[c] = (uint32_t)rill_bricks_face(count, place[c] % count);
  }
  return rill_bricks_rank(&box->bricks, place);
}

/* Molecules of a zone of the halo; their numbers go to `guest` unless that is NULL. */
static size_t find_guests(const struct walk_box *box, int rank, unsigned zone, double reach, uint32_t *guest) {
  uint32_t face[3] = {0}, within[3];
  const int source = source_of(box, rank, zone, face);
  size_t found = 0;
  if (source < 0) return 0;
  for (int c = 0; c < 3; c++) within[c] = (uint32_t)(reach * (0x1p32 / box->edge[c])) + 1;
  for (size_t k = box->start[source]; k < box->start[source + 1]; k++) {
    const uint32_t m = box->order[k];
    bool near = true;
    for (int c = 0; c < 3; c++) near &= !(zone >> c & 1U) || (uint32_t)box->at[c][m] - face[c] < within[c];
    if (near && guest != NULL) guest[found] = m;
    found += near;
  }
  return found;
}

size_t walk_count_halo(const struct walk_box *box, int rank, double reach) {
  size_t count = 0;
  for (unsigned zone = 1; zone < 8; zone++) count += find_guests(box, rank, zone, reach, NULL);
  return count;
}

/* ---- what other ranks would do ---- */

/* As in water/domain/halo.c. */
struct guest {
  int32_t at[3];
  uint32_t zone;
};
struct record {
  int32_t at[3];
  float hydrogen[6];
};

static enum rill_status tell(struct rill_ranks *ranks, void *bytes, size_t length, struct rill_error *error) {
  (void)ranks, (void)bytes, (void)length, (void)error;
  return RILL_OK;
}

static enum rill_status gather(struct rill_ranks *ranks, const void *own, size_t length, bool to_all,
                               struct rill_error *error) {
  (void)to_all, (void)error;
  for (int r = 0; r < ranks->count; r++) ranks->gathered[r] = (struct rill_gathered){own, length};
  return RILL_OK;
}

static enum rill_status keep(struct rill_ranks *ranks, uint64_t *words, size_t count, struct rill_error *error) {
  (void)ranks, (void)words, (void)count, (void)error;
  return RILL_OK;
}

static void put_guests(const struct walk_visitor *visitor, int axis, unsigned char *bytes) {
  for (size_t k = visitor->first[axis]; k < visitor->first[axis + 1]; k++, bytes += sizeof(struct guest)) {
    struct guest guest = {.zone = visitor->zone[k]};
    for (int c = 0; c < 3; c++) guest.at[c] = visitor->box->at[c][visitor->guest[k]];
    memcpy(bytes, &guest, sizeof guest);
  }
}

static void put_records(const struct walk_visitor *visitor, int axis, unsigned char *bytes) {
  const struct walk_box *box = visitor->box;
  for (size_t k = visitor->first[axis]; k < visitor->first[axis + 1]; k++, bytes += sizeof(struct record)) {
    const size_t m = visitor->guest[k];
    struct record record;
    for (size_t c = 0; c < 3; c++) record.at[c] = box->at[c][m];
    for (size_t i = 0; i < 6; i++)
      record.hydrogen[i] = (float)(box->q[(3 + i) * box->stride + m] - box->q[i % 3 * box->stride + m]);
    memcpy(bytes, &record, sizeof record);
  }
}

/* In the order of calls: for each axis the number of guests and these; then, again and again, records along all axes
 * and forces. */
static enum rill_status exchange(struct rill_ranks *ranks, int to, const void *out, size_t length, int from, void *in,
                                 size_t room, size_t *received, struct rill_error *error) {
  struct walk_visitor *visitor = ranks->self;
  const size_t axes = (size_t)visitor->axes, call = visitor->calls++;
  const bool finding = call < 2 * axes;
  const size_t turn = finding ? call : (call - 2 * axes) % (2 * axes);
  const int axis = visitor->axis[finding ? turn / 2 : turn % axes];
  const uint64_t coming = visitor->first[axis + 1] - visitor->first[axis];
  (void)to, (void)out, (void)length, (void)from;
  *received = finding ? (turn % 2 == 0 ? sizeof coming : coming * sizeof(struct guest))
                      : (turn < axes ? coming * sizeof(struct record) : room);
  if (*received != room)
    return rill_error_set(error, RILL_ERROR_FAILED, "a visited rank expects %zu bytes in place of %zu", room,
                          *received);
  if (finding && turn % 2 == 0) memcpy(in, &coming, sizeof coming);
  else if (finding) put_guests(visitor, axis, in);
  else if (turn < axes) put_records(visitor, axis, in);
  else memset(in, 0, room);
  return RILL_OK;
}

static enum rill_status transpose(struct rill_ranks *ranks, const void *out, const size_t *out_length, void *in,
                                  const size_t *in_length, struct rill_error *error) {
  (void)ranks, (void)out, (void)out_length, (void)in, (void)in_length, (void)error;
  return RILL_OK;
}

static enum rill_status arrived(struct rill_ranks *ranks, bool *all, struct rill_error *error) {
  (void)ranks, (void)error;
  *all = true;
  return RILL_OK;
}

static const struct rill_ranks_ops ops = {tell, gather, keep, keep, exchange, transpose, transpose, arrived};

enum rill_status walk_enter(struct walk_visitor *visitor, const struct walk_box *box, int rank, double reach,
                            bool everywhere, struct rill_error *error) {
  const size_t guests = walk_count_halo(box, rank, reach);
  *visitor = (struct walk_visitor){.ranks = {.ops = &ops, .self = visitor, .rank = rank, .count = box->ranks},
                                   .box = box,
                                   .own = box->start[rank + 1] - box->start[rank]};
  visitor->stride = rill_padded(visitor->own);
  visitor->q = rill_allocate(RILL_COORDINATES * visitor->stride, sizeof *visitor->q);
  visitor->guest = rill_allocate(guests, sizeof *visitor->guest);
  visitor->zone = rill_allocate(guests, 1);
  visitor->ranks.gathered = rill_allocate((size_t)box->ranks, sizeof *visitor->ranks.gathered);
  if (visitor->q == NULL || visitor->guest == NULL || visitor->zone == NULL || visitor->ranks.gathered == NULL)
    return no_memory(error);
  for (size_t i = 0; i < visitor->own; i++)
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      visitor->q[k * visitor->stride + i] = box->q[k * box->stride + box->order[box->start[rank] + i]];
  for (int c = 0; c < 3; c++) {
    if (box->bricks.count[c] > 1) visitor->axis[visitor->axes++] = c;
    visitor->first[c + 1] = visitor->first[c];
    for (unsigned zone = 1U << c; zone < 2U << c; zone++) { /* the last axis that they come along */
      const size_t found = find_guests(box, rank, zone, reach, visitor->guest + visitor->first[c + 1]);
      memset(visitor->zone + visitor->first[c + 1], everywhere ? 0 : (int)zone, found);
      visitor->first[c + 1] += found;
    }
  }
  return RILL_OK;
}

void walk_leave(struct walk_visitor *visitor) {
  rill_release(visitor->q);
  rill_release(visitor->guest);
  rill_release(visitor->zone);
  rill_release(visitor->ranks.gathered);
  *visitor = (struct walk_visitor){0};
}
