/* rill rdf: the distribution of O-O distances of a trajectory. */
#include <math.h>
#include <string.h>

#include "analysis/rdf.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/written.h"
#include "deck/deck.h"
#include "output/trajectory.h"

static enum rill_status sample(struct rill_trajectory_reader *reader, double from, struct rill_rdf *rdf,
                               double *positions, struct rill_error *error) {
  for (size_t i = 0; i < rill_trajectory_frames(reader); i++) {
    uint64_t step;
    double time;
    RILL_TRY(rill_trajectory_read(reader, i, &step, &time, positions, NULL, NULL, error));
    if (time >= from) rill_rdf_sample(rdf, positions);
  }
  return RILL_OK;
}

static void print(const struct rill_rdf *rdf, const double *density, const double *error_of) {
  printf("r_nm,density_per_nm,error_per_nm\n");
  for (size_t i = 0; i < rill_rdf_bins(rdf); i++)
    printf("%.10g,%.10g,%.6g\n", rill_rdf_centre(rdf, i), density[i], error_of[i]);
}

static enum rill_status work(const struct rill_arguments *arguments, struct rill_trajectory_reader *reader,
                             double max, size_t bins, double from, struct rill_error *error) {
  size_t molecules = rill_trajectory_molecules(reader);
  double *positions = rill_allocate(9 * molecules, sizeof *positions),
         *result = rill_allocate(2 * bins, sizeof *result), beyond;
  const char *csv = rill_argument(arguments, "csv");
  struct rill_rdf *rdf = NULL;
  enum rill_status status = RILL_ERROR_MEMORY;
  if (molecules < 2) {
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s has one molecule, and so no pairs of oxygens",
                            arguments->positional[0]);
    goto done;
  }
  if (positions == NULL || result == NULL) {
    rill_error_set(error, status, "no memory for %zu molecules and %zu bins", molecules, bins);
    goto done;
  }
  status = rill_rdf_create(molecules, max, bins, &rdf, error);
  if (status == RILL_OK) status = sample(reader, from, rdf, positions, error);
  if (status != RILL_OK) goto done;
  if (rill_rdf_samples(rdf) == 0) {
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s has no frame at or after %g ps (it has %zu frames)",
                            arguments->positional[0], from, rill_trajectory_frames(reader));
    goto done;
  }
  if (csv != NULL) {
    status = rill_outputs_write_rdf(csv, rill_argument_given(arguments, "force"), rdf, rill_trajectory_deck(reader), NULL,
                                    error);
    if (status == RILL_OK) printf("%zu frames of %zu molecules: %s\n", rill_rdf_samples(rdf), molecules, csv);
  } else {
    rill_rdf_result(rdf, result, result + bins, &beyond);
    printf("# normalised density of O-O pair distances (a cluster in vacuum has no volume, so this is not a g(r))\n"
           "# samples: %zu\n# pairs beyond the range: %.6g\n", rill_rdf_samples(rdf), beyond);
    print(rdf, result, result + bins);
  }
done:
  rill_rdf_destroy(rdf);
  rill_release(positions);
  rill_release(result);
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
  if (rill_trajectory_is_periodic(reader))
    status =
        rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                       "%s: distances in periodic boxes are not offered by this version", arguments->positional[0]);
  else
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
    .description = "In vacuum there is no volume, and so no g(r): what is given is the normalised density of pair "
                   "distances (its integral "
                   "over all distances is 1), with standard errors from block averages.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = rdf,
};
