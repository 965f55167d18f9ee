/* The number of molecules and the box of water to be built, and building it (rill build). */
#ifndef RILL_SIMULATION_WATER_AMOUNT_H
#define RILL_SIMULATION_WATER_AMOUNT_H

#include "structure/structure.h"
#include "water/model/model.h"
#include "water/relax/build_box.h"

enum { RILL_MOST_OF_BOXES = 100000000 };

struct rill_water_amount {
  bool boxed;
  size_t molecules; /* 0: from the box and the density */
  double edge[3];   /* nm; 0: from the number and the density */
  double density;   /* u/nm3; not read when number and box are given */
};

/* Derives what is not given for a box.  RILL_ERROR_USAGE for densities that water does not have, and boxes for too
 * few or too many molecules. */
enum rill_status rill_water_amount_complete(const struct rill_water_model *model, struct rill_water_amount *amount,
                                            struct rill_error *error);
/* Builds a relaxed cluster or box, with a title.  structure: zeroed; the caller releases it in any case. */
enum rill_status rill_water_amount_build(const struct rill_water_model *model, const struct rill_water_amount *amount,
                                         const struct rill_build_options *options, struct rill_structure *structure,
                                         struct rill_build_report *report, struct rill_error *error);

#endif
