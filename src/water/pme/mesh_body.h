/* The vector body of the mesh: splines, spreading, solving, gathering.  A file that includes it, once, names the
 * instruction set and the precision (base/simd/simd.h, base/simd/real.h).
 *
 * Splines are computed with the atoms of a block of molecules in lanes; spreading and gathering go atom by atom, four
 * points of a row at a time.  With u the position in points, k = floor(u) and w = u - k, point k + j has the weight
 * M_n(w + n - 1 - j): the mesh is shifted by n - 1 points against the atoms, which |B| does not see. */
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
  int32_t point[3][SITES];                                    /* 0 ... grid */
};

static size_t block_count(const struct rill_mesh *mesh, size_t block) {
  const size_t left = mesh->molecules - block * BLOCK;
  return left < BLOCK ? left : BLOCK;
}

/* The integer below, or what is nearer than rounding to the next: adding and taking off 1.5 2^52 rounds. */
static inline vreal floor_near(vreal a) { return ((a - v_set(0.5)) + v_set(0x1.8p52)) - v_set(0x1.8p52); }

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
        const vreal point = floor_near(u), grid = v_set((double)mesh->grid[axis]);
        v_store_real(block->fraction + axis * SITES + a * BLOCK + l, u - point);
        /* Comparisons with what is not a number are false. */
        v_store_int32(block->point[axis] + a * BLOCK + l,
                      v_and_mask(v_select(v_less(point, grid), point, grid), v_less(v_set(-0.5), point)));
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
  for (int n = 0; n < SITES; n += 4)
    for (int j = 0; j < order; j += 4) {
      quad a[4];
#pragma GCC unroll 4
      for (int k = 0; k < 4; k++) a[k] = j + k < order ? q_load(values[j + k] + 2 * SITES + n) : q_set(0);
      q_transpose(a);
#pragma GCC unroll 4
      for (int k = 0; k < 4; k++) q_store(rows[n + k] + j, a[k]);
    }
}

SPECIALISED void prepare(const struct rill_mesh *mesh, const double *q, size_t number, const int order,
                         const int slopes, struct block *block) {
  locate(mesh, q, number, block);
  find_weights(block, order, slopes);
  turn_rows((const real(*)[VALUES])block->weight, block->row_weight, order);
  if (slopes) turn_rows((const real(*)[VALUES])block->slope, block->row_slope, order);
}

static void survey(const struct rill_mesh *mesh, const double *q, size_t first, size_t end) {
  struct block block;
  for (size_t number = first; number < end; number++) {
    const size_t count = block_count(mesh, number);
    uint64_t touched = 0;
    locate(mesh, q, number, &block);
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t l = 0; l < count; l++)
        touched |= mesh->touched[block.point[0][a * BLOCK + l]];
    mesh->occupancy[number] = touched;
  }
}

/* One atom into the planes that begin at offsets [first, end). */
SPECIALISED void spread_atom(const struct rill_mesh *mesh, const struct block *block, size_t n, real charge,
                             const int order, size_t first, size_t end) {
  const int quads = (order + 3) / 4;
  const size_t *plane = mesh->plane_offset + block->point[0][n];
  real *points = (real *)mesh->points + block->point[2][n];
  quad along[RILL_PME_ORDER_MAX / 4];
  /* Copies: compilers must take stores to the mesh for stores to these. */
  real weight_b[RILL_PME_ORDER_MAX];
  size_t row[RILL_PME_ORDER_MAX];
#pragma GCC unroll 3
  for (int k = 0; k < quads; k++) along[k] = q_set(charge) * q_load(block->row_weight[n] + 4 * k);
#pragma GCC unroll 12
  for (int j = 0; j < order; j++) {
    weight_b[j] = block->weight[j][SITES + n];
    row[j] = mesh->row_offset[block->point[1][n] + j];
  }
  for (int i = 0; i < order; i++) {
    const quad weight_a = q_set(block->weight[i][n]);
    const size_t at = plane[i];
    quad line[RILL_PME_ORDER_MAX / 4];
    if (at < first || at >= end) continue;
#pragma GCC unroll 3
    for (int k = 0; k < quads; k++) line[k] = weight_a * along[k];
#pragma GCC unroll 12
    for (int j = 0; j < order; j++) {
      real *target = points + at + row[j];
#pragma GCC unroll 3
      for (int k = 0; k < quads; k++)
        q_store(target + 4 * k, q_fma(q_set(weight_b[j]), line[k], q_load(target + 4 * k)));
    }
  }
}

SPECIALISED void spread_blocks(const struct rill_mesh *mesh, const double *q, size_t first, size_t end, const int all,
                               const int order) {
  const size_t blocks = (mesh->molecules + BLOCK - 1) / BLOCK;
  uint64_t ours = 0;
  struct block block;
  memset(block.fraction, 0, sizeof block.fraction);
  for (size_t plane = first; plane < end; plane++) ours |= rill_plane_group(mesh, plane);
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
    for (size_t k = c; k < c + (size_t)mesh->order; k++) {
      row[k - c] += row[k];
      row[k] = 0;
    }
  }
}

static void extend(const struct rill_mesh *mesh, size_t first, size_t end) {
  const size_t c = mesh->grid[2];
  for (size_t r = first * mesh->grid[1]; r < end * mesh->grid[1]; r++) {
    real *row = (real *)mesh->points + r * mesh->row_length;
    for (size_t k = c; k < c + (size_t)mesh->order; k++) row[k] = row[k - c];
  }
}

/* A row of waves: alpha W + i gamma W*, the mirror image W* read from its end.  As reals, i W* of the other row read
 * backwards is that row's reals read backwards; wave 0 is its own image. */
static void mix_row(const real *alpha, const real *gamma, const real *row, const real *mirror, size_t half, real *to) {
  for (size_t n = 0; n < 2 * half; n += RILL_REAL_LANES) {
    const lanes image = l_reverse(l_loadu(mirror + 2 * half + 1 - n - (RILL_REAL_LANES - 1)));
    l_store(to + n, l_fma(l_twice(gamma + n / 2), image, l_twice(alpha + n / 2) * l_load(row + n)));
  }
  to[0] = alpha[0] * row[0] + gamma[0] * mirror[1];
  to[1] = alpha[0] * row[1] + gamma[0] * mirror[0];
}

/* g |X|2 of a row, once for each pair of waves k and -k: those of l = 0 are both in it.  4 g = alpha + alpha' +
 * 2 gamma cos + (alpha' - alpha) sin, alpha' that of the mirror image. */
static void weigh_row(const struct rill_mesh *mesh, const real *alpha, const real *other_alpha, const real *gamma,
                      const real *row, const real *mirror, double *weights) {
  for (size_t l = 0; l < mesh->half; l++) {
    const size_t image = l == 0 ? 0 : mesh->half - l;
    const double re = row[2 * l], im = row[2 * l + 1], mirror_re = mirror[2 * image], mirror_im = mirror[2 * image + 1];
    const double c = mesh->cosine[l], s = mesh->sine[l], a = alpha[l], b = other_alpha[image];
    const double wave_re = (1.0 - s) * re + c * im + (1.0 + s) * mirror_re + c * mirror_im;
    const double wave_im = (1.0 - s) * im - c * re - (1.0 + s) * mirror_im + c * mirror_re;
    const double influence = a + b + 2.0 * c * (double)gamma[l] + (b - a) * s;
    weights[l] = (l == 0 ? 0.03125 : 0.0625) * influence * (wave_re * wave_re + wave_im * wave_im);
  }
}

/* Energy and virial of the waves (j, k, l), l in lanes, of these energies. */
static void add_waves(const struct rill_mesh *mesh, double j, double k, const double *weights,
                      struct rill_wave_sums *sums) {
  const double(*inverse)[3] = mesh->lattice.inverse;
  const vreal m0 = v_set(j * inverse[0][0]), m1 = v_set(j * inverse[1][0] + k * inverse[1][1]);
  const vreal m2_first = v_set(j * inverse[2][0] + k * inverse[2][1]), decay = v_set(mesh->decay);
  vreal energy = v_set(0.0), first = v_set(0.0), second = v_set(0.0), all = v_set(0.0);
  for (size_t l = 0; l < mesh->half; l += RILL_WIDTH) {
    const vreal m2 = v_fma(v_loadu(mesh->waves_c + l), v_set(inverse[2][2]), m2_first);
    const vreal square = v_max(v_fma(m2, m2, v_fma(m1, m1, m0 * m0)), v_set(1e-300));
    const vreal e = v_loadu(weights + l), factor = v_set(-2.0) * e * (v_set(1.0) / square + decay);
    energy += e;
    all += factor;
    first = v_fma(factor, m2, first);
    second = v_fma(factor * m2, m2, second);
  }
  sums->energy += v_sum(energy);
  sums->tensor[0] += v_sum(all * m0 * m0);
  sums->tensor[1] += v_sum(all * m0 * m1);
  sums->tensor[2] += v_sum(first * m0);
  sums->tensor[3] += v_sum(all * m1 * m1);
  sums->tensor[4] += v_sum(first * m1);
  sums->tensor[5] += v_sum(second);
}

static void influence(const struct rill_mesh *mesh, size_t y, const void *waves, const void *mirror, void *to,
                      double *weights, struct rill_wave_sums *sums) {
  const size_t a = mesh->grid[0], row = mesh->spectrum_row, other_y = y == 0 ? 0 : mesh->grid[1] - y;
  if (sums != NULL) memset(sums, 0, sizeof *sums);
  for (size_t x = 0; x < a; x++) {
    const size_t other_x = x == 0 ? 0 : a - x;
    const real *alpha = (const real *)mesh->alpha + (y * a + x) * row;
    const real *gamma = (const real *)mesh->gamma + (y * a + x) * row;
    const real *own = (const real *)waves + 2 * x * row, *other = (const real *)mirror + 2 * other_x * row;
    mix_row(alpha, gamma, own, other, mesh->half, (real *)to + 2 * x * row);
    if (sums == NULL) continue;
    weigh_row(mesh, alpha, (const real *)mesh->alpha + (other_y * a + other_x) * row, gamma, own, other, weights);
    add_waves(mesh, mesh->waves_a[x], mesh->waves_b[y], weights, sums);
  }
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

/* Sums of a piece, in lanes. */
struct lane_sums { vreal excluded, virial[3][3], inner[3][3]; };

/* Takes the pairs of one molecule off: energy -k q q P(r2), P = erf(beta r)/r as a polynomial. */
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
      sums->excluded += v_and_mask(v_set(-charges) * energy, mask);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sums->virial[i][j] += v_and_mask(force * d[p][i] * d[p][j], mask);
    }
  }
}

/* sum of (r - centre)_i f_j. */
SPECIALISED void add_inner(const struct rill_mesh *mesh, const vreal x[9], const vreal f[9], vmask mask,
                           struct lane_sums *sums) {
  const double *mass = mesh->model.mass, whole = mass[0] + mass[1] + mass[2];
  for (int i = 0; i < 3; i++) {
    const vreal centre = v_fma(v_set(mass[2] / whole), x[6 + i],
                               v_fma(v_set(mass[1] / whole), x[3 + i], v_set(mass[0] / whole) * x[i]));
    for (int j = 0; j < 3; j++) {
      vreal sum = v_set(0.0);
      for (int a = 0; a < RILL_ATOMS; a++) sum = v_fma(x[3 * a + i] - centre, f[3 * a + j], sum);
      sums->inner[i][j] += v_and_mask(sum, mask);
    }
  }
}

SPECIALISED void finish_block(const struct rill_mesh *mesh, const double *q, double *f, size_t number,
                              const real slopes[3][SITES], const int wanted, struct lane_sums *sums) {
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
                               const int wanted, struct lane_sums *sums, const int order) {
  struct block block;
  real slopes[3][SITES] ALIGNED;
  memset(block.fraction, 0, sizeof block.fraction);
  memset(slopes, 0, sizeof slopes);
  for (size_t number = first; number < end; number++) {
    const size_t count = block_count(mesh, number);
    prepare(mesh, q, number, order, 1, &block);
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t l = 0; l < count; l++) gather_atom(mesh, &block, a * BLOCK + l, order, slopes);
    if (wanted)
      finish_block(mesh, q, f, number, (const real(*)[SITES])slopes, 1, sums);
    else
      finish_block(mesh, q, f, number, (const real(*)[SITES])slopes, 0, sums);
  }
}

static void gather(const struct rill_mesh *mesh, const double *q, double *f, size_t first, size_t end,
                   struct rill_gather_sums *sums) {
  struct lane_sums lane_sums;
  memset(&lane_sums, 0, sizeof lane_sums);
  FOR_ORDER(mesh->order, gather_blocks(mesh, q, f, first, end, sums != NULL, &lane_sums, n_));
  if (sums == NULL) return;
  sums->excluded = v_sum(lane_sums.excluded);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      sums->virial[i][j] = v_sum(lane_sums.virial[i][j]);
      sums->inner[i][j] = v_sum(lane_sums.inner[i][j]);
    }
}

#define RILL_MESH_KERNEL { survey, spread, extend, influence, gather }
