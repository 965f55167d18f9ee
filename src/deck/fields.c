#include "deck/fields.h"

#include <string.h>

bool rill_deck_is_forced(const struct rill_deck *deck) {
  return deck->force.on || deck->control.on || deck->friction.on;
}

bool rill_deck_writes_checkpoint(const struct rill_deck *deck) {
  if (deck->output.checkpoint[0] == '\0') return deck->output.trajectory[0] != '\0';
  return strcmp(deck->output.checkpoint, "none") != 0;
}

const char *rill_deck_time_unit(const struct rill_deck *deck) {
  switch (deck->units) {
  case RILL_UNITS_MOLECULAR: return "ps";
  case RILL_UNITS_NONE: return "";
  case RILL_UNITS_SI: return "s";
  }
  return "";
}
