/* rill reproduce: published tables and figures recomputed, each number beside the expected one and its source. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/nearest.h"
#include "base/timers.h"
#include "cli/command.h"
#include "simulation/outputs.h"
#include "simulation/written.h"
#include "papers/leimkuhler_patrick.h"
#include "papers/leok_shingel_rotations.h"
#include "papers/leok_shingel_shooting.h"
#include "papers/tao_owhadi.h"
#include "papers/tao_owhadi_water.h"
#include "papers/wendlandt_marsden.h"

static const struct rill_result *(*const papers[])(size_t *) = {
    rill_wendlandt_marsden_results, rill_tao_owhadi_results, rill_tao_owhadi_water_results,
    rill_leok_shingel_rotations_results, rill_leok_shingel_shooting_results, rill_leimkuhler_patrick_results};
enum { PAPERS = sizeof papers / sizeof papers[0], NAMES = 128, VERDICTS = 4, FILES = 8 /* of curves, a result */ };

/* In the order of enum rill_verdict and enum rill_source; data have neither. */
static const char *const verdicts[VERDICTS] = {"agrees", "known-deviation", "differs", ""};
static const char *const sources[] = {"", "paper", "exact", "independent"};

struct report {
  const struct rill_result *result;    /* the one under way */
  FILE *csv;                           /* or NULL */
  const char *csv_path;
  bool long_form;
  bool rows;                           /* its table has begun */
  const char *reason;                  /* of the row before: said once */
  size_t counts[VERDICTS];             /* of all results */
  /* Curves, or "" for none. */
  const char *folder;
  bool replace;
  FILE *data;
  char data_path[RILL_PATH];
  const char *const *columns;          /* of the open file */
  size_t column_count;
  unsigned files;                      /* of this result so far */
  const char *curve;
};

static const struct rill_result *find(const char *name) {
  for (size_t p = 0; p < PAPERS; p++) {
    size_t count;
    const struct rill_result *results = papers[p](&count);
    for (size_t i = 0; i < count; i++)
      if (strcmp(results[i].name, name) == 0) return &results[i];
  }
  return NULL;
}

static enum rill_status unknown(const char *name, struct rill_error *error) {
  const char *names[NAMES] = {"all"}, *nearest;
  size_t used = 1;
  for (size_t p = 0; p < PAPERS; p++) {
    size_t count;
    const struct rill_result *results = papers[p](&count);
    for (size_t i = 0; i < count && used < NAMES; i++) names[used++] = results[i].name;
  }
  nearest = rill_nearest(name, names, used);
  return rill_error_set(error, RILL_ERROR_USAGE,
                        "no published result has the name %s%s%s%s (rill reproduce lists them)", name,
                        nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

/* ---- rows ---- */

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
  printf(" %-11s", data ? "-" : sources[row->expected.source]);
  print_cell(row->ours, "%17.11g");
  print_cell_short(row->ours - row->expected.value);
  print_cell_short(row->expected.tolerance);
  printf("  %s\n", data ? "-" : verdicts[row->verdict]);
  if (row->reason != NULL && (report->reason == NULL || strcmp(report->reason, row->reason) != 0))
    printf("    %s\n", row->reason);
  report->reason = row->reason;
}

static void put_text(FILE *stream, const char *text) {
  bool quoted = strpbrk(text, ",\"") != NULL;
  if (quoted) fputc('"', stream);
  for (; *text != '\0'; text++) {
    if (*text == '"') fputc('"', stream);
    fputc(*text, stream);
  }
  if (quoted) fputc('"', stream);
}

static void put_number(FILE *stream, double value) {
  if (!isnan(value)) fprintf(stream, "%.17g", value);
}

static enum rill_status write_row(struct report *report, const struct rill_result_row *row,
                                  struct rill_error *error) {
  FILE *csv = report->csv;
  const double numbers[] = {row->ours, row->ours - row->expected.value, row->expected.tolerance};
  put_text(csv, report->result->name);
  fputc(',', csv);
  put_text(csv, row->quantity);
  fputc(',', csv);
  put_text(csv, row->setting);
  fputc(',', csv);
  put_number(csv, row->expected.value);
  fprintf(csv, ",%s", sources[row->expected.source]);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    fputc(',', csv);
    put_number(csv, numbers[i]);
  }
  fprintf(csv, ",%s\n", verdicts[row->verdict]);
  if (ferror(csv)) return rill_error_set(error, RILL_ERROR_WRITE, "%s could not be written", report->csv_path);
  return RILL_OK;
}

static enum rill_status take_row(void *self, const struct rill_result_row *row, struct rill_error *error) {
  struct report *report = self;
  report->counts[row->verdict]++;
  print_row(report, row);
  return report->csv != NULL ? write_row(report, row, error) : RILL_OK;
}

/* ---- curves: NAME.csv with the columns curve and the curve's; NAME-2.csv where they are others ---- */

static enum rill_status close_data(struct report *report, struct rill_error *error) {
  FILE *data = report->data;
  report->data = NULL;
  if (data == NULL) return RILL_OK;
  if (ferror(data) | (fclose(data) != 0))
    return rill_error_set(error, RILL_ERROR_WRITE, "%s could not be written", report->data_path);
  return RILL_OK;
}

static bool same_columns(const struct report *report, const struct rill_result_curve *curve) {
  if (report->data == NULL || report->column_count != curve->column_count) return false;
  for (size_t i = 0; i < curve->column_count; i++)
    if (strcmp(report->columns[i], curve->columns[i]) != 0) return false;
  return true;
}

static enum rill_status data_path(struct report *report, const char *name, unsigned number,
                                  struct rill_error *error) {
  char suffix[16] = "";
  int length;
  if (number > 1) snprintf(suffix, sizeof suffix, "-%u", number);
  length = snprintf(report->data_path, sizeof report->data_path, "%s/%s%s.csv", report->folder, name, suffix);
  if (length < 0 || length >= (int)sizeof report->data_path)
    return rill_error_set(error, RILL_ERROR_OUTPUT, "--data %s: the path is too long", report->folder);
  return RILL_OK;
}

static enum rill_status take_curve(void *self, const struct rill_result_curve *curve, struct rill_error *error) {
  struct report *report = self;
  report->curve = curve->name;
  if (same_columns(report, curve)) return RILL_OK;
  RILL_TRY(close_data(report, error));
  RILL_TRY(data_path(report, report->result->name, ++report->files, error));
  RILL_TRY(rill_written_check_place(report->data_path, NULL, report->replace, error));
  RILL_TRY(rill_written_open(report->data_path, report->replace, &report->data, error));
  report->columns = curve->columns;
  report->column_count = curve->column_count;
  fprintf(report->data, "# %s: %s\ncurve", report->result->name, report->result->summary);
  for (size_t i = 0; i < curve->column_count; i++) {
    fputc(',', report->data);
    put_text(report->data, curve->columns[i]);
  }
  fputc('\n', report->data);
  return RILL_OK;
}

static enum rill_status take_point(void *self, const double *values, struct rill_error *error) {
  struct report *report = self;
  put_text(report->data, report->curve);
  for (size_t i = 0; i < report->column_count; i++) {
    fputc(',', report->data);
    put_number(report->data, values[i]);
  }
  fputc('\n', report->data);
  if (ferror(report->data))
    return rill_error_set(error, RILL_ERROR_WRITE, "%s could not be written", report->data_path);
  return RILL_OK;
}

/* ---- the command ---- */

static enum rill_status reproduce_one(struct report *report, const struct rill_result *result,
                                      struct rill_error *error) {
  bool curves = report->folder != NULL;
  struct rill_result_sink sink = {take_row, curves ? take_curve : NULL, curves ? take_point : NULL, report,
                                  report->long_form};
  double started = rill_clock();
  enum rill_status status;
  report->result = result;
  report->rows = false;
  report->reason = NULL;
  report->files = 0;
  printf("%s: %s\n", result->name, result->summary);
  fflush(stdout);
  status = result->compute(&sink, error);
  if (status == RILL_OK) status = close_data(report, error);
  else if (report->data != NULL) {
    fclose(report->data);
    report->data = NULL;
  }
  if (status != RILL_OK) return rill_error_prefix(error, "%s", result->name);
  printf("  (%.1f s)\n\n", rill_clock() - started);
  fflush(stdout);
  return RILL_OK;
}

static enum rill_status reproduce_all(struct report *report, struct rill_error *error) {
  for (size_t p = 0; p < PAPERS; p++) {
    size_t count;
    const struct rill_result *results = papers[p](&count);
    for (size_t i = 0; i < count; i++) RILL_TRY(reproduce_one(report, &results[i], error));
  }
  return RILL_OK;
}

static enum rill_status open_csv(struct report *report, const char *path, struct rill_error *error) {
  RILL_TRY(rill_written_check_place(path, NULL, report->replace, error));
  report->csv_path = path;
  RILL_TRY(rill_written_open(path, report->replace, &report->csv, error));
  fputs("name,quantity,setting,expected,source,ours,difference,tolerance,verdict\n", report->csv);
  return RILL_OK;
}

static enum rill_status make_folder(const char *folder, struct rill_error *error) {
  struct stat info;
  if (mkdir(folder, 0777) == 0 || (errno == EEXIST && stat(folder, &info) == 0 && S_ISDIR(info.st_mode)))
    return RILL_OK;
  return rill_error_set(error, RILL_ERROR_OUTPUT, "--data %s: the folder cannot be made: %s", folder,
                        strerror(errno));
}

/* Before anything is computed: no file of curves is in the way. */
static enum rill_status check_data(struct report *report, const struct rill_result *only, struct rill_error *error) {
  for (size_t p = 0; p < PAPERS; p++) {
    size_t count;
    const struct rill_result *results = papers[p](&count);
    for (size_t i = 0; i < count; i++) {
      for (unsigned file = 1; file <= FILES && (only == NULL || only == &results[i]); file++) {
        RILL_TRY(data_path(report, results[i].name, file, error));
        RILL_TRY(rill_written_check_place(report->data_path, NULL, report->replace, error));
      }
    }
  }
  return RILL_OK;
}

static void list_names(void) {
  for (size_t p = 0; p < PAPERS; p++) {
    size_t count;
    const struct rill_result *results = papers[p](&count);
    for (size_t i = 0; i < count; i++) puts(results[i].name);
  }
}

static enum rill_status conclude(const struct report *report, struct rill_error *error) {
  const size_t *counts = report->counts;
  size_t rows = 0;
  for (int v = 0; v < VERDICTS; v++) rows += counts[v];
  printf("%zu numbers: %zu agree, %zu are known deviations, %zu differ, %zu are data without a verdict\n", rows,
         counts[RILL_VERDICT_AGREES], counts[RILL_VERDICT_KNOWN_DEVIATION], counts[RILL_VERDICT_DIFFERS],
         counts[RILL_VERDICT_NONE]);
  if (counts[RILL_VERDICT_DIFFERS] == 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_FAILED,
                        "%zu of %zu numbers differ from the expected ones by more than their tolerance",
                        counts[RILL_VERDICT_DIFFERS], rows);
}

static enum rill_status reproduce(const struct rill_arguments *arguments, struct rill_error *error) {
  const char *name = arguments->positional_count > 0 ? arguments->positional[0] : NULL,
             *csv = rill_argument(arguments, "csv");
  struct report *report;
  const struct rill_result *result = NULL;
  enum rill_status status = RILL_OK;
  if (name == NULL) {
    if (csv != NULL || rill_argument_given(arguments, "data") || rill_argument_given(arguments, "long"))
      return rill_error_set(error, RILL_ERROR_USAGE,
                            "--csv, --data and --long need a name, or all (rill reproduce lists the names)");
    list_names();
    return RILL_OK;
  }
  if (strcmp(name, "all") != 0 && (result = find(name)) == NULL) return unknown(name, error);
  report = calloc(1, sizeof *report);
  if (report == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  report->folder = rill_argument(arguments, "data");
  report->replace = rill_argument_given(arguments, "force");
  report->long_form = rill_argument_given(arguments, "long");
  if (report->folder != NULL) status = make_folder(report->folder, error);
  if (status == RILL_OK && report->folder != NULL) status = check_data(report, result, error);
  if (status == RILL_OK && csv != NULL) status = open_csv(report, csv, error);
  if (status == RILL_OK)
    status = result != NULL ? reproduce_one(report, result, error) : reproduce_all(report, error);
  if (report->csv != NULL && (ferror(report->csv) | (fclose(report->csv) != 0)) && status == RILL_OK)
    status = rill_error_set(error, RILL_ERROR_WRITE, "%s could not be written", csv);
  if (status == RILL_OK) status = conclude(report, error);
  free(report);
  return status;
}

static const struct rill_option_row options[] = {
    {"csv", 0, "FILE", "the rows as CSV: name, quantity, setting, expected, source, ours, difference, tolerance, verdict"},
    {"data", 0, "DIR",
     "the curves of figures, into DIR/NAME.csv (made when it is missing); analysis/papers.py draws them"},
    {"long", 0, NULL,
     "sampled quantities (tao-owhadi-figure-4, -figure-7, -timing) from longer runs and more seeds: minutes"},
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
