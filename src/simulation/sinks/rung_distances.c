/* The distributions of O-O distances of an ensemble at each temperature, over all its ladders: a CSV at the end of
 * the run.  Pairs are within a replica. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "output/series.h"
#include "simulation/distribution.h"
#include "simulation/sinks/sinks.h"

enum { MOST_COLUMNS = 5 };

struct distances {
  struct rill_run *run;
  double *positions;     /* [molecules][3][3] */
  struct rill_rdf **rdf; /* [rungs] */
};

static size_t rungs_of(const struct rill_run *run) { return run->sim->ensemble->exchange.rungs; }

static enum rill_status create(struct rill_run *run, struct distances **out, struct rill_error *error) {
  const struct rill_deck *deck = &run->sim->deck;
  const struct rill_structure *structure = &run->sim->structure;
  struct distances *distances = *out = rill_allocate(1, sizeof *distances);
  if (distances == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the distributions");
  distances->run = run;
  distances->positions = rill_allocate(9 * structure->molecules, sizeof *distances->positions);
  distances->rdf = rill_allocate(rungs_of(run), sizeof(struct rill_rdf *));
  if (distances->positions == NULL || distances->rdf == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the distributions");
  for (size_t i = 0; i < rungs_of(run); i++)
    RILL_TRY((structure->has_box ? rill_rdf_create_periodic : rill_rdf_create)(
        structure->molecules, deck->rdf.max, (size_t)deck->rdf.bins, &distances->rdf[i], error));
  return RILL_OK;
}

static void archive_all(struct distances *distances, struct rill_archive *archive) {
  char name[32];
  for (size_t i = 0; i < rungs_of(distances->run); i++) {
    snprintf(name, sizeof name, "rung-%zu", i);
    rill_archive_enter(archive, name);
    rill_rdf_archive(distances->rdf[i], archive);
    rill_archive_leave(archive);
  }
}

static enum rill_status open_distances(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                       void **self, struct rill_error *error) {
  if (!run->sim->deck.rdf.on || run->sim->structure.molecules < 2 || opening == RILL_OPEN_RESUME) return RILL_OK;
  RILL_TRY(create(run, (struct distances **)self, error));
  if (opening == RILL_OPEN_NEW) return RILL_OK;
  archive_all(*self, archive);
  return rill_archive_status(archive, error);
}

static enum rill_status sample(void *self, uint64_t step, double time, struct rill_error *error) {
  struct distances *distances = self;
  const struct rill_simulation *sim = distances->run->sim;
  struct rill_ensemble *ensemble = sim->ensemble;
  (void)step;
  if (time < sim->deck.rdf.from) return RILL_OK;
  RILL_TRY(rill_ensemble_collect(ensemble, error));
  for (size_t r = 0; r < ensemble->replicas; r++) {
    struct rill_rdf *rdf = distances->rdf[rill_ensemble_rung(ensemble, r)];
    if (ensemble->replica[r].left_out != UINT64_MAX) continue;
    rill_water_copy_positions(&ensemble->replica[r].system, distances->positions);
    if (!sim->structure.has_box) rill_rdf_sample(rdf, distances->positions);
    else RILL_TRY(rill_rdf_sample_box(rdf, distances->positions, (const double(*)[3])sim->structure.box, error));
  }
  return RILL_OK;
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  return (struct rill_observer){run->sim->deck.rdf.interval, sample, self, false, true};
}

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  (void)run, (void)error;
  if (self != NULL) archive_all(self, archive);
  return RILL_OK;
}

/* The rows of a rung, after its temperature. */
static enum rill_status write_rung(const struct rill_distribution *distribution, double temperature,
                                   struct rill_series *csv, struct rill_error *error) {
  const struct rill_table *table = &distribution->table;
  for (size_t i = 0; i < table->rows; i++) {
    double row[MOST_COLUMNS] = {temperature};
    memcpy(row + 1, table->values + table->columns * i, table->columns * sizeof *row);
    RILL_TRY(rill_series_append(csv, row, error));
  }
  return RILL_OK;
}

/* The first distribution names the columns, and its comment begins the file. */
static enum rill_status begin_csv(const struct rill_run *run, const struct rill_distribution *distribution,
                                  struct rill_series **csv, struct rill_error *error) {
  const struct rill_table *table = &distribution->table;
  const char *names[MOST_COLUMNS] = {"temperature"}, *units[MOST_COLUMNS] = {"K"};
  for (size_t c = 0; c < table->columns; c++) {
    names[c + 1] = table->column_names[c];
    units[c + 1] = table->column_units[c];
  }
  return rill_series_create(run->outputs.distribution, rill_run_may_replace(run), distribution->comment,
                            table->columns + 1, names, units, csv, error);
}

static enum rill_status finish(struct rill_run *run, void *self, struct rill_error *error) {
  const struct distances *distances = self;
  struct rill_series *csv = NULL;
  enum rill_status status = RILL_OK;
  if (distances == NULL || rill_rdf_samples(distances->rdf[0]) == 0) return RILL_OK;
  for (size_t i = 0; status == RILL_OK && i < rungs_of(run); i++) {
    struct rill_distribution distribution;
    status = rill_distribution_create(distances->rdf[i], run->provenance, &distribution, error);
    if (status != RILL_OK) break;
    if (i == 0) status = begin_csv(run, &distribution, &csv, error);
    if (status == RILL_OK) status = write_rung(&distribution, run->sim->ensemble->temperature[i], csv, error);
    rill_distribution_release(&distribution);
  }
  return rill_series_close_whole(csv, status, error);
}

static enum rill_status close_distances(struct rill_run *run, void *self, struct rill_error *error) {
  struct distances *distances = self;
  (void)error;
  for (size_t i = 0; distances->rdf != NULL && i < rungs_of(run); i++) rill_rdf_destroy(distances->rdf[i]);
  rill_release(distances->rdf);
  rill_release(distances->positions);
  rill_release(distances);
  return RILL_OK;
}

static enum rill_status plan(struct rill_outputs *outputs, const struct rill_deck *deck, struct rill_error *error) {
  return rill_distribution_sink.plan(outputs, deck, error);
}

const struct rill_sink rill_rung_distances_sink = {.group = "rdf",
                                                   .plan = plan,
                                                   .open = open_distances,
                                                   .observer = observer,
                                                   .keep = keep,
                                                   .finish = finish,
                                                   .close = close_distances};
