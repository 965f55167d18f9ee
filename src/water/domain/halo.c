#include "water/domain/halo.h"

#include <string.h>

#include "base/memory.h"
#include "base/simd/specialised.h"
#include "parallel/agree.h"
#include "water/forces/box_pairs.h"

void rill_halo_create(struct rill_halo *halo, struct rill_ranks *ranks, const struct rill_bricks *bricks) {
  *halo = (struct rill_halo){.ranks = ranks, .bricks = *bricks};
  rill_bricks_place(bricks, ranks->rank, halo->place);
  for (int c = 0; c < 3; c++) {
    int place[3];
    memcpy(place, halo->place, sizeof place);
    place[c]--;
    halo->lower[c] = rill_bricks_rank(bricks, place);
    place[c] += 2;
    halo->upper[c] = rill_bricks_rank(bricks, place);
  }
}

void rill_halo_destroy(struct rill_halo *halo) {
  for (int c = 0; c < 3; c++) rill_release(halo->sent[c]);
  rill_release(halo->zones);
  rill_release(halo->out);
  rill_release(halo->in);
  *halo = (struct rill_halo){0};
}

static enum rill_status no_memory(struct rill_error *error) {
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the halo");
}

static enum rill_status exchange(struct rill_halo *halo, int to, size_t length, int from, size_t expected,
                                 struct rill_error *error) {
  size_t received;
  RILL_TRY(
      halo->ranks->ops->exchange(halo->ranks, to, halo->out, length, from, halo->in, expected, &received, error));
  halo->counts.messages++;
  halo->counts.bytes += length;
  return received == expected ? RILL_OK : rill_error_set(error, RILL_ERROR_FAILED, "a message of another length");
}

/* ---- who is in whose halo ---- */

/* What describes a molecule of a halo. */
struct guest {
  int32_t at[3];
  uint32_t zone;
};

/* Molecules within reach of the lower face along an axis, of all that are here so far. */
static bool choose(struct rill_halo *halo, const struct rill_neighbours *n, int c) {
  const uint32_t face = (uint32_t)rill_bricks_face(halo->bricks.count[c], halo->place[c]);
  const uint32_t reach = (uint32_t)(rill_neighbours_reach(n) * n->quanta[c]) + 1;
  halo->sent_count[c] = 0;
  for (size_t m = 0; m < halo->molecules; m++) {
    if ((uint32_t)n->at[c][m] - face >= reach) continue;
    halo->sent[c] = rill_grown(halo->sent[c], &halo->sent_room[c], (halo->sent_count[c] + 1) * sizeof(uint32_t),
                               halo->sent_count[c] * sizeof(uint32_t));
    if (halo->sent[c] == NULL) return false;
    halo->sent[c][halo->sent_count[c]++] = (uint32_t)m;
  }
  return true;
}

static bool write_guests(struct rill_halo *halo, const struct rill_neighbours *n, int c) {
  halo->out = rill_grown(halo->out, &halo->out_room, halo->sent_count[c] * sizeof(struct guest), 0);
  if (halo->out == NULL) return false;
  for (size_t k = 0; k < halo->sent_count[c]; k++) {
    const size_t m = halo->sent[c][k];
    const struct guest guest = {{n->at[0][m], n->at[1][m], n->at[2][m]},
                                (m < halo->own ? 0U : halo->zones[m - halo->own]) | 1U << c};
    memcpy(halo->out + k * sizeof guest, &guest, sizeof guest);
  }
  return true;
}

/* The number of guests that will come along an axis, and room for them. */
static enum rill_status prepare(struct rill_halo *halo, struct rill_neighbours *n, int c, uint64_t *coming,
                                struct rill_error *error) {
  const bool fits = choose(halo, n, c) && write_guests(halo, n, c);
  uint64_t leaving = halo->sent_count[c];
  size_t received;
  enum rill_status status = fits ? RILL_OK : no_memory(error);
  RILL_TRY(rill_agree(halo->ranks, status, NULL, 0, error));
  RILL_TRY(halo->ranks->ops->exchange(halo->ranks, halo->lower[c], &leaving, sizeof leaving, halo->upper[c], coming,
                                      sizeof *coming, &received, error));
  halo->counts.messages++;
  return RILL_OK;
}

static bool make_room(struct rill_halo *halo, size_t more) {
  const size_t before = halo->molecules - halo->own;
  halo->in = rill_grown(halo->in, &halo->in_room, more * sizeof(struct guest), 0);
  halo->zones = rill_grown(halo->zones, &halo->zones_room, before + more, before);
  return halo->in != NULL && halo->zones != NULL;
}

static enum rill_status receive_guests(struct rill_halo *halo, struct rill_neighbours *n, int c,
                                       struct rill_error *error) {
  uint64_t coming = 0;
  enum rill_status status;
  RILL_TRY(prepare(halo, n, c, &coming, error));
  status = make_room(halo, coming) ? rill_neighbours_extend(n, halo->molecules, halo->molecules + coming, error)
                                   : no_memory(error);
  RILL_TRY(rill_agree(halo->ranks, status, NULL, 0, error));
  RILL_TRY(exchange(halo, halo->lower[c], halo->sent_count[c] * sizeof(struct guest), halo->upper[c],
                    coming * sizeof(struct guest), error));
  halo->first[c] = halo->molecules;
  for (size_t k = 0; k < coming; k++) {
    struct guest guest;
    memcpy(&guest, halo->in + k * sizeof guest, sizeof guest);
    for (int a = 0; a < 3; a++) n->at[a][halo->molecules + k] = guest.at[a];
    halo->zones[halo->molecules - halo->own + k] = (unsigned char)guest.zone;
  }
  halo->molecules += coming;
  return RILL_OK;
}

enum rill_status rill_halo_find(struct rill_halo *halo, struct rill_neighbours *n, size_t own,
                                struct rill_error *error) {
  halo->own = halo->molecules = own;
  for (int c = 0; c < 3; c++) {
    halo->first[c] = halo->molecules;
    halo->sent_count[c] = 0;
    if (halo->bricks.count[c] > 1) RILL_TRY(receive_guests(halo, n, c, error));
  }
  return RILL_OK;
}

/* ---- records and forces ---- */

/* The first three of each of the three rows of four numbers are sent.  `bytes`, of a record, is one of two constants,
 * so that copies are an instruction or two. */
static size_t packed_bytes(size_t bytes) { return 9 * (bytes / RILL_RECORD); }

#define FOR_RECORDS(function, bytes, ...)                                                                            \
  ((bytes) == RILL_RECORD * sizeof(int32_t) ? function(RILL_RECORD * sizeof(int32_t), __VA_ARGS__)                   \
                                            : function(RILL_RECORD * sizeof(int64_t), __VA_ARGS__))

/* Of these molecules, by slots. */
SPECIALISED void pack_records(const size_t bytes, const struct rill_neighbours *n, const uint32_t *molecules,
                              size_t count, const char *records, unsigned char *packed) {
  const size_t size = bytes / RILL_RECORD;
  for (size_t k = 0; k < count; k++, packed += 9 * size) {
    const char *record = records + bytes * (size_t)n->slot_of[molecules[k]];
    for (size_t r = 0; r < 3; r++) memcpy(packed + 3 * r * size, record + 4 * r * size, 3 * size);
  }
}

/* Of molecules first, first + 1, ... */
SPECIALISED void unpack_records(const size_t bytes, const struct rill_neighbours *n, size_t first, size_t count,
                                const unsigned char *packed, char *records) {
  const size_t size = bytes / RILL_RECORD;
  for (size_t k = 0; k < count; k++, packed += 9 * size) {
    char *record = records + bytes * (size_t)n->slot_of[first + k];
    memset(record, 0, bytes);
    for (size_t r = 0; r < 3; r++) memcpy(record + 4 * r * size, packed + 3 * r * size, 3 * size);
  }
}

static size_t end_of(const struct rill_halo *halo, int c) { return c < 2 ? halo->first[c + 1] : halo->molecules; }

static enum rill_status reserve_messages(struct rill_halo *halo, size_t bytes, struct rill_error *error) {
  size_t most = halo->molecules - halo->own;
  for (int c = 0; c < 3; c++)
    if (halo->sent_count[c] > most) most = halo->sent_count[c];
  halo->out = rill_grown(halo->out, &halo->out_room, most * bytes, 0);
  halo->in = rill_grown(halo->in, &halo->in_room, most * bytes, 0);
  return halo->out != NULL && halo->in != NULL ? RILL_OK : no_memory(error);
}

/* A record's position has 16 bits more than the lists' in double precision. */
static void find_position(struct rill_neighbours *n, size_t m, const char *record, size_t bytes) {
  for (int c = 0; c < 3; c++) {
    if (bytes == RILL_RECORD * sizeof(int32_t)) {
      memcpy(&n->at[c][m], record + (size_t)c * sizeof(int32_t), sizeof(int32_t));
    } else {
      int64_t fine;
      memcpy(&fine, record + (size_t)c * sizeof fine, sizeof fine);
      n->at[c][m] = (int32_t)(uint32_t)((uint64_t)fine >> RILL_FINE_BITS);
    }
  }
}

enum rill_status rill_halo_send_records(struct rill_halo *halo, struct rill_neighbours *n, char *records,
                                        size_t bytes, struct rill_error *error) {
  const size_t packed = packed_bytes(bytes);
  RILL_TRY(reserve_messages(halo, packed, error));
  for (int c = 0; c < 3; c++) {
    const size_t first = halo->first[c], coming = end_of(halo, c) - first;
    if (halo->bricks.count[c] < 2) continue;
    FOR_RECORDS(pack_records, bytes, n, halo->sent[c], halo->sent_count[c], records, halo->out);
    RILL_TRY(exchange(halo, halo->lower[c], halo->sent_count[c] * packed, halo->upper[c], coming * packed, error));
    FOR_RECORDS(unpack_records, bytes, n, first, coming, halo->in, records);
    for (size_t k = 0; k < coming; k++)
      find_position(n, first + k, records + bytes * (size_t)n->slot_of[first + k], bytes);
  }
  return RILL_OK;
}

/* Integers of `size` bytes, which wrap. */
SPECIALISED void add_integers(void *to, const void *from, size_t count, const size_t size) {
  for (size_t i = 0; i < count; i++) {
    uint64_t a = 0, b = 0; /* little-endian: lower bytes do not depend on the upper ones */
    memcpy(&a, (char *)to + i * size, size);
    memcpy(&b, (const char *)from + i * size, size);
    a += b;
    memcpy((char *)to + i * size, &a, size);
  }
}

/* Sums over the parts, which become zero, of molecules first, first + 1, ... */
SPECIALISED void take_forces(const size_t bytes, const struct rill_neighbours *n, size_t first, size_t count,
                             void *const *forces, size_t parts, unsigned char *packed) {
  const size_t size = bytes / RILL_RECORD;
  memset(packed, 0, count * 9 * size);
  for (size_t p = 0; p < parts; p++)
    for (size_t k = 0; k < count; k++) {
      char *record = (char *)forces[p] + bytes * (size_t)n->slot_of[first + k];
      for (size_t r = 0; r < 3; r++) add_integers(packed + (9 * k + 3 * r) * size, record + 4 * r * size, 3, size);
      memset(record, 0, bytes);
    }
}

SPECIALISED void give_forces(const size_t bytes, const struct rill_neighbours *n, const uint32_t *molecules,
                             size_t count, void *forces, const unsigned char *packed) {
  const size_t size = bytes / RILL_RECORD;
  for (size_t k = 0; k < count; k++, packed += 9 * size) {
    char *record = (char *)forces + bytes * (size_t)n->slot_of[molecules[k]];
    for (size_t r = 0; r < 3; r++) add_integers(record + 4 * r * size, packed + 3 * r * size, 3, size);
  }
}

enum rill_status rill_halo_return_forces(struct rill_halo *halo, const struct rill_neighbours *n, void *const *forces,
                                         size_t parts, size_t bytes, struct rill_error *error) {
  const size_t packed = packed_bytes(bytes);
  for (int c = 2; c >= 0; c--) {
    const size_t first = halo->first[c], leaving = end_of(halo, c) - first;
    if (halo->bricks.count[c] < 2) continue;
    FOR_RECORDS(take_forces, bytes, n, first, leaving, forces, parts, halo->out);
    RILL_TRY(exchange(halo, halo->upper[c], leaving * packed, halo->lower[c], halo->sent_count[c] * packed, error));
    FOR_RECORDS(give_forces, bytes, n, halo->sent[c], halo->sent_count[c], forces[0], halo->in);
  }
  return RILL_OK;
}
