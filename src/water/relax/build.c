#include "water/relax/build.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/team.h"
#include "water/neighbours/contact.h"
#include "water/relax/network.h"
#include "water/relax/pose.h"

/* Lengths nm, energies kJ/mol, forces kJ/mol/nm, angles rad. */
static const double pi = 3.14159265358979323846;
static const double liquid_density = 33.0; /* molecules per nm3: 0.99 g/cm3 */
static const double contact = 0.28;        /* between the oxygens of neighbours */
static const double droplet_jitter = 0.02;
static const double shake_displacement = 0.08, shake_rotation = 1.2;               /* largest, along each axis */
static const double region = 0.4, region_displacement = 0.12, region_rotation = 2; /* likewise, around one molecule */
static const double hot = 6, cold = 1;  /* energies in Metropolis' rule, at the first and the last hop */
static const double warm = 5, cool = 2; /* the same for larger clusters, whose moves are local */
static const double hopping_tolerance = 1.0;
static const double hopping_resolution = 0.01; /* more than the error of an energy at hopping_tolerance */
static const double final_tolerance = 1e-6;
static const double droplet_tolerance = 10.0;
static const double same_energy = 1e-6; /* more than the error of an energy at final_tolerance */
enum { HOPPING_ITERATIONS = 1000, FINAL_ITERATIONS = 10000, NETWORK_FROM = 8 };

/* The purpose of a draw (the `use` of the noise): keeps draws of one trial and molecule independent. */
enum draw { DRAW_PLACE, DRAW_TURN, DRAW_ANGLE, DRAW_MOVE, DRAW_ACCEPT, DRAW_RING };

/* Shared by all trials. */
struct progress {
  const struct rill_build_options *options;
  pthread_mutex_t lock;
  atomic_bool stopped;
  size_t done, planned;
  double lowest;
};

struct builder {
  struct rill_build_options options;
  struct rill_water_shape shape;
  struct rill_noise noise;
  struct rill_minimizer *minimizer;
  size_t molecules, hops;
  uint64_t first;                     /* of the noise's steps: different trials have different ones */
  double *current, *candidate, *best; /* [molecules][3][3] */
  struct site *lattice;
  struct progress *progress;
};

struct site {
  double position[3], square;
  size_t index;
};

struct rill_build_options rill_build_defaults(void) {
  return (struct rill_build_options){.seed = 1, .trials = 1, .isa = rill_isa_best(), .threads = 1};
}

/* ---- random molecules ---- */

static void draw(const struct builder *builder, size_t hop, size_t molecule, enum draw use, double u[4]) {
  rill_noise_uniform(&builder->noise, builder->first + hop, (uint32_t)molecule, use, u);
}

static void random_direction(double u0, double u1, double direction[3]) {
  const double z = 2 * u0 - 1, across = sqrt(1 - z * z);
  direction[0] = across * cos(2 * pi * u1);
  direction[1] = across * sin(2 * pi * u1);
  direction[2] = z;
}

/* Places a molecule at the centre, with a random orientation. */
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

/* The half width, in cells, of a cube of fcc cells that contains a sphere of this many molecules. */
static size_t lattice_reach(size_t molecules, double cell) {
  return (size_t)(cbrt(3 * (double)molecules / (4 * pi * liquid_density)) / cell) + 2;
}

static size_t lattice_sites(size_t molecules, double cell) {
  const size_t width = 2 * lattice_reach(molecules, cell) + 1;
  return 4 * width * width * width;
}

static double lattice_cell(void) { return cbrt(4 / liquid_density); }

/* Fills the lattice sites nearest to a random point of the cell, jittered, with randomly oriented molecules. */
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

static void shake_molecule(struct builder *builder, size_t hop, size_t molecule, double most_displacement,
                           double most_rotation) {
  double *atoms = builder->candidate + RILL_COORDINATES * molecule, u[4], v[4], displacement[3], rotation[3];
  struct rill_pose pose = rill_pose_from_atoms(&builder->shape, atoms);
  draw(builder, hop, molecule, DRAW_PLACE, u);
  draw(builder, hop, molecule, DRAW_ANGLE, v);
  for (int c = 0; c < 3; c++) {
    displacement[c] = most_displacement * (2 * u[c] - 1);
    rotation[c] = most_rotation * (2 * v[c] - 1);
  }
  pose = rill_pose_step(&pose, displacement, rotation);
  rill_pose_to_atoms(&builder->shape, &pose, atoms);
}

static void shake(struct builder *builder, size_t hop) {
  for (size_t m = 0; m < builder->molecules; m++) shake_molecule(builder, hop, m, shake_displacement, shake_rotation);
}

static void turn_all(struct builder *builder, size_t trial) {
  for (size_t m = 0; m < builder->molecules; m++) {
    double *atoms = builder->candidate + RILL_COORDINATES * m;
    const struct rill_pose pose = rill_pose_from_atoms(&builder->shape, atoms);
    place_molecule(builder, trial, m, pose.centre, atoms);
  }
}

/* Shakes the molecules around one of them. */
static void shake_region(struct builder *builder, size_t hop, size_t middle) {
  double centre[3];
  memcpy(centre, builder->candidate + RILL_COORDINATES * middle, sizeof centre);
  for (size_t m = 0; m < builder->molecules; m++) {
    const double *oxygen = builder->candidate + RILL_COORDINATES * m;
    double distance = 0;
    for (int c = 0; c < 3; c++) distance += (oxygen[c] - centre[c]) * (oxygen[c] - centre[c]);
    if (distance < region * region) shake_molecule(builder, hop, m, region_displacement, region_rotation);
  }
}

/* Moves one molecule to the surface: along a random ray to the first contact with another. */
static void relocate(struct builder *builder, size_t trial, size_t moved) {
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

/* The moves of small clusters. */
static void move_all(struct builder *builder, size_t hop, const double u[4]) {
  if (u[0] < 0.4) shake(builder, hop);
  else if (u[0] < 0.6) turn_all(builder, hop);
  else relocate(builder, hop, (size_t)(u[1] * (double)builder->molecules));
}

static void turn_some(struct builder *builder, size_t hop, const double u[3]) {
  const int count = 1 + (int)(3 * u[0]);
  for (int i = 0; i < count; i++) {
    const size_t m = (size_t)(u[i] * (double)builder->molecules);
    double *atoms = builder->candidate + RILL_COORDINATES * m;
    const struct rill_pose pose = rill_pose_from_atoms(&builder->shape, atoms);
    place_molecule(builder, hop, m, pose.centre, atoms);
  }
}

/* The moves of larger clusters, which leave most of the cluster unchanged. */
static void move_some(struct builder *builder, size_t hop, const double u[4]) {
  if (u[0] < 0.5) {
    relocate(builder, hop,
             u[0] < 0.1 ? (size_t)(u[1] * (double)builder->molecules)
                        : rill_network_loosest(builder->candidate, builder->molecules, u + 1));
  } else if (u[0] < 0.9) {
    if (!rill_network_reverse_ring(&builder->noise, builder->first + hop, DRAW_RING, builder->molecules,
                                   builder->candidate))
      turn_some(builder, hop, u + 1);
  } else {
    shake_region(builder, hop, (size_t)(u[1] * (double)builder->molecules));
  }
}

static void move(struct builder *builder, size_t hop) {
  double u[4];
  memcpy(builder->candidate, builder->current, builder->molecules * RILL_COORDINATES * sizeof(double));
  draw(builder, hop, 0, DRAW_MOVE, u);
  (builder->molecules < NETWORK_FROM ? move_all : move_some)(builder, hop, u);
}

/* ---- searches; the result is in best ---- */

/* Whether only this minimisation failed, as when molecules overlap; false for any other error. */
static bool is_failed_hop(enum rill_status status) {
  return status == RILL_ERROR_NOT_FINITE || status == RILL_ERROR_FAILED;
}

static double energy_of(const struct rill_minimize_report *report) {
  return report->after.lj + report->after.coulomb;
}

/* With seven molecules the putative global minimum is found after about 90 hops on average; 840 make a failure
 * unlikely. */
static size_t usual_hops(size_t molecules) {
  if (molecules == 1) return 1;
  if (molecules <= 7) return 20 * molecules * (molecules - 1);
  return molecules < 17 ? 120 * molecules : 2000;
}

static double temperature_of(const struct builder *builder, size_t hop) {
  const double part = (double)hop / (double)builder->hops;
  return builder->molecules < NETWORK_FROM ? hot + (cold - hot) * part : warm + (cool - warm) * part;
}

/* Counts a minimisation; false if the search is to end. */
static bool go_on(struct progress *progress, double lowest) {
  bool more = true;
  if (progress->options->observe == NULL) return true;
  pthread_mutex_lock(&progress->lock);
  progress->done++;
  progress->lowest = fmin(progress->lowest, lowest);
  if (!atomic_load(&progress->stopped)) {
    const struct rill_build_progress now = {progress->done, progress->planned, 0, progress->lowest};
    more = progress->options->observe(progress->options->context, &now);
    if (!more) atomic_store(&progress->stopped, true);
  }
  pthread_mutex_unlock(&progress->lock);
  return more;
}

static enum rill_status search_by_hopping(struct builder *builder, struct rill_build_report *report,
                                          struct rill_error *error) {
  const size_t bytes = builder->molecules * RILL_COORDINATES * sizeof(double);
  double present = INFINITY, lowest = INFINITY;
  for (size_t hop = 0; hop < builder->hops && !atomic_load(&builder->progress->stopped); hop++) {
    struct rill_minimize_report minimum;
    enum rill_status status;
    double u[4];
    if (isinf(present)) fill_droplet(builder, hop, builder->candidate);
    else move(builder, hop);
    status = rill_minimizer_run(builder->minimizer, builder->candidate, &minimum, error);
    if (status != RILL_OK && !is_failed_hop(status)) return status;
    report->minimisations++;
    if (status == RILL_OK) {
      const double energy = energy_of(&minimum);
      report->evaluations += minimum.evaluations;
      draw(builder, hop, 0, DRAW_ACCEPT, u);
      if (energy <= present || u[0] < exp((present - energy) / temperature_of(builder, hop))) {
        memcpy(builder->current, builder->candidate, bytes);
        present = energy;
        report->accepted++;
      }
      if (energy < lowest - hopping_resolution) {
        memcpy(builder->best, builder->candidate, bytes);
        lowest = energy;
      }
    }
    if (!go_on(builder->progress, lowest)) break;
  }
  if (report->minimisations == 0)
    return rill_error_set(error, RILL_ERROR_FAILED, "stopped before the first minimisation");
  if (isinf(lowest))
    return rill_error_prefix(error, "no cluster of %zu molecules found in %zu minimisations: the last",
                             builder->molecules, report->minimisations);
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

static enum rill_status allocate(struct builder *builder, struct rill_error *error) {
  const size_t bytes = RILL_COORDINATES * sizeof(double), molecules = builder->molecules;
  builder->minimizer = NULL;
  builder->current = rill_allocate(molecules, bytes);
  builder->candidate = rill_allocate(molecules, bytes);
  builder->best = rill_allocate(molecules, bytes);
  builder->lattice = rill_allocate(lattice_sites(molecules, lattice_cell()), sizeof *builder->lattice);
  if (builder->current != NULL && builder->candidate != NULL && builder->best != NULL && builder->lattice != NULL)
    return RILL_OK;
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory to build a cluster of %zu molecules", molecules);
}

static void release(struct builder *builder) {
  rill_minimizer_destroy(builder->minimizer);
  rill_release(builder->lattice);
  rill_release(builder->best);
  rill_release(builder->candidate);
  rill_release(builder->current);
}

/* One trial's result. */
struct trial {
  enum rill_status status;
  double energy; /* kJ/mol; infinite without a result */
  struct rill_build_report report;
};

/* All trials. */
struct hopping {
  const struct rill_water_model *model;
  const struct builder *pattern;
  struct trial *trials;
  double *positions; /* [trials][molecules][3][3] */
  pthread_mutex_t lock;
  struct rill_error error; /* the first error, in time, of a trial */
};

static enum rill_status build_by_hopping(struct builder *builder, const struct rill_water_model *model,
                                         struct rill_build_report *report, struct rill_error *error) {
  RILL_TRY(create_minimizer(builder, model, hopping_tolerance, HOPPING_ITERATIONS, NULL, error));
  RILL_TRY(search_by_hopping(builder, report, error));
  report->force_tolerance = final_tolerance;
  RILL_TRY(create_minimizer(builder, model, final_tolerance, FINAL_ITERATIONS, NULL, error));
  return rill_minimizer_run(builder->minimizer, builder->best, &report->minimum, error);
}

static void run_trial(void *context, size_t index) {
  struct hopping *hopping = context;
  struct trial *trial = &hopping->trials[index];
  struct builder builder = *hopping->pattern;
  struct rill_error error = {0};
  trial->energy = INFINITY;
  if (atomic_load(&builder.progress->stopped)) return;
  builder.first = (uint64_t)index << 32;
  trial->status = allocate(&builder, &error);
  if (trial->status == RILL_OK) trial->status = build_by_hopping(&builder, hopping->model, &trial->report, &error);
  if (trial->status == RILL_OK) {
    const size_t numbers = builder.molecules * RILL_COORDINATES;
    trial->energy = energy_of(&trial->report.minimum);
    memcpy(hopping->positions + index * numbers, builder.best, numbers * sizeof *builder.best);
  } else {
    pthread_mutex_lock(&hopping->lock);
    if (hopping->error.status == RILL_OK) hopping->error = error;
    pthread_mutex_unlock(&hopping->lock);
  }
  release(&builder);
}

/* Chooses the lowest trial, and of equal ones the first, so that the order in which threads finish does not
 * matter. */
static enum rill_status choose_trial(const struct hopping *hopping, size_t count, struct rill_build_report *report,
                                     double *positions, struct rill_error *error) {
  const size_t numbers = hopping->pattern->molecules * RILL_COORDINATES;
  struct rill_build_report sum = {0};
  double lowest = INFINITY;
  size_t best = count;
  for (size_t t = 0; t < count; t++) lowest = fmin(lowest, hopping->trials[t].energy);
  for (size_t t = 0; t < count; t++) {
    const struct trial *trial = &hopping->trials[t];
    sum.trials += trial->report.minimisations > 0;
    sum.minimisations += trial->report.minimisations;
    sum.accepted += trial->report.accepted;
    sum.evaluations += trial->report.evaluations + trial->report.minimum.evaluations;
    if (!(trial->energy <= lowest + same_energy)) continue;
    sum.found++;
    if (best == count) best = t;
  }
  if (isinf(lowest) || (hopping->error.status != RILL_OK && !is_failed_hop(hopping->error.status))) {
    *error = hopping->error;
    return error->status;
  }
  *report = hopping->trials[best].report;
  report->trials = sum.trials;
  report->minimisations = sum.minimisations;
  report->accepted = sum.accepted;
  report->evaluations = sum.evaluations;
  report->found = sum.found;
  report->best_trial = best + 1;
  memcpy(positions, hopping->positions + best * numbers, numbers * sizeof *positions);
  return RILL_OK;
}

/* Runs the trials, each on one thread; a single trial uses all threads. */
static enum rill_status run_trials(struct builder *builder, const struct rill_water_model *model,
                                   struct rill_build_report *report, struct rill_error *error) {
  const size_t count = builder->options.trials;
  struct rill_team *team = NULL;
  struct hopping hopping = {.model = model, .pattern = builder};
  int threads = 1;
  enum rill_status status;
  builder->progress->planned = count * builder->hops;
  if (count > 1) {
    threads = builder->options.threads < (int)count ? builder->options.threads : (int)count;
    builder->options.threads = 1;
  }
  hopping.trials = rill_allocate(count, sizeof *hopping.trials);
  hopping.positions = rill_allocate(count * builder->molecules, RILL_COORDINATES * sizeof(double));
  pthread_mutex_init(&hopping.lock, NULL);
  status = hopping.trials != NULL && hopping.positions != NULL
               ? rill_team_create(threads, &team, error)
               : rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu trials", count);
  if (status == RILL_OK) {
    rill_team_run(team, count, true, run_trial, &hopping);
    status = choose_trial(&hopping, count, report, builder->best, error);
  }
  pthread_mutex_destroy(&hopping.lock);
  rill_team_destroy(team);
  rill_release(hopping.positions);
  rill_release(hopping.trials);
  return status;
}

static bool observe_droplet(void *context, const struct rill_minimize_progress *progress) {
  const struct builder *builder = context;
  const struct rill_build_progress now = {1, 1, progress->iteration, progress->energy};
  return builder->options.observe == NULL || builder->options.observe(builder->options.context, &now);
}

/* All-pairs work is proportional to the square of the number: large droplets get fewer iterations. */
static size_t droplet_iterations(size_t molecules) {
  return molecules <= 1000 ? 400 : molecules <= 4000 ? 400 * 1000 / molecules : 100;
}

static enum rill_status build_droplet(struct builder *builder, const struct rill_water_model *model,
                                      struct rill_build_report *report, struct rill_error *error) {
  report->force_tolerance = droplet_tolerance;
  report->trials = report->found = report->best_trial = report->minimisations = report->accepted = 1;
  RILL_TRY(create_minimizer(builder, model, droplet_tolerance, droplet_iterations(builder->molecules),
                            observe_droplet, error));
  fill_droplet(builder, 0, builder->best);
  RILL_TRY(rill_minimizer_run(builder->minimizer, builder->best, &report->minimum, error));
  report->evaluations = report->minimum.evaluations;
  return RILL_OK;
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
  struct progress progress = {.options = options, .lowest = INFINITY};
  struct builder builder = {.options = *options, .molecules = molecules, .progress = &progress};
  const bool hopping = molecules <= RILL_BUILD_HOPPING_LIMIT;
  struct rill_contact nearest;
  enum rill_status status;
  memset(report, 0, sizeof *report);
  if (molecules == 0 || molecules > UINT32_MAX)
    return rill_error_set(error, RILL_ERROR_USAGE, "a cluster of %zu molecules, expected 1 or more", molecules);
  if (options->trials < 1)
    return rill_error_set(error, RILL_ERROR_USAGE, "0 trials of basin hopping, expected 1 or more");
  builder.shape = rill_water_shape_of(model);
  builder.noise = rill_noise_create(options->seed, RILL_STREAM_BUILD);
  builder.hops = options->hops != 0 ? options->hops : usual_hops(molecules);
  pthread_mutex_init(&progress.lock, NULL);
  status = allocate(&builder, error);
  if (status == RILL_OK) status = (hopping ? run_trials : build_droplet)(&builder, model, report, error);
  report->hopping = hopping;
  if (status == RILL_OK) {
    centre(model, builder.best, molecules);
    status = rill_closest_contact(builder.best, molecules, NULL, RILL_CONTACT_OXYGENS, &nearest, error);
  }
  if (status == RILL_OK) {
    report->closest_oxygens = isinf(nearest.distance) ? 0 : nearest.distance;
    memcpy(positions, builder.best, molecules * RILL_COORDINATES * sizeof *positions);
  }
  pthread_mutex_destroy(&progress.lock);
  release(&builder);
  return status;
}
