/* The vector body of the mesh: splines, spreading, solving, gathering.  A file that includes it, once, names the
 * instruction set and the precision (base/simd/simd.h, base/simd/real.h).
 *
 * Splines are computed with the atoms of a block of molecules in lanes; spreading and gathering go atom by atom, four
 * points of a row at a time.  With u the position in points, k = floor(u) and w = u - k, point k + j has the weight
 * M_n(w + n - 1 - j): the mesh is shifted by n - 1 points against the atoms, which |B| does not see. */
#include "base/simd/real.h"
#include "water/pme/fourier_body.h"
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

/* Row y of plane h of the spectrum, from place v. */
static struct line line_of_row(const struct rill_mesh *mesh, size_t h, size_t y, size_t v) {
  real *re = (real *)mesh->spectrum + (h * mesh->lines + y) * 2 * mesh->line_length + v;
  return (struct line){re, re + mesh->line_length, 0};
}

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

/* Along a, all lines of row y.  a is even: its even and odd points are real and imaginary part of one transform Z of
 * half the length, h; X_k = (Z_k + Z*_(h-k)) / 2 - i/2 exp(-2 pi i k / a) (Z_k - Z*_(h-k)).  Odd: as it stands. */
static void rows_forward(const struct rill_mesh *mesh, size_t y, void *scratch) {
  const struct rill_fourier *fourier = &mesh->along[0];
  const size_t a = mesh->grid[0], length = fourier->length, vectors = length * RILL_REAL_LANES;
  const struct line buffer = {scratch, (real *)scratch + vectors, RILL_REAL_LANES};
  real *work = (real *)scratch + 2 * vectors;
  for (size_t v = 0; v < mesh->grid[2]; v += RILL_REAL_LANES) {
    real *points = (real *)mesh->points + y * mesh->row_length + v;
    if (a % 2 == 0) {
      const struct line pairs = {points, points + mesh->plane_length, 2 * mesh->plane_length};
      fourier_transform(fourier, pairs, buffer, work);
    } else {
      for (size_t x = 0; x < a; x++)
        n_store(&buffer, x, (struct number){l_load(points + x * mesh->plane_length), l_set(0)});
      fourier_transform(fourier, buffer, buffer, work);
    }
    for (size_t k = 0; k < mesh->waves; k++) {
      const struct line spectrum = line_of_row(mesh, k, y, v);
      struct number z = n_load(&buffer, k);
      if (a % 2 == 0) {
        const struct number other = n_conjugate(n_load(&buffer, k == 0 ? 0 : length - k));
        const struct number turned = n_turn(n_sub(z, other), (const real *)mesh->turns + 2 * k);
        z = n_scale(l_set((real)0.5), n_sub_i(n_add(z, other), turned));
      }
      n_store(&spectrum, 0, z);
    }
  }
}

/* The inverse; the wave of half the grid is 0.  Z_k = X_k + X*_(h-k) + i exp(2 pi i k / a) (X_k - X*_(h-k)). */
static void rows_backward(const struct rill_mesh *mesh, size_t y, void *scratch) {
  const struct rill_fourier *fourier = &mesh->along[0];
  const size_t a = mesh->grid[0], length = fourier->length, vectors = length * RILL_REAL_LANES;
  const struct line buffer = {scratch, (real *)scratch + vectors, RILL_REAL_LANES};
  real *work = (real *)scratch + 2 * vectors;
  for (size_t v = 0; v < mesh->grid[2]; v += RILL_REAL_LANES) {
    real *points = (real *)mesh->points + y * mesh->row_length + v;
    for (size_t k = 0; k < mesh->waves; k++) {
      const struct line spectrum = line_of_row(mesh, k, y, v), mirror = line_of_row(mesh, length - k, y, v);
      const struct number x = n_load(&spectrum, 0);
      if (a % 2 != 0) {
        n_store(&buffer, k, x);
        if (k > 0) n_store(&buffer, a - k, n_conjugate(x));
      } else {
        const struct number zero = {l_set(0), l_set(0)}, other = k == 0 ? zero : n_conjugate(n_load(&mirror, 0));
        const struct number turned = n_turn_back(n_sub(x, other), (const real *)mesh->turns + 2 * k);
        n_store(&buffer, k, n_add_i(n_add(x, other), turned));
      }
    }
    if (a % 2 == 0) {
      fourier_transform(fourier, n_exchanged(buffer),
                        (struct line){points + mesh->plane_length, points, 2 * mesh->plane_length}, work);
    } else {
      fourier_transform(fourier, n_exchanged(buffer), n_exchanged(buffer), work);
      for (size_t x = 0; x < a; x++) l_store(points + x * mesh->plane_length, n_load(&buffer, x).re);
    }
  }
  for (size_t x = 0; x < a; x++) {
    real *row = (real *)mesh->points + x * mesh->plane_length + y * mesh->row_length;
    for (size_t k = mesh->grid[2]; k < mesh->grid[2] + (size_t)mesh->order; k++) row[k] = row[k - mesh->grid[2]];
  }
}

/* Rows to lanes and back: RILL_REAL_LANES rows of c points, `step` apart, and columns of vectors. */
static void rows_to_lanes(const real *rows, size_t step, size_t c, real *columns) {
  for (size_t r = 0; r < RILL_REAL_LANES; r += 4)
    for (size_t z = 0; z < c; z += 4) {
      quad a[4];
#pragma GCC unroll 4
      for (size_t k = 0; k < 4; k++) a[k] = q_load(rows + (r + k) * step + z);
      q_transpose(a);
#pragma GCC unroll 4
      for (size_t k = 0; k < 4; k++) q_store(columns + (z + k) * RILL_REAL_LANES + r, a[k]);
    }
}

static void lanes_to_rows(const real *columns, size_t step, size_t c, real *rows) {
  for (size_t r = 0; r < RILL_REAL_LANES; r += 4)
    for (size_t z = 0; z < c; z += 4) {
      quad a[4];
#pragma GCC unroll 4
      for (size_t k = 0; k < 4; k++) a[k] = q_load(columns + (z + k) * RILL_REAL_LANES + r);
      q_transpose(a);
#pragma GCC unroll 4
      for (size_t k = 0; k < 4; k++) q_store(rows + (r + k) * step + z, a[k]);
    }
}

/* Energy and virial of waves (h, k, l), k in lanes from y on, before the influence function: the waves of negative h,
 * which the half spectrum leaves out, count too; those of h = 0 are all in it. */
static void weigh(const struct rill_mesh *mesh, size_t h, size_t y, const real *influence, const struct line *column,
                  struct rill_wave_sums *sums) {
  const double(*inverse)[3] = mesh->lattice.inverse;
  const vreal m0 = v_set((double)h * inverse[0][0]), decay = v_set(mesh->decay), half = v_set(h == 0 ? 0.5 : 1.0);
  for (size_t p = 0; p < RILL_REAL_LANES; p += RILL_WIDTH) {
    const vreal k = v_loadu(mesh->waves_b + y + p);
    vreal energy = v_set(0.0), tensor[6];
    for (int n = 0; n < 6; n++) tensor[n] = v_set(0.0);
    for (size_t z = 0; z < mesh->grid[2]; z++) {
      const size_t at = z * RILL_REAL_LANES + p;
      const vreal re = v_load_real(column->re + at), im = v_load_real(column->im + at);
      const vreal e = half * v_load_real(influence + at) * v_fma(re, re, im * im);
      const double l = mesh->waves_c[z];
      const vreal m1 = v_fma(k, v_set(inverse[1][1]), v_set((double)h * inverse[1][0]));
      const vreal m2 = v_fma(k, v_set(inverse[2][1]), v_set((double)h * inverse[2][0] + l * inverse[2][2]));
      const vreal square = v_max(v_fma(m2, m2, v_fma(m1, m1, m0 * m0)), v_set(1e-300));
      const vreal factor = v_set(-2.0) * e * (v_set(1.0) / square + decay);
      const vreal f0 = factor * m0, f1 = factor * m1;
      energy += e;
      tensor[0] = v_fma(f0, m0, tensor[0]);
      tensor[1] = v_fma(f0, m1, tensor[1]);
      tensor[2] = v_fma(f0, m2, tensor[2]);
      tensor[3] = v_fma(f1, m1, tensor[3]);
      tensor[4] = v_fma(f1, m2, tensor[4]);
      tensor[5] = v_fma(factor * m2, m2, tensor[5]);
    }
    sums->energy += v_sum(energy);
    for (int n = 0; n < 6; n++) sums->tensor[n] += v_sum(tensor[n]);
  }
}

static void solve(const struct rill_mesh *mesh, size_t h, void *scratch, struct rill_wave_sums *sums) {
  const struct rill_fourier *along_b = &mesh->along[1], *along_c = &mesh->along[2];
  const size_t c = mesh->grid[2], padded = (c + 3) / 4 * 4, step = 2 * mesh->line_length;
  real *plane = line_of_row(mesh, h, 0, 0).re;
  const struct line column = {scratch, (real *)scratch + padded * RILL_REAL_LANES, RILL_REAL_LANES};
  real *work = (real *)scratch + 2 * padded * RILL_REAL_LANES;
  const real *influence = (const real *)mesh->influence + h * mesh->lines * c;
  if (sums != NULL) memset(sums, 0, sizeof *sums);
  for (size_t v = 0; v < c; v += RILL_REAL_LANES) {
    const struct line line = {plane + v, plane + mesh->line_length + v, step};
    fourier_transform(along_b, line, line, work);
  }
  for (size_t y = 0; y < mesh->grid[1]; y += RILL_REAL_LANES) {
    real *rows = plane + y * step;
    rows_to_lanes(rows, step, c, column.re);
    rows_to_lanes(rows + mesh->line_length, step, c, column.im);
    fourier_transform(along_c, column, column, work);
    if (sums != NULL) weigh(mesh, h, y, influence + y * c, &column, sums);
    for (size_t z = 0; z < c; z++)
      n_store(&column, z, n_scale(l_load(influence + y * c + z * RILL_REAL_LANES), n_load(&column, z)));
    fourier_transform(along_c, n_exchanged(column), n_exchanged(column), work);
    lanes_to_rows(column.re, step, c, rows);
    lanes_to_rows(column.im, step, c, rows + mesh->line_length);
  }
  for (size_t v = 0; v < c; v += RILL_REAL_LANES) {
    const struct line line = n_exchanged((struct line){plane + v, plane + mesh->line_length + v, step});
    fourier_transform(along_b, line, line, work);
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

#define RILL_MESH_KERNEL { RILL_REAL_LANES, survey, spread, rows_forward, solve, rows_backward, gather }
