#include "water/water_ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "water/water_domain.h"
#include "water/water_evaluate.h"
#include "water/water_hand_out.h"
#include "water/water_lead.h"
#include "water/water_sample.h"
#include "water/water_system.h"

/* ---- how the box is shared ---- */

/* Of one rank. */
struct share_counts {
  double own, halo, entries;
  struct rill_water_traffic traffic[1 + RILL_PME_TRAFFICS];
  uint64_t migrated;
  double memory;
};

/* The most that this process has had so far. */
static double peak_memory(void) {
  struct rusage usage = {0};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0.0;
}

static void add_share(const struct share_counts *share, struct rill_water_sharing *sharing) {
  sharing->own_mean += share->own / sharing->ranks;
  sharing->own_most = fmax(sharing->own_most, share->own);
  sharing->halo_mean += share->halo / sharing->ranks;
  sharing->halo_most = fmax(sharing->halo_most, share->halo);
  sharing->entries_mean += share->entries / sharing->ranks;
  sharing->entries_most = fmax(sharing->entries_most, share->entries);
  for (int k = 0; k < 1 + RILL_PME_TRAFFICS; k++) {
    sharing->traffic[k].messages = fmax(sharing->traffic[k].messages, share->traffic[k].messages);
    sharing->traffic[k].bytes = fmax(sharing->traffic[k].bytes, share->traffic[k].bytes);
  }
  sharing->migrated += share->migrated;
}

/* Rank 0, which has the whole start and all frames, is counted by itself. */
static void add_memory(double memory, int rank, struct rill_water_sharing *sharing) {
  if (rank == 0) {
    sharing->memory_first = memory;
    return;
  }
  sharing->memory_mean += memory / (sharing->ranks - 1);
  sharing->memory_most = fmax(sharing->memory_most, memory);
}

static enum rill_status gather_counts(struct rill_water *water, struct rill_water_sharing *sharing,
                                      struct rill_error *error) {
  const struct rill_domain *domain = water->domain;
  const struct rill_halo *halo = rill_water_field_halo(water->field);
  const struct rill_periodic_counts counts = rill_water_field_counts(water->field);
  struct share_counts share = {.own = (double)water->molecules,
                               .halo = (double)(halo->molecules - halo->own),
                               .entries = counts.inner * (double)halo->molecules,
                               .traffic = {{(double)halo->counts.messages, (double)halo->counts.bytes}},
                               .migrated = domain->migrated,
                               .memory = peak_memory()};
  for (int k = 0; k < RILL_PME_TRAFFICS; k++) {
    const struct rill_pme_traffic sent = rill_water_field_traffic(water->field, (enum rill_pme_traffic_kind)k);
    share.traffic[1 + k] = (struct rill_water_traffic){(double)sent.messages, (double)sent.bytes};
  }
  *sharing = (struct rill_water_sharing){
      .ranks = domain->ranks->count, .bricks = halo->bricks, .migrations = domain->migrations};
  if (rill_water_field_divides(water->field))
    sharing->mesh_ranks = water->options.box.mesh_ranks > 0 ? water->options.box.mesh_ranks : sharing->ranks;
  RILL_TRY(rill_water_lead(water, RILL_LEAD_COUNTS, error));
  RILL_TRY(domain->ranks->ops->gather(domain->ranks, &share, sizeof share, false, error));
  for (int r = 0; domain->ranks->rank == 0 && r < domain->ranks->count; r++) {
    memcpy(&share, domain->ranks->gathered[r].bytes, sizeof share);
    add_share(&share, sharing);
    add_memory(share.memory, r, sharing);
  }
  return RILL_OK;
}

enum rill_status rill_water_sharing(const struct rill_system *system, struct rill_water_sharing *sharing,
                                    struct rill_error *error) {
  struct rill_water *water = system->self;
  *sharing = (struct rill_water_sharing){0};
  return water->domain != NULL ? gather_counts(water, sharing, error) : RILL_OK;
}

/* ---- forces at given positions ---- */

struct sampled_force {
  uint64_t place; /* in the sample */
  double f[RILL_COORDINATES];
};

static int compare_numbers(const void *a, const void *b) {
  const size_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* The forces on molecules of the sample that this rank has; returns how many. */
static size_t find_sampled(const struct rill_water *water, const size_t *sample, size_t count,
                           struct sampled_force *found) {
  size_t have = 0;
  for (size_t m = 0; m < water->molecules; m++) {
    const size_t number = rill_water_number(water, m);
    const size_t *at = bsearch(&number, sample, count, sizeof number, compare_numbers);
    if (at == NULL) continue;
    found[have].place = (uint64_t)(at - sample);
    for (size_t k = 0; k < RILL_COORDINATES; k++) found[have].f[k] = water->f[k * water->stride + m];
    have++;
  }
  return have;
}

/* f: [count][9], on rank 0. */
static enum rill_status collect_sampled(struct rill_water *water, const size_t *sample, size_t count,
                                        struct sampled_force *found, double *f, struct rill_error *error) {
  struct rill_ranks *ranks = water->domain->ranks;
  const size_t have = find_sampled(water, sample, count, found);
  RILL_TRY(ranks->ops->gather(ranks, found, have * sizeof *found, false, error));
  for (int r = 0; ranks->rank == 0 && r < ranks->count; r++)
    for (size_t i = 0; i < ranks->gathered[r].length / sizeof *found; i++) {
      struct sampled_force of_one;
      memcpy(&of_one, ranks->gathered[r].bytes + i * sizeof of_one, sizeof of_one);
      memcpy(f + RILL_COORDINATES * of_one.place, of_one.f, sizeof of_one.f);
    }
  return RILL_OK;
}

/* Brings the sample, of rank 0, to all ranks, with room for its forces; both are released by the caller. */
static enum rill_status share_sample(struct rill_ranks *ranks, const struct rill_field_sample *sample, size_t *count,
                                     size_t **molecules, struct sampled_force **found, struct rill_error *error) {
  *count = ranks->rank == 0 ? sample->count : 0;
  RILL_TRY(ranks->ops->broadcast(ranks, count, sizeof *count, error));
  *molecules = rill_allocate(*count, sizeof **molecules);
  *found = rill_allocate(*count, sizeof **found);
  if (*molecules == NULL || *found == NULL) {
    ranks->broken = true; /* the others wait */
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the forces on %zu molecules", *count);
  }
  if (ranks->rank == 0) memcpy(*molecules, sample->molecules, *count * sizeof **molecules);
  return ranks->ops->broadcast(ranks, *molecules, *count * sizeof **molecules, error);
}

static enum rill_status evaluate_handed_out(struct rill_water *water, const struct rill_field_sample *sample,
                                            struct rill_field_energies *energies, struct rill_error *error) {
  const bool first = water->domain->ranks->rank == 0;
  enum rill_status status;
  rill_water_deal(water);
  RILL_TRY(rill_water_hand_out(water, first ? &sample->q : NULL, first ? sample->shift : NULL, water->q, error));
  rill_water_moved(water);
  status = rill_water_field_set_molecules(water->field, water->molecules, water->q, error);
  RILL_TRY(rill_water_agree(water, status, error));
  rill_water_evaluate_at(water, water->q, water->f, energies);
  return rill_water_agree(water, rill_water_field_failed(water, error), error);
}

enum rill_status rill_water_evaluate_shared(struct rill_system *system, const struct rill_field_sample *sample,
                                            double *f, struct rill_field_energies *energies,
                                            struct rill_error *error) {
  struct rill_water *water = system->self;
  struct sampled_force *found = NULL;
  size_t *molecules = NULL, count;
  enum rill_status status = share_sample(water->domain->ranks, sample, &count, &molecules, &found, error);
  if (status == RILL_OK) status = evaluate_handed_out(water, sample, energies, error);
  if (status == RILL_OK) status = collect_sampled(water, molecules, count, found, f, error);
  rill_release(molecules);
  rill_release(found);
  return status;
}

/* ---- the other ranks ---- */

/* Errors are agreed upon, and rank 0 reports them. */
static void follow(struct rill_system *system, struct rill_integrator *integrator,
                   const struct rill_water_message *message, struct rill_error *error) {
  struct rill_observation observation;
  struct rill_water_sharing sharing;
  double potential, sample[3][3], multipliers[2][RILL_BONDS];
  struct rill_archive none = {.reading = message->command == RILL_LEAD_READ};
  switch ((enum rill_water_command)message->command) {
  case RILL_LEAD_PLACE: (void)rill_water_place_share(system->self, NULL, NULL, message->moving != 0, error); break;
  case RILL_LEAD_DRAW: (void)rill_water_draw_velocities(system, message->temperature, message->seed, error); break;
  case RILL_LEAD_REMOVE:
    (void)rill_water_remove_momentum(system, (enum rill_momentum_removal)message->removal, error);
    break;
  case RILL_LEAD_STEP:
    rill_integrator_want(integrator, (unsigned)message->wanted);
    (void)rill_integrator_step(integrator, message->step, message->halfway != 0, error);
    break;
  case RILL_LEAD_OBSERVE: (void)system->ops->observe(system->self, &observation, error); break;
  case RILL_LEAD_RESTORE: system->ops->restore(system->self); break;
  case RILL_LEAD_WRITE:
    system->ops->archive(system->self, &none);
    rill_archive_release(&none);
    break;
  case RILL_LEAD_READ: system->ops->archive(system->self, &none); break; /* which comes from rank 0 */
  case RILL_LEAD_STATE:
  case RILL_LEAD_VELOCITIES:
  case RILL_LEAD_POSITIONS:
    rill_water_collect_molecules(system->self, (enum rill_water_command)message->command, NULL);
    break;
  case RILL_LEAD_COUNTS: (void)gather_counts(system->self, &sharing, error); break;
  case RILL_LEAD_CENTRES:
  case RILL_LEAD_CENTRE_VELOCITIES:
  case RILL_LEAD_AXES:
    rill_water_sample_rows(system->self, (enum rill_water_command)message->command, message->charge, NULL);
    break;
  case RILL_LEAD_DIPOLE: rill_water_total_dipole(system, message->charge, sample[0]); break;
  case RILL_LEAD_KINETIC: (void)rill_water_kinetic_energy(system); break;
  case RILL_LEAD_FORCES:
    (void)rill_water_sample_forces(system, message->wanted == RILL_FLOW_ENERGY ? &potential : NULL, sample, error);
    break;
  case RILL_LEAD_MULTIPLIERS:
    rill_water_multipliers_of(system, (size_t)message->molecule, multipliers[0], multipliers[1]);
    break;
  case RILL_LEAD_END: break;
  }
}

enum rill_status rill_water_follow(struct rill_system *system, struct rill_integrator *integrator, uint64_t *end,
                                   struct rill_error *error) {
  struct rill_water *water = system->self;
  struct rill_ranks *ranks = water->domain->ranks;
  struct rill_error fault = {0};
  struct rill_water_message message;
  for (;;) {
    RILL_TRY(ranks->ops->broadcast(ranks, &message, sizeof message, error));
    *end = message.end;
    if (message.command == RILL_LEAD_END) return RILL_OK;
    rill_error_clear(&fault);
    follow(system, integrator, &message, &fault);
    if (!ranks->broken) continue;
    *error = fault;
    return error->status != RILL_OK ? error->status : rill_error_set(error, RILL_ERROR_FAILED, "ranks are lost");
  }
}

enum rill_status rill_water_dismiss(struct rill_system *system, uint64_t end, struct rill_error *error) {
  return rill_water_tell(system->self, (struct rill_water_message){.command = RILL_LEAD_END, .end = end}, error);
}
