/* Lists of what there is, from the registries and tables: entries of the document's list, which is open, or text.
 * wanted: the name of one entry, NULL for all.  RILL_ERROR_USAGE names the nearest where there is none, or says that
 * the list takes no name. */
#ifndef RILL_SHOW_LISTING_H
#define RILL_SHOW_LISTING_H

#include "base/choices.h"
#include "show/page.h"

/* topic: what one of the choices is. */
enum rill_status rill_list_choices(const char *topic, const struct rill_choice *choices, const char *wanted,
                                   struct rill_page *page, struct rill_error *error);
/* The words of all keys of a deck, or of one, "section.key". */
enum rill_status rill_list_keys(const char *wanted, struct rill_page *page, struct rill_error *error);
enum rill_status rill_list_integrators(const char *wanted, struct rill_page *page, struct rill_error *error);
enum rill_status rill_list_systems(const char *wanted, struct rill_page *page, struct rill_error *error);
enum rill_status rill_list_units(const char *wanted, struct rill_page *page, struct rill_error *error);

#endif
