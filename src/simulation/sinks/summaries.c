/* The data of closing summaries, gathered at the interval of the series. */
#include "simulation/sinks/sinks.h"

/* ---- water ---- */

static enum rill_status open_summary(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                     void **self, struct rill_error *error) {
  *self = run;
  if (opening != RILL_OPEN_CHECK) return RILL_OK;
  rill_summary_archive(&run->summary, &run->sim->deck, archive);
  return rill_archive_status(archive, error);
}

static enum rill_status add(void *self, uint64_t step, double time, struct rill_error *error) {
  struct rill_run *run = self;
  RILL_TRY(rill_run_observe(run, step, time, error));
  rill_summary_add(&run->summary, &run->sim->deck, run->row);
  return RILL_OK;
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  return (struct rill_observer){run->sim->deck.output.series_interval, add, self, true, true};
}

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  (void)self, (void)error;
  rill_summary_archive(&run->summary, &run->sim->deck, archive);
  return RILL_OK;
}

const struct rill_sink rill_summary_sink = {
    .group = "summary", .open = open_summary, .observer = observer, .keep = keep};

/* ---- small systems ---- */

static enum rill_status open_small(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                   void **self, struct rill_error *error) {
  const struct rill_deck *deck = &run->sim->deck;
  *self = run;
  run->small_summary.sampled = deck->thermostat.method != RILL_NO_BATH;
  run->small_summary.from = deck->output.means_from;
  if (opening != RILL_OPEN_CHECK) return RILL_OK;
  rill_small_summary_archive(&run->small_summary, archive);
  return rill_archive_status(archive, error);
}

static enum rill_status add_small(void *self, uint64_t step, double time, struct rill_error *error) {
  struct rill_run *run = self;
  RILL_TRY(rill_run_observe(run, step, time, error));
  rill_small_summary_add(&run->small_summary, time, &run->observation);
  return RILL_OK;
}

static struct rill_observer observer_of_small(struct rill_run *run, void *self) {
  return (struct rill_observer){run->sim->deck.output.series_interval, add_small, self, true, true};
}

static enum rill_status keep_small(struct rill_run *run, void *self, struct rill_archive *archive,
                                   struct rill_error *error) {
  (void)self, (void)error;
  rill_small_summary_archive(&run->small_summary, archive);
  return RILL_OK;
}

const struct rill_sink rill_small_summary_sink = {
    .group = "summary", .open = open_small, .observer = observer_of_small, .keep = keep_small};
