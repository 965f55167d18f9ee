/* Fills a periodic box with liquid water: the start of `molecules = N` with `boundary = periodic`, and of `rill build
 * water --box`.
 *
 * Molecules on a face-centred cubic lattice with vacancies, jittered and randomly rotated, are minimised until their
 * potential energy is about that of the liquid at room temperature: a start for equilibration.  A rectangular box of
 * more than RILL_BUILD_TILED molecules is filled with copies of a smaller one, less a molecule of some copies: so
 * many are relaxed in seconds, and the copies differ after some ps of a run, whose velocities differ.  The same seed
 * gives the same bytes, for any number of threads (on one kind of processor). */
#ifndef RILL_WATER_RELAX_BUILD_BOX_H
#define RILL_WATER_RELAX_BUILD_BOX_H

#include "water/relax/build.h"
#include "water/water_field.h"

enum { RILL_BUILD_TILED = 30000 };

/* field: the box, and how forces are evaluated in it.  The options used are seed, reference, isa, threads, observe
 * and context.  positions: [molecules][3][3] nm, out.  On error they are unchanged; RILL_ERROR_USAGE for 0 molecules,
 * RILL_ERROR_FAILED if the box is too small for them.  With copies, the report's minimum is that of one. */
enum rill_status rill_water_build_box(const struct rill_water_model *model, size_t molecules,
                                      const struct rill_field_options *field,
                                      const struct rill_build_options *options, double *positions,
                                      struct rill_build_report *report, struct rill_error *error);

#endif
