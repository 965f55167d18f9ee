#include "systems/registry.h"

#include <string.h>

#define ENTRY(name) &rill_system_##name,
static const struct rill_system_type *const types[] = {RILL_SYSTEM_TYPES(ENTRY)};

const struct rill_system_type *const *rill_system_types(size_t *count) {
  *count = sizeof types / sizeof types[0];
  return types;
}

const struct rill_system_type *rill_system_type_find(const char *name) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strcmp(types[i]->name, name) == 0) return types[i];
  return NULL;
}
