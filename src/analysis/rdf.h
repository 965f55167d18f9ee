/* Distribution of O-O distances.
 *
 * In vacuum there is no volume: what is given is the normalised density of pair distances, P(r), with the integral of
 * P over all distances equal to 1 (pairs beyond the range counted); Tao & Owhadi 2016, figures 4 and 7.
 *
 * In a periodic box it is the radial distribution g(r): distances over those of an ideal gas of as many molecules,
 * N (N - 1) / 2 pairs in the volume V.  Every image within the range counts, not only the nearest; so g has its norm
 * up to the shortest lattice vector, beyond half of which a molecule is met more than once.  Bins take the exact
 * volume of their shells.  The work is linear in the number of molecules.
 *
 * Errors are those of analysis/statistics.h, bin by bin, from between 64 and 128 blocks of successive samples that
 * merge in pairs as the run grows; NaN where the samples are too few.  Counts are integers, and samples come in the caller's order: the result is the same to the bit
 * however often it is repeated. */
#ifndef RILL_ANALYSIS_RDF_H
#define RILL_ANALYSIS_RDF_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/statistics.h"
#include "base/archive.h"
#include "base/status.h"

struct rill_rdf;

/* max in nm (positive), bins (at least 1) of equal width from 0; RILL_ERROR_USAGE otherwise.  Works for any number of molecules (with 0 or 1 there are no pairs). */
enum rill_status rill_rdf_create(size_t molecules, double max, size_t bins, struct rill_rdf **rdf, struct rill_error *error);
/* oxygens at positions + 9 * m ([molecules][3][3], nm). */
void rill_rdf_sample(struct rill_rdf *rdf, const double *positions);

/* Of a periodic box: sampled by rill_rdf_sample_box alone, and read by rill_rdf_g. */
enum rill_status rill_rdf_create_periodic(size_t molecules, double max, size_t bins, struct rill_rdf **rdf,
                                          struct rill_error *error);
bool rill_rdf_is_periodic(const struct rill_rdf *rdf);
/* box: rows are its vectors, nm; any three that span a volume, and it may change from sample to sample.  Molecules
 * may stand in any image.  RILL_ERROR_INPUT for a box without volume, a range that exceeds the shortest lattice
 * vector, or a position that is not finite; the sample then does not count. */
enum rill_status rill_rdf_sample_box(struct rill_rdf *rdf, const double *positions, const double box[3][3],
                                     struct rill_error *error);
/* Half of the shortest lattice vector of the boxes sampled, nm: beyond it images repeat. */
double rill_rdf_reach(const struct rill_rdf *rdf);
/* g, error: [bins]; neighbours: [bins], how many others stand within the outer edge of a bin; error is NaN with too
 * few independent samples, all are without pairs or samples.  Each may be NULL. */
void rill_rdf_g(const struct rill_rdf *rdf, double *g, double *error, double *neighbours);
size_t rill_rdf_samples(const struct rill_rdf *rdf);
size_t rill_rdf_bins(const struct rill_rdf *rdf);
/* Centre of a bin, nm. */
double rill_rdf_centre(const struct rill_rdf *rdf, size_t bin);
/* Of vacuum.  density and error: [bins], 1/nm; error is NaN with too few independent samples.  beyond: fraction of pairs at or over max
 * (or not finite).  sum of density * width + beyond = 1.  All are NaN without pairs or samples.  Each may be NULL. */
void rill_rdf_result(const struct rill_rdf *rdf, double *density, double *error, double *beyond);
/* The largest maximum of g: of the parabola through the highest bin and its neighbours.  error: that of the highest
 * bin.  False without samples, or where the highest bin is at an end. */
struct rill_peak {
  double place, height, error; /* nm, 1, 1 */
  enum rill_sampling sampling; /* error: NaN unless enough */
};
bool rill_rdf_peak(const struct rill_rdf *rdf, struct rill_peak *peak);
/* Mean distance of the pairs within max, nm, by the centres of bins; NaN without any. */
double rill_rdf_mean(const struct rill_rdf *rdf);
/* L1 distance of two distributions over the same bins, the integral of |P - Q|: 0 to 2; NaN without pairs or samples,
 * or over other bins.  In vacuum P is of all pairs, those beyond the range counted; in a box of the pairs within it. */
double rill_rdf_distance(const struct rill_rdf *a, const struct rill_rdf *b);
/* All samples, to an archive, or from one of the same molecules and bins. */
void rill_rdf_archive(struct rill_rdf *rdf, struct rill_archive *archive);
/* Accepts NULL. */
void rill_rdf_destroy(struct rill_rdf *rdf);

#endif
