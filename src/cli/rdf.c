/* rill rdf: the distribution of O-O distances of a trajectory. */
#include <math.h>
#include <string.h>

#include "analysis/rdf.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/distribution.h"
#include "cli/files.h"
#include "cli/written.h"
#include "deck/deck.h"
#include "output/trajectory.h"

static enum rill_status sample(struct rill_trajectory_reader *reader, double from, struct rill_rdf *rdf,
                               double *positions, struct rill_error *error) {
  for (size_t i = 0; i < rill_trajectory_frames(reader); i++) {
    uint64_t step;
    double time, box[3][3];
    RILL_TRY(rill_trajectory_read(reader, i, &step, &time, positions, NULL, &box[0][0], error));
    if (time < from) continue;
    if (!rill_rdf_is_periodic(rdf))
      rill_rdf_sample(rdf, positions);
    else if (rill_rdf_sample_box(rdf, positions, (const double(*)[3])box, error) != RILL_OK)
      return rill_error_prefix(error, "frame %zu", i + 1);
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
                             double max, size_t bins, double from, struct rill_error *error) {
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
  if (status == RILL_OK && sample(reader, from, rdf, positions, error) != RILL_OK)
    status = rill_error_prefix(error, "%s", path);
  if (status == RILL_OK && rill_rdf_samples(rdf) == 0)
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s has no frame at or after %g ps (it has %zu frames)", path,
                            from, rill_trajectory_frames(reader));
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
  double max = 1.0, from = 0;
  size_t bins;
  enum rill_status status;
  if (pair != NULL && strcmp(pair, "O-O") != 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "--pair %s: expected O-O", pair);
  if ((text = rill_argument(arguments, "max")) != NULL) {
    RILL_TRY(rill_quantity_parse(text, "length", "--max", &max, error));
    if (!(max > 0)) return rill_error_set(error, RILL_ERROR_USAGE, "--max %s: expected a length above 0", text);
  }
  if ((text = rill_argument(arguments, "from")) != NULL)
    RILL_TRY(rill_quantity_parse(text, "time", "--from", &from, error));
  RILL_TRY(rill_argument_count(arguments, "bins", 100000, 200, &bins, error));
  if (csv != NULL)
    RILL_TRY(rill_written_check_place(csv, arguments->positional[0], rill_argument_given(arguments, "force"), error));
  RILL_TRY(rill_trajectory_open(arguments->positional[0], &reader, error));
  status = work(arguments, reader, max, bins, from, error);
  rill_trajectory_reader_close(reader);
  return status;
}

static const struct rill_option_row options[] = {
    {"pair", 0, "O-O", "the kind of distances (default O-O)"},
    {"max", 0, "LENGTH", "the range (default 1.0nm)"},
    {"bins", 0, "N", "bins of equal width from 0 (default 200)"},
    {"from", 0, "TIME", "leave out the frames before (default 0ps)"},
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
                   "pair distances (its integral over all distances is 1). Both with standard errors from block "
                   "averages.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = rdf,
};
