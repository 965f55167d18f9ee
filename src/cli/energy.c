/* rill energy: energies and forces of a structure. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/energy_periodic.h"
#include "simulation/field.h"
#include "cli/frame_option.h"
#include "simulation/simulation.h"
#include "cli/describe.h"
#include "cli/notes.h"
#include "cli/written.h"
#include "simulation/water_start.h"
#include "water/forces/forces.h"
#include "water/neighbours/contact.h"
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
  bool periodic;
  struct rill_box_energies box; /* of a periodic structure */
  size_t frame;
  char frame_json[40];          /* "frame": N, where a frame was chosen; else empty */
};

static const double contact = 0.05; /* nm: of atoms of different molecules, where energies stop to be numbers */

/* Names the molecules that overlap where the energy is beyond numbers. */
static enum rill_status refuse_contact(const struct evaluation *e, struct rill_error *error) {
  const double(*box)[3] = e->periodic ? (const double(*)[3])e->structure.box : NULL;
  struct rill_contact nearest;
  rill_error_clear(error);
  RILL_TRY(rill_closest_contact(e->structure.positions, e->structure.molecules, box, RILL_CONTACT_ALL_SITES, &nearest,
                                error));
  if (!(nearest.distance < contact))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "the energy is not finite; are the coordinates in nm (XYZ, PDB: A)?");
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "the energy is not finite: molecules %zu and %zu lie on top of each other, with atoms %.3g "
                        "nm apart; move one of the two away, or push them apart with rill minimize",
                        nearest.first + 1, nearest.second + 1, nearest.distance);
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

static enum rill_status evaluate_box(struct evaluation *e, struct rill_error *error) {
  const size_t coordinates = 9 * e->structure.molecules;
  enum rill_status status;
  e->forces = rill_allocate(coordinates, sizeof *e->forces);
  if (e->forces == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", e->structure.molecules);
  status = rill_box_energies_evaluate(&e->model, &e->structure, &e->box, e->forces, error);
  if (status == RILL_ERROR_NOT_FINITE) return refuse_contact(e, error);
  if (status != RILL_OK) return status;
  for (size_t i = 0; i < coordinates; i++)
    if (!(fabs(e->forces[i]) <= e->largest_force)) e->largest_force = fabs(e->forces[i]);
  if (isfinite(e->box.lj + e->box.coulomb_energy + e->largest_force)) return RILL_OK;
  return refuse_contact(e, error);
}

/* Atoms in the file's order. */
static enum rill_status write_forces(const char *path, bool replace, const struct evaluation *e,
                                     struct rill_error *error) {
  size_t atoms = 3 * e->structure.molecules, *at;
  FILE *stream;
  RILL_TRY(rill_written_open(path, replace, &stream, error));
  at = rill_allocate(atoms, sizeof *at);
  if (at == NULL) {
    fclose(stream);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu atoms", atoms);
  }
  for (size_t i = 0; i < atoms; i++) at[e->structure.file_atom != NULL ? e->structure.file_atom[i] : i] = i;
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
  printf("{\n%s  \"molecules\": %zu,\n  \"atoms\": %zu,\n  \"model\": \"%s\",\n  \"boundary\": \"vacuum\",\n",
         e->frame_json, e->structure.molecules, 3 * e->structure.molecules, e->model.name);
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

static double molecular_virial(const struct rill_box_energies *box) {
  return box->virial[0][0] + box->virial[1][1] + box->virial[2][2];
}

static void print_box_json(const struct evaluation *e) {
  const struct rill_box_energies *box = &e->box;
  const double potential = box->lj + box->coulomb_energy;
  const struct rill_force_accuracy *measured = &box->measured;
  char energy_error[32] = "null";
  if (isfinite(measured->energy_error)) snprintf(energy_error, sizeof energy_error, "%.3g", measured->energy_error);
  printf("{\n%s  \"molecules\": %zu,\n  \"atoms\": %zu,\n  \"model\": \"%s\",\n"
         "  \"boundary\": \"periodic\",\n",
         e->frame_json, e->structure.molecules, 3 * e->structure.molecules, e->model.name);
  printf("  \"coulomb_constant_kJ_nm_mol_e2\": %.17g,\n", e->model.coulomb_constant);
  printf("  \"volume_nm3\": %.17g,\n  \"cutoff_nm\": %.17g,\n  \"coulomb\": \"%s\",\n  \"lj\": \"%s\",\n",
         box->volume, box->cutoff, rill_box_coulomb_name(box->coulomb), rill_lj_kind_name(box->lj_kind));
  if (box->lj_kind == RILL_LJ_SWITCH) printf("  \"switch_from_nm\": %.17g,\n", box->switch_from);
  if (box->coulomb == RILL_BOX_PME)
    printf("  \"pme\": {\"beta_per_nm\": %.17g, \"order\": %d, \"grid\": [%zu, %zu, %zu], "
           "\"measured_force_error\": %.3g, \"force_scale_kJ_mol_nm\": %.6g, \"rms_force_kJ_mol_nm\": %.6g, "
           "\"measured_on_molecules\": %zu, \"coulomb_error_per_molecule_kJ_mol\": %s},\n",
           box->mesh.beta, box->mesh.order, box->mesh.grid[0], box->mesh.grid[1], box->mesh.grid[2], measured->error,
           measured->scale, measured->rms_force, measured->molecules, energy_error);
  printf("  \"lj_kJ_mol\": %.17g,\n  \"lj_tail_kJ_mol\": %.17g,\n", box->lj, box->lj_tail);
  printf("  \"coulomb_kJ_mol\": %.17g,\n  \"coulomb_real_kJ_mol\": %.17g,\n  \"coulomb_excluded_kJ_mol\": %.17g,\n"
         "  \"coulomb_reciprocal_kJ_mol\": %.17g,\n  \"coulomb_self_kJ_mol\": %.17g,\n",
         box->coulomb_energy, box->real, box->excluded, box->reciprocal, box->self);
  printf("  \"potential_kJ_mol\": %.17g,\n  \"potential_with_tail_kJ_mol\": %.17g,\n", potential,
         potential + box->lj_tail);
  printf("  \"virial_kJ_mol\": %.17g,\n  \"virial_kind\": \"molecular\",\n  \"virial_tensor_kJ_mol\": [",
         molecular_virial(box));
  for (int i = 0; i < 3; i++)
    printf("%s[%.17g, %.17g, %.17g]", i ? ", " : "", box->virial[i][0], box->virial[i][1], box->virial[i][2]);
  printf("],\n  \"pressure_bar\": %.17g,\n  \"pressure_tail_bar\": %.17g,\n", rill_box_pressure(box),
         rill_box_tail_pressure(box));
  printf("  \"max_force_kJ_mol_nm\": %.17g,\n  \"geometry_deviation\": %.17g\n}\n", e->largest_force, e->deviation);
}

static void print_box_text(const struct evaluation *e, const char *path) {
  const struct rill_box_energies *box = &e->box;
  printf("%s: %zu molecule%s (%s) in a periodic box of %.6g nm3\n", path, e->structure.molecules,
         e->structure.molecules == 1 ? "" : "s", e->model.name, box->volume);
  printf("  within %g nm; Lennard-Jones %s; Coulomb %s", box->cutoff, rill_lj_kind_name(box->lj_kind),
         rill_box_coulomb_name(box->coulomb));
  if (box->coulomb == RILL_BOX_PME)
    printf(": beta %.6g /nm, splines of order %d, grid %zu x %zu x %zu", box->mesh.beta, box->mesh.order,
           box->mesh.grid[0], box->mesh.grid[1], box->mesh.grid[2]);
  if (box->measured.molecules > 0) {
    fputs("\n  ", stdout);
    rill_describe_accuracy(&box->measured, stdout);
  }
  printf("\n  Lennard-Jones          %20.10f kJ/mol   and its tail %.10f\n  Coulomb                %20.10f kJ/mol\n",
         box->lj, box->lj_tail, box->coulomb_energy);
  printf("  potential              %20.10f kJ/mol   without the tail\n", box->lj + box->coulomb_energy);
  printf("  virial, molecular      %20.10f kJ/mol   trace, over molecules; without the tail\n", molecular_virial(box));
  printf("  pressure               %20.10f bar      at zero velocities; the tail adds %.10f\n", rill_box_pressure(box),
         rill_box_tail_pressure(box));
  printf("  largest force component %19.10f kJ/mol/nm\n", e->largest_force);
  printf("  off the model's geometry by %.3g of a bond length, as read\n", e->deviation);
}

static enum rill_status choose_boundary(const struct rill_arguments *arguments, struct evaluation *e,
                                        struct rill_error *error) {
  static const char *const of_boxes[] = {"cutoff", "coulomb", "lj", "switch-from", "accuracy"};
  const char *boundary = rill_argument(arguments, "boundary");
  if (boundary != NULL && strcmp(boundary, "periodic") != 0 && strcmp(boundary, "vacuum") != 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "--boundary %s: expected vacuum or periodic", boundary);
  e->periodic = boundary != NULL && strcmp(boundary, "periodic") == 0;
  if (!e->periodic) {
    for (size_t i = 0; i < sizeof of_boxes / sizeof of_boxes[0]; i++)
      if (rill_argument_given(arguments, of_boxes[i]))
        return rill_error_set(error, RILL_ERROR_USAGE,
                              "--%s is of --boundary periodic; in vacuum all pairs count, as they are", of_boxes[i]);
    return RILL_OK;
  }
  if (e->stiffness > 0)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "--penalty with --boundary periodic is not offered by this version");
  return rill_box_energies_choose(arguments, &e->box, error);
}

/* A box in the file leaves no boundary to be taken for granted. */
static enum rill_status check_box(const struct rill_arguments *arguments, const struct evaluation *e,
                                  struct rill_error *error) {
  if (!e->structure.has_box || rill_argument_given(arguments, "boundary")) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s has a box: choose --boundary periodic, or vacuum, which does not use it",
                        arguments->positional[0]);
}

/* A row of the table of all frames. */
static void print_row(const struct evaluation *e) {
  const struct rill_box_energies *box = &e->box;
  const double lj = e->periodic ? box->lj : e->energies.lj;
  const double coulomb = e->periodic ? box->coulomb_energy : e->energies.coulomb;
  printf("%8zu %9zu %18.8f %18.8f %18.8f %16.8g %12.3g\n", e->frame, e->structure.molecules, lj, coulomb,
         lj + coulomb + e->penalty, e->largest_force, e->deviation);
}

static void print_table(const struct evaluation *evaluations, size_t frames, const char *path) {
  printf("%s: %zu frame%s (%s) in %s; energies in kJ/mol%s\n", path, frames, frames == 1 ? "" : "s",
         evaluations[0].model.name, evaluations[0].periodic ? "periodic boxes" : "vacuum",
         evaluations[0].stiffness > 0 ? ", the potential with that of the bonds" : "");
  printf("%8s %9s %18s %18s %18s %16s %12s\n", "frame", "molecules", "Lennard-Jones", "Coulomb", "potential",
         "force/(kJ/mol/nm)", "off geometry");
  for (size_t i = 0; i < frames; i++) print_row(&evaluations[i]);
}

/* What the frames of one call have in common, and what came out of them. */
struct energies {
  const struct rill_arguments *arguments;
  struct evaluation options;       /* without a structure */
  struct rill_frame_choice choice;
  struct evaluation *evaluations;  /* [frames], their arrays released */
  size_t frames, capacity;
};

static enum rill_status evaluate_structure(const struct energies *all, struct evaluation *e,
                                           struct rill_error *error) {
  const char *path = all->arguments->positional[0], *forces = rill_argument(all->arguments, "forces");
  RILL_TRY(check_box(all->arguments, e, error));
  e->deviation = rill_water_deviation(&e->model, e->structure.positions, e->structure.molecules, NULL);
  if (rill_argument_given(all->arguments, "rigid"))
    RILL_TRY(rill_start_rigidify(&e->model, &e->structure, path, NULL, error));
  if ((e->periodic ? evaluate_box : evaluate)(e, error) != RILL_OK) return rill_error_prefix(error, "%s", path);
  return forces != NULL ? write_forces(forces, rill_argument_given(all->arguments, "force"), e, error) : RILL_OK;
}

static bool make_room(struct energies *all) {
  struct evaluation *larger;
  if (all->frames < all->capacity) return true;
  all->capacity = all->capacity == 0 ? 16 : 2 * all->capacity;
  larger = rill_allocate(all->capacity, sizeof *larger);
  if (larger == NULL) return false;
  if (all->frames > 0) memcpy(larger, all->evaluations, all->frames * sizeof *larger);
  rill_release(all->evaluations);
  all->evaluations = larger;
  return true;
}

static enum rill_status evaluate_frame(void *context, struct rill_structure *structure, size_t frame,
                                       struct rill_error *error) {
  struct energies *all = context;
  struct evaluation *e;
  enum rill_status status;
  if (!make_room(all)) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu frames", frame + 1);
  e = &all->evaluations[all->frames];
  *e = all->options;
  e->frame = frame;
  if (all->choice.kind != RILL_FRAME_FIRST)
    snprintf(e->frame_json, sizeof e->frame_json, "  \"frame\": %zu,\n", frame);
  e->structure = *structure;
  status = evaluate_structure(all, e, error);
  rill_release(e->forces);
  e->forces = NULL;
  *structure = e->structure; /* its arrays are the caller's, its numbers stay here */
  e->structure.positions = e->structure.velocities = NULL;
  e->structure.file_atom = NULL;
  if (status == RILL_OK) all->frames++;
  return status;
}

static void print(const struct energies *all) {
  const char *path = all->arguments->positional[0];
  const bool json = rill_argument_given(all->arguments, "json"), list = all->choice.kind == RILL_FRAME_ALL;
  const struct evaluation *e = all->evaluations;
  if (list && !json) {
    print_table(e, all->frames, path);
  } else if (json) {
    if (list) puts("[");
    for (size_t i = 0; i < all->frames; i++) {
      (e->periodic ? print_box_json : print_json)(&e[i]);
      if (i + 1 < all->frames) puts(",");
    }
    if (list) puts("]");
  } else {
    (e->periodic ? print_box_text : print_text)(e, path);
  }
}

static enum rill_status read_options(struct energies *all, struct rill_error *error) {
  const struct rill_arguments *arguments = all->arguments;
  struct evaluation *e = &all->options;
  const char *model = rill_argument(arguments, "model"), *constant = rill_argument(arguments, "coulomb-constant");
  const char *forces = rill_argument(arguments, "forces"), *stiffness = rill_argument(arguments, "penalty");
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
  RILL_TRY(choose_boundary(arguments, e, error));
  RILL_TRY(rill_frame_choose(rill_argument(arguments, "frame"), &all->choice, error));
  if (forces != NULL && all->choice.kind == RILL_FRAME_ALL)
    return rill_error_set(error, RILL_ERROR_USAGE, "--forces takes one frame; expected --frame N or last beside it");
  if (forces == NULL) return RILL_OK;
  return rill_written_check_place(forces, arguments->positional[0], rill_argument_given(arguments, "force"), error);
}

static enum rill_status energy(const struct rill_arguments *arguments, struct rill_error *error) {
  struct energies all = {.arguments = arguments};
  enum rill_status status = read_options(&all, error);
  if (status == RILL_OK)
    status = rill_frames_visit(arguments->positional[0], &all.choice, "--frame N, last or all evaluates others",
                               rill_notes_unless(false), evaluate_frame, &all, NULL, error);
  if (status == RILL_OK) print(&all);
  rill_release(all.evaluations);
  return status;
}

static const struct rill_option_row options[] = {
    {"model", 0, "NAME", "tip3p (default) or tip3p-ac"},
    {"coulomb-constant", 0, "QUANTITY", "such as 332.06371kcal*A/mol/e2 (default: CODATA 2018)"},
    {"penalty", 0, "STIFFNESS", "of stiff bonds, such as 20akma: their energy and forces count as well"},
    {"boundary", 0, "vacuum|periodic", "to be chosen when the file has a box"},
    {"cutoff", 0, "LENGTH", "of a box: within which pairs count (default 0.9nm)"},
    {"coulomb", 0, "NAME", "of a box: pme (default), ewald (direct sum), reaction-field (conducting outside) or cut"},
    {"accuracy", 0, "NUMBER", "of pme: largest relative error of the forces, measured (default 1e-6)"},
    {"lj", 0, "cut|shift|switch", "of a box: Lennard-Jones as it is (default), zero at the cutoff, or switched off"},
    {"switch-from", 0, "LENGTH", "of --lj switch (default nine tenths of the cutoff)"},
    {"rigid", 0, NULL, "rebuild the molecules first, as run does (hydrogens moved; oxygen, bisector and plane kept)"},
    RILL_FRAME_OPTION,
    {"forces", 0, "FILE.csv", "forces of the atoms in the file's order, kJ/mol/nm, without constraint forces"},
    {"force", 'f', NULL, "replaces an existing file of forces"},
    {"json", 0, NULL, "print one JSON object; with --frame all an array of them"},
};

const struct rill_command rill_command_energy = {
    .name = "energy",
    .positional = "STRUCTURE",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "energies and forces of a structure file",
    .description = "Evaluates the coordinates as read (GRO, PDB or XYZ): Lennard-Jones and Coulomb energy, virial, "
                   "largest force "
                   "component, and how far the geometry is from the model's.  Of a periodic box also the pressure at zero "
                   "velocities, from the virial over molecules, and what the tail of Lennard-Jones adds to it.  With "
                   "--frame all there is a row a frame.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = energy,
};
