/* One evaluation of a mesh, in stages that are divided into parts; private to src/water/pme/. */
#ifndef RILL_WATER_PME_PASS_H
#define RILL_WATER_PME_PASS_H

#include <stdatomic.h>

#include "water/pme/object.h"

struct rill_pme_pass {
  struct rill_pme *pme;
  const double *q;
  const uint32_t *places;
  double *f;
  bool wanted; /* whether energies are requested */
  size_t parts;
  double clock, solving; /* time in seconds, of the first part */

  /* Over ranks, beside other work: the stage in the upper 32 bits, and how many of its parts have been taken. */
  _Atomic uint64_t taken;
  _Atomic size_t done; /* parts of the stage */
  bool sent;           /* its message, which may not have arrived */
};

static inline struct rill_pme_range rill_pme_share(const struct rill_pme_pass *pass, size_t count, size_t part) {
  return (struct rill_pme_range){rill_share(count, part, pass->parts), rill_share(count, part + 1, pass->parts)};
}

static inline char *rill_pme_scratch(const struct rill_pme_pass *pass, size_t part) {
  return pass->pme->scratch + part * pass->pme->scratch_bytes;
}

/* The stages that are the same alone and over ranks. */
void rill_pme_locate_part(void *pass, size_t part);
void rill_pme_survey_part(void *pass, size_t part);
void rill_pme_gather_part(void *pass, size_t part);
/* Transforms a plane of the mesh, or of the slab. */
void rill_pme_transform_plane(struct rill_pme *pme, size_t plane, char *scratch, bool back);

/* Before an evaluation that wants energies. */
void rill_pme_clear_sums(struct rill_pme *pme, bool wanted);

/* Calls a stage for all parts. */
void rill_pme_share_out(struct rill_pme_pass *pass, void (*stage)(void *pass, size_t part));

/* All stages over ranks, one after the other, with their messages; ends when one of these fails. */
void rill_pme_run_over_ranks(struct rill_pme_pass *pass);

#endif
