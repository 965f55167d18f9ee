/* Water that ranks share, as one system: rank 0 has the system that the program uses, and leads; the others do what
 * it does, each with its own molecules. */
#ifndef RILL_WATER_WATER_LEAD_H
#define RILL_WATER_WATER_LEAD_H

#include "mech/followers.h"
#include "water/water_state.h"

enum rill_water_command {
  RILL_LEAD_PLACE, /* the start: of water/water_system.h, like the next two */
  RILL_LEAD_DRAW,
  RILL_LEAD_REMOVE,
  RILL_LEAD_STEP,
  RILL_LEAD_OBSERVE,
  RILL_LEAD_RESTORE,
  RILL_LEAD_WRITE,      /* to an archive */
  RILL_LEAD_READ,       /* from one */
  RILL_LEAD_STATE,      /* copies the positions of the state to rank 0 */
  RILL_LEAD_VELOCITIES, /* velocities */
  RILL_LEAD_POSITIONS,  /* physical positions */
  RILL_LEAD_COUNTS,
  RILL_LEAD_CENTRES, /* these and the next four: of water/water_sample.h */
  RILL_LEAD_CENTRE_VELOCITIES,
  RILL_LEAD_AXES,
  RILL_LEAD_DIPOLE,
  RILL_LEAD_KINETIC,
  RILL_LEAD_FORCES,
  RILL_LEAD_MULTIPLIERS, /* of one molecule */
  RILL_LEAD_END
};

/* On rank 0: the others do the same beside what follows.  Does nothing on them, and for water that is not shared. */
enum rill_status rill_water_lead(struct rill_water *water, enum rill_water_command command, struct rill_error *error);

/* RILL_LEAD_FORCES, with a flag of rill_water_evaluate_for. */
enum rill_status rill_water_lead_forces(struct rill_water *water, unsigned wanted, struct rill_error *error);

/* A command for one molecule, from 0. */
enum rill_status rill_water_lead_molecule(struct rill_water *water, enum rill_water_command command, size_t molecule,
                                          struct rill_error *error);

/* A command with charges of the atoms. */
enum rill_status rill_water_lead_with(struct rill_water *water, enum rill_water_command command,
                                      const double charge[3], struct rill_error *error);

/* On rank 0, before the state is read from an archive: the others receive what is not in columns, in *others, which
 * is released by the caller; on them *others is what they received. */
enum rill_status rill_water_share_archive(struct rill_water *water, const struct rill_archive *archive,
                                          struct rill_archive *others, struct rill_error *error);

/* RILL_LEAD_STATE, VELOCITIES or POSITIONS, on all ranks: as [molecules][3][3] in out on rank 0; NaN when ranks are
 * lost. */
void rill_water_collect_molecules(struct rill_water *water, enum rill_water_command command, double *out);

/* RILL_LEAD_CENTRES, CENTRE_VELOCITIES or AXES of all molecules, [3][molecules], by water_sample.c, which rank 0
 * tells the others to do as well; out is not used there. */
void rill_water_sample_rows(struct rill_water *water, enum rill_water_command command, const double charge[3],
                            double *out);

/* A command of rank 0 and its arguments; end: with RILL_LEAD_END. */
struct rill_water_message {
  uint64_t command, step, halfway, wanted, molecule, end;
  double charge[3];
  double temperature; /* of velocities that are drawn, with their seed */
  uint64_t seed, removal;
  uint64_t moving; /* molecules have velocities, which rank 0 hands out */
};
/* On rank 0: tells the others, for commands with arguments.  Does nothing on them, and for water that is not
 * shared. */
enum rill_status rill_water_lead_message(struct rill_water *water, struct rill_water_message message,
                                         struct rill_error *error);
enum rill_status rill_water_tell(struct rill_water *water, struct rill_water_message message,
                                 struct rill_error *error);

extern const struct rill_followers_ops rill_water_followers_ops;

#endif
