/* Reads H5MD 1.x: files of rill, and files of other programs with other group names, types, units, forms of the box
 * and forms of step and time.  The file is not locked, so that a run can be inspected while it continues. */
#include "output/h5md_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "output/atom_order.h"
#include "output/h5.h"
#include "output/h5_read.h"
#include "output/sandbox.h"

enum { TABLE_COLUMNS = 128, BLOCK = 4096 };

/* Step or time of a time-dependent element: a list, or an increment with an offset, or missing. */
struct axis {
  hid_t list;
  bool regular;
  int64_t first_step, step_increment;
  double first_time, time_increment;
};

struct rill_h5md {
  const char *path;
  struct rill_h5_source source;
  struct rill_h5md_facts facts;
  hid_t position, velocity, edges;
  struct axis step, time;
  bool edges_fixed, edges_vector;
  double position_factor, velocity_factor, edges_factor, time_factor; /* to nm, nm/ps, nm, ps */
  enum rill_atom_order order;                                         /* the order in the file */
  double *scratch; /* [molecules][3][3] in the order of the file; NULL when that is O, H, H */
  char *deck;
};

/* Adds a line about something that was guessed, omitted or repaired. */
static void add_note(struct rill_h5md *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_note(struct rill_h5md *file, const char *format, ...) {
  char *note = file->facts.note;
  const size_t size = sizeof file->facts.note;
  va_list arguments;
  if (note[0] != '\0' && strlen(note) + 1 < size) strcat(note, "\n");
  va_start(arguments, format);
  vsnprintf(note + strlen(note), size - strlen(note), format, arguments);
  va_end(arguments);
}

/* --- units ------------------------------------------------------------------------------------------------------ */

static double length_factor(const char *unit) {
  static const struct {
    const char *name;
    double nm;
  } lengths[] = {{"nm", 1},         {"Angstrom", 0.1}, {"angstrom", 0.1}, {"Ang", 0.1}, {"A", 0.1},
                 {"\xc3\x85", 0.1}, {"pm", 1e-3},      {"fm", 1e-6},      {"um", 1e3},  {"m", 1e9}};
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
  char length[RILL_H5_TEXT], time[RILL_H5_TEXT];
  char *suffix;
  if (sscanf(unit, "%255[^ /]%*[ /]%255s", length, time) != 2) return NAN;
  suffix = strstr(time, "-1");
  if (suffix != NULL && suffix[2] == '\0') *suffix = '\0';
  return length_factor(length) / time_factor(time);
}

/* Reads the unit of a dataset as a factor; NAN, without an error, when there is none. */
static enum rill_status read_unit(struct rill_h5md *file, hid_t dataset, const char *what,
                                  double (*factor_of)(const char *), double *factor, struct rill_error *error) {
  char unit[1][RILL_H5_TEXT];
  *factor = NAN;
  if (rill_h5_read_words(&file->source, dataset, ".", "unit", 1, unit) == 0) return RILL_OK;
  *factor = factor_of(unit[0]);
  if (!isnan(*factor)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: the unit '%s' of %s is not known; expected nm, Angstrom, pm for lengths "
                        "and fs, ps, ns for times",
                        file->path, unit[0], what);
}

/* --- opening ---------------------------------------------------------------------------------------------------- */

static enum rill_status check_version(struct rill_h5md *file, struct rill_error *error) {
  int32_t version[2] = {0, 0};
  hid_t attribute = H5I_INVALID_HID, space = H5I_INVALID_HID;
  bool done;
  if (rill_h5_exists(&file->source, file->source.file, "/h5md"))
    attribute = rill_h5_open_attribute(&file->source, file->source.file, "/h5md", "version");
  if (attribute >= 0) space = H5Aget_space(attribute);
  done = space >= 0 && H5Sget_simple_extent_npoints(space) == 2 && H5Aread(attribute, H5T_NATIVE_INT32, version) >= 0;
  rill_h5_close(space);
  rill_h5_close(attribute);
  if (!done)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: is an HDF5 file but not H5MD: it has no /h5md with a version",
                          file->path);
  if (version[0] != 1)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: is H5MD version %d.%d; versions 1.x can be read", file->path,
                          version[0], version[1]);
  return RILL_OK;
}

struct search {
  struct rill_h5md *file;
  size_t count;
  char found[RILL_H5_TEXT];
};

/* Keeps the first group that has positions, and counts all such groups. */
static herr_t find_particles(hid_t particles, const char *name, const H5L_info_t *information, void *search) {
  struct search *s = search;
  char position[RILL_H5_TEXT];
  (void)information;
  if (snprintf(position, sizeof position, "%s/position", name) >= (int)sizeof position ||
      !rill_h5_exists(&s->file->source, particles, position))
    return 0;
  if (s->count++ == 0) snprintf(s->found, sizeof s->found, "%s", name);
  return 0;
}

/* Opens step or time of the element `path` of a group; the time may be missing. */
static enum rill_status open_axis(struct rill_h5md *file, hid_t group, const char *path, bool is_step,
                                  struct axis *axis, struct rill_error *error) {
  hsize_t extent[4] = {0};
  H5T_class_t class;
  int rank;
  axis->list = rill_h5_open_dataset(&file->source, group, path);
  if (axis->list < 0) {
    if (!is_step) return RILL_OK;
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: the positions have no step", file->path);
  }
  class = rill_h5_class_of(&file->source, axis->list);
  rank = rill_h5_shape_of(&file->source, axis->list, class, extent);
  if ((class != H5T_INTEGER && (is_step || class != H5T_FLOAT)) || rank < 0 || rank > 1)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: %s is neither a number nor a list of %s", file->path, path,
                          is_step ? "integers" : "numbers");
  axis->regular = rank == 0;
  if (rank == 1) {
    if (extent[0] < file->facts.frames) file->facts.frames = (size_t)extent[0];
    return RILL_OK;
  }
  rill_h5_read_number(&file->source, axis->list, ".", "offset", is_step ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE,
                      is_step ? (void *)&axis->first_step : (void *)&axis->first_time);
  if (H5Dread(axis->list, is_step ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
              is_step ? (void *)&axis->step_increment : (void *)&axis->time_increment) < 0)
    return rill_h5_error(error, RILL_ERROR_INPUT, file->path, "step or time cannot be read");
  return RILL_OK;
}

static enum rill_status open_positions(struct rill_h5md *file, hid_t group, struct rill_error *error) {
  hsize_t extent[4] = {0};
  file->position = rill_h5_open_dataset(&file->source, group, "position/value");
  if (file->position < 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: the positions do not depend on time (no position/value)",
                          file->path);
  if (rill_h5_shape_of(&file->source, file->position, H5T_FLOAT, extent) != 3 || extent[2] != 3)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: the positions are not real numbers of shape [frames][atoms][3]", file->path);
  if (extent[1] == 0 || extent[1] % 3 != 0)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: %llu atoms; expected a multiple of 3: water alone, three atoms a molecule; write the "
                          "molecules of water without other atoms or sites",
                          file->path, (unsigned long long)extent[1]);
  if (!rill_h5_can_hold(&file->source, extent[1], 3 * sizeof(float)))
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: claims %llu atoms, which a file of %llu bytes cannot hold",
                          file->path, (unsigned long long)extent[1], (unsigned long long)file->source.bytes);
  file->facts.frames = (size_t)extent[0];
  file->facts.molecules = (size_t)extent[1] / 3;
  RILL_TRY(open_axis(file, group, "position/step", true, &file->step, error));
  RILL_TRY(open_axis(file, group, "position/time", false, &file->time, error));
  if (!rill_h5_can_hold(&file->source, file->facts.frames, 3 * sizeof(float) * (size_t)extent[1]))
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: claims %zu frames, which a file of %llu bytes cannot hold",
                          file->path, file->facts.frames, (unsigned long long)file->source.bytes);
  RILL_TRY(read_unit(file, file->position, "the positions", length_factor, &file->position_factor, error));
  if (file->time.list < 0) return RILL_OK;
  RILL_TRY(read_unit(file, file->time.list, "time", time_factor, &file->time_factor, error));
  if (isnan(file->time_factor)) file->time_factor = 1;
  return RILL_OK;
}

static bool are_equal(struct rill_h5md *file, hid_t list, size_t frames) {
  int64_t a[BLOCK], b[BLOCK];
  for (size_t first = 0, count; first < frames; first += count) {
    count = frames - first < BLOCK ? frames - first : BLOCK;
    rill_sandbox_more_time(0);
    if (!rill_h5_answered(&file->source, rill_h5_read_rows(list, H5T_NATIVE_INT64, first, count, a) &&
                                             rill_h5_read_rows(file->step.list, H5T_NATIVE_INT64, first, count, b)) ||
        memcmp(a, b, count * sizeof *a) != 0)
      return false;
  }
  return true;
}

/* Whether an element has the same steps as the positions: the same dataset, or one with the same numbers. */
static enum rill_status has_same_steps(struct rill_h5md *file, hid_t group, const char *path, bool *same,
                                       struct rill_error *error) {
  struct axis step = {.list = H5I_INVALID_HID};
  H5O_info_t ours, theirs;
  const size_t frames = file->facts.frames;
  enum rill_status status = open_axis(file, group, path, true, &step, error);
  *same = status == RILL_OK && file->facts.frames == frames && step.regular == file->step.regular;
  file->facts.frames = frames;
  if (*same && step.regular)
    *same = step.first_step == file->step.first_step && step.step_increment == file->step.step_increment;
  else if (*same && (H5Oget_info2(step.list, &theirs, H5O_INFO_BASIC) < 0 ||
                     H5Oget_info2(file->step.list, &ours, H5O_INFO_BASIC) < 0 || ours.addr != theirs.addr))
    *same = are_equal(file, step.list, frames);
  rill_h5_close(step.list);
  return status;
}

/* Velocities are used only if they are given at the steps of the positions. */
static enum rill_status open_velocities(struct rill_h5md *file, hid_t group, struct rill_error *error) {
  hsize_t extent[4] = {0};
  bool same;
  file->velocity = rill_h5_open_dataset(&file->source, group, "velocity/value");
  if (file->velocity < 0) return RILL_OK;
  if (rill_h5_shape_of(&file->source, file->velocity, H5T_FLOAT, extent) != 3 ||
      extent[1] != 3 * file->facts.molecules || extent[2] != 3)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: the velocities are not of the shape of the positions",
                          file->path);
  same = extent[0] >= file->facts.frames && rill_h5_exists(&file->source, group, "velocity/step");
  if (same) RILL_TRY(has_same_steps(file, group, "velocity/step", &same, error));
  if (!same) {
    rill_h5_close(file->velocity);
    file->velocity = H5I_INVALID_HID;
    add_note(file, "the velocities are not given at the steps of the positions, and are ignored");
    return RILL_OK;
  }
  RILL_TRY(read_unit(file, file->velocity, "the velocities", velocity_factor, &file->velocity_factor, error));
  if (!isnan(file->velocity_factor)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: the velocities have no unit; add the attribute unit (nm ps-1) to "
                        "velocity/value",
                        file->path);
}

static enum rill_status open_box(struct rill_h5md *file, hid_t group, struct rill_error *error) {
  char boundary[3][RILL_H5_TEXT];
  size_t count = rill_h5_exists(&file->source, group, "box")
                     ? rill_h5_read_words(&file->source, group, "box", "boundary", 3, boundary)
                     : 0,
         periodic = 0;
  hsize_t extent[4] = {0};
  int rank, first;
  for (size_t d = 0; d < count; d++) periodic += strcmp(boundary[d], "periodic") == 0;
  if (count > 0 && periodic == 0) return RILL_OK;
  if (count > 0 && periodic < count)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: periodic in %zu of %zu directions; all or none can be read",
                          file->path, periodic, count);
  file->edges = rill_h5_open_dataset(&file->source, group, "box/edges");
  file->edges_fixed = file->edges >= 0;
  if (file->edges < 0) file->edges = rill_h5_open_dataset(&file->source, group, "box/edges/value");
  if (file->edges < 0) {
    if (periodic == 0) return RILL_OK;
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: is periodic but has no box edges", file->path);
  }
  rank = rill_h5_shape_of(&file->source, file->edges, H5T_FLOAT, extent);
  first = file->edges_fixed ? 0 : 1;
  file->edges_vector = rank == first + 1;
  if ((rank != first + 1 && rank != first + 2) || extent[first] != 3 || extent[rank - 1] != 3)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: the box edges are neither [3] nor [3][3] for each frame",
                          file->path);
  if (first == 1 && extent[0] < file->facts.frames)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: %llu boxes (box/edges/value) for %zu frames; expected a box for "
                          "each frame, or one fixed box (box/edges)",
                          file->path, (unsigned long long)extent[0], file->facts.frames);
  if (first == 1 && rill_h5_exists(&file->source, group, "box/edges/step")) {
    bool same;
    RILL_TRY(has_same_steps(file, group, "box/edges/step", &same, error));
    if (!same)
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "%s: the boxes (box/edges/step) are not given at the steps of the "
                            "positions (position/step); expected a box for each frame, or one fixed box (box/edges)",
                            file->path);
  }
  RILL_TRY(read_unit(file, file->edges, "the box edges", length_factor, &file->edges_factor, error));
  if (isnan(file->edges_factor)) file->edges_factor = isnan(file->position_factor) ? 1 : file->position_factor;
  file->facts.periodic = true;
  return RILL_OK;
}

static void scale(double *values, size_t count, double factor) {
  if (factor == 1.0) return;
  for (size_t i = 0; i < count; i++) values[i] *= factor;
}

static bool read_box(struct rill_h5md *file, size_t frame, double *box) {
  double vector[3];
  double *values = file->edges_vector ? vector : box;
  bool done = file->edges_fixed ? H5Dread(file->edges, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0
                                : rill_h5_read_rows(file->edges, H5T_NATIVE_DOUBLE, frame, 1, values);
  if (done && file->edges_vector)
    for (int d = 0; d < 3; d++) box[4 * d] = vector[d];
  if (done) scale(box, 9, file->edges_factor);
  return done;
}

/* --- files of other programs ------------------------------------------------------------------------------------ */

static bool are_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

/* Reads the first frame whose numbers are finite; false when there is none. */
static bool read_sound_frame(struct rill_h5md *file, double *positions, double *box) {
  const size_t numbers = 9 * file->facts.molecules;
  for (size_t frame = 0; frame < file->facts.frames; frame++) {
    memset(box, 0, 9 * sizeof *box);
    if (!rill_h5_answered(&file->source, rill_h5_read_rows(file->position, H5T_NATIVE_DOUBLE, frame, 1, positions)))
      return false;
    if (file->facts.periodic && !rill_h5_answered(&file->source, read_box(file, frame, box))) return false;
    if (are_finite(positions, numbers) && are_finite(box, 9)) return true;
  }
  return false;
}

static enum rill_status refuse_atoms(struct rill_h5md *file, double *positions, const double *box, size_t misfit,
                                     bool has_unit, struct rill_error *error) {
  const double nm_per_angstrom = 0.1;
  const char *advice =
      "expected water alone, in nm or with the attribute unit, and with a box if molecules are broken "
      "across it";
  double box_angstrom[9], d[3];
  enum rill_atom_order order;
  size_t other;
  rill_atom_distances(positions, file->facts.molecules, misfit, RILL_ATOMS_OHH, box, d);
  for (int i = 0; i < 9 && box != NULL; i++) box_angstrom[i] = nm_per_angstrom * box[i];
  scale(positions, 9 * file->facts.molecules, nm_per_angstrom);
  if (rill_atom_order_find(positions, file->facts.molecules, box, &order, &other) ||
      rill_atom_order_find(positions, file->facts.molecules, box == NULL ? NULL : box_angstrom, &order, &other))
    advice = has_unit ? "they are those of water in Angstrom: correct the attribute unit of position/value"
                      : "they are those of water in Angstrom: add the attribute unit to position/value";
  return rill_error_set(
      error, RILL_ERROR_INPUT,
      "%s: the oxygen atoms cannot be identified: the distances fit water in no order of the atoms (O H H, H O H, H "
      "H O, or in blocks). As O H H, molecule %zu has O-H %.4g and %.4g nm, H-H %.4g nm; expected about 0.1 and "
      "0.16. %s",
      file->path, misfit + 1, d[0], d[1], d[2], advice);
}

/* Species have arbitrary numbers: only consistency can be required, one number for all O and another one for all
 * H. */
static enum rill_status compare_species(struct rill_h5md *file, const int32_t *kind, bool by_distance,
                                        struct rill_error *error) {
  const size_t n = file->facts.molecules;
  const int32_t oxygen = kind[rill_atom_place(file->order, n, 0, 0)];
  const int32_t hydrogen = kind[rill_atom_place(file->order, n, 0, 1)];
  for (size_t m = 0; m < n; m++) {
    size_t place[3];
    for (int a = 0; a < 3; a++) place[a] = rill_atom_place(file->order, n, m, a);
    if (oxygen != hydrogen && kind[place[0]] == oxygen && kind[place[1]] == hydrogen && kind[place[2]] == hydrogen)
      continue;
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: atoms %zu, %zu, %zu have the species %d, %d, %d, but %s O, H, H; expected one species "
                          "for all O and another one for all H: correct the dataset species, or omit it",
                          file->path, place[0] + 1, place[1] + 1, place[2] + 1, (int)kind[place[0]],
                          (int)kind[place[1]], (int)kind[place[2]],
                          by_distance ? "by their distances they are" : "should be");
  }
  return RILL_OK;
}

static enum rill_status check_species(struct rill_h5md *file, hid_t group, bool by_distance,
                                      struct rill_error *error) {
  hid_t species = rill_h5_open_dataset(&file->source, group, "species");
  hsize_t extent[4] = {0};
  enum rill_status status = RILL_OK;
  int32_t *kind = NULL;
  if (rill_h5_shape_of(&file->source, species, H5T_INTEGER, extent) == 1 && extent[0] == 3 * file->facts.molecules) {
    kind = rill_allocate((size_t)extent[0], sizeof *kind);
    if (kind == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", file->path);
    else if (rill_h5_answered(&file->source,
                              H5Dread(species, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, kind) >= 0))
      status = compare_species(file, kind, by_distance, error);
  }
  rill_release(kind);
  rill_h5_close(species);
  return status;
}

/* Without a unit, lengths are taken as nm if the distances are those of water. */
static enum rill_status find_order(struct rill_h5md *file, bool *sound, struct rill_error *error) {
  const bool has_unit = !isnan(file->position_factor);
  const size_t numbers = 9 * file->facts.molecules;
  double box[9];
  const double *periodic = file->facts.periodic ? box : NULL;
  size_t misfit, broken;
  if (!has_unit) file->position_factor = 1;
  file->scratch = rill_allocate(2 * numbers, sizeof *file->scratch);
  if (file->scratch == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", file->path);
  *sound = read_sound_frame(file, file->scratch, box);
  if (!*sound) return RILL_OK;
  scale(file->scratch, numbers, file->position_factor);
  if (!rill_atom_order_find(file->scratch, file->facts.molecules, periodic, &file->order, &misfit))
    return refuse_atoms(file, file->scratch, periodic, misfit, has_unit, error);
  if (!has_unit) add_note(file, "the positions have no unit; the O-H distances show that they are in nm");
  if (file->order != RILL_ATOMS_OHH)
    add_note(file, "by their distances the atoms are in the order: %s", rill_atom_order_name(file->order));
  rill_atom_order_apply(file->order, file->facts.molecules, file->scratch, file->scratch + numbers);
  broken = periodic != NULL ? rill_atoms_make_whole(file->scratch + numbers, file->facts.molecules, box) : 0;
  if (broken > 0)
    add_note(file, "%zu of %zu molecules of the first frame are broken across the box; they are made whole", broken,
             file->facts.molecules);
  return RILL_OK;
}

static enum rill_status recognise_atoms(struct rill_h5md *file, hid_t group, struct rill_error *error) {
  bool sound = false;
  file->order = RILL_ATOMS_OHH;
  if (!file->facts.own) RILL_TRY(find_order(file, &sound, error));
  if (isnan(file->position_factor)) file->position_factor = 1;
  if (file->order == RILL_ATOMS_OHH) {
    rill_release(file->scratch);
    file->scratch = NULL;
  }
  return check_species(file, group, sound, error);
}

/* Whether a text is empty or ends with a line feed. */
static bool is_whole(const char *deck) { return deck != NULL && (deck[0] == '\0' || deck[strlen(deck) - 1] == '\n'); }

/* A file without the attribute holds one system. */
static void read_replicas(struct rill_h5md *file) {
  uint64_t replicas = 1;
  rill_h5_read_number(&file->source, file->source.file, "/parameters/rill", "replicas", H5T_NATIVE_UINT64, &replicas);
  file->facts.replicas = (size_t)replicas;
}

static void read_facts(struct rill_h5md *file) {
  hsize_t extent[4] = {0};
  char words[1][RILL_H5_TEXT];
  hid_t step;
  if (rill_h5_exists(&file->source, file->source.file, "/h5md/creator")) {
    if (rill_h5_read_words(&file->source, file->source.file, "/h5md/creator", "name", 1, words) == 1)
      snprintf(file->facts.creator, sizeof file->facts.creator, "%.200s", words[0]);
    if (rill_h5_read_words(&file->source, file->source.file, "/h5md/creator", "version", 1, words) == 1) {
      size_t length = strlen(file->facts.creator);
      snprintf(file->facts.creator + length, sizeof file->facts.creator - length, " %s", words[0]);
    }
  }
  if (!rill_h5_exists(&file->source, file->source.file, "/parameters/rill") ||
      !rill_h5_answered(&file->source, file->facts.creator[0] != '\0' && file->facts.creator[0] != ' '))
    return;
  file->facts.own = strncmp(file->facts.creator, "rill ", 5) == 0;
  file->deck = file->facts.own ? rill_h5_read_filled_text(&file->source, "/parameters/rill/deck", NULL)
                               : rill_h5_read_text(&file->source, "/parameters/rill/deck", NULL);
  rill_h5_read_number(&file->source, file->source.file, "/parameters/rill", "degrees_of_freedom", H5T_NATIVE_DOUBLE,
                      &file->facts.degrees_of_freedom);
  read_replicas(file);
  step = rill_h5_open_dataset(&file->source, file->source.file, "/parameters/rill/step");
  if (rill_h5_shape_of(&file->source, step, H5T_FLOAT, extent) == 0)
    rill_h5_answered(&file->source,
                     H5Dread(step, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &file->facts.step_length) >= 0);
  rill_h5_close(step);
  /* rill always writes these, and whole lines: if one is missing, its name was damaged. */
  if (file->facts.own)
    rill_h5_answered(&file->source, is_whole(file->deck) && isfinite(file->facts.degrees_of_freedom) &&
                                        isfinite(file->facts.step_length));
}

/* Opens the first group of particles with positions. */
static enum rill_status find_group(struct rill_h5md *file, hid_t *group, struct rill_error *error) {
  struct search search = {.file = file};
  char place[RILL_H5_TEXT + 16];
  if (rill_h5_exists(&file->source, file->source.file, "/particles/trajectory/position"))
    strcpy(search.found, "trajectory");
  else if (rill_h5_exists(&file->source, file->source.file, "/particles"))
    H5Literate_by_name(file->source.file, "/particles", H5_INDEX_NAME, H5_ITER_INC, NULL, find_particles, &search,
                       H5P_DEFAULT);
  if (search.count > 1)
    add_note(file, "%zu groups of particles have positions; the first, %s, is read", search.count, search.found);
  if (search.found[0] == '\0')
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: holds no positions (/particles/.../position)", file->path);
  snprintf(place, sizeof place, "/particles/%s", search.found);
  *group = H5Gopen2(file->source.file, place, H5P_DEFAULT);
  return *group >= 0 ? RILL_OK : rill_h5_error(error, RILL_ERROR_INPUT, file->path, "the particles cannot be read");
}

static enum rill_status open_all(struct rill_h5md *file, hid_t *group, struct rill_error *error) {
  RILL_TRY(check_version(file, error));
  RILL_TRY(find_group(file, group, error));
  read_facts(file);
  RILL_TRY(open_positions(file, *group, error));
  RILL_TRY(open_velocities(file, *group, error));
  RILL_TRY(open_box(file, *group, error));
  if (file->facts.replicas < 1 || file->facts.molecules % file->facts.replicas != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: is damaged: %zu replicas cannot share %zu molecules",
                          file->path, file->facts.replicas, file->facts.molecules);
  return recognise_atoms(file, *group, error);
}

enum rill_status rill_h5md_open(const char *path, int descriptor, struct rill_h5md **result,
                                struct rill_error *error) {
  struct rill_h5md *file = rill_allocate(1, sizeof *file);
  hid_t group = H5I_INVALID_HID;
  enum rill_status status;
  *result = NULL;
  if (file == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  file->path = path;
  file->position = file->velocity = file->edges = file->step.list = file->time.list = H5I_INVALID_HID;
  file->facts.degrees_of_freedom = file->facts.step_length = NAN;
  file->facts.replicas = 1;
  status = rill_h5_source_open(&file->source, path, descriptor, "an H5MD trajectory", error);
  if (status == RILL_OK) status = open_all(file, &group, error);
  if (file->source.trouble != RILL_OK)
    status = rill_h5_source_trouble(&file->source, error); /* which explains the rest */
  rill_h5_close(group);
  if (status != RILL_OK) {
    rill_h5md_close(file);
    return status;
  }
  file->facts.velocities = file->velocity >= 0;
  file->facts.times = file->time.list >= 0;
  *result = file;
  return RILL_OK;
}

void rill_h5md_close(struct rill_h5md *file) {
  if (file == NULL) return;
  rill_h5_close(file->position);
  rill_h5_close(file->velocity);
  rill_h5_close(file->edges);
  rill_h5_close(file->step.list);
  rill_h5_close(file->time.list);
  rill_h5_source_close(&file->source);
  rill_release(file->scratch);
  rill_release(file->deck);
  rill_release(file);
}

const struct rill_h5md_facts *rill_h5md_facts(const struct rill_h5md *file) { return &file->facts; }
const char *rill_h5md_deck(const struct rill_h5md *file) { return file->deck == NULL ? "" : file->deck; }

/* --- reading ---------------------------------------------------------------------------------------------------- */

static int64_t regular_step(const struct axis *step, size_t frame) {
  int64_t since, sum;
  if (frame > INT64_MAX || __builtin_mul_overflow((int64_t)frame, step->step_increment, &since) ||
      __builtin_add_overflow(step->first_step, since, &sum))
    return -1;
  return sum;
}

static enum rill_status fault(struct rill_h5md *file, const char *what, size_t first, size_t count,
                              struct rill_error *error) {
  char doing[96];
  if (count == 1) snprintf(doing, sizeof doing, "%s of frame %zu cannot be read", what, first);
  else snprintf(doing, sizeof doing, "%s of the frames %zu to %zu cannot be read", what, first, first + count - 1);
  return rill_h5_error(error, RILL_ERROR_INPUT, file->path, doing);
}

enum rill_status rill_h5md_read_axes(struct rill_h5md *file, size_t first, size_t count, int64_t *steps,
                                     double *times, struct rill_error *error) {
  if (file->step.regular)
    for (size_t i = 0; i < count; i++) steps[i] = regular_step(&file->step, first + i);
  else if (!rill_h5_read_rows(file->step.list, H5T_NATIVE_INT64, first, count, steps))
    return fault(file, "the step", first, count, error);
  if (file->time.list >= 0 && !file->time.regular &&
      !rill_h5_read_rows(file->time.list, H5T_NATIVE_DOUBLE, first, count, times))
    return fault(file, "the time", first, count, error);
  for (size_t i = 0; i < count; i++) {
    if (file->time.list < 0) times[i] = NAN;
    else if (file->time.regular) times[i] = file->time.first_time + (double)(first + i) * file->time.time_increment;
    times[i] *= file->time_factor;
  }
  return RILL_OK;
}

static bool read_vectors(struct rill_h5md *file, hid_t dataset, size_t first, size_t count, double factor,
                         double *vectors) {
  const size_t numbers = 9 * file->facts.molecules;
  if (!rill_h5_read_rows(dataset, H5T_NATIVE_DOUBLE, first, count, vectors)) return false;
  for (size_t i = 0; i < count && file->scratch != NULL; i++) {
    memcpy(file->scratch, vectors + i * numbers, numbers * sizeof *vectors);
    rill_atom_order_apply(file->order, file->facts.molecules, file->scratch, vectors + i * numbers);
  }
  scale(vectors, count * numbers, factor);
  return true;
}

enum rill_status rill_h5md_read_frames(struct rill_h5md *file, size_t first, size_t count, double *edges,
                                       double *positions, double *velocities, struct rill_error *error) {
  if (!read_vectors(file, file->position, first, count, file->position_factor, positions))
    return fault(file, "the positions", first, count, error);
  if (velocities != NULL && !read_vectors(file, file->velocity, first, count, file->velocity_factor, velocities))
    return fault(file, "the velocities", first, count, error);
  memset(edges, 0, 9 * count * sizeof *edges);
  for (size_t i = 0; file->facts.periodic && i < count; i++)
    if (!read_box(file, first + i, edges + 9 * i)) return fault(file, "the box", first + i, 1, error);
  return RILL_OK;
}

static enum rill_status find_columns(const struct rill_h5md *file, const char *table, char (*columns)[RILL_H5_TEXT],
                                     size_t width, size_t count, const char *const *names,
                                     size_t place[TABLE_COLUMNS], struct rill_error *error) {
  for (size_t k = 0; k < count; k++) {
    size_t c = 0;
    while (c < width && strcmp(columns[c], names[k]) != 0) c++;
    if (c == width || k == TABLE_COLUMNS)
      return rill_error_set(error, RILL_ERROR_INPUT, "%s: the table %s has no column %s", file->path, table,
                            names[k]);
    place[k] = c;
  }
  return RILL_OK;
}

enum rill_status rill_h5md_read_columns(struct rill_h5md *file, const char *table, size_t count,
                                        const char *const *names, size_t *rows, double **values,
                                        struct rill_error *error) {
  char group[RILL_H5_TEXT], path[RILL_H5_TEXT + 16];
  char(*columns)[RILL_H5_TEXT] = rill_allocate(TABLE_COLUMNS, RILL_H5_TEXT);
  hid_t dataset = H5I_INVALID_HID;
  hsize_t extent[4] = {0};
  size_t width, place[TABLE_COLUMNS];
  double *block = NULL;
  enum rill_status status = RILL_OK;
  *values = NULL;
  *rows = 0;
  if (columns == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", file->path);
  snprintf(group, sizeof group, "/parameters/rill/%s", table);
  snprintf(path, sizeof path, "%s/values", group);
  dataset = rill_h5_open_dataset(&file->source, file->source.file, path);
  width = dataset >= 0
              ? rill_h5_read_words(&file->source, file->source.file, group, "columns", TABLE_COLUMNS, columns)
              : 0;
  if (width == 0 || rill_h5_shape_of(&file->source, dataset, H5T_FLOAT, extent) != 2 || extent[1] != width ||
      !rill_h5_can_hold(&file->source, extent[0], width * sizeof(double))) {
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s: holds no table %s; it is written when a run ends",
                            file->path, table);
    goto done;
  }
  *rows = (size_t)extent[0];
  block = rill_allocate(width * BLOCK, sizeof *block);
  *values = rill_allocate(count * *rows, sizeof **values);
  if (block == NULL || *values == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory for %zu rows", file->path, *rows);
    goto done;
  }
  status = find_columns(file, table, columns, width, count, names, place, error);
  for (size_t first = 0; first < *rows && status == RILL_OK; first += BLOCK) {
    const size_t here = *rows - first < BLOCK ? *rows - first : BLOCK;
    rill_sandbox_more_time(here * width * sizeof *block);
    if (!rill_h5_read_rows(dataset, H5T_NATIVE_DOUBLE, first, here, block))
      status = rill_h5_error(error, RILL_ERROR_INPUT, file->path, "a table cannot be read");
    for (size_t k = 0; k < count && status == RILL_OK; k++)
      for (size_t i = 0; i < here; i++) (*values)[k * *rows + first + i] = block[i * width + place[k]];
  }
done:
  if (status != RILL_OK) {
    rill_release(*values);
    *values = NULL;
  }
  rill_release(block);
  rill_release(columns);
  rill_h5_close(dataset);
  return status;
}

enum rill_status rill_h5md_read_table(struct rill_h5md *file, const char *table, size_t *rows, size_t *columns,
                                      double **values, struct rill_error *error) {
  char path[RILL_H5_TEXT + 32];
  hsize_t extent[4] = {0};
  hid_t dataset;
  enum rill_status status = RILL_OK;
  *values = NULL;
  snprintf(path, sizeof path, "/parameters/rill/%s/values", table);
  dataset = rill_h5_open_dataset(&file->source, file->source.file, path);
  if (rill_h5_shape_of(&file->source, dataset, H5T_FLOAT, extent) != 2 || extent[1] == 0 ||
      !rill_h5_can_hold(&file->source, extent[0], extent[1] * sizeof(double))) {
    rill_h5_close(dataset);
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: holds no table %s", file->path, table);
  }
  *rows = (size_t)extent[0];
  *columns = (size_t)extent[1];
  *values = rill_allocate(*rows * *columns, sizeof **values);
  rill_sandbox_more_time(*rows * *columns * sizeof **values);
  if (*values == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", file->path);
  else if (*rows > 0 && !rill_h5_read_rows(dataset, H5T_NATIVE_DOUBLE, 0, *rows, *values))
    status = rill_h5_error(error, RILL_ERROR_INPUT, file->path, "a table cannot be read");
  if (status != RILL_OK) {
    rill_release(*values);
    *values = NULL;
  }
  rill_h5_close(dataset);
  return status;
}
