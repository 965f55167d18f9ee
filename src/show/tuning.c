#include "show/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_number(FILE *out, const char *format, int width, double value) {
  if (isnan(value)) fprintf(out, "%*s", width, "-");
  else fprintf(out, format, value);
}

static void print_rows(FILE *out, const struct rill_tuning *tuning) {
  const char *stage = "";
  fprintf(out, "%-12s%-24s%12s%10s%8s%14s\n", "", "candidate", "us/step", "time", "+-", "force error");
  for (size_t i = 0; i < tuning->row_count; i++) {
    const struct rill_tune_row *row = &tuning->rows[i];
    const bool measured = !isinf(row->gain.error);
    fprintf(out, "%-12s%-24s", strcmp(stage, row->stage) == 0 ? "" : row->stage, row->candidate);
    stage = row->stage;
    if (row->failure[0] != '\0') {
      fprintf(out, "  refused: %s\n", row->failure);
      continue;
    }
    print_number(out, "%12.4g", 12, measured ? row->step_us : NAN);
    print_number(out, "%10.3f", 10, measured ? 1 - row->gain.part : NAN);
    print_number(out, "%8.3f", 8, measured ? row->gain.error : NAN);
    print_number(out, "%14.2e", 14, row->force_error);
    fputs(row->best ? "  *" : "", out);
    fputs(measured ? "\n" : "  not measured: other programs had the processors\n", out);
  }
  fputs(
      "us/step: microseconds of wall time; time: wall time for the same simulated time, that of the first row of "
      "each part being 1, +- its standard error;\nforce error: root mean square, relative, measured at the start; "
      "*: kept; the first row stays unless a time is lower by more than 1 % and 3 errors\n",
      out);
}

static void print_bias(FILE *out, const struct rill_tuning *tuning) {
  const double given = 1e3 * tuning->given_step, tuned = 1e3 * tuning->tuned_step;
  if (tuning->bias.observable[0] == '\0') return;
  fprintf(out, "step: the bias of %s is %.3g +- %.2g %s h^%d, h in fs (%zu runs): %.3g +- %.2g at %g fs, as given",
          tuning->bias.observable, tuning->bias.fit.slope, tuning->bias.fit.slope_error, tuning->bias.unit,
          tuning->bias.order, tuning->bias.fit.runs, tuning->bias.at_given, tuning->bias.at_given_error, given);
  if (tuned != given)
    fprintf(out, "; %.3g +- %.2g at %g fs", tuning->bias.at_tuned, tuning->bias.at_tuned_error, tuned);
  fprintf(out, "; |bias| plus two errors is to be at most %g %s\n", tuning->bias.most, tuning->bias.unit);
  if (1e3 * tuning->bias.would_do <= tuned * (1 + 1e-9)) return;
  fprintf(out, "%g fs would do; ", 1e3 * tuning->bias.would_do);
  if (tuning->bias.limited[0] != '\0') fprintf(out, "%s allows %g fs\n", tuning->bias.limited, tuned);
  else fprintf(out, "the times in the deck together allow %g fs\n", tuned);
}

/* The deck against which gains are. */
static void print_given(FILE *out, const struct rill_tune_request *request) {
  fputs(request->path, out);
  for (size_t i = 0; i < request->override_count; i++)
    fprintf(out, "%s --set '%s'", i == 0 ? " with" : "", request->overrides[i]);
}

static void print_gain(FILE *out, const struct rill_tune_request *request, const struct rill_tuning *tuning) {
  const double percent = 100 * tuning->gain.part, error = 100 * tuning->gain.error;
  if (isinf(error)) {
    fprintf(out, "the times of %s and ", request->out);
    print_given(out, request);
    fputs(" were not measured: other programs had the processors\n", out);
  } else if (percent < 0) {
    fprintf(out, "%s takes %.3g +- %.1g times as long as ", request->out, 1 - tuning->gain.part, tuning->gain.error);
    print_given(out, request);
    fputs(" for the same simulated time", out);
    fputs(tuning->tuned_step < tuning->given_step ? ", for the smaller bias\n" : "\n", out);
  } else {
    fprintf(out, "%s takes %.1f +- %.1f %% less time than ", request->out, percent, error);
    print_given(out, request);
    fputs(" for the same simulated time\n", out);
  }
}

static void print(FILE *out, const struct rill_tune_request *request, const struct rill_tuning *tuning) {
  fprintf(out, "%s: %zu water molecules, %s, step %g fs\n", request->path, tuning->molecules, tuning->method,
          1e3 * tuning->given_step);
  print_rows(out, tuning);
  if (tuning->busy)
    fputs("other programs had the processors: but for the threads, times are those of one thread\n", out);
  print_bias(out, tuning);
  if (tuning->change_count == 0) {
    if (isnan(tuning->gain.part)) fputs("no change is faster", out);
    else if (isinf(tuning->gain.error))
      fputs("whether all changes together save time was not measured: other programs had the processors", out);
    else
      fprintf(out, "with all changes it takes %.3f +- %.3f of the time, which is within the noise",
              1 - tuning->gain.part, tuning->gain.error);
    fprintf(out, ": %s is ", request->out);
    print_given(out, request);
    fputs(request->override_count > 0 ? "\n" : ", unchanged\n", out);
    return;
  }
  for (size_t i = 0; i < tuning->change_count; i++)
    fprintf(out, "%s.%s = %s\n", tuning->changes[i].section, tuning->changes[i].key, tuning->changes[i].value);
  print_gain(out, request, tuning);
}

static void put_gain(struct rill_json *json, struct rill_gain gain) {
  rill_json_number(json, "gain", gain.part);
  rill_json_number(json, "gain_error", gain.error);
}

static void put_rows(struct rill_json *json, const struct rill_tuning *tuning) {
  rill_json_list(json, "measurements");
  for (size_t i = 0; i < tuning->row_count; i++) {
    const struct rill_tune_row *row = &tuning->rows[i];
    rill_json_object(json, NULL);
    rill_json_string(json, "key", row->stage);
    rill_json_string(json, "candidate", row->candidate);
    rill_json_number(json, "step_us", row->step_us);
    put_gain(json, row->gain);
    rill_json_number(json, "force_error", row->force_error);
    rill_json_bool(json, "kept", row->best);
    rill_json_string(json, "failure", row->failure[0] != '\0' ? row->failure : NULL);
    rill_json_close(json);
  }
  rill_json_close(json);
}

static void put_bias(struct rill_json *json, const struct rill_tuning *tuning) {
  if (tuning->bias.observable[0] == '\0') return;
  rill_json_object(json, "bias");
  rill_json_string(json, "observable", tuning->bias.observable);
  rill_json_string(json, "unit", tuning->bias.unit);
  rill_json_number(json, "most", tuning->bias.most);
  rill_json_number(json, "slope", tuning->bias.fit.slope);
  rill_json_number(json, "slope_error", tuning->bias.fit.slope_error);
  rill_json_count(json, "power", (uint64_t)tuning->bias.order);
  rill_json_count(json, "runs", tuning->bias.fit.runs);
  rill_json_number(json, "given", tuning->bias.at_given);
  rill_json_number(json, "given_error", tuning->bias.at_given_error);
  rill_json_number(json, "tuned", tuning->bias.at_tuned);
  rill_json_number(json, "tuned_error", tuning->bias.at_tuned_error);
  rill_json_number(json, "would_do_fs", 1e3 * tuning->bias.would_do);
  rill_json_string(json, "limited_by", tuning->bias.limited[0] != '\0' ? tuning->bias.limited : NULL);
  rill_json_close(json);
}

static void put(struct rill_json *json, const struct rill_tune_request *request, const struct rill_tuning *tuning) {
  rill_json_object(json, NULL);
  rill_json_string(json, "deck", request->path);
  rill_json_list(json, "set");
  for (size_t i = 0; i < request->override_count; i++) rill_json_string(json, NULL, request->overrides[i]);
  rill_json_close(json);
  rill_json_string(json, "out", request->out);
  rill_json_count(json, "molecules", tuning->molecules);
  rill_json_string(json, "method", tuning->method);
  rill_json_number(json, "given_step_fs", 1e3 * tuning->given_step);
  rill_json_number(json, "tuned_step_fs", 1e3 * tuning->tuned_step);
  rill_json_bool(json, "busy", tuning->busy);
  put_rows(json, tuning);
  put_bias(json, tuning);
  rill_json_list(json, "changes");
  for (size_t i = 0; i < tuning->change_count; i++) {
    const struct rill_tune_change *change = &tuning->changes[i];
    rill_json_object(json, NULL);
    rill_json_string(json, "section", change->section);
    rill_json_string(json, "key", change->key);
    rill_json_string(json, "value", change->value);
    rill_json_string(json, "reason", change->reason[0] != '\0' ? change->reason : NULL);
    rill_json_close(json);
  }
  rill_json_close(json);
  put_gain(json, tuning->gain);
  rill_json_close(json);
}

void rill_show_tuning(struct rill_page *page, const struct rill_tune_request *request,
                      const struct rill_tuning *tuning) {
  if (page->text == NULL) put(&page->json, request, tuning);
  else print(page->text, request, tuning);
}
