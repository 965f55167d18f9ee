/* rill energy: energies and forces of a structure. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/frame_option.h"
#include "cli/json.h"
#include "cli/notes.h"
#include "deck/units.h"
#include "simulation/energy.h"
#include "simulation/written.h"

/* What the frames of one call have in common, and what came out of them. */
struct energies {
  const struct rill_arguments *arguments;
  const char *path;
  struct rill_energy_options options;
  struct rill_frame_choice choice;
  bool table;              /* a row a frame */
  struct rill_json json;   /* without a document: text */
  size_t frames;           /* so far */
  FILE *out;               /* of the text, which is shown when all has gone well */
};

/* Atoms in the file's order. */
static enum rill_status write_forces(const char *path, bool replace, const struct rill_structure *structure,
                                     const double *forces, struct rill_error *error) {
  size_t atoms = 3 * structure->molecules, *at;
  FILE *stream;
  RILL_TRY(rill_written_open(path, replace, &stream, error));
  at = rill_allocate(atoms, sizeof *at);
  if (at == NULL) {
    fclose(stream);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu atoms", atoms);
  }
  for (size_t i = 0; i < atoms; i++) at[structure->file_atom != NULL ? structure->file_atom[i] : i] = i;
  fputs("atom,fx,fy,fz\n", stream);
  for (size_t i = 0; i < atoms; i++)
    fprintf(stream, "%zu,%.17g,%.17g,%.17g\n", i + 1, forces[3 * at[i]], forces[3 * at[i] + 1],
            forces[3 * at[i] + 2]);
  rill_release(at);
  if (ferror(stream) | fclose(stream))
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: writing failed: %s", path, strerror(errno));
  return RILL_OK;
}

/* ---- JSON ---- */

static void put_box(struct rill_json *json, const struct rill_energy_options *options, const struct rill_energy *e) {
  rill_json_number(json, "volume_nm3", e->volume);
  rill_json_number(json, "cutoff_nm", options->cutoff);
  rill_json_string(json, "coulomb", rill_energy_coulomb_name(options));
  rill_json_string(json, "lj", rill_choice_word(rill_lj_choices, options->lj));
  if (options->lj == RILL_LJ_SWITCH) rill_json_number(json, "switch_from_nm", options->switch_from);
  if (rill_energy_has_mesh(options)) rill_put_mesh(json, "pme", &e->mesh, &e->measured);
}

static void put_energy(struct energies *all, const struct rill_energy *e, size_t frame) {
  const struct rill_energy_options *options = &all->options;
  struct rill_json *json = &all->json;
  rill_json_object(json, NULL);
  if (all->choice.kind != RILL_FRAME_FIRST) rill_json_count(json, "frame", frame);
  rill_json_count(json, "molecules", e->molecules);
  rill_json_count(json, "atoms", 3 * e->molecules);
  rill_json_string(json, "model", options->model.name);
  rill_json_string(json, "boundary", e->periodic ? "periodic" : "vacuum");
  rill_json_number(json, "coulomb_constant_kJ_nm_mol_e2", options->model.coulomb_constant);
  if (e->periodic) put_box(json, options, e);
  if (options->stiffness > 0) rill_json_number(json, "penalty_kJ_mol", e->penalty);
  rill_json_number(json, "lj_kJ_mol", e->lj);
  rill_json_number(json, "lj_tail_kJ_mol", e->lj_tail);
  rill_json_number(json, "coulomb_kJ_mol", e->coulomb);
  if (e->periodic) {
    rill_json_number(json, "coulomb_real_kJ_mol", e->real);
    rill_json_number(json, "coulomb_excluded_kJ_mol", e->excluded);
    rill_json_number(json, "coulomb_reciprocal_kJ_mol", e->reciprocal);
    rill_json_number(json, "coulomb_self_kJ_mol", e->self);
  }
  rill_json_number(json, "potential_kJ_mol", e->potential);
  if (e->periodic) rill_json_number(json, "potential_with_tail_kJ_mol", e->potential + e->lj_tail);
  rill_json_number(json, "virial_kJ_mol", e->virial);
  if (e->periodic) {
    rill_json_string(json, "virial_kind", "molecular");
    rill_json_matrix(json, "virial_tensor_kJ_mol", (const double(*)[3])e->virial_tensor);
    rill_json_number(json, "pressure_bar", e->pressure);
    rill_json_number(json, "pressure_tail_bar", e->pressure_tail);
  } else {
    rill_json_number(json, "virial_molecular_kJ_mol", e->virial_molecular);
  }
  rill_json_number(json, "max_force_kJ_mol_nm", e->largest_force);
  rill_json_number(json, "geometry_deviation", e->deviation);
  rill_json_close(json);
}

/* ---- text ---- */

static void print_vacuum(FILE *out, const struct rill_energy_options *options, const struct rill_energy *e) {
  fprintf(out, " (%s) in vacuum\n", options->model.name);
  if (options->stiffness > 0) fprintf(out, "  bonds (penalty)        %20.10f kJ/mol\n", e->penalty);
  fprintf(
      out,
      "  Lennard-Jones          %20.10f kJ/mol\n  Coulomb                %20.10f kJ/mol\n  potential              "
      "%20.10f kJ/mol\n",
      e->lj, e->coulomb, e->potential);
  fprintf(out, "  virial, atomic         %20.10f kJ/mol   sum of r.f over atoms, without constraint forces\n",
          e->virial);
  fprintf(out, "  virial, molecular      %20.10f kJ/mol   sum of R.F over molecules\n", e->virial_molecular);
}

static void print_box(FILE *out, const struct rill_energy_options *options, const struct rill_energy *e) {
  fprintf(out, " (%s) in a periodic box of %.6g nm3\n", options->model.name, e->volume);
  fprintf(out, "  within %g nm; Lennard-Jones %s; Coulomb %s", options->cutoff,
          rill_choice_word(rill_lj_choices, options->lj), rill_energy_coulomb_name(options));
  if (rill_energy_has_mesh(options))
    fprintf(out, ": beta %.6g /nm, splines of order %d, grid %zu x %zu x %zu", e->mesh.beta, e->mesh.order,
            e->mesh.grid[0], e->mesh.grid[1], e->mesh.grid[2]);
  if (e->measured.molecules > 0) {
    fputs("\n  ", out);
    rill_describe_accuracy(&e->measured, out);
  }
  fprintf(out,
          "\n  Lennard-Jones          %20.10f kJ/mol   and its tail %.10f\n  Coulomb                %20.10f kJ/mol\n",
          e->lj, e->lj_tail, e->coulomb);
  fprintf(out, "  potential              %20.10f kJ/mol   without the tail\n", e->potential);
  fprintf(out, "  virial, molecular      %20.10f kJ/mol   trace, over molecules; without the tail\n", e->virial);
  fprintf(out, "  pressure               %20.10f bar      at zero velocities; the tail adds %.10f\n", e->pressure,
          e->pressure_tail);
}

static void print_energy(const struct energies *all, const struct rill_energy *e) {
  fprintf(all->out, "%s: %zu molecule%s", all->path, e->molecules, e->molecules == 1 ? "" : "s");
  (e->periodic ? print_box : print_vacuum)(all->out, &all->options, e);
  fprintf(all->out, "  largest force component %19.10f kJ/mol/nm\n", e->largest_force);
  fprintf(all->out, "  off the model's geometry by %.3g of a bond length, as read\n", e->deviation);
}

static void print_row(const struct energies *all, const struct rill_energy *e, size_t frame) {
  fprintf(all->out, "%8zu %9zu %18.8f %18.8f %18.8f %16.8g %12.3g\n", frame, e->molecules, e->lj, e->coulomb,
          e->potential, e->largest_force, e->deviation);
}

static void print_head(const struct energies *all) {
  printf("%s: %zu frame%s (%s) in %s; energies in kJ/mol%s\n", all->path, all->frames, all->frames == 1 ? "" : "s",
         all->options.model.name, all->options.periodic ? "periodic boxes" : "vacuum",
         all->options.stiffness > 0 ? ", the potential with that of the bonds" : "");
  printf("%8s %9s %18s %18s %18s %16s %12s\n", "frame", "molecules", "Lennard-Jones", "Coulomb", "potential",
         "force/(kJ/mol/nm)", "off geometry");
}

/* ---- the command ---- */

static enum rill_status length_of(const struct rill_arguments *arguments, const char *option, const char *dashed,
                                  double *length, struct rill_error *error) {
  const char *text = rill_argument(arguments, option);
  if (text == NULL) return RILL_OK;
  RILL_TRY(rill_quantity_parse(text, "length", dashed, length, error));
  if (*length > 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_USAGE, "%s %s: expected a length above 0", dashed, text);
}

static enum rill_status read_coulomb(const char *text, struct rill_energy_options *options,
                                     struct rill_error *error) {
  if (text == NULL || rill_energy_coulomb_read(text, options)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_USAGE, "--coulomb %s: expected pme, ewald, reaction-field or cut", text);
}

static enum rill_status read_lj(const char *text, struct rill_energy_options *options, struct rill_error *error) {
  const struct rill_choice *choice = text != NULL ? rill_choice_find(rill_lj_choices, text) : NULL;
  char list[64];
  if (text == NULL) return RILL_OK;
  if (choice == NULL)
    return rill_error_set(error, RILL_ERROR_USAGE, "--lj %s: expected %s", text,
                          rill_choice_list(rill_lj_choices, " or ", list, sizeof list));
  options->lj = (enum rill_lj_kind)choice->value;
  return RILL_OK;
}

static enum rill_status read_box_options(const struct rill_arguments *arguments, struct rill_energy_options *options,
                                         struct rill_error *error) {
  const char *accuracy = rill_argument(arguments, "accuracy");
  RILL_TRY(read_coulomb(rill_argument(arguments, "coulomb"), options, error));
  RILL_TRY(read_lj(rill_argument(arguments, "lj"), options, error));
  RILL_TRY(length_of(arguments, "cutoff", "--cutoff", &options->cutoff, error));
  options->switch_from = 0.9 * options->cutoff;
  RILL_TRY(length_of(arguments, "switch-from", "--switch-from", &options->switch_from, error));
  if (rill_argument_given(arguments, "switch-from") && options->lj != RILL_LJ_SWITCH)
    return rill_error_set(error, RILL_ERROR_USAGE, "--switch-from is of --lj switch; without it nothing is switched");
  if (accuracy == NULL) return RILL_OK;
  if (!rill_energy_has_mesh(options))
    return rill_error_set(error, RILL_ERROR_USAGE, "--accuracy is of --coulomb pme; %s has none to choose",
                          rill_energy_coulomb_name(options));
  if (rill_number_read(accuracy, &options->accuracy, error) != RILL_OK)
    return rill_error_prefix(error, "--accuracy %s", accuracy);
  return RILL_OK;
}

static enum rill_status choose_boundary(const struct rill_arguments *arguments, struct rill_energy_options *options,
                                        struct rill_error *error) {
  static const char *const of_boxes[] = {"cutoff", "coulomb", "lj", "switch-from", "accuracy"};
  const char *boundary = rill_argument(arguments, "boundary");
  if (boundary != NULL && strcmp(boundary, "periodic") != 0 && strcmp(boundary, "vacuum") != 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "--boundary %s: expected vacuum or periodic", boundary);
  options->periodic = boundary != NULL && strcmp(boundary, "periodic") == 0;
  if (!options->periodic) {
    for (size_t i = 0; i < sizeof of_boxes / sizeof of_boxes[0]; i++)
      if (rill_argument_given(arguments, of_boxes[i]))
        return rill_error_set(error, RILL_ERROR_USAGE,
                              "--%s is of --boundary periodic; in vacuum all pairs count, as they are", of_boxes[i]);
    return RILL_OK;
  }
  if (options->stiffness > 0)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "--penalty with --boundary periodic is not offered by this version");
  return read_box_options(arguments, options, error);
}

static enum rill_status evaluate_frame(void *context, struct rill_structure *structure, size_t frame,
                                       struct rill_error *error) {
  struct energies *all = context;
  const char *forces = rill_argument(all->arguments, "forces");
  struct rill_energy energy;
  enum rill_status status = RILL_OK;
  if (structure->has_box && !rill_argument_given(all->arguments, "boundary"))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s has a box: choose --boundary periodic, or vacuum, which does not use it", all->path);
  RILL_TRY(rill_energy_of_structure(structure, all->path, &all->options, NULL, &energy, error));
  if (forces != NULL)
    status = write_forces(forces, rill_argument_given(all->arguments, "force"), structure, energy.forces, error);
  if (all->json.stream != NULL)
    put_energy(all, &energy, frame);
  else if (all->table)
    print_row(all, &energy, frame);
  else
    print_energy(all, &energy);
  rill_energy_release(&energy);
  all->frames++;
  return status;
}

static enum rill_status read_options(struct energies *all, struct rill_error *error) {
  const struct rill_arguments *arguments = all->arguments;
  struct rill_energy_options *options = &all->options;
  const char *model = rill_argument(arguments, "model"), *constant = rill_argument(arguments, "coulomb-constant");
  const char *forces = rill_argument(arguments, "forces"), *stiffness = rill_argument(arguments, "penalty");
  double k = 0;
  RILL_TRY(rill_energy_defaults(options, error));
  options->rigid = rill_argument_given(arguments, "rigid");
  if (constant != NULL) {
    RILL_TRY(rill_quantity_parse(constant, "coulomb", "--coulomb-constant", &k, error));
    if (!(k > 0))
      return rill_error_set(error, RILL_ERROR_USAGE, "--coulomb-constant %s: expected a value above 0", constant);
  }
  RILL_TRY(rill_water_model_find(model != NULL ? model : "tip3p", k, &options->model, error));
  if (stiffness != NULL) {
    RILL_TRY(rill_quantity_parse(stiffness, "penalty", "--penalty", &options->stiffness, error));
    if (!(options->stiffness > 0))
      return rill_error_set(error, RILL_ERROR_USAGE, "--penalty %s: expected a stiffness above 0", stiffness);
  }
  RILL_TRY(choose_boundary(arguments, options, error));
  RILL_TRY(rill_frame_choose(rill_argument(arguments, "frame"), &all->choice, error));
  if (forces != NULL && all->choice.kind == RILL_FRAME_ALL)
    return rill_error_set(error, RILL_ERROR_USAGE, "--forces takes one frame; expected --frame N or last beside it");
  if (forces == NULL) return RILL_OK;
  return rill_written_check_place(forces, all->path, rill_argument_given(arguments, "force"), error);
}

static enum rill_status visit(struct energies *all, struct rill_error *error) {
  return rill_frames_visit(all->path, &all->choice, "--frame N, last or all evaluates others",
                           rill_notes_unless(false), evaluate_frame, all, NULL, error);
}

static enum rill_status energy(const struct rill_arguments *arguments, struct rill_error *error) {
  struct energies all = {.arguments = arguments, .path = arguments->positional[0]};
  enum rill_status status;
  char *text = NULL;
  size_t length;
  RILL_TRY(read_options(&all, error));
  all.table = all.choice.kind == RILL_FRAME_ALL;
  if (rill_argument_given(arguments, "json")) {
    RILL_TRY(rill_json_begin(&all.json, error));
    if (all.table) rill_json_list(&all.json, NULL);
    status = visit(&all, error);
    if (all.table) rill_json_close(&all.json);
    return rill_json_end(&all.json, status, error);
  }
  all.out = open_memstream(&text, &length);
  if (all.out == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", all.path);
  status = visit(&all, error);
  if (fclose(all.out) != 0 && status == RILL_OK)
    status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", all.path);
  if (status == RILL_OK && all.table) print_head(&all);
  if (status == RILL_OK) fputs(text, stdout);
  free(text); /* of open_memstream */
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
