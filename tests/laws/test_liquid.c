/* Water in a periodic box, in motion: energy, momentum, pressure; and what must not change a byte: threads, and
 * stopping and going on. */
#include "fixture.h"

#include "base/memory.h"
#include "base/units.h"

enum { MOLECULES = 216 };
static const double edge = 1.86206;

struct liquid {
  double positions[MOLECULES * 9], velocities[MOLECULES * 9];
};

static void read_positions(double *positions) {
  char line[1024];
  FILE *file = fopen(RILL_SOURCE_DIR "/tests/data/energies/p216_forces.csv", "r");
  size_t atom = 0;
  ck_assert_ptr_nonnull(file);
  while (fgets(line, sizeof line, file) != NULL) {
    double x, y, z;
    char element;
    if (sscanf(line, "%*d,%c,%lf,%lf,%lf", &element, &x, &y, &z) != 4) continue;
    positions[3 * atom] = 0.1 * x;
    positions[3 * atom + 1] = 0.1 * y;
    positions[3 * atom++ + 2] = 0.1 * z;
  }
  fclose(file);
  ck_assert_uint_eq(atom, 3 * MOLECULES);
}

struct run {
  const struct liquid *start;
  enum rill_precision precision;
  double step;
  int threads;
  bool by_atom, broken; /* broken: a mutant, the mesh of another beta */
  enum rill_lj_kind lj;
  const struct rill_method *method; /* NULL: verlet */
  unsigned substeps;
  double buffer, inner_buffer; /* of the lists; 0: chosen */
  bool droplet;                /* in vacuum, with a cutoff */
  enum rill_coulomb_kind coulomb;
};

static struct rill_system create(const struct run *run, struct rill_water_options options) {
  struct rill_system system;
  fixture_ok(rill_water_model_find("tip3p", 0, &options.model, &fixture_error));
  options.molecules = MOLECULES;
  options.positions = run->start->positions;
  options.velocities = run->start->velocities;
  options.constraints = (struct rill_constraint_options){RILL_SETTLE, 1e-13, 1e-13, 1.0, 500};
  options.isa = rill_isa_best();
  options.threads = run->threads;
  options.periodic = true;
  options.box = (struct rill_periodic_options){.box = {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}},
                                               .cutoff = 0.9,
                                               .coulomb = run->coulomb,
                                               .beta = 3.4705,
                                               .lj = run->lj,
                                               .switch_from = 0.75,
                                               .tail = 1,
                                               .by_atom = run->by_atom,
                                               .precision = run->precision};
  options.mesh = (struct rill_pme_parameters){
      .order = 6,
      .grid = {20, 20, 20},
      .precision = run->precision == RILL_PRECISION_MIXED ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE};
  options.box.buffer = run->buffer;
  options.box.inner_buffer = run->inner_buffer;
  if (run->droplet) {
    options.periodic = false;
    options.box.open = 1;
    options.box.coulomb = RILL_COULOMB_CUT;
    options.box.tail = 0;
  }
  if (run->broken) options.model.charge[0] = -2.0 * (options.model.charge[1] = options.model.charge[2] = 0.41701);
  fixture_ok(rill_water_create(&options, &system, &fixture_error));
  return system;
}

static void advance(const struct rill_method *method, struct rill_system *system, double h, unsigned substeps,
                    uint64_t first, uint64_t count) {
  const struct rill_binding_options binding = {.step = h,
                                               .insertion = RILL_NO_BATH,
                                               .geodesic_steps = 1,
                                               .method = {.beta = 0.4, .tolerance = 1e-13, .substeps = substeps}};
  struct rill_integrator *integrator;
  fixture_ok(rill_integrator_create(method, system, &binding, &integrator, &fixture_error));
  for (uint64_t k = 0; k < count; k++) fixture_ok(rill_integrator_step(integrator, first + k, false, &fixture_error));
  rill_integrator_destroy(integrator);
}

static void step_by(const char *method, struct rill_system *system, double h, uint64_t first, uint64_t count) {
  advance(rill_method_find(method), system, h, 1, first, count);
}

static void step(struct rill_system *system, const struct run *run, uint64_t first, uint64_t count) {
  const struct rill_method *method = run->method != NULL ? run->method : rill_method_find("verlet");
  advance(method, system, run->step, run->substeps, first, count);
}

static struct rill_observation observe(struct rill_system *system) {
  struct rill_observation o;
  fixture_ok(system->ops->observe(system->self, &o, &fixture_error));
  return o;
}

/* At 300 K, after 0.4 ps of its own. */
static struct liquid make_start(void) {
  struct liquid liquid = {0};
  struct run run = {.start = &liquid, .precision = RILL_PRECISION_MIXED, .step = 1e-3, .threads = 1};
  struct rill_system system;
  read_positions(liquid.positions);
  system = create(&run, (struct rill_water_options){0});
  fixture_ok(rill_water_draw_velocities(&system, 300.0, 5, &fixture_error));
  fixture_ok(rill_water_remove_momentum(&system, RILL_REMOVE_LINEAR_MOMENTUM, &fixture_error));
  step(&system, &run, 0, 400);
  rill_water_copy_state(&system, liquid.positions, liquid.velocities);
  system.ops->destroy(system.self);
  return liquid;
}

static struct liquid start;
static void set_up(void) { start = make_start(); }

/* Root mean square of the energy about its mean over 0.4 ps, and the change of its mean from the first to the second
 * half. */
static double energy_noise(const struct run *run, double *drift) {
  struct rill_system system = create(run, (struct rill_water_options){0});
  const uint64_t count = (uint64_t)(0.4 / run->step + 0.5), each = (uint64_t)(4e-3 / run->step + 0.5);
  double sum = 0, sum2 = 0, half[2] = {0}, first = 0, n = 0;
  for (uint64_t k = 0; k < count; k += each) {
    struct rill_observation o;
    double e;
    step(&system, run, k, each);
    o = observe(&system);
    e = o.kinetic + o.potential;
    if (k == 0) first = e;
    sum += e - first;
    sum2 += (e - first) * (e - first);
    half[2 * k >= count] += e - first;
    n++;
    for (int c = 0; c < 3; c++) ck_assert(fabs(o.momentum[c]) < 2.0);
    ck_assert(fabs(o.pressure / RILL_BAR) < 3000 && o.temperature > 240 && o.temperature < 360);
  }
  system.ops->destroy(system.self);
  if (drift != NULL) *drift = 2 * (half[1] - half[0]) / n;
  return sqrt(sum2 / n - sum * sum / (n * n));
}

/* The error of the energy goes with the square of the step, in both precisions (a switched cutoff by atoms: others
 * add the noise of pairs that cross it); a ratio of 4, within the scatter of so short a run. */
START_TEST(energy_error_is_quadratic) {
  struct run run = {.start = &start,
                    .precision = _i == 0 ? RILL_PRECISION_DOUBLE : RILL_PRECISION_MIXED,
                    .step = 2e-3,
                    .threads = 1,
                    .by_atom = true,
                    .lj = RILL_LJ_SWITCH};
  double two, one;
  two = energy_noise(&run, NULL);
  run.step = 1e-3;
  one = energy_noise(&run, NULL);
  ck_assert_msg(two < 4.0 && two / one > 3.2 && two / one < 5.0, "2 fs: %g kJ/mol, 1 fs: %g", two, one);
}
END_TEST

/* Pressure and energy of the file's positions at rest, against the independent program: -2583.793 + 419.593 - 12.347
 * kcal/mol, 126.99 - 265.57 bar; a 6th order mesh of 0.093 nm. */
START_TEST(energy_and_pressure) {
  static struct liquid rest;
  struct run run = {.start = &rest,
                    .precision = _i == 0 ? RILL_PRECISION_DOUBLE : RILL_PRECISION_MIXED,
                    .threads = 1,
                    .by_atom = true};
  struct rill_system system;
  struct rill_observation o;
  double trace = 0;
  read_positions(rest.positions);
  system = create(&run, (struct rill_water_options){0});
  o = observe(&system);
  for (int c = 0; c < 3; c++) trace += o.pressure_tensor[c][c] / 3;
  ck_assert_msg(fabs(o.potential - -2176.546516567764 * RILL_KCAL) < 1.0, "%.6f", o.potential / RILL_KCAL);
  ck_assert_msg(fabs(o.pressure / RILL_BAR - (126.991400 - 265.565247)) < 2.0, "%.4f bar", o.pressure / RILL_BAR);
  ck_assert(fabs(trace - o.pressure) < 1e-9);
  system.ops->destroy(system.self);
}
END_TEST

/* Motion adds sum M V V / volume to the pressure tensor, with the velocities V of the molecules' centres of mass. */
START_TEST(motion_adds_its_pressure) {
  static struct liquid rest;
  static double v[9 * MOLECULES];
  struct run run = {.start = &rest, .precision = RILL_PRECISION_MIXED, .threads = 1};
  struct rill_system system;
  struct rill_observation still, moving;
  struct rill_water_model model;
  double total = 0, trace, flux[3][3] = {{0}};
  fixture_ok(rill_water_model_find("tip3p", 0, &model, &fixture_error));
  for (int a = 0; a < RILL_ATOMS; a++) total += model.mass[a];
  read_positions(rest.positions);
  for (size_t m = 0; m < MOLECULES; m++) {
    double momentum[3] = {0};
    for (size_t k = 0; k < 9; k++) {
      v[9 * m + k] = sin((double)(9 * m + k) * (double)(k + 1));
      momentum[k % 3] += model.mass[k / 3] * v[9 * m + k];
    }
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) flux[i][j] += momentum[i] * momentum[j] / total;
  }
  system = create(&run, (struct rill_water_options){0});
  still = observe(&system);
  rill_water_set_state(&system, NULL, v);
  moving = observe(&system);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double change = moving.pressure_tensor[i][j] - still.pressure_tensor[i][j];
      ck_assert_double_eq_tol(change * pow(edge, 3), flux[i][j], 1e-9 * flux[0][0]);
    }
  trace = flux[0][0] + flux[1][1] + flux[2][2];
  ck_assert_double_eq_tol((moving.pressure - still.pressure) * pow(edge, 3), trace / 3, 1e-9 * trace);
  system.ops->destroy(system.self);
}
END_TEST

static double largest_difference(const double *a, const double *b) {
  double largest = 0;
  for (size_t k = 0; k < MOLECULES * 9; k++) largest = fmax(largest, fabs(a[k] - b[k]));
  return largest;
}

static void go(const struct run *run, uint64_t count, bool back, struct liquid *end) {
  struct rill_system system = create(run, (struct rill_water_options){0});
  step(&system, run, 0, count);
  if (back) {
    rill_water_copy_state(&system, end->positions, end->velocities);
    for (size_t k = 0; k < MOLECULES * 9; k++) end->velocities[k] = -end->velocities[k];
    rill_water_set_state(&system, end->positions, end->velocities);
    step(&system, run, 0, count);
  }
  rill_water_copy_state(&system, end->positions, end->velocities);
  system.ops->destroy(system.self);
}

static void end_of(const struct run *run, uint64_t stop, struct liquid *end) {
  struct rill_system system = create(run, (struct rill_water_options){0});
  step(&system, run, 0, stop);
  if (stop < 60) { /* saved, and put into another system, which builds its lists anew */
    struct liquid *saved = rill_allocate(1, sizeof *saved);
    struct run again = *run;
    rill_water_copy_state(&system, saved->positions, saved->velocities);
    system.ops->destroy(system.self);
    again.start = saved;
    system = create(&again, (struct rill_water_options){0});
    rill_water_set_state(&system, saved->positions, saved->velocities);
    step(&system, run, stop, 60 - stop);
    rill_release(saved);
  }
  rill_water_copy_state(&system, end->positions, end->velocities);
  system.ops->destroy(system.self);
}

START_TEST(threads_and_stops_change_nothing) {
  static struct liquid one, other;
  struct run run = {.start = &start,
                    .precision = _i == 0 ? RILL_PRECISION_DOUBLE : RILL_PRECISION_MIXED,
                    .step = 2e-3,
                    .threads = 1,
                    .method = rill_method_find(_i < 2 ? "verlet" : "respa"),
                    .substeps = 3};
  end_of(&run, 60, &one);
  for (int threads = 2; threads <= 4; threads++) {
    run.threads = threads;
    end_of(&run, 60, &other);
    ck_assert_msg(memcmp(&one, &other, sizeof one) == 0, "%d threads", threads);
  }
  run.threads = 1;
  for (uint64_t stop = 7; stop < 60; stop += 19) {
    end_of(&run, stop, &other);
    ck_assert_msg(memcmp(&one, &other, sizeof one) == 0, "stopped at %d", (int)stop);
  }
  run.broken = true; /* a mutant: charges changed by 2e-5 are seen */
  end_of(&run, 60, &other);
  ck_assert(memcmp(&one, &other, sizeof one) != 0);
}
END_TEST

/* The trajectory is the same to the byte for any buffer of the lists, in a box and of a droplet with a cutoff; hot,
 * so that lists are remade often. */
START_TEST(buffers_change_nothing) {
  static const double buffers[][2] = {{0.25, 0.25}, {0.002, 0.0}, {0.02, 0.0},  {0.05, 0.0},   {0.08, 0.0},
                                      {0.0, 0.0},   {0.05, 0.01}, {0.06, 0.05}, {0.13, 0.065}, {0.2, 0.02}};
  static struct liquid hot, wide, other;
  struct run run = {.start = &hot,
                    .precision = _i % 2 == 0 ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE,
                    .step = 2e-3,
                    .threads = 1,
                    .droplet = _i > 1};
  hot = start;
  for (size_t k = 0; k < 9 * MOLECULES; k++) hot.velocities[k] *= 2.0;
  for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++) {
    run.buffer = buffers[b][0];
    run.inner_buffer = buffers[b][1];
    go(&run, _i == 1 ? 40 : 100, false, b == 0 ? &wide : &other);
    if (b > 0)
      ck_assert_msg(memcmp(&wide, &other, sizeof wide) == 0, "buffers %g and %g nm: off by %g nm", run.buffer,
                    run.inner_buffer, largest_difference(wide.positions, other.positions));
  }
}
END_TEST

/* Symmetric methods of every kind come back over 20 steps, rigid and with stiff bonds: to what round-off of the
 * state, and the quanta of forces in double, leave after 40 steps; the mutant takes one step of a method that is not
 * symmetric. */
START_TEST(reversal_comes_back) {
  static const struct {
    const char *method;
    double stiffness, step;
  } cases[] = {{"verlet", 0, 2e-3},
               {"yoshida4", 0, 2e-3},
               {"dvp", 0, 1e-3},
               {"verlet", 4000, 5e-4},
               {"zss-simplified", 4000, 5e-4},
               {"newmark-pushforward", 4000, 5e-4},
               {"implicit-midpoint", 4000, 5e-4}};
  struct run run = {.start = &start, .precision = RILL_PRECISION_DOUBLE, .threads = 1};
  struct rill_system system = create(&run, (struct rill_water_options){.stiffness = cases[_i].stiffness});
  static struct liquid end;
  double worst = 0;
  step_by(cases[_i].method, &system, cases[_i].step, 0, 20);
  rill_water_copy_state(&system, end.positions, end.velocities);
  for (size_t k = 0; k < 9 * MOLECULES; k++) end.velocities[k] = -end.velocities[k];
  rill_water_set_state(&system, NULL, end.velocities);
  step_by(cases[_i].method, &system, cases[_i].step, 20, 20);
  rill_water_copy_state(&system, end.positions, end.velocities);
  for (size_t k = 0; k < 9 * MOLECULES; k++) worst = fmax(worst, fabs(end.positions[k] - start.positions[k]));
  ck_assert_msg(worst < 2e-9, "%s: %g nm", cases[_i].method, worst);
  step_by("symplectic-euler", &system, cases[_i].step, 40, 1); /* the mutant: a step that is not symmetric */
  rill_water_copy_state(&system, end.positions, end.velocities);
  worst = 0;
  for (size_t k = 0; k < 9 * MOLECULES; k++) worst = fmax(worst, fabs(end.positions[k] - start.positions[k]));
  ck_assert_double_gt(worst, 1e-5);
  system.ops->destroy(system.self);
}
END_TEST

/* ---- r-RESPA ---- */

/* Mutants: all of the slow forces before the substeps, which is of order 1 and not symmetric; or none of them. */
static const struct rill_splitting_stage fast_drift_fast[] = {
    {RILL_KICK, 0.5, RILL_FLOW_FAST}, {RILL_DRIFT, 1.0, 0}, {RILL_KICK, 0.5, RILL_FLOW_FAST}};
static const struct rill_splitting fast_verlet = {RILL_SPLITTING_PLAIN, fast_drift_fast, 3, NULL, NULL, 0};
static const struct rill_splitting_stage all_before[] = {{RILL_KICK, 1.0, RILL_FLOW_SLOW}, {RILL_INNER, 1.0, 0}};
static const struct rill_splitting slow_before = {RILL_SPLITTING_NESTED, all_before, 2, &fast_verlet, NULL, 0},
                                   never_slow = {RILL_SPLITTING_NESTED, all_before + 1, 1, &fast_verlet, NULL, 0};

/* One substep is RATTLE; only the sum of the two parts is rounded otherwise.  Ten steps of a liquid let it grow a
 * hundredfold. */
START_TEST(one_substep_is_rattle) {
  static struct liquid rattle, respa;
  struct run run = {.start = &start, .precision = RILL_PRECISION_DOUBLE, .step = 2e-3, .threads = 1};
  struct rill_method mutant = *rill_method_find("respa");
  go(&run, 10, false, &rattle);
  run.method = rill_method_find("respa");
  run.substeps = 1;
  go(&run, 10, false, &respa);
  ck_assert_double_le(largest_difference(rattle.positions, respa.positions), 1e-12);
  mutant.splitting = &never_slow;
  run.method = &mutant;
  go(&run, 10, false, &respa);
  ck_assert_double_gt(largest_difference(rattle.positions, respa.positions), 1e-6);
}
END_TEST

/* With two substeps of half the step it is of order 2, and symmetric: 20 steps there and back end at the start but
 * for rounding. */
START_TEST(substeps_are_symmetric_and_of_order_two) {
  static struct liquid end;
  struct rill_method mutant = *rill_method_find("respa");
  struct run run = {.start = &start,
                    .precision = RILL_PRECISION_DOUBLE,
                    .step = 4e-3,
                    .threads = 1,
                    .by_atom = true,
                    .lj = RILL_LJ_SWITCH,
                    .method = rill_method_find("respa"),
                    .substeps = 2};
  double four, two, shortened;
  four = energy_noise(&run, NULL);
  run.step = 2e-3;
  two = energy_noise(&run, NULL);
  ck_assert_msg(four < 6.0 && four / two > 3.2 && four / two < 5.0, "4 fs: %g kJ/mol, 2 fs: %g", four, two);
  go(&run, 20, true, &end);
  ck_assert_double_le(largest_difference(start.positions, end.positions), 1e-9);
  mutant.splitting = &slow_before;
  run.method = &mutant;
  shortened = energy_noise(&run, NULL);
  ck_assert_msg(shortened > 1.5 * two, "the mutant: %g kJ/mol at 2 fs", shortened);
  go(&run, 20, true, &end);
  ck_assert_double_gt(largest_difference(start.positions, end.positions), 1e-6);
}
END_TEST

/* r-RESPA is for boxes with a mesh, without filters. */
START_TEST(respa_refusals) {
  struct run run = {.start = &start, .precision = RILL_PRECISION_MIXED, .threads = 1};
  struct rill_system system = create(&run, (struct rill_water_options){0}), vacuum;
  struct rill_method filtered = *rill_method_find("respa");
  struct rill_water_options options = {.molecules = 2,
                                       .positions = start.positions,
                                       .constraints = {RILL_SETTLE, 1e-13, 1e-13, 1.0, 500},
                                       .isa = rill_isa_best(),
                                       .threads = 1};
  ck_assert_int_eq(rill_method_refusal(rill_method_find("respa"), &system, RILL_NO_BATH), RILL_BINDS);
  filtered.filter = rill_method_find("zss-simplified")->filter;
  ck_assert_int_eq(rill_method_refusal(&filtered, &system, RILL_NO_BATH), RILL_REFUSED_NESTED_FILTER);
  system.ops->destroy(system.self);
  fixture_ok(rill_water_model_find("tip3p", 0, &options.model, &fixture_error));
  fixture_ok(rill_water_create(&options, &vacuum, &fixture_error));
  ck_assert_int_eq(rill_method_refusal(rill_method_find("respa"), &vacuum, RILL_NO_BATH), RILL_REFUSED_SLOW_PART);
  vacuum.ops->destroy(vacuum.self);
}
END_TEST

/* One molecule after the other is renumbered: no energy, sum or deviation changes a bit. */
START_TEST(numbering_changes_no_observable) {
  static const enum rill_coulomb_kind kinds[] = {RILL_COULOMB_CUT, RILL_COULOMB_REACTION_FIELD, RILL_COULOMB_EWALD};
  static struct liquid shuffled;
  struct run run = {.start = &start,
                    .precision = _i % 2 ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE,
                    .threads = 1,
                    .coulomb = kinds[_i / 2]};
  struct rill_water_options options = {.stiffness = 20000};
  struct rill_observation o[2][2];
  for (size_t m = 0; m < MOLECULES; m++) {
    const size_t to = 9 * (m * 125 % MOLECULES), bytes = 9 * sizeof(double);
    memcpy(shuffled.positions + to, start.positions + 9 * m, bytes);
    memcpy(shuffled.velocities + to, start.velocities + 9 * m, bytes);
  }
  for (int k = 0; k < 2; k++)
    for (int stiff = 0; stiff < 2; stiff++) {
      struct rill_system system;
      run.start = k == 0 ? &start : &shuffled;
      options.stiffness = stiff ? 20000 : 0;
      options.external = (struct rill_external){.electric = {0.3, -0.7, 1.1}};
      system = create(&run, options);
      o[k][stiff] = observe(&system);
      system.ops->destroy(system.self);
    }
  for (int stiff = 0; stiff < 2; stiff++) {
    const struct rill_observation *one = &o[0][stiff], *other = &o[1][stiff];
    ck_assert_double_gt(one->kinetic, 0.0);
    ck_assert_double_gt(one->part[3], stiff ? 0.0 : -1.0);
    ck_assert_double_ne(one->part[4], 0.0);
    ck_assert_double_gt(one->position_deviation_rms, 0.0);
    ck_assert_mem_eq(one->part, other->part, sizeof one->part);
    ck_assert_mem_eq(one->momentum, other->momentum, sizeof one->momentum);
    ck_assert_mem_eq(one->angular_momentum, other->angular_momentum, sizeof one->angular_momentum);
    ck_assert_mem_eq(one->pressure_tensor, other->pressure_tensor, sizeof one->pressure_tensor);
    ck_assert_double_eq(one->kinetic, other->kinetic);
    ck_assert_double_eq(one->potential, other->potential);
    ck_assert_double_eq(one->temperature_translation, other->temperature_translation);
    ck_assert_double_eq(one->temperature_rotation, other->temperature_rotation);
    ck_assert_double_eq(one->position_deviation_rms, other->position_deviation_rms);
    ck_assert_double_eq(one->velocity_deviation_rms, other->velocity_deviation_rms);
  }
}
END_TEST

/* Derivatives of forces exist in vacuum only: Newton's method is refused, with the reason, and so is a wall. */
START_TEST(refusals) {
  struct run run = {.start = &start, .precision = RILL_PRECISION_DOUBLE, .threads = 1};
  struct rill_system system = create(&run, (struct rill_water_options){0});
  const struct rill_binding_options binding = {.step = 1e-3,
                                               .method = {.tolerance = 1e-13, .nonlinear = RILL_NEWTON_KRYLOV}};
  struct rill_integrator *integrator;
  ck_assert_int_eq(rill_integrator_create(rill_method_find("dvp"), &system, &binding, &integrator, &fixture_error),
                   RILL_ERROR_UNSUPPORTED);
  ck_assert_ptr_nonnull(strstr(fixture_error.text, "nonlinear = anderson"));
  system.ops->destroy(system.self);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("liquid");
  TCase *longer = rill_long_cases(suite, 600);
  TCase *laws = tcase_create("laws");
  tcase_add_unchecked_fixture(laws, set_up, NULL);
  tcase_add_loop_test(laws, energy_and_pressure, 0, 2);
  tcase_add_test(laws, motion_adds_its_pressure);
  tcase_add_loop_test(laws, threads_and_stops_change_nothing, 0, 3);
  tcase_add_loop_test(laws, buffers_change_nothing, 0, 4);
  tcase_add_loop_test(laws, reversal_comes_back, 0, 7);
  tcase_add_test(laws, one_substep_is_rattle);
  tcase_add_test(laws, respa_refusals);
  tcase_add_test(laws, refusals);
  tcase_add_loop_test(laws, numbering_changes_no_observable, 0, 6);
  tcase_set_timeout(laws, 600);
  tcase_add_unchecked_fixture(longer, set_up, NULL);
  tcase_add_loop_test(longer, energy_error_is_quadratic, 0, 2);
  tcase_add_test(longer, substeps_are_symmetric_and_of_order_two);
  suite_add_tcase(suite, laws);
  return rill_run_suite(suite);
}
