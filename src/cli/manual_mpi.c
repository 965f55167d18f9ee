/* The manual page rill-mpi(1). */
#include "cli/command.h"
#include "cli/roff.h"

static void write_running(FILE *stream) {
  fputs(".SH DESCRIPTION\n", stream);
  rill_roff_line(
      stream, "",
      "rill-mpi is `rill run` over several processes, called ranks, that `mpirun` or `srun` starts, on one "
      "machine or on several: it divides among them the replicas of an [ensemble], or else the molecules of a "
      "periodic box. All files are the same, byte for byte, as those of `rill run`, for any number of ranks "
      "and threads, and a run can be resumed on other numbers of them, or by `rill run`. What needs all "
      "molecules in one process, such as a cluster in vacuum, is refused.");
  rill_roff_paragraph(
      stream,
      "Of an ensemble each rank advances a contiguous part of the replicas, in groups of as many as a vector "
      "holds (8 with AVX-512, 4 with AVX2, otherwise 2): more ranks than groups have nothing to do, and a note "
      "says so. "
      "Ranks meet at each exchange and each output. Of a box each rank has the molecules of a brick, whose "
      "edges must be at least as long as the neighbour lists reach, and twice that along an axis with two: a "
      "box that is too small is refused with the next smaller number of ranks that fits. Rank 0 alone reads "
      "checkpoints, writes files and prints. The deck, and of an ensemble the structures that it names, are "
      "read by all ranks, from a file system that all machines share.");
  rill_roff_paragraph(
      stream,
      "Before any file is changed, ranks are refused that do not fit: another version of rill-mpi, other "
      "arguments, another deck, kernels of another instruction set, or an energy that differs in any bit. "
      "Where processors differ, `--set forces.kernel=avx2` names a kernel that all of them have.");
  fputs(".SH OPTIONS\n", stream);
  rill_roff_line(stream, "",
                 "Those of `rill run`; see `rill`(1), which also describes the deck, the files and the exit status.");
  rill_roff_tagged(stream, "--threads",
                   "of each rank. Without it, and without OMP_NUM_THREADS, a rank takes its share of the "
                   "processors of its machine, or those to which it is bound.");
  rill_roff_tagged(stream, "--mesh-ranks",
                   "of a box: how many of the ranks transform its mesh; they are spread evenly over all ranks.");
  rill_roff_tagged(stream, "--max-time", "by the clock of rank 0.");
}

static void write_examples(FILE *stream) {
  fputs(".SH EXAMPLES\n", stream);
  rill_roff_line(stream, "", "Four ranks of one machine; the same run, resumed by two:");
  rill_roff_example(stream,
                    "mpirun -n 4 rill-mpi run ladder.ini -o ladder\n"
                    "mpirun -n 2 rill-mpi run ladder.ini -o ladder --resume");
  rill_roff_paragraph(stream, "A box, one rank on each machine, with 16 threads:");
  rill_roff_example(stream, "mpirun --map-by ppr:1:node:PE=16 rill-mpi run box.ini -o box");
  rill_roff_paragraph(stream,
                      "In a script of Slurm, stopped in time and with a status of its own when there is more to do:");
  rill_roff_example(stream, "srun rill-mpi run ladder.ini -o ladder --max-time 23.8h --stopped-status 75");
}

static void write_signals(FILE *stream) {
  fputs(".SH SIGNALS\n", stream);
  rill_roff_tagged(stream, "SIGUSR2", "to mpirun or to any rank: saves and stops, with exit status 140.");
  rill_roff_tagged(stream, "SIGUSR1", "to mpirun or to any rank: writes a checkpoint, and the run continues.");
  rill_roff_tagged(stream, "SIGTERM, SIGHUP", "to any rank: saves and stops, with exit status 143 or 129.");
  rill_roff_tagged(stream, "SIGTERM, SIGINT",
                   "to mpirun: stops; but Open MPI kills ranks that have not ended after a second, so that "
                   "what is saved depends on the time that it takes. SIGUSR2 has no such limit.");
  rill_roff_paragraph(stream,
                      "When a rank is killed, or a machine fails, mpirun ends all ranks; `--resume` "
                      "continues from the last checkpoint.");
  fputs(".SH SEE ALSO\n", stream);
  rill_roff_line(stream, "", "`rill`(1), `mpirun`(1)");
}

void rill_write_mpi_manual(FILE *stream) {
  rill_roff_title(stream, "rill-mpi", 1, "ensembles and boxes of water over the ranks of MPI");
  fputs(".SH SYNOPSIS\n.nf\n", stream);
  rill_roff_line(stream, "", "`mpirun -n` RANKS `rill-mpi run` DECK [options]");
  rill_roff_line(stream, "", "`rill-mpi --help` | `--version`");
  fputs(".fi\n", stream);
  write_running(stream);
  write_examples(stream);
  write_signals(stream);
}
