#include "water/relax/build_box.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "water/neighbours/contact.h"
#include "water/relax/pose.h"
#include "water/water_accuracy.h"

/* nm: the largest random displacement of a lattice site along an axis. */
static const double jitter = 0.02;
/* kJ/mol/nm.  The mean does not depend on the number of molecules, unlike the largest force; in a liquid at 300 K the
 * mean is 380 and, for 900 molecules, the largest is 1250.  At this tolerance of the mean the remaining disorder has
 * about the energy of the liquid's thermal motion, so that a run at 300 K stays near that temperature; with half of
 * it, it first cools by 30 K, with 1.5 times it heats by 40 K. */
static const double rms_tolerance = 120, largest_tolerance = 4000;
/* L-BFGS's memory: a short one is as good far from a minimum. */
enum { ITERATIONS = 150, REMEMBERED = 5 };

/* The purpose of a draw: the `use` of the noise. */
enum draw { DRAW_KEEP, DRAW_PLACE, DRAW_TURN, DRAW_LACKING };

/* Face-centred cubic cells along the box's vectors, as nearly cubic as possible, with sites for all molecules and as
 * few more as possible. */
static void choose_cells(const double box[3][3], size_t molecules, size_t cells[3]) {
  double edge[3], product = 1, ideal, least = INFINITY;
  long from[3];
  for (int i = 0; i < 3; i++) {
    edge[i] = sqrt(box[i][0] * box[i][0] + box[i][1] * box[i][1] + box[i][2] * box[i][2]);
    product *= edge[i];
  }
  ideal = cbrt(product / (0.25 * (double)molecules));
  for (int i = 0; i < 3; i++) from[i] = (long)fmax(floor(edge[i] / ideal), 1);
  for (int k = 0; k < 27; k++) {
    const long n[3] = {from[0] + k % 3, from[1] + k / 3 % 3, from[2] + k / 9};
    double sites = 4, skew = 0;
    for (int i = 0; i < 3; i++) {
      sites *= (double)n[i];
      skew += fabs(log(edge[i] / (double)n[i] / ideal));
    }
    if (sites < (double)molecules || sites + skew >= least) continue;
    least = sites + skew;
    for (int i = 0; i < 3; i++) cells[i] = (size_t)n[i];
  }
}

/* Puts molecules on sites, in random orientations; as many sites are used as there are molecules, with each choice
 * equally likely (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S). */
static void fill(const struct rill_water_model *model, size_t molecules, const double box[3][3], uint64_t seed,
                 double *positions) {
  static const double basis[4][3] = {{0.25, 0.25, 0.25}, {0.25, 0.75, 0.75}, {0.75, 0.25, 0.75}, {0.75, 0.75, 0.25}};
  const struct rill_water_shape shape = rill_water_shape_of(model);
  const struct rill_noise noise = rill_noise_create(seed, RILL_STREAM_BUILD);
  size_t cells[3] = {1, 1, 1}, sites, placed = 0;
  choose_cells(box, molecules, cells);
  sites = 4 * cells[0] * cells[1] * cells[2];
  for (size_t site = 0; placed < molecules; site++) {
    const size_t cell = site / 4;
    const size_t at[3] = {cell / (cells[1] * cells[2]), cell / cells[2] % cells[1], cell % cells[2]};
    double u[4], centre[3] = {0};
    struct rill_pose pose;
    rill_noise_uniform(&noise, site >> 32, (uint32_t)site, DRAW_KEEP, u);
    if (u[0] * (double)(sites - site) > (double)(molecules - placed)) continue;
    rill_noise_uniform(&noise, site >> 32, (uint32_t)site, DRAW_PLACE, u);
    for (int i = 0; i < 3; i++)
      for (int c = 0; c < 3; c++) centre[c] += ((double)at[i] + basis[site % 4][i]) / (double)cells[i] * box[i][c];
    for (int c = 0; c < 3; c++) centre[c] += jitter * (2 * u[c] - 1);
    rill_noise_uniform(&noise, site >> 32, (uint32_t)site, DRAW_TURN, u);
    pose = rill_pose_random(centre, u);
    rill_pose_to_atoms(&shape, &pose, positions + RILL_COORDINATES * placed++);
  }
}

struct relaxation {
  const struct rill_build_options *options;
  bool reached; /* whether both tolerances are reached */
};

static bool observe(void *context, const struct rill_minimize_progress *progress) {
  struct relaxation *relaxation = context;
  const struct rill_build_options *options = relaxation->options;
  const struct rill_build_progress now = {1, 1, progress->iteration, progress->energy};
  relaxation->reached = progress->rms_force < rms_tolerance && progress->maximum_force < largest_tolerance;
  return (options->observe == NULL || options->observe(options->context, &now)) && !relaxation->reached;
}

static enum rill_status relax_box(const struct rill_water_model *model, size_t molecules,
                                  const struct rill_field_options *field, const struct rill_build_options *options,
                                  double *positions, struct rill_build_report *report, struct rill_error *error) {
  struct rill_minimize_options minimize = rill_minimize_defaults();
  struct relaxation relaxation = {options, false};
  struct rill_contact contact;
  double *made;
  enum rill_status status;
  made = rill_allocate(molecules, RILL_COORDINATES * sizeof *made);
  if (made == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory to build %zu molecules", molecules);
  fill(model, molecules, field->box.box, options->seed, made);
  report->force_tolerance = largest_tolerance;
  minimize.force_tolerance = 0;
  minimize.maximum_iterations = ITERATIONS;
  minimize.maximum_displacement = 0.05;
  minimize.maximum_rotation = 0.5;
  minimize.memory = REMEMBERED;
  minimize.reference = options->reference;
  minimize.isa = options->isa;
  minimize.threads = options->threads;
  minimize.box = field;
  minimize.observe = observe;
  minimize.context = &relaxation;
  status = rill_water_minimize(model, molecules, &minimize, made, &report->minimum, error);
  if (status == RILL_OK)
    status = rill_closest_contact(made, molecules, field->box.box, RILL_CONTACT_OXYGENS, &contact, error);
  if (status == RILL_OK) {
    if (relaxation.reached) report->minimum.reason = RILL_MINIMIZE_CONVERGED;
    report->trials = report->found = report->best_trial = report->minimisations = report->accepted = report->copies =
        1;
    report->evaluations = report->minimum.evaluations;
    report->closest_oxygens = isinf(contact.distance) ? 0 : contact.distance;
    memcpy(positions, made, molecules * RILL_COORDINATES * sizeof *made);
  }
  rill_release(made);
  return status;
}

/* ---- copies of a smaller box ---- */

/* An edge of at least this length, nm: 3000 molecules of a liquid. */
static const double tile_edge = 4.5;
/* Of the forces in it: that of a run. */
static const double tile_accuracy = 5e-4;

/* Copies along the axes; all 1 where the box is small, skew, or too thin. */
static size_t choose_copies(const struct rill_field_options *field, size_t molecules, size_t copies[3]) {
  const double(*box)[3] = field->box.box;
  const bool rectangular = box[1][0] == 0 && box[2][0] == 0 && box[2][1] == 0;
  for (int c = 0; c < 3; c++) {
    const double least = fmax(tile_edge, 4.0 * field->box.cutoff);
    copies[c] = rectangular && molecules > RILL_BUILD_TILED ? (size_t)fmax(1, floor(box[c][c] / least)) : 1;
  }
  return copies[0] * copies[1] * copies[2];
}

/* The first `surplus` copies, in an order without direction, lack one of their molecules each. */
static void place_copies(const double *tile, size_t tile_molecules, const double box[3][3], const size_t copies[3],
                         size_t surplus, uint64_t seed, double *positions) {
  const struct rill_noise noise = rill_noise_create(seed, RILL_STREAM_BUILD);
  const size_t all = copies[0] * copies[1] * copies[2];
  size_t placed = 0, left = surplus;
  for (size_t copy = 0; copy < all; copy++) {
    const size_t at[3] = {copy / (copies[1] * copies[2]), copy / copies[2] % copies[1], copy % copies[2]};
    size_t lacking = tile_molecules;
    double u[4];
    rill_noise_uniform(&noise, copy, 0, DRAW_LACKING, u);
    if (u[0] * (double)(all - copy) < (double)left) {
      lacking = (size_t)(u[1] * (double)tile_molecules);
      left--;
    }
    for (size_t m = 0; m < tile_molecules; m++) {
      if (m == lacking) continue;
      for (size_t k = 0; k < RILL_COORDINATES; k++)
        positions[RILL_COORDINATES * placed + k] =
            tile[RILL_COORDINATES * m + k] + (double)at[k % 3] * box[k % 3][k % 3];
      placed++;
    }
  }
}

static enum rill_status fill_with_copies(const struct rill_water_model *model, size_t molecules,
                                         const struct rill_field_options *field,
                                         const struct rill_build_options *options, const size_t copies[3],
                                         double *positions, struct rill_build_report *report,
                                         struct rill_error *error) {
  const size_t all = copies[0] * copies[1] * copies[2], tile_molecules = (molecules + all - 1) / all;
  struct rill_field_options tile_field = *field;
  double *tile = rill_allocate(tile_molecules, RILL_COORDINATES * sizeof *tile);
  enum rill_status status = RILL_OK;
  if (tile == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory to build %zu molecules", tile_molecules);
  for (int c = 0; c < 3; c++) tile_field.box.box[c][c] /= (double)copies[c];
  if (field->box.coulomb == RILL_COULOMB_EWALD)
    status = rill_water_estimate_mesh(model, tile_molecules, tile_accuracy, &tile_field, error);
  if (status == RILL_OK) status = relax_box(model, tile_molecules, &tile_field, options, tile, report, error);
  if (status == RILL_OK)
    place_copies(tile, tile_molecules, (const double(*)[3])tile_field.box.box, copies,
                 tile_molecules * all - molecules, options->seed, positions);
  report->copies = all;
  rill_release(tile);
  return status;
}

enum rill_status rill_water_build_box(const struct rill_water_model *model, size_t molecules,
                                      const struct rill_field_options *field,
                                      const struct rill_build_options *options, double *positions,
                                      struct rill_build_report *report, struct rill_error *error) {
  size_t copies[3];
  memset(report, 0, sizeof *report);
  if (molecules == 0 || molecules > UINT32_MAX)
    return rill_error_set(error, RILL_ERROR_USAGE, "a box of %zu molecules, expected 1 or more", molecules);
  if (choose_copies(field, molecules, copies) == 1)
    return relax_box(model, molecules, field, options, positions, report, error);
  return fill_with_copies(model, molecules, field, options, copies, positions, report, error);
}
