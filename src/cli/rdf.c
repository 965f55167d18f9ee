/* rill rdf: the distribution of O-O distances of a trajectory. */
#include <math.h>
#include <string.h>

#include "cli/command.h"
#include "cli/json.h"
#include "cli/recording.h"
#include "deck/units.h"
#include "simulation/distribution.h"
#include "simulation/outputs.h"
#include "simulation/written.h"
#include "study/distances.h"

static void print(const struct rill_distribution *distribution) {
  const struct rill_table *table = &distribution->table;
  for (const char *line = distribution->comment; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    printf("# %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
  for (size_t k = 0; k < table->columns; k++) printf("%s%s", k > 0 ? "," : "", table->column_names[k]);
  for (size_t i = 0; i < table->rows * table->columns; i++)
    printf(i % table->columns == 0 ? "\n%.10g" : ",%.10g", table->values[i]);
  putchar('\n');
}

/* Columns as lists, then the facts of the table. */
static void put(struct rill_json *json, const struct rill_distances_request *request, const char *csv,
                const struct rill_trajectory_reader *reader, const struct rill_rdf *rdf,
                const struct rill_distribution *distribution) {
  const struct rill_table *table = &distribution->table;
  rill_json_object(json, NULL);
  rill_json_string(json, "file", request->path);
  rill_json_string(json, "pair", "O-O");
  rill_json_string(json, "boundary", rill_rdf_is_periodic(rdf) ? "periodic" : "vacuum");
  rill_json_count(json, "molecules", rill_trajectory_molecules(reader));
  rill_json_count(json, "bins", request->bins);
  rill_json_number(json, "max_nm", request->max);
  rill_json_string(json, "csv", csv);
  for (size_t i = 0; i < table->fact_count; i++) rill_json_number(json, table->facts[i].name, table->facts[i].value);
  for (size_t k = 0; k < table->columns; k++) {
    rill_json_row(json, table->column_names[k]);
    for (size_t i = 0; i < table->rows; i++) rill_json_number(json, NULL, table->values[i * table->columns + k]);
    rill_json_close(json);
  }
  rill_json_close(json);
}

static enum rill_status show(const struct rill_arguments *arguments, const struct rill_distances_request *request,
                             const struct rill_trajectory_reader *reader, const struct rill_rdf *rdf,
                             struct rill_error *error) {
  const char *csv = rill_argument(arguments, "csv");
  struct rill_distribution distribution;
  struct rill_json json;
  enum rill_status status = RILL_OK;
  if (csv != NULL)
    RILL_TRY(rill_outputs_write_rdf(csv, rill_argument_given(arguments, "force"), rdf, rill_trajectory_deck(reader),
                                    NULL, error));
  RILL_TRY(rill_distribution_create(rdf, "", &distribution, error));
  if (rill_argument_given(arguments, "json")) {
    status = rill_json_begin(&json, error);
    if (status == RILL_OK) put(&json, request, csv, reader, rdf, &distribution);
    if (status == RILL_OK) status = rill_json_end(&json, status, error);
  } else if (csv != NULL) {
    printf("%zu frames of %zu molecules: %s\n", rill_rdf_samples(rdf), rill_trajectory_molecules(reader), csv);
  } else {
    print(&distribution);
  }
  rill_distribution_release(&distribution);
  return status;
}

static enum rill_status read_request(const struct rill_arguments *arguments, struct rill_distances_request *request,
                                     struct rill_error *error) {
  const char *pair = rill_argument(arguments, "pair"), *csv = rill_argument(arguments, "csv"), *text;
  if (pair != NULL && strcmp(pair, "O-O") != 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "--pair %s: expected O-O", pair);
  if ((text = rill_argument(arguments, "max")) != NULL) {
    RILL_TRY(rill_quantity_parse(text, "length", "--max", &request->max, error));
    if (!(request->max > 0))
      return rill_error_set(error, RILL_ERROR_USAGE, "--max %s: expected a length above 0", text);
  }
  if ((text = rill_argument(arguments, "from")) != NULL)
    RILL_TRY(rill_quantity_parse(text, "time", "--from", &request->from, error));
  if ((text = rill_argument(arguments, "to")) != NULL)
    RILL_TRY(rill_quantity_parse(text, "time", "--to", &request->to, error));
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
  RILL_TRY(rill_recording_open(request.path, &reader, error));
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
    {"json", 0, NULL, "print one JSON object, a list a column; with --csv as well"},
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
