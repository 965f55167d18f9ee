/* A method with its options in one word, "zss-simplified/full" or "galerkin/3/lobatto4", as in comparisons. */
#ifndef RILL_STUDY_METHOD_LABEL_H
#define RILL_STUDY_METHOD_LABEL_H

#include "base/notes.h"
#include "integrators/registry.h"
#include "study/overrides.h"

enum { RILL_METHOD_LABEL = 80, RILL_METHOD_OPTIONS = 8 };

struct rill_method_label {
  char text[RILL_METHOD_LABEL];     /* as given, with the present name of the method */
  const struct rill_method *method; /* NULL: unknown; reading the deck reports it */
  bool names_solver;                /* of water: of constraints */
  bool names_stiffness;             /* of the penalty */
  const char *formulation;          /* "constrained", "penalised" or "group"; NULL: not named */
};

/* Puts the method and its options into *overrides.  Options are words of the keys of [integrator] and of
 * constraints.solver, names of compositions and quadratures, a degree; the formulation of the system, by its word or
 * by the stiffness of its penalty, "w=20" (of water "w=20akma", or the quantity alone).  RILL_ERROR_USAGE for any
 * other option, for too many, for a formulation that contradicts another, and for too long a label. */
enum rill_status rill_method_label_read(const char *text, bool water, struct rill_method_label *label,
                                        struct rill_overrides *overrides, struct rill_error *error);

/* Whether the label names a formulation, and it is the penalised one. */
bool rill_method_label_is_penalised(const struct rill_method_label *label);

/* Notes the methods of a comparison that are given by a former name. */
void rill_method_labels_note_former(const char *const *labels, size_t count, const struct rill_notes *notes);

#endif
