/* Constraint solvers, velocity projection and noise of water: each body of each instruction set. */
#include <math.h>

#include "base/random.h"
#include "fixture.h"
#include "water/flows/flows.h"

static const enum rill_constraint_solver solvers[] = {RILL_SETTLE, RILL_MSHAKE, RILL_RATTLE_SHAKE};

/* SETTLE to round-off (1e-13, issue of the analytic solution); the iterative ones to the tolerance they were given;
 * velocities to the velocity tolerance (in units of 1 nm/ps here, thermal velocities are 0.3). */
START_TEST(deviations_stay_at_the_tolerance) {
  const double tolerances[] = {1e-14, 1e-13, 1e-10, 1e-6};
  for (int s = 0; s < 3; s++)
    for (size_t t = 0; t < sizeof tolerances / sizeof tolerances[0]; t++) {
      struct fixture_options o = {.structure = "inputs/water7.gro",
                                  .solver = solvers[s],
                                  .tolerance = tolerances[t],
                                  .step = 0.002,
                                  .start_temperature = 150,
                                  .removal = RILL_REMOVE_ALL_MOMENTA};
      struct fixture f = fixture_create(&o);
      fixture_bind(&f, &o);
      for (int i = 0; i < 20; i++) {
        struct rill_observation seen;
        fixture_run(&f, 50);
        seen = fixture_observe(&f);
        ck_assert_double_le(seen.position_deviation_max, solvers[s] == RILL_SETTLE ? 1e-13 : tolerances[t]);
        ck_assert_double_le(seen.velocity_deviation_max, 1e-13);
        ck_assert_double_le(seen.position_deviation_rms, seen.position_deviation_max);
        if (solvers[s] == RILL_RATTLE_SHAKE) ck_assert_double_ge(seen.iterations, 4);
        if (solvers[s] == RILL_MSHAKE) ck_assert_double_le(seen.iterations, 6);
      }
      fixture_destroy(&f);
    }
}
END_TEST

static void trajectory(const struct fixture_options *o, uint64_t steps, double q[63]) {
  struct fixture f = fixture_create(o);
  fixture_bind(&f, o);
  fixture_run(&f, steps);
  rill_water_copy_state(&f.system, q, NULL);
  fixture_destroy(&f);
}

static double largest_difference(const double *a, const double *b, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

/* The three solvers, and SHAKE in position form, solve the same equations: 1000 steps of 2 fs at 150 K, tolerance
 * 1e-13, to 1e-10 nm. */
START_TEST(solvers_give_one_trajectory) {
  struct fixture_options o = {.structure = "inputs/water7.gro",
                              .solver = RILL_SETTLE,
                              .step = 0.002,
                              .start_temperature = 150,
                              .removal = RILL_REMOVE_ALL_MOMENTA};
  double settle[63], other[63];
  trajectory(&o, 1000, settle);
  for (int s = 0; s < 3; s++) {
    o.solver = solvers[s];
    o.method = "rattle";
    trajectory(&o, 1000, other);
    ck_assert_double_le(largest_difference(settle, other, 63), 1e-10);
    o.method = "shake";
    trajectory(&o, 1000, other);
    ck_assert_double_le(largest_difference(settle, other, 63), 1e-10);
  }
  /* a mutant: a tolerance of 1e-6 must show */
  o.tolerance = 1e-6;
  trajectory(&o, 1000, other);
  ck_assert_double_gt(largest_difference(settle, other, 63), 1e-10);
}
END_TEST

enum { NOISE_MOLECULES = 20, NOISE_STRIDE = 24 };

/* The bare noise of one OU flow, [9][NOISE_STRIDE], from the thermostat of an instruction set. */
static void draw_noise(int isa, bool single, uint64_t step, struct rill_ou *ou, const uint64_t *number, double v[]) {
  const struct rill_constraint_options options = {RILL_SETTLE, 1e-10, 1e-10, 1, 10};
  struct rill_water_model model;
  struct rill_rigid rigid;
  double *q = aligned_alloc(64, 9 * NOISE_STRIDE * sizeof *q);
  for (int i = 0; i < 9 * NOISE_STRIDE; i++) q[i] = i % 7 + 0.1 * (i / NOISE_STRIDE), v[i] = 0;
  *ou = (struct rill_ou){.amplitude = {1, 1, 1}, .single = single, .noise = rill_noise_create(5, RILL_STREAM_TEST)};
  fixture_ok(rill_water_model_find("tip3p", 0, &model, &fixture_error));
  fixture_ok(rill_rigid_create(&model, &options, &rigid, &fixture_error));
  for (int c = 0; c < 3; c++)
    for (int e = 0; e < 3; e++) rigid.k[c][e] = 0; /* no projection */
  rill_water_flow_table((enum rill_isa)isa)
      ->ou(&rigid, (struct rill_range){0, NOISE_STRIDE}, (struct rill_columns){NOISE_STRIDE, q, v, number}, ou, step,
           2, NOISE_MOLECULES);
  free(q);
}

/* Vector noise is base/random.h's scalar noise: Philox bit for bit, Box-Muller to a few units in the last place of
 * numbers up to 7; in single precision to the rounding of the uniform number u to 24 bits, which changes the radius
 * by 2^-25 / radius. */
START_TEST(vector_noise_is_the_scalar_noise) {
  static const uint64_t step = (UINT64_C(1) << 33) + 3;
  double *v = aligned_alloc(64, 9 * NOISE_STRIDE * sizeof *v);
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++)
    for (int single = 0; single < 2 && rill_isa_available((enum rill_isa)isa); single++) {
      struct rill_ou ou;
      double largest = 0;
      draw_noise(isa, single, step, &ou, NULL, v);
      for (uint32_t m = 0; m < NOISE_MOLECULES; m++) {
        double z[12];
        for (uint32_t b = 0; b < 3; b++) rill_noise_normal(&ou.noise, step, m, 8 + b, z + 4 * b);
        for (int k = 0; k < 9; k++) {
          const double radius = hypot(z[k / 2 * 2], z[k / 2 * 2 + 1]);
          const double error = fabs(v[k * NOISE_STRIDE + (int)m] - z[k]);
          ck_assert_double_le(error, single ? 4e-7 * radius + 6e-8 / radius : 1e-14);
          largest = fmax(largest, error);
        }
      }
      if (single) ck_assert_double_gt(largest, 1e-8); /* it is in single precision */
      for (int m = NOISE_MOLECULES; m < NOISE_STRIDE; m++) ck_assert_double_eq(v[m], 0.0); /* padding stays at rest */
    }
  free(v);
}
END_TEST

/* Columns that carry the numbers of their molecules draw the noise of these. */
START_TEST(noise_belongs_to_the_number) {
  double *plain = aligned_alloc(64, 9 * NOISE_STRIDE * sizeof *plain),
         *numbered = aligned_alloc(64, 9 * NOISE_STRIDE * sizeof *numbered);
  uint64_t *number = aligned_alloc(64, NOISE_STRIDE * sizeof *number);
  for (uint64_t m = 0; m < NOISE_STRIDE; m++) number[m] = m < NOISE_MOLECULES ? m * 7 % NOISE_MOLECULES : m;
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++)
    for (int single = 0; single < 2 && rill_isa_available((enum rill_isa)isa); single++) {
      struct rill_ou ou;
      draw_noise(isa, single, 11, &ou, NULL, plain);
      draw_noise(isa, single, 11, &ou, number, numbered);
      for (size_t k = 0; k < 9; k++)
        for (size_t m = 0; m < NOISE_STRIDE; m++)
          ck_assert_double_eq(numbered[k * NOISE_STRIDE + m], plain[k * NOISE_STRIDE + number[m]]);
      ck_assert_double_ne(numbered[1], plain[1]);
    }
  free(plain);
  free(numbered);
  free(number);
}
END_TEST

/* In single precision: moments, and how many of 1.8e6 numbers lie beyond 2, 3 and 4, within four standard errors. */
START_TEST(noise_in_single_precision_has_its_tails) {
  enum { STEPS = 10000 };
  static const double beyond[] = {2, 3, 4};
  const double count = 9.0 * NOISE_MOLECULES * STEPS;
  double *v = aligned_alloc(64, 9 * NOISE_STRIDE * sizeof *v);
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++) {
    struct rill_ou ou;
    double sum[4] = {0}, tail[3] = {0};
    if (!rill_isa_available((enum rill_isa)isa)) continue;
    for (uint64_t step = 0; step < STEPS; step++) {
      draw_noise(isa, true, step, &ou, NULL, v);
      for (int k = 0; k < 9; k++)
        for (int m = 0; m < NOISE_MOLECULES; m++) {
          const double z = v[k * NOISE_STRIDE + m];
          for (int p = 0; p < 4; p++) sum[p] += pow(z, p + 1);
          for (int t = 0; t < 3; t++) tail[t] += fabs(z) > beyond[t];
        }
    }
    ck_assert_double_le(fabs(sum[0]), 4 * sqrt(count));
    ck_assert_double_le(fabs(sum[1] - count), 4 * sqrt(2 * count));
    ck_assert_double_le(fabs(sum[2]), 4 * sqrt(15 * count));
    ck_assert_double_le(fabs(sum[3] - 3 * count), 4 * sqrt(96 * count));
    for (int t = 0; t < 3; t++) {
      const double expected = erfc(beyond[t] / sqrt(2.0)) * count;
      ck_assert_double_le(fabs(tail[t] - expected), 4 * sqrt(expected));
      ck_assert_double_gt(fabs(tail[t] - erfc(1.1 * beyond[t] / sqrt(2.0)) * count), 4 * sqrt(expected)); /* mutant */
    }
  }
  free(v);
}
END_TEST

/* States of small and of large systems, in two ranges: what is in a range, and nothing else. */
START_TEST(copies_aside_are_whole) {
  static const size_t strides[] = {24, 1 << 14, (1 << 14) + 8};
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++)
    for (size_t n = 0; n < sizeof strides / sizeof *strides && rill_isa_available((enum rill_isa)isa); n++) {
      const size_t stride = strides[n], count = 9 * stride;
      const struct rill_water_flow_table *flows = rill_water_flow_table((enum rill_isa)isa);
      double *from = aligned_alloc(64, count * sizeof *from), *to = aligned_alloc(64, count * sizeof *to);
      for (size_t k = 0; k < count; k++) from[k] = 1.0 + (double)k, to[k] = -1.0;
      flows->copy_aside((struct rill_range){8, stride - 8}, stride, from, to);
      for (size_t k = 0; k < count; k++)
        ck_assert_double_eq(to[k], k % stride >= 8 && k % stride < stride - 8 ? from[k] : -1.0);
      flows->copy_aside((struct rill_range){stride - 8, stride}, stride, from, to);
      flows->copy_aside((struct rill_range){0, 8}, stride, from, to);
      ck_assert_mem_eq(to, from, count * sizeof *to);
      free(from);
      free(to);
    }
}
END_TEST

/* The projection is the orthogonal one in the mass metric: it takes off what is normal, keeps what is tangent, keeps
 * momentum and angular momentum; and the OU flow with friction 0 changes nothing. */
START_TEST(projection_is_idempotent_and_conserves) {
  struct fixture_options o = {.structure = "inputs/water7.gro", .solver = RILL_SETTLE, .step = 0.002};
  struct fixture f = fixture_create(&o);
  double v[63], once[63], twice[63], mass[3] = {f.model.mass[0], f.model.mass[1], f.model.mass[2]}, p[3] = {0},
                                     normal = 0, size = 0;
  struct rill_noise noise = rill_noise_create(3, RILL_STREAM_TEST);
  for (uint32_t i = 0; i < 63; i++) {
    double z[4];
    rill_noise_normal(&noise, 0, i, 0, z);
    v[i] = z[0];
    p[i % 3] += mass[i / 3 % 3] * v[i];
  }
  rill_water_set_state(&f.system, NULL, v);
  fixture_bind(&f, &o);
  /* a step of length 0 would divide by it; a tiny one leaves positions and projects */
  rill_integrator_destroy(f.integrator);
  o.step = 1e-12;
  fixture_bind(&f, &o);
  fixture_run(&f, 1);
  rill_water_copy_state(&f.system, NULL, once);
  fixture_run(&f, 1);
  rill_water_copy_state(&f.system, NULL, twice);
  ck_assert_double_le(largest_difference(once, twice, 63), 1e-6);
  for (uint32_t i = 0; i < 63; i++) {
    p[i % 3] -= mass[i / 3 % 3] * once[i];
    normal += mass[i / 3 % 3] * (v[i] - once[i]) * once[i]; /* orthogonality in the mass metric */
    size += mass[i / 3 % 3] * once[i] * once[i];
  }
  for (int c = 0; c < 3; c++) ck_assert_double_le(fabs(p[c]), 1e-11);
  ck_assert_double_le(fabs(normal) / size, 1e-7);
  fixture_destroy(&f);
}
END_TEST

/* SETTLE where kicks are as long as bonds (hydrogen bonds, 11 fs): what of velocities is along the bonds, unprojected
 * before a drift, changes nothing, and a deviation of the bonds is taken off, not amplified from step to step. */
START_TEST(settle_takes_any_normal_velocity) {
  struct fixture_options o = {
      .structure = "inputs/water7.gro", .solver = RILL_SETTLE, .step = 0.01, .start_temperature = 300};
  double q[63], v[63], tangent[63], expected[63], off = 0;
  struct fixture f = fixture_create(&o);
  fixture_bind(&f, &o);
  rill_water_copy_state(&f.system, q, tangent);
  for (int k = 0; k <= 16; k++) { /* pulls on the hydrogens, inward and outward, of up to 0.3 nm a step */
    const int scale = k % 2 ? (k + 1) / 2 : -k / 2;
    double after[63];
    memcpy(v, tangent, sizeof v);
    for (size_t m = 0; m < 7; m++)
      for (size_t c = 0; c < 3; c++) {
        static const double pull[3] = {1, -0.7, 0.6};
        const double *r = q + 9 * m;
        double g[3] = {pull[m % 3] * (r[3 + c] - r[c]), pull[(m + 1) % 3] * (r[6 + c] - r[c]),
                       pull[(m + 2) % 3] * (r[6 + c] - r[3 + c])};
        v[9 * m + c] -= 30 * scale * (g[0] + g[1]) / f.model.mass[0];
        v[9 * m + 3 + c] += 30 * scale * (g[0] - g[2]) / f.model.mass[1];
        v[9 * m + 6 + c] += 30 * scale * (g[1] + g[2]) / f.model.mass[2];
      }
    rill_water_set_state(&f.system, q, v);
    fixture_ok(f.system.flow->drift(f.system.self, o.step, 0, &fixture_error));
    rill_water_copy_state(&f.system, scale ? after : expected, NULL);
    if (scale) ck_assert_double_le(largest_difference(after, expected, 63), 1e-14);
    off = fmax(off, largest_difference(v, tangent, 63) * o.step);
  }
  ck_assert_double_gt(off, 0.2);
  for (size_t k = 0; k < 63; k++) q[k] += 1e-9 * sin((double)(k * k));
  rill_water_set_state(&f.system, q, v);
  ck_assert_double_gt(fixture_observe(&f).position_deviation_max, 1e-9);
  fixture_ok(f.system.flow->drift(f.system.self, o.step, 0, &fixture_error));
  ck_assert_double_le(fixture_observe(&f).position_deviation_max, 1e-14);
  fixture_destroy(&f);
}
END_TEST

/* A molecule whose atoms are thrown apart cannot be closed: the step fails, says so, and the state is the one before.
 */
START_TEST(failure_restores_the_state) {
  for (int s = 0; s < 3; s++) {
    struct fixture_options o = {.structure = "inputs/water7.gro", .solver = solvers[s], .step = 0.002};
    struct fixture f = fixture_create(&o);
    double v[63] = {0}, before[63], after[63], velocity[63];
    v[0] = 4000; /* the oxygen of molecule 1, nm/ps */
    v[12] = -1e5;
    v[14] = 1e5;
    rill_water_set_state(&f.system, NULL, v);
    fixture_bind(&f, &o);
    rill_water_copy_state(&f.system, before, NULL);
    ck_assert_int_eq(rill_integrator_step(f.integrator, 41, false, &fixture_error), RILL_ERROR_CONVERGENCE);
    rill_water_copy_state(&f.system, after, velocity);
    ck_assert_mem_eq(before, after, sizeof before);
    ck_assert_mem_eq(v, velocity, sizeof v);
    ck_assert_ptr_nonnull(strstr(fixture_error.text, "step 42: "));
    ck_assert_ptr_nonnull(strstr(fixture_error.text, "molecule"));
    ck_assert_ptr_nonnull(strstr(fixture_error.text, "nearest pair"));
    fixture_destroy(&f);
  }
}
END_TEST

/* A01, A07, C04: what a solver cannot do is refused with the reason. */
START_TEST(unusable_molecules_are_refused) {
  struct rill_water_model model;
  struct rill_rigid rigid;
  struct rill_constraint_options options = {RILL_SETTLE, 1e-10, 1e-10, 1, 100};
  fixture_ok(rill_water_model_find("tip3p", 0, &model, &fixture_error));
  model.mass[2] = 2.014;
  ck_assert_int_eq(rill_rigid_create(&model, &options, &rigid, &fixture_error), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(fixture_error.text, "mshake"));
  options.solver = RILL_MSHAKE;
  fixture_ok(rill_rigid_create(&model, &options, &rigid, &fixture_error));
  model.mass[2] = model.mass[1];
  model.bond[2] = 2 * model.bond[0];
  ck_assert_int_eq(rill_rigid_create(&model, &options, &rigid, &fixture_error), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(fixture_error.text, "singular"));
  fixture_ok(rill_water_model_find("tip3p", 0, &model, &fixture_error));
  for (int i = 0; i < 2; i++) {
    model.mass[1] = i == 0 ? 0.0 : -1.0;
    ck_assert_int_eq(rill_rigid_create(&model, &options, &rigid, &fixture_error), RILL_ERROR_INPUT);
    ck_assert_ptr_nonnull(strstr(fixture_error.text, "positive"));
  }
}
END_TEST

/* A01: HOD by M-SHAKE and by SHAKE agree. */
START_TEST(mixed_isotopes_run_with_mshake_and_shake) {
  struct fixture f;
  double q[2][9],
      start[9] = {0, 0, 0, 0.07569503272636612, 0.05858822760456832, 0, -0.07569503272636612, 0.05858822760456832, 0};
  for (int s = 0; s < 2; s++) {
    struct rill_water_model model;
    struct rill_binding_options binding = {.step = 0.002, .insertion = RILL_NO_BATH, .geodesic_steps = 1};
    fixture_ok(rill_water_model_find("tip3p", 0, &model, &fixture_error));
    model.mass[2] = 2.014;
    struct rill_water_options options = {.model = model,
                                         .molecules = 1,
                                         .positions = start,
                                         .isa = rill_isa_best(),
                                         .threads = 1,
                                         .constraints = {s ? RILL_RATTLE_SHAKE : RILL_MSHAKE, 1e-13, 1e-13, 1, 500}};
    f = (struct fixture){0};
    fixture_ok(rill_water_create(&options, &f.system, &fixture_error));
    fixture_ok(rill_water_draw_velocities(&f.system, 300, 4, &fixture_error));
    fixture_ok(
        rill_integrator_create(rill_method_find("rattle"), &f.system, &binding, &f.integrator, &fixture_error));
    fixture_run(&f, 1000);
    rill_water_copy_state(&f.system, q[s], NULL);
    fixture_destroy(&f);
  }
  for (int k = 0; k < 9; k++) ck_assert(isfinite(q[0][k]));
  ck_assert_double_le(largest_difference(q[0], q[1], 9), 1e-10);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("water flows");
  TCase *cases = tcase_create("flows");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, deviations_stay_at_the_tolerance);
  tcase_add_test(cases, solvers_give_one_trajectory);
  tcase_add_test(cases, vector_noise_is_the_scalar_noise);
  tcase_add_test(cases, noise_in_single_precision_has_its_tails);
  tcase_add_test(cases, noise_belongs_to_the_number);
  tcase_add_test(cases, copies_aside_are_whole);
  tcase_add_test(cases, projection_is_idempotent_and_conserves);
  tcase_add_test(cases, settle_takes_any_normal_velocity);
  tcase_add_test(cases, failure_restores_the_state);
  tcase_add_test(cases, unusable_molecules_are_refused);
  tcase_add_test(cases, mixed_isotopes_run_with_mshake_and_shake);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
