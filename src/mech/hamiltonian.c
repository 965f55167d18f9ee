#include "mech/hamiltonian.h"

#include <string.h>

#include "base/memory.h"

/* The second derivatives: L_vv is symmetric, so that rows and columns are the same. */
static enum rill_status find_second(struct rill_legendre_hamiltonian *of, struct rill_hamiltonian_values *values,
                                    struct rill_error *error) {
  const size_t n = of->hamiltonian.n;
  const double *dqv = of->values.dqv;
  memcpy(of->factors, of->values.dvv, n * n * sizeof *of->factors);
  RILL_TRY(rill_dense_factor(n, of->factors, of->pivots, error));
  memset(values->dpp, 0, n * n * sizeof *values->dpp);
  for (size_t i = 0; i < n; i++) values->dpp[i * n + i] = 1;
  rill_dense_solve_factored(n, of->factors, of->pivots, n, values->dpp);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++) sum -= dqv[i * n + k] * values->dpp[k * n + j];
      values->dqp[i * n + j] = sum;
    }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double sum = -of->values.dqq[i * n + j];
      for (size_t k = 0; k < n; k++) sum -= values->dqp[i * n + k] * dqv[j * n + k];
      values->dqq[i * n + j] = sum;
    }
  return RILL_OK;
}

static enum rill_status evaluate(void *self, const double *q, const double *p, struct rill_hamiltonian_values *values,
                                 struct rill_error *error) {
  struct rill_legendre_hamiltonian *of = self;
  const struct rill_lagrangian *lagrangian = of->legendre.lagrangian;
  const double *v = of->legendre.velocity;
  const size_t n = of->hamiltonian.n;
  RILL_TRY(rill_legendre_transform(&of->legendre, q, p, error));
  lagrangian->ops->evaluate(lagrangian->self, q, v, &of->values);
  values->value = -of->values.value;
  for (size_t i = 0; i < n; i++) values->value += p[i] * v[i];
  for (size_t i = 0; values->dq != NULL && i < n; i++) {
    values->dq[i] = -of->values.dq[i];
    values->dp[i] = v[i];
  }
  return values->dqq != NULL ? find_second(of, values, error) : RILL_OK;
}

enum rill_status rill_legendre_hamiltonian_create(const struct rill_lagrangian *lagrangian,
                                                  struct rill_legendre_hamiltonian *of, struct rill_error *error) {
  const size_t n = lagrangian->n;
  double *memory;
  *of = (struct rill_legendre_hamiltonian){.hamiltonian = {.evaluate = evaluate, .n = n, .self = of}};
  RILL_TRY(rill_legendre_create(lagrangian, &of->legendre, error));
  of->pivots = rill_allocate(n, sizeof *of->pivots);
  of->factors = memory = rill_allocate(4 * n * n + n, sizeof *memory);
  if (of->pivots == NULL || memory == NULL) {
    rill_legendre_hamiltonian_destroy(of);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a Hamiltonian");
  }
  of->values = (struct rill_lagrangian_values){
      .dqq = memory + n * n, .dqv = memory + 2 * n * n, .dvv = memory + 3 * n * n, .dq = memory + 4 * n * n};
  return RILL_OK;
}

void rill_legendre_hamiltonian_destroy(struct rill_legendre_hamiltonian *of) {
  rill_legendre_destroy(&of->legendre);
  rill_release(of->factors);
  rill_release(of->pivots);
  *of = (struct rill_legendre_hamiltonian){0};
}
