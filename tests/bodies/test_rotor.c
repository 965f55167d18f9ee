/* The rotors of rigid-body water on one molecule: reference values, orders, what they conserve, symplecticity, and
 * mutants. */
#include "field_molecule.h"

static const enum rill_rotor rotors[] = {RILL_ROTOR_LGVI, RILL_ROTOR_AXES};

static void state_of(const struct field *m, double out[12]) {
  field_rotation(m, 0, out);
  for (size_t c = 0; c < 3; c++) out[9 + c] = m->x.centre[c * LANES];
}

/* Max-norm of (R, x) at 0.2 ps against `exact`. */
static double error_at(enum rill_rotor rotor, const char *method, double h, const double exact[12]) {
  struct field m;
  double state[12], error = 0;
  field_create(&m, rotor, rill_isa_best());
  field_run(&m, method, h, (size_t)lround(0.2 / h));
  state_of(&m, state);
  for (int i = 0; i < 12; i++) error = fmax(error, fabs(state[i] - exact[i]));
  return error;
}

static void exact_state(double exact[12]) {
  struct field m;
  field_create(&m, RILL_ROTOR_LGVI, rill_isa_best());
  field_run(&m, "yoshida8", 0.0005, 400);
  state_of(&m, exact);
  ck_assert_double_le(fabs(exact[9] - 0.014612554661), 1e-11);
  ck_assert_double_le(fabs(exact[11] + 0.020990914208), 1e-11);
  ck_assert_double_le(fabs(exact[5] - 0.078966801623), 1e-11);
  ck_assert_double_le(fabs(m.x.spin[0] - 0.072095991396), 1e-11);
}

/* Geometry, energy and errors of an independent program; its tolerances. */
START_TEST(reference_values) {
  static const struct {
    enum rill_rotor rotor;
    const char *method;
    double h, error, tolerance;
  } rows[] = {
      {RILL_ROTOR_LGVI, "verlet", 0.004, 0.003231, 6.5e-5},
      {RILL_ROTOR_LGVI, "verlet", 0.002, 0.0008026, 1.6e-5},
      {RILL_ROTOR_LGVI, "verlet", 0.001, 0.0002003, 4e-6},
      {RILL_ROTOR_LGVI, "verlet", 0.0005, 5.007e-5, 1e-6},
      {RILL_ROTOR_AXES, "verlet", 0.004, 0.001856, 3.7e-5},
      {RILL_ROTOR_AXES, "verlet", 0.002, 0.0004615, 9.2e-6},
      {RILL_ROTOR_AXES, "verlet", 0.0005, 2.879e-5, 5.8e-7},
      {RILL_ROTOR_LGVI, "yoshida4", 0.004, 0.0001334, 2.7e-6},
      {RILL_ROTOR_LGVI, "yoshida4", 0.002, 8.156e-6, 1.6e-7},
      {RILL_ROTOR_LGVI, "yoshida4", 0.001, 5.07e-7, 1e-8},
      {RILL_ROTOR_LGVI, "yoshida4", 0.0005, 3.164e-8, 6.3e-10},
  };
  struct field m;
  double exact[12];
  field_create(&m, RILL_ROTOR_LGVI, rill_isa_best());
  ck_assert_double_le(fabs(m.body.inertia[0] - 0.0061456955), 1e-10);
  ck_assert_double_le(fabs(m.body.inertia[1] - 0.0176968472), 1e-10);
  ck_assert_double_le(fabs(m.body.inertia[2] - 0.0115511518), 1e-10);
  ck_assert_double_le(fabs(m.body.site[0][1] + 0.0065562722), 1e-10);
  ck_assert_double_le(fabs(m.body.site[1][0] - 0.0756950327), 1e-10);
  ck_assert_double_le(fabs(m.body.site[1][1] - 0.0520319554), 1e-10);
  ck_assert_double_le(fabs(field_energy(&m) - 3.579657643661), 1e-9);
  exact_state(exact);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    double error = error_at(rows[i].rotor, rows[i].method, rows[i].h, exact);
    ck_assert_msg(fabs(error - rows[i].error) <= rows[i].tolerance, "%s, h = %g: error %.4g, expected %.4g",
                  rows[i].method, rows[i].h, error, rows[i].error);
  }
}
END_TEST

/* Both rotors, orders 2 and 4: a halving divides the error by 4 and 16 within 5 %. */
START_TEST(orders) {
  double exact[12];
  exact_state(exact);
  for (int r = 0; r < 2; r++) {
    ck_assert_double_le(
        fabs(error_at(rotors[r], "verlet", 0.001, exact) / error_at(rotors[r], "verlet", 0.0005, exact) - 4), 0.2);
    ck_assert_double_le(
        fabs(error_at(rotors[r], "yoshida4", 0.001, exact) / error_at(rotors[r], "yoshida4", 0.0005, exact) - 16),
        0.8);
  }
}
END_TEST

/* The energy over 200 ps: its band within a factor of 2 of the reference's, for motion is chaotic; halves with the
 * same mean, which a drift of a tenth of the band would part. */
START_TEST(energy_stays_in_its_band) {
  static const struct {
    double h, low, high;
  } bands[] = {{0.004, -0.0686, 0.0145}, {0.002, -0.0151, 0.0035}, {0.001, -0.00422, 0.0009}};
  for (int i = 0; i < 3; i++) {
    struct field m;
    struct rill_integrator *integrator;
    const size_t steps = (size_t)lround(200 / bands[i].h);
    double low = 0, high = 0, half[2] = {0}, start;
    field_create(&m, RILL_ROTOR_LGVI, rill_isa_best());
    integrator = field_bind(&m, "verlet", bands[i].h, RILL_NO_BATH);
    start = field_energy(&m);
    for (size_t k = 0; k < steps; k++) {
      double off;
      ck_assert_int_eq(rill_integrator_step(integrator, k, false, &field_error), RILL_OK);
      off = field_energy(&m) - start;
      low = fmin(low, off);
      high = fmax(high, off);
      half[2 * k / steps] += off / (0.5 * (double)steps);
    }
    rill_integrator_destroy(integrator);
    ck_assert_double_ge(low / bands[i].low, 0.5);
    ck_assert_double_le(low / bands[i].low, 2);
    ck_assert_double_ge(high / bands[i].high, 0.5);
    ck_assert_double_le(high / bands[i].high, 2);
    ck_assert_double_le(fabs(half[1] - half[0]), 0.1 * (high - low));
  }
}
END_TEST

/* Turns of up to half a radian a step: the energy of the free rotor (LGVI: exactly; axes: in a band), |Pi| and R Pi
 * (both exactly), and the attitude's length, over 1e5 steps at round-off, which walks like sqrt(1e5) eps = 7e-14. */
START_TEST(free_rotors_conserve) {
  for (int r = 0; r < 2; r++) {
    struct field m;
    double rotation[9], spin[3], before[3], now[3], energy, off_energy = 0, off_momentum = 0, size, unused;
    const double rest[3] = {0};
    field_create(&m, rotors[r], rill_isa_best());
    for (size_t lane = 0; lane < LANES; lane++)
      field_set(&m, lane, rest, rest, rest, (const double[3]){1.3, 2.1, -1.7});
    for (size_t c = 0; c < 3; c++) before[c] = m.x.spin[c * LANES];
    size = sqrt(rill_dot3(before, before));
    (void)field_kinetic(&m, 0, &energy);
    for (int i = 0; i < 100000; i++) {
      ck_assert(!m.flows->drift(&m.body, whole_vector, m.x, 0.0017, m.q).failed);
      (void)field_kinetic(&m, 0, &unused);
      off_energy = fmax(off_energy, fabs(unused / energy - 1));
    }
    field_rotation(&m, 0, rotation);
    for (size_t c = 0; c < 3; c++) spin[c] = m.x.spin[c * LANES];
    rill_mat3_apply(rotation, spin, now);
    for (int c = 0; c < 3; c++) off_momentum = fmax(off_momentum, fabs(now[c] - before[c]) / size);
    ck_assert_double_le(off_momentum, 1e-12);
    if (rotors[r] == RILL_ROTOR_LGVI) ck_assert_double_le(off_energy, 1e-12);
    if (rotors[r] == RILL_ROTOR_AXES)
      ck_assert_double_ge(off_energy, 1e-6); /* it is not exact, and the test sees that */
    ck_assert_double_le(off_energy, 0.2);
    ck_assert_double_le(rill_bodies_deviation(m.x, LANES), 4e-15);
  }
}
END_TEST

/* F of the exponential solve, (sin|f|/|f|) J f + ((1 - cos|f|)/|f|^2) f x J f = g, by Newton with differences. */
static void exponential_step(const struct rill_body *body, const double g[3], double f[3]) {
  for (int k = 0; k < 3; k++) f[k] = g[k] * body->inverse_inertia[k];
  for (int iteration = 0; iteration < 30; iteration++) {
    double residual[4][3], jacobian[9];
    for (int e = 0; e < 4; e++) {
      double y[3] = {f[0], f[1], f[2]}, jy[3], cross[3], s, a, b;
      if (e > 0) y[e - 1] += 1e-7;
      for (int k = 0; k < 3; k++) jy[k] = body->inertia[k] * y[k];
      rill_cross3(y, jy, cross);
      s = rill_dot3(y, y);
      a = sin(sqrt(s)) / sqrt(s);
      b = 2 * pow(sin(0.5 * sqrt(s)), 2) / s;
      for (int k = 0; k < 3; k++) residual[e][k] = a * jy[k] + b * cross[k] - g[k];
    }
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) jacobian[3 * i + k] = (residual[k + 1][i] - residual[0][i]) / 1e-7;
    { /* Cramer */
      const double *j = jacobian;
      double cofactors[9] = {j[4] * j[8] - j[5] * j[7], j[2] * j[7] - j[1] * j[8], j[1] * j[5] - j[2] * j[4],
                             j[5] * j[6] - j[3] * j[8], j[0] * j[8] - j[2] * j[6], j[2] * j[3] - j[0] * j[5],
                             j[3] * j[7] - j[4] * j[6], j[1] * j[6] - j[0] * j[7], j[0] * j[4] - j[1] * j[3]};
      double det = j[0] * cofactors[0] + j[1] * cofactors[3] + j[2] * cofactors[6];
      for (int i = 0; i < 3; i++) f[i] -= rill_dot3(cofactors + 3 * i, residual[0]) / det;
    }
  }
}

/* One step of LGVI is that of the exponential solve, which looks nothing like the Cayley form that is used; forward
 * and backward. */
START_TEST(exponential_and_cayley_solves_agree) {
  for (int sign = -1; sign <= 1; sign += 2)
    for (double h = 0.0005; h < 0.03; h *= 4) {
      struct field m;
      double g[3], f[3], turn[9], before[9], expected[9], rotation[9], spin[3], turned[3];
      field_create(&m, RILL_ROTOR_LGVI, rill_isa_best());
      field_rotation(&m, 0, before);
      for (size_t c = 0; c < 3; c++) spin[c] = m.x.spin[c * LANES];
      for (int c = 0; c < 3; c++) g[c] = sign * h * spin[c];
      exponential_step(&m.body, g, f);
      rill_so3_exp(f, turn);
      rill_mat3_product(before, turn, expected);
      rill_mat3_transposed_apply(turn, spin, turned);
      ck_assert(!m.flows->drift(&m.body, whole_vector, m.x, sign * h, m.q).failed);
      field_rotation(&m, 0, rotation);
      for (int i = 0; i < 9; i++) ck_assert_double_le(fabs(rotation[i] - expected[i]), 2e-15);
      for (size_t c = 0; c < 3; c++) ck_assert_double_le(fabs(m.x.spin[c * LANES] - turned[c]), 2e-15);
    }
}
END_TEST

/* ---- symplecticity ---- */

/* Mutant: the Cayley map of the first guess, f = h J^-1 Pi / 2.  It conserves |Pi| and R Pi and is of order 2 as a
 * rotor, and not symplectic. */
static struct rill_drift_result unsolved_drift(const struct rill_body *body, struct rill_range range,
                                               struct rill_bodies x, double h, double *q) {
  (void)q;
  for (size_t lane = range.first; lane < range.last; lane++) {
    double f[3], turn[9], spin[3], turned[3], a[4], u[3];
    for (size_t c = 0; c < 3; c++) {
      x.centre[c * LANES + lane] += h * body->inverse_mass * x.momentum[c * LANES + lane];
      spin[c] = x.spin[c * LANES + lane];
      f[c] = h * body->inverse_inertia[c] * spin[c]; /* rill_so3_cayley takes twice the f above */
    }
    rill_so3_cayley(f, turn);
    rill_mat3_transposed_apply(turn, spin, turned);
    for (size_t c = 0; c < 4; c++) a[c] = x.attitude[c * LANES + lane];
    rill_cross3(a + 1, f, u);
    {
      double w = a[0] - 0.5 * rill_dot3(a + 1, f), scale = 1 / sqrt(1 + 0.25 * rill_dot3(f, f));
      x.attitude[lane] = scale * w;
      for (size_t c = 0; c < 3; c++) {
        x.attitude[(c + 1) * LANES + lane] = scale * (a[c + 1] + 0.5 * a[0] * f[c] + 0.5 * u[c]);
        x.spin[c * LANES + lane] = turned[c];
      }
    }
  }
  return (struct rill_drift_result){1, false};
}

/* The image of the start moved by `size` along a unit tangent: 0-2 x, 3-5 p, 6-8 a = R^T dR, 9-11 Pi. */
static void image(enum rill_rotor rotor, bool mutant, const char *method, double h, int direction, double size,
                  double x[3], double p[3], double rotation[9], double spin[3]) {
  struct field m;
  field_create(&m, rotor, rill_isa_best());
  if (mutant) m.drift = unsolved_drift;
  for (size_t lane = 0; lane < LANES; lane++) {
    if (direction < 0) break;
    if (direction < 3) m.x.centre[(size_t)direction * LANES + lane] += size;
    else if (direction < 6) m.x.momentum[(size_t)(direction - 3) * LANES + lane] += size;
    else if (direction >= 9) m.x.spin[(size_t)(direction - 9) * LANES + lane] += size;
    else {
      double a[4], u[3] = {0}, cross[3];
      for (size_t c = 0; c < 4; c++) a[c] = m.x.attitude[c * LANES + lane];
      u[direction - 6] = sin(0.5 * size);
      rill_cross3(a + 1, u, cross);
      m.x.attitude[lane] = a[0] * cos(0.5 * size) - rill_dot3(a + 1, u);
      for (size_t c = 0; c < 3; c++)
        m.x.attitude[(c + 1) * LANES + lane] = a[c + 1] * cos(0.5 * size) + a[0] * u[c] + cross[c];
    }
  }
  field_place(&m);
  if (mutant) { /* its drift leaves the atoms behind: a step by hand */
    field_force(&m);
    m.flows->kick(&m.body, whole_vector, m.x, m.f, 0.5 * h);
    m.drift(&m.body, whole_vector, m.x, h, m.q);
    field_place(&m);
    field_force(&m);
    m.flows->kick(&m.body, whole_vector, m.x, m.f, 0.5 * h);
  } else {
    field_run(&m, method, h, 1);
  }
  for (size_t c = 0; c < 3; c++) {
    x[c] = m.x.centre[c * LANES];
    p[c] = m.x.momentum[c * LANES];
    spin[c] = m.x.spin[c * LANES];
  }
  field_rotation(&m, 0, rotation);
}

/* dx.dp' - dx'.dp and on the rotation group x.b - y.a - Pi.(a x b), of tangents (a, x) and (b, y). */
static double form(const double u[12], const double w[12], const double spin[3]) {
  double cross[3];
  rill_cross3(u + 6, w + 6, cross);
  return rill_dot3(u + 3, w) - rill_dot3(w + 3, u) + rill_dot3(u + 9, w + 6) - rill_dot3(w + 9, u + 6) -
         rill_dot3(spin, cross);
}

/* Largest entry of T^T W T - W, units scaled so that all directions are of the size of the motion: nm, ps, u. */
static double symplectic_defect(enum rill_rotor rotor, bool mutant, const char *method, double h) {
  static const double unit[4] = {0.01, 2.0, 1.0, 0.1};
  double tangent[12][12], x0[3], p0[3], r0[9], s0[3], start_spin[3], defect = 0;
  struct field m;
  field_create(&m, rotor, rill_isa_best());
  for (size_t c = 0; c < 3; c++) start_spin[c] = m.x.spin[c * LANES];
  image(rotor, mutant, method, h, -1, 0, x0, p0, r0, s0);
  for (int d = 0; d < 12; d++) {
    static const double weight[4] = {-1.0 / 12, 2.0 / 3, -2.0 / 3, 1.0 / 12};
    for (int k = 0; k < 12; k++) tangent[d][k] = 0;
    for (int e = 0; e < 4; e++) { /* -f(2e)/12 + 2/3 f(e) - 2/3 f(-e) + f(-2e)/12 */
      static const int at[4] = {2, 1, -1, -2};
      const double eps = 1e-3;
      double x[3], p[3], r[9], s[3], change[9], a[3];
      image(rotor, mutant, method, h, d, at[e] * eps * unit[d / 3], x, p, r, s);
      for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) change[3 * i + k] = r0[i] * r[k] + r0[3 + i] * r[3 + k] + r0[6 + i] * r[6 + k];
      rill_so3_log(change, a);
      for (int c = 0; c < 3; c++) {
        tangent[d][c] += weight[e] * (x[c] - x0[c]) / eps;
        tangent[d][3 + c] += weight[e] * (p[c] - p0[c]) / eps;
        tangent[d][6 + c] += weight[e] * a[c] / eps;
        tangent[d][9 + c] += weight[e] * (s[c] - s0[c]) / eps;
      }
    }
  }
  for (int d = 0; d < 12; d++)
    for (int e = 0; e < 12; e++) {
      double u[12] = {0}, w[12] = {0};
      u[d] = unit[d / 3];
      w[e] = unit[e / 3];
      defect = fmax(defect, fabs(form(tangent[d], tangent[e], s0) - form(u, w, start_spin)));
    }
  return defect;
}

/* Fourth-order differences of the map: 1e-9 and less where the map is symplectic; the mutant's defect is its own. */
START_TEST(maps_are_symplectic) {
  for (int r = 0; r < 2; r++) {
    ck_assert_double_le(symplectic_defect(rotors[r], false, "verlet", 0.004), 1e-9);
    ck_assert_double_le(symplectic_defect(rotors[r], false, "yoshida4", 0.004), 1e-9);
  }
  ck_assert_double_ge(symplectic_defect(RILL_ROTOR_LGVI, true, "verlet", 0.004), 1e-6);
}
END_TEST

/* A thousand steps, velocities turned about, a thousand back. */
START_TEST(motion_reverses) {
  for (int r = 0; r < 2; r++) {
    struct field m;
    double before[12], there[12], after[12], moved = 0, off = 0;
    field_create(&m, rotors[r], rill_isa_best());
    state_of(&m, before);
    field_run(&m, "verlet", 0.002, 100);
    state_of(&m, there);
    for (size_t k = 0; k < 3 * LANES; k++) {
      m.x.momentum[k] = -m.x.momentum[k];
      m.x.spin[k] = -m.x.spin[k];
    }
    field_run(&m, "verlet", 0.002, 100);
    state_of(&m, after);
    for (int i = 0; i < 12; i++) {
      moved = fmax(moved, fabs(there[i] - before[i]));
      off = fmax(off, fabs(after[i] - before[i]));
    }
    ck_assert_double_ge(moved, 0.5);
    ck_assert_double_le(off, 1e-12);
  }
}
END_TEST

/* A molecule's bytes do not depend on its neighbours in the vector; instruction sets agree to round-off. */
START_TEST(lanes_are_independent) {
  for (int r = 0; r < 2; r++) {
    struct field alone, among, portable;
    field_create(&alone, rotors[r], rill_isa_best());
    field_create(&among, rotors[r], rill_isa_best());
    field_create(&portable, rotors[r], RILL_ISA_PORTABLE);
    for (size_t lane = 1; lane < LANES; lane++)
      field_set(&among, lane, (const double[3]){0}, (const double[3]){1, 2, 3}, (const double[3]){0, 0, 3},
                (const double[3]){0.4 * (double)lane, 0, 0.1});
    field_place(&among);
    field_run(&alone, "verlet", 0.002, 50);
    field_run(&among, "verlet", 0.002, 50);
    field_run(&portable, "verlet", 0.002, 50);
    for (size_t row = 0; row < RILL_BODY_ROWS; row++) {
      ck_assert(alone.block[row * LANES] == among.block[row * LANES]);
      ck_assert_double_le(fabs(alone.block[row * LANES] - portable.block[row * LANES]), 1e-12);
    }
  }
}
END_TEST

/* Where the angular momentum is too large for the step there is no rotation: said, not guessed. */
START_TEST(too_long_a_step_is_refused) {
  struct field m;
  const double rest[3] = {0};
  field_create(&m, RILL_ROTOR_LGVI, rill_isa_best());
  field_set(&m, 3, rest, rest, rest, (const double[3]){1, 50, 40});
  ck_assert(m.flows->drift(&m.body, whole_vector, m.x, 0.05, m.q).failed);
}
END_TEST

/* Atoms to bodies and back, at any attitude, a half turn included. */
START_TEST(bodies_follow_atoms) {
  static const double turns[LANES][3] = {{0, 0, 0},
                                         {3.14159265358979, 0, 0},
                                         {0, 3.14159265358979, 0},
                                         {0, 0, 3.14159265358979},
                                         {1e-9, 0, 0},
                                         {2, -2, 0.5},
                                         {-1, 1, 1},
                                         {0.1, 3, -0.3}};
  struct field m;
  alignas(64) double block[RILL_BODY_ROWS * LANES], q[RILL_COORDINATES * LANES], v[RILL_COORDINATES * LANES];
  struct rill_bodies again = rill_bodies_of(block, LANES);
  field_create(&m, RILL_ROTOR_LGVI, rill_isa_best());
  for (size_t lane = 0; lane < LANES; lane++)
    field_set(&m, lane, (const double[3]){0.1, -0.2, 0.3}, (const double[3]){1, 2, 3}, turns[lane],
              (const double[3]){0.1, -0.2, 0.15});
  field_place(&m);
  rill_bodies_adopt(&m.body, whole_vector, (struct rill_columns){.stride = LANES, .q = m.q, .v = m.v}, again);
  m.flows->place(&m.body, whole_vector, again, q, v);
  for (size_t k = 0; k < RILL_COORDINATES * LANES; k++) {
    ck_assert_double_le(fabs(q[k] - m.q[k]), 1e-15);
    ck_assert_double_le(fabs(v[k] - m.v[k]), 1e-14);
  }
  for (size_t k = 0; k < 3 * LANES; k++) ck_assert_double_le(fabs(again.spin[k] - m.x.spin[k]), 1e-15);
}
END_TEST

/* Two unequal hydrogens and bonds: still a principal frame, and the model's own bonds. */
START_TEST(any_triangle_is_a_body) {
  struct field m;
  field_create(&m, RILL_ROTOR_LGVI, rill_isa_best());
  m.model.mass[1] = 2.014;
  m.model.bond[0] = 0.1;
  ck_assert_int_eq(rill_body_create(&m.model, RILL_ROTOR_LGVI, &m.body, &field_error), RILL_OK);
  for (int b = 0; b < RILL_BONDS; b++) {
    static const int ends[RILL_BONDS][2] = {{0, 1}, {0, 2}, {1, 2}};
    const double *s = m.body.site[ends[b][0]], *t = m.body.site[ends[b][1]];
    ck_assert_double_le(fabs(hypot(s[0] - t[0], s[1] - t[1]) - m.model.bond[b]), 1e-16);
  }
  {
    double product = 0;
    for (int a = 0; a < RILL_ATOMS; a++) product += m.model.mass[a] * m.body.site[a][0] * m.body.site[a][1];
    ck_assert_double_le(fabs(product), 1e-17);
  }
  m.model.bond[2] = m.model.bond[0] + m.model.bond[1];
  ck_assert_int_eq(rill_body_create(&m.model, RILL_ROTOR_LGVI, &m.body, &field_error), RILL_ERROR_INPUT);
}
END_TEST

/* ---- friction and noise ---- */

/* Columns that carry the numbers of their molecules draw the noise of these. */
START_TEST(noise_belongs_to_the_number) {
  static _Alignas(64) uint64_t number[LANES];
  static _Alignas(64) double block[2][RILL_BODY_ROWS * LANES];
  for (uint64_t m = 0; m < LANES; m++) number[m] = LANES - 1 - m;
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++) {
    struct field m;
    if (!rill_isa_available((enum rill_isa)isa)) continue;
    field_create(&m, RILL_ROTOR_LGVI, (enum rill_isa)isa);
    rill_body_prepare_ou(&m.body, true, 7, 0, 300, 0.02, &m.ou);
    for (int k = 0; k < 2; k++) {
      struct rill_bodies x = rill_bodies_of(block[k], LANES);
      memset(block[k], 0, sizeof block[k]);
      x.number = k == 0 ? NULL : number;
      rill_body_table((enum rill_isa)isa)->ou(&m.body, whole_vector, x, &m.ou, 3, 0, LANES);
    }
    for (size_t row = 0; row < RILL_BODY_ROWS; row++)
      for (size_t c = 0; c < LANES; c++)
        ck_assert_double_eq(block[1][row * LANES + c], block[0][row * LANES + number[c]]);
    ck_assert_double_ne(block[0][3 * LANES], block[1][3 * LANES]);
  }
}
END_TEST

/* E = exp(-Gamma M^-1 h) against its series by halving and squaring, and S S^T = k T (M - E M E^T), which makes
 * Maxwell's law stationary. */
START_TEST(ornstein_uhlenbeck_numbers) {
  struct field m;
  const double h = 0.02, gamma = 7, temperature = 300, kt = RILL_GAS_CONSTANT * temperature;
  field_create(&m, RILL_ROTOR_LGVI, rill_isa_best());
  for (int uniform = 0; uniform < 2; uniform++) {
    rill_body_prepare_ou(&m.body, uniform, gamma, 0, temperature, h, &m.ou);
    for (int block = 0; block < 2; block++) {
      const double mass[3] = {m.body.mass, m.body.inertia[block == 0 ? 1 : 0], m.body.inertia[block == 0 ? 1 : 2]};
      const double of[3] = {m.body.mass, block == 0 ? m.body.mass : mass[1], mass[2]};
      double friction[3][3] = {{0}}, expected[3][3], coupling = 0;
      for (int a = 0; a < RILL_ATOMS; a++) {
        const double s_x = m.body.site[a][0], s_z = m.body.site[a][1];
        const double rows[3][3] = {{1, 0, s_z}, {0, 1, -s_x}, {1, -s_z, s_x}};
        for (int row = block == 0 ? 0 : 2; row < (block == 0 ? 2 : 3); row++)
          for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) friction[i][k] += gamma * rows[row][i] * rows[row][k];
      }
      for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
          double generator = uniform ? (i == k) * gamma : friction[i][k] / of[k];
          expected[i][k] = (i == k) - generator * h / 1048576; /* then squared 20 times; error gamma^2 h^2 / 2^21 */
        }
      for (int s = 0; s < 20; s++) {
        double square[3][3];
        for (int i = 0; i < 3; i++)
          for (int k = 0; k < 3; k++) {
            square[i][k] = 0;
            for (int e = 0; e < 3; e++) square[i][k] += expected[i][e] * expected[e][k];
          }
        memcpy(expected, square, sizeof expected);
      }
      for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
          double noise = 0, stationary = i == k ? of[i] : 0;
          for (int e = 0; e < 3; e++) {
            noise += m.ou.amplitude[block][i][e] * m.ou.amplitude[block][k][e];
            stationary -= m.ou.decay[block][i][e] * of[e] * m.ou.decay[block][k][e];
          }
          ck_assert_double_le(fabs(m.ou.decay[block][i][k] - expected[i][k]) * sqrt(of[k] / of[i]), 1e-6);
          ck_assert_double_le(fabs(noise - kt * stationary), 1e-12 * kt * sqrt(of[i] * of[k]));
          if (i != k) coupling = fmax(coupling, fabs(m.ou.decay[block][i][k]));
        }
      ck_assert(uniform ? coupling == 0 : coupling > 1e-4);
    }
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("rotors of rigid-body water");
  TCase *cases = tcase_create("rotor");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, reference_values);
  tcase_add_test(cases, orders);
  tcase_add_test(cases, energy_stays_in_its_band);
  tcase_add_test(cases, free_rotors_conserve);
  tcase_add_test(cases, exponential_and_cayley_solves_agree);
  tcase_add_test(cases, maps_are_symplectic);
  tcase_add_test(cases, motion_reverses);
  tcase_add_test(cases, lanes_are_independent);
  tcase_add_test(cases, too_long_a_step_is_refused);
  tcase_add_test(cases, bodies_follow_atoms);
  tcase_add_test(cases, any_triangle_is_a_body);
  tcase_add_test(cases, ornstein_uhlenbeck_numbers);
  tcase_add_test(cases, noise_belongs_to_the_number);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
