#include "cli/watch.h"

#include <stdio.h>
#include <unistd.h>

#include "base/timers.h"
#include "cli/terminal.h"

/* Seconds between lines. */
static const double on_terminal = 0.2, elsewhere = 5.0;

void rill_watch_start(struct rill_watch *watch, bool quiet) {
  *watch = (struct rill_watch){.quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1, .last = rill_clock()};
}

static bool is_due(struct rill_watch *watch) {
  const double now = rill_clock();
  if (watch->quiet || now - watch->last < (watch->terminal ? on_terminal : elsewhere)) return false;
  watch->last = now;
  watch->shown = true;
  if (watch->terminal) rill_terminal_control(RILL_TERMINAL_LINE);
  return true;
}

static void end_line(const struct rill_watch *watch) {
  if (watch->terminal) rill_terminal_control(RILL_TERMINAL_CLEAR);
  else fputs("\n", stderr);
}

bool rill_watch_build(void *context, const struct rill_build_progress *progress) {
  struct rill_watch *watch = context;
  if (!is_due(watch)) return true;
  if (progress->planned > 1) fprintf(stderr, "minimisation %zu of %zu  ", progress->done, progress->planned);
  if (progress->iteration > 0) fprintf(stderr, "iteration %zu  ", progress->iteration);
  fprintf(stderr, "energy %.8g kJ/mol", progress->energy);
  end_line(watch);
  return true;
}

bool rill_watch_minimize(void *context, const struct rill_minimize_progress *progress) {
  struct rill_watch *watch = context;
  if (progress->iteration == 0) watch->last = 0; /* the start is always shown */
  if (!is_due(watch)) return true;
  fprintf(stderr, "iteration %zu  energy %.8g kJ/mol  largest force %.3g kJ/mol/nm", progress->iteration,
          progress->energy, progress->maximum_force);
  end_line(watch);
  return true;
}

void rill_watch_end(struct rill_watch *watch) {
  if (watch->shown && watch->terminal) rill_terminal_control(RILL_TERMINAL_LINE RILL_TERMINAL_CLEAR);
  watch->shown = false;
}
