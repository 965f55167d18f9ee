/* PSF (X-PLOR's, with the wide columns of CHARMM): names, charges, masses, bonds and angles; no positions. */
#include <math.h>

#include "structure/export.h"

static const char *const names[4] = {"OW", "HW1", "HW2", "MW"}, *const types[4] = {"OW", "HW", "HW", "MW"};

static double rounded(double charge) { return nearbyint(charge * 1e8) / 1e8; }

/* Rounded so that a molecule is neutral to the last digit. */
static void find_charges(const struct rill_structure *structure, double charge[4]) {
  const double *given = structure->topology->charge;
  const size_t negative = structure->site_weight != 0 ? 3 : 0;
  charge[0] = charge[3] = 0.0;
  charge[1] = rounded(given[1]);
  charge[2] = rounded(given[2]);
  charge[negative] = -(charge[1] + charge[2]);
}

/* A list of tuples of atoms, numbered from 1; so many tuples a line. */
static void put_tuples(struct rill_file *file, const char *title, size_t molecules, size_t sites, size_t each,
                       size_t size, const size_t tuples[][3], size_t a_line) {
  fprintf(file->stream, "\n%10zu !%s\n", each * molecules, title);
  for (size_t i = 0; i < each * molecules; i++) {
    for (size_t k = 0; k < size; k++) fprintf(file->stream, "%10zu", sites * (i / each) + tuples[i % each][k] + 1);
    if ((i + 1) % a_line == 0 || i + 1 == each * molecules) putc('\n', file->stream);
  }
}

static enum rill_status append(struct rill_file *file, const struct rill_structure *structure,
                               const struct rill_export_tally *tally) {
  static const size_t bonds[][3] = {{0, 1}, {0, 2}}, angles[][3] = {{1, 0, 2}};
  const struct rill_topology *topology = structure->topology;
  const size_t sites = structure->site_weight != 0 ? 4 : 3, molecules = structure->molecules;
  double charge[4];
  (void)tally;
  find_charges(structure, charge);
  fprintf(file->stream, "PSF EXT XPLOR\n\n%10d !NTITLE\n REMARKS %s water, written by rill\n\n%10zu !NATOM\n", 1,
          topology->model, sites * molecules);
  for (size_t m = 0; m < molecules; m++)
    for (size_t a = 0; a < sites; a++)
      fprintf(file->stream, "%10zu %-8s %-8zu %-8s %-8s %-4s %14.8f%14.4f%8d\n", sites * m + a + 1, "WATER", m + 1,
              "SOL", names[a], types[a], charge[a], a < 3 ? topology->mass[a] : 0.0, 0);
  put_tuples(file, "NBOND: bonds", molecules, sites, 2, 2, bonds, 4);
  put_tuples(file, "NTHETA: angles", molecules, sites, 1, 3, angles, 3);
  for (size_t i = 0; i < 5; i++) {
    static const char *const empty[5] = {"NPHI: dihedrals", "NIMPHI: impropers", "NDON: donors", "NACC: acceptors",
                                         "NNB"};
    fprintf(file->stream, "\n%10d !%s\n\n", 0, empty[i]);
  }
  return RILL_OK;
}

const struct rill_export rill_export_psf = {.name = "PSF", .extension = ".psf", .append = append};
