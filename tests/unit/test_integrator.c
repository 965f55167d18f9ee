/* The schedule of flows that a splitting, a thermostat's insertion and a step become, read off a system that writes
 * down what it is asked to do: K kicks, D drifts, O Ornstein-Uhlenbeck flows with their lengths (and O's use), | the
 * middle of the step; p: projected, d: difference quotients, f and s: by the fast or the slow forces. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrators/registry.h"
#include "integrators/splittings.h"
#include "mech/integrator.h"
#include "suite.h"

static struct rill_error error;

struct recorder {
  char text[1024];
  unsigned saved, restored;
  bool commutes, fails;
};

static void note(struct recorder *r, const char *format, double h, unsigned flags, unsigned use) {
  const size_t length = strlen(r->text);
  const int more = snprintf(r->text + length, sizeof r->text - length, format, length > 0 ? " " : "", h, use);
  snprintf(r->text + length + (size_t)more, sizeof r->text - length - (size_t)more, "%s%s%s%s",
           flags & RILL_FLOW_DIFFERENCE ? "d" : "", flags & RILL_FLOW_FAST ? "f" : "",
           flags & RILL_FLOW_SLOW ? "s" : "", flags & RILL_FLOW_PROJECT ? "p" : "");
}

static enum rill_status drift(void *self, double h, unsigned flags, struct rill_error *e) {
  struct recorder *r = self;
  note(r, "%sD%g", h, flags, 0);
  return r->fails ? rill_error_set(e, RILL_ERROR_CONVERGENCE, "no way") : RILL_OK;
}
static enum rill_status kick(void *self, double h, double h_base, const struct rill_filter *filter, unsigned flags,
                             struct rill_error *e) {
  (void)h_base, (void)filter, (void)e;
  note(self, "%sK%g", h, flags, 0);
  return RILL_OK;
}
static enum rill_status ou(void *self, double h, uint64_t step, uint32_t use, struct rill_error *e) {
  (void)step, (void)e;
  note(self, "%sO%g/%u", h, 0, use);
  return RILL_OK;
}
static bool ou_commutes(const void *self) { return ((const struct recorder *)self)->commutes; }
static bool accepts(const void *self, const struct rill_filter *filter) {
  (void)self;
  return filter == &rill_filter_identity;
}
static bool divides(const void *self) {
  (void)self;
  return true;
}
static void halfway(void *self) { note(self, "%s|", 0, 0, 0); }
static enum rill_status begin_step(void *self, uint64_t step, double h, struct rill_error *e) {
  (void)self, (void)step, (void)h, (void)e;
  return RILL_OK;
}
static void save(void *self) { ((struct recorder *)self)->saved++; }
static void restore(void *self) { ((struct recorder *)self)->restored++; }

static const struct rill_flow_ops flow = {.constrained = true,
                                          .drift = drift,
                                          .kick = kick,
                                          .ou = ou,
                                          .ou_commutes = ou_commutes,
                                          .accepts = accepts,
                                          .divides = divides,
                                          .observe_half_step = halfway};
static const struct rill_system_ops ops = {
    .name = "recorder", .begin_step = begin_step, .save = save, .restore = restore};

static const double quarters[] = {0.25, 0.5, 0.25};
static const struct rill_composition three = {"three", "", "", 2, quarters, 3};

static const struct {
  const char *method;
  enum rill_thermostat insertion;
  bool commutes;
  unsigned geodesic, substeps;
  const struct rill_composition *composition;
  const char *expected;
} schedules[] = {
    {"verlet", RILL_NO_BATH, true, 1, 1, NULL, "K0.5 D1 | K0.5p"},
    {"shake", RILL_NO_BATH, true, 1, 1, NULL, "K0.5 D1d | K0.5p"},
    {"verlet", RILL_NO_BATH, true, 1, 1, &three, "K0.125 D0.25 K0.125 K0.25 D0.5 K0.25 K0.125 D0.25 | K0.125p"},
    {"respa", RILL_NO_BATH, true, 1, 2, NULL, "K0.5s K0.25f D0.5 K0.25f K0.25f D0.5 | K0.25f K0.5sp"},
    /* a flow with one rate commutes with the projection, and ends with its own */
    {"verlet", RILL_GLA, true, 1, 1, NULL, "K0.5 D1 | K0.5 O1/0"},
    {"verlet", RILL_GLA, false, 1, 1, NULL, "K0.5 D1 | K0.5p O1/0"},
    {"verlet", RILL_BAOAB, true, 1, 1, NULL, "K0.5 D0.5 O1/0 | D0.5 K0.5p"},
    {"verlet", RILL_BAOAB, false, 1, 1, NULL, "K0.5 D0.5p O1/0 | D0.5 K0.5p"},
    {"verlet", RILL_BAOAB, false, 2, 1, NULL, "K0.5 D0.25 D0.25p O1/0 | D0.25 D0.25 K0.5p"},
    /* each substep has noise of its own */
    {"respa", RILL_BAOAB, true, 1, 2, NULL,
     "K0.5s K0.25f D0.25 O0.5/0 D0.25 K0.25f K0.25f D0.25 O0.5/1 | D0.25 K0.25f K0.5sp"},
};

static struct rill_integrator *bind(struct rill_system *system, struct recorder *recorder, size_t row) {
  const struct rill_binding_options options = {.step = 1,
                                               .insertion = schedules[row].insertion,
                                               .geodesic_steps = schedules[row].geodesic,
                                               .composition = schedules[row].composition,
                                               .method = {.substeps = schedules[row].substeps}};
  struct rill_integrator *integrator;
  *recorder = (struct recorder){.commutes = schedules[row].commutes};
  *system = (struct rill_system){.ops = &ops, .flow = &flow, .self = recorder};
  const struct rill_method *method = rill_method_find(schedules[row].method);
  if (rill_integrator_create(method, system, &options, &integrator, &error) != RILL_OK)
    ck_abort_msg("%s", error.text);
  return integrator;
}

START_TEST(schedules_are_as_written) {
  struct recorder recorder;
  struct rill_system system;
  struct rill_integrator *integrator = bind(&system, &recorder, (size_t)_i);
  ck_assert(rill_integrator_step(integrator, 7, true, &error) == RILL_OK);
  ck_assert_str_eq(recorder.text, schedules[_i].expected);
  ck_assert(recorder.saved == 1 && recorder.restored == 0);
  rill_integrator_destroy(integrator);
}
END_TEST

START_TEST(middles_are_looked_at_on_demand) {
  struct recorder recorder;
  struct rill_system system;
  struct rill_integrator *integrator = bind(&system, &recorder, 0);
  ck_assert(rill_integrator_step(integrator, 7, false, &error) == RILL_OK);
  ck_assert_str_eq(recorder.text, "K0.5 D1 K0.5p");
  rill_integrator_destroy(integrator);
}
END_TEST

START_TEST(failed_steps_are_taken_back) {
  struct recorder recorder;
  struct rill_system system;
  struct rill_integrator *integrator = bind(&system, &recorder, 0);
  recorder.fails = true;
  ck_assert(rill_integrator_step(integrator, 7, false, &error) == RILL_ERROR_CONVERGENCE);
  ck_assert_str_eq(error.text, "step 8: no way");
  ck_assert_str_eq(recorder.text, "K0.5 D1");
  ck_assert(recorder.saved == 1 && recorder.restored == 1);
  rill_integrator_destroy(integrator);
}
END_TEST

/* Symmetric, and what order 4 and 6 need of the factors: sums of their first, third and fifth powers 1, 0, 0. */
START_TEST(compositions_have_their_sums) {
  size_t count;
  const struct rill_composition *compositions = rill_compositions(&count);
  ck_assert_uint_eq(count, 3);
  for (size_t k = 0; k < count; k++) {
    const struct rill_composition *c = &compositions[k];
    double sum = 0, cubes = 0, fifths = 0;
    for (size_t i = 0; i < c->factor_count; i++) {
      ck_assert_double_eq(c->factors[i], c->factors[c->factor_count - 1 - i]);
      sum += c->factors[i];
      cubes += pow(c->factors[i], 3);
      fifths += pow(c->factors[i], 5);
    }
    ck_assert_double_eq_tol(sum, 1, 1e-15);
    ck_assert_double_eq_tol(cubes, 0, 1e-14);
    if (c->order > 4) ck_assert_double_eq_tol(fifths, 0, 1e-13);
  }
}
END_TEST

/* Galerkin methods: twice the degree, or the quadrature's order where that is less. */
START_TEST(orders_follow_from_the_options) {
  static const struct {
    struct rill_method_options options;
    int order;
  } rows[] = {{{0}, 4},
              {{.degree = 3}, 6},
              {{.degree = 3, .quadrature = {RILL_ACTION_LOBATTO, 3}}, 4},
              {{.degree = 1, .quadrature = {RILL_ACTION_GAUSS, 5}}, 2}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    ck_assert_int_eq(rill_method_with(rill_method_find("galerkin"), &rows[i].options).order, rows[i].order);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("integrator");
  TCase *cases = tcase_create("schedule");
  tcase_add_loop_test(cases, schedules_are_as_written, 0, sizeof schedules / sizeof schedules[0]);
  tcase_add_test(cases, middles_are_looked_at_on_demand);
  tcase_add_test(cases, failed_steps_are_taken_back);
  tcase_add_test(cases, compositions_have_their_sums);
  tcase_add_test(cases, orders_follow_from_the_options);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
