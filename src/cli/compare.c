/* rill compare: methods and steps on one system, work against precision. */
#include <math.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/notes.h"
#include "cli/signals.h"
#include "deck/units.h"
#include "show/comparison.h"
#include "simulation/written.h"

static enum rill_status refuse_options_of_water(const struct rill_arguments *arguments, struct rill_error *error) {
  static const char *const of_water[] = {"stability", "threads", "quiet"};
  for (size_t i = 0; i < sizeof of_water / sizeof of_water[0]; i++)
    if (rill_argument_given(arguments, of_water[i]))
      return rill_error_set(error, RILL_ERROR_USAGE, "--%s has no effect on a small system", of_water[i]);
  return RILL_OK;
}

static enum rill_status read_options(const struct rill_arguments *arguments, struct rill_compare_request *request,
                                     struct rill_error *error) {
  const char *stability = rill_argument(arguments, "stability");
  size_t threads;
  RILL_TRY(rill_argument_count(arguments, "threads", 1024, 0, &threads, error));
  RILL_TRY(rill_argument_count(arguments, "repeats", RILL_COMPARE_REPEATS, 0, &request->repeats, error));
  request->threads = (int)threads;
  if (stability == NULL) return RILL_OK;
  RILL_TRY(rill_quantity_parse(stability, "time", "--stability", &request->scan, error));
  if (request->scan > 0 && isfinite(request->scan)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_USAGE, "--stability %s: a time above 0 ps is expected, such as 20ps",
                        stability);
}

/* To be called before anything runs. */
static enum rill_status check_csv(const char *csv, bool replace, const char *path, const struct rill_deck *deck,
                                  struct rill_error *error) {
  if (csv == NULL) return RILL_OK;
  RILL_TRY(rill_written_check_place(csv, path, replace, error));
  if (deck->system.structure[0] == '\0') return RILL_OK;
  return rill_written_check_place(csv, deck->system.structure, true, error);
}

static enum rill_status check(const struct rill_arguments *arguments, const struct rill_compare_request *request,
                              struct rill_error *error) {
  struct rill_deck *deck = malloc(sizeof *deck);
  enum rill_status status;
  if (deck == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = rill_compare_read_deck(request, deck, error);
  if (status == RILL_OK && deck->units != RILL_UNITS_MOLECULAR) status = refuse_options_of_water(arguments, error);
  if (status == RILL_OK)
    status = check_csv(rill_argument(arguments, "csv"), rill_argument_given(arguments, "force"), request->path, deck,
                       error);
  free(deck);
  return status;
}

static enum rill_status compare(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_compare_request request = {.path = arguments->positional[0],
                                         .overrides = arguments->repeated,
                                         .override_count = arguments->repeated_count,
                                         .methods = rill_argument(arguments, "methods"),
                                         .steps = rill_argument(arguments, "steps"),
                                         .observables = rill_argument(arguments, "observables"),
                                         .reference = rill_argument(arguments, "reference"),
                                         .extrapolate = rill_argument_given(arguments, "extrapolate"),
                                         .notes = rill_notes_unless(rill_argument_given(arguments, "quiet")),
                                         .stop = rill_signal_stop()};
  struct rill_compare_table table = {0};
  struct rill_page page = {0};
  const char *csv = rill_argument(arguments, "csv");
  enum rill_status status;
  RILL_TRY(read_options(arguments, &request, error));
  RILL_TRY(check(arguments, &request, error));
  rill_signals_catch();
  rill_signals_outlive_pipes();
  status = rill_compare(&request, &table, error);
  if (status == RILL_OK) status = rill_arguments_page(arguments, RILL_PAGE_TEXT, &page, error);
  if (status == RILL_OK) rill_show_comparison(&page, request.path, &table);
  status = rill_page_end(&page, status, error);
  if (status == RILL_OK && csv != NULL)
    status = rill_compare_write_csv(&table, csv, rill_argument_given(arguments, "force"), error);
  if (status == RILL_OK && rill_compare_all_failed(&table))
    status = rill_error_set(error, RILL_ERROR_FAILED, "%s: all %zu rows failed, the first one with: %s", request.path,
                            table.row_count, table.rows[0].failure);
  rill_compare_release(&table);
  return status;
}

static const struct rill_option_row options[] = {
    {"methods", 'm', "NAME,...", "methods, such as rattle/mshake,zs,newmark-onestep/B (default: all that bind)"},
    {"steps", 0, "STEP,...",
     "steps, each a whole part of the run (default: the deck's; on small systems its half and quarter, too)"},
    {"csv", 0, "FILE", "the table as CSV, which analysis/compare.py draws"},
    {"json", 0, NULL, "print JSON"},
    {"set", 's', "section.key=value", "sets a key of the deck; may be given several times"},
    {"force", 'f', NULL, "replaces an existing file"},
    {"repeats", 0, "N", "timed stretches of each method, in turns (default: 5; on small systems 15)"},
    {"observables", 0, "NAME,...",
     "under a thermostat: counts independent samples of these: of water lj-coulomb (the default), potential, "
     "temperature, temperature-half, oo in vacuum, pressure in a box; of a small system potential (the default), "
     "kinetic, q1, q2, ... (the last one is the default where constrained and penalised rows are compared)"},
    {"reference", 0, "METHOD@STEP",
     "under a thermostat: biases are differences from the means of this run (default: the first method that is not "
     "penalised, at its shortest step)"},
    {"extrapolate", 0, NULL,
     "under a thermostat: the limit of each mean for a step of 0, from a fit to several steps: mean = limit + slope "
     "h^p, p the order of the method, and whether the runs fit it (chi squared)"},
    {"stability", 0, "TIME", "water: looks for the largest stable step, by runs of this length, such as 20ps"},
    {"threads", 't', "N", "water: at most this many threads (default: all cores); results do not depend on it"},
    {"quiet", 'q', NULL, "water: no progress and no notes"},
};

const struct rill_command rill_command_compare = {
    .name = "compare",
    .positional = "DECK",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "methods and steps on one system: work against precision",
    .description =
        "Runs the deck's system with each method and step. On a small system, prints the error against a fine "
        "reference (the most accurate method that binds, its step halved and the runs extrapolated until they no "
        "longer change), the errors of energy and momentum maps, the iterations of the solver and the time per step, "
        "the median of interleaved repeats. On water all start from the same positions and velocities, with the same "
        "noise (for equal steps); it prints the time per step and its parts, how well bonds, energy and momenta are "
        "conserved, the temperatures, and the distance of the O-O distribution from that of the first rigid method, "
        "beside that between two seeds. Under a thermostat it prints for each observable the autocorrelation time, "
        "the independent samples per second, the cost of one, and the bias; measure = stiff-limit concerns the "
        "constrained rows of a table. Options of a method follow a slash: newmark-onestep/A to /E, "
        "zss-simplified/full, dvp/yoshida4, galerkin/3/lobatto4, shooting/rk4/simpson "
        "(small systems), rattle/mshake, rattle/lgvi; and the formulation: rattle/constrained, verlet/penalised, "
        "zs/penalised/w=20, of water zss-simplified/80akma. Where methods name it, a small system is judged by its "
        "constrained motion. Methods without a form for constraints move water whose bonds are springs, of the "
        "deck's penalty.stiffness.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = compare,
};
