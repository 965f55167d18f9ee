/* A user-defined observer: the distance between two oxygens every 50 steps, until they are 0.6 nm apart. */
#include <math.h>
#include <rill/rill.h>
#include <stdio.h>

static int watch(void *context, rill_simulation *sim, uint64_t step, double time) {
  double r[7][3][3], *longest = context, square = 0;
  rill_get_positions(sim, &r[0][0][0]);
  for (int k = 0; k < 3; k++) square += (r[1][0][k] - r[0][0][k]) * (r[1][0][k] - r[0][0][k]);
  printf("%llu %g %.6f\n", (unsigned long long)step, time, sqrt(square));
  *longest = fmax(*longest, sqrt(square));
  return *longest > 0.6; /* ends the run */
}

int main(int count, char **deck) {
  struct rill_error error = {0};
  rill_simulation *sim;
  double longest = 0;
  const struct rill_watcher watcher = {50, watch, &longest};
  if (count != 2 || rill_open(deck[1], NULL, &sim, &error) != RILL_OK || rill_molecules(sim) != 7)
    return fprintf(stderr, "%s\n", error.text), 1;
  if (rill_run(sim, 1000, &watcher, 1, &error) != RILL_OK && error.status != RILL_INTERRUPTED)
    return fprintf(stderr, "%s\n", error.text), 1;
  printf("longest %.6f after %llu steps\n", longest, (unsigned long long)rill_steps_done(sim));
  rill_close(sim);
  return 0;
}
