/* Notes: messages for the user that do not stop the program.  The library prints nothing; notes are passed to the
 * caller's callback. */
#ifndef RILL_BASE_NOTES_H
#define RILL_BASE_NOTES_H

struct rill_notes {
  /* note: one line, "note: ..." or "warning: ...", without a newline; valid during the call only */
  void (*take)(void *context, const char *note);
  void *context;
};

/* Passes on a note, formatted as by printf and truncated at 2000 characters; does nothing when notes is NULL. */
void rill_note(const struct rill_notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
