#include "config.h"

#include "simulation/over_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "parallel/agree.h"
#include "simulation/kind.h"
#include "simulation/shared_box.h"
#include "simulation/simulation.h"
#include "simulation/water.h"
#include "water/water_ranks.h"

static bool is_alone(const struct rill_over_ranks *over) { return over->ranks == NULL || over->ranks->count < 2; }

enum rill_status rill_over_ranks_check(const struct rill_ranks *ranks, struct rill_simulation *sim,
                                       struct rill_error *error) {
  sim->divided = ranks->count > 1 && !sim->deck.ensemble.on;
  return sim->divided ? rill_shared_box_check(sim, error) : RILL_OK;
}

enum rill_status rill_over_ranks_check_mesh(const struct rill_ranks *ranks, const struct rill_simulation *sim,
                                            struct rill_error *error) {
  const int count = ranks != NULL ? ranks->count : 1;
  if (sim->mesh_ranks == 0) return RILL_OK;
  if (!sim->divided || sim->deck.forces.coulomb != RILL_COULOMB_EWALD)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "--mesh-ranks %d: there is no mesh that ranks share; expected a box with forces.coulomb = "
                          "pme, run by rill-mpi on more than one rank",
                          sim->mesh_ranks);
  if (sim->mesh_ranks <= count) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_USAGE, "--mesh-ranks %d: expected at most the number of ranks, %d",
                        sim->mesh_ranks, count);
}

/* ---- what rank 0 hands out ---- */

enum task { ENSEMBLE, BOX, MEASUREMENT /* of the forces in a box, before its run */ };

struct task_head {
  uint64_t exists, end; /* whether there is a task; otherwise the exit status */
  uint64_t task;
  uint64_t length; /* of the archive of the ensemble, or of the description of the box */
};

static enum rill_status hand_out(struct rill_over_ranks *over, enum task task, const void *bytes, size_t length,
                                 struct rill_error *error) {
  struct rill_ranks *ranks = over->ranks;
  struct task_head head = {.exists = 1, .task = task, .length = length};
  over->handed_out = true;
  RILL_TRY(ranks->ops->broadcast(ranks, &head, sizeof head, error));
  return ranks->ops->broadcast(ranks, (void *)(uintptr_t)bytes, length, error);
}

/* bytes: released with rill_release; NULL: there is no run, or no memory. */
static enum rill_status receive(struct rill_ranks *ranks, struct task_head *head, unsigned char **bytes,
                                struct rill_error *error) {
  *bytes = NULL;
  RILL_TRY(ranks->ops->broadcast(ranks, head, sizeof *head, error));
  if (!head->exists) return RILL_OK;
  *bytes = rill_allocate(head->length, 1);
  if (*bytes != NULL) return ranks->ops->broadcast(ranks, *bytes, head->length, error);
  ranks->broken = true; /* the bytes cannot be received */
  return rill_error_set(error, RILL_ERROR_MEMORY, "rank %d (%s): no memory for the state of the ensemble",
                        ranks->rank, ranks->host);
}

/* ---- agreement ---- */

/* What must be equal on all ranks, and whether one is ready. */
struct report {
  uint64_t status;
  double energy; /* of the first replica */
  char host[RILL_HOST_NAME], version[32], kernel[32];
  uint64_t deck_length, deck_sum, groups;
  char text[RILL_ERROR_CAPACITY]; /* of the error */
};

static enum rill_status describe(struct rill_simulation *sim, struct report *report, struct rill_error *error) {
  char *deck = rill_deck_expand(&sim->deck);
  struct rill_observation observation;
  const struct rill_system *system;
  if (deck == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  report->deck_length = strlen(deck);
  for (const char *c = deck; *c != '\0'; c++)
    report->deck_sum = (report->deck_sum ^ (unsigned char)*c) * 1099511628211u; /* FNV */
  free(deck);
  if (sim->ensemble == NULL) return RILL_OK;
  report->groups = sim->ensemble->groups;
  system = &sim->ensemble->replica[0].system;
  RILL_TRY(system->ops->observe(system->self, &observation, error));
  report->energy = observation.potential;
  return RILL_OK;
}

static enum rill_status compare_programs(const struct report *first, const struct report *other, int rank,
                                         struct rill_error *error) {
  if (strcmp(first->version, other->version) != 0)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "rank 0 (%s) is rill-mpi %s, and rank %d (%s) is %s",
                          first->host, first->version, rank, other->host, other->version);
  if (first->kernel[0] != '\0' && other->kernel[0] != '\0' && strcmp(first->kernel, other->kernel) != 0)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "rank 0 (%s) has %s kernels and rank %d (%s) has %s ones, whose rounding differs, so that "
                          "results would depend on the division among ranks: set forces.kernel to one that all "
                          "processors have, for example `--set forces.kernel=portable`",
                          first->host, first->kernel, rank, other->host, other->kernel);
  return RILL_OK;
}

static enum rill_status compare_work(const struct report *first, const struct report *other, int rank,
                                     struct rill_error *error) {
  if (other->status != RILL_OK)
    return rill_error_set(error, (enum rill_status)other->status, "rank %d (%s): %s", rank, other->host, other->text);
  if (first->deck_length != other->deck_length || first->deck_sum != other->deck_sum)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "rank %d (%s) has read another deck than rank 0 (%s): give all ranks the same file and the "
                          "same options",
                          rank, other->host, first->host);
  if (first->groups != other->groups)
    return rill_error_set(error, RILL_ERROR_USAGE, "rank %d (%s) has another --lanes than rank 0", rank, other->host);
  if (memcmp(&first->energy, &other->energy, sizeof first->energy) != 0)
    return rill_error_set(
        error, RILL_ERROR_UNSUPPORTED,
        "rank 0 (%s) and rank %d (%s) compute energies that differ, %.17g and %.17g kJ/mol, so that "
        "results would depend on which rank advances a replica: use processors of one kind, and the "
        "same libraries",
        first->host, rank, other->host, first->energy, other->energy);
  return RILL_OK;
}

/* All ranks come to the same result.  error: of this rank. */
static enum rill_status agree(struct rill_ranks *ranks, struct rill_simulation *sim, struct rill_error *error) {
  struct report report = {.status = error->status}, first, other;
  if (sim->kind != NULL && sim->kind->kernel != NULL)
    snprintf(report.kernel, sizeof report.kernel, "%s", sim->kind->kernel(sim));
  if (error->status == RILL_OK && describe(sim, &report, error) != RILL_OK) report.status = error->status;
  snprintf(report.host, sizeof report.host, "%s", ranks->host);
  snprintf(report.version, sizeof report.version, "%s", PACKAGE_VERSION);
  snprintf(report.text, sizeof report.text, "%s", error->text);
  rill_error_clear(error);
  RILL_TRY(ranks->ops->gather(ranks, &report, sizeof report, true, error));
  for (int r = 0; r < ranks->count; r++) {
    if (ranks->gathered[r].length != sizeof other)
      return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "rank %d is another version of rill-mpi", r);
    memcpy(&other, ranks->gathered[r].bytes, sizeof other);
    if (r == 0) first = other;
    RILL_TRY(compare_programs(&first, &other, r, error));
  }
  for (int r = 0; r < ranks->count; r++) {
    memcpy(&other, ranks->gathered[r].bytes, sizeof other);
    RILL_TRY(compare_work(&first, &other, r, error));
  }
  return RILL_OK;
}

/* ---- rank 0 ---- */

static void describe_shares(const struct rill_over_ranks *over, const struct rill_simulation *sim) {
  const struct rill_ensemble *ensemble = sim->ensemble;
  const size_t ranks = (size_t)over->ranks->count;
  rill_note(sim->notes, "note: %zu ranks of %d thread%s", ranks, sim->threads, sim->threads == 1 ? "" : "s");
  if (ensemble->groups < ranks)
    rill_note(sim->notes, "note: %zu replicas in %zu group%s, which %s not divided: %zu rank%s nothing to do",
              ensemble->replicas, ensemble->groups, ensemble->groups == 1 ? "" : "s",
              ensemble->groups == 1 ? "is" : "are", ranks - ensemble->groups,
              ranks - ensemble->groups == 1 ? " has" : "s have");
}

static enum rill_status begin_ensemble(struct rill_over_ranks *over, struct rill_simulation *sim,
                                       struct rill_error *error) {
  struct rill_archive archive = {0};
  enum rill_status status;
  sim->kind->save(sim, &archive);
  status = rill_archive_status(&archive, error);
  if (status == RILL_OK) status = hand_out(over, ENSEMBLE, archive.bytes, archive.length, error);
  rill_archive_release(&archive);
  if (status == RILL_OK) status = agree(over->ranks, sim, error);
  if (status != RILL_OK) return status;
  rill_ensemble_use_ranks(sim->ensemble, over->ranks);
  over->begun = true;
  describe_shares(over, sim);
  return RILL_OK;
}

/* After all have agreed on what is run: creation compares meshes over ranks, for which all must be there. */
static enum rill_status create_box(struct rill_ranks *ranks, struct rill_simulation *sim,
                                   const struct rill_water_share *share, struct rill_error *error) {
  const enum rill_status status = rill_shared_box_create(sim, share, ranks, error);
  return ranks->broken ? status : rill_agree(ranks, status, NULL, 0, error);
}

static enum rill_status begin_box(struct rill_over_ranks *over, struct rill_simulation *sim,
                                  struct rill_error *error) {
  struct rill_water_share share;
  const int *count = share.bricks.count;
  RILL_TRY(rill_shared_box_plan(sim, over->ranks->count, &share, error));
  RILL_TRY(hand_out(over, BOX, &share, sizeof share, error));
  RILL_TRY(agree(over->ranks, sim, error));
  RILL_TRY(create_box(over->ranks, sim, &share, error));
  over->begun = true;
  RILL_TRY(rill_water_hand_out_start(sim, error));
  RILL_TRY(rill_simulation_watch_limits(sim, error));
  rill_note(sim->notes, "note: %d ranks of %d thread%s, each with a brick of the box, %d x %d x %d",
            over->ranks->count, sim->threads, sim->threads == 1 ? "" : "s", count[0], count[1], count[2]);
  return RILL_OK;
}

/* The others then wait for another task; unless they do not agree, and end. */
static enum rill_status measure(void *context, const struct rill_field_options *field,
                                const struct rill_field_sample *sample, double *f,
                                struct rill_field_energies *energies, struct rill_error *error) {
  struct rill_over_ranks *over = context;
  struct rill_error *fault = &over->elsewhere.fault;
  struct rill_water_share share;
  enum rill_status status = fault->status;
  if (status == RILL_OK)
    status = rill_shared_box_plan_field(over->sim, over->ranks->count, field, sample, &share, fault);
  if (status == RILL_OK) status = hand_out(over, MEASUREMENT, &share, sizeof share, fault);
  if (status == RILL_OK) status = agree(over->ranks, over->sim, fault);
  if (status != RILL_OK) {
    *error = *fault;
    return status;
  }
  status = rill_shared_box_measure(over->sim, &share, over->ranks, sample, f, energies, error);
  over->handed_out = false;
  if (over->ranks->broken) *fault = *error;
  return status;
}

void rill_over_ranks_offer(struct rill_over_ranks *over, struct rill_simulation *sim) {
  if (!sim->divided) return;
  over->sim = sim;
  over->elsewhere = (struct rill_field_elsewhere){.evaluate = measure, .context = over};
  sim->elsewhere = &over->elsewhere;
}

enum rill_status rill_over_ranks_begin(struct rill_over_ranks *over, struct rill_run *run, struct rill_error *error) {
  if (is_alone(over)) return RILL_OK;
  return run->sim->ensemble != NULL ? begin_ensemble(over, run->sim, error) : begin_box(over, run->sim, error);
}

void rill_over_ranks_end(struct rill_over_ranks *over, const struct rill_run *run, int exit_status) {
  struct task_head head = {.end = (uint64_t)exit_status};
  struct rill_error unused = {0};
  if (is_alone(over) || over->ranks->broken) return;
  if (over->begun && run->sim->ensemble != NULL)
    (void)rill_ensemble_dismiss(run->sim->ensemble, (uint64_t)exit_status, &unused);
  else if (over->begun) (void)rill_water_dismiss(&run->sim->system, (uint64_t)exit_status, &unused);
  else if (!over->handed_out) (void)over->ranks->ops->broadcast(over->ranks, &head, sizeof head, &unused);
  over->handed_out = true;
  over->begun = false;
}

/* ---- the others ---- */

static enum rill_status create(struct rill_simulation *sim, struct rill_archive *archive, struct rill_error *error) {
  sim->continued = archive;
  rill_simulation_clear(sim);
  RILL_TRY(rill_simulation_create(sim, error));
  return rill_simulation_watch_limits(sim, error);
}

/* The kernel is that of rank 0. */
static enum rill_status read_share(const struct task_head *head, const unsigned char *bytes,
                                   struct rill_simulation *sim, struct rill_water_share *share,
                                   struct rill_error *error) {
  if (head->length != sizeof *share)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "another version of rill-mpi than that of rank 0");
  memcpy(share, bytes, sizeof *share);
  sim->isa = share->isa;
  if (rill_isa_available(share->isa)) return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_UNSUPPORTED,
      "this processor has no %s kernels, which rank 0 takes, only those up to %s: set forces.kernel "
      "to one that all processors have",
      rill_isa_name(share->isa), rill_isa_name(rill_isa_best()));
}

static enum rill_status work_on_box(struct rill_ranks *ranks, struct rill_simulation *sim, struct task_head *head,
                                    const unsigned char *bytes, struct rill_error *error) {
  struct rill_water_share share;
  if (error->status == RILL_OK && rill_over_ranks_check(ranks, sim, error) == RILL_OK)
    (void)read_share(head, bytes, sim, &share, error);
  if (agree(ranks, sim, error) == RILL_OK && create_box(ranks, sim, &share, error) == RILL_OK)
    return rill_water_follow(&sim->system, sim->integrator, &head->end, error);
  head->end = (uint64_t)rill_status_exit(error->status);
  return ranks->broken ? error->status : RILL_OK;
}

/* *ends: the ranks do not agree. */
static enum rill_status work_on_measurement(struct rill_ranks *ranks, struct rill_simulation *sim,
                                            struct task_head *head, const unsigned char *bytes, bool *ends,
                                            struct rill_error *error) {
  struct rill_field_energies energies;
  struct rill_water_share share;
  if (error->status == RILL_OK && rill_over_ranks_check(ranks, sim, error) == RILL_OK)
    (void)read_share(head, bytes, sim, &share, error);
  *ends = agree(ranks, sim, error) != RILL_OK;
  if (*ends) {
    head->end = (uint64_t)rill_status_exit(error->status);
  } else {
    (void)rill_shared_box_measure(sim, &share, ranks, NULL, NULL, &energies, error);
    if (!ranks->broken) rill_error_clear(error); /* which rank 0 has, too */
  }
  return ranks->broken ? error->status : RILL_OK;
}

static enum rill_status work_on_ensemble(struct rill_ranks *ranks, struct rill_simulation *sim,
                                         struct task_head *head, const unsigned char *bytes,
                                         struct rill_error *error) {
  struct rill_archive archive;
  if (error->status == RILL_OK && rill_archive_open(bytes, head->length, &archive, error) == RILL_OK)
    (void)create(sim, &archive, error);
  sim->continued = NULL;
  if (agree(ranks, sim, error) == RILL_OK) {
    rill_ensemble_use_ranks(sim->ensemble, ranks);
    return rill_ensemble_serve(sim->ensemble, &head->end, error);
  }
  head->end = (uint64_t)rill_status_exit(error->status);
  return ranks->broken ? error->status : RILL_OK;
}

/* One task; *ends: the last one. */
static enum rill_status serve(struct rill_ranks *ranks, struct rill_simulation *sim, struct task_head *head,
                              bool *ends, struct rill_error *error) {
  struct rill_error fault = {0};
  unsigned char *bytes;
  enum rill_status status = receive(ranks, head, &bytes, &fault);
  *ends = true;
  if (status != RILL_OK) *error = fault;
  else if (head->exists && error->status == RILL_OK && sim->deck.ensemble.on == (head->task != ENSEMBLE))
    rill_error_set(error, RILL_ERROR_INPUT, "another deck than that of rank 0: one of them has an [ensemble]");
  if (status == RILL_OK && head->exists)
    status = head->task == BOX           ? work_on_box(ranks, sim, head, bytes, error)
             : head->task == MEASUREMENT ? work_on_measurement(ranks, sim, head, bytes, ends, error)
                                         : work_on_ensemble(ranks, sim, head, bytes, error);
  rill_release(bytes);
  return status;
}

enum rill_status rill_over_ranks_serve(struct rill_ranks *ranks, struct rill_simulation *sim, int *exit_status,
                                       struct rill_error *error) {
  struct task_head head;
  enum rill_status status;
  bool ends;
  do {
    head = (struct task_head){0};
    status = serve(ranks, sim, &head, &ends, error);
  } while (status == RILL_OK && !ends);
  *exit_status = (int)head.end;
  return status;
}
