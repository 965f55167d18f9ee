/* A filter: what stands between the raw force and the acceleration that a kick uses.
 *
 * Every method whose kick uses an acceleration f(x; h) is the same kick-drift-kick word with a filter (Tao & Owhadi 2016,
 * section 1; Zhang & Skeel 1997).  The identity gives velocity Verlet.  A system says which filters its kick can apply;
 * binding refuses the others by name. */
#ifndef RILL_MECH_FILTER_H
#define RILL_MECH_FILTER_H

struct rill_filter {
  const char *name;     /* "identity" for none */
  const char *citation;
  double beta;          /* the Newmark parameter; unused by the identity */
};

extern const struct rill_filter rill_filter_identity;

#endif
