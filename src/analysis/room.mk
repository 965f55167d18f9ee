# files of this room
librill_core_a_SOURCES += \
  src/analysis/block_sums.c src/analysis/block_sums.h \
  src/analysis/correlation_fits.c src/analysis/correlation_fits.h \
  src/analysis/correlator.c src/analysis/correlator.h \
  src/analysis/density_ratio.c src/analysis/density_ratio.h \
  src/analysis/displacement.c src/analysis/displacement.h \
  src/analysis/hydrogen_bonds.c src/analysis/hydrogen_bonds.h \
  src/analysis/minima.c src/analysis/minima.h \
  src/analysis/rdf.c src/analysis/rdf.h \
  src/analysis/statistics.c src/analysis/statistics.h \
  src/analysis/step_limit.c src/analysis/step_limit.h \
  src/analysis/two_pressures.c src/analysis/two_pressures.h \
  src/analysis/verdicts.c src/analysis/verdicts.h
