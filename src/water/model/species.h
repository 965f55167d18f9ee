/* The water models that rill knows, a row each: geometry, charges, Lennard-Jones, masses, and where they come from.
 */
#ifndef RILL_WATER_MODEL_SPECIES_H
#define RILL_WATER_MODEL_SPECIES_H

#include <stddef.h>

#include "base/status.h"

/* Two equal hydrogens of charge_h, and the opposite charge of both on the oxygen; with r_om above 0 on a fourth,
 * massless site M instead, on the bisector, at this distance from the oxygen towards the hydrogens.  Lennard-Jones
 * acts between oxygens, 4 epsilon ((sigma/r)^12 - (sigma/r)^6), or c12/r^12 - c6/r^6 where a row gives these. */
struct rill_water_species {
  const char *name;
  const char *title;     /* as its authors write it */
  double r_oh, angle;    /* nm, degrees (H-O-H) */
  double charge_h;       /* e */
  double r_om;           /* nm; 0: three sites */
  double sigma, epsilon; /* nm, kJ/mol */
  double c12, c6;        /* kJ nm12/mol, kJ nm6/mol; 0: from sigma and epsilon, which are 0 otherwise */
  double mass_o, mass_h; /* u */
  const char *citation;
};

/* The name of the model whose numbers a deck gives; it has no row. */
#define RILL_WATER_CUSTOM "custom"

/* The rows; the first is the default. */
const struct rill_water_species *rill_water_species(size_t *count);

/* The row of this name; NULL: the default.  RILL_ERROR_INPUT names the nearest for an unknown name, and says why a
 * known model is not offered. */
enum rill_status rill_water_species_find(const char *name, const struct rill_water_species **species,
                                         struct rill_error *error);

#endif
