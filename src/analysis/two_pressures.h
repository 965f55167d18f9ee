/* Two runs of one system at constant temperature and two pressures: the ratio of the densities of their volumes is
 * exp(-(P2 - P1) V / kT) times a constant, whatever the system; Shirts, J. Chem. Theory Comput. 9, 909 (2013). */
#ifndef RILL_ANALYSIS_TWO_PRESSURES_H
#define RILL_ANALYSIS_TWO_PRESSURES_H

#include "analysis/verdicts.h"

struct rill_volumes {
  const double *volume; /* [count] nm3, evenly spaced in time; borrowed */
  size_t count;
  double pressure; /* of the barostat, kJ/mol/nm3 */
};

/* kt: kJ/mol.  Samples before the volumes are equilibrated are left out.  Open when the volumes do not overlap, or
 * when there are too few independent ones.  False: no memory. */
bool rill_judge_two_pressures(const struct rill_volumes run[2], double kt, struct rill_finding *finding);

#endif
