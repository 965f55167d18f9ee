#include "cli/progress.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "simulation/report.h"

/* Seconds between lines. */
static const double on_terminal = 0.2, elsewhere = 10.0;
/* Evaluating the energies for a line costs more than a step: for large systems lines are so rare that this is
 * negligible. */
static const double least_per_cost = 100.0;

void rill_progress_start(struct rill_progress *progress, const struct rill_simulation *sim, uint64_t first,
                         bool quiet) {
  *progress =
      (struct rill_progress){.sim = sim, .first = first, .quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1};
  progress->started = progress->last = rill_clock();
}

static void print_left(double seconds) {
  if (seconds < 90) fprintf(stderr, "%.0f s left", seconds);
  else if (seconds < 5400) fprintf(stderr, "%.0f min left", seconds / 60);
  else fprintf(stderr, "%.1f h left", seconds / 3600);
}

static void print_state(const struct rill_simulation *sim, double time, double speed,
                        const struct rill_observation *o) {
  if (sim->type == NULL)
    fprintf(stderr, "%g ps  %.4g ns/day  T %.1f K  E %.6g kJ/mol  ", time, speed, o->temperature,
            o->kinetic + o->potential);
  else fprintf(stderr, "time %g  energy %.10g  ", time, o->kinetic + o->potential);
}

static enum rill_status show(void *self, uint64_t step, double time, struct rill_error *error) {
  struct rill_progress *progress = self;
  const struct rill_simulation *sim = progress->sim;
  uint64_t steps = sim->deck.integrator.steps, done = step - progress->first;
  struct rill_observation o;
  double now = rill_clock(), elapsed = now - progress->started;
  double apart = fmax(progress->terminal ? on_terminal : elsewhere, least_per_cost * progress->cost);
  if (progress->quiet || step <= progress->first || now - progress->last < apart) return RILL_OK;
  RILL_TRY(sim->system.ops->observe(sim->system.self, &o, error));
  progress->last = rill_clock();
  progress->cost = progress->last - now;
  if (progress->terminal) rill_terminal_control(RILL_TERMINAL_LINE);
  fprintf(stderr, "step %" PRIu64 " of %" PRIu64 "  ", step, steps);
  print_state(sim, time, rill_speed((double)done * sim->deck.integrator.step, elapsed), &o);
  print_left(elapsed / (double)done * (double)(steps - step));
  if (progress->terminal) rill_terminal_control(RILL_TERMINAL_CLEAR);
  else fputs("\n", stderr);
  progress->shown = true;
  return RILL_OK;
}

/* Looks at the clock about every 10 microseconds' to 10 milliseconds' worth of work. */
static uint64_t interval_of(const struct rill_simulation *sim) {
  const size_t n = sim->structure.molecules;
  if (sim->ensemble != NULL) return RILL_GUARD_INTERVAL; /* where segments end anyway */
  if (sim->type != NULL) return sim->system.state->n < 100 ? 1000 : 10;
  return 1000000 / (n * n + 100) > 0 ? 1000000 / (n * n + 100) : 1;
}

struct rill_observer rill_progress_observer(struct rill_progress *progress) {
  return (struct rill_observer){interval_of(progress->sim), show, progress, false, false};
}

void rill_progress_end(struct rill_progress *progress) {
  if (progress->shown && progress->terminal) rill_terminal_control(RILL_TERMINAL_LINE RILL_TERMINAL_CLEAR);
}
