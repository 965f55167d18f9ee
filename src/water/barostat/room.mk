librill_core_a_SOURCES += src/water/barostat/barostat.c src/water/barostat/barostat.h
