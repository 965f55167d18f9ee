/* rill verify: whether the files of a run are as its checkpoint says. */
#include <inttypes.h>

#include "cli/command.h"
#include "cli/json.h"
#include "cli/notes.h"
#include "study/verify.h"

static void put_checkpoint(struct rill_json *json, const char *path, const struct rill_checkpoint *checkpoint,
                           const struct rill_findings *findings) {
  rill_json_object(json, NULL);
  rill_json_string(json, "checkpoint", path);
  rill_json_bool(json, "stands_in", checkpoint->stands_in);
  rill_json_count(json, "step", checkpoint->step);
  rill_json_bool(json, "complete", checkpoint->complete);
  rill_json_list(json, "files");
  for (size_t i = 0; i < findings->count; i++) {
    const struct rill_file_finding *finding = &findings->of[i];
    rill_json_object(json, NULL);
    rill_json_string(json, "file", finding->path);
    rill_json_string(json, "role", rill_file_role_name(finding->role));
    rill_json_string(json, "state", rill_file_state_name(finding->state));
    rill_json_string(json, "text", finding->text);
    rill_json_close(json);
  }
  rill_json_close(json);
  rill_json_close(json);
}

static void print_text(const char *path, const struct rill_checkpoint *checkpoint, const struct rill_findings *findings) {
  printf("%s%s: step %" PRIu64 ", %s\n", path, checkpoint->stands_in ? ".prev" : "", checkpoint->step,
         checkpoint->complete ? "complete" : "to be resumed (--resume)");
  for (size_t i = 0; i < findings->count; i++) {
    const struct rill_file_finding *finding = &findings->of[i];
    printf("  %-10s %-12s %s\n", rill_file_state_name(finding->state), rill_file_role_name(finding->role), finding->path);
    if (finding->text[0] != '\0') printf("             %s\n", finding->text);
  }
}

static void take(void *context, const char *path, const struct rill_checkpoint *checkpoint,
                 const struct rill_findings *findings) {
  struct rill_json *json = context;
  if (json->stream != NULL)
    put_checkpoint(json, path, checkpoint, findings);
  else
    print_text(path, checkpoint, findings);
}

static enum rill_status verify(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_json json = {0};
  const char *path = arguments->positional[0];
  const struct rill_verify_request request = {.path = path,
                                              .overrides = arguments->repeated,
                                              .override_count = arguments->repeated_count,
                                              .folder = rill_argument(arguments, "output"),
                                              .notes = rill_notes_unless(rill_argument_given(arguments, "quiet")),
                                              .take = take,
                                              .context = &json};
  const enum rill_verify_kind kind = rill_verify_kind_of(path);
  const bool as_json = rill_argument_given(arguments, "json");
  struct rill_verify_counts counts;
  enum rill_status status;
  if (kind != RILL_VERIFY_DECK && (request.override_count > 0 || request.folder != NULL))
    return rill_error_set(error, RILL_ERROR_USAGE, "--set and --output are for decks; %s is %s", path,
                          kind == RILL_VERIFY_FOLDER ? "a folder" : "a checkpoint");
  if (as_json) RILL_TRY(rill_json_begin(&json, error));
  if (as_json) rill_json_list(&json, NULL);
  status = rill_verify(&request, &counts, error);
  if (as_json) rill_json_close(&json);
  RILL_TRY(rill_json_end(&json, status, error));
  if (counts.bad > 0)
    return rill_error_set(error, RILL_ERROR_FAILED, "%s: %zu of %zu files are not as the checkpoint says", path,
                          counts.bad, counts.files);
  if (!as_json) printf("all %zu files are as the checkpoint says\n", counts.files);
  return RILL_OK;
}

static const struct rill_option_row options[] = {
    {"output", 'o', "DIR", "of a deck: the folder that its run wrote to (default: the current one)"},
    {"set", 's', "section.key=value", "of a deck: sets a key; may be given several times"},
    {"json", 0, NULL, "print a JSON list, an object a checkpoint, with an object a file"},
    {"quiet", 'q', NULL, "no notes"},
};

const struct rill_command rill_command_verify = {
    .name = "verify",
    .positional = "DIR|CHECKPOINT|DECK",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "whether a run's files are as its checkpoint says",
    .description =
        "Reads all files that a checkpoint names, or those of all checkpoints in a folder, and compares lengths and "
        "checksums: of a trajectory all frames and tables, the deck, masses, charges and the structure of the file; of a CSV "
        "and of the frames in GRO each byte. A run that ended, complete or stopped, left its files intact; one that was killed "
        "left them resumable: they hold all that they held at the checkpoint, and what came after it does not count. Files "
        "that are missing or damaged are named, and the exit status is 1. Nothing is changed.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = verify,
};
