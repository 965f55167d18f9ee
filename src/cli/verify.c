/* rill verify: whether the files of a run are as its checkpoint says. */
#include "cli/command.h"
#include "cli/notes.h"
#include "show/findings.h"
#include "study/verify.h"

static enum rill_status verify(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_page page;
  const char *path = arguments->positional[0];
  const struct rill_verify_request request = {.path = path,
                                              .overrides = arguments->repeated,
                                              .override_count = arguments->repeated_count,
                                              .folder = rill_argument(arguments, "output"),
                                              .notes = rill_notes_unless(rill_argument_given(arguments, "quiet")),
                                              .take = rill_show_findings,
                                              .context = &page};
  const enum rill_verify_kind kind = rill_verify_kind_of(path);
  struct rill_verify_counts counts;
  if (kind != RILL_VERIFY_DECK && (request.override_count > 0 || request.folder != NULL))
    return rill_error_set(error, RILL_ERROR_USAGE, "--set and --output are for decks; %s is %s", path,
                          kind == RILL_VERIFY_FOLDER ? "a folder" : "a checkpoint");
  RILL_TRY(rill_arguments_page(arguments, RILL_PAGE_TEXT, &page, error));
  rill_page_list(&page);
  RILL_TRY(rill_page_end(&page, rill_verify(&request, &counts, error), error));
  if (counts.bad > 0)
    return rill_error_set(error, RILL_ERROR_FAILED, "%s: %zu of %zu files are not as the checkpoint says", path,
                          counts.bad, counts.files);
  if (!rill_argument_given(arguments, "json")) printf("all %zu files are as the checkpoint says\n", counts.files);
  return RILL_OK;
}

static const struct rill_option_row options[] = {
    {"output", 'o', "DIR", "of a deck: the folder that its run wrote to (default: the current one)"},
    {"set", 's', "section.key=value", "of a deck: sets a key; may be given several times"},
    {"json", 0, NULL, "print a JSON list, an object per checkpoint, with an object per file"},
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
        "checksums: of a trajectory all frames and tables, the deck, masses, charges and the structure of the file; "
        "of a CSV and of the frames in GRO each byte. A run that ended, complete or stopped, left its files intact; "
        "one that was killed left them resumable: they hold everything up to the checkpoint, and later data are "
        "ignored. Files that are missing or damaged are named, and the exit status is 1. Nothing is changed.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = verify,
};
