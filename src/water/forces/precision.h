/* Of the forces: all in double precision; or pairs in single precision, and their sums and the state in double. */
#ifndef RILL_WATER_FORCES_PRECISION_H
#define RILL_WATER_FORCES_PRECISION_H

enum rill_precision { RILL_PRECISION_DOUBLE, RILL_PRECISION_MIXED };

#endif
