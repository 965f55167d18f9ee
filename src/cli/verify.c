/* rill verify: whether the files of a run are as its checkpoint says. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/notes.h"
#include "cli/json.h"
#include "simulation/manifest.h"
#include "simulation/simulation.h"
#include "deck/deck.h"

static const char previous[] = ".prev";

/* What is found out about all checkpoints. */
struct verification {
  const struct rill_notes *notes; /* NULL for none */
  bool json;
  size_t checkpoints, files, bad;
};

static bool ends_in(const char *path, const char *ending) {
  const size_t length = strlen(path), part = strlen(ending);
  return length > part && strcmp(path + length - part, ending) == 0;
}

/* ---- one checkpoint ---- */

static bool is_bad(const struct rill_file_finding *finding, bool sealed) {
  return finding->state == RILL_FILE_MISSING || finding->state == RILL_FILE_DAMAGED ||
         (finding->state == RILL_FILE_RESUMABLE && sealed);
}

static void print_json(const char *path, const struct rill_checkpoint *checkpoint, const struct rill_findings *findings,
                       bool first) {
  printf("%s\n  {\"checkpoint\": ", first ? "" : ",");
  rill_json_string(path);
  printf(", \"stands_in\": %s, \"step\": %" PRIu64 ", \"complete\": %s, \"files\": [",
         checkpoint->stands_in ? "true" : "false", checkpoint->step, checkpoint->complete ? "true" : "false");
  for (size_t i = 0; i < findings->count; i++) {
    const struct rill_file_finding *finding = &findings->of[i];
    printf("%s\n    {\"file\": ", i > 0 ? "," : "");
    rill_json_string(finding->path);
    printf(", \"role\": \"%s\", \"state\": \"%s\", \"text\": ", rill_file_role_name(finding->role),
           rill_file_state_name(finding->state));
    rill_json_string(finding->text);
    printf("}");
  }
  printf("]}");
}

static void print_text(const char *path, const struct rill_checkpoint *checkpoint, const struct rill_findings *findings) {
  printf("%s%s: step %" PRIu64 ", %s\n", path, checkpoint->stands_in ? previous : "", checkpoint->step,
         checkpoint->complete ? "complete" : "to be resumed (--resume)");
  for (size_t i = 0; i < findings->count; i++) {
    const struct rill_file_finding *finding = &findings->of[i];
    printf("  %-10s %-12s %s\n", rill_file_state_name(finding->state), rill_file_role_name(finding->role), finding->path);
    if (finding->text[0] != '\0') printf("             %s\n", finding->text);
  }
}

static enum rill_status verify_checkpoint(const char *path, struct verification *all, struct rill_error *error) {
  struct rill_checkpoint checkpoint;
  struct rill_findings *findings;
  struct rill_error *fault = calloc(1, sizeof *fault);
  enum rill_status status;
  bool missing;
  findings = malloc(sizeof *findings);
  if (fault == NULL || findings == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  } else if ((status = rill_checkpoint_load(path, &checkpoint, &missing, fault, error)) == RILL_OK) {
    const bool sealed = checkpoint.sealed && !checkpoint.stands_in;
    status = rill_manifest_check(path, &checkpoint, all->notes, findings, error);
    for (size_t i = 0; status == RILL_OK && i < findings->count; i++) all->bad += is_bad(&findings->of[i], sealed);
    if (checkpoint.stands_in && all->notes != NULL)
      rill_note(all->notes, "note: %s; the one before, %s%s, stands in for it", fault->text, path, previous);
    if (status == RILL_OK && all->json) print_json(path, &checkpoint, findings, all->checkpoints == 0);
    if (status == RILL_OK && !all->json) print_text(path, &checkpoint, findings);
    if (status == RILL_OK) all->files += findings->count;
    all->checkpoints++;
    rill_checkpoint_release(&checkpoint);
  }
  free(findings);
  free(fault);
  return status;
}

/* ---- a folder ---- */

/* A checkpoint, or a name beside which lies one that stands in for it; not itself one of those. */
static int is_checkpoint_name(const char *folder, const char *name, char path[RILL_PATH]) {
  char before[RILL_PATH + sizeof previous];
  size_t length;
  if (snprintf(path, RILL_PATH, "%s/%s", folder, name) >= RILL_PATH || ends_in(name, ".part")) return 0;
  if (!ends_in(name, previous)) {
    snprintf(before, sizeof before, "%s%s", path, previous);
    return rill_checkpoint_is(path) || rill_checkpoint_is(before);
  }
  length = strlen(path) - strlen(previous);
  if (!rill_checkpoint_is(path)) return 0;
  path[length] = '\0';
  return access(path, F_OK) != 0; /* otherwise it has its turn */
}

static enum rill_status verify_folder(const char *folder, struct verification *all, struct rill_error *error) {
  struct dirent **names;
  const int count = scandir(folder, &names, NULL, alphasort);
  enum rill_status status = RILL_OK;
  char path[RILL_PATH];
  if (count < 0) return rill_error_set(error, RILL_ERROR_INPUT, "%s cannot be read: %s", folder, strerror(errno));
  for (int i = 0; i < count; i++) {
    if (status == RILL_OK && is_checkpoint_name(folder, names[i]->d_name, path))
      status = verify_checkpoint(path, all, error);
    free(names[i]);
  }
  free(names);
  if (status == RILL_OK && all->checkpoints == 0)
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s: no checkpoint is there; expected the folder of a run (its -o DIR)",
                            folder);
  return status;
}

/* ---- a deck ---- */

static enum rill_status verify_deck(const struct rill_arguments *arguments, struct verification *all,
                                    struct rill_error *error) {
  struct rill_outputs *outputs = calloc(1, sizeof *outputs);
  struct rill_deck *deck = calloc(1, sizeof *deck);
  enum rill_status status = RILL_OK;
  if (outputs == NULL || deck == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  if (status == RILL_OK)
    status = rill_deck_read_with(&rill_deck_lore, arguments->positional[0], arguments->repeated, arguments->repeated_count,
                                 deck, error);
  if (status == RILL_OK) status = rill_outputs_enter(outputs, rill_argument(arguments, "output"), error);
  if (status == RILL_OK)
    status = (deck->units == RILL_UNITS_MOLECULAR ? rill_outputs_plan : rill_outputs_plan_small)(outputs, deck, error);
  if (status == RILL_OK && outputs->checkpoint[0] == '\0')
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s: [output] has no checkpoint to compare files with",
                            arguments->positional[0]);
  if (status == RILL_OK) status = verify_checkpoint(outputs->checkpoint, all, error);
  free(deck);
  free(outputs);
  return status;
}

/* ---- the command ---- */

static bool is_output(const char *path) {
  static const char *const endings[] = {".h5md", ".h5", ".csv", ".gro", ".pdb", ".xyz"};
  const char *ending = strrchr(path, '.');
  for (size_t i = 0; ending != NULL && i < sizeof endings / sizeof endings[0]; i++)
    if (strcmp(ending, endings[i]) == 0) return true;
  return false;
}

static enum rill_status verify_path(const struct rill_arguments *arguments, struct verification *all,
                                    struct rill_error *error) {
  const char *path = arguments->positional[0];
  char before[RILL_PATH];
  struct stat information;
  const bool folder = stat(path, &information) == 0 && S_ISDIR(information.st_mode);
  bool checkpoint;
  snprintf(before, sizeof before, "%s%s", path, previous);
  checkpoint = !folder && (rill_checkpoint_is(path) || rill_checkpoint_is(before));
  if ((folder || checkpoint) && (arguments->repeated_count > 0 || rill_argument_given(arguments, "output")))
    return rill_error_set(error, RILL_ERROR_USAGE, "--set and --output are for decks; %s is %s", path,
                          folder ? "a folder" : "a checkpoint");
  if (folder) return verify_folder(path, all, error);
  if (!checkpoint && is_output(path))
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "%s: expected a deck, a checkpoint, or the folder of a run, whose files are verified together",
                          path);
  return checkpoint ? verify_checkpoint(path, all, error) : verify_deck(arguments, all, error);
}

static enum rill_status verify(const struct rill_arguments *arguments, struct rill_error *error) {
  struct verification all = {.notes = rill_notes_unless(rill_argument_given(arguments, "quiet")),
                             .json = rill_argument_given(arguments, "json")};
  enum rill_status status;
  if (all.json) printf("[");
  status = verify_path(arguments, &all, error);
  if (all.json) printf("\n]\n");
  if (status != RILL_OK) return status;
  if (all.bad > 0)
    return rill_error_set(error, RILL_ERROR_FAILED, "%s: %zu of %zu files are not as the checkpoint says",
                          arguments->positional[0], all.bad, all.files);
  if (!all.json) printf("all %zu files are as the checkpoint says\n", all.files);
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
