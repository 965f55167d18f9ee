librill_core_a_SOURCES += \
  src/water/relax/build.c src/water/relax/build.h \
  src/water/relax/build_box.c src/water/relax/build_box.h \
  src/water/relax/flexible.c src/water/relax/flexible.h \
  src/water/relax/minimize.c src/water/relax/minimize.h \
  src/water/relax/network.c src/water/relax/network.h \
  src/water/relax/pose.c src/water/relax/pose.h \
  src/water/relax/separate.c src/water/relax/separate.h
