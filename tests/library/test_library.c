/* The library by its public header: what a user's own C program does. */
#include <math.h>
#include <pthread.h>
#include <rill/rill.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

#define SOURCE(path) RILL_SOURCE_DIR "/" path

static struct rill_error error;
#define ok(call) ck_assert_msg((call) == RILL_OK, "%s", error.text)

static rill_simulation *open_with(const char *deck, const char *const *overrides, size_t count) {
  const struct rill_open_options options = {.overrides = overrides, .override_count = count, .threads = 1};
  rill_simulation *sim;
  ok(rill_open(deck, &options, &sim, &error));
  return sim;
}
static rill_simulation *water(void) { return open_with(SOURCE("inputs/water7.ini"), NULL, 0); }
static rill_simulation *pendulum(void) { return open_with(SOURCE("inputs/simple-pendulum.ini"), NULL, 0); }

static double observed(rill_simulation *sim, const char *name) {
  double values[64];
  ok(rill_observe(sim, values, &error));
  for (size_t i = 0; i < rill_observable_count(sim); i++)
    if (strcmp(rill_observable_name(sim, i), name) == 0) return values[i];
  ck_abort_msg("no observable %s", name);
  return NAN;
}

START_TEST(water_is_opened_stepped_and_observed) {
  rill_simulation *sim = water();
  double before[63], after[63], v[63];
  ck_assert_uint_eq(rill_molecules(sim), 7);
  ck_assert_uint_eq(rill_coordinates(sim), 63);
  ck_assert_str_eq(rill_time_unit(sim), "ps");
  rill_get_positions(sim, before);
  ok(rill_step(sim, 10, &error));
  rill_get_positions(sim, after);
  rill_get_velocities(sim, v);
  ck_assert_uint_eq(rill_steps_done(sim), 10);
  ck_assert_mem_ne(before, after, sizeof before);
  ck_assert(isfinite(observed(sim, "temperature_half"))); /* although nobody observed that step */
  ck_assert_double_eq_tol(observed(sim, "total"), observed(sim, "kinetic") + observed(sim, "potential"), 1e-9);
  ck_assert_str_eq(rill_observable_unit(sim, 0), "kJ/mol");
  ck_assert_ptr_null(rill_observable_name(sim, rill_observable_count(sim)));
  ck_assert(!rill_get_box(sim, v));
  ck_assert_ptr_nonnull(strstr(rill_deck_text(sim), "structure = water7.gro"));
  rill_close(sim);
}
END_TEST

/* Central differences of the energy at displaced positions; and the state is as it was. */
START_TEST(forces_are_the_gradient_of_the_energy) {
  const double h = 1e-5;
  rill_simulation *sims[] = {water(), pendulum()};
  const char *const penalty[] = {"penalty.stiffness=20 akma", "integrator.method=verlet", "integrator.step=0.1fs"};
  rill_simulation *springs = open_with(SOURCE("inputs/water7.ini"), penalty, 3), *all[] = {sims[0], springs};
  for (size_t s = 0; s < 2; s++) {
    double q[63], f[63], at[63], again[63], up, down;
    ok(rill_step(all[s], 5, &error));
    rill_get_positions(all[s], q);
    ok(rill_get_forces(all[s], f, &error));
    for (size_t i = 0; i < 63; i += 7) {
      double moved[63];
      memcpy(moved, q, sizeof q);
      moved[i] += h;
      ok(rill_energy_at(all[s], moved, &up, at, &error));
      moved[i] -= 2 * h;
      ok(rill_energy_at(all[s], moved, &down, NULL, &error));
      ck_assert_double_eq_tol(f[i], (down - up) / (2 * h), 1e-3 * fmax(1, fabs(f[i])));
    }
    rill_get_positions(all[s], again);
    ck_assert_mem_eq(q, again, sizeof q);
    rill_close(all[s]);
  }
  rill_close(sims[1]);
}
END_TEST

/* A run in pieces, and one that was saved and loaded in between, end with the same bytes. */
START_TEST(runs_in_pieces_and_after_loading_are_the_same) {
  const char *path = "library-state.checkpoint";
  const char *const decks[] = {SOURCE("inputs/water7.ini"), SOURCE("inputs/double-spherical-pendulum.ini")};
  for (size_t d = 0; d < 2; d++) {
    rill_simulation *whole = open_with(decks[d], NULL, 0), *pieces = open_with(decks[d], NULL, 0),
                    *loaded = open_with(decks[d], NULL, 0);
    double a[63], b[63], c[63];
    unlink(path);
    ok(rill_run(whole, 300, NULL, 0, &error));
    ok(rill_run(pieces, 100, NULL, 0, &error));
    ok(rill_save(pieces, path, false, &error));
    ck_assert_int_ne(rill_save(pieces, path, false, &error), RILL_OK); /* it is there already */
    rill_get_velocities(pieces, a);
    ok(rill_run(pieces, 300, NULL, 0, &error));
    ok(rill_load(loaded, path, &error));
    ck_assert_uint_eq(rill_steps_done(loaded), 100);
    rill_get_velocities(loaded, b);
    ck_assert_mem_eq(a, b, rill_coordinates(loaded) * sizeof *a);
    ok(rill_run(loaded, 300, NULL, 0, &error));
    rill_get_positions(whole, a);
    rill_get_positions(pieces, b);
    rill_get_positions(loaded, c);
    ck_assert_mem_eq(a, b, rill_coordinates(whole) * sizeof *a);
    ck_assert_mem_eq(a, c, rill_coordinates(whole) * sizeof *a);
    rill_close(whole);
    rill_close(pieces);
    rill_close(loaded);
  }
  unlink(path);
}
END_TEST

static int count_calls(void *context, rill_simulation *sim, uint64_t step, double time) {
  size_t *calls = context;
  ck_assert_uint_eq(rill_steps_done(sim), step);
  ck_assert_double_eq_tol(time, (double)step * rill_step_length(sim), 1e-12);
  return ++*calls == 4;
}

START_TEST(watchers_see_their_steps_and_can_stop) {
  rill_simulation *sim = water();
  size_t calls = 0;
  const struct rill_watcher watcher = {50, count_calls, &calls};
  ck_assert_int_eq(rill_run(sim, 1000, &watcher, 1, &error), RILL_INTERRUPTED);
  ck_assert_uint_eq(calls, 4); /* steps 0, 50, 100, 150 */
  ck_assert_uint_eq(rill_steps_done(sim), 150);
  ok(rill_run(sim, 200, NULL, 0, &error));
  rill_close(sim);
}
END_TEST

/* A user's own velocity Verlet, as a splitting and as a step, is the registry's. */
struct verlet {
  size_t steps;
};
static int verlet(void *context, struct rill_step_state *s, double h) {
  struct verlet *v = context;
  double g[16];
  rill_gradient(s, s->q, g);
  for (size_t i = 0; i < s->n; i++) s->p[i] -= 0.5 * h * g[i];
  for (size_t i = 0; i < s->n; i++) s->q[i] += h * s->p[i] / s->mass[i];
  rill_gradient(s, s->q, g);
  for (size_t i = 0; i < s->n; i++) s->p[i] -= 0.5 * h * g[i];
  return v->steps++ == 500;
}

START_TEST(methods_of_ones_own) {
  static const struct rill_stage kdk[] = {{true, 0.5}, {false, 1}, {true, 0.5}};
  const char *const decks[] = {SOURCE("inputs/water7-nve.ini"), SOURCE("inputs/harmonic-oscillator.ini")};
  struct verlet counted = {0};
  double a[63], b[63];
  for (size_t d = 0; d < 2; d++) {
    const char *const method[] = {"integrator.method=verlet"};
    rill_simulation *theirs = open_with(decks[d], method, 1), *ours = open_with(decks[d], method, 1);
    ok(rill_use_splitting(ours, "my-verlet", 2, true, kdk, 3, &error));
    ok(rill_step(theirs, 100, &error));
    ok(rill_step(ours, 100, &error));
    rill_get_positions(theirs, a);
    rill_get_positions(ours, b);
    ck_assert_mem_eq(a, b, rill_coordinates(ours) * sizeof *a);
    ck_assert_int_eq(rill_use_splitting(ours, "again", 2, true, kdk, 3, &error), RILL_ERROR_USAGE);
    rill_close(theirs);
    rill_close(ours);
  }
  {
    const char *const method[] = {"integrator.method=verlet"};
    rill_simulation *theirs = open_with(decks[1], method, 1), *ours = open_with(decks[1], method, 1);
    ok(rill_use_step(ours, "my-step", 2, verlet, &counted, &error));
    ok(rill_step(theirs, 400, &error));
    ok(rill_step(ours, 400, &error));
    ck_assert_uint_eq(counted.steps, 400);
    rill_get_positions(theirs, a);
    rill_get_positions(ours, b);
    for (size_t i = 0; i < rill_coordinates(ours); i++) ck_assert_double_eq_tol(a[i], b[i], 1e-12);
    ck_assert_int_eq(rill_step(ours, 400, &error), RILL_ERROR_FAILED); /* at its 501st */
    ck_assert_uint_eq(rill_steps_done(ours), 500);
    ck_assert_ptr_nonnull(strstr(error.text, "my-step"));
    rill_close(theirs);
    rill_close(ours);
  }
  {
    rill_simulation *sim = water(); /* rigid: there is no such capability */
    ck_assert_int_eq(rill_use_step(sim, "my-step", 2, verlet, &counted, &error), RILL_ERROR_UNSUPPORTED);
    ok(rill_step(sim, 10, &error)); /* with the deck's method, as before */
    rill_close(sim);
  }
}
END_TEST

static void take_note(void *context, const char *text) {
  ck_assert_ptr_nonnull(strstr(text, "note: "));
  ++*(size_t *)context;
}

START_TEST(errors_are_values_and_notes_are_delivered) {
  static const char deck[] =
      "[system]\nstructure = water7.gro\n[start]\nvelocities = maxwell\ntemperature = 10 K\nminimize = yes\n"
      "[integrator]\nmethod = rattle\nstep = 2 fs\ntime = 1 ps\n";
  const char *const overrides[] = {"integrator.step=0fs", "thermostat.methd=gla"};
  struct rill_open_options options = {.overrides = overrides, .override_count = 2};
  rill_simulation *sim;
  size_t notes = 0;
  uint64_t steps;
  double q[63];
  ck_assert_int_eq(rill_open("no-such.ini", NULL, &sim, &error), RILL_ERROR_INPUT);
  ck_assert_ptr_null(sim);
  ck_assert_int_eq(rill_open(SOURCE("inputs/water7.ini"), &options, &sim, &error), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "step"));
  ck_assert_ptr_nonnull(strstr(error.text, "methd")); /* all faults together */
  options = (struct rill_open_options){.note = take_note, .context = &notes};
  ok(rill_open_text(SOURCE("inputs/mine"), deck, &options, &sim, &error));
  ck_assert_uint_gt(notes, 0);
  ok(rill_steps_of(sim, "0.5 ps", &steps, &error));
  ck_assert_uint_eq(steps, 250);
  ck_assert_int_eq(rill_steps_of(sim, "0.5 kg", &steps, &error), RILL_ERROR_INPUT);
  rill_get_positions(sim, q);
  q[17] = NAN;
  ck_assert_int_eq(rill_set_positions(sim, q, &error), RILL_ERROR_NOT_FINITE);
  rill_close(sim);
  rill_close(NULL);
}
END_TEST

static void refused(enum rill_status status, enum rill_status expected, const char *fragment) {
  ck_assert_int_eq(status, expected);
  ck_assert_msg(strstr(error.text, fragment) != NULL, "%s, expected: %s", error.text, fragment);
}

/* Each refusal leaves the simulation as it was. */
START_TEST(what_cannot_be_is_refused) {
  static const char path[] = "library-refused.checkpoint", folder[] = "library-refused";
  static const struct rill_stage stages[65];
  static const struct rill_watcher watchers[65];
  const char *const longer[] = {"integrator.steps=77"}, *const verlet_of[] = {"integrator.method=verlet"};
  const struct rill_energy_settings coulomb = {.boundary = "periodic", .coulomb = "tree"};
  const struct rill_energy_settings lj = {.boundary = "periodic", .lj = "soft"};
  struct rill_structure_energies energies;
  rill_simulation *sim = water(), *small = open_with(SOURCE("inputs/harmonic-oscillator.ini"), verlet_of, 1);
  rill_simulation *other = open_with(SOURCE("inputs/water7.ini"), longer, 1);
  rill_simulation *body = open_with(SOURCE("inputs/free-body.ini"), NULL, 0);
  double before[63], after[63];
  unlink(path);
  ok(rill_step(sim, 20, &error));
  rill_get_positions(sim, before);
  refused(rill_run(sim, 10, NULL, 0, &error), RILL_ERROR_USAGE, "20 steps are done already, more than 10");
  refused(rill_run(sim, 30, watchers, 65, &error), RILL_ERROR_USAGE, "watchers can be given, found 65");
  refused(rill_run_files(sim, folder, 0, NULL, 0, &error), RILL_ERROR_USAGE, "must begin at the deck's start");
  refused(rill_run_files(other, folder, RILL_RUN_RESUME | RILL_RUN_REPLACE, NULL, 0, &error), RILL_ERROR_USAGE,
          "give one of them");
  ck_assert_int_ne(access(folder, F_OK), 0);
  ok(rill_save(sim, path, false, &error));
  refused(rill_load(other, path, &error), RILL_ERROR_INPUT, "was saved with another deck");
  refused(rill_load(small, path, &error), RILL_ERROR_INPUT, "is for system water");
  refused(rill_use_splitting(small, "none", 2, true, stages, 0, &error), RILL_ERROR_USAGE, "found 0");
  refused(rill_use_splitting(small, "many", 2, true, stages, 65, &error), RILL_ERROR_USAGE, "found 65");
  refused(rill_use_splitting(small, "", 2, true, stages, 1, &error), RILL_ERROR_USAGE, "a method's name has 1 to");
  refused(rill_get_forces(body, after, &error), RILL_ERROR_UNSUPPORTED, "free-body has no forces");
  refused(rill_structure_energy(SOURCE("inputs/liquid.gro"), &coulomb, &energies, &error), RILL_ERROR_USAGE,
          "coulomb tree: expected pme");
  refused(rill_structure_energy(SOURCE("inputs/liquid.gro"), &lj, &energies, &error), RILL_ERROR_USAGE,
          "lj soft: expected");
  rill_get_positions(sim, after);
  ck_assert_mem_eq(before, after, sizeof before);
  ck_assert_uint_eq(rill_steps_done(sim), 20);
  ok(rill_run(sim, 30, NULL, 0, &error));
  ok(rill_step(small, 1, &error));
  rill_close(sim);
  rill_close(small);
  rill_close(other);
  rill_close(body);
  unlink(path);
}
END_TEST

/* The same bytes on two threads of one process as alone; one with a mesh, one with a small system's dense solves. */
static const char *const together[] = {SOURCE("inputs/water7.ini"), SOURCE("inputs/liquid216.ini"),
                                       SOURCE("inputs/double-spherical-pendulum.ini"),
                                       SOURCE("inputs/water7-bodies.ini")};
enum { TOGETHER = sizeof together / sizeof together[0], LARGEST = 9 * 216 };
struct job {
  const char *deck;
  double q[LARGEST];
  size_t count;
  char folder[64];
  enum rill_status status;
};

static void *work(void *context) {
  struct job *job = context;
  const char *const overrides[] = {"integrator.steps=60"};
  const struct rill_open_options options = {.overrides = overrides, .override_count = 1, .threads = 2};
  struct rill_error own = {0};
  rill_simulation *sim;
  job->status = rill_open(job->deck, &options, &sim, &own);
  if (job->status != RILL_OK) return NULL;
  job->status = rill_run_files(sim, job->folder, RILL_RUN_REPLACE, NULL, 0, &own);
  job->count = rill_coordinates(sim);
  rill_get_positions(sim, job->q);
  rill_close(sim);
  return NULL;
}

START_TEST(simulations_on_several_threads_are_those_alone) {
  static struct job alone[TOGETHER], beside[2 * TOGETHER];
  pthread_t threads[2 * TOGETHER];
  for (size_t i = 0; i < TOGETHER; i++) {
    alone[i].deck = together[i];
    snprintf(alone[i].folder, sizeof alone[i].folder, "library-threads/alone%zu", i);
    work(&alone[i]);
    ck_assert_int_eq(alone[i].status, RILL_OK);
  }
  for (size_t i = 0; i < 2 * TOGETHER; i++) {
    beside[i].deck = together[i % TOGETHER];
    snprintf(beside[i].folder, sizeof beside[i].folder, "library-threads/beside%zu", i);
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &beside[i]), 0);
  }
  for (size_t i = 0; i < 2 * TOGETHER; i++) {
    pthread_join(threads[i], NULL);
    ck_assert_int_eq(beside[i].status, RILL_OK);
    ck_assert_uint_eq(beside[i].count, alone[i % TOGETHER].count);
    ck_assert_mem_eq(beside[i].q, alone[i % TOGETHER].q, beside[i].count * sizeof(double));
  }
  ck_assert_int_eq(system("rm -rf library-threads"), 0);
}
END_TEST

static void count_listed(void *context, const char *name, const char *summary, const char *source) {
  ck_assert(name[0] != '\0' && summary != NULL && source != NULL);
  ++*(size_t *)context;
}

static void take_compared(void *context, const struct rill_compared *c) {
  ck_assert_str_eq(c->failure, "");
  for (size_t i = 0; i < c->count; i++)
    if (strcmp(c->names[i], "position_error") == 0) *(double *)context += c->values[i];
}

static int take_frame(void *context, const struct rill_frame *frame) {
  ck_assert_uint_eq(frame->molecules, 7);
  ck_assert(isfinite(frame->positions[62]));
  return ++*(size_t *)context == 3;
}

START_TEST(listings_comparisons_and_frames) {
  size_t methods = 0, systems = 0, keys = 0, models = 0, frames = 0;
  double errors = 0;
  rill_list(RILL_LIST_METHODS, count_listed, &methods);
  rill_list(RILL_LIST_SYSTEMS, count_listed, &systems);
  rill_list(RILL_LIST_KEYS, count_listed, &keys);
  rill_list(RILL_LIST_MODELS, count_listed, &models);
  ck_assert_uint_gt(methods, 10);
  ck_assert_uint_gt(systems, 10);
  ck_assert_uint_gt(keys, 60);
  ck_assert_uint_ge(models, 6);
  ok(rill_compare_methods(SOURCE("inputs/harmonic-oscillator.ini"), NULL, "verlet,implicit-midpoint", NULL,
                          take_compared, &errors, &error));
  ck_assert(errors > 0 && errors < 10);
  ok(rill_read_frames(SOURCE("inputs/water7.gro"), take_frame, &frames, &error));
  ck_assert_uint_eq(frames, 1);
  ck_assert_int_eq(rill_read_frames("no-such.gro", take_frame, &frames, &error), RILL_ERROR_INPUT);
}
END_TEST

/* That of the simulation at its start; errors leave nothing to release. */
START_TEST(structures_have_energies) {
  struct rill_structure_energies found;
  rill_simulation *sim = NULL;
  double potential;
  double *positions = malloc(63 * sizeof *positions);
  ok(rill_open(SOURCE("inputs/water7.ini"), NULL, &sim, &error));
  rill_get_positions(sim, positions);
  ok(rill_energy_at(sim, positions, &potential, NULL, &error));
  rill_close(sim);
  free(positions);
  ok(rill_structure_energy(SOURCE("inputs/water7.gro"), NULL, &found, &error));
  ck_assert_double_eq_tol(found.potential, potential, 1e-6);
  ck_assert_double_eq_tol(found.potential, found.lj + found.coulomb, 1e-9);
  ck_assert(isnan(found.pressure) && found.molecules == 7 && isfinite(found.forces[62]));
  rill_structure_energies_release(&found);
  ck_assert_ptr_null(found.forces);
  ck_assert_int_eq(rill_structure_energy(SOURCE("inputs/water7.gro"), &(struct rill_energy_settings){.cutoff = -1},
                                         &found, &error),
                   RILL_ERROR_USAGE);
  ck_assert_int_eq(rill_structure_energy("no-such.gro", NULL, &found, &error), RILL_ERROR_INPUT);
  ck_assert_ptr_null(found.forces);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("library");
  TCase *cases = tcase_create("library");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, water_is_opened_stepped_and_observed);
  tcase_add_test(cases, structures_have_energies);
  tcase_add_test(cases, forces_are_the_gradient_of_the_energy);
  tcase_add_test(cases, runs_in_pieces_and_after_loading_are_the_same);
  tcase_add_test(cases, what_cannot_be_is_refused);
  tcase_add_test(cases, watchers_see_their_steps_and_can_stop);
  tcase_add_test(cases, methods_of_ones_own);
  tcase_add_test(cases, errors_are_values_and_notes_are_delivered);
  tcase_add_test(cases, simulations_on_several_threads_are_those_alone);
  tcase_add_test(cases, listings_comparisons_and_frames);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
