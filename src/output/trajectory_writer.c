/* H5MD 1.1 (de Buyl, Colberg, Hoefling, Comput. Phys. Commun. 185, 1546 (2014)) and its module units 1.0.
 *
 *   /h5md                     version, author, creator, modules/units
 *   /particles/trajectory     box [edges], position, [velocity], mass, charge, species, id
 *   /connectivity/bonds       O-H pairs
 *   /parameters/vmd_structure names and bonds for VMD (bonds from 1, residues from 0: rows of resname)
 *   /parameters/rill          deck, step, seed, version, degrees of freedom; tables
 *
 * step and time of box/edges and velocity are hard links to those of position.
 *
 * What keeps a killed run readable:
 *  - the format bounds EARLIEST..V18: no open-for-write mark that would have to be cleared;
 *  - no chunk cache: a row goes to its place at once, and only its own bytes do;
 *  - rows, flush, then time and step, flush: a frame counts once `step` reaches it;
 *  - nodes of the chunk index, which are changed in place, each lie in one page of the page cache: a kill can end a write
 *    at a page boundary, and half a node would hide frames that were committed long ago;
 *  - a driver that writes metadata in an order that is safe at every point (ordered_driver.h);
 *  - disk space is reserved before HDF5 touches the file, the file-size limit is looked at as well, so that a full disk
 *    is met before a frame begins and not in the middle of it. */
#include "config.h" /* _GNU_SOURCE, for fallocate */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/h5.h"
#include "output/ordered_driver.h"
#include "output/trajectory.h"

enum {
  CHUNK_BYTES = 64 * 1024,
  CHUNK_FRAMES_MAX = 256,
  CHUNK_STEPS = 1024,
  NODE_ENTRIES = 64, /* HDF5's default: 2 * istore_k */
  NODE_SMALLEST = 2048, /* bytes; a node has 24 + 64 * (8 * (rank + 2) + 8) + 8 * (rank + 2), so 2096 to 3136 */
  PAGE = 4096,
  METADATA_SLACK = 64 * 1024,
  RANK_MAX = 3
};

#define PARTICLES "/particles/trajectory"
#define VMD "/parameters/vmd_structure"
#define PARAMETERS "/parameters/rill"

/* A dataset that grows by rows along its first dimension. */
struct rows {
  hid_t dataset;
  hid_t type; /* of a row in memory, equal to that in the file */
  int rank;
  hsize_t extent[RANK_MAX]; /* [0]: rows so far */
  hsize_t chunk[RANK_MAX];
};

struct rill_trajectory_writer {
  char *path; /* for messages only */
  hid_t file;
  int descriptor; /* a second one, to reserve space */
  bool broken;    /* HDF5 failed: its view of the file can no longer be trusted, not even to close it */
  bool periodic, velocities, double_precision;
  size_t molecules;
  struct rows position, velocity, edges, time, step;
  float *narrow; /* [molecules][3][3]: a frame in single precision; NULL with double precision */
};

/* --- creating objects: by absolute path; after a first failure the rest does nothing --------------------------- */

struct layout {
  hid_t file;
  bool failed;
};

static hid_t created(struct layout *layout, hid_t identifier) {
  if (identifier < 0) layout->failed = true;
  return identifier;
}

static void checked(struct layout *layout, herr_t result) {
  if (result < 0) layout->failed = true;
}

/* Times are not tracked, so that equal runs give equal bytes. */
static hid_t untimed(struct layout *layout, hid_t class) {
  hid_t properties = created(layout, H5Pcreate(class));
  if (!layout->failed) checked(layout, H5Pset_obj_track_times(properties, 0));
  return properties;
}

static void make_group(struct layout *layout, const char *path) {
  hid_t properties, group = H5I_INVALID_HID;
  if (layout->failed) return;
  properties = untimed(layout, H5P_GROUP_CREATE);
  if (!layout->failed) group = created(layout, H5Gcreate2(layout->file, path, H5P_DEFAULT, properties, H5P_DEFAULT));
  rill_h5_close(group);
  rill_h5_close(properties);
}

/* rank 0: a scalar. */
static void put_attribute(struct layout *layout, const char *path, const char *name, hid_t type, int rank, hsize_t length,
                          const void *value) {
  hid_t space, attribute = H5I_INVALID_HID;
  if (layout->failed) return;
  space = created(layout, rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, &length, NULL));
  if (!layout->failed)
    attribute = created(layout, H5Acreate_by_name(layout->file, path, name, type, space, H5P_DEFAULT, H5P_DEFAULT,
                                                  H5P_DEFAULT));
  if (!layout->failed) checked(layout, H5Awrite(attribute, type, value));
  rill_h5_close(attribute);
  rill_h5_close(space);
}

/* size H5T_VARIABLE or the bytes of a fixed-length string with its final zero. */
static hid_t string_type(struct layout *layout, size_t size, bool utf8) {
  hid_t type = created(layout, H5Tcopy(H5T_C_S1));
  if (!layout->failed) checked(layout, H5Tset_size(type, size));
  if (!layout->failed && utf8) checked(layout, H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

static bool is_ascii(const char *text) {
  for (; *text != '\0'; text++)
    if ((unsigned char)*text > 127) return false;
  return true;
}

static void put_text(struct layout *layout, const char *path, const char *name, const char *text) {
  hid_t type;
  if (layout->failed) return;
  type = string_type(layout, strlen(text) + 1, !is_ascii(text));
  put_attribute(layout, path, name, type, 0, 0, text);
  rill_h5_close(type);
}

/* Variable-length strings: what the units module prescribes, and what h5py gives back as str.  rank 0: a scalar. */
static void put_words(struct layout *layout, const char *path, const char *name, int rank, size_t count,
                      const char *const *words) {
  bool ascii = true;
  hid_t type;
  if (layout->failed) return;
  for (size_t i = 0; i < count; i++) ascii = ascii && is_ascii(words[i]);
  type = string_type(layout, H5T_VARIABLE, !ascii);
  put_attribute(layout, path, name, type, rank, count, words);
  rill_h5_close(type);
}

static void put_unit(struct layout *layout, const char *path, const char *unit) {
  put_words(layout, path, "unit", 0, 1, &unit);
}

/* A dataset that does not change.  rank 0: a scalar. */
static void put_dataset(struct layout *layout, const char *path, hid_t file_type, hid_t memory_type, int rank,
                        const hsize_t *dimensions, const void *values) {
  hid_t properties, space, dataset = H5I_INVALID_HID;
  if (layout->failed) return;
  properties = untimed(layout, H5P_DATASET_CREATE);
  space = created(layout, rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, dimensions, NULL));
  if (!layout->failed)
    dataset = created(layout, H5Dcreate2(layout->file, path, file_type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
  if (!layout->failed) checked(layout, H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  rill_h5_close(dataset);
  rill_h5_close(space);
  rill_h5_close(properties);
}

/* No chunk cache; nothing is written in front of the rows (unwritten parts of a chunk are holes, which read as 0). */
static hid_t row_access(struct layout *layout) {
  hid_t access = created(layout, H5Pcreate(H5P_DATASET_ACCESS));
  if (!layout->failed) checked(layout, H5Pset_chunk_cache(access, 0, 0, 1.0));
  return access;
}

/* extent and chunk: [rank]; extent[0] is ignored: no rows yet. */
static void make_rows(struct layout *layout, const char *path, hid_t file_type, hid_t memory_type, int rank,
                      const hsize_t *extent, hsize_t chunk_rows, struct rows *rows) {
  hid_t properties, access, space = H5I_INVALID_HID;
  hsize_t most[RANK_MAX];
  rows->dataset = H5I_INVALID_HID;
  if (layout->failed) return;
  rows->type = memory_type;
  rows->rank = rank;
  for (int d = 0; d < rank; d++) rows->extent[d] = rows->chunk[d] = most[d] = extent[d];
  rows->extent[0] = 0;
  rows->chunk[0] = chunk_rows;
  most[0] = H5S_UNLIMITED;
  properties = untimed(layout, H5P_DATASET_CREATE);
  access = row_access(layout);
  if (!layout->failed) space = created(layout, H5Screate_simple(rank, rows->extent, most));
  if (!layout->failed) checked(layout, H5Pset_chunk(properties, rank, rows->chunk));
  if (!layout->failed) checked(layout, H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER));
  if (!layout->failed)
    rows->dataset = created(layout, H5Dcreate2(layout->file, path, file_type, space, H5P_DEFAULT, properties, access));
  rill_h5_close(space);
  rill_h5_close(access);
  rill_h5_close(properties);
}

static void link_to(struct layout *layout, const char *target, const char *path) {
  if (layout->failed) return;
  checked(layout, H5Lcreate_hard(layout->file, target, layout->file, path, H5P_DEFAULT, H5P_DEFAULT));
}

/* --- rows ----------------------------------------------------------------------------------------------------- */

static size_t row_bytes(const struct rows *rows) {
  size_t bytes = H5Tget_size(rows->type);
  for (int d = 1; d < rows->rank; d++) bytes *= rows->extent[d];
  return bytes;
}

/* Most bytes that `count` more rows can add to the file: chunks, and nodes of their index, a page each. */
static size_t rows_growth(const struct rows *rows, size_t count) {
  const size_t chunk_rows = rows->chunk[0], chunk_bytes = chunk_rows * row_bytes(rows);
  const size_t held = (size_t)(rows->extent[0] + chunk_rows - 1) / chunk_rows;
  const size_t chunks = ((size_t)rows->extent[0] + count + chunk_rows - 1) / chunk_rows - held;
  const size_t nodes = held + chunks <= NODE_ENTRIES ? held == 0 : 4 * (1 + chunks / (NODE_ENTRIES / 2)); /* splits */
  return chunks == 0 ? 0 : chunks * (chunk_bytes + PAGE) + 2 * nodes * PAGE;
}

static bool rows_append(struct rows *rows, size_t count, const void *values) {
  hsize_t start[RANK_MAX] = {rows->extent[0]}, size[RANK_MAX];
  hid_t memory = H5I_INVALID_HID, file = H5I_INVALID_HID;
  bool done;
  memcpy(size, rows->extent, sizeof size);
  size[0] = count;
  rows->extent[0] += count;
  done = H5Dset_extent(rows->dataset, rows->extent) >= 0;
  done = done && (memory = H5Screate_simple(rows->rank, size, NULL)) >= 0;
  done = done && (file = H5Dget_space(rows->dataset)) >= 0;
  done = done && H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0;
  done = done && H5Dwrite(rows->dataset, rows->type, memory, file, H5P_DEFAULT, values) >= 0;
  rill_h5_close(memory);
  rill_h5_close(file);
  return done;
}

/* Makes sure that the file may and can grow by `bytes`, before HDF5 begins to change it. */
static enum rill_status reserve(struct rill_trajectory_writer *writer, size_t bytes, struct rill_error *error) {
  unsigned long long frames = (unsigned long long)writer->step.extent[0];
  struct rlimit limit;
  hsize_t size;
  int failure = 0;
  if (H5Fget_filesize(writer->file, &size) < 0)
    return rill_h5_error(error, RILL_ERROR_WRITE, writer->path, "the size of the file cannot be found");
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && size + bytes > limit.rlim_cur)
    return rill_error_set(error, RILL_ERROR_WRITE,
                          "%s: the limit on file sizes, %llu bytes, is reached; the first %llu frames are kept; raise it "
                          "(ulimit -f), or write fewer frames (output.interval)",
                          writer->path, (unsigned long long)limit.rlim_cur, frames);
  /* Beyond the end and without moving it: HDF5 keeps its own account of the end. */
  if (fallocate(writer->descriptor, FALLOC_FL_KEEP_SIZE, (off_t)size, (off_t)bytes) != 0) failure = errno;
  if (failure == EOPNOTSUPP || failure == ENOSYS) { /* a file system that cannot reserve: look at what is free */
    struct statvfs room;
    failure = fstatvfs(writer->descriptor, &room) == 0 && (double)room.f_bavail * (double)room.f_frsize < (double)bytes
                  ? ENOSPC
                  : 0;
  }
  if (failure != 0 && failure != EINTR)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: the file cannot grow: %s; the first %llu frames are kept",
                          writer->path, strerror(failure), frames);
  return RILL_OK;
}

static enum rill_status break_off(struct rill_trajectory_writer *writer, const char *doing, struct rill_error *error) {
  writer->broken = true;
  return rill_h5_error(error, RILL_ERROR_WRITE, writer->path, doing);
}

/* --- the layout ------------------------------------------------------------------------------------------------ */

static void make_metadata(struct layout *layout, const struct rill_trajectory_header *header) {
  const int32_t h5md_version[2] = {1, 1}, units_version[2] = {1, 0};
  const char *si = "SI";
  make_group(layout, "/h5md");
  put_attribute(layout, "/h5md", "version", H5T_NATIVE_INT32, 1, 2, h5md_version);
  make_group(layout, "/h5md/author");
  put_text(layout, "/h5md/author", "name", "N/A");
  make_group(layout, "/h5md/creator");
  put_text(layout, "/h5md/creator", "name", "rill");
  put_text(layout, "/h5md/creator", "version", header->version);
  make_group(layout, "/h5md/modules");
  make_group(layout, "/h5md/modules/units");
  put_attribute(layout, "/h5md/modules/units", "version", H5T_NATIVE_INT32, 1, 2, units_version);
  put_words(layout, "/h5md/modules/units", "system", 0, 1, &si);
}

static void make_frames(struct layout *layout, const struct rill_trajectory_header *header,
                        struct rill_trajectory_writer *writer) {
  hid_t file_real = header->double_precision ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
  hid_t real = header->double_precision ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
  hsize_t atoms[3] = {0, 3 * header->molecules, 3}, box[3] = {0, 3, 3};
  size_t frame = 9 * header->molecules * (header->double_precision ? sizeof(double) : sizeof(float));
  hsize_t chunk = CHUNK_BYTES / frame;
  const int32_t dimension = 3;
  char boundary[3][sizeof "periodic"];
  hid_t type;
  if (chunk < 1) chunk = 1;
  if (chunk > CHUNK_FRAMES_MAX) chunk = CHUNK_FRAMES_MAX;
  memset(boundary, 0, sizeof boundary);
  for (int d = 0; d < 3; d++) strcpy(boundary[d], header->periodic ? "periodic" : "none");

  make_group(layout, "/particles");
  make_group(layout, PARTICLES);
  make_group(layout, PARTICLES "/box");
  put_attribute(layout, PARTICLES "/box", "dimension", H5T_NATIVE_INT32, 0, 0, &dimension);
  if (layout->failed) return;
  type = string_type(layout, sizeof boundary[0], false);
  put_attribute(layout, PARTICLES "/box", "boundary", type, 1, 3, boundary);
  rill_h5_close(type);

  make_group(layout, PARTICLES "/position");
  make_rows(layout, PARTICLES "/position/value", file_real, real, 3, atoms, chunk, &writer->position);
  put_unit(layout, PARTICLES "/position/value", "nm");
  /* time in front of step: a flush writes headers in the order of their addresses, and step is the mark. */
  make_rows(layout, PARTICLES "/position/time", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, atoms, CHUNK_STEPS, &writer->time);
  put_unit(layout, PARTICLES "/position/time", "ps");
  make_rows(layout, PARTICLES "/position/step", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, atoms, CHUNK_STEPS, &writer->step);
  if (header->velocities) {
    make_group(layout, PARTICLES "/velocity");
    make_rows(layout, PARTICLES "/velocity/value", file_real, real, 3, atoms, chunk, &writer->velocity);
    put_unit(layout, PARTICLES "/velocity/value", "nm ps-1");
    link_to(layout, PARTICLES "/position/step", PARTICLES "/velocity/step");
    link_to(layout, PARTICLES "/position/time", PARTICLES "/velocity/time");
  }
  if (header->periodic) {
    make_group(layout, PARTICLES "/box/edges");
    make_rows(layout, PARTICLES "/box/edges/value", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3, box, CHUNK_FRAMES_MAX,
              &writer->edges);
    put_unit(layout, PARTICLES "/box/edges/value", "nm");
    link_to(layout, PARTICLES "/position/step", PARTICLES "/box/edges/step");
    link_to(layout, PARTICLES "/position/time", PARTICLES "/box/edges/time");
  }
}

/* What belongs to atoms and does not change.  work: [6 * molecules] doubles, used for every array in turn. */
static void make_atoms(struct layout *layout, const struct rill_trajectory_header *header, double *work) {
  const int32_t atomic_number[3] = {8, 1, 1};
  const hsize_t molecules = header->molecules, atoms = 3 * molecules, bonds[2] = {2 * molecules, 2};
  int32_t *integers = (int32_t *)(void *)work;
  const char *effective = "effective";
  hobj_ref_t group;

  for (size_t i = 0; i < atoms; i++) work[i] = header->mass[i % 3];
  put_dataset(layout, PARTICLES "/mass", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &atoms, work);
  put_unit(layout, PARTICLES "/mass", "u");
  for (size_t i = 0; i < atoms; i++) work[i] = header->charge[i % 3];
  put_dataset(layout, PARTICLES "/charge", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &atoms, work);
  put_unit(layout, PARTICLES "/charge", "e");
  put_text(layout, PARTICLES "/charge", "type", effective);
  for (size_t i = 0; i < atoms; i++) integers[i] = atomic_number[i % 3];
  put_dataset(layout, PARTICLES "/species", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &atoms, integers);
  for (size_t i = 0; i < atoms; i++) integers[i] = (int32_t)i;
  put_dataset(layout, PARTICLES "/id", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &atoms, integers);

  make_group(layout, "/connectivity");
  for (size_t m = 0; m < molecules; m++)
    for (size_t h = 0; h < 2; h++) {
      integers[4 * m + 2 * h] = (int32_t)(3 * m);
      integers[4 * m + 2 * h + 1] = (int32_t)(3 * m + 1 + h);
    }
  put_dataset(layout, "/connectivity/bonds", H5T_STD_I32LE, H5T_NATIVE_INT32, 2, bonds, integers);
  if (!layout->failed) checked(layout, H5Rcreate(&group, layout->file, PARTICLES, H5R_OBJECT, -1));
  put_attribute(layout, "/connectivity/bonds", "particles_group", H5T_STD_REF_OBJ, 0, 0, &group);

  make_group(layout, "/parameters");
  make_group(layout, VMD);
  for (size_t i = 0; i < atoms; i++) integers[i] = (int32_t)(i / 3);
  put_dataset(layout, VMD "/resid", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &atoms, integers);
  for (int end = 0; end < 2; end++) {
    for (size_t b = 0; b < bonds[0]; b++) integers[b] = (int32_t)(3 * (b / 2) + (end == 0 ? 1 : 2 + b % 2));
    put_dataset(layout, end == 0 ? VMD "/bond_from" : VMD "/bond_to", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, bonds, integers);
  }
}

/* What VMD looks up by species and by residue.  Radii: Bondi, J. Phys. Chem. 68, 441 (1964). */
static void make_species(struct layout *layout, size_t molecules, double *work) {
  const int32_t atomic_number[2] = {8, 1};
  const float radius[2] = {0.152f, 0.120f};
  const char symbol[2][2] = {"O", "H"};
  const hsize_t kinds = 2, residues = molecules;
  char(*residue)[4] = (char(*)[4])(void *)work;
  hid_t type;
  put_dataset(layout, VMD "/indexOfSpecies", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &kinds, atomic_number);
  put_dataset(layout, VMD "/atomicnumber", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &kinds, atomic_number);
  put_dataset(layout, VMD "/radius", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1, &kinds, radius);
  if (layout->failed) return;
  type = string_type(layout, sizeof symbol[0], false);
  put_dataset(layout, VMD "/name", type, type, 1, &kinds, symbol);
  put_dataset(layout, VMD "/type", type, type, 1, &kinds, symbol);
  rill_h5_close(type);
  if (layout->failed) return;
  for (size_t m = 0; m < molecules; m++) memcpy(residue[m], "SOL", sizeof residue[m]);
  type = string_type(layout, sizeof residue[0], false);
  put_dataset(layout, VMD "/resname", type, type, 1, &residues, residue);
  rill_h5_close(type);
}

static void make_parameters(struct layout *layout, const struct rill_trajectory_header *header) {
  const char *deck = header->deck == NULL ? "" : header->deck;
  hid_t type;
  make_group(layout, PARAMETERS);
  put_text(layout, PARAMETERS, "version", header->version);
  put_attribute(layout, PARAMETERS, "seed", H5T_NATIVE_UINT64, 0, 0, &header->seed);
  put_attribute(layout, PARAMETERS, "degrees_of_freedom", H5T_NATIVE_DOUBLE, 0, 0, &header->degrees_of_freedom);
  put_dataset(layout, PARAMETERS "/step", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0, NULL, &header->step);
  put_unit(layout, PARAMETERS "/step", "ps");
  if (layout->failed) return;
  type = string_type(layout, strlen(deck) + 1, !is_ascii(deck));
  put_dataset(layout, PARAMETERS "/deck", type, type, 0, NULL, deck);
  rill_h5_close(type);
}

/* --- the writer ------------------------------------------------------------------------------------------------ */

/* Opens (creates) the file on our own descriptor: the system's reasons are clearer than HDF5's. */
static enum rill_status open_descriptor(const char *path, bool replace, int *descriptor, struct rill_error *error) {
  struct stat information;
  *descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | (replace ? 0 : O_EXCL), 0666);
  if (*descriptor < 0) {
    if (errno == EEXIST)
      return rill_error_set(error, RILL_ERROR_OUTPUT, "%s: exists already; give --force to replace it, or another name",
                            path);
    return rill_error_set(error, RILL_ERROR_OUTPUT, "%s: cannot be created: %s; choose a directory that exists and is "
                          "writable (-o DIR)", path, strerror(errno));
  }
  if (fstat(*descriptor, &information) != 0 || !S_ISREG(information.st_mode))
    return rill_error_set(error, RILL_ERROR_OUTPUT, "%s: is not a regular file; a trajectory needs one", path);
  /* Replacing a file that another program has open would destroy its data: HDF5 truncates before it looks. */
  if (flock(*descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return rill_error_set(error, RILL_ERROR_OUTPUT, "%s: is in use by another program", path);
  } else {
    flock(*descriptor, LOCK_UN);
  }
  return RILL_OK;
}

static hid_t create_file(const char *path) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE), file = H5I_INVALID_HID;
  if (access >= 0 && creation >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18) >= 0 &&
      rill_ordered_driver_set(access) >= 0 && H5Pset_alignment(access, NODE_SMALLEST, PAGE) >= 0 && H5Pset_file_locking(access, 1, 1) >= 0 &&
      H5Pset_obj_track_times(creation, 0) >= 0)
    file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
  rill_h5_close(creation);
  rill_h5_close(access);
  return file;
}

/* Closes everything of HDF5's, unless it is broken: then the file stays as it is, with HDF5's handle on it. */
static herr_t close_file(struct rill_trajectory_writer *writer) {
  struct rows *all[] = {&writer->position, &writer->velocity, &writer->edges, &writer->time, &writer->step};
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

enum rill_status rill_trajectory_create(const char *path, const struct rill_trajectory_header *header,
                                        struct rill_trajectory_writer **result, struct rill_error *error) {
  struct rill_trajectory_writer *writer;
  struct layout layout = {.file = H5I_INVALID_HID};
  double *work = NULL;
  bool fresh = false;
  enum rill_status status;
  *result = NULL;
  rill_h5_prepare();
  if (header->molecules < 1 || header->molecules > INT32_MAX / 4)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: a trajectory of %zu molecules; from 1 to %d can be written", path,
                          header->molecules, INT32_MAX / 4);
  writer = rill_allocate(1, sizeof *writer);
  if (writer == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  writer->file = H5I_INVALID_HID;
  writer->descriptor = -1;
  writer->molecules = header->molecules;
  writer->periodic = header->periodic;
  writer->velocities = header->velocities;
  writer->double_precision = header->double_precision;
  writer->path = rill_allocate(strlen(path) + 1, 1);
  work = rill_allocate(6 * header->molecules, sizeof *work);
  if (!header->double_precision) writer->narrow = rill_allocate(9 * header->molecules, sizeof *writer->narrow);
  if (writer->path == NULL || work == NULL || (!header->double_precision && writer->narrow == NULL)) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
    goto fail;
  }
  strcpy(writer->path, path);

  status = open_descriptor(path, header->replace, &writer->descriptor, error);
  if (status != RILL_OK) goto fail;
  fresh = !header->replace;
  writer->file = layout.file = create_file(path);
  if (writer->file < 0) {
    status = rill_h5_error(error, RILL_ERROR_OUTPUT, path, "cannot be created");
    goto fail;
  }
  status = reserve(writer, 128 * header->molecules * 3 + 4 * METADATA_SLACK, error);
  if (status != RILL_OK) goto fail;
  make_metadata(&layout, header);
  make_frames(&layout, header, writer);
  make_atoms(&layout, header, work);
  make_species(&layout, header->molecules, work);
  make_parameters(&layout, header);
  if (layout.failed || H5Fflush(writer->file, H5F_SCOPE_LOCAL) < 0) {
    status = break_off(writer, "its header cannot be written", error);
    goto fail;
  }
  rill_release(work);
  *result = writer;
  return RILL_OK;
fail:
  rill_release(work);
  writer_release(writer);
  if (fresh) unlink(path);
  return status;
}

/* The frame's array in the type of the file. */
static const void *narrowed(struct rill_trajectory_writer *writer, const double *values) {
  if (writer->double_precision) return values;
  for (size_t i = 0; i < 9 * writer->molecules; i++) writer->narrow[i] = (float)values[i];
  return writer->narrow;
}

enum rill_status rill_trajectory_append(struct rill_trajectory_writer *writer, const struct rill_trajectory_frame *frame,
                                        struct rill_error *error) {
  const int64_t step = (int64_t)frame->step;
  size_t growth;
  if (writer->broken)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: nothing more is written after a failure", writer->path);
  if (frame->positions == NULL || (writer->velocities && frame->velocities == NULL) ||
      (writer->periodic && frame->box == NULL) || frame->step > INT64_MAX)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: a frame lacks what the header promised", writer->path);
  growth = rows_growth(&writer->position, 1) + rows_growth(&writer->time, 1) + rows_growth(&writer->step, 1);
  if (writer->velocities) growth += rows_growth(&writer->velocity, 1);
  if (writer->periodic) growth += rows_growth(&writer->edges, 1);
  RILL_TRY(reserve(writer, growth + METADATA_SLACK, error));

  if (!rows_append(&writer->position, 1, narrowed(writer, frame->positions)) ||
      (writer->velocities && !rows_append(&writer->velocity, 1, narrowed(writer, frame->velocities))) ||
      (writer->periodic && !rows_append(&writer->edges, 1, frame->box)) ||
      H5Fflush(writer->file, H5F_SCOPE_LOCAL) < 0)
    return break_off(writer, "a frame cannot be written", error);
  if (!rows_append(&writer->time, 1, &frame->time) || !rows_append(&writer->step, 1, &step) ||
      H5Fflush(writer->file, H5F_SCOPE_LOCAL) < 0)
    return break_off(writer, "a frame cannot be committed", error);
  return RILL_OK;
}

/* --- tables ---------------------------------------------------------------------------------------------------- */

/* Opens /parameters/rill/NAME/values, made when it is not there. */
static enum rill_status table_open(struct rill_trajectory_writer *writer, const struct rill_table *table, struct rows *rows,
                                   struct rill_error *error) {
  const hsize_t extent[2] = {0, table->columns};
  hsize_t chunk = CHUNK_BYTES / (table->columns * sizeof(double));
  struct layout layout = {.file = writer->file};
  char group[256], values[sizeof group + sizeof "/values"];
  htri_t there;
  hid_t access, space = H5I_INVALID_HID;
  if (snprintf(group, sizeof group, PARAMETERS "/%s", table->name) >= (int)sizeof group || table->name[0] == '\0' ||
      strchr(table->name, '/') != NULL)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: '%s' cannot name a table", writer->path, table->name);
  snprintf(values, sizeof values, "%s/values", group);
  there = H5Lexists(writer->file, group, H5P_DEFAULT);
  if (there == 0) {
    if (chunk < 1) chunk = 1;
    if (chunk > CHUNK_FRAMES_MAX) chunk = CHUNK_FRAMES_MAX;
    make_group(&layout, group);
    make_rows(&layout, values, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, extent, chunk, rows);
    put_words(&layout, group, "columns", 1, table->columns, table->column_names);
    put_words(&layout, group, "units", 1, table->columns, table->column_units);
    put_words(&layout, group, "description", 0, 1, &table->description);
    if (layout.failed) return break_off(writer, "a table cannot be created", error);
    return RILL_OK;
  }
  rows->type = H5T_NATIVE_DOUBLE;
  rows->rank = 2;
  access = row_access(&layout);
  rows->dataset = H5Dopen2(writer->file, values, access);
  if (rows->dataset >= 0) space = H5Dget_space(rows->dataset);
  if (space < 0 || H5Sget_simple_extent_ndims(space) != 2 || H5Sget_simple_extent_dims(space, rows->extent, NULL) != 2 ||
      rows->extent[1] != table->columns) {
    rill_h5_close(rows->dataset);
    rows->dataset = H5I_INVALID_HID;
  } else {
    hid_t creation = H5Dget_create_plist(rows->dataset);
    if (creation < 0 || H5Pget_chunk(creation, 2, rows->chunk) != 2) rows->chunk[0] = 1;
    rill_h5_close(creation);
  }
  rill_h5_close(space);
  rill_h5_close(access);
  if (rows->dataset < 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: '%s' is there already and is no table of %zu columns",
                          writer->path, table->name, table->columns);
  return RILL_OK;
}

enum rill_status rill_trajectory_append_table(struct rill_trajectory_writer *writer, const struct rill_table *table,
                                              struct rill_error *error) {
  struct rows rows = {.dataset = H5I_INVALID_HID};
  bool done;
  if (writer->broken)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: nothing more is written after a failure", writer->path);
  if (table->columns == 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: table '%s' has no columns", writer->path, table->name);
  RILL_TRY(reserve(writer, 2 * METADATA_SLACK, error));
  RILL_TRY(table_open(writer, table, &rows, error));
  if (table->rows > 0) {
    enum rill_status status = reserve(writer, rows_growth(&rows, table->rows) + METADATA_SLACK, error);
    if (status != RILL_OK) {
      rill_h5_close(rows.dataset);
      return status;
    }
  }
  done = (table->rows == 0 || rows_append(&rows, table->rows, table->values)) &&
         H5Fflush(writer->file, H5F_SCOPE_LOCAL) >= 0;
  if (!done) return break_off(writer, "a table cannot be written", error);
  rill_h5_close(rows.dataset);
  return RILL_OK;
}

enum rill_status rill_trajectory_close(struct rill_trajectory_writer *writer, struct rill_error *error) {
  enum rill_status status = RILL_OK;
  struct stat information;
  if (writer == NULL) return RILL_OK;
  if (!writer->broken) {
    if (close_file(writer) < 0) status = rill_h5_error(error, RILL_ERROR_WRITE, writer->path, "cannot be closed");
    /* Gives back what was reserved beyond the end; a failure costs a little disk space only. */
    else if (fstat(writer->descriptor, &information) == 0 && ftruncate(writer->descriptor, information.st_size) != 0)
      errno = 0;
  }
  writer_release(writer);
  return status;
}
