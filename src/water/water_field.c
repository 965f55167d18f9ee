#include "water/water_field.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "parallel/agree.h"

struct rill_water_field {
  size_t stride;
  struct rill_water_forces *vacuum; /* or */
  struct rill_periodic *periodic;   /* with */
  bool divides;                     /* has a mesh, or would have one if it were not bare */
  struct rill_pme *mesh;            /* or without */
  struct rill_ranks *ranks;         /* that share the box; NULL: none; borrowed */
};

static enum rill_status create_mesh(struct rill_water_field *field, const struct rill_water_model *model,
                                    size_t molecules, const struct rill_periodic_options *box,
                                    const struct rill_pme_parameters *mesh, struct rill_error *error) {
  struct rill_team *team = rill_periodic_team(field->periodic);
  const struct rill_pme_division division = {.ranks = box->ranks,
                                             .bricks = &box->bricks,
                                             .margin = rill_periodic_margin(field->periodic),
                                             .molecules = box->all,
                                             .mesh_ranks = box->mesh_ranks};
  if (box->ranks == NULL)
    return rill_pme_create(model, molecules, field->stride, box->box, mesh, box->isa, team, &field->mesh, error);
  return rill_pme_create_divided(model, 0, field->stride, box->box, mesh, box->isa, team, &division, &field->mesh,
                                 error);
}

static enum rill_status create(const struct rill_water_model *model, size_t molecules, size_t stride,
                               const struct rill_field_options *options, bool bare, struct rill_water_field **field,
                               struct rill_error *error) {
  struct rill_water_field *made = rill_allocate(1, sizeof *made);
  struct rill_periodic_options box = options->box;
  struct rill_pme_parameters mesh = options->mesh;
  enum rill_status status;
  *field = NULL;
  if (made == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the forces");
  made->stride = stride;
  made->ranks = box.ranks;
  if (options->periodic || box.open) {
    box.open = !options->periodic;
    box.isa = options->isa;
    box.threads = options->threads;
    box.reference = options->reference;
    box.excluded_elsewhere = made->divides = box.coulomb == RILL_COULOMB_EWALD;
    mesh.beta = box.beta;
    status = rill_periodic_create(model, molecules, stride, &box, &made->periodic, error);
    if (box.ranks != NULL) status = rill_agree(box.ranks, status, NULL, 0, error);
    if (status == RILL_OK && made->divides && !bare) status = create_mesh(made, model, molecules, &box, &mesh, error);
  } else {
    if (box.precision == RILL_PRECISION_MIXED && !options->reference)
      status = rill_water_forces_create_mixed(model, molecules, stride, options->isa, options->threads, &made->vacuum,
                                              error);
    else
      status = rill_water_forces_create(model, molecules, stride, options->reference, options->isa, options->threads,
                                        &made->vacuum, error);
    if (status == RILL_OK) rill_water_forces_time(made->vacuum, options->timers);
  }
  if (status != RILL_OK) {
    rill_water_field_destroy(made);
    return status;
  }
  *field = made;
  return RILL_OK;
}

enum rill_status rill_water_field_create(const struct rill_water_model *model, size_t molecules, size_t stride,
                                         const struct rill_field_options *options, struct rill_water_field **field,
                                         struct rill_error *error) {
  return create(model, molecules, stride, options, false, field, error);
}

enum rill_status rill_water_field_create_bare(const struct rill_water_model *model,
                                              const struct rill_field_options *options,
                                              struct rill_water_field **field, struct rill_error *error) {
  return create(model, 1, RILL_LANES, options, true, field, error);
}

static void add_periodic(struct rill_field_energies *energies, const struct rill_periodic_energies *real,
                         const struct rill_pme_energies *mesh) {
  energies->lj_tail = real->lj_tail;
  energies->lj = real->lj + real->lj_tail;
  energies->coulomb = real->coulomb + real->excluded + mesh->reciprocal + mesh->self + mesh->excluded;
  energies->real = real->coulomb;
  energies->excluded = real->excluded + mesh->excluded;
  energies->reciprocal = mesh->reciprocal;
  energies->self = mesh->self;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      energies->virial[i][j] =
          real->virial[i][j] + mesh->virial_molecular[i][j] + (i == j ? real->tail_virial / 3.0 : 0.0);
}

/* With at most this many threads the mesh takes no more than one thread's share of the work: that thread computes it
 * while the others compute pairs.  Over ranks all threads take parts of the mesh, and pairs while its messages are on
 * their way. */
enum { BESIDE_THREADS = 3 };

struct mesh_job {
  struct rill_water_field *field;
  const double *q;
  double *f;
  bool wanted;
};

static void begin_mesh(void *context) {
  const struct mesh_job *job = context;
  rill_pme_begin(job->field->mesh, job->q, rill_periodic_places(job->field->periodic), job->wanted, true);
}

static void prepare_mesh(void *context) {
  const struct mesh_job *job = context;
  rill_pme_prepare(job->field->mesh, job->q, rill_periodic_places(job->field->periodic), job->wanted);
}

static enum rill_help help_mesh(void *context, bool first) {
  const struct mesh_job *job = context;
  return rill_pme_help(job->field->mesh, first);
}

static void finish_mesh(void *context, size_t part, size_t first, size_t last) {
  const struct mesh_job *job = context;
  rill_pme_finish(job->field->mesh, job->q, rill_periodic_places(job->field->periodic), job->wanted, part, first,
                  last, job->f);
}

static bool is_beside(const struct rill_water_field *field) {
  return rill_pme_is_divided(field->mesh) || rill_team_threads(rill_periodic_team(field->periodic)) <= BESIDE_THREADS;
}

static struct rill_beside find_beside(struct mesh_job *job, bool beside) {
  if (!beside) return (struct rill_beside){0};
  if (!rill_pme_is_divided(job->field->mesh)) return (struct rill_beside){begin_mesh, NULL, finish_mesh, job};
  return (struct rill_beside){prepare_mesh, help_mesh, finish_mesh, job};
}

/* Lists that are rebuilt in time exclude this.  The other ranks do not know of it, and have wrong forces, too. */
static enum rill_status refuse_outside(const struct rill_water_field *field, struct rill_error *error) {
  field->ranks->broken = true;
  return rill_error_set(error, RILL_ERROR_FAILED,
                        "rank %d: a molecule is outside the part of the mesh that this rank has", field->ranks->rank);
}

static enum rill_status evaluate_periodic(struct rill_water_field *field, bool fast, bool slow, const double *q,
                                          double *f, enum rill_wanted wanted, struct rill_field_energies *energies,
                                          struct rill_error *error) {
  struct rill_periodic_energies real;
  struct rill_pme_energies mesh = {0};
  struct mesh_job job = {field, q, f, wanted != RILL_WANT_FORCES};
  const bool meshed = slow && field->mesh != NULL;
  const bool beside = fast && meshed && is_beside(field);
  if (fast) {
    const enum rill_status status =
        rill_periodic_evaluate_beside(field->periodic, q, f, wanted, &real, find_beside(&job, beside), error);
    if (status != RILL_OK) {
      for (size_t k = 0; k < RILL_COORDINATES * field->stride; k++) f[k] = NAN;
      return status;
    }
  } else {
    memset(f, 0, RILL_COORDINATES * field->stride * sizeof *f);
  }
  if (meshed && !beside)
    rill_pme_evaluate(field->mesh, q, rill_periodic_places(field->periodic), f, job.wanted ? &mesh : NULL);
  else if (meshed && job.wanted) rill_pme_energies(field->mesh, &mesh);
  if (wanted != RILL_WANT_FORCES) add_periodic(energies, &real, &mesh);
  if (!meshed) return RILL_OK;
  RILL_TRY(rill_pme_failure(field->mesh, error));
  return rill_pme_is_outside(field->mesh) ? refuse_outside(field, error) : RILL_OK;
}

enum rill_status rill_water_field_evaluate(struct rill_water_field *field, const double *q, double *f,
                                           struct rill_field_energies *energies, struct rill_error *error) {
  const enum rill_wanted wanted = energies != NULL ? RILL_WANT_ENERGIES : RILL_WANT_FORCES;
  struct rill_water_energies all;
  if (field->periodic != NULL) return evaluate_periodic(field, true, true, q, f, wanted, energies, error);
  rill_water_forces_evaluate(field->vacuum, q, f, energies != NULL ? &all : NULL);
  if (energies != NULL) *energies = (struct rill_field_energies){.lj = all.lj, .coulomb = all.coulomb};
  return RILL_OK;
}

enum rill_status rill_water_field_evaluate_virial(struct rill_water_field *field, const double *q, double *f,
                                                  struct rill_field_energies *energies, struct rill_error *error) {
  if (field->periodic == NULL)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "a cluster in vacuum has no virial of a box");
  return evaluate_periodic(field, true, true, q, f, RILL_WANT_VIRIAL, energies, error);
}

enum rill_status rill_water_field_evaluate_part(struct rill_water_field *field, bool slow, const double *q, double *f,
                                                struct rill_error *error) {
  if (field->periodic == NULL)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "forces in vacuum have no fast and slow parts");
  return evaluate_periodic(field, !slow, slow, q, f, RILL_WANT_FORCES, NULL, error);
}

size_t rill_water_field_phases(const struct rill_water_field *field,
                               struct rill_field_phase phases[RILL_FIELD_PHASES]) {
  size_t count = 0;
  for (int p = 0; field->periodic != NULL && p < RILL_PERIODIC_PHASES; p++)
    phases[count++] = (struct rill_field_phase){"", rill_periodic_phase_name((enum rill_periodic_phase)p),
                                                rill_periodic_seconds(field->periodic)[p]};
  for (int p = 0; field->mesh != NULL && p < RILL_PME_PHASES; p++)
    phases[count++] = (struct rill_field_phase){"mesh ", rill_pme_phase_name((enum rill_pme_phase)p),
                                                rill_pme_seconds(field->mesh)[p]};
  return count;
}

bool rill_water_field_divides(const struct rill_water_field *field) { return field->divides; }

struct rill_periodic_counts rill_water_field_counts(const struct rill_water_field *field) {
  return field->periodic != NULL ? rill_periodic_counts(field->periodic) : (struct rill_periodic_counts){0};
}

const struct rill_cell *rill_water_field_cell(const struct rill_water_field *field) {
  return field->periodic != NULL ? rill_periodic_cell(field->periodic) : NULL;
}

enum rill_status rill_water_field_set_cell(struct rill_water_field *field, const double vectors[3][3],
                                           struct rill_error *error) {
  if (field->periodic == NULL)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "a cluster in vacuum has no cell");
  RILL_TRY(rill_periodic_set_cell(field->periodic, vectors, error));
  return field->mesh != NULL ? rill_pme_set_box(field->mesh, vectors, error) : RILL_OK;
}

enum rill_status rill_water_field_place(struct rill_water_field *field, const double *q, bool *stale,
                                        struct rill_error *error) {
  return rill_periodic_place(field->periodic, q, stale, error);
}

int rill_water_field_owner(const struct rill_water_field *field, size_t molecule) {
  return rill_periodic_owner(field->periodic, molecule);
}

enum rill_status rill_water_field_set_molecules(struct rill_water_field *field, size_t molecules, const double *q,
                                                struct rill_error *error) {
  RILL_TRY(rill_periodic_set_molecules(field->periodic, molecules, q, error));
  return field->mesh != NULL ? rill_pme_set_molecules(field->mesh, molecules, field->stride, error) : RILL_OK;
}

const struct rill_halo *rill_water_field_halo(const struct rill_water_field *field) {
  return rill_periodic_halo(field->periodic);
}

struct rill_pme_traffic rill_water_field_traffic(const struct rill_water_field *field,
                                                 enum rill_pme_traffic_kind kind) {
  return field->mesh != NULL ? rill_pme_traffic(field->mesh, kind) : (struct rill_pme_traffic){0};
}

double rill_water_field_reach(const struct rill_water_field *field) { return rill_periodic_reach(field->periodic); }

struct rill_team *rill_water_field_team(const struct rill_water_field *field) {
  return field->vacuum != NULL ? rill_water_forces_team(field->vacuum) : rill_periodic_team(field->periodic);
}

void rill_water_field_destroy(struct rill_water_field *field) {
  if (field == NULL) return;
  rill_water_forces_destroy(field->vacuum);
  rill_periodic_destroy(field->periodic);
  rill_pme_destroy(field->mesh);
  rill_release(field);
}
