/* The content of a deck as a plain struct in internal units (nm, ps, u, e, K, kJ/mol); small systems use their own
 * units. */
#ifndef RILL_DECK_FIELDS_H
#define RILL_DECK_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/choices.h"
#include "base/method_options.h"

/* Units of the times in a deck: ps, pure numbers, or s. */
enum rill_deck_units { RILL_UNITS_MOLECULAR, RILL_UNITS_NONE, RILL_UNITS_SI };
enum { RILL_DECK_STRING = 1024, RILL_DECK_KEYS = 256, RILL_DECK_ENTRIES = 32 };

/* An interval in steps or in wall time. */
struct rill_pace {
  uint64_t steps; /* 0: by wall time */
  double minutes;
};

/* Temperatures of an ensemble, increasing: a geometric series, or a list. */
enum { RILL_RUNGS = 256 };
struct rill_ladder {
  uint64_t count; /* 0: the thermostat's temperature, for all replicas */
  bool geometric;
  double temperature[RILL_RUNGS]; /* K */
};

/* A list of numbers: one for each coordinate of a small system. */
enum { RILL_NUMBERS = 100 };
struct rill_numbers {
  uint64_t count; /* 0: none */
  double value[RILL_NUMBERS];
};

/* A key that belongs to a small system, as text; the parameter table of the system interprets it. */
struct rill_deck_entry {
  char section[16], key[64], value[RILL_DECK_STRING];
  int line; /* 0: a default, -1: given by an override */
};

struct rill_deck {
  char path[RILL_DECK_STRING];
  enum rill_deck_units units;
  struct {
    char kind[64];
    char model[64];
    double coulomb_constant;          /* kJ mol-1 nm e-2 */
    char structure[RILL_DECK_STRING]; /* path including the deck's folder; "" when molecules is used */
    uint64_t molecules;               /* 0 when structure is used */
    enum rill_boundary boundary;
    double density; /* u/nm3, of a box that is built */
    struct {
      double r_oh, angle;    /* nm, degrees */
      double charge_h;       /* e */
      double r_om;           /* nm; 0: three sites */
      double sigma, epsilon; /* nm, kJ/mol */
      double mass_o, mass_h; /* u */
    } custom;                /* model = custom */
    double hydrogen_mass;    /* u; 0: the model's */
  } system;
  struct {
    enum rill_start_velocities velocities;
    double temperature; /* K; default: the first temperature of the thermostat */
    uint64_t seed;      /* default: that of the thermostat */
    enum rill_momentum_removal remove;
    bool minimize;
  } start;
  struct {
    char method[64];
    double step;                        /* ps; a pure number or s for a small system */
    uint64_t steps;                     /* from time or steps; time / step is rounded to the nearest */
    unsigned reads;                     /* the options that the method reads, of enum rill_method_reads */
    char composition[32];               /* "none", or a name defined in the integrators' room */
    char quadrature[32];                /* of the action: "auto", or a name defined in the integrators' room */
    struct rill_method_options options; /* all but the quadrature */
  } integrator;
  struct {
    double stiffness;  /* of water: w of the papers, sqrt(kJ/mol)/nm2; 0: rigid */
    bool record;       /* multipliers are written to a file */
    uint64_t molecule; /* the molecule whose multipliers are recorded, from 1 */
    uint64_t window;   /* steps over which they are averaged */
  } penalty;
  struct {
    enum rill_constraint_solver solver;
    double tolerance;          /* max |d - d0| / d0 */
    double velocity_tolerance; /* |v.r| / (|r| v_thermal) */
    uint64_t max_iterations;
  } constraints;
  struct {
    enum rill_thermostat method;
    double temperature[2]; /* K: first and last, equal without a ramp; linear in time between them */
    enum rill_friction_law friction_law;
    double friction;          /* 1/ps or u/ps; not of v-rescale */
    double rotation_friction; /* 1/ps, of water; 0: friction */
    double tau;               /* ps, of v-rescale */
    uint64_t seed;
    enum rill_measure measure;
    uint64_t geodesic_steps;
    uint64_t trial_steps;
  } thermostat;
  struct {
    bool on; /* the section is present; likewise below */
    struct rill_numbers constant;
  } force;
  struct {
    bool on;
    struct rill_numbers amplitude;
    double omega, phase;
    char table[RILL_DECK_STRING]; /* path including the deck's folder; "" with an amplitude */
  } control;
  struct {
    bool on;
    enum rill_friction_law law;
    double coefficient; /* rate, or gamma */
  } friction;
  struct {
    enum rill_barostat_kind method;
    double pressure;        /* kJ mol-1 nm-3 */
    double tau;             /* ps */
    double compressibility; /* nm3 mol kJ-1 */
    uint64_t interval;      /* steps */
    enum rill_barostat_shape shape;
  } barostat;
  struct {
    enum rill_kernel kernel;
    enum rill_coulomb_kind coulomb;
    enum rill_precision precision;
    /* The following apply to boundary = periodic, and some of them whenever there is a cutoff. */
    double cutoff; /* nm */
    enum rill_cutoff cutoff_by;
    double buffer; /* nm, of the neighbour lists; 0: chosen automatically */
    enum rill_lj_kind lj;
    double switch_from; /* nm */
    bool tail;
    double accuracy;       /* of the forces of the mesh, relative */
    uint64_t mesh_order;   /* 0: chosen */
    uint64_t mesh_grid[3]; /* 0: chosen */
    uint64_t threads;      /* at most; 0: all that the machine offers */
  } forces;
  struct {
    bool on;          /* the section is present */
    double radius;    /* nm */
    double stiffness; /* kJ mol-1 nm-2 */
  } confine;
  struct {
    bool on;            /* the section is present */
    double electric[3]; /* kJ mol-1 nm-1 e-1 */
    double trap;        /* kJ mol-1 nm-2; 0: none */
    double centre[3];   /* nm, of the trap */
  } field;
  struct {
    char trajectory[RILL_DECK_STRING]; /* relative to the output directory; "" for none */
    uint64_t interval;                 /* steps between frames */
    bool double_precision;             /* of the trajectory */
    bool velocities;
    char series[RILL_DECK_STRING];     /* CSV; "" for none */
    uint64_t series_interval;          /* steps between samples of energies, temperatures, ... */
    double means_from;                 /* ps: samples from this time on count in the means of the summary */
    char checkpoint[RILL_DECK_STRING]; /* "": named after the deck if there is a trajectory; "none": none */
    struct rill_pace checkpoint_interval;
  } output;
  struct {
    bool on;
    unsigned pairs; /* of enum rill_distances_word */
    double max;     /* nm */
    uint64_t bins;
    double from;       /* ps: earlier samples are ignored */
    uint64_t interval; /* steps between samples */
  } rdf;
  struct {
    bool on;
    unsigned compute;         /* of enum rill_property_word */
    double from;              /* ps: earlier samples are ignored */
    uint64_t interval;        /* steps between samples of velocities and stress */
    uint64_t motion_interval; /* steps between samples of positions and dipoles */
    uint64_t energy_interval; /* steps between samples of energy and volume */
    uint64_t bond_interval;   /* steps between counts of hydrogen bonds */
    double window;            /* ps: the longest time of a correlation */
  } properties;
  struct {
    bool on;           /* the section is present */
    uint64_t replicas; /* a multiple of the number of temperatures */
    struct rill_ladder temperatures;
    enum rill_exchange_kind exchange;
    uint64_t exchange_interval; /* steps */
    enum rill_on_failure on_failure;
    uint64_t quench_interval; /* steps between minimisations of all replicas; 0: none */
    uint64_t minima;          /* most that are kept */
  } ensemble;
  struct {                    /* INFINITY: no limit; 0: the default, which depends on the run */
    double max_temperature;   /* K */
    double max_energy_change; /* k T per degree of freedom; small systems: energy scale of the start */
    double max_bond;          /* |d - d0| / d0 */
  } stop;
  struct rill_deck_entry entries[RILL_DECK_ENTRIES]; /* of a small system: [system] except kind, and [penalty] */
  size_t entry_count;
  int line[RILL_DECK_KEYS];     /* by key of the schema: its line; 0: not given, -1: given by an override */
  bool dropped[RILL_DECK_KEYS]; /* by key: given in the file, and without effect since overrides changed others */
};

/* Whether a small system has forces beside those of its Lagrangian. */
bool rill_deck_is_forced(const struct rill_deck *deck);

/* Whether the run writes checkpoints. */
bool rill_deck_writes_checkpoint(const struct rill_deck *deck);

/* The unit of the deck's times: "ps", "s", or "". */
const char *rill_deck_time_unit(const struct rill_deck *deck);

#endif
