/* A box that ranks share: each has the columns of the molecules in its brick (parallel/bricks.h), and their numbers.
 *
 * All ranks call these functions together, and return the same status.  For water that is not shared they do nothing,
 * or what one process does. */
#ifndef RILL_WATER_WATER_DOMAIN_H
#define RILL_WATER_WATER_DOMAIN_H

#include "base/exact_sum.h"
#include "water/water_state.h"

struct rill_domain {
  struct rill_ranks *ranks; /* borrowed */
  size_t all, all_stride;   /* molecules of the box; columns of their arrays in checkpoints */
  uint64_t *number;         /* [stride] of the molecule in each column */
  bool placed, stale;       /* the field has the positions q; whether molecules must move to other ranks */
  enum rill_status kept;    /* of a drift that another one follows; its error: */
  struct rill_error kept_error;
  bool stepping; /* rank 0: the other ranks are in the same step */
  uint64_t migrations, migrated;
  size_t *counts[2];       /* [ranks] bytes to and from each */
  unsigned char *out, *in; /* messages */
  size_t out_room, in_room;
  unsigned char *leaves; /* [stride] */
};

enum rill_status rill_water_domain_create(struct rill_water *water, struct rill_error *error);
void rill_water_domain_destroy(struct rill_water *water);

/* Columns that a rank allocates for its share of the molecules of a box. */
size_t rill_water_domain_columns(size_t molecules, int ranks);

/* Molecules of the whole box. */
static inline size_t rill_water_all(const struct rill_water *water) {
  return water->domain != NULL ? water->domain->all : water->molecules;
}
/* The number of the molecule in a column, from 0. */
static inline size_t rill_water_number(const struct rill_water *water, size_t column) {
  return water->domain != NULL ? (size_t)water->domain->number[column] : column;
}
static inline const uint64_t *rill_water_numbers(const struct rill_water *water) {
  return water->domain != NULL ? water->domain->number : NULL;
}

/* Whether something holds on all ranks; on each the same answer. */
bool rill_water_on_all(const struct rill_water *water, bool holds);

/* Of ranks alone, without a call for other water, whose steps may be short.  The error of any rank: that of the
 * lowest. */
enum rill_status rill_water_agree_in_domain(struct rill_water *water, enum rill_status status,
                                            struct rill_error *error);
static inline enum rill_status rill_water_agree(struct rill_water *water, enum rill_status status,
                                                struct rill_error *error) {
  return water->domain == NULL ? status : rill_water_agree_in_domain(water, status, error);
}

/* After positions have changed: agrees on an error, and on whether molecules must move, which is done when forces are
 * evaluated.  With RILL_FLOW_CONTINUED the error is kept for the next agreement, and RILL_OK returned. */
enum rill_status rill_water_agree_on_drift_in_domain(struct rill_water *water, unsigned flags,
                                                     enum rill_status status, struct rill_error *error);
static inline enum rill_status rill_water_agree_on_drift(struct rill_water *water, unsigned flags,
                                                         enum rill_status status, struct rill_error *error) {
  return water->domain == NULL ? status : rill_water_agree_on_drift_in_domain(water, flags, status, error);
}

/* Before forces are evaluated at q, an array of the system: brings every molecule to the rank that owns it. */
enum rill_status rill_water_migrate_in_domain(struct rill_water *water, const double *q, struct rill_error *error);
static inline enum rill_status rill_water_migrate(struct rill_water *water, const double *q,
                                                  struct rill_error *error) {
  return water->domain == NULL ? RILL_OK : rill_water_migrate_in_domain(water, q, error);
}

/* Sums, or largest values that are not negative, over all ranks, in place.  When communication fails, they are NaN.
 */
void rill_water_add_up(const struct rill_water *water, struct rill_exact_sum *sums, size_t count);
void rill_water_largest(const struct rill_water *water, double *values, size_t count);

/* A block [rows][stride] of columns in order of molecules: on rank 0 each row, [all_stride], is passed to `read`. */
typedef void rill_row_reader(void *context, size_t k, const double *row);
enum rill_status rill_water_collect_rows(const struct rill_water *water, const double *values, size_t rows,
                                         rill_row_reader *read, void *context, struct rill_error *error);

/* A block of columns to and from one in order of molecules, [rows][all_stride], which rank 0 has: NULL on the others.
 * Scattering follows rill_water_deal. */
enum rill_status rill_water_collect(const struct rill_water *water, const double *values, size_t rows, double *all,
                                    struct rill_error *error);
enum rill_status rill_water_scatter(struct rill_water *water, const double *all, size_t rows, double *values,
                                    struct rill_error *error);

/* Gives each rank an equal share of the molecules, by number; their arrays are to be scattered. */
void rill_water_deal(struct rill_water *water);

/* An array of columns in a checkpoint: there in order of molecules, on rank 0 alone. */
void rill_water_archive_columns(struct rill_water *water, struct rill_archive *archive, const char *name,
                                double *values, size_t rows);
/* The same for water->stiff.newmark, of which ranks have none. */
void rill_water_archive_newmark(struct rill_water *water, struct rill_archive *archive);

#endif
