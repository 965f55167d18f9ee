/* A box of water over many ranks, in one process: what each rank would have, compute and send, and a model of the
 * time of a step.
 *
 *   bench/ranks [--ranks 8,32,64,128,512,4096] [--molecules N] [options below]
 *   bench/ranks --check
 *
 * The box consists of copies of a relaxed one.  Its ranks are visited one at a time (bench/walk.h).  Molecules and
 * halos of all are counted.  Of some, `--samples`, the lists are built and the pairs evaluated by the program's own
 * kernels on one thread; the time is the minimum over `--repeats`, of the processor, since other programs may run.
 * Messages and bytes are those that the program counts, of pairs for these ranks, of the mesh for all.
 *
 * The times of a step over ranks are a MODEL: nothing here is sent.  Its constants are options, and are printed.
 *
 * --check: on a small box, eight ranks together have each pair once, and the energies of the whole to the last bit;
 * exits with status 1 if not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "rill/rill.h"
#include "walk.h"
#include "water/forces/periodic.h"
#include "water/pme/slabs.h"
#include "water/water_accuracy.h"

enum { MOST_COUNTS = 32 };

static struct rill_error error;

static void check(enum rill_status status) {
  if (status == RILL_OK) return;
  fprintf(stderr, "ranks: %s\n", error.text);
  exit(EXIT_FAILURE);
}

/* ---- options ---- */

static struct settings {
  double molecules, tile, relax;    /* of the box, about; of the tile; steps of its relaxation */
  double cutoff, accuracy, order;   /* nm; of the mesh; of its splines, 0: chosen */
  double mesh_ranks;                /* that transform it; 0: all */
  double samples, repeats;          /* visited ranks whose pairs are evaluated; evaluations of each */
  double step, threads, efficiency; /* of the model: fs; of a rank; of these together */
  double cost, transforms;          /* us a molecule and step on one thread, 0: measured; their part of it */
  double latency, bandwidth;        /* us a message; GB/s of a rank */
} settings = {1e6, 7029, 400, 0.9, 5e-4, 0, 0, 16, 10, 2.0, 16, 0.9, 0, 0.12, 1.5, 12};

static const struct option {
  const char *name, *meaning;
  double *value, least;
} options[] = {
    {"--molecules", "of the box, about: whole copies of the tile", &settings.molecules, 1},
    {"--tile", "molecules of the cube that is copied", &settings.tile, 1},
    {"--relax", "steps of Langevin dynamics that relax it", &settings.relax, 0},
    {"--cutoff", "nm", &settings.cutoff, 0.1},
    {"--accuracy", "of the mesh, as forces.accuracy", &settings.accuracy, 1e-10},
    {"--mesh-order", "of its splines; 0: the fastest on one machine", &settings.order, 0},
    {"--mesh-ranks", "ranks that transform it; 0: all", &settings.mesh_ranks, 0},
    {"--samples", "ranks of which pairs are evaluated", &settings.samples, 1},
    {"--repeats", "evaluations of each", &settings.repeats, 1},
    {"--step", "model: fs", &settings.step, 1e-3},
    {"--threads", "model: of a rank", &settings.threads, 1},
    {"--efficiency", "model: speed of all threads over one's, a thread", &settings.efficiency, 0.01},
    {"--cost", "model: us a molecule and step on one thread; 0: that of the tile, measured", &settings.cost, 0},
    {"--transforms", "model: their part of that, with the influence function", &settings.transforms, 0},
    {"--latency", "model: us a message", &settings.latency, 0},
    {"--bandwidth", "model: GB/s of a rank", &settings.bandwidth, 1e-3},
};
enum { OPTIONS = sizeof options / sizeof *options };

static void print_help(void) {
  printf(
      "usage: bench/ranks [--check] [--ranks P,P,...] [OPTION NUMBER]...\n"
      "A box of water over many ranks: counted, and a model of its time.\n\n");
  for (size_t i = 0; i < OPTIONS; i++)
    printf("  %-13s %s (%g)\n", options[i].name, options[i].meaning, *options[i].value);
}

static void refuse(const char *name, const char *found, const char *expected) {
  fprintf(stderr, "ranks: %s: %s; expected %s\n", name, found, expected);
  exit(2);
}

static void read_number(const char *name, const char *text) {
  char *end, expected[64];
  for (size_t i = 0; i < OPTIONS; i++) {
    double value;
    if (strcmp(name, options[i].name) != 0) continue;
    snprintf(expected, sizeof expected, "a number, at least %g", options[i].least);
    if (text == NULL) refuse(name, "nothing", expected);
    value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= options[i].least && value < 1e9)) refuse(name, text, expected);
    *options[i].value = value;
    return;
  }
  refuse("option", name, "one of those that --help lists");
}

static int read_ranks(const char *text, int counts[MOST_COUNTS]) {
  static const char expected[] = "numbers from 1 to 100000 with commas between them, at most 32";
  int number = 0;
  if (text == NULL) refuse("--ranks", "nothing", expected);
  for (const char *at = text;; at++) {
    char *end;
    const long value = strtol(at, &end, 10);
    if (end == at || value < 1 || value > 100000 || number == MOST_COUNTS || (*end != '\0' && *end != ','))
      refuse("--ranks", text, expected);
    counts[number++] = (int)value;
    at = end;
    if (*end == '\0') return number;
  }
}

/* ---- the box and its forces ---- */

struct scene {
  struct rill_water_model model;
  struct walk_box box;
  struct rill_field_options field; /* of the whole box */
  double reach, margin;            /* nm, of the lists; of the mesh about a brick */
  double cost;                     /* us a molecule and step, on one thread */
};

/* Of the processor; here there is one thread. */
static double seconds_used(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* A relaxed cube of water, [molecules][9]; *cost: of its steps; NULL: not measured. */
static double *make_tile(size_t molecules, double *edge, double *cost) {
  enum { PIECE = 20, PIECES = 20 };
  const struct rill_open_options one_thread = {.threads = 1};
  char text[1024], order[16] = "auto";
  double *q, box[9];
  rill_simulation *sim;
  if (settings.order > 0) snprintf(order, sizeof order, "%.0f", settings.order);
  snprintf(text, sizeof text,
           "[system]\nkind = water\nmolecules = %zu\nboundary = periodic\ndensity = 0.989 g/cm3\n"
           "[integrator]\nmethod = rattle\nstep = 2 fs\ntime = 1 ns\n"
           "[thermostat]\nmethod = baoab\ntemperature = 298.15 K\nfriction = 1 /ps\nseed = 1\n"
           "[forces]\ncutoff = %g nm\naccuracy = %g\nmesh_order = %s\n",
           molecules, settings.cutoff, settings.accuracy, order);
  check(rill_open_text("tile", text, &one_thread, &sim, &error));
  check(rill_step(sim, (uint64_t)settings.relax, &error));
  q = rill_allocate(RILL_COORDINATES * molecules, sizeof *q);
  if (q == NULL) check(rill_error_set(&error, RILL_ERROR_MEMORY, "no memory for %zu molecules", molecules));
  rill_get_positions(sim, q);
  if (cost != NULL) *cost = INFINITY;
  for (int k = 0; cost != NULL && k < PIECES; k++) {
    const double started = seconds_used();
    check(rill_step(sim, PIECE, &error));
    *cost = fmin(*cost, (seconds_used() - started) / PIECE * 1e6 / (double)molecules);
  }
  rill_get_box(sim, box);
  *edge = box[0];
  rill_close(sim);
  return q;
}

/* Copies along each axis that come nearest to this many tiles, the box as good as cubic. */
static void choose_copies(double tiles, size_t copies[3]) {
  const size_t least = (size_t)fmax(1.0, floor(cbrt(tiles)));
  double best = INFINITY;
  for (size_t i = least; i <= least + 1; i++)
    for (size_t j = i; j <= least + 1; j++)
      for (size_t k = j; k <= least + 1; k++) {
        const double off = fabs((double)(i * j * k) - tiles);
        if (!(off < best)) continue;
        best = off;
        copies[0] = i, copies[1] = j, copies[2] = k;
      }
}

static void create_scene(struct scene *scene, bool timed) {
  const size_t tile = (size_t)fmin(settings.tile, settings.molecules);
  struct rill_periodic_options *box = &scene->field.box;
  struct rill_periodic *alone;
  size_t copies[3];
  double edge, *q = make_tile(tile, &edge, timed ? &scene->cost : NULL);
  check(rill_water_model_find("tip3p", 0.0, &scene->model, &error));
  choose_copies(settings.molecules / (double)tile, copies);
  check(walk_box_fill(&scene->box, q, tile, edge, copies, &error));
  rill_release(q);
  *box = (struct rill_periodic_options){.cutoff = settings.cutoff,
                                        .coulomb = RILL_COULOMB_EWALD,
                                        .excluded_elsewhere = 1,
                                        .precision = RILL_PRECISION_MIXED,
                                        .isa = rill_isa_best(),
                                        .threads = 1,
                                        .all = scene->box.molecules};
  for (int c = 0; c < 3; c++) box->box[c][c] = scene->box.edge[c];
  scene->field.periodic = true;
  scene->field.wish.order = (int)settings.order;
  check(rill_water_estimate_mesh(&scene->model, scene->box.molecules, settings.accuracy, &scene->field, &error));
  check(rill_periodic_create(&scene->model, RILL_LANES, RILL_LANES, box, &alone, &error));
  scene->reach = rill_periodic_reach(alone);
  scene->margin = rill_periodic_margin(alone);
  rill_periodic_destroy(alone);
}

static bool divide(struct scene *scene, int ranks) {
  struct rill_bricks bricks;
  int most;
  if (!rill_bricks_divide(scene->box.edge, scene->reach, ranks, &bricks, &most)) {
    printf("%6d  does not fit: edges of bricks would be shorter than lists reach, %.3f nm; at most %d\n", ranks,
           scene->reach, most);
    return false;
  }
  check(walk_box_divide(&scene->box, &bricks, &error));
  return true;
}

/* ---- one rank ---- */

struct visit {
  uint64_t pairs;
  double seconds; /* of the kernel */
  double messages, bytes;
  struct rill_periodic_energies energies; /* of this rank's pairs */
};

/* Time of one thread on the pairs of an evaluation: the part that they have of the fastest one's wall time, of the
 * least processor time. */
struct fastest {
  double wall, part, processor;
};

static void evaluate_timed(struct rill_periodic *periodic, const double *q, double *f, struct fastest *fastest) {
  const double *seconds = rill_periodic_seconds(periodic), started = seconds_used();
  double phase[RILL_PERIODIC_PHASES], wall = 0.0;
  memcpy(phase, seconds, sizeof phase);
  check(rill_periodic_evaluate(periodic, q, f, NULL, &error));
  fastest->processor = fmin(fastest->processor, seconds_used() - started);
  for (int k = 0; k < RILL_PERIODIC_PHASES; k++) wall += seconds[k] - phase[k];
  if (!(wall < fastest->wall)) return;
  fastest->wall = wall;
  fastest->part = (seconds[RILL_PERIODIC_PAIRS] - phase[RILL_PERIODIC_PAIRS]) / wall;
}

static void visit_rank(const struct scene *scene, int rank, bool everywhere, bool energies, struct visit *visit) {
  struct rill_periodic_options with_ranks = scene->field.box;
  struct walk_visitor visitor;
  struct rill_halo_counts before;
  struct rill_periodic *periodic;
  struct fastest fastest = {INFINITY, 0.0, INFINITY};
  double *f;
  *visit = (struct visit){0};
  check(walk_enter(&visitor, &scene->box, rank, scene->reach, everywhere, &error));
  f = rill_allocate(RILL_COORDINATES * visitor.stride, sizeof *f);
  if (f == NULL) check(rill_error_set(&error, RILL_ERROR_MEMORY, "no memory for the forces of a rank"));
  with_ranks.ranks = &visitor.ranks;
  with_ranks.bricks = scene->box.bricks;
  check(rill_periodic_create(&scene->model, visitor.own, visitor.stride, &with_ranks, &periodic, &error));
  check(rill_periodic_set_molecules(periodic, visitor.own, visitor.q, &error));
  check(rill_periodic_evaluate(periodic, visitor.q, f, energies ? &visit->energies : NULL, &error));
  before = rill_periodic_halo(periodic)->counts;
  for (int k = 0; k < (int)settings.repeats; k++) evaluate_timed(periodic, visitor.q, f, &fastest);
  visit->seconds = fastest.processor * fastest.part;
  visit->messages = (double)(rill_periodic_halo(periodic)->counts.messages - before.messages) / settings.repeats;
  visit->bytes = (double)(rill_periodic_halo(periodic)->counts.bytes - before.bytes) / settings.repeats;
  visit->pairs = rill_periodic_pairs(periodic);
  rill_periodic_destroy(periodic);
  rill_release(f);
  walk_leave(&visitor);
}

/* What a rank sends in an evaluation of the mesh. */
static void count_mesh(const struct scene *scene, int rank, struct rill_pme_traffic traffic[RILL_PME_TRAFFICS]) {
  const struct rill_pme_parameters *mesh = &scene->field.mesh;
  const size_t row = mesh->grid[2] + (size_t)RILL_MESH_ROW(mesh->order);
  struct walk_visitor visitor;
  struct rill_pme_division division = {.bricks = &scene->box.bricks, .molecules = scene->box.molecules};
  struct rill_lattice lattice;
  struct rill_slabs *slabs;
  check(walk_enter(&visitor, &scene->box, rank, scene->reach, false, &error));
  division.ranks = &visitor.ranks;
  division.margin = scene->margin;
  division.mesh_ranks = (int)settings.mesh_ranks;
  check(rill_lattice_find(&scene->model, (const double(*)[3])scene->field.box.box, &lattice, &error));
  check(rill_slabs_create(&division, mesh->grid, mesh->order,
                          mesh->precision == RILL_MESH_SINGLE ? sizeof(float) : sizeof(double), &slabs, &error));
  check(rill_slabs_set_box(slabs, &lattice, row, row * mesh->grid[1], &error));
  if (!rill_slabs_send(slabs, RILL_SLABS_CHARGES) || !rill_slabs_send(slabs, RILL_SLABS_ROWS) ||
      !rill_slabs_send(slabs, RILL_SLABS_ROWS_BACK) || !rill_slabs_send(slabs, RILL_SLABS_POTENTIAL))
    check(rill_error_set(&error, RILL_ERROR_FAILED, "the mesh's messages of rank %d", rank));
  memcpy(traffic, slabs->traffic, sizeof slabs->traffic);
  rill_slabs_destroy(slabs);
  walk_leave(&visitor);
}

/* ---- all ranks ---- */

struct census {
  int ranks, visited;
  double own_mean, own_most, halo_mean;
  double pairs, seconds;                              /* means of those visited */
  double pair_messages, pair_bytes;                   /* the most of those visited */
  double mesh_bytes;                                  /* mean */
  double mesh_messages, remap_bytes, transpose_bytes; /* of the rank that sends most bytes of both */
};

static void count_molecules(const struct scene *scene, struct census *census) {
  const int ranks = census->ranks;
  for (int r = 0; r < ranks; r++) {
    census->own_most = fmax(census->own_most, (double)(scene->box.start[r + 1] - scene->box.start[r]));
    census->halo_mean += (double)walk_count_halo(&scene->box, r, scene->reach) / ranks;
  }
  census->own_mean = (double)scene->box.molecules / ranks;
}

static void visit_some(const struct scene *scene, struct census *census) {
  census->visited = (int)fmin(settings.samples, census->ranks);
  for (int k = 0; k < census->visited; k++) {
    struct visit visit;
    visit_rank(scene, (int)((double)census->ranks * k / census->visited), false, false, &visit);
    census->pairs += (double)visit.pairs / census->visited;
    census->seconds += visit.seconds / census->visited;
    census->pair_messages = fmax(census->pair_messages, visit.messages);
    census->pair_bytes = fmax(census->pair_bytes, visit.bytes);
  }
}

static void count_meshes(const struct scene *scene, struct census *census) {
  for (int r = 0; r < census->ranks; r++) {
    struct rill_pme_traffic traffic[RILL_PME_TRAFFICS];
    double remap, transpose;
    count_mesh(scene, r, traffic);
    remap = (double)traffic[RILL_PME_REMAP].bytes;
    transpose = (double)traffic[RILL_PME_TRANSPOSE].bytes;
    census->mesh_bytes += (remap + transpose) / census->ranks;
    if (remap + transpose < census->remap_bytes + census->transpose_bytes) continue;
    census->remap_bytes = remap;
    census->transpose_bytes = transpose;
    census->mesh_messages = (double)(traffic[RILL_PME_REMAP].messages + traffic[RILL_PME_TRANSPOSE].messages);
  }
}

static void print_counted(const struct scene *scene, const struct census *census) {
  const int *bricks = scene->box.bricks.count;
  char shape[32];
  snprintf(shape, sizeof shape, "%dx%dx%d", bricks[0], bricks[1], bricks[2]);
  printf("%6d %9s %8.0f %7.4f %7.0f %9.0f %8.3f %6.2f %3.0f %8.1f %6.0f %8.0f %8.0f %8.0f\n", census->ranks, shape,
         census->own_mean, census->own_most / census->own_mean, census->halo_mean, census->pairs,
         census->seconds * 1e3, census->seconds * 1e9 / census->pairs, census->pair_messages,
         census->pair_bytes * 1e-3, census->mesh_messages, census->mesh_bytes * 1e-3, census->remap_bytes * 1e-3,
         census->transpose_bytes * 1e-3);
  fflush(stdout);
}

/* ---- the model ---- */

/* What the rank with most of `count` things has, over the mean of all ranks. */
static double unevenness(size_t count, int ranks) {
  const double holders = settings.mesh_ranks > 0 ? fmin(settings.mesh_ranks, ranks) : ranks;
  return ceil((double)count / holders) * ranks / (double)count;
}

static double cost_of(const struct scene *scene) { return settings.cost > 0 ? settings.cost : scene->cost; }

/* ms: molecules are those of the fullest rank; of the transforms' three passes, two are shared by planes, one by
 * pairs of rows. */
static double model_compute(const struct scene *scene, const struct census *census) {
  const size_t *grid = scene->field.mesh.grid;
  const double a_molecule = cost_of(scene) * 1e-3 / (settings.threads * settings.efficiency);
  const double passes = (2.0 * unevenness(grid[0], census->ranks) + unevenness(grid[1] / 2 + 1, census->ranks)) / 3.0;
  return a_molecule *
         ((1.0 - settings.transforms) * census->own_most + settings.transforms * census->own_mean * passes);
}

/* ms, of this many messages, of this many bytes together. */
static double model_messages(double messages, double bytes) {
  return messages * settings.latency * 1e-3 + bytes / settings.bandwidth * 1e-6;
}

/* Messages of pairs come before and after them; ranks agree twice in a step, in a tree; messages of the mesh can be
 * sent beside the pairs. */
static void print_modelled(const struct scene *scene, const struct census *census) {
  const double compute = model_compute(scene, census), fullest = census->own_most / census->own_mean;
  const double pairs = census->seconds * 1e3 * fullest / (settings.threads * settings.efficiency);
  const double agreements = model_messages(2.0 * ceil(log2(census->ranks)), 0.0);
  const double halo = model_messages(census->pair_messages, census->pair_bytes) + agreements;
  const double mesh = model_messages(census->mesh_messages, census->remap_bytes + census->transpose_bytes);
  const double apart = halo + mesh, beside = halo + fmax(0.0, mesh - pairs);
  const double day = 86400e3 * settings.step * 1e-6; /* ns a day, for a step of one ms */
  char shape[32];
  snprintf(shape, sizeof shape, "%d x %.0f", census->ranks, settings.threads);
  printf("%12s %9.3f %9.3f %9.3f %9.3f %9.1f %8.1f %9.1f %8.1f\n", shape, compute, pairs, halo, mesh,
         100.0 * apart / (compute + apart), day / (compute + apart), 100.0 * beside / (compute + beside),
         day / (compute + beside));
}

static void print_constants(const struct scene *scene) {
  printf(
      "\nMODEL of a step of %g fs; nothing of it is measured over ranks.  Constants: %g us a message, %g GB/s of a\n"
      "rank; %.3f us a molecule on one thread (%s), %g of it transforms; %.0f threads a rank\n"
      "of efficiency %g; two agreements of log2 P messages, with those of the halo.\n"
      "beside: messages of the mesh are sent while pairs are computed, as in the program, and take what these do\n"
      "not hide; apart: for comparison, nothing is hidden.  share: of a step, what is not computing.\n\n",
      settings.step, settings.latency, settings.bandwidth, cost_of(scene),
      settings.cost > 0 ? "given" : "measured, of the tile", settings.transforms, settings.threads,
      settings.efficiency);
  printf("%12s %9s %9s %9s %9s %18s %18s\n", "", "compute,", "of which", "halo,", "mesh,", "apart", "beside");
  printf("%12s %9s %9s %9s %9s %9s %8s %9s %8s\n", "ranks x thr.", "ms", "pairs", "ms", "ms", "share, %", "ns/day",
         "share, %", "ns/day");
}

static void print_box(const struct scene *scene) {
  const struct walk_box *box = &scene->box;
  const struct rill_pme_parameters *mesh = &scene->field.mesh;
  printf(
      "%zu molecules, copies of %.0f, in %.2f x %.2f x %.2f nm; cutoff %g nm, lists reach %.3f nm\n"
      "kernel %s, mixed precision; mesh of %zu x %zu x %zu points, order %d, %s precision\n\n",
      box->molecules, fmin(settings.tile, settings.molecules), box->edge[0], box->edge[1], box->edge[2],
      settings.cutoff, scene->reach, rill_isa_name(scene->field.box.isa), mesh->grid[0], mesh->grid[1], mesh->grid[2],
      mesh->order, mesh->precision == RILL_MESH_SINGLE ? "single" : "double");
  printf(
      "COUNTED: messages and kB a step, of the rank that sends most.  Pairs and their processor time on one thread:\n"
      "means of at most %.0f ranks, each the fastest of %.0f evaluations.\n\n",
      settings.samples, settings.repeats);
  printf("%6s %9s %8s %7s %7s %9s %8s %6s %12s %33s\n", "", "", "own,", "most /", "halo,", "", "kernel,", "ns a",
         "of pairs", "of the mesh");
  printf("%6s %9s %8s %7s %7s %9s %8s %6s %3s %8s %6s %8s %8s %8s\n", "ranks", "bricks", "mean", "mean", "mean",
         "pairs", "ms", "pair", "", "kB", "", "mean, kB", "remap", "rows");
}

static void run(const int *counts, int number) {
  static struct census census[MOST_COUNTS];
  struct scene scene = {0};
  int divided = 0;
  create_scene(&scene, settings.cost == 0);
  print_box(&scene);
  for (int k = 0; k < number; k++) {
    struct census *here = &census[divided];
    if (!divide(&scene, counts[k])) continue;
    here->ranks = counts[k];
    count_molecules(&scene, here);
    visit_some(&scene, here);
    count_meshes(&scene, here);
    print_counted(&scene, here);
    divided++;
  }
  print_constants(&scene);
  for (int k = 0; k < divided; k++) print_modelled(&scene, &census[k]);
  walk_box_release(&scene.box);
}

/* ---- the check ---- */

struct total {
  uint64_t pairs;
  double lj, coulomb, bytes, messages, halo;
};

/* Energies are multiples of 2^-32 kJ/mol, whose sums are exact as doubles in a box of this size.  The virial needs
 * forces from other ranks, which a visit does not bring. */
static void add(struct total *total, const struct visit *visit) {
  total->pairs += visit->pairs;
  total->lj += visit->energies.lj;
  total->coulomb += visit->energies.coulomb;
  total->bytes += visit->bytes;
  total->messages += visit->messages;
}

static struct total visit_all(const struct scene *scene, bool everywhere) {
  struct total total = {0};
  for (int r = 0; r < scene->box.ranks; r++) {
    struct visit visit;
    visit_rank(scene, r, everywhere, true, &visit);
    add(&total, &visit);
    total.halo += (double)walk_count_halo(&scene->box, r, scene->reach);
  }
  return total;
}

static struct total visit_whole(const struct scene *scene) {
  const size_t stride = scene->box.stride;
  struct total total = {0};
  struct visit visit = {0};
  struct rill_periodic *whole;
  double *f = rill_allocate(RILL_COORDINATES * stride, sizeof *f);
  if (f == NULL) check(rill_error_set(&error, RILL_ERROR_MEMORY, "no memory for forces"));
  check(rill_periodic_create(&scene->model, scene->box.molecules, stride, &scene->field.box, &whole, &error));
  check(rill_periodic_evaluate(whole, scene->box.q, f, &visit.energies, &error));
  visit.pairs = rill_periodic_pairs(whole);
  add(&total, &visit);
  rill_periodic_destroy(whole);
  rill_release(f);
  return total;
}

static int faults;

static void expect(bool holds, const char *what) {
  printf("%s %s\n", holds ? "ok  " : "FAIL", what);
  faults += !holds;
}

static bool same_energies(const struct total *a, const struct total *b) {
  return a->lj == b->lj && a->coulomb == b->coulomb;
}

/* Points in rows that a rank does not send, since it has their planes. */
static double count_kept(const size_t grid[3], int ranks) {
  const struct rill_ranks all = {.count = ranks};
  double kept = 0.0;
  for (int r = 0; r < ranks; r++) {
    const size_t planes = rill_ranks_first(&all, r + 1, grid[0]) - rill_ranks_first(&all, r, grid[0]);
    const size_t end = rill_ranks_first(&all, r + 1, grid[1] / 2 + 1);
    for (size_t y = rill_ranks_first(&all, r, grid[1] / 2 + 1); y < end; y++)
      kept += (double)(planes * grid[2] * (y == 0 || 2 * y == grid[1] ? 1 : 2));
  }
  return kept;
}

static void check_mesh(const struct scene *scene) {
  const size_t *grid = scene->field.mesh.grid;
  const double points = (double)(grid[0] * grid[1] * grid[2]);
  double rows = 0.0;
  for (int r = 0; r < scene->box.ranks; r++) {
    struct rill_pme_traffic traffic[RILL_PME_TRAFFICS];
    count_mesh(scene, r, traffic);
    rows += (double)traffic[RILL_PME_TRANSPOSE].bytes;
  }
  expect(rows == 2.0 * sizeof(float) * (points - count_kept(grid, scene->box.ranks)),
         "transpositions send 2 x 4 bytes for a point that leaves its rank");
}

static void check_division(struct scene *scene, const struct rill_bricks *bricks) {
  const struct total whole = visit_whole(scene);
  struct total shared, faulty;
  double axes = 0.0;
  for (int c = 0; c < 3; c++) axes += bricks->count[c] > 1;
  check(walk_box_divide(&scene->box, bricks, &error));
  shared = visit_all(scene, false);
  faulty = visit_all(scene, true);
  printf("%d x %d x %d bricks, %zu molecules; pairs: %llu of the whole, %llu over ranks, %llu with zones left out\n",
         bricks->count[0], bricks->count[1], bricks->count[2], scene->box.molecules, (unsigned long long)whole.pairs,
         (unsigned long long)shared.pairs, (unsigned long long)faulty.pairs);
  expect(whole.pairs > 50 * scene->box.molecules, "lists of the whole box have pairs");
  expect(shared.pairs == whole.pairs, "ranks together have each pair once");
  expect(same_energies(&shared, &whole), "energies over ranks are those of the whole");
  expect(faulty.pairs > whole.pairs, "pairs that are met twice are noticed by their number");
  expect(!same_energies(&faulty, &whole), "and by the energies");
  expect(shared.messages == 2.0 * axes * scene->box.ranks, "two messages of pairs in a step along a divided axis");
  expect(shared.bytes == 72.0 * shared.halo, "36 bytes for a molecule of a halo, and 36 back");
  check_mesh(scene);
}

static int check_small(void) {
  struct scene scene = {0};
  struct rill_bricks bricks = {{2, 2, 2}};
  int most;
  settings.tile = 884, settings.molecules = 8 * 884, settings.relax = 20, settings.repeats = 1;
  create_scene(&scene, false);
  check_division(&scene, &bricks);
  expect(rill_bricks_divide(scene.box.edge, scene.reach, 8, &bricks, &most), "the box fits eight ranks");
  check_division(&scene, &bricks);
  walk_box_release(&scene.box);
  return faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int count, char **argument) {
  static int counts[MOST_COUNTS] = {8, 32, 64, 128, 512, 4096};
  int number = 6;
  for (int k = 1; k < count; k += 2) {
    if (strcmp(argument[k], "--check") == 0) return check_small();
    if (strcmp(argument[k], "--help") == 0) {
      print_help();
      return EXIT_SUCCESS;
    }
    if (strcmp(argument[k], "--ranks") == 0) number = read_ranks(argument[k + 1], counts);
    else read_number(argument[k], argument[k + 1]);
  }
  run(counts, number);
  return EXIT_SUCCESS;
}
