#include "study/tune.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "base/memory.h"
#include "base/timers.h"
#include "deck/edit.h"
#include "deck/ini.h"
#include "deck/schema.h"
#include "mech/timing.h"
#include "simulation/outputs.h"
#include "study/tune_timing.h"
#include "water/cell.h"

static const double settling = 2;        /* ps before the first measurement: lists are then those of the liquid */
static const double settling_part = 0.1; /* of the wall time, at most */
static const double first_part = 0.6;    /* of a stage's wall time, before the winner is timed again */
static const double final_part = 0.2; /* of the wall time, for the last comparison of the given and the tuned deck */
static const double last_error = 0.002;  /* of its gain, to be reached */
static const double usual_buffer = 0.13; /* nm: where the deck says nothing; of the alternatives' factors */
/* Where fewer steps than this part find all processors free, other keys than the threads are timed on one thread. */
static const double undisturbed_part = 0.5;
static const double notable_error = 0.02; /* a smaller change of the forces' error is not worth a word */
enum { MOST_CANDIDATES = 8, EDITS = 2, LAST_TIMINGS = 4, RECENT = 8 };

struct edit {
  const char *key; /* of [forces] */
  char value[64];
};

/* A deck that differs from the best one by its edits. */
struct candidate {
  struct edit edits[EDITS];
  size_t edit_count;
  struct rill_timed *timed;
  struct rill_tune_row *row;
};

struct tune {
  const struct rill_tune_request *asked, *request; /* as given; with the notes once, and the threads there are */
  struct rill_tuning *tuning;
  char recent[RECENT][300]; /* notes */
  size_t noted;
  bool busy;                       /* other programs have the processors: timings are on one thread */
  int threads;                     /* at most */
  double begun;                    /* rill_clock() */
  char *given, *fixed, *best_text; /* the deck as given; with its new step; with all kept changes */
  struct rill_timed *first, *best; /* first: owns the start */
  double *positions, *velocities;  /* [N][9], where all timings begin */
  double cell[3][3];
  struct candidate candidates[MOST_CANDIDATES]; /* of the present stage */
  size_t candidate_count;
};

/* ---- notes ---- */

/* Passes a note on, unless it is one of the last few: all runs of one box say that they fill it. */
static void take_once(void *context, const char *note) {
  struct tune *tune = context;
  for (size_t i = 0; i < RECENT; i++)
    if (strncmp(tune->recent[i], note, sizeof tune->recent[i] - 1) == 0) return;
  snprintf(tune->recent[tune->noted++ % RECENT], sizeof tune->recent[0], "%s", note);
  rill_note(tune->asked->notes, "%s", note);
}

/* ---- texts ---- */

static enum rill_status edit(char **text, const char *section, const char *key, const char *value, const char *reason,
                             struct rill_error *error) {
  char *edited;
  RILL_TRY(rill_tune_put(*text, section, key, value, reason, &edited, error));
  free(*text);
  *text = edited;
  return RILL_OK;
}

static enum rill_status copy(const char *text, char **other, struct rill_error *error) {
  *other = strdup(text);
  return *other != NULL ? RILL_OK : rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the text of a deck");
}

static enum rill_status comment_out(char **text, const char *section, const char *key, const char *reason,
                                    struct rill_error *error) {
  char *edited;
  RILL_TRY(rill_deck_comment_out(*text, section, key, reason, &edited, error));
  free(*text);
  *text = edited;
  return RILL_OK;
}

/* The time replaces steps, and the like. */
static enum rill_status replace_other(char **text, const char *section, const char *key, struct rill_error *error) {
  const int found = rill_key_find(section, key);
  const char *other = found >= 0 ? rill_keys(&(size_t){0})[found].instead : NULL;
  char reason[160];
  if (other == NULL) return RILL_OK;
  snprintf(reason, sizeof reason, "replaced by --set %s.%s:", section, key);
  return comment_out(text, section, other, reason, error);
}

/* The deck's text with the overrides in it; dropped: keys of the deck that they leave without effect. */
static enum rill_status read_given(struct tune *tune, const bool dropped[RILL_DECK_KEYS], struct rill_error *error) {
  size_t count;
  const struct rill_key *keys = rill_keys(&count);
  const struct rill_tune_request *request = tune->request;
  size_t length;
  char *text;
  enum rill_status status;
  RILL_TRY(rill_ini_load(request->path, &text, &length, error));
  status = copy(text, &tune->given, error);
  rill_release(text);
  for (size_t i = 0; status == RILL_OK && i < request->override_count; i++) {
    char section[50], key[62];
    const char *value = strchr(request->overrides[i], '=');
    if (value == NULL || sscanf(request->overrides[i], " %49[^. =] . %61[^ =]", section, key) != 2)
      return rill_error_set(error, RILL_ERROR_USAGE, "--set %s: section.key=value is expected",
                            request->overrides[i]);
    value += 1 + strspn(value + 1, " \t");
    status = replace_other(&tune->given, section, key, error);
    if (status == RILL_OK) status = edit(&tune->given, section, key, value, RILL_TUNE_GIVEN, error);
  }
  for (size_t i = 0; status == RILL_OK && i < count; i++)
    if (dropped[i])
      status = comment_out(&tune->given, keys[i].section, keys[i].name, "without effect, because of --set:", error);
  return status;
}

static enum rill_status refuse(const struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  if (deck->units != RILL_UNITS_MOLECULAR)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "%s: [system] kind = %s: rill tune is for water; a small system has no threads, kernels or "
                          "lists to choose (`rill compare` compares its methods and steps)",
                          deck->path, deck->system.kind);
  if (deck->ensemble.on)
    return rill_error_set(
        error, RILL_ERROR_UNSUPPORTED,
        "%s: [ensemble]: replicas are advanced together, which rill tune does not time; tune the deck "
        "of one replica, without [ensemble]",
        deck->path);
  return RILL_OK;
}

/* Messages have the lines of the file. */
static enum rill_status check_deck(struct tune *tune, struct rill_error *error) {
  const struct rill_tune_request *request = tune->request;
  struct rill_simulation *sim = calloc(1, sizeof *sim);
  struct rill_deck *there = calloc(1, sizeof *there);
  enum rill_status status;
  if (sim == NULL || there == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  else status = rill_simulation_read(request->path, request->overrides, request->override_count, sim, error);
  if (status == RILL_OK) status = refuse(sim, error);
  if (status == RILL_OK) status = read_given(tune, sim->deck.dropped, error);
  if (status == RILL_OK && (status = rill_deck_read_text(&rill_deck_registry, request->path, tune->given, NULL, 0,
                                                         there, error)) != RILL_OK)
    rill_error_prefix(error, "the deck with --set in it");
  if (status == RILL_OK)
    status = rill_deck_read_text(&rill_deck_registry, request->out, tune->given, NULL, 0, there, error);
  if (status == RILL_OK && strcmp(there->system.structure, sim->deck.system.structure) != 0 &&
      !rill_same_file(there->system.structure, sim->deck.system.structure))
    status =
        rill_error_set(error, RILL_ERROR_USAGE,
                       "-o %s: [system] structure of %s is relative to the deck's folder, and from there it would "
                       "be %s; write the tuned deck into the same folder, or give the structure's absolute path",
                       request->out, request->path, there->system.structure);
  if (sim != NULL) rill_simulation_release(sim);
  free(sim);
  free(there);
  return status;
}

/* ---- simulations that are timed ---- */

static void destroy(struct rill_timed *timed) {
  if (timed != NULL) rill_simulation_release(&timed->sim);
  free(timed);
}

static enum rill_status read_timed(struct tune *tune, const char *text, struct rill_timed *timed,
                                   struct rill_error *error) {
  struct rill_simulation *sim = &timed->sim;
  RILL_TRY(rill_deck_read_text(&rill_deck_registry, tune->request->path, text, NULL, 0, &sim->deck, error));
  RILL_TRY(rill_simulation_find(sim, error));
  rill_simulation_choose_threads(sim, tune->threads);
  if (tune->busy) sim->threads = 1;
  if (tune->first == NULL) return RILL_OK;
  sim->given = &tune->first->sim.structure;
  sim->deck.start.minimize = false; /* it was */
  return RILL_OK;
}

/* From the deck's start, where its accuracy is measured, to the common start. */
static enum rill_status create_timed(struct tune *tune, struct rill_timed *timed, struct rill_error *error) {
  RILL_TRY(rill_simulation_create(&timed->sim, error));
  if (timed->sim.deck.barostat.method != RILL_NO_BAROSTAT)
    RILL_TRY(rill_water_set_cell(&timed->sim.system, (const double(*)[3])tune->cell, error));
  rill_water_set_state(&timed->sim.system, tune->positions, tune->velocities);
  return RILL_OK;
}

static enum rill_status make_timed(struct tune *tune, const char *text, struct rill_timed **made,
                                   struct rill_error *error) {
  struct rill_timed *timed = calloc(1, sizeof *timed);
  if (timed == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  if (read_timed(tune, text, timed, error) == RILL_OK && create_timed(tune, timed, error) == RILL_OK) {
    *made = timed;
    return RILL_OK;
  }
  destroy(timed);
  return error->status;
}

/* Builds or reads the start, and moves it for some time. */
static enum rill_status make_first(struct tune *tune, struct rill_error *error) {
  struct rill_timed *first = calloc(1, sizeof *first);
  struct rill_simulation *sim;
  double until;
  size_t molecules;
  if (first == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  sim = &first->sim;
  if (read_timed(tune, tune->fixed, first, error) != RILL_OK) {
    destroy(first);
    return error->status;
  }
  tune->first = tune->best = first;
  sim->notes = tune->request->notes;
  RILL_TRY(rill_simulation_create(sim, error));
  sim->notes = NULL;
  tune->tuning->molecules = molecules = rill_water_molecules(&sim->system);
  snprintf(tune->tuning->method, sizeof tune->tuning->method, "%s", rill_simulation_method(sim));
  until = rill_clock() + settling_part * tune->request->seconds;
  for (; (double)first->steps * sim->deck.integrator.step < settling && rill_clock() < until; first->steps++)
    RILL_TRY(rill_integrator_step(sim->integrator, first->steps, false, error));
  tune->positions = rill_allocate(RILL_COORDINATES * molecules, sizeof(double));
  tune->velocities = rill_allocate(RILL_COORDINATES * molecules, sizeof(double));
  if (tune->positions == NULL || tune->velocities == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", molecules);
  rill_water_copy_state(&sim->system, tune->positions, tune->velocities);
  if (rill_water_cell(&sim->system) != NULL)
    memcpy(tune->cell, rill_water_cell(&sim->system)->vector, sizeof tune->cell);
  return RILL_OK;
}

/* ---- candidates ---- */

static bool has_mesh(const struct rill_simulation *sim) {
  return sim->deck.system.boundary == RILL_BOUNDARY_PERIODIC && sim->deck.forces.coulomb == RILL_COULOMB_EWALD;
}

static struct candidate *add(struct tune *tune, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static struct candidate *add(struct tune *tune, const char *key, const char *format, ...) {
  struct candidate *candidate = &tune->candidates[tune->candidate_count++];
  va_list values;
  *candidate = (struct candidate){.edit_count = 1, .edits = {{.key = key}}};
  va_start(values, format);
  vsnprintf(candidate->edits[0].value, sizeof candidate->edits[0].value, format, values);
  va_end(values);
  return candidate;
}

static void name_threads(const struct rill_simulation *sim, char name[64]) { snprintf(name, 64, "%d", sim->threads); }

static enum rill_status add_threads(struct tune *tune, struct rill_error *error) {
  const int present = tune->best->sim.threads;
  (void)error;
  for (int threads = tune->threads; threads >= 1 && tune->candidate_count < MOST_CANDIDATES; threads /= 2)
    if (threads != present) add(tune, "threads", "%d", threads);
  return RILL_OK;
}

static void name_kernel(const struct rill_simulation *sim, char name[64]) {
  snprintf(name, 64, "%s", sim->deck.forces.kernel == RILL_KERNEL_REFERENCE ? "reference" : rill_isa_name(sim->isa));
}

static enum rill_status add_kernels(struct tune *tune, struct rill_error *error) {
  const struct rill_simulation *best = &tune->best->sim;
  (void)error;
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++)
    if (rill_isa_available((enum rill_isa)isa) &&
        (best->deck.forces.kernel == RILL_KERNEL_REFERENCE || isa != (int)best->isa))
      add(tune, "kernel", "%s",
          rill_choice_word(rill_kernel_choices, (unsigned)RILL_KERNEL_PORTABLE + (unsigned)isa));
  return RILL_OK;
}

static void name_precision(const struct rill_simulation *sim, char name[64]) {
  snprintf(name, 64, "%s", rill_choice_word(rill_precision_choices, sim->deck.forces.precision));
}

/* Mixed precision only where the error of the forces is measured against what the deck asks for. */
static enum rill_status add_precision(struct tune *tune, struct rill_error *error) {
  const struct rill_simulation *best = &tune->best->sim;
  const bool mixed = best->deck.forces.precision == RILL_PRECISION_MIXED;
  (void)error;
  if (mixed || has_mesh(best))
    add(tune, "precision", "%s",
        rill_choice_word(rill_precision_choices, mixed ? RILL_PRECISION_DOUBLE : RILL_PRECISION_MIXED));
  return RILL_OK;
}

static void name_cutoff(const struct rill_simulation *sim, char name[64]) {
  snprintf(name, 64, "%s", rill_choice_word(rill_cutoff_choices, sim->deck.forces.cutoff_by));
}

static enum rill_status add_cutoff(struct tune *tune, struct rill_error *error) {
  const struct rill_simulation *best = &tune->best->sim;
  const bool atom = best->deck.forces.cutoff_by == RILL_CUTOFF_ATOM;
  (void)error;
  if (has_mesh(best))
    add(tune, "cutoff_by", "%s",
        rill_choice_word(rill_cutoff_choices, atom ? RILL_CUTOFF_MOLECULE : RILL_CUTOFF_ATOM));
  return RILL_OK;
}

static void name_mesh(const struct rill_simulation *sim, char name[64]) {
  const size_t *grid = sim->mesh.grid;
  snprintf(name, 64, "order %d, %zu x %zu x %zu", sim->mesh.order, grid[0], grid[1], grid[2]);
}

/* The mesh that has the accuracy with this order; *made is false if there is none. */
static enum rill_status find_mesh(struct tune *tune, uint64_t order, struct rill_pme_parameters *mesh, bool *made,
                                  struct rill_error *error) {
  struct rill_timed *timed = calloc(1, sizeof *timed);
  enum rill_status status;
  if (timed == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = read_timed(tune, tune->best_text, timed, error);
  if (status == RILL_OK) {
    timed->sim.deck.forces.mesh_order = order;
    memset(timed->sim.deck.forces.mesh_grid, 0, sizeof timed->sim.deck.forces.mesh_grid);
    status = rill_simulation_create(&timed->sim, error);
    *made = status == RILL_OK;
    *mesh = timed->sim.mesh;
    if (status == RILL_ERROR_INPUT) {
      rill_error_clear(error);
      status = RILL_OK;
    }
  }
  destroy(timed);
  return status;
}

static enum rill_status add_meshes(struct tune *tune, struct rill_error *error) {
  enum { LEAST_ORDER = 4, MOST_ORDER = 8 }; /* higher ones take longer at every accuracy */
  const struct rill_simulation *best = &tune->best->sim;
  if (!has_mesh(best)) return RILL_OK;
  if (rill_deck_gives(&best->deck, "forces", "mesh_order") || rill_deck_gives(&best->deck, "forces", "mesh_grid"))
    return RILL_OK; /* prescribed, as the cutoff is */
  for (uint64_t order = LEAST_ORDER; order <= MOST_ORDER; order++) {
    struct rill_pme_parameters mesh;
    struct candidate *candidate;
    bool made = false;
    RILL_TRY(find_mesh(tune, order, &mesh, &made, error));
    if (!made || (mesh.order == best->mesh.order && memcmp(mesh.grid, best->mesh.grid, sizeof mesh.grid) == 0))
      continue;
    candidate = add(tune, "mesh_order", "%d", mesh.order);
    candidate->edit_count = 2;
    candidate->edits[1].key = "mesh_grid";
    snprintf(candidate->edits[1].value, sizeof candidate->edits[1].value, "%zu, %zu, %zu", mesh.grid[0], mesh.grid[1],
             mesh.grid[2]);
  }
  return RILL_OK;
}

static double buffer_of(const struct rill_simulation *sim) {
  struct rill_periodic_counts counts;
  rill_water_list_counts(&sim->system, &counts);
  return counts.buffer > 0 ? counts.buffer : usual_buffer;
}

static void name_buffer(const struct rill_simulation *sim, char name[64]) {
  snprintf(name, 64, "%.4g nm", buffer_of(sim));
}

static enum rill_status add_buffers(struct tune *tune, struct rill_error *error) {
  static const double factors[] = {0.6, 0.8, 1.25, 1.6};
  static const double unit = 0.005, most = 0.25; /* nm */
  const struct rill_simulation *best = &tune->best->sim;
  (void)error;
  if (best->deck.system.boundary != RILL_BOUNDARY_PERIODIC && best->deck.forces.coulomb == RILL_COULOMB_ALL)
    return RILL_OK;
  for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
    const double buffer = unit * nearbyint(factors[i] * buffer_of(best) / unit);
    if (buffer >= unit && buffer <= most) add(tune, "buffer", "%.3g nm", buffer);
  }
  return RILL_OK;
}

/* In the order in which they are varied: first what changes the time most, then what others depend on. */
static const struct stage {
  const char *name;
  enum rill_status (*add)(struct tune *tune, struct rill_error *error);
  void (*describe)(const struct rill_simulation *sim, char name[64]);
} stages[] = {
    {"threads", add_threads, name_threads},
    {"kernel", add_kernels, name_kernel},
    {"precision", add_precision, name_precision},
    {"cutoff_by", add_cutoff, name_cutoff},
    {"mesh", add_meshes, name_mesh},
    {"buffer", add_buffers, name_buffer},
};
enum { STAGES = sizeof stages / sizeof stages[0] };
_Static_assert((int)STAGES *(1 + (int)MOST_CANDIDATES) + 2 <= (int)RILL_TUNE_ROWS, "there are rows for all stages");
_Static_assert((int)STAGES *(int)EDITS + 1 <= (int)RILL_TUNE_CHANGES, "and for all changes");

/* ---- stages ---- */

static struct rill_tune_row *add_row(struct tune *tune, const char *stage, const char *candidate) {
  struct rill_tuning *tuning = tune->tuning;
  struct rill_tune_row *row;
  row = &tuning->rows[tuning->row_count++];
  *row = (struct rill_tune_row){.step_us = NAN, .gain = {NAN, NAN}, .force_error = NAN};
  snprintf(row->stage, sizeof row->stage, "%s", stage);
  snprintf(row->candidate, sizeof row->candidate, "%s", candidate);
  return row;
}

static void fill_row(struct rill_tune_row *row, const struct rill_timed *timed) {
  row->step_us = 1e6 * rill_timed_seconds(timed);
  row->gain = timed->gain;
  if (timed->sim.accuracy.molecules > 0) row->force_error = timed->sim.accuracy.error;
}

static enum rill_status apply(const struct candidate *candidate, char **text, const char *reason,
                              struct rill_error *error) {
  for (size_t e = 0; e < candidate->edit_count; e++)
    RILL_TRY(edit(text, "forces", candidate->edits[e].key, candidate->edits[e].value, e == 0 ? reason : NULL, error));
  return RILL_OK;
}

/* A candidate that cannot have the deck's accuracy is refused, which its row says. */
static enum rill_status make_candidate(struct tune *tune, const struct stage *stage, struct candidate *candidate,
                                       struct rill_error *error) {
  char *text, name[64];
  enum rill_status status;
  RILL_TRY(copy(tune->best_text, &text, error));
  status = apply(candidate, &text, NULL, error);
  if (status == RILL_OK) status = make_timed(tune, text, &candidate->timed, error);
  free(text);
  snprintf(name, sizeof name, "%s", candidate->edits[0].value);
  if (status == RILL_OK) stage->describe(&candidate->timed->sim, name);
  candidate->row = add_row(tune, stage->name, name);
  if (status != RILL_ERROR_INPUT && status != RILL_ERROR_UNSUPPORTED) return status;
  snprintf(candidate->row->failure, sizeof candidate->row->failure, "%.299s", error->text);
  rill_error_clear(error);
  return RILL_OK;
}

static enum rill_status keep(struct tune *tune, const struct stage *stage, struct candidate *candidate,
                             const struct rill_tune_row *before, struct rill_error *error) {
  const double now = candidate->row->force_error, then = before->force_error;
  struct rill_tuning *tuning = tune->tuning;
  const struct rill_gain gain = candidate->row->gain;
  for (size_t e = 0; e < candidate->edit_count; e++) {
    struct rill_tune_change *change = &tuning->changes[tuning->change_count++];
    *change = (struct rill_tune_change){.section = "forces", .key = candidate->edits[e].key};
    snprintf(change->value, sizeof change->value, "%s", candidate->edits[e].value);
    if (e > 0) continue;
    snprintf(change->reason, sizeof change->reason, "rill tune: %.1f +- %.1f %% less time than with %s %s",
             100 * gain.part, 100 * gain.error, stage->name, before->candidate);
    if (fabs(now - then) > notable_error * then) {
      const size_t length = strlen(change->reason);
      snprintf(change->reason + length, sizeof change->reason - length, "; error of the forces %.1e instead of %.1e",
               now, then);
    }
  }
  RILL_TRY(apply(candidate, &tune->best_text, NULL, error));
  if (tune->best != tune->first) destroy(tune->best);
  tune->best = candidate->timed;
  candidate->timed = NULL;
  candidate->row->best = true;
  return RILL_OK;
}

/* Several threads are seldom undisturbed on a busy machine, one is half of the time. */
static bool is_disturbed(const struct tune *tune) {
  return tune->best->sim.threads > 1 && rill_timed_undisturbed(tune->best) < undisturbed_part;
}

static enum rill_status go_on_alone(struct tune *tune, struct rill_error *error) {
  struct rill_timed *alone;
  tune->busy = tune->tuning->busy = true;
  rill_note(
      tune->request->notes,
      "note: other programs use the processors (in %.0f %% of the steps all threads had one): the rest is timed "
      "on one thread",
      100 * rill_timed_undisturbed(tune->best));
  RILL_TRY(make_timed(tune, tune->best_text, &alone, error));
  if (tune->best != tune->first) destroy(tune->best);
  tune->best = alone;
  return RILL_OK;
}

/* The candidate of the largest gain among those that are to be kept; NULL: none. */
static struct candidate *find_winner(struct tune *tune) {
  struct candidate *winner = NULL;
  for (size_t i = 0; i < tune->candidate_count; i++) {
    struct candidate *candidate = &tune->candidates[i];
    if (candidate->timed == NULL || !rill_gain_is_kept(candidate->row->gain)) continue;
    if (winner == NULL || candidate->row->gain.part > winner->row->gain.part) winner = candidate;
  }
  return winner;
}

/* Times the winner against those that may yet be faster: one of little noise should not win because others have
 * more of it.  Their gains against the winner are added to its own. */
static enum rill_status time_winner_again(struct tune *tune, struct candidate **winner, double deadline,
                                          struct rill_error *error) {
  const struct rill_gain first = (*winner)->row->gain;
  struct rill_timed *timed[MOST_CANDIDATES] = {(*winner)->timed};
  struct candidate *others[MOST_CANDIDATES] = {*winner};
  size_t count = 1;
  for (size_t i = 0; i < tune->candidate_count; i++) {
    struct candidate *candidate = &tune->candidates[i];
    if (candidate->timed == NULL || candidate == *winner) continue;
    if (!rill_gain_may_exceed(candidate->row->gain, first)) continue;
    timed[count] = candidate->timed;
    others[count++] = candidate;
  }
  if (count == 1) return RILL_OK;
  RILL_TRY(rill_time_together(timed, count, 0, deadline, tune->request->stop, error));
  for (size_t i = 1; i < count; i++) {
    const struct rill_gain gain = timed[i]->gain;
    others[i]->row->gain = rill_gain_after(first, gain);
    if (rill_gain_is_kept(gain) && others[i]->row->gain.part > (*winner)->row->gain.part) *winner = others[i];
  }
  return RILL_OK;
}

/* *again: the machine is too busy for several threads; nothing is decided. */
static enum rill_status time_stage(struct tune *tune, const struct stage *stage, double deadline, bool *again,
                                   struct rill_error *error) {
  struct rill_timed *timed[1 + MOST_CANDIDATES] = {tune->best};
  struct candidate *winner;
  struct rill_tune_row *now;
  const double begun = rill_clock();
  char before[64];
  size_t count = 1;
  stage->describe(&tune->best->sim, before);
  now = add_row(tune, stage->name, before);
  for (size_t i = 0; i < tune->candidate_count; i++) {
    RILL_TRY(make_candidate(tune, stage, &tune->candidates[i], error));
    if (tune->candidates[i].timed != NULL) timed[count++] = tune->candidates[i].timed;
  }
  if (count > 1)
    RILL_TRY(
        rill_time_together(timed, count, 0, begun + first_part * (deadline - begun), tune->request->stop, error));
  if (stage->add != add_threads && is_disturbed(tune)) {
    *again = true;
    return RILL_OK;
  }
  if (count > 1) fill_row(now, tune->best);
  now->gain = (struct rill_gain){NAN, NAN};
  for (size_t i = 0; i < tune->candidate_count; i++)
    if (tune->candidates[i].timed != NULL) fill_row(tune->candidates[i].row, tune->candidates[i].timed);
  winner = find_winner(tune);
  now->best = winner == NULL;
  if (winner == NULL) return RILL_OK;
  RILL_TRY(time_winner_again(tune, &winner, deadline, error));
  return keep(tune, stage, winner, now, error);
}

static enum rill_status run_stage(struct tune *tune, const struct stage *stage, double deadline,
                                  struct rill_error *error) {
  const size_t rows = tune->tuning->row_count;
  bool again = false;
  enum rill_status status;
  tune->candidate_count = 0;
  status = stage->add(tune, error);
  if (status == RILL_OK && tune->candidate_count > 0) {
    rill_note(tune->request->notes, "timing %s", stage->name);
    status = time_stage(tune, stage, deadline, &again, error);
  }
  for (size_t i = 0; i < tune->candidate_count; i++) destroy(tune->candidates[i].timed);
  if (status != RILL_OK || !again) return status;
  RILL_TRY(go_on_alone(tune, error));
  tune->tuning->row_count = rows;
  return run_stage(tune, stage, deadline, error);
}

/* Whether the threads of the tuned deck are not those of the given one. */
static bool changes_threads(const struct rill_tuning *tuning) {
  for (size_t i = 0; i < tuning->change_count; i++)
    if (strcmp(tuning->changes[i].key, "threads") == 0) return true;
  return false;
}

/* ---- the end ---- */

/* One comparison of the given and the tuned deck, both made anew. */
static enum rill_status time_pair(struct tune *tune, double deadline, struct rill_tune_row *given,
                                  struct rill_tune_row *tuned, struct rill_error *error) {
  struct rill_timed *both[2] = {NULL, NULL};
  enum rill_status status = make_timed(tune, tune->given, &both[0], error);
  if (status == RILL_OK) status = make_timed(tune, tune->tuning->text, &both[1], error);
  if (status == RILL_OK) status = rill_time_together(both, 2, last_error, deadline, tune->request->stop, error);
  if (status == RILL_OK) {
    fill_row(given, both[0]);
    fill_row(tuned, both[1]);
  }
  destroy(both[0]);
  destroy(both[1]);
  return status;
}

/* Several comparisons, whose scatter shows what depends on where memory lies and what else the machine does. */
static enum rill_status time_both(struct tune *tune, double deadline, struct rill_error *error) {
  struct rill_tune_row *given = add_row(tune, "deck", "given"), *tuned = add_row(tune, "deck", "tuned");
  struct rill_gain gains[LAST_TIMINGS];
  double times[2][LAST_TIMINGS];
  if (changes_threads(tune->tuning)) tune->busy = false;
  rill_note(tune->request->notes, "timing the given and the tuned deck");
  for (int i = 0; i < LAST_TIMINGS; i++) {
    const double now = rill_clock();
    RILL_TRY(time_pair(tune, now + fmax(0, deadline - now) / (LAST_TIMINGS - i), given, tuned, error));
    gains[i] = tuned->gain;
    times[0][i] = given->step_us;
    times[1][i] = tuned->step_us;
  }
  given->step_us = rill_median(times[0], LAST_TIMINGS);
  tuned->step_us = rill_median(times[1], LAST_TIMINGS);
  given->gain = (struct rill_gain){NAN, NAN};
  tune->tuning->gain = tuned->gain = rill_gain_mean(gains, LAST_TIMINGS);
  return RILL_OK;
}

static enum rill_status write_text(struct tune *tune, struct rill_error *error) {
  struct rill_tuning *tuning = tune->tuning;
  RILL_TRY(copy(tune->fixed, &tuning->text, error));
  for (size_t i = 0; i < tuning->change_count; i++) {
    const struct rill_tune_change *change = &tuning->changes[i];
    if (strcmp(change->section, "forces") == 0)
      RILL_TRY(edit(&tuning->text, change->section, change->key, change->value,
                    change->reason[0] != '\0' ? change->reason : NULL, error));
  }
  return RILL_OK;
}

static enum rill_status conclude(struct tune *tune, bool other_step, struct rill_error *error) {
  struct rill_tuning *tuning = tune->tuning;
  RILL_TRY(write_text(tune, error));
  if (tuning->change_count == 0) return RILL_OK;
  RILL_TRY(time_both(tune, tune->begun + tune->request->seconds, error));
  tuning->rows[tuning->row_count - (rill_gain_is_kept(tuning->gain) || other_step ? 1 : 2)].best = true;
  if (rill_gain_is_kept(tuning->gain) || other_step) return RILL_OK;
  tuning->change_count = 0;
  free(tuning->text);
  tuning->text = NULL;
  return copy(tune->given, &tuning->text, error);
}

static void note_step(struct tune *tune, double step, char reason[240]) {
  struct rill_tuning *tuning = tune->tuning;
  struct rill_tune_change *change = &tuning->changes[tuning->change_count++];
  *change = (struct rill_tune_change){.section = "integrator", .key = "step"};
  snprintf(change->value, sizeof change->value, "%g fs", 1e3 * step);
  snprintf(change->reason, sizeof change->reason, "%s", reason);
}

/* Finds the step first: list lengths and the share of the mesh depend on it. */
static enum rill_status choose_step(struct tune *tune, bool *other, struct rill_error *error) {
  struct rill_tuning *tuning = tune->tuning;
  char reason[240];
  double step;
  *other = false;
  if (tune->request->bias == NULL) return copy(tune->given, &tune->fixed, error);
  RILL_TRY(rill_tune_step(tune->request, tune->given, tuning, &step, error));
  tuning->tuned_step = step;
  if (step == tuning->given_step) return copy(tune->given, &tune->fixed, error);
  *other = true;
  snprintf(reason, sizeof reason, "rill tune: the bias of %s is %.2g +- %.1g %s; at most %g %s is requested",
           tuning->bias.observable, tuning->bias.at_tuned, tuning->bias.at_tuned_error, tuning->bias.unit,
           tuning->bias.most, tuning->bias.unit);
  note_step(tune, step, reason);
  return rill_tune_put_step(tune->request->path, tune->given, step, reason, &tune->fixed, error);
}

static enum rill_status read_step(struct tune *tune, struct rill_error *error) {
  struct rill_deck *deck = calloc(1, sizeof *deck);
  enum rill_status status;
  if (deck == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = rill_deck_read_text(&rill_deck_registry, tune->request->path, tune->given, NULL, 0, deck, error);
  tune->tuning->given_step = tune->tuning->tuned_step = deck->integrator.step;
  free(deck);
  return status;
}

/* More threads than processors would wait for each other in every step. */
static int choose_most_threads(const struct rill_tune_request *request) {
  const int wanted = request->threads > 0 ? request->threads : omp_get_max_threads();
  const int processors = omp_get_num_procs(); /* to which the process is bound */
  return wanted < processors ? wanted : processors;
}

static enum rill_status work(struct tune *tune, struct rill_error *error) {
  bool other_step;
  double measured;
  RILL_TRY(check_deck(tune, error));
  if (tune->threads < tune->asked->threads)
    rill_note(tune->request->notes, "note: --threads %d: decks are timed with at most %d thread%s, one per processor",
              tune->asked->threads, tune->threads, tune->threads > 1 ? "s" : "");
  RILL_TRY(read_step(tune, error));
  RILL_TRY(choose_step(tune, &other_step, error));
  RILL_TRY(copy(tune->fixed, &tune->best_text, error));
  tune->begun = rill_clock();
  RILL_TRY(make_first(tune, error));
  measured = tune->begun + (1 - final_part) * tune->request->seconds;
  for (size_t i = 0; i < STAGES; i++) {
    const double now = rill_clock();
    RILL_TRY(run_stage(tune, &stages[i], now + fmax(0, measured - now) / (double)(STAGES - i), error));
    if (i == 0 && is_disturbed(tune)) RILL_TRY(go_on_alone(tune, error));
  }
  return conclude(tune, other_step, error);
}

enum rill_status rill_tune(const struct rill_tune_request *request, struct rill_tuning *tuning,
                           struct rill_error *error) {
  struct tune *tune = calloc(1, sizeof *tune);
  const struct rill_notes notes = {take_once, tune};
  struct rill_tune_request own = *request;
  enum rill_status status;
  if (tune == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  if (request->notes != NULL) own.notes = &notes;
  own.threads = tune->threads = choose_most_threads(request);
  tune->asked = request;
  tune->request = &own;
  tune->tuning = tuning;
  tuning->gain = (struct rill_gain){NAN, NAN};
  status = work(tune, error);
  if (tune->best != tune->first) destroy(tune->best);
  destroy(tune->first);
  rill_release(tune->positions);
  rill_release(tune->velocities);
  free(tune->given);
  free(tune->fixed);
  free(tune->best_text);
  free(tune);
  return status;
}

void rill_tuning_release(struct rill_tuning *tuning) {
  free(tuning->text);
  tuning->text = NULL;
}
