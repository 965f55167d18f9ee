#include "show/verdicts.h"

#include <math.h>

enum { TEXT_COLUMN = 56, LAST_COLUMN = 118 };

static void print_number(FILE *out, double value, double error, const char *unit) {
  char text[64] = "";
  if (isfinite(value) && isfinite(error)) snprintf(text, sizeof text, "%.4g +- %.2g %s", value, error, unit);
  else if (isfinite(value)) snprintf(text, sizeof text, "%.4g %s", value, unit);
  fprintf(out, "%-28s ", text);
}

static void print(FILE *out, const struct rill_verdicts *v) {
  static const char *const marks[] = {"passes", "FAILS", "open"};
  size_t counts[3] = {0}, statistical = 0;
  for (size_t i = 0; i < v->count; i++) {
    const struct rill_finding *f = &v->list[i];
    counts[f->verdict]++;
    if (f->statistical && f->verdict != RILL_VERDICT_OPEN) statistical++;
    fprintf(out, "%-7s %-18s ", marks[f->verdict], f->what);
    print_number(out, f->value, f->error, f->unit);
    rill_write_wrapped(out, f->text, TEXT_COLUMN, TEXT_COLUMN, LAST_COLUMN);
  }
  fprintf(out, "\n%zu passed, %zu failed, %zu open", counts[0], counts[1], counts[2]);
  if (statistical > 0)
    fprintf(out, "; a correct run fails one or more of the %zu statistical verdicts by chance in %.1f %% of cases",
            statistical, 100 * (1 - pow(1 - RILL_FALSE_ALARM, (double)statistical)));
  fputc('\n', out);
}

static void put(struct rill_json *json, const struct rill_verdicts *v) {
  for (size_t i = 0; i < v->count; i++) {
    const struct rill_finding *f = &v->list[i];
    rill_json_object(json, NULL);
    rill_json_string(json, "what", f->what);
    rill_json_string(json, "verdict", rill_verdict_name(f->verdict));
    rill_json_bool(json, "statistical", f->statistical);
    rill_json_number(json, "value", f->value);
    rill_json_number(json, "error", f->error);
    rill_json_number(json, "limit", f->limit);
    rill_json_string(json, "unit", f->unit);
    rill_json_string(json, "text", f->text);
    rill_json_close(json);
  }
}

void rill_show_verdicts(struct rill_page *page, const struct rill_verdicts *verdicts) {
  rill_page_list(page);
  if (page->text == NULL) put(&page->json, verdicts);
  else print(page->text, verdicts);
}
