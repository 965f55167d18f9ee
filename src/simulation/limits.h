/* The limits of [stop]: from the deck and the start of the run to the limits of the driver's guard. */
#ifndef RILL_SIMULATION_LIMITS_H
#define RILL_SIMULATION_LIMITS_H

#include "simulation/simulation.h"

/* |d - d0| / d0 of a bond of penalised water that has `before` times the given length, plus ten thermal widths:
 * g = |r|^2 - d0^2 has the width sqrt(k T) / w. */
double rill_stop_stretch(double stiffness, double length, double temperature, double before);

/* kJ/mol per ps: the most that the deck's bath supplies to that many degrees of freedom on average; 0 without
 * a bath. */
double rill_stop_supply(const struct rill_deck *deck, const struct rill_water_model *model, double freedom);

#endif
