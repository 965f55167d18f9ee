# files of this room
librill_a_SOURCES += \
  src/output/h5.c src/output/h5.h \
  src/output/ordered_driver.c src/output/ordered_driver.h \
  src/output/series.c src/output/series.h \
  src/output/trajectory.h src/output/trajectory_reader.c src/output/trajectory_writer.c
