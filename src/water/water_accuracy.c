#include "water/water_accuracy.h"

#include <math.h>

#include "base/memory.h"
#include "water/neighbours/box.h"
#include "water/pme/ewald.h"
#include "water/water_state.h"

/* A sample of so many molecules has the error to a few hundredths: the fewer, the larger the box. */
static size_t sample_size(size_t molecules) {
  const size_t most = molecules <= 10000 ? 256 : 64;
  return molecules < most ? molecules : most;
}

/* Oxygen of molecule i with all others and their images. */
static void add_lennard_jones(const struct rill_box *box, const struct rill_lennard_jones *lj, size_t molecules,
                              size_t stride, const double *q, size_t i, double f[3]) {
  for (size_t j = 0; j < molecules; j++) {
    double d[3], fraction[3], low[3], high[3], force;
    for (size_t c = 0; c < 3; c++) d[c] = q[c * stride + i] - q[c * stride + j];
    rill_box_fractions(box, d, fraction);
    for (int c = 0; c < 3; c++) {
      low[c] = ceil(fraction[c] - lj->cutoff / box->height[c]);
      high[c] = floor(fraction[c] + lj->cutoff / box->height[c]);
    }
    for (double u = low[0]; u <= high[0]; u++)
      for (double v = low[1]; v <= high[1]; v++)
        for (double w = low[2]; w <= high[2]; w++) {
          double x[3], r2 = 0.0;
          for (int c = 0; c < 3; c++) {
            x[c] = d[c] - u * box->vector[0][c] - v * box->vector[1][c] - w * box->vector[2][c];
            r2 += x[c] * x[c];
          }
          if (r2 >= lj->cutoff * lj->cutoff || (i == j && u == 0 && v == 0 && w == 0)) continue;
          (void)rill_lennard_jones_at(lj, sqrt(r2), &force);
          for (int c = 0; c < 3; c++) f[c] += force * x[c];
        }
  }
}

enum rill_status rill_water_measure_accuracy(const struct rill_water_model *model, size_t molecules, size_t stride,
                                             const double box[3][3], const struct rill_lennard_jones *lj,
                                             const double *q, const double *f, double expected, int threads,
                                             struct rill_force_accuracy *accuracy, struct rill_error *error) {
  const size_t count = sample_size(molecules);
  size_t *sample = rill_allocate(count, sizeof *sample);
  double *judge = rill_allocate(9 * count, sizeof *judge), difference2 = 0.0, norm2 = 0.0;
  struct rill_box cell;
  enum rill_status status = RILL_ERROR_MEMORY;
  *accuracy = (struct rill_force_accuracy){NAN, 0};
  if (sample == NULL || judge == NULL) {
    status = rill_error_set(error, status, "no memory for measuring forces");
    goto done;
  }
  for (size_t k = 0; k < count; k++) sample[k] = (2 * k + 1) * molecules / (2 * count);
  status = rill_box_create(box, &cell, error);
  if (status == RILL_OK)
    status = rill_ewald_sample(model, molecules, stride, box, 0.01 * expected, q, sample, count, threads, judge, error);
  if (status != RILL_OK) goto done;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (size_t k = 0; k < count; k++) add_lennard_jones(&cell, lj, molecules, stride, q, sample[k], judge + 9 * k);
  for (size_t k = 0; k < count; k++)
    for (size_t c = 0; c < 9; c++) {
      const double right = judge[9 * k + c], d = f[c * stride + sample[k]] - right;
      difference2 += d * d;
      norm2 += right * right;
    }
  *accuracy = (struct rill_force_accuracy){sqrt(difference2 / norm2), count};
done:
  rill_release(sample);
  rill_release(judge);
  return status;
}

enum rill_status rill_water_accuracy(struct rill_system *system, double expected, struct rill_force_accuracy *accuracy,
                                     struct rill_error *error) {
  struct rill_water *water = system->self;
  const struct rill_periodic_options *box = &water->options.box;
  const struct rill_lennard_jones lj =
      rill_lennard_jones_create(&water->options.model, box->lj, box->cutoff, box->switch_from);
  *accuracy = (struct rill_force_accuracy){NAN, 0};
  if (!rill_water_field_divides(water->field) || water->molecules > RILL_ACCURACY_MOLECULES_MAX) return RILL_OK;
  rill_water_evaluate(water, NULL);
  RILL_TRY(rill_water_field_failed(water, error));
  return rill_water_measure_accuracy(&water->options.model, water->molecules, water->stride, box->box, &lj, water->q,
                                     water->f, expected, water->options.threads, accuracy, error);
}
