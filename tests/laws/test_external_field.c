/* Water in a uniform electric field and in a trap: forces against energies, one molecule against an independent
 * integration of Euler's equations, the law of its dipole, what is conserved, and degrees of freedom. */
#include "analysis/statistics.h"
#include "base/random.h"
#include "fixture.h"
#include "water/forces/external.h"

static const double volt = RILL_VOLT; /* V/nm */
static const char *const models[] = {"tip3p", "tip4p-2005", "opc"};
enum { MODELS = sizeof models / sizeof models[0] };

static double one[9]; /* a molecule of the model */
static const double about[9] = {0.31, -0.22, 0.15, 0.39, -0.18, 0.18, 0.25, -0.16, 0.11};

/* Adds forces; returns the energy. */
static double energy_in(const struct rill_external *external, const struct rill_water_model *model, size_t molecules,
                        size_t stride, const double offset[3], const double *q, double *f) {
  struct rill_exact_sum energy[2] = {{.terms = 0}, {.terms = 0}};
  rill_external_evaluate(external, model, molecules, stride, offset, q, f, energy);
  return rill_exact_value(&energy[0]) + rill_exact_value(&energy[1]);
}

/* ---- forces ---- */

/* The energy is at most of second degree, so that differences are exact but for rounding. */
START_TEST(forces_are_slopes_of_the_energy) {
  enum { MOLECULES = 3, STRIDE = 8 };
  const struct rill_external external = {{50, -70, 110}, 900, {0.2, -0.4, 0.1}};
  const struct rill_noise noise = rill_noise_create(5, RILL_STREAM_TEST);
  const double offset[3] = {0.25, -0.5, 1}, d = 1e-3;
  double q[9 * STRIDE] = {0}, f[9 * STRIDE] = {0}, unused[9 * STRIDE];
  struct rill_water_model model;
  fixture_ok(rill_water_model_find(models[_i], 0, &model, &fixture_error));
  for (uint32_t k = 0; k < 9; k++)
    for (uint32_t m = 0; m < MOLECULES; m++) {
      double z[4];
      rill_noise_normal(&noise, 0, m, k, z);
      q[k * STRIDE + m] = z[0];
    }
  energy_in(&external, &model, MOLECULES, STRIDE, offset, q, f);
  for (size_t k = 0; k < 9; k++)
    for (size_t m = 0; m < STRIDE; m++) {
      const size_t at = k * STRIDE + m;
      const double x = q[at];
      double low, high;
      if (m >= MOLECULES) {
        ck_assert_double_eq(f[at], 0);
        continue;
      }
      q[at] = x + d;
      high = energy_in(&external, &model, MOLECULES, STRIDE, offset, q, unused);
      q[at] = x - d;
      low = energy_in(&external, &model, MOLECULES, STRIDE, offset, q, unused);
      q[at] = x;
      ck_assert_msg(fabs((low - high) / (2 * d) - f[at]) < 1e-8 * (fabs(f[at]) + 100), "coordinate %zu: %g, %g", at,
                    f[at], (low - high) / (2 * d));
    }
}
END_TEST

/* -E . mu with mu along the bisector, of the length that the model has; and k R^2 / 2. */
START_TEST(energies_are_those_of_a_dipole_and_a_spring) {
  const struct rill_external field = {.electric = {0, 0, 30}}, trap = {.trap = 400, .centre = {1, 2, 3}};
  const double origin[3] = {0}, d[3] = {0.1, 0.2, -0.4};
  double q[9] = {0}, f[9] = {0}, centre[3] = {0}, total = 0;
  struct rill_water_model model;
  fixture_ok(rill_water_model_find(models[_i], 0, &model, &fixture_error));
  q[3] = q[6] = 0.5 * model.bond[2];
  q[6] = -q[6];
  q[5] = q[8] = sqrt(model.bond[0] * model.bond[0] - q[3] * q[3]);
  ck_assert_double_eq_tol(energy_in(&field, &model, 1, 1, origin, q, f), -30 * rill_water_dipole(&model), 1e-12);
  for (int a = 0; a < RILL_ATOMS; a++) total += model.mass[a];
  for (int k = 0; k < 9; k++) centre[k % 3] += model.mass[k / 3] / total * q[k];
  for (int k = 0; k < 9; k++) q[k] += trap.centre[k % 3] - centre[k % 3] + d[k % 3];
  ck_assert_double_eq_tol(energy_in(&trap, &model, 1, 1, origin, q, f),
                          200 * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), 1e-12);
}
END_TEST

/* ---- one molecule: Euler's equations, by Runge and Kutta's method ---- */

struct body {
  double site[3][3]; /* of the charges, in the frame of the start, about the centre of mass */
  double atom[3][3];
  double charge[3], field[3];
  double inertia[3][3], inverse[3][3]; /* in that frame */
};

static void inverse_of(double a[3][3], double b[3][3]) {
  double determinant = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      b[j][i] = a[(i + 1) % 3][(j + 1) % 3] * a[(i + 2) % 3][(j + 2) % 3] -
                a[(i + 1) % 3][(j + 2) % 3] * a[(i + 2) % 3][(j + 1) % 3];
  for (int j = 0; j < 3; j++) determinant += a[0][j] * b[j][0];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) b[i][j] /= determinant;
}

static void cross(const double a[3], const double b[3], double c[3]) {
  for (int i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* y: rotation from the frame of the start, by columns [3][3], and angular momentum in space. */
static void slope(const struct body *body, const double y[12], double dy[12]) {
  double dipole[3] = {0}, in_body[3] = {0}, turning[3] = {0}, omega[3] = {0};
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) in_body[j] += y[3 * j + i] * y[9 + i];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) turning[i] += body->inverse[i][j] * in_body[j];
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) dipole[i] += body->charge[a] * y[3 * j + i] * body->site[a][j];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) omega[i] += y[3 * j + i] * turning[j];
  for (int j = 0; j < 3; j++) cross(omega, y + 3 * j, dy + 3 * j);
  cross(dipole, body->field, dy + 9);
}

static void integrate(const struct body *body, double y[12], double time, int steps) {
  const double h = time / steps;
  for (int s = 0; s < steps; s++) {
    double k[4][12], z[12];
    slope(body, y, k[0]);
    for (int i = 0; i < 12; i++) z[i] = y[i] + 0.5 * h * k[0][i];
    slope(body, z, k[1]);
    for (int i = 0; i < 12; i++) z[i] = y[i] + 0.5 * h * k[1][i];
    slope(body, z, k[2]);
    for (int i = 0; i < 12; i++) z[i] = y[i] + h * k[2][i];
    slope(body, z, k[3]);
    for (int i = 0; i < 12; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

/* The atoms about their centre of mass after a time, from positions and velocities.  The charge of a four-site model
 * is at M, at r_OM on the bisector. */
static void reference(const struct rill_water_model *model, double r_om, const double q[9], const double v[9],
                      const double field[3], double time, int steps, double end[3][3]) {
  struct body body = {.charge = {model->charge[0], model->charge[1], model->charge[2]}};
  double y[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, total = 0, centre[3] = {0}, mean[3] = {0}, bisector[3], length = 0;
  for (int a = 0; a < 3; a++) total += model->mass[a];
  for (int k = 0; k < 9; k++) centre[k % 3] += model->mass[k / 3] / total * q[k];
  for (int k = 0; k < 9; k++) mean[k % 3] += model->mass[k / 3] / total * v[k];
  for (int c = 0; c < 3; c++) bisector[c] = 0.5 * (q[3 + c] + q[6 + c]) - q[c];
  for (int c = 0; c < 3; c++) length += bisector[c] * bisector[c];
  for (int a = 0; a < 3; a++) {
    double u[3], moment[3], r2 = 0;
    for (int c = 0; c < 3; c++) {
      body.atom[a][c] = q[3 * a + c] - centre[c];
      body.site[a][c] = body.atom[a][c] + (a == 0 ? r_om / sqrt(length) * bisector[c] : 0);
      u[c] = model->mass[a] * (v[3 * a + c] - mean[c]);
      r2 += body.atom[a][c] * body.atom[a][c];
    }
    cross(body.atom[a], u, moment);
    for (int i = 0; i < 3; i++) {
      y[9 + i] += moment[i];
      for (int j = 0; j < 3; j++)
        body.inertia[i][j] += model->mass[a] * ((i == j ? r2 : 0) - body.atom[a][i] * body.atom[a][j]);
    }
  }
  inverse_of(body.inertia, body.inverse);
  memcpy(body.field, field, sizeof body.field);
  integrate(&body, y, time, steps);
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < 3; i++) {
      end[a][i] = 0;
      for (int j = 0; j < 3; j++) end[a][i] += y[3 * j + i] * body.atom[a][j];
    }
}

static const double span = 0.1; /* ps: about two periods of the libration */

static struct fixture_options molecule(const char *name, enum rill_constraint_solver solver) {
  struct rill_water_model model;
  memcpy(one, about, sizeof one);
  fixture_ok(rill_water_model_find(name, 0, &model, &fixture_error));
  fixture_ok(rill_water_rigidify(&model, one, 1, &fixture_error));
  return (struct fixture_options){.positions = one,
                                  .molecules = 1,
                                  .model = name,
                                  .solver = solver,
                                  .external = {.electric = {3 * volt, -4 * volt, 6 * volt}},
                                  .start_temperature = 300,
                                  .seed = 4,
                                  .removal = RILL_REMOVE_AUTO};
}

/* The largest distance of an atom from where the reference has it; order: of the composition of verlet. */
static double off_reference(const char *model, double r_om, const char *method, enum rill_constraint_solver solver,
                            int steps, bool wrong_sign) {
  struct fixture_options o = molecule(model, solver);
  double q[9], v[9], end[3][3], field[3], centre[3] = {0}, total = 0, most = 0;
  struct fixture f;
  o.method = method;
  o.step = span / steps;
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  rill_water_copy_state(&f.system, q, v);
  for (int c = 0; c < 3; c++) field[c] = wrong_sign ? -o.external.electric[c] : o.external.electric[c];
  reference(&f.model, r_om, q, v, field, span, 20000, end);
  fixture_run(&f, (uint64_t)steps);
  rill_water_copy_state(&f.system, q, v);
  for (int a = 0; a < 3; a++) total += f.model.mass[a];
  for (int k = 0; k < 9; k++) centre[k % 3] += f.model.mass[k / 3] / total * q[k];
  for (int k = 0; k < 9; k++) most = fmax(most, fabs(q[k] - centre[k % 3] - end[k / 3][k % 3]));
  fixture_destroy(&f);
  return most;
}

static const struct {
  const char *model;
  double r_om;
} bodies[] = {{"tip3p", 0}, {"tip4p-2005", 0.01546}};
static const struct {
  const char *method;
  enum rill_constraint_solver solver;
  int order, steps;
} ways[] = {{"verlet", RILL_SETTLE, 2, 200},        {"verlet", RILL_MSHAKE, 2, 200},
            {"verlet", RILL_BODIES_LGVI, 2, 200},   {"verlet", RILL_BODIES_ROTOR, 2, 200},
            {"dvp", RILL_SETTLE, 2, 200},           {"yoshida4", RILL_SETTLE, 4, 200},
            {"yoshida4", RILL_BODIES_LGVI, 4, 200}, {"yoshida4", RILL_BODIES_ROTOR, 4, 200}};
enum { WAYS = sizeof ways / sizeof ways[0], BODIES = sizeof bodies / sizeof bodies[0] };

START_TEST(a_molecule_turns_as_euler_says) {
  const int way = _i % WAYS, body = _i / WAYS, steps = ways[way].steps;
  const double coarse =
      off_reference(bodies[body].model, bodies[body].r_om, ways[way].method, ways[way].solver, steps, false);
  const double fine =
      off_reference(bodies[body].model, bodies[body].r_om, ways[way].method, ways[way].solver, 2 * steps, false);
  const double expected = pow(2, ways[way].order);
  ck_assert_msg(fabs(coarse / fine / expected - 1) < 0.1, "%s, %s, %s: %g and %g nm, ratio %g", bodies[body].model,
                ways[way].method, rill_choice_word(rill_constraint_solver_choices, ways[way].solver), coarse, fine,
                coarse / fine);
  ck_assert_msg(fine < 1e-4, "%g nm", fine);
}
END_TEST

/* The reference itself has converged, and sees a wrong sign and the oxygen's charge in the wrong place. */
START_TEST(the_reference_is_sharp) {
  struct fixture_options o = molecule("tip4p-2005", RILL_SETTLE);
  struct fixture f = fixture_create(&o);
  double q[9], v[9], end[2][3][3], most = 0;
  o.step = 1e-3;
  fixture_bind(&f, &o);
  rill_water_copy_state(&f.system, q, v);
  for (int k = 0; k < 2; k++) reference(&f.model, 0.01546, q, v, o.external.electric, span, 10000 << k, end[k]);
  for (int k = 0; k < 9; k++) most = fmax(most, fabs(end[0][k / 3][k % 3] - end[1][k / 3][k % 3]));
  fixture_destroy(&f);
  ck_assert_msg(most < 1e-11, "the reference is off by %g nm", most);
  ck_assert_double_gt(off_reference("tip3p", 0, "verlet", RILL_SETTLE, 400, true), 1e-2);
  ck_assert_double_gt(off_reference("tip4p-2005", 0, "verlet", RILL_SETTLE, 400, false), 1e-3);
}
END_TEST

/* ---- one molecule in a bath: Langevin's function ---- */

static const struct {
  enum rill_thermostat insertion;
  enum rill_constraint_solver solver;
} baths[] = {{RILL_BAOAB, RILL_SETTLE}, {RILL_GLA, RILL_BODIES_LGVI}, {RILL_GHMC, RILL_SETTLE}};

START_TEST(the_dipole_has_its_mean) {
  enum { SAMPLES = 20000, APART = 20 };
  struct fixture_options o = molecule("tip4p-2005", baths[_i].solver);
  const double x = 1.5;
  static double along[SAMPLES];
  double most = 0;
  struct rill_mean mean;
  struct fixture f;
  o.insertion = baths[_i].insertion;
  o.step = 2e-3;
  o.temperature = 300;
  o.friction = 20;
  o.external = (struct rill_external){{0}, 0, {0}};
  f = fixture_create(&o);
  most = rill_water_dipole(&f.model);
  fixture_destroy(&f);
  o.external.electric[2] = x * RILL_GAS_CONSTANT * o.temperature / most;
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  for (int i = 0; i < SAMPLES; i++) {
    fixture_run(&f, APART);
    along[i] = -fixture_observe(&f).part[4] / (o.external.electric[2] * most); /* cos of the angle */
  }
  fixture_destroy(&f);
  mean = rill_mean_of(along, SAMPLES);
  ck_assert_msg(mean.error < 0.02 && fabs(mean.mean - (1 / tanh(x) - 1 / x)) < 4 * mean.error + 0.002,
                "mean cosine %g +- %g, Langevin's function %g", mean.mean, mean.error, 1 / tanh(x) - 1 / x);
}
END_TEST

/* ---- clusters ---- */

static struct fixture_options seven(struct rill_external external) {
  return (struct fixture_options){.structure = "inputs/water7.gro",
                                  .solver = RILL_SETTLE,
                                  .step = 1e-3,
                                  .external = external,
                                  .start_temperature = 100,
                                  .removal = RILL_REMOVE_AUTO};
}

/* The largest changes in 1 ps of total energy, momentum and angular momentum. */
static void most_changed(const struct fixture_options *o, double *energy, double *momentum, double *angular) {
  struct fixture f = fixture_create(o);
  struct rill_observation first, seen;
  fixture_bind(&f, o);
  first = fixture_observe(&f);
  *energy = *momentum = *angular = 0;
  for (int i = 0; i < 50; i++) {
    fixture_run(&f, (uint64_t)lround(0.02 / o->step));
    seen = fixture_observe(&f);
    *energy = fmax(*energy, fabs(seen.kinetic + seen.potential - first.kinetic - first.potential));
    for (int c = 0; c < 3; c++) {
      *momentum = fmax(*momentum, fabs(seen.momentum[c] - first.momentum[c]));
      *angular = fmax(*angular, fabs(seen.angular_momentum[c] - first.angular_momentum[c]));
    }
  }
  fixture_destroy(&f);
}

static const struct {
  const char *method;
  enum rill_constraint_solver solver;
  double stiffness, step;
} movers[] = {{"verlet", RILL_SETTLE, 0, 1e-3},
              {"verlet", RILL_BODIES_LGVI, 0, 1e-3},
              {"verlet", RILL_BODIES_ROTOR, 0, 1e-3},
              {"position-shake", RILL_RATTLE_SHAKE, 0, 1e-3},
              {"dvp", RILL_SETTLE, 0, 1e-3},
              {"verlet", RILL_SETTLE, 4000, 1e-4},
              {"newmark-pushforward", RILL_SETTLE, 4000, 2e-4}};
enum { MOVERS = sizeof movers / sizeof movers[0] };

START_TEST(what_is_conserved) {
  static const struct {
    struct rill_external external;
    bool momentum, angular;
  } fields[] = {{{.electric = {0, 0, 96}}, true, false},
                {{.trap = 2000, .centre = {0.3, 0, 0.1}}, false, true},
                {{{0, 50, 96}, 2000, {0.3, 0, 0.1}}, false, false}};
  const int mover = _i % MOVERS, field = _i / MOVERS;
  struct fixture_options o = seven(fields[field].external);
  double coarse, fine, momentum, angular;
  o.method = movers[mover].method;
  o.solver = movers[mover].solver;
  o.stiffness = movers[mover].stiffness;
  o.beta = 0.4;
  o.step = movers[mover].step;
  most_changed(&o, &coarse, &momentum, &angular);
  ck_assert_msg((momentum < 1e-7) == fields[field].momentum, "%s: momentum changes by %g", o.method, momentum);
  ck_assert_msg((angular < 1e-7) == fields[field].angular, "%s: angular momentum changes by %g", o.method, angular);
  o.step /= 2;
  most_changed(&o, &fine, &momentum, &angular);
  ck_assert_msg(coarse < 3 && fine < 0.4 * coarse, "%s, field %d: energy changes by %g and %g kJ/mol", o.method,
                field, coarse, fine);
}
END_TEST

START_TEST(degrees_of_freedom_are_those_left) {
  static const struct {
    struct rill_external external;
    enum rill_momentum_removal removal;
    double freedom;
  } cases[] = {{{{0}, 0, {0}}, RILL_REMOVE_AUTO, 36},
               {{.electric = {0, 0, 96}}, RILL_REMOVE_AUTO, 39},
               {{.electric = {0, 0, 96}}, RILL_REMOVE_ALL_MOMENTA, 39},
               {{.trap = 2000}, RILL_REMOVE_AUTO, 42},
               {{.trap = 2000}, RILL_REMOVE_LINEAR_MOMENTUM, 42},
               {{.trap = 2000}, RILL_REMOVE_ALL_MOMENTA, 39},
               {{{0, 0, 96}, 2000, {0}}, RILL_REMOVE_ALL_MOMENTA, 42}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct fixture_options o = seven(cases[i].external);
    struct fixture f;
    o.removal = cases[i].removal;
    f = fixture_create(&o);
    fixture_bind(&f, &o);
    ck_assert_msg(f.system.ops->degrees_of_freedom(f.system.self) == cases[i].freedom, "case %zu: %g", i,
                  f.system.ops->degrees_of_freedom(f.system.self));
    fixture_destroy(&f);
  }
}
END_TEST

/* The whole of a cluster in a trap is one oscillator, of the frequency sqrt(k/M), wherever it is: also when it is
 * brought back to the origin in the computation. */
START_TEST(the_whole_oscillates_in_a_trap) {
  struct fixture_options o = seven((struct rill_external){.trap = 3000, .centre = {4, 0, 0}});
  struct fixture f = fixture_create(&o);
  double q[63], start = 0, end = 0, total, omega;
  o.start_temperature = 0;
  fixture_bind(&f, &o);
  total = f.model.mass[0] + 2 * f.model.mass[1];
  omega = sqrt(3000 / total);
  rill_water_copy_positions(&f.system, q);
  for (int m = 0; m < 7; m++)
    for (int a = 0; a < 3; a++) start += f.model.mass[a] / total / 7 * q[9 * m + 3 * a];
  fixture_run(&f, 600);
  rill_water_copy_positions(&f.system, q);
  for (int m = 0; m < 7; m++)
    for (int a = 0; a < 3; a++) end += f.model.mass[a] / total / 7 * q[9 * m + 3 * a];
  fixture_destroy(&f);
  ck_assert_double_gt(fabs(end - start), 1);
  ck_assert_double_eq_tol(end, 4 + (start - 4) * cos(omega * 0.6), 2e-3);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("external field");
  TCase *cases = tcase_create("all");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, forces_are_slopes_of_the_energy, 0, MODELS);
  tcase_add_loop_test(cases, energies_are_those_of_a_dipole_and_a_spring, 0, MODELS);
  tcase_add_loop_test(cases, a_molecule_turns_as_euler_says, 0, WAYS * BODIES);
  tcase_add_test(cases, the_reference_is_sharp);
  tcase_add_loop_test(cases, the_dipole_has_its_mean, 0, sizeof baths / sizeof baths[0]);
  tcase_add_loop_test(cases, what_is_conserved, 0, 3 * MOVERS);
  tcase_add_test(cases, degrees_of_freedom_are_those_left);
  tcase_add_test(cases, the_whole_oscillates_in_a_trap);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
