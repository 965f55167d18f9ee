#include "structure/export.h"

#include <string.h>
#include <strings.h>

const struct rill_export *rill_export_find(const char *path) {
  static const struct rill_export *const rows[] = {&rill_export_dcd, &rill_export_trr, &rill_export_psf};
  const char *extension = strrchr(path, '.');
  for (size_t i = 0; extension != NULL && i < sizeof rows / sizeof rows[0]; i++)
    if (strcasecmp(extension, rows[i]->extension) == 0) return rows[i];
  return NULL;
}
