/* rill tune: a deck that is faster within forces.accuracy. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/output_file.h"
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/signals.h"
#include "show/tuning.h"
#include "simulation/written.h"

static const double usual_seconds = 100, least_seconds = 30; /* about the least number of steps of each candidate */

static enum rill_status read_options(const struct rill_arguments *arguments, struct rill_tune_request *request,
                                     struct rill_error *error) {
  size_t threads;
  if (request->out == NULL)
    return rill_error_set(error, RILL_ERROR_USAGE, "missing -o OUT; usage: rill tune DECK -o OUT [options]");
  RILL_TRY(rill_written_check_place(request->out, request->path, rill_argument_given(arguments, "force"), error));
  RILL_TRY(rill_argument_count(arguments, "threads", 1024, 0, &threads, error));
  RILL_TRY(rill_argument_quantity(arguments, "sample", "time", "time", &request->sample, error));
  RILL_TRY(rill_argument_wall_time(arguments, "time-limit", usual_seconds, &request->seconds, error));
  if (request->seconds < least_seconds)
    return rill_error_set(
        error, RILL_ERROR_USAGE,
        "--time-limit %s: the measurements take about half a minute at least; %gs or more is expected",
        rill_argument(arguments, "time-limit"), least_seconds);
  request->threads = (int)threads;
  if (request->bias != NULL || !rill_argument_given(arguments, "sample")) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_USAGE, "--sample has no effect without --bias");
}

static enum rill_status write_deck(struct rill_part *part, bool replace, const char *text, struct rill_error *error) {
  for (size_t left = strlen(text); left > 0;) {
    const ssize_t written = write(part->descriptor, text, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      return rill_error_set(error, RILL_ERROR_WRITE, "%s: writing failed: %s", part->path, strerror(errno));
    text += written;
    left -= (size_t)written;
  }
  return rill_part_finish(part, replace, NULL, error);
}

static enum rill_status tune(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_tune_request request = {.path = arguments->positional[0],
                                      .overrides = arguments->repeated,
                                      .override_count = arguments->repeated_count,
                                      .out = rill_argument(arguments, "output"),
                                      .bias = rill_argument(arguments, "bias"),
                                      .notes = rill_notes_unless(rill_argument_given(arguments, "quiet")),
                                      .stop = rill_signal_stop()};
  struct rill_tuning tuning = {0};
  struct rill_page page = {0};
  struct rill_part part = {0};
  enum rill_status status;
  RILL_TRY(read_options(arguments, &request, error));
  rill_signals_catch();
  rill_signals_outlive_pipes();
  RILL_TRY(rill_part_create(request.out, &part, error)); /* before anything is measured */
  status = rill_tune(&request, &tuning, error);
  if (status == RILL_OK) status = write_deck(&part, rill_argument_given(arguments, "force"), tuning.text, error);
  rill_part_discard(&part);
  if (status == RILL_OK) status = rill_arguments_page(arguments, RILL_PAGE_TEXT, &page, error);
  if (status == RILL_OK) rill_show_tuning(&page, &request, &tuning);
  status = rill_page_end(&page, status, error);
  rill_tuning_release(&tuning);
  return status;
}

static const struct rill_option_row options[] = {
    {"output", 'o', "OUT", "the tuned deck"},
    {"bias", 0, "NAME=VALUE",
     "also the largest step whose bias of this observable, with two errors, is below the value, as in "
     "temperature=0.5K: lj-coulomb, potential, temperature, temperature-half, oo in vacuum, pressure in a box; "
     "at constant volume"},
    {"sample", 0, "TIME", "with --bias: the length of each of its runs (default 20ps)"},
    {"threads", 't', "N", "at most this many threads, and never more than there are processors (the default)"},
    {"time-limit", 0, "TIME",
     "wall time of the measurements of speed (default 100s; at least 30s, because they take about half a minute)"},
    {"set", 's', "section.key=value", "sets a key of the deck, in OUT too; may be given several times"},
    {"force", 'f', NULL, "replaces an existing file"},
    {"json", 0, NULL, "print one JSON object"},
    {"quiet", 'q', NULL, "no progress and no notes"},
};

const struct rill_command rill_command_tune = {
    .name = "tune",
    .positional = "DECK -o OUT",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "a deck that runs faster within forces.accuracy",
    .description =
        "Times the deck of water with other threads, kernels, precisions, cutoffs by atom or molecule, meshes and "
        "buffers of neighbour lists, each in turns with the best so far, so that a busy machine slows both alike. A "
        "change is kept if it saves more than 1 % of the time and more than 3 standard errors; forces stay within "
        "forces.accuracy, measured as in a run. In the end the given and the tuned deck are timed against each "
        "other; where the difference is within the noise, OUT is the deck as given. OUT contains only fixed values, "
        "so its results are reproducible, with the reason as a comment above each changed key; what --set replaces "
        "or leaves without effect becomes a comment. The cutoff stays: it is that of Lennard-Jones, too, and part of "
        "the model; the mesh is tuned at it, unless the deck prescribes mesh_order or mesh_grid. With --bias, for "
        "decks at constant volume, the deck is run with several steps, and the means fitted by limit + slope h^p, p "
        "the order of the method, as by `rill compare --extrapolate`; no step is longer than the longest that fits.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = tune,
};
