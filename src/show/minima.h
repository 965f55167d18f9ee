/* Built structures, and minima. */
#ifndef RILL_SHOW_MINIMA_H
#define RILL_SHOW_MINIMA_H

#include "show/page.h"
#include "simulation/water_amount.h"

/* With up to this many molecules one search finds the lowest known energy; with more, several are made. */
enum { RILL_SURE_CLUSTER = 7 };

/* amount: completed; seed: of the positions; out: the output file. */
void rill_show_built(struct rill_page *page, const struct rill_structure *structure,
                     const struct rill_build_report *report, const struct rill_water_amount *amount, uint64_t seed,
                     const char *out);

/* The minimisation of a frame of a structure; out: the output file. */
void rill_show_minimum(const struct rill_shown_frames *all, const char *out, const char *model,
                       const struct rill_structure *structure, size_t frame,
                       const struct rill_minimize_report *report);
/* To be called at the end: the text names the output file. */
void rill_show_written(struct rill_page *page, const char *out);

#endif
