/* A JSON document, written as it is built. */
#ifndef RILL_SHOW_JSON_H
#define RILL_SHOW_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { RILL_JSON_DEPTH = 8 };

/* Zeroed except for the stream, which is borrowed. */
struct rill_json {
  FILE *stream;
  int depth;
  struct {
    char end;
    bool lines, any; /* each member on a line; it has members */
  } level[RILL_JSON_DEPTH];
};

/* Values.  name: of a member of an object; NULL in a list, and for the document itself. */
void rill_json_object(struct rill_json *json, const char *name);
void rill_json_list(struct rill_json *json, const char *name);
void rill_json_row(struct rill_json *json, const char *name); /* a list on one line */
void rill_json_close(struct rill_json *json);                 /* closes the innermost object or list */

/* Escapes all but ASCII; invalid UTF-8 becomes U+FFFD.  text NULL: null. */
void rill_json_string(struct rill_json *json, const char *name, const char *text);
/* With all digits; null for what is not finite. */
void rill_json_number(struct rill_json *json, const char *name, double value);
/* NAME_UNIT, with kJ/mol as kJ_mol; NAME for the unit "". */
void rill_json_quantity(struct rill_json *json, const char *name, const char *unit, double value);
void rill_json_numbers(struct rill_json *json, const char *name, const double *values, size_t count);
void rill_json_count(struct rill_json *json, const char *name, uint64_t value);
void rill_json_bool(struct rill_json *json, const char *name, bool value);
void rill_json_null(struct rill_json *json, const char *name);
/* [3][3], a list of rows; NULL: null. */
void rill_json_matrix(struct rill_json *json, const char *name, const double (*rows)[3]);

#endif
