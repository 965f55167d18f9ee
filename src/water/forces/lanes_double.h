/* Pair arithmetic in double precision: one vector of pairs of molecules at a time. */
enum { P_LANES = RILL_WIDTH, P_CENTRES = 1 };
#define P_WHOLE_RECORDS 0
enum { P_POWERS = 0, P_COEFFICIENTS = RILL_SMOOTH_DEGREE_MAX + 1, P_TERMS = 0 };
typedef double p_real;
typedef int64_t p_integer;
typedef vreal vpair;
typedef vint vpint;
typedef vmask vpmask;
/* Conversions reach 2^51. */
#define P_SCALE 0x1p32
#define P_LARGEST 0x1p50
#define P_VIRIAL 0x1p32 /* units of the virial in a kJ/mol */
enum { P_VIRIAL_GROUPS = 1 << 20 };
static const double p_quanta_factor = (double)(1 << RILL_FINE_BITS);

#define p_set v_set
#define p_set_int(x) v_int((uint64_t)(x))
#define p_fma v_fma
#define p_fnma v_fnma
#define p_min v_min
#define p_max v_max
#define p_keep v_keep
#define p_rsqrt_estimate v_rsqrt
#define p_less v_less
#define p_and_mask v_and_mask
#define p_any v_any
#define p_bits v_bits
#define p_load_rows4 v_load_rows4
#define p_add_rows v_add_rows
#define p_set_centres(x) v_set((x)[0])

static inline vreal p_of_int(vint a) {
  const vreal magic = v_set(0x1.8p52);
  return v_real_of_bits(a + v_bits(magic)) - magic;
}
static inline vint p_to_int(vreal a) {
  const vreal magic = v_set(0x1.8p52);
  return v_bits(a + magic) - v_bits(magic);
}
/* Positions have 48 bits: those of the lists and the finer ones. */
static inline vint p_wrap(vint a) {
  const vint half = v_int((uint64_t)1 << (31 + RILL_FINE_BITS));
  return ((a + half) & (half + half - v_int(1))) - half;
}
static inline void p_load_rows(const double *base, const size_t *offset, vreal out[3]) {
  vreal row[4];
  v_load_rows4(base, offset, row);
  for (int c = 0; c < 3; c++) out[c] = row[c];
}
static inline void p_store_int(int64_t *p, vint a) { memcpy(p, &a, sizeof a); }
static inline void p_sum_rows(int64_t *const *to, const vint in[3]) {
  int64_t lane[RILL_WIDTH];
  for (int c = 0; c < 3; c++) {
    p_store_int(lane, in[c]);
    for (int k = 0; k < RILL_WIDTH; k++) to[0][c] += lane[k];
  }
}
static inline void p_count(vreal a, vreal scale, vint *sum) { *sum += p_to_int(a * scale); }
/* The sum of the lanes, modulo 2^64. */
static inline int64_t p_sum_lanes(vint a) {
  uint64_t lane[RILL_WIDTH], sum = 0;
  memcpy(lane, &a, sizeof lane);
  for (int k = 0; k < RILL_WIDTH; k++) sum += lane[k];
  return (int64_t)sum;
}

static inline double p_least(vreal a) {
  double lane[RILL_WIDTH], least;
  v_storeu(lane, a);
  least = lane[0];
  for (int k = 1; k < RILL_WIDTH; k++) least = lane[k] < least ? lane[k] : least;
  return least;
}
static inline int64_t p_quantise(double x, double quanta) { return (int64_t)llrint(x * quanta); }
