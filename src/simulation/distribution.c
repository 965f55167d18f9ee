#include "config.h" /* first: defines _GNU_SOURCE, for asprintf */

#include "simulation/distribution.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

enum { MOST_COLUMNS = 4 };

static const char *const vacuum_names[] = {"r_nm", "density_per_nm", "error_per_nm"};
static const char *const vacuum_units[] = {"nm", "1/nm", "1/nm"};
static const char *const box_names[] = {"r_nm", "g", "error", "neighbours"};
static const char *const box_units[] = {"nm", "1", "1", "1"};

static const char vacuum_kind[] =
    "normalised density of O-O pair distances (a cluster in vacuum has no volume, so this is not a g(r))\n"
    "its integral over all distances is 1; error: one standard error, nan with too few independent samples\n";
#define BOX_KIND(pair, count, others)                                                                                \
  "radial distribution g(r) of " pair ": pairs over those of an ideal gas, " count                                   \
  " in the box's "                                                                                                   \
  "volume\nerror: one standard error, nan with too few independent samples\nneighbours: mean number of " others      \
  " within the outer edge of the bin\n"
static const char *const box_kinds[RILL_RDF_PAIRS] = {
    BOX_KIND("oxygens", "N (N - 1) / 2", "other oxygens"),
    BOX_KIND("oxygens and hydrogens of different molecules", "2 N (N - 1)",
             "other molecules' hydrogens around an oxygen"),
    BOX_KIND("hydrogens of different molecules", "2 N (N - 1)", "other molecules' hydrogens around a hydrogen")};
static const char *const table_names[RILL_RDF_PAIRS] = {"rdf_O_O", "rdf_O_H", "rdf_H_H"};

static int describe_vacuum(const struct rill_rdf *rdf, const char *provenance, char **text) {
  double beyond;
  rill_rdf_result(rdf, NULL, NULL, &beyond);
  return asprintf(text, "%ssamples: %zu\npairs beyond the range: %.6g\n%s", vacuum_kind, rill_rdf_samples(rdf),
                  beyond, provenance);
}

static int describe_box(const struct rill_rdf *rdf, const char *provenance, char **text) {
  const size_t bins = rill_rdf_bins(rdf);
  const double reach = rill_rdf_reach(rdf), max = rill_rdf_centre(rdf, bins - 1) + rill_rdf_centre(rdf, 0);
  char repeats[128] = "";
  if (max > reach * (1 + 1e-6))
    snprintf(repeats, sizeof repeats,
             "beyond %.6g nm, half of the shortest lattice vector, molecules are counted in more than one image\n",
             reach);
  return asprintf(text, "%ssamples: %zu\n%s%s", box_kinds[rill_rdf_pair(rdf)], rill_rdf_samples(rdf), repeats,
                  provenance);
}

/* The facts of the comment, as numbers. */
static void find_facts(const struct rill_rdf *rdf, struct rill_table_fact facts[2]) {
  facts[0] = (struct rill_table_fact){"samples", (double)rill_rdf_samples(rdf)};
  facts[1] = (struct rill_table_fact){rill_rdf_is_periodic(rdf) ? "repeats_beyond_nm" : "pairs_beyond_the_range", 0};
  if (rill_rdf_is_periodic(rdf)) facts[1].value = rill_rdf_reach(rdf);
  else rill_rdf_result(rdf, NULL, NULL, &facts[1].value);
}

enum rill_status rill_distribution_create(const struct rill_rdf *rdf, const char *provenance,
                                          struct rill_distribution *distribution, struct rill_error *error) {
  const size_t bins = rill_rdf_bins(rdf);
  const bool box = rill_rdf_is_periodic(rdf);
  const size_t columns = box ? 4 : 3;
  double *work = rill_allocate((MOST_COLUMNS - 1) * bins, sizeof *work);
  *distribution = (struct rill_distribution){0};
  distribution->values = rill_allocate(columns * bins, sizeof *distribution->values);
  if (work != NULL && distribution->values != NULL &&
      (box ? describe_box : describe_vacuum)(rdf, provenance, &distribution->comment) < 0)
    distribution->comment = NULL;
  if (distribution->comment == NULL) {
    rill_release(work);
    rill_distribution_release(distribution);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a distribution of %zu bins", bins);
  }
  if (box) rill_rdf_g(rdf, work, work + bins, work + 2 * bins);
  else rill_rdf_result(rdf, work, work + bins, NULL);
  for (size_t i = 0; i < bins; i++) {
    distribution->values[columns * i] = rill_rdf_centre(rdf, i);
    for (size_t k = 1; k < columns; k++) distribution->values[columns * i + k] = work[(k - 1) * bins + i];
  }
  rill_release(work);
  find_facts(rdf, distribution->facts);
  distribution->table = (struct rill_table){.name = table_names[rill_rdf_pair(rdf)],
                                            .rows = bins,
                                            .columns = columns,
                                            .column_names = box ? box_names : vacuum_names,
                                            .column_units = box ? box_units : vacuum_units,
                                            .values = distribution->values,
                                            .description = box ? box_kinds[rill_rdf_pair(rdf)] : vacuum_kind,
                                            .facts = distribution->facts,
                                            .fact_count = 2};
  return RILL_OK;
}

void rill_distribution_release(struct rill_distribution *distribution) {
  rill_release(distribution->values);
  free(distribution->comment);
  *distribution = (struct rill_distribution){0};
}
