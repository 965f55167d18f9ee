/* base: statuses, memory, noise, teams of threads. */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "base/cpu.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "base/team.h"
#include "config.h"
#include "suite.h"

START_TEST(error_collects_and_cuts) {
  static struct rill_error error;
  rill_error_clear(&error);
  ck_assert_int_eq(rill_error_add(&error, RILL_ERROR_INPUT, "a %d", 1), RILL_ERROR_INPUT);
  ck_assert_int_eq(rill_error_add(&error, RILL_ERROR_MEMORY, "b"), RILL_ERROR_INPUT);
  ck_assert_str_eq(error.text, "a 1\nb");
  rill_error_prefix(&error, "deck");
  ck_assert_str_eq(error.text, "deck: a 1\nb");
  for (int i = 0; i < 3000; i++) rill_error_add(&error, RILL_ERROR_INPUT, "a long list of faults");
  ck_assert_uint_eq(strlen(error.text), error.length);
  ck_assert_uint_lt(error.length, RILL_ERROR_CAPACITY);
  ck_assert_int_eq(rill_status_exit(RILL_ERROR_INPUT), 2);
  ck_assert_int_eq(rill_status_exit(RILL_ERROR_NOT_FINITE), 1);
}
END_TEST

START_TEST(memory_is_zeroed_aligned_checked) {
  double *memory = rill_allocate(33, sizeof *memory);
  ck_assert_ptr_nonnull(memory);
  ck_assert_uint_eq((uintptr_t)memory % RILL_ALIGNMENT, 0);
  for (int i = 0; i < 33; i++) ck_assert_double_eq(memory[i], 0.0);
  rill_release(memory);
  ck_assert_ptr_null(rill_allocate(SIZE_MAX / 4, 8));
}
END_TEST

/* Random123's known answer for philox4x32-10 with a zero counter and key would not pass through our key derivation;
 * here: values differ with each part of the counter and key, also across 2^32 steps. */
START_TEST(noise_depends_on_every_part) {
  struct rill_noise a = rill_noise_create(1, RILL_STREAM_TEST), b = rill_noise_create(2, RILL_STREAM_TEST),
                    c = rill_noise_create(1, RILL_STREAM_THERMOSTAT);
  uint32_t base[4], other[4];
  rill_noise_bits(&a, 5, 3, 0, base);
  rill_noise_bits(&a, 5, 3, 0, other);
  ck_assert_mem_eq(base, other, sizeof base);
  rill_noise_bits(&b, 5, 3, 0, other);
  ck_assert_mem_ne(base, other, sizeof base);
  rill_noise_bits(&c, 5, 3, 0, other);
  ck_assert_mem_ne(base, other, sizeof base);
  rill_noise_bits(&a, 6, 3, 0, other);
  ck_assert_mem_ne(base, other, sizeof base);
  rill_noise_bits(&a, 5 + (UINT64_C(1) << 32), 3, 0, other);
  ck_assert_mem_ne(base, other, sizeof base);
  rill_noise_bits(&a, 5, 4, 0, other);
  ck_assert_mem_ne(base, other, sizeof base);
  rill_noise_bits(&a, 5, 3, 1, other);
  ck_assert_mem_ne(base, other, sizeof base);
}
END_TEST

/* Moments of 4e5 normal numbers: standard errors are 1/sqrt(n) times 1, sqrt 2, sqrt 15, sqrt 96; five of them. */
START_TEST(noise_is_normal) {
  struct rill_noise noise = rill_noise_create(7, RILL_STREAM_TEST);
  double sum[4] = {0}, z[4], correlation = 0;
  const int blocks = 100000;
  const double n = 4.0 * blocks;
  for (int i = 0; i < blocks; i++) {
    rill_noise_normal(&noise, (uint64_t)i, 1, 0, z);
    for (int k = 0; k < 4; k++) {
      double p = 1;
      for (int m = 0; m < 4; m++) sum[m] += p *= z[k];
    }
    correlation += z[0] * z[1] + z[2] * z[3];
  }
  ck_assert_double_lt(fabs(sum[0] / n), 5 / sqrt(n));
  ck_assert_double_lt(fabs(sum[1] / n - 1), 5 * sqrt(2 / n));
  ck_assert_double_lt(fabs(sum[2] / n), 5 * sqrt(15 / n));
  ck_assert_double_lt(fabs(sum[3] / n - 3), 5 * sqrt(96 / n));
  ck_assert_double_lt(fabs(correlation / (n / 2)), 5 / sqrt(n / 2));
}
END_TEST

/* A loop's indices are done by threads that are not synchronised with each other otherwise: no lock in the body. */
enum { TEAM_INDICES = 37 };
struct tally {
  unsigned times[TEAM_INDICES], loop;
  pthread_t first; /* who did index 0 */
};
static void count_index(void *context, size_t index) {
  struct tally *tally = context;
  tally->times[index] += tally->loop;
  if (index == 0) tally->first = pthread_self();
}

/* Thousands of loops, of different lengths, one at the heels of the other: a helper that is late must not take an
 * index of one loop for that of the next, and what it wrote must be seen when the loop is over.  The first index is
 * the caller's. */
START_TEST(a_team_does_each_index_once) {
  static struct rill_error error;
  const int threads = 1 + _i % 4;
  struct rill_team *team;
  ck_assert_int_eq(rill_team_create(threads, &team, &error), RILL_OK);
  ck_assert_int_eq(team == NULL, threads == 1);
  for (unsigned loop = 1; loop <= 3000; loop++) {
    const size_t count = loop % (TEAM_INDICES + 1);
    struct tally tally = {.loop = loop};
    rill_team_run(team, count, _i < 4, count_index, &tally);
    for (size_t k = 0; k < TEAM_INDICES; k++)
      if (tally.times[k] != (k < count ? loop : 0)) ck_abort_msg("loop %u, index %zu: %u", loop, k, tally.times[k]);
    if (count > 0 && !pthread_equal(tally.first, pthread_self())) ck_abort_msg("loop %u: a helper began", loop);
  }
  rill_team_destroy(team);
}
END_TEST

struct gate {
  atomic_int inside, helped;
};
static void wait_for_another(void *context, size_t index) {
  struct gate *gate = context;
  (void)index;
  atomic_fetch_add(&gate->inside, 1);
  while (atomic_load(&gate->inside) < 2) sched_yield();
  gate->helped = 1;
}

/* Two indices that wait for one another end only when two threads work on them: sleepers were woken. */
START_TEST(sleeping_helpers_are_woken) {
  static struct rill_error error;
  struct rill_team *team;
  ck_assert_int_eq(rill_team_create(2, &team, &error), RILL_OK);
  for (int k = 0; k < 3; k++) {
    const struct timespec nap = {.tv_nsec = 5000000};
    struct gate gate = {0};
    nanosleep(&nap, NULL);
    rill_team_run(team, 2, true, wait_for_another, &gate);
    ck_assert_int_eq(gate.helped, 1);
  }
  rill_team_destroy(team);
}
END_TEST

/* The table of kernels by processor: Zen 4 and 3 share a family, and others are not in it. */
START_TEST(kernels_by_processor) {
  static const struct {
    struct rill_processor processor;
    enum rill_isa fastest;
  } rows[] = {{{"GenuineIntel", 6, 207}, RILL_ISA_AVX512},
              {{"AuthenticAMD", 25, 17}, RILL_ISA_AVX512VL},
              {{"AuthenticAMD", 25, 97}, RILL_ISA_AVX512VL},
              {{"AuthenticAMD", 26, 2}, RILL_ISA_COUNT},
              {{"GenuineIntel", 25, 17}, RILL_ISA_COUNT},
              {{"GenuineIntel", 6, 85}, RILL_ISA_COUNT},
              {{"", 0, 0}, RILL_ISA_COUNT}};
  const struct rill_processor here = rill_processor();
  const enum rill_isa fastest = rill_isa_fastest(&here), best = rill_isa_best();
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
    ck_assert_int_eq(rill_isa_fastest(&rows[k].processor), rows[k].fastest);
  ck_assert(rill_isa_available(best));
#ifdef RILL_FIRST_ISA
  if (rill_isa_available(RILL_FIRST_ISA)) {
    ck_assert_int_eq(best, RILL_FIRST_ISA);
    return;
  }
#endif
  if (fastest != RILL_ISA_COUNT && rill_isa_available(fastest)) ck_assert_int_eq(best, fastest);
  else if (rill_isa_available(RILL_ISA_AVX2) || rill_isa_available(RILL_ISA_NEON))
    ck_assert_int_ne(best, RILL_ISA_PORTABLE);
  ck_assert(!rill_isa_available(RILL_ISA_NEON) || !rill_isa_available(RILL_ISA_AVX2));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("base");
  TCase *cases = tcase_create("base");
  tcase_add_test(cases, error_collects_and_cuts);
  tcase_add_test(cases, kernels_by_processor);
  tcase_add_test(cases, memory_is_zeroed_aligned_checked);
  tcase_add_test(cases, noise_depends_on_every_part);
  tcase_add_test(cases, noise_is_normal);
  tcase_add_loop_test(cases, a_team_does_each_index_once, 0, 8);
  tcase_add_test(cases, sleeping_helpers_are_woken);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
