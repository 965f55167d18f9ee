/* Methods on homogeneous spaces, Leimkuhler & Patrick, section 5.2: S2 = SO(3)/SO(2) by the spherical pendulum
 * against its exact solution, in three forms, and as the shadow of a body on SO(3); S3 by unit quaternions; S2 x S2
 * by the double spherical pendulum. */
#include <locale.h>

#include "integrators/riemannian_leapfrog.h"
#include "numerics/quaternion.h"
#include "numerics/so3.h"
#include "numerics/spherical_pendulum_exact.h"
#include "small.h"

/* Derivatives by differences of the fourth order. */
static const double nodes[4] = {2, 1, -1, -2}, weights[4] = {-1.0 / 12, 2.0 / 3, -2.0 / 3, 1.0 / 12}, apart = 1e-3;

static double distance(const double *a, const double *b, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* --- the exact solution --- */

enum { STARTS = 4 };
static const char *const starts[STARTS] = {
    "", "position = 0.4 0.1 m; velocity = -0.3 -4.2 m/s",                    /* fast, and the other way round */
    "position = 0.1 0.02 m; velocity = 0.001 0.02 m/s",                      /* near the bottom */
    "position = 0.1 -0.2 0.76811457478686082 m; velocity = 0.7 0.35 0 m/s"}; /* from near the top */

static struct rill_spherical_pendulum_exact exact_of(const struct rill_system *system) {
  struct rill_spherical_pendulum_exact exact;
  double v[3];
  for (int i = 0; i < 3; i++) v[i] = system->state->p[i] / system->mechanical->mass[i];
  ck_assert(rill_spherical_pendulum_exact_set(&exact, 9.81, system->state->q, v));
  return exact;
}

START_TEST(exact_solution_solves_the_equations) {
  struct small small = small_create("spherical-pendulum", starts[_i], "yoshida8", 0.002, 0);
  const struct rill_state *state = small.system->state;
  const struct rill_spherical_pendulum_exact exact = exact_of(small.system);
  double q[3], v[3], later[3], rate[3], worst = 0;
  for (int k = 0; k <= 10; k++) {
    rill_spherical_pendulum_exact_at(&exact, 0.2 * k, q, v);
    worst = fmax(worst, distance(q, state->q, 3));
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(v[i] - state->p[i] / 1.3));
    if (k < 10) small_run(&small, 100);
  }
  if (getenv("LAWS_PRINT")) printf("exact pendulum %d: %.2g\n", _i, worst);
  ck_assert_double_le(worst, 1e-9);
  /* After a period it is turned by exact.turn. */
  rill_spherical_pendulum_exact_at(&exact, 2 + exact.period, later, rate);
  ck_assert_double_eq_tol(later[0], cos(exact.turn) * q[0] - sin(exact.turn) * q[1], 1e-11);
  ck_assert_double_eq_tol(later[1], sin(exact.turn) * q[0] + cos(exact.turn) * q[1], 1e-11);
  ck_assert_double_eq_tol(rate[2], v[2], 1e-10);
  small_destroy(&small);
}
END_TEST

START_TEST(exact_solution_knows_its_limits) {
  struct rill_spherical_pendulum_exact exact;
  ck_assert(!rill_spherical_pendulum_exact_set(&exact, 9.81, (double[]){0.6, 0, -0.8}, (double[]){0.8, 0, 0.6}));
  /* Constant height: the rate of a conical pendulum is (g / |z|)^(1/2). */
  ck_assert(!rill_spherical_pendulum_exact_set(&exact, 9.81, (double[]){0.6, 0, -0.8},
                                               (double[]){0, 0.6 * sqrt(9.81 / 0.8), 0}));
}
END_TEST

/* --- three forms of the spherical pendulum --- */

/* Error of the position at t = 2. */
static double error_of(const char *system, const char *method, double h) {
  struct small small = small_create(system, "", method, h, 0);
  struct rill_system start = small_system("spherical-pendulum", "");
  const struct rill_spherical_pendulum_exact exact = exact_of(&start);
  const double *q = small.system->state->q;
  double truth[3], v[3], x[3];
  small_run(&small, (uint64_t)llround(2 / h));
  rill_spherical_pendulum_exact_at(&exact, 2, truth, v);
  memcpy(x, q, 2 * sizeof *x);
  if (small.system->state->n == 3) x[2] = q[2];
  else x[0] = 0.8 * sin(q[0]) * cos(q[1]), x[1] = 0.8 * sin(q[0]) * sin(q[1]), x[2] = -0.8 * cos(q[0]);
  small_destroy(&small);
  small_destroy_system(&start);
  return distance(x, truth, 3);
}

START_TEST(three_forms_and_their_orders) {
  static const struct {
    const char *system, *method;
    int order;
  } forms[] = {{"spherical-pendulum", "rattle", 2},
               {"spherical-pendulum", "rattle/yoshida4", 4},
               {"spherical-pendulum", "riemannian-leapfrog", 2},
               {"spherical-pendulum", "riemannian-leapfrog/yoshida4", 4},
               {"spherical-pendulum-angles", "dvp", 2},
               {"spherical-pendulum-angles", "dvp/yoshida4", 4}};
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    const double coarse = error_of(forms[i].system, forms[i].method, 0.01),
                 fine = error_of(forms[i].system, forms[i].method, 0.005);
    if (getenv("LAWS_PRINT")) printf("%s, %s: %.3g, %.3g\n", forms[i].system, forms[i].method, coarse, fine);
    ck_assert_msg(fabs(log2(coarse / fine) - forms[i].order) < 0.1, "%s on %s: order %.3g", forms[i].method,
                  forms[i].system, log2(coarse / fine));
    ck_assert_double_le(fine, forms[i].order == 2 ? 1e-2 : 1e-4);
  }
}
END_TEST

/* --- S2 = SO(3)/SO(2): a body symmetric about its axis that does not spin about it --- */

static const char body[] = "mass = 1.3; gravity = -9.81; centre = 0 0 0.8; retraction = exponential; inertia = ";

/* An attitude over the pendulum's position, and the body momentum whose shadow is its velocity. */
static void lift(const struct rill_state *pendulum, const double inertia[3], struct rill_state *state) {
  double n[3], v[3], x[3] = {1, 0, 0}, y[3], spin[3];
  for (int i = 0; i < 3; i++) n[i] = pendulum->q[i] / 0.8, v[i] = pendulum->p[i] / (1.3 * 0.8);
  for (int i = 0; i < 3; i++) x[i] -= n[0] * n[i];
  const double size = sqrt(rill_dot3(x, x));
  for (int i = 0; i < 3; i++) x[i] /= size;
  rill_cross3(n, x, y);
  for (int i = 0; i < 3; i++) state->q[3 * i] = x[i], state->q[3 * i + 1] = y[i], state->q[3 * i + 2] = n[i];
  rill_cross3(n, v, spin);
  rill_mat3_transposed_apply(state->q, spin, state->p);
  for (int i = 0; i < 3; i++) state->p[i] *= inertia[i];
}

/* Largest distance of the shadow from the pendulum, in positions and velocities, over 100 steps. */
static double shadow_distance(const char *on_group, const char *on_sphere, const double inertia[3]) {
  char settings[256];
  snprintf(settings, sizeof settings, "%s%.17g %.17g %.17g", body, inertia[0], inertia[1], inertia[2]);
  struct small group = small_create("pendulum-3d", settings, on_group, 0.05, 0),
               sphere = small_create("spherical-pendulum", "", on_sphere, 0.05, 0);
  const struct rill_state *r = group.system->state, *pendulum = sphere.system->state;
  double worst = 0;
  lift(pendulum, inertia, group.system->state);
  for (int k = 0; k <= 100; k++) {
    const double about[3] = {r->p[1] / inertia[1], -r->p[0] / inertia[0], 0}; /* Omega x e_3 */
    double v[3];
    rill_mat3_apply(r->q, about, v);
    for (int i = 0; i < 3; i++) {
      worst = fmax(worst, fabs(0.8 * r->q[3 * i + 2] - pendulum->q[i]));
      worst = fmax(worst, fabs(0.8 * v[i] - pendulum->p[i] / 1.3));
    }
    small_run(&group, 1);
    small_run(&sphere, 1);
  }
  small_destroy(&group);
  small_destroy(&sphere);
  return worst;
}

/* The leapfrog on SO(3) with the bi-invariant metric around it descends to that on S2, LGVI to RATTLE: the moments of
 * inertia m l^2, m l^2 and any third one. */
START_TEST(methods_on_the_group_descend_to_the_sphere) {
  const double moment = 1.3 * 0.8 * 0.8, symmetric[3] = {moment, moment, 0.5},
               other[3] = {moment, 1.01 * moment, 0.5};
  static const struct {
    const char *group, *sphere;
    bool same;
  } rows[] = {{"lie-poisson", "riemannian-leapfrog", true},
              {"lie-poisson/yoshida4", "riemannian-leapfrog/yoshida4", true},
              {"lgvi", "rattle", true},
              {"lgvi/quaternion", "rattle", true},
              {"lie-poisson", "rattle", false},
              {"lgvi", "riemannian-leapfrog", false}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const double off = shadow_distance(rows[i].group, rows[i].sphere, symmetric);
    if (getenv("LAWS_PRINT")) printf("%s over %s: %.2g\n", rows[i].group, rows[i].sphere, off);
    if (rows[i].same) ck_assert_msg(off <= 1e-12, "%s over %s: %.3g", rows[i].group, rows[i].sphere, off);
    else ck_assert_double_ge(off, 1e-3);
  }
  ck_assert_double_ge(shadow_distance("lie-poisson", "riemannian-leapfrog", other), 1e-3);
}
END_TEST

/* --- S3: unit quaternions, with the left-invariant metric of a body and a potential --- */

/* f exp(angle e_k / 2), or exp(angle e_k / 2) f. */
static void turned(const double f[4], int k, double angle, bool left, double out[4]) {
  double by[4] = {cos(0.5 * angle), 0, 0, 0};
  by[1 + k] = sin(0.5 * angle);
  if (left) rill_quaternion_multiply(by, f, out);
  else rill_quaternion_multiply(f, by, out);
}

/* Delta.I Delta / 2 h for the geodesic of the round metric, Delta = 2 log f. */
static double geodesic_action(const double inertia[3], double h, const double f[4]) {
  const double size = sqrt(rill_dot3(f + 1, f + 1)), scale = 2 * atan2(size, f[0]) / size;
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += inertia[i] * scale * scale * f[1 + i] * f[1 + i];
  return sum / (2 * h);
}

static void quaternion_between(const double a[9], const double b[9], double f[4]) {
  double transposed[9], rotation[9], x[3];
  for (int i = 0; i < 9; i++) transposed[i] = a[i % 3 * 3 + i / 3];
  rill_mat3_product(transposed, b, rotation);
  rill_so3_log(rotation, x);
  const double angle = sqrt(rill_dot3(x, x));
  f[0] = cos(0.5 * angle);
  for (int i = 0; i < 3; i++) f[1 + i] = sin(0.5 * angle) / angle * x[i];
}

/* Largest slope of the discrete action of two steps as the middle attitude varies. */
static double residual_on_quaternions(const char *system, const char *method) {
  const double inertia[3] = {1, 2.8, 2}, h = 0.1;
  struct small small = small_create(system, "retraction = exponential", method, h, 0);
  const struct rill_group *group = small.system->group;
  const struct rill_state *state = small.system->state;
  double a[9], b[9], first[4], second[4], worst = 0;
  memcpy(a, state->q, sizeof a);
  small_run(&small, 1);
  memcpy(b, state->q, sizeof b);
  small_run(&small, 1);
  quaternion_between(a, b, first);
  quaternion_between(b, state->q, second);
  for (int k = 0; k < 3; k++) {
    double slope = 0;
    for (int node = 0; node < 4; node++) {
      const double angle = nodes[node] * apart, x[3] = {k == 0 ? angle : 0, k == 1 ? angle : 0, k == 2 ? angle : 0};
      double f[4], g[4], moved[9];
      turned(first, k, angle, false, f);
      turned(second, k, -angle, true, g);
      group->ops->exponential(group->self, b, x, moved);
      slope += weights[node] / apart *
               (geodesic_action(inertia, h, f) + geodesic_action(inertia, h, g) -
                h * group->ops->potential(group->self, moved));
    }
    worst = fmax(worst, fabs(slope));
  }
  small_destroy(&small);
  return worst;
}

START_TEST(lie_poisson_is_the_leapfrog_on_quaternions) {
  static const char *const systems[] = {"free-body", "pendulum-3d"};
  for (int i = 0; i < 2; i++) {
    ck_assert_double_le(residual_on_quaternions(systems[i], "lie-poisson"), 1e-9);
    ck_assert_double_ge(residual_on_quaternions(systems[i], "lgvi"), 1e-5); /* its geodesics are chords */
  }
}
END_TEST

/* --- S2 x S2: the double spherical pendulum --- */

static const double lengths[2] = {4, 3}, masses[2] = {2, 3.5};

static double kinetic(const double w[6]) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    const double first = lengths[0] * w[i], second = first + lengths[1] * w[3 + i];
    sum += masses[0] * first * first + masses[1] * second * second;
  }
  return sum;
}

static double height(const double n[6]) {
  return 9.81 * ((masses[0] + masses[1]) * lengths[0] * n[2] + masses[1] * lengths[1] * n[5]);
}

/* (18) on unit vectors along the rods. */
static double action_on_spheres(double t, const double a[6], const double b[6]) {
  double forward[6], backward[6];
  for (int s = 0; s < 6; s += 3) {
    const double cosine = rill_dot3(a + s, b + s), angle = acos(cosine), scale = angle / sin(angle);
    for (int i = s; i < s + 3; i++)
      forward[i] = scale * (b[i] - cosine * a[i]), backward[i] = scale * (a[i] - cosine * b[i]);
  }
  return (kinetic(forward) + kinetic(backward)) / (4 * t) - 0.5 * t * (height(a) + height(b));
}

static void along_rods(const double *x, double n[6]) {
  for (int i = 0; i < 3; i++) n[i] = x[i] / lengths[0], n[3 + i] = (x[3 + i] - x[i]) / lengths[1];
}

/* (20), (21) on rotations of either rod: p.dx at the start less -D1 S, and at the end less D2 S; largest. */
static double residual_on_spheres(double t, const double *x, const double *p, const double *y, const double *r) {
  double a[6], b[6], worst = 0;
  along_rods(x, a), along_rods(y, b);
  for (int end = 0; end < 2; end++)
    for (int rod = 0; rod < 2; rod++)
      for (int axis = 0; axis < 3; axis++) {
        const double *momentum = end == 0 ? p : r;
        double slope = 0, virtual_work = 0;
        for (int node = 0; node < 4; node++) {
          double moved[6], turn[3] = {0}, rotation[9];
          memcpy(moved, end == 0 ? a : b, sizeof moved);
          turn[axis] = nodes[node] * apart;
          rill_so3_exp(turn, rotation);
          rill_mat3_apply(rotation, (end == 0 ? a : b) + 3 * rod, moved + 3 * rod);
          slope +=
              weights[node] / apart * (end == 0 ? -action_on_spheres(t, moved, b) : action_on_spheres(t, a, moved));
          for (int i = 0; i < 3; i++)
            virtual_work += weights[node] / apart *
                            (momentum[i] * lengths[0] * moved[i] +
                             momentum[3 + i] * (lengths[0] * moved[i] + lengths[1] * moved[3 + i]));
        }
        worst = fmax(worst, fabs(slope - virtual_work));
      }
  return worst;
}

START_TEST(leapfrog_on_two_spheres_is_variational) {
  for (int other = 0; other < 2; other++) {
    struct small small =
        small_create("double-spherical-pendulum", "", other ? "rattle" : "riemannian-leapfrog", 0.05, 0);
    const struct rill_state *state = small.system->state;
    double x[6], p[6], residual;
    small_run(&small, 10); /* to general position */
    memcpy(x, state->q, sizeof x), memcpy(p, state->p, sizeof p);
    small_run(&small, 1);
    residual = residual_on_spheres(0.05, x, p, state->q, state->p); /* of momenta near 100 kg m2/s */
    if (getenv("LAWS_PRINT")) printf("two spheres, %d: %.3g\n", other, residual);
    if (other) ck_assert_double_ge(residual, 1e-3);
    else ck_assert_double_le(residual, 1e-9);
    small_destroy(&small);
  }
}
END_TEST

/* Position error at t = 1 against RATTLE composed to order 8. */
static double error_on_spheres(const char *method, double h, const double truth[6]) {
  struct small small = small_create("double-spherical-pendulum", "", method, h, 0);
  double off;
  small_run(&small, (uint64_t)llround(1 / h));
  off = distance(small.system->state->q, truth, 6);
  small_destroy(&small);
  return off;
}

START_TEST(two_spheres_and_their_orders) {
  struct small reference = small_create("double-spherical-pendulum", "", "yoshida8", 0.005, 0);
  double truth[6];
  small_run(&reference, 200);
  memcpy(truth, reference.system->state->q, sizeof truth);
  small_destroy(&reference);
  for (int order = 2; order <= 4; order += 2) {
    const char *name = order == 2 ? "riemannian-leapfrog" : "riemannian-leapfrog/yoshida4";
    const double coarse = error_on_spheres(name, 0.02, truth), fine = error_on_spheres(name, 0.01, truth);
    if (getenv("LAWS_PRINT")) printf("%s: %.3g, %.3g\n", name, coarse, fine);
    ck_assert_double_eq_tol(log2(coarse / fine), order, 0.15);
  }
}
END_TEST

/* Lengths and the momentum about the vertical to rounding over 3000 steps, the energy in a band. */
START_TEST(two_spheres_over_a_long_time) {
  struct small small = small_create("double-spherical-pendulum", "", "riemannian-leapfrog", 0.01, 0);
  struct rill_observation o;
  const double energy = small_energy(&small, &o), momentum = o.angular_momentum[2];
  double off = 0, change = 0, band = 0;
  for (int k = 0; k < 3000; k++) {
    small_run(&small, 1);
    band = fmax(band, fabs(small_energy(&small, &o) - energy));
    off = fmax(off, o.position_deviation_max);
    change = fmax(change, fabs(o.angular_momentum[2] / momentum - 1));
  }
  if (getenv("LAWS_PRINT")) printf("two spheres: off %.2g, momentum %.2g, energy %.3g J\n", off, change, band);
  ck_assert_double_le(off, 1e-12);
  ck_assert_double_le(change, 1e-12);
  ck_assert_double_le(band, 0.03);
  small_destroy(&small);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("spheres");
  TCase *sphere = tcase_create("sphere"), *others = tcase_create("others");
  setlocale(LC_ALL, "C");
  tcase_set_timeout(sphere, 60);
  tcase_set_timeout(others, 60);
  tcase_add_loop_test(sphere, exact_solution_solves_the_equations, 0, STARTS);
  tcase_add_test(sphere, exact_solution_knows_its_limits);
  tcase_add_test(sphere, three_forms_and_their_orders);
  tcase_add_test(sphere, methods_on_the_group_descend_to_the_sphere);
  tcase_add_test(others, lie_poisson_is_the_leapfrog_on_quaternions);
  tcase_add_test(others, leapfrog_on_two_spheres_is_variational);
  tcase_add_test(others, two_spheres_and_their_orders);
  tcase_add_test(others, two_spheres_over_a_long_time);
  suite_add_tcase(suite, sphere);
  suite_add_tcase(suite, others);
  return rill_run_suite(suite);
}
