/* Clusters in the lanes of a vector against clusters alone: the same bytes, for every instruction set, size and kind
 * of water; and what a failing lane does. */
#include "fixture.h"
#include "water/lanes/lanes.h"
#include "water/water_state.h"

enum { LANES = 8, MOST = 37 };

/* Up to a vector of molecules (4 or 8) and beyond, even and odd, whole blocks (4, 8 or 16) and others; the largest
 * has more shifts of the ring than are added in single precision. */
static const size_t sizes[] = {1, 2, 3, 5, 7, 8, 9, 12, 16, 17, 20, 24, 33, MOST}, few_sizes[] = {3, 8, 9, 20};
enum { SIZES = sizeof sizes / sizeof *sizes, FEW_SIZES = sizeof few_sizes / sizeof *few_sizes, THOROUGH = 2 };

static const struct fixture_options kinds[] = {
    {.method = "verlet", .solver = RILL_SETTLE, .insertion = RILL_GLA, .friction = 2.0},
    {.method = "verlet", .solver = RILL_SETTLE, .insertion = RILL_GLA, .friction = 2.0, .mixed = true},
    {.method = "verlet", .solver = RILL_SETTLE, .insertion = RILL_BAOAB, .friction = 2.0, .geodesic_steps = 2},
    {.method = "verlet", .solver = RILL_SETTLE, .insertion = RILL_GLA, .friction = 20.0, .per_mass = true},
    {.method = "verlet", .solver = RILL_SETTLE, .insertion = RILL_GLA, .friction = 2.0, .rotation_friction = 0.5},
    {.method = "verlet",
     .solver = RILL_BODIES_LGVI,
     .insertion = RILL_GLA,
     .friction = 2.0,
     .rotation_friction = 0.5},
    {.method = "position-shake", .solver = RILL_RATTLE_SHAKE, .insertion = RILL_GLA, .friction = 2.0},
    {.method = "verlet", .solver = RILL_MSHAKE, .insertion = RILL_NO_BATH, .mixed = true},
    {.method = "yoshida4", .solver = RILL_RATTLE_SHAKE, .insertion = RILL_GLA, .friction = 20.0, .per_mass = true},
    {.method = "verlet", .solver = RILL_BODIES_ROTOR, .insertion = RILL_GLA, .friction = 2.0},
    {.method = "verlet", .solver = RILL_BODIES_LGVI, .insertion = RILL_BAOAB, .friction = 20.0, .per_mass = true},
    {.method = "verlet", .solver = RILL_SETTLE, .insertion = RILL_GLA, .friction = 2.0, .model = "tip4p-2005"},
    {.method = "verlet",
     .solver = RILL_SETTLE,
     .insertion = RILL_GLA,
     .friction = 2.0,
     .mixed = true,
     .model = "tip4p-2005"},
    {.method = "zss-simplified", .stiffness = 4000.0, .beta = 0.5, .insertion = RILL_GLA, .friction = 2.0},
    {.method = "zs", .stiffness = 4000.0, .beta = 0.25, .insertion = RILL_BAOAB, .friction = 20.0, .per_mass = true},
    {.method = "verlet", .stiffness = 4000.0, .insertion = RILL_NO_BATH}};
enum { KINDS = sizeof kinds / sizeof *kinds, OF_RIGID = 13 }; /* the first ones are rigid */

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return (double)(*state >> 11) * 0x1p-53;
}

/* Molecules on a lattice, each turned about an axis; `aside`: where the cluster is. */
static void place(size_t molecules, double aside, uint64_t seed, double *positions) {
  static const double spacing = 0.34, bond = 0.09572, half_angle = 0.9121;
  const size_t side = (size_t)ceil(cbrt((double)molecules) - 1e-9);
  for (size_t m = 0; m < molecules; m++) {
    const size_t cell[3] = {m % side, m / side % side, m / side / side};
    const double turn = 6.2831853 * uniform(&seed);
    double *q = positions + RILL_COORDINATES * m;
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      q[k] = spacing * ((double)cell[k % 3] - 0.5 * (double)(side - 1)) + (k % 3 == 0 ? aside : 0.0);
    for (size_t h = 0; h < 2; h++) {
      const double angle = turn + (h == 0 ? half_angle : -half_angle);
      q[3 + 3 * h + m % 3] += bond * cos(angle);
      q[3 + 3 * h + (m + 1) % 3] += bond * sin(angle);
    }
  }
}

static double temperature_of(size_t lane) { return 60.0 + 35.0 * (double)lane; }

/* The odd lanes drift away from the origin, and are brought back in step 256. */
static struct fixture *make(const struct fixture_options *kind, size_t molecules, enum rill_isa isa, size_t lane) {
  struct fixture *made = calloc(1, sizeof *made);
  double positions[MOST * RILL_COORDINATES], velocities[MOST * RILL_COORDINATES];
  struct fixture_options options = *kind;
  ck_assert_ptr_nonnull(made);
  place(molecules, lane % 2 == 1 ? 0.485 : 0.0, lane + 1, positions);
  options.positions = positions;
  options.molecules = molecules;
  options.tolerance = 1e-10;
  options.step = options.stiffness > 0 ? 0.0002 : 0.001;
  options.temperature = temperature_of(lane);
  options.start_temperature = 150.0 + 20.0 * (double)lane;
  options.seed = 100 + lane;
  options.confine_radius = 0.17 * cbrt((double)molecules); /* sometimes some are outside */
  options.confine_stiffness = 2000.0;
  options.isa = isa;
  options.any_isa = true;
  *made = fixture_create(&options);
  fixture_bind(made, &options);
  rill_water_copy_state(&made->system, NULL, velocities);
  for (size_t m = 0; m < molecules && lane % 2 == 1; m++)
    for (size_t a = 0; a < RILL_ATOMS; a++)
      velocities[RILL_COORDINATES * m + 3 * a] += options.stiffness > 0 ? 10.0 : 2.0;
  rill_water_set_state(&made->system, NULL, velocities);
  return made;
}

static void release(struct fixture *fixture) {
  fixture_destroy(fixture);
  free(fixture);
}

struct group {
  struct rill_system system;
  struct rill_integrator *integrator;
  const struct rill_lanes_ops *ops;
};

/* Bound as the fixture is. */
static void bind(const struct fixture *like, const struct fixture_options *kind, struct group *group) {
  struct rill_binding_options binding = {.step = rill_integrator_step_length(like->integrator),
                                         .insertion = kind->insertion,
                                         .geodesic_steps = kind->geodesic_steps > 0 ? kind->geodesic_steps : 1,
                                         .trial_steps = 1,
                                         .method = {.beta = kind->beta}};
  group->ops = like->system.lanes;
  fixture_ok(group->ops->create(like->system.self, &group->system, &fixture_error));
  fixture_ok(rill_integrator_create(rill_method_find(kind->method), &group->system, &binding, &group->integrator,
                                    &fixture_error));
}

static void unbind(struct group *group) {
  rill_integrator_destroy(group->integrator);
  group->system.ops->destroy(group->system.self);
}

/* Steps first ... last - 1 in lanes, and the last by the systems themselves. */
static void advance(struct group *group, struct fixture *members[], size_t count, uint64_t last) {
  void *systems[LANES];
  for (size_t l = 0; l < count; l++) systems[l] = members[l]->system.self;
  group->ops->load(group->system.self, systems, count);
  for (uint64_t step = members[0]->done; step < last; step++)
    fixture_ok(rill_integrator_step(group->integrator, step, false, &fixture_error));
  group->ops->store(group->system.self, systems, count);
  for (size_t l = 0; l < count; l++) {
    members[l]->done = last;
    fixture_run(members[l], 1);
  }
}

static void same_bytes(struct fixture *a, struct fixture *b, size_t lane) {
  struct rill_archive ours = {0}, theirs = {0};
  a->system.ops->archive(a->system.self, &ours);
  b->system.ops->archive(b->system.self, &theirs);
  fixture_ok(rill_archive_status(&ours, &fixture_error));
  ck_assert_uint_eq(ours.length, theirs.length);
  ck_assert_msg(memcmp(ours.bytes, theirs.bytes, ours.length) == 0, "lane %zu", lane);
  rill_archive_release(&ours);
  rill_archive_release(&theirs);
}

/* Without the columns beyond the molecules, of which bodies settle to their last bit in the first step alone. */
static void same_molecules(const struct fixture *a, const struct fixture *b, size_t molecules, size_t lane) {
  double ours[2][MOST * RILL_COORDINATES], theirs[2][MOST * RILL_COORDINATES];
  rill_water_copy_state(&a->system, ours[0], ours[1]);
  rill_water_copy_state(&b->system, theirs[0], theirs[1]);
  for (size_t k = 0; k < 2; k++)
    ck_assert_msg(memcmp(ours[k], theirs[k], molecules * RILL_COORDINATES * sizeof(double)) == 0, "lane %zu", lane);
}

static void set_temperature(struct fixture *fixture, double temperature) {
  ((struct rill_water *)fixture->system.self)->temperature = temperature;
}

/* Steps from `first` to 301 in two segments, the systems' temperatures turned round between them; `count` of the
 * lanes are used. Returns whether the wall acts at the end. */
static bool compare(const struct fixture_options *kind, size_t molecules, enum rill_isa isa, size_t count,
                    uint64_t first) {
  const uint64_t middle = first + 40, end = 300;
  struct fixture *alone[LANES], *together[LANES];
  struct group group;
  bool moved = false, outside = false;
  for (size_t l = 0; l < count; l++) {
    alone[l] = make(kind, molecules, isa, l);
    together[l] = make(kind, molecules, isa, l);
  }
  bind(together[0], kind, &group);
  for (size_t l = 0; l < count; l++) {
    alone[l]->done = together[l]->done = first;
    fixture_run(alone[l], middle + 1 - first);
  }
  advance(&group, together, count, middle);
  for (size_t l = 0; l < count; l++) {
    same_bytes(alone[l], together[l], l);
    set_temperature(alone[l], temperature_of(LANES - l));
    set_temperature(together[l], temperature_of(LANES - l));
    fixture_run(alone[l], end - middle);
  }
  advance(&group, together, count, end);
  for (size_t l = 0; l < count; l++) {
    const struct rill_water *water = alone[l]->system.self;
    same_bytes(alone[l], together[l], l);
    if (water->offset[0] != 0.0) moved = true;
    if (fixture_observe(alone[l]).part[2] > 0.0) outside = true;
    release(alone[l]);
    release(together[l]);
  }
  unbind(&group);
  ck_assert(moved || count == 1);
  return outside;
}

static size_t lanes_of(enum rill_isa isa) { return isa >= RILL_ISA_AVX512 ? 8 : isa == RILL_ISA_AVX2 ? 4 : 2; }

START_TEST(gives_the_bytes_of_clusters_alone) {
  const size_t count = _i < THOROUGH ? SIZES : FEW_SIZES;
  size_t with_wall = 0;
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++)
    for (size_t n = 0; n < count && rill_isa_available((enum rill_isa)isa); n++)
      with_wall += compare(&kinds[_i], _i < THOROUGH ? sizes[n] : few_sizes[n], (enum rill_isa)isa,
                           lanes_of((enum rill_isa)isa), 200);
  ck_assert_uint_gt(with_wall, 0);
}
END_TEST

START_TEST(a_group_need_not_be_full) {
  compare(&kinds[0], 7, rill_isa_best(), 1, 0);
  compare(&kinds[0], 9, rill_isa_best(), lanes_of(rill_isa_best()) > 3 ? 3 : 1, 0);
}
END_TEST

/* ---- failures ---- */

static void make_all(const struct fixture_options *kind, size_t molecules, struct fixture *made[], void *systems[],
                     size_t count) {
  for (size_t l = 0; l < count; l++) {
    made[l] = make(kind, molecules, rill_isa_best(), l);
    systems[l] = made[l]->system.self;
  }
}

/* A velocity that no step can follow, in the kinds that solve for something; NaN, in all. */
static void spoil(struct fixture *fixture, double velocity) {
  double velocities[MOST * RILL_COORDINATES];
  rill_water_copy_state(&fixture->system, NULL, velocities);
  velocities[3] += velocity;
  rill_water_set_state(&fixture->system, NULL, velocities);
}

/* The number of the first step that fails; `most` if none does. */
static uint64_t first_failure(struct rill_integrator *integrator, uint64_t most) {
  uint64_t step = 0;
  while (step < most && rill_integrator_step(integrator, step, false, &fixture_error) == RILL_OK) step++;
  rill_error_clear(&fixture_error);
  return step;
}

START_TEST(fails_with_each_of_its_systems) {
  static const double velocities[] = {NAN, 1e4};
  const size_t width = lanes_of(rill_isa_best()), lanes[] = {0, width - 1};
  for (size_t v = 0; v < 2; v++)
    for (size_t k = 0; k < 2; k++) {
      struct fixture *alone = make(&kinds[_i], 9, rill_isa_best(), lanes[k]), *together[LANES];
      void *systems[LANES];
      struct group group;
      uint64_t step;
      make_all(&kinds[_i], 9, together, systems, width);
      bind(together[0], &kinds[_i], &group);
      group.ops->load(group.system.self, systems, width);
      ck_assert_uint_eq(first_failure(group.integrator, 20), 20);
      spoil(alone, velocities[v]);
      spoil(together[lanes[k]], velocities[v]);
      group.ops->load(group.system.self, systems, width);
      step = first_failure(alone->integrator, 20);
      ck_assert(step < 20 || v > 0);
      ck_assert_uint_eq(first_failure(group.integrator, 20), step);
      unbind(&group);
      release(alone);
      for (size_t l = 0; l < width; l++) release(together[l]);
    }
}
END_TEST

/* Kicks and drifts of the other lanes are those of the systems alone. */
START_TEST(a_failing_lane_does_not_disturb_the_others) {
  const struct fixture_options *kind = &kinds[_i];
  const size_t molecules = _i % 2 == 0 ? 7 : 9, width = lanes_of(rill_isa_best()), wrong = 1;
  struct fixture *alone[LANES], *together[LANES];
  void *systems[LANES], *unused[LANES];
  struct group group;
  make_all(kind, molecules, together, systems, width);
  make_all(kind, molecules, alone, unused, width);
  bind(together[0], kind, &group);
  spoil(together[wrong], NAN);
  group.ops->load(group.system.self, systems, width);
  for (int pass = 0; pass < 2; pass++) {
    const struct rill_flow_ops *flow = group.system.flow;
    (void)flow->kick(group.system.self, 0.001, 0.001, &rill_filter_identity, RILL_FLOW_PROJECT, &fixture_error);
    ck_assert_int_ne(flow->drift(group.system.self, 0.001, 0, &fixture_error), RILL_OK);
    if (flow->ou != NULL) (void)flow->ou(group.system.self, 0.001, 7, 0, &fixture_error);
  }
  rill_error_clear(&fixture_error);
  group.ops->store(group.system.self, systems, width);
  for (size_t l = 0; l < width; l++) {
    const struct rill_flow_ops *flow = alone[l]->system.flow;
    for (int pass = 0; pass < 2; pass++) {
      fixture_ok(flow->kick(unused[l], 0.001, 0.001, &rill_filter_identity, RILL_FLOW_PROJECT, &fixture_error));
      fixture_ok(flow->drift(unused[l], 0.001, 0, &fixture_error));
      if (flow->ou != NULL) fixture_ok(flow->ou(unused[l], 0.001, 7, 0, &fixture_error));
    }
    if (l != wrong) same_molecules(alone[l], together[l], molecules, l);
    release(alone[l]);
    release(together[l]);
  }
  unbind(&group);
}
END_TEST

/* ---- which systems ---- */

static size_t width_of(const struct fixture_options *options, enum rill_status status) {
  double positions[MOST * RILL_COORDINATES];
  struct fixture_options filled = *options;
  struct fixture fixture;
  struct rill_system group;
  size_t width;
  if (filled.molecules == 0) filled.molecules = 7;
  place(filled.molecules, 0.0, 1, positions);
  filled.positions = positions;
  fixture = fixture_create(&filled);
  width = fixture.system.lanes->width(fixture.system.self);
  ck_assert_int_eq(fixture.system.lanes->create(fixture.system.self, &group, &fixture_error), status);
  rill_error_clear(&fixture_error);
  if (status == RILL_OK) group.ops->destroy(group.self);
  fixture_destroy(&fixture);
  return width;
}

START_TEST(says_which_systems_it_is_for) {
  const struct fixture_options plain = {.temperature = 100.0, .insertion = RILL_GLA, .friction = 1.0};
  struct fixture_options other = plain;
  ck_assert_uint_eq(width_of(&plain, RILL_OK), lanes_of(rill_isa_best()));
  other.molecules = MOST;
  other.any_isa = true; /* portable: nothing gained by so many */
  ck_assert_uint_eq(width_of(&other, RILL_OK), 0);
  other = plain;
  other.ramp_to = 200.0;
  ck_assert_uint_eq(width_of(&other, RILL_OK), lanes_of(rill_isa_best())); /* without an end there is no ramp */
  other.steps = 1000;
  ck_assert_uint_eq(width_of(&other, RILL_ERROR_UNSUPPORTED), 0);
  other = plain;
  other.insertion = RILL_GHMC;
  ck_assert_uint_eq(width_of(&other, RILL_ERROR_UNSUPPORTED), 0);
  other = plain;
  other.reference = true;
  ck_assert_uint_eq(width_of(&other, RILL_ERROR_UNSUPPORTED), 0);
  other = plain;
  other.cutoff = 0.9;
  ck_assert_uint_eq(width_of(&other, RILL_ERROR_UNSUPPORTED), 0);
  other = plain;
  other.external.electric[1] = 10.0;
  ck_assert_uint_eq(width_of(&other, RILL_ERROR_UNSUPPORTED), 0);
  other = plain;
  other.external.trap = 10.0;
  ck_assert_uint_eq(width_of(&other, RILL_ERROR_UNSUPPORTED), 0);
  other = plain;
  other.insertion = RILL_V_RESCALE;
  other.rescale_time = 1.0;
  ck_assert_uint_eq(width_of(&other, RILL_ERROR_UNSUPPORTED), 0);
}
END_TEST

/* What a single system binds to and a group does not. */
START_TEST(methods_beyond_flows_do_not_bind) {
  static const char *const methods[] = {"newmark-pushforward", "dvp"};
  for (size_t k = 0; k < 2; k++) {
    const struct fixture_options options = {.method = methods[k], .stiffness = 4000.0, .beta = 0.25};
    const struct rill_binding_options binding = {.step = 0.0002,
                                                 .method = {.beta = 0.25, .tolerance = 1e-13, .max_iterations = 50}};
    struct fixture *fixture = make(&(struct fixture_options){.stiffness = 4000.0}, 3, rill_isa_best(), 0);
    struct rill_integrator *integrator;
    struct rill_system group;
    fixture_ok(fixture->system.lanes->create(fixture->system.self, &group, &fixture_error));
    fixture_ok(rill_integrator_create(rill_method_find(options.method), &fixture->system, &binding, &integrator,
                                      &fixture_error));
    rill_integrator_destroy(integrator);
    ck_assert_int_eq(
        rill_integrator_create(rill_method_find(options.method), &group, &binding, &integrator, &fixture_error),
        RILL_ERROR_UNSUPPORTED);
    rill_error_clear(&fixture_error);
    group.ops->destroy(group.self);
    release(fixture);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("lanes");
  TCase *cases = tcase_create("clusters");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, gives_the_bytes_of_clusters_alone, 0, KINDS);
  tcase_add_test(cases, a_group_need_not_be_full);
  tcase_add_loop_test(cases, fails_with_each_of_its_systems, 0, KINDS);
  tcase_add_loop_test(cases, a_failing_lane_does_not_disturb_the_others, 0, OF_RIGID);
  tcase_add_test(cases, says_which_systems_it_is_for);
  tcase_add_test(cases, methods_beyond_flows_do_not_bind);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
