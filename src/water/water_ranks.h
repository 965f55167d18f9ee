/* Water that ranks share, as one system: rank 0 has the system that the program uses, and leads; the others do what
 * it does, each with its own molecules. */
#ifndef RILL_WATER_WATER_RANKS_H
#define RILL_WATER_WATER_RANKS_H

#include "mech/integrator.h"
#include "parallel/bricks.h"
#include "water/pme/counts.h"
#include "water/water_field.h"

/* On all ranks but 0, for a system that was created with options.box.ranks: does what rank 0 does with its own, with
 * an integrator bound as there, until rank 0 dismisses them.  *end: the number that came with that.  An error is
 * returned when communication has failed; others are those of rank 0.
 *
 * Of the functions of water/water_system.h rank 0 may call those that copy the state, and those about numbers and
 * times. */
enum rill_status rill_water_follow(struct rill_system *system, struct rill_integrator *integrator, uint64_t *end,
                                   struct rill_error *error);
enum rill_status rill_water_dismiss(struct rill_system *system, uint64_t end, struct rill_error *error);

/* Of all ranks, without commands, for a system that was just created: forces of the field on a sample of molecules,
 * f, [count][9], and the energies of all.  Only rank 0 has the sample, and receives f. */
enum rill_status rill_water_evaluate_shared(struct rill_system *system, const struct rill_field_sample *sample,
                                            double *f, struct rill_field_energies *energies,
                                            struct rill_error *error);

/* How a box is shared: means and largest numbers of ranks, at present; counts since creation.  On rank 0; zeros when
 * it is not shared. */
struct rill_water_sharing {
  int ranks, mesh_ranks; /* these transform the mesh; 0: no mesh */
  struct rill_bricks bricks;
  double own_mean, own_most, halo_mean, halo_most; /* molecules */
  double entries_mean, entries_most;               /* on inner lists */
  /* Sent since creation, of the rank that sends most: records and forces of pairs; charges and potential between
   * bricks and planes of the mesh; its transpositions; sums of its energies. */
  struct rill_water_traffic {
    double messages, bytes;
  } traffic[1 + RILL_PME_TRAFFICS];
  uint64_t migrations, migrated;                 /* times; molecules */
  double memory_first, memory_mean, memory_most; /* bytes: the largest that rank 0, and the others, have had */
};
enum rill_status rill_water_sharing(const struct rill_system *system, struct rill_water_sharing *sharing,
                                    struct rill_error *error);

#endif
