#include "water/model/species.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/units.h"

#define MASSES 15.9994, 1.008
/* arccos(-1/3) */
#define TETRAHEDRAL 109.47122063449069
#define JORGENSEN "Jorgensen, Chandrasekhar, Madura, Impey, Klein, J. Chem. Phys. 79, 926 (1983)"
#define WANG "Wang, Martinez, Pande, J. Phys. Chem. Lett. 5, 1885 (2014)"

/* A in kcal angstrom^12/mol, C in kcal angstrom^6/mol. */
#define TAO_A (582000.0 * RILL_KCAL * 1e-12)
#define TAO_C (595.0 * RILL_KCAL * 1e-6)

/* SPC and SPC/E are defined by U = (B/r)^12 - (A/r)^6; (kJ/mol)^(1/6) nm, (kJ/mol)^(1/12) nm. */
#define SPC_A 0.37122
#define SPC_B 0.3428
#define SIXTH(x) ((x) * (x) * (x) * (x) * (x) * (x))
#define SPC_SIGMA (SPC_B * SPC_B / SPC_A)
#define SPC_EPSILON (0.25 * SIXTH(SPC_A / SPC_B) * SIXTH(SPC_A / SPC_B))

/* nm, degrees, e, nm, nm, kJ/mol, kJ nm12/mol, kJ nm6/mol, u, u */
static const struct rill_water_species species[] = {
    {"tip3p", "TIP3P", 0.09572, 104.52, 0.417, 0, 0.315061, 0.1521 * RILL_KCAL, 0, 0, MASSES, JORGENSEN},
    {"tip3p-ac", "TIP3P with other Lennard-Jones coefficients", 0.09572, 104.52, 0.417, 0, 0, 0, TAO_A, TAO_C, MASSES,
     "Tao & Owhadi (2016), section 4.3"},
    {"spc", "SPC", 0.1, TETRAHEDRAL, 0.41, 0, SPC_SIGMA, SPC_EPSILON, 0, 0, MASSES,
     "Berendsen, Postma, van Gunsteren, Hermans in Pullman (ed.), Intermolecular Forces (1981), 331"},
    {"spce", "SPC/E", 0.1, TETRAHEDRAL, 0.4238, 0, SPC_SIGMA, SPC_EPSILON, 0, 0, MASSES,
     "Berendsen, Grigera, Straatsma, J. Phys. Chem. 91, 6269 (1987)"},
    {"tip3p-fb", "TIP3P-FB", 0.101181082494, 108.14844252, 0.4242243450515, 0, 0.317796456355, 0.652143528104, 0, 0,
     MASSES, WANG},
    {"opc3", "OPC3", 0.0978882, 109.4711586, 0.447585, 0, 0.317427035, 0.163406 * RILL_KCAL, 0, 0, MASSES,
     "Izadi, Onufriev, J. Chem. Phys. 145, 074501 (2016)"},
    {"tip4p", "TIP4P", 0.09572, 104.52, 0.52, 0.015, 0.315365, 0.155 * RILL_KCAL, 0, 0, MASSES, JORGENSEN},
    {"tip4p-ew", "TIP4P-Ew", 0.09572, 104.52, 0.52422, 0.0125, 0.316435, 0.16275 * RILL_KCAL, 0, 0, MASSES,
     "Horn, Swope, Pitera, Madura, Dick, Hura, Head-Gordon, J. Chem. Phys. 120, 9665 (2004)"},
    {"tip4p-2005", "TIP4P/2005", 0.09572, 104.52, 0.5564, 0.01546, 0.31589, 93.2 * RILL_GAS_CONSTANT, 0, 0, MASSES,
     "Abascal, Vega, J. Chem. Phys. 123, 234505 (2005)"},
    {"opc", "OPC", 0.087243313, 103.59893, 0.679142, 0.015939833, 0.316655208, 0.212800813 * RILL_KCAL, 0, 0, MASSES,
     "Izadi, Anandakrishnan, Onufriev, J. Phys. Chem. Lett. 5, 3863 (2014)"},
    {"tip4p-fb", "TIP4P-FB", 0.09572, 104.52, 0.5258681106763, 0.010527446, 0.3165552430462, 0.7492790213533, 0, 0,
     MASSES, WANG},
};
enum { SPECIES = sizeof species / sizeof species[0] };

/* Models that are not offered; letters in lower case, and - for every other character. */
static const char of_charmm[] =
    "CHARMM's TIP3P is another model, with Lennard-Jones on the hydrogens, which rill does not have; tip3p is "
    "Jorgensen's";
static const char of_price[] =
    "TIP3P-Ew of Price and Brooks (2004) has charges and Lennard-Jones of its own, and is not in the table; a deck "
    "can give its numbers with model = custom";
static const char five_sites[] = "it has five sites, which rill does not have";
static const struct {
  const char *name, *reason;
} others[] = {
    {"charmm-tip3p", of_charmm}, {"tip3p-charmm", of_charmm}, {"ctip3p", of_charmm},    {"tips3p", of_charmm},
    {"mtip3p", of_charmm},       {"tip3p-ew", of_price},      {"tip3pew", of_price},    {"tip3p-pme", of_price},
    {"tip5p", five_sites},       {"tip5p-e", five_sites},     {"tip5p-ew", five_sites},
};

const struct rill_water_species *rill_water_species(size_t *count) {
  *count = SPECIES;
  return species;
}

/* Whether `written` is the name, in any case, with any character for -. */
static bool is_called(const char *name, const char *written) {
  for (; *name != '\0' && *written != '\0'; name++, written++) {
    const char letter = (char)tolower((unsigned char)*written);
    if (*name != (isalnum((unsigned char)letter) ? letter : '-')) return false;
  }
  return *name == *written;
}

enum rill_status rill_water_species_find(const char *name, const struct rill_water_species **found,
                                         struct rill_error *error) {
  const char *names[SPECIES], *nearest;
  char list[256] = "";
  *found = &species[0];
  if (name == NULL) return RILL_OK;
  for (size_t i = 0; i < SPECIES; i++) {
    names[i] = species[i].name;
    *found = &species[i];
    if (strcmp(name, names[i]) == 0) return RILL_OK;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "", names[i]);
  }
  *found = NULL;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (is_called(others[i].name, name))
      return rill_error_set(error, RILL_ERROR_INPUT, "water model '%.60s': %s", name, others[i].reason);
  if (strcmp(name, RILL_WATER_CUSTOM) == 0)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "water model 'custom' takes its numbers from the keys of [system] in a deck; expected one "
                          "of %s",
                          list);
  nearest = rill_nearest(name, names, SPECIES);
  if (nearest != NULL)
    return rill_error_set(error, RILL_ERROR_INPUT, "unknown water model '%.60s': did you mean %s? The models are %s",
                          name, nearest, list);
  return rill_error_set(error, RILL_ERROR_INPUT, "unknown water model '%.60s'; the models are %s", name, list);
}
