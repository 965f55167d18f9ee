/* Distributions of distances: a CSV of each at the end of the run, and a table of the trajectory. */
#include "analysis/rdf.h"
#include "simulation/sinks/sinks.h"

/* The group of a pair in the checkpoint; that of oxygens is the sink's own. */
static const char *const groups[RILL_RDF_PAIRS] = {NULL, "O-H", "H-H"};

static bool wants(const struct rill_deck *deck, int pair) { return deck->rdf.on && (deck->rdf.pairs & 1u << pair); }

static enum rill_status create(struct rill_run *run, int pair, struct rill_error *error) {
  const struct rill_deck *deck = &run->sim->deck;
  const struct rill_structure *structure = &run->sim->structure;
  const size_t molecules = structure->molecules, bins = (size_t)deck->rdf.bins;
  if (!structure->has_box) return rill_rdf_create(molecules, deck->rdf.max, bins, &run->rdf[pair], error);
  return rill_rdf_create_pair((enum rill_rdf_pair)pair, molecules, deck->rdf.max, bins, &run->rdf[pair], error);
}

static void archive_pairs(struct rill_run *run, struct rill_archive *archive) {
  for (int pair = 0; pair < RILL_RDF_PAIRS; pair++) {
    if (run->rdf[pair] == NULL) continue;
    if (groups[pair] != NULL) rill_archive_enter(archive, groups[pair]);
    rill_rdf_archive(run->rdf[pair], archive);
    if (groups[pair] != NULL) rill_archive_leave(archive);
  }
}

static enum rill_status open_distribution(struct rill_run *run, enum rill_opening opening,
                                          struct rill_archive *archive, void **self, struct rill_error *error) {
  if (!run->sim->deck.rdf.on || run->sim->structure.molecules < 2 || opening == RILL_OPEN_RESUME) return RILL_OK;
  for (int pair = 0; pair < RILL_RDF_PAIRS; pair++)
    if (wants(&run->sim->deck, pair)) RILL_TRY(create(run, pair, error));
  *self = run;
  RILL_TRY(rill_run_room(run, error));
  if (opening == RILL_OPEN_NEW) return RILL_OK;
  archive_pairs(run, archive);
  return rill_archive_status(archive, error);
}

/* Creates the tables. */
static enum rill_status begin(struct rill_run *run, void *self, struct rill_error *error) {
  for (int pair = 0; self != NULL && run->trajectory != NULL && pair < RILL_RDF_PAIRS; pair++)
    if (run->rdf[pair] != NULL) RILL_TRY(rill_outputs_begin_rdf(run->rdf[pair], run->trajectory, error));
  return RILL_OK;
}

static enum rill_status sample(void *self, uint64_t step, double time, struct rill_error *error) {
  struct rill_run *run = self;
  (void)step;
  if (time < run->sim->deck.rdf.from) return RILL_OK;
  rill_water_copy_positions(&run->sim->system, run->positions);
  for (int pair = 0; pair < RILL_RDF_PAIRS; pair++) {
    struct rill_rdf *rdf = run->rdf[pair];
    if (rdf == NULL) continue;
    if (rill_rdf_is_periodic(rdf))
      RILL_TRY(rill_rdf_sample_box(rdf, run->positions, rill_water_cell(&run->sim->system)->vector, error));
    else rill_rdf_sample(rdf, run->positions);
  }
  return RILL_OK;
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  return (struct rill_observer){run->sim->deck.rdf.interval, sample, self, false, true};
}

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  (void)error;
  if (self != NULL) archive_pairs(run, archive);
  return RILL_OK;
}

static enum rill_status finish(struct rill_run *run, void *self, struct rill_error *error) {
  const char *const path[RILL_RDF_PAIRS] = {run->outputs.distribution, run->outputs.distribution_OH,
                                            run->outputs.distribution_HH};
  for (int pair = 0; self != NULL && pair < RILL_RDF_PAIRS; pair++)
    if (run->rdf[pair] != NULL && rill_rdf_samples(run->rdf[pair]) > 0)
      RILL_TRY(rill_outputs_write_rdf(path[pair], rill_run_may_replace(run), run->rdf[pair], run->provenance,
                                      run->trajectory, error));
  return RILL_OK;
}

static enum rill_status plan(struct rill_outputs *outputs, const struct rill_deck *deck, struct rill_error *error) {
  if (wants(deck, RILL_RDF_OO))
    RILL_TRY(rill_outputs_name_after(outputs, deck, "-rdf.csv", outputs->distribution, error));
  if (wants(deck, RILL_RDF_OH))
    RILL_TRY(rill_outputs_name_after(outputs, deck, "-rdf-OH.csv", outputs->distribution_OH, error));
  if (wants(deck, RILL_RDF_HH))
    RILL_TRY(rill_outputs_name_after(outputs, deck, "-rdf-HH.csv", outputs->distribution_HH, error));
  return RILL_OK;
}

const struct rill_sink rill_distribution_sink = {.plan = plan,
                                                 .group = "rdf",
                                                 .open = open_distribution,
                                                 .begin = begin,
                                                 .observer = observer,
                                                 .keep = keep,
                                                 .finish = finish};
