/* Forces of four-site water: against an independent program, against derivatives, with the site at the oxygen against
 * three sites, kernels against the plain loops, and what must not change a byte. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/units.h"
#include "structure/structure.h"
#include "suite.h"
#include "water/forces/derivative.h"
#include "water/model/site.h"
#include "water/pme/accuracy.h"
#include "water/pme/ewald.h"
#include "water/water_field.h"

enum { LINE = 512, MODELS = 5 };
static const char *const names[MODELS] = {"tip4p", "tip4p-ew", "tip4p-2005", "opc", "tip4p-fb"};

/* So small a weight leaves the site at the oxygen, to the last bit; but the model has a site. */
static const double at_the_oxygen = 1e-300;

static struct rill_error error;

struct sample {
  size_t molecules, stride;
  double box[3][3];
  double *q, *f;
};

static void ok(enum rill_status status) { ck_assert_msg(status == RILL_OK, "%s", error.text); }

static struct rill_water_model find_model(const char *name) {
  struct rill_water_model model;
  ok(rill_water_model_find(name, 0.0, &model, &error));
  return model;
}

static double *rows(size_t stride) {
  double *made = rill_allocate(RILL_COORDINATES * stride, sizeof *made);
  ck_assert_ptr_nonnull(made);
  return made;
}

static struct sample make(size_t molecules) {
  struct sample s = {.molecules = molecules, .stride = rill_padded(molecules)};
  s.q = rows(s.stride);
  s.f = rows(s.stride);
  /* What stands beyond the molecules must not matter. */
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = molecules; m < s.stride; m++) s.q[k * s.stride + m] = NAN;
  return s;
}

static void release(struct sample *s) {
  rill_release(s->q);
  rill_release(s->f);
}

/* A structure of the tests, rebuilt for the model. */
static struct sample read_sample(const char *name, const struct rill_water_model *model) {
  char path[LINE];
  struct rill_structure structure;
  struct sample s;
  snprintf(path, sizeof path, "%s/tests/data/structures/%s.xyz", RILL_SOURCE_DIR, name);
  ok(rill_structure_read(path, &structure, &error));
  ok(rill_water_rigidify(model, structure.positions, structure.molecules, &error));
  s = make(structure.molecules);
  for (size_t m = 0; m < s.molecules; m++)
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      s.q[k * s.stride + m] = structure.positions[RILL_COORDINATES * m + k];
  memcpy(s.box, structure.box, sizeof s.box);
  rill_structure_release(&structure);
  return s;
}

/* The first molecules of a box, as a cluster. */
static struct sample cluster_of(size_t molecules, const struct rill_water_model *model) {
  struct sample box = read_sample(molecules > 216 ? "p895" : "p216", model), s = make(molecules);
  ck_assert_uint_le(molecules, box.molecules);
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    memcpy(s.q + k * s.stride, box.q + k * box.stride, molecules * sizeof *s.q);
  release(&box);
  return s;
}

static struct rill_field_options vacuum(void) {
  return (struct rill_field_options){.isa = rill_isa_best(), .threads = 1};
}

/* A mesh whose error is below 1e-9 of the forces. */
static struct rill_field_options periodic(const struct sample *s) {
  struct rill_field_options options = {.periodic = true, .isa = rill_isa_best(), .threads = 1};
  options.box = (struct rill_periodic_options){
      .cutoff = 0.9, .coulomb = RILL_COULOMB_EWALD, .by_atom = 1, .beta = 5.2, .lj = RILL_LJ_CUT, .switch_from = 0.7};
  options.mesh = (struct rill_pme_parameters){.order = 12, .grid = {54, 54, 54}};
  memcpy(options.box.box, s->box, sizeof s->box);
  return options;
}

static struct rill_field_energies evaluate(const struct rill_water_model *model, struct sample *s,
                                           const struct rill_field_options *options) {
  struct rill_field_energies energies;
  struct rill_water_field *field;
  ok(rill_water_field_create(model, s->molecules, s->stride, options, &field, &error));
  ok(rill_water_field_evaluate(field, s->q, s->f, &energies, &error));
  rill_water_field_destroy(field);
  return energies;
}

static double *copy_forces(const struct sample *s) {
  double *copy = rows(s->stride);
  memcpy(copy, s->f, RILL_COORDINATES * s->stride * sizeof *copy);
  return copy;
}

/* The largest difference from other forces, relative to the root mean square of those. */
static double off(const struct sample *s, const double *expected) {
  double largest = 0.0, square = 0.0;
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < s->molecules; m++) {
      const size_t at = k * s->stride + m;
      if (!(fabs(s->f[at] - expected[at]) <= largest)) largest = fabs(s->f[at] - expected[at]);
      square += expected[at] * expected[at];
    }
  if (largest == 0.0) return 0.0; /* one molecule */
  return largest / sqrt(square / (double)(RILL_COORDINATES * s->molecules));
}

static void near(const char *what, double found, double expected, double tolerance) {
  ck_assert_msg(fabs(found - expected) <= tolerance, "%s: %.15g, expected %.15g within %g", what, found, expected,
                tolerance);
}

static FILE *open_data(const char *name) {
  char path[LINE];
  FILE *file;
  snprintf(path, sizeof path, "%s/tests/data/energies/%s", RILL_SOURCE_DIR, name);
  file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s", path);
  return file;
}

/* ---- the site ---- */

/* M is on the bisector, r_OM from the oxygen; its charges have the molecule's dipole moment in the file's charges
 * too. */
START_TEST(site_is_on_the_bisector) {
  static const double om[MODELS] = {0.0150, 0.0125, 0.01546, 0.015939833, 0.010527446};
  const struct rill_water_model model = find_model(names[_i]);
  struct sample s = read_sample("c007_liq", &model);
  double charge[RILL_ATOMS], *x = rows(s.stride);
  rill_site_place(model.site_weight, s.stride, 0, s.molecules, s.q, x);
  rill_site_effective_charges(&model, charge);
  for (size_t m = 0; m < s.molecules; m++) {
    double r2 = 0.0, turned = 0.0, bisector2 = 0.0;
    for (size_t c = 0; c < 3; c++) {
      const double *o = s.q + c * s.stride + m, b = o[3 * s.stride] + o[6 * s.stride] - 2.0 * o[0];
      const double to_m = x[c * s.stride + m] - o[0];
      double dipole = 0.0, effective = 0.0;
      r2 += to_m * to_m;
      turned += to_m * b;
      bisector2 += b * b;
      for (size_t a = 0; a < RILL_ATOMS; a++) {
        dipole += model.charge[a] * x[(3 * a + c) * s.stride + m];
        effective += charge[a] * s.q[(3 * a + c) * s.stride + m];
      }
      near("dipole", effective, dipole, 1e-15);
    }
    near("distance", sqrt(r2), om[_i], 1e-8);
    near("direction", turned / sqrt(r2 * bisector2), 1.0, 1e-12);
  }
  rill_release(x);
  release(&s);
}
END_TEST

/* The charges as a molecule of their own: its bonds, and its centre of mass. */
START_TEST(charges_are_a_molecule) {
  const struct rill_water_model model = find_model(names[_i]), charges = rill_water_charges(&model);
  struct sample s = read_sample("c007_liq", &model);
  double *x = rows(s.stride);
  static const size_t ends[RILL_BONDS][2] = {{0, 1}, {0, 2}, {1, 2}};
  const double mass = model.mass[0] + 2.0 * model.mass[1];
  rill_site_place(model.site_weight, s.stride, 0, s.molecules, s.q, x);
  for (size_t b = 0; b < RILL_BONDS; b++) {
    double r2 = 0.0;
    for (size_t c = 0; c < 3; c++)
      r2 += pow(x[(3 * ends[b][0] + c) * s.stride] - x[(3 * ends[b][1] + c) * s.stride], 2.0);
    near("bond", charges.bond[b], sqrt(r2), 1e-12);
  }
  near("mass", charges.mass[0] + charges.mass[1] + charges.mass[2], mass, 1e-13);
  for (size_t c = 0; c < 3; c++) {
    double centre = 0.0, of_charges = 0.0;
    for (size_t a = 0; a < RILL_ATOMS; a++) {
      centre += model.mass[a] / mass * s.q[(3 * a + c) * s.stride];
      of_charges += charges.mass[a] / mass * x[(3 * a + c) * s.stride];
    }
    near("centre of mass", of_charges, centre, 1e-14);
  }
  rill_release(x);
  release(&s);
}
END_TEST

/* ---- against the independent program ---- */

/* Compares the forces of a structure and model that the file has; returns their number. */
static size_t compare_forces(const char *structure, const char *model, const struct sample *s, double tolerance) {
  FILE *file = open_data("four_sites_forces.csv");
  char line[LINE], name[32], of[32];
  size_t count = 0, m, a;
  double f[3];
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "%31[^,],%31[^,],%zu,%zu,%lf,%lf,%lf", name, of, &m, &a, f, f + 1, f + 2) != 7) continue;
    if (strcmp(name, structure) != 0 || strcmp(of, model) != 0) continue;
    for (size_t c = 0; c < 3; c++) near(line, s->f[(3 * a + c) * s->stride + m], f[c], tolerance);
    count++;
  }
  fclose(file);
  return count;
}

/* Structures have ten decimals of an Angstrom, so that both programs rebuild the same molecules. */
static void compare_with_data(const char *structure, bool in_box, const struct rill_field_options *of,
                              double tolerance) {
  FILE *file = open_data("four_sites.csv");
  char line[LINE], name[32], model_name[32];
  double coulomb, lj;
  int models = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "%31[^,],%31[^,],%lf,%lf", name, model_name, &coulomb, &lj) != 4) continue;
    if (strcmp(name, structure) != 0) continue;
    const struct rill_water_model model = find_model(model_name);
    struct sample s = read_sample(name, &model);
    struct rill_field_options options = in_box ? periodic(&s) : vacuum();
    options.reference = of->reference;
    options.isa = of->isa;
    options.box.precision = of->box.precision;
    const struct rill_field_energies e = evaluate(&model, &s, &options);
    near(line, e.coulomb, coulomb, tolerance * fabs(coulomb));
    near(line, e.lj, lj, tolerance * fabs(lj));
    ck_assert_uint_ge(compare_forces(name, model_name, &s, tolerance * 1000.0), in_box ? 108 : 3 * s.molecules);
    release(&s);
    models++;
  }
  fclose(file);
  ck_assert_int_eq(models, MODELS);
}

static const char *const clusters[] = {"c002_min", "c007_liq", "c020_a"};

/* In single precision a pair's nine terms, of up to 700 kJ/mol, cancel to a few. */
START_TEST(agrees_with_independent_program) {
  for (int c = 0; c < 3; c++)
    for (int isa = -1; isa < RILL_ISA_COUNT; isa++) {
      struct rill_field_options options = {.reference = isa < 0, .isa = isa < 0 ? 0 : (enum rill_isa)isa};
      if (!rill_isa_available(options.isa)) continue;
      compare_with_data(clusters[c], false, &options, 1e-10);
      options.box.precision = RILL_PRECISION_MIXED;
      if (isa >= 0) compare_with_data(clusters[c], false, &options, 5e-5);
    }
}
END_TEST

START_TEST(box_agrees_with_independent_program) {
  struct rill_field_options options = {.reference = _i == 0, .isa = rill_isa_best()};
  compare_with_data("p216", true, &options, 1e-8);
}
END_TEST

/* A site that is off by a thousandth of its distance shows. */
START_TEST(mutants_are_seen) {
  struct rill_water_model model = find_model("tip4p-2005");
  struct sample s = read_sample("c007_liq", &model);
  const struct rill_field_options options = vacuum();
  double *f;
  const struct rill_field_energies e = evaluate(&model, &s, &options);
  f = copy_forces(&s);
  model.site_weight *= 1.001;
  ck_assert_double_gt(fabs(evaluate(&model, &s, &options).coulomb / e.coulomb - 1.0), 1e-5);
  ck_assert_double_gt(off(&s, f), 1e-5);
  rill_release(f);
  release(&s);
}
END_TEST

/* ---- three sites ---- */

/* Kinds of fields: all pairs, cut ones of a cluster, Ewald's in a box, each by every kernel. */
enum { ALL, OPEN, BOX, KINDS };

static struct rill_field_options kind_of(int kind, const struct sample *s, int variant) {
  struct rill_field_options options = kind == BOX ? periodic(s) : vacuum();
  if (kind == OPEN)
    options.box = (struct rill_periodic_options){
        .open = 1, .cutoff = 0.9, .coulomb = RILL_COULOMB_REACTION_FIELD, .switch_from = 0.7};
  options.box.lj = (enum rill_lj_kind)(variant % 3);
  options.box.by_atom = variant % 2;
  return options;
}

/* Calls back for each kernel of the machine, the plain loops first. */
static void for_kernels(struct rill_field_options options, void (*call)(const struct rill_field_options *, void *),
                        void *context) {
  options.reference = true;
  call(&options, context);
  options.reference = false;
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++) {
    options.isa = (enum rill_isa)isa;
    if (!rill_isa_available(options.isa)) continue;
    for (int mixed = 0; mixed < 2; mixed++) {
      struct rill_field_options of = options;
      of.box.precision = mixed ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE;
      of.mesh.precision = mixed ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE;
      if (of.mesh.order > rill_pme_order_max(of.mesh.precision))
        of.mesh.order = rill_pme_order_max(of.mesh.precision);
      call(&of, context);
    }
  }
}

struct comparison {
  const struct rill_water_model *model, *judge;
  struct sample *sample;
  double *expected; /* once known, the plain loops' */
  struct rill_field_energies energies;
};

static bool is_mixed(const struct rill_field_options *options) {
  return !options->reference && options->box.precision == RILL_PRECISION_MIXED;
}

static void same_as_three(const struct rill_field_options *options, void *context) {
  struct comparison *c = context;
  const struct rill_field_energies judge = evaluate(c->judge, c->sample, options);
  double *f = copy_forces(c->sample);
  const struct rill_field_energies e = evaluate(c->model, c->sample, options);
  const double tolerance = is_mixed(options) ? 1e-5 : 1e-10, scale = 50.0 * (double)c->sample->molecules;
  near("Coulomb", e.coulomb, judge.coulomb, tolerance * scale);
  near("Lennard-Jones", e.lj, judge.lj, tolerance * scale);
  for (int k = 0; k < 9; k++) near("virial", e.virial[k / 3][k % 3], judge.virial[k / 3][k % 3], tolerance * scale);
  ck_assert_msg(off(c->sample, f) < tolerance, "%s: forces differ by %g", rill_isa_name(options->isa),
                off(c->sample, f));
  rill_release(f);
}

START_TEST(site_at_the_oxygen_is_three_sites) {
  static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 200};
  const struct rill_water_model three = find_model("tip3p");
  struct rill_water_model four = three;
  four.site_weight = at_the_oxygen;
  for (size_t k = 0; k < (_i == BOX ? 1 : sizeof sizes / sizeof *sizes); k++) {
    struct sample s = _i == BOX ? read_sample("p216", &three) : cluster_of(sizes[k], &three);
    struct comparison c = {.model = &four, .judge = &three, .sample = &s};
    for (int variant = 0; variant < (_i == ALL ? 1 : 6); variant++)
      for_kernels(kind_of(_i, &s, variant), same_as_three, &c);
    release(&s);
  }
}
END_TEST

/* ---- kernels ---- */

static void same_as_plain_loops(const struct rill_field_options *options, void *context) {
  struct comparison *c = context;
  const struct rill_field_energies e = evaluate(c->model, c->sample, options);
  const double tolerance = is_mixed(options) ? 1e-4 : 1e-9, scale = 50.0 * (double)c->sample->molecules;
  if (c->expected == NULL) {
    c->expected = copy_forces(c->sample);
    c->energies = e;
    return;
  }
  ck_assert_msg(off(c->sample, c->expected) < (options->periodic ? 3.0 : 1.0) * tolerance,
                "%s%s: forces differ by %g", rill_isa_name(options->isa), is_mixed(options) ? ", mixed" : "",
                off(c->sample, c->expected));
  near("Coulomb", e.coulomb, c->energies.coulomb, tolerance * scale);
  near("Lennard-Jones", e.lj, c->energies.lj, tolerance * scale);
  for (int k = 0; k < 9; k++)
    near("virial", e.virial[k / 3][k % 3], c->energies.virial[k / 3][k % 3], tolerance * scale);
}

START_TEST(kernels_agree_with_plain_loops) {
  const struct rill_water_model model = find_model(names[_i / KINDS]);
  const int kind = _i % KINDS;
  struct sample s = kind == BOX ? read_sample("p216", &model) : cluster_of(kind == ALL ? 33 : 200, &model);
  for (int variant = 0; variant < (kind == ALL ? 1 : 6); variant++) {
    struct comparison c = {.model = &model, .sample = &s};
    for_kernels(kind_of(kind, &s, variant), same_as_plain_loops, &c);
    rill_release(c.expected);
  }
  release(&s);
}
END_TEST

/* ---- derivatives ---- */

static double potential(const struct rill_water_model *model, struct sample *s,
                        const struct rill_field_options *options) {
  const struct rill_field_energies e = evaluate(model, s, options);
  return e.lj + e.coulomb;
}

/* Central differences: h2 times third derivatives, and the energy's rounding over h, leave about 1e-3. */
START_TEST(forces_are_the_gradient) {
  const int kind = _i % KINDS;
  const struct rill_water_model model = find_model(names[_i / KINDS]);
  struct sample s = kind == BOX ? read_sample("p216", &model) : cluster_of(20, &model);
  struct rill_field_options options = kind_of(kind, &s, 2);
  const double h = 2e-5;
  double *f;
  if (kind == OPEN) options.box.cutoff = 5.0; /* energies have no step there */
  options.box.by_atom = 1;
  evaluate(&model, &s, &options);
  f = copy_forces(&s);
  for (size_t k = 0; k < RILL_COORDINATES; k++) {
    double *x = s.q + k * s.stride + 7 * k % s.molecules, old = *x, energy[2];
    for (int side = 0; side < 2; side++) {
      *x = old + (side == 0 ? -h : h);
      energy[side] = potential(&model, &s, &options);
    }
    *x = old;
    near("force", f[x - s.q], -(energy[1] - energy[0]) / (2.0 * h), 2e-3);
  }
  rill_release(f);
  release(&s);
}
END_TEST

/* The analytic derivative of the forces along a direction in which bonds stretch too. */
START_TEST(derivative_is_that_of_the_forces) {
  const struct rill_water_model model = find_model(names[_i]);
  struct sample s = cluster_of(9, &model);
  const struct rill_field_options options = vacuum();
  double *u = rows(s.stride), *out = rows(s.stride), *below, *work = rill_allocate(18 * s.stride, sizeof *work);
  const double h = 1e-6;
  double largest = 0.0;
  ck_assert_ptr_nonnull(work);
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < s.molecules; m++) u[k * s.stride + m] = sin(1.0 + (double)(7 * m + 3 * k));
  rill_water_forces_derivative(&model, s.molecules, s.stride, s.q, u, work, out);
  for (size_t i = 0; i < RILL_COORDINATES * s.stride; i++) s.q[i] -= h * u[i];
  evaluate(&model, &s, &options);
  below = copy_forces(&s);
  for (size_t i = 0; i < RILL_COORDINATES * s.stride; i++) s.q[i] += 2.0 * h * u[i];
  evaluate(&model, &s, &options);
  for (size_t i = 0; i < RILL_COORDINATES * s.stride; i++) largest = fmax(largest, fabs(out[i]));
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < s.molecules; m++) {
      const size_t i = k * s.stride + m;
      near("derivative", out[i], (s.f[i] - below[i]) / (2.0 * h), 1e-7 * largest);
    }
  rill_release(u);
  rill_release(out);
  rill_release(below);
  rill_release(work);
  release(&s);
}
END_TEST

/* Box and centres of mass strained, x_j += strain x_i, molecules rigid: dE/d strain = -virial. */
START_TEST(virial_is_the_derivative_by_strain) {
  static const int strains[][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 0}, {2, 0}, {2, 1}}; /* the box stays a triangle */
  const struct rill_water_model model = find_model(names[_i]);
  const double mass = model.mass[0] + 2.0 * model.mass[1], h = 1e-5;
  struct sample s = read_sample("p216", &model), t = make(s.molecules);
  struct rill_field_options options = kind_of(BOX, &s, 2);
  const struct rill_field_energies here = evaluate(&model, &s, &options);
  for (size_t n = 0; n < sizeof strains / sizeof *strains; n++) {
    const size_t i = (size_t)strains[n][0], j = (size_t)strains[n][1];
    double energy[2];
    for (int side = 0; side < 2; side++) {
      const double strain = side == 0 ? -h : h;
      memcpy(t.q, s.q, RILL_COORDINATES * s.stride * sizeof *s.q);
      memcpy(options.box.box, s.box, sizeof s.box);
      for (size_t v = 0; v < 3; v++) options.box.box[v][j] += strain * s.box[v][i];
      for (size_t m = 0; m < s.molecules; m++) {
        double centre = 0.0;
        for (size_t a = 0; a < RILL_ATOMS; a++) centre += model.mass[a] / mass * s.q[(3 * a + i) * s.stride + m];
        for (size_t a = 0; a < RILL_ATOMS; a++) t.q[(3 * a + j) * s.stride + m] += strain * centre;
      }
      energy[side] = potential(&model, &t, &options);
    }
    near("virial", here.virial[i][j], -(energy[1] - energy[0]) / (2.0 * h), 0.05);
  }
  release(&s);
  release(&t);
}
END_TEST

/* ---- laws ---- */

START_TEST(momentum_and_torque_are_kept) {
  const struct rill_water_model model = find_model(names[_i]);
  struct sample s = cluster_of(33, &model);
  const struct rill_field_options options = vacuum();
  double force[3] = {0}, torque[3] = {0}, size = 0.0;
  evaluate(&model, &s, &options);
  for (size_t a = 0; a < RILL_ATOMS; a++)
    for (size_t m = 0; m < s.molecules; m++)
      for (size_t c = 0; c < 3; c++) {
        const size_t d = (c + 1) % 3, e = (c + 2) % 3, at = 3 * a * s.stride + m;
        force[c] += s.f[at + c * s.stride];
        torque[c] +=
            s.q[at + d * s.stride] * s.f[at + e * s.stride] - s.q[at + e * s.stride] * s.f[at + d * s.stride];
        size += fabs(s.f[at + c * s.stride]);
      }
  for (int c = 0; c < 3; c++) {
    near("sum of forces", force[c], 0.0, 1e-14 * size);
    near("sum of torques", torque[c], 0.0, 1e-14 * size);
  }
  release(&s);
}
END_TEST

START_TEST(same_bytes_for_any_threads) {
  const struct rill_water_model model = find_model("tip4p-2005");
  struct sample s = _i % 2 == 0 ? cluster_of(300, &model) : read_sample("p895", &model);
  struct rill_field_options options = _i % 2 == 0 ? vacuum() : periodic(&s);
  double *f;
  options.box.precision = _i / 2 == 0 ? RILL_PRECISION_DOUBLE : RILL_PRECISION_MIXED;
  evaluate(&model, &s, &options);
  f = copy_forces(&s);
  for (options.threads = 2; options.threads <= 5; options.threads++) {
    evaluate(&model, &s, &options);
    ck_assert_mem_eq(f, s.f, RILL_COORDINATES * s.stride * sizeof *f);
  }
  rill_release(f);
  release(&s);
}
END_TEST

/* ---- the estimate of the mesh's accuracy ---- */

/* As for TIP3P: what is chosen is measured to be within the accuracy, and not twice as fine as it needs to be. */
START_TEST(chosen_mesh_has_the_accuracy) {
  const struct rill_water_model model = find_model(names[_i]);
  struct sample s = read_sample("p895", &model);
  const struct rill_pme_cut cut = {0.9, 1};
  const size_t n = s.molecules;
  for (int k = 0; k < 2; k++) {
    const double accuracy = k == 0 ? 1e-3 : 1e-5;
    struct rill_field_options options = periodic(&s);
    struct rill_ewald_energies energies;
    double *f;
    const double(*box)[3] = (const double(*)[3])s.box;
    const struct rill_ewald_parameters direct = rill_ewald_choose(box, n, 0.01 * accuracy);
    ok(rill_pme_choose(&model, n, box, cut, accuracy, RILL_MESH_DOUBLE, NULL, &options.mesh, &error));
    options.box.beta = options.mesh.beta;
    struct rill_water_model charged = model;
    charged.c12 = charged.c6 = 0.0;
    evaluate(&charged, &s, &options);
    f = copy_forces(&s);
    ok(rill_ewald_evaluate(&model, n, s.stride, box, &direct, s.q, s.f, &energies, &error));
    {
      double square = 0.0;
      for (size_t c = 0; c < RILL_COORDINATES; c++)
        for (size_t m = 0; m < n; m++) square += pow(f[c * s.stride + m] - s.f[c * s.stride + m], 2.0);
      const double rms = sqrt(square / (double)(RILL_ATOMS * n)) / rill_liquid_force;
      ck_assert_msg(rms < 1.1 * accuracy && rms > 0.3 * accuracy, "%s at %g: %g", names[_i], accuracy, rms);
    }
    rill_release(f);
  }
  release(&s);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("four sites");
  TCase *cases = tcase_create("forces"), *longer = rill_long_cases(suite, 120);
  suite_add_tcase(suite, cases);
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, site_is_on_the_bisector, 0, MODELS);
  tcase_add_loop_test(cases, charges_are_a_molecule, 0, MODELS);
  tcase_add_test(cases, agrees_with_independent_program);
  tcase_add_loop_test(cases, box_agrees_with_independent_program, 0, 2);
  tcase_add_test(cases, mutants_are_seen);
  tcase_add_loop_test(cases, site_at_the_oxygen_is_three_sites, 0, BOX);
  tcase_add_loop_test(cases, kernels_agree_with_plain_loops, 2 * KINDS, 4 * KINDS); /* tip4p-2005, opc */
  tcase_add_loop_test(cases, forces_are_the_gradient, 2 * KINDS, 4 * KINDS);
  tcase_add_loop_test(cases, derivative_is_that_of_the_forces, 0, MODELS);
  tcase_add_loop_test(cases, momentum_and_torque_are_kept, 0, MODELS);
  tcase_add_loop_test(cases, same_bytes_for_any_threads, 0, 4);
  tcase_add_loop_test(longer, site_at_the_oxygen_is_three_sites, BOX, KINDS);
  tcase_add_loop_test(longer, virial_is_the_derivative_by_strain, 2, 4);
  tcase_add_loop_test(longer, chosen_mesh_has_the_accuracy, 2, 4);
  return rill_run_suite(suite);
}
