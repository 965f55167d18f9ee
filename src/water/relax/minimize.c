#include "water/relax/minimize.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "water/neighbours/contact.h"
#include "water/relax/pose.h"

enum {
  DEGREES = 6,     /* per molecule: 3 of the centre, 3 of rotation times length */
  MEMORY = 12,     /* largest number of L-BFGS pairs */
  BACKTRACKS = 40, /* tries along one direction */
  PATIENCE = 40    /* iterations without progress at round-off before giving up */
};

static const double first_compliance = 1e-5; /* nm2 mol/kJ: step per force, before a curvature is known */
/* kJ/mol/nm: larger forces are due to overlaps, whose curvature says nothing about the minimum: L-BFGS stores no
 * pairs there, and capped steps along the forces separate the molecules. */
static const double overlap_force = 1e5;
static const double sufficient_decrease = 1e-4; /* Armijo's constant */
/* nm between sites of two molecules: at a minimum, hydrogen bonds have 0.17; the attraction of a hydrogen to an
 * oxygen exceeds the Lennard-Jones repulsion only inside 1e-5, which even an unfinished minimisation must not
 * reach. */
static const double fused_at_end = 0.05, fused_always = 1e-5;

/* The poses of the molecules, with what was evaluated there. */
struct point {
  struct rill_pose *poses; /* [molecules] */
  double *gradient;        /* [molecules][6], kJ/mol/nm: minus force, minus torque / length */
  struct rill_water_energies energies;
  double wall; /* energy, kJ/mol */
  double maximum_force, rms_force;
};

struct rill_minimizer {
  struct rill_water_model model;
  struct rill_minimize_options options;
  struct rill_water_shape shape;
  struct rill_water_field *field;
  double (*box)[3], box_vectors[3][3]; /* NULL in vacuum */
  struct rill_wall wall;               /* without stiffness: none */
  double epsilon;                      /* relative error of an energy */
  struct rill_error failure;           /* of the field, for a reason other than the molecules' positions */
  size_t molecules, stride, evaluations, memory;
  double *q, *f;              /* [9][stride], as used by the forces */
  double *atoms;              /* [molecules][3][3] */
  struct point *here, *there; /* accepted, tried */
  struct point points[2];
  double *direction;        /* [molecules][6], nm */
  size_t stored, newest;    /* pairs; ring index */
  double *steps, *changes;  /* [memory][molecules][6]: changes of coordinates, of the gradient */
  double curvature[MEMORY]; /* step . change, > 0 */
};

struct rill_minimize_options rill_minimize_defaults(void) {
  return (struct rill_minimize_options){.force_tolerance = 1e-3,
                                        .maximum_iterations = 10000,
                                        .maximum_displacement = 0.02,
                                        .maximum_rotation = 0.2,
                                        .isa = rill_isa_best(),
                                        .threads = 1,
                                        .memory = MEMORY};
}

const char *rill_minimize_reason_meaning(enum rill_minimize_reason reason) {
  switch (reason) {
#define X(name, meaning)                                                                                             \
  case RILL_MINIMIZE_##name: return meaning;
    RILL_MINIMIZE_REASON_LIST(X)
#undef X
  }
  return "unknown";
}

static enum rill_status check_options(const struct rill_minimize_options *options, struct rill_error *error) {
  if (!(options->force_tolerance >= 0))
    return rill_error_set(error, RILL_ERROR_USAGE, "minimisation: force tolerance %g kJ/mol/nm, expected 0 or more",
                          options->force_tolerance);
  if (!(options->maximum_displacement > 0 && options->maximum_rotation > 0))
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "minimisation: largest step %g nm and %g rad, expected numbers above 0 (usual: 0.02, 0.2)",
                          options->maximum_displacement, options->maximum_rotation);
  if (options->memory < 1 || options->memory > MEMORY)
    return rill_error_set(error, RILL_ERROR_USAGE, "minimisation: a memory of %zu pairs, expected 1 to %d",
                          options->memory, MEMORY);
  return RILL_OK;
}

enum rill_status rill_minimizer_create(const struct rill_water_model *model, size_t molecules,
                                       const struct rill_minimize_options *options, struct rill_minimizer **minimizer,
                                       struct rill_error *error) {
  const size_t lane = RILL_ALIGNMENT / sizeof(double), dimension = DEGREES * molecules;
  struct rill_field_options field = {0};
  struct rill_minimizer *made = NULL;
  enum rill_status status;
  *minimizer = NULL;
  RILL_TRY(check_options(options, error));
  if (molecules == 0) return rill_error_set(error, RILL_ERROR_USAGE, "minimisation: 0 molecules, expected 1 or more");
  if ((made = rill_allocate(1, sizeof *made)) == NULL) goto out_of_memory;
  made->model = *model;
  made->options = *options;
  made->shape = rill_water_shape_of(model);
  made->molecules = molecules;
  made->memory = options->memory;
  made->stride = (molecules + lane - 1) / lane * lane;
  made->here = &made->points[0];
  made->there = &made->points[1];
  for (int k = 0; k < 2; k++)
    if ((made->points[k].poses = rill_allocate(molecules, sizeof *made->points[k].poses)) == NULL ||
        (made->points[k].gradient = rill_allocate(dimension, sizeof(double))) == NULL)
      goto out_of_memory;
  if ((made->q = rill_allocate(made->stride, RILL_COORDINATES * sizeof(double))) == NULL ||
      (made->f = rill_allocate(made->stride, RILL_COORDINATES * sizeof(double))) == NULL ||
      (made->atoms = rill_allocate(molecules, RILL_COORDINATES * sizeof(double))) == NULL ||
      (made->direction = rill_allocate(dimension, sizeof(double))) == NULL ||
      (made->steps = rill_allocate(dimension, made->memory * sizeof(double))) == NULL ||
      (made->changes = rill_allocate(dimension, made->memory * sizeof(double))) == NULL)
    goto out_of_memory;
  made->epsilon = 8 * DBL_EPSILON;
  if (options->wall != NULL) made->wall = *options->wall;
  if (options->box != NULL) {
    field = *options->box;
    if (field.box.lj == RILL_LJ_CUT) field.box.lj = RILL_LJ_SHIFT;
    if (field.box.precision == RILL_PRECISION_MIXED) made->epsilon = FLT_EPSILON;
    memcpy(made->box_vectors, field.box.box, sizeof made->box_vectors);
    made->box = made->box_vectors;
  }
  field.reference = options->reference;
  field.isa = options->isa;
  field.threads = options->threads;
  status = rill_water_field_create(model, molecules, made->stride, &field, &made->field, error);
  if (status != RILL_OK) goto failed;
  *minimizer = made;
  return RILL_OK;

out_of_memory:
  status = rill_error_set(error, RILL_ERROR_MEMORY, "minimisation: no memory for %zu molecules", molecules);
failed:
  rill_minimizer_destroy(made);
  return status;
}

void rill_minimizer_destroy(struct rill_minimizer *minimizer) {
  if (minimizer == NULL) return;
  rill_water_field_destroy(minimizer->field);
  for (int k = 0; k < 2; k++) {
    rill_release(minimizer->points[k].poses);
    rill_release(minimizer->points[k].gradient);
  }
  rill_release(minimizer->q);
  rill_release(minimizer->f);
  rill_release(minimizer->atoms);
  rill_release(minimizer->direction);
  rill_release(minimizer->steps);
  rill_release(minimizer->changes);
  rill_release(minimizer);
}

static double dot(const double *a, const double *b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* x += factor * y */
static void add(double *x, double factor, const double *y, size_t n) {
  for (size_t i = 0; i < n; i++) x[i] += factor * y[i];
}

static double potential(const struct point *point) {
  return point->energies.lj + point->energies.coulomb + point->wall;
}

static bool is_finite(const struct point *point) {
  return isfinite(potential(point)) && isfinite(point->maximum_force);
}

/* An energy is NaN if there is no finite force: the step was too long.  Other failures are kept. */
static void evaluate_field(struct rill_minimizer *minimizer, struct rill_water_energies *energies) {
  struct rill_field_energies all = {.lj = NAN, .coulomb = NAN};
  struct rill_error *failure = &minimizer->failure;
  if (failure->status == RILL_OK &&
      rill_water_field_evaluate(minimizer->field, minimizer->q, minimizer->f, &all, failure) != RILL_OK) {
    all.lj = all.coulomb = NAN;
    if (failure->status == RILL_ERROR_NOT_FINITE) failure->status = RILL_OK;
  }
  *energies = (struct rill_water_energies){.lj = all.lj, .coulomb = all.coulomb};
}

/* Energies, gradient and force measures at the point's poses. */
static void evaluate(struct rill_minimizer *minimizer, struct point *point) {
  const size_t molecules = minimizer->molecules, stride = minimizer->stride;
  const double length = minimizer->shape.length;
  double largest = 0, sum = 0;
  for (size_t m = 0; m < molecules; m++) {
    double *atoms = minimizer->atoms + RILL_COORDINATES * m;
    rill_pose_to_atoms(&minimizer->shape, &point->poses[m], atoms);
    for (size_t k = 0; k < RILL_COORDINATES; k++) minimizer->q[k * stride + m] = atoms[k];
  }
  evaluate_field(minimizer, &point->energies);
  if (minimizer->wall.stiffness > 0)
    point->wall =
        rill_wall_evaluate(&minimizer->wall, &minimizer->model, molecules, stride, minimizer->q, minimizer->f);
  minimizer->evaluations++;
  for (size_t m = 0; m < molecules; m++) {
    const double *atoms = minimizer->atoms + RILL_COORDINATES * m, *centre = point->poses[m].centre;
    double *gradient = point->gradient + DEGREES * m, force_square, torque_square;
    memset(gradient, 0, DEGREES * sizeof *gradient);
    for (size_t a = 0; a < RILL_ATOMS; a++) {
      double arm[3], force[3];
      for (size_t c = 0; c < 3; c++) {
        arm[c] = atoms[3 * a + c] - centre[c];
        force[c] = minimizer->f[(3 * a + c) * stride + m];
        gradient[c] -= force[c];
      }
      gradient[3] -= (arm[1] * force[2] - arm[2] * force[1]) / length;
      gradient[4] -= (arm[2] * force[0] - arm[0] * force[2]) / length;
      gradient[5] -= (arm[0] * force[1] - arm[1] * force[0]) / length;
    }
    force_square = dot(gradient, gradient, 3);
    torque_square = dot(gradient + 3, gradient + 3, 3);
    /* a NaN must end up in the measures: fmax would drop it */
    if (!(force_square <= largest)) largest = force_square;
    if (!(torque_square <= largest)) largest = torque_square;
    sum += force_square + torque_square;
  }
  point->maximum_force = isnan(sum) ? NAN : sqrt(largest);
  point->rms_force = sqrt(sum / (2 * (double)molecules));
}

/* The error of an energy by round-off, kJ/mol: a few units in the last place of the two sums, and of the terms within
 * a pair, which cancel, of charges at about 0.3 nm; errors of pairs add up as a random walk. */
static double energy_round_off(const struct rill_minimizer *minimizer, const struct point *point) {
  const double n = (double)minimizer->molecules, charge = minimizer->model.charge[0];
  const double pair = minimizer->model.coulomb_constant * charge * charge / 0.3;
  return minimizer->epsilon *
         (fabs(point->energies.lj) + fabs(point->energies.coulomb) + pair * sqrt(n * (n - 1) / 2));
}

/* direction = - H gradient, H the inverse Hessian of the stored pairs: the two loops of Nocedal, Math. Comput. 35,
 * 773 (1980).  Rotation components along the space axes are compared across poses without transforming them; the
 * error of that vanishes with the gradient. */
static void quasi_newton_direction(struct rill_minimizer *minimizer) {
  const size_t n = DEGREES * minimizer->molecules;
  double *direction = minimizer->direction, weight[MEMORY], compliance = first_compliance;
  for (size_t i = 0; i < n; i++) direction[i] = -minimizer->here->gradient[i];
  for (size_t age = 0; age < minimizer->stored; age++) {
    const size_t k = (minimizer->newest + minimizer->memory - age) % minimizer->memory;
    weight[k] = dot(minimizer->steps + k * n, direction, n) / minimizer->curvature[k];
    add(direction, -weight[k], minimizer->changes + k * n, n);
  }
  if (minimizer->stored > 0) {
    const double *change = minimizer->changes + minimizer->newest * n;
    compliance = minimizer->curvature[minimizer->newest] / dot(change, change, n);
  }
  for (size_t i = 0; i < n; i++) direction[i] *= compliance;
  for (size_t age = minimizer->stored; age-- > 0;) {
    const size_t k = (minimizer->newest + minimizer->memory - age) % minimizer->memory;
    const double back = dot(minimizer->changes + k * n, direction, n) / minimizer->curvature[k];
    add(direction, weight[k] - back, minimizer->steps + k * n, n);
  }
}

/* Limits each molecule's part of the direction to the caps. */
static void cap_direction(struct rill_minimizer *minimizer) {
  const double move = minimizer->options.maximum_displacement;
  const double turn = minimizer->options.maximum_rotation * minimizer->shape.length;
  for (size_t m = 0; m < minimizer->molecules; m++) {
    double *part = minimizer->direction + DEGREES * m;
    const double moved = sqrt(dot(part, part, 3)), turned = sqrt(dot(part + 3, part + 3, 3));
    const double excess = fmax(moved / move, turned / turn);
    if (excess > 1)
      for (int k = 0; k < DEGREES; k++) part[k] /= excess;
  }
}

/* Sets `there` to `here` moved by scale * direction, and evaluates it. */
static void try_step(struct rill_minimizer *minimizer, double scale) {
  for (size_t m = 0; m < minimizer->molecules; m++) {
    const double *part = minimizer->direction + DEGREES * m, turn = scale / minimizer->shape.length;
    const double displacement[3] = {scale * part[0], scale * part[1], scale * part[2]};
    const double rotation[3] = {turn * part[3], turn * part[4], turn * part[5]};
    minimizer->there->poses[m] = rill_pose_step(&minimizer->here->poses[m], displacement, rotation);
  }
  evaluate(minimizer, minimizer->there);
}

/* Searches along the direction for a lower point and leaves it in `there`; *scale is the multiple of the direction
 * taken.  slope: gradient . direction at the start, < 0.  Returns false if arithmetic resolves no lower point. */
static bool step_downhill(struct rill_minimizer *minimizer, double slope, double *scale) {
  const double round_off = energy_round_off(minimizer, minimizer->here), start = potential(minimizer->here);
  *scale = 1;
  for (int attempt = 0; attempt < BACKTRACKS; attempt++) {
    double shrink = 0.1;
    try_step(minimizer, *scale);
    if (is_finite(minimizer->there)) {
      const double rise = potential(minimizer->there) - start;
      if (fabs(rise) <= round_off) {
        /* exact along the curve: the direction of rotation is unchanged by the rotation itself */
        const double end_slope =
            dot(minimizer->there->gradient, minimizer->direction, DEGREES * minimizer->molecules);
        if (end_slope <= (2 * sufficient_decrease - 1) * slope) return true;
      } else if (rise <= sufficient_decrease * *scale * slope) {
        return true;
      }
      /* the minimum of the parabola through the start's energy and slope and this energy */
      shrink = fmin(0.5, fmax(0.1, -slope * *scale / (2 * (rise - slope * *scale))));
    }
    *scale *= shrink;
  }
  return false;
}

/* Stores the pair of the step just tried, unless the energy curves downwards along it. */
static void remember(struct rill_minimizer *minimizer, double scale) {
  const size_t n = DEGREES * minimizer->molecules, k = (minimizer->newest + 1) % minimizer->memory;
  double *step = minimizer->steps + k * n, *change = minimizer->changes + k * n, curvature;
  for (size_t i = 0; i < n; i++) {
    step[i] = scale * minimizer->direction[i];
    change[i] = minimizer->there->gradient[i] - minimizer->here->gradient[i];
  }
  curvature = dot(step, change, n);
  if (!(curvature > 1e-8 * sqrt(dot(step, step, n) * dot(change, change, n)))) return;
  minimizer->curvature[k] = curvature;
  minimizer->newest = k;
  if (minimizer->stored < minimizer->memory) minimizer->stored++;
}

static bool observed(const struct rill_minimizer *minimizer, size_t iteration) {
  const struct rill_minimize_progress progress = {iteration, potential(minimizer->here),
                                                  minimizer->here->maximum_force, minimizer->here->rms_force};
  return minimizer->options.observe == NULL || minimizer->options.observe(minimizer->options.context, &progress);
}

/* Minimises from the evaluated point `here`, which becomes the end point. */
static enum rill_minimize_reason descend(struct rill_minimizer *minimizer, size_t *iterations) {
  double lowest_rms = INFINITY;
  int idle = 0;
  minimizer->stored = 0;
  *iterations = 0;
  if (!observed(minimizer, 0)) return RILL_MINIMIZE_STOPPED;
  while (minimizer->here->maximum_force > minimizer->options.force_tolerance) {
    struct point *before = minimizer->here;
    double slope, scale;
    if (*iterations == minimizer->options.maximum_iterations) return RILL_MINIMIZE_ITERATION_LIMIT;
    if (before->maximum_force > overlap_force) minimizer->stored = 0;
    quasi_newton_direction(minimizer);
    cap_direction(minimizer);
    slope = dot(before->gradient, minimizer->direction, DEGREES * minimizer->molecules);
    if (!(slope < 0) || !step_downhill(minimizer, slope, &scale)) {
      if (minimizer->stored == 0) return RILL_MINIMIZE_ROUND_OFF; /* no progress even along the force */
      minimizer->stored = 0;
      continue;
    }
    remember(minimizer, scale);
    minimizer->here = minimizer->there;
    minimizer->there = before;
    ++*iterations;
    if (!observed(minimizer, *iterations)) return RILL_MINIMIZE_STOPPED;
    if (minimizer->here->rms_force < 0.9 * lowest_rms) {
      lowest_rms = minimizer->here->rms_force;
      idle = 0;
    } else if (fabs(potential(minimizer->here) - potential(before)) > energy_round_off(minimizer, before)) {
      idle = 0;
    } else if (++idle == PATIENCE) {
      return RILL_MINIMIZE_ROUND_OFF;
    }
  }
  return RILL_MINIMIZE_CONVERGED;
}

static void centre_of_mass(const struct rill_water_model *model, const double *atoms, size_t molecules,
                           double centre[3]) {
  double mass = 0;
  centre[0] = centre[1] = centre[2] = 0;
  for (int a = 0; a < RILL_ATOMS; a++) mass += model->mass[a];
  for (size_t i = 0; i < molecules * RILL_ATOMS; i++)
    for (int c = 0; c < 3; c++) centre[c] += model->mass[i % RILL_ATOMS] * atoms[3 * i + (size_t)c];
  for (int c = 0; c < 3; c++) centre[c] /= mass * (double)molecules;
}

static void shift(double *atoms, size_t molecules, const double by[3], double factor) {
  for (size_t i = 0; i < molecules * RILL_ATOMS; i++) add(atoms + 3 * i, factor, by, 3);
}

enum rill_status rill_minimizer_run(struct rill_minimizer *minimizer, double *positions,
                                    struct rill_minimize_report *report, struct rill_error *error) {
  const size_t molecules = minimizer->molecules, coordinates = RILL_COORDINATES * molecules;
  const double(*box)[3] = (const double(*)[3])minimizer->box;
  double *atoms = minimizer->atoms, centre[3], end_centre[3];
  struct rill_contact contact;
  bool finished;
  memset(report, 0, sizeof *report);
  for (size_t i = 0; i < coordinates; i++)
    if (!isfinite(positions[i]))
      return rill_error_set(error, RILL_ERROR_INPUT, "minimisation: molecule %zu has a position that is not finite",
                            i / RILL_COORDINATES + 1);
  memcpy(atoms, positions, coordinates * sizeof *atoms);
  RILL_TRY(rill_water_rigidify(&minimizer->model, atoms, molecules, error));

  /* about the centre of mass, where coordinates have the most digits */
  centre_of_mass(&minimizer->model, atoms, molecules, centre);
  shift(atoms, molecules, centre, -1);
  for (size_t m = 0; m < molecules; m++)
    minimizer->here->poses[m] = rill_pose_from_atoms(&minimizer->shape, atoms + RILL_COORDINATES * m);
  minimizer->evaluations = 0;
  minimizer->failure.status = RILL_OK;
  evaluate(minimizer, minimizer->here);
  if (!is_finite(minimizer->here)) {
    if (minimizer->failure.status != RILL_OK)
      return rill_error_set(error, minimizer->failure.status, "%s", minimizer->failure.text);
    RILL_TRY(rill_closest_contact(atoms, molecules, box, RILL_CONTACT_ALL_SITES, &contact, error));
    return rill_error_set(error, RILL_ERROR_NOT_FINITE,
                          "minimisation: no finite energy to start from: molecules %zu and %zu have atoms %.3g nm "
                          "apart; move one of the two away",
                          contact.first + 1, contact.second + 1, contact.distance);
  }
  report->before = minimizer->here->energies;
  report->reason = descend(minimizer, &report->iterations);

  for (size_t m = 0; m < molecules; m++)
    rill_pose_to_atoms(&minimizer->shape, &minimizer->here->poses[m], atoms + RILL_COORDINATES * m);
  if (minimizer->failure.status != RILL_OK)
    return rill_error_set(error, minimizer->failure.status, "%s", minimizer->failure.text);
  RILL_TRY(rill_closest_contact(atoms, molecules, box, RILL_CONTACT_ALL_SITES, &contact, error));
  finished = report->reason == RILL_MINIMIZE_CONVERGED || report->reason == RILL_MINIMIZE_ROUND_OFF;
  if (contact.distance < (finished ? fused_at_end : fused_always))
    return rill_error_set(error, RILL_ERROR_FAILED,
                          "minimisation: molecules %zu and %zu have fused (atoms %.3g nm apart, energy %.6g kJ/mol): "
                          "their hydrogen and oxygen were too close at the start; move one of the two away",
                          contact.first + 1, contact.second + 1, contact.distance, potential(minimizer->here));
  centre_of_mass(&minimizer->model, atoms, molecules, end_centre);
  shift(atoms, molecules, end_centre, -1);
  shift(atoms, molecules, centre, 1);
  memcpy(positions, atoms, coordinates * sizeof *atoms);
  report->evaluations = minimizer->evaluations;
  report->after = minimizer->here->energies;
  report->wall = minimizer->here->wall;
  report->maximum_force = minimizer->here->maximum_force;
  report->rms_force = minimizer->here->rms_force;
  report->length = minimizer->shape.length;
  report->deviation = rill_water_deviation(&minimizer->model, positions, molecules, NULL);
  return RILL_OK;
}

enum rill_status rill_water_minimize(const struct rill_water_model *model, size_t molecules,
                                     const struct rill_minimize_options *options, double *positions,
                                     struct rill_minimize_report *report, struct rill_error *error) {
  struct rill_minimizer *minimizer;
  enum rill_status status;
  RILL_TRY(rill_minimizer_create(model, molecules, options, &minimizer, error));
  status = rill_minimizer_run(minimizer, positions, report, error);
  rill_minimizer_destroy(minimizer);
  return status;
}
