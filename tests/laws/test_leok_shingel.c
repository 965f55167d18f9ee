/* Every row of the reference table of Leok & Shingel's methods on vector spaces, sections 2 and 3: one-step values,
 * errors at a time, energy bands, orders.  Tolerances are the table's. */
#include <float.h>
#include <locale.h>

#include "small.h"

enum { COLUMNS = 7 };

static const char truth[] = "galerkin/degree=12/quadrature=gauss";

static const char *start_of(const char *system, bool one_step) {
  bool pendulum = strcmp(system, "simple-pendulum") == 0;
  if (one_step) return pendulum ? "angle = 0.7; rate = 0.5" : "position = 0.7; velocity = 0.5";
  return pendulum ? "angle = 1; rate = 0" : "position = 1; velocity = 0";
}

static void run(const char *system, const char *method, bool one_step, double h, double time, double z[2]) {
  struct small small = small_create(system, start_of(system, one_step), method, h, 0);
  small_run(&small, (uint64_t)llround(time / h));
  z[0] = small.system->state->q[0];
  z[1] = small.system->state->p[0];
  small_destroy(&small);
}

static double error_at(const char *system, const char *method, double h, double time) {
  double z[2], exact[2];
  run(system, truth, false, 0.25, time, exact);
  run(system, method, false, h, time, z);
  return fmax(fabs(z[0] - exact[0]), fabs(z[1] - exact[1]));
}

static double energy(const char *system, const char *method, double h, double time, bool highest) {
  struct small small = small_create(system, start_of(system, false), method, h, 0);
  struct rill_observation o;
  double extreme = small_energy(&small, &o);
  for (uint64_t steps = (uint64_t)llround(time / h); steps > 0; steps--) {
    double now;
    small_run(&small, 1);
    now = small_energy(&small, &o);
    extreme = highest ? fmax(extreme, now) : fmin(extreme, now);
  }
  small_destroy(&small);
  return extreme;
}

static double value_of(const char *system, const char *method, const char *quantity, double h, double time) {
  double z[2];
  if (strcmp(quantity, "error") == 0) return error_at(system, method, h, time);
  if (strcmp(quantity, "min_H") == 0 || strcmp(quantity, "max_H") == 0)
    return energy(system, method, h, time, quantity[1] == 'a');
  if (strcmp(quantity, "order") == 0) /* between two steps; `time` is the finer */
    return log2(error_at(system, method, h, 10) / error_at(system, method, time, 10)) / log2(h / time);
  run(system, method, true, h, time, z);
  return strcmp(quantity, "one_step_q") == 0 ? z[0] : z[1];
}

START_TEST(every_row_of_the_table) {
  char path[4096], line[256], complaints[8192] = "";
  int rows = 0;
  FILE *file;
  snprintf(path, sizeof path, "%s/tests/data/papers/leok_shingel.csv", RILL_SOURCE_DIR);
  file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s cannot be read", path);
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  for (; fgets(line, sizeof line, file) != NULL; rows++) {
    char *rest = line, *field[COLUMNS];
    double value, ours;
    size_t length = strlen(complaints);
    line[strcspn(line, "\n")] = 0;
    for (int i = 0; i < COLUMNS; i++) ck_assert_ptr_nonnull(field[i] = strsep(&rest, ","));
    value = strtod(field[5], NULL);
    ours = value_of(field[0], field[1], field[2], strtod(field[3], NULL), strtod(field[4], NULL));
    if (getenv("LAWS_PRINT")) printf("%s %s %s %s: %.17g, %s\n", field[0], field[1], field[2], field[3], ours, field[5]);
    if (!(fabs(ours - value) <= strtod(field[6], NULL)))
      snprintf(complaints + length, sizeof complaints - length, "\n%s %s %s %s: %.17g, not %s +- %s", field[0],
               field[1], field[2], field[3], ours, field[5], field[6]);
  }
  fclose(file);
  ck_assert_msg(complaints[0] == 0, "%s", complaints);
  ck_assert_int_eq(rows, 153);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("leok-shingel");
  TCase *cases = tcase_create("leok-shingel");
  setlocale(LC_ALL, "C");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, every_row_of_the_table);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
