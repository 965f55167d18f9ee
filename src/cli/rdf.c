/* rill rdf: the distribution of O-O distances of a trajectory. */
#include <math.h>
#include <string.h>

#include "cli/command.h"
#include "cli/notes.h"
#include "show/distances.h"
#include "simulation/outputs.h"
#include "simulation/written.h"
#include "study/recording.h"

static enum rill_status show(const struct rill_arguments *arguments, const struct rill_distances_request *request,
                             const struct rill_trajectory_reader *reader, const struct rill_rdf *rdf,
                             struct rill_error *error) {
  const char *csv = rill_argument(arguments, "csv");
  struct rill_distribution distribution;
  struct rill_page page;
  enum rill_status status;
  if (csv != NULL)
    RILL_TRY(rill_outputs_write_rdf(csv, rill_argument_given(arguments, "force"), rdf, rill_trajectory_deck(reader),
                                    NULL, error));
  RILL_TRY(rill_distribution_create(rdf, "", &distribution, error));
  status = rill_arguments_page(arguments, RILL_PAGE_TEXT, &page, error);
  if (status == RILL_OK) rill_show_distances(&page, request, csv, reader, rdf, &distribution);
  status = rill_page_end(&page, status, error);
  rill_distribution_release(&distribution);
  return status;
}

static enum rill_status read_request(const struct rill_arguments *arguments, struct rill_distances_request *request,
                                     struct rill_error *error) {
  const char *pair = rill_argument(arguments, "pair"), *csv = rill_argument(arguments, "csv");
  if (pair != NULL && strcmp(pair, "O-O") != 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "--pair %s: expected O-O", pair);
  RILL_TRY(rill_argument_quantity(arguments, "max", "length", "length", &request->max, error));
  RILL_TRY(rill_argument_quantity(arguments, "from", "time", NULL, &request->from, error));
  RILL_TRY(rill_argument_quantity(arguments, "to", "time", NULL, &request->to, error));
  RILL_TRY(rill_argument_count(arguments, "bins", 100000, 200, &request->bins, error));
  if (csv == NULL) return RILL_OK;
  return rill_written_check_place(csv, request->path, rill_argument_given(arguments, "force"), error);
}

static enum rill_status rdf(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_distances_request request = {.path = arguments->positional[0], .max = 1.0, .from = 0, .to = INFINITY};
  struct rill_trajectory_reader *reader;
  struct rill_rdf *distances;
  enum rill_status status;
  RILL_TRY(read_request(arguments, &request, error));
  RILL_TRY(rill_recording_open(request.path, rill_notes_unless(false), &reader, error));
  status = rill_distances_of(reader, &request, &distances, error);
  if (status == RILL_OK) status = show(arguments, &request, reader, distances, error);
  rill_rdf_destroy(distances);
  rill_trajectory_reader_close(reader);
  return status;
}

static const struct rill_option_row options[] = {
    {"pair", 0, "O-O", "the kind of distances (default O-O)"},
    {"max", 0, "LENGTH", "the range (default 1.0nm)"},
    {"bins", 0, "N", "bins of equal width from 0 (default 200)"},
    {"from", 0, "TIME", "leave out the frames before (default 0ps)"},
    {"to", 0, "TIME", "leave out the frames after (default: none)"},
    {"csv", 0, "FILE", "write there, not to standard output"},
    {"json", 0, NULL, "print one JSON object, a list per column; with --csv as well"},
    {"force", 'f', NULL, "replaces an existing file"},
};

const struct rill_command rill_command_rdf = {
    .name = "rdf",
    .positional = "TRAJECTORY.h5md",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "distribution of O-O distances of a trajectory",
    .description =
        "In a periodic box, the radial distribution g(r) and the number of neighbours within r, by the "
        "box of each frame; all images within the range count, so that g is correctly normalised up to "
        "the shortest lattice vector. In vacuum there is no volume, and so no g(r), but the normalised "
        "density of pair distances (its integral over all distances is 1). Both with standard errors; nan "
        "stands for too few independent samples. A frame that is not finite, impossible, or not later "
        "than the one before, is an error: --from and --to leave frames out.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = rdf,
};
