/* H5MD 1.1 (de Buyl, Colberg, Hoefling, Comput. Phys. Commun. 185, 1546 (2014)) and its module units 1.0.
 *
 *   /h5md                     version, author, creator, modules/units
 *   /particles/trajectory     box [edges], position, [velocity], mass, charge, species, id
 *   /connectivity/bonds       O-H pairs
 *   /parameters/vmd_structure names and bonds for VMD (bonds count from 1, residues from 0: rows of resname)
 *   /parameters/rill          deck, step, seed, version, degrees of freedom; tables
 *
 * step and time of box/edges and velocity are hard links to those of position.
 *
 * A killed run leaves a readable file (h5_write.c).  The rows of a frame are written first, and then, by one flush
 * and one write, the lengths of all datasets: no program finds a position without its time. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/h5.h"
#include "output/h5_write.h"
#include "output/trajectory.h"

#define PARTICLES "/particles/trajectory"
#define VMD "/parameters/vmd_structure"
#define PARAMETERS "/parameters/rill"

struct rill_trajectory_writer {
  char *path; /* for messages only */
  hid_t file;
  int descriptor; /* a second one, to reserve space */
  bool broken;    /* HDF5 failed: its state can no longer be trusted, not even to close the file */
  bool periodic, velocities, double_precision;
  size_t molecules;
  struct rill_h5_rows position, velocity, edges, time, step;
  struct rill_h5_sums sums;
  float *narrow; /* [molecules][3][3]: a frame in single precision; NULL with double precision */
};

static enum rill_status reserve(struct rill_trajectory_writer *writer, size_t bytes, struct rill_error *error) {
  return rill_h5_reserve(writer->file, writer->descriptor, writer->path,
                         (unsigned long long)writer->position.extent[0], bytes, error);
}

static enum rill_status break_off(struct rill_trajectory_writer *writer, const char *doing,
                                  struct rill_error *error) {
  writer->broken = true;
  return rill_h5_error(error, RILL_ERROR_WRITE, writer->path, doing);
}

/* --- the layout ------------------------------------------------------------------------------------------------ */

static void make_metadata(struct rill_h5_layout *layout, const struct rill_trajectory_header *header) {
  const int32_t h5md_version[2] = {1, 1}, units_version[2] = {1, 0};
  rill_h5_make_group(layout, "/h5md");
  rill_h5_put_attribute(layout, "/h5md", "version", H5T_NATIVE_INT32, 1, 2, h5md_version);
  rill_h5_make_group(layout, "/h5md/author");
  rill_h5_put_text(layout, "/h5md/author", "name", "N/A");
  rill_h5_make_group(layout, "/h5md/creator");
  rill_h5_put_text(layout, "/h5md/creator", "name", "rill");
  rill_h5_put_text(layout, "/h5md/creator", "version", header->version);
  rill_h5_make_group(layout, "/h5md/modules");
  rill_h5_make_group(layout, "/h5md/modules/units");
  rill_h5_put_attribute(layout, "/h5md/modules/units", "version", H5T_NATIVE_INT32, 1, 2, units_version);
  rill_h5_put_variable_text(layout, "/h5md/modules/units", "system", "SI");
}

/* The growing datasets are created first: their headers are then adjacent in the first page of the file, and one
 * write updates all their lengths. */
static void make_rows(struct rill_h5_layout *layout, const struct rill_trajectory_header *header,
                      struct rill_trajectory_writer *writer) {
  hid_t file_real = header->double_precision ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
  hid_t real = header->double_precision ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
  hsize_t atoms[3] = {0, 3 * header->molecules, 3}, box[3] = {0, 3, 3};
  size_t frame = 9 * header->molecules * (header->double_precision ? sizeof(double) : sizeof(float));
  hsize_t chunk = RILL_H5_CHUNK_BYTES / frame;
  if (chunk < 1) chunk = 1;
  if (chunk > RILL_H5_CHUNK_FRAMES_MAX) chunk = RILL_H5_CHUNK_FRAMES_MAX;
  if (header->velocities) rill_h5_make_rows(layout, NULL, file_real, real, 3, atoms, chunk, &writer->velocity);
  if (header->periodic)
    rill_h5_make_rows(layout, NULL, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3, box, RILL_H5_CHUNK_FRAMES_MAX,
                      &writer->edges);
  rill_h5_make_rows(layout, NULL, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, atoms, RILL_H5_CHUNK_STEPS, &writer->time);
  rill_h5_make_rows(layout, NULL, H5T_STD_I64LE, H5T_NATIVE_INT64, 1, atoms, RILL_H5_CHUNK_STEPS, &writer->step);
  rill_h5_make_rows(layout, NULL, file_real, real, 3, atoms, chunk, &writer->position);
}

static void place_rows(struct rill_h5_layout *layout, struct rill_h5_rows *rows, const char *path, const char *unit) {
  rill_h5_sum_rows(layout, path, rows);
  if (layout->failed) return;
  rill_h5_checked(layout, H5Olink(rows->dataset, layout->file, path, H5P_DEFAULT, H5P_DEFAULT));
  if (unit != NULL) rill_h5_put_unit(layout, path, unit);
}

static void make_frames(struct rill_h5_layout *layout, const struct rill_trajectory_header *header,
                        struct rill_trajectory_writer *writer) {
  const int32_t dimension = 3;
  char boundary[3][sizeof "periodic"];
  hid_t type;
  memset(boundary, 0, sizeof boundary);
  for (int d = 0; d < 3; d++) strcpy(boundary[d], header->periodic ? "periodic" : "none");

  rill_h5_make_group(layout, "/particles");
  rill_h5_make_group(layout, PARTICLES);
  rill_h5_make_group(layout, PARTICLES "/box");
  rill_h5_put_attribute(layout, PARTICLES "/box", "dimension", H5T_NATIVE_INT32, 0, 0, &dimension);
  if (layout->failed) return;
  type = rill_h5_string_type(layout, sizeof boundary[0], false);
  rill_h5_put_attribute(layout, PARTICLES "/box", "boundary", type, 1, 3, boundary);
  rill_h5_close(type);

  rill_h5_make_group(layout, PARTICLES "/position");
  place_rows(layout, &writer->position, PARTICLES "/position/value", "nm");
  place_rows(layout, &writer->step, PARTICLES "/position/step", NULL);
  place_rows(layout, &writer->time, PARTICLES "/position/time", "ps");
  if (header->velocities) {
    rill_h5_make_group(layout, PARTICLES "/velocity");
    place_rows(layout, &writer->velocity, PARTICLES "/velocity/value", "nm ps-1");
    rill_h5_link(layout, PARTICLES "/position/step", PARTICLES "/velocity/step");
    rill_h5_link(layout, PARTICLES "/position/time", PARTICLES "/velocity/time");
  }
  if (header->periodic) {
    rill_h5_make_group(layout, PARTICLES "/box/edges");
    place_rows(layout, &writer->edges, PARTICLES "/box/edges/value", "nm");
    rill_h5_link(layout, PARTICLES "/position/step", PARTICLES "/box/edges/step");
    rill_h5_link(layout, PARTICLES "/position/time", PARTICLES "/box/edges/time");
  }
}

/* Constant properties of atoms.  work: [6 * molecules] doubles, used for each array in turn. */
static void make_atoms(struct rill_h5_layout *layout, const struct rill_trajectory_header *header, double *work) {
  const int32_t atomic_number[3] = {8, 1, 1};
  const hsize_t molecules = header->molecules, atoms = 3 * molecules, bonds[2] = {2 * molecules, 2};
  int32_t *integers = (int32_t *)(void *)work;
  const char *effective = "effective";
  hobj_ref_t group;

  for (size_t i = 0; i < atoms; i++) work[i] = header->mass[i % 3];
  rill_h5_put_dataset(layout, PARTICLES "/mass", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &atoms, work);
  rill_h5_put_unit(layout, PARTICLES "/mass", "u");
  for (size_t i = 0; i < atoms; i++) work[i] = header->charge[i % 3];
  rill_h5_put_dataset(layout, PARTICLES "/charge", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &atoms, work);
  rill_h5_put_unit(layout, PARTICLES "/charge", "e");
  rill_h5_put_text(layout, PARTICLES "/charge", "type", effective);
  for (size_t i = 0; i < atoms; i++) integers[i] = atomic_number[i % 3];
  rill_h5_put_dataset(layout, PARTICLES "/species", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &atoms, integers);
  for (size_t i = 0; i < atoms; i++) integers[i] = (int32_t)i;
  rill_h5_put_dataset(layout, PARTICLES "/id", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &atoms, integers);

  rill_h5_make_group(layout, "/connectivity");
  for (size_t m = 0; m < molecules; m++)
    for (size_t h = 0; h < 2; h++) {
      integers[4 * m + 2 * h] = (int32_t)(3 * m);
      integers[4 * m + 2 * h + 1] = (int32_t)(3 * m + 1 + h);
    }
  rill_h5_put_dataset(layout, "/connectivity/bonds", H5T_STD_I32LE, H5T_NATIVE_INT32, 2, bonds, integers);
  if (!layout->failed) rill_h5_checked(layout, H5Rcreate(&group, layout->file, PARTICLES, H5R_OBJECT, -1));
  rill_h5_put_attribute(layout, "/connectivity/bonds", "particles_group", H5T_STD_REF_OBJ, 0, 0, &group);

  rill_h5_make_group(layout, "/parameters");
  rill_h5_make_group(layout, VMD);
  for (size_t i = 0; i < atoms; i++) integers[i] = (int32_t)(i / 3);
  rill_h5_put_dataset(layout, VMD "/resid", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &atoms, integers);
  for (int end = 0; end < 2; end++) {
    for (size_t b = 0; b < bonds[0]; b++) integers[b] = (int32_t)(3 * (b / 2) + (end == 0 ? 1 : 2 + b % 2));
    rill_h5_put_dataset(layout, end == 0 ? VMD "/bond_from" : VMD "/bond_to", H5T_STD_I32LE, H5T_NATIVE_INT32, 1,
                        bonds, integers);
  }
}

/* Tables that VMD indexes by species and by residue.  Radii: Bondi, J. Phys. Chem. 68, 441 (1964). */
static void make_species(struct rill_h5_layout *layout, size_t molecules, double *work) {
  const int32_t atomic_number[2] = {8, 1};
  const float radius[2] = {0.152f, 0.120f};
  const char symbol[2][2] = {"O", "H"};
  const hsize_t kinds = 2, residues = molecules;
  char(*residue)[4] = (char(*)[4])(void *)work;
  hid_t type;
  rill_h5_put_dataset(layout, VMD "/indexOfSpecies", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &kinds, atomic_number);
  rill_h5_put_dataset(layout, VMD "/atomicnumber", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &kinds, atomic_number);
  rill_h5_put_dataset(layout, VMD "/radius", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1, &kinds, radius);
  if (layout->failed) return;
  type = rill_h5_string_type(layout, sizeof symbol[0], false);
  rill_h5_put_dataset(layout, VMD "/name", type, type, 1, &kinds, symbol);
  rill_h5_put_dataset(layout, VMD "/type", type, type, 1, &kinds, symbol);
  rill_h5_close(type);
  if (layout->failed) return;
  for (size_t m = 0; m < molecules; m++) memcpy(residue[m], "SOL", sizeof residue[m]);
  type = rill_h5_string_type(layout, sizeof residue[0], false);
  rill_h5_put_dataset(layout, VMD "/resname", type, type, 1, &residues, residue);
  rill_h5_close(type);
}

/* Leaves room for the deck of a continuation, which may give a larger number of steps. */
static void make_deck(struct rill_h5_layout *layout, const char *deck, size_t room) {
  const size_t size = strlen(deck) < room ? room : strlen(deck) + 1;
  char *padded = rill_h5_allocate(size, 1);
  hid_t type;
  if (padded == NULL) layout->failed = true;
  if (layout->failed) return;
  strcpy(padded, deck);
  type = rill_h5_string_type(layout, size, !rill_h5_is_ascii(deck));
  rill_h5_put_dataset(layout, PARAMETERS "/deck", type, type, 0, NULL, padded);
  rill_h5_close(type);
  rill_release(padded);
}

static void make_parameters(struct rill_h5_layout *layout, const struct rill_trajectory_header *header) {
  rill_h5_make_growing_group(layout, PARAMETERS);
  rill_h5_put_text(layout, PARAMETERS, "version", header->version);
  rill_h5_put_attribute(layout, PARAMETERS, "seed", H5T_NATIVE_UINT64, 0, 0, &header->seed);
  rill_h5_put_attribute(layout, PARAMETERS, "degrees_of_freedom", H5T_NATIVE_DOUBLE, 0, 0,
                        &header->degrees_of_freedom);
  if (header->replicas > 1)
    rill_h5_put_attribute(layout, PARAMETERS, "replicas", H5T_NATIVE_UINT64, 0, 0, &header->replicas);
  rill_h5_put_dataset(layout, PARAMETERS "/step", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0, NULL, &header->step);
  rill_h5_put_unit(layout, PARAMETERS "/step", "ps");
  if (!layout->failed) make_deck(layout, header->deck == NULL ? "" : header->deck, header->deck_room);
}

/* --- the writer ------------------------------------------------------------------------------------------------ */

/* Closes the HDF5 file, unless it is broken: then it stays as it is, and HDF5 keeps its handle. */
static herr_t close_file(struct rill_trajectory_writer *writer) {
  struct rill_h5_rows *all[] = {&writer->position, &writer->velocity, &writer->edges, &writer->time, &writer->step};
  herr_t closed = 0;
  if (!writer->broken && writer->file >= 0) {
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
      if (all[i]->dataset > 0) rill_h5_close(all[i]->dataset);
    closed = H5Fclose(writer->file);
  }
  writer->file = H5I_INVALID_HID;
  return closed;
}

static void writer_release(struct rill_trajectory_writer *writer) {
  if (writer == NULL) return;
  close_file(writer);
  if (writer->descriptor >= 0) close(writer->descriptor);
  rill_release(writer->narrow);
  rill_release(writer->path);
  rill_release(writer);
}

/* Creates everything but the file. */
static enum rill_status writer_create(const char *path, const struct rill_trajectory_header *header,
                                      struct rill_trajectory_writer **result, struct rill_error *error) {
  struct rill_trajectory_writer *writer;
  *result = NULL;
  rill_h5_prepare();
  if (header->molecules < 1 || header->molecules > INT32_MAX / 4)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: a trajectory of %zu molecules; from 1 to %d can be written",
                          path, header->molecules, INT32_MAX / 4);
  writer = rill_allocate(1, sizeof *writer);
  if (writer == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  writer->file = H5I_INVALID_HID;
  writer->descriptor = -1;
  writer->molecules = header->molecules;
  writer->periodic = header->periodic;
  writer->velocities = header->velocities;
  writer->double_precision = header->double_precision;
  writer->path = rill_allocate(strlen(path) + 1, 1);
  if (!header->double_precision) writer->narrow = rill_allocate(9 * header->molecules, sizeof *writer->narrow);
  if (writer->path == NULL || (!header->double_precision && writer->narrow == NULL)) {
    writer_release(writer);
    return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  }
  strcpy(writer->path, path);
  *result = writer;
  return RILL_OK;
}

static enum rill_status make_layout(struct rill_trajectory_writer *writer,
                                    const struct rill_trajectory_header *header, struct rill_error *error) {
  struct rill_h5_layout layout = {.file = writer->file, .sums = &writer->sums};
  double *work = rill_allocate(6 * header->molecules, sizeof *work);
  if (work == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", writer->path);
  make_rows(&layout, header, writer);
  make_metadata(&layout, header);
  make_frames(&layout, header, writer);
  make_atoms(&layout, header, work);
  make_species(&layout, header->molecules, work);
  make_parameters(&layout, header);
  rill_release(work);
  if (layout.failed || H5Fflush(writer->file, H5F_SCOPE_LOCAL) < 0)
    return break_off(writer, "its header cannot be written", error);
  return RILL_OK;
}

enum rill_status rill_trajectory_create(const char *path, const struct rill_trajectory_header *header,
                                        struct rill_trajectory_writer **result, struct rill_error *error) {
  RILL_H5_SECTION;
  struct rill_trajectory_writer *writer;
  long long old_size;
  bool opened = false;
  enum rill_status status;
  *result = NULL;
  RILL_TRY(writer_create(path, header, &writer, error));
  status = rill_h5_open_descriptor(path, header->replace, &writer->descriptor, &old_size, error);
  if (status != RILL_OK) goto fail;
  opened = true;
  writer->file = rill_h5_create_file(path);
  if (writer->file < 0) {
    status = rill_h5_error(error, RILL_ERROR_OUTPUT, path, "cannot be created");
    goto fail;
  }
  status = reserve(writer, 128 * header->molecules * 3 + 4 * RILL_H5_METADATA_SLACK, error);
  if (status == RILL_OK) status = make_layout(writer, header, error);
  if (status != RILL_OK) goto fail;
  *result = writer;
  return RILL_OK;
fail:
  if (opened) rill_h5_discard(path, writer->descriptor, old_size);
  writer_release(writer);
  return status;
}

/* --- resuming -------------------------------------------------------------------------------------------------- */

enum rill_status rill_trajectory_keep(struct rill_trajectory_writer *writer, struct rill_archive *archive,
                                      struct rill_error *error) {
  RILL_H5_SECTION;
  size_t frames = (size_t)writer->position.extent[0];
  if (writer->broken)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: nothing more is written after a failure", writer->path);
  rill_archive_size(archive, "frames", &frames);
  return rill_h5_keep_file(writer->file, writer->path, &writer->sums, archive, error);
}

enum rill_status rill_trajectory_seal(struct rill_trajectory_writer *writer, struct rill_archive *archive,
                                      struct rill_error *error) {
  RILL_H5_SECTION;
  if (writer->broken)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: nothing more is written after a failure", writer->path);
  return rill_h5_seal_file(writer->file, writer->path, &writer->sums, archive, error);
}

enum rill_status rill_trajectory_check(const char *path, struct rill_archive *archive, bool sealed,
                                       struct rill_error *error) {
  RILL_H5_SECTION;
  return rill_h5_check(path, archive, sealed, error);
}

static const char *deck_of(const struct rill_trajectory_header *header) {
  return header->deck == NULL ? "" : header->deck;
}

/* Size of the existing deck, including its final zero; 0 when there is none. */
static size_t deck_size(struct rill_h5_layout *layout) {
  hid_t dataset = H5Dopen2(layout->file, PARAMETERS "/deck", H5P_DEFAULT), type = H5I_INVALID_HID;
  size_t size = 0;
  if (dataset >= 0) type = H5Dget_type(dataset);
  if (type >= 0) size = H5Tget_size(type);
  rill_h5_close(type);
  rill_h5_close(dataset);
  return size;
}

/* Replaces the existing deck, which must be at least as long. */
static void replace_deck(struct rill_h5_layout *layout, const char *deck) {
  hid_t dataset = H5Dopen2(layout->file, PARAMETERS "/deck", H5P_DEFAULT), type = H5I_INVALID_HID;
  const size_t size = deck_size(layout);
  char *padded = NULL;
  if (dataset >= 0) type = H5Dget_type(dataset);
  if (size > strlen(deck)) padded = rill_h5_allocate(size, 1);
  if (padded != NULL) strcpy(padded, deck);
  if (padded == NULL || type < 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded) < 0)
    layout->failed = true;
  else rill_h5_sums_add_fixed(layout->sums, PARAMETERS "/deck", padded, size);
  rill_release(padded);
  rill_h5_close(type);
  rill_h5_close(dataset);
}

/* Opens rows and deck of an existing file; a deck that is too long for the room is refused. */
static enum rill_status open_all(struct rill_trajectory_writer *writer, const struct rill_trajectory_header *header,
                                 size_t frames, struct rill_error *error) {
  struct rill_h5_layout layout = {.file = writer->file, .sums = &writer->sums};
  hid_t real = header->double_precision ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
  if (header->velocities) rill_h5_open_rows(&layout, PARTICLES "/velocity/value", real, &writer->velocity);
  if (header->periodic) rill_h5_open_rows(&layout, PARTICLES "/box/edges/value", H5T_NATIVE_DOUBLE, &writer->edges);
  rill_h5_open_rows(&layout, PARTICLES "/position/time", H5T_NATIVE_DOUBLE, &writer->time);
  rill_h5_open_rows(&layout, PARTICLES "/position/step", H5T_NATIVE_INT64, &writer->step);
  rill_h5_open_rows(&layout, PARTICLES "/position/value", real, &writer->position);
  if (!layout.failed && deck_size(&layout) <= strlen(deck_of(header))) layout.failed = true;
  if (layout.failed)
    return rill_h5_error(error, RILL_ERROR_INPUT, writer->path, "is not the trajectory that the checkpoint resumes");
  if (writer->position.extent[0] != frames || writer->position.extent[1] != 3 * header->molecules)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: %zu frames of %zu molecules were expected", writer->path,
                          frames, header->molecules);
  return RILL_OK;
}

enum rill_status rill_trajectory_open_kept(const char *path, const struct rill_trajectory_header *header,
                                           struct rill_archive *archive, struct rill_trajectory_writer **result,
                                           struct rill_error *error) {
  RILL_H5_SECTION;
  struct rill_trajectory_writer *writer;
  size_t frames = 0;
  enum rill_status status;
  *result = NULL;
  RILL_TRY(writer_create(path, header, &writer, error));
  rill_archive_size(archive, "frames", &frames);
  status = rill_archive_status(archive, error);
  if (status == RILL_OK) status = rill_h5_open_kept(path, &writer->sums, archive, &writer->file, error);
  if (status == RILL_OK) status = open_all(writer, header, frames, error);
  if (status == RILL_OK) *result = writer;
  else writer_release(writer);
  return status;
}

enum rill_status rill_trajectory_resume(const char *path, const struct rill_trajectory_header *header,
                                        struct rill_archive *archive, struct rill_trajectory_writer **result,
                                        struct rill_error *error) {
  RILL_H5_SECTION;
  struct rill_trajectory_writer *writer;
  struct rill_h5_layout layout;
  size_t frames = 0;
  enum rill_status status;
  *result = NULL;
  RILL_TRY(writer_create(path, header, &writer, error));
  rill_archive_size(archive, "frames", &frames);
  status = rill_archive_status(archive, error);
  if (status == RILL_OK)
    status = rill_h5_reopen_file(path, &writer->sums, archive, &writer->descriptor, &writer->file, error);
  if (status == RILL_OK) status = open_all(writer, header, frames, error);
  layout = (struct rill_h5_layout){.file = writer->file, .sums = &writer->sums};
  if (status == RILL_OK) replace_deck(&layout, deck_of(header));
  if (status == RILL_OK && layout.failed)
    status = rill_h5_error(error, RILL_ERROR_INPUT, path, "its deck cannot be replaced");
  if (status == RILL_OK) *result = writer;
  else writer_release(writer);
  return status;
}

/* --- frames ---------------------------------------------------------------------------------------------------- */

/* The frame's array, converted to the type of the file. */
static const void *narrowed(struct rill_trajectory_writer *writer, const double *values) {
  if (writer->double_precision) return values;
  for (size_t i = 0; i < 9 * writer->molecules; i++) writer->narrow[i] = (float)values[i];
  return writer->narrow;
}

enum rill_status rill_trajectory_append(struct rill_trajectory_writer *writer,
                                        const struct rill_trajectory_frame *frame, struct rill_error *error) {
  RILL_H5_SECTION;
  const int64_t step = (int64_t)frame->step;
  size_t growth;
  if (writer->broken)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: nothing more is written after a failure", writer->path);
  if (frame->positions == NULL || (writer->velocities && frame->velocities == NULL) ||
      (writer->periodic && frame->box == NULL) || frame->step > INT64_MAX)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: a frame lacks data that the header announces", writer->path);
  growth = rill_h5_rows_growth(&writer->position, 1) + rill_h5_rows_growth(&writer->time, 1) +
           rill_h5_rows_growth(&writer->step, 1);
  if (writer->velocities) growth += rill_h5_rows_growth(&writer->velocity, 1);
  if (writer->periodic) growth += rill_h5_rows_growth(&writer->edges, 1);
  RILL_TRY(reserve(writer, growth + RILL_H5_METADATA_SLACK, error));

  if ((writer->velocities && !rill_h5_rows_append(&writer->velocity, 1, narrowed(writer, frame->velocities))) ||
      (writer->periodic && !rill_h5_rows_append(&writer->edges, 1, frame->box)) ||
      !rill_h5_rows_append(&writer->time, 1, &frame->time) || !rill_h5_rows_append(&writer->step, 1, &step) ||
      !rill_h5_rows_append(&writer->position, 1, narrowed(writer, frame->positions)) ||
      H5Fflush(writer->file, H5F_SCOPE_LOCAL) < 0)
    return break_off(writer, "a frame cannot be written", error);
  return RILL_OK;
}

/* --- tables ---------------------------------------------------------------------------------------------------- */

static enum rill_status table_make(struct rill_trajectory_writer *writer, const struct rill_table *table,
                                   const char *group, const char *values, struct rill_h5_rows *rows,
                                   struct rill_error *error) {
  const hsize_t extent[2] = {0, table->columns};
  hsize_t chunk = RILL_H5_CHUNK_BYTES / (table->columns * sizeof(double));
  struct rill_h5_layout layout = {.file = writer->file, .sums = &writer->sums};
  double *zeros = rill_h5_allocate(table->columns, sizeof *zeros);
  if (zeros == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", writer->path);
  if (chunk < 1) chunk = 1;
  if (chunk > RILL_H5_CHUNK_FRAMES_MAX) chunk = RILL_H5_CHUNK_FRAMES_MAX;
  rill_h5_make_group(&layout, group);
  rill_h5_make_rows(&layout, values, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, extent, chunk, rows);
  if (table->column_names != NULL) {
    rill_h5_put_words(&layout, group, "columns", table->columns, table->column_names);
    rill_h5_put_words(&layout, group, "units", table->columns, table->column_units);
  }
  rill_h5_put_text(&layout, group, "description", table->description);
  for (size_t i = 0; i < table->fact_count; i++)
    rill_h5_put_attribute(&layout, group, table->facts[i].name, H5T_NATIVE_DOUBLE, 0, 0, &table->facts[i].value);
  rill_h5_settle_rows(&layout, rows, zeros);
  rill_release(zeros);
  return layout.failed ? break_off(writer, "a table cannot be created", error) : RILL_OK;
}

/* Opens /parameters/rill/NAME/values, and creates it if it does not exist. */
static enum rill_status table_open(struct rill_trajectory_writer *writer, const struct rill_table *table,
                                   struct rill_h5_rows *rows, struct rill_error *error) {
  struct rill_h5_layout layout = {.file = writer->file, .sums = &writer->sums};
  char group[256], values[sizeof group + sizeof "/values"];
  if (snprintf(group, sizeof group, PARAMETERS "/%s", table->name) >= (int)sizeof group || table->name[0] == '\0' ||
      strchr(table->name, '/') != NULL)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: '%s' cannot name a table", writer->path, table->name);
  snprintf(values, sizeof values, "%s/values", group);
  if (H5Lexists(writer->file, group, H5P_DEFAULT) == 0) return table_make(writer, table, group, values, rows, error);
  rill_h5_open_rows(&layout, values, H5T_NATIVE_DOUBLE, rows);
  if (!layout.failed && rows->rank == 2 && rows->extent[1] == table->columns) {
    for (size_t i = 0; i < table->fact_count; i++)
      rill_h5_replace_attribute(&layout, group, table->facts[i].name, H5T_NATIVE_DOUBLE, &table->facts[i].value);
    if (layout.failed) return break_off(writer, "a table cannot be written", error);
    return RILL_OK;
  }
  rill_h5_close(rows->dataset);
  rows->dataset = H5I_INVALID_HID;
  return rill_error_set(error, RILL_ERROR_USAGE, "%s: '%s' exists already and is not a table of %zu columns",
                        writer->path, table->name, table->columns);
}

enum rill_status rill_trajectory_append_table(struct rill_trajectory_writer *writer, const struct rill_table *table,
                                              struct rill_error *error) {
  RILL_H5_SECTION;
  struct rill_h5_rows rows = {.dataset = H5I_INVALID_HID};
  bool done;
  if (writer->broken)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: nothing more is written after a failure", writer->path);
  if (table->columns == 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: table '%s' has no columns", writer->path, table->name);
  RILL_TRY(reserve(writer, 3 * RILL_H5_METADATA_SLACK, error));
  RILL_TRY(table_open(writer, table, &rows, error));
  if (table->rows > 0) {
    enum rill_status status =
        reserve(writer, rill_h5_rows_growth(&rows, table->rows) + RILL_H5_METADATA_SLACK, error);
    if (status != RILL_OK) {
      rill_h5_close(rows.dataset);
      return status;
    }
  }
  done = (table->rows == 0 || rill_h5_rows_append(&rows, table->rows, table->values)) &&
         H5Fflush(writer->file, H5F_SCOPE_LOCAL) >= 0;
  if (!done) return break_off(writer, "a table cannot be written", error);
  rill_h5_close(rows.dataset);
  return RILL_OK;
}

enum rill_status rill_trajectory_close(struct rill_trajectory_writer *writer, struct rill_error *error) {
  RILL_H5_SECTION;
  enum rill_status status = RILL_OK;
  struct stat information;
  if (writer == NULL) return RILL_OK;
  if (!writer->broken) {
    if (close_file(writer) < 0) status = rill_h5_error(error, RILL_ERROR_WRITE, writer->path, "cannot be closed");
    /* Releases space reserved beyond the end; a failure only costs some disk space. */
    else if (fstat(writer->descriptor, &information) == 0 && ftruncate(writer->descriptor, information.st_size) != 0)
      errno = 0;
  }
  writer_release(writer);
  return status;
}
