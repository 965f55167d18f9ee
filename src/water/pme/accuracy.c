#include "water/pme/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "water/cell.h"
#include "water/model/site.h"
#include "water/pme/lattice.h"

/* Measured on equilibrated boxes of 216 and 895 molecules at 0.99 g/cm3. */
const double rill_liquid_force = 1020.0;

/* Molecules per nm3; below this fraction of it a box is not filled with liquid. */
static const double liquid_density = 33.0, filled = 0.75;

/* Errors of a mesh in float with charges in integers: 2e-7 to 3e-7 is measured with the grids and orders that are
 * chosen. */
static const double single_limit = 2e-6;

/* Mean square wave of the charges of liquid TIP3P, relative to that of its molecules at random positions and
 * orientations, for wave numbers 1.25, 3.75, ... /nm; 1 beyond.  Measured on the same two boxes.  (Dielectric
 * screening below 17 /nm.) */
enum { LIQUID_WAVES = 24 };
static const double liquid_step = 2.5;
static const double liquid_waves[LIQUID_WAVES] = {0.05, 0.06, 0.05, 0.06, 0.07, 0.09, 0.18, 0.35,
                                                  0.60, 0.90, 1.25, 1.47, 1.49, 1.20, 0.93, 0.82,
                                                  0.76, 0.80, 0.92, 1.03, 1.12, 1.10, 1.08, 1.03};

/* sum of q2 over all charges */
static double charges2(const struct rill_water_model *model, size_t molecules) {
  double sum = 0.0;
  for (int a = 0; a < RILL_ATOMS; a++) sum += model->charge[a] * model->charge[a];
  return sum * (double)molecules;
}

/* Kolafa & Perram, Mol. Simul. 9, 351 (1992), equation 18: charges beyond the cutoff are assumed uncorrelated. */
static double real_error(double force, double volume, double beta, double cutoff) {
  return force * 2.0 / sqrt(cutoff * volume) * exp(-beta * beta * cutoff * cutoff);
}

int rill_pme_is_filled(size_t molecules, double volume) {
  return (double)molecules >= filled * liquid_density * volume;
}

/* The volume that the molecules occupy. */
static double occupied(const struct rill_lattice *lattice, size_t molecules) {
  return rill_pme_is_filled(molecules, lattice->volume) ? lattice->volume : (double)molecules / liquid_density;
}

/* The force per charge between a and b by erfc(beta r) / r, over r. */
static double screened_over_r(double beta, double r2) {
  const double r = sqrt(r2);
  return (erfc(beta * r) / r + beta * M_2_SQRTPI * exp(-beta * beta * r2)) / r2;
}

/* The hydrogens of a molecule whose oxygen is at the origin, and whose bisector is along y; returns the distance of
 * the oxygen's charge. */
static double place_charges(const struct rill_water_model *model, double h[2][3]) {
  const double half = 0.5 * model->bond[2], height = sqrt(model->bond[0] * model->bond[0] - half * half);
  for (int k = 0; k < 2; k++) {
    h[k][0] = k == 0 ? half : -half;
    h[k][1] = height;
    h[k][2] = 0.0;
  }
  return 2.0 * model->site_weight * height;
}

/* The mean square of the screened field, without the Coulomb constant, at a distance s from the oxygen of a molecule,
 * over all orientations. */
static double field2(const struct rill_water_model *model, double beta, double s) {
  enum { POLAR = 6, AROUND = 8 };
  double h[2][3], sum = 0.0;
  const double site = place_charges(model, h);
  for (int i = 0; i < POLAR; i++)
    for (int j = 0; j < AROUND; j++) { /* directions from the molecule, evenly over half of the sphere */
      const double z = (i + 0.5) / POLAR, phi = 2.0 * M_PI * (j + 0.5) / AROUND, across = sqrt(1.0 - z * z);
      const double x[3] = {s * across * cos(phi), s * across * sin(phi), s * z}, y = x[1] - site;
      const double r2 = site == 0.0 ? s * s : x[0] * x[0] + y * y + x[2] * x[2];
      const double own = model->charge[0] * screened_over_r(beta, r2);
      double field[3] = {own * x[0], own * y, own * x[2]};
      for (int k = 0; k < 2; k++) {
        const double d[3] = {x[0] - h[k][0], x[1] - h[k][1], x[2] - h[k][2]};
        const double one = model->charge[1 + k] * screened_over_r(beta, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int c = 0; c < 3; c++) field[c] += one * d[c];
      }
      sum += field[0] * field[0] + field[1] * field[1] + field[2] * field[2];
    }
  return sum / (POLAR * AROUND);
}

/* The same at a charge at the distance d from an oxygen that is r away, over its directions too. */
static double field2_around(const struct rill_water_model *model, double beta, double r, double d) {
  enum { POLAR = 8 };
  double sum = 0.0;
  if (d == 0.0) return field2(model, beta, r);
  for (int k = 0; k < POLAR; k++) { /* evenly over the sphere */
    const double towards = -1.0 + (2.0 * k + 1.0) / POLAR;
    sum += field2(model, beta, sqrt(r * r + d * d - 2.0 * r * d * towards)) / POLAR;
  }
  return sum;
}

/* Root mean square force on an atom from the molecules whose oxygens are beyond the cutoff from its own, assuming
 * uncorrelated molecules.  Their atoms may be nearer than the cutoff by twice the bond: at small errors the omitted
 * force is much larger than when atoms are cut. */
static double real_error_by_molecules(const struct rill_water_model *model, double density, double beta,
                                      double cutoff) {
  enum { SHELLS = 16 };
  const double nearest = fmax(cutoff - 2.0 * model->bond[0], 0.5 * cutoff);
  const double step = 8.0 / (4.0 * beta * beta * nearest) / SHELLS; /* the square decays as exp(-2 beta2 r2) */
  double h[2][3], sum = 0.0;
  const double site = place_charges(model, h);
  for (int shell = 0; shell < SHELLS; shell++) {
    const double r = cutoff + (shell + 0.5) * step;
    sum += 4.0 * M_PI * r * r * step *
           (model->charge[0] * model->charge[0] * field2_around(model, beta, r, site) +
            2.0 * model->charge[1] * model->charge[1] * field2_around(model, beta, r, model->bond[0])) /
           RILL_ATOMS;
  }
  return model->coulomb_constant * sqrt(density * sum);
}

static double liquid_wave(double k) {
  const double at = k / liquid_step - 0.5;
  const int n = (int)fmin(at, LIQUID_WAVES);
  if (at <= 0.0) return liquid_waves[0];
  if (n + 1 >= LIQUID_WAVES) return 1.0;
  return liquid_waves[n] + (at - n) * (liquid_waves[n + 1] - liquid_waves[n]);
}

/* Mean square of the charges' wave of number k (1/nm), relative to that of uncorrelated charges: that of a molecule
 * averaged over orientations (Debye's formula), times the liquid's. */
static double correlation(const struct rill_water_model *model, double k) {
  const double alone = charges2(model, 1);
  double sum = alone;
  for (int b = 0; b < RILL_BONDS; b++) {
    const double x = k * model->bond[b];
    sum += 2.0 * model->charge[rill_bond_ends[b][0]] * model->charge[rill_bond_ends[b][1]] *
           (x > 0.0 ? sin(x) / x : 1.0);
  }
  return sum / alone * liquid_wave(k);
}

/* A spline of order n represents exp(i theta u) at the points by c0 exp(i theta u) and its aliases, exp of
 * i (theta + 2 pi j) u with the amplitude c0 |theta / (theta + 2 pi j)|^n = c0 c_j.  Waves of |theta| > pi are lost.
 * The square of the error of an atom's force is summed over all waves k, S the correlation, for one axis of spacing
 * h, theta = h times k along the axis:
 *   S(k) k2 (1 - c0^2)^2           the wave itself, weakened by spreading and gathering
 *   S(k) c0^4 sum of c_j^2 |k_j|2  its aliases k_j = k + 2 pi j / h in the gathering
 *   c0^4 sum of c_j^2 k2 S(k_j)    waves that were taken for it in the spreading
 * times the squared influence function, exp(-k2 / 2 beta2) / k4.  Numbers here are in units of beta.  In a skew box
 * the shift by 2 pi / h along the axis has a part across it, which makes it longer by the factor `skew`. */
static double aliasing(const struct rill_water_model *model, double beta, int order, double spacing, double skew) {
  const double step = 0.15, limit = 9.0, shift = 2.0 * M_PI / spacing;
  double sum = 0.0;
  for (double along = 0.5 * step; along < limit; along += step) {
    const double theta = along * spacing;
    double c2[5], amplitudes = 0.0, c0, c04, lost;
    for (int j = -2; j <= 2; j++) {
      const double c = j == 0 || theta >= M_PI ? 0.0 : pow(fabs(theta / (theta + 2.0 * M_PI * j)), order);
      c2[j + 2] = c * c;
      amplitudes += c;
    }
    c0 = 1.0 / (1.0 + amplitudes);
    c04 = pow(c0, 4);
    lost = theta < M_PI ? 1.0 - c0 * c0 : 1.0;
    for (double across = 0.5 * step; along * along + across * across < limit * limit; across += step) {
      const double k2 = along * along + across * across, own = correlation(model, beta * sqrt(k2));
      double errors = own * k2 * lost * lost;
      for (int j = -2; j <= 2; j++) {
        const double alias2 = k2 + 2.0 * j * along * shift + j * j * shift * shift * skew * skew;
        if (c2[j + 2] == 0.0) continue;
        errors += c04 * c2[j + 2] * (own * alias2 + k2 * correlation(model, beta * sqrt(alias2)));
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

/* Length of the edge over the distance between the faces that it joins. */
static double skew_of(const struct rill_lattice *lattice, int axis) {
  double square = 0.0;
  for (int c = 0; c < 3; c++) square += lattice->inverse[c][axis] * lattice->inverse[c][axis];
  return edge(lattice, axis) * sqrt(square);
}

/* k q q2 / sqrt(N): the unit of an atom's force error. */
static double force_unit(const struct rill_water_model *model, size_t molecules) {
  return model->coulomb_constant * charges2(model, molecules) / sqrt((double)(RILL_ATOMS * molecules));
}

static double mesh_error(double unit, double volume, double beta, double aliased) {
  return unit * sqrt(beta * aliased / volume) / rill_liquid_force;
}

enum rill_status rill_pme_expect(const struct rill_water_model *model, size_t molecules, const double box[3][3],
                                 struct rill_pme_cut cut, const struct rill_pme_parameters *parameters,
                                 struct rill_pme_expectation *expectation, struct rill_error *error) {
  const struct rill_water_model charges = rill_water_charges(model);
  const double unit = force_unit(model, molecules), beta = parameters->beta;
  struct rill_lattice lattice;
  double aliased = 0.0, volume;
  RILL_TRY(rill_lattice_find(model, box, &lattice, error));
  volume = occupied(&lattice, molecules);
  for (int axis = 0; axis < 3; axis++)
    aliased += aliasing(&charges, beta, parameters->order,
                        beta * edge(&lattice, axis) / (double)parameters->grid[axis], skew_of(&lattice, axis));
  expectation->real = (cut.by_molecules ? real_error_by_molecules(model, (double)molecules / volume, beta, cut.cutoff)
                                        : real_error(unit, volume, beta, cut.cutoff)) /
                      rill_liquid_force;
  expectation->mesh = mesh_error(unit, volume, beta, aliased);
  return RILL_OK;
}

/* Lengths that FFTW transforms fast, and nanoseconds per point of the mesh for a pass forward or back, measured in
 * float with estimated plans in the cache: for lines side by side (along a and b), and for consecutive lines (c).  A
 * length that is missing costs more than the next. */
struct fast_length {
  int length;
  double cost;
};
static const struct fast_length side_by_side[] = {
    {8, 0.20},   {9, 0.22},   {10, 0.21},  {11, 0.24},  {12, 0.21},  {13, 0.28},  {14, 0.22},
    {15, 0.23},  {16, 0.22},  {20, 0.23},  {25, 0.34},  {32, 0.22},  {36, 0.65},  {40, 0.55},
    {42, 0.76},  {48, 0.54},  {64, 0.24},  {72, 0.57},  {80, 0.58},  {84, 0.65},  {96, 0.52},
    {100, 0.64}, {128, 0.27}, {140, 0.64}, {144, 0.66}, {160, 0.61}, {180, 0.69}, {200, 0.65},
    {224, 0.93}, {256, 0.56}, {288, 0.80}, {320, 0.72}, {384, 0.88}, {400, 1.06}};
static const struct fast_length one_by_one[] = {
    {8, 0.15},   {10, 0.17},  {12, 0.17},  {14, 0.19},  {16, 0.17},  {18, 0.21},  {20, 0.18},
    {22, 0.25},  {24, 0.21},  {26, 0.28},  {28, 0.22},  {30, 0.22},  {32, 0.20},  {40, 0.22},
    {50, 0.33},  {64, 0.23},  {72, 0.67},  {80, 0.62},  {84, 0.83},  {96, 0.28},  {128, 0.24},
    {160, 0.33}, {192, 0.29}, {256, 0.31}, {288, 0.28}, {320, 0.33}, {384, 0.30}, {400, 0.40}};

/* Beyond the tables: factors 2, 3 and 5, at this cost. */
enum { LENGTH_MAX = 2048 };
static const double long_cost = 1.2;

/* The smallest such length that is at least `least`; 0 if there is none.  Its cost is added for both directions. */
static size_t find_length(double least, int axis, double *cost) {
  const struct fast_length *fast = axis == 2 ? one_by_one : side_by_side;
  const size_t count =
      axis == 2 ? sizeof one_by_one / sizeof *one_by_one : sizeof side_by_side / sizeof *side_by_side;
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

/* Nanoseconds per pass, measured likewise: for an atom's splines, spreading and gathering at orders 4, 5, ... 12; for
 * the remaining work of a point. */
static const double atom_costs[] = {28.0, 41.0, 51.0, 69.0, 90.0, 190.0, 250.0, 340.0, 460.0}, point_cost = 0.5;

/* Additional cost of a point in a mesh that exceeds the caches: 0.5 ns at 128^3, 2 at 256^3, 2.3 at 320^3. */
static double memory_cost(double points) { return 3.0 * points / (points + 1e7); }

/* The widest spacing, the same along all axes, at which an order's error is the accuracy. */
static double find_spacing(const struct rill_water_model *model, const struct rill_lattice *lattice, double unit,
                           double volume, double beta, int order, double accuracy) {
  double low = 0.02, high = 4.0; /* times beta */
  for (int k = 0; k < 11; k++) {
    const double middle = sqrt(low * high);
    double aliased = 0.0, one = 0.0;
    for (int axis = 0; axis < 3; axis++) {
      const double skew = skew_of(lattice, axis);
      if (axis == 0 || skew != skew_of(lattice, axis - 1)) one = aliasing(model, beta, order, middle, skew);
      aliased += one;
    }
    if (mesh_error(unit, volume, beta, aliased) <= accuracy) low = middle;
    else high = middle;
  }
  return low / beta;
}

/* Estimates are accurate to within a quarter. */
static const double margin = 0.85;
/* The real part's share of the error, when atoms are cut.  It is small because what is left of the interaction of
 * molecules as they cross the cutoff also affects pressure and energy, and makes the energy drift. */
static const double share = 1.0 / 40.0;
/* The largest share, when molecules are cut. */
static const double share_by_molecules = 1.0 / 3.0;

/* What the parameters are chosen for. */
struct target {
  const struct rill_water_model *model;
  double accuracy, density, unit, volume;
  int by_molecules;
};

static double find_beta(const struct target *target, double cutoff) {
  const double allowed = target->accuracy * rill_liquid_force;
  const double decay = share * allowed / real_error(target->unit, target->volume, 0.0, cutoff);
  double low = sqrt(fmax(-log(decay), 1.0)) / cutoff, high = 2.0 * low;
  if (!target->by_molecules ||
      real_error_by_molecules(target->model, target->density, low, cutoff) <= share_by_molecules * allowed)
    return low;
  for (int k = 0; k < 12; k++) {
    const double middle = 0.5 * (low + high);
    if (real_error_by_molecules(target->model, target->density, middle, cutoff) <= share_by_molecules * allowed)
      high = middle;
    else low = middle;
  }
  return high;
}

/* If beta is too large, the user can change the cutoff, unless the box is too small for it. */
static enum rill_status refuse_cutoff(const struct target *target, const double box[3][3], double cutoff,
                                      struct rill_error *error) {
  const double limit = rill_pme_beta_max(target->model);
  double short_of = cutoff, needed = 2.0 * cutoff, most;
  struct rill_cell cell;
  while (find_beta(target, needed) > limit) short_of = needed, needed *= 2.0;
  while (needed > 1.01 * short_of) {
    const double middle = sqrt(short_of * needed);
    if (find_beta(target, middle) > limit) short_of = middle;
    else needed = middle;
  }
  needed = 0.01 * ceil(100.0 * needed);
  RILL_TRY(rill_cell_create(box, &cell, error));
  most = 0.5 * cell.shortest;
  if (needed > most)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "the box is too small: an Ewald sum to %.2g needs a cutoff of at least %g nm, and the "
                          "box's shortest lattice vector, %.4g nm, leaves room for %.4g nm; take a box of at least "
                          "%g nm across (a crystal's cell can be repeated), or a coarser accuracy",
                          target->accuracy, needed, cell.shortest, most, 2.0 * needed);
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "a cutoff of %g nm is too short for an Ewald sum to %.2g; take a cutoff of at least %g nm "
                        "(the box holds up to %.4g nm), or a coarser accuracy",
                        cutoff, target->accuracy, needed, most);
}

/* A box of this many molecules may be divided among machines, where messages, of points, cost more than computing: of
 * meshes that cost at most `nearly` of the least on one machine, that with the fewest points is taken, also where
 * there is only one, so that bytes do not depend on it. */
enum { LARGE = 100000 };
static const double nearly = 1.125;

/* A mesh that suffices. */
struct candidate {
  double cost, points; /* cost 0: there is none */
  size_t grid[3];
};

/* The index of the one to be taken, or of the first, which may be none. */
static int choose_candidate(const struct candidate *candidate, int count, size_t molecules) {
  double least = INFINITY;
  int best = 0;
  for (int k = 0; k < count; k++)
    if (candidate[k].cost > 0.0) least = fmin(least, candidate[k].cost);
  for (int k = 0; k < count; k++) {
    const double limit = molecules >= LARGE ? nearly * least : least;
    if (!(candidate[k].cost > 0.0 && candidate[k].cost <= limit)) continue;
    if (candidate[best].cost == 0.0 || candidate[best].cost > limit || candidate[k].points < candidate[best].points)
      best = k;
  }
  return best;
}

/* Refuses orders and grids that no mesh has. */
static enum rill_status check_wish(const struct rill_pme_wish *wish, enum rill_mesh_precision precision,
                                   struct rill_error *error) {
  if (wish->order > rill_pme_order_max(precision))
    return rill_error_set(error, RILL_ERROR_INPUT, "a mesh of order %d in %s precision; expected at most %d",
                          wish->order, precision == RILL_MESH_SINGLE ? "single" : "double",
                          rill_pme_order_max(precision));
  if (wish->grid[2] % 2 != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "a mesh of %zu points along c; expected an even number",
                          wish->grid[2]);
  for (int axis = 0; axis < 3 && wish->grid[0] != 0; axis++)
    if (wish->grid[axis] < (size_t)(wish->order != 0 ? wish->order : 4))
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "a mesh of %zu points along %c; expected at least the order of its splines, %d",
                            wish->grid[axis], 'a' + axis, wish->order != 0 ? wish->order : 4);
  return RILL_OK;
}

/* The estimated error of a grid; infinite if it has fewer points than the order. */
static double grid_error(const struct target *target, const struct rill_water_model *charges,
                         const struct rill_lattice *lattice, double beta, int order, const size_t grid[3]) {
  double aliased = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    if (grid[axis] < (size_t)order) return INFINITY;
    aliased +=
        aliasing(charges, beta, order, beta * edge(lattice, axis) / (double)grid[axis], skew_of(lattice, axis));
  }
  return mesh_error(target->unit, target->volume, beta, aliased);
}

static enum rill_status refuse_grid(const struct rill_pme_wish *wish, double accuracy, double least,
                                    struct rill_error *error) {
  char order[32] = "";
  if (wish->order != 0) snprintf(order, sizeof order, " and order %d", wish->order);
  return rill_error_set(
      error, RILL_ERROR_INPUT,
      "a mesh of %zu, %zu, %zu points%s has an estimated error of %.2g; expected at most %.2g: take "
      "more points, a higher order, a longer cutoff, or a coarser accuracy",
      wish->grid[0], wish->grid[1], wish->grid[2], order, least, accuracy);
}

enum rill_status rill_pme_choose(const struct rill_water_model *model, size_t molecules, const double box[3][3],
                                 struct rill_pme_cut cut, double accuracy, enum rill_mesh_precision precision,
                                 const struct rill_pme_wish *wish, struct rill_pme_parameters *parameters,
                                 struct rill_error *error) {
  const double atoms = (double)(RILL_ATOMS * molecules);
  const struct rill_water_model charges = rill_water_charges(model);
  struct target target = {model, accuracy, 0.0, force_unit(model, molecules), 0.0, cut.by_molecules};
  static const struct rill_pme_wish none = {0};
  const struct rill_pme_wish *wished = wish != NULL ? wish : &none;
  struct rill_lattice lattice;
  struct candidate candidate[RILL_PME_ORDER_MAX - 3] = {{.cost = 0.0}}, *best;
  double least = INFINITY;
  int longest = 0;
  RILL_TRY(rill_lattice_find(model, box, &lattice, error));
  if (!(accuracy > 0.0 && accuracy <= 1e-2))
    return rill_error_set(error, RILL_ERROR_INPUT, "accuracy %g of the mesh; expected above 0 and at most 1e-2",
                          accuracy);
  if (precision == RILL_MESH_SINGLE && accuracy < single_limit)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "accuracy %g of a float mesh, which reaches %g at best; use precision = double", accuracy,
                          single_limit);
  if (!(cut.cutoff > 0.0) || molecules == 0)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "cutoff %g nm, %zu molecules for a mesh; expected positive numbers", cut.cutoff, molecules);
  RILL_TRY(check_wish(wished, precision, error));
  target.volume = occupied(&lattice, molecules);
  target.density = (double)molecules / target.volume;
  *parameters = (struct rill_pme_parameters){.beta = find_beta(&target, cut.cutoff), .precision = precision};
  if (parameters->beta > rill_pme_beta_max(model)) return refuse_cutoff(&target, box, cut.cutoff, error);
  for (int order = 4; order <= rill_pme_order_max(precision); order++) {
    if (wished->order != 0 && order != wished->order) continue;
    if (wished->grid[0] != 0) {
      const double error_of = grid_error(&target, &charges, &lattice, parameters->beta, order, wished->grid);
      least = fmin(least, error_of);
      if (error_of > accuracy / margin) continue;
      parameters->order = order; /* the lowest is the cheapest */
      memcpy(parameters->grid, wished->grid, sizeof parameters->grid);
      return RILL_OK;
    }
    const double spacing =
        find_spacing(&charges, &lattice, target.unit, target.volume, parameters->beta, order, margin * accuracy);
    struct candidate *own = &candidate[order - 4];
    double each = point_cost;
    own->points = 1.0;
    for (int axis = 0; axis < 3; axis++) {
      own->grid[axis] = find_length(fmax(ceil(edge(&lattice, axis) / spacing), order), axis, &each);
      own->points *= (double)own->grid[axis];
    }
    if (own->points > 0.0)
      own->cost = atoms * atom_costs[order - 4] + own->points * (each + memory_cost(own->points));
  }
  best = &candidate[choose_candidate(candidate, RILL_PME_ORDER_MAX - 3, molecules)];
  if (best->cost > 0.0) {
    parameters->order = (int)(best - candidate) + 4;
    memcpy(parameters->grid, best->grid, sizeof parameters->grid);
    return RILL_OK;
  }
  if (wished->grid[0] != 0) return refuse_grid(wished, accuracy, least, error);
  for (int axis = 1; axis < 3; axis++)
    if (edge(&lattice, axis) > edge(&lattice, longest)) longest = axis;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "a cutoff of %g nm and an accuracy of %.2g need a mesh of more than %d points along the "
                        "box's longest edge, %.4g nm; take a longer cutoff, or a coarser accuracy",
                        cut.cutoff, accuracy, LENGTH_MAX, edge(&lattice, longest));
}
