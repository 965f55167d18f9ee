/* What every Check program shares. */
#ifndef RILL_TESTS_SUITE_H
#define RILL_TESTS_SUITE_H

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <check.h>
#pragma GCC diagnostic pop
#include <stdlib.h>

/* The cases of a suite that make check-short leaves out. */
static inline TCase *rill_long_cases(Suite *suite, double seconds) {
  TCase *cases = tcase_create("long");
  tcase_set_tags(cases, "long");
  tcase_set_timeout(cases, seconds);
  suite_add_tcase(suite, cases);
  return cases;
}

/* The exit status: 0 when all passed. */
static inline int rill_run_suite(Suite *suite) {
  SRunner *runner = srunner_create(suite);
  int failed;
  srunner_run_all(runner, CK_ENV);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
