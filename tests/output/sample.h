/* A trajectory whose every number is known: positions that single precision holds exactly, so that a reader in any
 * language can compare for equality.  read_back.py has the same formulas. */
#ifndef RILL_TESTS_OUTPUT_SAMPLE_H
#define RILL_TESTS_OUTPUT_SAMPLE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "output/trajectory.h"

enum { SAMPLE_MOLECULES = 7, SAMPLE_NUMBERS = 9 * SAMPLE_MOLECULES };

static inline double sample_position(size_t frame, size_t i) {
  return (double)(frame % 4096) / 1024.0 + (double)i / 64.0;
}
static inline double sample_velocity(size_t frame, size_t i) {
  return (double)i / 32.0 - (double)(frame % 4096) / 512.0;
}
static inline double sample_edge(size_t frame, size_t i) {
  return i % 4 == 0 ? 2.5 + (double)i / 8.0 + (double)frame / 1024.0 : 0.0;
}
/* Steps past 2^32 (E09), and a time that would show a sum of steps or single precision (E11). */
static inline uint64_t sample_step(size_t frame) { return UINT64_C(4294967290) + 50 * (uint64_t)frame; }
static inline double sample_time(size_t frame) { return (double)sample_step(frame) * 0.002; }

struct sample {
  double positions[SAMPLE_NUMBERS], velocities[SAMPLE_NUMBERS], box[9];
  struct rill_trajectory_frame frame;
};

static inline const struct rill_trajectory_frame *sample_frame(struct sample *sample, size_t frame) {
  for (size_t i = 0; i < SAMPLE_NUMBERS; i++) {
    sample->positions[i] = sample_position(frame, i);
    sample->velocities[i] = sample_velocity(frame, i);
  }
  for (size_t i = 0; i < 9; i++) sample->box[i] = sample_edge(frame, i);
  sample->frame.step = sample_step(frame);
  sample->frame.time = sample_time(frame);
  sample->frame.positions = sample->positions;
  sample->frame.velocities = sample->velocities;
  sample->frame.box = sample->box;
  return &sample->frame;
}

static const double sample_mass[3] = {15.9994, 1.008, 1.008}, sample_charge[3] = {-0.834, 0.417, 0.417};

static inline struct rill_trajectory_header sample_header(void) {
  return (struct rill_trajectory_header){.molecules = SAMPLE_MOLECULES,
                                         .mass = sample_mass,
                                         .charge = sample_charge,
                                         .version = "1.2.3",
                                         .deck = "[system]\nkind = water\n",
                                         .seed = UINT64_C(18446744073709551557),
                                         .degrees_of_freedom = 36,
                                         .step = 0.002};
}

#endif
