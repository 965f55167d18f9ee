/* Constant pressure: moves of the cell with the molecules' centres of mass, and the mesh that belongs to it. */
#include "water/water_barostat.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/notes.h"
#include "base/units.h"
#include "water/water_accuracy.h"
#include "water/water_domain.h"
#include "water/water_evaluate.h"

/* The mesh is kept while the volume is within this factor of that for which it was chosen, and within so many
 * standard deviations: the energy jumps when it changes, and an equilibrated run must not see that. */
static const double band = 0.1, deviations = 8.0;

/* ---- the cell and its mesh ---- */

static bool is_same_mesh(const struct rill_pme_parameters *a, const struct rill_pme_parameters *b) {
  return a->beta == b->beta && a->order == b->order && a->precision == b->precision &&
         memcmp(a->grid, b->grid, sizeof a->grid) == 0;
}

static enum rill_status replace_field(struct rill_water *water, const struct rill_field_options *options,
                                      struct rill_error *error) {
  struct rill_water_field *field;
  const size_t columns = water->domain != NULL ? water->stride - 1 : water->molecules;
  RILL_TRY(rill_water_field_create(&water->options.model, columns, water->stride, options, &field, error));
  if (water->domain != NULL) RILL_TRY(rill_water_field_set_molecules(field, water->molecules, water->q, error));
  rill_water_field_destroy(water->field);
  water->field = field;
  water->field_options = *options;
  return RILL_OK;
}

static struct rill_field_options with_cell(const struct rill_water *water, const double vectors[3][3]) {
  struct rill_field_options options = water->field_options;
  memcpy(options.box.box, vectors, sizeof options.box.box);
  return options;
}

static enum rill_status set_cell(struct rill_water *water, const double vectors[3][3], struct rill_error *error) {
  return rill_water_agree(water, rill_water_field_set_cell(water->field, vectors, error), error);
}

static enum rill_status adopt(struct rill_water *water, const double vectors[3][3],
                              const struct rill_water_plan *plan, struct rill_error *error) {
  struct rill_field_options options = with_cell(water, vectors);
  if (is_same_mesh(&plan->mesh, &water->pressure.plan.mesh)) {
    RILL_TRY(set_cell(water, vectors, error));
  } else {
    options.mesh = plan->mesh;
    options.box.beta = plan->mesh.beta;
    RILL_TRY(replace_field(water, &options, error));
  }
  water->pressure.plan = *plan;
  rill_water_moved(water);
  return RILL_OK;
}

static double kt_of(const struct rill_water *water) { return RILL_GAS_CONSTANT * water->temperature; }

static bool has_outgrown_mesh(const struct rill_water *water) {
  const double volume = rill_water_field_cell(water->field)->volume;
  const double deviation = sqrt(kt_of(water) * water->options.barostat.compressibility / volume);
  return water->options.box.coulomb == RILL_COULOMB_EWALD &&
         fabs(log(volume / water->pressure.plan.volume)) > fmax(band, deviations * deviation);
}

/* Where ranks share the box, rank 0 chooses: the positions are brought there. */
static enum rill_status choose_mesh_on_first(struct rill_water *water, struct rill_field_options *options,
                                             struct rill_error *error) {
  struct rill_ranks *ranks = water->domain->ranks;
  struct rill_field_options whole = *options;
  struct rill_force_accuracy measured;
  const size_t all = water->domain->all, stride = water->domain->all_stride;
  const bool first = ranks->rank == 0;
  struct rill_positions positions;
  double *q = first ? rill_allocate(RILL_COORDINATES * stride, sizeof *q) : NULL;
  enum rill_status status = RILL_OK;
  whole.box.ranks = NULL;
  if (first && q == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", all);
  status = rill_water_agree(water, status, error);
  if (status == RILL_OK) status = rill_water_collect(water, water->q, RILL_COORDINATES, q, error);
  positions = rill_positions_in_columns(q, stride);
  if (status == RILL_OK && first)
    status = rill_water_choose_mesh(&water->options.model, all, &positions, water->options.accuracy, &whole,
                                    &measured, error);
  rill_release(q);
  RILL_TRY(rill_water_agree(water, status, error));
  RILL_TRY(ranks->ops->broadcast(ranks, &whole.mesh, sizeof whole.mesh, error));
  options->mesh = whole.mesh;
  options->box.beta = whole.mesh.beta;
  return RILL_OK;
}

static enum rill_status choose_mesh(struct rill_water *water, struct rill_field_options *options,
                                    struct rill_error *error) {
  const struct rill_positions q = rill_positions_in_columns(water->q, water->stride);
  struct rill_force_accuracy measured;
  if (water->domain != NULL) return choose_mesh_on_first(water, options, error);
  return rill_water_choose_mesh(&water->options.model, water->molecules, &q, water->options.accuracy, options,
                                &measured, error);
}

/* A function of the positions, the cell and the present mesh, which are all archived. */
static enum rill_status plan_anew(struct rill_water *water, uint64_t step, struct rill_error *error) {
  const struct rill_cell *cell = rill_water_field_cell(water->field);
  const double volume = cell->volume;
  struct rill_field_options options = with_cell(water, cell->vector);
  RILL_TRY(choose_mesh(water, &options, error));
  RILL_TRY(replace_field(water, &options, error));
  rill_note(
      water->options.notes,
      "note: after step %llu the box has %.4g nm3, and its mesh was chosen for %.4g nm3: it is now of %zu x %zu x "
      "%zu points, beta %.4g /nm",
      (unsigned long long)step + 1, volume, water->pressure.plan.volume, options.mesh.grid[0], options.mesh.grid[1],
      options.mesh.grid[2], options.mesh.beta);
  water->pressure.plan = (struct rill_water_plan){options.mesh, volume};
  water->pressure.moves.planned++;
  rill_water_moved(water);
  return RILL_OK;
}

/* ---- a move ---- */

/* q: all atoms after the move.  Momenta and attitudes stay. */
static void move_molecules(struct rill_water *water, const double scale[3], double *q) {
  const double *mass = water->options.model.mass, total = rill_water_mass(&water->options.model);
  const size_t stride = water->stride;
  if (water->of_bodies) {
    memcpy(water->pressure.centres, water->body.columns.centre, 3 * stride * sizeof *water->pressure.centres);
    for (size_t c = 0; c < 3; c++)
      for (size_t m = 0; m < water->molecules; m++) water->body.columns.centre[c * stride + m] *= scale[c];
    water->body.flows->place(&water->body.molecule, rill_water_columns(water), water->body.columns, q, NULL);
    return;
  }
  memcpy(q, water->q, RILL_COORDINATES * stride * sizeof *q);
  for (size_t m = 0; m < water->molecules; m++)
    for (size_t c = 0; c < 3; c++) {
      double centre = 0.0;
      for (size_t a = 0; a < RILL_ATOMS; a++) centre += mass[a] / total * q[(3 * a + c) * stride + m];
      for (size_t a = 0; a < RILL_ATOMS; a++) q[(3 * a + c) * stride + m] += (scale[c] - 1.0) * centre;
    }
}

static struct rill_barostat_state state_of(const struct rill_water *water,
                                           const struct rill_field_energies *energies) {
  return (struct rill_barostat_state){
      .volume = rill_water_field_cell(water->field)->volume,
      .potential = energies->lj + energies->coulomb,
      .virial = {energies->virial[0][0], energies->virial[1][1], energies->virial[2][2]}};
}

static enum rill_status check_size(const struct rill_water *water, const double vectors[3][3],
                                   struct rill_error *error) {
  const double cutoff = water->options.box.cutoff;
  struct rill_cell cell;
  RILL_TRY(rill_cell_create(vectors, &cell, error));
  if (2.0 * cutoff <= cell.shortest) return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_FAILED,
      "the barostat makes the box too small: its shortest lattice vector would be %.6g nm, less than "
      "twice the cutoff, %g nm; take more molecules, or a shorter cutoff",
      cell.shortest, cutoff);
}

/* Where two molecules coincide there is no energy, and the move is rejected. */
static enum rill_status accepts(struct rill_water *water, const struct rill_barostat_bath *bath, uint64_t step,
                                const struct rill_barostat_state *from, const double scale[3],
                                struct rill_field_energies *energies, bool *accepted, struct rill_error *error) {
  struct rill_barostat_state to;
  double u[4];
  rill_timers_start(water->options.timers);
  rill_water_evaluate_at(water, water->pressure.q, water->pressure.f, energies);
  rill_water_add_outside(water, water->pressure.q, water->pressure.f, true);
  rill_timers_stop(water->options.timers, RILL_PHASE_FORCES);
  *accepted = false;
  if (water->field_status == RILL_ERROR_NOT_FINITE) {
    water->field_status = RILL_OK;
    return RILL_OK;
  }
  RILL_TRY(rill_water_field_failed(water, error));
  to = state_of(water, energies);
  rill_noise_uniform(&water->pressure.noise, step, 0, 1, u);
  *accepted = log(u[0]) < rill_barostat_ratio(&water->options.barostat, bath, from, &to, scale);
  return RILL_OK;
}

static void accept(struct rill_water *water, const struct rill_field_energies *energies) {
  const size_t bytes = RILL_COORDINATES * water->stride * sizeof *water->q;
  memcpy(water->q, water->pressure.q, bytes);
  memcpy(water->f, water->pressure.f, bytes);
  rill_water_moved(water);
  water->fresh = water->energies_known = water->virial_known = true;
  water->supplied += energies->lj + energies->coulomb - water->energies.lj - water->energies.coulomb;
  water->energies = *energies;
  water->soft = energies->lj + energies->coulomb + rill_water_outside_energy(water);
  water->pressure.moves.accepted++;
}

static enum rill_status reject(struct rill_water *water, const double vectors[3][3], struct rill_error *error) {
  if (water->of_bodies)
    memcpy(water->body.columns.centre, water->pressure.centres, 3 * water->stride * sizeof *water->pressure.centres);
  return set_cell(water, vectors, error);
}

static enum rill_status move_cell(struct rill_water *water, uint64_t step, const struct rill_barostat_bath *bath,
                                  struct rill_error *error) {
  const struct rill_barostat_state from = state_of(water, &water->energies);
  struct rill_field_energies energies;
  double normal[4], scale[3], before[3][3], after[3][3];
  bool accepted;
  rill_noise_normal(&water->pressure.noise, step, 0, 0, normal);
  rill_barostat_propose(&water->options.barostat, bath, &from, normal, scale);
  water->pressure.moves.made++;
  if (!(scale[0] > 0.0 && scale[1] > 0.0 && scale[2] > 0.0)) return RILL_OK;
  memcpy(before, rill_water_field_cell(water->field)->vector, sizeof before);
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++) after[i][c] = before[i][c] * scale[c];
  RILL_TRY(check_size(water, after, error));
  RILL_TRY(set_cell(water, after, error));
  move_molecules(water, scale, water->pressure.q);
  RILL_TRY(accepts(water, bath, step, &from, scale, &energies, &accepted, error));
  if (!accepted) return reject(water, before, error);
  accept(water, &energies);
  return RILL_OK;
}

static enum rill_status move(void *self, uint64_t step, double time, struct rill_error *error) {
  struct rill_water *water = self;
  const struct rill_barostat_bath bath = {(double)rill_water_all(water), kt_of(water), time};
  rill_water_evaluate_for(water, RILL_FLOW_ENERGY);
  RILL_TRY(rill_water_field_failed(water, error));
  RILL_TRY(move_cell(water, step, &bath, error));
  return has_outgrown_mesh(water) ? plan_anew(water, step, error) : RILL_OK;
}

static uint64_t interval(const void *self) {
  const struct rill_water *water = self;
  return water->options.barostat_interval;
}

const struct rill_barostat_ops rill_water_barostat_ops = {.interval = interval, .move = move};

/* ---- state ---- */

void rill_water_barostat_destroy(struct rill_water *water) {
  rill_release(water->pressure.q);
  rill_release(water->pressure.f);
  rill_release(water->pressure.centres);
}

enum rill_status rill_water_barostat_create(struct rill_water *water, struct rill_error *error) {
  const size_t count = RILL_COORDINATES * water->stride;
  const struct rill_cell *cell = rill_water_field_cell(water->field);
  const struct rill_barostat *barostat = &water->options.barostat;
  if (cell == NULL) return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "a cluster in vacuum has no pressure");
  if (barostat->shape != RILL_SHAPE_ISOTROPIC && !rill_cell_is_rectangular(cell))
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "a skew box keeps its shape: the barostat is isotropic only");
  water->pressure.noise = rill_noise_create(water->options.seed, RILL_STREAM_BAROSTAT);
  water->pressure.plan = (struct rill_water_plan){water->field_options.mesh, cell->volume};
  water->pressure.q = rill_allocate(count, sizeof *water->pressure.q);
  water->pressure.f = rill_allocate(count, sizeof *water->pressure.f);
  water->pressure.centres = rill_allocate(3 * water->stride, sizeof *water->pressure.centres);
  if (water->pressure.q != NULL && water->pressure.f != NULL && water->pressure.centres != NULL) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", water->molecules);
}

void rill_water_barostat_save(struct rill_water *water) {
  memcpy(water->saved.cell, rill_water_field_cell(water->field)->vector, sizeof water->saved.cell);
  water->saved.plan = water->pressure.plan;
  water->saved.cell_moves = water->pressure.moves;
}

/* Only a lack of memory can keep the saved mesh from being made again: the next evaluation then fails. */
void rill_water_barostat_restore(struct rill_water *water) {
  const double(*cell)[3] = rill_water_field_cell(water->field)->vector;
  struct rill_error unused = {0};
  water->pressure.moves = water->saved.cell_moves;
  if (is_same_mesh(&water->pressure.plan.mesh, &water->saved.plan.mesh) &&
      memcmp(cell, water->saved.cell, sizeof water->saved.cell) == 0)
    water->pressure.plan = water->saved.plan;
  else if (adopt(water, (const double(*)[3])water->saved.cell, &water->saved.plan, &unused) != RILL_OK)
    water->q[0] = NAN;
}

static void archive_mesh(struct rill_pme_parameters *mesh, struct rill_archive *archive) {
  uint64_t integers[5] = {(uint64_t)mesh->order, mesh->grid[0], mesh->grid[1], mesh->grid[2],
                          (uint64_t)mesh->precision};
  rill_archive_reals(archive, "planned_beta", &mesh->beta, 1);
  rill_archive_integers(archive, "planned_mesh", integers, 5);
  mesh->order = integers[0] <= RILL_PME_ORDER_MAX ? (int)integers[0] : 0;
  for (int axis = 0; axis < 3; axis++) mesh->grid[axis] = (size_t)integers[1 + axis];
  mesh->precision = integers[4] == RILL_MESH_SINGLE ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE;
}

void rill_water_barostat_archive(struct rill_water *water, struct rill_archive *archive) {
  struct rill_cell_moves *moves = &water->pressure.moves;
  struct rill_water_plan plan = water->pressure.plan;
  uint64_t counts[3] = {moves->made, moves->accepted, moves->planned};
  struct rill_error error = {0};
  double cell[3][3];
  memcpy(cell, rill_water_field_cell(water->field)->vector, sizeof cell);
  rill_archive_reals(archive, "cell", &cell[0][0], 9);
  rill_archive_integers(archive, "cell_moves", counts, 3);
  rill_archive_reals(archive, "planned_volume", &plan.volume, 1);
  if (water->options.box.coulomb == RILL_COULOMB_EWALD) archive_mesh(&plan.mesh, archive);
  if (!archive->reading || rill_archive_status(archive, &error) != RILL_OK) return;
  *moves = (struct rill_cell_moves){counts[0], counts[1], counts[2]};
  if (adopt(water, (const double(*)[3])cell, &plan, &error) != RILL_OK)
    rill_archive_fail(archive, error.status, "%s", error.text);
}
