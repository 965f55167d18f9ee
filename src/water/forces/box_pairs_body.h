/* The vector body of the pair kernels in a box.  A file that includes it names the instruction set, defines
 * RILL_BOX_DEGREES(X) as X(oo, oh, hh) for each available choice of degrees of polynomials by kind of pair (0: any),
 * and first includes the lanes of a precision, after base/simd/simd.h.  RILL_BOX_SITE makes the kernel of models with
 * a site M.  RILL_BOX_GENERAL makes one body that branches at run time, instead of one for each choice: smaller, and
 * slower. */
#include "base/simd/specialised.h"
#include "water/forces/box_pairs.h"

#if defined RILL_PLAIN_BODIES && !defined RILL_BOX_GENERAL
#define RILL_BOX_GENERAL
#endif

#if defined RILL_BOX_SITE
enum { SITE = 1 };
#else
enum { SITE = 0 };
#endif
enum { P_PART = P_LANES / P_CENTRES }; /* lanes for each centre */
enum { EARLY = 12 }; /* records, which are scattered in memory, are prefetched this many molecules ahead */

/* Constants, the same in all lanes. */
struct lanes {
  vpair quantum[3], cutoff2, repulsion, attraction, oxygen_weight, argument[RILL_BOX_KINDS];
  /* by kind: charges times 1, 3/2, 15/8, for 1/r3's series in e; charges times the smooth part, negated */
  vpair inverse3[RILL_BOX_KINDS][3], smooth[RILL_BOX_KINDS][P_COEFFICIENTS];
  vpair switch_from, switch_quadratic, switch_cubic, scale;
  vpair site_weight, site_rest, site_pair_weight;
  int switched, degree[RILL_BOX_KINDS], energy_degree;
  /* for energies only */
  vpair charges[RILL_BOX_KINDS], c12, c6, lj_constant, energy[RILL_BOX_KINDS][P_COEFFICIENTS];
  vreal sum_scale;
  vpair virial; /* half the virial's scale over that of the forces */
};

static void fill_lanes(const struct rill_box_constants *constants, struct lanes *k) {
  for (int c = 0; c < 3; c++) k->quantum[c] = p_set(constants->quantum[c] / p_quanta_factor);
  k->cutoff2 = p_set(constants->cutoff2);
  k->repulsion = p_set(12.0 * constants->c12 * constants->scale);
  k->attraction = p_set(-6.0 * constants->c6 * constants->scale);
  k->oxygen_weight = p_set(constants->oxygen_weight);
  k->site_weight = p_set(constants->site_weight);
  k->site_rest = p_set(1.0 - 2.0 * constants->site_weight);
  k->site_pair_weight = p_set(constants->site_pair_weight);
  k->energy_degree = constants->energy_degree;
  for (int kind = 0; kind < RILL_BOX_KINDS; kind++) {
    const double charges = constants->charges[kind] * constants->scale;
    k->charges[kind] = p_set(constants->charges[kind]);
    k->inverse3[kind][0] = p_set(charges);
    k->inverse3[kind][1] = p_set(1.5 * charges);
    k->inverse3[kind][2] = p_set(1.875 * charges);
    k->argument[kind] = p_set(P_POWERS ? constants->centre[kind] : 1.0 / constants->centre[kind]);
    k->degree[kind] = constants->degree[kind];
    for (int n = 0; n < P_COEFFICIENTS; n++) {
      k->smooth[kind][n] = p_set(-charges * constants->force[kind][n]);
      k->energy[kind][n] = p_set(constants->energy[kind][n]);
    }
  }
  k->switched = constants->switch_quadratic != 0.0 || constants->switch_cubic != 0.0;
  k->switch_from = p_set(constants->switch_from);
  k->switch_quadratic = p_set(constants->switch_quadratic);
  k->switch_cubic = p_set(constants->switch_cubic);
  k->scale = p_set(constants->scale);
  k->c12 = p_set(constants->c12);
  k->c6 = p_set(constants->c6);
  k->lj_constant = p_set(constants->lj_constant);
  k->virial = p_set(0.5 * constants->virial_scale / constants->scale);
  k->sum_scale = v_set(constants->sum_scale);
}

/* The molecules whose lists are traversed side by side, each in its part of the lanes: positions of oxygens, and of
 * charges relative to them.  The first charge is that of the oxygen, at the site M if there is one. */
struct centre {
  vpint o[3];
  vpair x[9];
};

/* M - O = a (H1 - O + H2 - O). */
SPECIALISED void place_site(const struct lanes *k, vpair x[9]) {
  if (!SITE) return;
  for (int c = 0; c < 3; c++) x[c] = k->site_weight * (x[3 + c] + x[6 + c]);
}

/* The vector from charge a of the molecule to charge b of the others, with `between` from oxygen to oxygen: symmetric
 * in the two. */
SPECIALISED vpair from_to(const vpair between[3], const vpair *own, const vpair *other, int a, int b, int c) {
  if (SITE) return between[c] + (other[3 * b + c] - own[3 * a + c]);
  if (a == 0 && b == 0) return between[c];
  if (a == 0) return between[c] + other[3 * b + c];
  if (b == 0) return between[c] - own[3 * a + c];
  return between[c] + (other[3 * b + c] - own[3 * a + c]);
}

SPECIALISED int kind_of(int a, int b) { return (a > 0) + (b > 0); }

/* The argument of a kind's polynomials at r2. */
SPECIALISED vpair argument_of(const struct lanes *k, int kind, vpair r2) {
  if (P_POWERS) return r2 - k->argument[kind];
  return p_fma(r2, k->argument[kind], p_set(-1.0));
}

/* Evaluates polynomials of three arguments together, none of a higher degree than `top`, beyond the degrees of which
 * coefficients are 0: in powers, even and odd ones separately, or by Clenshaw's recurrence. */
SPECIALISED void three_polynomials(const vpair *const coefficient[3], const int top, const vpair u[3],
                                   vpair value[3]) {
  if (P_POWERS) {
    const int odd_top = top | 1;
    vpair u2[3], odd[3], even[3];
    for (int k = 0; k < 3; k++) {
      u2[k] = u[k] * u[k];
      even[k] = coefficient[k][odd_top - 1];
      odd[k] = coefficient[k][odd_top];
    }
    for (int n = odd_top - 2; n > 0; n -= 2)
#pragma GCC unroll 3
      for (int k = 0; k < 3; k++) {
        even[k] = p_fma(even[k], u2[k], coefficient[k][n - 1]);
        odd[k] = p_fma(odd[k], u2[k], coefficient[k][n]);
      }
    for (int k = 0; k < 3; k++) value[k] = p_fma(odd[k], u[k], even[k]);
  } else {
    vpair b1[3], b2[3];
    for (int k = 0; k < 3; k++) b1[k] = b2[k] = p_set(0.0);
    for (int n = top; n > 0; n--)
#pragma GCC unroll 3
      for (int k = 0; k < 3; k++) {
        const vpair b = p_fma(u[k] + u[k], b1[k], coefficient[k][n] - b2[k]);
        b2[k] = b1[k];
        b1[k] = b;
      }
    for (int k = 0; k < 3; k++) value[k] = p_fma(u[k], b1[k], coefficient[k][0] - b2[k]);
  }
}

/* The same, to the last bit, where the degrees, which ascend, are known when this is compiled. */
SPECIALISED void three_powers(const vpair *const coefficient[3], const int first, const int others, const vpair u[3],
                              vpair value[3]) {
  vpair u2[3], part[3][2];
  for (int k = 0; k < 3; k++) u2[k] = u[k] * u[k];
#if !defined RILL_BOX_GENERAL
#pragma GCC unroll 24
#endif
  for (int n = others; n >= 0; n--)
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++) {
      const int degree = k == 0 ? first : others;
      if (n > degree) continue;
      part[k][n % 2] = n > degree - 2 ? coefficient[k][n] : p_fma(part[k][n % 2], u2[k], coefficient[k][n]);
    }
  for (int k = 0; k < 3; k++) value[k] = p_fma(part[k][1], u[k], part[k][0]);
}

/* With y an estimate of 1/r and e = 1 - r2 y2: y3 (1 - e)^(-3/2) times the charges in `series`. */
SPECIALISED vpair inverse_cube(const vpair series[3], vpair y, vpair y2, vpair e, vpair less) {
  if (P_TERMS == 0) return p_fma(y2 * y, series[0], less);
  if (P_TERMS == 1) return p_fma(y2 * y, p_fma(e, series[1], series[0]), less);
  return p_fma(y2 * y, p_fma(e, p_fma(e, series[2], series[1]), series[0]), less);
}
/* y2 (1 - e)^(-1) and y (1 - e)^(-1/2). */
SPECIALISED vpair inverse_square(vpair y2, vpair e) {
  if (P_TERMS == 0) return y2;
  if (P_TERMS == 1) return p_fma(y2, e, y2);
  return p_fma(y2, p_fma(e, e, e), y2);
}
SPECIALISED vpair inverse(vpair y, vpair e) {
  if (P_TERMS == 0) return y;
  return p_fma(y * e, p_fma(e, p_set(0.375), p_set(0.5)), y);
}

/* Adds Lennard-Jones at the square distance r2, with y an estimate of 1/r, to a force over r; finds its energy. */
SPECIALISED vpair add_lennard_jones(const struct lanes *k, vpair r2, vpair y, vpair y2, vpair e, vpair force,
                                    const int energies, vpair *energy) {
  const vpair inverse2 = inverse_square(y2, e), inverse6 = inverse2 * inverse2 * inverse2;
  vpair d = p_set(0.0);
  force = p_fma(inverse6 * inverse2, p_fma(k->repulsion, inverse6, k->attraction), force);
  if (k->switched) {
    d = p_max(r2 * inverse(y, e) - k->switch_from, p_set(0.0));
    force = p_fma(p_fma(k->switch_cubic, d, k->switch_quadratic) * d * d * inverse(y, e), k->scale, force);
  }
  if (energies) {
    *energy = p_fma(p_fma(k->c12, inverse6, p_set(0.0) - k->c6), inverse6, p_set(0.0) - k->lj_constant);
    if (k->switched)
      *energy =
          p_fnma(p_fma(k->switch_cubic * p_set(0.25), d, k->switch_quadratic * p_set(1.0 / 3.0)) * d * d, d, *energy);
  }
  return force;
}

/* Forces on charges and the one between oxygens, to forces on atoms. */
SPECIALISED void spread_site(const struct lanes *k, const vpair oxygens[3], vpair f[9]) {
  for (int c = 0; c < 3; c++) {
    f[3 + c] = p_fma(k->site_weight, f[c], f[3 + c]);
    f[6 + c] = p_fma(k->site_weight, f[c], f[6 + c]);
    f[c] = p_fma(k->site_rest, f[c], oxygens[c]);
  }
}

/* Adds forces on atom b of the others, of three in turn, to their records; whole records are added after the last. */
SPECIALISED void give_back(p_integer *forces, const size_t offset[P_LANES], const int b, const vpair g[9]) {
#if P_WHOLE_RECORDS
  vpint back[9];
  if (b < 2) return;
  for (int c = 0; c < 9; c++) back[c] = p_to_int(g[c]);
  p_add_records(forces, offset, back);
#else
  vpint back[3];
  for (int c = 0; c < 3; c++) back[c] = p_to_int(g[3 * b + c]);
  p_add_rows(forces + 4 * b, offset, back);
#endif
}

/* Adds the virial of forces f and g, on atoms of the centre (negated) and of the others: which of two molecules is
 * the centre changes no bit. */
SPECIALISED void add_virial(const struct lanes *k, const vpair between[3], const vpair f[9], const vpair g[9],
                            vpint virial[9]) {
  vpair force[3];
  for (int c = 0; c < 3; c++) force[c] = ((g[c] + g[3 + c] + g[6 + c]) + (f[c] + f[3 + c] + f[6 + c])) * k->virial;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) virial[3 * row + column] += p_to_int(between[row] * force[column]);
}

/* The interaction of a group of molecules with the centre: adds forces on them to their records, those on the centre
 * to `own`, and the virial if there is one. */
SPECIALISED void meet_group(const struct lanes *k, const struct centre *centre, const uint32_t *const *list,
                            const p_real *records, p_integer *forces, const int by_atom, const int energies,
                            const int oo, const int oh, const int hh, vpint own[9], vpair *nearest,
                            vint sums[RILL_BOX_VIRIAL], vpint *virial) {
  size_t offset[P_LANES];
  vpair between[4], other[9], r2[9], s[9], f[9], g[9], oxygens[3], pair_energy[9] = {p_set(0.0)},
                                                                   lj_energy = p_set(0.0);
  vpair oxygens2, least = p_set(0.0);
  vpmask mask;
  for (int lane = 0; lane < P_LANES; lane++) offset[lane] = RILL_RECORD * (size_t)list[lane / P_PART][lane % P_PART];
  p_load_rows4(records, offset, between);
  p_load_rows(records + 4, offset, other + 3);
  p_load_rows(records + 8, offset, other + 6);
  place_site(k, other);
  between[0] = p_fma(p_of_int(p_wrap(p_bits(between[0]) - centre->o[0])), k->quantum[0], between[3]);
  for (int c = 1; c < 3; c++) between[c] = p_of_int(p_wrap(p_bits(between[c]) - centre->o[c])) * k->quantum[c];

  oxygens2 = p_fma(between[2], between[2], p_fma(between[1], between[1], between[0] * between[0]));
  mask = p_less(oxygens2, k->cutoff2);
  if (!by_atom && !p_any(mask)) return;
#pragma GCC unroll 3
  for (int b = 0; b < 3; b++)
#pragma GCC unroll 3
    for (int a = 0; a < 3; a++) {
      const vpair x = from_to(between, centre->x, other, a, b, 0), y = from_to(between, centre->x, other, a, b, 1);
      const vpair z = from_to(between, centre->x, other, a, b, 2);
      r2[3 * b + a] = a + b == 0 && !SITE ? oxygens2 : p_fma(z, z, p_fma(y, y, x * x));
      if (3 * b + a == 1) least = r2[1];
      else if (a + b > 0) least = p_min(least, r2[3 * b + a]);
    }
  if (by_atom && !p_any(p_less(p_min(least, SITE ? p_min(r2[0], oxygens2) : oxygens2), k->cutoff2))) return;
  *nearest = p_min(*nearest, p_min(least, oxygens2 * k->oxygen_weight));
  if (SITE) *nearest = p_min(*nearest, r2[0] * k->site_pair_weight);
  if (SITE) {
    const vpair y = p_rsqrt_estimate(oxygens2), y2 = y * y, e = p_fnma(oxygens2, y2, p_set(1.0));
    const vpair force = p_and_mask(add_lennard_jones(k, oxygens2, y, y2, e, p_set(0.0), energies, &lj_energy), mask);
    lj_energy = p_and_mask(lj_energy, mask);
    for (int c = 0; c < 3; c++) oxygens[c] = force * between[c];
  }

#pragma GCC unroll 3
  for (int b = 0; b < 3; b++) {
    const vpair *const coefficient[3] = {k->smooth[kind_of(0, b)], k->smooth[kind_of(1, b)],
                                         k->smooth[kind_of(2, b)]};
    vpair u[3], y[3], y2[3], e[3], smooth[3];
#pragma GCC unroll 3
    for (int a = 0; a < 3; a++) {
      u[a] = argument_of(k, kind_of(a, b), r2[3 * b + a]);
      y[a] = p_rsqrt_estimate(r2[3 * b + a]);
      y2[a] = y[a] * y[a];
      e[a] = p_fnma(r2[3 * b + a], y2[a], p_set(1.0));
    }
    if (oo == 0) three_polynomials(coefficient, k->degree[kind_of(1, b)], u, smooth);
    else if (b == 0) three_powers(coefficient, oo, oh, u, smooth);
    else three_powers(coefficient, oh, hh, u, smooth);
#pragma GCC unroll 3
    for (int a = 0; a < 3; a++) {
      vpair force = inverse_cube(k->inverse3[kind_of(a, b)], y[a], y2[a], e[a], smooth[a]);
      if (a + b == 0 && !SITE) {
        force = add_lennard_jones(k, r2[0], y[0], y2[0], e[0], force, energies, &lj_energy);
        if (energies) lj_energy = p_and_mask(lj_energy, mask);
      }
      if (by_atom) mask = p_less(r2[3 * b + a], k->cutoff2);
      s[3 * b + a] = p_and_mask(force, mask);
    }
    if (energies) {
      const vpair *const energy[3] = {k->energy[kind_of(0, b)], k->energy[kind_of(1, b)], k->energy[kind_of(2, b)]};
      three_polynomials(energy, k->energy_degree, u, smooth);
      for (int a = 0; a < 3; a++) {
        if (by_atom) mask = p_less(r2[3 * b + a], k->cutoff2);
        pair_energy[3 * b + a] = p_and_mask((inverse(y[a], e[a]) - smooth[a]) * k->charges[kind_of(a, b)], mask);
      }
    }
  }

#pragma GCC unroll 3
  for (int b = 0; b < 3; b++) {
#pragma GCC unroll 3
    for (int a = 0; a < 3; a++)
#pragma GCC unroll 3
      for (int c = 0; c < 3; c++) {
        const vpair d = from_to(between, centre->x, other, a, b, c);
        if (a == 0) g[3 * b + c] = s[3 * b + a] * d;
        else g[3 * b + c] = p_fma(s[3 * b + a], d, g[3 * b + c]);
        if (b == 0) f[3 * a + c] = s[3 * b + a] * d;
        else f[3 * a + c] = p_fma(s[3 * b + a], d, f[3 * a + c]);
      }
    if (!SITE) give_back(forces, offset, b, g);
  }
  if (SITE) {
    spread_site(k, oxygens, f);
    spread_site(k, oxygens, g);
    for (int b = 0; b < 3; b++) give_back(forces, offset, b, g);
  }
  for (int c = 0; c < 9; c++) own[c] -= p_to_int(f[c]);

  if (virial != NULL) add_virial(k, between, f, g, virial);
  if (energies) {
    const vpair *e = pair_energy;
    p_count(lj_energy, k->sum_scale, &sums[RILL_BOX_LJ]);
    p_count(((e[0] + (e[1] + e[3])) + (e[2] + e[6])) + ((e[4] + e[8]) + (e[5] + e[7])), k->sum_scale,
            &sums[RILL_BOX_COULOMB]);
  }
}

/* Prefetches the lists of the next centres: they are not contiguous, and the hardware does not predict them. */
static inline void fetch_lists(const struct rill_neighbours *n, size_t i, size_t last) {
  const size_t line = 64 / sizeof(uint32_t);
  for (size_t j = i; j < i + P_CENTRES && j < last; j++) {
    const size_t slot = n->turn[j];
    const uint32_t *list = n->inner + n->first[slot];
    for (size_t k = 0; k < RILL_GROUP * (size_t)n->inner_groups[slot]; k += line) __builtin_prefetch(list + k);
  }
}

/* Prefetches the data that the next centres are the first to need. */
static inline void fetch_ahead(const struct rill_box_work *work, size_t i) {
  const size_t slot = i + work->neighbours->lead, one = RILL_RECORD * sizeof(p_real);
  if (slot + P_CENTRES > work->neighbours->molecules) return;
  for (size_t k = one * slot; k < one * (slot + P_CENTRES); k += 64) {
    __builtin_prefetch((const char *)work->records + k, 0, 2);
    __builtin_prefetch((const char *)work->forces + k, 1, 2);
  }
}

/* The same element of each of the records that are processed together. */
SPECIALISED vpair number_of(const p_real *const *record, int place) {
  p_real value[P_CENTRES];
  for (int j = 0; j < P_CENTRES; j++) value[j] = record[j][place];
  return p_set_centres(value);
}

/* Moves the virial of some groups to the sums. */
SPECIALISED void keep_virial(vpint virial[9], int64_t sums[RILL_BOX_SUMS]) {
  for (int c = 0; c < 9; c++) {
    int64_t *sum = &sums[RILL_BOX_VIRIAL + c];
    *sum = (int64_t)((uint64_t)*sum + (uint64_t)p_sum_lanes(virial[c]));
    virial[c] = p_set_int(0);
  }
}

SPECIALISED void walk(struct rill_box_work *work, const int by_atom, const int energies, const int with_virial,
                      const int oo, const int oh, const int hh) {
  const struct rill_neighbours *n = work->neighbours;
  const p_real *records = work->records;
  p_integer *forces = work->forces;
  struct lanes k;
  vpair nearest = p_set(1e30);
  vint sums[RILL_BOX_VIRIAL];
  vpint virial[9];
  uint32_t dummies[P_PART]; /* the list of a centre whose own list has ended */
  int groups = 0;           /* since the virial was moved to the sums */
  fill_lanes(work->constants, &k);
  for (int c = 0; c < RILL_BOX_VIRIAL; c++) sums[c] = v_int(0);
  for (int c = 0; c < 9; c++) virial[c] = p_set_int(0);
  for (int l = 0; l < P_PART; l++) dummies[l] = (uint32_t)(rill_slots(n) - 1);
  for (size_t i = work->first; i < work->last; i += P_CENTRES) {
    const uint32_t *list[P_CENTRES], *end[P_CENTRES];
    const p_real *record[P_CENTRES];
    p_integer *to[P_CENTRES];
    struct centre centre;
    vpint own[9];
    fetch_lists(n, i + P_CENTRES, work->last);
    fetch_ahead(work, i);
    for (size_t j = 0; j < P_CENTRES; j++) {
      const int there = i + j < work->last; /* otherwise the first takes its place, with an empty list */
      const size_t slot = n->turn[there ? i + j : i];
      list[j] = there ? n->inner + n->first[slot] : dummies;
      end[j] = there ? list[j] + RILL_GROUP * (size_t)n->inner_groups[slot] : dummies;
      record[j] = records + RILL_RECORD * slot;
      to[j] = forces + RILL_RECORD * slot;
    }
    for (int c = 0; c < 3; c++) centre.o[c] = p_bits(number_of(record, c));
    for (int c = 3; c < 9; c++) centre.x[c] = p_keep(number_of(record, c + c / 3));
    place_site(&k, centre.x);
    for (int c = 0; c < 9; c++) own[c] = p_set_int(0);
    for (;;) {
      int more = 0;
      for (int j = 0; j < P_CENTRES; j++) {
        if (list[j] == end[j]) list[j] = end[j] = dummies;
        more |= list[j] != dummies;
      }
      if (!more) break;
      meet_group(&k, &centre, list, records, forces, by_atom, energies, oo, oh, hh, own, &nearest, sums,
                 with_virial ? virial : NULL);
      if (with_virial && ++groups == P_VIRIAL_GROUPS) {
        keep_virial(virial, work->sums);
        groups = 0;
      }
      for (int j = 0; j < P_CENTRES; j++)
        if (list[j] != dummies) list[j] += P_PART;
    }
    for (int a = 0; a < 3; a++) {
      for (int j = 0; j < P_CENTRES; j++) to[j] += a > 0 ? 4 : 0;
      p_sum_rows(to, own + 3 * a);
    }
  }
  if (with_virial) keep_virial(virial, work->sums);
  work->nearest2 = (double)p_least(nearest);
  if (energies)
    for (int c = 0; c < RILL_BOX_VIRIAL; c++) {
      uint64_t lane[RILL_WIDTH], sum = (uint64_t)work->sums[c]; /* wraps where the pairs are not accepted */
      memcpy(lane, &sums[c], sizeof lane);
      for (int l = 0; l < RILL_WIDTH; l++) sum += lane[l];
      work->sums[c] = (int64_t)sum;
    }
}

/* One body for all choices, or one for each, as functions of their own: the compiler allocates registers better in
 * them than in one large function.  With energies, or the virial of pairs that are cut by atoms, which few steps
 * need, there is one for all degrees, since each takes the compiler seconds. */
#if defined RILL_BOX_GENERAL
static void work_of(struct rill_box_work *work, int by_atom, enum rill_wanted wanted) {
  walk(work, by_atom, wanted == RILL_WANT_ENERGIES, wanted != RILL_WANT_FORCES, 0, 0, 0);
}
#else
#define BODY(name, ...)                                                                                              \
  static __attribute__((noinline)) void name(struct rill_box_work *work, int by_atom) {                              \
    (void)by_atom;                                                                                                   \
    walk(work, __VA_ARGS__);                                                                                         \
  }
#define BODIES(oo, oh, hh)                                                                                           \
  BODY(forces_by_molecule_##oo##_##oh##_##hh, 0, 0, 0, oo, oh, hh)                                                   \
  BODY(virial_by_molecule_##oo##_##oh##_##hh, 0, 0, 1, oo, oh, hh)                                                   \
  BODY(forces_by_atom_##oo##_##oh##_##hh, 1, 0, 0, oo, oh, hh)
RILL_BOX_DEGREES(BODIES)
BODY(virial_by_atom, 1, 0, 1, 0, 0, 0)
BODY(energies, by_atom, 1, 1, 0, 0, 0)

static void work_of(struct rill_box_work *work, int by_atom, enum rill_wanted wanted) {
  const int degree = work->constants->degree[RILL_BOX_OO];
  const int virial = wanted == RILL_WANT_VIRIAL;
  if (wanted == RILL_WANT_ENERGIES) energies(work, by_atom);
  else if (virial && by_atom) virial_by_atom(work, by_atom);
#define CASE(oo, oh, hh)                                                                                             \
  else if (degree == oo || oo == 0) {                                                                                \
    if (virial) virial_by_molecule_##oo##_##oh##_##hh(work, by_atom);                                                \
    else if (by_atom) forces_by_atom_##oo##_##oh##_##hh(work, by_atom);                                              \
    else forces_by_molecule_##oo##_##oh##_##hh(work, by_atom);                                                       \
  }
  RILL_BOX_DEGREES(CASE)
#undef CASE
}
#undef BODIES
#undef BODY
#endif

/* ---- between molecules and slots ---- */

static bool pack(const struct rill_neighbours *n, const double *q, double bond, size_t first, size_t last,
                 void *records) {
  const size_t stride = n->stride;
  const p_real limit2 = (p_real)(bond * bond);
  bool whole = true;
  double quanta[3];
  p_integer lattice[3][3];
  for (int c = 0; c < 3; c++) quanta[c] = n->quanta[c] * p_quanta_factor;
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++)
      lattice[i][c] =
          P_POWERS ? (p_integer)n->lattice[i][c] : (p_integer)p_quantise(n->cell->vector[i][c], quanta[c]);
  for (size_t m = first; m < last; m++) {
    p_integer o[4] = {0};
    p_real h[8] = {0};
    p_real *record = (p_real *)records + RILL_RECORD * (size_t)n->slot_of[m];
    __builtin_prefetch((p_real *)records + RILL_RECORD * (size_t)n->slot_of[m + EARLY < last ? m + EARLY : m], 1, 3);
    for (size_t c = 0; c < 3; c++) {
      const double x = q[c * stride + m];
      if (P_POWERS) {
        o[c] = (p_integer)((uint32_t)p_quantise(x, quanta[c]) - (uint32_t)n->base[3 * m + c]);
      } else {
        o[c] = p_quantise(x, quanta[c]);
        for (size_t i = 0; i < 3; i++) o[c] -= n->whole[3 * m + i] * lattice[i][c];
      }
      h[c] = (p_real)(q[(3 + c) * stride + m] - x);
      h[4 + c] = (p_real)(q[(6 + c) * stride + m] - x);
    }
    for (int k = 0; k < 8; k += 4) whole &= h[k] * h[k] + h[k + 1] * h[k + 1] + h[k + 2] * h[k + 2] <= limit2;
    memcpy(record, o, sizeof o);
    memcpy(record + 4, h, sizeof h);
    for (size_t k = n->image_start[m]; k < n->image_start[m + 1]; k++) {
      p_integer image[4];
      record = (p_real *)records + RILL_RECORD * (size_t)n->image_slot[k];
      for (size_t c = 0; c < 4; c++) {
        image[c] = o[c];
        if (P_POWERS) image[c] += (p_integer)n->image_shift[4 * k + c];
        else if (c < 3)
          for (size_t i = 0; i < 3; i++) image[c] += n->image_step[4 * k + i] * lattice[i][c];
      }
      memcpy(record, image, sizeof image);
      memcpy(record + 4, h, sizeof h);
    }
  }
  return whole;
}

static void unpack(const struct rill_neighbours *n, void *const *forces, int parts, double scale, size_t first,
                   size_t last, double *f) {
  const double unit = 1.0 / scale;
  for (size_t m = first; m < last; m++) {
    p_integer total[RILL_RECORD] = {0};
    for (int part = 0; part < parts; part++) {
      p_integer *of = forces[part], *record = of + RILL_RECORD * (size_t)n->slot_of[m];
      __builtin_prefetch(of + RILL_RECORD * (size_t)n->slot_of[m + EARLY < n->molecules ? m + EARLY : m], 1, 3);
      for (int c = 0; c < RILL_RECORD; c++) total[c] = (p_integer)((uint64_t)total[c] + (uint64_t)record[c]);
      memset(record, 0, RILL_RECORD * sizeof *record);
      for (size_t k = n->image_start[m]; k < n->image_start[m + 1]; k++) {
        record = of + RILL_RECORD * (size_t)n->image_slot[k];
        for (int c = 0; c < RILL_RECORD; c++) total[c] = (p_integer)((uint64_t)total[c] + (uint64_t)record[c]);
        memset(record, 0, RILL_RECORD * sizeof *record);
      }
    }
    for (size_t c = 0; c < 9; c++) f[c * n->stride + m] = (double)total[4 * (c / 3) + c % 3] * unit;
  }
}

#define CHOICE(oo, oh, hh) {oo, oh, hh},
#define RILL_BOX_KERNEL                                                                                              \
  {                                                                                                                  \
    RILL_RECORD * sizeof(p_real), P_SCALE, P_VIRIAL, P_LARGEST, P_POWERS, {RILL_BOX_DEGREES(CHOICE)}, pack, work_of, \
        unpack                                                                                                       \
  }
