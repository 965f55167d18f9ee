#include "structure/structure.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "structure/export.h"
#include "structure/frame.h"

static const char *const format_names[] = {"GRO", "PDB", "XYZ", "none of GRO, PDB, XYZ"};
static const char *const format_extensions[] = {".gro", ".pdb", ".xyz", ""};

enum rill_format rill_structure_format(const char *path) {
  static const struct {
    const char *extension;
    enum rill_format format;
  } known[] = {
      {".gro", RILL_FORMAT_GRO}, {".pdb", RILL_FORMAT_PDB}, {".ent", RILL_FORMAT_PDB}, {".xyz", RILL_FORMAT_XYZ}};
  const char *extension = strrchr(path, '.');
  for (size_t i = 0; extension != NULL && i < sizeof known / sizeof *known; i++)
    if (strcasecmp(extension, known[i].extension) == 0) return known[i].format;
  return RILL_FORMAT_UNKNOWN;
}

/* ---- reading ---- */

static bool is_pdb_line(const struct rill_text *text) {
  bool atom = strncmp(text->text, "ATOM  ", 6) == 0 || strncmp(text->text, "HETATM", 6) == 0;
  return strncmp(text->text, "CRYST1", 6) == 0 ||
         (atom && text->length >= 54 && text->text[34] == '.' && text->text[42] == '.' && text->text[50] == '.');
}

static bool is_gro_line(const struct rill_text *text) {
  const char *points[3];
  const char *from = text->length > 20 ? text->text + 20 : "";
  for (int k = 0; k < 3; k++) {
    points[k] = strchr(from, '.');
    if (points[k] == NULL) return false;
    from = points[k] + 1;
  }
  return points[1] - points[0] > 5 && points[2] - points[1] == points[1] - points[0];
}

/* The format that the first lines clearly have, for a message about a file whose name says otherwise. */
static enum rill_format guess_content(const char *path) {
  enum { LINES = 64 };
  struct rill_error *error = rill_allocate(1, sizeof *error);
  struct rill_text *text = rill_allocate(1, sizeof *text);
  enum rill_format format = RILL_FORMAT_UNKNOWN;
  bool count[2] = {false, false};
  if (error != NULL && text != NULL && rill_text_open(text, path, error) == RILL_OK)
    for (int line = 1; line <= LINES && format == RILL_FORMAT_UNKNOWN; line++) {
      if (rill_text_next(text) != RILL_OK || text->ended) break;
      if (line <= 2) count[line - 1] = rill_text_is_count(text);
      if (is_pdb_line(text)) format = RILL_FORMAT_PDB;
      else if (line == 3 && count[1] && is_gro_line(text)) format = RILL_FORMAT_GRO;
      else if (line == 3 && count[0] && isalpha((unsigned char)text->text[rill_text_word(text, 0).first]))
        format = RILL_FORMAT_XYZ;
    }
  if (text != NULL) rill_text_close(text);
  rill_release(text);
  rill_release(error);
  return format;
}

struct rill_structure_reader {
  enum rill_format format;
  size_t frames; /* read so far */
  bool has_box;  /* whether the last frame has one */
  double box[3][3];
  struct rill_text text;
};

static bool is_trajectory(const char *path) {
  const size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, ".h5md") == 0;
}

static enum rill_status check_text(const struct rill_structure_reader *reader, struct rill_error *error) {
  const char *path = reader->text.path;
  if (reader->text.bytes == 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: the file is empty, expected a structure (GRO, PDB or XYZ)",
                          path);
  if (reader->format == RILL_FORMAT_UNKNOWN)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: the name does not show the format, expected it to end in .gro, .pdb, .ent or .xyz%s",
                          path, is_trajectory(path) ? "; rill convert writes a frame of a trajectory as one" : "");
  return RILL_OK;
}

/* When the content has another format than the name says, reports that instead of the first fault. */
static enum rill_status explain(const char *path, enum rill_format format, enum rill_status status,
                                struct rill_error *error) {
  enum rill_format content = status == RILL_ERROR_INPUT ? guess_content(path) : RILL_FORMAT_UNKNOWN;
  if (content == RILL_FORMAT_UNKNOWN || content == format) return status;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: the content looks like %s, the name says %s; rename the file to end in %s", path,
                        format_names[content], format_names[format], format_extensions[content]);
}

enum rill_status rill_structure_open(const char *path, struct rill_structure_reader **result,
                                     struct rill_error *error) {
  struct rill_structure_reader *reader = rill_allocate(1, sizeof *reader);
  enum rill_status status;
  *result = NULL;
  if (reader == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  reader->format = rill_structure_format(path);
  status = rill_text_open(&reader->text, path, error);
  if (status == RILL_OK) status = check_text(reader, error);
  if (status == RILL_OK) {
    *result = reader;
    return RILL_OK;
  }
  status = explain(path, reader->format, status, error);
  rill_structure_close(reader);
  return status;
}

void rill_structure_close(struct rill_structure_reader *reader) {
  if (reader == NULL) return;
  rill_text_close(&reader->text);
  rill_release(reader);
}

static enum rill_status read_frame(struct rill_text *text, struct rill_frame *frame) {
  switch (frame->format) {
  case RILL_FORMAT_GRO: return rill_gro_read(text, frame);
  case RILL_FORMAT_PDB: return rill_pdb_read(text, frame);
  default: return rill_xyz_read(text, frame);
  }
}

enum rill_status rill_structure_next(struct rill_structure_reader *reader, struct rill_structure *structure,
                                     bool *found) {
  struct rill_frame frame = {.format = reader->format, .number = reader->frames};
  enum rill_status status;
  *structure = (struct rill_structure){0};
  if (reader->format == RILL_FORMAT_PDB) { /* one CRYST1 may apply to all models */
    frame.has_box = reader->has_box;
    memcpy(frame.box, reader->box, sizeof frame.box);
  }
  status = read_frame(&reader->text, &frame);
  *found = status == RILL_OK && !frame.missing;
  if (*found) status = rill_frame_check_sites(&frame, &reader->text);
  if (*found && status == RILL_OK) status = rill_frame_assemble(&frame, &reader->text, structure);
  rill_file_atoms_release(&frame.atoms);
  if (status != RILL_OK) {
    *found = false;
    rill_structure_release(structure);
    return frame.number == 0 ? explain(reader->text.path, reader->format, status, reader->text.error) : status;
  }
  reader->frames++;
  reader->has_box = frame.has_box;
  memcpy(reader->box, frame.box, sizeof reader->box);
  return RILL_OK;
}

enum rill_status rill_structure_read(const char *path, struct rill_structure *structure, struct rill_error *error) {
  struct rill_structure_reader *reader;
  enum rill_status status;
  bool found;
  *structure = (struct rill_structure){0};
  RILL_TRY(rill_structure_open(path, &reader, error));
  status = rill_structure_next(reader, structure, &found);
  rill_structure_close(reader);
  return status;
}

/* ---- writing ---- */

enum { WIDEST = 512 /* any finite number with 15 decimals fits */ };

/* The file is written under a temporary name, and renamed when it is complete. */
static enum rill_status file_create(struct rill_file *file, const char *path, bool replace,
                                    struct rill_error *error) {
  int descriptor;
  *file = (struct rill_file){.path = path, .replace = replace, .error = error};
  RILL_TRY(rill_part_create(path, &file->part, error));
  descriptor = fcntl(file->part.descriptor, F_DUPFD_CLOEXEC, 0);
  file->stream = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
  if (file->stream != NULL) return RILL_OK;
  rill_error_set(error, RILL_ERROR_OUTPUT, "%s: cannot be created: %s", path, strerror(errno));
  if (descriptor >= 0) close(descriptor);
  rill_part_discard(&file->part);
  return RILL_ERROR_OUTPUT;
}

/* Renames the complete file, or removes it when the status or the file system reports a failure. */
static enum rill_status file_finish(struct rill_file *file, enum rill_status status) {
  const bool failed = ferror(file->stream) != 0;
  errno = 0;
  if ((fclose(file->stream) != 0 || failed) && status == RILL_OK)
    status = rill_error_set(file->error, RILL_ERROR_WRITE, "%s: writing failed: %s", file->path,
                            strerror(errno != 0 ? errno : EIO));
  if (status == RILL_OK) return rill_part_finish(&file->part, file->replace, NULL, file->error);
  rill_part_discard(&file->part);
  return status;
}

enum rill_status rill_file_finite(struct rill_file *file, double value, const char *what, size_t molecule) {
  if (isfinite(value)) return RILL_OK;
  return rill_error_set(file->error, RILL_ERROR_OUTPUT, "%s: %s of molecule %zu is not a finite number", file->path,
                        what, molecule);
}

enum rill_status rill_file_word(struct rill_file *file, double value, int width, int decimals, const char *what,
                                size_t molecule) {
  RILL_TRY(rill_file_finite(file, value, what, molecule));
  fprintf(file->stream, " %*.*f", width, decimals, value);
  return RILL_OK;
}

enum rill_status rill_file_column(struct rill_file *file, double value, int width, int decimals, const char *what,
                                  size_t molecule) {
  char number[WIDEST];
  RILL_TRY(rill_file_finite(file, value, what, molecule));
  if (snprintf(number, sizeof number, "%*.*f", width, decimals, value) > width)
    return rill_error_set(file->error, RILL_ERROR_OUTPUT,
                          "%s: %s of molecule %zu is %s, too wide for its %d columns; write XYZ, or move the "
                          "molecules nearer to the origin",
                          file->path, what, molecule, number, width);
  fputs(number, file->stream);
  return RILL_OK;
}

void rill_file_title(struct rill_file *file, const char *title, int longest) {
  for (int i = 0; title[i] != '\0' && i < longest; i++)
    putc((unsigned char)title[i] < 0x20 || title[i] == 0x7F ? ' ' : title[i], file->stream);
}

struct rill_structure_writer {
  enum rill_format format;
  const struct rill_export *export; /* instead of a format */
  struct rill_export_tally tally;
  int decimals;
  bool several, boxes; /* boxes: whether any frame so far had a box */
  size_t frames;
  struct rill_file file;
};

static enum rill_status check_arguments(const char *path, enum rill_format format, int decimals,
                                        struct rill_error *error) {
  if (rill_export_find(path) != NULL) return RILL_OK;
  if (format == RILL_FORMAT_UNKNOWN)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "%s: the name does not show the format, expected it to end in .gro, .pdb, .ent or .xyz",
                          path);
  if (decimals < 0 || decimals > 15)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: %d decimals requested, expected 1 to 15", path, decimals);
  if (format == RILL_FORMAT_PDB && decimals != 0 && decimals != 3)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "%s: PDB coordinates have 3 decimals, %d requested; write GRO or XYZ", path, decimals);
  return RILL_OK;
}

enum rill_status rill_structure_create(const char *path, bool replace, int decimals, bool several,
                                       struct rill_structure_writer **result, struct rill_error *error) {
  static const int defaults[] = {[RILL_FORMAT_GRO] = 6, [RILL_FORMAT_PDB] = 3, [RILL_FORMAT_XYZ] = 10};
  const enum rill_format format = rill_structure_format(path);
  struct rill_structure_writer *writer;
  enum rill_status status;
  *result = NULL;
  RILL_TRY(check_arguments(path, format, decimals, error));
  writer = rill_allocate(1, sizeof *writer);
  if (writer == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  *writer = (struct rill_structure_writer){
      .format = format, .export = rill_export_find(path), .decimals = decimals, .several = several};
  if (decimals == 0 && writer->export == NULL) writer->decimals = defaults[format];
  status = file_create(&writer->file, path, replace, error);
  if (status != RILL_OK) rill_release(writer);
  else *result = writer;
  return status;
}

static enum rill_status write_frame(struct rill_structure_writer *writer, const struct rill_structure *structure) {
  struct rill_file *file = &writer->file;
  switch (writer->format) {
  case RILL_FORMAT_GRO: return rill_gro_write(file, structure, writer->decimals);
  case RILL_FORMAT_PDB: return rill_pdb_write(file, structure, writer->several ? writer->frames : 0, writer->boxes);
  default: return rill_xyz_write(file, structure, writer->decimals);
  }
}

static enum rill_status export_frame(struct rill_structure_writer *writer, const struct rill_structure *structure) {
  struct rill_export_tally *tally = &writer->tally;
  RILL_TRY(writer->export->append(&writer->file, structure, tally));
  if (tally->frames == 0) {
    tally->molecules = structure->molecules;
    tally->has_box = structure->has_box;
  }
  if (tally->frames < 2) tally->time[tally->frames] = structure->time;
  tally->frames++;
  return RILL_OK;
}

enum rill_status rill_structure_append(struct rill_structure_writer *writer, const struct rill_structure *structure) {
  struct rill_file *file = &writer->file;
  enum rill_status status;
  locale_t c_locale, users;
  if (structure->molecules == 0)
    return rill_error_set(file->error, RILL_ERROR_USAGE, "%s: no molecules to write", file->path);
  c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c_locale == (locale_t)0) return rill_error_set(file->error, RILL_ERROR_MEMORY, "%s: out of memory", file->path);
  users = uselocale(c_locale);
  writer->frames++;
  if (writer->export != NULL) status = export_frame(writer, structure);
  else status = write_frame(writer, structure);
  writer->boxes = writer->boxes || structure->has_box;
  uselocale(users);
  freelocale(c_locale);
  return status;
}

enum rill_status rill_structure_finish(struct rill_structure_writer *writer, enum rill_status status) {
  if (writer == NULL) return status;
  if (writer->format == RILL_FORMAT_PDB) fputs("END\n", writer->file.stream);
  if (status == RILL_OK && writer->export != NULL && writer->export->finish != NULL)
    status = writer->export->finish(&writer->file, &writer->tally);
  status = file_finish(&writer->file, status);
  rill_release(writer);
  return status;
}

enum rill_status rill_structure_write(const char *path, bool replace, const struct rill_structure *structure,
                                      int decimals, struct rill_error *error) {
  struct rill_structure_writer *writer;
  RILL_TRY(rill_structure_create(path, replace, decimals, false, &writer, error));
  return rill_structure_finish(writer, rill_structure_append(writer, structure));
}
