#include "parallel/bricks.h"

#include <math.h>

static bool is_long_enough(double edge, int count, double reach) {
  return count == 1 || edge / count >= (count == 2 ? 2.0 : 1.0) * reach;
}

static bool divide(const double edge[3], double reach, int ranks, struct rill_bricks *bricks) {
  double least = INFINITY;
  for (int a = ranks; a >= 1; a--)
    for (int b = ranks / a; ranks % a == 0 && b >= 1; b--) {
      const int count[3] = {a, b, ranks / a / b};
      double imported = 1.0, own = 1.0;
      bool fits = ranks / a % b == 0;
      for (int c = 0; c < 3; c++) {
        fits &= is_long_enough(edge[c], count[c], reach);
        own *= edge[c] / count[c];
        imported *= edge[c] / count[c] + (count[c] > 1 ? reach : 0.0);
      }
      if (!fits || !(imported - own < least * (1.0 - 1e-9))) continue;
      least = imported - own;
      for (int c = 0; c < 3; c++) bricks->count[c] = count[c];
    }
  return least < INFINITY;
}

bool rill_bricks_divide(const double edge[3], double reach, int ranks, struct rill_bricks *bricks, int *most) {
  *most = ranks;
  if (divide(edge, reach, ranks, bricks)) return true;
  do --*most;
  while (!divide(edge, reach, *most, bricks));
  return false;
}

bool rill_bricks_fit(const struct rill_bricks *bricks, const double edge[3], double reach) {
  bool fits = true;
  for (int c = 0; c < 3; c++) fits &= is_long_enough(edge[c], bricks->count[c], reach);
  return fits;
}

void rill_bricks_place(const struct rill_bricks *bricks, int rank, int place[3]) {
  place[2] = rank % bricks->count[2];
  place[1] = rank / bricks->count[2] % bricks->count[1];
  place[0] = rank / bricks->count[2] / bricks->count[1];
}

int rill_bricks_rank(const struct rill_bricks *bricks, const int place[3]) {
  int rank = 0;
  for (int c = 0; c < 3; c++) rank = rank * bricks->count[c] + (place[c] + bricks->count[c]) % bricks->count[c];
  return rank;
}
