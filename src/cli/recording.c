#include "cli/recording.h"

#include <stdio.h>
#include <string.h>

enum rill_status rill_recording_open(const char *path, struct rill_trajectory_reader **reader, struct rill_error *error) {
  RILL_TRY(rill_trajectory_open(path, reader, error));
  for (const char *line = rill_trajectory_note(*reader); *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    fprintf(stderr, "note: %s: %.*s\n", path, (int)length, line);
    line += length + (line[length] == '\n');
  }
  return RILL_OK;
}
