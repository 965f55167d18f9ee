/* rill reproduce: published tables and figures recomputed, each number beside the expected one and its source. */
#include <string.h>

#include "cli/command.h"
#include "show/results.h"

static enum rill_status conclude(const size_t counts[RILL_VERDICTS], struct rill_error *error) {
  size_t rows = 0;
  for (int v = 0; v < RILL_VERDICTS; v++) rows += counts[v];
  if (counts[RILL_VERDICT_DIFFERS] == 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_FAILED,
                        "%zu of %zu numbers differ from the expected ones by more than their tolerance",
                        counts[RILL_VERDICT_DIFFERS], rows);
}

static enum rill_status work(const struct rill_arguments *arguments, struct rill_page *page,
                             size_t counts[RILL_VERDICTS], struct rill_error *error) {
  const char *name = arguments->positional_count > 0 ? arguments->positional[0] : NULL;
  struct rill_shown_result shown = {.page = page};
  struct rill_reproduce_request request = {.csv = rill_argument(arguments, "csv"),
                                           .folder = rill_argument(arguments, "data"),
                                           .replace = rill_argument_given(arguments, "force"),
                                           .long_form = rill_argument_given(arguments, "long"),
                                           .begin = rill_show_result_begin,
                                           .row = rill_show_result_row,
                                           .end = rill_show_result_end,
                                           .context = &shown};
  if (name == NULL) {
    if (request.csv != NULL || request.folder != NULL || request.long_form)
      return rill_error_set(error, RILL_ERROR_USAGE,
                            "--csv, --data and --long need a name, or all (rill reproduce lists the names)");
    rill_reproduce_each(rill_show_result_name, page);
    return RILL_OK;
  }
  if (strcmp(name, "all") != 0) RILL_TRY(rill_reproduce_find(name, &request.result, error));
  RILL_TRY(rill_reproduce(&request, counts, error));
  rill_show_result_counts(page, counts);
  return RILL_OK;
}

static enum rill_status reproduce(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_page page;
  size_t counts[RILL_VERDICTS] = {0};
  RILL_TRY(rill_arguments_page(arguments, RILL_PAGE_TEXT, &page, error));
  rill_page_list(&page);
  RILL_TRY(rill_page_end(&page, work(arguments, &page, counts, error), error));
  return conclude(counts, error);
}

static const struct rill_option_row options[] = {
    {"csv", 0, "FILE",
     "the rows as CSV: name, quantity, setting, expected, source, ours, difference, tolerance, verdict"},
    {"data", 0, "DIR",
     "the curves of figures, into DIR/NAME.csv (created when missing); analysis/papers.py draws them"},
    {"long", 0, NULL,
     "sampled quantities (tao-owhadi-figure-4, -figure-7, -timing) from longer runs and more seeds: minutes"},
    {"json", 0, NULL, "print a JSON list, an object per row; without a name, an object per result"},
    {"force", 'f', NULL, "replaces existing files"},
};

const struct rill_command rill_command_reproduce = {
    .name = "reproduce",
    .positional = "[NAME|all]",
    .positional_min = 0,
    .positional_max = 1,
    .summary = "published tables and figures recomputed, with a verdict for each number",
    .description =
        "Without a name, lists the published results, one name per line. With one, or with all, "
        "recomputes them and prints for each number the expected value, its source, ours, the difference, "
        "the tolerance and a verdict. Sources: paper, a printed number; exact, a closed form or an "
        "invariant; independent, another program or method. Verdicts: agrees; known-deviation, ours is "
        "the true value and a printed claim does not hold, with the reason; differs. Data have no "
        "verdict. The exit status is 1 when a number differs.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = reproduce,
};
