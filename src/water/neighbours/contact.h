/* The closest two sites of different molecules, in vacuum or in a box: nearest images; for a liquid the work is
 * linear in the number of molecules. */
#ifndef RILL_WATER_NEIGHBOURS_CONTACT_H
#define RILL_WATER_NEIGHBOURS_CONTACT_H

#include "base/status.h"
#include "water/model/model.h"

enum rill_contact_sites { RILL_CONTACT_OXYGENS, RILL_CONTACT_ALL_SITES };

struct rill_contact {
  size_t first, second; /* molecules, first < second */
  double distance;      /* nm; infinite for fewer than two molecules */
};

/* positions: [molecules][3][3] nm, of whole molecules; box: rows are its vectors, NULL in vacuum.  Errors as
 * rill_grid_sort. */
enum rill_status rill_closest_contact(const double *positions, size_t molecules, const double box[3][3],
                                      enum rill_contact_sites sites, struct rill_contact *contact,
                                      struct rill_error *error);

#endif
