/* Remedies for a method that does not bind, in terms of a deck's keys. */
#ifndef RILL_SIMULATION_REFUSALS_H
#define RILL_SIMULATION_REFUSALS_H

#include "mech/refusal.h"

enum { RILL_REFUSAL_TEXT = 320 };

/* The remedy, such as "take gla"; NULL when no key of a deck helps. */
const char *rill_refusal_advice(enum rill_refusal refusal);

/* "reason; advice", or the reason alone.  Returns text. */
const char *rill_refusal_text(enum rill_refusal refusal, char text[RILL_REFUSAL_TEXT]);

#endif
