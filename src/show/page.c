#include "config.h" /* _GNU_SOURCE, for open_memstream */

#include "show/page.h"

#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "no memory for the output";

enum rill_status rill_page_begin(struct rill_page *page, enum rill_page_kind kind, FILE *out,
                                 struct rill_error *error) {
  FILE *stream = out;
  *page = (struct rill_page){.out = out};
  if (kind != RILL_PAGE_TEXT) stream = open_memstream(&page->held, &page->length);
  if (kind == RILL_PAGE_JSON) page->json.stream = stream;
  else page->text = stream;
  return stream != NULL ? RILL_OK : rill_error_set(error, RILL_ERROR_MEMORY, "%s", no_memory);
}

enum rill_status rill_page_end(struct rill_page *page, enum rill_status status, struct rill_error *error) {
  const bool json = page->json.stream != NULL;
  FILE *stream = json ? page->json.stream : page->text;
  if (stream == NULL || stream == page->out) return status;
  while (page->json.depth > 0) rill_json_close(&page->json);
  if (json) fputc('\n', stream);
  if ((ferror(stream) | (fclose(stream) != 0)) && status == RILL_OK)
    status = rill_error_set(error, RILL_ERROR_MEMORY, "%s", no_memory);
  if (status == RILL_OK) fwrite(page->held, 1, page->length, page->out);
  free(page->held); /* allocated by open_memstream */
  *page = (struct rill_page){0};
  return status;
}

void rill_page_list(struct rill_page *page) {
  if (page->text == NULL) rill_json_list(&page->json, NULL);
}

void rill_write_wrapped(FILE *stream, const char *text, size_t at, size_t indent, size_t width) {
  const char *gap = "";
  while (*text != '\0') {
    size_t length = strcspn(text, " ");
    if (*gap != '\0' && at + 1 + length > width) {
      fprintf(stream, "\n%*s", (int)indent, "");
      at = indent;
      gap = "";
    }
    fprintf(stream, "%s%.*s", gap, (int)length, text);
    at += strlen(gap) + length;
    text += length + strspn(text + length, " ");
    gap = " ";
  }
  fputc('\n', stream);
}
