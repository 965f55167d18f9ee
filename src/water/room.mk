librill_core_a_SOURCES += \
  src/water/domain/halo.c src/water/domain/halo.h src/water/water_domain.c src/water/water_domain.h src/water/water_hand_out.c src/water/water_hand_out.h src/water/water_lead.c src/water/water_lead.h src/water/water_ranks.c src/water/water_ranks.h \
  src/water/cell.c src/water/cell.h src/water/help.h src/water/water_options.h src/water/water_state.h \
  src/water/water_accuracy.c src/water/water_accuracy.h src/water/water_atoms.c src/water/water_atoms.h src/water/water_barostat.c src/water/water_barostat.h \
  src/water/water_bath.c src/water/water_bath.h src/water/water_bodies.c src/water/water_bodies.h src/water/water_evaluate.c src/water/water_evaluate.h \
  src/water/water_field.c src/water/water_field.h src/water/water_filtered.c src/water/water_filtered.h src/water/water_implicit.c src/water/water_implicit.h \
  src/water/water_observe.c src/water/water_observe.h src/water/water_passes.c src/water/water_passes.h src/water/water_penalised.c src/water/water_penalised.h \
  src/water/water_rescale.c src/water/water_rescale.h src/water/water_sample.c src/water/water_sample.h src/water/water_rigid.c src/water/water_rigid.h src/water/water_start.c src/water/water_momenta.c src/water/water_momenta.h \
  src/water/water_system.c src/water/water_system.h src/water/water_thermal.c src/water/water_thermal.h src/water/water_trial.c src/water/water_trial.h \
  src/water/water_trouble.c src/water/water_trouble.h src/water/water_multipliers.c

# Where the time of a step goes: make bench-programs
EXTRA_PROGRAMS += bench/step
bench_step_SOURCES = bench/step.c bench/clock.h
bench_step_LDADD = $(RILL_LINK)
