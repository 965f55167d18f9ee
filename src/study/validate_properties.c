/* Whether the properties of a run have converged. */
#include <math.h>
#include <string.h>

#include "simulation/properties.h"
#include "study/validate.h"

/* A property has converged with an error of at most this part of it, and the dielectric constant if <M>2, zero by
 * symmetry, is at most the same part of <M2>. */
static const double part = 0.1;

static double value_of(const struct rill_property_report *report, const char *name) {
  for (size_t i = 0; i < report->count; i++)
    if (strcmp(report->result[i].name, name) == 0) return report->result[i].estimate.value;
  return NAN;
}

static void judge(const struct rill_property_report *report, const struct rill_property *p,
                  struct rill_finding *finding) {
  const double value = p->estimate.value, error = p->estimate.error;
  const double mean = strcmp(p->name, "dielectric") == 0
                          ? value_of(report, "dipole_mean_square") / value_of(report, "dipole_square")
                          : 0;
  *finding = (struct rill_finding){.what = p->name,
                                   .verdict = RILL_VERDICT_OPEN,
                                   .value = value,
                                   .error = error,
                                   .limit = part * fabs(value),
                                   .unit = strcmp(p->unit, "1") == 0 ? "" : p->unit};
  if (!isfinite(value))
    snprintf(finding->text, sizeof finding->text, "no value: %s",
             p->remark[0] != '\0' ? p->remark : "too few samples");
  else if (!isfinite(error))
    snprintf(finding->text, sizeof finding->text,
             "not converged: the blocks of the run are not independent, so that no error is known; a longer run is "
             "needed");
  else if (mean > part)
    snprintf(finding->text, sizeof finding->text,
             "not converged: the square of the mean dipole, zero by symmetry, is %.2g of the mean square", mean);
  else if (error > part * fabs(value))
    snprintf(finding->text, sizeof finding->text, "not converged: the error is %.2g of the value",
             error / fabs(value));
  else {
    finding->verdict = RILL_VERDICT_PASSES;
    snprintf(finding->text, sizeof finding->text,
             "converged: the blocks of the run agree, with an error of %.2g of it", error / fabs(value));
  }
}

enum rill_status rill_validate_properties(const struct rill_properties *properties, struct rill_verdicts *verdicts,
                                          struct rill_error *error) {
  struct rill_property_report report;
  struct rill_finding finding;
  enum rill_status status = rill_properties_report(properties, &report, error);
  for (size_t i = 0; status == RILL_OK && i < report.count; i++) {
    if (strncmp(report.result[i].name, "dipole_", 7) == 0 && strncmp(report.result[i].name, "dipole_tau", 10) != 0)
      continue; /* parts of the dielectric constant */
    judge(&report, &report.result[i], &finding);
    rill_verdicts_add(verdicts, &finding);
  }
  rill_property_report_release(&report);
  return status;
}
