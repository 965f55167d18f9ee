/* TRR (GROMACS): frames of big-endian numbers, as XDR has them; here in single precision, nm and nm/ps. */
#include <math.h>
#include <string.h>

#include "structure/bytes.h"
#include "structure/export.h"

enum { MAGIC = 1993 };
static const char version[] = "GMX_trn_file";

static void put_int(struct rill_file *file, size_t value) { rill_put_be32(file->stream, (uint32_t)value); }

/* The sizes of the parts of a frame in bytes, of which those that a frame of water lacks are 0. */
static void put_header(struct rill_file *file, const struct rill_structure *structure, size_t atoms) {
  const size_t vectors = 3 * sizeof(float) * atoms;
  put_int(file, MAGIC);
  put_int(file, sizeof version);
  put_int(file, sizeof version - 1);
  fwrite(version, 1, sizeof version - 1, file->stream);
  put_int(file, 0); /* input record */
  put_int(file, 0); /* energies */
  put_int(file, structure->has_box ? 9 * sizeof(float) : 0);
  put_int(file, 0); /* virial */
  put_int(file, 0); /* pressure */
  put_int(file, 0); /* topology */
  put_int(file, 0); /* symbols */
  put_int(file, vectors);
  put_int(file, structure->velocities != NULL ? vectors : 0);
  put_int(file, 0); /* forces */
  put_int(file, atoms);
  put_int(file, (size_t)structure->step);
  put_int(file, 0); /* energies, again */
  rill_put_be32f(file->stream, isfinite(structure->time) ? structure->time : 0.0);
  rill_put_be32f(file->stream, 0.0); /* lambda */
}

static enum rill_status put_vectors(struct rill_file *file, const struct rill_structure *structure, const double *x,
                                    const char *what) {
  const size_t sites = structure->site_weight != 0 ? 4 : 3;
  for (size_t m = 0; m < structure->molecules; m++) {
    double site[3];
    rill_structure_site(structure, x + 9 * m, site);
    for (size_t a = 0; a < sites; a++)
      for (size_t k = 0; k < 3; k++) {
        const double value = a < 3 ? x[9 * m + 3 * a + k] : site[k];
        RILL_TRY(rill_file_finite(file, value, what, m + 1));
        rill_put_be32f(file->stream, value);
      }
  }
  return RILL_OK;
}

static enum rill_status append(struct rill_file *file, const struct rill_structure *structure,
                               const struct rill_export_tally *tally) {
  const size_t sites = structure->site_weight != 0 ? 4 : 3;
  (void)tally;
  if (structure->step > INT32_MAX)
    return rill_error_set(file->error, RILL_ERROR_UNSUPPORTED,
                          "%s: the step of a TRR frame is at most %d, found %llu; write DCD", file->path, INT32_MAX,
                          (unsigned long long)structure->step);
  put_header(file, structure, sites * structure->molecules);
  for (size_t i = 0; structure->has_box && i < 9; i++) rill_put_be32f(file->stream, structure->box[i / 3][i % 3]);
  RILL_TRY(put_vectors(file, structure, structure->positions, "the position"));
  if (structure->velocities == NULL) return RILL_OK;
  return put_vectors(file, structure, structure->velocities, "the velocity");
}

const struct rill_export rill_export_trr = {
    .name = "TRR", .extension = ".trr", .velocities = true, .coordinates = true, .append = append};
