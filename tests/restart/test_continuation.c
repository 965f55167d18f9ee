/* A run that is saved after 39 or 40 of 100 steps, and resumed by a system and an integrator that are made anew, is
 * the same to the byte as the run in one go: every method, thermostat and constraint solver that binds to water,
 * every method and
 * composition that binds to each formulation of each small system, from the registries.  And numbers that cannot lie:
 * steps beyond 2^31 and 2^32.  Cases B09, B10, E02, E03, E09, E11. */
#include "config.h" /* _GNU_SOURCE */

#include <time.h>

#include "fixture.h"
#include "small.h"

#include "base/archive.h"
#include "base/random.h"
#include "integrators/splittings.h"
#include "mech/driver.h"

/* What a run is made of.  make: a new system at its start, bound; RILL_ERROR_UNSUPPORTED when it does not bind. */
struct recipe {
  enum rill_status (*make)(const struct recipe *recipe, struct rill_system *system,
                           struct rill_integrator **integrator);
  char name[256];
  const struct rill_method *method;
  const struct rill_composition *composition;
  enum rill_thermostat insertion;
  double h;
  /* of water */
  enum rill_constraint_solver solver;
  double stiffness;
  bool periodic;
  enum rill_precision precision;
  int threads;
  /* of a small system */
  const struct rill_system_type *type;
  int formulation; /* word of that parameter; -1: there is none */
  bool compensated;
};

static struct rill_error error;

/* --- running -------------------------------------------------------------------------------------------------------
 */

/* All that was observed, and the state at the end, as bytes. */
struct record {
  struct rill_archive seen; /* observations, in order */
  struct rill_archive kept; /* the last one kept */
  struct rill_system *system;
  uint64_t steps[8];
  double times[8];
  unsigned count;
};

static enum rill_status observe(void *self, uint64_t step, double time, struct rill_error *fault) {
  struct record *record = self;
  struct rill_observation o;
  double *numbers = (double *)(void *)&o;
  RILL_TRY(record->system->ops->observe(record->system->self, &o, fault));
  if (record->count < 8) {
    record->steps[record->count] = step;
    record->times[record->count++] = time;
  }
  rill_archive_integers(&record->seen, "step", &step, 1);
  rill_archive_reals(&record->seen, "observation", numbers, sizeof o / sizeof *numbers);
  return RILL_OK;
}

static enum rill_status keep(void *self, uint64_t step, enum rill_keep_reason reason, struct rill_error *fault) {
  struct record *record = self;
  (void)step, (void)reason;
  rill_archive_release(&record->kept);
  record->system->ops->archive(record->system->self, &record->kept);
  return rill_archive_status(&record->kept, fault);
}

/* From step `first`, with the state of `from` unless that is NULL, to step `last`; observed every 10 steps. */
static enum rill_status run(const struct recipe *recipe, uint64_t first, uint64_t last,
                            const struct rill_archive *from, struct record *record) {
  struct rill_system *system = rill_allocate(1, sizeof *system);
  struct rill_integrator *integrator = NULL;
  const struct rill_observer observer = {10, observe, record, true, false};
  const struct rill_checkpointer checkpointer = {.keep = keep, .self = record};
  struct rill_driver driver = {.system = system,
                               .observers = &observer,
                               .observer_count = 1,
                               .checkpointer = &checkpointer,
                               .first = first,
                               .last = last,
                               .continued = from != NULL};
  enum rill_status status;
  ck_assert_msg(recipe->make(recipe, system, &integrator) == RILL_OK, "%s: %s", recipe->name, error.text);
  driver.integrator = integrator;
  record->system = system;
  if (from != NULL) {
    struct rill_archive archive;
    ck_assert_int_eq(rill_archive_open(from->bytes, from->length, &archive, &error), RILL_OK);
    system->ops->archive(system->self, &archive);
    ck_assert_msg(rill_archive_status(&archive, &error) == RILL_OK, "%s: %s", recipe->name, error.text);
    rill_archive_release(&archive);
  }
  status = rill_driver_run(&driver, &error);
  rill_integrator_destroy(integrator);
  system->ops->destroy(system->self);
  rill_release(system);
  return status;
}

static void forget(struct record *record) {
  rill_archive_release(&record->seen);
  rill_archive_release(&record->kept);
  *record = (struct record){0};
}

static bool same(const struct rill_archive *a, const struct rill_archive *b) {
  return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

/* False when the run in one go fails (for a step that is too long, say). */
static bool check(const struct recipe *recipe, uint64_t steps) {
  const uint64_t stops[] = {39 * steps / 100,
                            40 * steps / 100}; /* a step before something is observed, and where it is */
  struct record whole = {0}, parts = {0};
  if (run(recipe, 0, steps, NULL, &whole) != RILL_OK) {
    forget(&whole);
    return false;
  }
  for (int i = 0; i < 2; i++) {
    struct rill_archive state;
    ck_assert_msg(run(recipe, 0, stops[i], NULL, &parts) == RILL_OK, "%s: %s", recipe->name, error.text);
    state = parts.kept;
    parts.kept = (struct rill_archive){0};
    /* The last observation is there because the run ended: a continuation does not have it. */
    forget(&parts);
    ck_assert_msg(run(recipe, stops[i], steps, &state, &parts) == RILL_OK, "%s: %s", recipe->name, error.text);
    if (!same(&whole.kept, &parts.kept))
      ck_abort_msg("%s: stopped at %d, another state at the end", recipe->name, (int)stops[i]);
    if (parts.seen.length >= whole.seen.length ||
        memcmp(parts.seen.bytes, whole.seen.bytes + whole.seen.length - parts.seen.length, parts.seen.length) != 0)
      ck_abort_msg("%s: stopped at %d, other observations", recipe->name, (int)stops[i]);
    forget(&parts);
    rill_archive_release(&state);
  }
  forget(&whole);
  return true;
}

/* --- water ---------------------------------------------------------------------------------------------------------
 */

static struct rill_structure seven, box;

static void read_structures(void) {
  struct rill_water_model model;
  fixture_ok(rill_water_model_find("tip3p", 0, &model, &fixture_error));
  fixture_ok(rill_structure_read(RILL_SOURCE_DIR "/inputs/water7.gro", &seven, &fixture_error));
  fixture_ok(rill_water_rigidify(&model, seven.positions, seven.molecules, &fixture_error));
  fixture_ok(rill_structure_read(RILL_SOURCE_DIR "/tests/data/structures/p216.xyz", &box, &fixture_error));
  fixture_ok(rill_water_rigidify(&model, box.positions, box.molecules, &fixture_error));
}

static enum rill_status make_water(const struct recipe *recipe, struct rill_system *system,
                                   struct rill_integrator **integrator) {
  const struct rill_structure *structure = recipe->periodic ? &box : &seven;
  struct rill_water_options options = {
      .molecules = structure->molecules,
      .positions = structure->positions,
      .constraints = {recipe->solver, 1e-13, 1e-13, 1.0, 500},
      .stiffness = recipe->stiffness,
      .thermostat = recipe->insertion != RILL_NO_BATH,
      .temperature = {100, 100},
      .friction = recipe->insertion == RILL_V_RESCALE ? 0 : 2,
      .rescale_time = recipe->insertion == RILL_V_RESCALE ? 0.1 : 0,
      .external = {.electric = {10, 20, 30}, .trap = recipe->insertion == RILL_BAOAB ? 100 : 0},
      .seed = 3,
      .isa = rill_isa_best(),
      .threads = recipe->threads,
      .periodic = recipe->periodic,
      .box = {.cutoff = 0.8, .coulomb = RILL_COULOMB_EWALD, .beta = 3.5, .precision = recipe->precision},
      .mesh = {.order = 4,
               .grid = {20, 20, 20},
               .precision = recipe->precision == RILL_PRECISION_MIXED ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE}};
  struct rill_binding_options binding = small_options(recipe->h, 0.4);
  binding.insertion = recipe->insertion;
  binding.method.tolerance = 1e-13;
  memcpy(options.box.box, structure->box, sizeof options.box.box);
  fixture_ok(rill_water_model_find("tip3p", 0, &options.model, &fixture_error));
  fixture_ok(rill_water_create(&options, system, &fixture_error));
  fixture_ok(rill_water_draw_velocities(system, 100, 3, &fixture_error));
  return rill_integrator_create(recipe->method, system, &binding, integrator, &error);
}

static const char *const insertions[] = {
    [RILL_NO_BATH] = "none", [RILL_GLA] = "gla", [RILL_BAOAB] = "baoab", [RILL_V_RESCALE] = "v-rescale"};
enum { INSERTIONS = sizeof insertions / sizeof insertions[0] };

/* Whether the method binds at all. */
static bool binds(const struct recipe *recipe) {
  struct rill_system system;
  struct rill_integrator *integrator = NULL;
  enum rill_status status = recipe->make(recipe, &system, &integrator);
  if (status == RILL_OK) rill_integrator_destroy(integrator);
  system.ops->destroy(system.self);
  ck_assert_msg(status == RILL_OK || status == RILL_ERROR_UNSUPPORTED, "%s: %s", recipe->name, error.text);
  return status == RILL_OK;
}

START_TEST(water_goes_on) {
  size_t methods, count = 0;
  const struct rill_method *const *all = rill_methods(&methods);
  for (size_t i = 0; i < methods; i++)
    for (int insertion = 0; insertion < INSERTIONS; insertion++)
      for (int solver = 0; solver <= RILL_CONSTRAINT_SOLVERS; solver++) { /* the last: springs */
        if (insertions[insertion] == NULL) continue;
        struct recipe recipe = {.make = make_water,
                                .method = all[i],
                                .insertion = (enum rill_thermostat)insertion,
                                .h = 5e-4,
                                .threads = 1};
        if (solver < RILL_CONSTRAINT_SOLVERS) recipe.solver = (enum rill_constraint_solver)solver;
        else recipe.stiffness = 20 * sqrt(RILL_KCAL) / (RILL_ANGSTROM * RILL_ANGSTROM);
        snprintf(recipe.name, sizeof recipe.name, "%s, %s, %s", all[i]->name, insertions[insertion],
                 solver < RILL_CONSTRAINT_SOLVERS ? rill_choice_word(rill_constraint_solver_choices, recipe.solver)
                                                  : "springs");
        if (!binds(&recipe)) continue;
        ck_assert_msg(check(&recipe, 100), "%s: %s", recipe.name, error.text);
        count++;
      }
  ck_assert_msg(count > 100, "%zu combinations of water", count);
}
END_TEST

/* Lists and meshes are made anew, at other positions than in the run in one go. */
START_TEST(a_box_goes_on) {
  for (int i = 0; i < RILL_CONSTRAINT_SOLVERS; i++) {
    struct recipe recipe = {.make = make_water,
                            .method = rill_method_find("verlet"),
                            .periodic = true,
                            .h = 2e-3,
                            .precision = i % 2 ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE,
                            .threads = 1 + i % 2,
                            .insertion = i < 2   ? RILL_GLA
                                         : i % 2 ? RILL_V_RESCALE
                                                 : RILL_BAOAB,
                            .solver = (enum rill_constraint_solver)(i % RILL_CONSTRAINT_SOLVERS)};
    snprintf(recipe.name, sizeof recipe.name, "box %d", i);
    ck_assert_msg(check(&recipe, 50), "%s: %s", recipe.name, error.text);
  }
}
END_TEST

START_TEST(threads_of_the_parts_may_differ) {
  struct recipe recipe = {.make = make_water,
                          .name = "threads",
                          .method = rill_method_find("verlet"),
                          .periodic = true,
                          .h = 2e-3,
                          .precision = RILL_PRECISION_MIXED,
                          .threads = 1,
                          .insertion = RILL_GLA};
  struct record whole = {0}, part = {0};
  struct rill_archive middle;
  ck_assert_int_eq(run(&recipe, 0, 20, NULL, &whole), RILL_OK);
  ck_assert_int_eq(run(&recipe, 0, 8, NULL, &part), RILL_OK);
  middle = part.kept;
  part.kept = (struct rill_archive){0};
  for (recipe.threads = 4; recipe.threads >= 2; recipe.threads--) {
    forget(&part);
    ck_assert_int_eq(run(&recipe, 8, 20, &middle, &part), RILL_OK);
    ck_assert_msg(same(&whole.kept, &part.kept), "%d threads", recipe.threads);
  }
  forget(&part), forget(&whole);
  rill_archive_release(&middle);
}
END_TEST

/* --- small systems -------------------------------------------------------------------------------------------------
 */

static void create_small(const struct recipe *recipe, struct rill_system *system) {
  static struct rill_parameter_value values[RILL_PARAMETERS];
  enum rill_status status = rill_parameters_default(recipe->type, values, &error);
  if (recipe->formulation >= 0) values[rill_parameter_index(recipe->type, "formulation")].word = recipe->formulation;
  if (status == RILL_OK) status = recipe->type->create(values, system, &error);
  if (status == RILL_OK && recipe->insertion != RILL_NO_BATH && system->thermal != NULL)
    status = system->thermal->couple(
        system->self, &(struct rill_bath){.temperature = {0.2, 0.2}, .steps = 1, .friction = 2, .seed = 3}, &error);
  ck_assert_msg(status == RILL_OK, "%s: %s", recipe->name, error.text);
}

static enum rill_status make_small(const struct recipe *recipe, struct rill_system *system,
                                   struct rill_integrator **integrator) {
  struct rill_binding_options binding = small_options(recipe->h, 0.4);
  binding.composition = recipe->composition;
  binding.insertion = recipe->insertion;
  binding.method.compensated = recipe->compensated;
  create_small(recipe, system);
  return rill_integrator_create(recipe->method, system, &binding, integrator, &error);
}

static size_t coordinates_of(const struct recipe *recipe) {
  struct rill_system system;
  size_t n;
  create_small(recipe, &system);
  n = system.state->n;
  system.ops->destroy(system.self);
  return n;
}

static int words_of(const struct rill_system_type *type) {
  size_t index = rill_parameter_index(type, "formulation");
  int words = 0;
  if (index == type->parameter_count) return 0;
  while (type->parameters[index].words[words] != NULL) words++;
  return words;
}

START_TEST(small_systems_go_on) {
  size_t types, methods, count = 0, failed = 0, solved = 0;
  uint64_t steps;
  char name[sizeof((struct recipe *)0)->name] = "";
  const struct rill_system_type *const *kinds = rill_system_types(&types);
  const struct rill_method *const *all = rill_methods(&methods);
  const struct rill_composition *const compositions[] = {NULL, rill_composition_find("yoshida4")};
  for (size_t k = 0; k < types; k++)
    for (int formulation = words_of(kinds[k]) > 0 ? 0 : -1; formulation < words_of(kinds[k]); formulation++)
      for (size_t i = 0; i < methods; i++)
        for (int c = 0; c < 2; c++) {
          struct recipe recipe = {.make = make_small,
                                  .type = kinds[k],
                                  .formulation = formulation,
                                  .method = all[i],
                                  .composition = compositions[c],
                                  .h = 1e-2};
          snprintf(recipe.name, sizeof recipe.name, "%s (%d), %s%s", kinds[k]->name, formulation, all[i]->name,
                   c > 0 ? " composed" : "");
          if (!binds(&recipe)) continue;
          steps = coordinates_of(&recipe) > 16
                      ? 20
                      : 100; /* dense solves: tests/restart/combinations.sh does all of them with 100 */
          count++;
          if (check(&recipe, steps)) {
            solved += all[i]->solves_for_step;
            continue;
          }
          recipe.h = 1e-3;
          if (check(&recipe, steps) || all[i]->solves_for_step) continue; /* there may be no solution */
          recipe.h = 1e-4; /* multistep methods need shorter steps on stiff springs */
          if (all[i]->multistep && check(&recipe, steps)) continue;
          failed++;
          memcpy(name, recipe.name, sizeof name);
        }
  ck_assert_msg(count > 200, "%zu combinations of small systems", count);
  ck_assert_msg(failed == 0, "%zu of %zu do not run, such as %s", failed, count, name);
  ck_assert_msg(solved > 5, "steps of an unknown length were found on %zu systems", solved);
}
END_TEST

/* Every method in a heat bath, with each thermostat that it takes. */
START_TEST(small_systems_go_on_in_a_bath) {
  size_t types, methods, count = 0;
  const struct rill_system_type *const *kinds = rill_system_types(&types);
  const struct rill_method *const *all = rill_methods(&methods);
  for (size_t k = 0; k < types; k++)
    for (int formulation = words_of(kinds[k]) > 0 ? 0 : -1; formulation < words_of(kinds[k]); formulation++)
      for (size_t i = 0; i < methods; i++)
        for (int insertion = RILL_GLA; insertion <= RILL_BAOAB; insertion++) {
          struct recipe recipe = {.make = make_small,
                                  .type = kinds[k],
                                  .formulation = formulation,
                                  .method = all[i],
                                  .insertion = (enum rill_thermostat)insertion,
                                  .h = 1e-3};
          snprintf(recipe.name, sizeof recipe.name, "%s (%d), %s, %s", kinds[k]->name, formulation, all[i]->name,
                   insertions[insertion]);
          if (!binds(&recipe)) continue;
          count++;
          ck_assert_msg(check(&recipe, coordinates_of(&recipe) > 16 ? 20 : 40), "%s: %s", recipe.name, error.text);
        }
  ck_assert_msg(count > 200, "%zu combinations of small systems and thermostats", count);
}
END_TEST

/* Whether restore brings back the state before a step. */
static bool is_restored(const struct recipe *recipe) {
  struct rill_system system = {0};
  struct rill_integrator *integrator;
  struct rill_archive states[3] = {{0}};
  bool restored;
  ck_assert_int_eq(recipe->make(recipe, &system, &integrator), RILL_OK);
  for (uint64_t step = 0; step < 2; step++) {
    rill_archive_release(&states[0]);
    system.ops->archive(system.self, &states[0]);
    ck_assert_msg(rill_integrator_step(integrator, step, false, &error) == RILL_OK, "%s: %s", recipe->name,
                  error.text);
  }
  system.ops->archive(system.self, &states[1]);
  system.ops->restore(system.self);
  system.ops->archive(system.self, &states[2]);
  ck_assert_msg(!same(&states[0], &states[1]), "%s: does not move", recipe->name);
  restored = same(&states[0], &states[2]);
  for (int i = 0; i < 3; i++) rill_archive_release(&states[i]);
  rill_integrator_destroy(integrator);
  system.ops->destroy(system.self);
  return restored;
}

/* What a failed step did is undone, all of it that a checkpoint would hold. */
START_TEST(small_systems_are_restored) {
  size_t types, methods, count = 0;
  const struct rill_system_type *const *kinds = rill_system_types(&types);
  const struct rill_method *const *all = rill_methods(&methods);
  for (size_t k = 0; k < types; k++)
    for (int formulation = words_of(kinds[k]) > 0 ? 0 : -1; formulation < words_of(kinds[k]); formulation++)
      for (size_t i = 0; i < methods; i++) {
        struct recipe recipe = {.make = make_small,
                                .type = kinds[k],
                                .formulation = formulation,
                                .method = all[i],
                                .h = 1e-3,
                                .compensated = true};
        snprintf(recipe.name, sizeof recipe.name, "%s (%d), %s", kinds[k]->name, formulation, all[i]->name);
        if (!binds(&recipe)) continue;
        count++;
        ck_assert_msg(is_restored(&recipe), "%s: not restored", recipe.name);
      }
  ck_assert_uint_gt(count, 100);
}
END_TEST

/* --- the test itself -----------------------------------------------------------------------------------------------
 */

/* A mutant: one-step Newmark's acceleration, a coordinate, or a velocity is not what it was. */
START_TEST(what_is_left_out_is_seen) {
  const struct {
    const char *entry;
    double stiffness;
    const char *method;
  } mutants[] = {
      {"newmark", 2000, "newmark-onestep"}, {"q", 0, "verlet"}, {"v", 0, "verlet"}, {"offset", 0, "verlet"}};
  for (size_t i = 0; i < sizeof mutants / sizeof mutants[0]; i++) {
    struct recipe recipe = {.make = make_water,
                            .name = "mutant",
                            .method = rill_method_find(mutants[i].method),
                            .h = 5e-4,
                            .threads = 1,
                            .stiffness = mutants[i].stiffness};
    struct record whole = {0}, part = {0};
    struct rill_archive read;
    size_t count;
    double *numbers;
    ck_assert_int_eq(run(&recipe, 0, 60, NULL, &whole), RILL_OK);
    ck_assert_int_eq(run(&recipe, 0, 30, NULL, &part), RILL_OK);
    ck_assert_int_eq(rill_archive_open(part.kept.bytes, part.kept.length, &read, &error), RILL_OK);
    numbers = (double *)(uintptr_t)rill_archive_find(&read, mutants[i].entry, RILL_ARCHIVE_REALS, &count);
    ck_assert_ptr_nonnull(numbers);
    for (int bit = 0; bit < 2; bit++) {
      struct record after = {0};
      ((unsigned char *)numbers)[3] ^= (unsigned char)bit; /* one part in 2^28 of the first number */
      ck_assert_int_eq(run(&recipe, 30, 60, &part.kept, &after), RILL_OK);
      ck_assert_msg(same(&whole.kept, &after.kept) == (bit == 0), "%s, bit %d", mutants[i].entry, bit);
      forget(&after);
    }
    rill_archive_release(&read);
    forget(&whole), forget(&part);
  }
}
END_TEST

/* --- large numbers of steps ----------------------------------------------------------------------------------------
 */

/* Over 2^31 and 2^32: steps count on, time is step * h to the last bit, the noise is not that of the steps 2^32
 * before, and a stop in between changes nothing. */
START_TEST(steps_beyond_2_to_the_32) {
  static const uint64_t starts[] = {(UINT64_C(1) << 31) - 2, (UINT64_C(1) << 32) - 2, (UINT64_C(1) << 53) - 12};
  struct recipe recipe = {.make = make_water,
                          .name = "large",
                          .method = rill_method_find("verlet"),
                          .h = 1e-3,
                          .insertion = RILL_GLA,
                          .threads = 1};
  struct record first = {0};
  struct rill_archive begin;
  ck_assert_int_eq(run(&recipe, 0, 0, NULL, &first), RILL_OK); /* the state of step 0 */
  begin = first.kept;
  first.kept = (struct rill_archive){0};
  forget(&first);
  ck_assert_int_eq(run(&recipe, 2, 22, &begin, &first), RILL_OK); /* from there, with the noise of steps 2 to 21 */
  for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
    struct record whole = {0}, part = {0}, rest = {0};
    const uint64_t start = starts[i], end = start + 20;
    ck_assert_int_eq(run(&recipe, start, end, &begin, &whole), RILL_OK);
    ck_assert_uint_ge(whole.count, 2);
    for (unsigned k = 0; k < whole.count; k++) {
      ck_assert_uint_gt(whole.steps[k], start);
      ck_assert_uint_le(whole.steps[k], end);
      ck_assert_double_eq(whole.times[k], (double)whole.steps[k] * 1e-3);
    }
    ck_assert_uint_eq(whole.steps[whole.count - 1], end);
    ck_assert(!same(&whole.kept, &first.kept)); /* B09 */
    ck_assert_int_eq(run(&recipe, start, start + 3, &begin, &part), RILL_OK);
    ck_assert_int_eq(run(&recipe, start + 3, end, &part.kept, &rest), RILL_OK);
    ck_assert(same(&whole.kept, &rest.kept));
    forget(&whole), forget(&part), forget(&rest);
  }
  forget(&first);
  rill_archive_release(&begin);
}
END_TEST

static int by_size(const void *a, const void *b) {
  const uint64_t *p = a, *q = b;
  return *p < *q ? -1 : *p > *q;
}

/* Replicas (seeds) and stages (streams) have noise of their own: the first words of 200 seeds, neighbouring and with
 * high bits set, in 4 streams, at steps either side of 2^32, are all different. */
START_TEST(streams_differ) {
  static const enum rill_stream streams[] = {RILL_STREAM_VELOCITIES, RILL_STREAM_THERMOSTAT, RILL_STREAM_BUILD,
                                             RILL_STREAM_TEST};
  static const uint64_t steps[] = {0, 1, UINT32_MAX, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1};
  enum { SEEDS = 200, ALL = SEEDS * 4 * 5 };
  static uint64_t words[ALL];
  size_t count = 0;
  for (uint64_t s = 0; s < SEEDS; s++)
    for (int k = 0; k < 4; k++)
      for (int i = 0; i < 5; i++) {
        const struct rill_noise noise = rill_noise_create(s % 2 ? s << 40 : s, streams[k]);
        uint32_t bits[4];
        rill_noise_bits(&noise, steps[i], 0, 0, bits);
        words[count++] = (uint64_t)bits[0] << 32 | bits[1];
      }
  qsort(words, count, sizeof *words, by_size);
  for (size_t i = 1; i < count; i++)
    if (words[i] == words[i - 1]) ck_abort_msg("two streams begin alike");
}
END_TEST

/* --- a guard
 * --------------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t stop_now;

struct guarded {
  struct rill_guard guard;
  struct record record;
  struct rill_archive kept; /* of the guard */
  bool parts;
};

/* After step 37 no energy is within the limits; a first part ends there. */
static enum rill_status tighten_here(void *self, uint64_t step, double time, struct rill_error *fault) {
  struct guarded *guarded = self;
  (void)time, (void)fault;
  if (step == 0) return RILL_OK;
  guarded->guard.limits.energy_change = 0;
  stop_now = guarded->parts;
  return RILL_OK;
}

static enum rill_status keep_guarded(void *self, uint64_t step, enum rill_keep_reason reason,
                                     struct rill_error *fault) {
  struct guarded *guarded = self;
  rill_archive_release(&guarded->kept);
  rill_guard_archive(&guarded->guard, &guarded->kept);
  return keep(&guarded->record, step, reason, fault);
}

/* 100 steps of a pendulum under a guard that looks every 30 steps, and finds the energy out of its limits from step
 * 60 on; stops after 37 when `parts`, and resumes there when there is a `from`.  Returns the steps that are left
 * standing. */
static uint64_t run_guarded(const struct guarded *from, bool parts, bool forgets, struct guarded *guarded) {
  const struct rill_system_type *type = rill_system_type_find("planar-pendulum");
  const struct rill_binding_options binding = {.step = 0.05, .geodesic_steps = 1};
  const struct rill_observer observer = {37, tighten_here, guarded, false, false};
  const struct rill_checkpointer checkpointer = {.keep = keep_guarded, .self = guarded};
  struct rill_parameter_value values[RILL_PARAMETERS];
  struct rill_system system = {0};
  struct rill_integrator *integrator;
  struct rill_driver driver = {.system = &system,
                               .observers = &observer,
                               .observer_count = 1,
                               .checkpointer = &checkpointer,
                               .guard = &guarded->guard,
                               .first = from != NULL ? 37 : 0,
                               .last = 100,
                               .continued = from != NULL,
                               .stop = &stop_now};
  *guarded = (struct guarded){.record.system = &system, .parts = parts};
  stop_now = 0;
  ck_assert_int_eq(rill_parameters_default(type, values, &error), RILL_OK);
  ck_assert_int_eq(type->create(values, &system, &error), RILL_OK);
  ck_assert_int_eq(rill_integrator_create(rill_method_find("verlet"), &system, &binding, &integrator, &error),
                   RILL_OK);
  driver.integrator = integrator;
  ck_assert_int_eq(rill_guard_begin(&guarded->guard, &system, &error), RILL_OK);
  if (from != NULL) {
    struct rill_archive archive;
    ck_assert_int_eq(rill_archive_open(from->record.kept.bytes, from->record.kept.length, &archive, &error), RILL_OK);
    system.ops->archive(system.self, &archive);
    ck_assert_int_eq(rill_archive_open(from->kept.bytes, from->kept.length, &archive, &error), RILL_OK);
    if (!forgets) rill_guard_archive(&guarded->guard, &archive);
    ck_assert_int_eq(rill_archive_status(&archive, &error), RILL_OK);
  }
  guarded->guard.interval = 30;
  if (from != NULL) guarded->guard.limits.energy_change = 0;
  rill_error_clear(&error);
  ck_assert_int_eq(rill_driver_run(&driver, &error), parts ? RILL_INTERRUPTED : RILL_ERROR_FAILED);
  rill_integrator_destroy(integrator);
  system.ops->destroy(system.self);
  return driver.done;
}

static void forget_guarded(struct guarded *guarded) {
  rill_guard_release(&guarded->guard);
  rill_archive_release(&guarded->kept);
  forget(&guarded->record);
}

/* A run that was stopped between two examinations goes back to the same good state as one that was not. */
START_TEST(a_guard_goes_on) {
  struct guarded whole, parts, rest, forgetful;
  ck_assert_uint_eq(run_guarded(NULL, false, false, &whole), 30);
  ck_assert_uint_eq(run_guarded(NULL, true, false, &parts), 37);
  ck_assert_uint_eq(run_guarded(&parts, false, false, &rest), 30);
  ck_assert(same(&whole.record.kept, &rest.record.kept));
  ck_assert(same(&whole.kept, &rest.kept));
  ck_assert_uint_eq(run_guarded(&parts, false, true, &forgetful), 37); /* the mutant: the guard is not resumed */
  forget_guarded(&whole);
  forget_guarded(&parts);
  forget_guarded(&rest);
  forget_guarded(&forgetful);
}
END_TEST

/* ---- energies under a bath ---- */

static double energy_now;
static enum rill_status observe_energy(void *self, struct rill_observation *observation, struct rill_error *fault) {
  (void)self, (void)fault;
  *observation = (struct rill_observation){.potential = energy_now};
  return RILL_OK;
}
static void do_nothing(void *self) { (void)self; }

static bool lets_through(struct rill_guard *guard, double energy, uint64_t step) {
  static const struct rill_system_ops ops = {.observe = observe_energy, .restore = do_nothing};
  const struct rill_system system = {.ops = &ops};
  struct rill_error fault = {0};
  energy_now = energy;
  return rill_guard_examine(guard, &system, step, true, &fault) == RILL_OK;
}

/* 0.01 in a step is what the bath supplies, 2 is let through beyond that.  The floor follows what falls, at multiples
 * of the interval alone, and rises as the supply does. */
START_TEST(a_bath_supplies_so_much) {
  struct rill_guard guard = {.interval = 1000, .limits = {INFINITY, 2, INFINITY}, .bath = {true, 0.01}};
  ck_assert(lets_through(&guard, 0.3 + 2, 40));
  ck_assert(!lets_through(&guard, 0.5 + 2, 40));
  ck_assert(lets_through(&guard, -50, 40)); /* not one at which the floor follows */
  ck_assert(lets_through(&guard, 9.9 + 2, 1000));
  ck_assert(!lets_through(&guard, 20.1 + 2, 2000));
  ck_assert(lets_through(&guard, 19.9 + 2, 2000));
  ck_assert(lets_through(&guard, -50, 3000));
  ck_assert(lets_through(&guard, -40.1 + 2, 4000));
  ck_assert(!lets_through(&guard, -39.9 + 2, 4000));
  guard.bath.on = false; /* then it is the change since the start, either way */
  ck_assert(!lets_through(&guard, -40.1 + 2, 4000));
}
END_TEST

/* ---- requests and deadlines ---- */

/* A checkpointer that takes its time. */
struct patient {
  double seconds;
  unsigned due, requested, ended;
  volatile sig_atomic_t *save; /* requested again, twice in all */
};

static enum rill_status keep_slowly(void *self, uint64_t step, enum rill_keep_reason reason,
                                    struct rill_error *fault) {
  struct patient *patient = self;
  (void)step, (void)fault;
  patient->due += reason == RILL_KEEP_DUE;
  patient->requested += reason == RILL_KEEP_REQUESTED;
  patient->ended += reason == RILL_KEEP_END;
  nanosleep(&(struct timespec){0, (long)(1e9 * patient->seconds)}, NULL);
  if (patient->save != NULL && patient->requested < 2) *patient->save = 1;
  return RILL_OK;
}

/* A pendulum, for as long as the driver lets it. */
static enum rill_status swing(struct rill_driver *driver, struct rill_checkpointer *checkpointer) {
  const struct rill_system_type *type = rill_system_type_find("planar-pendulum");
  const struct rill_binding_options binding = {.step = 0.05, .geodesic_steps = 1};
  struct rill_parameter_value values[RILL_PARAMETERS];
  struct rill_system system = {0};
  enum rill_status status;
  checkpointer->keep = keep_slowly;
  driver->system = &system;
  driver->checkpointer = checkpointer;
  ck_assert_int_eq(rill_parameters_default(type, values, &error), RILL_OK);
  ck_assert_int_eq(type->create(values, &system, &error), RILL_OK);
  ck_assert_int_eq(rill_integrator_create(rill_method_find("verlet"), &system, &binding, &driver->integrator, &error),
                   RILL_OK);
  status = rill_driver_run(driver, &error);
  rill_integrator_destroy(driver->integrator);
  system.ops->destroy(system.self);
  return status;
}

/* The run is over before its deadline, also when what it keeps at the end takes long. */
START_TEST(deadlines_are_met) {
  struct patient patient = {.seconds = 0.1};
  struct rill_checkpointer checkpointer = {.seconds = 1e-3, .self = &patient};
  struct rill_driver driver = {.last = UINT64_MAX, .deadline = rill_clock() + 0.6};
  ck_assert_int_eq(swing(&driver, &checkpointer), RILL_INTERRUPTED);
  ck_assert_double_le(rill_clock(), driver.deadline);
  ck_assert(driver.expired);
  ck_assert_uint_ge(patient.due, 1);
  ck_assert_uint_eq(patient.ended, 1);
  ck_assert_ptr_nonnull(strstr(error.text, "stopped at the time limit after step "));
  /* One that is over before it began allows a step. */
  patient = (struct patient){0};
  driver = (struct rill_driver){.last = 100, .deadline = rill_clock() - 1};
  ck_assert_int_eq(swing(&driver, &checkpointer), RILL_INTERRUPTED);
  ck_assert_uint_eq(driver.done, 1);
  ck_assert_uint_eq(patient.ended, 1);
}
END_TEST

START_TEST(requests_are_served_once) {
  volatile sig_atomic_t save = 1;
  struct patient patient = {.save = &save};
  struct rill_checkpointer checkpointer = {.self = &patient};
  struct rill_driver driver = {.last = 100, .save = &save};
  ck_assert_int_eq(swing(&driver, &checkpointer), RILL_OK);
  ck_assert_uint_eq(driver.done, 100);
  ck_assert(!driver.expired);
  ck_assert_uint_eq(patient.due, 0);
  ck_assert_uint_eq(patient.requested, 2);
  ck_assert_uint_eq(patient.ended, 1);
  ck_assert_int_eq(save, 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("continuation");
  TCase *cases = tcase_create("continuation");
  tcase_set_timeout(cases, 240);
  tcase_add_unchecked_fixture(cases, read_structures, NULL);
  tcase_add_test(cases, water_goes_on);
  tcase_add_test(cases, a_box_goes_on);
  tcase_add_test(cases, threads_of_the_parts_may_differ);
  tcase_add_test(cases, small_systems_go_on);
  tcase_add_test(cases, small_systems_go_on_in_a_bath);
  tcase_add_test(cases, small_systems_are_restored);
  tcase_add_test(cases, what_is_left_out_is_seen);
  tcase_add_test(cases, steps_beyond_2_to_the_32);
  tcase_add_test(cases, streams_differ);
  tcase_add_test(cases, a_guard_goes_on);
  tcase_add_test(cases, a_bath_supplies_so_much);
  suite_add_tcase(suite, cases);
  cases = tcase_create("requests");
  tcase_add_test(cases, deadlines_are_met);
  tcase_add_test(cases, requests_are_served_once);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
