/* A water model: its numbers, dipole moment and moments of inertia. */
#ifndef RILL_SHOW_MODEL_H
#define RILL_SHOW_MODEL_H

#include "show/page.h"
#include "simulation/simulation.h"

/* Writes lines of text, each after `indent`. */
void rill_describe_model(FILE *out, const char *indent, const struct rill_water_species *species);

/* Puts members into the open object: numbers in units of the name, lists of principal moments. */
void rill_put_model(struct rill_json *json, const struct rill_water_species *species);

/* Entries of the document's open list, or text, for all models of the table or the one that is wanted (not NULL).
 * RILL_ERROR_USAGE: there is none of this name; the message says what there is, or why it is not offered. */
enum rill_status rill_list_models(const char *wanted, struct rill_page *page, struct rill_error *error);

#endif
