librill_core_a_SOURCES += src/water/thermostat/noise_body.h src/water/thermostat/rescale.c src/water/thermostat/rescale.h src/base/simd/math.h
