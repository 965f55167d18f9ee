/* Constant pressure: the law of the volume of an ideal gas, exactly, and of boxes whose shape has a potential; forces
 * of a rescaled cell; work against the virial; and what must not change a byte. */
#include "fixture.h"

#include "analysis/statistics.h"
#include "analysis/verdicts.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/simd/lanes.h"
#include "mech/barostat.h"

/* ---- the moves alone: U = 0, or a function of the edges ---- */

enum { SAMPLES = 6000, APART = 40 };
static const double kt = 2.494, compressibility = 1.0 / (100 * RILL_BAR), pressure = 100 * RILL_BAR;

struct gas {
  struct rill_barostat barostat;
  double molecules;
  double in_ratio;   /* molecules of the acceptance; 0: the same */
  double wrong_root; /* added to the ratio, times ln(V'/V): a mutant */
  double virial;     /* of the drift, without a potential: a mutant */
  double ratio_sign; /* of the proposals' part; 0: 1 */
  double stiffness;  /* of the shape: U = stiffness/2 sum over pairs of (ln La/Lb)^2 */
  double edge[3];
  double accepted, made;
  uint64_t step;
};

static struct rill_barostat_state state_of(const struct gas *gas) {
  struct rill_barostat_state state = {.volume = gas->edge[0] * gas->edge[1] * gas->edge[2]};
  for (int a = 0; a < 3; a++) {
    state.virial[a] = gas->virial;
    for (int b = 0; b < 3; b++) {
      const double difference = log(gas->edge[a] / gas->edge[b]);
      state.potential += 0.25 * gas->stiffness * difference * difference;
      state.virial[a] -= gas->stiffness * difference;
    }
  }
  return state;
}

/* One move of a barostat whose time between moves is a tenth of tau. */
static void move_gas(struct gas *gas) {
  const struct rill_noise noise = rill_noise_create(7, RILL_STREAM_TEST);
  const struct rill_barostat_bath bath = {gas->molecules, kt, 0.1 * gas->barostat.tau};
  const struct rill_barostat_state from = state_of(gas);
  struct rill_barostat_state to;
  double normal[4], u[4], scale[3], ratio;
  struct gas moved = *gas;
  rill_noise_normal(&noise, gas->step, 0, 0, normal);
  rill_noise_uniform(&noise, gas->step++, 0, 1, u);
  rill_barostat_propose(&gas->barostat, &bath, &from, normal, scale);
  gas->made++;
  if (!(scale[0] > 0 && scale[1] > 0 && scale[2] > 0)) return;
  for (int c = 0; c < 3; c++) moved.edge[c] *= scale[c];
  to = state_of(&moved);
  ratio = rill_barostat_ratio(&gas->barostat, &bath, &from, &to, scale);
  if (gas->in_ratio > 0) ratio += (gas->in_ratio - gas->molecules) * log(to.volume / from.volume);
  ratio += gas->wrong_root * log(to.volume / from.volume);
  if (gas->ratio_sign < 0) {
    const double law = gas->molecules * log(to.volume / from.volume) -
                       (to.potential - from.potential + pressure * (to.volume - from.volume)) / kt;
    ratio = 2 * law - ratio;
  }
  if (!(log(u[0]) < ratio)) return;
  memcpy(gas->edge, moved.edge, sizeof gas->edge);
  gas->accepted++;
}

static struct gas make_gas(enum rill_barostat_kind kind, enum rill_barostat_shape shape, double molecules) {
  const double edge = cbrt((molecules + 1) * kt / pressure);
  return (struct gas){
      .barostat = {kind, shape, pressure, compressibility, 2.0}, .molecules = molecules, .edge = {edge, edge, edge}};
}

/* Kolmogorov's probability that the volumes have the law Gamma(N + 1), kT/P0; and their mean and variance over the
 * exact ones. */
static double sample_gas(struct gas *gas, double *mean, double *variance) {
  static double reduced[SAMPLES];
  double sum = 0, sum2 = 0;
  const double exact = gas->molecules + 1;
  for (int i = 0; i < SAMPLES; i++) {
    for (int k = 0; k < APART; k++) move_gas(gas);
    reduced[i] = pressure * gas->edge[0] * gas->edge[1] * gas->edge[2] / kt;
    sum += reduced[i] / SAMPLES;
    sum2 += reduced[i] * reduced[i] / SAMPLES;
  }
  *mean = sum / exact;
  *variance = (sum2 - sum * sum) / exact;
  return rill_kinetic_probability(reduced, SAMPLES, 2 * exact);
}

static const struct {
  enum rill_barostat_kind kind;
  enum rill_barostat_shape shape;
  double molecules, least_accepted;
} gases[] = {
    {RILL_BAROSTAT_RESCALE, RILL_SHAPE_ISOTROPIC, 8, 0.98},
    {RILL_BAROSTAT_RESCALE, RILL_SHAPE_ISOTROPIC, 216, 0.985},
    {RILL_BAROSTAT_MC, RILL_SHAPE_ISOTROPIC, 8, 0.8},
    {RILL_BAROSTAT_MC, RILL_SHAPE_ISOTROPIC, 216, 0.8},
    {RILL_BAROSTAT_RESCALE, RILL_SHAPE_SEMI, 8, 0.9},
    {RILL_BAROSTAT_RESCALE, RILL_SHAPE_SEMI, 216, 0.97},
    {RILL_BAROSTAT_RESCALE, RILL_SHAPE_ANISOTROPIC, 8, 0.9},
    {RILL_BAROSTAT_RESCALE, RILL_SHAPE_ANISOTROPIC, 216, 0.97},
    {RILL_BAROSTAT_MC, RILL_SHAPE_ANISOTROPIC, 8, 0.7},
    {RILL_BAROSTAT_MC, RILL_SHAPE_SEMI, 216, 0.8},
};
enum { GASES = sizeof gases / sizeof gases[0] };

START_TEST(ideal_gas_has_its_law) {
  struct gas gas = make_gas(gases[_i].kind, gases[_i].shape, gases[_i].molecules);
  const double n = gas.molecules + 1, error = sqrt(1.0 / n / SAMPLES), spread = sqrt((2 + 6 / n) / SAMPLES);
  double mean, variance;
  const double probability = sample_gas(&gas, &mean, &variance), accepted = gas.accepted / gas.made;
  ck_assert_msg(probability > 0.003, "gas %d: Kolmogorov's probability is %g", _i, probability);
  ck_assert_msg(fabs(mean - 1) < 5 * error, "gas %d: mean %g +- %g", _i, mean, error);
  ck_assert_msg(fabs(variance - 1) < 5 * spread, "gas %d: variance %g +- %g", _i, variance, spread);
  ck_assert_msg(accepted > gases[_i].least_accepted, "gas %d: %g are accepted", _i, accepted);
}
END_TEST

/* Wrong rules of acceptance: three times the molecules, no ln(l'/l), the proposals' ratio inverted. */
START_TEST(wrong_laws_are_seen) {
  struct gas gas = make_gas(RILL_BAROSTAT_RESCALE, RILL_SHAPE_ISOTROPIC, 8);
  double mean, variance;
  if (_i == 0) gas.in_ratio = 3 * gas.molecules;
  if (_i == 1) gas.wrong_root = -0.5;
  if (_i == 2) gas.ratio_sign = -1;
  ck_assert_double_lt(sample_gas(&gas, &mean, &variance), 1e-3);
}
END_TEST

/* A wrong drift changes no law, and the acceptance: atoms in place of molecules; no kT/(2V). */
START_TEST(acceptance_tests_the_drift) {
  static const struct {
    double virial, least, most; /* in kT */
  } drifts[] = {{0, 0.989, 0.996}, {2 * 8, 0.2, 0.3}, {-0.5, 0.96, 0.978}};
  struct gas gas = make_gas(RILL_BAROSTAT_RESCALE, RILL_SHAPE_ISOTROPIC, 8);
  double mean, variance, accepted;
  gas.virial = drifts[_i].virial * kt;
  sample_gas(&gas, &mean, &variance);
  accepted = gas.accepted / gas.made;
  ck_assert_msg(accepted > drifts[_i].least && accepted <= drifts[_i].most, "drift %d: %g are accepted", _i,
                accepted);
}
END_TEST

/* With a potential of the shape its logarithms are normal, and the volume keeps its law. */
START_TEST(shapes_have_their_law) {
  const enum rill_barostat_shape shape = _i % 2 == 0 ? RILL_SHAPE_SEMI : RILL_SHAPE_ANISOTROPIC;
  struct gas gas = make_gas(_i < 2 ? RILL_BAROSTAT_RESCALE : RILL_BAROSTAT_MC, shape, 30);
  /* of semi: U = 2 (k/2) d2 of d = ln c/a; of three edges: each difference has the variance 2/3 kT/k */
  const double exact = shape == RILL_SHAPE_SEMI ? 0.5 : 2.0 / 3.0;
  double sum2 = 0, sum = 0, volume = 0;
  gas.stiffness = 20 * kt;
  for (int i = 0; i < SAMPLES; i++) {
    double d;
    for (int k = 0; k < APART; k++) move_gas(&gas);
    d = log(gas.edge[2] / gas.edge[0]) * sqrt(gas.stiffness / kt);
    sum += d / SAMPLES;
    sum2 += d * d / SAMPLES;
    volume += pressure * gas.edge[0] * gas.edge[1] * gas.edge[2] / kt / 31 / SAMPLES;
  }
  ck_assert_msg(fabs(sum2 / exact - 1) < 0.12, "shape %d: variance %g, expected %g", _i, sum2, exact);
  ck_assert_msg(fabs(sum) < 0.06, "shape %d: mean %g", _i, sum);
  ck_assert_msg(fabs(volume - 1) < 0.015, "shape %d: volume %g", _i, volume);
}
END_TEST

/* ---- liquid water ---- */

enum { MOLECULES = 216, STRIDE = 216 };
static const double edge = 1.86206;
static struct rill_water_model model;
static double start[9 * MOLECULES], columns[9 * STRIDE];

static void use_model(const char *name) { fixture_ok(rill_water_model_find(name, 0, &model, &fixture_error)); }

static void set_up(void) {
  char line[1024];
  FILE *file = fopen(RILL_SOURCE_DIR "/tests/data/energies/p216_forces.csv", "r");
  size_t atom = 0;
  ck_assert_ptr_nonnull(file);
  use_model("tip3p");
  while (fgets(line, sizeof line, file) != NULL) {
    double x[3];
    char element;
    if (sscanf(line, "%*d,%c,%lf,%lf,%lf", &element, &x[0], &x[1], &x[2]) != 4) continue;
    for (int c = 0; c < 3; c++) start[3 * atom + (size_t)c] = 0.1 * x[c];
    atom++;
  }
  fclose(file);
  ck_assert_uint_eq(atom, 3 * MOLECULES);
  fixture_ok(rill_water_rigidify(&model, start, MOLECULES, &fixture_error));
  for (size_t m = 0; m < MOLECULES; m++)
    for (size_t k = 0; k < 9; k++) columns[k * STRIDE + m] = start[9 * m + k];
}

static struct rill_field_options field_options(const double cell[3][3], enum rill_precision precision,
                                               enum rill_lj_kind lj) {
  struct rill_field_options options = {
      .periodic = true,
      .isa = rill_isa_best(),
      .threads = 1,
      .box = {.cutoff = 0.85,
              .coulomb = RILL_COULOMB_EWALD,
              .beta = 3.6,
              .lj = lj,
              .switch_from = 0.7,
              .tail = 1,
              .precision = precision},
      .mesh = {.order = 6,
               .grid = {20, 20, 20},
               .precision = precision == RILL_PRECISION_MIXED ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE}};
  memcpy(options.box.box, cell, sizeof options.box.box);
  return options;
}

static struct rill_water_field *make_field(const struct rill_field_options *options) {
  struct rill_water_field *field;
  fixture_ok(rill_water_field_create(&model, MOLECULES, STRIDE, options, &field, &fixture_error));
  return field;
}

/* All centres of mass times `scale`, in each direction. */
static void scale_centres(const double *q, const double scale[3], double *moved) {
  const double mass = model.mass[0] + model.mass[1] + model.mass[2];
  for (size_t m = 0; m < MOLECULES; m++)
    for (size_t c = 0; c < 3; c++) {
      double centre = 0;
      for (size_t a = 0; a < 3; a++) centre += model.mass[a] / mass * q[(3 * a + c) * STRIDE + m];
      for (size_t a = 0; a < 3; a++)
        moved[(3 * a + c) * STRIDE + m] = q[(3 * a + c) * STRIDE + m] + (scale[c] - 1) * centre;
    }
}

static void scale_cell(double cell[3][3], const double scale[3]) {
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++) cell[i][c] *= scale[c];
}

/* A cell that is rescaled again and again, by little and by much, its lists in use, against one that is new. */
START_TEST(rescaled_cells_are_as_good_as_new) {
  static const double scales[][3] = {{0.999, 0.999, 0.999},    {1.004, 1.004, 1.004},   {0.99, 0.99, 0.99},
                                     {1.001, 0.998, 1.002},    {0.94, 1.0, 1.07},       {1.03, 1.03, 1.03},
                                     {0.9999, 0.9999, 0.9999}, {0.9995, 1.0003, 1.0001}};
  enum { SCALES = sizeof scales / sizeof scales[0] };
  const bool skew = _i == 4 || _i == 5;
  double cell[3][3] = {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}};
  const enum rill_precision precision = _i % 2 == 0 ? RILL_PRECISION_DOUBLE : RILL_PRECISION_MIXED;
  struct rill_field_options options;
  struct rill_water_field *field;
  static double q[9 * STRIDE], f[9 * STRIDE], again[9 * STRIDE];
  if (_i >= 6) use_model("tip4p-2005");
  if (skew) cell[1][0] = 0.1, cell[2][0] = -0.2, cell[2][1] = 0.15;
  options = field_options(cell, precision, RILL_LJ_SHIFT);
  if (_i == 2 || _i == 3) options.isa = RILL_ISA_PORTABLE;
  if (skew) options.box.cutoff = 0.8;
  field = make_field(&options);
  memcpy(q, columns, sizeof q);
  for (int k = 0; k < SCALES; k++) {
    double scale[3] = {scales[k][0], skew ? scales[k][0] : scales[k][1], skew ? scales[k][0] : scales[k][2]};
    struct rill_field_energies e = {0}, e_new = {0};
    struct rill_water_field *made;
    struct rill_periodic_counts before;
    fixture_ok(rill_water_field_evaluate(field, q, f, NULL, &fixture_error));
    before = rill_water_field_counts(field);
    scale_centres(q, scale, q);
    scale_cell(cell, scale);
    fixture_ok(rill_water_field_set_cell(field, (const double(*)[3])cell, &fixture_error));
    fixture_ok(rill_water_field_evaluate(field, q, f, &e, &fixture_error));
    if (!skew && k == 0) ck_assert_uint_eq(rill_water_field_counts(field).builds, before.builds);
    memcpy(options.box.box, cell, sizeof options.box.box);
    made = make_field(&options);
    fixture_ok(rill_water_field_evaluate(made, q, again, &e_new, &fixture_error));
    ck_assert_msg(memcmp(f, again, sizeof f) == 0, "case %d: forces differ after rescaling %d", _i, k);
    ck_assert_msg(memcmp(&e, &e_new, sizeof e) == 0, "case %d: energies differ after rescaling %d", _i, k);
    ck_assert_uint_eq(rill_water_field_cell(field)->revision, (uint64_t)k + 1);
    rill_water_field_destroy(made);
  }
  rill_water_field_destroy(field);
}
END_TEST

static double potential_at(struct rill_water_field *field, double factor) {
  const double scale[3] = {factor, factor, factor};
  static double q[9 * STRIDE], f[9 * STRIDE];
  double cell[3][3] = {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}};
  struct rill_field_energies e;
  scale_cell(cell, scale);
  scale_centres(columns, scale, q);
  fixture_ok(rill_water_field_set_cell(field, (const double(*)[3])cell, &fixture_error));
  fixture_ok(rill_water_field_evaluate(field, q, f, &e, &fixture_error));
  return e.lj + e.coulomb;
}

/* The largest relative difference of -dU/d ln V and W/3, with the tail times `part` in the energy. */
static double work_against_virial(enum rill_lj_kind lj, double energy_tail, double virial_tail) {
  static const double cube[3][3] = {{1.86206, 0, 0}, {0, 1.86206, 0}, {0, 0, 1.86206}};
  struct rill_field_options options = field_options(cube, RILL_PRECISION_DOUBLE, lj), bare;
  struct rill_water_field *field, *without;
  struct rill_field_energies e, e_bare;
  static double f[9 * STRIDE];
  double work[2], virial = 0, tail = 0;
  options.box.beta = 6.0; /* so that no pair sees the cutoff */
  options.mesh = (struct rill_pme_parameters){.order = 10, .grid = {36, 36, 36}, .precision = RILL_MESH_DOUBLE};
  options.reference = true; /* its energies are not rounded to multiples of a unit */
  bare = options;
  bare.box.tail = 0;
  field = make_field(&options);
  without = make_field(&bare);
  fixture_ok(rill_water_field_evaluate(field, columns, f, &e, &fixture_error));
  fixture_ok(rill_water_field_evaluate(without, columns, f, &e_bare, &fixture_error));
  for (int c = 0; c < 3; c++) {
    virial += e_bare.virial[c][c] / 3;
    tail += (e.virial[c][c] - e_bare.virial[c][c]) / 3;
  }
  for (int k = 0; k < 2; k++) {
    const double d = k == 0 ? 1e-5 : 5e-6, up = cbrt(1 + d), down = cbrt(1 - d);
    const double bare_part = potential_at(without, up) - potential_at(without, down);
    const double whole = potential_at(field, up) - potential_at(field, down);
    work[k] = -(bare_part + energy_tail * (whole - bare_part)) / (2 * d);
  }
  rill_water_field_destroy(field);
  rill_water_field_destroy(without);
  virial += virial_tail * tail;
  return fabs((4 * work[1] - work[0]) / 3 - virial) / fabs(virial);
}

START_TEST(work_is_the_virial) {
  const enum rill_lj_kind lj = _i == 0 ? RILL_LJ_SHIFT : RILL_LJ_SWITCH;
  double difference;
  if (_i == 2) use_model("tip4p-2005");
  difference = work_against_virial(lj, 1, 1);
  ck_assert_msg(difference < 1e-6, "case %d: relative difference %g", _i, difference);
  ck_assert_double_gt(work_against_virial(lj, 0.5, 1), 1e-3);
  ck_assert_double_gt(work_against_virial(lj, 1, 0.5), 1e-3);
}
END_TEST

/* ---- runs ---- */

struct run {
  enum rill_constraint_solver solver;
  enum rill_thermostat bath;
  enum rill_barostat_kind kind;
  enum rill_barostat_shape shape;
  const char *method;
  double pressure; /* bar */
  int threads;
  bool mixed;
  double moves; /* of the cell, larger by the root of this; 0: 1 */
};

static struct rill_system make_liquid(const struct run *run) {
  const double cube[3][3] = {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}};
  const struct rill_field_options field =
      field_options(cube, run->mixed ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE, RILL_LJ_SHIFT);
  struct rill_system system;
  struct rill_water_options options = {.model = model,
                                       .molecules = MOLECULES,
                                       .positions = start,
                                       .constraints = {run->solver, 1e-13, 1e-13, 1.0, 500},
                                       .thermostat = true,
                                       .temperature = {300, 300},
                                       .steps = 1000,
                                       .friction = 1,
                                       .seed = 3,
                                       .periodic = true,
                                       .box = field.box,
                                       .mesh = field.mesh,
                                       .isa = rill_isa_best(),
                                       .threads = run->threads > 0 ? run->threads : 1,
                                       .barostat = {run->kind, run->shape, run->pressure * RILL_BAR,
                                                    4.5e-5 / RILL_BAR * (run->moves > 0 ? run->moves : 1), 0.5},
                                       .barostat_interval = 3,
                                       .accuracy = 1e-3};
  fixture_ok(rill_water_create(&options, &system, &fixture_error));
  fixture_ok(rill_water_draw_velocities(&system, 300.0, 5, &fixture_error));
  return system;
}

static void advance(struct rill_system *system, const struct run *run, uint64_t first, uint64_t last) {
  const struct rill_binding_options binding = {
      .step = 2e-3, .insertion = run->bath, .geodesic_steps = 1, .method = {.substeps = 2}};
  struct rill_integrator *integrator;
  fixture_ok(rill_integrator_create(rill_method_find(run->method != NULL ? run->method : "rattle"), system, &binding,
                                    &integrator, &fixture_error));
  for (uint64_t k = first; k < last; k++) fixture_ok(rill_integrator_step(integrator, k, false, &fixture_error));
  rill_integrator_destroy(integrator);
}

static struct rill_archive archive_of(const struct rill_system *system) {
  struct rill_archive archive = {0};
  system->ops->archive(system->self, &archive);
  ck_assert_int_eq(rill_archive_status(&archive, &fixture_error), RILL_OK);
  return archive;
}

static const struct run runs[] = {
    {RILL_SETTLE, RILL_BAOAB, RILL_BAROSTAT_RESCALE, RILL_SHAPE_ISOTROPIC, .pressure = 1},
    {RILL_SETTLE, RILL_GLA, RILL_BAROSTAT_MC, RILL_SHAPE_SEMI, .pressure = 1, .mixed = true},
    {RILL_BODIES_ROTOR, RILL_BAOAB, RILL_BAROSTAT_RESCALE, RILL_SHAPE_ANISOTROPIC, .pressure = 1, .mixed = true},
    {RILL_SETTLE, RILL_GLA, RILL_BAROSTAT_RESCALE, RILL_SHAPE_ISOTROPIC, "respa", .pressure = 1, .mixed = true},
    {RILL_SETTLE, RILL_BAOAB, RILL_BAROSTAT_RESCALE, RILL_SHAPE_ISOTROPIC, .pressure = -15000, .mixed = true},
};
enum { RUNS = sizeof runs / sizeof runs[0] };

/* The state's bytes do not depend on threads, nor on where the run was stopped; the last run leaves the band of its
 * first mesh. */
START_TEST(threads_and_stops_change_nothing) {
  const uint64_t last = _i == RUNS - 1 ? 240 : 60, stop = last * 37 / 60;
  struct run run = runs[_i];
  struct rill_system whole = make_liquid(&run), threaded, resumed;
  struct rill_archive ends[3], kept, reading;
  advance(&whole, &run, 0, stop);
  kept = archive_of(&whole);
  advance(&whole, &run, stop, last);
  ends[0] = archive_of(&whole);
  ck_assert_uint_eq(whole.cell_moves->made, last / 3);
  ck_assert_uint_gt(whole.cell_moves->accepted, 0);
  ck_assert_uint_lt(whole.cell_moves->accepted, whole.cell_moves->made + (_i != 1));
  ck_assert_uint_eq(whole.cell_moves->planned > 0, _i == RUNS - 1);
  ck_assert_double_ne(rill_water_cell(&whole)->vector[0][0], edge);
  resumed = make_liquid(&run);
  fixture_ok(rill_archive_open(kept.bytes, kept.length, &reading, &fixture_error));
  resumed.ops->archive(resumed.self, &reading);
  fixture_ok(rill_archive_status(&reading, &fixture_error));
  advance(&resumed, &run, stop, last);
  ends[1] = archive_of(&resumed);
  run.threads = 3;
  threaded = make_liquid(&run);
  advance(&threaded, &run, 0, last);
  ends[2] = archive_of(&threaded);
  for (int k = 1; k < 3; k++) {
    ck_assert_uint_eq(ends[k].length, ends[0].length);
    ck_assert_msg(memcmp(ends[k].bytes, ends[0].bytes, ends[0].length) == 0, "run %d: the state of way %d differs",
                  _i, k);
  }
  for (int k = 0; k < 3; k++) rill_archive_release(&ends[k]);
  rill_archive_release(&kept);
  whole.ops->destroy(whole.self);
  resumed.ops->destroy(resumed.self);
  threaded.ops->destroy(threaded.self);
}
END_TEST

/* A move changes positions and cell, and no velocity; molecules stay rigid; restore undoes it. */
START_TEST(moves_can_be_undone) {
  const struct run run = runs[_i];
  struct rill_system system = make_liquid(&run);
  struct rill_archive before, after, restored;
  double *positions = rill_allocate(9 * MOLECULES, sizeof *positions), *velocities[2];
  for (int k = 0; k < 2; k++) velocities[k] = rill_allocate(9 * MOLECULES, sizeof(double));
  before = archive_of(&system);
  rill_water_copy_state(&system, NULL, velocities[0]);
  system.ops->save(system.self);
  for (uint64_t k = 0; system.cell_moves->accepted == 0; k++)
    fixture_ok(system.barostat->move(system.self, k, 6e-3, &fixture_error));
  after = archive_of(&system);
  ck_assert(before.length != after.length || memcmp(before.bytes, after.bytes, before.length) != 0);
  rill_water_copy_state(&system, positions, velocities[1]);
  ck_assert_mem_eq(velocities[0], velocities[1], 9 * MOLECULES * sizeof(double));
  for (size_t m = 0; m < MOLECULES; m++) {
    double bond2 = 0;
    for (size_t c = 0; c < 3; c++) bond2 += pow(positions[9 * m + 3 + c] - positions[9 * m + c], 2);
    ck_assert_double_eq_tol(sqrt(bond2), model.bond[0], 1e-12);
  }
  system.ops->restore(system.self);
  restored = archive_of(&system);
  ck_assert_uint_eq(before.length, restored.length);
  ck_assert_mem_eq(before.bytes, restored.bytes, before.length);
  for (int k = 0; k < 2; k++) rill_release(velocities[k]);
  rill_release(positions);
  rill_archive_release(&before);
  rill_archive_release(&after);
  rill_archive_release(&restored);
  system.ops->destroy(system.self);
}
END_TEST

/* The archived state but for the counts of moves. */
static struct rill_archive state_without_counts(const struct rill_system *system) {
  static const char *const counts[] = {"cell_moves", NULL};
  struct rill_archive all = archive_of(system), reading, state = {0};
  fixture_ok(rill_archive_open(all.bytes, all.length, &reading, &fixture_error));
  rill_archive_copy(&state, &reading, counts);
  rill_archive_release(&all);
  return state;
}

/* Moves so large that nearly all are rejected: these leave no trace, in the state and in the forces. */
START_TEST(rejected_moves_leave_no_trace) {
  struct run run = runs[_i];
  struct rill_system system;
  double *forces[2];
  run.kind = RILL_BAROSTAT_MC;
  run.moves = 100;
  system = make_liquid(&run);
  for (int k = 0; k < 2; k++) forces[k] = rill_allocate(9 * MOLECULES, sizeof *forces[k]);
  for (uint64_t k = 0, rejected = 0; rejected < 3; k++) {
    struct rill_archive before = state_without_counts(&system), after;
    const uint64_t accepted = system.cell_moves->accepted;
    fixture_ok(rill_water_copy_forces(&system, forces[0], &fixture_error));
    fixture_ok(system.barostat->move(system.self, k, 6e-3, &fixture_error));
    after = state_without_counts(&system);
    if (system.cell_moves->accepted == accepted) {
      ck_assert_uint_eq(before.length, after.length);
      ck_assert_mem_eq(before.bytes, after.bytes, before.length);
      system.ops->save(system.self);
      system.ops->restore(system.self); /* forces are evaluated again */
      fixture_ok(rill_water_copy_forces(&system, forces[1], &fixture_error));
      ck_assert_mem_eq(forces[0], forces[1], 9 * MOLECULES * sizeof *forces[0]);
      rejected++;
    }
    rill_archive_release(&before);
    rill_archive_release(&after);
    ck_assert_uint_lt(k, 30);
  }
  for (int k = 0; k < 2; k++) rill_release(forces[k]);
  system.ops->destroy(system.self);
}
END_TEST

START_TEST(what_does_not_go_together) {
  struct rill_system system = make_liquid(&runs[0]);
  const struct rill_method *rattle = rill_method_find("rattle");
  ck_assert_int_eq(rill_method_refusal(rattle, &system, RILL_BAOAB), RILL_BINDS);
  ck_assert_int_eq(rill_method_refusal(rattle, &system, RILL_NO_BATH), RILL_REFUSED_BAROSTAT_BATH);
  ck_assert_int_eq(rill_method_refusal(rattle, &system, RILL_GHMC), RILL_REFUSED_BAROSTAT_TRIAL);
  ck_assert_int_eq(rill_method_refusal(rill_method_find("dvp"), &system, RILL_GLA), RILL_REFUSED_BAROSTAT_STEP);
  system.ops->destroy(system.self);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("constant pressure");
  TCase *gas = tcase_create("ideal gas"), *cells = tcase_create("cells"), *liquid = tcase_create("liquid");
  tcase_add_loop_test(gas, ideal_gas_has_its_law, 0, GASES);
  tcase_add_loop_test(gas, wrong_laws_are_seen, 0, 3);
  tcase_add_loop_test(gas, acceptance_tests_the_drift, 0, 3);
  tcase_add_loop_test(gas, shapes_have_their_law, 0, 4);
  tcase_add_unchecked_fixture(cells, set_up, NULL);
  tcase_add_loop_test(cells, rescaled_cells_are_as_good_as_new, 0, 8);
  tcase_add_loop_test(cells, work_is_the_virial, 0, 3);
  tcase_add_unchecked_fixture(liquid, set_up, NULL);
  tcase_add_loop_test(liquid, threads_and_stops_change_nothing, 0, RUNS);
  tcase_add_loop_test(liquid, moves_can_be_undone, 0, 3);
  tcase_add_loop_test(liquid, rejected_moves_leave_no_trace, 0, 3);
  tcase_add_test(liquid, what_does_not_go_together);
  tcase_set_timeout(gas, 600);
  tcase_set_timeout(cells, 600);
  tcase_set_timeout(liquid, 600);
  suite_add_tcase(suite, gas);
  suite_add_tcase(suite, cells);
  suite_add_tcase(suite, liquid);
  return rill_run_suite(suite);
}
