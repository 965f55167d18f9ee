/* Ewald sums of water: the direct sum against an independent program, the mesh against the direct sum, forces against
 * derivatives, the vector bodies and any number of threads against each other. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/units.h"
#include "suite.h"
#include "water/pme/accuracy.h"
#include "water/pme/ewald.h"
#include "water/pme/pme.h"

enum { LINE = 4096, BOXES = 3 };
static const char *const box_names[BOXES] = {"p216", "p895", "p210_dodeca"};

/* kcal/mol and Angstrom, as the reference has them. */
static const double kcal = RILL_KCAL, angstrom = RILL_ANGSTROM;

struct sample {
  size_t molecules, stride;
  double box[3][3];
  double *q, *f;        /* f: of the reference, Coulomb */
  double *total;        /* Coulomb and Lennard-Jones */
  double alpha, cutoff; /* of the reference */
  double coulomb, real, reciprocal, self, excluded;
  double atomic[3][3], molecular[3][3];
  double lj_and_coulomb_trace, pressure; /* of the molecular virial; bar, without velocities */
};

static struct rill_error error;
static const struct rill_pme_cut cut = {0.9, 0};

static struct rill_water_model find_model(void) {
  struct rill_water_model model;
  const double constant = 332.06371 * kcal * angstrom;
  ck_assert_msg(rill_water_model_find("tip3p", constant, &model, &error) == RILL_OK, "%s", error.text);
  return model;
}

static FILE *open_data(const char *name) {
  char path[2 * LINE];
  FILE *file;
  snprintf(path, sizeof path, "%s/tests/data/energies/%s", RILL_SOURCE_DIR, name);
  file = fopen(path, "r");
  ck_assert_msg(file != NULL, "cannot open %s", path);
  return file;
}

static double next(char **text) {
  double value;
  char *end;
  ck_assert_int_eq(**text, ',');
  value = strtod(*text + 1, &end);
  ck_assert_ptr_ne(end, *text + 1);
  *text = end;
  return value;
}

static double *rows(size_t stride) {
  double *memory = rill_allocate(RILL_COORDINATES * stride, sizeof *memory);
  ck_assert_ptr_nonnull(memory);
  return memory;
}

static struct sample read_sample(const char *name) {
  struct sample s = {0};
  char line[LINE], *text = NULL;
  const size_t length = strlen(name);
  FILE *file = open_data("boxes.csv");
  while (text == NULL && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, name, length) == 0 && line[length] == ',') text = line + length;
  fclose(file);
  ck_assert_ptr_nonnull(text);
  s.molecules = (size_t)next(&text);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) s.box[i][j] = next(&text) * angstrom;
  s.coulomb = next(&text) * kcal;
  s.alpha = next(&text) / angstrom;
  s.cutoff = next(&text) * angstrom;
  s.real = next(&text) * kcal;
  s.reciprocal = next(&text) * kcal;
  s.self = next(&text) * kcal;
  s.excluded = next(&text) * kcal;
  for (int i = 0; i < 9; i++) s.atomic[i / 3][i % 3] = next(&text) * kcal;
  for (int i = 0; i < 9; i++) s.molecular[i / 3][i % 3] = next(&text) * kcal;
  for (int i = 0; i < 4; i++) next(&text);
  for (int i = 0; i < 9; i++) s.lj_and_coulomb_trace += (i % 4 == 0) * 1.0 * next(&text) * kcal;
  s.pressure = next(&text);
  s.stride = rill_padded(s.molecules);
  s.q = rows(s.stride);
  s.f = rows(s.stride);
  s.total = rows(s.stride);
  /* What stands beyond the molecules must not matter. */
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = s.molecules; m < s.stride; m++) s.q[k * s.stride + m] = NAN;
  snprintf(line, sizeof line, "%s_forces.csv", name);
  file = open_data(line);
  for (int skip = 0; skip < 2; skip++) ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  for (size_t m = 0; m < s.molecules; m++)
    for (size_t a = 0; a < RILL_ATOMS; a++) {
      double value[9];
      ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
      text = strchr(strchr(line, ',') + 1, ',');
      for (int k = 0; k < 9; k++) value[k] = next(&text);
      for (size_t c = 0; c < 3; c++) {
        const size_t at = (3 * a + c) * s.stride + m;
        s.q[at] = value[c] * angstrom;
        s.f[at] = value[6 + c] * kcal / angstrom;
        s.total[at] = s.f[at] + value[3 + c] * kcal / angstrom;
      }
    }
  fclose(file);
  return s;
}

static void release(struct sample *s) {
  rill_release(s->q);
  rill_release(s->f);
  rill_release(s->total);
}

#define CONST3(box) ((const double(*)[3])(box))

static struct rill_ewald_energies direct(const struct sample *s, struct rill_ewald_parameters parameters, double *f) {
  const struct rill_water_model model = find_model();
  struct rill_ewald_energies energies;
  enum rill_status status =
      rill_ewald_evaluate(&model, s->molecules, s->stride, CONST3(s->box), &parameters, s->q, f, &energies, &error);
  ck_assert_msg(status == RILL_OK, "%s", error.text);
  return energies;
}

/* The reciprocal and excluded part alone: no pair is nearer than the cutoff. */
static struct rill_ewald_energies direct_reciprocal(const struct sample *s, double beta, double *f) {
  return direct(s, (struct rill_ewald_parameters){beta, 1e-6, 6.0 * beta / M_PI}, f);
}

/* With a team of its own; discard destroys both. */
static struct rill_pme *create(const struct sample *s, const struct rill_pme_parameters *parameters,
                               enum rill_isa isa, int threads, struct rill_team **team) {
  const struct rill_water_model model = find_model();
  struct rill_pme *pme;
  enum rill_status status = rill_team_create(threads, team, &error);
  ck_assert_msg(status == RILL_OK, "%s", error.text);
  status = rill_pme_create(&model, s->molecules, s->stride, CONST3(s->box), parameters, isa, *team, &pme, &error);
  ck_assert_msg(status == RILL_OK, "%s", error.text);
  return pme;
}

static void discard(struct rill_pme *pme, struct rill_team *team) {
  rill_pme_destroy(pme);
  rill_team_destroy(team);
}

/* One pass into f, cleared before. */
static struct rill_pme_energies pass(const struct sample *s, const struct rill_pme_parameters *parameters,
                                     enum rill_isa isa, int threads, double *f) {
  struct rill_pme_energies energies;
  struct rill_team *team;
  struct rill_pme *pme = create(s, parameters, isa, threads, &team);
  memset(f, 0, RILL_COORDINATES * s->stride * sizeof *f);
  rill_pme_evaluate(pme, s->q, NULL, f, &energies);
  discard(pme, team);
  return energies;
}

/* |f - judge| over |scale|, root mean square. */
static double difference(const struct sample *s, const double *f, const double *judge, const double *scale) {
  double d2 = 0.0, n2 = 0.0;
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < s->molecules; m++) {
      const size_t at = k * s->stride + m;
      d2 += (f[at] - judge[at]) * (f[at] - judge[at]);
      n2 += scale[at] * scale[at];
    }
  return sqrt(d2 / n2);
}

static double largest(const double a[3][3], const double b[3][3]) {
  double d = 0.0;
  for (int i = 0; i < 9; i++) d = fmax(d, fabs(a[i / 3][i % 3] - b[i / 3][i % 3]));
  return d;
}

static double trace(const double a[3][3]) { return a[0][0] + a[1][1] + a[2][2]; }

/* Its own statement is 1e-9 kcal/mol in energies, 1e-11 in forces (printed to 12 digits), 3e-8 in virials. */
START_TEST(direct_sum_agrees_with_the_reference) {
  struct sample s = read_sample(box_names[_i]);
  double *f = rows(s.stride);
  struct rill_ewald_energies e = direct(&s, rill_ewald_choose(CONST3(s.box), s.molecules, 1e-17), f);
  ck_assert_double_le(fabs(e.total / s.coulomb - 1.0), 1e-12);
  ck_assert_double_le(rill_force_error(s.molecules, s.stride, f, s.f), 1e-11);
  ck_assert_double_le(largest(CONST3(e.virial_atomic), CONST3(s.atomic)), 1e-6);
  ck_assert_double_le(largest(CONST3(e.virial_molecular), CONST3(s.molecular)), 1e-6);
  ck_assert_double_le(fabs(trace(CONST3(e.virial_atomic)) - e.total), 1e-8);
  /* The Coulomb part of the molecular pressure, in place of the reference's, gives its pressure. */
  {
    const double volume = s.box[0][0] * s.box[1][1] * s.box[2][2];
    const double whole = s.lj_and_coulomb_trace - trace(CONST3(s.molecular)) + trace(CONST3(e.virial_molecular));
    ck_assert_double_le(fabs(whole / (3.0 * volume) / RILL_BAR - s.pressure), 1e-5 * 1e2);
  }
  rill_release(f);
  release(&s);
}
END_TEST

/* The parts depend on beta, and so does where they are cut. */
START_TEST(parts_of_the_direct_sum_agree) {
  struct sample s = read_sample(box_names[_i]);
  double *f = rows(s.stride);
  const struct rill_ewald_parameters parameters = {s.alpha, s.cutoff, 6.5 * s.alpha / M_PI};
  struct rill_ewald_energies e = direct(&s, parameters, f);
  ck_assert_double_le(fabs(e.real / s.real - 1.0), 1e-11);
  ck_assert_double_le(fabs(e.reciprocal / s.reciprocal - 1.0), 1e-11);
  ck_assert_double_le(fabs(e.self / s.self - 1.0), 1e-14);
  ck_assert_double_le(fabs(e.excluded / s.excluded - 1.0), 1e-11);
  rill_release(f);
  release(&s);
}
END_TEST

/* Order 12 on a fine mesh: everything to 1e-9, the reference's own digits. */
START_TEST(mesh_reaches_the_direct_sum) {
  const double beta = 3.0;
  const struct rill_pme_parameters parameters = {beta, 12, {60, 60, 60}, RILL_MESH_DOUBLE};
  struct sample s = read_sample(box_names[_i]);
  double *f = rows(s.stride), *g = rows(s.stride);
  struct rill_pme_energies e = pass(&s, &parameters, RILL_ISA_PORTABLE, 1, f);
  /* real part: cut where erfc is 1e-17 */
  struct rill_ewald_energies d = direct(&s, (struct rill_ewald_parameters){beta, 6.0 / beta, 6.0 * beta / M_PI}, g);
  ck_assert_double_le(fabs((d.real + e.reciprocal + e.self + e.excluded) / s.coulomb - 1.0), 1e-9);
  ck_assert_double_le(fabs(e.excluded / d.excluded - 1.0), 1e-12); /* units of 2^-30 kJ/mol a pair */
  direct_reciprocal(&s, beta, g);
  ck_assert_double_le(difference(&s, f, g, s.f), 1e-9);
  d = direct_reciprocal(&s, beta, g);
  ck_assert_double_le(largest(CONST3(e.virial_atomic), CONST3(d.virial_atomic)), 1e-4);
  ck_assert_double_le(largest(CONST3(e.virial_molecular), CONST3(d.virial_molecular)), 1e-4);
  rill_release(f);
  rill_release(g);
  release(&s);
}
END_TEST

/* The error of order n falls as h^(n - 1): the aliases' slopes are amplitudes h^n over h.  Between grids of 40 and
 * 80, far from where waves are lost; the skew box's steps differ by direction, so all three are tried.  A mutant,
 * order 4 taken for order 6, fails. */
START_TEST(mesh_converges_with_its_order) {
  struct sample s = read_sample(box_names[_i]);
  double *f = rows(s.stride), *g = rows(s.stride);
  double at[7];
  direct_reciprocal(&s, 3.0, g);
  for (int order = 4; order <= 10; order++) {
    double slope, e[2];
    for (size_t k = 0; k < 2; k++) {
      const size_t grid = k == 0 ? 40 : 80;
      const struct rill_pme_parameters parameters = {3.0, order, {grid, grid, grid}, RILL_MESH_DOUBLE};
      pass(&s, &parameters, rill_isa_best(), 1, f);
      e[k] = difference(&s, f, g, s.f);
    }
    slope = log2(e[0] / e[1]);
    at[order - 4] = e[0];
    ck_assert_msg(slope > order - 1.0 && slope < order + 1.5, "%s: order %d converges as h^%g", box_names[_i], order,
                  slope);
  }
  for (int k = 2; k < 7; k++) ck_assert_double_le(at[k], 0.1 * at[k - 2]);
  for (int k = 1; k < 7; k++) ck_assert_double_le(at[k], 0.5 * at[k - 1]);
  rill_release(f);
  rill_release(g);
  release(&s);
}
END_TEST

/* The expected errors are within a factor of 1.35 of the measured ones, over five decades: the liquid's
 * correlations are known to a tenth or so, and a box is one sample. */
START_TEST(errors_are_as_expected) {
  static const struct {
    double beta;
    int order;
    size_t grid;
  } cases[] = {{3.0, 4, 20},    {3.0, 6, 20},    {3.4705, 4, 16}, {3.4705, 4, 20}, {3.4705, 6, 16}, {3.4705, 8, 16},
               {3.4705, 8, 20}, {4.5, 4, 20},    {4.5, 6, 24},    {4.5, 8, 24},    {3.0, 5, 20},    {4.5, 5, 12},
               {4.5, 5, 16},    {3.4705, 5, 16}, {3.4705, 5, 20}, {3.4705, 7, 20}, {4.5, 5, 24},    {4.5, 7, 24}};
  const struct rill_water_model model = find_model();
  struct sample s = read_sample("p216");
  double *f = rows(s.stride), *g = rows(s.stride);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const size_t grid = cases[k].grid;
    const struct rill_pme_parameters p = {cases[k].beta, cases[k].order, {grid, grid, grid}, RILL_MESH_DOUBLE};
    struct rill_pme_expectation expectation;
    double measured, expected;
    ck_assert_int_eq(rill_pme_expect(&model, s.molecules, CONST3(s.box), cut, &p, &expectation, &error), RILL_OK);
    expected = expectation.mesh;
    pass(&s, &p, rill_isa_best(), 1, f);
    direct_reciprocal(&s, p.beta, g);
    measured = difference(&s, f, g, s.total);
    ck_assert_msg(expected > measured / 1.35 && expected < 1.35 * measured, "beta %g, order %d, grid %zu: %g, not %g",
                  p.beta, p.order, grid, measured, expected);
  }
  rill_release(f);
  rill_release(g);
  release(&s);
}
END_TEST

/* What is chosen for an accuracy has it, measured against the direct sum, real part included. */
START_TEST(chosen_parameters_have_the_accuracy) {
  static const double accuracies[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
  const struct rill_water_model model = find_model();
  struct sample s = read_sample(box_names[_i]);
  double *f = rows(s.stride), *g = rows(s.stride);
  for (size_t k = 0; k < sizeof accuracies / sizeof *accuracies; k++)
    for (int precision = RILL_MESH_DOUBLE; precision <= RILL_MESH_SINGLE; precision++) {
      const int single = precision == RILL_MESH_SINGLE;
      struct rill_pme_parameters p;
      double measured;
      enum rill_status status = rill_pme_choose(&model, s.molecules, CONST3(s.box), cut, accuracies[k],
                                                (enum rill_mesh_precision)precision, NULL, &p, &error);
      if (single && accuracies[k] < 2e-6) {
        ck_assert_int_eq(status, RILL_ERROR_INPUT);
        ck_assert_ptr_nonnull(strstr(error.text, "double"));
        continue;
      }
      ck_assert_msg(status == RILL_OK, "%s", error.text);
      /* Forces: all of the direct sum, less those of waves beyond its real cutoff, which are the mesh's. */
      direct(&s, (struct rill_ewald_parameters){p.beta, 0.9, 1e-6}, g); /* real and excluded */
      pass(&s, &p, rill_isa_best(), 1, f);
      {
        double *excluded = rows(s.stride);
        direct(&s, (struct rill_ewald_parameters){p.beta, 1e-6, 1e-6}, excluded);
        for (size_t n = 0; n < RILL_COORDINATES * s.stride; n++) f[n] += g[n] - excluded[n];
        rill_release(excluded);
      }
      measured = difference(&s, f, s.f, s.total);
      ck_assert_msg(measured <= accuracies[k] && measured > 0.02 * accuracies[k],
                    "%s, accuracy %g: measured %g with beta %g, order %d, grid %zu %zu %zu", box_names[_i],
                    accuracies[k], measured, p.beta, p.order, p.grid[0], p.grid[1], p.grid[2]);
    }
  rill_release(f);
  rill_release(g);
  release(&s);
}
END_TEST

/* A wish is kept, and what cannot be is refused. */
START_TEST(wishes_for_a_mesh_are_kept) {
  static const struct {
    struct rill_pme_wish wish;
    enum rill_mesh_precision precision;
    const char *refusal;
  } cases[] = {
      {{6, {0, 0, 0}}, RILL_MESH_SINGLE, NULL},
      {{12, {0, 0, 0}}, RILL_MESH_DOUBLE, NULL},
      {{0, {20, 22, 24}}, RILL_MESH_SINGLE, NULL},
      {{7, {20, 22, 24}}, RILL_MESH_DOUBLE, NULL},
      {{9, {0, 0, 0}}, RILL_MESH_SINGLE, "order 9 in single precision; expected at most 8"},
      {{0, {20, 20, 21}}, RILL_MESH_SINGLE, "21 points along c; expected an even number"},
      {{8, {20, 7, 20}}, RILL_MESH_SINGLE, "7 points along b; expected at least the order of its splines, 8"},
      {{0, {8, 8, 8}}, RILL_MESH_SINGLE, "a mesh of 8, 8, 8 points has an estimated error of"},
      {{4, {16, 16, 16}}, RILL_MESH_SINGLE, "a mesh of 16, 16, 16 points and order 4 has an estimated error of"},
      {{4, {17, 18, 18}}, RILL_MESH_SINGLE, "order 4 has an estimated error of 0.0007"},
  };
  const struct rill_water_model model = find_model();
  struct sample s = read_sample("p216");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const struct rill_pme_wish *wish = &cases[k].wish;
    struct rill_pme_parameters p;
    struct rill_pme_expectation expectation;
    rill_error_clear(&error);
    const enum rill_status status =
        rill_pme_choose(&model, s.molecules, CONST3(s.box), cut, 5e-4, cases[k].precision, wish, &p, &error);
    if (cases[k].refusal != NULL) {
      ck_assert_int_eq(status, RILL_ERROR_INPUT);
      ck_assert_msg(strstr(error.text, cases[k].refusal) != NULL, "%s", error.text);
      continue;
    }
    ck_assert_msg(status == RILL_OK, "%s", error.text);
    if (wish->order != 0) ck_assert_int_eq(p.order, wish->order);
    if (wish->grid[0] != 0) ck_assert_mem_eq(p.grid, wish->grid, sizeof p.grid);
    ck_assert_int_eq(rill_pme_expect(&model, s.molecules, CONST3(s.box), cut, &p, &expectation, &error), RILL_OK);
    ck_assert_double_le(expectation.mesh, 5e-4 / 0.85);
    if (wish->order == 0 && p.order > 4) { /* no lower order would do */
      p.order--;
      ck_assert_int_eq(rill_pme_expect(&model, s.molecules, CONST3(s.box), cut, &p, &expectation, &error), RILL_OK);
      ck_assert_double_gt(expectation.mesh, 5e-4 / 0.85);
    }
  }
  release(&s);
}
END_TEST

static double count_points(const struct rill_pme_parameters *p) {
  return (double)p->grid[0] * (double)p->grid[1] * (double)p->grid[2];
}

/* Of many molecules, whose mesh ranks may share, a mesh with few points is taken; the cheapest has 18 or more a
 * molecule in these boxes. */
START_TEST(meshes_of_many_molecules_have_few_points) {
  const struct rill_water_model model = find_model();
  for (size_t molecules = 263588; molecules < 4000000; molecules *= 2) {
    const double edge = cbrt((double)molecules / 1.2 / 33.06);
    const double box[3][3] = {{edge, 0, 0}, {0, edge, 0}, {0, 0, 1.2 * edge}};
    struct rill_pme_parameters p;
    ck_assert_int_eq(rill_pme_choose(&model, molecules, box, cut, 5e-4, RILL_MESH_SINGLE, NULL, &p, &error), RILL_OK);
    ck_assert_double_lt(count_points(&p), 15.0 * (double)molecules);
  }
}
END_TEST

/* Forces are minus the derivatives of the energy of the mesh, exactly, however coarse it is.  Central differences of
 * fourth order: their error is about 1e-8 of the force.  A mutant without the exclusion fails. */
START_TEST(forces_are_derivatives) {
  const struct rill_pme_parameters parameters = {3.4705, 4 + 2 * (_i % 2), {14, 15, 16}, RILL_MESH_DOUBLE};
  const double h = 2e-4;
  struct sample s = read_sample(_i < 2 ? "p216" : "p210_dodeca");
  double *f = rows(s.stride), *g = rows(s.stride);
  static const size_t molecules[] = {0, 77, 209};
  struct rill_team *team;
  struct rill_pme *pme = create(&s, &parameters, rill_isa_best(), 1, &team);
  rill_pme_evaluate(pme, s.q, NULL, f, NULL);
  for (size_t n = 0; n < 3; n++)
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      double *x = s.q + k * s.stride + molecules[n], here = *x, e[5], excluded[5], numerical, of_excluded;
      for (int j = -2; j <= 2; j++) {
        struct rill_pme_energies energies;
        *x = here + h * j;
        rill_pme_evaluate(pme, s.q, NULL, g, &energies);
        excluded[j + 2] = energies.excluded;
        e[j + 2] = energies.reciprocal + energies.excluded;
      }
      *x = here;
      numerical = -(e[0] - 8.0 * e[1] + 8.0 * e[3] - e[4]) / (12.0 * h);
      of_excluded = -(excluded[0] - 8.0 * excluded[1] + 8.0 * excluded[3] - excluded[4]) / (12.0 * h);
      ck_assert_double_le(fabs(numerical - f[k * s.stride + molecules[n]]), 1e-4);
      ck_assert_double_gt(fabs(numerical - of_excluded - f[k * s.stride + molecules[n]]), 1e-1);
    }
  discard(pme, team);
  rill_release(f);
  rill_release(g);
  release(&s);
}
END_TEST

/* A uniform strain of the box and the centres of mass: the molecular virial is minus the energy's derivative by it.
 * Self and excluded parts stay, as the molecules are rigid. */
START_TEST(molecular_virial_is_the_derivative_by_strain) {
  const struct rill_pme_parameters parameters = {3.0, 8, {27, 28, 30}, RILL_MESH_DOUBLE};
  static const int strains[][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 0}, {2, 0}, {2, 1}}; /* box stays lower triangular */
  const double h = 1e-5;
  const struct rill_water_model model = find_model();
  const double mass = model.mass[0] + model.mass[1] + model.mass[2];
  struct sample s = read_sample(_i == 0 ? "p216" : "p210_dodeca");
  double *f = rows(s.stride);
  struct rill_pme_energies here = pass(&s, &parameters, rill_isa_best(), 1, f);
  for (size_t n = 0; n < sizeof strains / sizeof *strains; n++) {
    const int i = strains[n][0], j = strains[n][1];
    double e[2];
    for (int side = 0; side < 2; side++) {
      const double strain = side == 0 ? -h : h;
      struct sample t = s;
      t.q = rows(s.stride);
      /* x_j += strain x_i; with box rows x, lower triangular means that b's and c's x, and c's y grow. */
      for (size_t m = 0; m < s.molecules; m++)
        for (size_t c = 0; c < 3; c++) {
          double centre = 0.0;
          for (size_t a = 0; a < RILL_ATOMS; a++)
            centre += model.mass[a] / mass * s.q[(3 * a + (size_t)i) * s.stride + m];
          for (size_t a = 0; a < RILL_ATOMS; a++)
            t.q[(3 * a + c) * s.stride + m] =
                s.q[(3 * a + c) * s.stride + m] + (c == (size_t)j ? strain * centre : 0.0);
        }
      for (int v = 0; v < 3; v++) t.box[v][j] += strain * s.box[v][i];
      e[side] = pass(&t, &parameters, rill_isa_best(), 1, f).reciprocal;
      rill_release(t.q);
    }
    /* W[i][j] = sum r_i f_j. */
    ck_assert_msg(fabs(-(e[1] - e[0]) / (2.0 * h) - here.virial_molecular[i][j]) < 2e-3, "%s %d%d: %g, not %g",
                  _i == 0 ? "p216" : "p210_dodeca", i, j, -(e[1] - e[0]) / (2.0 * h), here.virial_molecular[i][j]);
  }
  rill_release(f);
  release(&s);
}
END_TEST

/* The transforms take any length: of one factor, of small and of large ones, odd and even along a and b. */
START_TEST(any_grid_will_do) {
  const size_t grid[3] = {12 + (size_t)_i, 12 + (7 * (size_t)_i + 5) % 26, 12 + 2 * ((11 * (size_t)_i + 3) % 13)};
  const struct rill_water_model model = find_model();
  struct sample s = read_sample("p216");
  double *f = rows(s.stride), *g = rows(s.stride);
  direct_reciprocal(&s, 2.0, g);
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++)
    for (int precision = RILL_MESH_DOUBLE; precision <= RILL_MESH_SINGLE; precision++) {
      const struct rill_pme_parameters p = {2.0, 8, {grid[0], grid[1], grid[2]}, (enum rill_mesh_precision)precision};
      struct rill_pme_expectation expectation;
      double measured;
      if (!rill_isa_available((enum rill_isa)isa)) continue;
      ck_assert_int_eq(rill_pme_expect(&model, s.molecules, CONST3(s.box), cut, &p, &expectation, &error), RILL_OK);
      pass(&s, &p, (enum rill_isa)isa, 1 + _i % 3, f);
      measured = difference(&s, f, g, s.total);
      ck_assert_msg(measured < 2.0 * expectation.mesh + (precision == RILL_MESH_SINGLE ? 1e-6 : 0.0),
                    "%zu x %zu x %zu, %s: %g, not %g", grid[0], grid[1], grid[2], rill_isa_name((enum rill_isa)isa),
                    measured, expectation.mesh);
    }
  rill_release(f);
  rill_release(g);
  release(&s);
}
END_TEST

/* Bodies differ by rounding only. */
START_TEST(all_bodies_agree) {
  const int order = 4 + _i;
  struct sample s = read_sample("p210_dodeca");
  double *f = rows(s.stride), *g = rows(s.stride);
  const struct rill_pme_parameters parameters = {3.4705, order, {24, 25, 20}, RILL_MESH_DOUBLE};
  struct rill_pme_energies judge = pass(&s, &parameters, RILL_ISA_PORTABLE, 1, g);
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++)
    for (int precision = RILL_MESH_DOUBLE; precision <= RILL_MESH_SINGLE; precision++) {
      const int single = precision == RILL_MESH_SINGLE;
      struct rill_pme_parameters p = parameters;
      struct rill_pme_energies e;
      if (!rill_isa_available((enum rill_isa)isa)) continue;
      p.precision = (enum rill_mesh_precision)precision;
      if (order > rill_pme_order_max(p.precision)) continue;
      e = pass(&s, &p, (enum rill_isa)isa, 1, f);
      ck_assert_double_le(difference(&s, f, g, s.f), single ? 1e-6 : 1e-14);
      ck_assert_double_le(fabs(e.reciprocal / judge.reciprocal - 1.0), single ? 1e-5 : 1e-12);
      ck_assert_double_le(fabs(e.excluded / judge.excluded - 1.0), 1e-13);
      ck_assert_double_le(largest(CONST3(e.virial_atomic), CONST3(judge.virial_atomic)), single ? 3e-2 : 1e-7);
      ck_assert_double_le(largest(CONST3(e.virial_molecular), CONST3(judge.virial_molecular)), single ? 3e-2 : 1e-7);
    }
  rill_release(f);
  rill_release(g);
  release(&s);
}
END_TEST

/* A permutation, the same for the same seed. */
static void shuffle(uint32_t *order, size_t count, uint64_t seed) {
  for (size_t n = 0; n < count; n++) {
    size_t other;
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    other = (size_t)(seed >> 33) % (n + 1);
    order[n] = order[other];
    order[other] = (uint32_t)n;
  }
}

/* Forces and energies, with and without energies, of 1 to 4 threads, in the order that molecules have and in others;
 * more threads than planes would be, too.  Spreading in reals fails. */
START_TEST(threads_and_order_change_no_byte) {
  struct sample s = read_sample(_i % 2 == 0 ? "p895" : "p210_dodeca");
  const struct rill_pme_parameters parameters = {
      3.4705, _i < 2 ? 4 : 6, {24, 25, 18}, _i < 2 ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE};
  const size_t bytes = RILL_COORDINATES * s.stride * sizeof(double);
  double *f = rows(s.stride), *g = rows(s.stride);
  uint32_t *order = rill_allocate(s.molecules, sizeof *order);
  ck_assert_ptr_nonnull(order);
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++) {
    struct rill_pme_energies judge;
    if (!rill_isa_available((enum rill_isa)isa)) continue;
    judge = pass(&s, &parameters, (enum rill_isa)isa, 1, g);
    for (int threads = 1; threads <= 4; threads++) {
      struct rill_team *team;
      struct rill_pme *pme = create(&s, &parameters, (enum rill_isa)isa, threads, &team);
      for (int n = 0; n < 4; n++) {
        const int wanted = n % 2, ordered = n < 2;
        struct rill_pme_energies e;
        if (!ordered) shuffle(order, s.molecules, (uint64_t)(4 * threads + n));
        memset(f, 0, bytes);
        rill_pme_evaluate(pme, s.q, ordered ? NULL : order, f, wanted ? &e : NULL);
        ck_assert_int_eq(memcmp(f, g, bytes), 0);
        if (wanted) ck_assert_int_eq(memcmp(&e, &judge, sizeof e), 0);
      }
      discard(pme, team);
    }
  }
  rill_release(order);
  rill_release(f);
  rill_release(g);
  release(&s);
}
END_TEST

/* Molecules moved by lattice vectors feel the same forces: to rounding, of coordinates ten boxes away.  A move that
 * is not a lattice vector fails. */
START_TEST(images_are_alike) {
  const struct rill_pme_parameters parameters = {3.4705, 4, {20, 20, 20}, RILL_MESH_DOUBLE};
  struct sample s = read_sample("p210_dodeca");
  double *f = rows(s.stride), *g = rows(s.stride), net[3] = {0.0}, square = 0.0;
  struct rill_pme_energies a = pass(&s, &parameters, rill_isa_best(), 1, g), b;
  for (size_t m = 0; m < s.molecules; m++)
    for (size_t c = 0; c < 3; c++)
      for (size_t atom = 0; atom < RILL_ATOMS; atom++)
        for (size_t v = 0; v < 3; v++)
          s.q[(3 * atom + c) * s.stride + m] += ((double)(m * (v + 3) % 21) - 10.0) * s.box[v][c];
  b = pass(&s, &parameters, rill_isa_best(), 1, f);
  ck_assert_double_le(difference(&s, f, g, s.f), 1e-12);
  ck_assert_double_le(fabs(a.reciprocal - b.reciprocal), 1e-7);
  ck_assert_double_le(largest(CONST3(a.virial_molecular), CONST3(b.virial_molecular)), 1e-6);
  s.q[5] += 0.5 * s.box[0][0];
  pass(&s, &parameters, rill_isa_best(), 1, f);
  ck_assert_double_gt(difference(&s, f, g, s.f), 1e-3);
  /* The net force is of the size of the mesh error: of N atoms' errors, sqrt(N) times one. */
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < s.molecules; m++) {
      net[k % 3] += g[k * s.stride + m];
      square += s.total[k * s.stride + m] * s.total[k * s.stride + m];
    }
  ck_assert_double_le(sqrt((net[0] * net[0] + net[1] * net[1] + net[2] * net[2]) / square), 2e-3);
  rill_release(f);
  rill_release(g);
  release(&s);
}
END_TEST

/* Forces are added; columns beyond the molecules are left alone; molecules on a lattice, whose weights are 0 or
 * nearly, are as good as others; a position that is not a number makes its molecule's forces such, and spoils nothing
 * that is evaluated later. */
START_TEST(forces_are_added) {
  const struct rill_pme_parameters parameters = {3.4705, 4, {20, 20, 20}, RILL_MESH_SINGLE};
  for (int isa = 0; isa < RILL_ISA_COUNT && rill_isa_available((enum rill_isa)isa); isa++) {
    struct sample s = read_sample("p210_dodeca");
    double *f = rows(s.stride), *g = rows(s.stride), kept = s.q[4 * s.stride + 100];
    struct rill_team *team;
    struct rill_pme *pme = create(&s, &parameters, (enum rill_isa)isa, 2, &team);
    pass(&s, &parameters, (enum rill_isa)isa, 1, g);
    for (size_t n = 0; n < RILL_COORDINATES * s.stride; n++) f[n] = 1000.0;
    rill_pme_evaluate(pme, s.q, NULL, f, NULL);
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      for (size_t m = 0; m < s.stride; m++)
        ck_assert_double_eq(f[k * s.stride + m], m < s.molecules ? 1000.0 + g[k * s.stride + m] : 1000.0);
    for (size_t n = 0; n < 4; n++) {
      static const double bad[] = {NAN, INFINITY, 1e300, -1e22};
      s.q[4 * s.stride + 100] = bad[n];
      rill_pme_evaluate(pme, s.q, NULL, f, NULL);
      if (n < 2) ck_assert(!isfinite(f[4 * s.stride + 100]));
    }
    s.q[4 * s.stride + 100] = kept;
    memset(f, 0, RILL_COORDINATES * s.stride * sizeof *f);
    rill_pme_evaluate(pme, s.q, NULL, f, NULL);
    ck_assert_mem_eq(f, g, RILL_COORDINATES * s.stride * sizeof *f);
    discard(pme, team);
    rill_release(f);
    rill_release(g);
    release(&s);
  }
}
END_TEST

static void expect_refusal(const struct rill_water_model *model, const struct sample *s, const double box[3][3],
                           struct rill_pme_parameters p, enum rill_isa isa, const char *part) {
  struct rill_pme *pme;
  rill_error_clear(&error);
  ck_assert_int_ne(rill_pme_create(model, s->molecules, s->stride, box, &p, isa, NULL, &pme, &error), RILL_OK);
  ck_assert_ptr_null(pme);
  ck_assert_msg(strstr(error.text, part) != NULL, "\"%s\" lacks \"%s\"", error.text, part);
}

START_TEST(unusable_arguments_are_refused) {
  const struct rill_pme_parameters good = {3.4705, 4, {20, 20, 20}, RILL_MESH_SINGLE};
  struct rill_water_model model = find_model();
  struct sample s = read_sample("p216");
  struct rill_pme_parameters p;
  struct rill_ewald_energies e;
  double box[3][3];
  const struct rill_ewald_parameters ewald = rill_ewald_choose(CONST3(s.box), s.molecules, 1e-6);
  for (int k = 0; k <= 28; k++) {
    const int order = k / 2;
    p = good;
    p.precision = k % 2 == 0 ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE;
    p.order = order;
    if (order >= 4 && order <= (k % 2 == 0 ? 8 : 12)) continue;
    expect_refusal(&model, &s, CONST3(s.box), p, RILL_ISA_PORTABLE, "order");
  }
  p = good;
  p.grid[1] = 3;
  expect_refusal(&model, &s, CONST3(s.box), p, RILL_ISA_PORTABLE, "grid of 3 points along b");
  p = good;
  p.grid[2] = 21;
  expect_refusal(&model, &s, CONST3(s.box), p, RILL_ISA_PORTABLE, "21 points along c; expected an even number");
  p = good;
  p.beta = NAN;
  expect_refusal(&model, &s, CONST3(s.box), p, RILL_ISA_PORTABLE, "beta nan");
  expect_refusal(&model, &s, CONST3(s.box), good, RILL_ISA_COUNT, "kernel");
  memcpy(box, s.box, sizeof box);
  box[0][1] = 0.1;
  expect_refusal(&model, &s, CONST3(box), good, RILL_ISA_PORTABLE, "lower triangular");
  memcpy(box, s.box, sizeof box);
  box[2][2] = -box[2][2];
  expect_refusal(&model, &s, CONST3(box), good, RILL_ISA_PORTABLE, "lower triangular");
  model.charge[0] = -0.8;
  expect_refusal(&model, &s, CONST3(s.box), good, RILL_ISA_PORTABLE, "neutral");
  ck_assert_int_eq(rill_ewald_evaluate(&model, s.molecules, s.stride, CONST3(s.box), &ewald, s.q, s.f, &e, &error),
                   RILL_ERROR_INPUT);
  s.molecules = 0;
  expect_refusal(&model, &s, CONST3(s.box), good, RILL_ISA_PORTABLE, "molecule");
  model = find_model();
  s.molecules = s.stride = 40000000;
  expect_refusal(&model, &s, CONST3(s.box), good, RILL_ISA_PORTABLE,
                 "40000000 molecules on a mesh; expected at most 2");
  release(&s);
}
END_TEST

/* The sum for some molecules alone is the whole sum's, whatever the number of threads. */
START_TEST(a_sample_has_the_forces_of_the_whole) {
  const struct rill_water_model model = find_model();
  struct sample s = read_sample(box_names[_i]);
  const struct rill_positions q = rill_positions_in_columns(s.q, s.stride);
  const size_t sample[] = {0, 3, s.molecules / 2, s.molecules - 1};
  enum { COUNT = 4 };
  double *f = rows(s.stride), some[9 * COUNT], again[9 * COUNT], energies[COUNT], *all, *shares, sum = 0.0;
  size_t *each;
  direct(&s, rill_ewald_choose(CONST3(s.box), s.molecules, 1e-12), f);
  for (int threads = 1; threads <= 3; threads++) {
    double *to = threads == 1 ? some : again;
    ck_assert_int_eq(rill_ewald_sample(&model, s.molecules, CONST3(s.box), 1e-12, &q, sample, COUNT, threads, to,
                                       energies, &error),
                     RILL_OK);
    ck_assert_mem_eq(some, to, sizeof some);
  }
  for (size_t k = 0; k < COUNT; k++)
    for (size_t c = 0; c < 9; c++) /* of forces of 1000 */
      ck_assert_double_le(fabs(some[9 * k + c] - f[c * s.stride + sample[k]]), 1e-7);
  /* All molecules' shares of the energy are the energy, the reference's; four of them have the same among all. */
  if (s.molecules < 300) {
    each = rill_allocate(s.molecules, sizeof *each);
    shares = rill_allocate(s.molecules, sizeof *shares);
    all = rill_allocate(9 * s.molecules, sizeof *all);
    ck_assert(each != NULL && shares != NULL && all != NULL);
    for (size_t m = 0; m < s.molecules; m++) each[m] = m;
    ck_assert_int_eq(
        rill_ewald_sample(&model, s.molecules, CONST3(s.box), 1e-12, &q, each, s.molecules, 1, all, shares, &error),
        RILL_OK);
    for (size_t m = 0; m < s.molecules; m++) sum += shares[m];
    ck_assert_double_le(fabs(sum / s.coulomb - 1.0), 1e-10);
    for (size_t k = 0; k < COUNT; k++) ck_assert_double_le(fabs(shares[sample[k]] - energies[k]), 1e-6);
    rill_release(each);
    rill_release(shares);
    rill_release(all);
  }
  rill_release(f);
  release(&s);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ewald");
  TCase *longer = rill_long_cases(suite, 120);
  TCase *sums = tcase_create("direct"), *mesh = tcase_create("mesh");
  tcase_set_timeout(sums, 120);
  tcase_set_timeout(mesh, 120);
  tcase_add_loop_test(sums, direct_sum_agrees_with_the_reference, 0, BOXES);
  tcase_add_loop_test(sums, parts_of_the_direct_sum_agree, 0, BOXES);
  tcase_add_loop_test(sums, a_sample_has_the_forces_of_the_whole, 0, BOXES);
  tcase_add_loop_test(mesh, mesh_converges_with_its_order, 0, BOXES);
  tcase_add_test(mesh, errors_are_as_expected);
  tcase_add_test(mesh, wishes_for_a_mesh_are_kept);
  tcase_add_test(mesh, meshes_of_many_molecules_have_few_points);
  tcase_add_loop_test(mesh, forces_are_derivatives, 0, 4);
  tcase_add_loop_test(mesh, molecular_virial_is_the_derivative_by_strain, 0, 2);
  tcase_add_loop_test(mesh, any_grid_will_do, 0, 26);
  tcase_add_loop_test(mesh, all_bodies_agree, 0, 9);
  tcase_add_loop_test(mesh, threads_and_order_change_no_byte, 0, 4);
  tcase_add_test(mesh, images_are_alike);
  tcase_add_test(mesh, forces_are_added);
  tcase_add_test(mesh, unusable_arguments_are_refused);
  tcase_add_loop_test(longer, mesh_reaches_the_direct_sum, 0, BOXES);
  tcase_add_loop_test(longer, chosen_parameters_have_the_accuracy, 0, BOXES);
  suite_add_tcase(suite, sums);
  suite_add_tcase(suite, mesh);
  return rill_run_suite(suite);
}
