#include "config.h" /* _GNU_SOURCE, for open_memstream */

#include "simulation/continuation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- which keys may change ---- */

/* One line "key = value" of an expanded deck, with its section. */
struct line {
  char section[64], key[64];
  const char *value;
  int length; /* of the value */
};

/* Finds the next such line; false at the end.  line->section is kept between calls. */
static bool next_line(const char **text, struct line *line) {
  while (**text != '\0') {
    const char *start = *text, *end = start + strcspn(start, "\n"),
               *equals = memchr(start, '=', (size_t)(end - start));
    *text = *end == '\n' ? end + 1 : end;
    if (*start == '[') {
      snprintf(line->section, sizeof line->section, "%.*s", (int)(end - start) - 2, start + 1);
    } else if (equals != NULL) {
      snprintf(line->key, sizeof line->key, "%.*s", (int)(equals - start) - 1, start);
      line->value = equals + 2 < end ? equals + 2 : end;
      line->length = (int)(end - line->value);
      return true;
    }
  }
  return false;
}

/* The line with that section and key; false when the deck has none. */
static bool find_line(const char *deck, const struct line *wanted, struct line *line) {
  *line = (struct line){0};
  while (next_line(&deck, line))
    if (strcmp(line->section, wanted->section) == 0 && strcmp(line->key, wanted->key) == 0) return true;
  *line = (struct line){0};
  return false;
}

static bool no_ramp(const struct rill_deck *deck) {
  return deck->thermostat.method == RILL_NO_BATH ||
         deck->thermostat.temperature[0] == deck->thermostat.temperature[1];
}
static bool no_multipliers_or_averages(const struct rill_deck *deck) {
  return !deck->penalty.record && !deck->ensemble.on;
}

/* Keys that affect neither the remaining steps nor sums over the whole run. */
static const struct harmless {
  const char *section, *key;
  bool (*holds)(const struct rill_deck *deck); /* NULL: always */
  const char *otherwise;                       /* why it may not change */
} harmless[] = {
    {"integrator", "steps", no_ramp, ", and the temperature ramp spans all steps"},
    {"integrator", "max_iterations", NULL, NULL},
    {"constraints", "max_iterations", NULL, NULL},
    {"forces", "buffer", NULL, NULL},
    {"forces", "threads", NULL, NULL},
    {"output", "interval", NULL, NULL},
    {"output", "series_interval", no_multipliers_or_averages,
     ", and multipliers, and the averages of an ensemble, are taken at this interval"},
    {"output", "checkpoint", NULL, NULL},
    {"output", "checkpoint_interval", NULL, NULL},
    {"stop", "max_temperature", NULL, NULL},
    {"stop", "max_energy_change", NULL, NULL},
    {"stop", "max_bond", NULL, NULL},
};

enum { HARMLESS = sizeof harmless / sizeof harmless[0] };

static const struct harmless *find_harmless(const struct line *line) {
  for (size_t i = 0; i < HARMLESS; i++)
    if (strcmp(line->section, harmless[i].section) == 0 && strcmp(line->key, harmless[i].key) == 0)
      return &harmless[i];
  return NULL;
}

/* *reason: why this deck does not allow a change that others do. */
static bool is_harmless(const struct line *line, const struct rill_deck *deck, const char **reason) {
  const struct harmless *found = find_harmless(line);
  *reason = "";
  if (found == NULL) return false;
  if (found->holds == NULL || found->holds(deck)) return true;
  *reason = found->otherwise;
  return false;
}

size_t rill_resume_deck_room(const char *expanded) {
  enum { EACH = 128 }; /* per line that may change: one file name may be long, but not all of them */
  static const char limits[] = "[stop]\n"; /* the section is present only with its keys, which may all change */
  struct line line = {0};
  size_t room = strlen(expanded) + HARMLESS * EACH;
  if (strstr(expanded, limits) != NULL) room -= strlen(limits);
  while (next_line(&expanded, &line))
    if (find_harmless(&line) != NULL) room -= strlen(line.key) + strlen(" = \n") + (size_t)line.length;
  return room;
}

static void note_difference(const struct line *line, const struct line *other, bool now, const struct rill_deck *deck,
                            const struct rill_notes *notes, struct rill_error *error) {
  const struct line *is = now ? line : other, *was = now ? other : line;
  const char *reason;
  char text[512];
  snprintf(text, sizeof text, "[%s] %s = %.*s; it was %.*s when the checkpoint was written", line->section, line->key,
           is->value == NULL ? 9 : is->length, is->value == NULL ? "(not set)" : is->value,
           was->value == NULL ? 9 : was->length, was->value == NULL ? "(not set)" : was->value);
  if (!is_harmless(line, deck, &reason)) rill_error_add(error, RILL_ERROR_INPUT, "  %s%s", text, reason);
  else if (notes != NULL && !(strcmp(line->key, "checkpoint") == 0 || strcmp(line->key, "checkpoint_interval") == 0))
    rill_note(notes, "note: %s", text);
}

/* Reports lines of each deck that the other does not have, or has with another value. */
static void compare(const char *was, const char *is, const struct rill_deck *deck, const struct rill_notes *notes,
                    struct rill_error *error) {
  struct line line = {0}, other;
  for (const char *rest = is; next_line(&rest, &line);)
    if (!find_line(was, &line, &other) || other.length != line.length ||
        strncmp(other.value, line.value, (size_t)line.length) != 0)
      note_difference(&line, &other, true, deck, notes, error);
  line = (struct line){0};
  for (const char *rest = was; next_line(&rest, &line);)
    if (!find_line(is, &line, &other)) note_difference(&line, &other, false, deck, notes, error);
}

/* ---- resuming ---- */

static enum rill_status explain_missing(const struct rill_outputs *outputs, struct rill_error *error) {
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "there is no checkpoint %s to resume from: start the run without --resume (with --force if "
                        "there is output of an earlier run), or give the folder of its output with -o",
                        outputs->checkpoint);
}

static enum rill_status check_identity(const struct rill_checkpoint *checkpoint, const struct rill_outputs *outputs,
                                       const struct rill_deck *deck, struct rill_error *error) {
  if (strcmp(checkpoint->kind, deck->system.kind) != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "checkpoint %s is for system %s, but %s has [system] kind = %s",
                          outputs->checkpoint, checkpoint->kind, deck->path, deck->system.kind);
  return RILL_OK;
}

enum rill_status rill_resume_load(const struct rill_outputs *outputs, const struct rill_deck *deck,
                                  const struct rill_notes *notes, struct rill_checkpoint *checkpoint,
                                  struct rill_error *error) {
  static const char advice[] = "restore the deck, or start again (with --force, or in another folder with -o)";
  struct rill_error fault = {0};
  bool missing;
  char *expanded;
  if (outputs->checkpoint[0] == '\0')
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: [output] has no checkpoint: there is nothing to resume from",
                          deck->path);
  if (rill_checkpoint_load(outputs->checkpoint, checkpoint, &missing, &fault, error) != RILL_OK) {
    if (missing) return explain_missing(outputs, error);
    return rill_error_add(error, error->status, "the run cannot be resumed; start it again with --force");
  }
  if (checkpoint->stands_in && notes != NULL)
    rill_note(notes, "note: %s; resuming from the previous one, %s, at step %" PRIu64, fault.text, outputs->previous,
              checkpoint->step);
  RILL_TRY(check_identity(checkpoint, outputs, deck, error));
  expanded = rill_deck_expand(deck);
  if (expanded == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  rill_error_clear(&fault);
  compare(checkpoint->deck, expanded, deck, notes, &fault);
  free(expanded);
  if (fault.status != RILL_OK)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: the deck is not the one that checkpoint %s was written with:\n%s\n%s", deck->path,
                          outputs->checkpoint, fault.text, advice);
  if (checkpoint->step > deck->integrator.steps) {
    const char *unit = rill_deck_time_unit(deck), *space = unit[0] != '\0' ? " " : "";
    return rill_error_set(
        error, RILL_ERROR_INPUT,
        "%s: the run would end at step %" PRIu64 " (%.10g%s%s), but checkpoint %s is at step %" PRIu64
        " (%.10g%s%s): give a longer integrator.time, or start again in another folder",
        deck->path, deck->integrator.steps, (double)deck->integrator.steps * deck->integrator.step, space, unit,
        outputs->checkpoint, checkpoint->step, (double)checkpoint->step * deck->integrator.step, space, unit);
  }
  if (strcmp(checkpoint->version, PACKAGE_VERSION) != 0 && notes != NULL)
    rill_note(notes, "note: the checkpoint was written by rill %s, and this is rill %s; the format is the same",
              checkpoint->version, PACKAGE_VERSION);
  return RILL_OK;
}

/* Whether repeating the end of the run writes the file again. */
static bool is_made_again(const struct rill_file_finding *finding) {
  return finding->state == RILL_FILE_RESUMABLE ||
         (finding->state == RILL_FILE_MISSING && rill_file_role_check(finding->role) == RILL_CHECK_WHOLE_AT_END);
}

static enum rill_status judge_complete(const struct rill_findings *findings, const struct rill_notes *notes,
                                       bool *complete, struct rill_error *error) {
  *complete = true;
  for (size_t i = 0; i < findings->count; i++) {
    const struct rill_file_finding *finding = &findings->of[i];
    if (finding->state == RILL_FILE_INTACT) continue;
    *complete = false;
    if (!is_made_again(finding)) rill_error_add(error, RILL_ERROR_INPUT, "%s", finding->text);
  }
  if (error->status != RILL_OK)
    return rill_error_add(
        error, RILL_ERROR_INPUT,
        "the run is complete, but some of its files have changed since: restore a copy, or start it again (with "
        "--force, or in another folder with -o); a changed final frame or distribution is written again once it is "
        "moved away");
  for (size_t i = 0; i < findings->count && notes != NULL; i++)
    if (findings->of[i].state != RILL_FILE_INTACT)
      rill_note(notes, "note: %s; the end of the run is written again", findings->of[i].text);
  return RILL_OK;
}

enum rill_status rill_resume_is_complete(struct rill_checkpoint *checkpoint, const struct rill_outputs *outputs,
                                         const struct rill_deck *deck, const struct rill_notes *notes, bool *complete,
                                         struct rill_error *error) {
  struct rill_findings *findings;
  enum rill_status status;
  *complete = false;
  if (!checkpoint->complete || checkpoint->stands_in || checkpoint->step != deck->integrator.steps) return RILL_OK;
  findings = malloc(sizeof *findings);
  if (findings == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = rill_manifest_check(outputs->checkpoint, checkpoint, notes, findings, error);
  if (status == RILL_OK) status = judge_complete(findings, notes, complete, error);
  free(findings);
  return status;
}

/* ---- writing checkpoints ---- */

/* Deletes a damaged checkpoint first: it must not replace the previous one, from which the run was resumed. */
static enum rill_status write_checkpoint(struct rill_keeping *keeping, struct rill_archive *archive, bool complete,
                                         struct rill_error *error) {
  if (keeping->torn) (void)unlink(keeping->outputs->checkpoint);
  keeping->torn = false;
  return rill_checkpoint_write(keeping->outputs->checkpoint, keeping->replace || keeping->written, archive, complete,
                               error);
}

static void note_request(const struct rill_keeping *keeping, uint64_t step) {
  if (keeping->notes != NULL)
    rill_note(keeping->notes, "note: checkpoint %s holds step %" PRIu64 ", as requested",
              keeping->outputs->checkpoint, step);
}

static enum rill_status keep(void *self, uint64_t step, enum rill_keep_reason reason, struct rill_error *error) {
  struct rill_keeping *keeping = self;
  struct rill_archive archive;
  struct rill_checkpoint facts = {
      .deck = keeping->expanded, .step = step, .step_length = keeping->deck->integrator.step};
  enum rill_status status;
  snprintf(facts.version, sizeof facts.version, "%s", PACKAGE_VERSION);
  snprintf(facts.kind, sizeof facts.kind, "%s", keeping->deck->system.kind);
  snprintf(facts.kernel, sizeof facts.kernel, "%s", keeping->kernel);
  rill_checkpoint_begin(&archive, &facts);
  rill_manifest_names(keeping->outputs, &keeping->first_frame, &archive);
  status = keeping->save(keeping->job, &archive, error);
  if (status == RILL_OK) status = rill_archive_status(&archive, error);
  if (status == RILL_OK && reason == RILL_KEEP_END) {
    rill_archive_release(&keeping->last);
    keeping->last = archive;
    keeping->ended = true;
    keeping->end = step;
    return RILL_OK;
  }
  if (status == RILL_OK) status = rill_outputs_settle(keeping->outputs, error);
  if (status == RILL_OK) status = write_checkpoint(keeping, &archive, false, error);
  if (status == RILL_OK) {
    keeping->written = true;
    keeping->step = step;
    if (reason == RILL_KEEP_REQUESTED) note_request(keeping, step);
  }
  rill_archive_release(&archive);
  return status;
}

/* Takes the place of a checkpointer in a run with checkpoint = none. */
static enum rill_status keep_nothing(void *self, uint64_t step, enum rill_keep_reason reason,
                                     struct rill_error *error) {
  const struct rill_keeping *keeping = self;
  (void)step, (void)error;
  if (reason == RILL_KEEP_REQUESTED && keeping->notes != NULL)
    rill_note(keeping->notes, "note: a checkpoint was requested, but [output] checkpoint = none");
  return RILL_OK;
}

const struct rill_checkpointer *rill_keeping_checkpointer(struct rill_keeping *keeping,
                                                          struct rill_checkpointer *checkpointer) {
  const struct rill_pace *pace = &keeping->deck->output.checkpoint_interval;
  *checkpointer = (struct rill_checkpointer){.keep = keeping->outputs->checkpoint[0] != '\0' ? keep : keep_nothing,
                                             .self = keeping};
  if (rill_deck_writes_checkpoint(keeping->deck)) {
    checkpointer->interval = pace->steps;
    checkpointer->seconds = 60 * pace->minutes;
  }
  return checkpointer;
}

enum rill_status rill_keeping_note_first_frame(struct rill_keeping *keeping, struct rill_archive *resumed,
                                               const struct rill_notes *notes, struct rill_error *error) {
  const char *path = keeping->outputs->first_frame;
  struct rill_file_sum there;
  struct rill_error fault = {0};
  uint64_t kept[2] = {0};
  if (path[0] == '\0') return RILL_OK;
  if (resumed == NULL) return rill_file_sum(path, &keeping->first_frame, error);
  rill_archive_integers(resumed, "files/first_frame", kept, 2);
  RILL_TRY(rill_archive_status(resumed, error));
  keeping->first_frame = (struct rill_file_sum){kept[0], kept[1]};
  if (notes == NULL) return RILL_OK;
  if (rill_file_sum(path, &there, &fault) != RILL_OK)
    rill_note(notes, "note: the first frame of the run: %s", fault.text);
  else if (there.length != kept[0] || there.crc != kept[1])
    rill_note(notes, "note: the first frame of the run, %s, was changed or damaged", path);
  return RILL_OK;
}

struct rill_archive *rill_keeping_seal(struct rill_keeping *keeping) {
  bool sealed = true;
  if (!keeping->ended) return NULL;
  rill_archive_switch(&keeping->last, "sealed", &sealed);
  rill_archive_enter(&keeping->last, "sealed");
  return &keeping->last;
}

enum rill_status rill_keeping_end(struct rill_keeping *keeping, bool complete, struct rill_error *error) {
  if (!keeping->ended) return RILL_OK;
  if (complete && !keeping->written && !rill_deck_writes_checkpoint(keeping->deck)) return RILL_OK;
  RILL_TRY(rill_manifest_seal(keeping->outputs, &keeping->last, error));
  rill_archive_leave(&keeping->last);
  RILL_TRY(rill_outputs_settle(keeping->outputs, error));
  RILL_TRY(write_checkpoint(keeping, &keeping->last, complete, error));
  keeping->written = true;
  keeping->step = keeping->end;
  return RILL_OK;
}

void rill_keeping_explain(const struct rill_keeping *keeping, const char *again, struct rill_error *error) {
  const bool would_fail_again = error->status == RILL_ERROR_CONVERGENCE || error->status == RILL_ERROR_NOT_FINITE ||
                                error->status == RILL_ERROR_FAILED;
  if (keeping->written && would_fail_again)
    rill_error_add(error, error->status,
                   "checkpoint %s holds step %" PRIu64
                   "; resumed, the run fails again in the same way, unless the limits of [stop] or of iterations "
                   "change: start a new run%s",
                   keeping->outputs->checkpoint, keeping->step,
                   error->status == RILL_ERROR_FAILED || keeping->step == 0 ? "" : ", with a shorter step");
  else if (keeping->written && again != NULL)
    rill_error_add(error, error->status, "checkpoint %s holds step %" PRIu64 "; to resume from there:\n  %s",
                   keeping->outputs->checkpoint, keeping->step, again);
  else if (keeping->outputs->checkpoint[0] != '\0')
    rill_error_add(error, error->status, "no checkpoint was written: the run can only be started again");
}

void rill_resume_add_fault(const struct rill_error *fault, struct rill_error *error) {
  if (fault->status == RILL_OK) return;
  rill_error_add(error, fault->status, "%s", fault->text);
  if (error->status == RILL_INTERRUPTED) error->status = fault->status;
}

void rill_keeping_release(struct rill_keeping *keeping) { rill_archive_release(&keeping->last); }
