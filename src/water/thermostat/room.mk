librill_core_la_SOURCES += src/water/thermostat/noise_body.h src/base/simd/math.h
