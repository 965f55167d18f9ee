/* What rank 0 has of a large box beside its share, before it hands the box out: positions, 72 bytes a molecule, and
 * the velocities that a file gives. */
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/ranks.h"
#include "simulation/over_ranks.h"
#include "simulation/simulation.h"
#include "structure/structure.h"
#include "suite.h"
#include "water/model/model.h"

/* These sanitizers take memory of their own: nothing is measured then. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define MEASURES_MEMORY false
#elif defined __has_feature
#define MEASURES_MEMORY                                                                                              \
  (!__has_feature(address_sanitizer) && !__has_feature(memory_sanitizer) && !__has_feature(thread_sanitizer))
#else
#define MEASURES_MEMORY true
#endif

static const char deck_of_file[] =
    "[system]\n"
    "kind = water\n"
    "structure = test_start_memory.gro\n"
    "boundary = periodic\n"
    "[start]\n"
    "velocities = file\n";
static const char deck_of_builder[] =
    "[system]\n"
    "kind = water\n"
    "boundary = periodic\n"
    "density = 0.99 g/cm3\n";
static const char both[] =
    "[integrator]\n"
    "method = rattle\n"
    "step = 2 fs\n"
    "time = 1 ps\n"
    "[forces]\n"
    "coulomb = reaction-field\n";

enum { FEW = 32, MANY = 64 }; /* molecules along an edge */

static struct rill_error error;

static void write_deck(const char *text, size_t molecules) {
  FILE *file = fopen("test_start_memory.ini", "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  if (text == deck_of_builder) fprintf(file, "molecules = %zu\n", molecules);
  fputs(both, file);
  ck_assert_int_eq(fclose(file), 0);
}

/* Molecules on a lattice, with velocities. */
static double write_file(size_t edge) {
  static const double spacing = 0.31;
  const size_t molecules = edge * edge * edge;
  struct rill_water_model model;
  struct rill_structure structure = {0};
  ck_assert_int_eq(rill_water_model_find("tip3p", 0, &model, &error), RILL_OK);
  ck_assert_int_eq(rill_structure_allocate(&structure, molecules, true, &error), RILL_OK);
  structure.has_box = true;
  for (size_t c = 0; c < 3; c++) structure.box[c][c] = spacing * (double)edge;
  for (size_t m = 0; m < molecules; m++) {
    const size_t place[3] = {m % edge, m / edge % edge, m / edge / edge};
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      structure.positions[RILL_COORDINATES * m + k] = spacing * (double)place[k % 3];
      structure.velocities[RILL_COORDINATES * m + k] = 0.1 * (double)(m % 7 + k % 3);
    }
    structure.positions[RILL_COORDINATES * m + 3] += model.bond[0];
    structure.positions[RILL_COORDINATES * m + 6] -= 0.25 * model.bond[0];
    structure.positions[RILL_COORDINATES * m + 7] += 0.968 * model.bond[0];
  }
  ck_assert_int_eq(rill_structure_write("test_start_memory.gro", true, &structure, 4, &error), RILL_OK);
  rill_structure_release(&structure);
  return (double)molecules;
}

/* kB; of this process since it was forked. */
static double peak(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  double most = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, "VmHWM:", 6) == 0) most = strtod(line + 6, NULL);
  if (file != NULL) (void)fclose(file);
  return most;
}

/* Makes the simulation as rank 0 of two does.  Returns the peak, kB; 0 when it fails. */
static double start(size_t molecules) {
  struct rill_ranks ranks = {.count = 2};
  struct rill_simulation sim = {.threads = 1};
  double most = 0;
  if (rill_simulation_read("test_start_memory.ini", NULL, 0, &sim, &error) == RILL_OK &&
      rill_over_ranks_check(&ranks, &sim, &error) == RILL_OK && rill_simulation_create(&sim, &error) == RILL_OK &&
      sim.structure.molecules == molecules)
    most = peak();
  if (!(most > 0)) fprintf(stderr, "%s\n", error.text);
  rill_simulation_release(&sim);
  return most;
}

/* Does something in a process of its own, so that what it has released does not count here; returns its number. */
static double apart(double (*act)(size_t number), size_t number) {
  double found = 0;
  int ends[2], status;
  pid_t child;
  ck_assert_int_eq(pipe(ends), 0);
  child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    found = act(number);
    _exit(write(ends[1], &found, sizeof found) == (ssize_t)sizeof found ? 0 : 1);
  }
  close(ends[1]);
  ck_assert_int_eq(read(ends[0], &found, sizeof found), (ssize_t)sizeof found);
  close(ends[0]);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(status, 0);
  ck_assert_double_gt(found, 0);
  return found;
}

/* bytes: of the frame, a molecule. */
static void check(const char *deck, double bytes) {
  const size_t few = FEW * FEW * FEW, many = MANY * MANY * MANY;
  double most[2], found;
  for (int i = 0; i < 2; i++) {
    if (deck == deck_of_file) apart(write_file, i == 0 ? FEW : MANY);
    write_deck(deck, i == 0 ? few : many);
    most[i] = apart(start, i == 0 ? few : many);
  }
  found = 1024 * (most[1] - most[0]) / (double)(many - few);
  printf("%.1f bytes a molecule, a frame has %.0f\n", found, bytes);
  ck_assert_double_lt(found, 1.15 * bytes);
  ck_assert_double_gt(found, 0.9 * bytes);
  remove("test_start_memory.ini");
  remove("test_start_memory.gro");
}

START_TEST(reading_takes_the_frame) { check(deck_of_file, 144); }
END_TEST
START_TEST(building_takes_the_frame) { check(deck_of_builder, 72); }
END_TEST

int main(void) {
  Suite *suite = suite_create("start_memory");
  TCase *cases = tcase_create("start_memory");
  tcase_set_timeout(cases, 60);
  (void)mallopt(M_MMAP_THRESHOLD,
                1 << 17); /* as it is unless the environment says otherwise: arrays grow without copies */
  if (MEASURES_MEMORY && access("/proc/self/status", R_OK) == 0) {
    tcase_add_test(cases, reading_takes_the_frame);
    tcase_add_test(cases, building_takes_the_frame);
  }
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
