/* A user-defined method: symplectic Euler on a pendulum or an oscillator; its energy error is of order 1. */
#include <rill/rill.h>
#include <stdio.h>

static int symplectic_euler(void *context, struct rill_step_state *s, double h) {
  double gradient[16];
  (void)context;
  rill_gradient(s, s->q, gradient);
  for (size_t i = 0; i < s->n; i++) s->p[i] -= h * gradient[i];
  for (size_t i = 0; i < s->n; i++) s->q[i] += h * s->p[i] / s->mass[i];
  return 0; /* another number: the step failed */
}

int main(int count, char **deck) {
  struct rill_error error = {0};
  double values[64];
  rill_simulation *sim;
  if (count != 2 || rill_open(deck[1], NULL, &sim, &error) != RILL_OK || rill_coordinates(sim) > 16 ||
      rill_use_step(sim, "symplectic-euler", 1, symplectic_euler, NULL, &error) != RILL_OK)
    return fprintf(stderr, "%s\n", error.text), 1;
  for (int i = 0; i <= 5; i++) {
    if (rill_observe(sim, values, &error) != RILL_OK || rill_step(sim, 20, &error) != RILL_OK)
      return fprintf(stderr, "%s\n", error.text), 1;
    printf("%s %.12g\n", rill_observable_name(sim, 2), values[2]);
  }
  rill_close(sim);
  return 0;
}
