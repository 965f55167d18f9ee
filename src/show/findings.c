#include "show/findings.h"

#include <inttypes.h>

void rill_show_findings(void *context, const char *path, const struct rill_checkpoint *checkpoint,
                        const struct rill_findings *findings) {
  struct rill_page *page = context;
  struct rill_json *json = &page->json;
  FILE *out = page->text;
  if (out != NULL) {
    fprintf(out, "%s%s: step %" PRIu64 ", %s\n", path, checkpoint->stands_in ? ".prev" : "", checkpoint->step,
            checkpoint->complete ? "complete" : "to be resumed (--resume)");
  } else {
    rill_json_object(json, NULL);
    rill_json_string(json, "checkpoint", path);
    rill_json_bool(json, "stands_in", checkpoint->stands_in);
    rill_json_count(json, "step", checkpoint->step);
    rill_json_bool(json, "complete", checkpoint->complete);
    rill_json_list(json, "files");
  }
  for (size_t i = 0; i < findings->count; i++) {
    const struct rill_file_finding *finding = &findings->of[i];
    const char *state = rill_file_state_name(finding->state), *role = rill_file_role_name(finding->role);
    if (out != NULL) {
      fprintf(out, "  %-10s %-12s %s\n", state, role, finding->path);
      if (finding->text[0] != '\0') fprintf(out, "             %s\n", finding->text);
      continue;
    }
    rill_json_object(json, NULL);
    rill_json_string(json, "file", finding->path);
    rill_json_string(json, "role", role);
    rill_json_string(json, "state", state);
    rill_json_string(json, "text", finding->text);
    rill_json_close(json);
  }
  if (out != NULL) return;
  rill_json_close(json);
  rill_json_close(json);
}
