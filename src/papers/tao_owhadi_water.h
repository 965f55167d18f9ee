/* Tao & Owhadi 2016, section 4.3, molecular dynamics of water: figures 4 to 7, and the times of its text. */
#ifndef RILL_PAPERS_TAO_OWHADI_WATER_H
#define RILL_PAPERS_TAO_OWHADI_WATER_H

#include "papers/result.h"

/* tao-owhadi-figure-4 to -7, tao-owhadi-timing; *count gets their number. */
const struct rill_result *rill_tao_owhadi_water_results(size_t *count);

#endif
