#include "cli/roff.h"

#include <stdbool.h>

#include "config.h"

void rill_roff_text(FILE *stream, const char *text) {
  bool code = false;
  for (const char *c = text; *c; c++) {
    if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n')) fputs("\\&", stream);
    if (*c == '-') fputs("\\-", stream);
    else if (*c == '\\') fputs("\\e", stream);
    else if (*c == '^') fputs("\\(ha", stream);
    else if (*c == '~') fputs("\\(ti", stream);
    else if (*c == '`') fputs((code = !code) ? "\\fB" : "\\fR", stream);
    else fputc(*c, stream);
  }
}

void rill_roff_line(FILE *stream, const char *macro, const char *text) {
  fputs(macro, stream);
  rill_roff_text(stream, text);
  fputc('\n', stream);
}

void rill_roff_paragraph(FILE *stream, const char *text) {
  fputs(".PP\n", stream);
  rill_roff_line(stream, "", text);
}

void rill_roff_tagged(FILE *stream, const char *tag, const char *text) {
  rill_roff_line(stream, ".TP\n.B ", tag);
  rill_roff_line(stream, "", text);
}

void rill_roff_example(FILE *stream, const char *text) {
  rill_roff_line(stream, ".PP\n.RS 4\n.nf\n", text);
  fputs(".fi\n.RE\n", stream);
}

void rill_roff_title(FILE *stream, const char *name, int section, const char *summary) {
  fprintf(stream, ".TH %s %d \"\" \"rill %s\" \"%s\"\n.nh\n.ad l\n.SH NAME\n", name, section, PACKAGE_VERSION,
          section == 1 ? "User Commands" : "Miscellaneous Information");
  rill_roff_text(stream, name);
  fputs(" \\- ", stream);
  rill_roff_line(stream, "", summary);
}
