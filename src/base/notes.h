/* Notes: what a user should know and nothing stops for.  Below the program nothing prints; notes are handed to whoever asked for
 * them. */
#ifndef RILL_BASE_NOTES_H
#define RILL_BASE_NOTES_H

struct rill_notes {
  /* note: one line, "note: ..." or "warning: ...", without a newline; not kept by the caller. */
  void (*take)(void *context, const char *note);
  void *context;
};

/* Hands over a note in printf's way; does nothing where notes is NULL.  It is cut at 2000 characters. */
void rill_note(const struct rill_notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
