/* A distribution of distances as a table, for its CSV, the trajectory, and standard output. */
#ifndef RILL_SIMULATION_DISTRIBUTION_H
#define RILL_SIMULATION_DISTRIBUTION_H

#include "analysis/rdf.h"
#include "output/trajectory.h"

struct rill_distribution {
  struct rill_table table; /* borrows the rest */
  struct rill_table_fact facts[2];
  double *values;
  char *comment; /* of the CSV: meaning of the columns, number of samples, then the provenance */
};

/* In vacuum r_nm,density_per_nm,error_per_nm; in a box r_nm,g,error,neighbours.  provenance: lines with the origin
 * of the numbers (version, seed, deck), "" for none. */
enum rill_status rill_distribution_create(const struct rill_rdf *rdf, const char *provenance,
                                          struct rill_distribution *distribution, struct rill_error *error);
/* Accepts a zeroed or partly built one. */
void rill_distribution_release(struct rill_distribution *distribution);

#endif
