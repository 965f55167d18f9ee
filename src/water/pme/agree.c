/* Whether all ranks have made their parts of the same mesh. */
#include <string.h>

#include "water/pme/slabs.h"

/* What ranks send each other when they have made their parts. */
struct made {
  enum rill_status status;
  enum rill_isa isa;
  uint64_t plans; /* fingerprint */
  struct rill_pme_parameters parameters;
  double box[3][3];
  struct rill_bricks bricks;
  size_t molecules;
  int mesh_ranks;
  char host[RILL_HOST_NAME], text[512];
};

static enum rill_status compare(const struct rill_ranks *ranks, const struct made *own, int rank,
                                const struct made *other, struct rill_error *error) {
  if (other->status != RILL_OK)
    return rill_error_set(error, other->status, "rank %d (%s): %s", rank, other->host, other->text);
  if (memcmp(&other->parameters, &own->parameters, sizeof own->parameters) != 0 ||
      memcmp(other->box, own->box, sizeof own->box) != 0 ||
      memcmp(&other->bricks, &own->bricks, sizeof own->bricks) != 0 || other->molecules != own->molecules ||
      other->mesh_ranks != own->mesh_ranks)
    return rill_error_set(error, RILL_ERROR_INPUT, "rank %d (%s) has another mesh than rank %d (%s)", rank,
                          other->host, ranks->rank, own->host);
  if (other->isa != own->isa)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "rank %d (%s) has the %s kernel, and rank %d (%s) the %s kernel, whose forces differ; "
                          "expected the same on all: see forces.kernel",
                          rank, other->host, rill_isa_name(other->isa), ranks->rank, own->host,
                          rill_isa_name(own->isa));
  if (other->plans != own->plans)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "FFTW has other algorithms on rank %d (%s) than on rank %d (%s), whose results differ; "
                          "expected the same version of FFTW and the same kind of processor on all ranks",
                          rank, other->host, ranks->rank, own->host);
  return RILL_OK;
}

enum rill_status rill_slabs_agree(const struct rill_pme_division *division,
                                  const struct rill_pme_parameters *parameters, const double box[3][3],
                                  enum rill_isa isa, uint64_t plans, enum rill_status status,
                                  struct rill_error *error) {
  struct rill_ranks *ranks = division->ranks;
  struct made own, other;
  memset(&own, 0, sizeof own); /* paddings are compared, too */
  own.status = status;
  own.isa = isa;
  memcpy(own.host, ranks->host, sizeof own.host);
  if (status == RILL_OK) {
    own.plans = plans;
    own.parameters.beta = parameters->beta;
    own.parameters.order = parameters->order;
    own.parameters.precision = parameters->precision;
    memcpy(own.parameters.grid, parameters->grid, sizeof own.parameters.grid);
    memcpy(own.box, box, sizeof own.box);
    own.bricks = *division->bricks;
    own.molecules = division->molecules;
    own.mesh_ranks = division->mesh_ranks;
  } else {
    memcpy(own.text, error->text, error->length < sizeof own.text ? error->length : sizeof own.text - 1);
  }
  RILL_TRY(ranks->ops->gather(ranks, &own, sizeof own, true, error));
  for (int rank = 0; rank < ranks->count && status == RILL_OK; rank++) {
    memcpy(&other, ranks->gathered[rank].bytes, sizeof other);
    status = compare(ranks, &own, rank, &other, error);
  }
  return status;
}
