/* rill reproduce: published tables and figures recomputed, each number beside the expected one and its source. */
#include <math.h>
#include <string.h>

#include "cli/command.h"
#include "cli/json.h"
#include "study/reproduce.h"

struct report {
  struct rill_json json; /* without a document: text */
  bool rows;             /* the result's table has begun */
  const char *reason;    /* of the row before: said once */
};

static void print_cell(double value, const char *format) {
  if (isnan(value))
    printf("%17s", "-");
  else
    printf(format, value);
}

static void print_cell_short(double value) {
  if (isnan(value))
    printf("%12s", "-");
  else
    printf("%12.2e", value);
}

static void print_row(struct report *report, const struct rill_result_row *row) {
  const bool data = row->verdict == RILL_VERDICT_NONE;
  if (!report->rows)
    printf("  %-46s %-46s%17s %-11s%17s%12s%12s  verdict\n", "quantity", "setting", "expected", "source", "ours",
           "difference", "tolerance");
  report->rows = true;
  printf("  %-46s %-46s", row->quantity, row->setting);
  print_cell(row->expected.value, "%17.11g");
  printf(" %-11s", data ? "-" : rill_source_word(row->expected.source));
  print_cell(row->ours, "%17.11g");
  print_cell_short(row->ours - row->expected.value);
  print_cell_short(row->expected.tolerance);
  printf("  %s\n", data ? "-" : rill_verdict_word(row->verdict));
  if (row->reason != NULL && (report->reason == NULL || strcmp(report->reason, row->reason) != 0))
    printf("    %s\n", row->reason);
  report->reason = row->reason;
}

static void put_row(struct rill_json *json, const struct rill_result *result, const struct rill_result_row *row) {
  const bool data = row->verdict == RILL_VERDICT_NONE;
  rill_json_object(json, NULL);
  rill_json_string(json, "name", result->name);
  rill_json_string(json, "quantity", row->quantity);
  rill_json_string(json, "setting", row->setting);
  rill_json_number(json, "expected", row->expected.value);
  rill_json_string(json, "source", data ? NULL : rill_source_word(row->expected.source));
  rill_json_number(json, "ours", row->ours);
  rill_json_number(json, "difference", row->ours - row->expected.value);
  rill_json_number(json, "tolerance", row->expected.tolerance);
  rill_json_string(json, "verdict", data ? NULL : rill_verdict_word(row->verdict));
  rill_json_string(json, "reason", row->reason);
  rill_json_close(json);
}

static void begin(void *context, const struct rill_result *result) {
  struct report *report = context;
  report->rows = false;
  report->reason = NULL;
  if (report->json.stream != NULL) return;
  printf("%s: %s\n", result->name, result->summary);
  fflush(stdout);
}

static void take_row(void *context, const struct rill_result *result, const struct rill_result_row *row) {
  struct report *report = context;
  if (report->json.stream != NULL)
    put_row(&report->json, result, row);
  else
    print_row(report, row);
}

static void end(void *context, double seconds) {
  const struct report *report = context;
  if (report->json.stream != NULL) return;
  printf("  (%.1f s)\n\n", seconds);
  fflush(stdout);
}

static void list_name(void *context, const struct rill_result *result) {
  struct report *report = context;
  if (report->json.stream == NULL) {
    puts(result->name);
    return;
  }
  rill_json_object(&report->json, NULL);
  rill_json_string(&report->json, "name", result->name);
  rill_json_string(&report->json, "summary", result->summary);
  rill_json_close(&report->json);
}

static enum rill_status conclude(const size_t counts[RILL_VERDICTS], bool json, struct rill_error *error) {
  size_t rows = 0;
  for (int v = 0; v < RILL_VERDICTS; v++) rows += counts[v];
  if (!json)
    printf("%zu numbers: %zu agree, %zu are known deviations, %zu differ, %zu are data without a verdict\n", rows,
           counts[RILL_VERDICT_AGREES], counts[RILL_VERDICT_KNOWN_DEVIATION], counts[RILL_VERDICT_DIFFERS],
           counts[RILL_VERDICT_NONE]);
  if (counts[RILL_VERDICT_DIFFERS] == 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_FAILED,
                        "%zu of %zu numbers differ from the expected ones by more than their tolerance",
                        counts[RILL_VERDICT_DIFFERS], rows);
}

static enum rill_status work(const struct rill_arguments *arguments, struct report *report,
                             size_t counts[RILL_VERDICTS], struct rill_error *error) {
  const char *name = arguments->positional_count > 0 ? arguments->positional[0] : NULL;
  struct rill_reproduce_request request = {.csv = rill_argument(arguments, "csv"),
                                           .folder = rill_argument(arguments, "data"),
                                           .replace = rill_argument_given(arguments, "force"),
                                           .long_form = rill_argument_given(arguments, "long"),
                                           .begin = begin,
                                           .row = take_row,
                                           .end = end,
                                           .context = report};
  if (name == NULL) {
    if (request.csv != NULL || request.folder != NULL || request.long_form)
      return rill_error_set(error, RILL_ERROR_USAGE,
                            "--csv, --data and --long need a name, or all (rill reproduce lists the names)");
    rill_reproduce_each(list_name, report);
    return RILL_OK;
  }
  if (strcmp(name, "all") != 0) RILL_TRY(rill_reproduce_find(name, &request.result, error));
  return rill_reproduce(&request, counts, error);
}

static enum rill_status reproduce(const struct rill_arguments *arguments, struct rill_error *error) {
  const bool json = rill_argument_given(arguments, "json");
  struct report report = {0};
  size_t counts[RILL_VERDICTS] = {0};
  enum rill_status status;
  if (json) RILL_TRY(rill_json_begin(&report.json, error));
  if (json) rill_json_list(&report.json, NULL);
  status = work(arguments, &report, counts, error);
  if (json) rill_json_close(&report.json);
  RILL_TRY(rill_json_end(&report.json, status, error));
  return arguments->positional_count > 0 ? conclude(counts, json, error) : RILL_OK;
}

static const struct rill_option_row options[] = {
    {"csv", 0, "FILE", "the rows as CSV: name, quantity, setting, expected, source, ours, difference, tolerance, verdict"},
    {"data", 0, "DIR",
     "the curves of figures, into DIR/NAME.csv (made when it is missing); analysis/papers.py draws them"},
    {"long", 0, NULL,
     "sampled quantities (tao-owhadi-figure-4, -figure-7, -timing) from longer runs and more seeds: minutes"},
    {"json", 0, NULL, "print a JSON list, an object a row; without a name, an object a result"},
    {"force", 'f', NULL, "replaces existing files"},
};

const struct rill_command rill_command_reproduce = {
    .name = "reproduce",
    .positional = "[NAME|all]",
    .positional_min = 0,
    .positional_max = 1,
    .summary = "published tables and figures recomputed, with a verdict for each number",
    .description = "Without a name, lists the published results, a name a line. With one, or with all, recomputes "
                   "them and prints for each number the expected value, its source, ours, the difference, the "
                   "tolerance and a verdict. Sources: paper, a printed number; exact, a closed form or an invariant; "
                   "independent, another program or method. Verdicts: agrees; known-deviation, ours is the true "
                   "value and a printed claim does not hold, with the reason; differs. Data have no verdict. The "
                   "exit status is 1 when a number differs.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = reproduce,
};
