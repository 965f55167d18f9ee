/* How much water, in which box; and building it (rill build). */
#ifndef RILL_SIMULATION_WATER_AMOUNT_H
#define RILL_SIMULATION_WATER_AMOUNT_H

#include "structure/structure.h"
#include "water/model/model.h"
#include "water/relax/build_box.h"

enum { RILL_MOST_OF_BOXES = 100000000 };

struct rill_water_amount {
  bool boxed;
  size_t molecules; /* 0: by the box and the density */
  double edge[3];   /* nm; 0: by the number and the density */
  double density;   /* u/nm3; not read where number and box are given */
};

/* Finds what is not given, of a box.  RILL_ERROR_USAGE for densities that are none of water, and boxes for too few or
 * too many molecules. */
enum rill_status rill_water_amount_complete(const struct rill_water_model *model, struct rill_water_amount *amount,
                                            struct rill_error *error);
/* A relaxed cluster or box, with a title.  structure: zeroed; released by the caller in any case. */
enum rill_status rill_water_amount_build(const struct rill_water_model *model, const struct rill_water_amount *amount,
                                         const struct rill_build_options *options, struct rill_structure *structure,
                                         struct rill_build_report *report, struct rill_error *error);

#endif
