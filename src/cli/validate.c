/* rill validate: verdicts on a run, in plain words. */
#include "cli/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/small.h"
#include "output/series_file.h"
#include "structure/structure.h"

enum { TEXT_COLUMN = 56, LAST_COLUMN = 118 };

void rill_verdicts_add(struct rill_verdicts *verdicts, const struct rill_finding *finding) {
  if (verdicts->count < sizeof verdicts->list / sizeof verdicts->list[0])
    verdicts->list[verdicts->count++] = *finding;
}

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

static void print_json(const struct rill_verdicts *v) {
  printf("[");
  for (size_t i = 0; i < v->count; i++) {
    const struct rill_finding *f = &v->list[i];
    printf("%s\n  {\"what\": ", i > 0 ? "," : "");
    rill_json_string(f->what);
    printf(", \"verdict\": \"%s\", \"statistical\": %s", rill_verdict_name(f->verdict),
           f->statistical ? "true" : "false");
    rill_json_number("value", f->value);
    rill_json_number("error", f->error);
    rill_json_number("limit", f->limit);
    printf(", \"unit\": ");
    rill_json_string(f->unit);
    printf(", \"text\": ");
    rill_json_string(f->text);
    printf("}");
  }
  printf("\n]\n");
}

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), part = strlen(ending);
  return length > part && strcmp(path + length - part, ending) == 0;
}

static enum rill_status judge(const struct rill_arguments *arguments, struct rill_verdicts *verdicts,
                              struct rill_error *error) {
  const char *path = arguments->positional[0];
  bool file = ends_in(path, ".h5md") || ends_in(path, ".h5"), series = false;
  struct rill_deck *deck;
  enum rill_status status;
  if (file && (arguments->repeated_count > 0 || rill_argument_given(arguments, "threads")))
    return rill_error_set(error, RILL_ERROR_USAGE, "--set and --threads are for decks; %s holds a run that is over",
                          path);
  if (file) {
    RILL_TRY(rill_series_file_is(path, &series, error));
    return series ? rill_validate_series_file(path, verdicts, error) : rill_validate_trajectory(path, verdicts, error);
  }
  if (rill_structure_format(path) != RILL_FORMAT_UNKNOWN || ends_in(path, ".csv"))
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "%s is no run: expected a trajectory (.h5md, .h5) or a deck; rill info describes other files",
                          path);
  deck = malloc(sizeof *deck);
  if (deck == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = rill_deck_read_with(&rill_deck_lore, path, arguments->repeated, arguments->repeated_count, deck, error);
  if (status == RILL_OK)
    status = deck->units == RILL_UNITS_MOLECULAR ? rill_validate_water(arguments, verdicts, error)
                                                 : rill_validate_small(deck, verdicts, error);
  free(deck);
  return status;
}

static enum rill_status validate(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_verdicts *verdicts = calloc(1, sizeof *verdicts);
  enum rill_status status;
  size_t failed = 0;
  if (verdicts == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = judge(arguments, verdicts, error);
  if (status == RILL_OK)
    (rill_argument_given(arguments, "json") ? print_json : print_text)(verdicts);
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
