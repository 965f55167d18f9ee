librill_a_SOURCES += src/numerics/band.c src/numerics/band.h
