librill_core_a_SOURCES += \
  src/structure/molecules.c src/structure/molecules.h \
  src/structure/structure.c src/structure/structure.h \
  src/structure/frames.c src/structure/frames.h \
  src/structure/atoms.c src/structure/atoms.h src/structure/frame.c src/structure/frame.h \
  src/structure/text.c src/structure/text.h \
  src/structure/gro.c src/structure/pdb.c src/structure/xyz.c \
  src/structure/export.c src/structure/export.h src/structure/bytes.h \
  src/structure/dcd.c src/structure/trr.c src/structure/psf.c
