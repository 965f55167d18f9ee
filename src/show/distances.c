#include "show/distances.h"

#include <string.h>

#include "base/choices.h"

static void print(FILE *out, const struct rill_distribution *distribution) {
  const struct rill_table *table = &distribution->table;
  for (const char *line = distribution->comment; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    fprintf(out, "# %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
  for (size_t k = 0; k < table->columns; k++) fprintf(out, "%s%s", k > 0 ? "," : "", table->column_names[k]);
  for (size_t i = 0; i < table->rows * table->columns; i++)
    fprintf(out, i % table->columns == 0 ? "\n%.10g" : ",%.10g", table->values[i]);
  fputc('\n', out);
}

/* Columns as lists, then the facts of the table. */
static void put(struct rill_json *json, const struct rill_distances_request *request, const char *const *files,
                const char *csv, const struct rill_rdf *rdf, const struct rill_distribution *distribution) {
  const struct rill_table *table = &distribution->table;
  rill_json_object(json, NULL);
  rill_json_string(json, "file", files[0]);
  if (files[1] != NULL) {
    rill_json_row(json, "files");
    for (; *files != NULL; files++) rill_json_string(json, NULL, *files);
    rill_json_close(json);
  }
  rill_json_string(json, "pair", rill_distances_choices[rill_rdf_pair(rdf)].word);
  rill_json_string(json, "boundary", rill_rdf_is_periodic(rdf) ? "periodic" : "vacuum");
  rill_json_count(json, "molecules", rill_rdf_molecules(rdf));
  rill_json_count(json, "bins", request->bins);
  rill_json_number(json, "max_nm", request->max);
  rill_json_string(json, "csv", csv);
  for (size_t i = 0; i < table->fact_count; i++) rill_json_number(json, table->facts[i].name, table->facts[i].value);
  for (size_t k = 0; k < table->columns; k++) {
    rill_json_row(json, table->column_names[k]);
    for (size_t i = 0; i < table->rows; i++) rill_json_number(json, NULL, table->values[i * table->columns + k]);
    rill_json_close(json);
  }
  rill_json_close(json);
}

void rill_show_distances(struct rill_page *page, const struct rill_distances_request *request,
                         const char *const *files, const char *csv, const struct rill_rdf *rdf,
                         const struct rill_distribution *distribution) {
  if (page->text == NULL) put(&page->json, request, files, csv, rdf, distribution);
  else if (csv != NULL)
    fprintf(page->text, "%zu frames of %zu molecules: %s\n", rill_rdf_samples(rdf), rill_rdf_molecules(rdf), csv);
  else print(page->text, distribution);
}
