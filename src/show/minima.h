/* Structures that were built, and minima that were found. */
#ifndef RILL_SHOW_MINIMA_H
#define RILL_SHOW_MINIMA_H

#include "show/page.h"
#include "simulation/water_amount.h"

/* Up to so many molecules one search finds the lowest known energy; above, several are made. */
enum {
  RILL_SURE_CLUSTER = 7
};

/* amount: completed; seed: of the positions; out: the file that was written. */
void rill_show_built(struct rill_page *page, const struct rill_structure *structure,
                     const struct rill_build_report *report, const struct rill_water_amount *amount, uint64_t seed,
                     const char *out);

/* How a frame of a structure was minimised; out: the file that is written. */
void rill_show_minimum(const struct rill_shown_frames *all, const char *out, const char *model,
                       const struct rill_structure *structure, size_t frame,
                       const struct rill_minimize_report *report);
/* At the end: in text the file that was written. */
void rill_show_written(struct rill_page *page, const char *out);

#endif
