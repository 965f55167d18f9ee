/* Atoms in the order of their file, in as little memory as their molecules take: a file may have tens of millions. */
#ifndef RILL_STRUCTURE_ATOMS_H
#define RILL_STRUCTURE_ATOMS_H

#include <stdbool.h>
#include <stddef.h>

/* An atom as read, in nm and nm/ps. */
struct rill_file_atom {
  double position[3], velocity[3];
  bool oxygen, site; /* neither: hydrogen */
};

/* Atoms from `atom` on are in consecutive lines of the file from `line` on. */
struct rill_file_lines {
  size_t atom, line;
};

/* Initialise with {0}; owns its arrays, which are from malloc.  Massless sites are counted, and not kept. */
struct rill_file_atoms {
  double *positions, *velocities; /* [count][3]; velocities: NULL for none */
  unsigned char *oxygens;         /* a bit each */
  struct rill_file_lines *lines;  /* in order of atoms */
  size_t count, room, line_count, line_room;
  size_t sites, first_site; /* how many; the line of the first one */
};

/* Adds the atom in a line, with its velocity if all have one; false when memory is out. */
bool rill_file_atoms_append(struct rill_file_atoms *atoms, const struct rill_file_atom *atom, bool velocity,
                            size_t line);

static inline bool rill_file_atom_is_oxygen(const struct rill_file_atoms *atoms, size_t i) {
  return (atoms->oxygens[i / 8] >> i % 8 & 1U) != 0;
}

/* The line of an atom, from 1. */
size_t rill_file_atom_line(const struct rill_file_atoms *atoms, size_t i);

/* Gives back the room for more atoms. */
void rill_file_atoms_trim(struct rill_file_atoms *atoms);

void rill_file_atoms_release(struct rill_file_atoms *atoms);

#endif
