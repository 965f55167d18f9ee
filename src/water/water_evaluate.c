#include "water/water_evaluate.h"

#include <string.h>

#include "base/memory.h"
#include "water/water_domain.h"

typedef enum rill_status evaluation(struct rill_water_field *field, const double *q, double *f,
                                    struct rill_field_energies *energies, struct rill_error *error);

static void evaluate_at(struct rill_water *water, const double *q, double *f, evaluation *evaluate,
                        struct rill_field_energies *energies) {
  static _Thread_local struct rill_error fault;               /* large, and there may be thousands of systems */
  if (!water->options.periodic && !water->options.box.open) { /* sums over all pairs do not fail, and may be short */
    water->field_status = evaluate(water->field, q, f, energies, NULL);
    return;
  }
  rill_error_clear(&fault);
  water->field_status = rill_water_migrate(water, q, &fault);
  if (water->field_status == RILL_OK) water->field_status = evaluate(water->field, q, f, energies, &fault);
  if (water->field_status == RILL_OK) return;
  rill_release(water->field_fault);
  water->field_fault = rill_allocate(fault.length + 1, 1);
  if (water->field_fault != NULL) memcpy(water->field_fault, fault.text, fault.length + 1);
}

void rill_water_evaluate_at(struct rill_water *water, const double *q, double *f,
                            struct rill_field_energies *energies) {
  evaluate_at(water, q, f, rill_water_field_evaluate, energies);
}

enum rill_status rill_water_field_failed(const struct rill_water *water, struct rill_error *error) {
  const char *unknown = water->field_status == RILL_ERROR_MEMORY ? "no memory to evaluate the forces"
                                                                 : "the forces cannot be evaluated";
  if (water->field_status == RILL_OK) return RILL_OK;
  return rill_error_set(error, water->field_status, "%s", water->field_fault != NULL ? water->field_fault : unknown);
}

/* Over ranks the energy is of all molecules where it is wanted, and elsewhere of this rank's. */
static void add_external(struct rill_water *water, const double *q, double *f, bool wanted) {
  struct rill_exact_sum energy[2] = {{.terms = 0}, {.terms = 0}};
  rill_external_evaluate(&water->options.external, &water->options.model, water->molecules, water->stride,
                         water->offset, q, f, energy);
  if (wanted) rill_water_add_up(water, energy, 2);
  water->external_energy = rill_exact_value(&energy[0]) + rill_exact_value(&energy[1]);
}

void rill_water_add_outside(struct rill_water *water, const double *q, double *f, bool wanted) {
  const struct rill_water_options *options = &water->options;
  const struct rill_wall wall = {options->confine_radius, options->confine_stiffness};
  water->confine_energy = water->external_energy = 0.0;
  if (options->confined)
    water->confine_energy = rill_wall_evaluate(&wall, &options->model, water->molecules, water->stride, q, f);
  if (rill_external_acts(&options->external)) add_external(water, q, f, wanted);
}

static void evaluate_here(struct rill_water *water, evaluation *evaluate, struct rill_field_energies *energies) {
  if (water->fresh && energies == NULL) return;
  if (!water->fresh) water->energies_known = water->virial_known = false;
  rill_timers_start(water->options.timers);
  evaluate_at(water, water->q, water->f, evaluate, energies);
  rill_water_add_outside(water, water->q, water->f, energies != NULL);
  water->fresh = true;
  rill_timers_stop(water->options.timers, RILL_PHASE_FORCES);
}

void rill_water_evaluate(struct rill_water *water, struct rill_field_energies *energies) {
  evaluate_here(water, rill_water_field_evaluate, energies);
}

void rill_water_evaluate_for(struct rill_water *water, unsigned flags) {
  if (flags & RILL_FLOW_ENERGY) {
    if (water->fresh && water->energies_known) return;
    rill_water_evaluate(water, &water->energies);
    water->soft = water->energies.lj + water->energies.coulomb + rill_water_outside_energy(water);
    water->energies_known = water->virial_known = true;
  } else if (flags & RILL_FLOW_VIRIAL) {
    if (water->fresh && water->virial_known) return;
    evaluate_here(water, rill_water_field_evaluate_virial, &water->energies);
    water->virial_known = true;
  } else rill_water_evaluate(water, NULL);
}

enum rill_status rill_water_evaluate_part(struct rill_water *water, int slow, const double **f,
                                          struct rill_error *error) {
  if (water->part[slow] == NULL)
    water->part[slow] = rill_allocate(RILL_COORDINATES * water->stride, sizeof *water->part[slow]);
  if (water->part[slow] == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a part of the forces");
  *f = water->part[slow];
  if (water->part_fresh[slow]) return RILL_OK;
  rill_timers_start(water->options.timers);
  RILL_TRY(rill_water_migrate(water, water->q, error));
  RILL_TRY(rill_water_field_evaluate_part(water->field, slow, water->q, water->part[slow], error));
  if (!slow) rill_water_add_outside(water, water->q, water->part[slow], false);
  rill_timers_stop(water->options.timers, RILL_PHASE_FORCES);
  water->part_fresh[slow] = true;
  return RILL_OK;
}

void rill_water_energies_at(struct rill_water *water, const double *q, struct rill_field_energies *energies) {
  if (q == water->q) {
    rill_water_evaluate(water, energies);
    return;
  }
  rill_water_evaluate_at(water, q, water->stiff.scratch, energies);
  rill_water_add_outside(water, q, water->stiff.scratch, true);
}
