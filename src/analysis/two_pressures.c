#include "analysis/two_pressures.h"

#include <math.h>
#include <stdio.h>

#include "analysis/density_ratio.h"
#include "base/memory.h"

/* Slopes of parts of the runs give the error of the whole. */
enum { PARTS = 16 };

/* Independent samples of the equilibrated volume. */
struct thinned {
  double *volume;
  size_t count;
};

static bool thin(const struct rill_volumes *run, struct thinned *thinned) {
  const size_t first = rill_equilibrated_from(run->volume, run->count);
  const size_t apart = rill_samples_apart(run->volume + first, run->count - first);
  thinned->volume = rill_allocate(run->count / apart + 1, sizeof *thinned->volume);
  if (thinned->volume == NULL) return false;
  for (size_t i = first; i < run->count; i += apart) thinned->volume[thinned->count++] = run->volume[i];
  return true;
}

static struct rill_slope slope_of_part(const struct thinned of[2], size_t from, size_t to, size_t parts) {
  const size_t p = of[0].count * from / parts, q = of[1].count * from / parts;
  return rill_density_ratio_slope(of[0].volume + p, of[0].count * to / parts - p, of[1].volume + q,
                                  of[1].count * to / parts - q);
}

/* The standard error of the mean over parts: it includes motions that are slower than the distance of samples shows.
 * NaN with a part that is too short. */
static double scatter(const struct thinned of[2]) {
  double sum = 0, squares = 0;
  for (size_t k = 0; k < PARTS; k++) {
    const double slope = slope_of_part(of, k, k + 1, PARTS).slope;
    sum += slope;
    squares += slope * slope;
  }
  return sqrt(fmax(squares - sum * sum / PARTS, 0) / (PARTS * (PARTS - 1.0)));
}

static void judge(const struct thinned of[2], double exact, struct rill_finding *finding) {
  const struct rill_slope slope = slope_of_part(of, 0, 1, 1);
  const double error = fmax(slope.error, scatter(of)), off = fabs(slope.slope - exact) / error;
  *finding = (struct rill_finding){.what = "two pressures",
                                   .statistical = true,
                                   .value = slope.slope,
                                   .error = error,
                                   .limit = exact,
                                   .unit = "/nm3",
                                   .verdict = RILL_VERDICT_OPEN};
  if (!isfinite(slope.slope)) {
    snprintf(finding->text, sizeof finding->text,
             "the volumes of the two runs are too few (%zu and %zu independent ones), or do not overlap", of[0].count,
             of[1].count);
    return;
  }
  finding->verdict = off <= rill_errors_allowed(PARTS - 1) ? RILL_VERDICT_PASSES : RILL_VERDICT_FAILS;
  snprintf(finding->text, sizeof finding->text,
           "slope of ln(p2(V)/p1(V)): %.1f standard errors from -(P2 - P1)/kT = %.4g /nm3%s", off, exact,
           finding->verdict == RILL_VERDICT_FAILS
               ? ": the volumes do not have the law of these pressures, or the runs are too short to know their error"
               : "");
}

bool rill_judge_two_pressures(const struct rill_volumes run[2], double kt, struct rill_finding *finding) {
  struct thinned thinned[2] = {{0}};
  const bool fine = thin(&run[0], &thinned[0]) && thin(&run[1], &thinned[1]);
  if (fine) judge(thinned, -(run[1].pressure - run[0].pressure) / kt, finding);
  rill_release(thinned[0].volume);
  rill_release(thinned[1].volume);
  return fine;
}
