/* rill rdf: the distribution of O-O distances of a trajectory. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/rdf.h"
#include "base/memory.h"
#include "cli/command.h"
#include "simulation/distribution.h"
#include "simulation/outputs.h"
#include "cli/recording.h"
#include "simulation/written.h"
#include "deck/deck.h"

struct span {
  double from, to; /* ps */
};

/* Steps and times must rise: a frame that comes twice would count twice, and its time says nothing of its place. */
static enum rill_status check_order(const char *path, size_t frame, const uint64_t step[2], const double time[2],
                                    struct rill_error *error) {
  if (frame == 0 || (step[1] > step[0] && !(time[1] < time[0]))) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: frame %zu has step %" PRIu64 " and time %g ps after step %" PRIu64 " and %g ps; expected both "
                        "to rise from frame to frame: if runs were joined, take each by itself",
                        path, frame, step[1], time[1], step[0], time[0]);
}

/* How many frames are damaged, beside what is wrong with the first. */
static enum rill_status count_damage(struct rill_trajectory_reader *reader, struct rill_error *error) {
  struct rill_trajectory_survey *survey = rill_allocate(1, sizeof *survey);
  struct rill_error ignored = {0};
  if (survey != NULL && rill_trajectory_survey(reader, survey, &ignored) == RILL_OK && survey->damaged > 0)
    rill_error_add(error, RILL_ERROR_INPUT,
                   "damaged are %zu of %zu frames; a distribution takes whole runs of sound frames: choose them with "
                   "--from and --to",
                   survey->damaged, rill_trajectory_frames(reader));
  rill_release(survey);
  return error->status;
}

static enum rill_status sample(const char *path, struct rill_trajectory_reader *reader, const struct span *span,
                               struct rill_rdf *rdf, double *positions, struct rill_error *error) {
  uint64_t step[2] = {0};
  double time[2] = {0}, box[3][3];
  for (size_t i = 0; i < rill_trajectory_frames(reader); i++, step[0] = step[1], time[0] = time[1]) {
    RILL_TRY(rill_trajectory_time(reader, i, &step[1], &time[1], error));
    RILL_TRY(check_order(path, i, step, time, error));
    if (isnan(time[1]) && (span->from > 0 || isfinite(span->to)))
      return rill_error_set(error, RILL_ERROR_INPUT, "%s: its frames have no times, by which --from and --to choose", path);
    if (time[1] < span->from || time[1] > span->to) continue;
    if (rill_trajectory_read(reader, i, &step[1], &time[1], positions, NULL, &box[0][0], error) != RILL_OK)
      return count_damage(reader, error);
    if (!rill_rdf_is_periodic(rdf))
      rill_rdf_sample(rdf, positions);
    else if (rill_rdf_sample_box(rdf, positions, (const double(*)[3])box, error) != RILL_OK)
      return rill_error_prefix(error, "%s: frame %zu", path, i);
  }
  return RILL_OK;
}

static enum rill_status print(const struct rill_rdf *rdf, struct rill_error *error) {
  struct rill_distribution distribution;
  const struct rill_table *table = &distribution.table;
  RILL_TRY(rill_distribution_create(rdf, "", &distribution, error));
  for (const char *line = distribution.comment; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    printf("# %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
  for (size_t k = 0; k < table->columns; k++) printf("%s%s", k > 0 ? "," : "", table->column_names[k]);
  for (size_t i = 0; i < table->rows * table->columns; i++)
    printf(i % table->columns == 0 ? "\n%.10g" : ",%.10g", table->values[i]);
  putchar('\n');
  rill_distribution_release(&distribution);
  return RILL_OK;
}

static enum rill_status work(const struct rill_arguments *arguments, struct rill_trajectory_reader *reader,
                             double max, size_t bins, const struct span *span,
                             struct rill_error *error) {
  const char *path = arguments->positional[0], *csv = rill_argument(arguments, "csv");
  size_t molecules = rill_trajectory_molecules(reader);
  double *positions;
  struct rill_rdf *rdf = NULL;
  enum rill_status status;
  if (molecules < 2)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s has one molecule, and so no pairs of oxygens", path);
  positions = rill_allocate(9 * molecules, sizeof *positions);
  status = positions == NULL ? rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", molecules)
           : rill_trajectory_is_periodic(reader) ? rill_rdf_create_periodic(molecules, max, bins, &rdf, error)
                                                 : rill_rdf_create(molecules, max, bins, &rdf, error);
  if (status == RILL_OK) status = sample(path, reader, span, rdf, positions, error);
  if (status == RILL_OK && rill_rdf_samples(rdf) == 0) {
    char end[40] = "";
    if (isfinite(span->to)) snprintf(end, sizeof end, " and up to %g ps", span->to);
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s has no frame at or after %g ps%s (it has %zu frames)", path,
                            span->from, end, rill_trajectory_frames(reader));
  }
  if (status == RILL_OK && csv == NULL) status = print(rdf, error);
  if (status == RILL_OK && csv != NULL) {
    status = rill_outputs_write_rdf(csv, rill_argument_given(arguments, "force"), rdf, rill_trajectory_deck(reader),
                                    NULL, error);
    if (status == RILL_OK) printf("%zu frames of %zu molecules: %s\n", rill_rdf_samples(rdf), molecules, csv);
  }
  rill_rdf_destroy(rdf);
  rill_release(positions);
  return status;
}

static enum rill_status rdf(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_trajectory_reader *reader;
  const char *pair = rill_argument(arguments, "pair"), *csv = rill_argument(arguments, "csv"), *text;
  struct span span = {0, INFINITY};
  double max = 1.0;
  size_t bins;
  enum rill_status status;
  if (pair != NULL && strcmp(pair, "O-O") != 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "--pair %s: expected O-O", pair);
  if ((text = rill_argument(arguments, "max")) != NULL) {
    RILL_TRY(rill_quantity_parse(text, "length", "--max", &max, error));
    if (!(max > 0)) return rill_error_set(error, RILL_ERROR_USAGE, "--max %s: expected a length above 0", text);
  }
  if ((text = rill_argument(arguments, "from")) != NULL)
    RILL_TRY(rill_quantity_parse(text, "time", "--from", &span.from, error));
  if ((text = rill_argument(arguments, "to")) != NULL)
    RILL_TRY(rill_quantity_parse(text, "time", "--to", &span.to, error));
  RILL_TRY(rill_argument_count(arguments, "bins", 100000, 200, &bins, error));
  if (csv != NULL)
    RILL_TRY(rill_written_check_place(csv, arguments->positional[0], rill_argument_given(arguments, "force"), error));
  RILL_TRY(rill_recording_open(arguments->positional[0], &reader, error));
  status = work(arguments, reader, max, bins, &span, error);
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
    {"force", 'f', NULL, "replaces an existing file"},
};

const struct rill_command rill_command_rdf = {
    .name = "rdf",
    .positional = "TRAJECTORY.h5md",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "distribution of O-O distances of a trajectory",
    .description = "In a periodic box, the radial distribution g(r) and the number of neighbours within r, by the box "
                   "of each frame; all images within the range count, so that g has its norm up to the shortest lattice "
                   "vector. In vacuum there is no volume, and so no g(r): what is given is the normalised density of "
                   "pair distances (its integral over all distances is 1). Both with standard errors; nan stands for "
                   "too few independent samples. A frame that is not finite, impossible, or not later than the one "
                   "before, is an error: --from and --to leave frames out.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = rdf,
};
