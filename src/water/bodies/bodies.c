#include "water/bodies/bodies.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "config.h"
#include "numerics/quaternion.h"
#include "numerics/so3.h"

const struct rill_body_table *rill_body_table(enum rill_isa isa) {
  switch (isa) {
#ifdef RILL_HAVE_NEON
  case RILL_ISA_NEON: return &rill_bodies_neon;
#endif
#ifdef RILL_HAVE_X86_VECTORS
  case RILL_ISA_AVX2: return &rill_bodies_avx2;
  case RILL_ISA_AVX512:
  case RILL_ISA_AVX512VL: return &rill_bodies_avx512;
#endif
  default: return &rill_bodies_portable;
  }
}

/* ---- the molecule ---- */

/* The triangle is placed in a plane with the hydrogens on both sides of the axis through the oxygen, moved to its
 * centre of mass, and rotated so that the inertia is diagonal.  With two equal hydrogens the rotation is the
 * identity. */
enum rill_status rill_body_create(const struct rill_water_model *model, enum rill_rotor rotor, struct rill_body *body,
                                  struct rill_error *error) {
  const double a = model->bond[0], b = model->bond[1], c = model->bond[2];
  const double half = 0.5 * c, foot = (b * b - a * a) / (2 * c); /* oxygen to H1-H2; foot to middle */
  const double height2 = a * a - (foot - half) * (foot - half);
  double at[RILL_ATOMS][2] = {{foot, -sqrt(height2)}, {half, 0}, {-half, 0}}, centre[2] = {0}, xx = 0, zz = 0, xz = 0,
         turn;
  *body = (struct rill_body){.rotor = rotor};
  for (int i = 0; i < RILL_ATOMS; i++) {
    if (!(model->mass[i] > 0))
      return rill_error_set(error, RILL_ERROR_INPUT, "atom %d of model %s has mass %g u; masses must be positive", i,
                            model->name, model->mass[i]);
    body->atom_mass[i] = model->mass[i];
    body->mass += model->mass[i];
  }
  if (!(height2 > 1e-6 * a * a))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "the atoms of model %s (%g, %g, %g nm) are collinear: no rigid body", model->name, a, b, c);
  for (int i = 0; i < RILL_ATOMS; i++)
    for (int k = 0; k < 2; k++) centre[k] += model->mass[i] * at[i][k] / body->mass;
  for (int i = 0; i < RILL_ATOMS; i++) {
    for (int k = 0; k < 2; k++) at[i][k] -= centre[k];
    xx += model->mass[i] * at[i][0] * at[i][0];
    zz += model->mass[i] * at[i][1] * at[i][1];
    xz += model->mass[i] * at[i][0] * at[i][1];
  }
  turn = fabs(xz) > 1e-15 * (xx + zz) ? 0.5 * atan2(2 * xz, xx - zz) : 0;
  for (int i = 0; i < RILL_ATOMS; i++) {
    body->site[i][0] = cos(turn) * at[i][0] + sin(turn) * at[i][1];
    body->site[i][1] = cos(turn) * at[i][1] - sin(turn) * at[i][0];
    body->inertia[0] += model->mass[i] * body->site[i][1] * body->site[i][1];
    body->inertia[2] += model->mass[i] * body->site[i][0] * body->site[i][0];
  }
  body->inertia[1] = body->inertia[0] + body->inertia[2];
  body->inverse_mass = 1 / body->mass;
  for (int k = 0; k < 3; k++) body->inverse_inertia[k] = 1 / body->inertia[k];
  return RILL_OK;
}

/* ---- bodies of atoms ---- */

/* The quaternion of the rotation matrix with these columns, computed from its largest component first. */
static void quaternion_of(const double x[3], const double y[3], const double z[3], double a[4]) {
  const double rotation[9] = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
  double v[3], angle, scale;
  rill_so3_log(rotation, v);
  angle = sqrt(rill_dot3(v, v));
  scale = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
  a[0] = cos(0.5 * angle);
  for (int k = 0; k < 3; k++) a[k + 1] = scale * v[k];
  rill_quaternion_normalise(a);
}

/* Within the plane of the atoms, e_x maximises e_x.A + e_z.B with e_z = e_x x e_y, that is e_x.(A + e_y x B). */
static void adopt_one(const struct rill_body *body, const double q[RILL_ATOMS][3], const double v[RILL_ATOMS][3],
                      double centre[3], double momentum[3], double attitude[4], double spin[3]) {
  double r[2][3], axis[3][3], a[3] = {0}, b[3] = {0}, length, about[3] = {0};
  for (int c = 0; c < 3; c++) {
    centre[c] = momentum[c] = 0;
    for (int i = 0; i < RILL_ATOMS; i++) {
      centre[c] += body->atom_mass[i] * body->inverse_mass * q[i][c];
      momentum[c] += body->atom_mass[i] * v[i][c];
      a[c] += body->atom_mass[i] * body->site[i][0] * (q[i][c] - q[0][c]);
      b[c] += body->atom_mass[i] * body->site[i][1] * (q[i][c] - q[0][c]);
    }
    for (int i = 0; i < 2; i++) r[i][c] = q[i + 1][c] - q[0][c];
  }
  rill_cross3(r[1], r[0], axis[1]);
  length = sqrt(rill_dot3(axis[1], axis[1]));
  for (int c = 0; c < 3; c++) axis[1][c] /= length;
  rill_cross3(axis[1], b, axis[0]);
  for (int c = 0; c < 3; c++) axis[0][c] += a[c];
  length = sqrt(rill_dot3(axis[0], axis[0]));
  for (int c = 0; c < 3; c++) axis[0][c] /= length;
  rill_cross3(axis[0], axis[1], axis[2]);
  quaternion_of(axis[0], axis[1], axis[2], attitude);
  for (int i = 0; i < RILL_ATOMS; i++) {
    double s[3], l[3];
    for (int c = 0; c < 3; c++) s[c] = body->site[i][0] * axis[0][c] + body->site[i][1] * axis[2][c];
    rill_cross3(s, v[i], l);
    for (int c = 0; c < 3; c++) about[c] += body->atom_mass[i] * l[c];
  }
  for (int k = 0; k < 3; k++) spin[k] = rill_dot3(axis[k], about);
}

void rill_bodies_adopt(const struct rill_body *body, struct rill_range range, struct rill_columns atoms,
                       struct rill_bodies x) {
  for (size_t m = range.first; m < range.last; m++) {
    double q[RILL_ATOMS][3], v[RILL_ATOMS][3], centre[3], momentum[3], attitude[4], spin[3];
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      q[k / 3][k % 3] = atoms.q[k * atoms.stride + m];
      v[k / 3][k % 3] = atoms.v[k * atoms.stride + m];
    }
    adopt_one(body, q, v, centre, momentum, attitude, spin);
    for (size_t c = 0; c < 3; c++) {
      x.centre[c * x.stride + m] = centre[c];
      x.momentum[c * x.stride + m] = momentum[c];
      x.spin[c * x.stride + m] = spin[c];
    }
    for (size_t c = 0; c < 4; c++) x.attitude[c * x.stride + m] = attitude[c];
  }
}

double rill_bodies_deviation(struct rill_bodies x, size_t molecules) {
  double largest = 0;
  for (size_t m = 0; m < molecules; m++) {
    double norm2 = 0;
    for (size_t c = 0; c < 4; c++) norm2 += x.attitude[c * x.stride + m] * x.attitude[c * x.stride + m];
    largest = fmax(largest, fabs(norm2 - 1));
  }
  return largest;
}

/* ---- friction and noise ---- */

/* Gamma of one block: the sum over atoms of gamma j j^T, where j maps the block's components to the atom's
 * velocity. */
static void friction_of_block(const struct rill_body *body, int block, double gamma, double matrix[3][3]) {
  memset(matrix, 0, 9 * sizeof matrix[0][0]);
  for (int a = 0; a < RILL_ATOMS; a++) {
    const double x = body->site[a][0], z = body->site[a][1];
    const double in_plane[2][3] = {{1, 0, z}, {0, 1, -x}}, normal[3] = {1, -z, x};
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        matrix[i][k] += gamma * (block == 0 ? in_plane[0][i] * in_plane[0][k] + in_plane[1][i] * in_plane[1][k]
                                            : normal[i] * normal[k]);
  }
}

/* The blocks are (p_x, p_z, Pi_y) and (p_y, Pi_x, Pi_z). */
static bool is_spin(int block, int i) { return block == 0 ? i == 2 : i > 0; }

/* With K = M^-1/2 Gamma M^-1/2 = U diag(lambda) U^T: E = M^1/2 U e^(-lambda h) U^T M^-1/2, and S = M^1/2 U sqrt(k T
 * (1 - e^(-2 lambda h))). */
void rill_body_prepare_ou(const struct rill_body *body, bool uniform, double friction, double rotation_friction,
                          double temperature, double h, struct rill_body_ou *ou) {
  const double kt = RILL_GAS_CONSTANT * temperature, *j = body->inertia;
  const double mass[2][3] = {{body->mass, body->mass, j[1]}, {body->mass, j[0], j[2]}};
  ou->uniform = uniform;
  for (int block = 0; block < 2; block++) {
    double k[3][3], lambda[3], root[3];
    for (int i = 0; i < 3; i++) root[i] = sqrt(mass[block][i]);
    friction_of_block(body, block, friction, k);
    for (int i = 0; i < 3; i++)
      for (int l = 0; l < 3; l++) k[i][l] = uniform ? i == l : k[i][l] / (root[i] * root[l]);
    if (uniform)
      for (int i = 0; i < 3; i++)
        lambda[i] = is_spin(block, i) && rotation_friction > 0 ? rotation_friction : friction;
    else (void)LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', 3, &k[0][0], 3, lambda); /* k[e] now holds eigenvector e */
    for (int i = 0; i < 3; i++)
      for (int l = 0; l < 3; l++) {
        ou->decay[block][i][l] = 0;
        for (int e = 0; e < 3; e++)
          ou->decay[block][i][l] += root[i] * k[e][i] * exp(-lambda[e] * h) * k[e][l] / root[l];
        ou->amplitude[block][i][l] = root[i] * k[l][i] * sqrt(-expm1(-2 * lambda[l] * h) * kt);
      }
  }
  /* one number for both, which the sums above round differently */
  if (uniform && !(rotation_friction > 0)) ou->decay[1][1][1] = ou->decay[0][0][0];
}
