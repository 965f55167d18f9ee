#include "numerics/nonlinear.h"

#include <kinsol/kinsol.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include "base/memory.h"

enum { ANDERSON_DEPTH = 3, KRYLOV_DIMENSION = 12 };
/* GMRES stops at this fraction of Newton's residual. */
static const double forcing = 1e-3;

struct rill_nonlinear {
  struct rill_nonlinear_problem problem;
  struct rill_nonlinear_options options;
  SUNContext context;
  void *memory; /* of KINSOL */
  N_Vector x, ones;
  SUNLinearSolver linear;
  double *point, *image;       /* [n] where map was last called, and its result there */
  double *direction, *product; /* [n] arguments of the derivative: KINSOL's own arrays are not aligned */
  unsigned evaluations;
  double residual;
  struct rill_error *error; /* of the current solve */
  enum rill_status status;  /* of the map */
};

/* Calls the map, g(x), and records its residual. */
static int evaluate(struct rill_nonlinear *solver, N_Vector x) {
  const size_t n = solver->problem.n;
  memcpy(solver->point, N_VGetArrayPointer(x), n * sizeof *solver->point);
  solver->evaluations++;
  solver->status = solver->problem.map(solver->problem.self, solver->point, solver->image, solver->error);
  if (solver->status != RILL_OK) return -1;
  solver->residual = 0;
  for (size_t i = 0; i < n; i++) {
    double difference = fabs(solver->image[i] - solver->point[i]);
    if (!(difference <= solver->residual)) solver->residual = difference; /* also records NaN */
  }
  return isfinite(solver->residual) ? 0 : -1;
}

static int fixed_point(N_Vector x, N_Vector g, void *self) {
  struct rill_nonlinear *solver = self;
  int failed = evaluate(solver, x);
  if (failed == 0) memcpy(N_VGetArrayPointer(g), solver->image, solver->problem.n * sizeof *solver->image);
  return failed;
}

static int root(N_Vector x, N_Vector f, void *self) {
  struct rill_nonlinear *solver = self;
  int failed = evaluate(solver, x);
  double *out = N_VGetArrayPointer(f);
  for (size_t i = 0; failed == 0 && i < solver->problem.n; i++) out[i] = solver->point[i] - solver->image[i];
  return failed;
}

static int derivative(N_Vector u, N_Vector out, N_Vector x, booleantype *new_x, void *self) {
  struct rill_nonlinear *solver = self;
  const size_t bytes = solver->problem.n * sizeof(double);
  (void)x; /* unused: the derivative is taken at the point of the last evaluation */
  *new_x = SUNFALSE;
  solver->evaluations++;
  memcpy(solver->direction, N_VGetArrayPointer(u), bytes);
  solver->problem.derivative(solver->problem.self, solver->point, solver->direction, solver->product);
  memcpy(N_VGetArrayPointer(out), solver->product, bytes);
  return 0;
}

/* Keeps KINSOL from printing messages. */
static void hush(int code, const char *module, const char *function, char *message, void *self) {
  (void)code;
  (void)module;
  (void)function;
  (void)message;
  (void)self;
}

void rill_nonlinear_destroy(struct rill_nonlinear *solver) {
  if (solver == NULL) return;
  if (solver->memory != NULL) KINFree(&solver->memory);
  if (solver->linear != NULL) SUNLinSolFree(solver->linear);
  if (solver->x != NULL) N_VDestroy(solver->x);
  if (solver->ones != NULL) N_VDestroy(solver->ones);
  if (solver->context != NULL) SUNContext_Free(&solver->context);
  rill_release(solver->point);
  rill_release(solver->image);
  rill_release(solver->direction);
  rill_release(solver->product);
  rill_release(solver);
}

static bool set_up(struct rill_nonlinear *solver) {
  const struct rill_nonlinear_options *options = &solver->options;
  const bool anderson = options->kind == RILL_ANDERSON;
  const sunindextype n = (sunindextype)solver->problem.n;
  if (SUNContext_Create(NULL, &solver->context) != 0 || (solver->memory = KINCreate(solver->context)) == NULL ||
      (solver->x = N_VNew_Serial(n, solver->context)) == NULL ||
      (solver->ones = N_VNew_Serial(n, solver->context)) == NULL)
    return false;
  N_VConst(1.0, solver->ones);
  if (KINSetErrHandlerFn(solver->memory, hush, NULL) != KIN_SUCCESS) return false;
  if (anderson && KINSetMAA(solver->memory, n < ANDERSON_DEPTH ? (long)n : ANDERSON_DEPTH) != KIN_SUCCESS)
    return false;
  if (KINInit(solver->memory, anderson ? fixed_point : root, solver->x) != KIN_SUCCESS ||
      KINSetUserData(solver->memory, solver) != KIN_SUCCESS ||
      /* for Anderson's method KINSOL compares the last change, which may be a little less than the residual */
      KINSetFuncNormTol(solver->memory, (anderson ? 0.5 : 1.0) * options->tolerance) != KIN_SUCCESS ||
      KINSetNumMaxIters(solver->memory, options->max_iterations) != KIN_SUCCESS)
    return false;
  if (anderson) return true;
  solver->linear = SUNLinSol_SPGMR(solver->x, SUN_PREC_NONE, KRYLOV_DIMENSION, solver->context);
  return solver->linear != NULL && KINSetLinearSolver(solver->memory, solver->linear, NULL) == KIN_SUCCESS &&
         KINSetJacTimesVecFn(solver->memory, derivative) == KIN_SUCCESS &&
         KINSetEtaForm(solver->memory, KIN_ETACONSTANT) == KIN_SUCCESS &&
         KINSetEtaConstValue(solver->memory, forcing) == KIN_SUCCESS &&
         KINSetScaledStepTol(solver->memory, 1e-30) == KIN_SUCCESS; /* only the residual may stop it */
}

enum rill_status rill_nonlinear_create(const struct rill_nonlinear_problem *problem,
                                       const struct rill_nonlinear_options *options, struct rill_nonlinear **out,
                                       struct rill_error *error) {
  struct rill_nonlinear *solver = rill_allocate(1, sizeof *solver);
  *out = NULL;
  if (solver == NULL) goto memory;
  solver->problem = *problem;
  solver->options = *options;
  solver->point = rill_allocate(problem->n, sizeof *solver->point);
  solver->image = rill_allocate(problem->n, sizeof *solver->image);
  solver->direction = rill_allocate(problem->n, sizeof *solver->direction);
  solver->product = rill_allocate(problem->n, sizeof *solver->product);
  if (solver->point == NULL || solver->image == NULL || solver->direction == NULL || solver->product == NULL ||
      !set_up(solver))
    goto memory;
  *out = solver;
  return RILL_OK;
memory:
  rill_nonlinear_destroy(solver);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a nonlinear solver of %zu unknowns", problem->n);
}

static const char *name_of(enum rill_nonlinear_kind kind) {
  return kind == RILL_ANDERSON ? "Anderson's fixed-point iteration" : "Newton's method with GMRES";
}

enum rill_status rill_nonlinear_solve(struct rill_nonlinear *solver, double *x, double *g,
                                      struct rill_nonlinear_report *report, struct rill_error *error) {
  const size_t bytes = solver->problem.n * sizeof *x;
  long all = 0;
  solver->evaluations = 0;
  solver->residual = NAN;
  solver->status = RILL_OK;
  solver->error = error;
  memcpy(N_VGetArrayPointer(solver->x), x, bytes);
  /* The residual decides, whichever criterion stopped KINSOL: it is restarted from the last point. */
  while (all < (long)solver->options.max_iterations && solver->status == RILL_OK &&
         !(solver->residual <= solver->options.tolerance)) {
    long iterations = 0;
    int end = KINSol(solver->memory, solver->x, solver->options.kind == RILL_ANDERSON ? KIN_FP : KIN_NONE,
                     solver->ones, solver->ones);
    (void)KINGetNumNonlinSolvIters(solver->memory, &iterations);
    all += iterations;
    if (end < 0 || iterations == 0) break;
  }
  *report = (struct rill_nonlinear_report){(unsigned)all, solver->evaluations, solver->residual};
  if (solver->status != RILL_OK) return solver->status;
  if (!(solver->residual <= solver->options.tolerance))
    return rill_error_set(
        error, RILL_ERROR_CONVERGENCE,
        "%s did not converge in %ld iterations, %u evaluations: residual %.3g, allowed %.3g; take a shorter "
        "step, or raise integrator.max_iterations",
        name_of(solver->options.kind), all, solver->evaluations, solver->residual, solver->options.tolerance);
  memcpy(x, solver->point, bytes);
  if (g != NULL) memcpy(g, solver->image, bytes);
  return RILL_OK;
}
