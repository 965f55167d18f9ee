/* What every Check program shares: run one suite, exit 0 when all passed. */
#ifndef RILL_TESTS_SUITE_H
#define RILL_TESTS_SUITE_H

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <check.h>
#pragma GCC diagnostic pop
#include <stdlib.h>

static inline int rill_run_suite(Suite *suite) {
  SRunner *runner = srunner_create(suite);
  int failed;
  srunner_run_all(runner, CK_ENV);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
