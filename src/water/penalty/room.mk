librill_core_a_SOURCES += src/water/penalty/penalty.c src/water/penalty/penalty.h src/water/penalty/penalty_body.h
