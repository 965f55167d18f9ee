# files of this room
librill_core_a_SOURCES += \
  src/deck/deck.c src/deck/deck.h \
  src/deck/edit.c src/deck/edit.h \
  src/deck/expand.c \
  src/deck/fields.c src/deck/fields.h \
  src/deck/ini.c src/deck/ini.h \
  src/deck/kind.c src/deck/kind.h \
  src/deck/ladder.c src/deck/ladder.h \
  src/deck/schema.c src/deck/schema.h \
  src/deck/synonyms.c src/deck/synonyms.h \
  src/deck/units.c src/deck/units.h
