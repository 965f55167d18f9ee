/* Binding turns a splitting, a thermostat and a step length into one flat schedule of flows, which each step
 * executes. */
#include "mech/integrator.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

const struct rill_filter rill_filter_identity = {.name = "identity", .citation = "Verlet, Phys. Rev. 159, 98 (1967)"};

enum { DEFAULT_ITERATIONS = 50 };

enum action {
  ACTION_KICK,
  ACTION_DRIFT,
  ACTION_PUSH,
  ACTION_OU,
  ACTION_RESCALE,
  ACTION_HALF_STEP,
  ACTION_OWN,
  ACTION_CELL
};

struct item {
  enum action action;
  double h, h_base;
  unsigned flags;
  uint32_t use; /* index of the OU flow within the step, or of the one-step method */
  enum rill_push push;
  double at; /* of other forces: their time, or that of the start of a one-step method, since the step began */
};

struct rill_integrator {
  const struct rill_method *method;
  const struct rill_one_step *step_of_its_own; /* for small or large systems; NULL for a splitting */
  struct rill_system *system;
  const struct rill_filter *filter; /* of a splitting: the method's, or `bound` */
  struct rill_filter bound;         /* the method's filter with its options */
  double step;
  size_t count;
  struct item *items;
  size_t trial_from;            /* RILL_GHMC: the first item after the refreshment */
  uint64_t trial_steps;         /* RILL_GHMC; 0: no trials */
  uint64_t cell_interval;       /* steps between moves of the cell; 0: none */
  const struct item *last_kick; /* at the positions of the end of a step, or NULL */
  unsigned wanted;              /* after the next step: flags of the last kick */
  size_t own_count;
  void **own; /* instances of a one-step method: one for each step length of a composition */
};

unsigned rill_method_reads(const struct rill_method *method) {
  unsigned reads = method->reads;
  if (method->splitting != NULL && method->splitting->kind == RILL_SPLITTING_NESTED) reads |= RILL_READS_SUBSTEPS;
  if (method->filter == NULL || method->filter->kind == RILL_FILTER_IDENTITY) return reads;
  reads |= RILL_READS_BETA;
  if (method->filter->takes_hessian) reads |= RILL_READS_HESSIAN;
  if (method->filter->kind == RILL_FILTER_PUSHFORWARD) reads |= RILL_READS_SOLVER;
  return reads;
}

struct rill_method rill_method_with(const struct rill_method *method, const struct rill_method_options *options) {
  struct rill_method special = *method;
  if (method->specialise != NULL) method->specialise(options, &special);
  return special;
}

static size_t splitting_length(const struct rill_splitting *splitting, const struct rill_binding_options *options) {
  size_t length = 0;
  if (splitting->kind == RILL_SPLITTING_COMPOSITION)
    return splitting->factor_count * splitting_length(splitting->base, options);
  length += 2; /* other forces */
  for (size_t i = 0; i < splitting->stage_count; i++) {
    bool cut = splitting->stages[i].kind == RILL_DRIFT && options->insertion == RILL_BAOAB;
    if (splitting->stages[i].kind == RILL_INNER)
      length += (size_t)options->method.substeps * splitting_length(splitting->base, options);
    else length += cut ? 2 * (size_t)options->geodesic_steps + 1 : 1;
  }
  return length;
}

static void put(struct rill_integrator *integrator, enum action action, double h, double h_base, unsigned flags) {
  integrator->items[integrator->count++] = (struct item){.action = action, .h = h, .h_base = h_base, .flags = flags};
}

/* The geodesic drift of BAOAB: each half of the drift is made of equal constrained substeps, with OU between the
 * halves. */
static void put_drift_around_ou(struct rill_integrator *integrator, double h, double h_base, unsigned flags,
                                unsigned geodesic_steps) {
  double part = 0.5 * h / geodesic_steps;
  for (unsigned i = 0; i < geodesic_steps; i++) put(integrator, ACTION_DRIFT, part, h_base, flags);
  put(integrator, ACTION_OU, h, h_base, 0);
  for (unsigned i = 0; i < geodesic_steps; i++) put(integrator, ACTION_DRIFT, part, h_base, flags);
}

static void put_splitting(struct rill_integrator *integrator, const struct rill_splitting *splitting, double h,
                          const struct rill_binding_options *options) {
  for (size_t i = 0; i < splitting->stage_count; i++) {
    const struct rill_splitting_stage *s = &splitting->stages[i];
    double part = s->coefficient * h;
    if (s->kind == RILL_INNER)
      for (uint64_t k = 0; k < options->method.substeps; k++)
        put_splitting(integrator, splitting->base, part / (double)options->method.substeps, options);
    else if (s->kind == RILL_KICK) put(integrator, ACTION_KICK, part, h, s->flags);
    else if (options->insertion == RILL_BAOAB)
      put_drift_around_ou(integrator, part, h, s->flags, options->geodesic_steps);
    else put(integrator, ACTION_DRIFT, part, h, s->flags);
  }
}

static void put_push(struct rill_integrator *integrator, enum rill_push push, double h, double at) {
  put(integrator, ACTION_PUSH, h, h, 0);
  integrator->items[integrator->count - 1].push = push;
  integrator->items[integrator->count - 1].at = at;
}

/* With other forces, Strang's product: half of their flow on either side, at the time of the middle. */
static void put_product(struct rill_integrator *integrator, const struct rill_splitting *splitting, double h,
                        double begun, const struct rill_binding_options *options) {
  const bool forced = integrator->system->forcing != NULL;
  if (forced) put_push(integrator, RILL_PUSH_EXACT, 0.5 * h, begun + 0.5 * h);
  put_splitting(integrator, splitting, h, options);
  if (forced) put_push(integrator, RILL_PUSH_EXACT, 0.5 * h, begun + 0.5 * h);
}

/* Verlet of Ld = (h/2) (L(q, w) + L(q', w)), w = (q' - q)/h, with the discrete forces F- = (h/2) f(q, w, t) and
 * F+ = (h/2) f(q', w, t + h): the friction of both is that of the velocity of the drift. */
static void put_alembert(struct rill_integrator *integrator, const struct rill_splitting *verlet, double h,
                         double begun, const struct rill_binding_options *options) {
  const size_t drift = integrator->count + 1; /* kick, drift, kick */
  put_splitting(integrator, verlet, h, options);
  const struct item last = integrator->items[drift + 1], middle = integrator->items[drift];
  integrator->count = drift;
  put_push(integrator, RILL_PUSH_IMPLICIT, 0.5 * h, begun);
  integrator->items[integrator->count++] = middle;
  put_push(integrator, RILL_PUSH_EXPLICIT, 0.5 * h, begun + h);
  integrator->items[integrator->count++] = last;
}

/* A splitting or a composition of one, of length h, that begins at the time `begun` of the step. */
static void put_word(struct rill_integrator *integrator, const struct rill_splitting *splitting, double h,
                     double begun, const struct rill_binding_options *options) {
  if (splitting->kind == RILL_SPLITTING_COMPOSITION) {
    for (size_t i = 0; i < splitting->factor_count; begun += splitting->factors[i++] * h)
      put_word(integrator, splitting->base, splitting->factors[i] * h, begun, options);
    return;
  }
  if (integrator->system->forcing != NULL && options->method.forces == RILL_FORCED_ALEMBERT)
    put_alembert(integrator, splitting, h, begun, options);
  else put_product(integrator, splitting, h, begun, options);
}

/* The middle of a step: after the OU flow inside or before a trial, or after the last drift. */
static void put_half_step(struct rill_integrator *integrator, enum rill_thermostat insertion) {
  enum action sign = insertion == RILL_BAOAB || insertion == RILL_GHMC ? ACTION_OU : ACTION_DRIFT;
  size_t at = integrator->count;
  while (at > 0 && integrator->items[at - 1].action != sign) at--;
  for (size_t i = integrator->count; i > at; i--) integrator->items[i] = integrator->items[i - 1];
  integrator->items[at] = (struct item){.action = ACTION_HALF_STEP};
  integrator->count++;
}

/* Velocities must be tangent at the end of a step, and before an OU flow that does not commute with the projection.
 * Elsewhere a projection is redundant: successive projections at one position are one, and a constrained drift's
 * impulses absorb any normal component of the initial velocity. */
static void decide_projections(struct rill_integrator *integrator) {
  const struct rill_system *system = integrator->system;
  bool commutes =
      system->flow == NULL || system->flow->ou_commutes == NULL || system->flow->ou_commutes(system->self);
  struct item *last = NULL;
  uint32_t use = 0;
  for (size_t i = 0; i < integrator->count; i++) {
    struct item *item = &integrator->items[i];
    if (item->action == ACTION_HALF_STEP || item->action == ACTION_RESCALE) continue;
    if (item->action == ACTION_OU) {
      item->use = use++;
      if (!commutes && last != NULL) last->flags |= RILL_FLOW_PROJECT;
    }
    last = item;
  }
  if (last != NULL) last->flags |= RILL_FLOW_PROJECT;
}

/* Drifts that another one follows, with nothing between that needs forces. */
static void find_continued(struct rill_integrator *integrator) {
  struct item *drift = NULL;
  for (size_t i = 0; i < integrator->count; i++) {
    struct item *item = &integrator->items[i];
    if (item->action == ACTION_DRIFT) {
      if (drift != NULL) drift->flags |= RILL_FLOW_CONTINUED;
      drift = item;
    } else if (item->action != ACTION_OU && item->action != ACTION_HALF_STEP) {
      drift = NULL;
    }
  }
}

static void bind_filter(struct rill_integrator *integrator, const struct rill_method_options *options) {
  integrator->filter = integrator->method->filter;
  if (integrator->filter == NULL || integrator->filter->kind == RILL_FILTER_IDENTITY) return;
  integrator->bound = *integrator->filter;
  integrator->bound.beta = options->beta;
  integrator->bound.tolerance = options->tolerance;
  integrator->bound.max_iterations = (unsigned)options->max_iterations;
  integrator->bound.nonlinear = options->nonlinear;
  if (integrator->bound.takes_hessian) integrator->bound.hessian = options->hessian;
  integrator->filter = &integrator->bound;
}

static bool has_negative_factor(const struct rill_splitting *splitting) {
  if (splitting->kind != RILL_SPLITTING_COMPOSITION) return false;
  for (size_t i = 0; i < splitting->factor_count; i++)
    if (splitting->factors[i] < 0) return true;
  return has_negative_factor(splitting->base);
}

static size_t count_drifts(const struct rill_splitting *splitting) {
  size_t drifts = splitting->kind == RILL_SPLITTING_NESTED ? count_drifts(splitting->base) : 0;
  for (size_t i = 0; i < splitting->stage_count; i++) drifts += splitting->stages[i].kind == RILL_DRIFT;
  return drifts;
}

static bool has_difference(const struct rill_splitting *splitting) {
  for (size_t i = 0; i < splitting->stage_count; i++)
    if (splitting->stages[i].flags & RILL_FLOW_DIFFERENCE) return true;
  return false;
}

static bool is_implicit(const struct rill_method *method, const struct rill_system *system) {
  return method->implicit != NULL && system->implicit != NULL;
}

static bool is_constrained(const struct rill_system *system) {
  return (system->mechanical != NULL && system->mechanical->m > 0) ||
         (system->lagrangian != NULL && system->lagrangian->m > 0) ||
         (system->flow != NULL && system->flow->constrained);
}

static enum rill_refusal lacks_capability(unsigned needs, const struct rill_system *system) {
  const struct rill_mechanical *mechanical = system->mechanical;
  const struct rill_flow_ops *flow = system->flow;
  if ((needs & RILL_NEEDS_FLOW) && (flow == NULL || flow->drift == NULL)) return RILL_REFUSED_FLOW;
  if ((needs & (RILL_NEEDS_LAGRANGIAN | RILL_NEEDS_REGULAR)) && system->lagrangian == NULL &&
      system->hamiltonian != NULL && system->hamiltonian->degenerate)
    return RILL_REFUSED_DEGENERATE;
  if ((needs & RILL_NEEDS_HAMILTONIAN) && system->hamiltonian == NULL) return RILL_REFUSED_HAMILTONIAN;
  if ((needs & RILL_NEEDS_MECHANICAL) && mechanical == NULL) return RILL_REFUSED_MECHANICAL;
  if ((needs & RILL_NEEDS_LAGRANGIAN) && system->lagrangian == NULL)
    return mechanical != NULL ? RILL_REFUSED_DENSE : RILL_REFUSED_LAGRANGIAN;
  if ((needs & RILL_NEEDS_CHART) && (system->lagrangian == NULL || system->lagrangian->chart == NULL))
    return RILL_REFUSED_CHART;
  if ((needs & RILL_NEEDS_GROUP) && system->group == NULL) return RILL_REFUSED_GROUP;
  if ((needs & RILL_NEEDS_SPHERE) && !(mechanical != NULL && mechanical->spheres > 0)) return RILL_REFUSED_SPHERE;
  if ((needs & RILL_NEEDS_ROTATIONS) && !(system->group != NULL && system->group->rotations))
    return RILL_REFUSED_ROTATIONS;
  if ((needs & RILL_NEEDS_IMPLICIT) && system->implicit == NULL) return RILL_REFUSED_IMPLICIT;
  if ((needs & RILL_NEEDS_STEP_SIZE) && (mechanical == NULL || mechanical->ops->step_size == NULL))
    return RILL_REFUSED_STEP_SIZE;
  if ((needs & RILL_NEEDS_NONHOLONOMIC) && system->nonholonomic == NULL) return RILL_REFUSED_NONHOLONOMIC;
  if ((needs & RILL_NEEDS_PENALTY) && !(mechanical != NULL && mechanical->stiff) && !(flow != NULL && flow->stiff))
    return RILL_REFUSED_PENALTY;
  if ((needs & RILL_NEEDS_NO_CONSTRAINTS) && is_constrained(system)) return RILL_REFUSED_CONSTRAINTS;
  return RILL_BINDS;
}

/* For a splitting, on a system that has the needed capabilities. */
static enum rill_refusal refuses_word(const struct rill_method *method, const struct rill_system *system) {
  const struct rill_flow_ops *flow = system->flow;
  const bool filtered = method->filter->kind != RILL_FILTER_IDENTITY;
  if (method->splitting->kind == RILL_SPLITTING_NESTED && filtered) return RILL_REFUSED_NESTED_FILTER;
  if (method->splitting->kind == RILL_SPLITTING_NESTED && (flow->divides == NULL || !flow->divides(system->self)))
    return RILL_REFUSED_SLOW_PART;
  if (flow->rigid_bodies && filtered) return RILL_REFUSED_BODIES_FILTER;
  if (flow->rigid_bodies && has_difference(method->splitting)) return RILL_REFUSED_BODIES_DIFFERENCE;
  if (!flow->accepts(system->self, method->filter))
    return flow->stiff && method->filter->hessian == RILL_HESSIAN_FULL ? RILL_REFUSED_WHOLE_HESSIAN
                                                                       : RILL_REFUSED_FILTER;
  if (method->splitting->kind == RILL_SPLITTING_PLAIN && method->order > 2 && !flow->drift_exact)
    return RILL_REFUSED_EXACT_DRIFT;
  return RILL_BINDS;
}

static enum rill_refusal refuses_ou_inside(const struct rill_splitting *splitting) {
  if (splitting->kind == RILL_SPLITTING_COMPOSITION)
    return has_negative_factor(splitting) ? RILL_REFUSED_OU_BACKWARD : RILL_BINDS;
  if (count_drifts(splitting) != 1) return RILL_REFUSED_OU_DRIFTS;
  return splitting->kind == RILL_SPLITTING_PLAIN && has_difference(splitting) ? RILL_REFUSED_OU_DIFFERENCE
                                                                              : RILL_BINDS;
}

/* A trial's map must be reversible and keep the volume: any palindrome of drifts and of kicks by a function of the
 * positions is. */
static enum rill_refusal refuses_trial(const struct rill_method *method, const struct rill_system *system) {
  const struct rill_flow_ops *flow = system->flow;
  if (system->trial == NULL) return RILL_REFUSED_TRIAL;
  if (method->one_step != NULL) return RILL_REFUSED_TRIAL_STEP;
  if (!method->symmetric || !method->symplectic) return RILL_REFUSED_TRIAL_SYMMETRY;
  if (method->filter->kind != RILL_FILTER_IDENTITY) return RILL_REFUSED_TRIAL_FILTER;
  if (flow->constrained && flow->ou_commutes != NULL && !flow->ou_commutes(system->self))
    return RILL_REFUSED_TRIAL_FRICTION;
  return RILL_BINDS;
}

static enum rill_refusal refuses_rescale(const struct rill_flow_ops *flow) {
  if (flow != NULL && flow->rescale != NULL) return RILL_BINDS;
  return flow != NULL && flow->stiff ? RILL_REFUSED_RESCALE_STIFF : RILL_REFUSED_RESCALE;
}

/* A move of the cell has to keep the law of the whole ensemble: the bath gives the momenta theirs, and the state must
 * be the physical position, and all of the state. */
static enum rill_refusal refuses_barostat(const struct rill_method *method, enum rill_thermostat insertion) {
  if (insertion == RILL_NO_BATH) return RILL_REFUSED_BAROSTAT_BATH;
  if (insertion == RILL_GHMC) return RILL_REFUSED_BAROSTAT_TRIAL;
  if (method->one_step != NULL) return RILL_REFUSED_BAROSTAT_STEP;
  return method->filter->kind != RILL_FILTER_IDENTITY ? RILL_REFUSED_BAROSTAT_FILTER : RILL_BINDS;
}

static bool has_unequal_masses(const struct rill_mechanical *mechanical) {
  for (size_t i = 1; i < mechanical->n; i++)
    if (mechanical->mass[i] != mechanical->mass[0]) return true;
  return false;
}

/* For a method that binds without the other forces. */
static enum rill_refusal refuses_forcing(const struct rill_method *method, const struct rill_system *system,
                                         enum rill_thermostat insertion) {
  const struct rill_forcing *forcing = system->forcing;
  if (forcing == NULL) return RILL_BINDS;
  if (insertion != RILL_NO_BATH) return RILL_REFUSED_FORCED_BATH;
  if (method->one_step != NULL) return method->forced ? RILL_BINDS : RILL_REFUSED_FORCED;
  if (system->flow->push == NULL || method->splitting->kind == RILL_SPLITTING_NESTED) return RILL_REFUSED_FORCED;
  return forcing->friction != 0 && forcing->law == RILL_FRICTION_PER_MASS && system->flow->constrained &&
                 has_unequal_masses(system->mechanical)
             ? RILL_REFUSED_FORCED_GAMMA
             : RILL_BINDS;
}

static bool is_verlet(const struct rill_splitting *splitting) {
  const struct rill_splitting_stage *stage = splitting->stages;
  return splitting->kind == RILL_SPLITTING_PLAIN && splitting->stage_count == 3 && stage[0].kind == RILL_KICK &&
         stage[0].coefficient == 0.5 && stage[1].kind == RILL_DRIFT && stage[1].flags == 0 &&
         stage[2].kind == RILL_KICK && stage[2].coefficient == 0.5;
}

/* Whether the method takes other forces in this form. */
static enum rill_refusal refuses_form(const struct rill_method *method, enum rill_forced_form form) {
  const struct rill_splitting *splitting = method->splitting;
  if (splitting == NULL) return form == RILL_FORCED_PRODUCT ? RILL_REFUSED_FORCED_PRODUCT : RILL_BINDS;
  while (splitting->kind == RILL_SPLITTING_COMPOSITION) splitting = splitting->base;
  if (form != RILL_FORCED_ALEMBERT || (is_verlet(splitting) && method->filter->kind == RILL_FILTER_IDENTITY))
    return RILL_BINDS;
  return RILL_REFUSED_FORCED_ALEMBERT;
}

enum rill_refusal rill_method_refusal(const struct rill_method *method, const struct rill_system *system,
                                      enum rill_thermostat insertion) {
  const struct rill_flow_ops *flow = system->flow;
  const unsigned needs = is_implicit(method, system) ? method->implicit_needs : method->needs;
  enum rill_refusal refusal;
  if (flow != NULL && flow->rigid_bodies && method->implicit != NULL)
    return method->implicit_needs & RILL_NEEDS_NO_CONSTRAINTS ? RILL_REFUSED_ATOMS_WITHOUT_BONDS
                                                              : RILL_REFUSED_ATOMS_WITH_BONDS;
  if (system->nonholonomic != NULL && !method->nonholonomic) return RILL_REFUSED_VELOCITY_CONSTRAINTS;
  refusal = lacks_capability(needs, system);
  if (refusal != RILL_BINDS) return refusal;
  refusal = refuses_forcing(method, system, insertion);
  if (refusal != RILL_BINDS) return refusal;
  if (method->varies && insertion != RILL_NO_BATH) return RILL_REFUSED_OU_CLOCK;
  if (method->multistep && insertion != RILL_NO_BATH) return RILL_REFUSED_OU_HISTORY;
  if (method->one_step != NULL && insertion == RILL_BAOAB) return RILL_REFUSED_OU_INSIDE_STEP;
  if (insertion == RILL_V_RESCALE) {
    refusal = refuses_rescale(flow);
    if (refusal != RILL_BINDS) return refusal;
  } else if (insertion != RILL_NO_BATH && (flow == NULL || flow->ou == NULL)) return RILL_REFUSED_OU;
  if (method->one_step != NULL && flow != NULL && flow->corrected) return RILL_REFUSED_MEASURE;
  refusal = system->barostat != NULL ? refuses_barostat(method, insertion) : RILL_BINDS;
  if (refusal != RILL_BINDS) return refusal;
  if (method->one_step != NULL && insertion != RILL_GHMC) return RILL_BINDS;
  refusal = method->one_step != NULL ? RILL_BINDS : refuses_word(method, system);
  if (refusal == RILL_BINDS && insertion == RILL_BAOAB) refusal = refuses_ou_inside(method->splitting);
  if (refusal == RILL_BINDS && insertion == RILL_GHMC) refusal = refuses_trial(method, system);
  return refusal;
}

enum rill_refusal rill_composition_refusal(const struct rill_composition *composition,
                                           const struct rill_method *method, const struct rill_system *system,
                                           enum rill_thermostat insertion) {
  if (composition == NULL) return RILL_BINDS;
  if (method->multistep) return RILL_REFUSED_HISTORY;
  if (!method->symmetric || method->order != 2) return RILL_REFUSED_BASE;
  if (method->solves_for_step) return RILL_REFUSED_STEP_LENGTH;
  if (method->reflects_normal_momenta && is_constrained(system)) return RILL_REFUSED_REFLECTION;
  return insertion == RILL_BAOAB ? RILL_REFUSED_OU_BACKWARD : RILL_BINDS;
}

enum rill_refusal rill_binding_refusal(const struct rill_method *method, const struct rill_system *system,
                                       const struct rill_binding_options *options) {
  const struct rill_method special = rill_method_with(method, &options->method);
  const bool bodies = system->flow != NULL && system->flow->rigid_bodies;
  enum rill_refusal refusal = rill_method_refusal(method, system, options->insertion);
  if (refusal != RILL_BINDS) return refusal;
  if (method->refuse != NULL && method->refuse(system, &options->method) != NULL) return RILL_REFUSED_OPTIONS;
  if (system->forcing != NULL) refusal = refuses_form(method, options->method.forces);
  if (refusal != RILL_BINDS) return refusal;
  refusal = rill_composition_refusal(options->composition, &special, system, options->insertion);
  if (refusal != RILL_BINDS) return refusal;
  return bodies && options->insertion == RILL_BAOAB && options->geodesic_steps > 1 ? RILL_REFUSED_BODIES_GEODESIC
                                                                                   : RILL_BINDS;
}

/* The one-step method for steps of length h; equal factors share one instance. */
static enum rill_status put_own(struct rill_integrator *integrator, double h, double begun,
                                const struct rill_method_options *options, struct rill_error *error) {
  uint32_t use = 0;
  for (size_t i = 0; i < integrator->count; i++)
    if (integrator->items[i].h == h) {
      use = integrator->items[i].use;
      put(integrator, ACTION_OWN, h, h, 0);
      integrator->items[integrator->count - 1].use = use;
      integrator->items[integrator->count - 1].at = begun;
      return RILL_OK;
    }
  use = (uint32_t)integrator->own_count;
  RILL_TRY(integrator->step_of_its_own->create(integrator->system, h, options, &integrator->own[use], error));
  integrator->own_count++;
  put(integrator, ACTION_OWN, h, h, 0);
  integrator->items[integrator->count - 1].use = use;
  integrator->items[integrator->count - 1].at = begun;
  return RILL_OK;
}

/* The kick at the positions of the step's end. */
static void find_last_kick(struct rill_integrator *integrator) {
  for (size_t i = integrator->count; i > 0 && integrator->items[i - 1].action != ACTION_DRIFT; i--)
    if (integrator->items[i - 1].action == ACTION_KICK && integrator->last_kick == NULL)
      integrator->last_kick = &integrator->items[i - 1];
}

/* The cell moves after everything else, and by the energy at the positions of the last kick. */
static void put_cell_move(struct rill_integrator *integrator) {
  const struct rill_system *system = integrator->system;
  if (system->barostat == NULL) return;
  integrator->cell_interval = system->barostat->interval(system->self);
  put(integrator, ACTION_CELL, integrator->step, integrator->step, 0);
}

/* Every step of a trial is unrolled; its energy is evaluated with the forces of its last kick. */
static void put_trial(struct rill_integrator *integrator, const struct rill_binding_options *options,
                      const double *factors, size_t factor_count) {
  integrator->trial_steps = options->trial_steps;
  put(integrator, ACTION_OU, options->trial_steps * options->step, options->step, 0);
  put_half_step(integrator, options->insertion);
  integrator->trial_from = integrator->count;
  for (unsigned k = 0; k < options->trial_steps; k++)
    for (size_t i = 0; i < factor_count; i++)
      put_word(integrator, integrator->method->splitting, factors[i] * options->step, 0, options);
  for (size_t i = integrator->count; i > integrator->trial_from; i--) {
    if (integrator->items[i - 1].action == ACTION_DRIFT) return;
    if (integrator->items[i - 1].action != ACTION_KICK) continue;
    integrator->items[i - 1].flags |= RILL_FLOW_ENERGY;
    return;
  }
}

static void announce_filter(const struct rill_integrator *integrator) {
  const struct rill_system *system = integrator->system;
  if (integrator->filter == NULL || integrator->filter->kind == RILL_FILTER_IDENTITY || system->flow->expect == NULL)
    return;
  for (size_t i = 0; i < integrator->count; i++) {
    if (integrator->items[i].action != ACTION_KICK) continue;
    system->flow->expect(system->self, integrator->items[i].h_base, integrator->filter);
    return;
  }
}

enum rill_status rill_integrator_create(const struct rill_method *method, struct rill_system *system,
                                        const struct rill_binding_options *options, struct rill_integrator **out,
                                        struct rill_error *error) {
  static const double whole[1] = {1};
  const struct rill_composition *composition = options->composition;
  const double *factors = composition != NULL ? composition->factors : whole;
  const size_t factor_count = composition != NULL ? composition->factor_count : 1;
  const enum rill_refusal refusal = rill_binding_refusal(method, system, options);
  struct rill_binding_options filled = *options;
  struct rill_method_options *const method_options = &filled.method;
  size_t length;
  double begun = 0;
  struct rill_integrator *integrator;
  *out = NULL;
  if (method_options->max_iterations == 0) method_options->max_iterations = DEFAULT_ITERATIONS;
  if (method_options->substeps == 0) method_options->substeps = 1;
  if (options->trial_steps == 0) filled.trial_steps = 1;
  if (refusal != RILL_BINDS)
    return rill_error_set(
        error, RILL_ERROR_UNSUPPORTED, "method %s%s%s does not bind to system %s: %s", method->name,
        composition != NULL ? " with composition " : "", composition != NULL ? composition->name : "",
        system->ops->name,
        refusal == RILL_REFUSED_OPTIONS ? method->refuse(system, &options->method) : rill_refusal_reason(refusal));
  integrator = rill_allocate(1, sizeof *integrator);
  if (integrator == NULL) goto memory;
  integrator->method = method;
  integrator->system = system;
  integrator->step_of_its_own = is_implicit(method, system) ? method->implicit : method->one_step;
  integrator->step = options->step;
  bind_filter(integrator, method_options);
  length = factor_count * (method->splitting != NULL ? splitting_length(method->splitting, &filled) : 1);
  if (options->insertion == RILL_GHMC) length *= filled.trial_steps;
  length += 3;
  integrator->items = rill_allocate(length, sizeof *integrator->items);
  integrator->own = rill_allocate(factor_count, sizeof *integrator->own);
  if (integrator->items == NULL || integrator->own == NULL) goto memory;
  if (options->insertion == RILL_GHMC) put_trial(integrator, &filled, factors, factor_count);
  for (size_t i = 0; options->insertion != RILL_GHMC && i < factor_count; begun += factors[i++] * options->step) {
    const double h = factors[i] * options->step;
    enum rill_status status = RILL_OK;
    if (method->one_step != NULL) status = put_own(integrator, h, begun, method_options, error);
    else put_word(integrator, method->splitting, h, begun, &filled);
    if (status != RILL_OK) {
      rill_integrator_destroy(integrator);
      return status;
    }
  }
  if (method->one_step == NULL && options->insertion != RILL_GHMC) put_half_step(integrator, options->insertion);
  if (options->insertion == RILL_GLA) put(integrator, ACTION_OU, options->step, options->step, 0);
  if (options->insertion == RILL_V_RESCALE) put(integrator, ACTION_RESCALE, options->step, options->step, 0);
  decide_projections(integrator);
  find_continued(integrator);
  find_last_kick(integrator);
  put_cell_move(integrator);
  announce_filter(integrator);
  *out = integrator;
  return RILL_OK;
memory:
  rill_integrator_destroy(integrator);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the integrator");
}

/* The q of a one-step method is the physical position. */
static enum rill_status run_own(struct rill_integrator *integrator, void *own, struct rill_error *error) {
  const struct rill_state *state = integrator->system->state;
  RILL_TRY(integrator->step_of_its_own->step(own, error));
  if (state == NULL) return RILL_OK;
  for (size_t i = 0; i < state->n; i++)
    if (!isfinite(state->q[i]) || !isfinite(state->p[i]))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE,
                            "system %s: coordinate %zu or its momentum is not finite; take a smaller step",
                            integrator->system->ops->name, i + 1);
  if (state->position != NULL && state->position != state->q)
    memcpy(state->position, state->q, state->n * sizeof *state->q);
  return RILL_OK;
}

static bool moves_cell(const struct rill_integrator *integrator, uint64_t step) {
  return integrator->cell_interval > 0 && (step + 1) % integrator->cell_interval == 0;
}

static enum rill_status run_kick(struct rill_integrator *integrator, const struct item *item, uint64_t step,
                                 struct rill_error *error) {
  const struct rill_system *system = integrator->system;
  unsigned wanted = 0;
  if (item == integrator->last_kick)
    wanted = integrator->wanted | (moves_cell(integrator, step) ? (unsigned)RILL_FLOW_ENERGY : 0);
  return system->flow->kick(system->self, item->h, item->h_base, integrator->filter, item->flags | wanted, error);
}

static enum rill_status move_cell(struct rill_integrator *integrator, uint64_t step, struct rill_error *error) {
  const struct rill_system *system = integrator->system;
  if (!moves_cell(integrator, step)) return RILL_OK;
  return system->barostat->move(system->self, step, (double)integrator->cell_interval * integrator->step, error);
}

static enum rill_status run_item(struct rill_integrator *integrator, const struct item *item, uint64_t step,
                                 bool halfway, struct rill_error *error) {
  const struct rill_flow_ops *flow = integrator->system->flow;
  void *self = integrator->system->self;
  switch (item->action) {
  case ACTION_KICK: return run_kick(integrator, item, step, error);
  case ACTION_DRIFT: return flow->drift(self, item->h, item->flags, error);
  case ACTION_PUSH:
    return flow->push(self, integrator->system->forcing, item->push, item->h,
                      (double)step * integrator->step + item->at, item->flags, error);
  case ACTION_OU: return flow->ou(self, item->h, step, item->use, error);
  case ACTION_RESCALE: return flow->rescale(self, item->h, step, error);
  case ACTION_OWN:
    if (integrator->system->forcing != NULL)
      integrator->system->forcing->time = (double)step * integrator->step + item->at;
    return run_own(integrator, integrator->own[item->use], error);
  case ACTION_CELL: return move_cell(integrator, step, error);
  case ACTION_HALF_STEP:
    if (halfway && flow->observe_half_step != NULL) flow->observe_half_step(self);
    return RILL_OK;
  }
  return RILL_OK;
}

static enum rill_status run_items(struct rill_integrator *integrator, size_t from, size_t to, uint64_t step,
                                  bool halfway, struct rill_error *error) {
  enum rill_status status = RILL_OK;
  for (size_t i = from; status == RILL_OK && i < to; i++)
    status = run_item(integrator, &integrator->items[i], step, halfway, error);
  return status;
}

/* ---- trials ---- */

/* From the state before the step to that at the trial's start: the same bytes whenever it is repeated. */
static enum rill_status refresh(struct rill_integrator *integrator, uint64_t step, bool halfway,
                                struct rill_error *error) {
  const struct rill_system *system = integrator->system;
  RILL_TRY(system->ops->begin_step(system->self, step, integrator->step, error));
  return run_items(integrator, 0, integrator->trial_from, step, halfway, error);
}

static enum rill_status begin_again(struct rill_integrator *integrator, uint64_t step, bool halfway,
                                    struct rill_error *error) {
  integrator->system->ops->restore(integrator->system->self);
  return refresh(integrator, step, halfway, error);
}

static enum rill_status run_trial(struct rill_integrator *integrator, uint64_t step, struct rill_error *error) {
  return run_items(integrator, integrator->trial_from, integrator->count, step, false, error);
}

/* A map that fails at a state, or leads where there is no energy, is a rejection; a lack of memory is not. */
static bool is_rejection(enum rill_status status) {
  return status == RILL_ERROR_CONVERGENCE || status == RILL_ERROR_NOT_FINITE || status == RILL_ERROR_FAILED;
}

/* Makes the trial with reversed velocities, which must end at its start; then comes back to the trial's end.  Without
 * it a solver that finds another solution on the way back would break detailed balance. */
static enum rill_status return_from(struct rill_integrator *integrator, uint64_t step, bool halfway, bool *returned,
                                    struct rill_error *error) {
  const struct rill_system *system = integrator->system;
  enum rill_status status = RILL_OK;
  *returned = true;
  if (system->trial->returns(system->self)) return RILL_OK;
  system->trial->reverse(system->self);
  status = run_trial(integrator, step, error);
  *returned = status == RILL_OK && system->trial->is_back(system->self);
  if (status != RILL_OK && !is_rejection(status)) return status;
  rill_error_clear(error);
  if (!*returned) return RILL_OK;
  RILL_TRY(begin_again(integrator, step, halfway, error));
  return run_trial(integrator, step, error);
}

/* The state before the step has been saved. */
static enum rill_status try_steps(struct rill_integrator *integrator, uint64_t step, bool halfway,
                                  struct rill_error *error) {
  const struct rill_system *system = integrator->system;
  const struct rill_trial_ops *trial = system->trial;
  struct rill_trials *trials = system->trials;
  double before, after = NAN;
  bool accepted, returned = true;
  enum rill_status status;
  RILL_TRY(refresh(integrator, step, halfway, error));
  RILL_TRY(trial->energy(system->self, &before, error));
  status = run_trial(integrator, step, error);
  if (status == RILL_OK) status = trial->energy(system->self, &after, error);
  if (status != RILL_OK && !is_rejection(status)) return status;
  rill_error_clear(error);
  trials->made++;
  trials->failed += status != RILL_OK;
  trials->change = after - before;
  accepted = status == RILL_OK && trial->uniform(system->self, step) < exp(before - after);
  if (accepted) RILL_TRY(return_from(integrator, step, halfway, &returned, error));
  trials->unreturned += !returned;
  trials->accepted += accepted && returned;
  if (accepted && returned) return RILL_OK;
  RILL_TRY(begin_again(integrator, step, halfway, error));
  trial->reverse(system->self);
  return RILL_OK;
}

static enum rill_status step_with_trials(struct rill_integrator *integrator, uint64_t step, bool halfway,
                                         struct rill_error *error) {
  const struct rill_system *system = integrator->system;
  if ((step + 1) % integrator->trial_steps == 0) return try_steps(integrator, step, halfway, error);
  RILL_TRY(system->ops->begin_step(system->self, step, integrator->step, error));
  if (halfway && system->flow->observe_half_step != NULL) system->flow->observe_half_step(system->self);
  return RILL_OK;
}

enum rill_status rill_integrator_step(struct rill_integrator *integrator, uint64_t step, bool halfway,
                                      struct rill_error *error) {
  const struct rill_system *system = integrator->system;
  enum rill_status status;
  if (system->followers != NULL)
    RILL_TRY(system->followers->step(system->self, step, halfway, integrator->wanted, error));
  system->ops->save(system->self);
  if (integrator->trial_steps > 0) {
    status = step_with_trials(integrator, step, halfway, error);
  } else {
    status = system->ops->begin_step(system->self, step, integrator->step, error);
    for (size_t i = 0; status == RILL_OK && i < integrator->count; i++)
      status = run_item(integrator, &integrator->items[i], step, halfway, error);
  }
  integrator->wanted = 0;
  if (status != RILL_OK) {
    system->ops->restore(system->self);
    rill_error_prefix(error, "step %llu", (unsigned long long)step + 1);
  }
  return status;
}

void rill_integrator_want(struct rill_integrator *integrator, unsigned flags) { integrator->wanted |= flags; }

double rill_integrator_step_length(const struct rill_integrator *integrator) { return integrator->step; }

void rill_integrator_destroy(struct rill_integrator *integrator) {
  if (integrator == NULL) return;
  for (size_t i = 0; i < integrator->own_count; i++) integrator->step_of_its_own->destroy(integrator->own[i]);
  rill_release(integrator->own);
  rill_release(integrator->items);
  rill_release(integrator);
}
