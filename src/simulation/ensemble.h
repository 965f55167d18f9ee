/* Ensembles as a kind of simulation: each replica is made as a simulation of its own deck would be. */
#ifndef RILL_SIMULATION_ENSEMBLE_H
#define RILL_SIMULATION_ENSEMBLE_H

#include "simulation/simulation.h"

/* Number of temperatures: of the deck's ladder, or 1. */
size_t rill_ensemble_rungs(const struct rill_deck *deck);
/* Temperature of a rung, K. */
double rill_ensemble_temperature(const struct rill_deck *deck, size_t rung);

/* The deck of a run that is like a replica, as long as that keeps its first temperature: without [ensemble], with the
 * replica's seed and temperature. */
void rill_ensemble_deck(const struct rill_deck *deck, size_t replica, struct rill_deck *single);

/* RILL_ERROR_INPUT for a deck with [ensemble], which `what` does not take. */
enum rill_status rill_ensemble_refuse(const struct rill_deck *deck, const char *what, struct rill_error *error);

#endif
