/* The limits of [stop]: from the deck and the start of the run to what the guard of the driver judges by. */
#ifndef RILL_SIMULATION_LIMITS_H
#define RILL_SIMULATION_LIMITS_H

#include "simulation/simulation.h"

/* |d - d0| / d0 of a bond of penalised water, of that length, that is `before` times its length and then ten thermal
 * widths longer: g = |r|^2 - d0^2 has the width sqrt(k T) / w. */
double rill_stop_stretch(double stiffness, double length, double temperature, double before);

/* kJ/mol in a ps: the most that the deck's bath supplies to so many degrees of freedom on average; 0 without a
 * bath. */
double rill_stop_supply(const struct rill_deck *deck, const struct rill_water_model *model, double freedom);

#endif
