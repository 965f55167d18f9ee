/* The trial capability of water. */
#ifndef RILL_WATER_WATER_TRIAL_H
#define RILL_WATER_WATER_TRIAL_H

#include "water/water_state.h"

extern const struct rill_trial_ops rill_water_trial_ops;
void rill_water_archive_trials(struct rill_trials *trials, struct rill_archive *archive);

#endif
