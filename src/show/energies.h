/* Energies of structures. */
#ifndef RILL_SHOW_ENERGIES_H
#define RILL_SHOW_ENERGIES_H

#include "show/page.h"
#include "simulation/energy.h"

void rill_show_energy(const struct rill_shown_frames *all, const struct rill_energy_options *options,
                      const struct rill_energy *energy, size_t frame);
/* To be called after the last of several frames: their number and the columns, which the text shows above them. */
void rill_show_energies_head(const struct rill_shown_frames *all, const struct rill_energy_options *options,
                             size_t frames);

#endif
