/* rill rdf: the distribution of distances in a trajectory. */
#include "config.h" /* first: defines _GNU_SOURCE, for strdup */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/choices.h"
#include "cli/command.h"
#include "cli/notes.h"
#include "show/distances.h"
#include "simulation/outputs.h"
#include "simulation/written.h"
#include "study/recording.h"

/* Frames of all files, and of all ladders when only a temperature was chosen. */
struct gathering {
  struct rill_distances_request request;
  struct rill_replica_choice replica;
  struct rill_rdf *distances;
  char *deck; /* of the first file */
};

static enum rill_status show(const struct rill_arguments *arguments, const struct gathering *gathering,
                             struct rill_error *error) {
  const char *csv = rill_argument(arguments, "csv"), *files[RILL_MAX_POSITIONAL + 1] = {NULL};
  struct rill_distribution distribution;
  struct rill_page page;
  enum rill_status status;
  for (size_t i = 0; i < arguments->positional_count; i++) files[i] = arguments->positional[i];
  if (csv != NULL)
    RILL_TRY(rill_outputs_write_rdf(csv, rill_argument_given(arguments, "force"), gathering->distances,
                                    gathering->deck, NULL, error));
  RILL_TRY(rill_distribution_create(gathering->distances, "", &distribution, error));
  status = rill_arguments_page(arguments, RILL_PAGE_TEXT, &page, error);
  if (status == RILL_OK)
    rill_show_distances(&page, &gathering->request, files, csv, gathering->distances, &distribution);
  status = rill_page_end(&page, status, error);
  rill_distribution_release(&distribution);
  return status;
}

static const double longest_range = 1000; /* nm */

static enum rill_status read_pair(const char *word, enum rill_rdf_pair *pair, struct rill_error *error) {
  *pair = RILL_RDF_OO;
  if (word == NULL) return RILL_OK;
  for (int k = 0; k < RILL_RDF_PAIRS; k++)
    if (strcmp(word, rill_distances_choices[k].word) == 0) {
      *pair = (enum rill_rdf_pair)k;
      return RILL_OK;
    }
  return rill_error_set(error, RILL_ERROR_USAGE, "--pair %s: O-O, O-H or H-H is expected", word);
}

static enum rill_status read_request(const struct rill_arguments *arguments, struct rill_distances_request *request,
                                     struct rill_error *error) {
  const char *csv = rill_argument(arguments, "csv");
  RILL_TRY(read_pair(rill_argument(arguments, "pair"), &request->pair, error));
  RILL_TRY(rill_argument_quantity(arguments, "max", "length", "length", &request->max, error));
  if (!(request->max <= longest_range))
    return rill_error_set(error, RILL_ERROR_USAGE, "--max %s: at most %g nm is expected",
                          rill_argument(arguments, "max"), longest_range);
  RILL_TRY(rill_argument_quantity(arguments, "from", "time", NULL, &request->from, error));
  RILL_TRY(rill_argument_quantity(arguments, "to", "time", NULL, &request->to, error));
  RILL_TRY(rill_argument_count(arguments, "bins", 100000, 200, &request->bins, error));
  if (csv == NULL) return RILL_OK;
  for (size_t i = 0; i < arguments->positional_count; i++)
    RILL_TRY(rill_written_check_place(csv, arguments->positional[i], rill_argument_given(arguments, "force"), error));
  return RILL_OK;
}

static enum rill_status gather_ladders(struct rill_trajectory_reader *reader, struct gathering *gathering,
                                       struct rill_error *error) {
  const struct rill_replica_choice *replica = &gathering->replica;
  size_t ladders;
  RILL_TRY(rill_recording_ladders(reader, replica, &ladders, error));
  for (size_t l = 0; l < ladders; l++) {
    RILL_TRY(rill_recording_select(reader, gathering->request.path, replica,
                                   replica->any_ladder ? l : replica->ladder, error));
    RILL_TRY(rill_distances_add(reader, &gathering->request, &gathering->distances, error));
  }
  return RILL_OK;
}

static enum rill_status gather_file(const char *path, struct gathering *gathering, struct rill_error *error) {
  struct rill_trajectory_reader *reader;
  enum rill_status status;
  gathering->request.path = path;
  RILL_TRY(rill_recording_open(path, rill_notes_unless(false), &reader, error));
  if (gathering->deck == NULL) gathering->deck = strdup(rill_trajectory_deck(reader));
  status = gathering->deck != NULL ? rill_recording_check_same(reader, path, gathering->deck, error) : RILL_OK;
  if (status == RILL_OK) status = gather_ladders(reader, gathering, error);
  rill_trajectory_reader_close(reader);
  if (status == RILL_OK && gathering->deck == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  return status;
}

/* A file named twice would count as independent samples. */
static enum rill_status refuse_repeated(const struct rill_arguments *arguments, struct rill_error *error) {
  const char *const *path = arguments->positional;
  for (size_t i = 0; i < arguments->positional_count; i++)
    for (size_t k = 0; k < i; k++)
      if (rill_same_file(path[i], path[k]))
        return rill_error_set(error, RILL_ERROR_USAGE, "%s is the file %s, which would be counted twice", path[i],
                              path[k]);
  return RILL_OK;
}

static enum rill_status rdf(const struct rill_arguments *arguments, struct rill_error *error) {
  struct gathering gathering = {.request = {.max = 1.0, .from = 0, .to = INFINITY}};
  enum rill_status status;
  RILL_TRY(read_request(arguments, &gathering.request, error));
  RILL_TRY(refuse_repeated(arguments, error));
  RILL_TRY(rill_argument_replica(arguments, &gathering.replica, error));
  status = RILL_OK;
  for (size_t i = 0; status == RILL_OK && i < arguments->positional_count; i++)
    status = gather_file(arguments->positional[i], &gathering, error);
  if (status == RILL_OK) status = show(arguments, &gathering, error);
  rill_rdf_destroy(gathering.distances);
  free(gathering.deck);
  return status;
}

static const struct rill_option_row options[] = {
    {"pair", 0, "WORD", "O-O, O-H or H-H, of atoms of different molecules (default O-O; in vacuum O-O only)"},
    {"max", 0, "LENGTH", "the range (default 1.0nm)"},
    {"bins", 0, "N", "bins of equal width from 0 (default 200)"},
    {"from", 0, "TIME", "leave out the frames before (default 0ps)"},
    {"to", 0, "TIME", "leave out the frames after (default: none)"},
    RILL_REPLICA_OPTIONS,
    {"csv", 0, "FILE", "write there, not to standard output"},
    {"json", 0, NULL, "print one JSON object, a list per column; with --csv as well"},
    {"force", 'f', NULL, "replaces an existing file"},
};

const struct rill_command rill_command_rdf = {
    .name = "rdf",
    .positional = "TRAJECTORY.h5md ...",
    .positional_min = 1,
    .positional_max = RILL_MAX_POSITIONAL,
    .summary = "distribution of distances in a trajectory, or of several runs of one system",
    .description =
        "In a periodic box, the radial distribution g(r) and the number of neighbours within r, by the "
        "box of each frame; all images within the range count, so that g is correctly normalised up to "
        "the shortest lattice vector. In vacuum there is no volume, and so no g(r), but the normalised "
        "density of pair distances (its integral over all distances is 1). Both with standard errors; nan "
        "stands for too few independent samples. A frame that is not finite, impossible, or not later "
        "than the one before, is an error: --from and --to leave frames out. Of an ensemble, --temperature "
        "takes the replicas that have this temperature at each frame, of all ladders, and --replica one replica; "
        "pairs are within a replica.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = rdf,
};
