#include "study/tune_timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timers.h"
#include "mech/timing.h"
#include "water/water_system.h"

/* On a machine that others use a step may take a multiple of its time.  Undisturbed steps of one kind take nearly
 * equal times: where a larger part of all steps than this is undisturbed, this quantile is the time on an idle
 * machine. */
static const double quantile = 0.25;
/* With several threads most steps are often disturbed, because all threads need a processor at once.  Steps in which
 * helpers did less than this part of their share are left out; where less than the part `few` of all steps remains,
 * there is no verdict. */
static const double share_done = 0.85, few = 0.02;

static const double turn_seconds = 0.02;
static const double short_step = 5e-5; /* seconds: shorter steps are timed in pieces of several */
static const double piece_seconds = 1e-3;
enum { LEAST_PIECES = 12, COLD_PIECES = 2 };

/* Rounds are divided into blocks, one after the other, whose scatter gives the errors. */
enum { BLOCKS = 12, LEAST_ROUNDS = 2 * BLOCKS, BETWEEN_LOOKS = 6 };

/* Lists are rebuilt at nearly equal intervals: their number varies less than that of independent events. */
static const double regularity = 0.5;

/* Two simulations of one deck differ by this part of their time, because of where their memory lies. */
static const double placement = 0.002;

/* ---- one simulation ---- */

struct piece {
  double seconds; /* of a step */
  enum rill_timed_step kind;
  bool disturbed;
};

static enum rill_status run_piece(struct rill_timed *timed, uint64_t steps, struct piece *piece,
                                  struct rill_error *error) {
  const double share = 1 - 1.0 / timed->sim.threads;
  const struct rill_deck *deck = &timed->sim.deck;
  const uint64_t interval = deck->barostat.method == RILL_NO_BAROSTAT ? 0 : deck->barostat.interval;
  const uint64_t moves = interval > 0 ? timed->steps / interval : 0;
  struct rill_periodic_counts before, after;
  double begun;
  rill_water_list_counts(&timed->sim.system, &before);
  (void)rill_water_helped(&timed->sim.system);
  begun = rill_clock();
  for (uint64_t k = 0; k < steps; k++)
    RILL_TRY(rill_integrator_step(timed->sim.integrator, timed->steps++, false, error));
  piece->seconds = (rill_clock() - begun) / (double)steps;
  piece->disturbed = rill_water_helped(&timed->sim.system) < share_done * share;
  rill_water_list_counts(&timed->sim.system, &after);
  piece->kind = interval > 0 && timed->steps / interval > moves ? RILL_TIMED_MOVES_CELL
                : after.builds > before.builds                  ? RILL_TIMED_BUILDS
                : after.prunes > before.prunes                  ? RILL_TIMED_PRUNES
                                                                : RILL_TIMED_PLAIN;
  return RILL_OK;
}

/* A turn: pieces of this many steps; ghmc makes a trial in its last step. */
struct turn {
  uint64_t steps;
  size_t pieces;
  bool mixed; /* a piece has many steps, of all kinds */
};

static enum rill_status take_turn(struct rill_timed *timed, const struct turn *turn, struct rill_error *error) {
  const size_t round = timed->rounds;
  struct piece piece;
  for (size_t p = 0; p < COLD_PIECES; p++) RILL_TRY(run_piece(timed, turn->steps, &piece, error));
  for (size_t p = 0; p < turn->pieces; p++) {
    RILL_TRY(run_piece(timed, turn->steps, &piece, error));
    timed->seconds[round][p] = (float)piece.seconds;
    timed->kind[round][p] = (unsigned char)(turn->mixed ? RILL_TIMED_PLAIN : piece.kind);
    timed->disturbed[round][p] = piece.disturbed;
    timed->undisturbed += !piece.disturbed;
  }
  timed->pieces = turn->pieces;
  timed->rounds++;
  return RILL_OK;
}

static int by_size(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static double pieces_of(const struct rill_timed *timed) { return (double)(timed->rounds * timed->pieces); }

static bool is_judged(const struct rill_timed *timed) { return (double)timed->undisturbed >= few * pieces_of(timed); }

/* Which part of all steps is of this kind, disturbed or not. */
static double part_of(const struct rill_timed *timed, enum rill_timed_step kind) {
  size_t count = 0;
  for (size_t r = 0; r < timed->rounds; r++)
    for (size_t p = 0; p < timed->pieces; p++) count += timed->kind[r][p] == kind;
  return (double)count / pieces_of(timed);
}

/* The undisturbed times of one kind in some rounds, sorted, into values[]; returns their number. */
static size_t collect(const struct rill_timed *timed, enum rill_timed_step kind, size_t first, size_t last,
                      float *values) {
  const bool all = !is_judged(timed); /* then to be shown only */
  size_t count = 0;
  for (size_t r = first; r < last; r++)
    for (size_t p = 0; p < timed->pieces; p++)
      if (timed->kind[r][p] == kind && (all || !timed->disturbed[r][p])) values[count++] = timed->seconds[r][p];
  qsort(values, count, sizeof *values, by_size);
  return count;
}

static double low(const float *sorted, size_t count) {
  return count > 0 ? sorted[(size_t)(quantile * (double)(count - 1))] : NAN;
}

enum { VALUES = RILL_TIMED_ROUNDS * RILL_TIMED_PIECES };

/* What a step takes, over all of its kinds, and the relative error that comes from the rarer ones; values: [VALUES],
 * for use here. */
static double cost_of(const struct rill_timed *timed, float *values, double *error) {
  double plain, cost, square = 0;
  plain = cost = low(values, collect(timed, RILL_TIMED_PLAIN, 0, timed->rounds, values));
  for (int kind = RILL_TIMED_PLAIN + 1; kind < RILL_TIMED_KINDS; kind++) {
    const size_t count = collect(timed, (enum rill_timed_step)kind, 0, timed->rounds, values);
    const double part = part_of(timed, (enum rill_timed_step)kind), least = low(values, count);
    if (count == 0) continue;
    if (!(plain > 0)) cost = plain = least; /* no step is plain */
    cost += part * (least - plain);
    square += pow(regularity * part * (least - plain), 2) / (double)count;
    square += pow(part * (values[count / 2] - least), 2) / (double)count;
  }
  *error = sqrt(square) / cost;
  return cost;
}

double rill_timed_undisturbed(const struct rill_timed *timed) {
  return timed->rounds > 0 ? (double)timed->undisturbed / pieces_of(timed) : 1;
}

double rill_timed_seconds(const struct rill_timed *timed) {
  float *values = malloc(VALUES * sizeof *values);
  double seconds, unused;
  if (values == NULL || timed->rounds == 0) {
    free(values);
    return NAN;
  }
  seconds = cost_of(timed, values, &unused);
  free(values);
  return seconds;
}

/* ---- the comparison ---- */

/* The standard error of the mean, without the value that is furthest from the median. */
static double error_without_furthest(const double *values, size_t count, double median) {
  double sum = 0, squares = 0, furthest = 0;
  for (size_t i = 0; i < count; i++) {
    const double d = values[i] - median;
    sum += d;
    squares += d * d;
    if (fabs(d) > fabs(furthest)) furthest = d;
  }
  if (count < 3) return INFINITY;
  sum -= furthest;
  squares -= furthest * furthest;
  return sqrt(fmax(0, squares - sum * sum / (double)(count - 1)) / (double)((count - 2) * (count - 1)));
}

/* How the ratio of plain steps scatters from block to block: the larger of two estimates, of which one leaves out
 * blocks in which the machine was in another state, and one sees where there are many of them. */
static double block_error(const struct rill_timed *first, const struct rill_timed *timed, float *values) {
  double ratio[BLOCKS], copy[BLOCKS];
  struct rill_gain pairs;
  size_t count = 0;
  for (size_t b = 0; b < BLOCKS; b++) {
    const size_t from = b * timed->rounds / BLOCKS, to = (b + 1) * timed->rounds / BLOCKS;
    const double own = low(values, collect(timed, RILL_TIMED_PLAIN, from, to, values));
    const double other = low(values, collect(first, RILL_TIMED_PLAIN, from, to, values));
    if (own > 0 && other > 0) ratio[count++] = log(own / other);
  }
  memcpy(copy, ratio, count * sizeof *copy);
  pairs = rill_gain_of_pairs(copy, count);
  return fmax(pairs.error, error_without_furthest(ratio, count, pairs.part));
}

static enum rill_status find_gain(const struct rill_timed *first, struct rill_timed *timed,
                                  struct rill_error *error) {
  float *values = malloc(VALUES * sizeof *values);
  double own, other, ratio, blocks;
  if (values == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for times");
  ratio = cost_of(timed, values, &own) / cost_of(first, values, &other) * first->sim.deck.integrator.step /
          timed->sim.deck.integrator.step;
  blocks = block_error(first, timed, values);
  free(values);
  timed->gain.part = 1 - ratio;
  timed->gain.error = ratio * sqrt(blocks * blocks + own * own + other * other + placement * placement);
  if (!is_judged(first) || !is_judged(timed)) timed->gain.error = INFINITY;
  timed->verdict = rill_gain_judge(timed->gain);
  return RILL_OK;
}

static void begin(struct rill_timed *timed) {
  timed->rounds = timed->undisturbed = 0;
  timed->verdict = RILL_GAIN_OPEN;
  timed->gain = (struct rill_gain){NAN, NAN};
}

/* The first steps of all; those of the first simulation tell how many make a turn. */
static enum rill_status warm_up(struct rill_timed *const *all, size_t count, struct turn *turn,
                                struct rill_error *error) {
  const struct rill_deck *deck = &all[0]->sim.deck;
  const uint64_t trial = deck->thermostat.method == RILL_GHMC ? deck->thermostat.trial_steps : 1;
  double guess = INFINITY, piece;
  for (size_t i = 0; i < count; i++) {
    struct piece tried;
    double spent = 0;
    begin(all[i]);
    for (size_t k = 0; k < COLD_PIECES || spent < 0.1 * turn_seconds; k++) {
      RILL_TRY(run_piece(all[i], trial, &tried, error));
      spent += tried.seconds * (double)trial;
      if (i == 0) guess = fmin(guess, tried.seconds);
    }
  }
  turn->mixed = guess < short_step;
  turn->steps = turn->mixed ? trial * (1 + (uint64_t)(piece_seconds / (guess * (double)trial))) : trial;
  piece = guess * (double)turn->steps;
  turn->pieces = (size_t)fmin(fmax(turn_seconds / piece, LEAST_PIECES), RILL_TIMED_PIECES);
  return RILL_OK;
}

static bool is_over(struct rill_timed *const *all, size_t count, double fine) {
  for (size_t i = 1; i < count; i++)
    if (fine > 0 ? all[i]->gain.error > fine : all[i]->verdict == RILL_GAIN_OPEN) return false;
  return true;
}

enum rill_status rill_time_together(struct rill_timed *const *all, size_t count, double fine, double deadline,
                                    const volatile sig_atomic_t *stop, struct rill_error *error) {
  struct turn turn = {0};
  bool over = false;
  RILL_TRY(warm_up(all, count, &turn, error));
  while (!over) {
    const size_t round = all[0]->rounds;
    const bool forward = round % 2 == 0, late = rill_clock() > deadline && round + 1 >= LEAST_ROUNDS;
    const bool last = late || round + 1 == RILL_TIMED_ROUNDS;
    for (size_t k = 0; k < count; k++) {
      struct rill_timed *timed = all[forward ? k : count - 1 - k]; /* a drift of the machine cancels */
      if (stop != NULL && *stop != 0) return rill_error_set(error, RILL_INTERRUPTED, "stopped by a signal");
      if (fine > 0 || timed->verdict != RILL_GAIN_NONE) RILL_TRY(take_turn(timed, &turn, error));
    }
    if (!last && (round + 1 < LEAST_ROUNDS || (round + 1) % BETWEEN_LOOKS != 0)) continue;
    for (size_t i = 1; i < count; i++)
      if (all[i]->rounds == all[0]->rounds) RILL_TRY(find_gain(all[0], all[i], error));
    over = last || is_over(all, count, fine);
  }
  return RILL_OK;
}
