/* Manual pages in roff, with the macros of man. */
#ifndef RILL_CLI_ROFF_H
#define RILL_CLI_ROFF_H

#include <stdio.h>

/* Without and with empty lines between tagged paragraphs. */
#define RILL_ROFF_COMPACT ".PD 0\n"
#define RILL_ROFF_SPACED ".PD\n"

/* Text with hyphens that can be copied and without lines that begin with a control character; `code` is bold. */
void rill_roff_text(FILE *stream, const char *text);

/* The text after a macro, and the end of the line. */
void rill_roff_line(FILE *stream, const char *macro, const char *text);

void rill_roff_paragraph(FILE *stream, const char *text);

/* A tagged paragraph: the tag in bold. */
void rill_roff_tagged(FILE *stream, const char *tag, const char *text);

/* Text that is not filled, indented. */
void rill_roff_example(FILE *stream, const char *text);

/* The title of a page of this version, and its section NAME. */
void rill_roff_title(FILE *stream, const char *name, int section, const char *summary);

#endif
