/* rill convert: structure files to other formats, and frames of trajectories to structure files. */
#include <string.h>

#include "cli/command.h"
#include "cli/notes.h"
#include "simulation/written.h"
#include "study/recording.h"
#include "water/model/model.h"

/* Larger deviations than those of a file with 3 decimals: another model. */
static const double alike = 0.01;

struct conversion {
  struct rill_written written;
  struct rill_water_model sites; /* of --sites; its site_weight is 0 without the option */
};

static enum rill_status add_frame(void *context, struct rill_structure *structure, size_t frame,
                                  struct rill_error *error) {
  struct conversion *conversion = context;
  const struct rill_water_model *model = &conversion->sites;
  size_t worst;
  if (model->site_weight > 0 &&
      !(rill_water_deviation(model, structure->positions, structure->molecules, &worst) < alike))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "frame %zu: molecule %zu has not the geometry of %s (O-H %g nm, H-O-H %.5g degrees), whose "
                          "sites are to be written; rill info names the models with its geometry",
                          frame, worst + 1, model->name, model->bond[0], rill_water_angle(model));
  return rill_written_add(&conversion->written, structure);
}

static enum rill_status convert_trajectory(const char *path, const struct rill_replica_choice *replica,
                                           const struct rill_frame_choice *choice, struct conversion *conversion,
                                           struct rill_error *error) {
  struct rill_trajectory_reader *reader;
  enum rill_status status;
  size_t ladders;
  RILL_TRY(rill_recording_open(path, rill_notes_unless(false), &reader, error));
  status = rill_recording_ladders(reader, replica, &ladders, error);
  if (status == RILL_OK && ladders > 1)
    rill_note(rill_notes_unless(false), "note: frames of ladder %zu of %zu; --ladder N takes another",
              replica->ladder, ladders);
  if (status == RILL_OK) status = rill_recording_select(reader, path, replica, replica->ladder, error);
  if (status == RILL_OK) status = rill_recording_visit(reader, path, choice, add_frame, conversion, error);
  rill_trajectory_reader_close(reader);
  return status;
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

static enum rill_status convert(const struct rill_arguments *arguments, struct rill_error *error) {
  const char *in = arguments->positional[0], *out = arguments->positional[1], *dot = strrchr(in, '.');
  const bool trajectory = dot != NULL && (strcmp(dot, ".h5md") == 0 || strcmp(dot, ".h5") == 0);
  const bool replace = rill_argument_given(arguments, "force");
  struct rill_frame_choice choice;
  struct rill_replica_choice replica;
  struct conversion conversion;
  struct rill_written *written = &conversion.written;
  enum rill_status status;
  RILL_TRY(find_sites(arguments, &conversion.sites, error));
  RILL_TRY(rill_written_check(out, in, replace, error));
  RILL_TRY(rill_argument_frame(arguments, &choice, error));
  RILL_TRY(rill_argument_replica(arguments, &replica, error));
  if (!trajectory && replica.kind != RILL_REPLICA_UNCHOSEN)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "--replica and --temperature are for trajectories (.h5md); %s is none", in);
  RILL_TRY(rill_written_begin(written, out, replace, true, choice.kind == RILL_FRAME_ALL, rill_notes_unless(false),
                              error));
  written->site_weight = conversion.sites.site_weight;
  if (trajectory) status = convert_trajectory(in, &replica, &choice, &conversion, error);
  else
    status = rill_frames_visit(in, &choice, "--frame N, last or all converts others", rill_notes_unless(false),
                               add_frame, &conversion, NULL, error);
  RILL_TRY(rill_written_end(written, status));
  if (choice.kind == RILL_FRAME_ALL)
    printf("%s: %zu frame%s\n", out, written->frames, written->frames == 1 ? "" : "s");
  else printf("%s: %zu molecules\n", out, written->molecules);
  return RILL_OK;
}

static const struct rill_option_row options[] = {
    {"frame", 0, "N|last|all",
     "which frame, from 0 (default: of a trajectory the last, of a structure file the first)"},
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
    .summary = "converts between GRO, PDB and XYZ, and takes frames out of trajectories",
    .description =
        "The names' endings determine the formats. Molecules are written whole, O H H, with standard "
        "names; massless sites are dropped when they are read, and written with --sites only. With --frame all "
        "every frame goes into one file (PDB: as models). A note reports what the other format cannot hold "
        "(velocities, decimals).",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = convert,
};
