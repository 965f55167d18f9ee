#include "water/relax/network.h"

#include <math.h>
#include <string.h>

static const double bond_length = 0.245;       /* nm, H to O */
static const double neighbour_distance = 0.35; /* nm, O to O */

static double square(const double *a, const double *b) {
  double sum = 0;
  for (int c = 0; c < 3; c++) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

/* Returns the molecule whose oxygen accepts the hydrogen's bond; `molecules` if there is none. */
static size_t acceptor(const double *atoms, size_t molecules, size_t donor, int hydrogen) {
  size_t found = molecules;
  double nearest = bond_length * bond_length;
  for (size_t m = 0; m < molecules; m++) {
    const double distance = square(atoms + 9 * donor + 3 * hydrogen, atoms + 9 * m);
    if (m == donor || distance >= nearest) continue;
    nearest = distance;
    found = m;
  }
  return found;
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Rotates a molecule about its bond to the other hydrogen until `hydrogen` is as near as possible to the direction of
 * target. */
static void turn_towards(double *molecule, int hydrogen, const double *target) {
  const int kept = 3 - hydrogen;
  double axis[3], from[3], to[3], cross[3], arm[3], length, angle;
  for (int c = 0; c < 3; c++) {
    axis[c] = molecule[3 * kept + c] - molecule[c];
    arm[c] = molecule[3 * hydrogen + c] - molecule[c];
    to[c] = target[c] - molecule[c];
  }
  length = sqrt(dot(axis, axis));
  for (int c = 0; c < 3; c++) axis[c] /= length;
  for (int c = 0; c < 3; c++) from[c] = arm[c] - dot(axis, arm) * axis[c];
  for (int c = 0; c < 3; c++) cross[c] = from[(c + 1) % 3] * to[(c + 2) % 3] - from[(c + 2) % 3] * to[(c + 1) % 3];
  angle = atan2(dot(cross, axis), dot(from, to));
  for (int c = 0; c < 3; c++) {
    const double across = axis[(c + 1) % 3] * arm[(c + 2) % 3] - axis[(c + 2) % 3] * arm[(c + 1) % 3];
    molecule[3 * hydrogen + c] =
        molecule[c] + cos(angle) * arm[c] + sin(angle) * across + (1 - cos(angle)) * dot(axis, arm) * axis[c];
  }
}

bool rill_network_reverse_ring(const struct rill_noise *noise, uint64_t step, uint32_t use, size_t molecules,
                               double *atoms) {
  size_t path[RILL_NETWORK_MOST], met[RILL_NETWORK_MOST], length = 0, first, at;
  int donated[RILL_NETWORK_MOST];
  double oxygen[RILL_NETWORK_MOST][3], u[4];
  for (size_t m = 0; m < molecules; m++) {
    met[m] = molecules;
    memcpy(oxygen[m], atoms + 9 * m, sizeof oxygen[m]);
  }
  rill_noise_uniform(noise, step, 0, use, u);
  at = (size_t)(u[0] * (double)molecules);
  while (met[at] == molecules) {
    size_t next;
    rill_noise_uniform(noise, step, (uint32_t)length + 1, use, u);
    donated[length] = u[0] < 0.5 ? 1 : 2;
    next = acceptor(atoms, molecules, at, donated[length]);
    if (next == molecules) {
      donated[length] = 3 - donated[length];
      next = acceptor(atoms, molecules, at, donated[length]);
    }
    if (next == molecules) return false;
    met[at] = length;
    path[length++] = at;
    at = next;
  }
  first = met[at];
  for (size_t k = first; k < length; k++)
    turn_towards(atoms + 9 * path[k], donated[k], oxygen[path[k == first ? length - 1 : k - 1]]);
  return true;
}

size_t rill_network_loosest(const double *atoms, size_t molecules, const double u[3]) {
  size_t loosest = 0, fewest = molecules;
  for (int i = 0; i < 3; i++) {
    const size_t m = (size_t)(u[i] * (double)molecules);
    size_t neighbours = 0;
    for (size_t k = 0; k < molecules; k++)
      neighbours += k != m && square(atoms + 9 * m, atoms + 9 * k) < neighbour_distance * neighbour_distance;
    if (neighbours >= fewest) continue;
    fewest = neighbours;
    loosest = m;
  }
  return loosest;
}
