/* write_sample DIRECTORY: the files that read_back.py reads.  killed.h5md is left by a process that ends by SIGKILL.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sample.h"

static void require(enum rill_status status, const struct rill_error *error) {
  if (status == RILL_OK) return;
  fprintf(stderr, "write_sample: %s\n", error->text);
  exit(1);
}

static struct rill_trajectory_writer *write_frames(const char *directory, const char *name,
                                                   const struct rill_trajectory_header *header, size_t frames) {
  static struct rill_error error;
  static struct sample sample;
  struct rill_trajectory_writer *writer;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  require(rill_trajectory_create(path, header, &writer, &error), &error);
  for (size_t f = 0; f < frames; f++)
    require(rill_trajectory_append(writer, sample_frame(&sample, f), &error), &error);
  return writer;
}

static void add_table(struct rill_trajectory_writer *writer) {
  static struct rill_error error;
  const char *names[] = {"time", "energy"}, *units[] = {"ps", "kJ/mol"};
  const double values[] = {0, -1.5, 0.25, -2.5, 0.5, -3.5};
  struct rill_table table = {.name = "series",
                             .rows = 2,
                             .columns = 2,
                             .column_names = names,
                             .column_units = units,
                             .values = values,
                             .description = "energies at their own stride"};
  require(rill_trajectory_append_table(writer, &table, &error), &error);
  table.rows = 1;
  table.values = values + 4;
  require(rill_trajectory_append_table(writer, &table, &error), &error);
}

int main(int count, char **arguments) {
  static struct rill_error error;
  struct rill_trajectory_header header = sample_header();
  struct rill_trajectory_writer *writer;
  pid_t child;
  if (count != 2) return 2;
  const char *directory = arguments[1];

  writer = write_frames(directory, "vacuum.h5md", &header, 300);
  add_table(writer);
  require(rill_trajectory_close(writer, &error), &error);
  require(rill_trajectory_close(write_frames(directory, "none.h5md", &header, 0), &error), &error);
  require(rill_trajectory_close(write_frames(directory, "one.h5md", &header, 1), &error), &error);
  header.velocities = header.double_precision = true;
  child = fork();
  if (child == 0) {
    write_frames(directory, "killed.h5md", &header, 300);
    raise(SIGKILL);
  }
  if (child < 0 || waitpid(child, NULL, 0) != child) return 1;
  header.periodic = true;
  require(rill_trajectory_close(write_frames(directory, "periodic.h5md", &header, 300), &error), &error);
  return 0;
}
