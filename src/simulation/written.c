#include "simulation/written.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output_file.h"
#include "simulation/outputs.h"
#include "structure/export.h"

enum rill_status rill_written_check(const char *path, const char *input, bool replace, struct rill_error *error) {
  if (rill_structure_format(path) == RILL_FORMAT_UNKNOWN)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "%s: unknown format; expected a name that ends in .gro, .pdb or .xyz", path);
  return rill_written_check_place(path, input, replace, error);
}

enum rill_status rill_written_check_place(const char *path, const char *input, bool replace,
                                          struct rill_error *error) {
  struct stat info;
  rill_error_clear(error);
  if (path[0] == '\0') return rill_error_set(error, RILL_ERROR_USAGE, "the name of the output is empty");
  if (lstat(path, &info) != 0) return rill_folder_check(path, false, error);
  if (S_ISLNK(info.st_mode))
    return rill_error_set(
        error, RILL_ERROR_OUTPUT,
        "%s is a symbolic link; files are not written through links: remove it, or give another name", path);
  if (S_ISDIR(info.st_mode))
    return rill_error_set(error, RILL_ERROR_OUTPUT, "%s is a folder; expected a file's name", path);
  if (!S_ISREG(info.st_mode))
    return rill_error_set(error, RILL_ERROR_OUTPUT, "%s is not a regular file; give another name", path);
  if (input != NULL && rill_same_file(path, input))
    return rill_error_set(error, RILL_ERROR_OUTPUT,
                          "%s is the input itself and would be overwritten; give another name", path);
  if (!replace) return rill_error_set(error, RILL_ERROR_OUTPUT, "%s exists; give --force to replace it", path);
  return RILL_OK;
}

enum rill_status rill_written_open(const char *path, bool replace, FILE **stream, struct rill_error *error) {
  int descriptor;
  bool existed;
  *stream = NULL;
  RILL_TRY(rill_output_create(path, replace, &descriptor, &existed, error));
  if (ftruncate(descriptor, 0) == 0) *stream = fdopen(descriptor, "w");
  if (*stream != NULL) return RILL_OK;
  rill_error_set(error, RILL_ERROR_OUTPUT, "%s cannot be written: %s", path, strerror(errno));
  if (!existed) (void)unlink(path);
  close(descriptor);
  return error->status;
}

enum rill_status rill_written_begin(struct rill_written *written, const char *path, bool replace, bool velocities,
                                    bool several, const struct rill_notes *notes, struct rill_error *error) {
  *written = (struct rill_written){.path = path, .velocities = velocities, .notes = notes};
  return rill_structure_create(path, replace, rill_structure_format(path) == RILL_FORMAT_GRO ? 9 : 0, several,
                               &written->writer, error);
}

static double bond(const double *oxygen, const double *hydrogen, double unit) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    const double x =
        unit > 0 ? unit * (nearbyint(hydrogen[k] / unit) - nearbyint(oxygen[k] / unit)) : hydrogen[k] - oxygen[k];
    square += x * x;
  }
  return sqrt(square);
}

/* By how much positions rounded to the unit change a bond length, relatively. */
static double rounding(const struct rill_structure *structure, double unit) {
  double worst = 0;
  for (size_t m = 0; m < structure->molecules; m++)
    for (size_t h = 1; h < 3; h++) {
      const double *oxygen = structure->positions + 9 * m, *hydrogen = oxygen + 3 * h;
      const double length = bond(oxygen, hydrogen, 0);
      worst = fmax(worst, fabs(bond(oxygen, hydrogen, unit) / length - 1));
    }
  return worst;
}

static void note_losses(const struct rill_written *written, const struct rill_structure *structure) {
  static const double pdb_unit = 1e-4; /* nm: three decimals of Angstrom */
  const enum rill_format format = rill_structure_format(written->path);
  const struct rill_export *export = rill_export_find(written->path);
  const bool keeps = export != NULL ? export->velocities || !export->coordinates : format == RILL_FORMAT_GRO;
  if (structure->velocities != NULL && !written->velocities)
    rill_note(written->notes, "note: %s: the velocities of the start are omitted", written->path);
  else if (structure->velocities != NULL && !keeps)
    rill_note(written->notes, "note: %s: the velocities are lost, %s has none; write GRO or TRR to keep them",
              written->path,
              export != NULL              ? export->name
              : format == RILL_FORMAT_PDB ? "PDB"
                                          : "XYZ");
  if (format == RILL_FORMAT_PDB)
    rill_note(
        written->notes,
        "note: %s: PDB has three decimals of Angstrom: positions are rounded by up to 0.0005 Angstrom, and bonds "
        "change by up to %.2g of their length; GRO and XYZ keep them to 1e-8",
        written->path, rounding(structure, pdb_unit));
  if (structure->file_atom != NULL)
    rill_note(written->notes, "note: %s: the atoms are put into the order O, H, H, molecule by molecule",
              written->path);
}

/* The header of a DCD file has one interval for all frames. */
static void note_interval(struct rill_written *written, const struct rill_structure *structure) {
  const struct rill_export *export = rill_export_find(written->path);
  const double interval = structure->time - written->time;
  if (written->frames == 2) written->interval = interval;
  if (export == &rill_export_dcd && written->frames > 2 && !written->uneven &&
      !(fabs(interval - written->interval) <= 1e-6 * fabs(written->interval))) {
    written->uneven = true;
    rill_note(written->notes,
              "note: %s: DCD has one interval between frames, %g ps from the first two, but %g ps are between frames "
              "%zu and %zu: the times from there on are wrong; TRR keeps them",
              written->path, written->interval, interval, written->frames - 2, written->frames - 1);
  }
  written->time = structure->time;
}

enum rill_status rill_written_add(struct rill_written *written, const struct rill_structure *structure) {
  struct rill_structure copy = *structure;
  if (!written->velocities) copy.velocities = NULL;
  copy.site_weight = written->site_weight;
  written->molecules = structure->molecules;
  if (written->frames++ == 0 && written->notes != NULL) note_losses(written, structure);
  if (written->notes != NULL) note_interval(written, structure);
  return rill_structure_append(written->writer, &copy);
}

enum rill_status rill_written_end(struct rill_written *written, enum rill_status status) {
  struct rill_structure_writer *writer = written->writer;
  written->writer = NULL;
  return rill_structure_finish(writer, status);
}

enum rill_status rill_written_structure(const char *path, bool replace, const struct rill_structure *structure,
                                        bool velocities, const struct rill_notes *notes, struct rill_error *error) {
  struct rill_written written;
  RILL_TRY(rill_written_begin(&written, path, replace, velocities, false, notes, error));
  return rill_written_end(&written, rill_written_add(&written, structure));
}

enum rill_status rill_written_forces(const char *path, bool replace, const struct rill_structure *structure,
                                     const double *forces, struct rill_error *error) {
  size_t atoms = 3 * structure->molecules, *at;
  FILE *stream;
  RILL_TRY(rill_written_open(path, replace, &stream, error));
  at = rill_allocate(atoms, sizeof *at);
  if (at == NULL) {
    fclose(stream);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu atoms", atoms);
  }
  for (size_t i = 0; i < atoms; i++) at[structure->file_atom != NULL ? structure->file_atom[i] : i] = i;
  fputs("atom,fx,fy,fz\n", stream);
  for (size_t i = 0; i < atoms; i++)
    fprintf(stream, "%zu,%.17g,%.17g,%.17g\n", i + 1, forces[3 * at[i]], forces[3 * at[i] + 1],
            forces[3 * at[i] + 2]);
  rill_release(at);
  if (ferror(stream) | fclose(stream))
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: writing failed: %s", path, strerror(errno));
  return RILL_OK;
}
