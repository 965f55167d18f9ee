/* Pieces of JSON on standard output. */
#ifndef RILL_CLI_JSON_H
#define RILL_CLI_JSON_H

void rill_json_string(const char *text);
/* `, "name": value`; null for what is not finite. */
void rill_json_number(const char *name, double value);

#endif
