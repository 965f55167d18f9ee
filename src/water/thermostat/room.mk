librill_core_a_SOURCES += src/water/thermostat/noise_body.h src/base/simd/math.h
