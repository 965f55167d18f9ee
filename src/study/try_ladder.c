#include "study/try_ladder.h"

#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "simulation/ensemble.h"
#include "simulation/kind.h"

/* Of a ladder, as good as independent; and the most samples at a temperature, whose pairs are all looked at. */
enum { BLOCKS = 4, MOST = 2000 };

_Static_assert((int)RILL_RUNGS <= (int)RILL_RUNGS_ADVISED, "rungs of a deck can be advised on");

struct sampling {
  struct rill_simulation *sim;
  uint64_t from;               /* step */
  size_t ladders, rungs, each; /* ladders that are looked at; samples of a block */
  size_t taken;                /* of each ladder, at most BLOCKS * each */
  double *energy;              /* [rungs][ladders][BLOCKS][each] */
  double *rung, *potential;    /* [replicas] */
};

static enum rill_status sample(void *self, uint64_t step, double time, struct rill_error *error) {
  struct sampling *s = self;
  struct rill_ensemble *ensemble = s->sim->ensemble;
  const size_t of_ladder = BLOCKS * s->each;
  (void)time;
  if (step <= s->from || s->taken == of_ladder) return RILL_OK;
  RILL_TRY(rill_ensemble_sample(ensemble, step, s->rung, s->potential, error));
  for (size_t r = 0; r < s->ladders * s->rungs; r++)
    s->energy[(rill_ensemble_rung(ensemble, r) * s->ladders + rill_ensemble_ladder(ensemble, r)) * of_ladder +
              s->taken] = s->potential[r];
  s->taken++;
  return RILL_OK;
}

static enum rill_status run(struct sampling *s, uint64_t steps, uint64_t interval, struct rill_error *error) {
  struct rill_simulation *sim = s->sim;
  const struct rill_observer observer = {interval, sample, s, false, true};
  struct rill_driver driver = {.system = &sim->system,
                               .observers = &observer,
                               .observer_count = 1,
                               .step = sim->deck.integrator.step,
                               .last = steps};
  sim->kind->drive(sim, &driver);
  return rill_driver_run(&driver, error);
}

static enum rill_status advise(const struct sampling *s, struct rill_ladder_trial *trial, struct rill_error *error) {
  const size_t groups = s->ladders * BLOCKS;
  const double *temperature = s->sim->ensemble->temperature, *beta = s->sim->ensemble->exchange.beta;
  double acceptance[RILL_RUNGS];
  for (size_t i = 0; i + 1 < s->rungs; i++) {
    const struct rill_energy_samples low = {groups, s->each, s->energy + i * groups * s->each},
                                     high = {groups, s->each, s->energy + (i + 1) * groups * s->each};
    RILL_TRY(rill_acceptance_expected(&low, &high, beta[i] - beta[i + 1], &trial->acceptance[i], error));
    acceptance[i] = trial->acceptance[i].mean;
  }
  trial->even_acceptance = rill_even_temperatures(s->rungs, temperature, acceptance, s->rungs, trial->even);
  trial->enough_rungs = rill_even_rungs(s->rungs, acceptance, RILL_ACCEPTANCE_PROPOSED);
  if (trial->enough_rungs > RILL_RUNGS) trial->enough_rungs = 0;
  else (void)rill_even_temperatures(s->rungs, temperature, acceptance, trial->enough_rungs, trial->enough);
  return RILL_OK;
}

/* The samples fill the second half of the steps as evenly as whole intervals allow. */
static enum rill_status choose(struct sampling *s, double time, struct rill_ladder_trial *trial, uint64_t *interval,
                               struct rill_error *error) {
  const struct rill_ensemble *ensemble = s->sim->ensemble;
  const double step = s->sim->deck.integrator.step;
  const size_t ladders = ensemble->exchange.ladders, most_ladders = MOST / BLOCKS;
  uint64_t half;
  if (ensemble->exchange.rungs < 2)
    return rill_error_set(
        error, RILL_ERROR_INPUT,
        "%s: --trial-run measures how often neighbouring temperatures are exchanged; [ensemble] has "
        "one temperature: give `temperatures`, for example 60 K -> 250 K, 12",
        s->sim->deck.path);
  trial->steps = (uint64_t)fmax(ceil(time / step * (1 - 1e-12)), 0);
  half = trial->steps / 2;
  if (half < BLOCKS)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "--trial-run: %g ps are %" PRIu64
                          " steps; expected %g ps or more, of which the second half is "
                          "sampled, and 10 ps or more for errors that mean something",
                          time, trial->steps, 2 * BLOCKS * step);
  s->rungs = trial->rungs = ensemble->exchange.rungs;
  s->ladders = ladders < most_ladders ? ladders : most_ladders;
  s->each = MOST / (BLOCKS * s->ladders);
  if (s->each > half / BLOCKS) s->each = half / BLOCKS;
  *interval = half / (BLOCKS * s->each);
  s->from = trial->steps - half;
  trial->samples = s->ladders * BLOCKS * s->each;
  return RILL_OK;
}

enum rill_status rill_try_ladder(struct rill_simulation *sim, double time, struct rill_ladder_trial *trial,
                                 struct rill_error *error) {
  struct sampling s = {.sim = sim};
  uint64_t interval = 1;
  enum rill_status status;
  *trial = (struct rill_ladder_trial){0};
  if (!sim->deck.ensemble.on)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: --trial-run is for ensembles, and the deck has no section [ensemble]", sim->deck.path);
  if (sim->deck.units != RILL_UNITS_MOLECULAR)
    return rill_error_set(
        error, RILL_ERROR_UNSUPPORTED,
        "%s: --trial-run is for water; of small systems a short run measures the acceptances, in the "
        "CSV of the ensemble",
        sim->deck.path);
  RILL_TRY(choose(&s, time, trial, &interval, error));
  sim->ensemble->leaves_out = false; /* a replica without samples would leave the trial without a result */
  s.energy = rill_allocate(s.rungs * trial->samples, sizeof *s.energy);
  s.rung = rill_allocate(2 * sim->ensemble->replicas, sizeof *s.rung);
  s.potential = s.rung != NULL ? s.rung + sim->ensemble->replicas : NULL;
  status = s.energy != NULL && s.rung != NULL
               ? run(&s, trial->steps, interval, error)
               : rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the energies of a trial run");
  if (status == RILL_OK) status = advise(&s, trial, error);
  rill_release(s.energy);
  rill_release(s.rung);
  return status;
}
