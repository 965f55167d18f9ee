#include "output/h5_read.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/descriptor_driver.h"
#include "output/h5.h"
#include "output/sandbox.h"

enum { WORDS_MOST = 1 << 16 /* most bytes of an attribute in an object header */ };

/* A header may claim any size.  Deflate, the strongest of HDF5's filters, expands one byte to at most 1032, so the
 * size of the file bounds the data in it. */
static const hsize_t expansion_most = 1100;

enum rill_status rill_h5_source_open(struct rill_h5_source *source, const char *path, int descriptor,
                                     const char *expected, struct rill_error *error) {
  static const char signature[8] = "\211HDF\r\n\032\n";
  char start[sizeof signature];
  hid_t access;
  *source = (struct rill_h5_source){.path = path, .file = H5I_INVALID_HID};
  rill_h5_prepare();
  access = H5Pcreate(H5P_FILE_ACCESS);
  if (access >= 0 && rill_descriptor_driver_set(access, descriptor) >= 0)
    source->file = H5Fopen(path, H5F_ACC_RDONLY, access);
  rill_h5_close(access);
  if (source->file >= 0 && H5Fget_filesize(source->file, &source->bytes) >= 0) return RILL_OK;
  switch (pread(descriptor, start, sizeof start, 0)) {
  case 0: return rill_error_set(error, RILL_ERROR_INPUT, "%s: the file is empty; expected %s", path, expected);
  case sizeof start:
    if (memcmp(start, signature, sizeof start) == 0)
      return rill_h5_error(error, RILL_ERROR_INPUT, path, "is a truncated or damaged HDF5 file");
    break;
  default: break;
  }
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: is not an HDF5 file; expected %s", path, expected);
}

void rill_h5_source_close(struct rill_h5_source *source) {
  rill_h5_close(source->file);
  source->file = H5I_INVALID_HID;
}

enum rill_status rill_h5_source_trouble(const struct rill_h5_source *source, struct rill_error *error) {
  switch (source->trouble) {
  case RILL_OK: return RILL_OK;
  case RILL_ERROR_MEMORY: return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", source->path);
  default: break;
  }
  if (source->refusal.length > 0) *error = source->refusal;
  else rill_error_set(error, source->trouble, "%s: a part of it cannot be read; it may be damaged", source->path);
  return error->status;
}

bool rill_h5_answered(struct rill_h5_source *source, bool answer) {
  if (!answer && source->trouble == RILL_OK) source->trouble = RILL_ERROR_INPUT;
  return answer;
}

/* --- objects in the file, and references out of it ------------------------------------------------------------- */

/* Records the first reason.  Returns false. */
static bool refuse(struct rill_h5_source *source, const char *part, const char *what, const char *advice) {
  if (source->trouble == RILL_OK)
    source->trouble =
        rill_error_set(&source->refusal, RILL_ERROR_INPUT, "%s: %s %s; %s", source->path, part, what, advice);
  return false;
}

/* Whether a hard link of this name exists and leads to an object. */
static bool is_linked(struct rill_h5_source *source, hid_t location, const char *path) {
  H5L_info_t link;
  htri_t there = H5Lexists(location, path, H5P_DEFAULT);
  if (!rill_h5_answered(source, there >= 0) || !there ||
      !rill_h5_answered(source, H5Lget_info(location, path, &link, H5P_DEFAULT) >= 0))
    return false;
  if (link.type != H5L_TYPE_HARD)
    return refuse(source, path,
                  link.type == H5L_TYPE_SOFT       ? "is a soft link"
                  : link.type == H5L_TYPE_EXTERNAL ? "is a link to another file"
                                                   : "is a user-defined link",
                  "only hard links are followed; `h5copy -f soft,ext` makes a file that contains the object itself");
  there = H5Oexists_by_name(location, path, H5P_DEFAULT);
  return rill_h5_answered(source, there >= 0) && there;
}

bool rill_h5_exists(struct rill_h5_source *source, hid_t location, const char *path) {
  char part[RILL_H5_TEXT];
  H5O_info_t object;
  for (const char *end = path; end != NULL;) {
    end = strchr(end == path ? path + 1 : end + 1, '/');
    size_t length = end == NULL ? strlen(path) : (size_t)(end - path);
    if (length >= sizeof part) return false;
    memcpy(part, path, length);
    part[length] = '\0';
    if (!is_linked(source, location, part)) return false;
    if (end == NULL) return true;
    if (!rill_h5_answered(source, H5Oget_info_by_name2(location, part, &object, H5O_INFO_BASIC, H5P_DEFAULT) >= 0) ||
        object.type != H5O_TYPE_GROUP)
      return false;
  }
  return true;
}

static bool is_built_in(H5Z_filter_t filter) {
  return filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_FLETCHER32 ||
         filter == H5Z_FILTER_SZIP || filter == H5Z_FILTER_NBIT || filter == H5Z_FILTER_SCALEOFFSET;
}

static bool is_inside(struct rill_h5_source *source, hid_t dataset, const char *path) {
  static const char advice[] = "only data stored in the file itself are read; `h5repack` makes such a file";
  hid_t creation = H5Dget_create_plist(dataset);
  bool inside = true;
  if (!rill_h5_answered(source, creation >= 0)) return false;
  if (H5Pget_layout(creation) == H5D_VIRTUAL)
    inside = refuse(source, path, "is a virtual dataset, whose data are in other files", advice);
  else if (H5Pget_external_count(creation) != 0)
    inside = refuse(source, path, "has its data in other files (external storage)", advice);
  for (int i = 0, count = H5Pget_nfilters(creation); i < count; i++) {
    char what[64];
    H5Z_filter_t filter = H5Pget_filter2(creation, (unsigned)i, NULL, NULL, NULL, 0, NULL, NULL);
    if (is_built_in(filter)) continue;
    snprintf(what, sizeof what, "is compressed by filter %d, which is not built into HDF5", (int)filter);
    inside = refuse(source, path, what, "filter plugins are not loaded; `h5repack -f NONE` unpacks it");
  }
  rill_h5_close(creation);
  return inside;
}

hid_t rill_h5_open_dataset(struct rill_h5_source *source, hid_t location, const char *path) {
  hid_t object;
  if (!rill_h5_exists(source, location, path)) return H5I_INVALID_HID;
  object = H5Oopen(location, path, H5P_DEFAULT);
  if (!rill_h5_answered(source, object >= 0)) return H5I_INVALID_HID;
  if (H5Iget_type(object) == H5I_DATASET && is_inside(source, object, path)) return object;
  rill_h5_close(object);
  return H5I_INVALID_HID;
}

/* --- attributes and numbers ------------------------------------------------------------------------------------- */

hid_t rill_h5_open_attribute(struct rill_h5_source *source, hid_t location, const char *path, const char *name) {
  htri_t there = H5Aexists_by_name(location, path, name, H5P_DEFAULT);
  hid_t attribute = H5I_INVALID_HID;
  if (!rill_h5_answered(source, there >= 0) || !there) return H5I_INVALID_HID;
  attribute = H5Aopen_by_name(location, path, name, H5P_DEFAULT, H5P_DEFAULT);
  rill_h5_answered(source, attribute >= 0);
  return attribute;
}

/* Keeps line feeds out of a word: when printed it must not look like a line of ours. */
static void put_word(char word[RILL_H5_TEXT], const char *text, size_t size) {
  const size_t length = strnlen(text, size < RILL_H5_TEXT ? size : RILL_H5_TEXT - 1);
  for (size_t i = 0; i < length; i++) word[i] = text[i] == '\n' ? ' ' : text[i];
  word[length] = '\0';
}

size_t rill_h5_read_words(struct rill_h5_source *source, hid_t location, const char *path, const char *name,
                          size_t count, char (*words)[RILL_H5_TEXT]) {
  hid_t attribute = rill_h5_open_attribute(source, location, path, name), type = H5I_INVALID_HID,
        space = H5I_INVALID_HID;
  hssize_t points = 0;
  char *raw = NULL;
  bool done = false;
  if (attribute < 0) return 0;
  type = H5Aget_type(attribute);
  space = H5Aget_space(attribute);
  if (rill_h5_answered(source, type >= 0 && space >= 0)) points = H5Sget_simple_extent_npoints(space);
  if (points > 0 && (size_t)points <= count && H5Tget_class(type) == H5T_STRING) {
    size_t size = H5Tget_size(type);
    if (size <= WORDS_MOST && (raw = rill_allocate((size_t)points, size)) == NULL)
      source->trouble = RILL_ERROR_MEMORY;
    done = raw != NULL && rill_h5_answered(source, H5Aread(attribute, type, raw) >= 0);
    if (done && H5Tis_variable_str(type) > 0) {
      char **pointers = (char **)(void *)raw;
      for (size_t i = 0; i < (size_t)points; i++)
        put_word(words[i], pointers[i] == NULL ? "" : pointers[i], RILL_H5_TEXT);
      H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw);
    } else if (done) {
      for (size_t i = 0; i < (size_t)points; i++) put_word(words[i], raw + i * size, size);
    }
  }
  rill_release(raw);
  rill_h5_close(space);
  rill_h5_close(type);
  rill_h5_close(attribute);
  return done ? (size_t)points : 0;
}

static herr_t read_either(hid_t object, bool is_attribute, hid_t type, void *to) {
  return is_attribute ? H5Aread(object, type, to) : H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
}

static bool is_zero(const char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i] != '\0') return false;
  return true;
}

static char *read_text(struct rill_h5_source *source, const char *path, const char *name, bool filled) {
  const bool is_attribute = name != NULL;
  hid_t object = is_attribute ? rill_h5_open_attribute(source, source->file, path, name)
                              : rill_h5_open_dataset(source, source->file, path);
  hid_t type = H5I_INVALID_HID, space = H5I_INVALID_HID;
  char *text = NULL, *variable = NULL;
  if (object < 0) return NULL;
  type = is_attribute ? H5Aget_type(object) : H5Dget_type(object);
  space = is_attribute ? H5Aget_space(object) : H5Dget_space(object);
  if (rill_h5_answered(source, type >= 0 && space >= 0) && H5Tget_class(type) == H5T_STRING &&
      H5Sget_simple_extent_npoints(space) == 1) {
    const size_t size = H5Tget_size(type);
    if (H5Tis_variable_str(type) > 0) {
      if (rill_h5_answered(source, read_either(object, is_attribute, type, &variable) >= 0) && variable != NULL) {
        text = rill_allocate(strlen(variable) + 1, 1);
        if (text != NULL) strcpy(text, variable);
        if (text == NULL) source->trouble = RILL_ERROR_MEMORY;
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, &variable);
      }
    } else if (rill_h5_can_hold(source, size, 1)) {
      text = rill_allocate(size + 1, 1);
      if (text == NULL) source->trouble = RILL_ERROR_MEMORY;
      else if (rill_h5_answered(source, read_either(object, is_attribute, type, text) >= 0) && filled)
        rill_h5_answered(source, is_zero(text + strlen(text), size - strlen(text)));
    }
  }
  rill_h5_close(space);
  rill_h5_close(type);
  rill_h5_close(object);
  return text;
}

char *rill_h5_read_text(struct rill_h5_source *source, const char *path, const char *name) {
  return read_text(source, path, name, false);
}

char *rill_h5_read_filled_text(struct rill_h5_source *source, const char *path, const char *name) {
  return read_text(source, path, name, true);
}

static bool is_number(H5T_class_t class) { return class == H5T_INTEGER || class == H5T_FLOAT; }

void rill_h5_read_number(struct rill_h5_source *source, hid_t location, const char *path, const char *name,
                         hid_t memory_type, void *number) {
  hid_t attribute = rill_h5_open_attribute(source, location, path, name), type, space;
  if (attribute < 0) return;
  type = H5Aget_type(attribute);
  space = H5Aget_space(attribute);
  if (rill_h5_answered(source, type >= 0 && space >= 0) && is_number(H5Tget_class(type)) &&
      H5Sget_simple_extent_npoints(space) == 1)
    rill_h5_answered(source, H5Aread(attribute, memory_type, number) >= 0);
  rill_h5_close(space);
  rill_h5_close(type);
  rill_h5_close(attribute);
}

H5T_class_t rill_h5_class_of(struct rill_h5_source *source, hid_t dataset) {
  hid_t type = H5Dget_type(dataset);
  H5T_class_t class = rill_h5_answered(source, type >= 0) ? H5Tget_class(type) : H5T_NO_CLASS;
  rill_h5_close(type);
  return class;
}

int rill_h5_shape_of(struct rill_h5_source *source, hid_t dataset, H5T_class_t class, hsize_t extent[4]) {
  hid_t space;
  int rank = -1;
  if (dataset < 0 || rill_h5_class_of(source, dataset) != class) return -1;
  space = H5Dget_space(dataset);
  if (rill_h5_answered(source, space >= 0)) rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0 || rank > 4 || H5Sget_simple_extent_dims(space, extent, NULL) < 0) rank = -1;
  rill_h5_close(space);
  return rank;
}

bool rill_h5_can_hold(const struct rill_h5_source *source, hsize_t count, size_t size) {
  return size > 0 && count <= expansion_most * source->bytes / size;
}

bool rill_h5_read_rows(hid_t dataset, hid_t memory_type, size_t row, size_t count, void *values) {
  hid_t file = H5Dget_space(dataset), memory = H5I_INVALID_HID;
  hsize_t start[4] = {row}, size[4];
  int rank = file >= 0 ? H5Sget_simple_extent_dims(file, size, NULL) : -1;
  bool done = rank >= 1 && rank <= 4;
  if (done) size[0] = count;
  done = done && H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0;
  done = done && (memory = H5Screate_simple(rank, size, NULL)) >= 0;
  done = done && H5Dread(dataset, memory_type, memory, file, H5P_DEFAULT, values) >= 0;
  rill_h5_close(memory);
  rill_h5_close(file);
  return done;
}

/* --- probing ---------------------------------------------------------------------------------------------------- */

static herr_t visit_link(hid_t group, const char *path, const H5L_info_t *link, void *source) {
  (void)link;
  rill_sandbox_more_time(0);
  return is_linked(source, group, path) ? 0 : -1;
}

/* Reads the attribute without conversion. */
static herr_t visit_attribute(hid_t object, const char *name, const H5A_info_t *information, void *context) {
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5I_INVALID_HID, space = H5I_INVALID_HID;
  struct rill_h5_source *source = context;
  void *raw = NULL;
  bool done = attribute >= 0 && (type = H5Aget_type(attribute)) >= 0 && (space = H5Aget_space(attribute)) >= 0;
  hssize_t points = done ? H5Sget_simple_extent_npoints(space) : -1;
  (void)information;
  done = points >= 0 && rill_h5_can_hold(source, (hsize_t)points, H5Tget_size(type));
  done = done && (raw = rill_h5_allocate((size_t)points, H5Tget_size(type))) != NULL &&
         H5Aread(attribute, type, raw) >= 0;
  if (done && H5Tdetect_class(type, H5T_VLEN) > 0) H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw);
  rill_release(raw);
  rill_h5_close(space);
  rill_h5_close(type);
  rill_h5_close(attribute);
  return done ? 0 : -1;
}

static herr_t visit_object(hid_t root, const char *path, const H5O_info_t *information, void *source) {
  hid_t object;
  herr_t result;
  rill_sandbox_more_time(0);
  object = H5Oopen(root, path, H5P_DEFAULT);
  result = object < 0 ? -1 : H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_attribute, source);
  if (result >= 0 && information->type == H5O_TYPE_DATASET) {
    hid_t space = H5Dget_space(object);
    result = space >= 0 && is_inside(source, object, path) ? 0 : -1;
    rill_h5_close(space);
    (void)H5Dget_storage_size(object); /* iterates over the chunk index; 0 means an error or no data */
  }
  rill_h5_close(object);
  return result;
}

struct probed {
  const char *path;
  int descriptor;
};

static enum rill_status probe(void *context, const void *request, size_t size, void **reply, size_t *reply_size,
                              struct rill_error *error) {
  const struct probed *probed = context;
  struct rill_h5_source source;
  enum rill_status status = RILL_OK;
  (void)request;
  (void)size;
  (void)reply;
  (void)reply_size;
  RILL_TRY(rill_h5_source_open(&source, probed->path, probed->descriptor, "one that rill wrote", error));
  if (H5Lvisit(source.file, H5_INDEX_NAME, H5_ITER_INC, visit_link, &source) < 0 ||
      H5Ovisit2(source.file, H5_INDEX_NAME, H5_ITER_INC, visit_object, &source, H5O_INFO_BASIC) < 0)
    status = rill_h5_error(error, RILL_ERROR_INPUT, probed->path, "is damaged");
  if (source.trouble != RILL_OK) status = rill_h5_source_trouble(&source, error);
  rill_h5_source_close(&source);
  return status;
}

enum rill_status rill_h5_probe(const char *path, int descriptor, struct rill_error *error) {
  struct probed probed = {path, descriptor};
  size_t size;
  void *reply;
  enum rill_status status = rill_sandbox_run(path, descriptor, probe, &probed, &reply, &size, error);
  rill_release(reply);
  return status;
}
