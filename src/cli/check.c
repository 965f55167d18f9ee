/* rill check: everything that rill run does before its first step. */
#include <stdlib.h>

#include "cli/command.h"
#include "cli/notes.h"
#include "cli/watch.h"
#include "show/ensemble.h"
#include "show/plan.h"
#include "simulation/kind.h"

static enum rill_status create(struct rill_simulation *sim, bool json, struct rill_error *error) {
  struct rill_watch watch;
  enum rill_status status;
  rill_watch_start(&watch, false);
  sim->watch_build = rill_watch_build;
  sim->watch_context = &watch;
  sim->notes = json ? rill_notes_unless(false) : &rill_notes_on_output;
  status = rill_simulation_create(sim, error);
  rill_watch_end(&watch);
  return status;
}

/* With --trial-run; after the plan, since it leaves the start. */
static enum rill_status try_ladder(const struct rill_arguments *arguments, struct rill_simulation *sim,
                                   struct rill_page *page, struct rill_error *error) {
  static struct rill_ladder_trial trial;
  double time;
  if (!rill_argument_given(arguments, "trial-run")) return RILL_OK;
  RILL_TRY(rill_argument_quantity(arguments, "trial-run", "time", "time", &time, error));
  RILL_TRY(rill_try_ladder(sim, time, &trial, error));
  rill_show_ladder_trial(page, sim, &trial);
  return RILL_OK;
}

static enum rill_status examine(const struct rill_arguments *arguments, struct rill_simulation *sim,
                                struct rill_outputs *outputs, struct rill_error *error) {
  struct rill_resources resources;
  struct rill_page page;
  enum rill_status status;
  char *expanded;
  RILL_TRY(
      rill_simulation_read(arguments->positional[0], arguments->repeated, arguments->repeated_count, sim, error));
  RILL_TRY(rill_simulation_plan(sim, outputs, error));
  RILL_TRY(create(sim, rill_argument_given(arguments, "json"), error));
  RILL_TRY(rill_simulation_watch_limits(sim, error));
  expanded = rill_deck_expand(&sim->deck);
  if (expanded == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  resources = rill_resources_of(sim, outputs);
  status = rill_arguments_page(arguments, RILL_PAGE_HELD_TEXT, &page, error);
  if (status == RILL_OK) {
    rill_show_plan(&page, sim, &resources, expanded);
    status = try_ladder(arguments, sim, &page, error);
  }
  status = rill_page_end(&page, status, error);
  if (status == RILL_OK) rill_simulation_note_dropped(sim);
  free(expanded);
  return status;
}

static enum rill_status check(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_simulation *sim = calloc(1, sizeof *sim);
  struct rill_outputs *outputs = calloc(1, sizeof *outputs);
  enum rill_status status = sim != NULL && outputs != NULL ? examine(arguments, sim, outputs, error)
                                                           : rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  if (sim != NULL) rill_simulation_release(sim);
  free(outputs);
  free(sim);
  return status;
}

static const struct rill_option_row options[] = {
    {"set", 's', "section.key=value", "sets a key of the deck; may be given several times"},
    {"trial-run", 0, "TIME",
     "of an ensemble: runs it for this time (`20 ps`), writes nothing, and prints how often neighbouring "
     "temperatures would be exchanged, and temperatures for an even acceptance"},
    {"json", 0, NULL, "print one JSON object; notes go to standard error"},
};

const struct rill_command rill_command_check = {
    .name = "check",
    .positional = "DECK",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "reads and validates a deck, and reports what would run, without running it",
    .description =
        "Reads the deck and its structure, checks everything that run would, evaluates the energy of the "
        "start, and prints what would run, the memory and disk space that it would take, and the expanded "
        "deck. All faults of a deck are reported together.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = check,
};
