/* The first frame of water beside the trajectory, and the last one at the end of the run, both as GRO. */
#include <inttypes.h>
#include <string.h>

#include "simulation/sinks/sinks.h"
#include "simulation/water_start.h"

static enum rill_status begin(struct rill_run *run, void *self, struct rill_error *error) {
  (void)self;
  return rill_outputs_write_state(run->outputs.first_frame, &run->sim->system, run->sim->structure.title,
                                  rill_run_box(run), false, run->request.replace, error);
}

static void conclude(struct rill_run *run, void *self) {
  (void)self;
  if (rill_outputs_widen_final(&run->outputs, &run->sim->system))
    rill_note(
        run->sim->notes,
        "note: molecules are too far away or too fast for the columns of GRO; the last frame goes to %s, without "
        "velocities",
        run->outputs.final_frame);
}

/* The title as GROMACS writes it, "title, t= 1.5 step= 750", preceded by the seed of the noise; without the seed and
 * the time that a title brings from an earlier run. */
static void title_of(const struct rill_run *run, char *title, size_t size) {
  const struct rill_deck *deck = &run->sim->deck;
  const char *given = run->sim->structure.title, *earlier = strstr(given, ", t= "),
             *seed = strstr(given, RILL_TITLE_SEED);
  int length = (int)strlen(given);
  char noise[40] = "";
  if (earlier != NULL) length = (int)(earlier - given);
  if (earlier != NULL && seed != NULL && seed < earlier) length = (int)(seed - given);
  if (deck->thermostat.method != RILL_NO_BATH)
    snprintf(noise, sizeof noise, RILL_TITLE_SEED "%" PRIu64, deck->thermostat.seed);
  snprintf(title, size, "%.*s%s, t= %.10g step= %" PRIu64, length < 160 ? length : 160, given, noise,
           (double)run->driver.done * deck->integrator.step, run->driver.done);
}

static enum rill_status leave(struct rill_run *run, struct rill_error *error) {
  char title[256];
  title_of(run, title, sizeof title);
  return rill_outputs_write_state(run->outputs.final_frame, &run->sim->system, title, rill_run_box(run), true,
                                  rill_run_may_replace(run), error);
}

static enum rill_status plan(struct rill_outputs *outputs, const struct rill_deck *deck, struct rill_error *error) {
  RILL_TRY(rill_outputs_name_after(outputs, deck, "-final.gro", outputs->final_frame, error));
  return rill_outputs_name_after(outputs, deck, "-final.xyz", outputs->wide, error);
}

static double disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  (void)outputs;
  return 210 * (double)sim->structure.molecules;
}

const struct rill_sink rill_frames_sink = {
    .plan = plan, .disk = disk, .begin = begin, .conclude = conclude, .leave = leave};
