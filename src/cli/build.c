/* rill build: relaxed starts. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "cli/command.h"
#include "cli/watch.h"
#include "deck/units.h"
#include "show/minima.h"
#include "simulation/written.h"

enum { MOST_OF_CLUSTERS = 100000, MOST_TRIALS = 10000 };
enum { USUAL_TRIALS = 4 }; /* for clusters whose lowest energy a single trial may miss */

static const double usual_density = 0.989; /* g/cm3: TIP3P at 298 K and 1 bar; other models to within 2 % */

/* "3nm", or "3nm,3nm,6nm". */
static enum rill_status read_edges(const char *text, double edge[3], struct rill_error *error) {
  char part[64];
  int count = 0;
  for (const char *at = text; count < 3; at += strcspn(at, ",") + 1) {
    const size_t length = strcspn(at, ",");
    snprintf(part, sizeof part, "%.*s", (int)length, at);
    RILL_TRY(rill_quantity_parse(part, "length", "--box", &edge[count], error));
    if (!(edge[count] > 0 && isfinite(edge[count])))
      return rill_error_set(error, RILL_ERROR_USAGE, "--box %s: expected lengths above 0", text);
    count++;
    if (at[length] == '\0') {
      if (count == 1) edge[1] = edge[2] = edge[0];
      if (count != 2) return RILL_OK;
      break;
    }
  }
  return rill_error_set(error, RILL_ERROR_USAGE, "--box %s: expected one length, or three as in 3nm,3nm,6nm", text);
}

/* Two of number, box and density are sufficient; the density has a default. */
static enum rill_status read_request(const struct rill_arguments *arguments, struct rill_water_amount *request,
                                     struct rill_error *error) {
  const char *number = arguments->positional_count > 1 ? arguments->positional[1] : NULL;
  const char *box = rill_argument(arguments, "box"), *density = rill_argument(arguments, "density");
  if (strcmp(arguments->positional[0], "water") != 0)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "rill build %s: expected water, as in rill build water 7 -o water7.gro",
                          arguments->positional[0]);
  request->boxed = box != NULL || density != NULL;
  request->density = usual_density * RILL_GRAM_PER_CM3;
  if (number == NULL && box == NULL)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "rill build water: how much? expected a number of molecules, as in rill build water 7 -o "
                          "water7.gro, or a box, as in rill build water --box 3nm -o box.gro");
  if (number != NULL && box != NULL && density != NULL)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "--density %s: the number of molecules and the box determine the density; omit one of the "
                          "three",
                          density);
  if (number != NULL)
    RILL_TRY(rill_count_parse(number, "rill build water", request->boxed ? RILL_MOST_OF_BOXES : MOST_OF_CLUSTERS,
                              &request->molecules, error));
  if (box != NULL) RILL_TRY(read_edges(box, request->edge, error));
  if (density != NULL) RILL_TRY(rill_quantity_parse(density, "density", "--density", &request->density, error));
  return RILL_OK;
}

static enum rill_status read_trials(const struct rill_arguments *arguments, const struct rill_water_amount *request,
                                    size_t *trials, struct rill_error *error) {
  const bool hopping = !request->boxed && request->molecules <= RILL_BUILD_HOPPING_LIMIT;
  if (!hopping && rill_argument_given(arguments, "trials"))
    return rill_error_set(
        error, RILL_ERROR_USAGE,
        "--trials %s: expected a cluster of at most %d molecules; larger ones and boxes are minimised "
        "once, from a start that --seed chooses",
        rill_argument(arguments, "trials"), RILL_BUILD_HOPPING_LIMIT);
  return rill_argument_count(arguments, "trials", MOST_TRIALS,
                             hopping && request->molecules > RILL_SURE_CLUSTER ? USUAL_TRIALS : 1, trials, error);
}

static enum rill_status work(const struct rill_arguments *arguments, struct rill_structure *structure,
                             struct rill_page *page, struct rill_error *error) {
  const char *out = rill_argument(arguments, "output");
  const bool replace = rill_argument_given(arguments, "force");
  struct rill_build_options options = rill_build_defaults();
  struct rill_build_report report;
  struct rill_water_model model;
  struct rill_water_amount request = {0};
  struct rill_watch watch;
  size_t threads, seed;
  RILL_TRY(read_request(arguments, &request, error));
  if (out == NULL)
    return rill_error_set(error, RILL_ERROR_USAGE, "missing -o OUT; usage: rill build water N -o OUT [options]");
  RILL_TRY(read_trials(arguments, &request, &options.trials, error));
  RILL_TRY(rill_written_check(out, NULL, replace, error));
  RILL_TRY(rill_argument_count(arguments, "threads", 1024, 1, &threads, error));
  RILL_TRY(rill_argument_count(arguments, "seed", (size_t)-1, 1, &seed, error));
  RILL_TRY(rill_water_model_find(rill_argument(arguments, "model"), 0, &model, error));
  RILL_TRY(rill_water_amount_complete(&model, &request, error));
  rill_watch_start(&watch, rill_argument_given(arguments, "quiet"));
  options.threads = (int)threads;
  options.seed = seed;
  options.observe = rill_watch_build;
  options.context = &watch;
  RILL_TRY(rill_water_amount_build(&model, &request, &options, structure, &report, error));
  rill_watch_end(&watch);
  rill_show_built(page, structure, &report, &request, seed, out);
  RILL_TRY(rill_written_structure(out, replace, structure, false, NULL, error));
  rill_show_written(page, out);
  return RILL_OK;
}

static enum rill_status build(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_structure structure = {0};
  struct rill_page page;
  enum rill_status status;
  RILL_TRY(rill_arguments_page(arguments, RILL_PAGE_TEXT, &page, error));
  status = rill_page_end(&page, work(arguments, &structure, &page, error), error);
  rill_structure_release(&structure);
  return status;
}

static const struct rill_option_row options[] = {
    {"output", 'o', "OUT", "the structure to write (.gro, .pdb, .xyz)"},
    {"box", 0, "LENGTH", "fills a periodic box: a cube, or the edges X,Y,Z"},
    {"density", 0, "DENSITY", "of a periodic box (default 0.989g/cm3); with N and no box: a cube for N molecules"},
    {"model", 0, "NAME", RILL_MODEL_HELP},
    {"seed", 0, "N", "other positions for another seed (default 1)"},
    {"trials", 0, "K", "searches for a cluster's lowest energy (default: 1 up to 7 molecules, 4 up to 30)"},
    {"threads", 't', "N", "at most this many threads (default 1); results do not depend on it"},
    {"force", 'f', NULL, "replaces an existing file"},
    {"json", 0, NULL, "print one JSON object"},
    {"quiet", 'q', NULL, "no progress"},
};

const struct rill_command rill_command_build = {
    .name = "build",
    .positional = "water [N] -o OUT",
    .positional_min = 1,
    .positional_max = 2,
    .summary = "builds a relaxed cluster of N water molecules, or a box of liquid water",
    .description =
        "Without a box a cluster in vacuum. Up to 30 molecules: basin hopping; up to 7 molecules a trial finds the "
        "lowest known energy; for more it finds a low one, and more trials find lower ones: docs/clusters.md lists "
        "the energies found so far. More molecules: a droplet at the liquid's density, minimised. With --box or "
        "--density a periodic box: molecules on a lattice, randomly turned, and minimised until the energy is about "
        "that of the liquid at 300 K; this start must still be equilibrated. The same seed gives the same positions "
        "on the same kind of processor, and in a deck with the same forces.kernel.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = build,
};
