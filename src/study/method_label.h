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
  bool penalised, names_stiffness;  /* of water */
};

/* Puts the method and its options into *overrides.  Options are words of the keys of [integrator] and of
 * constraints.solver, names of compositions and quadratures, a degree; for water a stiffness, or `penalised`.
 * RILL_ERROR_USAGE for any other option, for too many, and for too long a label. */
enum rill_status rill_method_label_read(const char *text, bool water, struct rill_method_label *label,
                                        struct rill_overrides *overrides, struct rill_error *error);

/* Notes the methods of a comparison that are given by a former name. */
void rill_method_labels_note_former(const char *const *labels, size_t count, const struct rill_notes *notes);

#endif
