/* HDF5 files that are sound, with a content that the readers of trajectories and series do not expect.  The bytes are
 * the choices by which a file is made, zeros (and no bytes at all) giving the usual file: for every object of it
 * whether it is there, what stands in its place, its type, shape, storage and values, and for every attribute the
 * same. */
#include <hdf5.h>
#include <stdbool.h>

#include "read_h5.h"

const char *const fuzz_folders[] = {NULL};

enum { FRAMES = 2, ATOMS = 6, RANK_MAX = 4, VALUES_MAX = 4096 };

static const uint8_t *next, *end;

static unsigned take(void) { return next < end ? *next++ : 0; }
static unsigned choose(unsigned count) { return take() % count; }

static const char *const paths[] = {"/",
                                    "/h5md",
                                    "/particles",
                                    "/particles/trajectory/position/value",
                                    "/particles/trajectory/position/step",
                                    "/series/t",
                                    "/nowhere",
                                    "/parameters/rill/deck"};

static const hsize_t extents[] = {0, 1,  2,    3,        4,          5,          6,          7,
                                  9, 27, 1000, 1u << 20, 1ull << 32, 1ull << 40, 1ull << 61, UINT64_MAX - 1};

static hid_t text_type(size_t size, bool utf8) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  if (utf8) H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

static hid_t compound_type(void) {
  hid_t type = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(type, "x", 0, H5T_IEEE_F64LE);
  H5Tinsert(type, "n", 8, H5T_STD_I64LE);
  return type;
}

static hid_t enumeration_type(void) {
  hid_t type = H5Tenum_create(H5T_STD_I8LE);
  int8_t value = 0;
  H5Tenum_insert(type, "no", &value);
  value = 1;
  H5Tenum_insert(type, "yes", &value);
  return type;
}

static hid_t array_type(void) {
  const hsize_t three = 3;
  return H5Tarray_create2(H5T_IEEE_F64LE, 1, &three);
}

/* Closed by the caller. */
static hid_t any_type(void) {
  switch (choose(18)) {
  case 0: return H5Tcopy(H5T_IEEE_F32LE);
  case 1: return H5Tcopy(H5T_IEEE_F64BE);
  case 2: return H5Tcopy(H5T_STD_I8LE);
  case 3: return H5Tcopy(H5T_STD_U16BE);
  case 4: return H5Tcopy(H5T_STD_I32LE);
  case 5: return H5Tcopy(H5T_STD_I64LE);
  case 6: return H5Tcopy(H5T_STD_U64LE);
  case 7: return text_type(1, false);
  case 8: return text_type(8, true);
  case 9: return text_type(300, false);
  case 10: return text_type(H5T_VARIABLE, true);
  case 11: return text_type(1u << 30, false);
  case 12: return H5Tcopy(H5T_STD_REF_OBJ);
  case 13: return H5Tvlen_create(H5T_IEEE_F64LE);
  case 14: return compound_type();
  case 15: return enumeration_type();
  case 16: return array_type();
  default: return H5Tcreate(H5T_OPAQUE, 5);
  }
}

static hid_t any_space(int rank, const hsize_t *usual) {
  hsize_t extent[RANK_MAX], most[RANK_MAX];
  unsigned form = take();
  if (form == 1) return H5Screate(H5S_NULL);
  if (form == 2) return H5Screate(H5S_SCALAR);
  for (int d = 0; d < rank; d++) extent[d] = most[d] = usual[d];
  if (form >= 3) rank = (int)choose(RANK_MAX + 1);
  for (int d = 0; d < rank && form >= 3; d++)
    extent[d] = most[d] = extents[choose(sizeof extents / sizeof extents[0])];
  if (form & 64 && rank > 0) most[0] = H5S_UNLIMITED;
  return rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, extent, most);
}

static hid_t any_storage(hid_t space) {
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t chunk[RANK_MAX] = {1, 1, 1, 1};
  int rank = H5Sget_simple_extent_ndims(space);
  unsigned form = choose(6);
  if (form == 0 || rank < 1) return creation;
  if (form == 1) H5Pset_layout(creation, H5D_COMPACT);
  if (form >= 2) {
    chunk[rank - 1] = 1 + choose(40);
    H5Pset_chunk(creation, rank, chunk);
  }
  if (form == 3) H5Pset_deflate(creation, 9);
  if (form == 4) H5Pset_shuffle(creation);
  if (form == 5) H5Pset_fletcher32(creation);
  return creation;
}

/* Numbers as they are usual, or raw bytes for anything else. */
static void write_values(hid_t dataset, hid_t type, hid_t space, const double *usual, size_t count) {
  static char bytes[VALUES_MAX];
  hssize_t points = H5Sget_simple_extent_npoints(space);
  H5T_class_t class = H5Tget_class(type);
  unsigned form = take();
  if (form == 1 || points <= 0 || points > (hssize_t)(VALUES_MAX / sizeof(double))) return;
  if (class == H5T_FLOAT || class == H5T_INTEGER) {
    double values[VALUES_MAX / sizeof(double)];
    for (size_t i = 0; i < (size_t)points; i++) values[i] = count > 0 ? usual[i % count] : (double)i;
    if (form == 2) values[0] = NAN;
    if (form == 3) values[0] = -1e300;
    if (form == 4) values[points - 1] = (double)(int8_t)take();
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  } else if (class == H5T_STRING && H5Tis_variable_str(type) > 0) {
    const char *words[8] = {"a", "", NULL, "nm", "rill", "[system]", "\xff", "ps"};
    if (points <= 8) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, words);
  } else if (class != H5T_VLEN && (size_t)points * H5Tget_size(type) <= sizeof bytes) {
    for (size_t i = 0; i < sizeof bytes && next < end; i++) bytes[i] = (char)take();
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
  }
}

/* Something else in the place of a dataset or a group; true when that is all. */
static bool made_otherwise(hid_t file, const char *path) {
  const char *other;
  hid_t links = H5Pcreate(H5P_LINK_CREATE), object = H5I_INVALID_HID;
  unsigned form = take();
  if (form == 0 || form > 7) {
    H5Pclose(links);
    return false;
  }
  other = paths[choose(sizeof paths / sizeof paths[0])];
  H5Pset_create_intermediate_group(links, 1);
  if (form == 1 || form == 2) H5Lcreate_soft(form == 1 ? other : path, file, path, links, H5P_DEFAULT);
  if (form == 3) H5Lcreate_hard(file, other, file, path, links, H5P_DEFAULT);
  if (form == 4) H5Lcreate_external("/dev/null", other, file, path, links, H5P_DEFAULT);
  if (form == 5) object = H5Gcreate2(file, path, links, H5P_DEFAULT, H5P_DEFAULT);
  if (object >= 0) H5Gclose(object);
  if (form == 6) {
    object = any_type();
    H5Tcommit2(file, path, object, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Tclose(object);
  }
  H5Pclose(links);
  return true; /* 7: missing */
}

static void put(hid_t file, const char *path, hid_t usual_type, int rank, const hsize_t *extent, const double *values,
                size_t count) {
  hid_t links, type, space, creation, dataset;
  if (made_otherwise(file, path)) return;
  links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  type = take() == 0 ? H5Tcopy(usual_type) : any_type();
  space = any_space(rank, extent);
  creation = any_storage(space);
  dataset = H5Dcreate2(file, path, type, space, links, creation, H5P_DEFAULT);
  if (dataset >= 0) {
    write_values(dataset, type, space, values, count);
    H5Dclose(dataset);
  }
  H5Pclose(creation);
  H5Sclose(space);
  H5Tclose(type);
  H5Pclose(links);
}

static void put_group(hid_t file, const char *path) {
  hid_t links, group;
  if (made_otherwise(file, path)) return;
  links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  group = H5Gcreate2(file, path, links, H5P_DEFAULT, H5P_DEFAULT);
  if (group >= 0) H5Gclose(group);
  H5Pclose(links);
}

/* usual: an array of type usual_type, or of `count` fixed strings of 12 characters when that is negative. */
static void put_attribute(hid_t file, const char *path, const char *name, hid_t usual_type, hsize_t count,
                          const void *usual) {
  static const char *const words[] = {"nm",   "Angstrom", "ps", "fs",    "nm ps-1", "m s-1",
                                      "none", "periodic", "",   "nm/ps", "furlong", "nm ps-1 ps-1"};
  static const double zeros[1024];
  hid_t object = H5Oopen(file, path, H5P_DEFAULT), type, space, attribute;
  unsigned form = choose(6);
  if (object < 0 || form == 1) {
    if (object >= 0) H5Oclose(object);
    return;
  }
  type = form == 2         ? any_type()
         : usual_type >= 0 ? H5Tcopy(usual_type)
                           : text_type(form == 3 ? H5T_VARIABLE : 12, false);
  space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
  if (form == 4) {
    H5Sclose(space);
    space = any_space(1, &count);
  }
  attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0 && form == 3 && usual_type < 0) {
    const char *pointers[3];
    for (int i = 0; i < 3; i++) pointers[i] = take() == 255 ? NULL : words[choose(sizeof words / sizeof words[0])];
    if (count <= 3) H5Awrite(attribute, type, pointers);
  } else if (attribute >= 0 && form == 5) {
    char text[3][12] = {{0}};
    for (int i = 0; i < 3; i++)
      snprintf(text[i], sizeof text[i], "%s", words[choose(sizeof words / sizeof words[0])]);
    if (usual_type < 0 && count <= 3) H5Awrite(attribute, type, text);
  } else if (attribute >= 0 && form == 0) {
    H5Awrite(attribute, type, usual);
  } else if (attribute >= 0 && H5Aget_storage_size(attribute) <= sizeof zeros && H5Tis_variable_str(type) <= 0 &&
             H5Tget_class(type) != H5T_VLEN) {
    H5Awrite(attribute, type, zeros);
  }
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  H5Oclose(object);
}

static void make_file(hid_t file) {
  static const double water[ATOMS * 3] = {0, 0, 0,   0.0957, 0, 0,   -0.024, 0.0927, 0,
                                          0, 0, 0.3, 0.0957, 0, 0.3, -0.024, 0.0927, 0.3};
  static const double numbers[] = {0, 10}, kinds[] = {8, 1, 1}, sides[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
  static const char names[3][12] = {"periodic", "periodic", "periodic"};
  static const char nm[12] = "nm", ps[12] = "ps", nm_ps[12] = "nm ps-1", rill[12] = "rill";
  const hsize_t values[3] = {FRAMES, ATOMS, 3}, frames = FRAMES, atoms = ATOMS, edges[3] = {FRAMES, 3, 3}, one = 1;
  const int32_t version[2] = {1, 1};
  const double freedom = 9;
  const hid_t text = H5I_INVALID_HID;
  put_group(file, "/h5md");
  put_attribute(file, "/h5md", "version", H5T_NATIVE_INT32, 2, version);
  put_group(file, "/h5md/creator");
  put_attribute(file, "/h5md/creator", "name", text, 1, rill);
  put_attribute(file, "/h5md/creator", "version", text, 1, rill);
#define GROUP "/particles/trajectory"
  put_group(file, GROUP "/box");
  put_attribute(file, GROUP "/box", "boundary", text, 3, names);
  put(file, GROUP "/position/value", H5T_IEEE_F32LE, 3, values, water, ATOMS * 3);
  put_attribute(file, GROUP "/position/value", "unit", text, 1, nm);
  put(file, GROUP "/position/step", H5T_STD_I64LE, 1, &frames, numbers, 2);
  put_attribute(file, GROUP "/position/step", "offset", H5T_NATIVE_DOUBLE, 1, &freedom);
  put(file, GROUP "/position/time", H5T_IEEE_F64LE, 1, &frames, numbers, 2);
  put_attribute(file, GROUP "/position/time", "unit", text, 1, ps);
  put(file, GROUP "/velocity/value", H5T_IEEE_F32LE, 3, values, water, ATOMS * 3);
  put_attribute(file, GROUP "/velocity/value", "unit", text, 1, nm_ps);
  put(file, GROUP "/velocity/step", H5T_STD_I64LE, 1, &frames, numbers, 2);
  put(file, GROUP "/box/edges/value", H5T_IEEE_F64LE, 3, edges, sides, 9);
  put_attribute(file, GROUP "/box/edges/value", "unit", text, 1, nm);
  put(file, GROUP "/species", H5T_STD_I32LE, 1, &atoms, kinds, 3);
  put(file, "/parameters/rill/deck", H5T_C_S1, 0, &one, NULL, 0);
  put_attribute(file, "/parameters/rill", "degrees_of_freedom", H5T_NATIVE_DOUBLE, 1, &freedom);
  put(file, "/parameters/rill/step", H5T_IEEE_F64LE, 0, &one, numbers + 1, 1);
  put(file, "/series/t", H5T_IEEE_F64LE, 1, &frames, numbers, 2);
  put_attribute(file, "/series/t", "unit", text, 1, ps);
  put(file, "/series/q", H5T_IEEE_F64LE, 2, values, numbers, 2);
  put(file, "/series/multiplier", H5T_IEEE_F64LE, 2, values, numbers, 2);
  put_attribute(file, "/series", "system", text, 1, rill);
  put_attribute(file, "/series", "deck", text, 1, rill);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file;
  const char *path;
  void *image;
  ssize_t length;
  rill_sandbox_confines = false; /* for the sanitizers: these files are sound to HDF5 */
  next = bytes;
  end = bytes + size;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5Pset_fapl_core(access, 1 << 14, 0);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  file = H5Fcreate("in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  FUZZ_REQUIRE(file >= 0);
  make_file(file);
  H5Fflush(file, H5F_SCOPE_LOCAL);
  length = H5Fget_file_image(file, NULL, 0);
  FUZZ_REQUIRE(length > 0);
  image = malloc((size_t)length);
  FUZZ_REQUIRE(image != NULL && H5Fget_file_image(file, image, (size_t)length) == length);
  H5Fclose(file);
  H5Pclose(access);
  path = fuzz_file("in.h5md", image, (size_t)length);
  free(image);
  read_trajectory(path, (size_t)length);
  read_series(path);
  return 0;
}
