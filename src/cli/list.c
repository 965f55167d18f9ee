/* rill list: listings of the registries. */
#include <string.h>

#include "base/nearest.h"
#include "cli/command.h"
#include "show/combinations.h"
#include "show/listing.h"
#include "show/model.h"

#define TOPICS "integrators, systems, models, thermostats, constraints, forces, choices, units"

static const struct topic {
  const char *name;
  enum rill_status (*write)(const char *wanted, struct rill_page *page, struct rill_error *error);
  const char *one; /* for choices: the singular */
  const struct rill_choice *choices;
} topics[] = {
    {"integrators", rill_list_integrators, NULL, NULL},
    {"systems", rill_list_systems, NULL, NULL},
    {"models", rill_list_models, NULL, NULL},
    {"thermostats", NULL, "thermostat", rill_thermostat_choices},
    {"constraints", NULL, "constraint solver", rill_constraint_solver_choices},
    {"forces", NULL, "force kernel", rill_kernel_choices},
    {"choices", rill_list_keys, NULL, NULL},
    {"units", rill_list_units, NULL, NULL},
    {"combinations", rill_list_combinations, NULL, NULL},
};

static enum rill_status write_topic(const struct topic *topic, const struct rill_arguments *arguments,
                                    struct rill_error *error) {
  const char *wanted = arguments->positional_count > 1 ? arguments->positional[1] : NULL;
  struct rill_page page;
  RILL_TRY(rill_arguments_page(arguments, RILL_PAGE_TEXT, &page, error));
  rill_page_list(&page);
  return rill_page_end(&page,
                       topic->write != NULL ? topic->write(wanted, &page, error)
                                            : rill_list_choices(topic->one, topic->choices, wanted, &page, error),
                       error);
}

static enum rill_status list(const struct rill_arguments *arguments, struct rill_error *error) {
  const char *names[sizeof topics / sizeof topics[0]], *nearest;
  size_t count = sizeof topics / sizeof topics[0];
  for (size_t i = 0; i < count; i++) {
    names[i] = topics[i].name;
    if (strcmp(topics[i].name, arguments->positional[0]) == 0) return write_topic(&topics[i], arguments, error);
  }
  nearest = rill_nearest(arguments->positional[0], names, count);
  return rill_error_set(error, RILL_ERROR_USAGE, "rill list %s: expected " TOPICS " or combinations%s%s%s",
                        arguments->positional[0], nearest ? "; did you mean " : "", nearest ? nearest : "",
                        nearest ? "?" : "");
}

static const struct rill_option_row options[] = {{"json", 0, NULL, "print JSON"}};

const struct rill_command rill_command_list = {
    .name = "list",
    .positional = "TOPIC [NAME]",
    .positional_min = 1,
    .positional_max = 2,
    .summary = TOPICS ", combinations",
    .description =
        "Lists what there is, with sources: " TOPICS
        ", and combinations: a matrix of the methods against the systems; "
        "with the name of a method or system, or all, a line for each combination, with the reason where it is "
        "refused. Choices are the words of a deck's keys, or of one: rill list choices forces.coulomb.",
    .options = options,
    .option_count = 1,
    .run = list,
};
