/* Listings of the registries and tables: entries of the document's open list, or text. wanted: the name of one
 * entry, NULL for all.  RILL_ERROR_USAGE names the nearest for an unknown one, or says that the list takes
 * no name. */
#ifndef RILL_SHOW_LISTING_H
#define RILL_SHOW_LISTING_H

#include "base/choices.h"
#include "show/page.h"

/* topic: the singular, for one of the choices. */
enum rill_status rill_list_choices(const char *topic, const struct rill_choice *choices, const char *wanted,
                                   struct rill_page *page, struct rill_error *error);
/* The words of all keys of a deck, or of one, "section.key". */
enum rill_status rill_list_keys(const char *wanted, struct rill_page *page, struct rill_error *error);
enum rill_status rill_list_integrators(const char *wanted, struct rill_page *page, struct rill_error *error);
enum rill_status rill_list_systems(const char *wanted, struct rill_page *page, struct rill_error *error);
enum rill_status rill_list_units(const char *wanted, struct rill_page *page, struct rill_error *error);

#endif
