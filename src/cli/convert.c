/* rill convert: structure files to other formats, and frames of trajectories to structure files, trajectories and
 * topologies of other programs. */
#include <math.h>
#include <string.h>

#include "cli/command.h"
#include "cli/notes.h"
#include "base/memory.h"
#include "simulation/water.h"
#include "simulation/written.h"
#include "structure/export.h"
#include "study/recording.h"
#include "water/model/site.h"

/* Larger deviations than those of a file with 3 decimals: another model. */
static const double alike = 0.01;

enum wrap { WRAP_NONE, WRAP_MOLECULE, WRAP_ATOM };

struct conversion {
  const char *in, *out;
  struct rill_written written;
  struct rill_water_model sites; /* of --sites; its site_weight is 0 without the option */
  struct rill_water_model model; /* of a topology */
  struct rill_topology topology;
  enum wrap wrap;
};

/* Moves atoms by lattice vectors so that `point` comes into the cell. */
static void wrap_atoms(const double box[3][3], const double point[3], double *atoms, size_t count) {
  double r[3], shift[3] = {0.0, 0.0, 0.0};
  memcpy(r, point, sizeof r);
  for (size_t i = 3; i-- > 0;) { /* the vectors are lower triangular */
    const double fraction = r[i] / box[i][i];
    for (size_t k = 0; k <= i; k++) {
      r[k] -= fraction * box[i][k];
      shift[k] -= floor(fraction) * box[i][k];
    }
  }
  for (size_t a = 0; a < count; a++)
    for (size_t k = 0; k < 3; k++) atoms[3 * a + k] += shift[k];
}

static void wrap(const struct rill_structure *structure, enum wrap how) {
  for (size_t m = 0; m < structure->molecules; m++) {
    double *x = structure->positions + 9 * m, point[3];
    for (size_t a = 0; a < (how == WRAP_ATOM ? 3 : 1); a++) {
      memcpy(point, x + 3 * a, sizeof point);
      wrap_atoms(structure->box, point, x + 3 * a, how == WRAP_ATOM ? 1 : 3);
    }
  }
}

static enum rill_status add_frame(void *context, struct rill_structure *structure, size_t frame,
                                  struct rill_error *error) {
  struct conversion *conversion = context;
  const struct rill_water_model *model = conversion->topology.model != NULL ? &conversion->model : &conversion->sites;
  size_t worst;
  if ((model->site_weight > 0 || conversion->topology.model != NULL) &&
      !(rill_water_deviation(model, structure->positions, structure->molecules, &worst) < alike))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "frame %zu: molecule %zu has not the geometry of %s (O-H %g nm, H-O-H %.5g degrees), whose "
                          "%s are to be written; rill info names the models with its geometry",
                          frame, worst + 1, model->name, model->bond[0], rill_water_angle(model),
                          conversion->topology.model != NULL ? "charges" : "sites");
  if (conversion->wrap != WRAP_NONE && !structure->has_box)
    return rill_error_set(error, RILL_ERROR_INPUT, "--wrap: frame %zu has no box into which molecules can be wrapped",
                          frame);
  if (conversion->wrap != WRAP_NONE) wrap(structure, conversion->wrap);
  structure->topology = &conversion->topology;
  return rill_written_add(&conversion->written, structure);
}

/* The model of --model, or of the trajectory's deck (deck: "" for none). */
static enum rill_status find_model(struct conversion *conversion, const char *name, const char *deck,
                                   struct rill_error *error) {
  struct rill_water_species species;
  struct rill_deck *read;
  enum rill_status status;
  if (name != NULL) return rill_water_model_find(name, 0, &conversion->model, error);
  if (deck[0] == '\0')
    return rill_error_set(
        error, RILL_ERROR_USAGE,
        "%s: a topology has the charges of a model, and %s does not name one; add --model NAME (rill "
        "list models)",
        conversion->out, conversion->in);
  read = rill_allocate(1, sizeof *read);
  if (read == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a deck");
  status = rill_deck_read_text(&rill_deck_registry, conversion->in, deck, NULL, 0, read, error);
  if (status == RILL_OK) status = rill_water_model_of_deck(read, &species, &conversion->model, error);
  rill_release(read);
  return status;
}

static enum rill_status find_topology(struct conversion *conversion, const char *name, const char *deck,
                                      struct rill_error *error) {
  const struct rill_water_model *model = &conversion->model;
  RILL_TRY(find_model(conversion, name, deck, error));
  if (conversion->sites.site_weight > 0 && strcmp(conversion->sites.name, model->name) != 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "--sites %s: the charges are those of %s", conversion->sites.name,
                          model->name);
  conversion->topology.model = model->name;
  memcpy(conversion->topology.mass, model->mass, sizeof model->mass);
  memcpy(conversion->topology.charge, model->charge, sizeof model->charge);
  if (model->site_weight == 0 || conversion->sites.site_weight > 0) return RILL_OK;
  rill_site_effective_charges(model, conversion->topology.charge);
  rill_note(
      rill_notes_unless(false),
      "note: %s: %s has its negative charge on a fourth site; without --sites %s the atoms have charges that give "
      "the same dipole moment, but not the same energies",
      conversion->out, model->name, model->name);
  return RILL_OK;
}

static bool writes_topology(const struct conversion *conversion) {
  return rill_export_find(conversion->out) == &rill_export_psf;
}

static enum rill_status convert_trajectory(const struct rill_arguments *arguments,
                                           const struct rill_replica_choice *replica,
                                           const struct rill_frame_choice *choice, struct conversion *conversion,
                                           struct rill_error *error) {
  const char *path = conversion->in;
  struct rill_trajectory_reader *reader;
  enum rill_status status;
  size_t ladders;
  RILL_TRY(rill_recording_open(path, rill_notes_unless(false), &reader, error));
  status = rill_recording_ladders(reader, replica, &ladders, error);
  if (status == RILL_OK && ladders > 1)
    rill_note(rill_notes_unless(false), "note: frames of ladder %zu of %zu; --ladder N takes another",
              replica->ladder, ladders);
  if (status == RILL_OK && writes_topology(conversion))
    status = find_topology(conversion, rill_argument(arguments, "model"), rill_trajectory_deck(reader), error);
  if (status == RILL_OK) status = rill_recording_select(reader, path, replica, replica->ladder, error);
  if (status == RILL_OK) status = rill_recording_visit(reader, path, choice, add_frame, conversion, error);
  rill_trajectory_reader_close(reader);
  return status;
}

static enum rill_status convert_structure(const struct rill_arguments *arguments,
                                          const struct rill_frame_choice *choice, struct conversion *conversion,
                                          struct rill_error *error) {
  if (writes_topology(conversion)) RILL_TRY(find_topology(conversion, rill_argument(arguments, "model"), "", error));
  return rill_frames_visit(conversion->in, choice, "--frame N, last or all, or --frames A:B:K, converts others",
                           rill_notes_unless(false), add_frame, conversion, NULL, error);
}

/* The model that --sites names; without a site if there is no such option. */
static enum rill_status find_sites(const struct rill_arguments *arguments, struct rill_water_model *model,
                                   struct rill_error *error) {
  const char *name = rill_argument(arguments, "sites");
  *model = (struct rill_water_model){.site_weight = 0};
  if (name == NULL) return RILL_OK;
  RILL_TRY(rill_water_model_find(name, 0, model, error));
  if (model->site_weight == 0)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "--sites %s: this model has three sites, and its files O, H, H only; expected a four-site "
                          "model: tip4p, tip4p-ew, tip4p-2005, opc, tip4p-fb",
                          name);
  return RILL_OK;
}

static enum rill_status find_wrap(const struct rill_arguments *arguments, enum wrap *how, struct rill_error *error) {
  static const char *const words[] = {"none", "molecule", "atom"};
  const char *word = rill_argument(arguments, "wrap");
  *how = WRAP_NONE;
  if (word == NULL) return RILL_OK;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(word, words[i]) == 0) {
      *how = (enum wrap)i;
      return RILL_OK;
    }
  return rill_error_set(error, RILL_ERROR_USAGE, "--wrap %s: expected molecule, atom or none", word);
}

/* Whether options go with the format of the output. */
static enum rill_status check_options(const struct rill_arguments *arguments, const struct conversion *conversion,
                                      struct rill_error *error) {
  static const char *const of_coordinates[] = {"frame", "frames", "wrap"};
  if (rill_structure_format(conversion->out) == RILL_FORMAT_UNKNOWN && rill_export_find(conversion->out) == NULL)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "%s: unknown format; expected a name that ends in .gro, .pdb, .xyz, .dcd, .trr or .psf",
                          conversion->out);
  if (!writes_topology(conversion) && rill_argument_given(arguments, "model"))
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "--model: only a topology (.psf) has a model's charges; omit it for %s", conversion->out);
  for (size_t i = 0; writes_topology(conversion) && i < sizeof of_coordinates / sizeof of_coordinates[0]; i++)
    if (rill_argument_given(arguments, of_coordinates[i]))
      return rill_error_set(error, RILL_ERROR_USAGE, "--%s: a topology (.psf) has no positions; omit it",
                            of_coordinates[i]);
  return RILL_OK;
}

static enum rill_status convert(const struct rill_arguments *arguments, struct rill_error *error) {
  struct conversion conversion = {.in = arguments->positional[0], .out = arguments->positional[1]};
  const char *in = conversion.in, *out = conversion.out, *dot = strrchr(in, '.');
  const bool trajectory = dot != NULL && (strcmp(dot, ".h5md") == 0 || strcmp(dot, ".h5") == 0);
  const bool replace = rill_argument_given(arguments, "force");
  struct rill_frame_choice choice;
  struct rill_replica_choice replica;
  struct rill_written *written = &conversion.written;
  enum rill_status status;
  RILL_TRY(find_sites(arguments, &conversion.sites, error));
  RILL_TRY(find_wrap(arguments, &conversion.wrap, error));
  RILL_TRY(check_options(arguments, &conversion, error));
  RILL_TRY(rill_written_check_place(out, in, replace, error));
  RILL_TRY(rill_argument_frames(arguments, &choice, error));
  RILL_TRY(rill_argument_replica(arguments, &replica, error));
  if (!trajectory && replica.kind != RILL_REPLICA_UNCHOSEN)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "--replica and --temperature are for trajectories (.h5md); %s is none", in);
  /* A trajectory's format takes all frames, unless some are chosen. */
  if (choice.kind == RILL_FRAME_FIRST && rill_export_find(out) != NULL && !writes_topology(&conversion))
    choice = rill_all_frames;
  RILL_TRY(rill_written_begin(written, out, replace, true, choice.kind == RILL_FRAME_RANGE, rill_notes_unless(false),
                              error));
  written->site_weight = conversion.sites.site_weight;
  if (trajectory) status = convert_trajectory(arguments, &replica, &choice, &conversion, error);
  else status = convert_structure(arguments, &choice, &conversion, error);
  RILL_TRY(rill_written_end(written, status));
  if (choice.kind == RILL_FRAME_RANGE)
    printf("%s: %zu frame%s\n", out, written->frames, written->frames == 1 ? "" : "s");
  else printf("%s: %zu molecules\n", out, written->molecules);
  return RILL_OK;
}

static const struct rill_option_row options[] = {
    {"frame", 0, "N|last|all",
     "which frame, from 0 (default: of a trajectory the last, of a structure file the first; DCD and TRR: all)"},
    {"frames", 0, "A:B:K", "frames A, A + K, A + 2K, ... below B, as in Python: 0:100:10, 50:, ::2"},
    {"wrap", 0, "molecule|atom|none",
     "moves whole molecules (by their oxygens), or atoms, into the box; default none: positions as they are"},
    {"model", 0, "NAME", "the model whose charges a topology (.psf) has (default: that of the trajectory's run)"},
    {"sites", 0, "MODEL",
     "adds the massless site of a four-site model (tip4p, tip4p-ew, tip4p-2005, opc, tip4p-fb) to each molecule, as "
     "other programs expect it"},
    RILL_REPLICA_OPTIONS,
    {"force", 'f', NULL, "replaces an existing file"},
};

const struct rill_command rill_command_convert = {
    .name = "convert",
    .positional = "IN OUT",
    .positional_min = 2,
    .positional_max = 2,
    .summary = "converts between GRO, PDB and XYZ, and trajectories to these, DCD, TRR and PSF",
    .description =
        "The names' endings determine the formats: .gro, .pdb, .ent and .xyz are read and written, .h5md is read; "
        ".dcd (VMD, NAMD, LAMMPS), .trr (GROMACS) and the topology .psf (charges, masses, bonds) are written. "
        "Molecules are written whole, O H H, with standard names; massless sites are dropped when they are read, "
        "and written with --sites only. With --frame all or --frames several frames go into one file (PDB: as "
        "models). A note reports what the other format cannot hold (velocities, decimals).",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = convert,
};
