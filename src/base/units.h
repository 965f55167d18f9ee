/* Units and constants.  Internally rill uses nm, ps, u, e, K, kJ/mol, which are consistent (1 kJ/mol = 1 u nm2/ps2).
 * Physical constants are defined in this file only; only the deck, the readers and the writers convert units. */
#ifndef RILL_BASE_UNITS_H
#define RILL_BASE_UNITS_H

/* Gas constant R = k_B N_A, in kJ/(mol K); CODATA 2018, where k_B and N_A are exact. */
#define RILL_GAS_CONSTANT 8.31446261815324e-3
/* e2 N_A / (4 pi epsilon_0), in kJ mol-1 nm e-2; CODATA 2018. */
#define RILL_COULOMB_CONSTANT 138.93545764438
/* kJ per kcal: the thermochemical calorie, exact. */
#define RILL_KCAL 4.184
#define RILL_ANGSTROM 0.1     /* nm */
#define RILL_PICOMETRE 1e-3   /* nm */
#define RILL_FEMTOSECOND 1e-3 /* ps */
#define RILL_NANOSECOND 1e3   /* ps */
/* The akma unit of time, sqrt(u A2 mol / kcal), in ps: 0.1 / sqrt(4.184). */
#define RILL_AKMA_TIME 0.04888821290839617
/* bar in kJ mol-1 nm-3: 1e5 Pa * N_A * 1e-27 m3 / 1e3 (CODATA 2018 N_A). */
#define RILL_BAR 0.0602214076
/* g/cm3 in u/nm3: N_A * 1e-21 (CODATA 2018 N_A). */
#define RILL_GRAM_PER_CM3 602.214076
/* The debye in e nm: 1e-21 / c, in C m, over e and 1e-9 (CODATA 2018 c and e). */
#define RILL_DEBYE 0.020819433270936
/* e V in kJ/mol: Faraday's constant (CODATA 2018) over 1e3. */
#define RILL_VOLT 96.48533212331
#define RILL_RADIAN 57.29577951308232 /* degrees */

#endif
