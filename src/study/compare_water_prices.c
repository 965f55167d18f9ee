/* Independent samples of water's observables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/compare_water.h"

/* The first, which rigid and penalised molecules have in common, is counted by default. */
static const struct rill_compare_observable observables[] = {
    {RILL_SAMPLED_SOFT, "lj-coulomb", "lj_coulomb", "the energy of molecules (Lennard-Jones and Coulomb)", "kJ/mol",
     false},
    {RILL_SAMPLED_POTENTIAL, "potential", "potential", "the potential energy", "kJ/mol", true},
    {RILL_SAMPLED_TEMPERATURE, "temperature", "temperature", "the kinetic temperature on the step", "K", false},
    {RILL_SAMPLED_TEMPERATURE_HALF, "temperature-half", "temperature_half",
     "the kinetic temperature of the half-step", "K", false},
    {RILL_SAMPLED_PRESSURE, "pressure", "pressure", "the pressure, with N kT/V of the bath", "bar", false},
    {RILL_SAMPLED_MEAN_DISTANCE, "oo", "oo", "the mean O-O distance", "nm", false},
};
enum { OBSERVABLES = sizeof observables / sizeof observables[0] };

/* With noise of its own, so that its means are independent. */
enum rill_status rill_water_make_reference_run(struct rill_water_comparison *comparison, const char *length,
                                               struct rill_error *error) {
  char label[RILL_METHOD_LABEL];
  const char *step;
  if (comparison->request->reference == NULL) return RILL_OK;
  RILL_TRY(rill_compare_split_reference(comparison->request->reference, "rattle@0.5fs", label, &step, error));
  comparison->reference_run = calloc(1, sizeof *comparison->reference_run);
  if (comparison->reference_run == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  if (rill_water_enter(comparison, label, step, length, 2, comparison->reference_run, error) != RILL_OK)
    return rill_error_prefix(error, "--reference");
  return rill_water_start(comparison, comparison->reference_run, NULL, error);
}

/* The run that biases are taken from: that of --reference, or the reference method at its shortest step. */
static const struct rill_water_candidate *reference_of_biases(const struct rill_water_comparison *comparison) {
  const struct rill_water_candidate *shortest = rill_water_reference_of(comparison);
  if (comparison->reference_run != NULL) return comparison->reference_run;
  for (size_t s = 1; s < comparison->step_count; s++) {
    const struct rill_water_candidate *other =
        comparison->candidates[comparison->reference_method * comparison->step_count + s];
    if (other->row.step < shortest->row.step) shortest = other;
  }
  return shortest;
}

static void name_reference(const struct rill_water_comparison *comparison, char *text, size_t size) {
  const struct rill_water_candidate *reference = reference_of_biases(comparison);
  snprintf(text, size, "%s at %g fs%s%s%s", reference->row.label, reference->row.step * 1e3,
           reference == comparison->reference_run ? ", another run" : "", reference->penalised ? " (penalised)" : "",
           reference->row.failure[0] != '\0' ? ", which failed" : "");
}

static bool has_bias(const struct rill_compare_observable *observable, const struct rill_water_candidate *candidate,
                     const struct rill_water_candidate *reference) {
  return !observable->extensive || candidate->penalised == reference->penalised;
}

void rill_water_price_all(struct rill_water_comparison *comparison) {
  const struct rill_water_candidate *reference = reference_of_biases(comparison);
  for (size_t i = 0; i < comparison->candidate_count; i++) {
    struct rill_water_candidate *candidate = comparison->candidates[i];
    if (candidate->row.failure[0] != '\0' || candidate->timed == 0) continue;
    for (size_t k = 0; k < comparison->observable_count; k++) {
      candidate->price[k] = rill_price_of(&candidate->mean[k], candidate->interval, candidate->row.step,
                                          candidate->step_seconds, candidate->timed);
      if (candidate != reference && reference->row.failure[0] == '\0' &&
          has_bias(&comparison->observable[k], candidate, reference))
        rill_price_add_bias(&candidate->price[k], &reference->mean[k]);
    }
  }
}

static bool has_pairs(const struct rill_water_comparison *comparison) {
  return comparison->molecules > 1 && comparison->deck->system.boundary == RILL_BOUNDARY_VACUUM;
}

static bool has_box(const struct rill_water_comparison *comparison) {
  return comparison->deck->system.boundary == RILL_BOUNDARY_PERIODIC;
}

static bool find(const void *context, const char *name, struct rill_compare_observable *found) {
  for (size_t k = 0; k < OBSERVABLES; k++)
    if (strcmp(name, observables[k].name) == 0) {
      if (observables[k].sampled == RILL_SAMPLED_MEAN_DISTANCE && !has_pairs(context)) return false;
      if (observables[k].sampled == RILL_SAMPLED_PRESSURE && !has_box(context)) return false;
      *found = observables[k];
      return true;
    }
  return false;
}

enum rill_status rill_water_choose_observables(struct rill_water_comparison *comparison, struct rill_error *error) {
  const struct rill_compare_request *request = comparison->request;
  const char *expected = has_pairs(comparison) ? "lj-coulomb, potential, temperature, temperature-half or oo"
                         : has_box(comparison) ? "lj-coulomb, potential, temperature, temperature-half or pressure"
                                               : "lj-coulomb, potential, temperature or temperature-half";
  if (comparison->deck->thermostat.method == RILL_NO_BATH)
    return request->observables == NULL && request->reference == NULL ? RILL_OK
                                                                      : rill_compare_refuse_samples(request, error);
  return rill_compare_choose_observables(request->observables, observables[0].name, find, comparison, expected,
                                         comparison->observable, &comparison->observable_count, error);
}

enum rill_status rill_water_add_observables(const struct rill_water_comparison *comparison,
                                            struct rill_compare_table *table, struct rill_error *error) {
  char reference[160];
  if (comparison->observable_count == 0) return RILL_OK;
  name_reference(comparison, reference, sizeof reference);
  for (size_t i = 0; i < comparison->candidate_count; i++)
    for (size_t k = 0; k < comparison->observable_count; k++)
      table->without_bias |=
          !has_bias(&comparison->observable[k], comparison->candidates[i], reference_of_biases(comparison));
  return rill_compare_add_observables(table, comparison->observable, comparison->observable_count, reference, error);
}
