#include "ensemble/exchange.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { NO_END, BOTTOM, TOP };

static size_t replicas(const struct rill_exchange *exchange) { return exchange->ladders * exchange->rungs; }

static void note_ends(struct rill_exchange *exchange, size_t replica) {
  const size_t rung = exchange->rung[replica];
  if (rung == 0) {
    exchange->trips[replica] += exchange->end[replica] == TOP;
    exchange->end[replica] = BOTTOM;
  } else if (rung == exchange->rungs - 1 && exchange->end[replica] != NO_END) {
    exchange->end[replica] = TOP;
  }
}

enum rill_status rill_exchange_create(size_t ladders, size_t rungs, const double *beta, uint64_t seed,
                                      struct rill_exchange *exchange, struct rill_error *error) {
  const size_t count = ladders * rungs;
  *exchange = (struct rill_exchange){
      .ladders = ladders, .rungs = rungs, .noise = rill_noise_create(seed, RILL_STREAM_EXCHANGE)};
  exchange->beta = rill_allocate(rungs, sizeof *exchange->beta);
  exchange->rung = rill_allocate(count, sizeof *exchange->rung);
  exchange->tried = rill_allocate(count, sizeof *exchange->tried);
  exchange->accepted = rill_allocate(count, sizeof *exchange->accepted);
  exchange->probability = rill_allocate(rungs, sizeof *exchange->probability);
  exchange->end = rill_allocate(count, sizeof *exchange->end);
  exchange->trips = rill_allocate(count, sizeof *exchange->trips);
  exchange->upward = rill_allocate(rungs, sizeof *exchange->upward);
  exchange->downward = rill_allocate(rungs, sizeof *exchange->downward);
  exchange->visits = rill_allocate(count * rungs, sizeof *exchange->visits);
  if (exchange->beta == NULL || exchange->rung == NULL || exchange->tried == NULL || exchange->accepted == NULL ||
      exchange->probability == NULL || exchange->end == NULL || exchange->trips == NULL || exchange->upward == NULL ||
      exchange->downward == NULL || exchange->visits == NULL) {
    rill_exchange_release(exchange);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the exchange of %zu replicas", count);
  }
  memcpy(exchange->beta, beta, rungs * sizeof *beta);
  for (size_t r = 0; r < count; r++) {
    exchange->rung[r] = r % rungs;
    note_ends(exchange, r);
  }
  return RILL_OK;
}

size_t rill_exchange_holder(const struct rill_exchange *exchange, size_t ladder, size_t rung) {
  size_t replica = ladder * exchange->rungs;
  while (exchange->rung[replica] != rung) replica++;
  return replica;
}

/* Returns the probability of exchanging the replicas at rung and rung + 1, having tried. */
static double try_pair(struct rill_exchange *exchange, uint64_t attempt, size_t ladder, size_t rung,
                       const double *potential) {
  const size_t low = rill_exchange_holder(exchange, ladder, rung),
               high = rill_exchange_holder(exchange, ladder, rung + 1), pair = ladder * exchange->rungs + rung;
  const double exponent = (exchange->beta[rung] - exchange->beta[rung + 1]) * (potential[low] - potential[high]);
  const double probability = exponent >= 0 ? 1 : exp(exponent);
  double uniform[4];
  rill_noise_uniform(&exchange->noise, attempt, (uint32_t)ladder, (uint32_t)rung, uniform);
  exchange->tried[pair]++;
  if (uniform[0] < probability) {
    exchange->accepted[pair]++;
    exchange->rung[low] = rung + 1;
    exchange->rung[high] = rung;
  }
  return probability;
}

static void note_walks(struct rill_exchange *exchange) {
  for (size_t r = 0; r < replicas(exchange); r++) {
    const size_t rung = exchange->rung[r];
    note_ends(exchange, r);
    exchange->visits[r * exchange->rungs + rung]++;
    exchange->upward[rung] += exchange->end[r] == BOTTOM;
    exchange->downward[rung] += exchange->end[r] == TOP;
  }
}

void rill_exchange_attempt(struct rill_exchange *exchange, uint64_t attempt, const double *potential) {
  for (size_t rung = attempt % 2; rung + 1 < exchange->rungs; rung += 2) {
    double sum = 0;
    for (size_t ladder = 0; ladder < exchange->ladders; ladder++)
      sum += try_pair(exchange, attempt, ladder, rung, potential);
    rill_average_add(&exchange->probability[rung], sum / (double)exchange->ladders);
  }
  note_walks(exchange);
  exchange->attempts++;
}

uint64_t rill_exchange_round_trips(const struct rill_exchange *exchange) {
  uint64_t trips = 0;
  for (size_t r = 0; r < replicas(exchange); r++) trips += exchange->trips[r];
  return trips;
}

/* ---- resuming ---- */

static void check_permutation(struct rill_exchange *exchange, struct rill_archive *archive) {
  for (size_t ladder = 0; ladder < exchange->ladders; ladder++)
    for (size_t rung = 0; rung < exchange->rungs; rung++) {
      size_t holders = 0;
      for (size_t k = 0; k < exchange->rungs; k++) holders += exchange->rung[ladder * exchange->rungs + k] == rung;
      if (holders == 1) continue;
      rill_archive_fail(archive, RILL_ERROR_INPUT, "rung %zu of ladder %zu has %zu replicas instead of one", rung,
                        ladder, holders);
      return;
    }
}

void rill_exchange_archive(struct rill_exchange *exchange, struct rill_archive *archive) {
  const size_t count = replicas(exchange);
  char name[32];
  uint64_t *rung = rill_allocate(count, sizeof *rung);
  if (rung == NULL) {
    rill_archive_fail(archive, RILL_ERROR_MEMORY, "no memory for the rungs");
    return;
  }
  for (size_t r = 0; r < count; r++) rung[r] = exchange->rung[r];
  rill_archive_integers(archive, "attempts", &exchange->attempts, 1);
  rill_archive_integers(archive, "last", &exchange->last, 1);
  rill_archive_integers(archive, "rung", rung, count);
  rill_archive_integers(archive, "tried", exchange->tried, count);
  rill_archive_integers(archive, "accepted", exchange->accepted, count);
  rill_archive_integers(archive, "end", exchange->end, count);
  rill_archive_integers(archive, "trips", exchange->trips, count);
  rill_archive_integers(archive, "upward", exchange->upward, exchange->rungs);
  rill_archive_integers(archive, "downward", exchange->downward, exchange->rungs);
  rill_archive_integers(archive, "visits", exchange->visits, count * exchange->rungs);
  for (size_t i = 0; i + 1 < exchange->rungs; i++) {
    snprintf(name, sizeof name, "pair-%zu", i);
    rill_archive_enter(archive, name);
    rill_average_archive(&exchange->probability[i], archive);
    rill_archive_leave(archive);
  }
  for (size_t r = 0; r < count; r++) exchange->rung[r] = (size_t)rung[r];
  rill_release(rung);
  if (archive->reading && archive->status == RILL_OK) check_permutation(exchange, archive);
}

void rill_exchange_release(struct rill_exchange *exchange) {
  rill_release(exchange->beta);
  rill_release(exchange->rung);
  rill_release(exchange->tried);
  rill_release(exchange->accepted);
  rill_release(exchange->probability);
  rill_release(exchange->end);
  rill_release(exchange->trips);
  rill_release(exchange->upward);
  rill_release(exchange->downward);
  rill_release(exchange->visits);
  *exchange = (struct rill_exchange){0};
}
