/* A box of water at constant energy: its temperature and pressure after a picosecond. */
#include <rill/rill.h>
#include <stdio.h>

int main(int count, char **deck) {
  struct rill_error error = {0};
  double values[64];
  rill_simulation *sim;
  if (count != 2 || rill_open(deck[1], NULL, &sim, &error) != RILL_OK ||
      rill_run(sim, 500, NULL, 0, &error) != RILL_OK || rill_observe(sim, values, &error) != RILL_OK)
    return fprintf(stderr, "%s\n", error.text), 1;
  for (size_t i = 0; i < rill_observable_count(sim); i++)
    printf("%s %g %s\n", rill_observable_name(sim, i), values[i], rill_observable_unit(sim, i));
  rill_close(sim);
  return 0;
}
