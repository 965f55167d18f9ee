/* Clusters in the lanes of a vector against clusters alone: the same bytes, for every instruction set, size and kind
 * of water; and what a failing lane does. */
#include "fixture.h"
#include "water/lanes/lanes.h"
#include "water/water_state.h"

enum { LANES = 8, MOST = 34 };

static const size_t sizes[] = {1, 2, 3, 5, 7, 8, 9, 12, 16, 17, 20, 24, 33, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const struct fixture_options kinds[] = {
    {.method = "verlet", .solver = RILL_SETTLE, .insertion = RILL_GLA, .friction = 2.0},
    {.method = "verlet", .solver = RILL_SETTLE, .insertion = RILL_GLA, .friction = 2.0, .mixed = true},
    {.method = "verlet", .solver = RILL_SETTLE, .insertion = RILL_BAOAB, .friction = 2.0, .geodesic_steps = 2},
    {.method = "verlet", .solver = RILL_SETTLE, .insertion = RILL_GLA, .friction = 20.0, .per_mass = true},
    {.method = "position-shake", .solver = RILL_RATTLE_SHAKE, .insertion = RILL_GLA, .friction = 2.0},
    {.method = "verlet", .solver = RILL_MSHAKE, .insertion = RILL_NO_BATH, .mixed = true},
    {.method = "yoshida4", .solver = RILL_RATTLE_SHAKE, .insertion = RILL_GLA, .friction = 20.0, .per_mass = true},
    {.method = "verlet", .solver = RILL_BODIES_ROTOR, .insertion = RILL_GLA, .friction = 2.0},
    {.method = "verlet", .solver = RILL_BODIES_LGVI, .insertion = RILL_BAOAB, .friction = 20.0, .per_mass = true},
    {.method = "zss-simplified", .stiffness = 4000.0, .beta = 0.5, .insertion = RILL_GLA, .friction = 2.0},
    {.method = "zs", .stiffness = 4000.0, .beta = 0.25, .insertion = RILL_BAOAB, .friction = 20.0, .per_mass = true},
    {.method = "verlet", .stiffness = 4000.0, .insertion = RILL_NO_BATH}};
enum { KINDS = sizeof kinds / sizeof *kinds };

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
  place(molecules, lane % 2 == 1 ? 0.46 : 0.0, lane + 1, positions);
  options.positions = positions;
  options.molecules = molecules;
  options.tolerance = 1e-10;
  options.step = options.stiffness > 0 ? 0.0002 : 0.001;
  options.temperature = temperature_of(lane);
  options.start_temperature = 150.0 + 20.0 * (double)lane;
  options.seed = 100 + lane;
  options.confine_radius = 0.1 * cbrt((double)molecules); /* some are outside, in some lanes */
  options.confine_stiffness = 2000.0;
  options.isa = isa;
  options.any_isa = true;
  *made = fixture_create(&options);
  fixture_bind(made, &options);
  rill_water_copy_state(&made->system, NULL, velocities);
  for (size_t m = 0; m < molecules && lane % 2 == 1; m++)
    for (size_t a = 0; a < RILL_ATOMS; a++)
      velocities[RILL_COORDINATES * m + 3 * a] += options.stiffness > 0 ? 3.0 : 0.6;
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

static void set_temperature(struct fixture *fixture, double temperature) {
  ((struct rill_water *)fixture->system.self)->temperature = temperature;
}

/* 301 steps in two segments, the systems' temperatures turned round between them; `count` of the lanes are used. */
static void compare(const struct fixture_options *kind, size_t molecules, enum rill_isa isa, size_t count) {
  static const uint64_t middle = 100, end = 300;
  struct fixture *alone[LANES], *together[LANES];
  struct group group;
  bool moved = false, outside = false;
  for (size_t l = 0; l < count; l++) {
    alone[l] = make(kind, molecules, isa, l);
    together[l] = make(kind, molecules, isa, l);
  }
  bind(together[0], kind, &group);
  for (size_t l = 0; l < count; l++) fixture_run(alone[l], middle + 1);
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
  ck_assert(outside || molecules == 1);
}

static size_t lanes_of(enum rill_isa isa) { return isa == RILL_ISA_AVX512 ? 8 : 4; }

START_TEST(gives_the_bytes_of_clusters_alone) {
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++)
    for (size_t n = 0; n < SIZES; n++)
      if (rill_isa_available((enum rill_isa)isa))
        compare(&kinds[_i], sizes[n], (enum rill_isa)isa, lanes_of((enum rill_isa)isa));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("lanes");
  TCase *cases = tcase_create("clusters");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, gives_the_bytes_of_clusters_alone, 0, KINDS);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
