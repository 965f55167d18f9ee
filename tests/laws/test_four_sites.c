/* The motion of four-site water: orders, what is conserved, which methods run, minima. */
#include "analysis/statistics.h"
#include "fixture.h"
#include "water/relax/flexible.h"
#include "water/relax/minimize.h"

static const char *const models[] = {"tip4p", "tip4p-ew", "tip4p-2005", "opc", "tip4p-fb"};
enum { MODELS = sizeof models / sizeof *models };
static const char *const start = "tests/data/structures/c007_min.xyz";

/* Standard deviation of the total energy over 1 ps; *lost: the largest change of a component of momentum and angular
 * momentum. */
static double energy_deviation(struct fixture_options options, double step, double *lost) {
  struct fixture f;
  struct rill_observation first, now;
  double sum = 0, squares = 0;
  const int steps = (int)lround(1.0 / step);
  options.step = step;
  f = fixture_create(&options);
  fixture_bind(&f, &options);
  first = now = fixture_observe(&f);
  for (int i = 0; i <= steps; i++) {
    const double off = now.kinetic + now.potential - first.kinetic - first.potential;
    sum += off;
    squares += off * off;
    if (i == steps) break;
    fixture_run(&f, 1);
    now = fixture_observe(&f);
  }
  *lost = 0;
  for (int c = 0; c < 3; c++) {
    *lost = fmax(*lost, fabs(now.momentum[c] - first.momentum[c]));
    *lost = fmax(*lost, fabs(now.angular_momentum[c] - first.angular_momentum[c]));
  }
  fixture_destroy(&f);
  sum /= steps + 1;
  return sqrt(squares / (steps + 1) - sum * sum);
}

/* The energy fluctuates as h^2, by constraints and as rigid bodies; momenta are kept.  A site whose forces are not
 * the gradient, or do not keep the torque, cannot pass. */
START_TEST(energy_and_momenta_are_kept) {
  for (int bodies = 0; bodies < 2; bodies++) {
    const struct fixture_options options = {.structure = start,
                                            .model = models[_i],
                                            .solver = bodies ? RILL_BODIES_ROTOR : RILL_SETTLE,
                                            .insertion = RILL_NO_BATH,
                                            .start_temperature = 60};
    double lost[2], coarse = energy_deviation(options, 0.001, &lost[0]);
    const double fine = energy_deviation(options, 0.0005, &lost[1]);
    ck_assert_msg(fabs(coarse / fine - 4.0) < 0.3, "%s: ratio %g", models[_i], coarse / fine);
    ck_assert_double_lt(fmax(lost[0], lost[1]), 1e-11);
  }
}
END_TEST

/* Standard deviation of the total energy over 0.2 ps in a box, with forces that are smooth at the cutoff. */
static double box_deviation(const char *name, double step, enum rill_precision precision) {
  struct rill_structure structure = {0};
  struct rill_water_options options = {.constraints = {RILL_SETTLE, 1e-13, 1e-13, 1.0, 500},
                                       .isa = rill_isa_best(),
                                       .threads = 1,
                                       .periodic = true,
                                       .box = {.cutoff = 0.9,
                                               .coulomb = RILL_COULOMB_EWALD,
                                               .beta = 4.2,
                                               .lj = RILL_LJ_SWITCH,
                                               .switch_from = 0.7,
                                               .by_atom = 1,
                                               .precision = precision},
                                       .mesh = {.order = 8, .grid = {32, 32, 32}}};
  const int steps = (int)lround(0.2 / step);
  struct fixture f = {0};
  const struct fixture_options run = {.step = step, .insertion = RILL_NO_BATH, .start_temperature = 100};
  double sum = 0, squares = 0, first = 0;
  fixture_ok(rill_water_model_find(name, 0, &options.model, &fixture_error));
  fixture_ok(rill_structure_read(RILL_SOURCE_DIR "/tests/data/structures/p216.xyz", &structure, &fixture_error));
  fixture_ok(rill_water_rigidify(&options.model, structure.positions, structure.molecules, &fixture_error));
  options.molecules = structure.molecules;
  options.positions = structure.positions;
  memcpy(options.box.box, structure.box, sizeof structure.box);
  fixture_ok(rill_water_create(&options, &f.system, &fixture_error));
  rill_structure_release(&structure);
  fixture_bind(&f, &run);
  for (int i = 0; i <= steps; i++) {
    const struct rill_observation now = fixture_observe(&f);
    if (i == 0) first = now.kinetic + now.potential;
    sum += now.kinetic + now.potential - first;
    squares += pow(now.kinetic + now.potential - first, 2);
    if (i < steps) fixture_run(&f, 1);
  }
  fixture_destroy(&f);
  sum /= steps + 1;
  return sqrt(squares / (steps + 1) - sum * sum);
}

/* In a box, too, the energy fluctuates as h^2; in mixed precision as in double. */
START_TEST(energy_is_kept_in_a_box) {
  const double coarse = box_deviation(models[_i], 0.002, RILL_PRECISION_DOUBLE);
  const double fine = box_deviation(models[_i], 0.001, RILL_PRECISION_DOUBLE);
  const double mixed = box_deviation(models[_i], 0.002, RILL_PRECISION_MIXED);
  ck_assert_msg(fabs(coarse / fine - 4.0) < 0.5, "%s: ratio %g", models[_i], coarse / fine);
  ck_assert_msg(fabs(mixed / coarse - 1.0) < 0.05, "%s: mixed %g, double %g", models[_i], mixed, coarse);
}
END_TEST

/* As fixture_bind, with the options that methods read. */
static void bind(struct fixture *f, const struct rill_method *method, const struct fixture_options *options,
                 enum rill_nonlinear_kind nonlinear) {
  const struct rill_binding_options binding = {.step = options->step,
                                               .insertion = RILL_NO_BATH,
                                               .geodesic_steps = 1,
                                               .trial_steps = 1,
                                               .method = {.beta = 0.4,
                                                          .tolerance = 1e-11,
                                                          .max_iterations = 300,
                                                          .nonlinear = nonlinear,
                                                          .newton_start = RILL_START_A}};
  fixture_ok(rill_water_draw_velocities(&f->system, options->start_temperature, 1, &fixture_error));
  fixture_ok(rill_water_remove_momentum(&f->system, RILL_REMOVE_AUTO, &fixture_error));
  fixture_ok(rill_integrator_create(method, &f->system, &binding, &f->integrator, &fixture_error));
}

/* Every method that binds to water of three sites binds to that of four, and runs; nonlinear ones by each solver, one
 * of which takes the forces' derivatives. */
START_TEST(every_method_runs) {
  static const struct fixture_options kinds[] = {
      {.solver = RILL_SETTLE}, {.solver = RILL_BODIES_LGVI}, {.stiffness = 4000.0, .beta = 0.4}};
  size_t count, ran = 0;
  const struct rill_method *const *methods = rill_methods(&count);
  struct fixture_options options = kinds[_i];
  options.structure = start;
  options.insertion = RILL_NO_BATH;
  options.start_temperature = 60;
  options.step = options.stiffness > 0 ? 0.0002 : 0.001;
  for (size_t m = 0; m < 2 * count; m++) {
    const struct rill_method *method = methods[m / 2];
    struct fixture f;
    struct rill_observation before, after;
    bool binds;
    options.model = "tip3p";
    f = fixture_create(&options);
    binds = rill_method_refusal(method, &f.system, RILL_NO_BATH) == RILL_BINDS;
    f.system.ops->destroy(f.system.self);
    options.model = "opc";
    f = fixture_create(&options);
    ck_assert_int_eq(rill_method_refusal(method, &f.system, RILL_NO_BATH) == RILL_BINDS, binds);
    if (!binds) {
      f.system.ops->destroy(f.system.self);
      continue;
    }
    bind(&f, method, &options, m % 2 == 0 ? RILL_ANDERSON : RILL_NEWTON_KRYLOV);
    before = fixture_observe(&f);
    fixture_run(&f, 20);
    after = fixture_observe(&f);
    ck_assert_msg(fabs(after.kinetic + after.potential - before.kinetic - before.potential) < 1.0,
                  "%s: %g kJ/mol before, %g after", method->name, before.kinetic + before.potential,
                  after.kinetic + after.potential);
    for (int c = 0; c < 3; c++)
      ck_assert_msg(fabs(after.momentum[c] - before.momentum[c]) < 1e-9, "%s: momentum", method->name);
    fixture_destroy(&f);
    ran++;
  }
  ck_assert_uint_gt(ran, 2);
}
END_TEST

/* The dimer of TIP4P is bound by 26.09 kJ/mol (6.24 kcal/mol; Jorgensen et al. 1983, table I), and a stiff molecule
 * comes to the rigid one's minimum. */
START_TEST(minimum_of_the_dimer) {
  static struct rill_error error;
  struct rill_structure structure = {0};
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  struct rill_flexible_report flexible;
  struct rill_water_model model;
  double rigid;
  fixture_ok(rill_water_model_find("tip4p", 0, &model, &fixture_error));
  fixture_ok(rill_structure_read(RILL_SOURCE_DIR "/tests/data/structures/c002_min.xyz", &structure, &fixture_error));
  fixture_ok(rill_water_rigidify(&model, structure.positions, 2, &fixture_error));
  fixture_ok(rill_water_minimize(&model, 2, &options, structure.positions, &report, &fixture_error));
  rigid = report.after.lj + report.after.coulomb;
  ck_assert_double_eq_tol(rigid, -26.09, 0.03);
  options.force_tolerance = 1e-2;
  ck_assert_msg(
      rill_water_minimize_flexible(&model, 4e4, 2, &options, structure.positions, &flexible, &error) == RILL_OK, "%s",
      error.text);
  ck_assert_int_eq(flexible.reason, RILL_MINIMIZE_CONVERGED);
  ck_assert_double_lt(flexible.after, rigid);
  ck_assert_double_gt(flexible.after, rigid - 0.5);
  rill_structure_release(&structure);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("four sites in motion");
  TCase *cases = tcase_create("motion");
  suite_add_tcase(suite, cases);
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, energy_and_momenta_are_kept, 0, MODELS);
  tcase_add_loop_test(cases, energy_is_kept_in_a_box, 2, 4); /* tip4p-2005, opc */
  tcase_add_loop_test(cases, every_method_runs, 0, 3);
  tcase_add_test(cases, minimum_of_the_dimer);
  return rill_run_suite(suite);
}
