#include "study/reproduce.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/nearest.h"
#include "base/timers.h"
#include "papers/discrete_reduction.h"
#include "papers/leimkuhler_patrick.h"
#include "papers/leok_shingel_rotations.h"
#include "papers/leok_shingel_shooting.h"
#include "papers/tao_owhadi.h"
#include "papers/tao_owhadi_water.h"
#include "papers/wendlandt_marsden.h"
#include "simulation/outputs.h"
#include "simulation/written.h"

static const struct rill_result *(*const papers[])(size_t *) = {
    rill_wendlandt_marsden_results, rill_discrete_reduction_results,     rill_tao_owhadi_results,
    rill_tao_owhadi_water_results,  rill_leok_shingel_rotations_results, rill_leok_shingel_shooting_results,
    rill_leimkuhler_patrick_results};
enum { PAPERS = sizeof papers / sizeof papers[0], NAMES = 128, FILES = 8 /* of curves, per result */ };

/* In the order of enum rill_verdict and enum rill_source; "" for data, which have neither. */
static const char *const verdicts[RILL_VERDICTS] = {"agrees", "known-deviation", "differs", ""};
static const char *const sources[] = {"", "paper", "exact", "independent"};

const char *rill_verdict_word(enum rill_verdict verdict) { return verdicts[verdict]; }
const char *rill_source_word(enum rill_source source) { return sources[source]; }

struct report {
  const struct rill_reproduce_request *request;
  size_t *counts;                   /* [RILL_VERDICTS], of all results */
  const struct rill_result *result; /* the present one */
  FILE *csv;                        /* or NULL */
  /* Curves. */
  FILE *data;
  char data_path[RILL_PATH];
  const char *const *columns; /* of the open file */
  size_t column_count;
  unsigned files; /* written for this result so far */
  const char *curve;
};

void rill_reproduce_each(void (*visit)(void *context, const struct rill_result *result), void *context) {
  for (size_t p = 0; p < PAPERS; p++) {
    size_t count;
    const struct rill_result *results = papers[p](&count);
    for (size_t i = 0; i < count; i++) visit(context, &results[i]);
  }
}

struct search {
  const char *name, *names[NAMES];
  size_t used;
  const struct rill_result *found;
};

static void compare_name(void *context, const struct rill_result *result) {
  struct search *search = context;
  if (strcmp(result->name, search->name) == 0) search->found = result;
  if (search->used < NAMES) search->names[search->used++] = result->name;
}

enum rill_status rill_reproduce_find(const char *name, const struct rill_result **result, struct rill_error *error) {
  struct search search = {.name = name, .names = {"all"}, .used = 1};
  const char *nearest;
  rill_reproduce_each(compare_name, &search);
  *result = search.found;
  if (search.found != NULL) return RILL_OK;
  nearest = rill_nearest(name, search.names, search.used);
  return rill_error_set(error, RILL_ERROR_USAGE,
                        "no published result has the name %s%s%s%s (rill reproduce lists them)", name,
                        nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

/* ---- rows ---- */

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
  if (ferror(csv)) return rill_error_set(error, RILL_ERROR_WRITE, "%s could not be written", report->request->csv);
  return RILL_OK;
}

static enum rill_status take_row(void *self, const struct rill_result_row *row, struct rill_error *error) {
  struct report *report = self;
  const struct rill_reproduce_request *request = report->request;
  report->counts[row->verdict]++;
  if (request->row != NULL) request->row(request->context, report->result, row);
  return report->csv != NULL ? write_row(report, row, error) : RILL_OK;
}

/* ---- curves: in NAME.csv, with a column `curve` and their own; those with other columns in NAME-2.csv ---- */

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
  length =
      snprintf(report->data_path, sizeof report->data_path, "%s/%s%s.csv", report->request->folder, name, suffix);
  if (length < 0 || length >= (int)sizeof report->data_path)
    return rill_error_set(error, RILL_ERROR_OUTPUT, "--data %s: the path is too long", report->request->folder);
  return RILL_OK;
}

static enum rill_status take_curve(void *self, const struct rill_result_curve *curve, struct rill_error *error) {
  struct report *report = self;
  report->curve = curve->name;
  if (same_columns(report, curve)) return RILL_OK;
  RILL_TRY(close_data(report, error));
  RILL_TRY(data_path(report, report->result->name, ++report->files, error));
  RILL_TRY(rill_written_check_place(report->data_path, NULL, report->request->replace, error));
  RILL_TRY(rill_written_open(report->data_path, report->request->replace, &report->data, error));
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

/* ---- results ---- */

static enum rill_status reproduce_one(struct report *report, const struct rill_result *result,
                                      struct rill_error *error) {
  const struct rill_reproduce_request *request = report->request;
  const bool curves = request->folder != NULL;
  const struct rill_result_sink sink = {take_row, curves ? take_curve : NULL, curves ? take_point : NULL, report,
                                        request->long_form};
  const double started = rill_clock();
  enum rill_status status;
  report->result = result;
  report->files = 0;
  if (request->begin != NULL) request->begin(request->context, result);
  status = result->compute(&sink, error);
  if (status == RILL_OK) status = close_data(report, error);
  else if (report->data != NULL) {
    fclose(report->data);
    report->data = NULL;
  }
  if (status != RILL_OK) return rill_error_prefix(error, "%s", result->name);
  if (request->end != NULL) request->end(request->context, rill_clock() - started);
  return RILL_OK;
}

/* The requested result, or all. */
static enum rill_status for_each(struct report *report,
                                 enum rill_status (*act)(struct report *, const struct rill_result *,
                                                         struct rill_error *),
                                 struct rill_error *error) {
  if (report->request->result != NULL) return act(report, report->request->result, error);
  for (size_t p = 0; p < PAPERS; p++) {
    size_t count;
    const struct rill_result *results = papers[p](&count);
    for (size_t i = 0; i < count; i++) RILL_TRY(act(report, &results[i], error));
  }
  return RILL_OK;
}

static enum rill_status open_csv(struct report *report, struct rill_error *error) {
  const struct rill_reproduce_request *request = report->request;
  if (request->csv == NULL) return RILL_OK;
  RILL_TRY(rill_written_check_place(request->csv, NULL, request->replace, error));
  RILL_TRY(rill_written_open(request->csv, request->replace, &report->csv, error));
  fputs("name,quantity,setting,expected,source,ours,difference,tolerance,verdict\n", report->csv);
  return RILL_OK;
}

static enum rill_status make_folder(const char *folder, struct rill_error *error) {
  struct stat info;
  if (mkdir(folder, 0777) == 0 || (errno == EEXIST && stat(folder, &info) == 0 && S_ISDIR(info.st_mode)))
    return RILL_OK;
  return rill_error_set(error, RILL_ERROR_OUTPUT, "--data %s: the folder cannot be created: %s", folder,
                        strerror(errno));
}

/* Before anything is computed: checks that no file of curves exists. */
static enum rill_status check_data(struct report *report, const struct rill_result *result,
                                   struct rill_error *error) {
  for (unsigned file = 1; file <= FILES; file++) {
    RILL_TRY(data_path(report, result->name, file, error));
    RILL_TRY(rill_written_check_place(report->data_path, NULL, report->request->replace, error));
  }
  return RILL_OK;
}

enum rill_status rill_reproduce(const struct rill_reproduce_request *request, size_t counts[RILL_VERDICTS],
                                struct rill_error *error) {
  struct report *report = calloc(1, sizeof *report);
  enum rill_status status = RILL_OK;
  for (int v = 0; v < RILL_VERDICTS; v++) counts[v] = 0;
  if (report == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  report->request = request;
  report->counts = counts;
  if (request->folder != NULL) status = make_folder(request->folder, error);
  if (status == RILL_OK && request->folder != NULL) status = for_each(report, check_data, error);
  if (status == RILL_OK) status = open_csv(report, error);
  if (status == RILL_OK) status = for_each(report, reproduce_one, error);
  if (report->csv != NULL && (ferror(report->csv) | (fclose(report->csv) != 0)) && status == RILL_OK)
    status = rill_error_set(error, RILL_ERROR_WRITE, "%s could not be written", request->csv);
  free(report);
  return status;
}
