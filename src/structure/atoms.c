#include "structure/atoms.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 512 }; /* a multiple of 8 */

/* realloc: room that is not used takes no memory, unlike rill_allocate's, and long arrays grow without a copy. */
static bool resize(void *array, size_t count, size_t size) {
  void *old, *resized = NULL;
  memcpy(&old, array, sizeof old);
  if (count <= SIZE_MAX / size) resized = realloc(old, count * size);
  if (resized == NULL) return false;
  memcpy(array, &resized, sizeof resized);
  return true;
}

static bool make_room(struct rill_file_atoms *atoms, bool velocity) {
  const size_t room = atoms->room == 0 ? FIRST_ROOM : 2 * atoms->room;
  if (atoms->count < atoms->room) return true;
  if (!resize(&atoms->positions, room, 3 * sizeof *atoms->positions) || !resize(&atoms->oxygens, room / 8, 1) ||
      (velocity && !resize(&atoms->velocities, room, 3 * sizeof *atoms->velocities)))
    return false;
  atoms->room = room;
  return true;
}

static bool note_line(struct rill_file_atoms *atoms, size_t line) {
  if (atoms->line_count > 0 && rill_file_atom_line(atoms, atoms->count) == line) return true;
  if (atoms->line_count == atoms->line_room) {
    const size_t room = atoms->line_room == 0 ? 16 : 2 * atoms->line_room;
    if (!resize(&atoms->lines, room, sizeof *atoms->lines)) return false;
    atoms->line_room = room;
  }
  atoms->lines[atoms->line_count++] = (struct rill_file_lines){atoms->count, line};
  return true;
}

bool rill_file_atoms_append(struct rill_file_atoms *atoms, const struct rill_file_atom *atom, bool velocity,
                            size_t line) {
  const size_t i = atoms->count;
  const unsigned bit = 1U << i % 8;
  if (atom->site) {
    if (atoms->sites++ == 0) atoms->first_site = line;
    return true;
  }
  if (!make_room(atoms, velocity) || !note_line(atoms, line)) return false;
  memcpy(atoms->positions + 3 * i, atom->position, sizeof atom->position);
  if (velocity) memcpy(atoms->velocities + 3 * i, atom->velocity, sizeof atom->velocity);
  atoms->oxygens[i / 8] = (unsigned char)((atoms->oxygens[i / 8] & ~bit) | (atom->oxygen ? bit : 0));
  atoms->count++;
  return true;
}

size_t rill_file_atom_line(const struct rill_file_atoms *atoms, size_t i) {
  size_t low = 0, high = atoms->line_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (atoms->lines[middle].atom <= i) low = middle;
    else high = middle;
  }
  return atoms->lines[low].line + (i - atoms->lines[low].atom);
}

void rill_file_atoms_trim(struct rill_file_atoms *atoms) {
  if (atoms->count == 0) return;
  (void)resize(&atoms->positions, atoms->count, 3 * sizeof *atoms->positions);
  if (atoms->velocities != NULL) (void)resize(&atoms->velocities, atoms->count, 3 * sizeof *atoms->velocities);
}

void rill_file_atoms_release(struct rill_file_atoms *atoms) {
  free(atoms->positions);
  free(atoms->velocities);
  free(atoms->oxygens);
  free(atoms->lines);
  *atoms = (struct rill_file_atoms){0};
}
