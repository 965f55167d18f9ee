/* Distribution of distances between oxygens; in a box also of oxygens and hydrogens, and of hydrogens, of different
 * molecules.
 *
 * In vacuum there is no volume: the result is the normalised density of pair distances, P(r), with the integral of P
 * over all distances equal to 1 (including pairs beyond the range); Tao & Owhadi 2016, figures 4 and 7.
 *
 * In a periodic box it is the radial distribution function g(r): the number of distances relative to that of an ideal
 * gas with the same number of molecules, N (N - 1) / 2 pairs in the volume V.  Every image within the range counts,
 * not only the nearest, so g is correctly normalised up to the shortest lattice vector; beyond half of it a molecule
 * can be counted more than once.  Bins use the exact volume of their shells.  The cost is linear in the number of
 * molecules.
 *
 * Errors are those of analysis/statistics.h, bin by bin, from between 64 and 128 blocks of successive samples that
 * merge in pairs as the run grows; NaN when there are too few samples.  Counts are integers, and samples are added in
 * the caller's order, so repeated runs give the same result to the bit. */
#ifndef RILL_ANALYSIS_RDF_H
#define RILL_ANALYSIS_RDF_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/statistics.h"
#include "base/archive.h"
#include "base/status.h"

struct rill_rdf;

enum rill_rdf_pair { RILL_RDF_OO, RILL_RDF_OH, RILL_RDF_HH, RILL_RDF_PAIRS };

/* max: nm, positive; bins: at least 1, of equal width from 0; RILL_ERROR_USAGE otherwise.  Any number of molecules is
 * allowed (with 0 or 1 there are no pairs). */
enum rill_status rill_rdf_create(size_t molecules, double max, size_t bins, struct rill_rdf **rdf,
                                 struct rill_error *error);
/* Adds a sample; oxygens are at positions + 9 * m ([molecules][3][3], nm). */
void rill_rdf_sample(struct rill_rdf *rdf, const double *positions);

/* For a periodic box: add samples with rill_rdf_sample_box only, and get results from rill_rdf_g. */
enum rill_status rill_rdf_create_periodic(size_t molecules, double max, size_t bins, struct rill_rdf **rdf,
                                          struct rill_error *error);
/* The same for a pair of atoms: an ideal gas has N (N - 1) / 2 pairs of oxygens, four times as many of an oxygen and
 * a hydrogen, and as many again of two hydrogens.  Atoms of one molecule do not count. */
enum rill_status rill_rdf_create_pair(enum rill_rdf_pair pair, size_t molecules, double max, size_t bins,
                                      struct rill_rdf **rdf, struct rill_error *error);
enum rill_rdf_pair rill_rdf_pair(const struct rill_rdf *rdf);
bool rill_rdf_is_periodic(const struct rill_rdf *rdf);
/* box: rows are its vectors, nm; any three that span a volume; it may change from sample to sample.  Molecules may be
 * in any image.  RILL_ERROR_INPUT for a box without volume, a range that exceeds the shortest lattice vector, or a
 * position that is not finite; the sample then does not count. */
enum rill_status rill_rdf_sample_box(struct rill_rdf *rdf, const double *positions, const double box[3][3],
                                     struct rill_error *error);
/* Half of the shortest lattice vector of the boxes sampled, nm: beyond it a molecule is counted with several
 * images. */
double rill_rdf_reach(const struct rill_rdf *rdf);
/* g, error: [bins]; neighbours: [bins], the mean number of the pair's second atoms, of other molecules, around one of
 * its first within the outer edge of a bin.  error is
 * NaN with too few independent samples; all are NaN without pairs or samples.  Each may be NULL. */
void rill_rdf_g(const struct rill_rdf *rdf, double *g, double *error, double *neighbours);
size_t rill_rdf_molecules(const struct rill_rdf *rdf);
size_t rill_rdf_samples(const struct rill_rdf *rdf);
size_t rill_rdf_bins(const struct rill_rdf *rdf);
/* Centre of a bin, nm. */
double rill_rdf_centre(const struct rill_rdf *rdf, size_t bin);
/* For vacuum.  density and error: [bins], 1/nm; error is NaN with too few independent samples.  beyond: fraction of
 * pairs at or over max (or not finite).  sum of density * width + beyond = 1.  All are NaN without pairs or samples.
 * Each may be NULL. */
void rill_rdf_result(const struct rill_rdf *rdf, double *density, double *error, double *beyond);
/* The largest maximum of g, from the parabola through the highest bin and its neighbours.  error: that of the highest
 * bin.  False without samples, or when the highest bin is at an end. */
struct rill_peak {
  double place, height, error; /* nm, 1, 1 */
  enum rill_sampling sampling; /* error is NaN unless this is RILL_SAMPLING_ENOUGH */
};
bool rill_rdf_peak(const struct rill_rdf *rdf, struct rill_peak *peak);
/* Mean distance of the pairs within max, nm, from the centres of the bins; NaN without pairs. */
double rill_rdf_mean(const struct rill_rdf *rdf);
/* L1 distance of two distributions with the same bins, the integral of |P - Q|: 0 to 2; NaN without pairs or samples,
 * or with different bins.  In vacuum P includes pairs beyond the range; in a box only pairs within it. */
double rill_rdf_distance(const struct rill_rdf *a, const struct rill_rdf *b);
/* Writes all samples to an archive, or reads them from one with the same molecules and bins. */
void rill_rdf_archive(struct rill_rdf *rdf, struct rill_archive *archive);
/* Accepts NULL. */
void rill_rdf_destroy(struct rill_rdf *rdf);

#endif
