#include "simulation/forcing.h"

#include <string.h>

#include "base/memory.h"
#include "structure/text.h"

enum { TABLE_ROWS = 1000000 };

/* One block: the struct, and its arrays behind it. */
struct forces {
  struct rill_forcing forcing; /* first */
  double numbers[];            /* constant, amplitude, scratch: [n]; times: [rows]; table: [rows][n] */
};

static enum rill_status check_length(const struct rill_simulation *sim, const struct rill_numbers *numbers,
                                     const char *section, const char *key, struct rill_error *error) {
  const size_t n = sim->system.state->n;
  char place[RILL_DECK_PLACE];
  if (numbers->count == 0 || numbers->count == n) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: [%s] %s has %zu number%s, and %s has %zu coordinate%s: one for each is expected",
                        rill_deck_place(&sim->deck, section, key, place), section, key, (size_t)numbers->count,
                        numbers->count == 1 ? "" : "s", sim->system.ops->name, n, n == 1 ? "" : "s");
}

/* Reads the rows of a table into rows[count][1 + n]; with rows NULL it counts them. */
static enum rill_status read_rows(const char *path, size_t n, double *rows, size_t *count, struct rill_error *error) {
  struct rill_text *text = rill_allocate(1, sizeof *text);
  enum rill_status status;
  *count = 0;
  if (text == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a table");
  status = rill_text_open(text, path, error);
  while (status == RILL_OK && (status = rill_text_next(text)) == RILL_OK && !text->ended) {
    struct rill_span word = rill_text_word(text, 0);
    if (word.length == 0 || text->text[word.first] == '#') continue;
    if (*count == TABLE_ROWS) status = rill_text_fault(text, text->line, "at most %d times are expected", TABLE_ROWS);
    for (size_t i = 0; status == RILL_OK && i <= n; i++) {
      double value = 0;
      if (word.length == 0)
        status =
            rill_text_fault(text, text->line, "a time, and a number for each of %zu coordinates, are expected", n);
      else status = rill_text_number(text, word, i == 0 ? "time" : "force", &value);
      if (rows != NULL) rows[*count * (1 + n) + i] = value;
      word = rill_text_word(text, word.first + word.length);
    }
    if (status == RILL_OK && word.length > 0)
      status = rill_text_fault(text, text->line, "a time, and a number for each of %zu coordinates, are expected", n);
    if (status == RILL_OK && rows != NULL && *count > 0 && !(rows[*count * (1 + n)] > rows[(*count - 1) * (1 + n)]))
      status = rill_text_fault(text, text->line, "increasing times are expected");
    ++*count;
  }
  rill_text_close(text);
  rill_release(text);
  return status;
}

static enum rill_status check_table(const struct rill_simulation *sim, const double *rows, size_t count,
                                    struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  const size_t width = 1 + sim->system.state->n;
  const double end = (double)deck->integrator.steps * deck->integrator.step;
  char place[RILL_DECK_PLACE];
  rill_deck_place(deck, "control", "table", place);
  if (count < 2)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: [control] table has %zu times: at least 2 are expected",
                          place, count);
  if (rows[0] <= 0 && rows[(count - 1) * width] >= end * (1 - 1e-12)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: [control] table has the times %g to %g, and the run goes from 0 to %g", place, rows[0],
                        rows[(count - 1) * width], end);
}

static void set(struct forces *forces, const struct rill_deck *deck, size_t n, const double *rows, size_t count) {
  struct rill_forcing *forcing = &forces->forcing;
  double *constant = forces->numbers, *amplitude = constant + n, *times = amplitude + 2 * n, *table = times + count;
  *forcing = (struct rill_forcing){.n = n,
                                   .omega = deck->control.omega,
                                   .phase = deck->control.phase,
                                   .rows = count,
                                   .times = times,
                                   .table = table,
                                   .law = deck->friction.law,
                                   .friction = deck->friction.coefficient,
                                   .now = amplitude + n};
  if (deck->force.constant.count > 0) forcing->constant = constant;
  if (deck->control.amplitude.count > 0) forcing->amplitude = amplitude;
  for (size_t i = 0; i < n && i < RILL_NUMBERS; i++) {
    constant[i] = deck->force.constant.value[i];
    amplitude[i] = deck->control.amplitude.value[i];
  }
  for (size_t k = 0; k < count; k++) {
    times[k] = rows[k * (1 + n)];
    memcpy(table + k * n, rows + k * (1 + n) + 1, n * sizeof *table);
  }
}

static enum rill_status read_table(const struct rill_simulation *sim, double **rows, size_t *count,
                                   struct rill_error *error) {
  const char *path = sim->deck.control.table;
  const size_t n = sim->system.state->n;
  if (path[0] == '\0') return RILL_OK;
  RILL_TRY(read_rows(path, n, NULL, count, error));
  *rows = rill_allocate(*count * (1 + n), sizeof **rows);
  if (*rows == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a table of %zu times", *count);
  RILL_TRY(read_rows(path, n, *rows, count, error));
  return check_table(sim, *rows, *count, error);
}

enum rill_status rill_simulation_force(struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  const size_t n = sim->system.state->n;
  double *rows = NULL;
  size_t count = 0;
  struct forces *forces;
  enum rill_status status;
  if (!rill_deck_is_forced(deck)) return RILL_OK;
  if (sim->is_replica)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: replicas of an [ensemble] take no [force], [control] or [friction]", deck->path);
  RILL_TRY(check_length(sim, &deck->force.constant, "force", "constant", error));
  RILL_TRY(check_length(sim, &deck->control.amplitude, "control", "amplitude", error));
  status = read_table(sim, &rows, &count, error);
  if (status == RILL_OK) {
    forces = rill_allocate(1, sizeof *forces + (3 * n + count * (1 + n)) * sizeof *forces->numbers);
    if (forces == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for forces");
    else {
      set(forces, deck, n, rows, count);
      sim->forcing = sim->system.forcing = &forces->forcing;
    }
  }
  rill_release(rows);
  return status;
}

/* The rows of the checkpoint must be the first of the file's. */
static void compare_table(const struct forces *forces, struct rill_archive *archive) {
  const size_t n = forces->forcing.n, rows = forces->forcing.rows;
  size_t kept, kept_numbers, same = 0;
  const char *times = rill_archive_find(archive, "control/times", RILL_ARCHIVE_REALS, &kept);
  const char *table = rill_archive_find(archive, "control/table", RILL_ARCHIVE_REALS, &kept_numbers);
  if (times == NULL || table == NULL || kept_numbers != kept * n) {
    rill_archive_fail(archive, RILL_ERROR_INPUT, "the run had no [control] table, and the deck has one");
    return;
  }
  while (same < kept && same < rows &&
         memcmp(forces->forcing.times + same, times + same * sizeof(double), sizeof(double)) == 0 &&
         memcmp(forces->forcing.table + same * n, table + same * n * sizeof(double), n * sizeof(double)) == 0)
    same++;
  if (same < kept)
    rill_archive_fail(archive, RILL_ERROR_INPUT,
                      "row %zu of [control] table is not that of the run's start, which had %zu: resume with the "
                      "table that the run had; rows may be added at its end",
                      same + 1, kept);
}

void rill_simulation_archive_forcing(struct rill_simulation *sim, struct rill_archive *archive) {
  struct forces *forces = (struct forces *)(void *)sim->forcing;
  const size_t n = sim->forcing->n, rows = sim->forcing->rows;
  if (rows == 0) return;
  if (archive->reading) {
    compare_table(forces, archive);
    return;
  }
  rill_archive_enter(archive, "control");
  rill_archive_reals(archive, "times", forces->numbers + 3 * n, rows);
  rill_archive_reals(archive, "table", forces->numbers + 3 * n + rows, rows * n);
  rill_archive_leave(archive);
}
