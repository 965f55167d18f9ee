librill_core_a_SOURCES += \
  src/base/archive.c src/base/archive.h \
  src/base/choices.c src/base/choices.h src/base/method_options.h \
  src/base/cpu.c src/base/cpu.h \
  src/base/exact_sum.c src/base/exact_sum.h \
  src/base/grid.c src/base/grid.h \
  src/base/memory.c src/base/memory.h \
  src/base/notes.c src/base/notes.h \
  src/base/output_file.c src/base/output_file.h \
  src/base/output_lock.c src/base/output_lock.h \
  src/base/nearest.c src/base/nearest.h \
  src/base/ranks.h \
  src/base/random.c src/base/random.h \
  src/base/status.c src/base/status.h \
  src/base/team.c src/base/team.h \
  src/base/timers.c src/base/timers.h \
  src/base/units.h \
  src/base/visible.c src/base/visible.h \
  src/base/simd/lanes.h src/base/simd/simd.h src/base/simd/specialised.h \
  src/base/simd/vectors128.h src/base/simd/portable.h src/base/simd/neon.h \
  src/base/simd/avx2.h src/base/simd/avx512.h
