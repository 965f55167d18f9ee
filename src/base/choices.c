#include "base/choices.h"

#include <stdio.h>
#include <string.h>

#define ROW(enumerator, value, word, summary, source) {enumerator, word, summary, source},
/* clang-format off */
#define TABLE(name, LIST) const struct rill_choice name[] = {LIST(ROW) {0, NULL, NULL, NULL}}
/* clang-format on */

TABLE(rill_boundary_choices, RILL_BOUNDARY_LIST);
TABLE(rill_start_velocities_choices, RILL_START_VELOCITIES_LIST);
TABLE(rill_momentum_removal_choices, RILL_MOMENTUM_REMOVAL_LIST);
TABLE(rill_constraint_solver_choices, RILL_CONSTRAINT_SOLVER_LIST);
TABLE(rill_thermostat_choices, RILL_THERMOSTAT_LIST);
TABLE(rill_measure_choices, RILL_MEASURE_LIST);
TABLE(rill_barostat_choices, RILL_BAROSTAT_LIST);
TABLE(rill_shape_choices, RILL_SHAPE_LIST);
TABLE(rill_exchange_choices, RILL_EXCHANGE_LIST);
TABLE(rill_on_failure_choices, RILL_ON_FAILURE_LIST);
TABLE(rill_coulomb_choices, RILL_COULOMB_LIST);
TABLE(rill_lj_choices, RILL_LJ_LIST);
TABLE(rill_cutoff_choices, RILL_CUTOFF_LIST);
TABLE(rill_precision_choices, RILL_PRECISION_LIST);
TABLE(rill_hessian_choices, RILL_HESSIAN_LIST);
TABLE(rill_newton_start_choices, RILL_NEWTON_START_LIST);
TABLE(rill_nonlinear_choices, RILL_NONLINEAR_LIST);
TABLE(rill_distances_choices, RILL_DISTANCES_LIST);
TABLE(rill_property_choices, RILL_PROPERTY_LIST);
TABLE(rill_rotation_choices, RILL_ROTATION_LIST);
TABLE(rill_shooting_base_choices, RILL_SHOOTING_BASE_LIST);
TABLE(rill_forced_form_choices, RILL_FORCED_FORM_LIST);

const struct rill_choice rill_kernel_choices[] = {
    {RILL_KERNEL_AUTO, "auto",
     "the fastest of these on the processor, by a table of measurements; otherwise the widest vectors that it has",
     NULL},
    {RILL_KERNEL_REFERENCE, "reference", "all pairs in plain loops, the reference for tests of the others", NULL},
#define X(name, word, summary) {RILL_KERNEL_##name, word, summary, NULL},
    RILL_ISA_LIST(X)
#undef X
        {0, NULL, NULL, NULL}};

const struct rill_choice *rill_choice_find(const struct rill_choice *choices, const char *word) {
  for (; choices->word != NULL; choices++)
    if (strcmp(choices->word, word) == 0) return choices;
  return NULL;
}

const struct rill_choice *rill_choice_of(const struct rill_choice *choices, unsigned value) {
  for (; choices->word != NULL; choices++)
    if (choices->value == value) return choices;
  return NULL;
}

const char *rill_choice_word(const struct rill_choice *choices, unsigned value) {
  const struct rill_choice *choice = rill_choice_of(choices, value);
  return choice != NULL ? choice->word : "unknown";
}

const char *rill_choice_list(const struct rill_choice *choices, const char *before_last, char *text, size_t size) {
  size_t length = 0;
  text[0] = '\0';
  for (const struct rill_choice *choice = choices; choice->word != NULL && length < size; choice++) {
    const char *separator = choice == choices ? "" : choice[1].word != NULL ? ", " : before_last;
    length += (size_t)snprintf(text + length, size - length, "%s%s", separator, choice->word);
  }
  return text;
}
