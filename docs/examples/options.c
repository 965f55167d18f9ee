/* Options of rill_open: a deck at another temperature, on one thread, with notes printed; then two means. */
#include <rill/rill.h>
#include <stdio.h>
#include <string.h>

static void print_note(void *stream, const char *text) { fprintf(stream, "%s\n", text); }

int main(int count, char **deck) {
  const char *const overrides[] = {"thermostat.temperature=30K"}; /* as with --set */
  const struct rill_open_options options = {
      .overrides = overrides, .override_count = 1, .threads = 1, .note = print_note, .context = stderr};
  struct rill_error error = {0};
  rill_simulation *sim;
  if (count != 2 || rill_open(deck[1], &options, &sim, &error) != RILL_OK ||
      rill_run(sim, 0, NULL, 0, &error) != RILL_OK) /* 0: to the deck's end */
    return fprintf(stderr, "%s\n", error.text), 1;
  for (size_t i = 0; i < rill_observable_count(sim); i++) {
    const char *name = rill_observable_name(sim, i);
    const struct rill_mean_value value = rill_mean(sim, i);
    if (strcmp(name, "potential") == 0 || strcmp(name, "temperature") == 0)
      printf("%s %g +- %g %s\n", name, value.mean, value.error, rill_observable_unit(sim, i));
  }
  rill_close(sim);
  return 0;
}
