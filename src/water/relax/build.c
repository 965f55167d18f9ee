#include "water/relax/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "water/neighbours/contact.h"
#include "water/relax/pose.h"

/* Lengths nm, energies kJ/mol, forces kJ/mol/nm, angles rad. */
static const double pi = 3.14159265358979323846;
static const double liquid_density = 33.0;   /* molecules per nm3: TIP3P at 298 K, 1 bar: 0.99 g/cm3 */
static const double contact = 0.28;          /* oxygens of neighbours */
static const double droplet_jitter = 0.02;
static const double shake_displacement = 0.08, shake_rotation = 1.2; /* largest along an axis */
static const double hot = 6.0, cold = 1.0;   /* energies of Metropolis' rule, first and last trial */
static const double hopping_tolerance = 1.0;
static const double hopping_resolution = 0.01; /* what hopping_tolerance leaves uncertain of an energy, and more */
static const double final_tolerance = 1e-6;
static const double droplet_tolerance = 10.0;
enum { HOPPING_ITERATIONS = 1000, FINAL_ITERATIONS = 10000 };

/* What a draw is for (the `use` of the noise), apart from each other for one trial and molecule. */
enum draw { DRAW_PLACE, DRAW_TURN, DRAW_ANGLE, DRAW_MOVE, DRAW_ACCEPT };

struct builder {
  struct rill_build_options options;
  struct rill_build_report *report;
  struct rill_water_shape shape;
  struct rill_noise noise;
  struct rill_minimizer *minimizer;
  size_t molecules, trials;
  double *current, *candidate, *best; /* [molecules][3][3] */
  struct site *lattice;
};

struct site {
  double position[3], square;
  size_t index;
};

struct rill_build_options rill_build_defaults(void) {
  return (struct rill_build_options){.seed = 1, .isa = rill_isa_best(), .threads = 1};
}

/* ---- random molecules ---- */

static void draw(const struct builder *builder, size_t trial, size_t molecule, enum draw use, double u[4]) {
  rill_noise_uniform(&builder->noise, trial, (uint32_t)molecule, use, u);
}

static void random_direction(double u0, double u1, double direction[3]) {
  const double z = 2 * u0 - 1, across = sqrt(1 - z * z);
  direction[0] = across * cos(2 * pi * u1);
  direction[1] = across * sin(2 * pi * u1);
  direction[2] = z;
}

/* A molecule about the centre, randomly turned. */
static void place_molecule(const struct builder *builder, size_t trial, size_t molecule, const double centre[3],
                           double *atoms) {
  struct rill_pose pose;
  double u[4];
  draw(builder, trial, molecule, DRAW_TURN, u);
  pose = rill_pose_random(centre, u);
  rill_pose_to_atoms(&builder->shape, &pose, atoms);
}

static int nearer(const void *a, const void *b) {
  const struct site *one = a, *other = b;
  if (one->square != other->square) return one->square < other->square ? -1 : 1;
  return (one->index > other->index) - (one->index < other->index);
}

/* The half width, in cells, of a cube of fcc cells that holds the sphere of so many molecules. */
static size_t lattice_reach(size_t molecules, double cell) {
  return (size_t)(cbrt(3 * (double)molecules / (4 * pi * liquid_density)) / cell) + 2;
}

static size_t lattice_sites(size_t molecules, double cell) {
  const size_t width = 2 * lattice_reach(molecules, cell) + 1;
  return 4 * width * width * width;
}

static double lattice_cell(void) { return cbrt(4 / liquid_density); }

/* The lattice sites nearest to a random point of the cell, jittered; a random rotation of each. */
static void fill_droplet(struct builder *builder, size_t trial, double *atoms) {
  static const double basis[4][3] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
  const double cell = lattice_cell();
  const long reach = (long)lattice_reach(builder->molecules, cell);
  double origin[4];
  size_t count = 0;
  draw(builder, trial, 0, DRAW_MOVE, origin);
  for (long i = -reach; i <= reach; i++)
    for (long j = -reach; j <= reach; j++)
      for (long k = -reach; k <= reach; k++)
        for (int b = 0; b < 4; b++) {
          const long at[3] = {i, j, k};
          struct site *site = &builder->lattice[count];
          site->index = count++;
          site->square = 0;
          for (int c = 0; c < 3; c++) {
            site->position[c] = cell * ((double)at[c] + basis[b][c] - origin[c]);
            site->square += site->position[c] * site->position[c];
          }
        }
  qsort(builder->lattice, count, sizeof *builder->lattice, nearer);
  for (size_t m = 0; m < builder->molecules; m++) {
    double u[4], centre[3];
    draw(builder, trial, m, DRAW_PLACE, u);
    for (int c = 0; c < 3; c++) centre[c] = builder->lattice[m].position[c] + droplet_jitter * (2 * u[c] - 1);
    place_molecule(builder, trial, m, centre, atoms + RILL_COORDINATES * m);
  }
}

/* ---- moves of basin hopping, on the candidate ---- */

static void shake(struct builder *builder, size_t trial) {
  for (size_t m = 0; m < builder->molecules; m++) {
    double *atoms = builder->candidate + RILL_COORDINATES * m, u[4], v[4], displacement[3], rotation[3];
    struct rill_pose pose = rill_pose_from_atoms(&builder->shape, atoms);
    draw(builder, trial, m, DRAW_PLACE, u);
    draw(builder, trial, m, DRAW_ANGLE, v);
    for (int c = 0; c < 3; c++) {
      displacement[c] = shake_displacement * (2 * u[c] - 1);
      rotation[c] = shake_rotation * (2 * v[c] - 1);
    }
    pose = rill_pose_step(&pose, displacement, rotation);
    rill_pose_to_atoms(&builder->shape, &pose, atoms);
  }
}

static void turn_all(struct builder *builder, size_t trial) {
  for (size_t m = 0; m < builder->molecules; m++) {
    double *atoms = builder->candidate + RILL_COORDINATES * m;
    const struct rill_pose pose = rill_pose_from_atoms(&builder->shape, atoms);
    place_molecule(builder, trial, m, pose.centre, atoms);
  }
}

/* One molecule is put onto the surface: it comes in along a random ray to the first contact with another. */
static void relocate(struct builder *builder, size_t trial, double which) {
  const size_t moved = (size_t)(which * (double)builder->molecules);
  double u[4], direction[3], centre[3], distance = 0;
  draw(builder, trial, moved, DRAW_PLACE, u);
  random_direction(u[0], u[1], direction);
  for (size_t m = 0; m < builder->molecules; m++) {
    const double *oxygen = builder->candidate + RILL_COORDINATES * m;
    double along = 0, square = 0, half_chord;
    if (m == moved) continue;
    for (int c = 0; c < 3; c++) {
      along += direction[c] * oxygen[c];
      square += oxygen[c] * oxygen[c];
    }
    half_chord = contact * contact - (square - along * along);
    if (half_chord > 0) distance = fmax(distance, along + sqrt(half_chord));
  }
  for (int c = 0; c < 3; c++) centre[c] = distance * direction[c];
  place_molecule(builder, trial, moved, centre, builder->candidate + RILL_COORDINATES * moved);
}

static void hop(struct builder *builder, size_t trial) {
  double u[4];
  memcpy(builder->candidate, builder->current, builder->molecules * RILL_COORDINATES * sizeof(double));
  draw(builder, trial, 0, DRAW_MOVE, u);
  if (u[0] < 0.4)
    shake(builder, trial);
  else if (u[0] < 0.6)
    turn_all(builder, trial);
  else
    relocate(builder, trial, u[1]);
}

/* ---- searches; the result is in best ---- */

/* Molecules on top of each other are a failed trial, no more; false for an error that is one. */
static bool is_failed_trial(enum rill_status status) {
  return status == RILL_ERROR_NOT_FINITE || status == RILL_ERROR_FAILED;
}

static double energy_of(const struct rill_minimize_report *report) {
  return report->after.lj + report->after.coulomb;
}

/* Seven molecules meet their putative global minimum after about 90 trials on average; 840 leave little to luck. */
static size_t hopping_trials(size_t molecules) {
  if (molecules == 1) return 1;
  if (molecules <= 7) return 20 * molecules * (molecules - 1);
  return molecules < 17 ? 120 * molecules : 2000;
}

static enum rill_status search_by_hopping(struct builder *builder, struct rill_error *error) {
  const size_t bytes = builder->molecules * RILL_COORDINATES * sizeof(double);
  double present = INFINITY, lowest = INFINITY;
  for (size_t trial = 0; trial < builder->trials; trial++) {
    const double temperature = hot + (cold - hot) * (double)trial / (double)builder->trials;
    struct rill_minimize_report minimum;
    enum rill_status status;
    double u[4];
    if (isinf(present))
      fill_droplet(builder, trial, builder->candidate);
    else
      hop(builder, trial);
    status = rill_minimizer_run(builder->minimizer, builder->candidate, &minimum, error);
    if (status != RILL_OK && !is_failed_trial(status)) return status;
    builder->report->trials++;
    if (status == RILL_OK) {
      const double energy = energy_of(&minimum);
      builder->report->evaluations += minimum.evaluations;
      draw(builder, trial, 0, DRAW_ACCEPT, u);
      if (energy <= present || u[0] < exp((present - energy) / temperature)) {
        memcpy(builder->current, builder->candidate, bytes);
        present = energy;
        builder->report->accepted++;
      }
      if (energy < lowest - hopping_resolution) {
        memcpy(builder->best, builder->candidate, bytes);
        lowest = energy;
        builder->report->best_trial = trial + 1;
      }
    }
    if (builder->options.observe != NULL) {
      const struct rill_build_progress progress = {trial + 1, builder->trials, 0, lowest};
      if (!builder->options.observe(builder->options.context, &progress)) break;
    }
  }
  if (isinf(lowest))
    return rill_error_prefix(error, "no cluster of %zu molecules found in %zu trials: the last",
                             builder->molecules, builder->report->trials);
  rill_error_clear(error);
  return RILL_OK;
}

static enum rill_status create_minimizer(struct builder *builder, const struct rill_water_model *model,
                                         double force_tolerance, size_t maximum_iterations,
                                         bool (*observe)(void *, const struct rill_minimize_progress *),
                                         struct rill_error *error) {
  struct rill_minimize_options options = rill_minimize_defaults();
  options.force_tolerance = force_tolerance;
  options.maximum_iterations = maximum_iterations;
  options.reference = builder->options.reference;
  options.isa = builder->options.isa;
  options.threads = builder->options.threads;
  options.observe = observe;
  options.context = builder;
  rill_minimizer_destroy(builder->minimizer);
  return rill_minimizer_create(model, builder->molecules, &options, &builder->minimizer, error);
}

static enum rill_status build_by_hopping(struct builder *builder, const struct rill_water_model *model,
                                         struct rill_error *error) {
  RILL_TRY(create_minimizer(builder, model, hopping_tolerance, HOPPING_ITERATIONS, NULL, error));
  RILL_TRY(search_by_hopping(builder, error));
  builder->report->force_tolerance = final_tolerance;
  RILL_TRY(create_minimizer(builder, model, final_tolerance, FINAL_ITERATIONS, NULL, error));
  return rill_minimizer_run(builder->minimizer, builder->best, &builder->report->minimum, error);
}

static bool observe_droplet(void *context, const struct rill_minimize_progress *progress) {
  const struct builder *builder = context;
  const struct rill_build_progress now = {1, 1, progress->iteration, progress->energy};
  return builder->options.observe == NULL || builder->options.observe(builder->options.context, &now);
}

/* All-pairs work grows as the square of the number: large droplets get fewer iterations. */
static size_t droplet_iterations(size_t molecules) {
  return molecules <= 1000 ? 400 : molecules <= 4000 ? 400 * 1000 / molecules : 100;
}

static enum rill_status build_droplet(struct builder *builder, const struct rill_water_model *model,
                                      struct rill_error *error) {
  builder->report->force_tolerance = droplet_tolerance;
  builder->report->trials = builder->report->accepted = builder->report->best_trial = 1;
  RILL_TRY(create_minimizer(builder, model, droplet_tolerance, droplet_iterations(builder->molecules),
                            observe_droplet, error));
  fill_droplet(builder, 0, builder->best);
  return rill_minimizer_run(builder->minimizer, builder->best, &builder->report->minimum, error);
}

static void centre(const struct rill_water_model *model, double *atoms, size_t molecules) {
  double mass = 0, middle[3] = {0};
  for (size_t i = 0; i < RILL_ATOMS * molecules; i++) {
    mass += model->mass[i % RILL_ATOMS];
    for (size_t c = 0; c < 3; c++) middle[c] += model->mass[i % RILL_ATOMS] * atoms[3 * i + c];
  }
  for (size_t i = 0; i < RILL_ATOMS * molecules; i++)
    for (size_t c = 0; c < 3; c++) atoms[3 * i + c] -= middle[c] / mass;
}

enum rill_status rill_water_build_cluster(const struct rill_water_model *model, size_t molecules,
                                          const struct rill_build_options *options, double *positions,
                                          struct rill_build_report *report, struct rill_error *error) {
  const size_t bytes = RILL_COORDINATES * sizeof(double);
  struct builder builder = {.options = *options, .report = report, .molecules = molecules};
  struct rill_contact nearest;
  enum rill_status status;
  memset(report, 0, sizeof *report);
  if (molecules == 0 || molecules > UINT32_MAX)
    return rill_error_set(error, RILL_ERROR_USAGE, "a cluster of %zu molecules, expected 1 or more", molecules);
  builder.shape = rill_water_shape_of(model);
  builder.noise = rill_noise_create(options->seed, RILL_STREAM_BUILD);
  builder.trials = options->trials != 0 ? options->trials : hopping_trials(molecules);
  if ((builder.current = rill_allocate(molecules, bytes)) == NULL ||
      (builder.candidate = rill_allocate(molecules, bytes)) == NULL ||
      (builder.best = rill_allocate(molecules, bytes)) == NULL ||
      (builder.lattice = rill_allocate(lattice_sites(molecules, lattice_cell()), sizeof *builder.lattice)) == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory to build a cluster of %zu molecules", molecules);
    goto done;
  }
  report->hopping = molecules <= RILL_BUILD_HOPPING_LIMIT;
  status = report->hopping ? build_by_hopping(&builder, model, error) : build_droplet(&builder, model, error);
  if (status != RILL_OK) goto done;
  report->evaluations += report->minimum.evaluations;
  centre(model, builder.best, molecules);
  status = rill_closest_contact(builder.best, molecules, NULL, RILL_CONTACT_OXYGENS, &nearest, error);
  if (status != RILL_OK) goto done;
  report->closest_oxygens = isinf(nearest.distance) ? 0 : nearest.distance;
  memcpy(positions, builder.best, molecules * bytes);

done:
  rill_minimizer_destroy(builder.minimizer);
  rill_release(builder.lattice);
  rill_release(builder.best);
  rill_release(builder.candidate);
  rill_release(builder.current);
  return status;
}
