librill_la_SOURCES += \
  src/library/files.c \
  src/library/handle.h \
  src/library/lists.c \
  src/library/methods.c \
  src/library/observe.c \
  src/library/open.c \
  src/library/run.c \
  src/library/state.c

# What is installed: the headers of src/rill, and what pkg-config has to know.
rillincludedir = $(includedir)/rill
rillinclude_HEADERS = src/rill/rill.h src/rill/status.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = rill.pc
