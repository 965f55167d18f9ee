/* The vector body of the mesh: splines, spreading, solving, gathering.  A file that includes it, once, names the
 * instruction set and the precision (base/simd/simd.h, base/simd/real.h).
 *
 * Splines are computed with the atoms of a block of molecules in lanes; spreading and gathering proceed atom by atom,
 * four points of a row at a time.  With u the position in points, k = floor(u) and w = u - k, point k + j has the
 * weight M_n(w + n - 1 - j): the mesh is shifted by n - 1 points relative to the atoms, which does not change |B|. */
#include "base/simd/real.h"
#include "base/simd/specialised.h"
#include "water/pme/mesh.h"

#define ALIGNED __attribute__((aligned(64)))

enum {
  BLOCK = RILL_LANES,                 /* molecules */
  SITES = RILL_ATOMS * BLOCK,         /* atoms; atom a of molecule l at a * BLOCK + l */
  ROWS = 3 * RILL_ATOMS,              /* of a value for each axis and atom, one number per molecule */
  VALUES = (3 * SITES + 15) / 16 * 16 /* axis * SITES + atom; padded to whole vectors */
};

/* A molecule in spatial order: before gathering its fractions [axis][atom], afterwards the slopes of the potential,
 * in points, [atom][axis] and an unused number. */
struct record {
  real value[ROWS + 1];
  uint16_t point[ROWS]; /* [axis][atom], 0 ... grid */
} ALIGNED;

struct block {
  real fraction[2][VALUES] ALIGNED;                   /* of even-numbered and odd-numbered blocks */
  real row_weight[SITES * RILL_MESH_ROW_MAX] ALIGNED; /* along c, one row per atom; zero beyond the order */
  real row_slope[SITES * RILL_MESH_ROW_MAX] ALIGNED;
  real weight[RILL_PME_ORDER_MAX][VALUES] ALIGNED;
  real slope[RILL_PME_ORDER_MAX][VALUES] ALIGNED; /* of the weight, per point */
};

static size_t block_count(const struct rill_mesh *mesh, size_t block) {
  const size_t left = mesh->molecules - block * BLOCK;
  return left < BLOCK ? left : BLOCK;
}

static inline struct record *record_at(const struct rill_mesh *mesh, size_t place) {
  return (struct record *)mesh->records + place;
}

static inline size_t place_of(const uint32_t *places, size_t molecule) {
  return places != NULL ? places[molecule] : molecule;
}

/* Prefetches the records of the block after next. */
static inline void fetch_records(const struct rill_mesh *mesh, const uint32_t *places, size_t number) {
  const size_t begin = (number + 2) * BLOCK;
  for (size_t m = begin; places != NULL && m < begin + BLOCK && m < mesh->molecules; m++)
    __builtin_prefetch(record_at(mesh, places[m]), 1);
}

/* Transposes the values of a block's records into rows. */
static inline void turn_records(struct record *const record[BLOCK], real *rows) {
  for (size_t l = 0; l < BLOCK; l += 4)
    for (size_t r = 0; r < ROWS; r += 4) {
      quad a[4];
#pragma GCC unroll 4
      for (size_t k = 0; k < 4; k++) a[k] = q_load(record[l + k]->value + r);
      q_transpose(a);
      for (size_t k = 0; k < 4 && r + k < ROWS; k++) q_store(rows + (r + k) * BLOCK + l, a[k]);
    }
}

/* The integer below a, or possibly the next one if a is within rounding error of it: adding and subtracting 1.5 2^52
 * rounds. */
static inline vreal floor_near(vreal a) { return ((a - v_set(0.5)) + v_set(0x1.8p52)) - v_set(0x1.8p52); }

/* In float, fractions are multiples of its precision: the third powers of smaller fractions, which occur in lattices,
 * would be subnormal numbers, which are slow on many processors. */
static inline vreal settle(vreal u) {
#ifdef RILL_REAL_SINGLE
  return (u + v_set(0x1.8p28)) - v_set(0x1.8p28);
#else
  return u;
#endif
}

/* Stores points and fractions of molecules, in the order of q, in their records.  A fraction may be 1, and a point
 * equal to the grid's length: splines are continuous, and the tables and rows extend that far.  Positions that are
 * not finite give fractions that are not finite. */
static void locate(const struct rill_mesh *mesh, const double *q, const uint32_t *places, size_t first, size_t end) {
  const double(*inverse)[3] = mesh->lattice.inverse;
  real fraction[ROWS + 3][BLOCK] ALIGNED;
  int32_t points[ROWS][BLOCK] ALIGNED;
  memset(fraction, 0, sizeof fraction);
  for (size_t number = first; number < end; number++) {
    const size_t count = block_count(mesh, number);
    fetch_records(mesh, places, number);
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t l = 0; l < BLOCK; l += RILL_WIDTH) {
        const double *from = q + 3 * a * mesh->stride + number * BLOCK + l;
        const vreal x = v_loadu(from), y = v_loadu(from + mesh->stride), z = v_loadu(from + 2 * mesh->stride);
        const vreal s[3] = {v_fma(z, v_set(inverse[2][0]), v_fma(y, v_set(inverse[1][0]), x * v_set(inverse[0][0]))),
                            v_fma(z, v_set(inverse[2][1]), y * v_set(inverse[1][1])), z * v_set(inverse[2][2])};
        for (size_t axis = 0; axis < 3; axis++) {
          const vreal grid = v_set((double)mesh->grid[axis]), u = settle((s[axis] - floor_near(s[axis])) * grid);
          const vreal point = floor_near(u);
          v_store_real(fraction[3 * axis + a] + l, u - point);
          /* Comparisons with NaN are false. */
          v_store_int32(points[3 * axis + a] + l,
                        v_and_mask(v_select(v_less(point, grid), point, grid), v_less(v_set(-0.5), point)));
        }
      }
    for (size_t l = 0; l < count; l += 4) {
      struct record unused, *record[4];
      for (size_t k = 0; k < 4; k++)
        record[k] = l + k < count ? record_at(mesh, place_of(places, number * BLOCK + l + k)) : &unused;
#pragma GCC unroll 3
      for (size_t r = 0; r < ROWS; r += 4) { /* the upper values of the last fall where points are stored later */
        quad a[4];
#pragma GCC unroll 4
        for (size_t k = 0; k < 4; k++) a[k] = q_load(fraction[r + k] + l);
        q_transpose(a);
#pragma GCC unroll 4
        for (size_t k = 0; k < 4; k++) q_store(record[k]->value + r, a[k]);
      }
      for (size_t k = 0; k < 4; k++)
#pragma GCC unroll 9
        for (size_t r = 0; r < ROWS; r++) record[k]->point[r] = (uint16_t)points[r][l + k];
    }
  }
}

/* M_n(u) = (u M_(n-1)(u) + (n - u) M_(n-1)(u - 1)) / (n - 1); M_n' (u) = M_(n-1)(u) - M_(n-1)(u - 1). */
SPECIALISED void find_weights(struct block *block, const real *fraction, const int order, const int slopes) {
  for (size_t v = 0; v < VALUES; v += RILL_REAL_LANES) {
    const lanes one = l_set(1), w = l_load(fraction + v);
    lanes t[RILL_PME_ORDER_MAX];
    t[0] = one - w;
    t[1] = w;
    UNROLLED
    for (int n = 3; n <= order; n++) {
      const lanes part = l_set((real)1 / (real)(n - 1)), w_part = w * part, rest_part = part - w_part;
      if (slopes && n == order) {
        l_store(block->slope[0] + v, -t[0]);
        UNROLLED
        for (int j = 1; j < n - 1; j++) l_store(block->slope[j] + v, t[j - 1] - t[j]);
        l_store(block->slope[n - 1] + v, t[n - 2]);
      }
      t[n - 1] = w_part * t[n - 2];
      UNROLLED
      for (int j = n - 2; j >= 1; j--)
        t[j] = l_fma(w_part + l_set((real)(n - 1 - j) / (real)(n - 1)), t[j - 1],
                     (rest_part + l_set((real)j / (real)(n - 1))) * t[j]);
      t[0] = rest_part * t[0];
    }
    UNROLLED
    for (int j = 0; j < order; j++) l_store(block->weight[j] + v, t[j]);
  }
}

SPECIALISED void turn_rows(const real (*values)[VALUES], real *rows, const int order) {
  for (int n = 0; n < SITES; n += 4)
    for (int j = 0; j < RILL_MESH_ROW(order); j += 4) {
      quad a[4];
#pragma GCC unroll 4
      for (int k = 0; k < 4; k++) a[k] = j + k < order ? q_load(values[j + k] + 2 * SITES + n) : q_set(0);
      q_transpose(a);
#pragma GCC unroll 4
      for (int k = 0; k < 4; k++) q_store(rows + (n + k) * RILL_MESH_ROW(order) + j, a[k]);
    }
}

/* Loads the fractions of a block.  This is done one block ahead: values that were stored in pieces can be loaded as a
 * whole only some time later. */
static void take(const struct rill_mesh *mesh, size_t number, struct block *block) {
  struct record *record[BLOCK];
  for (size_t l = 0; l < BLOCK; l++) record[l] = record_at(mesh, number * BLOCK + l);
  turn_records(record, block->fraction[number % 2]);
}

/* Prefetches the points about every other oxygen of a block: a cache line of a row has about sixteen neighbours in
 * it, and is certain to be used.  write: a constant. */
SPECIALISED void fetch_points(const struct rill_mesh *mesh, size_t number, const int order, const int write) {
  for (size_t l = 0; l < block_count(mesh, number); l += 2) {
    const uint16_t *point = record_at(mesh, number * BLOCK + l)->point;
    const size_t *plane = mesh->plane_offset + point[0], *row = mesh->row_offset + point[RILL_ATOMS];
    const real *points = (const real *)mesh->points + point[2 * RILL_ATOMS];
    for (int i = 0; i < order; i++)
      for (int j = 0; j < order; j++) {
        if (write) __builtin_prefetch(points + plane[i] + row[j], 1);
        else __builtin_prefetch(points + plane[i] + row[j], 0);
      }
  }
}

/* Prepares a block that was loaded. */
SPECIALISED void prepare(size_t number, const int order, const int slopes, struct block *block) {
  find_weights(block, block->fraction[number % 2], order, slopes);
  turn_rows((const real(*)[VALUES])block->weight, block->row_weight, order);
  if (slopes) turn_rows((const real(*)[VALUES])block->slope, block->row_slope, order);
}

static void survey(const struct rill_mesh *mesh, size_t first, size_t end) {
  for (size_t number = first; number < end; number++) {
    uint64_t touched = 0;
    for (size_t l = 0; l < block_count(mesh, number); l++)
      for (size_t a = 0; a < RILL_ATOMS; a++) touched |= mesh->touched[record_at(mesh, number * BLOCK + l)->point[a]];
    mesh->occupancy[number] = touched;
  }
}

static int leave(const struct rill_mesh *mesh, size_t first, size_t end) {
  unsigned within = 1;
  for (size_t number = first; number < end; number++)
    for (size_t l = 0; l < block_count(mesh, number); l++) {
      const uint16_t *point = record_at(mesh, number * BLOCK + l)->point;
      for (size_t r = 0; r < ROWS; r++) within &= mesh->within[r / RILL_ATOMS][point[r]];
    }
  return !within;
}

/* Rows of order 4 are quads; others are one or two octets if the instruction set has them. */
#define PIECE quad
#define OF_PIECE(name) q_##name
#define WITH_PIECE(name) name##_by_quads
#include "water/pme/mesh_atom.h"
#ifdef RILL_OCTETS
#undef PIECE
#undef OF_PIECE
#undef WITH_PIECE
#define PIECE octet
#define OF_PIECE(name) o_##name
#define WITH_PIECE(name) name##_by_octets
#include "water/pme/mesh_atom.h"
#define FOR_PIECES(order, name, ...) ((order) == 4 ? name##_by_quads(__VA_ARGS__) : name##_by_octets(__VA_ARGS__))
#else
#define FOR_PIECES(order, name, ...) name##_by_quads(__VA_ARGS__)
#endif

SPECIALISED void spread_blocks(const struct rill_mesh *mesh, size_t first, size_t end, const int all,
                               const int order) {
  const size_t blocks = (mesh->molecules + BLOCK - 1) / BLOCK;
  real charge[RILL_ATOMS];
  uint64_t ours = 0;
  int taken = 0;
  struct block block;
  for (int a = 0; a < RILL_ATOMS; a++) charge[a] = (real)(mesh->model.charge[a] * mesh->scale);
  memset(block.fraction, 0, sizeof block.fraction);
  for (size_t plane = first; plane < end; plane++) ours |= rill_plane_group(mesh, plane);
  for (size_t number = 0; number < blocks; number++) {
    const size_t count = block_count(mesh, number);
    const int wanted = all || (mesh->occupancy[number] & ours);
    if (wanted && !taken) take(mesh, number, &block);
    taken = number + 1 < blocks && (all || (mesh->occupancy[number + 1] & ours));
    if (taken) take(mesh, number + 1, &block);
    if (taken && mesh->is_large) fetch_points(mesh, number + 1, order, 1);
    if (!wanted) continue;
    prepare(number, order, 0, &block);
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t l = 0; l < count; l++) {
        const uint16_t *point = record_at(mesh, number * BLOCK + l)->point + a;
        if (all || (mesh->touched[*point] & ours))
          FOR_PIECES(order, spread_atom, mesh, &block, a * BLOCK + l, point, charge[a], order,
                     first * mesh->plane_length, end * mesh->plane_length);
      }
  }
}

/* If specialised, a constant in each call. */
/* clang-format off */
#define CASE_ORDER(n, call) case n: { enum { n_ = n }; call; break; }
#ifdef RILL_PLAIN_BODIES
#define FOR_ORDER(order, call) do { const int n_ = (order); call; } while (0)
#elif defined RILL_REAL_SINGLE
#define FOR_ORDER(order, call)                                                                                       \
  do {                                                                                                               \
    switch (order) {                                                                                                 \
      CASE_ORDER(4, call) CASE_ORDER(5, call) CASE_ORDER(6, call) CASE_ORDER(7, call)                                \
      default: { enum { n_ = RILL_PME_ORDER_MAX_SINGLE }; call; break; }                                             \
    }                                                                                                                \
  } while (0)
#else
#define FOR_ORDER(order, call)                                                                                       \
  do {                                                                                                               \
    switch (order) {                                                                                                 \
      CASE_ORDER(4, call) CASE_ORDER(5, call) CASE_ORDER(6, call) CASE_ORDER(7, call)                                \
      CASE_ORDER(8, call) CASE_ORDER(9, call) CASE_ORDER(10, call) CASE_ORDER(11, call)                              \
      default: { enum { n_ = RILL_PME_ORDER_MAX }; call; break; }                                                    \
    }                                                                                                                \
  } while (0)
#endif
/* clang-format on */

static void spread(const struct rill_mesh *mesh, size_t first, size_t end, int all) {
  const size_t plane = mesh->plane_length * sizeof(integer);
  memset((char *)mesh->points + first * plane, 0, (end - first) * plane);
  FOR_ORDER(mesh->order, spread_blocks(mesh, first, end, all, n_));
}

static void fold(const struct rill_mesh *mesh, size_t plane) {
  const size_t c = mesh->grid[2];
  const lanes unit = l_set((real)(1.0 / mesh->scale));
  for (size_t y = 0; y < mesh->grid[1]; y++) {
    integer *row = (integer *)mesh->points + plane * mesh->plane_length + y * mesh->row_length;
    for (size_t k = 0; k < (size_t)mesh->order; k += 4) q_add_integers(row + k, row + c + k);
  }
  for (size_t y = 0; y < mesh->grid[1]; y++) {
    integer *row = (integer *)mesh->points + plane * mesh->plane_length + y * mesh->row_length;
    for (size_t k = 0; k < c; k += RILL_REAL_LANES) l_store_as_real(row + k, unit);
  }
}

static void extend(const struct rill_mesh *mesh, size_t plane) {
  for (size_t y = 0; y < mesh->grid[1]; y++) {
    real *row = (real *)mesh->points + plane * mesh->plane_length + y * mesh->row_length;
    for (size_t k = 0; k < (size_t)mesh->order; k += 4) q_store(row + mesh->grid[2] + k, q_load(row + k));
  }
}

/* Copies a row of waves between margins; wave half, the image of wave 0, is wave 0. */
static real *copy_row(const struct rill_mesh *mesh, const real *row, real *to) {
  for (size_t n = 0; n < 2 * mesh->half; n += RILL_REAL_LANES) l_store(to + n, l_load(row + n));
  to[2 * mesh->half] = to[0];
  to[2 * mesh->half + 1] = to[1];
  return to;
}

/* Mixes a row of waves: alpha W + i gamma W*, with the mirror image W* read from its end.  As reals, i W* of the
 * other row read backwards is that row's reals read backwards. */
static void mix_row(const struct rill_mesh *mesh, size_t influence, const real *row, const real *mirror, real *to) {
  const real *sum = (const real *)mesh->sum + influence, *difference = (const real *)mesh->difference + influence;
  const real *cosine = (const real *)mesh->cosine_twice, *sine = (const real *)mesh->sine_twice;
  for (size_t n = 0; n < 2 * mesh->half; n += RILL_REAL_LANES) {
    const lanes image = l_reverse(l_loadu(mirror + 2 * mesh->half + 1 - n - (RILL_REAL_LANES - 1)));
    const lanes d = l_twice(difference + n / 2), alpha = l_fma(-d, l_load(sine + n), l_twice(sum + n / 2));
    l_store(to + n, l_fma(d * l_load(cosine + n), image, alpha * l_load(row + n)));
  }
}

/* Sums of waves, each lane its own. */
struct wave_lanes {
  vreal energy, tensor[6];
};

static inline struct wave_lanes no_waves(void) {
  struct wave_lanes waves = {.energy = v_set(0.0)};
  for (int k = 0; k < 6; k++) waves.tensor[k] = v_set(0.0);
  return waves;
}

static inline void keep_waves(const struct wave_lanes *waves, struct rill_wave_sums *sums) {
  sums->energy += v_sum(waves->energy);
  for (int k = 0; k < 6; k++) sums->tensor[k] += v_sum(waves->tensor[k]);
}

/* Adds energy and virial of the waves (x, y, l), with l in lanes: g |X|2, once for each pair of waves k and -k; the
 * rows of l = 0 contain both.  2 g = (g + g') + (g - g'). */
static void add_waves(const struct rill_mesh *mesh, size_t x, size_t y, size_t influence, const real *row,
                      const real *mirror, struct wave_lanes *sums) {
  const double(*inverse)[3] = mesh->lattice.inverse, j = mesh->waves_a[x], k = mesh->waves_b[y];
  const vreal m0 = v_set(j * inverse[0][0]), m1 = v_set(j * inverse[1][0] + k * inverse[1][1]);
  const vreal m2_first = v_set(j * inverse[2][0] + k * inverse[2][1]), decay = v_set(mesh->decay);
  vreal first = v_set(0.0), all = v_set(0.0);
  for (size_t l = 0; l < mesh->half; l += RILL_WIDTH) {
    const vreal c = v_load(mesh->cosine + l), s = v_load(mesh->sine + l);
    const vreal low = v_set(1.0) - s, high = v_set(1.0) + s;
    const vreal m2 = v_fma(v_load(mesh->waves_c + l), v_set(inverse[2][2]), m2_first);
    const vreal square = v_max(v_fma(m2, m2, v_fma(m1, m1, m0 * m0)), v_set(1e-300));
    const vreal g = v_load_real((const real *)mesh->sum + influence + l) +
                    v_load_real((const real *)mesh->difference + influence + l);
    vreal re, im, image_re, image_im, wave_re, wave_im, e, factor;
    v_load_pairs(row + 2 * l, &re, &im);
    v_load_pairs(mirror + 2 * (mesh->half - l) + 2 - 2 * RILL_WIDTH, &image_re, &image_im);
    image_re = v_reverse(image_re);
    image_im = v_reverse(image_im);
    wave_re = v_fma(c, im + image_im, v_fma(low, re, high * image_re));
    wave_im = v_fma(c, image_re - re, v_fma(low, im, -(high * image_im)));
    e = v_load(mesh->share + l) * g * v_fma(wave_re, wave_re, wave_im * wave_im);
    factor = v_set(-2.0) * e * (v_reciprocal(square) + decay);
    sums->energy += e;
    all += factor;
    first = v_fma(factor, m2, first);
    sums->tensor[5] = v_fma(factor * m2, m2, sums->tensor[5]);
  }
  sums->tensor[0] = v_fma(all, m0 * m0, sums->tensor[0]);
  sums->tensor[1] = v_fma(all, m0 * m1, sums->tensor[1]);
  sums->tensor[2] = v_fma(first, m0, sums->tensor[2]);
  sums->tensor[3] = v_fma(all, m1 * m1, sums->tensor[3]);
  sums->tensor[4] = v_fma(first, m1, sums->tensor[4]);
}

static void influence(const struct rill_mesh *mesh, size_t y, void *waves, void *mirror, void *scratch,
                      struct rill_wave_sums *sums) {
  const size_t a = mesh->grid[0], length = 2 * mesh->spectrum_row, mirror_y = y == 0 ? 0 : mesh->grid[1] - y;
  struct wave_lanes of_row = no_waves(), of_mirror = no_waves();
  for (size_t x = 0; x < (y == mirror_y ? a / 2 + 1 : a); x++) {
    const size_t mirror_x = x == 0 ? 0 : a - x;
    const size_t own = rill_influence_row(mesh, x, y), other = rill_influence_row(mesh, mirror_x, mirror_y);
    real *row = (real *)waves + x * length, *mirror_row = (real *)mirror + mirror_x * length;
    const real *r = copy_row(mesh, row, (real *)scratch + RILL_MESH_MARGIN);
    const real *m = copy_row(mesh, mirror_row, (real *)scratch + length + 3 * RILL_MESH_MARGIN);
    mix_row(mesh, own, r, m, row);
    if (sums != NULL) add_waves(mesh, x, y, own, r, m, &of_row);
    if (row == mirror_row) continue;
    mix_row(mesh, other, m, r, mirror_row);
    if (sums != NULL) add_waves(mesh, mirror_x, mirror_y, other, m, r, &of_mirror);
  }
  if (sums == NULL) return;
  keep_waves(&of_row, &sums[y]);
  keep_waves(&of_mirror, &sums[mirror_y]);
}

/* Sums in lanes: integers, in the units of struct rill_gather_sums. */
struct lane_sums {
  vint excluded, virial[3][3], inner[3][3];
};

static inline void count(vint *sum, vreal a, vmask mask) {
  const vreal magic = v_set(0x1.8p52);
  *sum += v_bits(v_fma(v_and_mask(a, mask), v_set(1.0 / RILL_GATHER_UNIT), magic)) - v_bits(magic);
}

static inline int64_t sum_up(vint a) {
  uint64_t lane[RILL_WIDTH], sum = 0;
  memcpy(lane, &a, sizeof a);
  for (int k = 0; k < RILL_WIDTH; k++) sum += lane[k];
  return (int64_t)sum;
}

/* Subtracts the pairs of one molecule: energy -k q q P(r2), with P = erf(beta r)/r as a polynomial. */
SPECIALISED void exclude(const struct rill_mesh *mesh, const vreal x[9], vmask mask, vreal f[9], const int wanted,
                         struct lane_sums *sums) {
  static const int first[RILL_EXCLUDED_PAIRS] = {0, 0, 1}, second[RILL_EXCLUDED_PAIRS] = {1, 2, 2};
  vreal d[RILL_EXCLUDED_PAIRS][3], r2[RILL_EXCLUDED_PAIRS], slope[RILL_EXCLUDED_PAIRS];
#pragma GCC unroll 3
  for (int p = 0; p < RILL_EXCLUDED_PAIRS; p++) {
    const vreal *a = x + 3 * first[p], *b = x + 3 * second[p];
    for (int c = 0; c < 3; c++) d[p][c] = a[c] - b[c];
    r2[p] = v_fma(d[p][2], d[p][2], v_fma(d[p][1], d[p][1], d[p][0] * d[p][0]));
    slope[p] = v_set(0.0);
  }
  for (int n = mesh->terms - 1; n >= 1; n--) {
    const vreal coefficient = v_set(mesh->exclusion_slope[n]);
#pragma GCC unroll 3
    for (int p = 0; p < RILL_EXCLUDED_PAIRS; p++) slope[p] = v_fma(slope[p], r2[p], coefficient);
  }
#pragma GCC unroll 3
  for (int p = 0; p < RILL_EXCLUDED_PAIRS; p++) {
    const double charges =
        mesh->model.coulomb_constant * mesh->model.charge[first[p]] * mesh->model.charge[second[p]];
    const vreal force = slope[p] * v_set(2.0 * charges); /* over r */
    for (int c = 0; c < 3; c++) {
      f[3 * first[p] + c] = v_fma(force, d[p][c], f[3 * first[p] + c]);
      f[3 * second[p] + c] = v_fnma(force, d[p][c], f[3 * second[p] + c]);
    }
    if (wanted) {
      vreal energy = v_set(0.0);
      for (int n = mesh->terms - 1; n >= 0; n--) energy = v_fma(energy, r2[p], v_set(mesh->exclusion[n]));
      count(&sums->excluded, v_set(-charges) * energy, mask);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) count(&sums->virial[i][j], force * d[p][i] * d[p][j], mask);
    }
  }
}

/* Adds the sum of (r - centre)_i f_j. */
SPECIALISED void add_inner(const struct rill_mesh *mesh, const vreal x[9], const vreal f[9], vmask mask,
                           struct lane_sums *sums) {
  const double *mass = mesh->model.mass, whole = mass[0] + mass[1] + mass[2];
  for (int i = 0; i < 3; i++) {
    const vreal centre = v_fma(v_set(mass[2] / whole), x[6 + i],
                               v_fma(v_set(mass[1] / whole), x[3 + i], v_set(mass[0] / whole) * x[i]));
    for (int j = 0; j < 3; j++) {
      vreal sum = v_set(0.0);
      for (int a = 0; a < RILL_ATOMS; a++) sum = v_fma(x[3 * a + i] - centre, f[3 * a + j], sum);
      count(&sums->inner[i][j], sum, mask);
    }
  }
}

SPECIALISED void gather_blocks(const struct rill_mesh *mesh, size_t first, size_t end, const int order) {
  struct block block;
  memset(block.fraction, 0, sizeof block.fraction);
  if (first < end) take(mesh, first, &block);
  for (size_t number = first; number < end; number++) {
    const size_t count = block_count(mesh, number);
    if (number + 1 < end) take(mesh, number + 1, &block);
    if (number + 1 < end && mesh->is_large) fetch_points(mesh, number + 1, order, 0);
    prepare(number, order, 1, &block);
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t l = 0; l < count; l++) {
        struct record *record = record_at(mesh, number * BLOCK + l);
        q_store(record->value + 3 * a,
                FOR_PIECES(order, gather_atom, mesh, &block, a * BLOCK + l, record->point + a, order));
      }
  }
}

static void gather(const struct rill_mesh *mesh, size_t first, size_t end) {
  FOR_ORDER(mesh->order, gather_blocks(mesh, first, end, n_));
}

SPECIALISED void finish_blocks(const struct rill_mesh *mesh, const double *q, const uint32_t *places, double *f,
                               size_t first, size_t end, const int wanted, struct lane_sums *sums) {
  const double(*inverse)[3] = mesh->lattice.inverse;
  for (size_t number = first; number < end; number++) {
    const size_t count = block_count(mesh, number);
    struct record *record[BLOCK];
    real slopes[ROWS][BLOCK] ALIGNED;
    fetch_records(mesh, places, number);
    for (size_t l = 0; l < BLOCK; l++)
      record[l] = record_at(mesh, place_of(places, number * BLOCK + (l < count ? l : 0)));
    turn_records(record, slopes[0]);
    for (size_t l = 0; l < BLOCK; l += RILL_WIDTH) {
      const size_t m = number * BLOCK + l;
      const vmask mask = v_mask_first(count < l ? 0 : count - l);
      vreal x[ROWS], force[ROWS];
      for (size_t a = 0; a < RILL_ATOMS; a++) {
        vreal along[3];
        for (size_t axis = 0; axis < 3; axis++)
          along[axis] =
              v_load_real(slopes[3 * a + axis] + l) * v_set(-mesh->model.charge[a] * (double)mesh->grid[axis]);
        for (size_t c = 0; c < 3; c++) {
          vreal sum = along[0] * v_set(inverse[c][0]);
          for (size_t axis = 1; axis <= c; axis++) sum = v_fma(along[axis], v_set(inverse[c][axis]), sum);
          force[3 * a + c] = sum;
          x[3 * a + c] = v_loadu(q + (3 * a + c) * mesh->stride + m);
        }
      }
      exclude(mesh, x, mask, force, wanted, sums);
      if (wanted) add_inner(mesh, x, force, mask, sums);
      for (size_t k = 0; k < ROWS; k++) {
        double *to = f + k * mesh->stride + m;
        const vreal before = v_loadu(to);
        v_storeu(to, v_select(mask, before + force[k], before));
      }
    }
  }
}

static void finish(const struct rill_mesh *mesh, const double *q, const uint32_t *places, double *f, size_t first,
                   size_t end, struct rill_gather_sums *sums) {
  struct lane_sums lane_sums;
  if (sums == NULL) {
    finish_blocks(mesh, q, places, f, first, end, 0, NULL);
    return;
  }
  memset(&lane_sums, 0, sizeof lane_sums);
  finish_blocks(mesh, q, places, f, first, end, 1, &lane_sums);
  sums->excluded += sum_up(lane_sums.excluded);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      sums->virial[i][j] += sum_up(lane_sums.virial[i][j]);
      sums->inner[i][j] += sum_up(lane_sums.inner[i][j]);
    }
}

#define RILL_MESH_KERNEL                                                                                             \
  { sizeof(struct record), locate, survey, leave, spread, fold, extend, influence, gather, finish }
