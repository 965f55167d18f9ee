/* The driver calls begin-step, step, and observers by their intervals, and the checkpointer. */
#ifndef RILL_MECH_DRIVER_H
#define RILL_MECH_DRIVER_H

#include <signal.h>
#include <stdint.h>

#include "mech/guard.h"
#include "mech/integrator.h"

/* Called after steps whose number is a multiple of the interval, before the first step, and after the last. */
struct rill_observer {
  uint64_t interval; /* steps; at least 1 */
  /* step: steps done; time = step * h, computed and never summed. */
  enum rill_status (*observe)(void *self, uint64_t step, double time, struct rill_error *error);
  void *self;
  bool halfway; /* needs what is observed in the middle of a step */
  bool records; /* records what it sees: with a guard, it is not shown states beyond the limits */
};

enum rill_keep_reason {
  RILL_KEEP_DUE,       /* by the checkpointer's interval, in steps or wall time */
  RILL_KEEP_REQUESTED, /* through the driver's `save` */
  RILL_KEEP_END        /* the run ends here, also after a signal or when the next step failed */
};

/* Called from time to time to save everything that a resumed run needs: after the observers that are due at a step,
 * and before those that are called only because it is the last one, so that a resumed run does not depend on where it
 * was stopped. */
struct rill_checkpointer {
  uint64_t interval; /* steps; 0: by wall time */
  double seconds;    /* wall time; 0: only where the run ends */
  enum rill_status (*keep)(void *self, uint64_t step, enum rill_keep_reason reason, struct rill_error *error);
  void *self;
};

/* Advances from step `first` to step `last`, in place of an integrator.  *done: the last step made, also after an
 * error, when the state is that after step *done. */
struct rill_advance {
  enum rill_status (*advance)(void *self, uint64_t first, uint64_t last, uint64_t *done, struct rill_error *error);
  void *self;
  uint64_t most; /* steps at a time, between looks at the stop flag and the clock; at least 1 */
};

struct rill_driver {
  struct rill_system *system;
  struct rill_integrator *integrator; /* NULL with `advance` */
  struct rill_advance advance;        /* .advance NULL: none.  It goes with no guard, and observers are not halfway */
  double step;                        /* its length, with `advance` */
  const struct rill_observer *observers;
  size_t observer_count;
  const struct rill_checkpointer *checkpointer; /* NULL: none */
  struct rill_guard *guard;                     /* begun, or read from a checkpoint; NULL: every state is accepted */
  uint64_t first;                               /* steps already done */
  uint64_t last;                                /* steps done at the end */
  bool continued;                               /* an earlier run has observed the first state */
  uint64_t energy_interval, virial_interval;    /* steps between states whose energy, or virial, is used, and
                                                 * is therefore evaluated with the forces; 0: none */
  uint64_t timing_interval;                     /* steps between those timed by phases; 0: none */
  const volatile sig_atomic_t *stop;            /* set to stop after the present step, or the next; may be NULL */
  volatile sig_atomic_t *save; /* set to request a checkpoint after the step; cleared here; may be NULL */
  double deadline;             /* in rill_clock's time, when the run must have ended; 0: none */
  bool expired;                /* out: the run stopped because of the deadline */
  uint64_t done;               /* out: steps done, also after an error */
  uint64_t timed;              /* out: steps timed by phases */
};

/* On error the system holds the state after step `done`; with a guard this is the last one within its limits.
 * RILL_INTERRUPTED when *stop was set, or when the time left until the deadline is less than two of the longest steps
 * and two of the longest checkpoints so far.  The observers have then seen the last state. */
enum rill_status rill_driver_run(struct rill_driver *driver, struct rill_error *error);

#endif
