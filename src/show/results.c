#include "show/results.h"

#include <math.h>
#include <string.h>

static void print_cell(FILE *out, double value, const char *format, int width) {
  if (isnan(value)) fprintf(out, "%*s", width, "-");
  else fprintf(out, format, value);
}

void rill_show_result_name(void *context, const struct rill_result *result) {
  struct rill_page *page = context;
  struct rill_json *json = &page->json;
  if (page->text != NULL) {
    fprintf(page->text, "%s\n", result->name);
    return;
  }
  rill_json_object(json, NULL);
  rill_json_string(json, "name", result->name);
  rill_json_string(json, "summary", result->summary);
  rill_json_close(json);
}

void rill_show_result_begin(void *context, const struct rill_result *result) {
  struct rill_shown_result *shown = context;
  shown->rows = false;
  shown->reason = NULL;
  if (shown->page->text == NULL) return;
  fprintf(shown->page->text, "%s: %s\n", result->name, result->summary);
  fflush(shown->page->text);
}

void rill_show_result_row(void *context, const struct rill_result *result, const struct rill_result_row *row) {
  struct rill_shown_result *shown = context;
  struct rill_json *json = &shown->page->json;
  FILE *out = shown->page->text;
  const bool data = row->verdict == RILL_VERDICT_NONE;
  const char *source = data ? NULL : rill_source_word(row->expected.source);
  const char *verdict = data ? NULL : rill_verdict_word(row->verdict);
  const double difference = row->ours - row->expected.value;
  if (out != NULL) {
    if (!shown->rows)
      fprintf(out, "  %-46s %-46s%17s %-11s%17s%12s%12s  verdict\n", "quantity", "setting", "expected", "source",
              "ours", "difference", "tolerance");
    shown->rows = true;
    fprintf(out, "  %-46s %-46s", row->quantity, row->setting);
    print_cell(out, row->expected.value, "%17.11g", 17);
    fprintf(out, " %-11s", source != NULL ? source : "-");
    print_cell(out, row->ours, "%17.11g", 17);
    print_cell(out, difference, "%12.2e", 12);
    print_cell(out, row->expected.tolerance, "%12.2e", 12);
    fprintf(out, "  %s\n", verdict != NULL ? verdict : "-");
    if (row->reason != NULL && (shown->reason == NULL || strcmp(shown->reason, row->reason) != 0))
      fprintf(out, "    %s\n", row->reason);
    shown->reason = row->reason;
    return;
  }
  rill_json_object(json, NULL);
  rill_json_string(json, "name", result->name);
  rill_json_string(json, "quantity", row->quantity);
  rill_json_string(json, "setting", row->setting);
  rill_json_number(json, "expected", row->expected.value);
  rill_json_string(json, "source", source);
  rill_json_number(json, "ours", row->ours);
  rill_json_number(json, "difference", difference);
  rill_json_number(json, "tolerance", row->expected.tolerance);
  rill_json_string(json, "verdict", verdict);
  rill_json_string(json, "reason", row->reason);
  rill_json_close(json);
}

void rill_show_result_end(void *context, double seconds) {
  const struct rill_shown_result *shown = context;
  if (shown->page->text == NULL) return;
  fprintf(shown->page->text, "  (%.1f s)\n\n", seconds);
  fflush(shown->page->text);
}

void rill_show_result_counts(struct rill_page *page, const size_t counts[RILL_VERDICTS]) {
  size_t rows = 0;
  if (page->text == NULL) return;
  for (int v = 0; v < RILL_VERDICTS; v++) rows += counts[v];
  fprintf(page->text,
          "%zu numbers: %zu agree, %zu are known deviations, %zu differ, %zu are data without a verdict\n", rows,
          counts[RILL_VERDICT_AGREES], counts[RILL_VERDICT_KNOWN_DEVIATION], counts[RILL_VERDICT_DIFFERS],
          counts[RILL_VERDICT_NONE]);
}
