#include "show/combinations.h"

#include <string.h>

#include "base/nearest.h"
#include "integrators/registry.h"
#include "simulation/refusals.h"
#include "study/combinations.h"

enum { MOST_COLUMNS = 64, MOST_METHODS = 64, NAME = 48, LEGEND_WIDTH = 37, LEGEND_COLUMNS = 3 };

struct matrix {
  size_t columns;
  char system[MOST_COLUMNS][NAME];
  unsigned binds[MOST_METHODS][MOST_COLUMNS]; /* bit t: with thermostat t */
};

struct listed {
  struct rill_page *page;
  const char *wanted; /* NULL: all */
  struct matrix *matrix;
  size_t found;
};

static bool is_water(const char *system) { return strncmp(system, "water", 5) == 0; }

static void note(struct matrix *matrix, const char *system, const struct rill_method *method,
                 enum rill_thermostat thermostat, enum rill_refusal refusal) {
  const size_t last = matrix->columns;
  if (last == 0 || strcmp(matrix->system[last - 1], system) != 0) {
    if (last == MOST_COLUMNS) return;
    snprintf(matrix->system[last], NAME, "%s", system);
    matrix->columns++;
  }
  if (refusal == RILL_BINDS) matrix->binds[rill_method_index(method)][matrix->columns - 1] |= 1U << thermostat;
}

/* A system's name without its formulation names all of them. */
static bool is_wanted(const char *wanted, const char *system, const struct rill_method *method) {
  const size_t length = wanted != NULL ? strlen(wanted) : 0;
  if (wanted == NULL || rill_method_is_called(method, wanted)) return true;
  return strncmp(wanted, system, length) == 0 && (system[length] == '\0' || system[length] == '/');
}

static void show_line(FILE *out, const char *system, const struct rill_method *method, const char *bath,
                      enum rill_refusal refusal, const char *why) {
  /* Small systems have longer names. */
  fprintf(out, "%-*s %-20s %-6s %s%s\n", is_water(system) ? 19 : 38, system, method->name, bath,
          refusal == RILL_BINDS ? "binds" : "no: ", why);
}

static void take(void *context, const char *system, const struct rill_method *method, enum rill_thermostat thermostat,
                 enum rill_refusal refusal) {
  struct listed *listed = context;
  struct rill_json *json = &listed->page->json;
  const char *bath = rill_choice_word(rill_thermostat_choices, thermostat);
  char why[RILL_REFUSAL_TEXT];
  if (listed->matrix != NULL) note(listed->matrix, system, method, thermostat, refusal);
  if (listed->matrix != NULL || !is_wanted(listed->wanted, system, method)) return;
  listed->found++;
  rill_refusal_text(refusal, why);
  if (listed->page->text != NULL) {
    show_line(listed->page->text, system, method, bath, refusal, why);
    return;
  }
  rill_json_object(json, NULL);
  rill_json_string(json, "system", system);
  rill_json_string(json, "method", method->name);
  rill_json_string(json, "thermostat", bath);
  rill_json_bool(json, "binds", refusal == RILL_BINDS);
  rill_json_string(json, "reason", why);
  rill_json_close(json);
}

static void show_legend(FILE *out, const struct matrix *matrix) {
  fputs("columns\n", out);
  for (size_t c = 0; c < matrix->columns; c++)
    fprintf(out, "%*zu %-*s%s", 3, c + 1,
            c % LEGEND_COLUMNS == LEGEND_COLUMNS - 1 || c + 1 == matrix->columns ? 0 : LEGEND_WIDTH,
            matrix->system[c], c % LEGEND_COLUMNS == LEGEND_COLUMNS - 1 || c + 1 == matrix->columns ? "\n" : "");
  fputs(
      "water: n without a thermostat, g with gla, b with baoab, h with ghmc, v with v-rescale\n"
      "small systems: n without a thermostat, g also with gla, b also with gla and baoab\n"
      "rill list combinations NAME: the reasons, of a method or of a system; all: of everything\n",
      out);
}

static void show_matrix(FILE *out, const struct matrix *matrix) {
  static const char letters[] = "ngbhv"; /* in the order of enum rill_thermostat */
  const unsigned gla = 1U << RILL_GLA, baoab = 1U << RILL_BAOAB;
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  fprintf(out, "%-26s", "");
  for (size_t c = 0; c < matrix->columns; c++) fprintf(out, "%*zu", is_water(matrix->system[c]) ? 6 : 3, c + 1);
  fputc('\n', out);
  for (size_t m = 0; m < count; m++) {
    fprintf(out, "%-26s", methods[m]->name);
    for (size_t c = 0; c < matrix->columns; c++) {
      const unsigned binds = matrix->binds[m][c];
      if (!is_water(matrix->system[c])) {
        fprintf(out, "%3s", binds & baoab ? "b" : binds & gla ? "g" : binds != 0 ? "n" : ".");
        continue;
      }
      fputc(' ', out);
      for (unsigned t = 0; t < sizeof letters - 1; t++) fputc(binds & 1U << t ? letters[t] : '.', out);
    }
    fputc('\n', out);
  }
  show_legend(out, matrix);
}

/* The nearest method or system. */
static enum rill_status no_such(const char *wanted, const struct matrix *matrix, struct rill_error *error) {
  const char *names[MOST_METHODS + MOST_COLUMNS], *nearest;
  char systems[MOST_COLUMNS][NAME]; /* without their formulations */
  size_t count, used = 0;
  const struct rill_method *const *methods = rill_methods(&count);
  for (size_t i = 0; i < count; i++) names[used++] = methods[i]->name;
  for (size_t c = 0; c < matrix->columns; c++) {
    snprintf(systems[c], NAME, "%.*s", (int)strcspn(matrix->system[c], "/"), matrix->system[c]);
    names[used++] = systems[c];
  }
  nearest = rill_nearest(wanted, names, used);
  return rill_error_set(
      error, RILL_ERROR_USAGE,
      "rill list combinations %s: expected a method (rill list integrators), a system (rill list systems), "
      "or all%s%s%s",
      wanted, nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
}

static enum rill_status visit(struct listed *listed, struct rill_error *error) {
  FILE *out = listed->matrix == NULL && listed->wanted == NULL ? listed->page->text : NULL;
  RILL_TRY(rill_water_combinations_each(take, listed, error));
  if (out != NULL)
    fputs(
        "water is kept rigid by constraints.solver = settle, mshake or shake, alike for all that binds; water/bodies "
        "is solver = lgvi or rotor (rill list constraints)\n\n",
        out);
  return rill_small_combinations_each(take, listed, error);
}

enum rill_status rill_list_combinations(const char *wanted, struct rill_page *page, struct rill_error *error) {
  const bool all = wanted == NULL ? page->text == NULL : strcmp(wanted, "all") == 0;
  struct matrix matrix = {0};
  struct listed lines = {.page = page, .wanted = all ? NULL : wanted}, table = {.page = page, .matrix = &matrix};
  if (all || wanted != NULL) RILL_TRY(visit(&lines, error));
  if (all || lines.found > 0) return RILL_OK;
  RILL_TRY(visit(&table, error));
  if (wanted != NULL) return no_such(wanted, &matrix, error);
  show_matrix(page->text, &matrix);
  return RILL_OK;
}
