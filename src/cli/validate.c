/* rill validate: verdicts on a run, in plain words. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "study/validate.h"

enum { TEXT_COLUMN = 56, LAST_COLUMN = 118 };

/* Words of `text` from column `indent` to the last. */
static void print_wrapped(const char *text, int indent) {
  int column = indent;
  while (*text) {
    int length = (int)strcspn(text, " ");
    if (column > indent && column + 1 + length > LAST_COLUMN) {
      printf("\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      putchar(' ');
      column++;
    }
    printf("%.*s", length, text);
    column += length;
    text += length;
    text += strspn(text, " ");
  }
  putchar('\n');
}

static void print_number(double value, double error, const char *unit) {
  char text[64] = "";
  if (isfinite(value) && isfinite(error))
    snprintf(text, sizeof text, "%.4g +- %.2g %s", value, error, unit);
  else if (isfinite(value))
    snprintf(text, sizeof text, "%.4g %s", value, unit);
  printf("%-28s ", text);
}

static void print_text(const struct rill_verdicts *v) {
  static const char *const marks[] = {"passes", "FAILS", "open"};
  size_t counts[3] = {0}, statistical = 0;
  for (size_t i = 0; i < v->count; i++) {
    const struct rill_finding *f = &v->list[i];
    counts[f->verdict]++;
    if (f->statistical && f->verdict != RILL_VERDICT_OPEN)
      statistical++;
    printf("%-7s %-18s ", marks[f->verdict], f->what);
    print_number(f->value, f->error, f->unit);
    print_wrapped(f->text, TEXT_COLUMN);
  }
  printf("\n%zu passed, %zu failed, %zu open", counts[0], counts[1], counts[2]);
  if (statistical > 0)
    printf("; of a sound run one of the %zu statistical verdicts fails by chance in %.1f %% of cases", statistical,
           100 * (1 - pow(1 - RILL_FALSE_ALARM, (double)statistical)));
  putchar('\n');
}

static enum rill_status print_json(const struct rill_verdicts *v, struct rill_error *error) {
  struct rill_json json;
  RILL_TRY(rill_json_begin(&json, error));
  rill_json_list(&json, NULL);
  for (size_t i = 0; i < v->count; i++) {
    const struct rill_finding *f = &v->list[i];
    rill_json_object(&json, NULL);
    rill_json_string(&json, "what", f->what);
    rill_json_string(&json, "verdict", rill_verdict_name(f->verdict));
    rill_json_bool(&json, "statistical", f->statistical);
    rill_json_number(&json, "value", f->value);
    rill_json_number(&json, "error", f->error);
    rill_json_number(&json, "limit", f->limit);
    rill_json_string(&json, "unit", f->unit);
    rill_json_string(&json, "text", f->text);
    rill_json_close(&json);
  }
  rill_json_close(&json);
  return rill_json_end(&json, RILL_OK, error);
}

struct progress {
  struct rill_progress shown;
  bool quiet, begun;
};

static struct rill_observer watch(void *context, const struct rill_simulation *sim) {
  struct progress *progress = context;
  rill_progress_start(&progress->shown, sim, 0, progress->quiet);
  progress->begun = true;
  return rill_progress_observer(&progress->shown);
}

static enum rill_status judge(const struct rill_arguments *arguments, struct rill_verdicts *verdicts,
                              struct rill_error *error) {
  struct progress progress = {.quiet = rill_argument_given(arguments, "quiet")};
  struct rill_validate_request request = {.path = arguments->positional[0],
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
  if (progress.begun) rill_progress_end(&progress.shown);
  return status;
}

static enum rill_status validate(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_verdicts *verdicts = calloc(1, sizeof *verdicts);
  enum rill_status status;
  size_t failed = 0;
  if (verdicts == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = judge(arguments, verdicts, error);
  if (status == RILL_OK && rill_argument_given(arguments, "json")) status = print_json(verdicts, error);
  else if (status == RILL_OK) print_text(verdicts);
  for (size_t i = 0; i < verdicts->count; i++)
    failed += verdicts->list[i].verdict == RILL_VERDICT_FAILS;
  if (status == RILL_OK && failed > 0)
    status = rill_error_set(error, RILL_ERROR_FAILED, "%s: %zu of %zu verdicts failed", arguments->positional[0],
                            failed, verdicts->count);
  free(verdicts);
  return status;
}

static const struct rill_option_row options[] = {
    {"set", 's', "section.key=value", "sets a key of the deck; may be given several times"},
    {"threads", 't', "N", "at most so many threads (default: all cores)"},
    {"json", 0, NULL, "print a JSON list, an object a verdict"},
    {"quiet", 'q', NULL, "no progress and no notes"},
};

const struct rill_command rill_command_validate = {
    .name = "validate",
    .positional = "DECK|TRAJECTORY",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "physics verdicts on one's own run",
    .description =
        "Judges a run by its series: where it is stationary from, energy drift (of runs at constant energy), "
        "constraint deviations, temperature against the target, the distribution of kinetic energies, "
        "equipartition, momenta. A trajectory (.h5md, .h5) is judged as it is. A deck is run in memory, "
        "nothing is written, and its method is tried besides from where the run ended: whether the energy "
        "error falls with the step as the method's order says, whether a run goes back when velocities are "
        "reversed, and whether thread counts change a bit. A verdict passes, fails, or is open where "
        "the samples are too few; the exit status is 1 when one fails.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = validate,
};
