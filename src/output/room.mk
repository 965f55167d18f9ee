# files of this room
librill_core_a_SOURCES += \
  src/output/atom_order.c src/output/atom_order.h \
  src/output/checkpoint.c src/output/checkpoint.h \
  src/output/csv.c src/output/csv.h \
  src/output/h5.c src/output/h5.h src/output/h5_sums.c src/output/h5_sums.h src/output/h5_write.c src/output/h5_write.h \
  src/output/ordered_driver.c src/output/ordered_driver.h \
  src/output/series_file.c src/output/series_file.h src/output/series_reader.c \
  src/output/series.c src/output/series.h \
  src/output/descriptor_driver.c src/output/descriptor_driver.h \
  src/output/h5_read.c src/output/h5_read.h src/output/h5md_file.c src/output/h5md_file.h \
  src/output/sandbox.c src/output/sandbox.h \
  src/output/trajectory.h src/output/trajectory_reader.c src/output/trajectory_writer.c
