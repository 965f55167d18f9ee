#include "water/lanes/lanes.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "water/lanes/kernels.h"
#include "water/model/site.h"
#include "water/water_state.h"
#include "water/water_atoms.h"
#include "water/water_bath.h"
#include "water/water_filtered.h"

struct group {
  /* Aligned members first: the lanes' coefficients of the OU flow. */
  _Alignas(RILL_ALIGNMENT) struct rill_lane_ou ou;
  _Alignas(RILL_ALIGNMENT) struct rill_lane_body_ou body_ou;
  double temperature[RILL_LANES];
  bool ou_known;
  double ou_step; /* for which they were computed, if known */

  struct rill_water_options options; /* of all systems but for the seed and the temperature; no timers */
  const struct rill_lanes_kernel *kernel;
  const struct rill_water_flow_table *flows;
  const struct rill_body_table *body_flows;
  struct rill_rigid rigid;
  struct rill_penalty penalty;
  struct rill_body body;
  bool penalised, of_bodies, mixed;
  size_t molecules, width, stride;

  /* The states; stride = molecules width. */
  double *q, *v;      /* [9][stride]; v is not used for rigid bodies */
  double *body_block; /* [RILL_BODY_ROWS][stride], for rigid bodies */
  double offset[RILL_LANES][3];
  struct rill_bodies bodies; /* rows of body_block */

  double *charges;             /* [9][stride], of models with a site; else NULL */
  struct rill_oxygens oxygens; /* of the same */
  double *f;                   /* [9][stride] */
  bool fresh;                  /* f belongs to q */
  double *a;                   /* [9][stride], for penalised water: the kick's acceleration */
  bool filtered;               /* a belongs to q and to: */
  struct rill_stiff_filter filter;
  struct rill_lane_pairs pairs;
  struct rill_pair_constants *constants;
  struct rill_lane_wall wall;
};

/* ---- which systems ---- */

size_t rill_water_lanes_capacity(const void *self) {
  const struct rill_water *water = self;
  const struct rill_water_options *options = &water->options;
  if (options->periodic || options->box.open || options->reference_kernel || options->trials) return 0;
  if (options->rescale_time > 0 || rill_external_acts(&options->external)) return 0;
  if (rill_water_ramps(options) || water->molecules >= RILL_ONE_PART_BELOW) return 0;
  return rill_lanes_kernel(options->isa)->width;
}

static bool is_mixed(const struct rill_water *water) { return water->options.box.precision == RILL_PRECISION_MIXED; }

static size_t width(const void *self) {
  const struct rill_water *water = self;
  const struct rill_lanes_kernel *kernel = rill_lanes_kernel(water->options.isa);
  const size_t most = is_mixed(water) ? kernel->worthwhile_mixed : kernel->worthwhile;
  return water->molecules <= most ? rill_water_lanes_capacity(self) : 0;
}

/* ---- flows ---- */

/* Says less than a single system: the driver makes the step once more with single systems, for their message. */
static enum rill_status trouble(enum rill_status status, struct rill_error *error) {
  return rill_error_set(error, status, "no step for one of the systems in lanes");
}

static struct rill_range all_of(const struct group *group) { return (struct rill_range){0, group->stride}; }

static struct rill_columns columns(const struct group *group) {
  return (struct rill_columns){.stride = group->stride, .q = group->q, .v = group->v};
}

static void moved(struct group *group) { group->fresh = group->filtered = false; }

static void evaluate_charges(struct group *group, const double *charges) {
  if (group->mixed) group->kernel->mixed_pairs(&group->pairs, charges, group->f);
  else group->kernel->pairs(&group->pairs, charges, group->f);
}

/* As rill_water_forces_evaluate does for one cluster. */
static void evaluate_with_site(struct group *group) {
  const struct rill_water_model *model = &group->options.model;
  rill_site_place(model->site_weight, group->stride, 0, group->stride, group->q, group->charges);
  evaluate_charges(group, group->charges);
  rill_site_spread(model->site_weight, group->stride, 0, group->stride, group->f);
  rill_oxygens_take(&group->oxygens, group->stride, group->q);
  group->kernel->add_oxygens(&group->oxygens, group->stride, 0, group->stride, group->f);
}

static void evaluate(struct group *group) {
  if (group->fresh) return;
  if (group->charges != NULL) evaluate_with_site(group);
  else evaluate_charges(group, group->q);
  if (group->options.confined) group->kernel->confine(&group->wall, group->q, group->f);
  group->fresh = true;
}

static enum rill_status drift(void *self, double h, unsigned flags, struct rill_error *error) {
  struct group *group = self;
  struct rill_drift_result result =
      group->flows->drift(&group->rigid, all_of(group), columns(group), h, (flags & RILL_FLOW_DIFFERENCE) != 0);
  if (!result.failed && (flags & RILL_FLOW_PROJECT))
    result.failed = !group->flows->project(&group->rigid, all_of(group), columns(group));
  moved(group);
  return result.failed ? trouble(RILL_ERROR_CONVERGENCE, error) : RILL_OK;
}

static enum rill_status kick(void *self, double h, double h_base, const struct rill_filter *filter, unsigned flags,
                             struct rill_error *error) {
  struct group *group = self;
  (void)h_base;
  (void)filter; /* the identity: binding refuses others */
  evaluate(group);
  return group->flows->kick(&group->rigid, all_of(group), columns(group), group->f, h,
                            (flags & RILL_FLOW_PROJECT) != 0)
             ? RILL_OK
             : trouble(RILL_ERROR_CONVERGENCE, error);
}

static void prepare_ou(struct group *group, double h) {
  if (group->ou_known && group->ou_step == h) return;
  for (size_t l = 0; l < group->width; l++) {
    struct rill_ou ou;
    rill_water_find_ou(&group->options, group->temperature[l], h, &ou);
    for (int a = 0; a < RILL_ATOMS; a++) {
      group->ou.amplitude[a][l] = ou.amplitude[a];
      group->ou.centre_amplitude[a][l] = ou.centre_amplitude[a];
      group->ou.decay[a] = ou.decay[a];
      group->ou.share[a] = ou.share[a];
    }
    group->ou.centre_decay = ou.centre_decay;
    group->ou.centre_apart = ou.centre_apart;
  }
  group->ou_step = h;
  group->ou_known = true;
}

static enum rill_status ou(void *self, double h, uint64_t step, uint32_t use, struct rill_error *error) {
  struct group *group = self;
  prepare_ou(group, h);
  return group->kernel->ou(group->penalised ? NULL : &group->rigid, group->molecules, columns(group), &group->ou,
                           step, use)
             ? RILL_OK
             : trouble(RILL_ERROR_CONVERGENCE, error);
}

static bool ou_commutes(const void *self) {
  const struct group *group = self;
  return group->options.friction_law == RILL_FRICTION_UNIFORM;
}

static bool accepts_identity(const void *self, const struct rill_filter *filter) {
  (void)self;
  return filter == &rill_filter_identity;
}

/* ---- flows of rigid bodies ---- */

static enum rill_status drift_bodies(void *self, double h, unsigned flags, struct rill_error *error) {
  struct group *group = self;
  const struct rill_drift_result result =
      group->body_flows->drift(&group->body, all_of(group), group->bodies, h, group->q);
  (void)flags;
  moved(group);
  return result.failed ? trouble(RILL_ERROR_CONVERGENCE, error) : RILL_OK;
}

static enum rill_status kick_bodies(void *self, double h, double h_base, const struct rill_filter *filter,
                                    unsigned flags, struct rill_error *error) {
  struct group *group = self;
  (void)h_base;
  (void)filter;
  (void)flags;
  (void)error;
  evaluate(group);
  group->body_flows->kick(&group->body, all_of(group), group->bodies, group->f, h);
  return RILL_OK;
}

static void prepare_body_ou(struct group *group, double h) {
  const struct rill_water_options *options = &group->options;
  if (group->ou_known && group->ou_step == h) return;
  for (size_t l = 0; l < group->width; l++) {
    struct rill_body_ou ou;
    rill_body_prepare_ou(&group->body, options->friction_law == RILL_FRICTION_UNIFORM, options->friction,
                         options->rotation_friction, group->temperature[l], h, &ou);
    group->body_ou.uniform = ou.uniform;
    memcpy(group->body_ou.decay, ou.decay, sizeof ou.decay);
    for (int block = 0; block < 2; block++)
      for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) group->body_ou.amplitude[block][i][k][l] = ou.amplitude[block][i][k];
  }
  group->ou_step = h;
  group->ou_known = true;
}

static enum rill_status ou_bodies(void *self, double h, uint64_t step, uint32_t use, struct rill_error *error) {
  struct group *group = self;
  (void)error;
  prepare_body_ou(group, h);
  group->kernel->body_ou(group->molecules, group->bodies, &group->body_ou, step, use);
  return RILL_OK;
}

/* ---- flows of penalised water ---- */

static enum rill_status drift_free(void *self, double h, unsigned flags, struct rill_error *error) {
  struct group *group = self;
  (void)flags;
  (void)error;
  group->flows->advance(all_of(group), group->stride, h, group->v, group->q);
  moved(group);
  return RILL_OK;
}

static bool same_filter(const struct rill_stiff_filter *a, const struct rill_stiff_filter *b) {
  return a->kind == b->kind && a->full == b->full && a->scale == b->scale;
}

static enum rill_status kick_filtered(void *self, double h, double h_base, const struct rill_filter *filter,
                                      unsigned flags, struct rill_error *error) {
  struct group *group = self;
  const struct rill_stiff_filter stiff = rill_water_stiff_filter(filter, filter->beta * h_base * h_base);
  (void)flags;
  if (!group->filtered || !same_filter(&group->filter, &stiff)) {
    evaluate(group);
    if (!group->flows->filter(&group->penalty, all_of(group), group->stride, &stiff, group->q, group->f, group->a,
                              group->stride))
      return trouble(RILL_ERROR_NOT_FINITE, error);
    group->filter = stiff;
    group->filtered = true;
  }
  group->flows->advance(all_of(group), group->stride, h, group->a, group->v);
  return RILL_OK;
}

/* As for a single system, but not the pushforward filter, whose solver is for one system. */
static bool accepts_filter(const void *self, const struct rill_filter *filter) {
  (void)self;
  if (filter->kind == RILL_FILTER_PUSHFORWARD) return false;
  return filter->kind != RILL_FILTER_LINEAR || filter->hessian != RILL_HESSIAN_FULL;
}

/* ---- tables, as those of single systems; half steps are not observed ---- */

enum kind { CONSTRAINED, BODIES, PENALISED };

static const struct rill_flow_ops with_ou[] = {[CONSTRAINED] = {.constrained = true,
                                                                .drift = drift,
                                                                .kick = kick,
                                                                .ou = ou,
                                                                .ou_commutes = ou_commutes,
                                                                .accepts = accepts_identity},
                                               [BODIES] = {.rigid_bodies = true,
                                                           .drift = drift_bodies,
                                                           .kick = kick_bodies,
                                                           .ou = ou_bodies,
                                                           .accepts = accepts_identity},
                                               [PENALISED] = {.drift_exact = true,
                                                              .stiff = true,
                                                              .drift = drift_free,
                                                              .kick = kick_filtered,
                                                              .ou = ou,
                                                              .ou_commutes = ou_commutes,
                                                              .accepts = accepts_filter}};
static const struct rill_flow_ops without_ou[] = {
    [CONSTRAINED] = {.constrained = true, .drift = drift, .kick = kick, .accepts = accepts_identity},
    [BODIES] = {.rigid_bodies = true, .drift = drift_bodies, .kick = kick_bodies, .accepts = accepts_identity},
    [PENALISED] = {
        .drift_exact = true, .stiff = true, .drift = drift_free, .kick = kick_filtered, .accepts = accepts_filter}};

/* ---- for every method ---- */

/* The centre of mass of the cluster in one lane: the sums of rill_water_momenta. */
static void centre_of_lane(const struct group *group, size_t lane, double centre[3]) {
  const struct rill_water_model *model = &group->options.model;
  const double total = rill_water_mass(model) * (double)group->molecules;
  for (int c = 0; c < 3; c++) centre[c] = 0;
  for (size_t m = 0; m < group->molecules; m++)
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t c = 0; c < 3; c++)
        centre[c] += model->mass[a] * group->q[(3 * a + c) * group->stride + m * group->width + lane];
  for (int c = 0; c < 3; c++) centre[c] /= total;
}

static void recentre(struct group *group) {
  bool any = false;
  double *x = group->of_bodies ? group->bodies.centre : group->q;
  const size_t rows = group->of_bodies ? 3 : RILL_COORDINATES;
  for (size_t l = 0; l < group->width; l++) {
    double centre[3], shift[3];
    centre_of_lane(group, l, centre);
    if (!rill_water_find_shift(centre, shift)) continue;
    for (size_t k = 0; k < rows; k++)
      for (size_t m = 0; m < group->molecules; m++) x[k * group->stride + m * group->width + l] -= shift[k % 3];
    for (int c = 0; c < 3; c++) group->offset[l][c] += shift[c];
    any = true;
  }
  if (!any) return;
  /* for the other lanes the same bytes again */
  if (group->of_bodies) group->body_flows->place(&group->body, all_of(group), group->bodies, group->q, NULL);
  moved(group);
}

static enum rill_status begin_step(void *self, uint64_t step, double h, struct rill_error *error) {
  (void)h;
  (void)error;
  if (step % RILL_WATER_RECENTRED == 0) recentre(self);
  return RILL_OK;
}

/* A failed step loses the states: they are then taken from the systems, which still have those of the beginning, and
 * copying all of them aside in each step would cost for nothing. */
static void nothing(void *self) { (void)self; }

static void destroy(void *self) {
  struct group *group = self;
  if (group == NULL) return;
  rill_release(group->q);
  rill_release(group->v);
  rill_release(group->body_block);
  rill_release(group->charges);
  rill_release(group->oxygens.x);
  rill_release(group->f);
  rill_release(group->a);
  rill_release(group->pairs.own);
  rill_release(group->pairs.beyond);
  rill_release(group->pairs.oxygen);
  rill_release(group->pairs.hydrogen);
  rill_release(group->pairs.scratch);
  rill_release(group->constants);
  rill_release(group);
}

static const struct rill_system_ops ops = {.name = "water in lanes",
                                           .summary = "several water clusters, one in each lane of a vector",
                                           .begin_step = begin_step,
                                           .save = nothing,
                                           .restore = nothing,
                                           .destroy = destroy};

/* ---- creation ---- */

static bool allocate_pairs(struct group *group) {
  const size_t molecules = group->molecules, w = group->width;
  struct rill_lane_pairs *pairs = &group->pairs;
  const size_t room = rill_padded((molecules + molecules / 2 + 4) * w);
  *pairs = (struct rill_lane_pairs){
      .constants = group->constants, .molecules = molecules, .stride = group->stride, .room = room};
  pairs->own = rill_allocate((molecules + 1) * RILL_COORDINATES * w, sizeof *pairs->own);
  pairs->beyond = rill_allocate(RILL_COORDINATES * room, sizeof *pairs->beyond);
  if (pairs->own == NULL || pairs->beyond == NULL) return false;
  if (!group->mixed) return true;
  pairs->oxygen = rill_allocate(3 * room, sizeof *pairs->oxygen);
  pairs->hydrogen = rill_allocate(molecules > w ? 6 * room : 12 * w * molecules, sizeof *pairs->hydrogen);
  pairs->scratch = rill_allocate(molecules > w ? RILL_COORDINATES * room : 12 * w * molecules * (molecules / 2 + 1),
                                 sizeof *pairs->scratch);
  return pairs->oxygen != NULL && pairs->hydrogen != NULL && pairs->scratch != NULL;
}

static bool allocate(struct group *group) {
  const size_t count = RILL_COORDINATES * group->stride;
  group->constants = rill_allocate(1, sizeof *group->constants);
  group->q = rill_allocate(count, sizeof *group->q);
  group->v = rill_allocate(count, sizeof *group->v);
  group->f = rill_allocate(count, sizeof *group->f);
  if (group->constants == NULL || group->q == NULL || group->v == NULL || group->f == NULL) return false;
  if (group->options.model.site_weight != 0.0) {
    group->charges = rill_allocate(count, sizeof *group->charges);
    if (group->charges == NULL) return false;
    if (!rill_oxygens_create(&group->options.model, group->molecules, group->width, &group->oxygens)) return false;
  }
  if (group->penalised) {
    group->a = rill_allocate(count, sizeof *group->a);
    if (group->a == NULL) return false;
  }
  if (group->of_bodies) {
    group->body_block = rill_allocate(RILL_BODY_ROWS * group->stride, sizeof *group->body_block);
    if (group->body_block == NULL) return false;
    group->bodies = rill_bodies_of(group->body_block, group->stride);
  }
  return allocate_pairs(group);
}

static void find_constants(struct group *group) {
  const struct rill_lanes_kernel *kernel = group->kernel;
  const struct rill_water_model charges = rill_water_charges(&group->options.model);
  rill_pair_constants_find(&charges, group->mixed ? kernel->mixed_estimate_error : kernel->estimate_error,
                           group->mixed ? kernel->mixed_series_terms : kernel->series_terms, group->molecules,
                           group->constants);
}

static enum rill_status create(const void *self, struct rill_system *system, struct rill_error *error) {
  const struct rill_water *water = self;
  const size_t lanes = rill_water_lanes_capacity(self);
  const enum kind kind = water->of_bodies ? BODIES : water->penalised ? PENALISED : CONSTRAINED;
  struct group *group;
  *system = (struct rill_system){0};
  if (lanes == 0) return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "this water cannot be advanced in lanes");
  group = rill_allocate(1, sizeof *group);
  if (group == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for water in lanes");
  group->options = water->options;
  group->options.timers = NULL;
  group->kernel = rill_lanes_kernel(water->options.isa);
  group->flows = water->flows;
  group->body_flows = water->body.flows;
  group->rigid = water->rigid;
  group->penalty = water->stiff.penalty;
  group->body = water->body.molecule;
  group->penalised = water->penalised;
  group->of_bodies = water->of_bodies;
  group->mixed = is_mixed(water);
  group->ou.single = group->body_ou.single = group->mixed;
  group->molecules = water->molecules;
  group->width = lanes;
  group->stride = water->molecules * lanes;
  if (!allocate(group)) {
    destroy(group);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules in lanes", water->molecules);
  }
  find_constants(group);
  group->wall = (struct rill_lane_wall){.molecules = group->molecules,
                                        .stride = group->stride,
                                        .radius = group->options.confine_radius,
                                        .stiffness = group->options.confine_stiffness};
  memcpy(group->wall.mass, group->options.model.mass, sizeof group->wall.mass);
  *system = (struct rill_system){
      .ops = &ops, .flow = water->options.thermostat ? &with_ou[kind] : &without_ou[kind], .self = group};
  return RILL_OK;
}

/* ---- states ---- */

/* Copies `rows` rows of one system's molecules into its lane, or out of it. */
static void put_lane(const struct group *group, size_t lane, size_t rows, const double *from, size_t stride,
                     double *to) {
  for (size_t k = 0; k < rows; k++)
    for (size_t m = 0; m < group->molecules; m++)
      to[k * group->stride + m * group->width + lane] = from[k * stride + m];
}

static void take_lane(const struct group *group, size_t lane, size_t rows, const double *from, double *to,
                      size_t stride) {
  for (size_t k = 0; k < rows; k++)
    for (size_t m = 0; m < group->molecules; m++)
      to[k * stride + m] = from[k * group->stride + m * group->width + lane];
}

static void load_lane(struct group *group, size_t lane, const struct rill_water *water) {
  const struct rill_noise *noise = group->of_bodies ? &water->body.ou.noise : &water->ou.noise;
  put_lane(group, lane, RILL_COORDINATES, water->q, water->stride, group->q);
  if (group->of_bodies) put_lane(group, lane, RILL_BODY_ROWS, water->body.block, water->stride, group->body_block);
  else put_lane(group, lane, RILL_COORDINATES, water->v, water->stride, group->v);
  if (water->fresh) put_lane(group, lane, RILL_COORDINATES, water->f, water->stride, group->f);
  else group->fresh = false;
  memcpy(group->offset[lane], water->offset, sizeof water->offset);
  group->temperature[lane] = water->temperature;
  for (int w = 0; w < 2; w++) {
    group->ou.keys.word[w][lane] = noise->key[w];
    group->body_ou.keys.word[w][lane] = noise->key[w];
  }
}

static void load(void *self, void *const systems[], size_t count) {
  struct group *group = self;
  double before[RILL_LANES];
  memcpy(before, group->temperature, sizeof before);
  group->fresh = true; /* unless one is not; forces depend on the positions alone */
  group->filtered = false;
  for (size_t l = 0; l < group->width; l++) load_lane(group, l, systems[l < count ? l : 0]);
  if (memcmp(before, group->temperature, group->width * sizeof *before) != 0) group->ou_known = false;
}

static void store(void *self, void *const systems[], size_t count) {
  const struct group *group = self;
  for (size_t l = 0; l < count; l++) {
    struct rill_water *water = systems[l];
    memcpy(water->offset, group->offset[l], sizeof water->offset);
    if (group->of_bodies) {
      take_lane(group, l, RILL_BODY_ROWS, group->body_block, water->body.block, water->stride);
      rill_water_bodies_changed(water);
    } else {
      take_lane(group, l, RILL_COORDINATES, group->q, water->q, water->stride);
      take_lane(group, l, RILL_COORDINATES, group->v, water->v, water->stride);
    }
    rill_water_moved(water);
    if (!group->fresh) continue;
    take_lane(group, l, RILL_COORDINATES, group->f, water->f, water->stride);
    water->fresh = true;
    water->energies_known = water->virial_known = false;
    water->field_status = RILL_OK;
  }
}

const struct rill_lanes_ops rill_water_lanes = {.width = width, .create = create, .load = load, .store = store};
