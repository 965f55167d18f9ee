#include "deck/ini.h"

#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

/* Decks are written by hand: a larger file is not a deck. */
enum { FILE_LIMIT = 1 << 20, LINE_LIMIT = 4000 };

static const char blanks[] = " \t";

enum rill_status rill_ini_load(const char *path, char **text, size_t *length, struct rill_error *error) {
  enum rill_status status = RILL_OK;
  struct stat kind;
  FILE *file = fopen(path, "rb");
  size_t line = 1, visible = 0, most = FILE_LIMIT + 1;
  *text = NULL;
  *length = 0;
  if (file == NULL) return rill_error_set(error, RILL_ERROR_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
  if (fstat(fileno(file), &kind) != 0) kind = (struct stat){0};
  if (S_ISDIR(kind.st_mode)) {
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s: a directory; a deck (a text file) is expected", path);
    goto done;
  }
  if (S_ISREG(kind.st_mode) && kind.st_size < FILE_LIMIT) most = (size_t)kind.st_size; /* a pipe has no size */
  *text = rill_allocate(most + 1, 1);
  if (*text == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
    goto done;
  }
  *length = fread(*text, 1, most, file);
  if (ferror(file)) {
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    goto done;
  }
  for (size_t i = 0; i < *length; i++) {
    unsigned char byte = (unsigned char)(*text)[i];
    if (byte == '\n') line++;
    if (byte > ' ') visible++;
    if ((byte < ' ' && strchr("\t\n\r\f\v", byte) == NULL) || byte == 0 || byte == 127) {
      status = rill_error_set(error, RILL_ERROR_INPUT,
                              "%s:%zu: not a text file (byte %u); a deck is plain text, [sections] of key = value",
                              path, line, byte);
      goto done;
    }
  }
  if (*length > FILE_LIMIT)
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s: longer than %d bytes; it is not a deck", path, FILE_LIMIT);
  else if (visible == 0)
    status =
        rill_error_set(error, RILL_ERROR_INPUT, "%s: the file is empty; a deck has [sections] of key = value", path);
done:
  fclose(file);
  if (status != RILL_OK) {
    rill_release(*text);
    *text = NULL;
  }
  return status;
}

enum rill_status rill_ini_append(struct rill_ini *ini, const char *section, const char *key, const char *value,
                                 size_t line, struct rill_error *error) {
  size_t section_size = strlen(section) + 1, key_size = strlen(key) + 1, value_size = strlen(value) + 1;
  struct rill_ini_entry *entry;
  if (ini->count == ini->capacity) {
    size_t capacity = ini->capacity > 0 ? 2 * ini->capacity : 64;
    struct rill_ini_entry *entries = rill_allocate(capacity, sizeof *entries);
    if (entries == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for a deck");
    if (ini->count > 0) memcpy(entries, ini->entries, ini->count * sizeof *entries);
    rill_release(ini->entries);
    ini->entries = entries;
    ini->capacity = capacity;
  }
  entry = &ini->entries[ini->count];
  entry->section = rill_allocate(section_size + key_size + value_size, 1);
  if (entry->section == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for a deck");
  entry->key = entry->section + section_size;
  entry->value = entry->key + key_size;
  entry->line = line;
  memcpy(entry->section, section, section_size);
  memcpy(entry->key, key, key_size);
  memcpy(entry->value, value, value_size);
  ini->count++;
  return RILL_OK;
}

void rill_ini_clear(struct rill_ini *ini) {
  for (size_t i = 0; i < ini->count; i++) rill_release(ini->entries[i].section);
  rill_release(ini->entries);
  *ini = (struct rill_ini){0};
}

/* The state of the reader for inih, including what the handler needs to know about the last line. */
struct reader {
  const char *next; /* of the text */
  size_t line;      /* number of the current line */
  bool header;      /* the last line was [section]: it is followed by a line "=", */
  bool marker;      /* which the handler interprets as the entry of the section itself */
  char clean[LINE_LIMIT + 1];
  const char *value; /* within clean: for a line longer than inih's buffer; otherwise NULL */
  rill_ini_fault fault;
  void *context;
  struct rill_ini *ini;
  struct rill_error *error;
  enum rill_status status;
};

/* Copies the next line into clean, without indentation, comment and trailing blanks. */
static void clean_line(struct reader *reader) {
  const char *start = reader->next, *end = start + strcspn(start, "\r\n");
  reader->line++;
  reader->next = end[0] == '\0' ? end : end[0] == '\r' && end[1] == '\n' ? end + 2 : end + 1;
  start += strspn(start, " \t\f\v");
  for (const char *at = start; at < end; at++)
    if ((*at == ';' && (at == start || strchr(blanks, at[-1]) != NULL)) || (*at == '#' && at == start)) end = at;
  while (end > start && strchr(" \t\f\v", end[-1]) != NULL) end--;
  if (end - start > LINE_LIMIT) {
    reader->fault(reader->context, reader->line, "the line is longer than 4000 characters");
    end = start;
  }
  memcpy(reader->clean, start, (size_t)(end - start));
  reader->clean[end - start] = '\0';
}

/* The reader function for inih: writes one line into buffer; NULL at the end.  Invalid lines are reported and
 * skipped. */
static char *read_line(char *buffer, int size, void *stream) {
  struct reader *reader = stream;
  if (reader->status != RILL_OK) return NULL;
  reader->marker = reader->header;
  reader->header = false;
  if (reader->marker) {
    memcpy(buffer, "=", 2);
    return buffer;
  }
  while (*reader->next != '\0') {
    const char *clean = reader->clean;
    size_t length, split;
    clean_line(reader);
    length = strlen(clean);
    split = strcspn(clean, "=:");
    reader->value = NULL;
    if (length == 0) continue;
    if (clean[0] == '[') {
      size_t close = strcspn(clean, "]"), from = 1 + strspn(clean + 1, blanks);
      if (close + 1 != length || close == from) {
        reader->fault(reader->context, reader->line, "a section is expected to be [name], alone on its line");
        continue;
      }
      if (close + 2 > 50) { /* inih truncates names of sections at 49 characters */
        reader->fault(reader->context, reader->line, "the name of the section is too long");
        continue;
      }
      while (close > from && strchr(blanks, clean[close - 1]) != NULL) close--;
      snprintf(buffer, (size_t)size, "[%.*s]", (int)(close - from), clean + from);
      reader->header = true;
      return buffer;
    } else if (clean[split] == '\0') {
      reader->fault(reader->context, reader->line, "neither [section] nor key = value");
      continue;
    } else if (split == 0) {
      reader->fault(reader->context, reader->line, "the key before the = is missing");
      continue;
    } else if (length + 3 > (size_t)size) {
      if (split + 4 > (size_t)size) {
        reader->fault(reader->context, reader->line, "the name of the key is too long");
        continue;
      }
      reader->value = clean + split + 1 + strspn(clean + split + 1, blanks);
      length = split + 1;
    }
    memcpy(buffer, clean, length);
    buffer[length] = '\0';
    return buffer;
  }
  return NULL;
}

static int take_entry(void *user, const char *section, const char *key, const char *value) {
  struct reader *reader = user;
  if (reader->value != NULL) value = reader->value;
  if (reader->marker) key = value = "";
  if (reader->status == RILL_OK)
    reader->status = rill_ini_append(reader->ini, section, key, value, reader->line, reader->error);
  return 1;
}

enum rill_status rill_ini_parse(const char *text, rill_ini_fault fault, void *context, struct rill_ini *ini,
                                struct rill_error *error) {
  static const char byte_order_mark[] = "\xEF\xBB\xBF";
  enum rill_status status;
  struct reader *reader = rill_allocate(1, sizeof *reader);
  if (reader == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for a deck");
  if (strncmp(text, byte_order_mark, 3) == 0) text += 3;
  reader->next = text;
  reader->fault = fault;
  reader->context = context;
  reader->ini = ini;
  reader->error = error;
  ini_parse_stream(read_line, reader, take_entry, reader);
  status = reader->status;
  rill_release(reader);
  return status;
}
