/* DCD (CHARMM, NAMD, LAMMPS): Fortran records of little-endian numbers; positions in single precision, Angstrom.  The
 * header has the number of frames and one interval between them; it is completed when the last frame is known. */
#include <math.h>
#include <string.h>

#include "structure/bytes.h"
#include "structure/export.h"

/* 1 ps in the unit of time of CHARMM, sqrt(u Angstrom2 mol / kcal). */
static const double akma_time = 20.45482949774598;
static const double degree = 0.017453292519943295;
enum { HEADER = 84, TITLE = 80, CHARMM_VERSION = 24 };

static void put_int(struct rill_file *file, int32_t value) { rill_put_le32(file->stream, (uint32_t)value); }

static void put_header(struct rill_file *file, const struct rill_export_tally *tally) {
  const double interval = tally->frames > 1 ? tally->time[1] - tally->time[0] : 0.0;
  int32_t control[20] = {0};
  char title[TITLE + 1] = {0};
  const float delta = isfinite(interval) ? (float)(interval * akma_time) : 0.0F;
  control[0] = control[3] = (int32_t)tally->frames;
  control[1] = 0;
  control[2] = 1;
  memcpy(&control[9], &delta, sizeof delta);
  control[10] = tally->has_box;
  control[19] = CHARMM_VERSION;
  put_int(file, HEADER);
  fwrite("CORD", 1, 4, file->stream);
  for (size_t i = 0; i < 20; i++) put_int(file, control[i]);
  put_int(file, HEADER);
  snprintf(title, sizeof title, "%-*s", TITLE, "Water, written by rill");
  put_int(file, 4 + TITLE);
  put_int(file, 1);
  fwrite(title, 1, TITLE, file->stream);
  put_int(file, 4 + TITLE);
}

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static double angle_between(const double a[3], const double b[3]) {
  return acos((a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (length_of(a) * length_of(b))) / degree;
}

/* In the order A, gamma, B, beta, alpha, C: Angstrom and degrees. */
static void put_cell(struct rill_file *file, const double box[3][3]) {
  const double cell[6] = {10.0 * length_of(box[0]),      angle_between(box[0], box[1]), 10.0 * length_of(box[1]),
                          angle_between(box[0], box[2]), angle_between(box[1], box[2]), 10.0 * length_of(box[2])};
  put_int(file, sizeof cell);
  for (size_t i = 0; i < 6; i++) rill_put_le64(file->stream, cell[i]);
  put_int(file, sizeof cell);
}

static enum rill_status append(struct rill_file *file, const struct rill_structure *structure,
                               const struct rill_export_tally *tally) {
  const size_t sites = structure->site_weight != 0 ? 4 : 3, atoms = sites * structure->molecules;
  if (tally->frames == 0) {
    struct rill_export_tally first = *tally;
    first.has_box = structure->has_box;
    put_header(file, &first);
    put_int(file, 4);
    put_int(file, (int32_t)atoms);
    put_int(file, 4);
  } else if (structure->molecules != tally->molecules || structure->has_box != tally->has_box) {
    return rill_error_set(
        file->error, RILL_ERROR_INPUT,
        "%s: DCD has one number of atoms, and a cell in all frames or none; this frame differs from "
        "the first (%zu and %zu molecules); write PDB, XYZ or GRO",
        file->path, structure->molecules, tally->molecules);
  }
  if (structure->has_box) put_cell(file, structure->box);
  for (size_t k = 0; k < 3; k++) {
    put_int(file, (int32_t)(4 * atoms));
    for (size_t m = 0; m < structure->molecules; m++) {
      double site[3];
      rill_structure_site(structure, structure->positions + 9 * m, site);
      for (size_t a = 0; a < sites; a++) {
        const double x = a < 3 ? structure->positions[9 * m + 3 * a + k] : site[k];
        RILL_TRY(rill_file_finite(file, x, "the position", m + 1));
        rill_put_le32f(file->stream, 10.0 * x);
      }
    }
    put_int(file, (int32_t)(4 * atoms));
  }
  return RILL_OK;
}

static enum rill_status finish(struct rill_file *file, const struct rill_export_tally *tally) {
  if (fseek(file->stream, 0, SEEK_SET) != 0)
    return rill_error_set(file->error, RILL_ERROR_WRITE, "%s: the header cannot be completed", file->path);
  put_header(file, tally);
  return RILL_OK;
}

const struct rill_export rill_export_dcd = {
    .name = "DCD", .extension = ".dcd", .coordinates = true, .append = append, .finish = finish};
