/* Initial clusters for section 4.3 of Tao & Owhadi 2016, which prints none: rigid clusters of `tip3p-ac` at minima of
 * the energy, the best of many annealings, -57.91872 and -1115.0107 kcal/mol with 332.0637 kcal A/mol/e2. */
#ifndef RILL_PAPERS_WATER_STARTS_H
#define RILL_PAPERS_WATER_STARTS_H

/* A; O, H, H of each molecule. */
extern const double rill_water_start_7[7][9], rill_water_start_100[100][9];

#endif
