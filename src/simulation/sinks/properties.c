/* Properties of the liquid: a CSV and a JSON file at the end of the run. */
#include "simulation/properties.h"

#include "simulation/properties_file.h"
#include "simulation/sinks/sinks.h"

static enum rill_status open_properties(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                        void **self, struct rill_error *error) {
  if (!run->sim->deck.properties.on || opening == RILL_OPEN_RESUME) return RILL_OK;
  RILL_TRY(rill_properties_create(run->sim, &run->properties, error));
  *self = run;
  if (opening == RILL_OPEN_NEW) return RILL_OK;
  rill_properties_archive(run->properties, archive);
  return rill_archive_status(archive, error);
}

static enum rill_status sample(void *self, uint64_t step, double time, struct rill_error *error) {
  struct rill_run *run = self;
  return rill_properties_sample(run->properties, step, time, error);
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  return (struct rill_observer){run->sim->deck.properties.interval, sample, self, false, false};
}

static uint64_t energy_interval(const struct rill_run *run, const void *self) {
  (void)self;
  return rill_properties_energy_interval(run->properties);
}

static uint64_t virial_interval(const struct rill_run *run, const void *self) {
  (void)self;
  return rill_properties_virial_interval(run->properties);
}

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  (void)error;
  if (self != NULL) rill_properties_archive(run->properties, archive);
  return RILL_OK;
}

/* Without memory there is no report yet: finish then says so. */
static void conclude(struct rill_run *run, void *self) {
  struct rill_error unused = {0};
  if (self != NULL && rill_properties_report(run->properties, &run->property_report, &unused) != RILL_OK)
    rill_property_report_release(&run->property_report);
}

static enum rill_status finish(struct rill_run *run, void *self, struct rill_error *error) {
  struct rill_property_report *report = &run->property_report;
  if (self == NULL) return RILL_OK;
  if (report->count + report->note_count == 0) RILL_TRY(rill_properties_report(run->properties, report, error));
  return rill_properties_write(report, run->outputs.properties, run->outputs.property_curves, run->provenance,
                               rill_run_may_replace(run), error);
}

static double disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  (void)outputs;
  return sim->deck.properties.on ? 1e5 : 0;
}

static enum rill_status plan(struct rill_outputs *outputs, const struct rill_deck *deck, struct rill_error *error) {
  if (!deck->properties.on) return RILL_OK;
  RILL_TRY(rill_outputs_name_after(outputs, deck, "-properties.csv", outputs->properties, error));
  return rill_outputs_name_after(outputs, deck, "-properties.json", outputs->property_curves, error);
}

const struct rill_sink rill_properties_sink = {.plan = plan,
                                               .disk = disk,
                                               .group = "properties",
                                               .open = open_properties,
                                               .observer = observer,
                                               .energy_interval = energy_interval,
                                               .virial_interval = virial_interval,
                                               .keep = keep,
                                               .conclude = conclude,
                                               .finish = finish};
