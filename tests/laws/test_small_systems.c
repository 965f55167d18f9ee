/* Laws of all methods on all small systems that they bind to, taken from the two registries: order, time reversal,
 * symplecticity, momentum maps, energy, restart, failure, refusal.  What a method promises stands in its registry
 * entry.
 *
 * Each law is a function that measures; the same function is then shown to see a fault in methods that have one:
 * kicks with a wrong coefficient, the explicit Euler method, a step with hidden memory, a system that does not
 * restore. */
#include <limits.h>
#include <stdarg.h>

#include "integrators/splittings.h"
#include "mech/legendre.h"
#include "numerics/so3.h"
#include "small.h"

/* --- systems --- */

enum { LARGEST = 16 }; /* coordinates */

struct specimen {
  const char *kind, *settings;
  double h;   /* a step at which a method of order 2 is good to a percent or so */
  bool plain; /* linear or free: a method may do better here than in general */
};

/* Starts in general position; few coordinates; soft penalties, so that one step length fits all. */
static const struct specimen specimens[] = {
    {"harmonic-oscillator", "velocity = 0.3; stiffness = 1.3", 0.1, true},
    {"simple-pendulum", "", 0.1, false},
    {"planar-pendulum", "rate = 0.7", 0.1, false},
    {"planar-pendulum", "rate = 0.7; formulation = penalised; stiffness = 2", 0.05, false},
    {"spherical-pendulum", "", 0.02, false},
    {"spherical-pendulum", "formulation = penalised; stiffness = 12", 0.01, false},
    {"spherical-pendulum-angles", "", 0.01, false},
    {"double-spherical-pendulum", "", 0.02, false},
    {"double-spherical-pendulum", "formulation = penalised; stiffness = 3", 0.01, false},
    {"double-pendulum", "rates = 0.5 -0.3", 0.1, false},
    {"double-pendulum", "rates = 0.5 -0.3; formulation = penalised; stiffness = 2", 0.05, false},
    {"double-pendulum-angles", "rates = 0.5 -0.3", 0.05, false},
    {"pendulum-chain", "count = 4; rate = 0.2", 0.1, false},
    {"pendulum-chain", "count = 4; rate = 0.2; formulation = penalised; stiffness = 1", 0.05, false},
    {"planar-triatomic", "masses = 2 1 3; rates = 0.5 -0.3; bending = 1", 0.1, false},
    {"planar-triatomic", "masses = 2 1 3; rates = 0.5 -0.3; bending = 1; formulation = penalised; stiffness = 2",
     0.05, false},
    {"dna", "count = 6; epsilon = 0.05; steepness = 2; spread = 0.5", 0.2, false},
    {"rigid-body", "", 0.01, true},
    {"magnetic-rigid-body", "rates = 1 -0.7 1.3; inertia = 1 1 0.7", 0.05, false},
    {"magnetic-rigid-body", "rates = 1 -0.7 1.3; inertia = 1 1.3 0.7; retraction = exponential", 0.05, false},
    {"magnetic-rigid-body", "rates = 1 -0.7 1.3; formulation = constrained", 0.05, false},
    {"free-body", "", 0.1, true},
    {"pendulum-3d", "", 0.05, false},
    {"quartic-body", "strength = 0.7; point = 0.3 -0.2 0.9; retraction = exponential", 0.1, false},
    {"ellipsoid-particle", "", 0.05, false},
    {"magnetic-rigid-body", "rates = 1 -0.7 1.3; formulation = penalised; stiffness = 2", 0.03, false},
    {"rolling-disk", "", 0.1, true},
    {"chaplygin-sleigh", "", 0.1, false},
    {"nonholonomic-particle", "stiffness = 1; position = 0.3 -1 0", 0.1, false},
    {"kepler", "eccentricity = 0.3; anomaly = 0.5", 0.05, false},
    {"point-vortices", "circulations = 1 2 -0.7; x = 1 -0.6 0.3; y = 0.2 0.1 -1.1", 0.3, false},
};
enum { SPECIMENS = sizeof specimens / sizeof specimens[0] };

/* A registered system without a line above is tried with its defaults, when it is small enough. */
static size_t specimen_count(void) {
  size_t types, extra = 0;
  const struct rill_system_type *const *type = rill_system_types(&types);
  for (size_t t = 0; t < types; t++) {
    bool listed = false;
    for (size_t i = 0; i < SPECIMENS; i++) listed |= strcmp(specimens[i].kind, type[t]->name) == 0;
    extra += !listed;
  }
  return SPECIMENS + extra;
}

static struct specimen specimen_at(size_t index) {
  size_t types, extra = SPECIMENS;
  const struct rill_system_type *const *type = rill_system_types(&types);
  if (index < SPECIMENS) return specimens[index];
  for (size_t t = 0; t < types; t++) {
    bool listed = false;
    for (size_t i = 0; i < SPECIMENS; i++) listed |= strcmp(specimens[i].kind, type[t]->name) == 0;
    if (!listed && extra++ == index) return (struct specimen){type[t]->name, "", 0.01, true};
  }
  ck_abort();
}

/* --- complaints: a law goes through all pairs before it fails --- */

static char complaints[16384];

static void complain(const struct specimen *specimen, const struct rill_method *method, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void complain(const struct specimen *specimen, const struct rill_method *method, const char *format, ...) {
  size_t length = strlen(complaints);
  va_list arguments;
  length += (size_t)snprintf(complaints + length, sizeof complaints - length,
                             "\n  %s on %s with \"%s\": ", method->name, specimen->kind, specimen->settings);
  if (length >= sizeof complaints) return;
  va_start(arguments, format);
  vsnprintf(complaints + length, sizeof complaints - length, format, arguments);
  va_end(arguments);
}

/* --- a method on a specimen --- */

struct run {
  struct rill_system *system;
  struct rill_integrator *integrator;
  const struct rill_method *method;
  uint64_t done;
};

static const double BETA = 0.3;

/* Options of a method are part of its name here: see variants. */
static struct rill_binding_options options_of(const struct rill_method *method, double h) {
  struct rill_binding_options options = small_options(h, BETA);
  if (strchr(method->name, '/') != NULL || method->specialise != NULL) small_method(method->name, &options.method);
  return options;
}

static bool binds(const struct rill_method *method, const struct rill_system *system) {
  const struct rill_binding_options options = options_of(method, 1);
  return rill_method_refusal(method, system, RILL_NO_BATH) == RILL_BINDS &&
         (method->refuse == NULL || method->refuse(system, &options.method) == NULL);
}

/* Settings of methods whose options decide on what they are, apart from the default ones; on systems of few
 * coordinates or a group of low dimension. */
static const char *const variant_names[] = {"galerkin/1/gauss",
                                            "galerkin/1/lobatto",
                                            "galerkin/1/gauss2",
                                            "galerkin/2/lobatto2",
                                            "galerkin/2/lobatto",
                                            "galerkin/2/gauss3",
                                            "galerkin/3/gauss",
                                            "galerkin/3/lobatto",
                                            "galerkin/3/lobatto3",
                                            "galerkin/4/gauss",
                                            "galerkin/4/lobatto",
                                            "shooting/implicit-midpoint/trapezoid",
                                            "shooting/implicit-midpoint/gauss2",
                                            "shooting/implicit-midpoint/euler-maclaurin",
                                            "shooting/explicit-midpoint/trapezoid",
                                            "shooting/explicit-midpoint/gauss1",
                                            "shooting/prolongation",
                                            "shooting/prolongation/simpson",
                                            "shooting/rk4/trapezoid",
                                            "shooting/rk4/euler-maclaurin",
                                            "shooting/rk4/gauss2",
                                            "shooting/rk4/lobatto4",
                                            "hamiltonian-shooting/implicit-midpoint/trapezoid",
                                            "hamiltonian-shooting/rk4/gauss2",
                                            "discrete-hamiltonian/implicit-midpoint/trapezoid",
                                            "discrete-hamiltonian/explicit-midpoint/gauss1",
                                            "discrete-hamiltonian/rk4/gauss2",
                                            "discrete-hamiltonian/rk4/trapezoid",
                                            "lie-galerkin/1/gauss",
                                            "lie-galerkin/1/lobatto",
                                            "lie-galerkin/2/lobatto",
                                            "lie-galerkin/2/gauss3",
                                            "lie-galerkin/3/gauss",
                                            "lie-galerkin/3/lobatto",
                                            "lgvi/exponential",
                                            "lgvi/quaternion",
                                            "lgvi/compensated"};
enum { VARIANTS = sizeof variant_names / sizeof variant_names[0], VARIANT_COORDINATES = 3 };
static struct rill_method variants[VARIANTS];

static void make_variants(void) {
  for (size_t i = 0; i < VARIANTS; i++) {
    struct rill_method_options options = {0};
    const struct rill_method *method = small_method(variant_names[i], &options);
    variants[i] = rill_method_with(method, &options);
    variants[i].name = variant_names[i];
  }
}

static struct run start(const struct specimen *specimen, const struct rill_method *method,
                        const struct rill_composition *composition, double h) {
  struct run run = {.system = rill_allocate(1, sizeof *run.system), .method = method};
  struct rill_binding_options options = options_of(method, h);
  enum rill_status status;
  options.composition = composition;
  *run.system = small_system(specimen->kind, specimen->settings);
  ck_assert_uint_le(run.system->state->n, LARGEST);
  status = rill_integrator_create(method, run.system, &options, &run.integrator, &small_error);
  ck_assert_msg(status == RILL_OK, "%s on %s: %s", method->name, specimen->kind, small_error.text);
  return run;
}

static void finish(struct run *run) {
  rill_integrator_destroy(run->integrator);
  small_destroy_system(run->system);
  rill_release(run->system);
}

static void advance(struct run *run, uint64_t steps) {
  for (uint64_t i = 0; i < steps; i++) {
    enum rill_status status = rill_integrator_step(run->integrator, run->done, false, &small_error);
    ck_assert_msg(status == RILL_OK, "%s on %s: %s", run->method->name, run->system->ops->name, small_error.text);
    run->done++;
  }
}

/* (q, p), 2 n numbers. */
static void get(const struct run *run, double *z) {
  const struct rill_state *state = run->system->state;
  memcpy(z, state->q, state->n * sizeof *z);
  memcpy(z + state->n, state->p, state->n * sizeof *z);
}

static void put(const struct run *run, const double *z) {
  const struct rill_state *state = run->system->state;
  memcpy(state->q, z, state->n * sizeof *z);
  memcpy(state->p, z + state->n, state->n * sizeof *z);
  if (state->acceleration != NULL)
    for (size_t i = 0; i < state->n; i++) state->acceleration[i] = NAN; /* made anew */
  if (state->history != NULL) state->history[0] = NAN;
  if (state->compensation != NULL) memset(state->compensation, 0, state->n * sizeof *z);
}

static double largest(const double *x, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++)
    if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
  return most;
}

/* Largest difference of q and of p, each relative to its size in b. */
static double relative_difference(const double *a, const double *b, size_t n) {
  double worst = 0;
  for (int part = 0; part < 2; part++) {
    double change[LARGEST], size = largest(b + (size_t)part * n, n);
    for (size_t i = 0; i < n; i++) change[i] = a[(size_t)part * n + i] - b[(size_t)part * n + i];
    worst = fmax(worst, largest(change, n) / (size > 0 ? size : 1));
  }
  return worst;
}

/* All pairs of specimen and method that bind, and no composition.  Methods whose steps vary in length, and so are at
 * other times, have laws of their own: test_step_control.c. */
static void each(void (*visit)(const struct specimen *specimen, const struct rill_method *method)) {
  size_t methods, count = specimen_count();
  const struct rill_method *const *method = rill_methods(&methods);
  make_variants();
  for (size_t i = 0; i < count; i++) {
    struct specimen specimen = specimen_at(i);
    struct rill_system system = small_system(specimen.kind, specimen.settings);
    const size_t coordinates = system.group != NULL ? system.group->dimension : system.state->n;
    for (size_t k = 0; k < methods && system.state->n <= LARGEST; k++)
      if (!method[k]->varies && binds(method[k], &system)) visit(&specimen, method[k]);
    for (size_t k = 0; k < VARIANTS && coordinates <= VARIANT_COORDINATES; k++)
      if (binds(&variants[k], &system)) visit(&specimen, &variants[k]);
    small_destroy_system(&system);
  }
  ck_assert_msg(complaints[0] == 0, "%s", complaints);
}

/* Whether a composition of the method binds. */
static bool composes(const struct specimen *specimen, const struct rill_method *method) {
  const struct rill_composition *composition = rill_composition_find("yoshida8");
  struct rill_system system = small_system(specimen->kind, specimen->settings);
  bool yes =
      binds(method, &system) && rill_composition_refusal(composition, method, &system, RILL_NO_BATH) == RILL_BINDS;
  small_destroy_system(&system);
  return yes;
}

/* A secant of V divides by the force along the displacement, which passes through 0 now and then: over long runs and
 * near such places there is nothing to ask of the method. */
static bool breaks_down(const struct rill_method *method) { return strcmp(method->name, "energy-preserving") == 0; }

/* --- methods with a fault --- */

static const struct rill_splitting_stage weak_kick[] = {
    {RILL_KICK, 0.5, 0}, {RILL_DRIFT, 1.0, 0}, {RILL_KICK, 0.48, 0}};
static const struct rill_splitting weak_splitting = {RILL_SPLITTING_PLAIN, weak_kick, 3, NULL, NULL, 0};
static const struct rill_method wrong_coefficient = {.name = "wrong-coefficient",
                                                     .order = 2,
                                                     .symmetric = true,
                                                     .symplectic = true,
                                                     .needs = RILL_NEEDS_FLOW,
                                                     .filter = &rill_filter_identity,
                                                     .splitting = &weak_splitting};

struct explicit_euler {
  struct rill_system *system;
  double h, gradient[LARGEST];
  unsigned steps; /* hidden memory, used by the forgetful mutant only */
};

static enum rill_status euler_create(struct rill_system *system, double h, const struct rill_method_options *options,
                                     void **self, struct rill_error *error) {
  struct explicit_euler *euler = rill_allocate(1, sizeof *euler);
  (void)options, (void)error;
  euler->system = system;
  euler->h = h;
  *self = euler;
  return RILL_OK;
}

static enum rill_status euler_step(void *self, struct rill_error *error) {
  struct explicit_euler *euler = self;
  const struct rill_mechanical *m = euler->system->mechanical;
  struct rill_state *state = euler->system->state;
  (void)error;
  m->ops->gradient(m->self, state->q, euler->gradient);
  for (size_t i = 0; i < m->n; i++) {
    state->q[i] += euler->h * state->p[i] / m->mass[i];
    state->p[i] -= euler->h * euler->gradient[i];
  }
  return RILL_OK;
}

static enum rill_status hidden_step(void *self, struct rill_error *error) {
  struct explicit_euler *euler = self;
  euler->system->state->p[0] *= 1 + 1e-12 * euler->steps++;
  return euler_step(self, error);
}

static enum rill_status friction_step(void *self, struct rill_error *error) {
  struct explicit_euler *euler = self;
  const struct rill_mechanical *m = euler->system->mechanical;
  struct rill_state *state = euler->system->state;
  (void)error;
  for (size_t i = 0; i < m->n; i++) state->q[i] += euler->h * state->p[i] / m->mass[i];
  m->ops->gradient(m->self, state->q, euler->gradient);
  for (size_t i = 0; i < m->n; i++) state->p[i] = (state->p[i] - euler->h * euler->gradient[i]) * (1 - 1e-4);
  return RILL_OK;
}

static const struct rill_one_step friction_own = {euler_create, friction_step, rill_release};
static const struct rill_one_step euler_own = {euler_create, euler_step, rill_release};
static const struct rill_one_step hidden_own = {euler_create, hidden_step, rill_release};
static const struct rill_method explicit_euler = {.name = "explicit-euler",
                                                  .order = 1,
                                                  .symmetric = true,
                                                  .symplectic = true,
                                                  .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS,
                                                  .one_step = &euler_own};
static const struct rill_method friction = {.name = "friction",
                                            .order = 1,
                                            .symplectic = true,
                                            .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS,
                                            .one_step = &friction_own};
static const struct rill_method hidden_memory = {.name = "hidden-memory",
                                                 .order = 1,
                                                 .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS,
                                                 .one_step = &hidden_own};

static const struct specimen free_specimen = {
    "double-pendulum", "rates = 0.5 -0.3; formulation = penalised; stiffness = 2", 0.05, false};
static const struct specimen bound_specimen = {"double-pendulum", "rates = 0.5 -0.3", 0.1, false};
static const struct specimen round_specimen = {
    "magnetic-rigid-body", "rates = 1 -0.7 1.3; formulation = penalised; stiffness = 2", 0.03, false};

/* --- order --- */

static const double SPAN = 32; /* length of the runs in steps h of the specimen */

/* The first symmetric base of order 2 that binds, composed to order 8: all methods are measured against it. */
static void reference(const struct specimen *specimen, const struct rill_method *base, double *z) {
  struct run run = start(specimen, base, rill_composition_find("yoshida8"), 0.125 * specimen->h);
  advance(&run, (uint64_t)(8 * SPAN));
  get(&run, z);
  finish(&run);
}

static const struct rill_method *reference_base(const struct specimen *specimen) {
  size_t methods;
  const struct rill_method *const *method = rill_methods(&methods);
  for (size_t k = 0; k < methods; k++)
    if (composes(specimen, method[k])) return method[k];
  ck_abort_msg("no symmetric method binds to %s", specimen->kind);
}

/* The order seen in the finest two of a row of halvings whose errors stand clear of rounding. */
static double measured_order(const struct specimen *specimen, const struct rill_method *method,
                             const struct rill_composition *composition, const double *exact) {
  double error = 0, order = NAN;
  for (int halvings = -4; halvings <= 5; halvings++) {
    double z[2 * LARGEST], before = error;
    enum rill_status status = RILL_OK;
    struct run run = start(specimen, method, composition, ldexp(specimen->h, -halvings));
    for (uint64_t k = (uint64_t)ldexp(SPAN, halvings); k > 0 && status == RILL_OK; k--)
      status = rill_integrator_step(run.integrator, run.done++, false, &small_error);
    get(&run, z);
    /* 0: too long a step for the method's solver. */
    error = status == RILL_OK ? relative_difference(z, exact, run.system->state->n) : 0;
    finish(&run);
    if (status != RILL_OK) continue;
    if (error < 5e-12) break;
    if (before > 0 && before < 0.1) order = log2(before / error);
  }
  return order;
}

static double exact[2 * LARGEST];
static char exact_of[1024];

static void check_order(const struct specimen *specimen, const struct rill_method *method) {
  char label[1024];
  double order, slack;
  snprintf(label, sizeof label, "%s with %s", specimen->kind, specimen->settings);
  if (strcmp(label, exact_of) != 0) {
    memcpy(exact_of, label, sizeof label);
    reference(specimen, reference_base(specimen), exact);
  }
  if (method->specialise != NULL && method->order > 6) return; /* too few halvings: test_galerkin */
  order = measured_order(specimen, method, NULL, exact);
  if (method->multistep && method->order > 2) { /* a history of 7 steps leaves still fewer: test_multistep.c */
    if (!(order > method->order - 1)) complain(specimen, method, "order %.3f, not %d", order, method->order);
    return;
  }
  slack = method->order <= 4 ? 0.2 : 0.6; /* the higher the order, the fewer halvings between rough and rounding */
  if (getenv("LAWS_PRINT")) printf("order %-22s %-60s %d %.3f\n", method->name, label, method->order, order);
  if (breaks_down(method) && strcmp(specimen->kind, "magnetic-rigid-body") == 0) return;
  if (!(order > method->order - slack && (order < method->order + slack || specimen->plain)) &&
      !(specimen->plain && isnan(order)))
    complain(specimen, method, "order %.3f, not %d", order, method->order);
}

START_TEST(order) { each(check_order); }
END_TEST

START_TEST(order_sees_a_wrong_coefficient) {
  double z[2 * LARGEST];
  reference(&free_specimen, &rill_method_verlet, z);
  ck_assert_double_eq_tol(measured_order(&free_specimen, &rill_method_verlet, NULL, z), 2, 0.2);
  ck_assert_double_le(measured_order(&free_specimen, &wrong_coefficient, NULL, z), 0.5);
}
END_TEST

/* Compositions of any symmetric base of order 2 have their order, and so all bases lead to one solution. */
static void check_composition(const struct specimen *specimen, const struct rill_method *method) {
  double z[2 * LARGEST], first[2 * LARGEST], difference;
  struct rill_system system = small_system(specimen->kind, specimen->settings);
  size_t n = system.state->n;
  small_destroy_system(&system);
  if (!composes(specimen, method) || breaks_down(method)) return;
  reference(specimen, reference_base(specimen), first);
  reference(specimen, method, z);
  difference = relative_difference(z, first, n);
  if (getenv("LAWS_PRINT")) printf("bases %-22s %-28s %.2e\n", method->name, specimen->kind, difference);
  if (!(difference < 1e-8)) complain(specimen, method, "composed, %.3g from the other bases", difference);
}

START_TEST(compositions_of_all_bases_agree) { each(check_composition); }
END_TEST

START_TEST(orders_of_compositions) {
  static const char *const bases[] = {"verlet", "dvp", "implicit-midpoint"};
  double z[2 * LARGEST];
  size_t count;
  const struct rill_composition *composition = rill_compositions(&count);
  ck_assert_uint_eq(count, 3);
  reference(&free_specimen, &rill_method_verlet, z);
  for (size_t b = 0; b < 3; b++)
    for (size_t c = 0; c < count; c++)
      ck_assert_double_eq_tol(measured_order(&free_specimen, rill_method_find(bases[b]), &composition[c], z),
                              composition[c].order, composition[c].order <= 4 ? 0.2 : 0.6);
}
END_TEST

/* Necessary conditions: sum of c = 1, of c^3, c^5, ... below the order = 0, and symmetry.  To a digit or two. */
static double order_conditions(const double *factor, size_t count, int up_to) {
  double worst = 0;
  for (int power = 1; power < up_to; power += 2) {
    double sum = power == 1 ? -1 : 0;
    for (size_t i = 0; i < count; i++) sum += pow(factor[i], power);
    worst = fmax(worst, fabs(sum));
  }
  for (size_t i = 0; i < count; i++) worst = fmax(worst, fabs(factor[i] - factor[count - 1 - i]));
  return worst;
}

START_TEST(coefficients_of_compositions) {
  size_t count;
  const struct rill_composition *composition = rill_compositions(&count);
  for (size_t c = 0; c < count; c++) {
    double factor[15];
    memcpy(factor, composition[c].factors, composition[c].factor_count * sizeof *factor);
    ck_assert_double_le(order_conditions(factor, composition[c].factor_count, composition[c].order), 1e-14);
    factor[0] += 1e-13, factor[composition[c].factor_count - 1] += 1e-13; /* a wrong digit is seen */
    ck_assert_double_ge(order_conditions(factor, composition[c].factor_count, composition[c].order), 1e-13);
    ck_assert_double_ge(
        order_conditions(composition[c].factors, composition[c].factor_count, composition[c].order + 2), 1e-3);
  }
}
END_TEST

/* The trap: the triple jump of drift-kick-drift with neighbouring drifts merged, right for exact drifts.  A projected
 * drift has D(a) D(b) != D(a + b), and the word falls to order 2. */
#define JUMP 1.3512071919596576340
static const struct rill_splitting_stage merged[] = {{RILL_DRIFT, 0.5 * JUMP, 0},       {RILL_KICK, JUMP, 0},
                                                     {RILL_DRIFT, 0.5 - 0.5 * JUMP, 0}, {RILL_KICK, 1 - 2 * JUMP, 0},
                                                     {RILL_DRIFT, 0.5 - 0.5 * JUMP, 0}, {RILL_KICK, JUMP, 0},
                                                     {RILL_DRIFT, 0.5 * JUMP, 0}};
static const struct rill_splitting merged_splitting = {RILL_SPLITTING_PLAIN, merged, 7, NULL, NULL, 0};

START_TEST(a_splitting_of_order_four_under_constraints) {
  struct rill_method method = {.name = "merged",
                               .order = 4,
                               .symmetric = true,
                               .symplectic = true,
                               .needs = RILL_NEEDS_FLOW,
                               .filter = &rill_filter_identity,
                               .splitting = &merged_splitting};
  struct rill_system system = small_system(bound_specimen.kind, bound_specimen.settings);
  struct rill_binding_options options = small_options(0.1, 0);
  struct rill_integrator *integrator;
  double z[2 * LARGEST];
  reference(&free_specimen, &rill_method_verlet, z);
  ck_assert_double_eq_tol(measured_order(&free_specimen, &method, NULL, z), 4, 0.2);
  ck_assert(rill_integrator_create(&method, &system, &options, &integrator, &small_error) == RILL_ERROR_UNSUPPORTED);
  ck_assert_ptr_null(integrator);
  ck_assert_msg(strstr(small_error.text, "exact drifts") != NULL && strstr(small_error.text, "merged") != NULL &&
                    strstr(small_error.text, "double-pendulum") != NULL,
                "%s", small_error.text);
  small_destroy_system(&system);
  method.order = 2; /* past the guard */
  reference(&bound_specimen, &rill_method_verlet, z);
  ck_assert_double_eq_tol(measured_order(&bound_specimen, &method, NULL, z), 2, 0.2);
  ck_assert_double_eq_tol(measured_order(&bound_specimen, &rill_method_yoshida4, NULL, z), 4, 0.2);
}
END_TEST

START_TEST(composition_refused) {
  const struct rill_composition *yoshida4 = rill_composition_find("yoshida4");
  const struct rill_method *euler = rill_method_find("symplectic-euler");
  struct rill_system system = small_system(free_specimen.kind, free_specimen.settings);
  struct rill_binding_options options = small_options(0.1, 0);
  struct rill_integrator *integrator;
  ck_assert_ptr_null(rill_composition_find("yoshida5"));
  options.composition = yoshida4;
  ck_assert(rill_integrator_create(euler, &system, &options, &integrator, &small_error) == RILL_ERROR_UNSUPPORTED);
  ck_assert_msg(strstr(small_error.text, "symplectic-euler with composition yoshida4") != NULL &&
                    strstr(small_error.text, "symmetric base") != NULL,
                "%s", small_error.text);
  ck_assert_int_eq(rill_composition_refusal(yoshida4, &rill_method_yoshida6, &system, RILL_NO_BATH),
                   RILL_REFUSED_BASE);
  ck_assert_int_eq(rill_composition_refusal(yoshida4, &rill_method_verlet, &system, RILL_BAOAB),
                   RILL_REFUSED_OU_BACKWARD);
  ck_assert_int_eq(rill_composition_refusal(yoshida4, &rill_method_verlet, &system, RILL_GLA), RILL_BINDS);
  small_destroy_system(&system);
}
END_TEST

/* --- time reversal --- */

/* Distance from the start after steps, momenta turned round, and the same steps; of the positions alone where the
 * past is turned round, since the momenta of multistep methods are made from it. */
static double reversal(const struct specimen *specimen, const struct rill_method *method) {
  struct run run = start(specimen, method, NULL, specimen->h);
  size_t n = run.system->state->n;
  double from[2 * LARGEST], z[2 * LARGEST], distance;
  get(&run, from);
  for (int leg = 0; leg < 2; leg++) {
    advance(&run, 20 - (leg == 1 && method->multistep ? run.system->state->earlier : 0));
    if (method->multistep) {
      if (leg == 0) small_turn(run.system->state);
      else memcpy(from + n, run.system->state->p, n * sizeof *from);
      get(&run, z);
      continue;
    }
    get(&run, z);
    for (size_t i = n; i < 2 * n; i++) z[i] = -z[i];
    put(&run, z);
  }
  distance = relative_difference(z, from, n);
  finish(&run);
  return distance;
}

static void check_reversal(const struct specimen *specimen, const struct rill_method *method) {
  double distance = reversal(specimen, method);
  if (getenv("LAWS_PRINT"))
    printf("reversal %-22s %-28s %d %.2e\n", method->name, specimen->kind, method->symmetric, distance);
  /* Rounding and Newton's last changes, grown over 40 steps of motions that are not regular; what shooting with RK4
   * lacks to symmetry is O(h^6) a step, and what methods of order 6 lack is rounding with these steps. */
  if (!method->symmetric && (method->order > 4 || specimen->plain)) return;
  if (method->symmetric ? !(distance < 1e-9) : distance < (method->order > 1 ? 1e-11 : 1e-7))
    complain(specimen, method, "comes back to %.3g; symmetric: %d", distance, method->symmetric);
}

START_TEST(time_reversal) { each(check_reversal); }
END_TEST

START_TEST(time_reversal_sees_a_wrong_coefficient) {
  ck_assert_double_le(reversal(&free_specimen, &rill_method_verlet), 1e-9);
  ck_assert_double_ge(reversal(&free_specimen, &wrong_coefficient), 1e-3);
  ck_assert_double_ge(reversal(&free_specimen, &explicit_euler), 1e-3);
}
END_TEST

/* --- symplecticity --- */

/* Newmark's (q, v) are the image of a symplectic map's (x, v) under q = x - beta h^2 M^-1 grad V(q). */
static void to_canonical(const struct run *run, double h, double *z) {
  const struct rill_mechanical *m = run->system->mechanical;
  double gradient[LARGEST];
  if (strcmp(run->method->name, "newmark") != 0) return;
  m->ops->gradient(m->self, z, gradient);
  for (size_t i = 0; i < m->n; i++) z[i] += BETA * h * h * gradient[i] / m->mass[i];
}

/* z to the cotangent bundle of the constraint manifold: Newton along the rows of Dg, and momenta of tangent
 * velocities. */
static void to_manifold(const struct rill_lagrangian *l, struct rill_legendre *legendre, double *z) {
  size_t n = l->n, m = l->m;
  double g[LARGEST], jacobian[LARGEST * LARGEST], product[LARGEST * LARGEST];
  int pivots[LARGEST];
  for (int iteration = 0; iteration < 6; iteration++) {
    l->ops->constraint(l->self, z, g);
    l->ops->jacobian(l->self, z, jacobian);
    for (size_t c = 0; c < m; c++)
      for (size_t d = 0; d < m; d++) {
        product[d * m + c] = 0;
        for (size_t i = 0; i < n; i++) product[d * m + c] += jacobian[c * n + i] * jacobian[d * n + i];
      }
    ck_assert(rill_dense_solve(m, product, pivots, g, &small_error) == RILL_OK);
    for (size_t c = 0; c < m; c++)
      for (size_t i = 0; i < n; i++) z[i] -= g[c] * jacobian[c * n + i];
  }
  ck_assert_msg(rill_legendre_transform(legendre, z, z + n, &small_error) == RILL_OK, "%s", small_error.text);
  memcpy(z + n, legendre->momentum, n * sizeof *z);
}

/* The form's value on two tangent vectors at z; on a group, left-trivialised, with the bracket term. */
static double symplectic_form(const struct rill_system *system, const double *z, const double *a, const double *b) {
  size_t n = system->state->n;
  double sum = 0;
  if (system->group != NULL) {
    double eta_a[3], eta_b[3], product[9], transposed[9], bracket[3];
    for (int i = 0; i < 9; i++) transposed[i] = z[i % 3 * 3 + i / 3];
    rill_mat3_product(transposed, a, product);
    rill_so3_vee(product, eta_a);
    rill_mat3_product(transposed, b, product);
    rill_so3_vee(product, eta_b);
    rill_cross3(eta_a, eta_b, bracket);
    return rill_dot3(b + n, eta_a) - rill_dot3(a + n, eta_b) + rill_dot3(z + n, bracket);
  }
  for (size_t i = 0; i < n; i++) sum += a[i] * b[n + i] - b[i] * a[n + i];
  return sum;
}

/* Largest change of the form over one step, on all pairs of directions, by central differences along curves in phase
 * space; relative to sizes of q and p. */
static double symplecticity(const struct specimen *specimen, const struct rill_method *method) {
  struct run run = start(specimen, method, NULL, specimen->h);
  const struct rill_system *system = run.system;
  const size_t n = system->state->n, directions = system->group != NULL ? 6 : 2 * n;
  const bool constrained = system->lagrangian != NULL && system->lagrangian->m > 0;
  const double e = 2e-5;
  double middle[2 * LARGEST], image[2 * LARGEST], q_size, p_size, worst = 0;
  double(*in)[2 * LARGEST] = rill_allocate(directions, sizeof *in);
  double(*out)[2 * LARGEST] = rill_allocate(directions, sizeof *out);
  struct rill_legendre legendre = {0};
  if (constrained) ck_assert(rill_legendre_create(system->lagrangian, &legendre, &small_error) == RILL_OK);
  advance(&run, 3);
  get(&run, middle);
  q_size = largest(middle, n), p_size = largest(middle + n, n);
  for (size_t d = 0; d < directions; d++) {
    for (int side = 1; side >= -1; side -= 2) {
      double z[2 * LARGEST], w[2 * LARGEST], e_side = side * e;
      memcpy(z, middle, sizeof z);
      if (system->group == NULL) {
        z[d] += e_side * (d < n ? q_size : p_size);
      } else if (d < 3) {
        double x[3] = {0}, rotation[9];
        x[d] = e_side;
        rill_so3_exp(x, rotation);
        rill_mat3_product(middle, rotation, z);
      } else {
        z[n + d - 3] += e_side * p_size;
      }
      if (constrained) to_manifold(system->lagrangian, &legendre, z);
      memcpy(w, z, sizeof w);
      put(&run, w);
      advance(&run, 1);
      get(&run, w);
      to_canonical(&run, specimen->h, z);
      to_canonical(&run, specimen->h, w);
      for (size_t i = 0; i < 2 * n; i++) in[d][i] += side * z[i] / (2 * e), out[d][i] += side * w[i] / (2 * e);
    }
  }
  put(&run, middle);
  advance(&run, 1);
  get(&run, image);
  for (size_t c = 0; c < directions; c++)
    for (size_t d = 0; d < c; d++) {
      double change = symplectic_form(system, image, out[c], out[d]) - symplectic_form(system, middle, in[c], in[d]);
      worst = fmax(worst, fabs(change) / (system->group != NULL ? p_size : q_size * p_size));
    }
  rill_legendre_destroy(&legendre);
  rill_release(in);
  rill_release(out);
  finish(&run);
  return worst;
}

static struct {
  const struct rill_method *method;
  double worst;
} seen[128];
static size_t seen_count;

/* The largest value of a law over the specimens, by method: what does not promise a law must break it somewhere. */
static void note(const struct rill_method *method, double value) {
  size_t i = 0;
  while (i < seen_count && seen[i].method != method) i++;
  if (i == seen_count) seen[seen_count++].method = method;
  ck_assert_uint_le(seen_count, 128);
  seen[i].worst = fmax(seen[i].worst, value);
}

static void check_symplecticity(const struct specimen *specimen, const struct rill_method *method) {
  double change = symplecticity(specimen, method);
  if (getenv("LAWS_PRINT"))
    printf("symplectic %-22s %-28s %d %.2e\n", method->name, specimen->kind, method->symplectic, change);
  note(method, change);
  /* Differences with e = 2e-5: e^2 times third derivatives of the step, and rounding over e. */
  if (method->symplectic && !(change < 1e-7)) complain(specimen, method, "the form changes by %.3g", change);
}

START_TEST(symplectic) {
  each(check_symplecticity);
  for (size_t i = 0; i < seen_count; i++)
    if (!seen[i].method->symplectic)
      ck_assert_msg(seen[i].worst > 1e-6, "%s is symplectic on all systems (%.3g), its entry says no",
                    seen[i].method->name, seen[i].worst);
}
END_TEST

START_TEST(symplecticity_sees_explicit_euler) {
  ck_assert_double_le(symplecticity(&free_specimen, &rill_method_verlet), 1e-7);
  ck_assert_double_ge(symplecticity(&free_specimen, &explicit_euler), 1e-4);
}
END_TEST

/* --- momentum maps --- */

static void momenta(struct run *run, double value[6]) {
  struct rill_observation o;
  ck_assert(run->system->ops->observe(run->system->self, &o, &small_error) == RILL_OK);
  for (int i = 0; i < 3; i++) value[i] = o.momentum[i], value[3 + i] = o.angular_momentum[i];
}

static double momentum_size(const double value[6]) {
  double size = 0;
  for (int i = 0; i < 6; i++)
    if (isfinite(value[i])) size = fmax(size, fabs(value[i]));
  return size > 0 ? size : 1;
}

/* Which of the momenta the motion itself conserves. */
static unsigned conserved(const struct specimen *specimen) {
  struct run run = start(specimen, reference_base(specimen), rill_composition_find("yoshida8"), 0.5 * specimen->h);
  double first[6], now[6], drift[6] = {0};
  unsigned which = 0;
  momenta(&run, first);
  for (int k = 0; k < 20; k++) {
    advance(&run, 2);
    momenta(&run, now);
    for (int i = 0; i < 6; i++) drift[i] = fmax(drift[i], isfinite(now[i]) ? fabs(now[i] - first[i]) : INFINITY);
  }
  for (int i = 0; i < 6; i++)
    if (drift[i] < 1e-8 * momentum_size(first)) which |= 1u << i;
  finish(&run);
  return which;
}

/* Largest change of what is conserved over 200 steps, relative to the momenta's size; NAN: nothing is. */
static double momentum_change(const struct specimen *specimen, const struct rill_method *method) {
  struct run run = start(specimen, method, NULL, specimen->h);
  unsigned which = conserved(specimen);
  double first[6], now[6], worst = which != 0 ? 0 : NAN, z[2 * LARGEST], x[2 * LARGEST];
  for (int k = 0; k <= 200; k++) {
    get(&run, z);
    memcpy(x, z, sizeof x);
    to_canonical(&run, specimen->h, x);
    memcpy(run.system->state->q, x, run.system->state->n * sizeof *x);
    momenta(&run, k == 0 ? first : now);
    memcpy(run.system->state->q, z, run.system->state->n * sizeof *x);
    for (int i = 0; k > 0 && i < 6; i++)
      if (which >> i & 1) worst = fmax(worst, fabs(now[i] - first[i]) / momentum_size(first));
    if (k < 200) advance(&run, 1);
  }
  finish(&run);
  return worst;
}

/* Generating functions of Type II keep the momentum maps of groups that act on positions.  Rotations of vortices mix
 * q and p: test_hamiltonian.c. */
static bool mixes(const struct specimen *specimen, const struct rill_method *method) {
  return strcmp(specimen->kind, "point-vortices") == 0 && strncmp(method->name, "discrete-hamiltonian", 20) == 0;
}

static unsigned with_momenta;

static void check_momenta(const struct specimen *specimen, const struct rill_method *method) {
  double change = breaks_down(method) ? NAN : momentum_change(specimen, method);
  if (isnan(change)) return;
  with_momenta++;
  note(method, change);
  if (getenv("LAWS_PRINT"))
    printf("momenta %-22s %-28s %d %x %.2e\n", method->name, specimen->kind, method->symplectic, conserved(specimen),
           change);
  /* Rounding of 200 steps, each of several stages. */
  if (method->symplectic && !mixes(specimen, method) && !(change < 1e-11))
    complain(specimen, method, "a momentum changes by %.3g", change);
}

START_TEST(momentum_maps) {
  each(check_momenta);
  ck_assert_uint_ge(with_momenta, 40);
  for (size_t i = 0; i < seen_count; i++) /* without the third-derivative term the force has torques */
    if (strcmp(seen[i].method->name, "zss") == 0) ck_assert_double_ge(seen[i].worst, 1e-6);
}
END_TEST

START_TEST(momentum_maps_see_friction) {
  ck_assert_double_le(momentum_change(&round_specimen, &rill_method_verlet), 1e-11);
  ck_assert_double_ge(momentum_change(&round_specimen, &friction), 1e-3);
}
END_TEST

/* --- energy --- */

/* Largest energy error of 4000 steps of half the length, relative to the energies' size, and its drift: how far the
 * mean of the last quarter is from the mean of the first, relative to the band. */
static void energy_band(const struct specimen *specimen, const struct rill_method *method, double *band,
                        double *drift) {
  enum { STEPS = 4000 };
  struct run run = start(specimen, method, NULL, 0.5 * specimen->h);
  struct rill_observation o;
  double first, low, high, size, mean[4] = {0};
  ck_assert(run.system->ops->observe(run.system->self, &o, &small_error) == RILL_OK);
  first = low = high = o.kinetic + o.potential;
  size = fmax(fabs(o.kinetic), fabs(o.potential));
  for (int k = 0; k < STEPS; k++) {
    double energy;
    enum rill_status status = rill_integrator_step(run.integrator, run.done++, false, &small_error);
    if (status != RILL_OK) { /* a method that blows up */
      *band = *drift = INFINITY;
      finish(&run);
      return;
    }
    ck_assert(run.system->ops->observe(run.system->self, &o, &small_error) == RILL_OK);
    energy = o.kinetic + o.potential;
    size = fmax(size, fmax(fabs(o.kinetic), fabs(o.potential)));
    low = fmin(low, energy), high = fmax(high, energy);
    mean[4 * k / STEPS] += (energy - first) / (STEPS / 4);
  }
  *band = (high - low) / size;
  *drift = fabs(mean[3] - mean[0]) / (high - low);
  finish(&run);
}

static void check_energy(const struct specimen *specimen, const struct rill_method *method) {
  double band, drift;
  if ((!method->symplectic && !method->symmetric) || breaks_down(method)) return;
  energy_band(specimen, method, &band, &drift);
  if (getenv("LAWS_PRINT")) printf("energy %-22s %-28s %.2e %.3f\n", method->name, specimen->kind, band, drift);
  if (!(band < (method->order == 1 ? 0.5 : 0.15))) complain(specimen, method, "energy band %.3g", band);
  /* A steady drift makes 0.75; motions that are not periodic have different means too.  Below 1e-11 is rounding. */
  if (!(drift < 0.55 || band < 1e-11))
    complain(specimen, method, "energy drifts by %.3g of its band of %.3g", drift, band);
}

START_TEST(energy) { each(check_energy); }
END_TEST

START_TEST(energy_sees_friction) {
  double band, drift;
  energy_band(&free_specimen, &rill_method_verlet, &band, &drift);
  ck_assert_double_le(drift, 0.55);
  energy_band(&free_specimen, &friction, &band, &drift);
  ck_assert_double_ge(drift, 0.55);
}
END_TEST

/* --- restart --- */

/* Whether a run stopped after 7 steps, its state carried to a new system and a new integrator, ends with the same
 * bytes. */
static bool restarts(const struct specimen *specimen, const struct rill_method *method) {
  struct run whole = start(specimen, method, NULL, specimen->h), before = start(specimen, method, NULL, specimen->h),
             after = start(specimen, method, NULL, specimen->h);
  const struct rill_state *from = before.system->state, *to = after.system->state;
  double a[2 * LARGEST], b[2 * LARGEST];
  size_t n = from->n;
  advance(&whole, 17);
  advance(&before, 7);
  memcpy(to->q, from->q, n * sizeof *a);
  memcpy(to->p, from->p, n * sizeof *a);
  if (from->acceleration != NULL) memcpy(to->acceleration, from->acceleration, n * sizeof *a);
  if (from->compensation != NULL) memcpy(to->compensation, from->compensation, n * sizeof *a);
  if (from->earlier > 0) memcpy(to->history, from->history, (2 * from->earlier + 1) * n * sizeof *a);
  after.done = before.done;
  advance(&after, 10);
  get(&whole, a);
  get(&after, b);
  finish(&whole), finish(&before), finish(&after);
  return memcmp(a, b, 2 * n * sizeof *a) == 0;
}

static void check_restart(const struct specimen *specimen, const struct rill_method *method) {
  if (!restarts(specimen, method)) complain(specimen, method, "a continued run is another run");
}

START_TEST(restart) { each(check_restart); }
END_TEST

START_TEST(restart_sees_hidden_memory) {
  ck_assert(restarts(&free_specimen, &explicit_euler));
  ck_assert(!restarts(&free_specimen, &hidden_memory));
}
END_TEST

/* --- a failing force --- */

/* Copies of the capabilities whose call number `fuse` and all later ones fail: flows by status, forces by NaN. */
static struct {
  long fuse;
  struct rill_flow_ops flow;
  struct rill_mechanical_ops mechanical;
  struct rill_lagrangian_ops lagrangian, embedding;
  struct rill_group_ops group;
  struct rill_hamiltonian hamiltonian;
} fault;

static bool blown(void) { return fault.fuse-- <= 0; }

static enum rill_status bad_drift(void *self, double h, unsigned flags, struct rill_error *error) {
  if (blown()) return rill_error_set(error, RILL_ERROR_CONVERGENCE, "a fault on purpose");
  return fault.flow.drift(self, h, flags, error);
}

static enum rill_status bad_kick(void *self, double h, double h_base, const struct rill_filter *filter,
                                 unsigned flags, struct rill_error *error) {
  if (blown()) return rill_error_set(error, RILL_ERROR_NOT_FINITE, "a fault on purpose");
  return fault.flow.kick(self, h, h_base, filter, flags, error);
}

static void bad_gradient(const void *self, const double *q, double *gradient) {
  bool bad = blown();
  fault.mechanical.gradient(self, q, gradient);
  if (bad) gradient[0] = NAN;
}

static void spoil(struct rill_lagrangian_values *values) {
  if (values->dq != NULL) values->dq[0] = NAN;
  if (values->dv != NULL) values->dv[0] = NAN;
}

static void bad_evaluate(const void *self, const double *q, const double *v, struct rill_lagrangian_values *values) {
  bool bad = blown();
  fault.lagrangian.evaluate(self, q, v, values);
  if (bad) spoil(values);
}

static void bad_embedding(const void *self, const double *q, const double *v, struct rill_lagrangian_values *values) {
  bool bad = blown();
  fault.embedding.evaluate(self, q, v, values);
  if (bad) spoil(values);
}

static void bad_force(const void *self, const double *element, double *force) {
  bool bad = blown();
  fault.group.force(self, element, force);
  if (bad) force[0] = NAN;
}

static enum rill_status bad_hamiltonian(void *self, const double *q, const double *p,
                                        struct rill_hamiltonian_values *values, struct rill_error *error) {
  if (blown()) return rill_error_set(error, RILL_ERROR_NOT_FINITE, "a fault on purpose");
  return fault.hamiltonian.evaluate(self, q, p, values, error);
}

/* The number of places in a step at which a fault was set and the state was found changed afterwards, or no error
 * came. */
static unsigned harm(const struct specimen *specimen, const struct rill_method *method, bool restoring,
                     unsigned *places) {
  struct rill_system inner = small_system(specimen->kind, specimen->settings), system = inner;
  struct rill_system_ops ops = *inner.ops;
  struct rill_mechanical mechanical;
  struct rill_mechanical_ops mechanical_ops;
  struct rill_lagrangian lagrangian;
  struct rill_lagrangian_ops lagrangian_ops, embedding_ops;
  struct rill_lagrangian embedding;
  struct rill_chart chart;
  struct rill_group group;
  struct rill_group_ops group_ops;
  struct rill_hamiltonian hamiltonian;
  struct rill_flow_ops flow;
  struct rill_binding_options options = options_of(method, specimen->h);
  struct rill_integrator *integrator;
  struct run run = {.system = &system, .method = method};
  double before[2 * LARGEST], after[2 * LARGEST], history[RILL_HISTORY * LARGEST];
  const size_t n = inner.state->n;
  size_t carried;
  unsigned harmed = 0;
  if (inner.flow != NULL) {
    fault.flow = flow = *inner.flow;
    flow.drift = bad_drift, flow.kick = bad_kick;
    system.flow = &flow;
  }
  if (inner.mechanical != NULL) {
    fault.mechanical = mechanical_ops = *inner.mechanical->ops;
    mechanical_ops.gradient = bad_gradient;
    mechanical = *inner.mechanical, mechanical.ops = &mechanical_ops;
    system.mechanical = &mechanical;
  }
  if (inner.lagrangian != NULL) {
    fault.lagrangian = lagrangian_ops = *inner.lagrangian->ops;
    lagrangian_ops.evaluate = bad_evaluate;
    lagrangian = *inner.lagrangian, lagrangian.ops = &lagrangian_ops;
    system.lagrangian = &lagrangian;
    if (lagrangian.chart != NULL) {
      fault.embedding = embedding_ops = *lagrangian.chart->embedding->ops;
      embedding_ops.evaluate = bad_embedding;
      embedding = *lagrangian.chart->embedding, embedding.ops = &embedding_ops;
      chart = *lagrangian.chart, chart.embedding = &embedding;
      lagrangian.chart = &chart;
    }
  }
  if (inner.group != NULL) {
    fault.group = group_ops = *inner.group->ops;
    group_ops.force = bad_force;
    group = *inner.group, group.ops = &group_ops;
    system.group = &group;
  }
  if (inner.hamiltonian != NULL) {
    fault.hamiltonian = hamiltonian = *inner.hamiltonian;
    hamiltonian.evaluate = bad_hamiltonian;
    system.hamiltonian = &hamiltonian;
  }
  *places = 0;
  fault.fuse = LONG_MAX;
  ck_assert(rill_integrator_create(method, &system, &options, &integrator, &small_error) == RILL_OK);
  run.integrator = integrator;
  advance(&run, 2);
  carried = (inner.state->earlier > 0 ? 2 * inner.state->earlier + 1 : 0) * n;
  if (!restoring) {
    ops.restore = ops.save; /* keeps what it finds */
    system.ops = &ops;
  }
  for (long fuse = 0;; fuse++) {
    enum rill_status status;
    get(&run, before);
    if (carried > 0) memcpy(history, inner.state->history, carried * sizeof *history);
    fault.fuse = fuse;
    rill_error_clear(&small_error);
    status = rill_integrator_step(integrator, run.done, false, &small_error);
    get(&run, after);
    if (status == RILL_OK && fault.fuse >= 0) break; /* the step has no more calls */
    ++*places;
    if (status == RILL_OK || memcmp(before, after, 2 * n * sizeof *before) != 0 ||
        (carried > 0 && memcmp(history, inner.state->history, carried * sizeof *history) != 0) ||
        strstr(small_error.text, "step 3") == NULL)
      harmed++;
    put(&run, before);
    if (carried > 0) memcpy(inner.state->history, history, carried * sizeof *history);
    ck_assert_int_lt(fuse, 2000);
  }
  rill_integrator_destroy(integrator);
  small_destroy_system(&inner);
  return harmed;
}

static void check_failure(const struct specimen *specimen, const struct rill_method *method) {
  unsigned places, harmed = harm(specimen, method, true, &places);
  if (getenv("LAWS_PRINT")) printf("failure %-22s %-28s %u of %u\n", method->name, specimen->kind, harmed, places);
  if (places == 0) complain(specimen, method, "no place for a fault");
  if (harmed != 0)
    complain(specimen, method, "%u of %u faults were not reported or changed the state", harmed, places);
}

START_TEST(failing_force) { each(check_failure); }
END_TEST

START_TEST(failing_force_sees_a_system_that_does_not_restore) {
  unsigned places;
  ck_assert_uint_eq(harm(&free_specimen, &rill_method_verlet, true, &places), 0);
  ck_assert_uint_ge(harm(&free_specimen, &rill_method_verlet, false, &places), 1);
}
END_TEST

/* --- refusal --- */

static const struct {
  unsigned need;
  const char *word;
} needs[] = {{RILL_NEEDS_FLOW, "flow"},
             {RILL_NEEDS_MECHANICAL, "mechanical"},
             {RILL_NEEDS_LAGRANGIAN, "lagrangian"},
             {RILL_NEEDS_GROUP, "group"},
             {RILL_NEEDS_HAMILTONIAN, "hamiltonian"}};

/* Each method on each system with one needed capability taken away is refused, in words that name method, system and
 * capability; with all it needs, it binds. */
START_TEST(refusal_by_name) {
  size_t methods, count = specimen_count(), refused = 0;
  const struct rill_method *const *method = rill_methods(&methods);
  for (size_t s = 0; s < count; s++) {
    struct specimen specimen = specimen_at(s);
    struct rill_system system = small_system(specimen.kind, specimen.settings);
    struct rill_binding_options options = small_options(specimen.h, BETA);
    for (size_t k = 0; k < methods; k++)
      for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        struct rill_system poorer = system;
        struct rill_integrator *integrator;
        enum rill_status status;
        if (needs[i].need == RILL_NEEDS_FLOW) poorer.flow = NULL;
        if (needs[i].need == RILL_NEEDS_MECHANICAL) poorer.mechanical = NULL;
        if (needs[i].need == RILL_NEEDS_LAGRANGIAN) poorer.lagrangian = NULL;
        if (needs[i].need == RILL_NEEDS_GROUP) poorer.group = NULL;
        if (needs[i].need == RILL_NEEDS_HAMILTONIAN) poorer.hamiltonian = NULL;
        if (!(method[k]->needs & needs[i].need)) continue;
        rill_error_clear(&small_error);
        status = rill_integrator_create(method[k], &poorer, &options, &integrator, &small_error);
        ck_assert_msg(status == RILL_ERROR_UNSUPPORTED && integrator == NULL, "%s bound to %s without %s",
                      method[k]->name, specimen.kind, needs[i].word);
        ck_assert_msg(
            strstr(small_error.text, method[k]->name) != NULL && strstr(small_error.text, system.ops->name) != NULL,
            "%s", small_error.text);
        if (rill_method_refusal(method[k], &system, RILL_NO_BATH) == RILL_BINDS) {
          const enum rill_refusal refusal = rill_method_refusal(method[k], &poorer, RILL_NO_BATH);
          ck_assert_msg(strstr(small_error.text, needs[i].word) != NULL, "%s", small_error.text);
          ck_assert_uint_eq(rill_refusal_capability(refusal), needs[i].need);
          ck_assert_ptr_nonnull(strstr(small_error.text, rill_refusal_reason(refusal)));
        }
        refused++;
      }
    small_destroy_system(&system);
  }
  ck_assert_uint_ge(refused, methods * count);
}
END_TEST

/* No thermostat where there is no Ornstein-Uhlenbeck flow; one-step methods take gla alone. */
START_TEST(refusal_of_thermostats) {
  struct rill_system system = small_system(free_specimen.kind, free_specimen.settings), poorer = system;
  struct rill_flow_ops without = *system.flow;
  without.ou = NULL;
  poorer.flow = &without;
  ck_assert_int_eq(rill_method_refusal(&rill_method_verlet, &poorer, RILL_GLA), RILL_REFUSED_OU);
  ck_assert_int_eq(rill_method_refusal(&rill_method_verlet, &system, RILL_GLA), RILL_BINDS);
  ck_assert_int_eq(rill_method_refusal(&rill_method_verlet, &system, RILL_BAOAB), RILL_BINDS);
  ck_assert_int_eq(rill_method_refusal(&rill_method_verlet, &system, RILL_GHMC), RILL_REFUSED_TRIAL);
  ck_assert_int_eq(rill_method_refusal(rill_method_find("dvp"), &system, RILL_GLA), RILL_BINDS);
  ck_assert_int_eq(rill_method_refusal(rill_method_find("dvp"), &system, RILL_BAOAB), RILL_REFUSED_OU_INSIDE_STEP);
  small_destroy_system(&system);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("small systems");
  TCase *laws = tcase_create("laws"), *mutants = tcase_create("mutants"),
        *compositions = tcase_create("compositions");
  tcase_add_test(laws, order);
  tcase_add_test(laws, time_reversal);
  tcase_add_test(laws, symplectic);
  tcase_add_test(laws, momentum_maps);
  tcase_add_test(laws, energy);
  tcase_add_test(laws, restart);
  tcase_add_test(laws, failing_force);
  tcase_add_test(laws, refusal_by_name);
  tcase_add_test(laws, refusal_of_thermostats);
  tcase_add_test(mutants, order_sees_a_wrong_coefficient);
  tcase_add_test(mutants, time_reversal_sees_a_wrong_coefficient);
  tcase_add_test(mutants, symplecticity_sees_explicit_euler);
  tcase_add_test(mutants, momentum_maps_see_friction);
  tcase_add_test(mutants, energy_sees_friction);
  tcase_add_test(mutants, restart_sees_hidden_memory);
  tcase_add_test(mutants, failing_force_sees_a_system_that_does_not_restore);
  tcase_add_test(compositions, orders_of_compositions);
  tcase_add_test(compositions, compositions_of_all_bases_agree);
  tcase_add_test(compositions, coefficients_of_compositions);
  tcase_add_test(compositions, a_splitting_of_order_four_under_constraints);
  tcase_add_test(compositions, composition_refused);
  tcase_set_timeout(laws, 300);
  tcase_set_timeout(compositions, 300);
  suite_add_tcase(suite, laws);
  suite_add_tcase(suite, mutants);
  suite_add_tcase(suite, compositions);
  return rill_run_suite(suite);
}
