/* The vector body of the mesh: splines, spreading, solving, gathering.  A file that includes it, once, names the
 * instruction set and the precision (base/simd/simd.h, base/simd/real.h).
 *
 * Splines are computed with the atoms of a block of molecules in lanes; spreading and gathering go atom by atom, four
 * points of a row at a time.  With u the position in points, k = floor(u) and w = u - k, point k + j has the weight
 * M_n(w + n - 1 - j): the mesh is shifted by n - 1 points against the atoms, which |B| does not see. */
#include <math.h>

#include "base/simd/real.h"
#include "water/pme/mesh.h"

/* Compiled once for each order. */
#define SPECIALISED static inline __attribute__((always_inline))
#define ALIGNED __attribute__((aligned(64)))

enum {
  BLOCK = RILL_LANES,                     /* molecules */
  SITES = RILL_ATOMS * BLOCK,             /* atoms; atom a of molecule l at a * BLOCK + l */
  VALUES = (3 * SITES + 15) / 16 * 16     /* a value an axis and atom: axis * SITES + atom; padded to whole vectors */
};

struct block {
  real fraction[VALUES] ALIGNED;
  real weight[RILL_PME_ORDER_MAX][VALUES] ALIGNED;
  real slope[RILL_PME_ORDER_MAX][VALUES] ALIGNED;             /* of the weight, a point */
  real row_weight[SITES][RILL_PME_ORDER_MAX] ALIGNED;         /* along c, atom by atom; zero beyond the order */
  real row_slope[SITES][RILL_PME_ORDER_MAX] ALIGNED;
  uint32_t point[3][SITES];                                   /* 0 ... grid */
};

static size_t block_count(const struct rill_mesh *mesh, size_t block) {
  const size_t left = mesh->molecules - block * BLOCK;
  return left < BLOCK ? left : BLOCK;
}

/* Adding and taking off 1.5 2^52 rounds to the nearest integer, which stands in the low bits in between. */
static inline vreal shift_to_integer(vreal a) { return a + v_set(0x1.8p52); }
static inline vreal floor_near(vreal a) { return shift_to_integer(a - v_set(0.5)) - v_set(0x1.8p52); }

/* In float, fractions are multiples of its precision: the third powers of the smaller ones that lattices have would
 * be subnormal numbers, which many processors are slow with. */
static inline vreal settle(vreal u) {
#ifdef RILL_REAL_SINGLE
  return (u + v_set(0x1.8p28)) - v_set(0x1.8p28);
#else
  return u;
#endif
}

/* Points and fractions of a block's atoms.  A fraction may be 1, and a point the grid's number: splines are
 * continuous, and the tables and rows go that far.  Positions that are not finite become fractions that are not. */
static void locate(const struct rill_mesh *mesh, const double *q, size_t number, struct block *block) {
  const double(*inverse)[3] = mesh->lattice.inverse;
  for (size_t a = 0; a < RILL_ATOMS; a++)
    for (size_t l = 0; l < BLOCK; l += RILL_WIDTH) {
      const double *from = q + 3 * a * mesh->stride + number * BLOCK + l;
      const vreal x = v_loadu(from), y = v_loadu(from + mesh->stride), z = v_loadu(from + 2 * mesh->stride);
      const vreal s[3] = {v_fma(z, v_set(inverse[2][0]), v_fma(y, v_set(inverse[1][0]), x * v_set(inverse[0][0]))),
                          v_fma(z, v_set(inverse[2][1]), y * v_set(inverse[1][1])), z * v_set(inverse[2][2])};
      for (size_t axis = 0; axis < 3; axis++) {
        const vreal u = settle((s[axis] - floor_near(s[axis])) * v_set((double)mesh->grid[axis]));
        const vreal shifted = shift_to_integer(u - v_set(0.5));
        const vint bits = v_bits(shifted);
        v_store_real(block->fraction + axis * SITES + a * BLOCK + l, u - (shifted - v_set(0x1.8p52)));
        for (size_t k = 0; k < RILL_WIDTH; k++) {
          const uint32_t point = (uint32_t)bits[k], grid = (uint32_t)mesh->grid[axis];
          block->point[axis][a * BLOCK + l + k] = point < grid ? point : grid;
        }
      }
    }
}

/* M_n(u) = (u M_(n-1)(u) + (n - u) M_(n-1)(u - 1)) / (n - 1); M_n' (u) = M_(n-1)(u) - M_(n-1)(u - 1). */
SPECIALISED void find_weights(struct block *block, const int order, const int slopes) {
  for (size_t v = 0; v < VALUES; v += RILL_REAL_LANES) {
    const lanes one = l_set(1), w = l_load(block->fraction + v);
    lanes t[RILL_PME_ORDER_MAX];
    t[0] = one - w;
    t[1] = w;
#pragma GCC unroll 12
    for (int n = 3; n <= order; n++) {
      const lanes part = l_set((real)1 / (real)(n - 1)), w_part = w * part, rest_part = part - w_part;
      if (slopes && n == order) {
        l_store(block->slope[0] + v, -t[0]);
#pragma GCC unroll 12
        for (int j = 1; j < n - 1; j++) l_store(block->slope[j] + v, t[j - 1] - t[j]);
        l_store(block->slope[n - 1] + v, t[n - 2]);
      }
      t[n - 1] = w_part * t[n - 2];
#pragma GCC unroll 12
      for (int j = n - 2; j >= 1; j--)
        t[j] = l_fma(w_part + l_set((real)(n - 1 - j) / (real)(n - 1)), t[j - 1],
                     (rest_part + l_set((real)j / (real)(n - 1))) * t[j]);
      t[0] = rest_part * t[0];
    }
#pragma GCC unroll 12
    for (int j = 0; j < order; j++) l_store(block->weight[j] + v, t[j]);
  }
}

SPECIALISED void turn_rows(const real (*values)[VALUES], real (*rows)[RILL_PME_ORDER_MAX], const int order) {
  const int width = (order + 3) / 4 * 4;
  for (int n = 0; n < SITES; n++) {
#pragma GCC unroll 12
    for (int j = 0; j < width; j++) rows[n][j] = j < order ? values[j][2 * SITES + n] : 0;
  }
}

SPECIALISED void prepare(const struct rill_mesh *mesh, const double *q, size_t number, const int order,
                         const int slopes, struct block *block) {
  locate(mesh, q, number, block);
  find_weights(block, order, slopes);
  turn_rows((const real(*)[VALUES])block->weight, block->row_weight, order);
  if (slopes) turn_rows((const real(*)[VALUES])block->slope, block->row_slope, order);
}

/* A group of planes a bit. */
static uint64_t group_of(const struct rill_mesh *mesh, size_t plane) {
  return (uint64_t)1 << (plane % mesh->grid[0] * RILL_OCCUPANCY_BITS / mesh->grid[0]);
}

static void survey(const struct rill_mesh *mesh, const double *q, size_t first, size_t end) {
  struct block block;
  for (size_t number = first; number < end; number++) {
    const size_t count = block_count(mesh, number);
    uint64_t touched = 0;
    locate(mesh, q, number, &block);
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t l = 0; l < count; l++)
        for (size_t i = 0; i < (size_t)mesh->order; i++) touched |= group_of(mesh, block.point[0][a * BLOCK + l] + i);
    mesh->occupancy[number] = touched;
  }
}

/* One atom into the planes that begin at offsets [first, end). */
SPECIALISED void spread_atom(const struct rill_mesh *mesh, const struct block *block, size_t n, real charge,
                             const int order, size_t first, size_t end) {
  const int quads = (order + 3) / 4;
  const size_t *plane = mesh->plane_offset + block->point[0][n], *row = mesh->row_offset + block->point[1][n];
  real *points = (real *)mesh->points + block->point[2][n];
  quad along[RILL_PME_ORDER_MAX / 4];
#pragma GCC unroll 3
  for (int k = 0; k < quads; k++) along[k] = q_set(charge) * q_load(block->row_weight[n] + 4 * k);
  for (int i = 0; i < order; i++) {
    const real weight = block->weight[i][n];
    if (plane[i] < first || plane[i] >= end) continue;
#pragma GCC unroll 12
    for (int j = 0; j < order; j++) {
      const quad factor = q_set(weight * block->weight[j][SITES + n]);
      real *target = points + plane[i] + row[j];
#pragma GCC unroll 3
      for (int k = 0; k < quads; k++) q_store(target + 4 * k, q_fma(factor, along[k], q_load(target + 4 * k)));
    }
  }
}

SPECIALISED void spread_blocks(const struct rill_mesh *mesh, const double *q, size_t first, size_t end, const int all,
                               const int order) {
  const size_t blocks = (mesh->molecules + BLOCK - 1) / BLOCK;
  uint64_t ours = 0;
  struct block block;
  memset(block.fraction, 0, sizeof block.fraction);
  for (size_t plane = first; plane < end; plane++) ours |= group_of(mesh, plane);
  for (size_t number = 0; number < blocks; number++) {
    const size_t count = block_count(mesh, number);
    if (!all && !(mesh->occupancy[number] & ours)) continue;
    prepare(mesh, q, number, order, 0, &block);
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t l = 0; l < count; l++)
        spread_atom(mesh, &block, a * BLOCK + l, (real)mesh->model.charge[a], order, first * mesh->plane_length,
                    end * mesh->plane_length);
  }
}

/* A constant in each call. */
#define FOR_ORDER(order, call)                                                                                       \
  do {                                                                                                               \
    switch (order) {                                                                                                 \
      case 4: { enum { n_ = 4 }; call; break; }                                                                      \
      case 6: { enum { n_ = 6 }; call; break; }                                                                      \
      case 8: { enum { n_ = 8 }; call; break; }                                                                      \
      case 10: { enum { n_ = 10 }; call; break; }                                                                    \
      default: { enum { n_ = 12 }; call; break; }                                                                    \
    }                                                                                                                \
  } while (0)

static void spread(const struct rill_mesh *mesh, const double *q, size_t first, size_t end, int all) {
  real *points = (real *)mesh->points;
  const size_t c = mesh->grid[2];
  memset(points + first * mesh->plane_length, 0, (end - first) * mesh->plane_length * sizeof *points);
  FOR_ORDER(mesh->order, spread_blocks(mesh, q, first, end, all, n_));
  for (size_t r = first * mesh->grid[1]; r < end * mesh->grid[1]; r++) {
    real *row = points + r * mesh->row_length;
    for (size_t k = c; k < c + (size_t)mesh->order; k++) row[k - c] += row[k];
  }
}

static void continue_rows(const struct rill_mesh *mesh, size_t plane) {
  const size_t c = mesh->grid[2];
  for (size_t r = plane * mesh->grid[1]; r < (plane + 1) * mesh->grid[1]; r++) {
    real *row = (real *)mesh->points + r * mesh->row_length;
    for (size_t k = c; k < c + (size_t)mesh->order; k++) row[k] = row[k - c];
  }
}

static void solve(const struct rill_mesh *mesh, size_t y, void *work) {
  const size_t count = mesh->grid[0] * mesh->half_length;
  const real *influence = (const real *)mesh->influence + y * count;
  real *restrict value = work;
  for (size_t k = 0; k < count; k++) {
    value[2 * k] *= influence[k];
    value[2 * k + 1] *= influence[k];
  }
}

static double signed_index(size_t k, size_t grid) { return 2 * k > grid ? (double)k - (double)grid : (double)k; }

/* The opposite wave vectors, which the half spectrum leaves out, count too; those in its plane 0 are both in it. */
static void weigh(const struct rill_mesh *mesh, size_t y, const void *work, double beta, double *energy,
                  double virial[3][3]) {
  const double(*inverse)[3] = mesh->lattice.inverse, decay = M_PI * M_PI / (beta * beta);
  const double k = signed_index(y, mesh->grid[1]);
  double sum = 0.0, tensor[3][3] = {{0.0}};
  for (size_t x = 0; x < mesh->grid[0]; x++) {
    const real *value = (const real *)work + 2 * x * mesh->half_length;
    const real *influence = (const real *)mesh->influence + (y * mesh->grid[0] + x) * mesh->half_length;
    const double h = signed_index(x, mesh->grid[0]);
    for (size_t z = 0; z < mesh->half_points; z++) {
      const double l = (double)z, re = (double)value[2 * z], im = (double)value[2 * z + 1];
      const double e = (z == 0 ? 0.5 : 1.0) * (double)influence[z] * (re * re + im * im);
      const double m[3] = {h * inverse[0][0], h * inverse[1][0] + k * inverse[1][1],
                           h * inverse[2][0] + k * inverse[2][1] + l * inverse[2][2]};
      const double m2 = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
      const double factor = m2 > 0.0 ? 2.0 * e * (1.0 / m2 + decay) : 0.0;
      sum += e;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) tensor[i][j] -= factor * m[i] * m[j];
    }
  }
  *energy = sum;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) virial[i][j] = (i == j ? sum : 0.0) + (j <= i ? tensor[i][j] : tensor[j][i]);
}

/* The slopes of the potential at one atom, along the axes, in points. */
SPECIALISED void gather_atom(const struct rill_mesh *mesh, const struct block *block, size_t n, const int order,
                             real slopes[3][SITES]) {
  const int quads = (order + 3) / 4;
  const size_t *plane = mesh->plane_offset + block->point[0][n], *row = mesh->row_offset + block->point[1][n];
  const real *points = (const real *)mesh->points + block->point[2][n];
  quad along_a[RILL_PME_ORDER_MAX / 4], along_b[RILL_PME_ORDER_MAX / 4], value[RILL_PME_ORDER_MAX / 4];
#pragma GCC unroll 3
  for (int k = 0; k < quads; k++) along_a[k] = along_b[k] = value[k] = q_set(0);
  for (int i = 0; i < order; i++) {
    const quad weight = q_set(block->weight[i][n]), slope = q_set(block->slope[i][n]);
    quad sum[RILL_PME_ORDER_MAX / 4], slope_sum[RILL_PME_ORDER_MAX / 4];
#pragma GCC unroll 3
    for (int k = 0; k < quads; k++) sum[k] = slope_sum[k] = q_set(0);
#pragma GCC unroll 12
    for (int j = 0; j < order; j++) {
      const real *from = points + plane[i] + row[j];
#pragma GCC unroll 3
      for (int k = 0; k < quads; k++) {
        const quad point = q_load(from + 4 * k);
        sum[k] = q_fma(q_set(block->weight[j][SITES + n]), point, sum[k]);
        slope_sum[k] = q_fma(q_set(block->slope[j][SITES + n]), point, slope_sum[k]);
      }
    }
#pragma GCC unroll 3
    for (int k = 0; k < quads; k++) {
      along_a[k] = q_fma(slope, sum[k], along_a[k]);
      along_b[k] = q_fma(weight, slope_sum[k], along_b[k]);
      value[k] = q_fma(weight, sum[k], value[k]);
    }
  }
  quad a = q_set(0), b = q_set(0), c = q_set(0);
#pragma GCC unroll 3
  for (int k = 0; k < quads; k++) {
    const quad weight = q_load(block->row_weight[n] + 4 * k);
    a = q_fma(along_a[k], weight, a);
    b = q_fma(along_b[k], weight, b);
    c = q_fma(value[k], q_load(block->row_slope[n] + 4 * k), c);
  }
  slopes[0][n] = q_sum(a);
  slopes[1][n] = q_sum(b);
  slopes[2][n] = q_sum(c);
}

/* Takes the pairs of one molecule off: energy -k q q erf(beta r)/r, a polynomial in r2. */
SPECIALISED void exclude(const struct rill_mesh *mesh, const vreal x[9], vmask mask, vreal f[9], const int wanted,
                         struct rill_gather_sums *sums) {
  static const int first[RILL_EXCLUDED_PAIRS] = {0, 0, 1}, second[RILL_EXCLUDED_PAIRS] = {1, 2, 2};
  for (int p = 0; p < RILL_EXCLUDED_PAIRS; p++) {
    const int a = 3 * first[p], b = 3 * second[p];
    const double charges =
        mesh->model.coulomb_constant * mesh->model.charge[first[p]] * mesh->model.charge[second[p]];
    const vreal d[3] = {x[a] - x[b], x[a + 1] - x[b + 1], x[a + 2] - x[b + 2]};
    const vreal r2 = v_fma(d[2], d[2], v_fma(d[1], d[1], d[0] * d[0]));
    vreal energy = v_set(0.0), slope = v_set(0.0); /* of r2 */
    for (int n = mesh->terms - 1; n >= 0; n--) {
      slope = v_fma(slope, r2, energy);
      energy = v_fma(energy, r2, v_set(mesh->exclusion[n]));
    }
    slope = slope * v_set(2.0 * charges); /* force / r: minus the energy's slope in r2, twice */
    for (int c = 0; c < 3; c++) {
      f[a + c] = v_fma(slope, d[c], f[a + c]);
      f[b + c] = v_fnma(slope, d[c], f[b + c]);
    }
    if (wanted) {
      sums->excluded -= charges * v_sum(v_and_mask(energy, mask));
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sums->virial[i][j] += v_sum(v_and_mask(slope * d[i] * d[j], mask));
    }
  }
}

/* sum of (r - centre)_i f_j. */
static void add_inner(const struct rill_mesh *mesh, const vreal x[9], const vreal f[9], vmask mask,
                      struct rill_gather_sums *sums) {
  const double *mass = mesh->model.mass, whole = mass[0] + mass[1] + mass[2];
  for (int i = 0; i < 3; i++) {
    const vreal centre = v_fma(v_set(mass[2] / whole), x[6 + i],
                               v_fma(v_set(mass[1] / whole), x[3 + i], v_set(mass[0] / whole) * x[i]));
    for (int j = 0; j < 3; j++) {
      vreal sum = v_set(0.0);
      for (int a = 0; a < RILL_ATOMS; a++) sum = v_fma(x[3 * a + i] - centre, f[3 * a + j], sum);
      sums->inner[i][j] += v_sum(v_and_mask(sum, mask));
    }
  }
}

SPECIALISED void finish_block(const struct rill_mesh *mesh, const double *q, double *f, size_t number,
                              const real slopes[3][SITES], const int wanted, struct rill_gather_sums *sums) {
  const double(*inverse)[3] = mesh->lattice.inverse;
  const size_t count = block_count(mesh, number);
  for (size_t l = 0; l < BLOCK; l += RILL_WIDTH) {
    const size_t m = number * BLOCK + l;
    const vmask mask = v_mask_first(count < l ? 0 : count - l);
    vreal x[9], force[9];
    for (size_t a = 0; a < RILL_ATOMS; a++) {
      vreal along[3];
      for (size_t axis = 0; axis < 3; axis++)
        along[axis] = v_load_real(slopes[axis] + a * BLOCK + l) *
                      v_set(-mesh->model.charge[a] * (double)mesh->grid[axis]);
      for (size_t c = 0; c < 3; c++) {
        vreal sum = along[0] * v_set(inverse[c][0]);
        for (size_t axis = 1; axis <= c; axis++) sum = v_fma(along[axis], v_set(inverse[c][axis]), sum);
        force[3 * a + c] = sum;
        x[3 * a + c] = v_loadu(q + (3 * a + c) * mesh->stride + m);
      }
    }
    exclude(mesh, x, mask, force, wanted, sums);
    if (wanted) add_inner(mesh, x, force, mask, sums);
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      double *to = f + k * mesh->stride + m;
      const vreal before = v_loadu(to);
      v_storeu(to, v_select(mask, before + force[k], before));
    }
  }
}

SPECIALISED void gather_blocks(const struct rill_mesh *mesh, const double *q, double *f, size_t first, size_t end,
                               struct rill_gather_sums *sums, const int order) {
  struct block block;
  real slopes[3][SITES] ALIGNED;
  memset(block.fraction, 0, sizeof block.fraction);
  memset(slopes, 0, sizeof slopes);
  for (size_t number = first; number < end; number++) {
    const size_t count = block_count(mesh, number);
    prepare(mesh, q, number, order, 1, &block);
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t l = 0; l < count; l++) gather_atom(mesh, &block, a * BLOCK + l, order, slopes);
    if (sums != NULL)
      finish_block(mesh, q, f, number, (const real(*)[SITES])slopes, 1, sums);
    else
      finish_block(mesh, q, f, number, (const real(*)[SITES])slopes, 0, NULL);
  }
}

static void gather(const struct rill_mesh *mesh, const double *q, double *f, size_t first, size_t end,
                   struct rill_gather_sums *sums) {
  if (sums != NULL) memset(sums, 0, sizeof *sums);
  FOR_ORDER(mesh->order, gather_blocks(mesh, q, f, first, end, sums, n_));
}

#define RILL_MESH_KERNEL { survey, spread, continue_rows, solve, weigh, gather }
