#include "mech/refusal.h"

static const struct {
  unsigned capability;
  const char *reason;
} refusals[] = {[RILL_BINDS] = {0, ""},
#define X(code, needed, sentence) [RILL_REFUSED_##code] = {needed, sentence},
                RILL_REFUSAL_LIST(X)
#undef X
};

const char *rill_refusal_reason(enum rill_refusal refusal) { return refusals[refusal].reason; }

unsigned rill_refusal_capability(enum rill_refusal refusal) { return refusals[refusal].capability; }
