/* The volumes of two runs at two pressures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/two_pressures.h"
#include "base/memory.h"
#include "base/units.h"
#include "output/trajectory.h"
#include "simulation/series_columns.h"
#include "study/validate.h"

struct run {
  const char *path;
  struct rill_deck *deck;
  size_t molecules, rows;
  double *values; /* [2][rows]: times, volumes */
};

static enum rill_status read(struct run *run, struct rill_error *error) {
  static const enum rill_series_column columns[] = {RILL_SERIES_time_ps, RILL_SERIES_volume};
  const char *names[] = {rill_series_names[columns[0]], rill_series_names[columns[1]]};
  struct rill_trajectory_reader *reader;
  enum rill_status status;
  RILL_TRY(rill_trajectory_open(run->path, &reader, error));
  status =
      rill_deck_read_text(&rill_deck_registry, run->path, rill_trajectory_deck(reader), NULL, 0, run->deck, error);
  if (status == RILL_OK && run->deck->barostat.method == RILL_NO_BAROSTAT)
    status = rill_error_set(error, RILL_ERROR_USAGE, "%s: the run has no barostat; two files are compared by volumes",
                            run->path);
  if (status == RILL_OK)
    status = rill_trajectory_read_columns(reader, "series", 2, names, &run->rows, &run->values, error);
  run->molecules = rill_trajectory_molecules(reader);
  rill_trajectory_reader_close(reader);
  return status;
}

/* What must be the same for the law of the ratio. */
static enum rill_status compare_decks(const struct run runs[2], struct rill_error *error) {
  const struct rill_deck *a = runs[0].deck, *b = runs[1].deck;
  const double *t = a->thermostat.temperature, *u = b->thermostat.temperature;
  const bool same_model = strcmp(a->system.model, b->system.model) == 0 &&
                          memcmp(&a->system.custom, &b->system.custom, sizeof a->system.custom) == 0;
  const char *differs = !same_model                                    ? "the models"
                        : runs[0].molecules != runs[1].molecules       ? "the numbers of molecules"
                        : t[0] != t[1] || u[0] != u[1] || t[0] != u[0] ? "the temperatures"
                                                                       : NULL;
  if (differs != NULL)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "%s and %s: %s differ; volumes are compared of runs that differ in their pressures alone",
                          runs[0].path, runs[1].path, differs);
  if (a->barostat.pressure == b->barostat.pressure)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s and %s have the same pressure, %g bar; expected two pressures",
                          runs[0].path, runs[1].path, a->barostat.pressure / RILL_BAR);
  return RILL_OK;
}

/* From [output] means_from on. */
static struct rill_volumes volumes_of(const struct run *run) {
  size_t first = 0;
  while (first < run->rows && run->values[first] < run->deck->output.means_from) first++;
  return (struct rill_volumes){run->values + run->rows + first, run->rows - first, run->deck->barostat.pressure};
}

static enum rill_status judge(const struct run runs[2], struct rill_verdicts *verdicts, struct rill_error *error) {
  const struct rill_volumes volumes[2] = {volumes_of(&runs[0]), volumes_of(&runs[1])};
  struct rill_finding finding;
  RILL_TRY(compare_decks(runs, error));
  if (!rill_judge_two_pressures(volumes, RILL_GAS_CONSTANT * runs[0].deck->thermostat.temperature[0], &finding))
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the volumes");
  rill_verdicts_add(verdicts, &finding);
  return RILL_OK;
}

enum rill_status rill_validate_pressures(const char *path, const char *other, struct rill_verdicts *verdicts,
                                         struct rill_error *error) {
  struct run runs[2] = {{.path = path, .deck = malloc(sizeof(struct rill_deck))},
                        {.path = other, .deck = malloc(sizeof(struct rill_deck))}};
  enum rill_status status = RILL_OK;
  if (runs[0].deck == NULL || runs[1].deck == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  for (int k = 0; k < 2 && status == RILL_OK; k++) status = read(&runs[k], error);
  if (status == RILL_OK) status = judge(runs, verdicts, error);
  for (int k = 0; k < 2; k++) {
    rill_release(runs[k].values);
    free(runs[k].deck);
  }
  return status;
}
