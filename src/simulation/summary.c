#include "simulation/summary.h"

#include <math.h>

static const enum rill_series_column columns[RILL_SUMMARY_MEAN_COUNT] = {
#define X(column) RILL_SERIES_##column,
    RILL_SUMMARY_MEANS(X)
#undef X
};

void rill_summary_add(struct rill_summary *s, const struct rill_deck *deck, const double row[RILL_SERIES_COLUMNS]) {
  s->rows++;
  rill_average_add(&s->temperature, row[RILL_SERIES_temperature]);
  rill_average_add(&s->iterations, row[RILL_SERIES_iterations]);
  rill_average_add(&s->evaluations, row[RILL_SERIES_evaluations]);
  rill_trend_add(&s->energy, row[RILL_SERIES_time_ps], row[RILL_SERIES_total]);
  for (int c = 0; c < RILL_SERIES_COLUMNS; c++) s->largest[c] = fmax(s->largest[c], row[c]);
  s->bodies = isfinite(row[RILL_SERIES_attitude_deviation]);
  if (row[RILL_SERIES_time_ps] < deck->output.means_from) return;
  s->counted++;
  for (int i = 0; i < RILL_SUMMARY_MEAN_COUNT; i++) {
    const double sample = row[columns[i]];
    if (s->mean[i].samples > 0 || !isnan(sample)) /* half-step quantities are missing at step 0 */
      rill_average_add(&s->mean[i], sample);
  }
}

static void archive_average(struct rill_average *average, const char *name, struct rill_archive *archive) {
  rill_archive_enter(archive, name);
  rill_average_archive(average, archive);
  rill_archive_leave(archive);
}

void rill_summary_archive(struct rill_summary *s, const struct rill_deck *deck, struct rill_archive *archive) {
  const size_t of_series = rill_series_columns_of(deck);
  uint64_t bodies = s->bodies;
  rill_archive_size(archive, "rows", &s->rows);
  rill_archive_size(archive, "counted", &s->counted);
  rill_archive_integers(archive, "bodies", &bodies, 1);
  rill_archive_reals(archive, "largest", s->largest, of_series);
  for (int i = 0; i < RILL_SUMMARY_MEAN_COUNT && columns[i] < of_series; i++)
    archive_average(&s->mean[i], rill_series_names[columns[i]], archive);
  archive_average(&s->temperature, "all_temperature", archive);
  archive_average(&s->iterations, "all_iterations", archive);
  archive_average(&s->evaluations, "all_evaluations", archive);
  rill_archive_enter(archive, "energy");
  rill_trend_archive(&s->energy, archive);
  rill_archive_leave(archive);
  s->bodies = bodies != 0;
}
