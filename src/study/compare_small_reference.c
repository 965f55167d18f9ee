/* The reference of a comparison on a small system: the motion of its constrained formulation, where there is one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "deck/units.h"
#include "study/compare_small.h"

static const uint64_t reference_steps_most = 4000000;

static double larger(double a, double b) { return b > a || isnan(b) ? b : a; }

/* Chooses the binding method of the highest order as the reference; symmetric methods of order 2 count with the
 * composition of order 8. */
static void choose_method(struct rill_small_comparison *comparison, const struct rill_system *system) {
  static const char eighth[] = "yoshida8";
  const char *formulation = comparison->formulation;
  const struct rill_composition *composition = rill_composition_find(eighth);
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  for (size_t i = 0; i < count; i++) {
    const struct rill_method *m = methods[i];
    bool composed = rill_composition_refusal(composition, m, system, RILL_NO_BATH) == RILL_BINDS;
    int order = composed ? composition->order : m->order;
    if (m->varies || rill_method_refusal(m, system, RILL_NO_BATH) != RILL_BINDS ||
        order <= comparison->reference_order)
      continue;
    comparison->reference_order = order;
    snprintf(comparison->reference_method, sizeof comparison->reference_method, "%s%s%s%s%s", m->name,
             composed ? "/" : "", composed ? eighth : "", formulation != NULL ? "/" : "",
             formulation != NULL ? formulation : "");
  }
}

/* The reference has the formulation of the deck; but where methods name theirs, and so may differ in it, a penalised
 * deck's system is judged by its constrained motion, so that the error of the penalty counts. */
static enum rill_status choose(struct rill_small_comparison *comparison, struct rill_error *error) {
  struct rill_simulation *sim = calloc(1, sizeof *sim);
  enum rill_status status;
  if (sim == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = rill_small_create_system(comparison, NULL, sim, error);
  if (status == RILL_OK && comparison->names_formulation && rill_small_stiffness(sim) > 0) {
    comparison->formulation = "constrained";
    rill_simulation_release(sim);
    status = rill_small_create_system(comparison, comparison->formulation, sim, error);
  }
  if (status == RILL_OK) {
    comparison->stiffness = rill_small_stiffness(sim);
    choose_method(comparison, &sim->system);
  }
  rill_simulation_release(sim);
  free(sim);
  return status;
}

static void note_conserved(struct rill_small_comparison *comparison, const struct rill_small_summary *summary) {
  double scale = 0;
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++)
    if (isfinite(summary->momentum[i]))
      scale = larger(scale, fabs(summary->momentum[i]) + summary->momentum_change[i]);
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++)
    comparison->conserved[i] = scale > 0 && isfinite(summary->momentum[i]) && fabs(summary->momentum[i]) > 0 &&
                               summary->momentum_change[i] <= 1e-9 * scale;
}

/* Adds a run of the reference at half the previous step: extrapolates the two runs to remove the error's leading
 * term, h^order. raw: positions of the previous run; *done is set when shorter steps no longer improve the result. */
static void refine(struct rill_small_comparison *comparison, const struct rill_small_candidate *candidate,
                   const struct rill_track *track, double *raw, int *runs, bool *done) {
  size_t numbers = comparison->samples * comparison->n;
  double ahead = ldexp(1, comparison->reference_order) - 1, change = 0, scale = 0;
  for (size_t i = 0; i < numbers; i++) {
    double better = track->positions[i] + (*runs > 0 ? (track->positions[i] - raw[i]) / ahead : 0);
    change = larger(change, fabs(better - comparison->reference[i]));
    scale = larger(scale, fabs(better));
    comparison->trial[i] = better;
  }
  memcpy(raw, track->positions, numbers * sizeof *raw);
  /* Round-off or chaos limits the accuracy. */
  *done = *runs > 1 && change > 0.5 * comparison->uncertainty;
  if (*done) return;
  if (*runs > 0) comparison->uncertainty = change;
  memcpy(comparison->reference, comparison->trial, numbers * sizeof *raw);
  comparison->reference_step = candidate->sim.deck.integrator.step;
  note_conserved(comparison, &track->summary);
  *done = *runs > 0 && change <= 1e-13 * scale;
  ++*runs;
}

static enum rill_status run_reference(struct rill_small_comparison *comparison, double h,
                                      struct rill_small_candidate *candidate, struct rill_track *track,
                                      struct rill_error *error) {
  char step[RILL_NUMBER_TEXT + 8], number[RILL_NUMBER_TEXT];
  snprintf(step, sizeof step, "%s %s", rill_number_format(h, number), rill_deck_time_unit(comparison->deck));
  rill_simulation_release(&candidate->sim);
  RILL_TRY(rill_small_enter(comparison, comparison->reference_method, step, 0, candidate, error));
  RILL_TRY(rill_small_start(candidate, error));
  return rill_small_run_track(comparison, candidate, track, error);
}

enum rill_status rill_small_make_reference(struct rill_small_comparison *comparison, double finest,
                                           struct rill_error *error) {
  size_t numbers = comparison->samples * comparison->n;
  struct rill_small_candidate *candidate = calloc(1, sizeof *candidate);
  struct rill_track track = {.positions = rill_allocate(2 * numbers, sizeof(double))};
  uint64_t parts = (uint64_t)llround(comparison->span / finest);
  bool done = false;
  int runs = 0;
  enum rill_status status = choose(comparison, error);
  comparison->uncertainty = INFINITY;
  if (status == RILL_OK && (candidate == NULL || track.positions == NULL))
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  for (int halvings = 1; status == RILL_OK && !done && (parts << halvings) <= reference_steps_most; halvings++) {
    status = run_reference(comparison, comparison->span / (double)(parts << halvings), candidate, &track, error);
    if (status == RILL_OK) {
      refine(comparison, candidate, &track, track.positions + numbers, &runs, &done);
    } else if (status == RILL_ERROR_CONVERGENCE || status == RILL_ERROR_NOT_FINITE || status == RILL_ERROR_FAILED) {
      rill_error_clear(error); /* this step is too long for the method: the next is shorter */
      status = RILL_OK;
    }
  }
  if (status == RILL_OK && runs == 0)
    status = rill_error_set(error, RILL_ERROR_FAILED, "the reference method, %s, failed at every step that was tried",
                            comparison->reference_method);
  if (candidate != NULL) rill_simulation_release(&candidate->sim);
  rill_release(track.positions);
  free(candidate);
  return status;
}
