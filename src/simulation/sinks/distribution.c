/* The distribution of O-O distances: a CSV at the end of the run, and a table of the trajectory. */
#include "analysis/rdf.h"
#include "simulation/sinks/sinks.h"

static enum rill_status create(struct rill_run *run, void **self, struct rill_error *error) {
  const struct rill_deck *deck = &run->sim->deck;
  const struct rill_structure *structure = &run->sim->structure;
  RILL_TRY((structure->has_box ? rill_rdf_create_periodic : rill_rdf_create)(
      structure->molecules, deck->rdf.max, (size_t)deck->rdf.bins, &run->rdf, error));
  *self = run;
  return RILL_OK;
}

static enum rill_status open_distribution(struct rill_run *run, enum rill_opening opening,
                                          struct rill_archive *archive, void **self, struct rill_error *error) {
  if (!run->sim->deck.rdf.on || run->sim->structure.molecules < 2 || opening == RILL_OPEN_RESUME) return RILL_OK;
  RILL_TRY(create(run, self, error));
  RILL_TRY(rill_run_room(run, error));
  if (opening == RILL_OPEN_NEW) return RILL_OK;
  rill_rdf_archive(run->rdf, archive);
  return rill_archive_status(archive, error);
}

/* Creates the table. */
static enum rill_status begin(struct rill_run *run, void *self, struct rill_error *error) {
  return self != NULL && run->trajectory != NULL ? rill_outputs_begin_rdf(run->rdf, run->trajectory, error) : RILL_OK;
}

static enum rill_status sample(void *self, uint64_t step, double time, struct rill_error *error) {
  struct rill_run *run = self;
  (void)step;
  if (time < run->sim->deck.rdf.from) return RILL_OK;
  rill_water_copy_positions(&run->sim->system, run->positions);
  if (rill_rdf_is_periodic(run->rdf))
    return rill_rdf_sample_box(run->rdf, run->positions, rill_water_cell(&run->sim->system)->vector, error);
  rill_rdf_sample(run->rdf, run->positions);
  return RILL_OK;
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  return (struct rill_observer){run->sim->deck.rdf.interval, sample, self, false, true};
}

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  (void)error;
  if (self != NULL) rill_rdf_archive(run->rdf, archive);
  return RILL_OK;
}

static enum rill_status finish(struct rill_run *run, void *self, struct rill_error *error) {
  if (self == NULL || rill_rdf_samples(run->rdf) == 0) return RILL_OK;
  return rill_outputs_write_rdf(run->outputs.distribution, rill_run_may_replace(run), run->rdf, run->provenance,
                                run->trajectory, error);
}

static enum rill_status plan(struct rill_outputs *outputs, const struct rill_deck *deck, struct rill_error *error) {
  if (!deck->rdf.on) return RILL_OK;
  return rill_outputs_name_after(outputs, deck, "-rdf.csv", outputs->distribution, error);
}

const struct rill_sink rill_distribution_sink = {.plan = plan,
                                                 .group = "rdf",
                                                 .open = open_distribution,
                                                 .begin = begin,
                                                 .observer = observer,
                                                 .keep = keep,
                                                 .finish = finish};
