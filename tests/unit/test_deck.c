/* deck: every rule of the schema by exact message; defaults; overrides; the expanded deck reads back the same.
 *
 * Fault cases: A04 (tolerances), E12 (time over step), F12 (no steps at all), G14 (misspelt, doubled, misplaced
 * keys). */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/units.h"
#include "base/cpu.h"
#include "deck/deck.h"
#include "deck/ini.h"
#include "deck/kind.h"
#include "base/nearest.h"
#include "deck/schema.h"
#include "deck/synonyms.h"
#include "deck/units.h"
#include "suite.h"

#define DECK "test_deck.ini"

/* The least deck, with more sections behind it. */
#define SYSTEM "[system]\nmolecules = 7\n"
#define INTEGRATOR "[integrator]\nstep = 2 fs\nsteps = 1000\n"
#define LEAST SYSTEM INTEGRATOR

static struct rill_error error;
static struct rill_deck deck;

static void write_file(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
  ck_assert_int_eq(fclose(file), 0);
}

static enum rill_status read_with(const char *text, const char *const *overrides, size_t count) {
  enum rill_status status;
  write_file(DECK, text, strlen(text));
  rill_error_clear(&error);
  status = rill_deck_read(DECK, overrides, count, &deck, &error);
  remove(DECK);
  return status;
}

static void accept(const char *text) {
  enum rill_status status = read_with(text, NULL, 0);
  ck_assert_msg(status == RILL_OK, "refused: %s\nin:\n%s", error.text, text);
  ck_assert_str_eq(error.text, "");
}

/* The whole report is `message`, so exactly one fault unless it has several lines. */
static void refuse(const char *text, const char *message) {
  enum rill_status status = read_with(text, NULL, 0);
  ck_assert_int_eq(status, RILL_ERROR_INPUT);
  ck_assert_str_eq(error.text, message);
}

/* The report holds `part`. */
static void refuse_part(const char *text, const char *part) {
  ck_assert_int_eq(read_with(text, NULL, 0), RILL_ERROR_INPUT);
  ck_assert_msg(strstr(error.text, part) != NULL, "no \"%s\" in: %s", part, error.text);
}

static void accept_override(const char *text, const char *override) {
  enum rill_status status = read_with(text, &override, 1);
  ck_assert_msg(status == RILL_OK, "refused: %s", error.text);
}

static void refuse_override(const char *text, const char *override, const char *message) {
  ck_assert_int_eq(read_with(text, &override, 1), RILL_ERROR_INPUT);
  ck_assert_str_eq(error.text, message);
}

/* A value of one key, set on a deck in which that key has an effect. */
static const char everything[] =
    "[system]\nmolecules = 7\n[integrator]\nstep = 2 fs\nsteps = "
    "1000\n[constraints]\nsolver = mshake\n"
    "[thermostat]\nmethod = baoab\n[confine]\nradius = 1 nm\n[output]\ntrajectory = "
    "a.h5md\n[rdf]\n";

static void accept_value(const char *override) { accept_override(everything, override); }

/* The message is "--set key: value: expected". */
static void refuse_value(const char *key, const char *value, const char *expected) {
  char override[200], message[600];
  snprintf(override, sizeof override, "%s=%s", key, value);
  snprintf(message, sizeof message, "--set %s: %s: %s", key, value, expected);
  refuse_override(everything, override, message);
}

START_TEST(least_deck_has_the_defaults) {
  accept(LEAST);
  ck_assert_str_eq(deck.path, DECK);
  ck_assert_str_eq(deck.system.kind, "water");
  ck_assert_str_eq(deck.system.model, "tip3p");
  ck_assert(deck.system.coulomb_constant == RILL_COULOMB_CONSTANT);
  ck_assert_str_eq(deck.system.structure, "");
  ck_assert_uint_eq(deck.system.molecules, 7);
  ck_assert_int_eq(deck.system.boundary, RILL_BOUNDARY_VACUUM);
  ck_assert_int_eq(deck.forces.coulomb, RILL_COULOMB_ALL);
  ck_assert_int_eq(deck.forces.precision, RILL_PRECISION_DOUBLE);
  ck_assert_int_eq(deck.start.velocities, RILL_VELOCITIES_MAXWELL);
  ck_assert(deck.start.temperature == 300.0);
  ck_assert_uint_eq(deck.start.seed, 1);
  ck_assert_int_eq(deck.start.remove, RILL_REMOVE_AUTO);
  ck_assert(!deck.start.minimize);
  ck_assert_str_eq(deck.integrator.method, "rattle");
  ck_assert(deck.integrator.step == 0.002);
  ck_assert_uint_eq(deck.integrator.steps, 1000);
  ck_assert_int_eq(deck.constraints.solver, RILL_SETTLE);
  ck_assert(deck.constraints.tolerance == 1e-10);
  ck_assert(deck.constraints.velocity_tolerance == 1e-10);
  ck_assert_uint_eq(deck.constraints.max_iterations, 500);
  ck_assert_int_eq(deck.thermostat.method, RILL_NO_BATH);
  ck_assert(deck.thermostat.temperature[0] == 300.0 && deck.thermostat.temperature[1] == 300.0);
  ck_assert_int_eq(deck.thermostat.friction_law, RILL_FRICTION_UNIFORM);
  ck_assert(deck.thermostat.friction == 1.0);
  ck_assert_uint_eq(deck.thermostat.seed, 1);
  ck_assert_uint_eq(deck.thermostat.geodesic_steps, 1);
  ck_assert_int_eq(deck.forces.kernel, RILL_KERNEL_AUTO);
  ck_assert(!deck.confine.on);
  ck_assert(deck.confine.stiffness == 1000.0);
  ck_assert_str_eq(deck.output.trajectory, "");
  ck_assert_uint_eq(deck.output.interval, 500);
  ck_assert(!deck.output.double_precision);
  ck_assert(!deck.output.velocities);
  ck_assert_str_eq(deck.output.series, "");
  ck_assert_uint_eq(deck.output.series_interval, 500);
  ck_assert(!deck.rdf.on);
  ck_assert_uint_eq(deck.rdf.pairs, RILL_DISTANCES_OO);
  ck_assert(!deck.properties.on);
  ck_assert(deck.rdf.max == 1.0);
  ck_assert_uint_eq(deck.rdf.bins, 200);
  ck_assert(deck.rdf.from == 0.0);
}
END_TEST

/* No two values alike, so that a wrong offset in the table shows. */
START_TEST(every_key_reaches_its_field) {
  accept(
      "[system]\nkind = droplet\nmodel = tip3p-ac\ncoulomb_constant = 332.06371 kcal*A/mol/e2\n"
      "structure = sub/x.gro\nboundary = periodic\n"
      "[start]\nvelocities = maxwell\ntemperature = 11 K\nseed = 12\nremove = linear\nminimize = yes\n"
      "[integrator]\nmethod = zss-simplified\nstep = 0.5 fs\ntime = 1 ns\n"
      "[constraints]\nsolver = shake\ntolerance = 1e-9\nvelocity_tolerance = 2e-8\nmax_iterations = 77\n"
      "[thermostat]\nmethod = baoab\ntemperature = 300 K -> 10 K\nfriction = 2.045e-1 u/ps\nseed = 13\n"
      "geodesic_steps = 4\n[forces]\nkernel = avx2\n[confine]\nradius = 12 A\nstiffness = 2 kcal/mol/A2\n"
      "[output]\ntrajectory = t.h5md\ninterval = 50 steps\nprecision = double\nvelocities = yes\nseries = s.csv\n"
      "series_interval = 10 fs\n[rdf]\npair = O-O\nmax = 900 pm\nbins = 90\nfrom = 20 ps\n");
  ck_assert_str_eq(deck.system.kind, "droplet");
  ck_assert_str_eq(deck.system.model, "tip3p-ac");
  /* one rounding of the unit's factor, one of the product */
  ck_assert_double_eq_tol(deck.system.coulomb_constant, 332.06371 * 4.184 * 0.1, 1e-13);
  ck_assert_str_eq(deck.system.structure, "sub/x.gro");
  ck_assert_uint_eq(deck.system.molecules, 0);
  ck_assert_int_eq(deck.system.boundary, RILL_BOUNDARY_PERIODIC);
  ck_assert(deck.start.temperature == 11.0);
  ck_assert_uint_eq(deck.start.seed, 12);
  ck_assert_int_eq(deck.start.remove, RILL_REMOVE_LINEAR_MOMENTUM);
  ck_assert(deck.start.minimize);
  ck_assert_str_eq(deck.integrator.method, "zss-simplified");
  ck_assert(deck.integrator.step == 0.0005);
  ck_assert_uint_eq(deck.integrator.steps, 2000000);
  ck_assert_int_eq(deck.constraints.solver, RILL_RATTLE_SHAKE);
  ck_assert(deck.constraints.tolerance == 1e-9);
  ck_assert(deck.constraints.velocity_tolerance == 2e-8);
  ck_assert_uint_eq(deck.constraints.max_iterations, 77);
  ck_assert_int_eq(deck.thermostat.method, RILL_BAOAB);
  ck_assert(deck.thermostat.temperature[0] == 300.0 && deck.thermostat.temperature[1] == 10.0);
  ck_assert_int_eq(deck.thermostat.friction_law, RILL_FRICTION_PER_MASS);
  ck_assert(deck.thermostat.friction == 0.2045);
  ck_assert_uint_eq(deck.thermostat.seed, 13);
  ck_assert_uint_eq(deck.thermostat.geodesic_steps, 4);
  ck_assert_int_eq(deck.forces.kernel, RILL_KERNEL_AVX2);
  ck_assert(deck.confine.on);
  ck_assert_double_eq_tol(deck.confine.radius, 1.2, 1e-15);
  ck_assert_double_eq_tol(deck.confine.stiffness, 836.8, 1e-12);
  ck_assert_str_eq(deck.output.trajectory, "t.h5md");
  ck_assert_uint_eq(deck.output.interval, 50);
  ck_assert(deck.output.double_precision);
  ck_assert(deck.output.velocities);
  ck_assert_str_eq(deck.output.series, "s.csv");
  ck_assert_uint_eq(deck.output.series_interval, 20);
  ck_assert(deck.rdf.on);
  ck_assert(deck.rdf.max == 0.9);
  ck_assert_uint_eq(deck.rdf.bins, 90);
  ck_assert(deck.rdf.from == 20.0);
}
END_TEST

START_TEST(defaults_follow_the_thermostat_and_the_step) {
  accept(LEAST "[thermostat]\nmethod = gla\ntemperature = 250 K -> 10 K\nseed = 42\n");
  ck_assert(deck.start.temperature == 250.0);
  ck_assert_uint_eq(deck.start.seed, 42);
  accept(SYSTEM "[integrator]\nstep = 3 fs\nsteps = 9\n[output]\nseries = s.csv\n");
  ck_assert_uint_eq(deck.output.interval, 333); /* 1 ps is no whole multiple of 3 fs: the nearest */
  accept(SYSTEM "[integrator]\nstep = 5 ps\nsteps = 9\n");
  ck_assert_uint_eq(deck.output.interval, 1);
  accept(LEAST "[output]\ninterval = 20 fs\n");
  ck_assert_uint_eq(deck.output.series_interval, 10);
}
END_TEST

/* The words of each enumeration stand in the table in the enumeration's order. */
START_TEST(words_match_their_enumerations) {
  accept_value("start.velocities=maxwell");
  ck_assert_int_eq(deck.start.velocities, RILL_VELOCITIES_MAXWELL);
  accept_value("start.velocities=zero");
  ck_assert_int_eq(deck.start.velocities, RILL_VELOCITIES_ZERO);
  accept("[system]\nstructure = a.gro\n[start]\nvelocities = file\n" INTEGRATOR);
  ck_assert_int_eq(deck.start.velocities, RILL_VELOCITIES_FILE);
  accept_value("start.remove=auto");
  ck_assert_int_eq(deck.start.remove, RILL_REMOVE_AUTO);
  accept_value("start.remove=none");
  ck_assert_int_eq(deck.start.remove, RILL_KEEP_MOMENTUM);
  accept_value("start.remove=linear+angular");
  ck_assert_int_eq(deck.start.remove, RILL_REMOVE_ALL_MOMENTA);
  accept_value("constraints.solver=settle");
  ck_assert_int_eq(deck.constraints.solver, RILL_SETTLE);
  accept_value("constraints.solver=mshake");
  ck_assert_int_eq(deck.constraints.solver, RILL_MSHAKE);
  accept_value("constraints.solver=lgvi");
  ck_assert_int_eq(deck.constraints.solver, RILL_BODIES_LGVI);
  accept_value("constraints.solver=rotor");
  ck_assert_int_eq(deck.constraints.solver, RILL_BODIES_ROTOR);
  accept_value("thermostat.method=gla");
  ck_assert_int_eq(deck.thermostat.method, RILL_GLA);
  accept_value("forces.kernel=auto");
  ck_assert_int_eq(deck.forces.kernel, RILL_KERNEL_AUTO);
  accept_value("forces.kernel=reference");
  ck_assert_int_eq(deck.forces.kernel, RILL_KERNEL_REFERENCE);
  accept_value("forces.kernel=portable");
  ck_assert_int_eq(deck.forces.kernel, RILL_KERNEL_PORTABLE);
  accept_value("forces.kernel=avx512");
  ck_assert_int_eq(deck.forces.kernel, RILL_KERNEL_AVX512);
  accept_value("output.precision=single");
  ck_assert(!deck.output.double_precision);
  accept_value("output.velocities=no");
  ck_assert(!deck.output.velocities);
}
END_TEST

/* Line forms: byte-order mark, CRLF, lone CR, indentation, comments, colons, blanks within brackets, sections again.
 */
START_TEST(lines_of_every_form) {
  accept("\xEF\xBB\xBF[system]\r\nmolecules=7\r\n\r\n[integrator]\r\nstep = 2fs\r\nsteps = 5\r\n");
  ck_assert_uint_eq(deck.integrator.steps, 5);
  accept("[system]\rmolecules=7\r[integrator]\rstep = 2fs\rsteps = 6");
  ck_assert_uint_eq(deck.integrator.steps, 6);
  accept("[system]\nstructure = a;b.gro ; not a;b\n" INTEGRATOR); /* a comment begins after a blank */
  ck_assert_str_eq(deck.system.structure + strlen(deck.system.structure) - 7, "a;b.gro");
  accept(
      "; first\n# second\n  [ system ]  ; here\n\tmolecules = 7 ; seven\n   ; alone\n [integrator]\n"
      "    step   =   2 fs\n    steps : 7\n[system]\n  model = tip3p-ac\n");
  ck_assert_uint_eq(deck.integrator.steps, 7);
  ck_assert_uint_eq(deck.system.molecules, 7);
  ck_assert_str_eq(deck.system.model, "tip3p-ac");
  refuse("[system]\r\nmolecules = 7\r\n[integrator]\r\n\r\n  stpe = 2 fs\r\nsteps = 1\r\n", DECK
         ":5: unknown key "
         "stpe in "
         "[integrator]: did "
         "you mean step?");
  refuse("\r\r[system]\rmolecules = 7\r[integrator]\rstep = 2 fs\rsteps = x\r", DECK
         ":7: [integrator] steps = x: a "
         "whole number is expected");
}
END_TEST

START_TEST(lines_of_any_length) {
  char text[9000], path[1024], line[8000];
  memset(path, 'p', 900);
  path[900] = '\0';
  snprintf(text, sizeof text, "[system] ; %0300d\n%120sstructure = %s ; %0900d\n" INTEGRATOR, 0, "", path, 0);
  accept(text);
  ck_assert_str_eq(deck.system.structure, path);
  for (size_t length = 180; length < 220; length++) { /* about the buffer of inih, 200 */
    path[length] = '\0';
    snprintf(text, sizeof text, "[system]\nstructure=%s\n" INTEGRATOR, path);
    accept(text);
    ck_assert_str_eq(deck.system.structure, path);
    path[length] = 'p';
  }
  memset(line, 'x', 4100);
  line[4100] = '\0';
  snprintf(text, sizeof text, LEAST "%s\n[bad]\n", line);
  refuse(text, DECK ":6: the line is longer than 4000 characters\n" DECK
                    ":7: unknown section [bad]; the sections "
                    "are system, penalty, start, integrator, "
                    "constraints, thermostat, barostat, force, control, friction, "
                    "forces, confine, field, output, rdf, properties, ensemble, stop");
  line[300] = '\0';
  snprintf(text, sizeof text, LEAST "%s = 3\n", line);
  refuse(text, DECK ":6: the name of the key is too long");
  snprintf(text, sizeof text, LEAST "[%s]\n", line);
  refuse(text, DECK ":6: the name of the section is too long");
  memset(path, 'p', 1023);
  path[1023] = '\0';
  snprintf(text, sizeof text, "[system]\nstructure=%s\n" INTEGRATOR, path);
  accept(text);
  snprintf(text, sizeof text, "[system]\nstructure=%sp\n" INTEGRATOR, path);
  ck_assert_int_eq(read_with(text, NULL, 0), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "the path is too long, at most 1023 characters with the deck's folder"));
}
END_TEST

START_TEST(lines_that_cannot_be_read) {
  refuse(LEAST "[rdf\nbins\n= 4\n[]\n[rdf] bins = 3\n", DECK
         ":6: a section is expected to be [name], alone on its "
         "line\n" DECK
         ":7: neither [section] nor key = "
         "value\n" DECK
         ":8: the key before the = "
         "is missing\n" DECK
         ":9: a section is expected to be [name], alone on its "
         "line\n" DECK
         ":10: a section is expected to be "
         "[name], alone on its line");
  refuse(LEAST "[rdf]\nbins =\n", DECK ":7: [rdf] bins = : a value is expected after the =");
  refuse("step = 2 fs\n" LEAST, DECK ":1: step stands before the first [section]; it belongs in [integrator]");
  refuse("foo = 2 fs\n" LEAST, DECK ":1: foo stands before the first [section]");
}
END_TEST

/* G14: misspelt, doubled and misplaced keys. */
START_TEST(unknown_keys_and_sections) {
  refuse(LEAST "[thermostat]\nmethod = gla\ntempreature = 300 K\n", DECK
         ":8: unknown key tempreature in "
         "[thermostat]: did you mean temperature?");
  refuse(LEAST "[thermostat]\nmethod = gla\nTemperature = 300 K\n", DECK
         ":8: unknown key Temperature in "
         "[thermostat]: did you mean temperature?");
  refuse("[system]\nmolecules = 7\nstep = 2 fs\n[integrator]\nsteps = 5\n", DECK
         ":3: unknown key step in [system]: "
         "it belongs in [integrator]");
  refuse("[system]\nmolecules = 7\ntemperature = 2 K\n" INTEGRATOR, DECK
         ":3: unknown key temperature in [system]: "
         "it belongs in [start] or [thermostat]");
  refuse("[system]\nmolecules = 7\ntempreature = 2 K\n" INTEGRATOR, DECK
         ":3: unknown key tempreature in [system]: "
         "did you mean temperature in [start] or "
         "[thermostat]?");
  refuse(LEAST "[forces]\ncutoff_radius = 0.9 nm\n",
         DECK ":7: unknown key cutoff_radius in [forces]: did you mean cutoff?");
  refuse(LEAST "[forces]\ncutoff = 0.9 nm\n", DECK
         ":7: [forces] cutoff has no effect here: it needs system.boundary = periodic, or "
         "forces.coulomb = reaction-field or cut");
  refuse(SYSTEM "[integrator]\ntimestep = 2 fs\nsteps = 1\n", DECK
         ":4: unknown key timestep in [integrator]: did "
         "you mean step?");
  refuse(LEAST "[thermostats]\nmethod = gla\nfoo = 1\n", DECK
         ":6: unknown section [thermostats]: did you mean "
         "[thermostat]?");
  refuse(LEAST "[quantum]\nstiffness = 1\n", DECK
         ":6: unknown section [quantum]; the sections are system, penalty, start, "
         "integrator, constraints, thermostat, barostat, force, control, friction, "
         "forces, confine, field, output, rdf, properties, ensemble, stop");
  refuse(LEAST "[thermostat]\nmethod = gla\nseed = 1\n; again\nseed = 1\n", DECK
         ":10: [thermostat] seed is given "
         "twice, first in line 8");
  refuse("[system]\nmolecules = 7\n" INTEGRATOR "[system]\nmolecules = 8\n", DECK
         ":7: [system] molecules is given "
         "twice, first in line 2");
}
END_TEST

START_TEST(missing_and_exclusive_keys) {
  refuse("[system]\n", DECK
         ": [system] structure or molecules is missing: GRO, PDB or XYZ file with the positions, "
         "relative to the deck\n" DECK ": [integrator] step is missing: length of a step\n" DECK
         ": [integrator] time or steps is missing: length of the run, a whole number of steps");
  refuse(LEAST "[confine]\n", DECK
         ": [confine] radius is missing: distance from the cluster's centre at which the "
         "wall begins");
  refuse(SYSTEM "[integrator]\nstep = 2 fs\ntime = 1 ps\nsteps = 500\n", DECK
         ":6: [integrator] has either steps or "
         "time, and time is given in line 5");
  refuse(SYSTEM "[integrator]\nstep = 2 fs\nsteps = 500\ntime = 1 ps\n", DECK
         ":6: [integrator] has either time or "
         "steps, and steps is given in line 5");
  refuse("[system]\nmolecules = 7\nstructure = a.gro\n" INTEGRATOR, DECK
         ":3: [system] has either structure or "
         "molecules, and molecules is given in line "
         "2");
  refuse(LEAST "[start]\nvelocities = file\n", DECK
         ":7: [start] velocities = file: there is no file to read "
         "velocities "
         "from: it needs system.structure");
}
END_TEST

START_TEST(keys_without_effect) {
  static const char needs[] = " has no effect here: it needs thermostat.method = gla, baoab, ghmc or v-rescale";
  static const char of_friction[] = " has no effect here: it needs thermostat.method = gla, baoab or ghmc";
  char expected[400];
  snprintf(expected, sizeof expected, DECK ":7: [thermostat] temperature%s\n" DECK ":8: [thermostat] friction%s",
           needs, of_friction);
  refuse(LEAST "[thermostat]\ntemperature = 300 K\nfriction = 1 /ps\n", expected);
  snprintf(expected, sizeof expected, DECK ":8: [thermostat] seed%s", needs);
  refuse(LEAST "[thermostat]\nmethod = none\nseed = 2\n", expected);
  refuse(LEAST "[thermostat]\nmethod = gla\ngeodesic_steps = 2\n", DECK
         ":8: [thermostat] geodesic_steps has no "
         "effect here: it needs thermostat.method = "
         "baoab, with constraints (rigid bodies have no "
         "manifold to follow)");
  refuse(LEAST "[constraints]\nsolver = lgvi\n[thermostat]\nmethod = baoab\ngeodesic_steps = 2\n", DECK
         ":10: [thermostat] geodesic_steps has no effect here: it needs thermostat.method = baoab, with constraints "
         "(rigid bodies have no manifold to follow)");
  refuse(LEAST "[constraints]\nsolver = rotor\ntolerance = 1e-8\n",
         DECK ":8: [constraints] tolerance has no effect here: it needs constraints.solver = mshake or shake");
  refuse(LEAST "[constraints]\ntolerance = 1e-8\n", DECK
         ":7: [constraints] tolerance has no effect here: it needs "
         "constraints.solver = mshake or shake");
  refuse(LEAST "[constraints]\nsolver = settle\nmax_iterations = 8\n", DECK
         ":8: [constraints] max_iterations has no "
         "effect here: it needs "
         "constraints.solver = mshake or shake");
  refuse(LEAST "[start]\nvelocities = zero\ntemperature = 3 K\n", DECK
         ":8: [start] temperature has no effect here: "
         "it needs start.velocities = maxwell");
  refuse("[system]\nstructure = a.gro\n" INTEGRATOR "[start]\nvelocities = file\nseed = 3\n",
         DECK ":8: [start] seed has no effect here: it needs start.velocities = maxwell or system.molecules");
  accept(LEAST "[start]\nvelocities = zero\nseed = 3\n"); /* the seed of the cluster that is built */
  refuse(LEAST "[output]\nprecision = double\n", DECK
         ":7: [output] precision has no effect here: it needs "
         "system.kind = water and output.trajectory");
  /* the key that chooses is itself at fault: keys that depend on it are not reported */
  refuse(LEAST "[thermostat]\nmethod = gal\ntemperature = 300 K\n", DECK
         ":7: [thermostat] method = gal: did you "
         "mean gla? (none, gla, baoab, ghmc, v-rescale)");
  refuse(LEAST "[thermostat]\nmethd = gla\ntemperature = 300 K\n", DECK
         ":7: unknown key methd in [thermostat]: did "
         "you mean method?");
}
END_TEST

START_TEST(units_of_quantities) {
  accept_value("integrator.step=2fs");
  ck_assert(deck.integrator.step == 0.002);
  accept_value("integrator.step= +.2e1   fs ");
  ck_assert(deck.integrator.step == 0.002);
  accept_value("integrator.step=9 fs");
  ck_assert(deck.integrator.step == 0.009); /* 9 * 1e-3 is another double */
  accept_value("integrator.step=1 akma");
  ck_assert_double_eq_tol(deck.integrator.step, 0.04888821, 5e-9); /* as published, 48.88821 fs */
  accept_value("thermostat.friction=0.2/ps");
  ck_assert(deck.thermostat.friction == 0.2 && deck.thermostat.friction_law == RILL_FRICTION_UNIFORM);
  accept_value("thermostat.friction=3 / ns");
  ck_assert(deck.thermostat.friction == 0.003);
  accept_value("thermostat.friction=2 /fs");
  ck_assert_double_eq(deck.thermostat.friction, 2000.0);
  accept_value("thermostat.friction=0.01 u/akma");
  ck_assert_int_eq(deck.thermostat.friction_law, RILL_FRICTION_PER_MASS);
  ck_assert_double_eq_tol(deck.thermostat.friction, 0.01 / 0.04888821, 2e-8); /* the published unit has 7 digits */
  accept_value("thermostat.temperature=300K->10K");
  ck_assert(deck.thermostat.temperature[0] == 300.0 && deck.thermostat.temperature[1] == 10.0);
  accept_value("thermostat.temperature=0 K");
  accept_value("thermostat.friction=0 /ps");
  accept_value("system.coulomb_constant=332 kcal * A / mol / e2");
  accept_value("confine.stiffness=1 kcal / mol / A2");
  ck_assert_double_eq_tol(deck.confine.stiffness, 418.4, 1e-12);
  accept_value("confine.radius=15 A");
  ck_assert(deck.confine.radius == 1.5);

  refuse_value("integrator.step", "2",
               "the unit is missing: a time is expected, for example `2 fs` (fs, ps, ns, akma)");
  refuse_value("integrator.step", "2 K",
               "wrong dimension, `K` is a temperature: a time is expected (fs, ps, ns, akma)");
  refuse_value("integrator.step", "2 parsec", "unknown unit `parsec`: a time is expected (fs, ps, ns, akma)");
  refuse_value("integrator.step", "2 f s", "unknown unit `f s`: a time is expected (fs, ps, ns, akma)");
  refuse_value("integrator.step", "2 fs 3", "unknown unit `fs 3`: a time is expected (fs, ps, ns, akma)");
  refuse_value("integrator.step", "0x2 fs", "unknown unit `x2 fs`: a time is expected (fs, ps, ns, akma)");
  refuse_value("thermostat.friction", "1",
               "the unit is missing: a rate or a friction coefficient (mass times rate) is expected, for example "
               "`1 /ps` (/ps, /fs, /ns, /akma, u/ps, u/akma)");
  refuse_value("thermostat.temperature", "300 -> 10 K",
               "the unit is missing: a temperature is expected, for example `300 K` (K)");
  refuse_value("thermostat.temperature", "300 K ->", "a ramp reads first -> last, for example `300 K -> 10 K`");
  refuse_value("system.coulomb_constant", "332 kcal/mol",
               "wrong dimension, `kcal/mol` is an energy: a Coulomb constant is expected (kJ*nm/mol/e2, "
               "kcal*A/mol/e2)");
}
END_TEST

#define OUT_OF_STEPS "out of range, 1e-12 to 1000000 ps is expected: is the unit right? usual for water are 1 to 4 fs"

START_TEST(numbers_out_of_range_or_none) {
  refuse_value("integrator.step", "0 fs", OUT_OF_STEPS);
  refuse_value("integrator.step", "-2 fs", OUT_OF_STEPS);
  refuse_value("integrator.step", "1e-999 fs", OUT_OF_STEPS);
  refuse_value("integrator.step", "nan fs", "not a finite number");
  refuse_value("integrator.step", "-inf fs", "not a finite number");
  refuse_value("integrator.step", "1e999 fs", "too large for a finite number");
  refuse_value("integrator.step", "1e308 ns", "too large for a finite number");
  refuse_value("integrator.step", "fs", "not a number");
  refuse_value("integrator.step", "0,5 fs", "a decimal point is expected, and no thousands separator");
  refuse_value("thermostat.temperature", "-1 K", "out of range, not negative is expected");
  refuse_value("thermostat.temperature", "1 K -> -1 K", "out of range, not negative is expected");
  refuse_value("thermostat.friction", "-1 u/ps", "out of range, not negative is expected");
  refuse_value("rdf.bins", "0", "out of range, 1 to 100000 is expected");
  refuse_value("rdf.bins", "100001", "out of range, 1 to 100000 is expected");
  refuse_value("rdf.max", "0 nm", "out of range, above 0 nm is expected");
  refuse_value("rdf.pair", "OH", "one of O-O, O-H, H-H is expected");
  refuse_value("rdf.pair", "O-O, O-N", "`O-N`: did you mean O-O? (O-O, O-H, H-H)");
  refuse_value("rdf.pair", "O-O,O-O", "`O-O` is named twice");
  refuse_value("rdf.pair", "O-O, ,H-H", "a list of words separated by commas is expected");
  refuse_value("rdf.pair", "O-H,", "a list of words separated by commas is expected");
  refuse_value("system.molecules", "0", "out of range, 1 to 4294967295 is expected");
  refuse_value("start.minimize", "true", "one of no, yes is expected");
  refuse_value("start.minimize", "Yes", "did you mean yes? (no, yes)");
  refuse_value("forces.kernel", "avx",
               "did you mean avx2? (auto, reference, portable, neon, avx2, avx512, avx512vl)");
}
END_TEST

/* A04: a tolerance below what doubles reach is refused, and the floor named. */
START_TEST(tolerances_below_the_floor) {
  static const char *const keys[] = {"constraints.tolerance", "constraints.velocity_tolerance"};
  static const char *const low[] = {"0", "-1", "1e-16", "1e-18", "9.99e-15"};
  for (size_t k = 0; k < 2; k++) {
    for (size_t i = 0; i < sizeof low / sizeof low[0]; i++) {
      refuse_value(keys[k], low[i], "out of range, 1e-14 to 1e-4 is expected: doubles cannot reach less");
    }
  }
  refuse_value("constraints.tolerance", "nan", "not a finite number");
  refuse_value("constraints.tolerance", "1e-3", "out of range, 1e-14 to 1e-4 is expected");
  refuse_value("constraints.tolerance", "1e-8 nm", "a pure number is expected, without `nm`");
  accept_value("constraints.tolerance=1e-14");
  ck_assert(deck.constraints.tolerance == 1e-14);
  accept_value("constraints.tolerance=1e-4");
}
END_TEST

START_TEST(whole_numbers) {
  accept_value("integrator.steps=3000000000");
  ck_assert_uint_eq(deck.integrator.steps, UINT64_C(3000000000));
  accept_value("integrator.steps=2.5e5");
  ck_assert_uint_eq(deck.integrator.steps, 250000);
  accept_value("integrator.steps=8999999999999999"); /* doubles hold it exactly, as the series must */
  ck_assert_uint_eq(deck.integrator.steps, UINT64_C(8999999999999999));
  accept_value("integrator.steps=9000000000000000");
  refuse_value("integrator.steps", "9000000000000001", "out of range, 0 to 9000000000000000 is expected");
  accept_value("integrator.steps=0"); /* F12: no step at all is a run */
  ck_assert_uint_eq(deck.integrator.steps, 0);
  accept_value("thermostat.seed=18446744073709551615");
  ck_assert_uint_eq(deck.thermostat.seed, UINT64_MAX);
  ck_assert_uint_eq(deck.start.seed, UINT64_MAX);
  refuse_value("thermostat.seed", "18446744073709551616", "too large, at most 18446744073709551615");
  refuse_value("integrator.steps", "1e17", "a whole number as large as this is expected as plain digits");
  refuse_value("integrator.steps", "2.5", "a whole number is expected");
  refuse_value("integrator.steps", "-5", "a whole number that is not negative is expected");
  refuse_value("integrator.steps", "5 fs", "a whole number is expected, without `fs`");
  refuse_value("integrator.steps", "5,000", "a whole number without separators is expected");
  refuse_value("integrator.steps", "nan", "a whole number is expected");
  refuse_value("integrator.steps", "1e19", "a whole number as large as this is expected as plain digits");
  refuse_value("integrator.steps", "2000000000000000000", "out of range, 0 to 9000000000000000 is expected");
}
END_TEST

/* E12: 0.3 over 0.1 is three steps, though the quotient of the doubles lies below. */
START_TEST(times_in_steps) {
  accept(SYSTEM "[integrator]\nstep = 0.1 ps\ntime = 0.3 ps\n");
  ck_assert_uint_eq(deck.integrator.steps, 3);
  accept(SYSTEM "[integrator]\nstep = 0.7 fs\ntime = 0.7 ns\n");
  ck_assert_uint_eq(deck.integrator.steps, 1000000);
  accept(SYSTEM "[integrator]\nstep = 2 fs\ntime = 0 ps\n");
  ck_assert_uint_eq(deck.integrator.steps, 0);
  accept(SYSTEM "[integrator]\ntime = 1 ps\nstep = 2 fs\n"); /* in either order */
  ck_assert_uint_eq(deck.integrator.steps, 500);
  refuse(SYSTEM "[integrator]\nstep = 0.1 ps\ntime = 0.35 ps\n", DECK
         ":5: [integrator] time = 0.35 ps: not a whole "
         "number of steps, 3.5 of 0.1 ps: the nearest "
         "times are 0.3 ps "
         "and 0.4 ps");
  refuse(SYSTEM "[integrator]\nstep = 0.1 ps\ntime = 0.3000009 ps\n", DECK
         ":5: [integrator] time = 0.3000009 ps: "
         "not a whole number of steps, 3.000009 of "
         "0.1 ps: the nearest times "
         "are 0.3 ps and 0.4 ps");
  accept(SYSTEM "[integrator]\nstep = 0.1 ps\ntime = 0.3000001 ps\n"); /* 3e-7 of itself */
  ck_assert_uint_eq(deck.integrator.steps, 3);
  refuse(SYSTEM "[integrator]\nstep = 2 fs\ntime = 0.5 fs\n", DECK
         ":5: [integrator] time = 0.5 fs: not a whole "
         "number of steps, 0.25 of 0.002 ps: the least "
         "time is 0.002 ps");
  refuse(SYSTEM "[integrator]\nstep = 2 fs\ntime = 50 steps\n", DECK
         ":5: [integrator] time = 50 steps: a time is "
         "expected; a number of steps belongs in "
         "`steps`");
  refuse(SYSTEM "[integrator]\nstep = 2 fs\ntime = -1 ps\n", DECK
         ":5: [integrator] time = -1 ps: out of range, a "
         "time that is not negative is expected");
  refuse(SYSTEM "[integrator]\nstep = 1e-9 fs\ntime = 100 ns\n", DECK
         ":5: [integrator] time = 100 ns: out of range, 0 "
         "to 9000000000000000 steps is expected");
  refuse_value("integrator.step", "1e-308 fs", OUT_OF_STEPS);

  accept_value("output.interval=100 fs");
  ck_assert_uint_eq(deck.output.interval, 50);
  accept_value("output.interval=50 steps");
  ck_assert_uint_eq(deck.output.interval, 50);
  accept_value("output.interval=1 step");
  ck_assert_uint_eq(deck.output.interval, 1);
  refuse_value("output.interval", "101 fs",
               "not a whole number of steps, 50.5 of 0.002 ps: the nearest times are 0.1 ps and 0.102 ps");
  refuse_value("output.interval", "1 fs", "not a whole number of steps, 0.5 of 0.002 ps: the least time is 0.002 ps");
  refuse_value("output.interval", "0 fs", "out of range, a time above 0 is expected");
  refuse_value("output.interval", "0 steps", "out of range, 1 to 1e18 steps is expected");
  refuse_value("thermostat.temperature", "25 C", "temperatures are in K: 25 C is 298.15 K");
  refuse_value("thermostat.temperature", "9 K -> 8 K -> 7 K",
               "a ramp has a first and a last value; a second ramp needs another run");
  refuse_value("integrator.step",
               "\xe2\x88\x92"
               "2 fs",
               "it contains a character that is not plain ASCII, such as a no-break space or a typographic "
               "minus (not a number)");
  refuse_value(
      "stop.max_bond", "0.1 # a comment",
      "a comment at the end of a line begins with a blank and ; (a pure number is expected, without `# a comment`)");
  accept_value("output.interval=1000000000000000000 steps");
  refuse_value("output.interval", "1000000000000000001 steps", "out of range, 1 to 1e18 steps is expected");
  refuse_value("output.interval", "50",
               "the unit is missing: a time is expected, for example `50 fs` (fs, ps, ns, akma)");
  /* units are checked also where the step is not known */
  refuse(SYSTEM "[integrator]\nstep = 2\nsteps = 5\n[output]\ninterval = 3 nm\n", DECK
         ":4: [integrator] step = 2: the unit is missing: a time is expected, for example `2 fs` (fs, ps, ns, "
         "akma)\n" DECK
         ":7: [output] interval = 3 nm: wrong dimension, `nm` is a length: a time is expected (fs, "
         "ps, ns, akma)");
}
END_TEST

START_TEST(overrides) {
  const char *two[2];
  accept_override(LEAST, "integrator.time=1 ps");
  ck_assert_uint_eq(deck.integrator.steps, 500);
  accept_override(SYSTEM "[integrator]\nstep = 2 fs\ntime = 1 ps\n", "integrator.steps=7");
  ck_assert_uint_eq(deck.integrator.steps, 7);
  accept_override(LEAST, "integrator.step = 1 fs");
  ck_assert(deck.integrator.step == 0.001);
  accept_override("[system]\nstructure = a.gro\n" INTEGRATOR, "system.molecules=9");
  ck_assert_uint_eq(deck.system.molecules, 9);
  ck_assert_str_eq(deck.system.structure, "");
  accept_override(LEAST, "rdf.bins=10"); /* a section that the file has not */
  ck_assert(deck.rdf.on);
  ck_assert_uint_eq(deck.rdf.bins, 10);
  accept_override(SYSTEM "[integrator]\nstep = wrong\nsteps = 1\n", "integrator.step=1 fs"); /* replaces the fault */
  accept_override(LEAST "[thermostat]\nmethod = gla\ntemperature = 10 K\nseed = 5\n", "thermostat.method=none");
  ck_assert(deck.thermostat.temperature[0] == 300.0); /* without effect, back to the default */
  ck_assert_uint_eq(deck.start.seed, 1);

  refuse_override(LEAST, "thermostat.temperature=10 K",
                  "--set thermostat.temperature: [thermostat] temperature has no "
                  "effect here: it needs thermostat.method = gla, baoab, ghmc or v-rescale");
  refuse_override(
      LEAST "[thermostat]\ntemperature = 3 K\n", "thermostat.method=none",
      DECK
      ":7: [thermostat] temperature has no effect here: it needs thermostat.method = gla, baoab, ghmc or v-rescale");
  refuse_override(LEAST, "thermostat.tempreature=3 K",
                  "--set thermostat.tempreature: unknown key tempreature in "
                  "[thermostat]: did you mean temperature?");
  refuse_override(LEAST, "integratr.step=3 fs",
                  "--set integratr.step: unknown section [integratr]: did you mean "
                  "[integrator]?");
  refuse_override(LEAST, "integrator.step=", "--set integrator.step: : a value is expected after the =");
  static const char *const malformed[] = {"step", "step=1", "=", ".=", "a.=b", ".b=c", "integrator=1.5"};
  for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
    char message[200];
    snprintf(message, sizeof message, "--set %s: section.key=value is expected, for example integrator.step=1fs",
             malformed[i]);
    refuse_override(LEAST, malformed[i], message);
  }
  two[0] = "integrator.step=1 fs";
  two[1] = "integrator.step=3 fs";
  ck_assert_int_eq(read_with(LEAST, two, 2), RILL_ERROR_INPUT);
  ck_assert_str_eq(error.text, "--set integrator.step: given twice on the command line, as `1 fs` and as `3 fs`");
  two[0] = "integrator.steps=1";
  two[1] = "integrator.time=1 ps";
  ck_assert_int_eq(read_with(LEAST, two, 2), RILL_ERROR_INPUT);
  ck_assert_str_eq(error.text, "--set integrator.steps: either steps or time, not both on the command line");
}
END_TEST

START_TEST(paths) {
  write_file(DECK, "", 0);
  mkdir("test_deck_folder", 0777);
  write_file("test_deck_folder/d.ini", "[system]\nstructure = x/w 7.gro\n" INTEGRATOR,
             strlen("[system]\nstructure = x/w 7.gro\n" INTEGRATOR));
  ck_assert_int_eq(rill_deck_read("test_deck_folder/d.ini", NULL, 0, &deck, &error), RILL_OK);
  ck_assert_str_eq(deck.system.structure, "test_deck_folder/x/w 7.gro");
  ck_assert_int_eq(rill_deck_read("./test_deck_folder/d.ini", NULL, 0, &deck, &error), RILL_OK);
  ck_assert_str_eq(deck.system.structure, "./test_deck_folder/x/w 7.gro");
  remove("test_deck_folder/d.ini");
  rmdir("test_deck_folder");
  accept("[system]\nstructure = /absolute/w.gro\n" INTEGRATOR);
  ck_assert_str_eq(deck.system.structure, "/absolute/w.gro");
  refuse_value("output.series", "\"a.csv\"", "a file name is expected without quotes");
  refuse_value("output.series", "a/", "a file is expected, not a directory");
  refuse_override(LEAST, "output.series=a\nb", "--set, number 1: text without control characters is expected");
  refuse(LEAST "[output]\nseries = a.csv # why\n", DECK
         ":7: [output] series = a.csv # why: a comment at the end of "
         "a line begins with a blank and ;, and a file "
         "name cannot hold ` #`");
  refuse(LEAST "[integrator]\nmethod = rat tle\n", DECK
         ":7: [integrator] method = rat tle: a name of letters, "
         "digits and - + _ / is expected");
}
END_TEST

static void refuse_file(const char *path, const char *message) {
  rill_error_clear(&error);
  ck_assert_int_eq(rill_deck_read(path, NULL, 0, &deck, &error), RILL_ERROR_INPUT);
  ck_assert_str_eq(error.text, message);
}

START_TEST(files_that_are_no_decks) {
  static const unsigned char binary[] = "\n\x89HDF\r\n\x1a\n";
  static const unsigned char wide[] = "\xFF\xFE[\0s\0";
  char *large = malloc((1 << 20) + 1);
  ck_assert_ptr_nonnull(large);
  refuse_file("test_deck_none.ini", "test_deck_none.ini: cannot be opened: No such file or directory");
  refuse_file(".", ".: a directory; a deck (a text file) is expected");
  write_file(DECK, "", 0);
  refuse_file(DECK, DECK ": the file is empty; a deck has [sections] of key = value");
  write_file(DECK, "\n \r\n\t", 5);
  refuse_file(DECK, DECK ": the file is empty; a deck has [sections] of key = value");
  write_file(DECK, binary, sizeof binary - 1);
  refuse_file(DECK, DECK ":3: not a text file (byte 26); a deck is plain text, [sections] of key = value");
  write_file(DECK, wide, sizeof wide - 1);
  refuse_file(DECK, DECK ":1: not a text file (byte 0); a deck is plain text, [sections] of key = value");
  memset(large, 'a', (1 << 20) + 1);
  write_file(DECK, large, (1 << 20) + 1);
  refuse_file(DECK, DECK ": longer than 1048576 bytes; it is not a deck");
  remove(DECK);
  free(large);
}
END_TEST

/* All faults together, in the order of their lines, those of overrides next, what is missing last. */
START_TEST(all_faults_together) {
  const char *set = "start.seed=x";
  ck_assert_int_eq(read_with("[system]\nmolecules = 0\n[thermostat]\nmethod = gla\nfriction = 1\nfoo\n[output]\n"
                             "interval = 3\n[start]\nvelocity = zero\n[integrator]\nsteps = 4\n",
                             &set, 1),
                   RILL_ERROR_INPUT);
  static const char *const parts[] = {
      ":2: [system] molecules",        ":5: [thermostat] friction", ":6: neither",
      ":8: [output] interval",         ":10: unknown key velocity", "--set start.seed: x",
      ": [integrator] step is missing"};
  const char *at = error.text;
  size_t lines = 1;
  for (const char *end = at; *end != '\0'; end++) lines += *end == '\n';
  ck_assert_uint_eq(lines, sizeof parts / sizeof parts[0]);
  for (size_t i = 0; i < lines; i++) {
    at = strstr(at, parts[i]);
    ck_assert_msg(at != NULL, "%s not in its place in:\n%s", parts[i], error.text);
  }
}
END_TEST

/* More faults than the report holds: the first ones, and how many are left. */
START_TEST(very_many_faults) {
  char text[4000] = LEAST "[rdf]\n";
  size_t length = strlen(text);
  for (int i = 0; i < 100; i++) length += (size_t)snprintf(text + length, sizeof text - length, "k%d = 1\n", i);
  ck_assert_int_eq(read_with(text, NULL, 0), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(
      strstr(error.text, DECK ":7: unknown key k0 in [rdf]; its keys are pair, max, bins, from, interval\n"));
  ck_assert_ptr_nonnull(strstr(error.text, DECK ":46: unknown key k39 in"));
  ck_assert_ptr_null(strstr(error.text, "k40"));
  ck_assert_ptr_nonnull(strstr(error.text, "\n" DECK ": and 60 more faults"));
}
END_TEST

/* The struct has no pointers; padding and what follows a string's end are zeroed by the reader. */
static void forget_folder(struct rill_deck *one) {
  memset(one->line, 0, sizeof one->line);
  const char *slash = strrchr(one->system.structure, '/');
  char name[RILL_DECK_STRING] = "";
  snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : one->system.structure);
  memset(one->system.structure, 0, sizeof one->system.structure);
  memcpy(one->system.structure, name, strlen(name));
}

START_TEST(expanded_deck_reads_back) {
  static const char *const decks[] = {
      LEAST,
      "[system]\nstructure = sub/water 7.gro\nboundary = periodic\n[start]\nvelocities = file\nremove = "
      "linear+angular\n"
      "[integrator]\nmethod = verlet\nstep = 1 akma\nsteps = 3000000000\n",
      "[system]\nmolecules = 100\nmodel = tip3p-ac\ncoulomb_constant = 332.06371 kcal*A/mol/e2\n[start]\n"
      "temperature = 0.1 K\nseed = 18446744073709551615\nminimize = yes\n[integrator]\nmethod = yoshida4\n"
      "step = 0.7 fs\ntime = 0.7 ns\n[constraints]\nsolver = mshake\ntolerance = 1.2345e-13\n"
      "velocity_tolerance = 3e-5\nmax_iterations = 20\n[thermostat]\nmethod = baoab\n"
      "temperature = 299.99999999999994 K -> 1e-5 K\nfriction = 0.01 u/akma\nseed = 7\ngeodesic_steps = 5\n[forces]\n"
      "kernel = portable\n[confine]\nradius = 12.3 A\nstiffness = 1 kcal/mol/A2\n[output]\ntrajectory = out/t.h5md\n"
      "interval = 7 steps\nprecision = double\nvelocities = yes\nseries = s.csv\nseries_interval = 7 fs\n[rdf]\n"
      "max = 9.9 A\nbins = 198\nfrom = 1 akma\n",
      LEAST "[thermostat]\nmethod = gla\nfriction = 3 /akma\n[start]\nvelocities = zero\n[rdf]\n",
  };
  static struct rill_deck first;
  for (size_t i = 0; i < sizeof decks / sizeof decks[0]; i++) {
    char *text, *again;
    accept(decks[i]);
    first = deck;
    text = rill_deck_expand(&first);
    ck_assert_ptr_nonnull(text);
    accept(text);
    again = rill_deck_expand(&deck);
    ck_assert_str_eq(text, again);
    forget_folder(&first);
    forget_folder(&deck);
    ck_assert_mem_eq(&first, &deck, sizeof deck);
    free(text);
    free(again);
  }
}
END_TEST

START_TEST(expanded_deck_is_exact) {
  char *text;
  accept(
      "[system]\nstructure = /home/person/water7.gro\n[integrator]\nstep = 2 fs\ntime = 500 ps\n[thermostat]\n"
      "method = gla\ntemperature = 300 K -> 10 K\nfriction = 0.2 u/ps\n[output]\ntrajectory = /data/t.h5md\n"
      "interval = 100 fs\n");
  text = rill_deck_expand(&deck);
  ck_assert_str_eq(text,
                   "[system]\nkind = water\nmodel = tip3p\ncoulomb_constant = 138.93545764438 kJ*nm/mol/e2\n"
                   "structure = water7.gro\nboundary = vacuum\n[start]\nvelocities = maxwell\ntemperature = "
                   "300 K\n"
                   "seed = 1\nremove = auto\nminimize = no\n[integrator]\nmethod = rattle\nstep = 0.002 ps\n"
                   "steps = 250000\n[constraints]\nsolver = settle\n[thermostat]\nmethod = gla\n"
                   "temperature = 300 K -> 10 K\nfriction = 0.2 u/ps\nseed = 1\n[forces]\nkernel = "
                   "auto\ncoulomb = all\nprecision = double\n[output]\n"
                   "trajectory = t.h5md\ninterval = 50 steps\nprecision = single\nvelocities = no\n"
                   "series_interval = 50 steps\nmeans_from = 0 ps\ncheckpoint_interval = 15 min\n");
  free(text);
}
END_TEST

START_TEST(numbers_are_written_shortest) {
  static const struct {
    double value;
    const char *text;
  } cases[] = {{0, "0"},
               {1, "1"},
               {-2.5, "-2.5"},
               {0.1, "0.1"},
               {0.002, "0.002"},
               {1e-4, "1e-4"},
               {1.5e-10, "1.5e-10"},
               {1e18, "1e18"},
               {123000, "123000"},
               {0.1 + 0.2, "0.30000000000000004"},
               {5e-324, "5e-324"},
               {1.7976931348623157e308, "1.7976931348623157e308"},
               {9007199254740993.0, "9007199254740992"}};
  char text[RILL_NUMBER_TEXT];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    ck_assert_str_eq(rill_number_format(cases[i].value, text), cases[i].text);
  for (int i = 1; i < 2000; i++) {
    double value = sin(i) * exp(i % 300 - 150);
    ck_assert(strtod(rill_number_format(value, text), NULL) == value);
  }
}
END_TEST

/* Every row of the table is whole: what its kind needs, a field of its kind's size, a default that the key accepts.
 */
/* An ensemble without a ladder, and with both kinds; what replicas have of their own is not written. */
START_TEST(ladders) {
#define BATH LEAST "[thermostat]\nmethod = gla\n"
#define REPLICAS BATH "[ensemble]\nreplicas = 8\n"
  char *text;
  accept(REPLICAS);
  ck_assert_uint_eq(deck.ensemble.temperatures.count, 0);
  ck_assert_uint_eq(deck.ensemble.exchange, RILL_NO_EXCHANGE);
  text = rill_deck_expand(&deck);
  ck_assert_ptr_nonnull(strstr(text, "[start]\nvelocities = maxwell\ntemperature = 300 K\nremove"));
  free(text);
  accept(REPLICAS "temperatures = 60 K -> 240 K, 3\nexchange = neighbours\n");
  ck_assert_uint_eq(deck.ensemble.temperatures.count, 3);
  ck_assert_double_eq_tol(deck.ensemble.temperatures.temperature[1], 120, 1e-12);
  ck_assert_double_eq(deck.ensemble.temperatures.temperature[2], 240);
  text = rill_deck_expand(&deck);
  ck_assert_ptr_nonnull(strstr(text, "\ntemperatures = 60 K -> 240 K, 3\nexchange = neighbours\n"));
  ck_assert_ptr_null(strstr(text, "temperature = "));
  ck_assert_ptr_nonnull(strstr(text, "[start]\nvelocities = maxwell\nremove")); /* no seed either */
  free(text);
  accept(REPLICAS "temperatures = 60K,0.1e3 K , 110.5 K\n[start]\ntemperature = 5 K\nseed = 7\n");
  ck_assert_uint_eq(deck.ensemble.temperatures.count, 3);
  ck_assert_double_eq(deck.ensemble.temperatures.temperature[1], 100);
  text = rill_deck_expand(&deck);
  ck_assert_ptr_nonnull(strstr(text, "\ntemperatures = 60 K, 100 K, 110.5 K\n"));
  ck_assert_ptr_nonnull(strstr(text, "\ntemperature = 5 K\nseed = 7\n"));
  free(text);
  refuse(REPLICAS "temperatures = 60 K -> 240 K\n", DECK
         ":10: [ensemble] temperatures = 60 K -> 240 K: a geometric series ends with the number of temperatures, "
         "for example `60 K -> 250 K, 12`");
  refuse(REPLICAS "temperatures = 60 K -> 240 K, 1\n",
         DECK ":10: [ensemble] temperatures = 60 K -> 240 K, 1: 2 to 256 temperatures are expected, not 1");
  refuse(REPLICAS "temperatures = 60 K, 60 K\n", DECK
         ":10: [ensemble] temperatures = 60 K, 60 K: increasing temperatures are expected, and 60 K follows 60 K");
  refuse(REPLICAS "temperatures = 60 K,, 70 K\n", DECK
         ":10: [ensemble] temperatures = 60 K,, 70 K: temperatures are written as a geometric series, for example "
         "`60 K -> 250 K, 12`, or as a list, `60 K, 80 K, 110 K`");
  refuse(BATH "temperature = 100 K\n[ensemble]\nreplicas = 8\ntemperatures = 60 K, 70 K\n",
         DECK ":8: [thermostat] temperature = 100 K: ensemble.temperatures replace it: remove one of them");
  refuse(REPLICAS "exchange_interval = 1 ps\n",
         DECK ":10: [ensemble] exchange_interval has no effect here: it needs ensemble.exchange = neighbours");
#undef REPLICAS
#undef BATH
}
END_TEST

START_TEST(vectors_have_one_unit) {
  static const char *const electric[] = {"0.5, -1, 2e-1 V/nm", "0.5 -1 0.2 V/nm", "0.5,-1,0.2V/nm",
                                         "0.5 ,-1 , 0.2  V/nm"};
  const double expected[] = {0.5 * RILL_VOLT, -RILL_VOLT, 0.2 * RILL_VOLT};
  char text[200];
  for (size_t i = 0; i < sizeof electric / sizeof electric[0]; i++) {
    char *expanded;
    snprintf(text, sizeof text, LEAST "[field]\nelectric = %s\ntrap = 1 kJ/mol/nm2\ncentre = 1 2 -3 A\n",
             electric[i]);
    for (int pass = 0; pass < 2; pass++) { /* as given, and as the expanded deck has it */
      accept(text);
      ck_assert(deck.field.on);
      for (int c = 0; c < 3; c++) ck_assert_double_eq_tol(deck.field.electric[c], expected[c], 1e-14);
      ck_assert_double_eq_tol(deck.field.centre[2], -0.3, 1e-16);
      if (pass > 0) break;
      expanded = rill_deck_expand(&deck);
      ck_assert_ptr_nonnull(strstr(expanded, "[field]\nelectric = "));
      snprintf(text, sizeof text, LEAST "%s", strstr(expanded, "[field]"));
      *strstr(strstr(text, "centre"), "\n") = '\0';
      free(expanded);
    }
  }
#define FIELD(value) LEAST "[field]\nelectric = " value "\n"
#define FAULT(value) DECK ":7: [field] electric = " value ": "
  refuse(FIELD("1, 2 V/nm"), FAULT("1, 2 V/nm") "three numbers and one unit are expected, such as `0, 0, 0.1 V/nm`");
  refuse(FIELD("x"), FAULT("x") "three numbers and one unit are expected, such as `0, 0, 0.1 V/nm`");
  refuse_part(FIELD("1, 2, 3"), "the unit is missing");
  refuse_part(FIELD("1, 2, 3, 4 V/nm"), FAULT("1, 2, 3, 4 V/nm"));
  refuse_part(FIELD("1, 2, 3 V"), "unknown unit");
  refuse_part(FIELD("1, 2, 3 nm"), "wrong dimension");
#undef FIELD
#undef FAULT
  refuse(LEAST "[field]\ncentre = 1, 2, 3 nm\n", DECK ":7: [field] centre has no effect here: it needs field.trap");
}
END_TEST

START_TEST(a_mesh_has_whole_numbers) {
  static const char *const grids[] = {"40, 42, 44", "40 42 44", "40,42,44", " 40 ,42 , 44 "};
  char text[300];
#define BOX "[system]\nstructure = a.gro\nboundary = periodic\n" INTEGRATOR "[forces]\n"
  for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
    char *expanded;
    snprintf(text, sizeof text, BOX "mesh_order = 6\nmesh_grid = %s\n", grids[i]);
    accept(text);
    ck_assert_uint_eq(deck.forces.mesh_order, 6);
    for (size_t c = 0; c < 3; c++) ck_assert_uint_eq(deck.forces.mesh_grid[c], 40 + 2 * c);
    expanded = rill_deck_expand(&deck);
    ck_assert_ptr_nonnull(strstr(expanded, "mesh_order = 6\n"));
    ck_assert_ptr_nonnull(strstr(expanded, "mesh_grid = 40, 42, 44\n"));
    free(expanded);
  }
  accept(BOX "mesh_order = auto\nmesh_grid = auto\n");
  ck_assert_uint_eq(deck.forces.mesh_order, 0);
  for (size_t c = 0; c < 3; c++) ck_assert_uint_eq(deck.forces.mesh_grid[c], 0);
  refuse_part(BOX "mesh_grid = 40, 42\n", "40, 42: three whole numbers are expected, such as `100, 100, 128`");
  refuse_part(BOX "mesh_grid = 40, 42, 44, 46\n", "three whole numbers are expected");
  refuse_part(BOX "mesh_grid = 40, x, 44\n", "a whole number is expected");
  refuse_part(BOX "mesh_grid = 40, 42, 3\n", "out of range, 4 to 4096 is expected");
  refuse_part(BOX "mesh_grid = 40, 42.5, 44\n", "a whole number is expected");
  refuse_part(BOX "mesh_order = 3\n", "out of range, 4 to 12 is expected");
  refuse_part(BOX "coulomb = cut\nmesh_grid = 40, 42, 44\n", "mesh_grid has no effect here: it needs");
#undef BOX
}
END_TEST

START_TEST(hydrogens_and_v_rescale_have_keys) {
  accept(LEAST "[thermostat]\nmethod = v-rescale\ntau = 200 fs\n");
  ck_assert_double_eq_tol(deck.thermostat.tau, 0.2, 1e-16);
  refuse(LEAST "[thermostat]\nmethod = gla\ntau = 200 fs\n",
         DECK ":8: [thermostat] tau has no effect here: it needs thermostat.method = v-rescale");
  refuse(LEAST "[thermostat]\nmethod = v-rescale\nfriction = 1 /ps\n",
         DECK ":8: [thermostat] friction has no effect here: it needs thermostat.method = gla, baoab or ghmc");
  accept("[system]\nmolecules = 7\nhydrogen_mass = 3 u\n" INTEGRATOR);
  ck_assert_double_eq(deck.system.hydrogen_mass, 3);
  refuse_part("[system]\nmolecules = 7\nhydrogen_mass = 9 u\n" INTEGRATOR, "out of range, 0.5 to 8 u");
}
END_TEST

START_TEST(schema_is_consistent) {
  size_t count, sections;
  const struct rill_key *keys = rill_keys(&count);
  struct rill_reading reading = {.folder = "", .step = 0.002, .lenient = true};
  rill_sections(&sections);
  ck_assert_uint_gt(count, 30);
  for (size_t i = 0; i < count; i++) {
    const struct rill_key *key = &keys[i];
    size_t size = 8;
    ck_assert_int_ge(rill_section_find(key->section), 0);
    ck_assert_int_eq(rill_key_find(key->section, key->name), (int)i); /* no two of one name */
    ck_assert_msg(key->help != NULL && strlen(key->help) > 4, "%s.%s", key->section, key->name);
    ck_assert_int_ge(key->offset, 0);
    ck_assert_uint_le((size_t)key->offset + key->size, sizeof(struct rill_deck));
    if (key->kind == RILL_KIND_PARAMETER) continue; /* no field */
    if (key->kind == RILL_KIND_RAMP) size = 16;
    if (key->kind == RILL_KIND_LADDER) size = sizeof(struct rill_ladder);
    if (key->kind == RILL_KIND_VECTOR) size = 3 * sizeof(double);
    if (key->kind == RILL_KIND_GRID) size = 3 * sizeof(uint64_t);
    if (key->kind == RILL_KIND_NUMBERS) size = sizeof(struct rill_numbers);
    if (key->kind == RILL_KIND_PACE) size = sizeof(struct rill_pace);
    if (key->kind == RILL_KIND_WORD) size = sizeof(enum rill_boundary);
    if (key->kind == RILL_KIND_SET) size = sizeof(unsigned);
    if (key->kind == RILL_KIND_SWITCH) size = sizeof(bool);
    if (key->kind >= RILL_KIND_NAME) ck_assert_uint_ge(key->size, 16);
    else ck_assert_uint_eq(key->size, size);
    if (key->kind <= RILL_KIND_INTERVAL && key->kind != RILL_KIND_LADDER && key->kind != RILL_KIND_NUMBERS)
      ck_assert_msg(key->most > key->least, "%s.%s", key->section, key->name);
    if (key->kind == RILL_KIND_WORD || key->kind == RILL_KIND_SWITCH) ck_assert_ptr_nonnull(key->words);
    if (key->kind == RILL_KIND_QUANTITY || key->kind == RILL_KIND_RAMP || rill_kind_needs_step(key->kind))
      ck_assert_int_ne(key->dimension, RILL_DIMENSION_NONE);
    if (key->instead != NULL) ck_assert_int_ge(rill_key_find(key->section, key->instead), 0);
    if (key->initial == NULL || key->initial[0] == '\0') continue;
    if (key->initial[0] == '@') {
      char section[64];
      int from;
      snprintf(section, sizeof section, "%s", key->initial + 1);
      char *dot = strchr(section, '.');
      ck_assert_ptr_nonnull(dot);
      *dot = '\0';
      from = rill_key_find(section, dot + 1);
      ck_assert_int_ge(from, 0);
      ck_assert_uint_le(key->size, keys[from].size);
      ck_assert(keys[from].initial != NULL && keys[from].initial[0] != '@');
      continue;
    }
    ck_assert_int_eq(rill_kind_read(key, key->initial, &reading, &deck, &error), RILL_OK);
  }
}
END_TEST

START_TEST(units_are_consistent) {
  size_t count;
  const struct rill_unit *units = rill_units(&count);
  for (int dimension = RILL_DIMENSION_NONE + 1; dimension < RILL_DIMENSION_COUNT; dimension++) {
    int internal = 0;
    for (size_t i = 0; i < count; i++)
      if ((int)units[i].dimension == dimension && units[i].factor == 1.0) {
        ck_assert_str_eq(units[i].symbol, rill_dimension_unit((enum rill_dimension)dimension));
        internal++;
      }
    ck_assert_msg(internal == 1, "%s", rill_dimension_name((enum rill_dimension)dimension));
  }
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++) /* akma is a unit of more than one quantity */
      ck_assert(units[i].dimension != units[j].dimension || strcmp(units[i].symbol, units[j].symbol) != 0);
}
END_TEST

/* Each unit from the SI's constants and the definitions of the others, not from ours. */
START_TEST(units_have_their_values) {
  const double avogadro = 6.02214076e23, kcal = 4.184, akma = 0.1 / sqrt(kcal); /* A sqrt(u / (kcal/mol)) in ps */
  const struct {
    const char *symbol, *dimension;
    double value;
  } expected[] = {
      {"fs", "time", 1e-3},
      {"ps", "time", 1},
      {"ns", "time", 1e3},
      {"akma", "time", akma},
      {"s", "time (SI)", 1},
      {"ms", "time (SI)", 1e-3},
      {"us", "time (SI)", 1e-6},
      {"J", "energy (SI)", 1},
      {"mJ", "energy (SI)", 1e-3},
      {"/s", "rate (SI)", 1},
      {"kg/s", "friction (SI)", 1},
      {"nm", "length", 1},
      {"A", "length", 0.1},
      {"pm", "length", 1e-3},
      {"K", "temperature", 1},
      {"/ps", "rate", 1},
      {"/fs", "rate", 1e3},
      {"/ns", "rate", 1e-3},
      {"/akma", "rate", 1 / akma},
      {"u/ps", "friction", 1},
      {"u/akma", "friction", 1 / akma},
      {"kJ/mol", "energy", 1},
      {"kcal/mol", "energy", kcal},
      {"kJ/mol/nm", "force", 1},
      {"kcal/mol/A", "force", 10 * kcal},
      {"kJ/mol/nm2", "stiffness", 1},
      {"kcal/mol/A2", "stiffness", 100 * kcal},
      {"bar", "pressure", 1e5 * avogadro * 1e-27 / 1e3},
      {"atm", "pressure", 101325 * avogadro * 1e-27 / 1e3},
      {"MPa", "pressure", 1e6 * avogadro * 1e-27 / 1e3},
      {"kJ/mol/nm3", "pressure", 1},
      {"/bar", "compressibility", 1e3 / (1e5 * avogadro * 1e-27)},
      {"nm3*mol/kJ", "compressibility", 1},
      {"g/cm3", "density", avogadro * 1e-21},
      {"u/nm3", "density", 1},
      {"deg", "angle", 1},
      {"rad", "angle", 180 / acos(-1)},
      {"e", "charge", 1},
      {"u", "mass", 1},
      {"V/nm", "electric field", 1.602176634e-19 * avogadro / 1e3},
      {"kJ/mol/nm/e", "electric field", 1},
      {"kJ*nm/mol/e2", "coulomb", 1},
      {"kcal*A/mol/e2", "coulomb", kcal / 10},
      {"akma", "penalty", 100 * sqrt(kcal)},
      {"sqrt(kJ/mol)/nm2", "penalty", 1},
  };
  size_t count;
  const struct rill_unit *units = rill_units(&count);
  ck_assert_uint_eq(count, sizeof expected / sizeof expected[0]);
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    while (k < count && (strcmp(expected[k].symbol, units[i].symbol) != 0 ||
                         strcmp(expected[k].dimension, rill_dimension_name(units[i].dimension)) != 0))
      k++;
    ck_assert_msg(k < count, "%s", units[i].symbol);
    ck_assert_msg(fabs(units[i].factor - expected[k].value) <= 4e-16 * expected[k].value, "%s, a %s: %.17g",
                  units[i].symbol, expected[k].dimension, units[i].factor);
  }
}
END_TEST

START_TEST(quantities_of_options) {
  double value = 0;
  ck_assert_int_eq(rill_quantity_parse("0.9nm", "length", "--cutoff", &value, &error), RILL_OK);
  ck_assert(value == 0.9);
  ck_assert_int_eq(rill_quantity_parse(" 9 A", "length", "--cutoff", &value, &error), RILL_OK);
  ck_assert(value == 0.9);
  ck_assert_int_eq(rill_quantity_parse("2 g/cm3", "density", "--density", &value, &error), RILL_OK);
  ck_assert_double_eq_tol(value, 2 * 602.214076, 1e-12);
  ck_assert_int_eq(rill_quantity_parse("1 bar", "pressure", "--pressure", &value, &error), RILL_OK);
  ck_assert(value == 0.0602214076);
  ck_assert_int_eq(rill_quantity_parse("0.9", "length", "--cutoff", &value, &error), RILL_ERROR_USAGE);
  ck_assert_str_eq(error.text,
                   "--cutoff 0.9: the unit is missing: a length is expected, for example `0.9 nm` (nm, "
                   "A, "
                   "pm)");
  ck_assert_int_eq(rill_quantity_parse("", "length", "--cutoff", &value, &error), RILL_ERROR_USAGE);
  ck_assert_int_eq(rill_quantity_parse("1 K", "temper", "--t", &value, &error), RILL_ERROR_USAGE);
  ck_assert_str_eq(error.text, "--t: there is no dimension `temper`");
}
END_TEST

START_TEST(nearest_words) {
  ck_assert_int_eq(rill_edit_distance("tempreature", "temperature"), 1); /* a swap is one slip */
  ck_assert_int_eq(rill_edit_distance("kitten", "sitting"), 3);
  ck_assert_int_eq(rill_edit_distance("Step", "step"), 0);
  ck_assert_int_eq(rill_edit_distance("", "step"), 4);
  ck_assert_int_eq(rill_slip_distance("foo", "from"), RILL_FAR);
  ck_assert_int_eq(rill_slip_distance("seed", "step"), RILL_FAR);
  ck_assert_int_eq(rill_slip_distance("max-iterations", "max_iterations"), 1);
  ck_assert_int_eq(rill_slip_distance("stpe", "time-step"), RILL_FAR); /* the lengths differ too much */
  ck_assert_int_eq(rill_slip_distance("stp", "step"), 1);
  ck_assert_int_eq(rill_slip_distance("H-O", "O-H"), 0);        /* nearer than O-O, one letter away */
  ck_assert_int_eq(rill_slip_distance("step", "time-step"), 5); /* contained */
}
END_TEST

static char *read_stream(FILE *stream) {
  static char text[40000];
  rewind(stream);
  text[fread(text, 1, sizeof text - 1, stream)] = '\0';
  fclose(stream);
  return text;
}

/* What a key means, and what is expected of it; of a choice, the words are named once. */
START_TEST(keys_are_described) {
  static const struct {
    const char *section, *name, *text;
  } cases[] = {
      {"thermostat", "seed",
       "seed of the noise (whole number, 0 to 18446744073709551615; default 1; needs thermostat.method = gla, baoab, "
       "ghmc or v-rescale)"},
      {"system", "boundary",
       "the surroundings of the molecules. vacuum: no box; periodic: the box of the structure, or a box that is "
       "built (default vacuum; needs system.kind = water)"},
  };
  size_t count, described = 0;
  const struct rill_key *keys = rill_keys(&count);
  for (size_t i = 0; i < count; i++) {
    FILE *stream = tmpfile();
    const char *text;
    ck_assert_ptr_nonnull(stream);
    rill_key_describe(&keys[i], stream);
    text = read_stream(stream);
    ck_assert_msg(strlen(text) > 20 && text[strlen(text) - 1] == ')', "%s: %s", keys[i].name, text);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
      if (strcmp(keys[i].section, cases[c].section) != 0 || strcmp(keys[i].name, cases[c].name) != 0) continue;
      ck_assert_str_eq(text, cases[c].text);
      described++;
    }
  }
  ck_assert_uint_eq(described, sizeof cases / sizeof cases[0]);
}
END_TEST

/* A locale with a decimal comma changes nothing, and is back in force afterwards. */
START_TEST(decimal_comma_locale) {
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE", "fr_FR"};
  char number[20], *text;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (setlocale(LC_ALL, names[i]) != NULL) break;
  snprintf(number, sizeof number, "%.1f", 0.5); /* 0.5 where no such locale is installed */
  accept(SYSTEM "[integrator]\nstep = 0.5 fs\nsteps = 3\n");
  ck_assert(deck.integrator.step == 0.0005);
  text = rill_deck_expand(&deck);
  ck_assert_ptr_nonnull(strstr(text, "coulomb_constant = 138.93545764438 kJ"));
  free(text);
  refuse(SYSTEM "[integrator]\nstep = 0,5 fs\nsteps = 3\n", DECK
         ":4: [integrator] step = 0,5 fs: a decimal point is "
         "expected, and no thousands separator");
  char after[20];
  snprintf(after, sizeof after, "%.1f", 0.5);
  ck_assert_str_eq(number, after);
  setlocale(LC_ALL, "C");
}
END_TEST

/* What the reference prints as a default can be written. */
START_TEST(defaults_are_accepted_as_printed) {
  size_t count, tried = 0;
  const struct rill_key *keys = rill_keys(&count);
  for (size_t i = 0; i < count; i++) {
    const char *const texts[] = {keys[i].initial, keys[i].vacuum, keys[i].absent};
    for (int t = 0; t < 3; t++) {
      char override[128];
      const char *pointer = override;
      if (texts[t] == NULL || texts[t][0] == '\0' || texts[t][0] == '@') continue;
      snprintf(override, sizeof override, "%s.%s=%s", keys[i].section, keys[i].name, texts[t]);
      tried++;
      if (read_with(LEAST "[output]\ntrajectory = a.h5md\n", &pointer, 1) == RILL_OK) continue;
      if (strstr(error.text, "has no effect here") != NULL || keys[i].instead != NULL) continue;
      ck_assert_msg(strstr(error.text, "is missing") != NULL && strchr(error.text, '\n') == NULL, "%s: %s", override,
                    error.text); /* of an optional section that the key brings in */
    }
  }
  ck_assert_uint_gt(tried, 50);
  accept(LEAST "[output]\ntrajectory = none\nseries = none\n");
  ck_assert_str_eq(deck.output.trajectory, "");
  ck_assert_str_eq(deck.output.series, "");
  accept_override(LEAST "[output]\ntrajectory = a.h5md\nseries = a.csv\n", "output.series=none");
  ck_assert_str_eq(deck.output.trajectory, "a.h5md");
  ck_assert_str_eq(deck.output.series, "");
  accept(LEAST "[penalty]\nstiffness = none\n");
  ck_assert(deck.penalty.stiffness == 0);
}
END_TEST

/* Of each key with words: what a word is read as is what is written as that word. */
START_TEST(words_and_values_are_one_to_one) {
  size_t count, chosen = 0;
  const struct rill_key *keys = rill_keys(&count);
  char list[256];
  for (size_t i = 0; i < count; i++) {
    const struct rill_choice *words = keys[i].words;
    if (keys[i].kind != RILL_KIND_WORD) continue;
    chosen++;
    for (const struct rill_choice *choice = words; choice->word != NULL; choice++) {
      ck_assert_ptr_eq(rill_choice_find(words, choice->word), choice);
      ck_assert_ptr_eq(rill_choice_of(words, choice->value), choice);
      ck_assert_msg(choice->summary != NULL, "%s.%s = %s", keys[i].section, keys[i].name, choice->word);
    }
    ck_assert_ptr_null(rill_choice_find(words, "nothing"));
    ck_assert_str_eq(rill_choice_word(words, 1000), "unknown");
  }
  ck_assert_uint_eq(chosen, 23);
  /* shown in the order of the list, not of the values */
  ck_assert_str_eq(rill_choice_list(rill_precision_choices, " or ", list, sizeof list), "mixed or double");
  ck_assert_str_eq(rill_choice_list(rill_momentum_removal_choices, " or ", list, sizeof list),
                   "auto, none, linear or linear+angular");
  ck_assert_str_eq(rill_choice_list(rill_kernel_choices, ", ", list, 10), "auto, ref");
  for (unsigned isa = 0; isa < RILL_ISA_COUNT; isa++)
    ck_assert_str_eq(rill_isa_name((enum rill_isa)isa),
                     rill_choice_word(rill_kernel_choices, RILL_KERNEL_PORTABLE + isa));
  ck_assert_str_eq(rill_isa_name(RILL_ISA_AVX2), "avx2");
}
END_TEST

/* Lists of words are sets: in any order, written in that of the table; words of one meaning are written as the
 * first. */
START_TEST(lists_of_words_are_sets) {
  static const char text[] =
      "[system]\nmolecules = 7\nboundary = periodic\n[integrator]\nstep = 2 fs\nsteps = 100\n"
      "[rdf]\npair = H-H ,O-O\n[properties]\ncompute = rotation, diffusion";
  char *expanded;
  accept(text);
  ck_assert_uint_eq(deck.rdf.pairs, RILL_DISTANCES_OO | RILL_DISTANCES_HH);
  ck_assert_uint_eq(deck.properties.compute, RILL_PROPERTY_DIPOLE | RILL_PROPERTY_DIFFUSION);
  ck_assert_uint_eq(deck.properties.interval, 12);
  ck_assert_uint_eq(deck.properties.motion_interval, 24);
  ck_assert_uint_eq(deck.properties.energy_interval, 960);
  expanded = rill_deck_expand(&deck);
  ck_assert_ptr_nonnull(strstr(expanded, "pair = O-O, H-H\n"));
  ck_assert_ptr_nonnull(strstr(expanded, "compute = diffusion, dipole\n"));
  free(expanded);
}
END_TEST

START_TEST(words_of_other_programs) {
  size_t count;
  const struct rill_synonym *synonyms = rill_synonyms(&count);
  ck_assert_ptr_nonnull(strstr(rill_synonym_advice("integrator", "method", "Leap_Frog"), "`verlet`"));
  ck_assert_ptr_null(rill_synonym_advice("integrator", "method", "leapfro"));
  ck_assert_ptr_null(rill_synonym_advice("integrator", "step", "leapfrog"));
  ck_assert_ptr_null(rill_synonym_advice("integrator", "method", ""));
  for (size_t i = 0; i < count; i++) {
    const int found = rill_key_find(synonyms[i].section, synonyms[i].key);
    ck_assert_msg(found >= 0, "%s.%s", synonyms[i].section, synonyms[i].key);
    for (size_t j = 0; j < i; j++) /* one advice for each word */
      ck_assert(strcmp(synonyms[i].key, synonyms[j].key) != 0 ||
                strcmp(synonyms[i].section, synonyms[j].section) != 0 ||
                strcmp(synonyms[i].word, synonyms[j].word) != 0);
    for (const struct rill_choice *ours = rill_keys(&count)[found].words; ours != NULL && ours->word != NULL; ours++)
      ck_assert_msg(strcmp(ours->word, synonyms[i].word) != 0, "%s is a word of ours", ours->word);
    rill_synonyms(&count);
  }
  refuse(LEAST "[thermostat]\nmethod = nose-hoover\n", DECK
         ":7: [thermostat] method = nose-hoover: it is not available: baoab and gla "
         "sample the canonical ensemble");
}
END_TEST

START_TEST(ramps_and_comments_of_other_forms) {
  static const char *const ramps[] = {"300 K - 10 K", "300 K to 10 K", "300 K .. 10 K", "300 K, 10 K",
                                      "300-10 K",     "300 to 10 K",   "300 K > 10 K",  "300 K \xe2\x80\x93 10 K",
                                      "300 K - 10"};
  char text[256], message[256];
  for (size_t i = 0; i < sizeof ramps / sizeof ramps[0]; i++) {
    snprintf(text, sizeof text, LEAST "[thermostat]\nmethod = gla\ntemperature = %s\n", ramps[i]);
    snprintf(message, sizeof message,
             DECK ":8: [thermostat] temperature = %s: a ramp is written with ->: `300 K -> 10 K`", ramps[i]);
    refuse(text, message);
  }
  refuse_part(SYSTEM "[integrator]\nstep = 2 fs # small\nsteps = 10\n",
              ":4: [integrator] step = 2 fs # small: a comment at the end "
              "of a line begins with a blank and ;");
  refuse_part(SYSTEM "[integrator]\nstep = 2 fs\nsteps = 10 // few\n", "a comment at the end of a line begins");
  refuse_part(LEAST "[thermostat]\nmethod = gla # good\n", "a comment at the end of a line begins");
  refuse_part(LEAST "[thermostat]\nmethod = gla\ntemperature = 300 kelvin\n", "unknown unit `kelvin`");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("deck");
  TCase *cases = tcase_create("deck");
  suite_add_tcase(suite, cases);
  tcase_add_test(cases, least_deck_has_the_defaults);
  tcase_add_test(cases, every_key_reaches_its_field);
  tcase_add_test(cases, defaults_follow_the_thermostat_and_the_step);
  tcase_add_test(cases, words_match_their_enumerations);
  tcase_add_test(cases, lines_of_every_form);
  tcase_add_test(cases, lines_of_any_length);
  tcase_add_test(cases, lines_that_cannot_be_read);
  tcase_add_test(cases, unknown_keys_and_sections);
  tcase_add_test(cases, missing_and_exclusive_keys);
  tcase_add_test(cases, keys_without_effect);
  tcase_add_test(cases, units_of_quantities);
  tcase_add_test(cases, numbers_out_of_range_or_none);
  tcase_add_test(cases, tolerances_below_the_floor);
  tcase_add_test(cases, whole_numbers);
  tcase_add_test(cases, times_in_steps);
  tcase_add_test(cases, overrides);
  tcase_add_test(cases, paths);
  tcase_add_test(cases, files_that_are_no_decks);
  tcase_add_test(cases, all_faults_together);
  tcase_add_test(cases, very_many_faults);
  tcase_add_test(cases, expanded_deck_reads_back);
  tcase_add_test(cases, expanded_deck_is_exact);
  tcase_add_test(cases, numbers_are_written_shortest);
  tcase_add_test(cases, ladders);
  tcase_add_test(cases, vectors_have_one_unit);
  tcase_add_test(cases, a_mesh_has_whole_numbers);
  tcase_add_test(cases, hydrogens_and_v_rescale_have_keys);
  tcase_add_test(cases, schema_is_consistent);
  tcase_add_test(cases, units_are_consistent);
  tcase_add_test(cases, units_have_their_values);
  tcase_add_test(cases, quantities_of_options);
  tcase_add_test(cases, nearest_words);
  tcase_add_test(cases, keys_are_described);
  tcase_add_test(cases, decimal_comma_locale);
  tcase_add_test(cases, defaults_are_accepted_as_printed);
  tcase_add_test(cases, words_and_values_are_one_to_one);
  tcase_add_test(cases, words_of_other_programs);
  tcase_add_test(cases, lists_of_words_are_sets);
  tcase_add_test(cases, ramps_and_comments_of_other_forms);
  return rill_run_suite(suite);
}
