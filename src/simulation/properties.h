/* Properties of the liquid, computed during a run: estimators, which know nothing of water, fed with what they need.
 *
 * Formulas and their sources stand in docs/liquid.md.  The temperature is that of the bath; without one it is the
 * mean of the kinetic energy at the ends of steps. */
#ifndef RILL_SIMULATION_PROPERTIES_H
#define RILL_SIMULATION_PROPERTIES_H

#include "analysis/block_sums.h"
#include "simulation/parts.h"

struct rill_properties;

/* Refuses what the run cannot give, by name. */
/* Makes intervals that the deck does not give multiples of properties.interval. */
void rill_properties_round(struct rill_deck *deck);
enum rill_status rill_properties_check(const struct rill_simulation *sim, struct rill_error *error);

/* Bytes of the estimators, in memory and in a checkpoint; 0 without them. */
double rill_properties_bytes(const struct rill_simulation *sim);

/* sim: borrowed. */
enum rill_status rill_properties_create(const struct rill_simulation *sim, struct rill_properties **properties,
                                        struct rill_error *error);
/* Accepts NULL. */
void rill_properties_destroy(struct rill_properties *properties);
/* Takes a sample of the state after this step where one is due. */
enum rill_status rill_properties_sample(struct rill_properties *properties, uint64_t step, double time,
                                        struct rill_error *error);
/* Steps between samples that take the energy, or the virial; 0: none. */
uint64_t rill_properties_energy_interval(const struct rill_properties *properties);
uint64_t rill_properties_virial_interval(const struct rill_properties *properties);
void rill_properties_archive(struct rill_properties *properties, struct rill_archive *archive);

/* ---- results ---- */

enum { RILL_PROPERTY_RESULTS = 24, RILL_PROPERTY_NOTES = 8, RILL_PROPERTY_CURVES = 8, RILL_CURVE_COLUMNS = 4 };

struct rill_property {
  const char *name, *label, *unit; /* name: of files; label: for people */
  struct rill_estimate estimate;
  char remark[160]; /* range of the fit, or why there is no value; may be empty */
};

struct rill_property_curve {
  const char *name;
  const char *column[RILL_CURVE_COLUMNS], *unit[RILL_CURVE_COLUMNS];
  size_t columns, rows;
  double *values;  /* [rows][columns], owned */
  double from, to; /* of the fit or plateau, in the unit of the first column; NaN: none */
};

struct rill_property_report {
  size_t count, note_count, curve_count;
  struct rill_property result[RILL_PROPERTY_RESULTS];
  char note[RILL_PROPERTY_NOTES][320];
  struct rill_property_curve curve[RILL_PROPERTY_CURVES];
};

/* NaN for what has too few samples.  RILL_ERROR_MEMORY. */
enum rill_status rill_properties_report(const struct rill_properties *properties, struct rill_property_report *report,
                                        struct rill_error *error);
/* Accepts a zeroed one. */
void rill_property_report_release(struct rill_property_report *report);

#endif
