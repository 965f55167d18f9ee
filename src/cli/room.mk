rill_SOURCES += src/cli/main.c
