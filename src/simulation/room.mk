# a line a pair, so that additions do not meet
librill_core_a_SOURCES += \
  src/simulation/assemble_ensemble.c \
  src/simulation/assemble_small.c \
  src/simulation/assemble_water.c \
  src/simulation/averages.c src/simulation/averages.h \
  src/simulation/continuation.c src/simulation/continuation.h \
  src/simulation/deck_registry.c \
  src/simulation/distribution.c src/simulation/distribution.h \
  src/simulation/energy.c src/simulation/energy.h \
  src/simulation/ensemble.h \
  src/simulation/field.c src/simulation/field.h \
  src/simulation/forcing.c src/simulation/forcing.h \
  src/simulation/find_method.c \
  src/simulation/kind.h \
  src/simulation/limits.c src/simulation/limits.h \
  src/simulation/manifest.c src/simulation/manifest.h \
  src/simulation/outputs.c src/simulation/outputs.h \
  src/simulation/over_ranks.c src/simulation/over_ranks.h \
  src/simulation/parts.h \
  src/simulation/properties.h \
  src/simulation/properties_check.c \
  src/simulation/properties_feed.c \
  src/simulation/properties_file.c src/simulation/properties_file.h \
  src/simulation/properties_parts.h \
  src/simulation/properties_report.c \
  src/simulation/refusals.c src/simulation/refusals.h \
  src/simulation/report.c src/simulation/report.h \
  src/simulation/resources.c src/simulation/resources.h \
  src/simulation/run.c src/simulation/run.h \
  src/simulation/run_parts.c src/simulation/run_parts.h \
  src/simulation/series_columns.c src/simulation/series_columns.h \
  src/simulation/shared_box.c src/simulation/shared_box.h src/simulation/simulation.c src/simulation/simulation.h \
  src/simulation/sink.h \
  src/simulation/sinks/averages.c \
  src/simulation/sinks/distribution.c \
  src/simulation/sinks/frames.c \
  src/simulation/sinks/limits.c \
  src/simulation/sinks/list.h \
  src/simulation/sinks/minima.c \
  src/simulation/sinks/multipliers.c \
  src/simulation/sinks/properties.c \
  src/simulation/sinks/replica_frames.c \
  src/simulation/sinks/replicas.c \
  src/simulation/sinks/rung_distances.c \
  src/simulation/sinks/series.c \
  src/simulation/sinks/sinks.h \
  src/simulation/sinks/small_file.c \
  src/simulation/sinks/small_series.c \
  src/simulation/sinks/summaries.c \
  src/simulation/sinks/trajectory.c \
  src/simulation/small_columns.c src/simulation/small_columns.h \
  src/simulation/small.h \
  src/simulation/small_summary.c src/simulation/small_summary.h \
  src/simulation/stable_steps.c src/simulation/stable_steps.h \
  src/simulation/summary.c src/simulation/summary.h \
  src/simulation/water.h \
  src/simulation/water_amount.c src/simulation/water_amount.h \
  src/simulation/water_find.c \
  src/simulation/water_start.c src/simulation/water_start.h \
  src/simulation/water_warnings.c src/simulation/water_warnings.h \
  src/simulation/written.c src/simulation/written.h
