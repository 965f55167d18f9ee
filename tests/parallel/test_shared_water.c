/* Water that ranks share, as a system: the bytes of one process in checkpoints and observations, for what moves with
 * molecules (attitudes, filters, cells, saved states), also where steps fail; states that are refused; and signals.
 * Ranks are threads here.
 */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/archive.h"
#include "base/memory.h"
#include "base/units.h"
#include "integrators/registry.h"
#include "integrators/splittings.h"
#include "laws/fixture.h"
#include "support/thread_ranks.h"
#include "water/water_ranks.h"
#include "water/water_sample.h"
#include "water/water_state.h"

enum { MOLECULES = 8 * 216, STEPS = 24 };

/* Of one run; positions [MOLECULES][9]. */
struct recipe {
  const char *name;
  double box[3]; /* 0: that of the liquid */
  enum rill_constraint_solver solver;
  double stiffness;
  const char *method;
  double beta;   /* of a filter */
  double buffer; /* of the lists, nm; 0: chosen */
  const struct rill_composition *composition;
  enum rill_thermostat insertion;
  enum rill_precision precision;
  enum rill_coulomb_kind coulomb;
  enum rill_barostat_kind kind;     /* with a compressibility */
  double pressure, compressibility; /* bar, 1/bar */
  double friction;                  /* 1/ps */
  double step;                      /* ps */
  double drift[3];                  /* nm/ps, of all molecules */
  double away;                      /* nm along a, of the first molecule */
  double up;                        /* nm along c, of all molecules */
  double electric, trap;            /* kJ/mol/nm/e, along a and half of it along b; kJ/mol/nm2 */
};

/* What properties are computed from. */
struct sampled {
  double centre[3 * MOLECULES], velocity[3 * MOLECULES], axis[3 * MOLECULES];
  double dipole[3], kinetic, potential, pressure[3][3];
  double multipliers[3][2][RILL_BONDS]; /* of the first, one, and the last molecule */
};

struct shared {
  const struct recipe *recipe;
  struct rill_archive start, stop[STEPS]; /* of one process, after each step */
  struct rill_observation seen[STEPS];
  struct sampled sampled; /* after the last step */
  uint64_t fails;         /* the step that fails, if not 0 */
  const char *why;
  bool refuses; /* states of another box */
  _Atomic int heard;
  uint64_t migrated;
};

static struct rill_structure liquid;
static double *liquid_positions; /* of eight boxes of it */

static void read_liquid(void) {
  struct rill_water_model model;
  fixture_ok(rill_water_model_find("tip3p", 0, &model, &fixture_error));
  fixture_ok(rill_structure_read(RILL_SOURCE_DIR "/tests/data/structures/p216.xyz", &liquid, &fixture_error));
  fixture_ok(rill_water_rigidify(&model, liquid.positions, liquid.molecules, &fixture_error));
  liquid_positions = rill_allocate(9 * MOLECULES, sizeof *liquid_positions);
  for (size_t k = 0; k < 8; k++)
    for (size_t i = 0; i < 9 * liquid.molecules; i++)
      liquid_positions[9 * liquid.molecules * k + i] =
          liquid.positions[i] + (double)(k >> i % 3 & 1U) * liquid.box[i % 3][i % 3];
}

static struct rill_water_options options_of(const struct recipe *recipe) {
  struct rill_water_options options = {
      .molecules = MOLECULES,
      .constraints = {recipe->solver, 1e-12, 1e-12, 1.0, 500},
      .stiffness = recipe->stiffness,
      .thermostat = recipe->insertion != RILL_NO_BATH,
      .temperature = {300, 300},
      .friction = recipe->insertion == RILL_V_RESCALE ? 0 : recipe->friction,
      .rescale_time = recipe->insertion == RILL_V_RESCALE ? 0.1 : 0,
      .seed = 3,
      .trials = recipe->insertion == RILL_GHMC,
      .isa = rill_isa_best(),
      .threads = 1,
      .periodic = true,
      .box = {.cutoff = 0.6,
              .coulomb = recipe->coulomb,
              .beta = 4.5,
              .lj = RILL_LJ_SHIFT,
              .tail = 1,
              .buffer = recipe->buffer,
              .precision = recipe->precision},
      .mesh = {.order = 4,
               .grid = {32, 32, 32},
               .precision = recipe->precision == RILL_PRECISION_MIXED ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE},
      .accuracy = 1e-2};
  options.external = (struct rill_external){{recipe->electric, 0.5 * recipe->electric, 0}, recipe->trap, {1, 1, 1}};
  for (int c = 0; c < 3; c++) options.box.box[c][c] = recipe->box[c] > 0 ? recipe->box[c] : 2 * liquid.box[c][c];
  if (recipe->compressibility > 0) {
    options.barostat = (struct rill_barostat){.kind = recipe->kind,
                                              .pressure = recipe->pressure * RILL_BAR,
                                              .compressibility = recipe->compressibility / RILL_BAR,
                                              .tau = 0.1};
    options.barostat_interval = 3;
  }
  fixture_ok(rill_water_model_find("tip3p", 0, &options.model, &fixture_error));
  return options;
}

static enum rill_status bind_to(const struct recipe *recipe, struct rill_system *system,
                                struct rill_integrator **integrator, struct rill_error *error) {
  const struct rill_binding_options binding = {.step = recipe->step,
                                               .insertion = recipe->insertion,
                                               .geodesic_steps = 1,
                                               .trial_steps = 1,
                                               .composition = recipe->composition,
                                               .method = {.beta = recipe->beta, .tolerance = 1e-12, .substeps = 2}};
  return rill_integrator_create(rill_method_find(recipe->method != NULL ? recipe->method : "verlet"), system,
                                &binding, integrator, error);
}

static struct rill_archive archive_of(struct rill_system *system) {
  struct rill_archive archive = {0};
  system->ops->archive(system->self, &archive);
  fixture_ok(rill_archive_status(&archive, &fixture_error));
  return archive;
}

/* In a molecule's first step it may be far away; all have the same velocity beside their own. */
static void begin(const struct recipe *recipe, struct rill_system *system) {
  struct rill_water_options options = options_of(recipe);
  double *q = rill_allocate(9 * MOLECULES, sizeof *q), *v = rill_allocate(9 * MOLECULES, sizeof *v);
  memcpy(q, liquid_positions, 9 * MOLECULES * sizeof *q);
  for (size_t i = 0; i < 9; i += 3) q[i] += recipe->away;
  for (size_t i = 2; i < 9 * MOLECULES; i += 3) q[i] += recipe->up;
  options.positions = q;
  fixture_ok(rill_water_create(&options, system, &fixture_error));
  fixture_ok(rill_water_draw_velocities(system, 300, 3, &fixture_error));
  rill_water_copy_state(system, NULL, v);
  for (size_t i = 0; i < 9 * MOLECULES; i++) v[i] += recipe->drift[i % 3];
  rill_water_set_state(system, NULL, v);
  rill_release(q);
  rill_release(v);
}

static void sample(const struct rill_system *system, struct sampled *sampled) {
  static const double charge[3] = {-0.8, 0.4, 0.4};
  struct rill_water_sample molecules = {sampled->centre, sampled->velocity, sampled->axis};
  rill_water_sample_molecules(system, charge, &molecules);
  rill_water_total_dipole(system, charge, sampled->dipole);
  sampled->kinetic = rill_water_kinetic_energy(system);
  fixture_ok(rill_water_sample_forces(system, &sampled->potential, sampled->pressure, &fixture_error));
  for (size_t k = 0; k < 3; k++)
    rill_water_multipliers_of(system, k * (MOLECULES - 1) / 2, sampled->multipliers[k][0],
                              sampled->multipliers[k][1]);
}

/* One process: what ranks must find. */
static void run_alone(struct shared *shared) {
  struct rill_system system;
  struct rill_integrator *integrator;
  begin(shared->recipe, &system);
  fixture_ok(bind_to(shared->recipe, &system, &integrator, &fixture_error));
  shared->start = archive_of(&system);
  for (int step = 0; step < STEPS; step++) {
    fixture_ok(rill_integrator_step(integrator, (uint64_t)step, true, &fixture_error));
    fixture_ok(system.ops->observe(system.self, &shared->seen[step], &fixture_error));
    shared->stop[step] = archive_of(&system);
  }
  sample(&system, &shared->sampled);
  rill_integrator_destroy(integrator);
  system.ops->destroy(system.self);
}

static void forget(struct shared *shared) {
  rill_archive_release(&shared->start);
  for (int step = 0; step < STEPS; step++) rill_archive_release(&shared->stop[step]);
}

static void expect_bytes(const struct shared *shared, struct rill_system *system, const struct rill_archive *expected,
                         const char *when) {
  struct rill_archive found = archive_of(system);
  ck_assert_msg(found.length == expected->length && memcmp(found.bytes, expected->bytes, found.length) == 0,
                "%s: another state %s", shared->recipe->name, when);
  rill_archive_release(&found);
}

static void expect_seen(const struct shared *shared, const struct rill_observation *found,
                        const struct rill_observation *expected) {
  const double *a = (const double *)(const void *)found, *b = (const double *)(const void *)expected;
  for (size_t i = 0; i < sizeof *found / sizeof *a; i++)
    ck_assert_msg(memcmp(&a[i], &b[i], sizeof *a) == 0 || (isnan(a[i]) && isnan(b[i])),
                  "%s: number %zu of the observation is %.17g, of one process %.17g", shared->recipe->name, i, a[i],
                  b[i]);
}

static void expect_sampled(const struct shared *shared, const struct rill_system *system) {
  struct sampled *found = rill_allocate(1, sizeof *found);
  ck_assert_ptr_nonnull(found);
  sample(system, found);
  ck_assert_msg(memcmp(found, &shared->sampled, sizeof *found) == 0, "%s: other samples", shared->recipe->name);
  rill_release(found);
}

/* Columns without a molecule are like the last one, so that flows find nothing unusual there. */
static void expect_inert(const struct rill_water *water) {
  const double *values = water->of_bodies ? water->body.block : water->q;
  const size_t rows = water->of_bodies ? RILL_BODY_ROWS : RILL_COORDINATES;
  for (size_t k = 0; k < rows; k++)
    for (size_t m = water->molecules; m < water->stride; m++) {
      const double *row = values + k * water->stride;
      ck_assert_msg(row[m] == row[water->stride - 1], "row %zu, column %zu of %zu molecules is not inert", k, m,
                    water->molecules);
    }
}

static int caught(void) { return 15; }
static _Atomic int heard;
static void hear(int number) { atomic_store(&heard, number); }

static void lead(struct shared *shared, struct rill_system *system, struct rill_integrator *integrator) {
  struct rill_archive start;
  struct rill_water_sharing sharing;
  fixture_ok(rill_archive_open(shared->start.bytes, shared->start.length, &start, &fixture_error));
  system->ops->archive(system->self, &start);
  fixture_ok(rill_archive_status(&start, &fixture_error));
  for (int step = 0; step < STEPS; step++) {
    struct rill_observation seen;
    fixture_ok(rill_integrator_step(integrator, (uint64_t)step, true, &fixture_error));
    if (step == 0) ck_assert_int_eq(atomic_load(&heard), 15);
    expect_inert(system->self);
    fixture_ok(system->ops->observe(system->self, &seen, &fixture_error));
    expect_seen(shared, &seen, &shared->seen[step]);
    expect_bytes(shared, system, &shared->stop[step], "after a step");
  }
  expect_sampled(shared, system);
  fixture_ok(rill_water_sharing(system, &sharing, &fixture_error));
  shared->migrated = sharing.migrated;
}

/* A step that fails leaves the state before it, as in one process, whose archive is made here. */
static void lead_to_failure(struct shared *shared, struct rill_system *system, struct rill_integrator *integrator) {
  struct rill_archive start;
  struct rill_error error = {0};
  struct rill_water_sharing sharing;
  uint64_t step = 0;
  fixture_ok(rill_archive_open(shared->start.bytes, shared->start.length, &start, &fixture_error));
  system->ops->archive(system->self, &start);
  fixture_ok(rill_archive_status(&start, &fixture_error));
  fixture_ok(rill_water_sharing(system, &sharing, &fixture_error));
  shared->migrated = sharing.migrated;
  while (step < shared->fails && rill_integrator_step(integrator, step, true, &error) == RILL_OK) step++;
  ck_assert_msg(strstr(error.text, shared->why) != NULL, "%s: after %llu steps \"%s\"", shared->recipe->name,
                (unsigned long long)step, error.text);
  fixture_ok(rill_water_sharing(system, &sharing, &fixture_error));
  shared->migrated = sharing.migrated - shared->migrated;
  if (step > 0) { /* the state of one process after as many steps */
    struct rill_system alone;
    struct rill_integrator *other;
    begin(shared->recipe, &alone);
    fixture_ok(bind_to(shared->recipe, &alone, &other, &fixture_error));
    for (uint64_t i = 0; i < step; i++) fixture_ok(rill_integrator_step(other, i, true, &fixture_error));
    shared->stop[0] = archive_of(&alone);
    rill_integrator_destroy(other);
    alone.ops->destroy(alone.self);
  }
  expect_bytes(shared, system, step > 0 ? &shared->stop[0] : &shared->start, "after a step that failed");
}

static void expect_refusal(struct rill_system *system, const struct rill_archive *state, const char *why) {
  struct rill_archive reading;
  struct rill_error error = {0};
  fixture_ok(rill_archive_open(state->bytes, state->length, &reading, &fixture_error));
  system->ops->archive(system->self, &reading);
  ck_assert_int_eq(rill_archive_status(&reading, &error), RILL_ERROR_INPUT);
  ck_assert_msg(strstr(error.text, why) != NULL, "\"%s\"", error.text);
}

/* The ranks remain in step: they read a state that fits afterwards. */
static void lead_to_refusals(const struct shared *shared, struct rill_system *system) {
  static const char *const positions[] = {"q", NULL};
  static double few[9 * MOLECULES / 2];
  struct rill_archive other = {0}, start;
  fixture_ok(rill_archive_open(shared->start.bytes, shared->start.length, &start, &fixture_error));
  rill_archive_copy(&other, &start, positions);
  expect_refusal(system, &other, "q is missing");
  rill_archive_reals(&other, "q", few, sizeof few / sizeof few[0]);
  expect_refusal(system, &other, "q has 7776 numbers where 15552 are expected");
  rill_archive_release(&other);
  system->ops->archive(system->self, &start);
  fixture_ok(rill_archive_status(&start, &fixture_error));
  expect_bytes(shared, system, &shared->start, "after two that were refused");
}

static void take_part(struct rill_ranks *ranks, void *context) {
  struct shared *shared = context;
  struct rill_water_options options = options_of(shared->recipe);
  struct rill_system system;
  struct rill_integrator *integrator;
  struct rill_error error = {0};
  const double edge[3] = {options.box.box[0][0], options.box.box[1][1], options.box.box[2][2]};
  uint64_t end = 0;
  int most;
  if (ranks->rank == ranks->count - 1) ranks->caught = caught;
  if (ranks->rank == 0) ranks->hear = hear;
  options.box.ranks = ranks;
  ck_assert(rill_bricks_divide(edge, options.box.cutoff + 0.14, ranks->count, &options.box.bricks, &most));
  ck_assert_msg(rill_water_create(&options, &system, &error) == RILL_OK, "%s", error.text);
  ck_assert_msg(bind_to(shared->recipe, &system, &integrator, &error) == RILL_OK, "%s", error.text);
  if (ranks->rank != 0) {
    ck_assert_msg(rill_water_follow(&system, integrator, &end, &error) == RILL_OK, "%s", error.text);
    ck_assert_uint_eq(end, 7);
  } else {
    if (shared->refuses) lead_to_refusals(shared, &system);
    else if (shared->fails > 0) lead_to_failure(shared, &system, integrator);
    else lead(shared, &system, integrator);
    fixture_ok(rill_water_dismiss(&system, 7, &fixture_error));
  }
  rill_integrator_destroy(integrator);
  system.ops->destroy(system.self);
}

/* ---- the start ---- */

struct started {
  const struct rill_water_options *options;
  const double *positions, *velocities; /* NULL: drawn */
  double forces[3][RILL_COORDINATES];   /* of one process, of the sample */
  double potential;
  struct rill_archive state; /* of one process */
};

static const size_t sampled_molecules[3] = {1, MOLECULES / 2, MOLECULES - 1};
static const double sample_shift[3] = {0.3, -0.2, 1.1};

static void move_off(struct started *started, struct rill_system *system) {
  if (started->velocities == NULL) fixture_ok(rill_water_draw_velocities(system, 300, 3, &fixture_error));
  fixture_ok(rill_water_remove_momentum(system, RILL_REMOVE_AUTO, &fixture_error));
}

static void start_alone(struct started *started) {
  struct rill_water_options options = *started->options;
  struct rill_system system;
  struct rill_observation seen;
  double *q = rill_allocate(2 * 9 * MOLECULES, sizeof *q), *f = q + 9 * MOLECULES;
  ck_assert_ptr_nonnull(q);
  options.positions = started->positions;
  options.velocities = started->velocities;
  fixture_ok(rill_water_create(&options, &system, &fixture_error));
  move_off(started, &system);
  started->state = archive_of(&system);
  for (size_t i = 0; i < 9 * MOLECULES; i++) q[i] = started->positions[i] + sample_shift[i % 3];
  rill_water_set_state(&system, q, NULL);
  fixture_ok(rill_water_copy_forces(&system, f, &fixture_error));
  for (size_t k = 0; k < 3; k++) memcpy(started->forces[k], f + 9 * sampled_molecules[k], sizeof started->forces[k]);
  fixture_ok(system.ops->observe(system.self, &seen, &fixture_error));
  started->potential = seen.potential;
  system.ops->destroy(system.self);
  rill_release(q);
}

static void expect_forces(const struct started *started, struct rill_system *system, struct rill_ranks *ranks) {
  const struct rill_field_sample sample = {rill_positions_by_molecule(started->positions),
                                           {sample_shift[0], sample_shift[1], sample_shift[2]},
                                           sampled_molecules,
                                           3};
  const bool first = ranks->rank == 0;
  struct rill_field_energies energies;
  struct rill_error error = {0};
  double f[3][RILL_COORDINATES];
  ck_assert_msg(
      rill_water_evaluate_shared(system, first ? &sample : NULL, first ? f[0] : NULL, &energies, &error) == RILL_OK,
      "%s", error.text);
  if (!first || rill_constraint_solver_is_of_bodies(started->options->constraints.solver))
    return; /* one process has the forces on bodies, whose atoms are elsewhere by rounding */
  ck_assert_mem_eq(f, started->forces, sizeof f);
  ck_assert_double_eq(energies.lj + energies.coulomb, started->potential);
}

static void take_start(struct rill_ranks *ranks, void *context) {
  struct started *started = context;
  const struct recipe plain = {.step = 1e-3};
  struct rill_water_options options = *started->options;
  struct rill_system system;
  struct rill_integrator *integrator;
  struct rill_error error = {0};
  const double edge[3] = {options.box.box[0][0], options.box.box[1][1], options.box.box[2][2]};
  uint64_t end;
  int most;
  options.box.ranks = ranks;
  ck_assert(rill_bricks_divide(edge, options.box.cutoff + 0.14, ranks->count, &options.box.bricks, &most));
  ck_assert_msg(rill_water_create(&options, &system, &error) == RILL_OK, "%s", error.text);
  expect_forces(started, &system, ranks);
  system.ops->destroy(system.self);
  ck_assert_msg(rill_water_create(&options, &system, &error) == RILL_OK, "%s", error.text);
  ck_assert_msg(bind_to(&plain, &system, &integrator, &error) == RILL_OK, "%s", error.text);
  if (ranks->rank != 0) {
    ck_assert_msg(rill_water_follow(&system, integrator, &end, &error) == RILL_OK, "%s", error.text);
    ck_assert_double_eq(((struct rill_water *)system.self)->removed_linear, 3);
  } else {
    const struct recipe named = {.name = "a start"};
    const struct shared shared = {.recipe = &named};
    fixture_ok(rill_water_place(&system, started->positions, started->velocities, &fixture_error));
    move_off(started, &system);
    expect_bytes(&shared, &system, &started->state, "at the start");
    fixture_ok(rill_water_dismiss(&system, 7, &fixture_error));
  }
  rill_integrator_destroy(integrator);
  system.ops->destroy(system.self);
}

/* Positions and velocities that rank 0 has, or a seed, are on ranks what they are on one process; and so are forces
 * of some molecules. */
START_TEST(a_start_that_is_handed_out) {
  static const enum rill_constraint_solver solvers[] = {RILL_SETTLE, RILL_BODIES_LGVI};
  const struct recipe recipe = {.name = "a start",
                                .solver = solvers[_i / 2],
                                .precision = RILL_PRECISION_DOUBLE,
                                .coulomb = RILL_COULOMB_EWALD};
  const struct rill_water_options options = options_of(&recipe);
  double *v = rill_allocate(9 * MOLECULES, sizeof *v);
  struct started started = {&options, liquid_positions, _i % 2 == 0 ? NULL : v, {{0}}, 0, {0}};
  ck_assert_ptr_nonnull(v);
  for (size_t i = 0; i < 9 * MOLECULES; i++) v[i] = sin((double)i);
  start_alone(&started);
  for (int ranks = 2; ranks <= 4; ranks++) ck_assert(rill_thread_ranks_run(ranks, take_start, &started));
  rill_archive_release(&started.state);
  rill_release(v);
}
END_TEST

/* At 30 nm/ps molecules move by nearly half of the lists' buffer in a step: then they also go to other ranks where a
 * cell that shrinks leaves less of it. */
static const struct recipe recipes[] = {
    {.name = "settle, Langevin",
     .insertion = RILL_BAOAB,
     .friction = 5,
     .precision = RILL_PRECISION_MIXED,
     .coulomb = RILL_COULOMB_REACTION_FIELD,
     .step = 2e-3,
     .drift = {20, 10, 5}},
    {.name = "bodies, cell by trials",
     .solver = RILL_BODIES_LGVI,
     .insertion = RILL_GLA,
     .friction = 0.1,
     .precision = RILL_PRECISION_DOUBLE,
     .coulomb = RILL_COULOMB_CUT,
     .kind = RILL_BAROSTAT_MC,
     .pressure = 1,
     .compressibility = 2e-2,
     .step = 2e-3,
     .drift = {30, 0, 0}},
    {.name = "settle, cell rescaled",
     .insertion = RILL_GLA,
     .friction = 0.1,
     .precision = RILL_PRECISION_MIXED,
     .coulomb = RILL_COULOMB_REACTION_FIELD,
     .kind = RILL_BAROSTAT_RESCALE,
     .pressure = 15000,
     .compressibility = 5e-5,
     .step = 2e-3,
     .drift = {30, 0, 0}},
    {.name = "springs, a filter",
     .stiffness = 4000,
     .method = "zs",
     .beta = 1.5, /* observations are then at positions that are far enough from those of the state */
     .buffer = 5e-5,
     .insertion = RILL_BAOAB,
     .friction = 5,
     .precision = RILL_PRECISION_MIXED,
     .coulomb = RILL_COULOMB_CUT,
     .step = 1e-3,
     .drift = {20, 10, 5}},
    {.name = "trials",
     .insertion = RILL_GHMC,
     .friction = 5,
     .precision = RILL_PRECISION_DOUBLE,
     .coulomb = RILL_COULOMB_EWALD,
     .step = 5e-4,
     .drift = {40, 20, 10}},
    {.name = "bodies, trials that are made backwards",
     .solver = RILL_BODIES_LGVI,
     .insertion = RILL_GHMC,
     .friction = 5,
     .precision = RILL_PRECISION_MIXED,
     .coulomb = RILL_COULOMB_EWALD,
     .step = 5e-4,
     .drift = {40, 20, 10}},
    {.name = "in a field and a trap",
     .insertion = RILL_BAOAB,
     .friction = 5,
     .precision = RILL_PRECISION_DOUBLE,
     .coulomb = RILL_COULOMB_EWALD,
     .step = 2e-3,
     .drift = {20, 10, 5},
     .electric = 30,
     .trap = 5},
    {.name = "two steps",
     .method = "respa",
     .precision = RILL_PRECISION_MIXED,
     .coulomb = RILL_COULOMB_EWALD,
     .step = 2e-3,
     .drift = {40, 10, 5}},
    {.name = "velocities scaled, cell rescaled",
     .insertion = RILL_V_RESCALE,
     .precision = RILL_PRECISION_MIXED,
     .coulomb = RILL_COULOMB_EWALD,
     .kind = RILL_BAROSTAT_RESCALE,
     .pressure = 3000,
     .compressibility = 5e-5,
     .step = 2e-3,
     .drift = {20, 10, 5}},
};

START_TEST(the_bytes_of_one_process) {
  static const int counts[] = {2, 3, 8};
  struct shared shared = {.recipe = &recipes[_i]};
  run_alone(&shared);
  for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
    atomic_store(&heard, 0);
    ck_assert(rill_thread_ranks_run(counts[k], take_part, &shared));
    ck_assert_uint_gt(shared.migrated, MOLECULES / 2 + 20); /* half or more at the start */
  }
  forget(&shared);
}
END_TEST

/* One molecule is so far away that the second part of a step, against the velocity, brings it too far: after the
 * first part molecules have moved to other ranks. */
START_TEST(a_step_that_fails_after_a_migration) {
  static const enum rill_constraint_solver solvers[] = {RILL_SETTLE, RILL_BODIES_ROTOR};
  struct recipe recipe = {.name = "a failing step",
                          .solver = solvers[_i],
                          .composition = rill_composition_find("yoshida4"),
                          .precision = RILL_PRECISION_DOUBLE,
                          .coulomb = RILL_COULOMB_CUT,
                          .step = 1e-3,
                          .drift = {200, 0, 0}};
  struct shared shared = {.recipe = &recipe, .fails = 1, .why = "too far from the box"};
  struct rill_system system;
  recipe.away = -0x1p14 * 2 * liquid.box[0][0] + 0.03 - liquid_positions[0];
  begin(&recipe, &system);
  shared.start = archive_of(&system);
  system.ops->destroy(system.self);
  for (int ranks = 2; ranks <= 4; ranks++) {
    ck_assert(rill_thread_ranks_run(ranks, take_part, &shared));
    ck_assert_uint_gt(shared.migrated, 0);
  }
  forget(&shared);
}
END_TEST

/* A slab of liquid that flies into one of two bricks. */
/* Ranks learn of it with the second one. */
START_TEST(a_step_whose_first_drift_fails) {
  struct recipe recipe = {.name = "a failing drift",
                          .insertion = RILL_BAOAB,
                          .friction = 5,
                          .precision = RILL_PRECISION_DOUBLE,
                          .coulomb = RILL_COULOMB_CUT,
                          .step = 0.05};
  struct shared shared = {.recipe = &recipe, .fails = 1, .why = "SETTLE cannot close the triangle of molecule "};
  struct rill_system system;
  begin(&recipe, &system);
  shared.start = archive_of(&system);
  system.ops->destroy(system.self);
  for (int ranks = 2; ranks <= 4; ranks++) ck_assert(rill_thread_ranks_run(ranks, take_part, &shared));
  forget(&shared);
}
END_TEST

START_TEST(a_box_that_becomes_uneven) {
  const struct recipe recipe = {.name = "an uneven box",
                                .box = {2 * liquid.box[0][0], 2 * liquid.box[1][1], 10.0},
                                .precision = RILL_PRECISION_MIXED,
                                .coulomb = RILL_COULOMB_CUT,
                                .step = 1e-3,
                                .drift = {0, 0, 40},
                                .up = 5.0 - liquid.box[2][2]};
  struct shared shared = {.recipe = &recipe, .fails = 100, .why = "the box has become uneven"};
  struct rill_system system;
  begin(&recipe, &system);
  shared.start = archive_of(&system);
  system.ops->destroy(system.self);
  ck_assert(rill_thread_ranks_run(2, take_part, &shared));
  forget(&shared);
}
END_TEST

START_TEST(states_of_another_box) {
  const struct recipe recipe = {
      .name = "another box", .precision = RILL_PRECISION_DOUBLE, .coulomb = RILL_COULOMB_CUT, .step = 1e-3};
  struct shared shared = {.recipe = &recipe, .refuses = true};
  struct rill_system system;
  begin(&recipe, &system);
  shared.start = archive_of(&system);
  system.ops->destroy(system.self);
  for (int ranks = 2; ranks <= 4; ranks += 2) ck_assert(rill_thread_ranks_run(ranks, take_part, &shared));
  forget(&shared);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("water that ranks share");
  TCase *bytes = tcase_create("the bytes of one process");
  tcase_set_timeout(bytes, 300);
  tcase_add_unchecked_fixture(bytes, read_liquid, NULL);
  tcase_add_loop_test(bytes, the_bytes_of_one_process, 0, sizeof recipes / sizeof recipes[0]);
  tcase_add_loop_test(bytes, a_start_that_is_handed_out, 0, 4);
  tcase_add_loop_test(bytes, a_step_that_fails_after_a_migration, 0, 2);
  tcase_add_test(bytes, a_step_whose_first_drift_fails);
  tcase_add_test(bytes, a_box_that_becomes_uneven);
  tcase_add_test(bytes, states_of_another_box);
  suite_add_tcase(suite, bytes);
  return rill_run_suite(suite);
}
