/* rill run: runs a deck, with progress and all outputs. */
#include "config.h" /* _GNU_SOURCE, for open_memstream */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/notes.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "cli/run.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "show/summary.h"
#include "simulation/over_ranks.h"
#include "simulation/run.h"

/* ---- the command that resumes the run ---- */

static void put_word(FILE *stream, const char *word) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-+_=./,:@%";
  fputc(' ', stream);
  if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
    fputs(word, stream);
    return;
  }
  fputc('\'', stream);
  for (; *word != '\0'; word++)
    if (*word == '\'') fputs("'\\''", stream);
    else fputc(*word, stream);
  fputc('\'', stream);
}

/* "rill run DECK -o DIR --resume" with these arguments, quoted for a shell, on as many ranks.  Freed with free();
 * NULL when out of memory. */
static char *command_to_resume(const struct rill_arguments *arguments, const struct rill_ranks *ranks) {
  static const char *const kept[] = {"output", "threads", "lanes", "mesh-ranks", "max-time", "stopped-status"};
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  if (stream == NULL) return NULL;
  if (ranks != NULL && ranks->count > 1) fprintf(stream, "mpirun -n %d ", ranks->count);
  fprintf(stream, "%s run", rill_program_name());
  put_word(stream, arguments->positional[0]);
  for (size_t i = 0; i < arguments->repeated_count; i++) {
    fputs(" --set", stream);
    put_word(stream, arguments->repeated[i]);
  }
  for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
    if (!rill_argument_given(arguments, kept[i])) continue;
    fprintf(stream, " --%s", kept[i]);
    put_word(stream, rill_argument(arguments, kept[i]));
  }
  if (rill_argument_given(arguments, "json")) fputs(" --json", stream);
  fputs(" --resume", stream);
  if (fclose(stream) == 0) return text;
  free(text);
  return NULL;
}

/* ---- the run ---- */

struct job {
  struct rill_simulation sim;
  struct rill_run run;
  struct rill_progress progress;
  struct rill_observer observer; /* of the progress */
  struct rill_over_ranks over;
  bool quiet, json;
};

/* error: that of the run, RILL_OK or RILL_INTERRUPTED; returned unless the document cannot be made. */
static enum rill_status show(const struct job *job, struct rill_error *error) {
  static struct rill_error fault;
  struct rill_page page;
  if (rill_page_begin(&page, job->json ? RILL_PAGE_JSON : RILL_PAGE_TEXT, stdout, &fault) == RILL_OK) {
    rill_show_summary(&page, &job->run);
    if (rill_page_end(&page, RILL_OK, &fault) == RILL_OK) return error->status;
  }
  *error = fault;
  return error->status;
}

static enum rill_status prepare(struct job *job, const struct rill_run_request *request, struct rill_error *error) {
  struct rill_watch watch;
  enum rill_status status;
  rill_watch_start(&watch, job->quiet);
  job->sim.watch_build = rill_watch_build;
  job->sim.watch_context = &watch;
  status = rill_run_prepare(&job->run, &job->sim, request, error);
  rill_watch_end(&watch);
  return status;
}

static enum rill_status run_job(struct job *job, const struct rill_run_request *request, const char *again,
                                struct rill_error *error) {
  struct rill_run *run = &job->run;
  RILL_TRY(prepare(job, request, error));
  if (run->complete) return show(job, error);
  RILL_TRY(rill_over_ranks_begin(&job->over, run, error));
  RILL_TRY(rill_run_open(run, error));
  if (!job->quiet && !job->json) rill_describe_run(stdout, run);
  fflush(stdout);
  rill_progress_start(&job->progress, &job->sim, run->checkpoint.step, job->quiet);
  job->observer = rill_progress_observer(&job->progress);
  (void)rill_run_steps(run, error);
  rill_progress_end(&job->progress);
  if (!job->json && (error->status == RILL_OK || error->status == RILL_INTERRUPTED)) (void)show(job, error);
  if (rill_run_close(run, error) != RILL_OK) rill_keeping_explain(&run->keeping, again, error);
  if (job->json && (error->status == RILL_OK || error->status == RILL_INTERRUPTED)) return show(job, error);
  return error->status;
}

/* --max-time includes saving everything: this part of it is reserved for that. */
static enum rill_status read_limits(const struct rill_arguments *arguments, double started,
                                    struct rill_run_request *request, struct rill_error *error) {
  static const double share = 0.05, most = 10; /* seconds */
  const char *text = rill_argument(arguments, "stopped-status");
  double limit;
  size_t status = 0;
  RILL_TRY(rill_argument_wall_time(arguments, "max-time", 0, &limit, error));
  if (limit > 0) request->deadline = started + limit - fmin(share * limit, most);
  if (text != NULL && (rill_count_parse(text, "--stopped-status", 125, &status, error) != RILL_OK || status < 3))
    return rill_error_set(
        error, RILL_ERROR_USAGE,
        "--stopped-status %s: a whole number from 3 to 125 is expected; 0, 1 and 2 have other meanings", text);
  rill_stopped_status_set((int)status);
  return RILL_OK;
}

static enum rill_status read_lanes(const struct rill_arguments *arguments, struct rill_simulation *sim,
                                   struct rill_error *error) {
  const char *text = rill_argument(arguments, "lanes");
  sim->without_lanes = text != NULL && strcmp(text, "off") == 0;
  if (text == NULL || sim->without_lanes || strcmp(text, "auto") == 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_USAGE, "--lanes %s: auto or off is expected", text);
}

static enum rill_status read_arguments(const struct rill_arguments *arguments, double started, struct job *job,
                                       struct rill_run_request *request, struct rill_error *error) {
  size_t threads = 0, mesh_ranks = 0;
  if (request->replace && request->resume)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "--resume continues existing output, --force replaces it: give one "
                          "of them");
  RILL_TRY(rill_argument_count(arguments, "threads", 1024, 0, &threads, error));
  RILL_TRY(rill_argument_count(arguments, "mesh-ranks", 1000000, 0, &mesh_ranks, error));
  RILL_TRY(read_limits(arguments, started, request, error));
  RILL_TRY(rill_simulation_read(arguments->positional[0], arguments->repeated, arguments->repeated_count, &job->sim,
                                error));
  job->sim.threads = (int)threads;
  job->sim.mesh_ranks = (int)mesh_ranks;
  job->sim.notes = rill_notes_unless(job->quiet);
  return read_lanes(arguments, &job->sim, error);
}

/* Without MPI, each process that mpirun or srun starts would make the whole run. */
static enum rill_status refuse_processes(const struct rill_simulation *sim, struct rill_error *error) {
  const char *openmpi = getenv("OMPI_COMM_WORLD_SIZE"), *pmi = getenv("PMI_SIZE"),
             *given = openmpi != NULL ? openmpi : pmi;
  if (given == NULL || atoi(given) < 2) return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_USAGE,
      "%s: started as %s processes, each of which would make the whole run: use rill-mpi run, which divides "
      "an ensemble or a box among them, or start one process",
      sim->deck.path, given);
}

/* Over ranks, those of one machine share its processors.  A number below 1 is ignored, as OpenMP does. */
static void choose_threads(struct rill_simulation *sim, const struct rill_ranks *ranks) {
  const char *given = getenv("OMP_NUM_THREADS");
  if (ranks == NULL || (given != NULL && atoi(given) >= 1)) return;
  rill_simulation_choose_threads(sim, ranks->processors);
}

enum rill_status rill_run_deck(const struct rill_arguments *arguments, struct rill_ranks *ranks,
                               struct rill_error *error) {
  const double started = rill_clock();
  struct job *job = calloc(1, sizeof *job);
  char *again = command_to_resume(arguments, ranks);
  struct rill_run_request request = {.folder = rill_argument(arguments, "output"),
                                     .replace = rill_argument_given(arguments, "force"),
                                     .resume = rill_argument_given(arguments, "resume"),
                                     .stop = rill_signal_stop(),
                                     .save = rill_signal_save(),
                                     .observer_count = 1};
  enum rill_status status;
  if (job == NULL || again == NULL) {
    free(job);
    free(again);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  }
  rill_signals_outlive_pipes();
  rill_signals_catch();
  request.observers = &job->observer;
  job->quiet = rill_argument_given(arguments, "quiet");
  job->json = rill_argument_given(arguments, "json");
  job->over.ranks = ranks;
  status = read_arguments(arguments, started, job, &request, error);
  if (status == RILL_OK)
    status = ranks != NULL ? rill_over_ranks_check(ranks, &job->sim, error) : refuse_processes(&job->sim, error);
  if (status == RILL_OK) status = rill_over_ranks_check_mesh(ranks, &job->sim, error);
  choose_threads(&job->sim, ranks);
  if (status == RILL_OK && ranks != NULL) rill_over_ranks_offer(&job->over, &job->sim);
  if (status == RILL_OK) status = run_job(job, &request, again, error);
  rill_over_ranks_end(&job->over, &job->run, rill_program_status(status));
  rill_run_release(&job->run);
  rill_simulation_release(&job->sim);
  free(job);
  free(again);
  return status;
}

enum rill_status rill_run_beside(const struct rill_arguments *arguments, struct rill_ranks *ranks, int *exit_status,
                                 struct rill_error *error) {
  struct job *job = calloc(1, sizeof *job);
  struct rill_run_request unused = {0};
  enum rill_status status;
  if (job == NULL) {
    ranks->broken = true;
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  }
  rill_signals_outlive_pipes();
  rill_signals_catch();
  job->quiet = true;
  if (error->status == RILL_OK) (void)read_arguments(arguments, rill_clock(), job, &unused, error);
  choose_threads(&job->sim, ranks);
  status = rill_over_ranks_serve(ranks, &job->sim, exit_status, error);
  rill_simulation_release(&job->sim);
  free(job);
  return status;
}

void rill_run_without(struct rill_ranks *ranks, int exit_status) {
  struct rill_over_ranks over = {.ranks = ranks};
  rill_over_ranks_end(&over, NULL, exit_status);
}

static enum rill_status run(const struct rill_arguments *arguments, struct rill_error *error) {
  return rill_run_deck(arguments, NULL, error);
}

static const struct rill_option_row options[] = {
    {"set", 's', "section.key=value", "sets a key of the deck; may be given several times"},
    {"output", 'o', "DIR", "the folder for output, created when missing (default: the current one)"},
    {"threads", 't', "N", "at most this many threads (default: all cores); results do not depend on it"},
    {"lanes", 0, "auto|off",
     "whether replicas of an ensemble share vectors (default: auto); results do not depend on it"},
    {"mesh-ranks", 0, "N",
     "over ranks: how many of them transform the mesh (default: all); results do not depend on it"},
    {"force", 'f', NULL, "replaces existing output"},
    {"resume", 'r', NULL,
     "resumes a run that was stopped, from its checkpoint: output is truncated to it and "
     "appended to"},
    {"max-time", 0, "TIME",
     "stops in time, with everything saved, before a wall time TIME is over: `23h`, `30min`, "
     "`90s`"},
    {"stopped-status", 0, "N",
     "exit status, 3 to 125, of a run that was stopped and can be resumed (default: 0 at --max-time, 128 + number of "
     "a "
     "signal)"},
    {"json", 0, NULL, "print the closing summary as one JSON object, and nothing else"},
    {"quiet", 'q', NULL, "no progress and no notes; only the closing summary and errors"},
};

const struct rill_command rill_command_run = {
    .name = "run",
    .positional = "DECK",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "runs the simulation that a deck describes",
    .description =
        "Reads and checks the deck, runs the simulation, writes what the deck requests, and prints a "
        "summary: means with standard errors, the energy drift, the speed and how the time was spent. The "
        "last frame is always written as GRO. SIGINT, SIGTERM, SIGHUP, SIGUSR2 and --max-time stop the "
        "run after the present step, with everything saved; SIGUSR1 writes a checkpoint. A run with a "
        "trajectory also writes a checkpoint, every 15 minutes and at its end; with --resume the same "
        "command continues from it, to the same bytes in all files as if the run had never stopped.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run,
};
