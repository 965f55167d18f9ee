#include "water/pme/accuracy.h"

#include <math.h>

#include "water/pme/lattice.h"

/* Root mean square force of an atom in liquid TIP3P at 298 K and 0.99 g/cm3 (rigid molecules, no constraint forces),
 * kJ/mol/nm, of charges as TIP3P's: measured on equilibrated boxes of 216 and 895 molecules. */
static const double liquid_force = 1020.0;

/* Rounding of a mesh in float, charges in integers: 2e-7 to 3e-7 is measured with grids and orders that are chosen. */
static const double single_limit = 2e-6;

/* Mean square wave of the charges of liquid TIP3P over that of its molecules in random places and orientations, for
 * wave numbers 1.25, 3.75, ... /nm; 1 beyond.  Measured on the same two boxes.  (Dielectric screening below 17
 * /nm.) */
enum { LIQUID_WAVES = 24 };
static const double liquid_step = 2.5;
static const double liquid_waves[LIQUID_WAVES] = {
    0.05, 0.06, 0.05, 0.06, 0.07, 0.09, 0.18, 0.35, 0.60, 0.90, 1.25, 1.47,
    1.49, 1.20, 0.93, 0.82, 0.76, 0.80, 0.92, 1.03, 1.12, 1.10, 1.08, 1.03};

/* sum of q2 over all atoms */
static double charges2(const struct rill_water_model *model, size_t molecules) {
  double sum = 0.0;
  for (int a = 0; a < RILL_ATOMS; a++) sum += model->charge[a] * model->charge[a];
  return sum * (double)molecules;
}

/* Kolafa & Perram, Mol. Simul. 9, 351 (1992), equation 18: charges beyond the cutoff taken as uncorrelated. */
static double real_error(double force, double volume, double beta, double cutoff) {
  return force * 2.0 / sqrt(cutoff * volume) * exp(-beta * beta * cutoff * cutoff);
}

static double liquid_wave(double k) {
  const double at = k / liquid_step - 0.5;
  const int n = (int)fmin(at, LIQUID_WAVES);
  if (at <= 0.0) return liquid_waves[0];
  if (n + 1 >= LIQUID_WAVES) return 1.0;
  return liquid_waves[n] + (at - n) * (liquid_waves[n + 1] - liquid_waves[n]);
}

/* Mean square of the charges' wave of number k (1/nm), over that of uncorrelated charges: a molecule's in all
 * orientations alike (Debye's formula), times the liquid's. */
static double correlation(const struct rill_water_model *model, double k) {
  static const int first[RILL_BONDS] = {0, 0, 1}, second[RILL_BONDS] = {1, 2, 2};
  const double alone = charges2(model, 1);
  double sum = alone;
  for (int b = 0; b < RILL_BONDS; b++) {
    const double x = k * model->bond[b];
    sum += 2.0 * model->charge[first[b]] * model->charge[second[b]] * (x > 0.0 ? sin(x) / x : 1.0);
  }
  return sum / alone * liquid_wave(k);
}

/* A spline of order n sees exp(i theta u) at the points as c0 exp(i theta u) and its aliases, exp of
 * i (theta + 2 pi j) u with the amplitude c0 |theta / (theta + 2 pi j)|^n = c0 c_j.  Waves of |theta| > pi are lost.
 * The square of the error of an atom's force is summed over all waves k, S the correlation, for one axis of spacing
 * h, theta = h times k along the axis:
 *   S(k) k2 (1 - c0^2)^2           the wave itself, weakened by spreading and gathering
 *   S(k) c0^4 sum of c_j^2 |k_j|2  its aliases k_j = k + 2 pi j / h in the gathering
 *   c0^4 sum of c_j^2 k2 S(k_j)    waves that were taken for it in the spreading
 * times the squared influence function, exp(-k2 / 2 beta2) / k4.  Numbers here are in units of beta.  In a skew box
 * the shift by 2 pi / h along the axis has a part across it, which makes it longer by the factor `skew`. */
static double aliasing(const struct rill_water_model *model, double beta, int order, double spacing, double skew) {
  const double step = 0.15, limit = 7.0, shift = 2.0 * M_PI / spacing;
  double sum = 0.0;
  for (double along = 0.5 * step; along < limit; along += step) {
    const double theta = along * spacing;
    double c2[5], amplitudes = 0.0, c0, lost;
    for (int j = -2; j <= 2; j++) {
      const double c = j == 0 || theta >= M_PI ? 0.0 : pow(fabs(theta / (theta + 2.0 * M_PI * j)), order);
      c2[j + 2] = c * c;
      amplitudes += c;
    }
    c0 = 1.0 / (1.0 + amplitudes);
    lost = theta < M_PI ? 1.0 - c0 * c0 : 1.0;
    for (double across = 0.5 * step; along * along + across * across < limit * limit; across += step) {
      const double k2 = along * along + across * across, own = correlation(model, beta * sqrt(k2));
      double errors = own * k2 * lost * lost;
      for (int j = -2; j <= 2; j++) {
        const double alias2 = k2 + 2.0 * j * along * shift + j * j * shift * shift * skew * skew;
        if (c2[j + 2] == 0.0) continue;
        errors += pow(c0, 4) * c2[j + 2] * (own * alias2 + k2 * correlation(model, beta * sqrt(alias2)));
      }
      sum += exp(-0.5 * k2) / (k2 * k2) * errors * across * step * step;
    }
  }
  return 8.0 * sum; /* with the waves of negative `along` */
}

static double edge(const struct rill_lattice *lattice, int axis) {
  const double *v = lattice->box[axis];
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Length of the edge over the distance of the faces it joins. */
static double skew_of(const struct rill_lattice *lattice, int axis) {
  double square = 0.0;
  for (int c = 0; c < 3; c++) square += lattice->inverse[c][axis] * lattice->inverse[c][axis];
  return edge(lattice, axis) * sqrt(square);
}

/* k q q2 / sqrt(N): what an atom's force error is counted in. */
static double force_unit(const struct rill_water_model *model, size_t molecules) {
  return model->coulomb_constant * charges2(model, molecules) / sqrt((double)(RILL_ATOMS * molecules));
}

static double mesh_error(double unit, double volume, double beta, double aliased) {
  return unit * sqrt(beta * aliased / volume) / liquid_force;
}

enum rill_status rill_pme_expect(const struct rill_water_model *model, size_t molecules, const double box[3][3],
                                 double cutoff, const struct rill_pme_parameters *parameters,
                                 struct rill_pme_expectation *expectation, struct rill_error *error) {
  const double unit = force_unit(model, molecules), beta = parameters->beta;
  struct rill_lattice lattice;
  double aliased = 0.0;
  RILL_TRY(rill_lattice_find(model, box, &lattice, error));
  for (int axis = 0; axis < 3; axis++)
    aliased += aliasing(model, beta, parameters->order, beta * edge(&lattice, axis) / (double)parameters->grid[axis],
                        skew_of(&lattice, axis));
  expectation->real = real_error(unit, lattice.volume, beta, cutoff) / liquid_force;
  expectation->mesh = mesh_error(unit, lattice.volume, beta, aliased);
  return RILL_OK;
}

/* Lengths that FFTW is fast with, and nanoseconds a point of the mesh for a pass there or back, measured in float with
 * estimated plans in the cache: of lines side by side (along a and b), and of lines one after another (c).  A length
 * that is missing costs more than the next. */
struct fast_length { int length; double cost; };
static const struct fast_length side_by_side[] = {
    {8, 0.20}, {9, 0.22}, {10, 0.21}, {11, 0.24}, {12, 0.21}, {13, 0.28}, {14, 0.22}, {15, 0.23}, {16, 0.22}, {20,
    0.23}, {25, 0.34}, {32, 0.22}, {36, 0.65}, {40, 0.55}, {42, 0.76}, {48, 0.54}, {64, 0.24}, {72, 0.57}, {80,
    0.58}, {84, 0.65}, {96, 0.52}, {100, 0.64}, {128, 0.27}, {140, 0.64}, {144, 0.66}, {160, 0.61}, {180, 0.69},
    {200, 0.65}, {224, 0.93}, {256, 0.56}, {288, 0.80}, {320, 0.72}, {384, 0.88}, {400, 1.06}};
static const struct fast_length one_by_one[] = {
    {8, 0.15}, {10, 0.17}, {12, 0.17}, {14, 0.19}, {16, 0.17}, {18, 0.21}, {20, 0.18}, {22, 0.25}, {24, 0.21},
    {26, 0.28}, {28, 0.22}, {30, 0.22}, {32, 0.20}, {40, 0.22}, {50, 0.33}, {64, 0.23}, {72, 0.67}, {80, 0.62},
    {84, 0.83}, {96, 0.28}, {128, 0.24}, {160, 0.33}, {192, 0.29}, {256, 0.31}, {288, 0.28}, {320, 0.33}, {384, 0.30},
    {400, 0.40}};

/* Beyond the tables: factors 2, 3 and 5, which cost this much. */
enum { LENGTH_MAX = 2048 };
static const double long_cost = 1.2;

/* The least of them; 0 when there is none.  Its cost is added for both ways. */
static size_t find_length(double least, int axis, double *cost) {
  const struct fast_length *fast = axis == 2 ? one_by_one : side_by_side;
  const size_t count = axis == 2 ? sizeof one_by_one / sizeof *one_by_one : sizeof side_by_side / sizeof *side_by_side;
  for (size_t k = 0; k < count; k++)
    if (fast[k].length >= least) {
      *cost += 2.0 * fast[k].cost;
      return (size_t)fast[k].length;
    }
  *cost += 2.0 * long_cost;
  for (size_t length = (size_t)fast[count - 1].length; length <= LENGTH_MAX; length += 2) {
    size_t rest = length;
    while (rest % 2 == 0) rest /= 2;
    while (rest % 3 == 0) rest /= 3;
    while (rest % 5 == 0) rest /= 5;
    if (rest == 1 && (double)length >= least) return length;
  }
  return 0;
}

/* Nanoseconds a pass, measured likewise: an atom's splines, spreading and gathering for the orders 4, 5, ... 12; a
 * point's other work. */
static const double atom_costs[] = {28.0, 41.0, 51.0, 69.0, 90.0, 190.0, 250.0, 340.0, 460.0}, point_cost = 0.5;

/* What a point costs more in a mesh beyond the caches, 0.5 ns at 128^3, 2 at 256^3, 2.3 at 320^3. */
static double memory_cost(double points) { return 3.0 * points / (points + 1e7); }

/* The widest spacing, the same along all axes, at which an order errs by the accuracy. */
static double find_spacing(const struct rill_water_model *model, const struct rill_lattice *lattice, double unit,
                           double beta, int order, double accuracy) {
  double low = 0.02, high = 4.0;   /* times beta */
  for (int k = 0; k < 11; k++) {
    const double middle = sqrt(low * high);
    double aliased = 0.0, one = 0.0;
    for (int axis = 0; axis < 3; axis++) {
      const double skew = skew_of(lattice, axis);
      if (axis == 0 || skew != skew_of(lattice, axis - 1)) one = aliasing(model, beta, order, middle, skew);
      aliased += one;
    }
    if (mesh_error(unit, lattice->volume, beta, aliased) <= accuracy)
      low = middle;
    else
      high = middle;
  }
  return low / beta;
}

enum rill_status rill_pme_choose(const struct rill_water_model *model, size_t molecules, const double box[3][3],
                                 double cutoff, double accuracy, enum rill_mesh_precision precision,
                                 struct rill_pme_parameters *parameters, struct rill_error *error) {
  /* Estimates are within a quarter; a cutoff by molecules errs four times the real part's share.  That share is small:
   * what molecules have left of their interaction as they cross the cutoff is also what the energy drifts by. */
  const double share = 1.0 / 40.0, margin = 0.85, unit = force_unit(model, molecules);
  const double atoms = (double)(RILL_ATOMS * molecules);
  struct rill_lattice lattice;
  double best = INFINITY, decay;
  RILL_TRY(rill_lattice_find(model, box, &lattice, error));
  if (!(accuracy >= 1e-10 && accuracy <= 1e-2))
    return rill_error_set(error, RILL_ERROR_INPUT, "accuracy %g of the mesh; expected 1e-10 to 1e-2", accuracy);
  if (precision == RILL_MESH_SINGLE && accuracy < single_limit)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "accuracy %g of a mesh in float, which has %g at best; use precision = double", accuracy,
                          single_limit);
  if (!(cutoff > 0.0) || molecules == 0)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "cutoff %g nm, %zu molecules for a mesh; expected positive numbers", cutoff, molecules);
  decay = share * accuracy * liquid_force / real_error(unit, lattice.volume, 0.0, cutoff);
  *parameters = (struct rill_pme_parameters){.beta = sqrt(fmax(-log(decay), 1.0)) / cutoff, .precision = precision};
  for (int order = 4; order <= RILL_PME_ORDER_MAX; order++) {
    const double spacing = find_spacing(model, &lattice, unit, parameters->beta, order, margin * accuracy);
    double cost, points = 1.0, each = point_cost;
    size_t grid[3];
    for (int axis = 0; axis < 3; axis++) {
      grid[axis] = find_length(fmax(ceil(edge(&lattice, axis) / spacing), order), axis, &each);
      points *= (double)grid[axis];
    }
    if (points == 0.0) continue;
    cost = atoms * atom_costs[order - 4] + points * (each + memory_cost(points));
    if (cost >= best) continue;
    best = cost;
    parameters->order = order;
    for (int axis = 0; axis < 3; axis++) parameters->grid[axis] = grid[axis];
  }
  if (isinf(best))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "no mesh for accuracy %g in a box of %g nm3: its grid would exceed %d points along an axis",
                          accuracy, lattice.volume, LENGTH_MAX);
  return RILL_OK;
}
