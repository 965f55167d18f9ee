/* rill validate: verdicts on a run. */
#include <stdlib.h>

#include "cli/command.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "show/verdicts.h"

static struct rill_observer watch(void *context, const struct rill_simulation *sim) {
  struct rill_progress *progress = context;
  rill_progress_start(progress, sim, 0, progress->quiet);
  return rill_progress_observer(progress);
}

static enum rill_status judge(const struct rill_arguments *arguments, struct rill_verdicts *verdicts,
                              struct rill_error *error) {
  struct rill_progress progress = {.quiet = rill_argument_given(arguments, "quiet")};
  struct rill_validate_request request = {.path = arguments->positional[0],
                                          .other = arguments->positional_count > 1 ? arguments->positional[1] : NULL,
                                          .overrides = arguments->repeated,
                                          .override_count = arguments->repeated_count,
                                          .stop = rill_signal_stop(),
                                          .watch = watch,
                                          .context = &progress};
  size_t threads;
  enum rill_status status;
  RILL_TRY(rill_argument_count(arguments, "threads", 1024, 0, &threads, error));
  request.threads = (int)threads;
  rill_signals_catch();
  status = rill_validate(&request, verdicts, error);
  rill_progress_end(&progress);
  return status;
}

static enum rill_status validate(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_verdicts *verdicts = calloc(1, sizeof *verdicts);
  struct rill_page page = {0};
  enum rill_status status;
  size_t failed = 0;
  if (verdicts == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = judge(arguments, verdicts, error);
  if (status == RILL_OK) status = rill_arguments_page(arguments, RILL_PAGE_TEXT, &page, error);
  if (status == RILL_OK) rill_show_verdicts(&page, verdicts);
  status = rill_page_end(&page, status, error);
  for (size_t i = 0; i < verdicts->count; i++) failed += verdicts->list[i].verdict == RILL_VERDICT_FAILS;
  if (status == RILL_OK && failed > 0)
    status = rill_error_set(error, RILL_ERROR_FAILED, "%s: %zu of %zu verdicts failed", arguments->positional[0],
                            failed, verdicts->count);
  free(verdicts);
  return status;
}

static const struct rill_option_row options[] = {
    {"set", 's', "section.key=value", "sets a key of the deck; may be given several times"},
    {"threads", 't', "N", "at most this many threads (default: all cores)"},
    {"json", 0, NULL, "print a JSON list, an object per verdict"},
    {"quiet", 'q', NULL, "no progress and no notes"},
};

const struct rill_command rill_command_validate = {
    .name = "validate",
    .positional = "DECK|TRAJECTORY [OTHER]",
    .positional_min = 1,
    .positional_max = 2,
    .summary = "physics verdicts on a run",
    .description =
        "Judges a run by its series: when it becomes stationary, energy drift (of runs at constant energy), "
        "constraint deviations, temperature against the target, the distribution of kinetic energies, equipartition, "
        "momenta. A trajectory (.h5md, .h5) is judged as it is. A deck is run in memory, nothing is written, and its "
        "method is also tested from the end of the run: whether the energy error scales with the step as the "
        "method's order predicts, whether a run retraces its path when velocities are reversed, and whether the "
        "number of threads changes any bit. OTHER is a trajectory of the same system at another constant pressure: "
        "whether the volumes of both are distributed as these pressures require. A verdict passes, fails, or is open "
        "where there are too few samples; the exit status is 1 when one fails.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = validate,
};
