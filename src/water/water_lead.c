#include "water/water_lead.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "water/water_atoms.h"
#include "water/water_domain.h"
#include "water/water_filtered.h"

enum rill_status rill_water_tell(struct rill_water *water, struct rill_water_message message,
                                 struct rill_error *error) {
  struct rill_ranks *ranks = water->domain->ranks;
  if (ranks->broken) return rill_error_set(error, RILL_ERROR_FAILED, "ranks are lost");
  water->domain->stepping = message.command == RILL_LEAD_STEP;
  return ranks->ops->broadcast(ranks, &message, sizeof message, error);
}

static bool leads(const struct rill_water *water) { return water->domain != NULL && water->domain->ranks->rank == 0; }

/* A step that fails restores on all ranks. */
enum rill_status rill_water_lead(struct rill_water *water, enum rill_water_command command,
                                 struct rill_error *error) {
  if (!leads(water) || (command == RILL_LEAD_RESTORE && water->domain->stepping)) return RILL_OK;
  return rill_water_tell(water, (struct rill_water_message){.command = command}, error);
}

enum rill_status rill_water_lead_message(struct rill_water *water, struct rill_water_message message,
                                         struct rill_error *error) {
  return leads(water) ? rill_water_tell(water, message, error) : RILL_OK;
}

enum rill_status rill_water_lead_with(struct rill_water *water, enum rill_water_command command,
                                      const double charge[3], struct rill_error *error) {
  const struct rill_water_message message = {.command = command, .charge = {charge[0], charge[1], charge[2]}};
  return rill_water_lead_message(water, message, error);
}

enum rill_status rill_water_lead_molecule(struct rill_water *water, enum rill_water_command command, size_t molecule,
                                          struct rill_error *error) {
  const struct rill_water_message message = {.command = command, .molecule = molecule};
  return rill_water_lead_message(water, message, error);
}

enum rill_status rill_water_lead_forces(struct rill_water *water, unsigned wanted, struct rill_error *error) {
  const struct rill_water_message message = {.command = RILL_LEAD_FORCES, .wanted = wanted};
  return rill_water_lead_message(water, message, error);
}

static enum rill_status lead_step(void *self, uint64_t step, bool halfway, unsigned wanted,
                                  struct rill_error *error) {
  const struct rill_water_message message = {
      .command = RILL_LEAD_STEP, .step = step, .halfway = halfway, .wanted = wanted};
  return rill_water_tell(self, message, error);
}

const struct rill_followers_ops rill_water_followers_ops = {.step = lead_step};

/* ---- archives ---- */

static enum rill_status receive(struct rill_ranks *ranks, size_t length, unsigned char **bytes,
                                struct rill_error *error) {
  *bytes = rill_allocate(length, 1);
  if (*bytes != NULL) return ranks->ops->broadcast(ranks, *bytes, length, error);
  ranks->broken = true; /* the bytes cannot be received */
  return rill_error_set(error, RILL_ERROR_MEMORY, "rank %d (%s): no memory for the state", ranks->rank, ranks->host);
}

enum rill_status rill_water_share_archive(struct rill_water *water, const struct rill_archive *archive,
                                          struct rill_archive *others, struct rill_error *error) {
  struct rill_ranks *ranks = water->domain->ranks;
  static const char *const names[] = {"q", "v", "newmark", "bodies"};
  char name[sizeof names / sizeof names[0]][RILL_ARCHIVE_NAME + sizeof "newmark"];
  const char *without[sizeof names / sizeof names[0] + 2] = {"start/"};
  struct {
    uint64_t length;
    char group[RILL_ARCHIVE_NAME];
  } head = {0};
  unsigned char *bytes;
  *others = (struct rill_archive){0};
  if (ranks->rank != 0) {
    RILL_TRY(ranks->ops->broadcast(ranks, &head, sizeof head, error));
    RILL_TRY(receive(ranks, head.length, &bytes, error));
    others->bytes = bytes;
    others->length = head.length;
    memcpy(others->group, head.group, sizeof head.group);
    return RILL_OK;
  }
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    snprintf(name[i], sizeof name[i], "%s%s", archive->group, names[i]);
    without[i + 1] = name[i];
  }
  rill_archive_copy(others, archive, without);
  head.length = others->length;
  memcpy(head.group, archive->group, sizeof head.group);
  RILL_TRY(ranks->ops->broadcast(ranks, &head, sizeof head, error));
  return ranks->ops->broadcast(ranks, (void *)(uintptr_t)others->bytes, others->length, error);
}

/* ---- copies of the state ---- */

struct of_molecules {
  double *out; /* [molecules][RILL_COORDINATES] */
  size_t molecules;
  const double *offset; /* [3], added */
};

static void spread_row(void *context, size_t k, const double *row) {
  const struct of_molecules *to = context;
  for (size_t m = 0; m < to->molecules; m++) to->out[RILL_COORDINATES * m + k] = row[m] + to->offset[k % 3];
}

void rill_water_collect_molecules(struct rill_water *water, enum rill_water_command command, double *out) {
  static const double none[3] = {0};
  const double *offset = command == RILL_LEAD_VELOCITIES ? none : water->offset, *values;
  struct of_molecules to = {out, water->domain->all, offset};
  struct rill_error error = {0};
  enum rill_status status = rill_water_lead(water, command, &error);
  if (status == RILL_OK) {
    rill_water_bodies_follow(water);
    values = command == RILL_LEAD_STATE        ? water->q
             : command == RILL_LEAD_VELOCITIES ? water->v
                                               : rill_water_physical(water);
    status = rill_water_collect_rows(water, values, RILL_COORDINATES, spread_row, &to, &error);
  }
  if (status == RILL_OK || out == NULL) return;
  for (size_t i = 0; i < RILL_COORDINATES * to.molecules; i++) out[i] = NAN;
}
