/* Inherent structures of an ensemble: at quench_interval a copy of each replica is minimised, and the distinct minima
 * are counted at each temperature; written at the end of the run, a CSV and their structures as GRO.
 *
 * The potential that is minimised is the one that is sampled, with the wall, in double precision.  Replicas are
 * divided among the threads; minima enter the catalogue in the order of replicas, so that it depends on neither. */
#include "config.h" /* first: defines _GNU_SOURCE, for open_memstream */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/series.h"
#include "simulation/sinks/sinks.h"
#include "structure/structure.h"
#include "water/relax/minimize.h"

/* Of one replica. */
struct quenched {
  enum rill_status status;
  bool finished;
  double energy;
};

struct quenches {
  struct rill_run *run;
  size_t workers;
  struct rill_minimizer **minimizer; /* [workers] */
  double *positions;                 /* [replicas][molecules][3][3] */
  struct quenched *quenched;         /* [replicas] */
};

static size_t numbers_of(const struct quenches *quenches) { return 9 * quenches->run->sim->structure.molecules; }

/* ---- making and resuming ---- */

static enum rill_status make_minimizers(struct quenches *quenches, struct rill_error *error) {
  const struct rill_simulation *sim = quenches->run->sim;
  const struct rill_wall wall = {sim->deck.confine.radius, sim->deck.confine.stiffness};
  struct rill_minimize_options options = rill_minimize_defaults();
  options.isa = sim->isa;
  options.reference = sim->deck.forces.kernel == RILL_KERNEL_REFERENCE;
  options.wall = sim->deck.confine.on ? &wall : NULL;
  for (size_t w = 0; w < quenches->workers; w++)
    RILL_TRY(rill_minimizer_create(&sim->model, sim->structure.molecules, &options, &quenches->minimizer[w], error));
  return RILL_OK;
}

static enum rill_status make(struct rill_run *run, struct quenches **out, struct rill_error *error) {
  const struct rill_ensemble *ensemble = run->sim->ensemble;
  struct quenches *quenches = *out = rill_allocate(1, sizeof *quenches);
  if (quenches == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the minimisations");
  quenches->run = run;
  quenches->workers = (size_t)ensemble->threads;
  quenches->minimizer = rill_allocate(quenches->workers, sizeof(struct rill_minimizer *));
  quenches->positions = rill_allocate(ensemble->replicas * numbers_of(quenches), sizeof *quenches->positions);
  quenches->quenched = rill_allocate(ensemble->replicas, sizeof *quenches->quenched);
  if (quenches->minimizer == NULL || quenches->positions == NULL || quenches->quenched == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the minimisations of %zu replicas",
                          ensemble->replicas);
  RILL_TRY(make_minimizers(quenches, error));
  return rill_minima_create(run->sim->structure.molecules, ensemble->exchange.rungs,
                            (size_t)run->sim->deck.ensemble.minima, &run->minima, error);
}

static enum rill_status open_quenches(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                      void **self, struct rill_error *error) {
  if (run->sim->deck.ensemble.quench_interval == 0 || opening == RILL_OPEN_RESUME) return RILL_OK;
  RILL_TRY(make(run, (struct quenches **)self, error));
  if (opening == RILL_OPEN_NEW) return RILL_OK;
  rill_minima_archive(&run->minima, archive);
  return rill_archive_status(archive, error);
}

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  (void)error;
  if (self != NULL) rill_minima_archive(&run->minima, archive);
  return RILL_OK;
}

/* ---- minimising ---- */

static bool is_running(const struct quenches *quenches, size_t r) {
  return quenches->run->sim->ensemble->replica[r].left_out == UINT64_MAX;
}

/* The replicas of a worker. */
static void quench_share(void *context, size_t worker) {
  struct quenches *quenches = context;
  const struct rill_ensemble *ensemble = quenches->run->sim->ensemble;
  const size_t end = rill_share(ensemble->replicas, worker + 1, quenches->workers);
  for (size_t r = rill_share(ensemble->replicas, worker, quenches->workers); r < end; r++) {
    double *positions = quenches->positions + numbers_of(quenches) * r;
    struct quenched *quenched = &quenches->quenched[r];
    struct rill_minimize_report report;
    struct rill_error unused = {0};
    if (!is_running(quenches, r)) continue;
    rill_water_copy_positions(&ensemble->replica[r].system, positions);
    quenched->status = rill_minimizer_run(quenches->minimizer[worker], positions, &report, &unused);
    quenched->finished = quenched->status == RILL_OK &&
                         (report.reason == RILL_MINIMIZE_CONVERGED || report.reason == RILL_MINIMIZE_ROUND_OFF);
    quenched->energy = report.after.lj + report.after.coulomb + report.wall;
  }
}

static enum rill_status sample(void *self, uint64_t step, double time, struct rill_error *error) {
  struct quenches *quenches = self;
  struct rill_run *run = quenches->run;
  struct rill_ensemble *ensemble = run->sim->ensemble;
  (void)step;
  if (time < run->sim->deck.output.means_from) return RILL_OK;
  RILL_TRY(rill_ensemble_collect(ensemble, error));
  rill_team_run(ensemble->team, quenches->workers, true, quench_share, quenches);
  for (size_t r = 0; r < ensemble->replicas; r++) {
    const struct quenched *quenched = &quenches->quenched[r];
    const size_t rung = rill_ensemble_rung(ensemble, r);
    if (!is_running(quenches, r)) continue;
    if (quenched->status == RILL_ERROR_MEMORY)
      return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the minimisation of replica %zu", r);
    if (!quenched->finished) run->minima.unfinished[rung]++;
    else
      RILL_TRY(rill_minima_add(&run->minima, quenched->energy, quenches->positions + numbers_of(quenches) * r, rung,
                               r, time, error));
  }
  return RILL_OK;
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  return (struct rill_observer){run->sim->deck.ensemble.quench_interval, sample, self, false, true};
}

/* ---- the files ---- */

enum { RANK, ENERGY, CONTACTS, MEAN, LARGEST, REPLICA, TIME, COUNT, COLUMNS };
static const char *const names[COLUMNS] = {
    "rank", "energy", "contacts", "mean_distance", "largest_distance", "first_replica", "first_time", "count"};
static const char *const units[COLUMNS] = {"", "kJ/mol", "", "nm", "nm", "", "ps", ""};

static void put_counts(const struct rill_minima *minima, const uint64_t *counts, double *row) {
  for (size_t i = 0; i < minima->rungs; i++) {
    row[COUNT] += (double)counts[i];
    row[COLUMNS + i] += (double)counts[i];
  }
}

static enum rill_status write_rows(const struct rill_minima *minima, double *row, struct rill_series *csv,
                                   struct rill_error *error) {
  for (size_t k = 0; k < minima->count; k++) {
    const struct rill_minimum *minimum = &minima->of[k];
    const struct rill_minimum_shape shape = rill_minima_shape(minima, k);
    for (size_t i = 0; i < COLUMNS + minima->rungs; i++) row[i] = 0;
    row[RANK] = (double)k;
    row[ENERGY] = minimum->energy;
    row[CONTACTS] = (double)shape.contacts;
    row[MEAN] = shape.mean;
    row[LARGEST] = shape.largest;
    row[REPLICA] = (double)minimum->replica;
    row[TIME] = minimum->time;
    put_counts(minima, minimum->counts, row);
    RILL_TRY(rill_series_append(csv, row, error));
  }
  for (size_t i = 0; i < COLUMNS + minima->rungs; i++) row[i] = i < COUNT ? NAN : 0;
  put_counts(minima, minima->dropped, row);
  put_counts(minima, minima->unfinished, row);
  return rill_series_append(csv, row, error);
}

/* Names of the columns of counts at temperatures: at_114.471_K. */
enum { NAME = 32 };

static enum rill_status write_csv(const struct rill_run *run, const char *comment, struct rill_error *error) {
  const struct rill_minima *minima = &run->minima;
  const size_t columns = COLUMNS + minima->rungs;
  char(*at)[NAME] = rill_allocate(minima->rungs, sizeof *at);
  const char **name = rill_allocate(columns, sizeof *name), **unit = rill_allocate(columns, sizeof *unit);
  double *row = rill_allocate(columns, sizeof *row);
  struct rill_series *csv = NULL;
  enum rill_status status = RILL_OK;
  if (at == NULL || name == NULL || unit == NULL || row == NULL)
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the table of minima");
  for (size_t i = 0; status == RILL_OK && i < columns; i++) {
    if (i >= COLUMNS) snprintf(at[i - COLUMNS], NAME, "at_%.6g_K", run->sim->ensemble->temperature[i - COLUMNS]);
    name[i] = i < COLUMNS ? names[i] : at[i - COLUMNS];
    unit[i] = i < COLUMNS ? units[i] : "";
  }
  if (status == RILL_OK)
    status =
        rill_series_create(run->outputs.minima, rill_run_may_replace(run), comment, columns, name, unit, &csv, error);
  if (status == RILL_OK) status = write_rows(minima, row, csv, error);
  rill_release(at);
  rill_release(name);
  rill_release(unit);
  rill_release(row);
  return rill_series_close_whole(csv, status, error);
}

/* Freed with free(); NULL: no memory. */
static char *describe(const struct rill_run *run) {
  const struct rill_minima *minima = &run->minima;
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  if (stream == NULL) return NULL;
  fprintf(stream,
          "distinct minima of the potential energy, with that of the wall, and how often each was found, at all "
          "temperatures and at each\n"
          "the same: energies within %g kJ/mol, sorted O-O distances within %g nm (root mean square)\n"
          "contacts: pairs of oxygens closer than %g nm; mean and largest distance: of all pairs\n"
          "the last row, without a rank, counts the other minimisations: %" PRIu64
          " ended at minima above the %" PRIu64 " lowest, which are dropped, and %" PRIu64 " at none\n",
          RILL_MINIMA_ENERGY, RILL_MINIMA_DISTANCE, RILL_MINIMA_CONTACT, rill_minima_sum(minima, minima->dropped),
          run->sim->deck.ensemble.minima, rill_minima_sum(minima, minima->unfinished));
  fputs(run->provenance, stream);
  if (fclose(stream) == 0) return text;
  free(text);
  return NULL;
}

static enum rill_status write_structures(const struct rill_run *run, struct rill_error *error) {
  const struct rill_minima *minima = &run->minima;
  struct rill_structure one = {.molecules = minima->molecules};
  struct rill_structure_writer *writer;
  enum rill_status status = RILL_OK;
  RILL_TRY(rill_structure_create(run->outputs.minimum_frames, rill_run_may_replace(run), 9, true, &writer, error));
  for (size_t k = 0; status == RILL_OK && k < minima->count; k++) {
    const struct rill_minimum *minimum = &minima->of[k];
    one.positions = minimum->positions;
    snprintf(one.title, sizeof one.title, "minimum %zu, %.6f kJ/mol, found in %" PRIu64 " of the quenches", k,
             minimum->energy, rill_minima_sum(minima, minimum->counts));
    status = rill_structure_append(writer, &one);
  }
  return rill_structure_finish(writer, status);
}

static enum rill_status finish(struct rill_run *run, void *self, struct rill_error *error) {
  char *comment;
  enum rill_status status;
  if (self == NULL) return RILL_OK;
  comment = describe(run);
  if (comment == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the table of minima");
  status = write_csv(run, comment, error);
  free(comment);
  if (status != RILL_OK || run->minima.count == 0) return status;
  return write_structures(run, error);
}

static enum rill_status close_quenches(struct rill_run *run, void *self, struct rill_error *error) {
  struct quenches *quenches = self;
  (void)run, (void)error;
  for (size_t w = 0; quenches->minimizer != NULL && w < quenches->workers; w++)
    rill_minimizer_destroy(quenches->minimizer[w]);
  rill_release(quenches->minimizer);
  rill_release(quenches->positions);
  rill_release(quenches->quenched);
  rill_release(quenches);
  return RILL_OK;
}

static enum rill_status plan(struct rill_outputs *outputs, const struct rill_deck *deck, struct rill_error *error) {
  if (deck->ensemble.quench_interval == 0) return RILL_OK;
  RILL_TRY(rill_outputs_name_after(outputs, deck, "-minima.csv", outputs->minima, error));
  return rill_outputs_name_after(outputs, deck, "-minima.gro", outputs->minimum_frames, error);
}

/* At most. */
static double disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  const double columns = COLUMNS + (double)sim->deck.ensemble.temperatures.count, of_atom = 60;
  if (outputs->minima[0] == '\0') return 0;
  return (double)sim->deck.ensemble.minima * (10 * columns + 3 * of_atom * (double)sim->structure.molecules);
}

const struct rill_sink rill_minima_sink = {.group = "minima",
                                           .plan = plan,
                                           .disk = disk,
                                           .open = open_quenches,
                                           .observer = observer,
                                           .keep = keep,
                                           .finish = finish,
                                           .close = close_quenches};
