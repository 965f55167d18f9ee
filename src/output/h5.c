#include "config.h" /* _GNU_SOURCE, for recursive mutexes */

#include "output/h5.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/memory.h"

enum { REASON_CAPACITY = 512 };

static bool owns_process;

void rill_h5_own_process(void) { owns_process = true; }

void rill_h5_prepare(void) {
  static bool prepared;
  if (prepared) return;
  prepared = true;
  if (owns_process) H5dont_atexit();
  H5Eget_num(H5E_DEFAULT); /* creates the error stack of this thread, which HDF5 would do without a check */
}

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static unsigned nesting; /* depth of nested sections, protected by the lock */

struct rill_h5_section rill_h5_enter(void) {
  struct rill_h5_section section = {0};
  pthread_mutex_lock(&lock);
  section.outermost = nesting++ == 0;
  if (!section.outermost) return section;
  rill_h5_prepare();
  H5Eget_auto2(H5E_DEFAULT, &section.report, &section.report_data);
  H5PLget_loading_state(&section.plugins);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5PLset_loading_state(0);
  return section;
}

void rill_h5_leave(struct rill_h5_section *section) {
  if (section->outermost) {
    H5Eset_auto2(H5E_DEFAULT, section->report, section->report_data);
    H5PLset_loading_state(section->plugins);
  }
  nesting--;
  pthread_mutex_unlock(&lock);
}

/* HDF5 calls this from the innermost entry outwards; only the first is kept. */
static herr_t keep_reason(unsigned depth, const H5E_error2_t *entry, void *reason) {
  if (depth == 0 && entry->desc != NULL) snprintf(reason, REASON_CAPACITY, "%s", entry->desc);
  return 0;
}

enum rill_status rill_h5_error(struct rill_error *error, enum rill_status status, const char *path,
                               const char *doing) {
  char reason[REASON_CAPACITY] = "no reason given";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, reason);
  return rill_error_set(error, status, "%s: %s (HDF5: %s)", path, doing, reason);
}

void *rill_h5_allocate(size_t count, size_t size) {
  void *memory = rill_allocate(count, size);
  if (memory == NULL)
    H5Epush2(H5E_DEFAULT, __FILE__, "rill_h5_allocate", __LINE__, H5E_ERR_CLS, H5E_RESOURCE, H5E_NOSPACE,
             "out of memory");
  return memory;
}

void rill_h5_close(hid_t identifier) {
  hid_t reasons;
  if (identifier < 0) return;
  reasons = H5Eget_num(H5E_DEFAULT) > 0 ? H5Eget_current_stack() : H5I_INVALID_HID;
  if (H5Iget_type(identifier) == H5I_FILE) H5Fclose(identifier);
  else H5Idec_ref(identifier);
  if (reasons >= 0) H5Eset_current_stack(reasons);
}
