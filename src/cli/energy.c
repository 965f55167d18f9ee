/* rill energy: energies and forces of a structure. */
#include <string.h>

#include "cli/command.h"
#include "cli/notes.h"
#include "deck/units.h"
#include "show/energies.h"
#include "simulation/water_start.h"
#include "simulation/written.h"

/* Data shared by the frames of one call. */
struct energies {
  const struct rill_arguments *arguments;
  struct rill_energy_options options;
  struct rill_shown_frames shown;
  size_t frames; /* so far */
};

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
  RILL_TRY(rill_argument_quantity(arguments, "cutoff", "length", "length", &options->cutoff, error));
  options->switch_from = 0.9 * options->cutoff;
  RILL_TRY(rill_argument_quantity(arguments, "switch-from", "length", "length", &options->switch_from, error));
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
                          "%s has a box: choose --boundary periodic, or vacuum, which does not use it",
                          all->shown.path);
  if (all->frames == 0)
    rill_start_note_geometry(&all->options.model, structure, all->shown.path, rill_notes_unless(false));
  RILL_TRY(rill_energy_of_structure(structure, all->shown.path, &all->options, NULL, &energy, error));
  if (forces != NULL)
    status =
        rill_written_forces(forces, rill_argument_given(all->arguments, "force"), structure, energy.forces, error);
  rill_show_energy(&all->shown, &all->options, &energy, frame);
  rill_energy_release(&energy);
  all->frames++;
  return status;
}

static enum rill_status read_options(struct energies *all, struct rill_error *error) {
  const struct rill_arguments *arguments = all->arguments;
  struct rill_energy_options *options = &all->options;
  const char *forces = rill_argument(arguments, "forces");
  double k = 0;
  RILL_TRY(rill_energy_defaults(options, error));
  options->rigid = rill_argument_given(arguments, "rigid");
  RILL_TRY(rill_argument_quantity(arguments, "coulomb-constant", "coulomb", "value", &k, error));
  RILL_TRY(rill_water_model_find(rill_argument(arguments, "model"), k, &options->model, error));
  RILL_TRY(rill_argument_quantity(arguments, "penalty", "penalty", "stiffness", &options->stiffness, error));
  RILL_TRY(choose_boundary(arguments, options, error));
  RILL_TRY(rill_argument_frame(arguments, &all->shown.choice, error));
  if (forces != NULL && all->shown.choice.kind == RILL_FRAME_RANGE)
    return rill_error_set(error, RILL_ERROR_USAGE, "--forces takes one frame; expected --frame N or last beside it");
  if (forces == NULL) return RILL_OK;
  return rill_written_check_place(forces, all->shown.path, rill_argument_given(arguments, "force"), error);
}

static enum rill_status visit(struct energies *all, struct rill_error *error) {
  if (all->shown.choice.kind == RILL_FRAME_RANGE) rill_page_list(all->shown.page);
  RILL_TRY(rill_frames_visit(all->shown.path, &all->shown.choice, "--frame N, last or all evaluates others",
                             rill_notes_unless(false), evaluate_frame, all, NULL, error));
  rill_show_energies_head(&all->shown, &all->options, all->frames);
  return RILL_OK;
}

static enum rill_status energy(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_page page;
  struct energies all = {.arguments = arguments, .shown = {.page = &page, .path = arguments->positional[0]}};
  RILL_TRY(read_options(&all, error));
  RILL_TRY(rill_arguments_page(arguments, RILL_PAGE_HELD_TEXT, &page, error));
  return rill_page_end(&page, visit(&all, error), error);
}

static const struct rill_option_row options[] = {
    {"model", 0, "NAME", RILL_MODEL_HELP},
    {"coulomb-constant", 0, "QUANTITY", "such as 332.06371kcal*A/mol/e2 (default: CODATA 2018)"},
    {"penalty", 0, "STIFFNESS", "of stiff bonds, such as 20akma: includes their energy and forces"},
    {"boundary", 0, "vacuum|periodic", "required when the file has a box"},
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
    .description =
        "Evaluates the coordinates as read (GRO, PDB or XYZ): Lennard-Jones and Coulomb energy, virial, largest "
        "force component, and how far the geometry is from the model's.  For a periodic box also the pressure at "
        "zero velocities, from the virial over molecules, and the contribution of the tail of Lennard-Jones.  With "
        "--frame all there is a row per frame.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = energy,
};
