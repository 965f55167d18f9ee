/* Reads H5MD 1.x: what rill writes, and other programs' files with other group names, types, units, forms of the box
 * and of step and time.  The file is not locked, so that a run can be looked at while it goes on. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/atom_order.h"
#include "output/h5.h"
#include "output/trajectory.h"

enum { TEXT = 256, NOTE = 1024, TABLE_COLUMNS = 128, WORDS_MOST = 1 << 16 /* bytes of an attribute in an object's header, at most */ };

/* A header may claim any size.  Deflate, the strongest of HDF5's filters, makes at most 1032 bytes of one, so that what a
 * file holds is bounded by its own size. */
static const hsize_t expansion_most = 1100;

/* A time-dependent element's step or time: a list, or an increment with an offset, or missing. */
struct axis {
  hid_t list;
  bool regular;
  int64_t first_step, step_increment;
  double first_time, time_increment;
};

struct rill_trajectory_reader {
  char *path;
  hid_t file, position, velocity, edges;
  hsize_t bytes; /* of the file */
  enum rill_status trouble; /* with reading what may be missing: it is not taken for missing */
  struct axis step, time;
  bool periodic, edges_fixed, edges_vector;
  double position_factor, velocity_factor, edges_factor, time_factor; /* to nm, nm/ps, nm, ps */
  size_t frames, molecules;
  bool own;                    /* written by rill: O, H, H and whole by construction */
  enum rill_atom_order order;  /* in the file */
  double *scratch;             /* [molecules][3][3] as in the file; NULL where the order is O, H, H */
  char note[NOTE];
  char creator[TEXT];
  double degrees_of_freedom, step_length;
  char *deck;
};

/* A line of what was guessed, dropped or repaired. */
static void add_note(struct rill_trajectory_reader *reader, const char *format, ...) {
  const size_t length = strlen(reader->note);
  va_list arguments;
  if (length > 0 && length + 1 < NOTE) strcpy(reader->note + length, "\n");
  va_start(arguments, format);
  vsnprintf(reader->note + strlen(reader->note), NOTE - strlen(reader->note), format, arguments);
  va_end(arguments);
}

/* --- small things of HDF5 -------------------------------------------------------------------------------------- */

/* Is the answer to a question an answer at all?  Otherwise the reader's trouble. */
static bool answered(struct rill_trajectory_reader *reader, bool answer) {
  if (!answer && reader->trouble == RILL_OK) reader->trouble = RILL_ERROR_INPUT;
  return answer;
}

/* Does the path lead to an object?  A link to nowhere does not, nor does a path through something that is no group. */
static bool exists(struct rill_trajectory_reader *reader, hid_t location, const char *path) {
  char part[TEXT];
  H5O_info_t object;
  for (const char *end = path; end != NULL;) {
    htri_t there;
    end = strchr(end == path ? path + 1 : end + 1, '/');
    size_t length = end == NULL ? strlen(path) : (size_t)(end - path);
    if (length >= sizeof part) return false;
    memcpy(part, path, length);
    part[length] = '\0';
    there = H5Lexists(location, part, H5P_DEFAULT);
    if (!answered(reader, there >= 0) || !there) return false;
    there = H5Oexists_by_name(location, part, H5P_DEFAULT);
    if (!answered(reader, there >= 0) || !there) return false;
    if (end == NULL) return true;
    if (!answered(reader, H5Oget_info_by_name2(location, part, &object, H5O_INFO_BASIC, H5P_DEFAULT) >= 0) ||
        object.type != H5O_TYPE_GROUP)
      return false;
  }
  return true;
}

/* Negative when there is none. */
static hid_t open_attribute(struct rill_trajectory_reader *reader, hid_t location, const char *path, const char *name) {
  htri_t there = H5Aexists_by_name(location, path, name, H5P_DEFAULT);
  hid_t attribute = H5I_INVALID_HID;
  if (!answered(reader, there >= 0) || !there) return H5I_INVALID_HID;
  attribute = H5Aopen_by_name(location, path, name, H5P_DEFAULT, H5P_DEFAULT);
  answered(reader, attribute >= 0);
  return attribute;
}

/* Up to count strings of an attribute, fixed or variable in length; returns how many there are, 0 for none or others. */
static size_t read_words(struct rill_trajectory_reader *reader, hid_t location, const char *path, const char *name,
                         size_t count, char (*words)[TEXT]) {
  hid_t attribute = open_attribute(reader, location, path, name), type = H5I_INVALID_HID, space = H5I_INVALID_HID;
  hssize_t points = 0;
  char *raw = NULL;
  bool done = false;
  if (attribute < 0) return 0;
  type = H5Aget_type(attribute);
  space = H5Aget_space(attribute);
  if (answered(reader, type >= 0 && space >= 0)) points = H5Sget_simple_extent_npoints(space);
  if (points > 0 && (size_t)points <= count && H5Tget_class(type) == H5T_STRING) {
    size_t size = H5Tget_size(type);
    if (size <= WORDS_MOST && (raw = rill_allocate((size_t)points, size)) == NULL) reader->trouble = RILL_ERROR_MEMORY;
    done = raw != NULL && answered(reader, H5Aread(attribute, type, raw) >= 0);
    if (done && H5Tis_variable_str(type) > 0) {
      char **pointers = (char **)(void *)raw;
      for (size_t i = 0; i < (size_t)points; i++) snprintf(words[i], TEXT, "%s", pointers[i] == NULL ? "" : pointers[i]);
      H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw);
    } else if (done) {
      for (size_t i = 0; i < (size_t)points; i++)
        snprintf(words[i], TEXT, "%.*s", size < TEXT ? (int)size : TEXT - 1, raw + i * size);
    }
  }
  rill_release(raw);
  rill_h5_close(space);
  rill_h5_close(type);
  rill_h5_close(attribute);
  return done ? (size_t)points : 0;
}

static bool is_number(H5T_class_t class) { return class == H5T_INTEGER || class == H5T_FLOAT; }

/* A scalar number of an attribute; left alone when it is missing or something else. */
static void read_number(struct rill_trajectory_reader *reader, hid_t location, const char *path, const char *name,
                        hid_t memory_type, void *number) {
  hid_t attribute = open_attribute(reader, location, path, name), type, space;
  if (attribute < 0) return;
  type = H5Aget_type(attribute);
  space = H5Aget_space(attribute);
  if (answered(reader, type >= 0 && space >= 0) && is_number(H5Tget_class(type)) &&
      H5Sget_simple_extent_npoints(space) == 1)
    answered(reader, H5Aread(attribute, memory_type, number) >= 0);
  rill_h5_close(space);
  rill_h5_close(type);
  rill_h5_close(attribute);
}

static H5T_class_t class_of(struct rill_trajectory_reader *reader, hid_t dataset) {
  hid_t type = H5Dget_type(dataset);
  H5T_class_t class = answered(reader, type >= 0) ? H5Tget_class(type) : H5T_NO_CLASS;
  rill_h5_close(type);
  return class;
}

/* Rank and extent of a dataset of numbers of the given class; -1 when it is something else. */
static int shape_of(struct rill_trajectory_reader *reader, hid_t dataset, H5T_class_t class, hsize_t extent[4]) {
  hid_t space;
  int rank = -1;
  if (dataset < 0 || class_of(reader, dataset) != class) return -1;
  space = H5Dget_space(dataset);
  if (answered(reader, space >= 0)) rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0 || rank > 4 || H5Sget_simple_extent_dims(space, extent, NULL) < 0) rank = -1;
  rill_h5_close(space);
  return rank;
}

/* Can the file hold so many things of that size?  Asked before memory for them is. */
static bool can_hold(const struct rill_trajectory_reader *reader, hsize_t count, size_t size) {
  return size > 0 && count <= expansion_most * reader->bytes / size;
}

static hid_t open_dataset(struct rill_trajectory_reader *reader, hid_t location, const char *path) {
  hid_t object;
  if (!exists(reader, location, path)) return H5I_INVALID_HID;
  object = H5Oopen(location, path, H5P_DEFAULT);
  if (answered(reader, object >= 0) && H5Iget_type(object) != H5I_DATASET) {
    rill_h5_close(object);
    return H5I_INVALID_HID;
  }
  return object;
}

/* Row `row` of the first dimension, as doubles or as 64-bit integers. */
static bool read_row(hid_t dataset, hid_t memory_type, size_t row, void *values) {
  hid_t file = H5Dget_space(dataset), memory = H5I_INVALID_HID;
  hsize_t start[4] = {row}, size[4];
  int rank = file >= 0 ? H5Sget_simple_extent_dims(file, size, NULL) : -1;
  bool done = rank >= 1 && rank <= 4;
  if (done) size[0] = 1;
  done = done && H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0;
  done = done && (memory = H5Screate_simple(rank, size, NULL)) >= 0;
  done = done && H5Dread(dataset, memory_type, memory, file, H5P_DEFAULT, values) >= 0;
  rill_h5_close(memory);
  rill_h5_close(file);
  return done;
}

/* --- units ------------------------------------------------------------------------------------------------------ */

static double length_factor(const char *unit) {
  static const struct {
    const char *name;
    double nm;
  } lengths[] = {{"nm", 1}, {"Angstrom", 0.1}, {"angstrom", 0.1}, {"Ang", 0.1}, {"A", 0.1},
                 {"\xc3\x85", 0.1}, {"pm", 1e-3}, {"fm", 1e-6}, {"um", 1e3}, {"m", 1e9}};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
    if (strcmp(unit, lengths[i].name) == 0) return lengths[i].nm;
  return NAN;
}

static double time_factor(const char *unit) {
  static const struct {
    const char *name;
    double ps;
  } times[] = {{"ps", 1}, {"fs", 1e-3}, {"ns", 1e3}, {"us", 1e6}, {"s", 1e12}};
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
    if (strcmp(unit, times[i].name) == 0) return times[i].ps;
  return NAN;
}

/* "nm ps-1" or "nm/ps" */
static double velocity_factor(const char *unit) {
  char length[TEXT], time[TEXT];
  char *suffix;
  if (sscanf(unit, "%255[^ /]%*[ /]%255s", length, time) != 2) return NAN;
  suffix = strstr(time, "-1");
  if (suffix != NULL && suffix[2] == '\0') *suffix = '\0';
  return length_factor(length) / time_factor(time);
}

/* Factor of the unit of a dataset; missing: NAN without an error. */
static enum rill_status read_unit(struct rill_trajectory_reader *reader, hid_t dataset, const char *what,
                                  double (*factor_of)(const char *), double *factor, struct rill_error *error) {
  char unit[1][TEXT];
  *factor = NAN;
  if (read_words(reader, dataset, ".", "unit", 1, unit) == 0) return RILL_OK;
  *factor = factor_of(unit[0]);
  if (!isnan(*factor)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: the unit '%s' of %s is not known; expected nm, Angstrom, pm for lengths "
                        "and fs, ps, ns for times", reader->path, unit[0], what);
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static enum rill_status open_file(const char *path, hid_t *file, hsize_t *bytes, struct rill_error *error) {
  static const char signature[8] = "\211HDF\r\n\032\n";
  char start[sizeof signature];
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = descriptor < 0 ? -1 : read(descriptor, start, sizeof start);
  int failure = errno;
  hid_t access;
  if (descriptor >= 0) close(descriptor);
  if (length < 0) return rill_error_set(error, RILL_ERROR_INPUT, "%s: cannot be read: %s", path, strerror(failure));
  if (length == 0) return rill_error_set(error, RILL_ERROR_INPUT, "%s: the file is empty; expected an H5MD trajectory", path);
  access = H5Pcreate(H5P_FILE_ACCESS);
  if (access >= 0 && H5Pset_file_locking(access, 0, 1) >= 0) *file = H5Fopen(path, H5F_ACC_RDONLY, access);
  rill_h5_close(access);
  if (*file >= 0 && H5Fget_filesize(*file, bytes) >= 0) return RILL_OK;
  if (length < (ssize_t)sizeof start || memcmp(start, signature, sizeof start) != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: is not an HDF5 file; expected an H5MD trajectory", path);
  return rill_h5_error(error, RILL_ERROR_INPUT, path, "is an HDF5 file that is cut short or damaged");
}

static enum rill_status check_version(struct rill_trajectory_reader *reader, struct rill_error *error) {
  int32_t version[2] = {0, 0};
  hid_t attribute = H5I_INVALID_HID, space = H5I_INVALID_HID;
  bool done;
  if (exists(reader, reader->file, "/h5md")) attribute = open_attribute(reader, reader->file, "/h5md", "version");
  if (attribute >= 0) space = H5Aget_space(attribute);
  done = space >= 0 && H5Sget_simple_extent_npoints(space) == 2 && H5Aread(attribute, H5T_NATIVE_INT32, version) >= 0;
  rill_h5_close(space);
  rill_h5_close(attribute);
  if (!done)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: is HDF5 but not H5MD: it has no /h5md with a version", reader->path);
  if (version[0] != 1)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: is H5MD version %d.%d; versions 1.x can be read", reader->path,
                          version[0], version[1]);
  return RILL_OK;
}

struct search {
  struct rill_trajectory_reader *reader;
  size_t count;
  char found[TEXT];
};

/* Keeps the first group that has positions, and counts them all. */
static herr_t find_particles(hid_t particles, const char *name, const H5L_info_t *information, void *search) {
  struct search *s = search;
  char position[TEXT];
  (void)information;
  if (snprintf(position, sizeof position, "%s/position", name) >= (int)sizeof position ||
      !exists(s->reader, particles, position))
    return 0;
  if (s->count++ == 0) snprintf(s->found, sizeof s->found, "%s", name);
  return 0;
}

/* Step or time of the element `path` of group; a missing time is allowed. */
static enum rill_status open_axis(struct rill_trajectory_reader *reader, hid_t group, const char *path, bool is_step,
                                  struct axis *axis, struct rill_error *error) {
  hsize_t extent[4] = {0};
  H5T_class_t class;
  int rank;
  axis->list = open_dataset(reader, group, path);
  if (axis->list < 0) {
    if (!is_step) return RILL_OK;
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: the positions have no step", reader->path);
  }
  class = class_of(reader, axis->list);
  rank = shape_of(reader, axis->list, class, extent);
  if ((class != H5T_INTEGER && (is_step || class != H5T_FLOAT)) || rank < 0 || rank > 1)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: %s is neither a number nor a list of %s", reader->path, path,
                          is_step ? "integers" : "numbers");
  axis->regular = rank == 0;
  if (rank == 1) {
    if (extent[0] < reader->frames) reader->frames = (size_t)extent[0];
    return RILL_OK;
  }
  read_number(reader, axis->list, ".", "offset", is_step ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE,
              is_step ? (void *)&axis->first_step : (void *)&axis->first_time);
  if (H5Dread(axis->list, is_step ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
              is_step ? (void *)&axis->step_increment : (void *)&axis->time_increment) < 0)
    return rill_h5_error(error, RILL_ERROR_INPUT, reader->path, "step or time cannot be read");
  return RILL_OK;
}

static enum rill_status open_positions(struct rill_trajectory_reader *reader, hid_t group, struct rill_error *error) {
  hsize_t extent[4] = {0};
  reader->position = open_dataset(reader, group, "position/value");
  if (reader->position < 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: the positions do not depend on time (no position/value)",
                          reader->path);
  if (shape_of(reader, reader->position, H5T_FLOAT, extent) != 3 || extent[2] != 3)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: the positions are not real numbers of shape [frames][atoms][3]",
                          reader->path);
  if (extent[1] == 0 || extent[1] % 3 != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: %llu atoms; expected a multiple of 3: water alone, three atoms a molecule; write the "
                          "molecules of water without other atoms or sites", reader->path, (unsigned long long)extent[1]);
  if (!can_hold(reader, extent[1], 3 * sizeof(float)))
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: claims %llu atoms, which a file of %llu bytes cannot hold",
                          reader->path, (unsigned long long)extent[1], (unsigned long long)reader->bytes);
  reader->frames = (size_t)extent[0];
  reader->molecules = (size_t)extent[1] / 3;
  RILL_TRY(open_axis(reader, group, "position/step", true, &reader->step, error));
  RILL_TRY(open_axis(reader, group, "position/time", false, &reader->time, error));
  if (!can_hold(reader, reader->frames, 3 * sizeof(float) * (size_t)extent[1]))
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: claims %zu frames, which a file of %llu bytes cannot hold",
                          reader->path, reader->frames, (unsigned long long)reader->bytes);
  RILL_TRY(read_unit(reader, reader->position, "the positions", length_factor, &reader->position_factor, error));
  if (reader->time.list < 0) return RILL_OK;
  RILL_TRY(read_unit(reader, reader->time.list, "time", time_factor, &reader->time_factor, error));
  if (isnan(reader->time_factor)) reader->time_factor = 1;
  return RILL_OK;
}

/* Does an element have the steps of the positions: the same dataset, or one with the same numbers? */
static enum rill_status has_same_steps(struct rill_trajectory_reader *reader, hid_t group, const char *path, bool *same,
                                       struct rill_error *error) {
  struct axis step = {.list = H5I_INVALID_HID};
  H5O_info_t ours, theirs;
  const size_t frames = reader->frames;
  enum rill_status status = open_axis(reader, group, path, true, &step, error);
  *same = status == RILL_OK && reader->frames == frames && step.regular == reader->step.regular;
  reader->frames = frames;
  if (*same && step.regular) {
    *same = step.first_step == reader->step.first_step && step.step_increment == reader->step.step_increment;
  } else if (*same && (H5Oget_info2(step.list, &theirs, H5O_INFO_BASIC) < 0 ||
                       H5Oget_info2(reader->step.list, &ours, H5O_INFO_BASIC) < 0 || ours.addr != theirs.addr)) {
    for (size_t i = 0; i < frames && *same; i++) {
      int64_t a, b;
      *same = answered(reader, read_row(step.list, H5T_NATIVE_INT64, i, &a) &&
                                   read_row(reader->step.list, H5T_NATIVE_INT64, i, &b)) && a == b;
    }
  }
  rill_h5_close(step.list);
  return status;
}

/* Velocities count when they come with the positions. */
static enum rill_status open_velocities(struct rill_trajectory_reader *reader, hid_t group, struct rill_error *error) {
  hsize_t extent[4] = {0};
  bool same;
  reader->velocity = open_dataset(reader, group, "velocity/value");
  if (reader->velocity < 0) return RILL_OK;
  if (shape_of(reader, reader->velocity, H5T_FLOAT, extent) != 3 || extent[1] != 3 * reader->molecules || extent[2] != 3)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: the velocities are not of the shape of the positions", reader->path);
  same = extent[0] >= reader->frames && exists(reader, group, "velocity/step");
  if (same) RILL_TRY(has_same_steps(reader, group, "velocity/step", &same, error));
  if (!same) {
    rill_h5_close(reader->velocity);
    reader->velocity = H5I_INVALID_HID;
    add_note(reader, "the velocities are not given at the steps of the positions, and are left out");
    return RILL_OK;
  }
  RILL_TRY(read_unit(reader, reader->velocity, "the velocities", velocity_factor, &reader->velocity_factor, error));
  if (!isnan(reader->velocity_factor)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: the velocities have no unit; add the attribute unit (nm ps-1) to "
                        "velocity/value", reader->path);
}

static enum rill_status open_box(struct rill_trajectory_reader *reader, hid_t group, struct rill_error *error) {
  char boundary[3][TEXT];
  size_t count = exists(reader, group, "box") ? read_words(reader, group, "box", "boundary", 3, boundary) : 0, periodic = 0;
  hsize_t extent[4] = {0};
  int rank, first;
  for (size_t d = 0; d < count; d++) periodic += strcmp(boundary[d], "periodic") == 0;
  if (count > 0 && periodic == 0) return RILL_OK;
  if (count > 0 && periodic < count)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: periodic in %zu of %zu directions; all or none can be read",
                          reader->path, periodic, count);
  reader->edges = open_dataset(reader, group, "box/edges");
  reader->edges_fixed = reader->edges >= 0;
  if (reader->edges < 0) reader->edges = open_dataset(reader, group, "box/edges/value");
  if (reader->edges < 0) {
    if (periodic == 0) return RILL_OK;
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: is periodic but has no box edges", reader->path);
  }
  rank = shape_of(reader, reader->edges, H5T_FLOAT, extent);
  first = reader->edges_fixed ? 0 : 1;
  reader->edges_vector = rank == first + 1;
  if ((rank != first + 1 && rank != first + 2) || extent[first] != 3 || extent[rank - 1] != 3)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: the box edges are neither [3] nor [3][3] for each frame",
                          reader->path);
  if (first == 1 && extent[0] < reader->frames)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: %llu boxes (box/edges/value) for %zu frames; expected a box for "
                          "each frame, or one fixed box (box/edges)", reader->path, (unsigned long long)extent[0],
                          reader->frames);
  if (first == 1 && exists(reader, group, "box/edges/step")) {
    bool same;
    RILL_TRY(has_same_steps(reader, group, "box/edges/step", &same, error));
    if (!same)
      return rill_error_set(error, RILL_ERROR_INPUT, "%s: the boxes (box/edges/step) are not given at the steps of the "
                            "positions (position/step); expected a box for each frame, or one fixed box (box/edges)",
                            reader->path);
  }
  RILL_TRY(read_unit(reader, reader->edges, "the box edges", length_factor, &reader->edges_factor, error));
  if (isnan(reader->edges_factor)) reader->edges_factor = isnan(reader->position_factor) ? 1 : reader->position_factor;
  reader->periodic = true;
  return RILL_OK;
}

static void scale(double *values, size_t count, double factor) {
  if (factor == 1.0) return;
  for (size_t i = 0; i < count; i++) values[i] *= factor;
}

static bool read_box(struct rill_trajectory_reader *reader, size_t frame, double *box) {
  double vector[3];
  double *values = reader->edges_vector ? vector : box;
  bool done = reader->edges_fixed ? H5Dread(reader->edges, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0
                                  : read_row(reader->edges, H5T_NATIVE_DOUBLE, frame, values);
  if (done && reader->edges_vector)
    for (int d = 0; d < 3; d++) box[4 * d] = vector[d];
  if (done) scale(box, 9, reader->edges_factor);
  return done;
}

/* --- the atoms of other programs ---------------------------------------------------------------------------------- */

static bool are_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

/* Reads the first frame whose numbers are finite; false when there is none. */
static bool read_sound_frame(struct rill_trajectory_reader *reader, double *positions, double *box) {
  const size_t numbers = 9 * reader->molecules;
  for (size_t frame = 0; frame < reader->frames; frame++) {
    memset(box, 0, 9 * sizeof *box);
    if (!answered(reader, read_row(reader->position, H5T_NATIVE_DOUBLE, frame, positions))) return false;
    if (reader->periodic && !answered(reader, read_box(reader, frame, box))) return false;
    if (are_finite(positions, numbers) && are_finite(box, 9)) return true;
  }
  return false;
}

static enum rill_status refuse_atoms(struct rill_trajectory_reader *reader, double *positions, const double *box,
                                     size_t misfit, bool has_unit, struct rill_error *error) {
  const double nm_per_angstrom = 0.1;
  const char *advice = "expected water alone, in nm or with the attribute unit, and with a box if molecules are broken "
                       "across it";
  double box_angstrom[9], d[3];
  enum rill_atom_order order;
  size_t other;
  rill_atom_distances(positions, reader->molecules, misfit, RILL_ATOMS_OHH, box, d);
  for (int i = 0; i < 9 && box != NULL; i++) box_angstrom[i] = nm_per_angstrom * box[i];
  scale(positions, 9 * reader->molecules, nm_per_angstrom);
  if (rill_atom_order_find(positions, reader->molecules, box, &order, &other) ||
      rill_atom_order_find(positions, reader->molecules, box == NULL ? NULL : box_angstrom, &order, &other))
    advice = has_unit ? "they are those of water in Angstrom: correct the attribute unit of position/value"
                      : "they are those of water in Angstrom: add the attribute unit to position/value";
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: which atoms are oxygens cannot be told: the distances fit water in no "
                        "order of the atoms (O H H, H O H, H H O, or in blocks). As O H H, molecule %zu has O-H %.4g and "
                        "%.4g nm, H-H %.4g nm; expected about 0.096 and 0.151. %s", reader->path, misfit + 1, d[0], d[1],
                        d[2], advice);
}

/* Species are whatever the writer numbers them: all that can be asked is that one kind is O and another one H. */
static enum rill_status compare_species(struct rill_trajectory_reader *reader, const int32_t *kind, bool by_distance,
                                        struct rill_error *error) {
  const size_t n = reader->molecules;
  const int32_t oxygen = kind[rill_atom_place(reader->order, n, 0, 0)];
  const int32_t hydrogen = kind[rill_atom_place(reader->order, n, 0, 1)];
  for (size_t m = 0; m < n; m++) {
    size_t place[3];
    for (int a = 0; a < 3; a++) place[a] = rill_atom_place(reader->order, n, m, a);
    if (oxygen != hydrogen && kind[place[0]] == oxygen && kind[place[1]] == hydrogen && kind[place[2]] == hydrogen) continue;
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: atoms %zu, %zu, %zu have the species %d, %d, %d, but %s O, H, H; "
                          "expected one species for all O and another one for all H: correct the dataset species, or "
                          "leave it out", reader->path, place[0] + 1, place[1] + 1, place[2] + 1, (int)kind[place[0]],
                          (int)kind[place[1]], (int)kind[place[2]], by_distance ? "by their distances they are" : "should be");
  }
  return RILL_OK;
}

static enum rill_status check_species(struct rill_trajectory_reader *reader, hid_t group, bool by_distance,
                                      struct rill_error *error) {
  hid_t species = open_dataset(reader, group, "species");
  hsize_t extent[4] = {0};
  enum rill_status status = RILL_OK;
  int32_t *kind = NULL;
  if (shape_of(reader, species, H5T_INTEGER, extent) == 1 && extent[0] == 3 * reader->molecules) {
    kind = rill_allocate((size_t)extent[0], sizeof *kind);
    if (kind == NULL)
      status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", reader->path);
    else if (answered(reader, H5Dread(species, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, kind) >= 0))
      status = compare_species(reader, kind, by_distance, error);
  }
  rill_release(kind);
  rill_h5_close(species);
  return status;
}

/* Without a unit, lengths are nm if the distances are those of water. */
static enum rill_status find_order(struct rill_trajectory_reader *reader, bool *sound, struct rill_error *error) {
  const bool has_unit = !isnan(reader->position_factor);
  const size_t numbers = 9 * reader->molecules;
  double box[9];
  const double *periodic = reader->periodic ? box : NULL;
  size_t misfit, broken;
  if (!has_unit) reader->position_factor = 1;
  reader->scratch = rill_allocate(2 * numbers, sizeof *reader->scratch);
  if (reader->scratch == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", reader->path);
  *sound = read_sound_frame(reader, reader->scratch, box);
  if (!*sound) return RILL_OK;
  scale(reader->scratch, numbers, reader->position_factor);
  if (!rill_atom_order_find(reader->scratch, reader->molecules, periodic, &reader->order, &misfit))
    return refuse_atoms(reader, reader->scratch, periodic, misfit, has_unit, error);
  if (!has_unit) add_note(reader, "the positions have no unit; they are in nm by the O-H distances");
  if (reader->order != RILL_ATOMS_OHH)
    add_note(reader, "by their distances the atoms stand in the order: %s", rill_atom_order_name(reader->order));
  rill_atom_order_apply(reader->order, reader->molecules, reader->scratch, reader->scratch + numbers);
  broken = periodic != NULL ? rill_atoms_make_whole(reader->scratch + numbers, reader->molecules, box) : 0;
  if (broken > 0)
    add_note(reader, "%zu of %zu molecules of the first frame are broken across the box; they are made whole", broken,
             reader->molecules);
  return RILL_OK;
}

static enum rill_status recognise_atoms(struct rill_trajectory_reader *reader, hid_t group, struct rill_error *error) {
  bool sound = false;
  reader->order = RILL_ATOMS_OHH;
  if (!reader->own) RILL_TRY(find_order(reader, &sound, error));
  if (isnan(reader->position_factor)) reader->position_factor = 1;
  if (reader->order == RILL_ATOMS_OHH) {
    rill_release(reader->scratch);
    reader->scratch = NULL;
  }
  return check_species(reader, group, sound, error);
}

static char *read_text(struct rill_trajectory_reader *reader, const char *path) {
  hid_t dataset = open_dataset(reader, reader->file, path), type = H5I_INVALID_HID, space = H5I_INVALID_HID;
  char *text = NULL, *variable = NULL;
  if (dataset < 0) return NULL;
  type = H5Dget_type(dataset);
  space = H5Dget_space(dataset);
  if (answered(reader, type >= 0 && space >= 0) && H5Tget_class(type) == H5T_STRING &&
      H5Sget_simple_extent_npoints(space) == 1) {
    if (H5Tis_variable_str(type) > 0) {
      if (answered(reader, H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &variable) >= 0) && variable != NULL) {
        text = rill_allocate(strlen(variable) + 1, 1);
        if (text != NULL) strcpy(text, variable);
        if (text == NULL) reader->trouble = RILL_ERROR_MEMORY;
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, &variable);
      }
    } else if (can_hold(reader, H5Tget_size(type), 1)) {
      text = rill_allocate(H5Tget_size(type) + 1, 1);
      if (text == NULL)
        reader->trouble = RILL_ERROR_MEMORY;
      else
        answered(reader, H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
    }
  }
  rill_h5_close(space);
  rill_h5_close(type);
  rill_h5_close(dataset);
  return text;
}

static void read_facts(struct rill_trajectory_reader *reader) {
  hsize_t extent[4] = {0};
  char words[1][TEXT];
  hid_t step;
  if (exists(reader, reader->file, "/h5md/creator")) {
    if (read_words(reader, reader->file, "/h5md/creator", "name", 1, words) == 1)
      snprintf(reader->creator, sizeof reader->creator, "%.200s", words[0]);
    if (read_words(reader, reader->file, "/h5md/creator", "version", 1, words) == 1) {
      size_t length = strlen(reader->creator);
      snprintf(reader->creator + length, sizeof reader->creator - length, " %s", words[0]);
    }
  }
  if (!exists(reader, reader->file, "/parameters/rill")) return;
  reader->own = strncmp(reader->creator, "rill ", 5) == 0;
  reader->deck = read_text(reader, "/parameters/rill/deck");
  read_number(reader, reader->file, "/parameters/rill", "degrees_of_freedom", H5T_NATIVE_DOUBLE, &reader->degrees_of_freedom);
  step = open_dataset(reader, reader->file, "/parameters/rill/step");
  if (shape_of(reader, step, H5T_FLOAT, extent) == 0)
    answered(reader, H5Dread(step, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &reader->step_length) >= 0);
  rill_h5_close(step);
}

enum rill_status rill_trajectory_open(const char *path, struct rill_trajectory_reader **result, struct rill_error *error) {
  struct rill_trajectory_reader *reader = rill_allocate(1, sizeof *reader);
  hid_t group = H5I_INVALID_HID;
  struct search search = {.reader = reader};
  char place[TEXT + 16];
  enum rill_status status;
  *result = NULL;
  rill_h5_prepare();
  if (reader != NULL) {
    reader->file = reader->position = reader->velocity = reader->edges = H5I_INVALID_HID;
    reader->step.list = reader->time.list = H5I_INVALID_HID;
    reader->degrees_of_freedom = reader->step_length = NAN;
    reader->path = rill_allocate(strlen(path) + 1, 1);
  }
  if (reader == NULL || reader->path == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
    goto fail;
  }
  strcpy(reader->path, path);
  status = open_file(path, &reader->file, &reader->bytes, error);
  if (status == RILL_OK) status = check_version(reader, error);
  if (status != RILL_OK) goto fail;
  if (exists(reader, reader->file, "/particles/trajectory/position"))
    strcpy(search.found, "trajectory");
  else if (exists(reader, reader->file, "/particles"))
    H5Literate_by_name(reader->file, "/particles", H5_INDEX_NAME, H5_ITER_INC, NULL, find_particles, &search, H5P_DEFAULT);
  if (search.count > 1)
    add_note(reader, "%zu groups of particles have positions; read is the first, %s", search.count, search.found);
  if (search.found[0] == '\0') {
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s: holds no positions (/particles/.../position)", path);
    goto fail;
  }
  snprintf(place, sizeof place, "/particles/%s", search.found);
  group = H5Gopen2(reader->file, place, H5P_DEFAULT);
  if (group < 0) {
    status = rill_h5_error(error, RILL_ERROR_INPUT, path, "the particles cannot be read");
    goto fail;
  }
  read_facts(reader);
  status = open_positions(reader, group, error);
  if (status == RILL_OK) status = open_velocities(reader, group, error);
  if (status == RILL_OK) status = open_box(reader, group, error);
  if (status == RILL_OK) status = recognise_atoms(reader, group, error);
  if (status != RILL_OK) goto fail;
  if (reader->trouble != RILL_OK) goto fail;
  rill_h5_close(group);
  *result = reader;
  return RILL_OK;
fail:
  if (reader != NULL && reader->trouble == RILL_ERROR_MEMORY)
    status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  else if (reader != NULL && reader->trouble != RILL_OK)
    status = rill_error_set(error, reader->trouble, "%s: a part of it cannot be read; it may be damaged", path);
  rill_h5_close(group);
  rill_trajectory_reader_close(reader);
  return status;
}

void rill_trajectory_reader_close(struct rill_trajectory_reader *reader) {
  if (reader == NULL) return;
  rill_h5_close(reader->position);
  rill_h5_close(reader->velocity);
  rill_h5_close(reader->edges);
  rill_h5_close(reader->step.list);
  rill_h5_close(reader->time.list);
  rill_h5_close(reader->file);
  rill_release(reader->scratch);
  rill_release(reader->deck);
  rill_release(reader->path);
  rill_release(reader);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

size_t rill_trajectory_frames(const struct rill_trajectory_reader *reader) { return reader->frames; }
size_t rill_trajectory_molecules(const struct rill_trajectory_reader *reader) { return reader->molecules; }
bool rill_trajectory_has_velocities(const struct rill_trajectory_reader *reader) { return reader->velocity >= 0; }
bool rill_trajectory_is_periodic(const struct rill_trajectory_reader *reader) { return reader->periodic; }
const char *rill_trajectory_deck(const struct rill_trajectory_reader *reader) {
  return reader->deck == NULL ? "" : reader->deck;
}
const char *rill_trajectory_note(const struct rill_trajectory_reader *reader) { return reader->note; }
const char *rill_trajectory_creator(const struct rill_trajectory_reader *reader) { return reader->creator; }
double rill_trajectory_degrees_of_freedom(const struct rill_trajectory_reader *reader) {
  return reader->degrees_of_freedom;
}
double rill_trajectory_step(const struct rill_trajectory_reader *reader) { return reader->step_length; }

/* Step, time, and whether they could be read. */
static bool read_axes(struct rill_trajectory_reader *reader, size_t frame, int64_t *step, double *time) {
  bool done = true;
  if (reader->step.regular) {
    int64_t since;
    if (frame > INT64_MAX || __builtin_mul_overflow((int64_t)frame, reader->step.step_increment, &since) ||
        __builtin_add_overflow(reader->step.first_step, since, step))
      *step = -1;
  } else {
    done = read_row(reader->step.list, H5T_NATIVE_INT64, frame, step);
  }
  if (reader->time.list < 0)
    *time = NAN;
  else if (reader->time.regular)
    *time = (reader->time.first_time + (double)frame * reader->time.time_increment) * reader->time_factor;
  else if ((done = done && read_row(reader->time.list, H5T_NATIVE_DOUBLE, frame, time)))
    *time *= reader->time_factor;
  return done;
}

/* Vectors of a frame as O, H, H. */
static bool read_vectors(struct rill_trajectory_reader *reader, hid_t dataset, size_t frame, double factor, double *vectors) {
  double *raw = reader->scratch != NULL ? reader->scratch : vectors;
  if (!read_row(dataset, H5T_NATIVE_DOUBLE, frame, raw)) return false;
  if (raw != vectors) rill_atom_order_apply(reader->order, reader->molecules, raw, vectors);
  scale(vectors, 9 * reader->molecules, factor);
  return true;
}

/* The first vector that is not finite, as a fault of the frame. */
static enum rill_status check_vectors(const struct rill_trajectory_reader *reader, const char *what, size_t frame,
                                      const double *vectors, struct rill_error *error) {
  static const char *const atoms[] = {"O", "the first H", "the second H"};
  for (size_t i = 0; i < 9 * reader->molecules; i++)
    if (!isfinite(vectors[i]))
      return rill_error_set(error, RILL_ERROR_INPUT, "%s: frame %zu: the %s of %s of molecule %zu is not finite (%g)",
                            reader->path, frame, what, atoms[i % 9 / 3], i / 9 + 1, vectors[i]);
  return RILL_OK;
}

static enum rill_status load_axes(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step, double *time,
                                  struct rill_error *error) {
  int64_t number = 0;
  if (frame >= reader->frames)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: frame %zu of %zu (counted from 0)", reader->path, frame,
                          reader->frames);
  if (!read_axes(reader, frame, &number, time)) {
    char doing[64];
    snprintf(doing, sizeof doing, "step or time of frame %zu cannot be read", frame);
    return rill_h5_error(error, RILL_ERROR_INPUT, reader->path, doing);
  }
  if (number < 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: frame %zu has the step %lld; expected 0 or more", reader->path,
                          frame, (long long)number);
  *step = (uint64_t)number;
  return RILL_OK;
}

static enum rill_status check_time(const struct rill_trajectory_reader *reader, size_t frame, double time,
                                   struct rill_error *error) {
  if (reader->time.list < 0 || isfinite(time)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: frame %zu: the time is not finite (%g)", reader->path, frame, time);
}

enum rill_status rill_trajectory_time(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step, double *time,
                                      struct rill_error *error) {
  RILL_TRY(load_axes(reader, frame, step, time, error));
  return check_time(reader, frame, *time, error);
}

/* What the file holds of a frame, finite or not. */
static enum rill_status load_frame(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step, double *time,
                                   double *positions, double *velocities, double edges[9], struct rill_error *error) {
  char doing[64];
  memset(edges, 0, 9 * sizeof *edges);
  RILL_TRY(load_axes(reader, frame, step, time, error));
  if (read_vectors(reader, reader->position, frame, reader->position_factor, positions) &&
      (velocities == NULL || read_vectors(reader, reader->velocity, frame, reader->velocity_factor, velocities)) &&
      (!reader->periodic || read_box(reader, frame, edges)))
    return RILL_OK;
  snprintf(doing, sizeof doing, "frame %zu cannot be read", frame);
  return rill_h5_error(error, RILL_ERROR_INPUT, reader->path, doing);
}

static enum rill_status check_frame(const struct rill_trajectory_reader *reader, size_t frame, double time,
                                    const double *positions, const double *velocities, const double edges[9],
                                    struct rill_error *error) {
  RILL_TRY(check_time(reader, frame, time, error));
  RILL_TRY(check_vectors(reader, "position", frame, positions, error));
  if (velocities != NULL) RILL_TRY(check_vectors(reader, "velocity", frame, velocities, error));
  if (are_finite(edges, 9)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: frame %zu: the box is not finite", reader->path, frame);
}

enum rill_status rill_trajectory_read(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step, double *time,
                                      double *positions, double *velocities, double *box, struct rill_error *error) {
  double edges[9];
  if (velocities != NULL && reader->velocity < 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: has no velocities", reader->path);
  RILL_TRY(load_frame(reader, frame, step, time, positions, velocities, edges, error));
  RILL_TRY(check_frame(reader, frame, *time, positions, velocities, edges, error));
  if (reader->periodic && !reader->own) rill_atoms_make_whole(positions, reader->molecules, edges);
  if (box != NULL) memcpy(box, edges, sizeof edges);
  return RILL_OK;
}

enum rill_status rill_trajectory_survey(struct rill_trajectory_reader *reader, struct rill_trajectory_survey *survey,
                                        struct rill_error *error) {
  const size_t numbers = 9 * reader->molecules;
  double *positions = rill_allocate(2 * numbers, sizeof *positions), time = NAN, before = NAN, box[9], first[9];
  double *velocities = positions != NULL && reader->velocity >= 0 ? positions + numbers : NULL;
  enum rill_status status = RILL_OK;
  uint64_t step = 0, last = 0;
  memset(survey, 0, sizeof *survey);
  if (positions == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", reader->path);
  for (size_t frame = 0; frame < reader->frames && status == RILL_OK; frame++) {
    struct rill_error damage = {0};
    status = load_frame(reader, frame, &step, &time, positions, velocities, box, error);
    if (status != RILL_OK) break;
    if (check_frame(reader, frame, time, positions, velocities, box, &damage) != RILL_OK && survey->damaged++ == 0)
      survey->first_damage = damage;
    if (frame > 0 && (step <= last || time < before) && survey->disordered++ == 0) survey->first_disordered = frame;
    if (frame == 0) memcpy(first, box, sizeof box);
    survey->box_changes = survey->box_changes || memcmp(first, box, sizeof box) != 0;
    last = step;
    before = time;
  }
  rill_release(positions);
  return status;
}

enum rill_status rill_trajectory_read_columns(struct rill_trajectory_reader *reader, const char *table, size_t count,
                                              const char *const *names, size_t *rows, double **values,
                                              struct rill_error *error) {
  char group[TEXT], path[TEXT + 16];
  char(*columns)[TEXT] = rill_allocate(TABLE_COLUMNS, TEXT);
  hid_t dataset = H5I_INVALID_HID;
  hsize_t extent[4] = {0};
  size_t width;
  double *row = NULL;
  enum rill_status status = RILL_OK;
  *values = NULL;
  *rows = 0;
  if (columns == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", reader->path);
  snprintf(group, sizeof group, "/parameters/rill/%s", table);
  snprintf(path, sizeof path, "%s/values", group);
  dataset = open_dataset(reader, reader->file, path);
  width = dataset >= 0 ? read_words(reader, reader->file, group, "columns", TABLE_COLUMNS, columns) : 0;
  if (width == 0 || shape_of(reader, dataset, H5T_FLOAT, extent) != 2 || extent[1] != width ||
      !can_hold(reader, extent[0], width * sizeof(double))) {
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s: holds no table %s; it is written when a run ends", reader->path,
                            table);
    goto done;
  }
  *rows = (size_t)extent[0];
  row = rill_allocate(width, sizeof *row);
  *values = rill_allocate(count * *rows, sizeof **values);
  if (row == NULL || *values == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory for %zu rows", reader->path, *rows);
    goto done;
  }
  for (size_t i = 0; i < *rows && status == RILL_OK; i++) {
    if (!read_row(dataset, H5T_NATIVE_DOUBLE, i, row))
      status = rill_h5_error(error, RILL_ERROR_INPUT, reader->path, "a table cannot be read");
    for (size_t k = 0; k < count && status == RILL_OK; k++) {
      size_t c = 0;
      while (c < width && strcmp(columns[c], names[k]) != 0) c++;
      if (c == width)
        status = rill_error_set(error, RILL_ERROR_INPUT, "%s: the table %s has no column %s", reader->path, table,
                                names[k]);
      else
        (*values)[k * *rows + i] = row[c];
    }
  }
done:
  if (status != RILL_OK) {
    rill_release(*values);
    *values = NULL;
  }
  rill_release(row);
  rill_release(columns);
  rill_h5_close(dataset);
  return status;
}
