/* rill check: everything that run does before its first step. */
#include <stdlib.h>

#include "cli/command.h"
#include "cli/files.h"
#include "cli/resources.h"
#include "cli/run_small.h"
#include "cli/setup.h"
#include "cli/stop.h"
#include "mech/system.h"

static enum rill_status examine(const struct rill_arguments *arguments, struct rill_setup *setup,
                                struct rill_outputs *outputs, struct rill_error *error) {
  struct rill_guard guard = {0};
  char *expanded;
  RILL_TRY(rill_setup_read(arguments->positional[0], arguments->repeated, arguments->repeated_count, setup, error));
  if (setup->deck.units != RILL_UNITS_MOLECULAR) return rill_check_small(&setup->deck, error);
  RILL_TRY(rill_outputs_plan(outputs, &setup->deck, error));
  RILL_TRY(rill_setup_create(setup, 0, stdout, error));
  RILL_TRY(rill_stop_begin_water(setup, &guard, error));
  expanded = rill_deck_expand(&setup->deck);
  if (expanded == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  printf("%s is fine; it would run\n", arguments->positional[0]);
  rill_setup_describe(setup, stdout);
  rill_stop_describe(&guard, &setup->deck, stdout);
  rill_resources_describe(rill_resources_disk(setup, outputs, &guard.observation), outputs, stdout);
  printf("  start        potential energy %.8g kJ/mol, temperature %.4g K\n\nthe deck in full\n\n%s", guard.observation.potential,
         guard.observation.temperature, expanded);
  free(expanded);
  return RILL_OK;
}

static enum rill_status check(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_setup *setup = calloc(1, sizeof *setup);
  struct rill_outputs *outputs = calloc(1, sizeof *outputs);
  enum rill_status status = setup != NULL && outputs != NULL ? examine(arguments, setup, outputs, error)
                                                             : rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  if (setup != NULL) rill_setup_release(setup);
  free(outputs);
  free(setup);
  return status;
}

static const struct rill_option_row options[] = {
    {"set", 's', "section.key=value", "sets a key of the deck; may be given several times"},
};

const struct rill_command rill_command_check = {
    .name = "check",
    .positional = "DECK",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "reads and validates a deck, runs nothing, says what would run",
    .description = "Reads the deck and its structure, checks everything that run would, evaluates the energy of the "
                   "start, and prints "
                   "what would run, the memory and the disk space that it would take, and the deck in full. "
                   "All faults of a deck are reported together.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = check,
};
