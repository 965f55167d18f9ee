#include "study/verify.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "deck/deck.h"
#include "simulation/simulation.h"

static const char previous[] = ".prev";

static bool ends_in(const char *path, const char *ending) {
  const size_t length = strlen(path), part = strlen(ending);
  return length > part && strcmp(path + length - part, ending) == 0;
}

static bool is_bad(const struct rill_file_finding *finding, bool sealed) {
  return finding->state == RILL_FILE_MISSING || finding->state == RILL_FILE_DAMAGED ||
         (finding->state == RILL_FILE_RESUMABLE && sealed);
}

/* ---- one checkpoint ---- */

static enum rill_status verify_checkpoint(const char *path, const struct rill_verify_request *request,
                                          struct rill_verify_counts *counts, struct rill_error *error) {
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
    status = rill_manifest_check(path, &checkpoint, request->notes, findings, error);
    for (size_t i = 0; status == RILL_OK && i < findings->count; i++) counts->bad += is_bad(&findings->of[i], sealed);
    if (checkpoint.stands_in && request->notes != NULL)
      rill_note(request->notes, "note: %s; the previous one, %s%s, is used instead", fault->text, path, previous);
    if (status == RILL_OK) request->take(request->context, path, &checkpoint, findings);
    if (status == RILL_OK) counts->files += findings->count;
    counts->checkpoints++;
    rill_checkpoint_release(&checkpoint);
  }
  free(findings);
  free(fault);
  return status;
}

/* ---- a folder ---- */

/* Whether the name is that of a checkpoint; a previous one counts only when its checkpoint is missing. */
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
  return access(path, F_OK) != 0; /* otherwise the checkpoint itself is visited */
}

static enum rill_status verify_folder(const struct rill_verify_request *request, struct rill_verify_counts *counts,
                                      struct rill_error *error) {
  const char *folder = request->path;
  struct dirent **names;
  const int count = scandir(folder, &names, NULL, alphasort);
  enum rill_status status = RILL_OK;
  char path[RILL_PATH];
  if (count < 0) return rill_error_set(error, RILL_ERROR_INPUT, "%s cannot be read: %s", folder, strerror(errno));
  for (int i = 0; i < count; i++) {
    if (status == RILL_OK && is_checkpoint_name(folder, names[i]->d_name, path))
      status = verify_checkpoint(path, request, counts, error);
    free(names[i]);
  }
  free(names);
  if (status == RILL_OK && counts->checkpoints == 0)
    status = rill_error_set(error, RILL_ERROR_INPUT,
                            "%s contains no checkpoint; expected the folder of a run (its -o DIR)", folder);
  return status;
}

/* ---- a deck ---- */

static enum rill_status verify_deck(const struct rill_verify_request *request, struct rill_verify_counts *counts,
                                    struct rill_error *error) {
  struct rill_outputs *outputs = calloc(1, sizeof *outputs);
  struct rill_deck *deck = calloc(1, sizeof *deck);
  enum rill_status status = RILL_OK;
  if (outputs == NULL || deck == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  if (status == RILL_OK)
    status = rill_deck_read_with(&rill_deck_registry, request->path, request->overrides, request->override_count,
                                 deck, error);
  if (status == RILL_OK) status = rill_outputs_enter(outputs, request->folder, error);
  if (status == RILL_OK) status = rill_outputs_plan(outputs, deck, error); /* of its files, the checkpoint */
  if (status == RILL_OK && outputs->checkpoint[0] == '\0')
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s: [output] has no checkpoint to compare files with",
                            request->path);
  if (status == RILL_OK) status = verify_checkpoint(outputs->checkpoint, request, counts, error);
  free(deck);
  free(outputs);
  return status;
}

/* ---- all ---- */

static bool is_output(const char *path) {
  static const char *const endings[] = {".h5md", ".h5", ".csv", ".gro", ".pdb", ".xyz"};
  const char *ending = strrchr(path, '.');
  for (size_t i = 0; ending != NULL && i < sizeof endings / sizeof endings[0]; i++)
    if (strcmp(ending, endings[i]) == 0) return true;
  return false;
}

enum rill_verify_kind rill_verify_kind_of(const char *path) {
  char before[RILL_PATH];
  struct stat information;
  if (stat(path, &information) == 0 && S_ISDIR(information.st_mode)) return RILL_VERIFY_FOLDER;
  snprintf(before, sizeof before, "%s%s", path, previous);
  return rill_checkpoint_is(path) || rill_checkpoint_is(before) ? RILL_VERIFY_CHECKPOINT : RILL_VERIFY_DECK;
}

enum rill_status rill_verify(const struct rill_verify_request *request, struct rill_verify_counts *counts,
                             struct rill_error *error) {
  *counts = (struct rill_verify_counts){0};
  switch (rill_verify_kind_of(request->path)) {
  case RILL_VERIFY_FOLDER: return verify_folder(request, counts, error);
  case RILL_VERIFY_CHECKPOINT: return verify_checkpoint(request->path, request, counts, error);
  case RILL_VERIFY_DECK: break;
  }
  if (is_output(request->path))
    return rill_error_set(
        error, RILL_ERROR_USAGE,
        "%s: expected a deck, a checkpoint, or the folder of a run, whose files are verified together",
        request->path);
  return verify_deck(request, counts, error);
}
