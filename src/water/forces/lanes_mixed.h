/* Pair arithmetic in single precision: four or eight molecules interact with one, or sixteen with two. */
enum { P_LANES = RILL_FLOAT_WIDTH, P_CENTRES = RILL_FLOAT_WIDTH > 8 ? 2 : 1 };
enum { P_POWERS = 1, P_COEFFICIENTS = RILL_BOX_DEGREE_MAX + 1, P_TERMS = RILL_FLOAT_ESTIMATE_TERMS };
typedef float p_real;
typedef int32_t p_integer;
typedef vfloat vpair;
typedef vint32 vpint;
typedef vfmask vpmask;
#define P_SCALE 0x1p16
#define P_LARGEST 0x1p29
/* Units of the virial in a kJ/mol.  The product of the largest force and of 2 nm then has 26 bits, and its sum over
 * VIRIAL_GROUPS groups 31. */
#define P_VIRIAL 0x1p12
enum { P_VIRIAL_GROUPS = 32 };
static const double p_quanta_factor = 1.0;

#define p_set(x) vf_set((float)(x))
#define p_set_int vi_set
#define p_fma vf_fma
#define p_fnma vf_fnma
#define p_min vf_min
#define p_max vf_max
#define p_keep vf_keep
#define p_rsqrt_estimate vf_rsqrt_estimate
#define p_less vf_less
#define p_and_mask vf_and_mask
#define p_any(m) (vf_mask_bits(m) != 0)
#define p_of_int vf_of_int
#define p_to_int vf_to_int
#define p_bits vf_bits
#define p_load_rows vf_load_rows
#define p_load_rows4 vf_load_rows4
#define p_wrap(a) (a)
#define p_sum_rows vi_sum_rows
#if defined RILL_SIMD_AVX512
#define P_WHOLE_RECORDS 1
#define p_add_records vi_add_records
#else
#define P_WHOLE_RECORDS 0
#define p_add_rows vi_add_rows
#endif
#if defined RILL_SIMD_AVX512
#define p_set_centres(x) vf_set_halves((x)[0], (x)[1])
#else
#define p_set_centres(x) vf_set((x)[0])
#endif

static inline void p_count(vpair a, vreal scale, vint *sum) {
  const vreal magic = v_set(0x1.8p52);
  vreal half[P_LANES / RILL_WIDTH];
  vf_widen(a, half);
  for (int k = 0; k < P_LANES / RILL_WIDTH; k++) *sum += v_bits(v_fma(half[k], scale, magic)) - v_bits(magic);
}

/* The sum of the lanes. */
static inline int64_t p_sum_lanes(vpint a) {
  int32_t lane[P_LANES];
  int64_t sum = 0;
  memcpy(lane, &a, sizeof a);
  for (int k = 0; k < P_LANES; k++) sum += lane[k];
  return sum;
}

static inline float p_least(vpair a) {
  float lane[P_LANES], least;
  memcpy(lane, &a, sizeof a);
  least = lane[0];
  for (int k = 1; k < P_LANES; k++) least = lane[k] < least ? lane[k] : least;
  return least;
}

static inline int32_t p_quantise(double x, double quanta) { return rill_quantise(x, quanta); }
