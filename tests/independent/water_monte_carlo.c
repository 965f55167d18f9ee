/* Seven waters at kT = 0.02 kcal/mol by Metropolis Monte Carlo, which knows no time step, no integrator and no
 * constraint solver: canonical means and O-O distances of rigid molecules, and of molecules whose bonds are the
 * springs (w^2 / 2) (|r|^2 - L^2)^2.  It shares no code with rill.
 *
 *   cc -O2 -march=native water_monte_carlo.c -lm -o mc && ./mc START w sweeps seed > histogram
 *
 * START: the number of molecules, then nine coordinates (O, H, H; A) of each.  w 0: rigid.  Means go to stderr, with
 * errors from 20 blocks. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 7, BINS = 200, BLOCKS = 20 };
static const double kt = 0.02, coulomb = 332.0637, lj_a = 582000, lj_c = 595, charge[3] = {-0.834, 0.417, 0.417},
                    width = 0.05;
static double x[N][3][3], w, bond[3];
static const int ends[3][2] = {{0, 1}, {0, 2}, {1, 2}};

static uint64_t s;
static double uniform(void) { /* xorshift64* */
  s ^= s >> 12, s ^= s << 25, s ^= s >> 27;
  return (double)((s * UINT64_C(2685821657736338717)) >> 11) * 0x1p-53;
}

static double square(const double *a, const double *b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

static double pair(double (*a)[3], double (*b)[3]) {
  double e, r2 = square(a[0], b[0]), r6 = 1 / (r2 * r2 * r2);
  e = lj_a * r6 * r6 - lj_c * r6;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) e += coulomb * charge[i] * charge[j] / sqrt(square(a[i], b[j]));
  return e;
}

static double springs(double (*a)[3]) {
  double e = 0;
  for (int b = 0; b < 3; b++) {
    double g = square(a[ends[b][0]], a[ends[b][1]]) - bond[b] * bond[b];
    e += 0.5 * w * w * g * g;
  }
  return e;
}

int main(int count, char **arguments) {
  static double v[N][N], spring[N], histogram[BINS], sum[BLOCKS][4];
  const long sweeps = count == 5 ? atol(arguments[3]) : 0, skip = sweeps / 20;
  double shift = 0.03, turn = 0.06, wiggle = 0.02;
  int molecules;
  long tried[2] = {0}, taken[2] = {0}, samples = 0;
  FILE *file = count == 5 ? fopen(arguments[1], "r") : NULL;
  if (file == NULL) return fprintf(stderr, "mc START w sweeps seed\n"), 2;
  if (fscanf(file, "%d", &molecules) != 1 || molecules != N) return 2;
  for (int k = 0; k < 9 * N; k++)
    if (fscanf(file, "%lf", &x[k / 9][k / 3 % 3][k % 3]) != 1) return 2;
  w = atof(arguments[2]), s = strtoull(arguments[4], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15) + 1;
  bond[0] = bond[1] = 0.9572, bond[2] = 2 * 0.9572 * sin(0.5 * 104.52 * acos(-1.0) / 180);
  for (int i = 0; i < N; i++) {
    spring[i] = w > 0 ? springs(x[i]) : 0;
    for (int j = 0; j < N; j++) v[i][j] = i == j ? 0 : pair(x[i], x[j]);
  }
  for (long sweep = -skip; sweep < sweeps; sweep++) {
    for (int move = 0; move < (w > 0 ? 3 * N : N); move++) {
      const int m = (int)(N * uniform()), atoms = w > 0 && uniform() < 0.7;
      double y[3][3], e[N] = {0}, own = 0, change = 0;
      memcpy(y, x[m], sizeof y);
      if (atoms) {
        for (int a = 0; a < 3; a++)
          for (int c = 0; c < 3; c++) y[a][c] += wiggle * (uniform() - 0.5);
      } else {
        double d[3], q[4], size = 1, r[9];
        q[0] = 1;
        for (int c = 0; c < 3; c++)
          d[c] = shift * (uniform() - 0.5), q[c + 1] = turn * (uniform() - 0.5), size += q[c + 1] * q[c + 1];
        for (int c = 0; c < 4; c++) q[c] /= sqrt(size);
        r[0] = 1 - 2 * (q[2] * q[2] + q[3] * q[3]), r[1] = 2 * (q[1] * q[2] - q[0] * q[3]),
        r[2] = 2 * (q[1] * q[3] + q[0] * q[2]);
        r[3] = 2 * (q[1] * q[2] + q[0] * q[3]), r[4] = 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
        r[5] = 2 * (q[2] * q[3] - q[0] * q[1]);
        r[6] = 2 * (q[1] * q[3] - q[0] * q[2]), r[7] = 2 * (q[2] * q[3] + q[0] * q[1]),
        r[8] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
        for (int a = 1; a < 3; a++)
          for (int c = 0; c < 3; c++) {
            y[a][c] = x[m][0][c];
            for (int k = 0; k < 3; k++) y[a][c] += r[3 * c + k] * (x[m][a][k] - x[m][0][k]);
          }
        for (int a = 0; a < 3; a++)
          for (int c = 0; c < 3; c++) y[a][c] += d[c];
      }
      for (int j = 0; j < N; j++)
        if (j != m) change += (e[j] = pair(y, x[j])) - v[m][j];
      if (w > 0) change += (own = springs(y)) - spring[m];
      tried[atoms]++;
      if (change > 0 && uniform() >= exp(-change / kt)) continue;
      taken[atoms]++;
      memcpy(x[m], y, sizeof y);
      spring[m] = own;
      for (int j = 0; j < N; j++)
        if (j != m) v[m][j] = v[j][m] = e[j];
    }
    if (sweep < 0) { /* acceptance about a third */
      if (sweep % 200 == 0) {
        double rate = (double)taken[0] / (double)(tried[0] + 1), rate1 = (double)taken[1] / (double)(tried[1] + 1);
        shift *= rate > 0.35 ? 1.05 : 0.95, turn *= rate > 0.35 ? 1.05 : 0.95, wiggle *= rate1 > 0.3 ? 1.05 : 0.95;
        memset(tried, 0, sizeof tried), memset(taken, 0, sizeof taken);
      }
      continue;
    }
    if (sweep % 2 != 0) continue;
    double *b = sum[sweep * BLOCKS / sweeps], soft = 0, distance = 0, error = 0;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < i; j++) {
        double r = sqrt(square(x[i][0], x[j][0]));
        soft += v[i][j], distance += r / 21;
        if (r < BINS * width) histogram[(int)(r / width)]++;
      }
    for (int i = 0; i < N; i++)
      for (int k = 0; k < 3; k++)
        error += pow(sqrt(square(x[i][ends[k][0]], x[i][ends[k][1]])) / bond[k] - 1, 2) / (3 * N);
    b[0] += soft, b[1] += distance, b[2] += error, b[3]++;
    samples++;
  }
  for (int k = 0; k < 3; k++) {
    static const char *const names[3] = {"mean of V0", "mean O-O distance", "mean squared relative bond error"};
    double mean = 0, squares = 0;
    for (int i = 0; i < BLOCKS; i++) mean += sum[i][k] / sum[i][3] / BLOCKS;
    for (int i = 0; i < BLOCKS; i++) squares += pow(sum[i][k] / sum[i][3] - mean, 2);
    fprintf(stderr, "%s: %.8g +- %.2g\n", names[k], mean, sqrt(squares / (BLOCKS * (BLOCKS - 1))));
    if (k == 2 && w > 0) fprintf(stderr, "rms relative bond error: %.6g\n", sqrt(mean));
  }
  fprintf(stderr, "acceptance %.2f %.2f\n", (double)taken[0] / (double)(tried[0] + 1),
          (double)taken[1] / (double)(tried[1] + 1));
  for (int i = 0; i < BINS; i++)
    printf("%.4f %.9g\n", (i + 0.5) * width, histogram[i] / (21 * width * (double)samples));
  return 0;
}
