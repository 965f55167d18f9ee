/* How forces in a box are evaluated without a deck. */
#ifndef RILL_SIMULATION_FIELD_H
#define RILL_SIMULATION_FIELD_H

#include "water/water_accuracy.h"
#include "water/water_field.h"

/* Particle-mesh Ewald with a cutoff of 0.9 nm, or half of the shortest lattice vector of a smaller box; the mesh is
 * not chosen yet.  box: [3][3], nm. */
enum rill_status rill_field_choose(const struct rill_water_model *model, const double box[3][3],
                                   enum rill_precision precision, struct rill_field_options *field,
                                   struct rill_error *error);

/* Refuses, and names the limits of, a cutoff below the minimum of Lennard-Jones, a box too small for a longer one,
 * and a box too small for the cutoff.  box: NULL in vacuum. */
enum rill_status rill_cutoff_check(const struct rill_water_model *model, double cutoff, const double box[3][3],
                                   struct rill_error *error);

/* rill_water_choose_mesh for positions in a structure's format, [molecules][3][3]. */
enum rill_status rill_field_choose_mesh(const struct rill_water_model *model, size_t molecules,
                                        const double *positions, double accuracy, struct rill_field_options *field,
                                        struct rill_force_accuracy *measured, struct rill_error *error);

/* The same with the finest of accuracy, 10 accuracy, ... 1e-2 that is feasible, which is stored in *had. */
enum rill_status rill_field_choose_finest(const struct rill_water_model *model, size_t molecules,
                                          const double *positions, double accuracy, struct rill_field_options *field,
                                          double *had, struct rill_error *error);

#endif
