#include "water/water_hand_out.h"

#include "base/memory.h"
#include "water/water_domain.h"

/* Molecules for each rank at a time. */
enum { AT_A_TIME = 512 };

struct parcels {
  double *out; /* [ranks * AT_A_TIME][9] on rank 0 */
  double *in;  /* [AT_A_TIME][9] */
};

static enum rill_status make_parcels(struct rill_ranks *ranks, struct parcels *parcels, struct rill_error *error) {
  const size_t bytes = AT_A_TIME * RILL_COORDINATES * sizeof *parcels->in;
  parcels->in = rill_allocate(1, bytes);
  parcels->out = ranks->rank == 0 ? rill_allocate((size_t)ranks->count, bytes) : NULL;
  if (parcels->in != NULL && (parcels->out != NULL || ranks->rank != 0)) return RILL_OK;
  ranks->broken = true; /* the others wait */
  return rill_error_set(error, RILL_ERROR_MEMORY, "rank %d (%s): no memory to hand out molecules", ranks->rank,
                        ranks->host);
}

/* What a rank receives when each has had `done` of its molecules. */
static struct rill_range part_of(const struct rill_domain *domain, int rank, size_t done) {
  const size_t first = rill_ranks_first(domain->ranks, rank, domain->all) + done;
  const size_t end = rill_ranks_first(domain->ranks, rank + 1, domain->all);
  if (first >= end) return (struct rill_range){end, end};
  return (struct rill_range){first, end - first < AT_A_TIME ? end : first + AT_A_TIME};
}

static enum rill_status send(const struct rill_domain *domain, size_t done, const struct rill_positions *all,
                             const double *shift, const struct parcels *parcels, struct rill_error *error) {
  struct rill_ranks *ranks = domain->ranks;
  const size_t size = RILL_COORDINATES * sizeof *parcels->out;
  const struct rill_range mine = part_of(domain, ranks->rank, done);
  size_t *out = domain->counts[0], *in = domain->counts[1], packed = 0;
  for (int r = 0; r < ranks->count; r++) {
    const struct rill_range part = part_of(domain, r, done);
    out[r] = ranks->rank == 0 ? (part.last - part.first) * size : 0;
    in[r] = 0;
    for (size_t m = part.first; ranks->rank == 0 && m < part.last; m++)
      for (size_t k = 0; k < RILL_COORDINATES; k++) {
        const double x = rill_position(all, m, k);
        parcels->out[packed++] = shift != NULL ? x + shift[k % 3] : x;
      }
  }
  in[0] = (mine.last - mine.first) * size;
  return ranks->ops->transpose(ranks, parcels->out, out, parcels->in, in, error);
}

enum rill_status rill_water_hand_out(struct rill_water *water, const struct rill_positions *all, const double *shift,
                                     double *values, struct rill_error *error) {
  const struct rill_domain *domain = water->domain;
  const struct rill_ranks *ranks = domain->ranks;
  const size_t largest = domain->all / (size_t)ranks->count + 1;
  struct parcels parcels = {0};
  enum rill_status status = make_parcels(domain->ranks, &parcels, error);
  for (size_t done = 0; status == RILL_OK && done < largest; done += AT_A_TIME) {
    const struct rill_range mine = part_of(domain, ranks->rank, done);
    status = send(domain, done, all, shift, &parcels, error);
    for (size_t m = 0; status == RILL_OK && m < mine.last - mine.first; m++)
      for (size_t k = 0; k < RILL_COORDINATES; k++)
        values[k * water->stride + done + m] = parcels.in[RILL_COORDINATES * m + k];
  }
  rill_release(parcels.in);
  rill_release(parcels.out);
  return status;
}
