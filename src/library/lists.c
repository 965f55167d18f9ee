/* Listings, and comparisons. */
#include "deck/schema.h"
#include "library/handle.h"
#include "study/compare.h"
#include "water/model/species.h"

static void list_methods(void (*take)(void *, const char *, const char *, const char *), void *context) {
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  for (size_t i = 0; i < count; i++)
    take(context, methods[i]->name, methods[i]->summary, methods[i]->citation != NULL ? methods[i]->citation : "");
}

static void list_systems(void (*take)(void *, const char *, const char *, const char *), void *context) {
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  take(context, "water", "rigid or penalised water molecules, in vacuum or in a periodic box", "");
  for (size_t i = 0; i < count; i++) take(context, types[i]->name, types[i]->summary, types[i]->source);
}

static void list_keys(void (*take)(void *, const char *, const char *, const char *), void *context) {
  size_t count;
  const struct rill_key *keys = rill_keys(&count);
  for (size_t i = 0; i < count; i++) {
    char name[128];
    snprintf(name, sizeof name, "%s.%s", keys[i].section, keys[i].name);
    take(context, name, keys[i].help, keys[i].initial != NULL ? keys[i].initial : "");
  }
}

static void list_models(void (*take)(void *, const char *, const char *, const char *), void *context) {
  size_t count;
  const struct rill_water_species *species = rill_water_species(&count);
  for (size_t i = 0; i < count; i++) take(context, species[i].name, species[i].title, species[i].citation);
}

void rill_list(enum rill_listing listing,
               void (*take)(void *context, const char *name, const char *summary, const char *source),
               void *context) {
  switch (listing) {
  case RILL_LIST_METHODS: list_methods(take, context); break;
  case RILL_LIST_SYSTEMS: list_systems(take, context); break;
  case RILL_LIST_KEYS: list_keys(take, context); break;
  case RILL_LIST_MODELS: list_models(take, context); break;
  }
}

enum rill_status rill_compare_methods(const char *deck_path, const struct rill_open_options *options,
                                      const char *methods, const char *steps,
                                      void (*take)(void *context, const struct rill_compared *compared),
                                      void *context, struct rill_error *error) {
  static const struct rill_open_options defaults;
  const struct rill_open_options *o = options != NULL ? options : &defaults;
  const struct rill_notes notes = {o->note, o->context};
  const struct rill_compare_request request = {.path = deck_path,
                                               .overrides = o->overrides,
                                               .override_count = o->override_count,
                                               .methods = methods,
                                               .steps = steps,
                                               .threads = o->threads,
                                               .notes = o->note != NULL ? &notes : NULL};
  const char *names[RILL_COMPARE_VALUES];
  struct rill_compare_table table;
  rill_error_clear(error);
  (void)rill_compare(&request, &table, error);
  for (size_t i = 0; i < table.column_count; i++) names[i] = table.columns[i].name;
  for (size_t r = 0; r < table.row_count; r++) {
    const struct rill_compare_row *row = &table.rows[r];
    const struct rill_compared compared = {row->label,         row->failure, row->step, row->steps,
                                           table.column_count, names,        row->value};
    take(context, &compared);
  }
  rill_compare_release(&table);
  return error->status;
}
