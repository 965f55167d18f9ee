/* base/ranks.h over the threads that stand for ranks in tests; tests/parallel/ does the same over MPI. */
#include <string.h>

#include "suite.h"
#include "support/check_ranks.h"
#include "support/thread_ranks.h"

enum { MOST = 8, LONGEST = 3000 };

static void check(struct rill_ranks *ranks, void *context) {
  const char **fault = context;
  fault[ranks->rank] = rill_check_ranks(ranks, LONGEST);
}

START_TEST(all_functions_keep_their_promise) {
  const char *fault[MOST] = {NULL};
  ck_assert(rill_thread_ranks_run(_i, check, fault));
  for (int r = 0; r < _i; r++) ck_assert_msg(fault[r] == NULL, "rank %d of %d: %s", r, _i, fault[r]);
}
END_TEST

/* Wrong functions, which the checks must notice on one of the ranks at least. */
static enum rill_status wrong_reduction(struct rill_ranks *ranks, uint64_t *words, size_t count,
                                        struct rill_error *error) {
  (void)ranks, (void)words, (void)count, (void)error;
  return RILL_OK;
}

static enum rill_status wrong_transpose(struct rill_ranks *ranks, const void *out, const size_t *out_length, void *in,
                                        const size_t *in_length, struct rill_error *error) {
  (void)ranks, (void)in_length, (void)error;
  memcpy(in, out, out_length[0]);
  return RILL_OK;
}

static enum rill_status wrong_exchange(struct rill_ranks *ranks, int to, const void *out, size_t length, int from,
                                       void *in, size_t room, size_t *received, struct rill_error *error) {
  (void)ranks, (void)to, (void)from, (void)error;
  *received = length < room ? length : room;
  memcpy(in, out, *received);
  return RILL_OK;
}

enum { WRONG = 5 };

struct wrong {
  int which;
  const char *fault[2];
};

static void check_wrong(struct rill_ranks *ranks, void *context) {
  struct wrong *wrong = context;
  struct rill_ranks_ops ops = *ranks->ops;
  struct rill_ranks changed = *ranks;
  if (wrong->which == 0) ops.sum = wrong_reduction;
  if (wrong->which == 1) ops.largest = wrong_reduction;
  if (wrong->which == 2) ops.exchange = wrong_exchange;
  if (wrong->which == 3) ops.transpose = wrong_transpose;
  if (wrong->which == 4) ops.begin = wrong_transpose;
  changed.ops = &ops;
  wrong->fault[ranks->rank] = rill_check_ranks(&changed, LONGEST);
}

START_TEST(what_is_wrong_is_noticed) {
  static const char *const begin[WRONG] = {"sum: ", "largest: ", "exchange: ", "transpose: ", "begin"};
  struct wrong wrong = {_i, {NULL, NULL}};
  int noticed = 0;
  ck_assert(rill_thread_ranks_run(2, check_wrong, &wrong));
  for (int r = 0; r < 2; r++)
    noticed += wrong.fault[r] != NULL && strncmp(wrong.fault[r], begin[_i], strlen(begin[_i])) == 0;
  ck_assert_int_ge(noticed, 1);
}
END_TEST

static void fail_on_two(struct rill_ranks *ranks, void *context) {
  enum rill_status *status = context;
  struct rill_error error;
  uint64_t word = 1;
  size_t received;
  char in[2], out[3] = "ab";
  if (ranks->rank == 3) return; /* its end does not stop the others for ever */
  if (ranks->rank == 2) {
    status[2] = ranks->ops->exchange(ranks, 2, out, 3, 2, in, 2, &received, &error);
    if (status[2] != RILL_OK) status[2] = ranks->ops->sum(ranks, &word, 1, &error);
  } else status[ranks->rank] = ranks->ops->sum(ranks, &word, 1, &error);
  if (!ranks->broken) status[ranks->rank] = RILL_OK;
}

START_TEST(a_failure_reaches_all_ranks) {
  enum rill_status status[4] = {RILL_OK, RILL_OK, RILL_OK, RILL_ERROR_FAILED};
  ck_assert(rill_thread_ranks_run(4, fail_on_two, status));
  for (int r = 0; r < 4; r++) ck_assert_int_eq(status[r], RILL_ERROR_FAILED);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ranks");
  TCase *cases = tcase_create("ranks");
  tcase_add_loop_test(cases, all_functions_keep_their_promise, 1, MOST + 1);
  tcase_add_loop_test(cases, what_is_wrong_is_noticed, 0, WRONG);
  tcase_add_test(cases, a_failure_reaches_all_ranks);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
