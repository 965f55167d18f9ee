#include "deck/synonyms.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define METHOD "integrator", "method"
#define THERMOSTAT "thermostat", "method"
#define SOLVER "constraints", "solver"
#define COULOMB "forces", "coulomb"
#define LJ "forces", "lj"
#define KIND "system", "kind"
#define BOUNDARY "system", "boundary"

static const char leapfrog[] =
    "leapfrog moves as `verlet` does (with constraints `rattle`), whose velocities are at the end of a step";
static const char langevin[] = "Langevin dynamics is [thermostat] method = baoab, gla or ghmc, with a friction";
static const char constant_energy[] = "constant energy is method = rattle without a [thermostat]";
static const char solver[] = "it is a constraint solver: [constraints] solver";
static const char no_lincs[] = "LINCS is not available: water molecules use settle, mshake or shake";
static const char no_thermostat[] = "it is not available: baoab and gla sample the canonical ensemble";
static const char a_factor[] = "stochastic velocity rescaling is v-rescale, with a tau";
static const char a_barostat[] = "constant pressure is [barostat] method = rescale or mc, beside a [thermostat]";
static const char minimum[] = "minimisation is the command `rill minimize`, or [start] minimize = yes";
static const char mesh[] = "Ewald summation is pme, with a mesh whose error is set by [forces] accuracy";

static const struct rill_synonym synonyms[] = {
    {METHOD, "leapfrog", leapfrog},
    {METHOD, "leap-frog", leapfrog},
    {METHOD, "md", leapfrog},
    {METHOD, "velocity-verlet", "velocity Verlet is `verlet`, with constraints `rattle`"},
    {METHOD, "velocityverlet", "velocity Verlet is `verlet`, with constraints `rattle`"},
    {METHOD, "vv", "velocity Verlet is `verlet`, with constraints `rattle`"},
    {METHOD, "md-vv", "velocity Verlet is `verlet`, with constraints `rattle`"},
    {METHOD, "md-vv-avek", "velocity Verlet is `verlet`, with constraints `rattle`"},
    {METHOD, "position-verlet", "position Verlet is not available; `verlet` is velocity Verlet"},
    {METHOD, "stormer-verlet", "Stoermer-Verlet is `verlet`, with constraints `rattle`"},
    {METHOD, "beeman", "Beeman's positions are those of `verlet`"},
    {METHOD, "r-respa", "RESPA is `respa`"},
    {METHOD, "mts", "multiple time steps are `respa`"},
    {METHOD, "multiple-time-step", "multiple time steps are `respa`"},
    {METHOD, "nve", constant_energy},
    {METHOD, "microcanonical", constant_energy},
    {METHOD, "nvt",
     "constant temperature is a [thermostat]: method = baoab or gla, beside [integrator] method = rattle"},
    {METHOD, "npt", a_barostat},
    {METHOD, "sd", langevin},
    {METHOD, "sd1", langevin},
    {METHOD, "bd", "Brownian dynamics is not available; Langevin dynamics is [thermostat] method = baoab or gla"},
    {METHOD, "brownian",
     "Brownian dynamics is not available; Langevin dynamics is [thermostat] method = baoab or "
     "gla"},
    {METHOD, "langevin", langevin},
    {METHOD, "langevinmiddle", langevin},
    {METHOD, "langevin-middle", langevin},
    {METHOD, "baoab", "it is a thermostat: [thermostat] method = baoab"},
    {METHOD, "gla", "it is a thermostat: [thermostat] method = gla"},
    {METHOD, "aboba", "the only splitting of Langevin dynamics is [thermostat] method = baoab"},
    {METHOD, "obabo", "the only splitting of Langevin dynamics is [thermostat] method = baoab"},
    {METHOD, "nose-hoover", "thermostats are in [thermostat]; Nose-Hoover is not available, baoab and gla are"},
    {METHOD, "berendsen", "thermostats are in [thermostat]; Berendsen's is not available, baoab and gla are"},
    {METHOD, "steep", minimum},
    {METHOD, "cg", minimum},
    {METHOD, "l-bfgs", minimum},
    {METHOD, "lbfgs", minimum},
    {METHOD, "minimize", minimum},
    {METHOD, "settle", solver},
    {METHOD, "mshake", solver},
    {METHOD, "m-shake", solver},
    {METHOD, "lincs", no_lincs},
    {METHOD, "rotor", solver},
    {METHOD, "no-squish", "rigid bodies are [constraints] solver = lgvi or rotor"},
    {METHOD, "rigid", "rigid bodies are [constraints] solver = lgvi or rotor"},
    {METHOD, "yoshida", "Yoshida's compositions are yoshida4, yoshida6 and yoshida8"},
    {METHOD, "forest-ruth", "Forest & Ruth's composition is yoshida4"},
    {METHOD, "euler", "symplectic Euler is `symplectic-euler`"},
    {METHOD, "midpoint", "the midpoint rules are `implicit-midpoint` and `dvp-midpoint`"},
    {METHOD, "runge-kutta", "Runge-Kutta methods are rk4, for constraints on velocities, and bases of `shooting`"},

    {THERMOSTAT, "no", "constant energy is method = none"},
    {THERMOSTAT, "hmc",
     "hybrid Monte Carlo is ghmc, with trial_steps; a high friction draws new velocities for each trial"},
    {THERMOSTAT, "hybrid-monte-carlo", "generalised hybrid Monte Carlo is ghmc"},
    {THERMOSTAT, "off", "constant energy is method = none"},
    {THERMOSTAT, "nve", "constant energy is method = none"},
    {THERMOSTAT, "nvt", "constant temperature is baoab or gla"},
    {THERMOSTAT, "langevin", "Langevin dynamics is baoab or gla"},
    {THERMOSTAT, "sd", "Langevin dynamics is baoab or gla"},
    {THERMOSTAT, "langevin-middle", "Langevin dynamics is baoab or gla"},
    {THERMOSTAT, "bussi", a_factor},
    {THERMOSTAT, "csvr", a_factor},
    {THERMOSTAT, "berendsen", no_thermostat},
    {THERMOSTAT, "nose-hoover", no_thermostat},
    {THERMOSTAT, "nose", no_thermostat},
    {THERMOSTAT, "nhc", no_thermostat},
    {THERMOSTAT, "andersen", no_thermostat},
    {THERMOSTAT, "andersen-massive", no_thermostat},
    {THERMOSTAT, "obabo", "the only splitting of Langevin dynamics is baoab"},
    {THERMOSTAT, "aboba", "the only splitting of Langevin dynamics is baoab"},
    {THERMOSTAT, "parrinello-rahman", a_barostat},

    {SOLVER, "lincs", no_lincs},
    {SOLVER, "p-lincs", no_lincs},
    {SOLVER, "rattle", "RATTLE is [integrator] method = rattle, with any solver"},
    {SOLVER, "m-shake", "it is written mshake"},
    {SOLVER, "ccma", "CCMA is not available: water molecules use settle, mshake or shake"},
    {SOLVER, "none", "molecules without constraints have springs: [penalty] stiffness"},
    {SOLVER, "flexible", "molecules without constraints have springs: [penalty] stiffness"},
    {SOLVER, "rigid", "rigid bodies are lgvi or rotor; every solver keeps molecules rigid"},
    {SOLVER, "no-squish", "rigid bodies are lgvi or rotor"},

    {COULOMB, "ewald", mesh},
    {COULOMB, "spme", mesh},
    {COULOMB, "pppm", mesh},
    {COULOMB, "p3m", mesh},
    {COULOMB, "p3m-ad", mesh},
    {COULOMB, "cutoff", "a truncated Coulomb potential is `cut`"},
    {COULOMB, "cut-off", "a truncated Coulomb potential is `cut`"},
    {COULOMB, "rf", "it is written reaction-field"},
    {COULOMB, "generalized-reaction-field", "it is written reaction-field, of a conductor"},
    {COULOMB, "nocutoff", "`all` uses all pairs of a cluster"},
    {COULOMB, "none", "`all` uses all pairs of a cluster; charges are those of the model"},

    {LJ, "cutoff", "a truncated Lennard-Jones potential is `cut`"},
    {LJ, "cut-off", "a truncated Lennard-Jones potential is `cut`"},
    {LJ, "potential-shift", "it is written shift"},
    {LJ, "force-switch", "it is written switch"},
    {LJ, "potential-switch", "the force is switched, not the potential: switch"},
    {LJ, "pme", "there is no mesh for Lennard-Jones: cut, shift or switch, and [forces] tail = yes"},

    {KIND, "tip3p", "no such system: the system is water, and [system] model = tip3p"},
    {KIND, "liquid", "no such system: a liquid is kind = water with [system] boundary = periodic"},
    {KIND, "cluster", "no such system: a cluster is kind = water with [system] boundary = vacuum"},
    {KIND, "triple-pendulum", "no such system, but pendulum-chain with count = 3 is one (see `rill list systems`)"},
    {KIND, "n-pendulum", "no such system, but pendulum-chain has `count` pendula"},
    {KIND, "oscillator", "no such system: it is harmonic-oscillator"},

    {BOUNDARY, "pbc", "it is written periodic"},
    {BOUNDARY, "xyz", "it is written periodic"},
    {BOUNDARY, "yes", "it is written periodic"},
    {BOUNDARY, "none", "a system without a box is written vacuum"},
    {BOUNDARY, "no", "a system without a box is written vacuum"},
    {BOUNDARY, "open", "a system without a box is written vacuum"},
};

const struct rill_synonym *rill_synonyms(size_t *count) {
  *count = sizeof synonyms / sizeof synonyms[0];
  return synonyms;
}

static bool is_same(const char *word, const char *written) {
  for (; *word != '\0' && *written != '\0'; word++, written++) {
    const char letter = *written == '_' || *written == ' ' ? '-' : (char)tolower((unsigned char)*written);
    if (*word != letter) return false;
  }
  return *word == *written;
}

const char *rill_synonym_advice(const char *section, const char *key, const char *word) {
  for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++)
    if (strcmp(synonyms[i].section, section) == 0 && strcmp(synonyms[i].key, key) == 0 &&
        is_same(synonyms[i].word, word))
      return synonyms[i].advice;
  return NULL;
}
