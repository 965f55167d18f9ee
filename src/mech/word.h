/* Words in flows: a method as a table of drifts and kicks with coefficients.
 *
 * A composition of a symmetric base lists the base word and the factors of its sub-steps.  The distinction matters under
 * constraints: a projected drift is only a symmetric second-order map, D(a) D(b) != D(a + b), so that compositions of the
 * symmetric base keep their order, while a splitting table of order above 2 silently falls to 2.
 *
 * A nested word has kicks by a part of the forces (flags of the flow) and an inner word, its base, that is done
 * `substeps` times in a step. */
#ifndef RILL_MECH_WORD_H
#define RILL_MECH_WORD_H

#include <stddef.h>

enum rill_letter { RILL_KICK, RILL_DRIFT, RILL_INNER };

struct rill_syllable {
  enum rill_letter letter;
  double coefficient;        /* of the step */
  unsigned flags;            /* of the flow; RILL_FLOW_PROJECT is decided when the word is bound */
};

enum rill_word_kind { RILL_WORD_SPLITTING, RILL_WORD_COMPOSITION, RILL_WORD_NESTED };

struct rill_word {
  enum rill_word_kind kind;
  const struct rill_syllable *syllables; /* a splitting's; a nested word's outer ones */
  size_t syllable_count;
  const struct rill_word *base;          /* a composition's; what RILL_INNER stands for */
  const double *factors;                 /* of the step, in order */
  size_t factor_count;
};

/* A composition of any symmetric base, word or own step: Phi_{c_1 h} ... Phi_{c_s h}. */
struct rill_composition {
  const char *name, *summary, *citation;
  int order;
  const double *factors;
  size_t factor_count;
};

#endif
