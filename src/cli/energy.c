/* rill energy: energies and forces of a structure. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/setup.h"
#include "cli/written.h"
#include "water/forces/forces.h"
#include "water/flows/flows.h"

struct evaluation {
  struct rill_water_model model;
  struct rill_structure structure;
  struct rill_water_energies energies;
  double stiffness;            /* of the penalty, sqrt(kJ/mol)/nm2; 0: none */
  double penalty;              /* kJ/mol */
  double *forces;              /* [molecules][3][3], kJ/mol/nm */
  double molecular_virial;     /* kJ/mol: sum over molecules of R . F */
  double largest_force;        /* component, kJ/mol/nm */
  double deviation;            /* of the geometry, as read */
};

static const double contact = 0.01; /* nm */

/* Two atoms of different molecules at one place: the pair that is nearest. */
static enum rill_status refuse_contact(const struct evaluation *e, struct rill_error *error) {
  const double *positions = e->structure.positions;
  size_t first = 0, second = 0;
  double least = INFINITY;
  for (size_t i = 3; i < 3 * e->structure.molecules; i++)
    for (size_t j = 0; j < i - i % 3; j++) {
      double distance = hypot(hypot(positions[3 * i] - positions[3 * j], positions[3 * i + 1] - positions[3 * j + 1]),
                              positions[3 * i + 2] - positions[3 * j + 2]);
      if (!(distance < least)) continue;
      least = distance;
      first = j / 3;
      second = i / 3;
    }
  if (!(least < contact))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "the energy is not finite; are the coordinates in nm (XYZ, PDB: A)?");
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "the energy is not finite: molecules %zu and %zu lie on top of each other, with atoms %.3g "
                        "nm apart; move "
                        "one of the two away",
                        first + 1, second + 1, least);
}

/* The bonds' energy, and their forces to f. */
static enum rill_status add_penalty(struct evaluation *e, const double *q, double *f, size_t stride,
                                    struct rill_error *error) {
  struct rill_penalty penalty;
  double *stiff = rill_allocate(9 * stride, sizeof *stiff);
  enum rill_status status = rill_penalty_create(&e->model, e->stiffness, &penalty, error);
  if (stiff == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the bonds' forces");
  if (status == RILL_OK) {
    e->penalty = rill_penalty_energy(&penalty, e->structure.molecules, stride, q);
    rill_water_flow_table(rill_isa_best())
        ->stiff_product(&penalty, (struct rill_range){0, stride}, stride, true, q, NULL, stiff,
                        e->structure.molecules);
    for (size_t i = 0; i < 9 * stride; i++) f[i] += stiff[i];
  }
  rill_release(stiff);
  return status;
}

/* Structure of arrays and back. */
static enum rill_status evaluate(struct evaluation *e, struct rill_error *error) {
  size_t n = e->structure.molecules, stride = rill_padded(n);
  double *q = rill_allocate(18 * stride, sizeof *q), *f = q != NULL ? q + 9 * stride : NULL;
  struct rill_water_forces *forces = NULL;
  enum rill_status status;
  e->forces = rill_allocate(9 * n, sizeof *e->forces);
  if (q == NULL || e->forces == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", n);
    goto done;
  }
  status = rill_water_forces_create(&e->model, n, stride, 0, rill_isa_best(), 1, &forces, error);
  if (status != RILL_OK) goto done;
  for (size_t m = 0; m < n; m++)
    for (size_t k = 0; k < 9; k++) q[k * stride + m] = e->structure.positions[9 * m + k];
  rill_water_forces_evaluate(forces, q, f, &e->energies);
  if (e->stiffness > 0) status = add_penalty(e, q, f, stride, error);
  if (status != RILL_OK) goto done;
  for (size_t m = 0; m < n; m++) {
    double total = e->model.mass[0] + e->model.mass[1] + e->model.mass[2];
    for (size_t c = 0; c < 3; c++) {
      double centre = 0, force = 0;
      for (size_t a = 0; a < 3; a++) {
        double component = f[(3 * a + c) * stride + m];
        e->forces[9 * m + 3 * a + c] = component;
        if (!(fabs(component) <= e->largest_force)) e->largest_force = fabs(component);
        centre += e->model.mass[a] / total * e->structure.positions[9 * m + 3 * a + c];
        force += component;
      }
      e->molecular_virial += centre * force;
    }
  }
  if (!isfinite(e->energies.lj + e->energies.coulomb + e->largest_force)) status = refuse_contact(e, error);
done:
  rill_water_forces_destroy(forces);
  rill_release(q);
  return status;
}

/* Atoms in the file's order. */
static enum rill_status write_forces(const char *path, const struct evaluation *e, struct rill_error *error) {
  size_t atoms = 3 * e->structure.molecules, *at = rill_allocate(atoms, sizeof *at);
  FILE *stream;
  if (at == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu atoms", atoms);
  for (size_t i = 0; i < atoms; i++) at[e->structure.file_atom != NULL ? e->structure.file_atom[i] : i] = i;
  stream = fopen(path, "w");
  if (stream == NULL) {
    rill_release(at);
    return rill_error_set(error, RILL_ERROR_OUTPUT, "%s cannot be written: %s", path, strerror(errno));
  }
  fputs("atom,fx,fy,fz\n", stream);
  for (size_t i = 0; i < atoms; i++)
    fprintf(stream, "%zu,%.17g,%.17g,%.17g\n", i + 1, e->forces[3 * at[i]], e->forces[3 * at[i] + 1],
            e->forces[3 * at[i] + 2]);
  rill_release(at);
  if (ferror(stream) | fclose(stream))
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: writing failed: %s", path, strerror(errno));
  return RILL_OK;
}

static void print_json(const struct evaluation *e) {
  printf("{\n  \"molecules\": %zu,\n  \"atoms\": %zu,\n  \"model\": \"%s\",\n  \"boundary\": \"vacuum\",\n",
         e->structure.molecules, 3 * e->structure.molecules, e->model.name);
  printf("  \"coulomb_constant_kJ_nm_mol_e2\": %.17g,\n", e->model.coulomb_constant);
  if (e->stiffness > 0) printf("  \"penalty_kJ_mol\": %.17g,\n", e->penalty);
  printf("  \"coulomb_kJ_mol\": %.17g,\n  \"lj_kJ_mol\": %.17g,\n  \"lj_tail_kJ_mol\": 0,\n  \"potential_kJ_mol\": "
         "%.17g,\n",
         e->energies.coulomb, e->energies.lj, e->energies.coulomb + e->energies.lj + e->penalty);
  printf("  \"virial_kJ_mol\": %.17g,\n  \"virial_molecular_kJ_mol\": %.17g,\n", e->energies.virial,
         e->molecular_virial);
  printf("  \"max_force_kJ_mol_nm\": %.17g,\n  \"geometry_deviation\": %.17g\n}\n", e->largest_force, e->deviation);
}

static void print_text(const struct evaluation *e, const char *path) {
  printf("%s: %zu molecule%s (%s) in vacuum\n", path, e->structure.molecules,
         e->structure.molecules == 1 ? "" : "s", e->model.name);
  if (e->stiffness > 0) printf("  bonds (penalty)        %20.10f kJ/mol\n", e->penalty);
  printf("  Lennard-Jones          %20.10f kJ/mol\n  Coulomb                %20.10f kJ/mol\n  potential              "
         "%20.10f kJ/mol\n",
         e->energies.lj, e->energies.coulomb, e->energies.lj + e->energies.coulomb + e->penalty);
  printf("  virial, atomic         %20.10f kJ/mol   sum of r.f over atoms, without constraint forces\n",
         e->energies.virial);
  printf("  virial, molecular      %20.10f kJ/mol   sum of R.F over molecules\n", e->molecular_virial);
  printf("  largest force component %19.10f kJ/mol/nm\n", e->largest_force);
  printf("  off the model's geometry by %.3g of a bond length, as read\n", e->deviation);
}

static enum rill_status choose_boundary(const struct rill_arguments *arguments, const struct evaluation *e,
                                        struct rill_error *error) {
  const char *boundary = rill_argument(arguments, "boundary");
  if (boundary == NULL && e->structure.has_box)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s has a box: choose --boundary vacuum (the box is not used); periodic boxes are "
                          "not offered by this version",
                          arguments->positional[0]);
  if (boundary == NULL || strcmp(boundary, "vacuum") == 0) return RILL_OK;
  if (strcmp(boundary, "periodic") == 0)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "--boundary periodic is not offered by this version; expected vacuum");
  return rill_error_set(error, RILL_ERROR_USAGE, "--boundary %s: expected vacuum or periodic", boundary);
}

static enum rill_status work(const struct rill_arguments *arguments, struct evaluation *e, struct rill_error *error) {
  const char *path = arguments->positional[0], *model = rill_argument(arguments, "model");
  const char *constant = rill_argument(arguments, "coulomb-constant"), *forces = rill_argument(arguments, "forces");
  const char *stiffness = rill_argument(arguments, "penalty");
  double k = 0;
  if (constant != NULL) {
    RILL_TRY(rill_quantity_parse(constant, "coulomb", "--coulomb-constant", &k, error));
    if (!(k > 0))
      return rill_error_set(error, RILL_ERROR_USAGE, "--coulomb-constant %s: expected a value above 0", constant);
  }
  RILL_TRY(rill_water_model_find(model != NULL ? model : "tip3p", k, &e->model, error));
  if (stiffness != NULL) {
    RILL_TRY(rill_quantity_parse(stiffness, "penalty", "--penalty", &e->stiffness, error));
    if (!(e->stiffness > 0))
      return rill_error_set(error, RILL_ERROR_USAGE, "--penalty %s: expected a stiffness above 0", stiffness);
  }
  if (forces != NULL)
    RILL_TRY(rill_written_check_place(forces, path, rill_argument_given(arguments, "force"), error));
  RILL_TRY(rill_structure_read(path, &e->structure, error));
  RILL_TRY(choose_boundary(arguments, e, error));
  e->deviation = rill_water_deviation(&e->model, e->structure.positions, e->structure.molecules, NULL);
  if (rill_argument_given(arguments, "rigid"))
    RILL_TRY(rill_setup_rigidify(&e->model, &e->structure, path, NULL, error));
  if (evaluate(e, error) != RILL_OK) return rill_error_prefix(error, "%s", path);
  if (forces != NULL) RILL_TRY(write_forces(forces, e, error));
  if (rill_argument_given(arguments, "json"))
    print_json(e);
  else
    print_text(e, path);
  return RILL_OK;
}

static enum rill_status energy(const struct rill_arguments *arguments, struct rill_error *error) {
  struct evaluation e = {0};
  enum rill_status status = work(arguments, &e, error);
  rill_structure_release(&e.structure);
  rill_release(e.forces);
  return status;
}

static const struct rill_option_row options[] = {
    {"model", 0, "NAME", "tip3p (default) or tip3p-ac"},
    {"coulomb-constant", 0, "QUANTITY", "such as 332.06371kcal*A/mol/e2 (default: CODATA 2018)"},
    {"penalty", 0, "STIFFNESS", "of stiff bonds, such as 20akma: their energy and forces count as well"},
    {"boundary", 0, "vacuum|periodic", "to be chosen when the file has a box"},
    {"rigid", 0, NULL, "rebuild the molecules first, as run does (hydrogens moved; oxygen, bisector and plane kept)"},
    {"forces", 0, "FILE.csv", "forces of the atoms in the file's order, kJ/mol/nm, without constraint forces"},
    {"force", 'f', NULL, "replaces an existing file of forces"},
    {"json", 0, NULL, "print one JSON object"},
};

const struct rill_command rill_command_energy = {
    .name = "energy",
    .positional = "STRUCTURE",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "energies and forces of a structure file",
    .description = "Evaluates the coordinates as read (GRO, PDB or XYZ): Lennard-Jones and Coulomb energy, virial, "
                   "largest force "
                   "component, and how far the geometry is from the model's.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = energy,
};
