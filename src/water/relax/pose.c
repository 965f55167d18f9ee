#include "water/relax/pose.h"

#include <math.h>

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void scale_to_unit(double v[], int n) {
  double square = 0, inverse;
  for (int k = 0; k < n; k++) square += v[k] * v[k];
  inverse = 1 / sqrt(square);
  for (int k = 0; k < n; k++) v[k] *= inverse;
}

/* v rotated by the unit quaternion q: v + 2 w (u x v) + 2 u x (u x v). */
static void rotate(const double q[4], const double v[3], double out[3]) {
  const double t[3] = {2 * (q[2] * v[2] - q[3] * v[1]), 2 * (q[3] * v[0] - q[1] * v[2]),
                       2 * (q[1] * v[1] - q[2] * v[0])};
  out[0] = v[0] + q[0] * t[0] + (q[2] * t[2] - q[3] * t[1]);
  out[1] = v[1] + q[0] * t[1] + (q[3] * t[0] - q[1] * t[2]);
  out[2] = v[2] + q[0] * t[2] + (q[1] * t[1] - q[2] * t[0]);
}

struct rill_water_shape rill_water_shape_of(const struct rill_water_model *model) {
  /* O at the origin; H1 and H2 at the bonds' lengths from it, H1 to H2 along y. */
  const double a = model->bond[0], b = model->bond[1], half = model->bond[2] / 2;
  const double foot = (a * a - b * b) / (4 * half); /* 0 for equal bonds */
  const double height = sqrt(a * a - (half + foot) * (half + foot));
  struct rill_water_shape shape = {.site = {{0, 0, 0}, {height, -half - foot, 0}, {height, half - foot, 0}}};
  double mass = 0, centre[3] = {0}, square = 0;
  for (int atom = 0; atom < RILL_ATOMS; atom++) {
    mass += model->mass[atom];
    for (int c = 0; c < 3; c++) centre[c] += model->mass[atom] * shape.site[atom][c];
  }
  for (int atom = 0; atom < RILL_ATOMS; atom++) {
    for (int c = 0; c < 3; c++) shape.site[atom][c] -= centre[c] / mass;
    square += dot(shape.site[atom], shape.site[atom]);
  }
  shape.length = sqrt(square / RILL_ATOMS);
  return shape;
}

/* The quaternion of the rotation whose columns are the orthonormal x, y, z, computed from the largest of its four
 * components, so that no division is by a small number (Shepperd 1978). */
static void quaternion_from_axes(const double x[3], const double y[3], const double z[3], double q[4]) {
  const double trace = x[0] + y[1] + z[2];
  /* 4 q_k^2 */
  const double square[4] = {1 + trace, 1 + 2 * x[0] - trace, 1 + 2 * y[1] - trace, 1 + 2 * z[2] - trace};
  int largest = 0;
  for (int k = 1; k < 4; k++)
    if (square[k] > square[largest]) largest = k;
  /* rows of 4 q_i q_j */
  const double products[4][4] = {{square[0], y[2] - z[1], z[0] - x[2], x[1] - y[0]},
                                 {y[2] - z[1], square[1], x[1] + y[0], z[0] + x[2]},
                                 {z[0] - x[2], x[1] + y[0], square[2], y[2] + z[1]},
                                 {x[1] - y[0], z[0] + x[2], y[2] + z[1], square[3]}};
  for (int k = 0; k < 4; k++) q[k] = products[largest][k];
  scale_to_unit(q, 4);
}

struct rill_pose rill_pose_from_atoms(const struct rill_water_shape *shape, const double *atoms) {
  const double *oxygen = atoms, *h1 = atoms + 3, *h2 = atoms + 6;
  struct rill_pose pose;
  double x[3], y[3], z[3], arm[3], along;
  for (int c = 0; c < 3; c++) {
    x[c] = h1[c] - oxygen[c];
    y[c] = h2[c] - h1[c];
  }
  scale_to_unit(y, 3);
  along = dot(x, y);
  for (int c = 0; c < 3; c++) x[c] -= along * y[c];
  scale_to_unit(x, 3);
  z[0] = x[1] * y[2] - x[2] * y[1];
  z[1] = x[2] * y[0] - x[0] * y[2];
  z[2] = x[0] * y[1] - x[1] * y[0];
  quaternion_from_axes(x, y, z, pose.orientation);
  rotate(pose.orientation, shape->site[0], arm);
  for (int c = 0; c < 3; c++) pose.centre[c] = oxygen[c] - arm[c];
  return pose;
}

void rill_pose_to_atoms(const struct rill_water_shape *shape, const struct rill_pose *pose, double *atoms) {
  for (int atom = 0; atom < RILL_ATOMS; atom++) {
    double arm[3];
    rotate(pose->orientation, shape->site[atom], arm);
    for (int c = 0; c < 3; c++) atoms[3 * atom + c] = pose->centre[c] + arm[c];
  }
}

struct rill_pose rill_pose_random(const double centre[3], const double u[3]) {
  static const double turn = 2 * 3.14159265358979323846;
  const double inner = sqrt(1 - u[0]), outer = sqrt(u[0]);
  return (struct rill_pose){.centre = {centre[0], centre[1], centre[2]},
                            .orientation = {inner * sin(turn * u[1]), inner * cos(turn * u[1]),
                                            outer * sin(turn * u[2]), outer * cos(turn * u[2])}};
}

struct rill_pose rill_pose_step(const struct rill_pose *pose, const double displacement[3],
                                const double rotation[3]) {
  const double angle = sqrt(dot(rotation, rotation)), *q = pose->orientation;
  const double half_sine = angle > 1e-4 ? sin(angle / 2) / angle : 0.5 - angle * angle / 48; /* next term: 1e-20 */
  const double w = cos(angle / 2), u[3] = {half_sine * rotation[0], half_sine * rotation[1], half_sine * rotation[2]};
  struct rill_pose to;
  for (int c = 0; c < 3; c++) to.centre[c] = pose->centre[c] + displacement[c];
  to.orientation[0] = w * q[0] - u[0] * q[1] - u[1] * q[2] - u[2] * q[3];
  to.orientation[1] = w * q[1] + u[0] * q[0] + u[1] * q[3] - u[2] * q[2];
  to.orientation[2] = w * q[2] + u[1] * q[0] + u[2] * q[1] - u[0] * q[3];
  to.orientation[3] = w * q[3] + u[2] * q[0] + u[0] * q[2] - u[1] * q[1];
  scale_to_unit(to.orientation, 4);
  return to;
}
