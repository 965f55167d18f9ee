#!/usr/bin/env bash
# Structure files as other programs write them (tests/data/writers/README): each gives the right molecules, box and energy.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
writers=$data/writers

# number KEY: the value of a key of the JSON object on standard output.
number() { sed -n "s/^ *\"$1\": \([-+0-9.e]*\),*$/\1/p" .stdout; }
# near A B TOLERANCE: A and B agree to the tolerance times the larger of 1 and |B|
near() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { d = a - b; s = b < 0 ? -b : b; exit !(a != "" && d * d <= (t * (s > 1 ? s : 1)) ^ 2) }'; }

cases=0
while IFS=, read -r file molecules box all cut; do
  case $file in '#'*) continue ;; esac
  cases=$((cases + 1))
  succeeds energy "$writers/$file" --boundary vacuum --json
  [ "$(number molecules)" = "$molecules" ] || fail "$file: $(number molecules) molecules, expected $molecules"
  near "$(number potential_kJ_mol)" "$all" 1e-8 || fail "$file: $(number potential_kJ_mol) kJ/mol, expected $all"
  if [ "$box" = none ]; then
    refuses 'the file has no box' energy "$writers/$file" --boundary periodic
    continue
  fi
  volume=$(echo "$box" | awk '{ printf "%.14g", $1 * $5 * $9 }') # lower triangular
  # pairs within 0.7 nm, both cut there: nothing but the box and the positions
  succeeds energy "$writers/$file" --boundary periodic --coulomb cut --lj cut --cutoff 0.7nm --json
  near "$(number volume_nm3)" "$volume" 1e-9 || fail "$file: box of $(number volume_nm3) nm3, expected $volume"
  near "$(number potential_kJ_mol)" "$cut" 1e-8 || fail "$file: $(number potential_kJ_mol) kJ/mol in the box, expected $cut"
done <"$writers/expected.csv"
[ $cases -eq "$(find "$writers" -name '*.gro' -o -name '*.pdb' -o -name '*.xyz' | grep -v -c tip4p)" ] || fail "only $cases files were tried"

# Four sites: dropped, with their number, and written again on request.
for file in gromacs_tip4p.gro openmm_tip4p.pdb; do
  succeeds energy "$writers/$file" --boundary vacuum --model tip4p --rigid
  says stderr 'massless sites: a four-site model, if one is chosen, rebuilds them from O, H, H'
  succeeds convert "$writers/$file" atoms.gro -f
  succeeds convert atoms.gro sites.gro --sites tip4p -f
  [ "$(grep -c ' MW ' sites.gro)" -gt 0 ] || fail "$file: no sites were written"
  [ "$(grep -c ' MW ' atoms.gro)" -eq 0 ] || fail "$file: sites were written without request"
  succeeds convert sites.gro again.gro -f
  cmp -s atoms.gro again.gro || fail "$file: atoms differ after sites were added and dropped"
done
refuses 'this model has three sites' convert atoms.gro no.gro --sites tip3p
# Several frames.
for file in ase.xyz ase_models.pdb mdanalysis_models.pdb mdtraj.gro mdtraj.pdb mdtraj.xyz; do
  succeeds info "$writers/$file"
  says stdout 'frames       2; the first one:'
done
# What the files have and nothing uses is reported.
succeeds energy "$writers/ase.xyz" --boundary vacuum
says stderr 'not used: column initial_charges, column momenta, column forces'
succeeds energy "$writers/charges.xyz"
says stderr 'not used: the numbers after z, in the first line from -0.834'

# What rill writes other programs read: the atoms, the box (also of 1000 nm and more), all frames.
if [ -n "${PYTHON-}" ] && "$PYTHON" -W ignore -c 'import MDAnalysis' 2>/dev/null; then
  sed '$s/.*/ 1000.00000 1000.00000 12345.67800/' "$data/structures/c007_min_hp.gro" >large.gro
  succeeds convert large.gro written.gro
  succeeds energy written.gro --boundary vacuum
  for ending in gro pdb; do
    succeeds convert "$writers/gromacs_triclinic.gro" skewed.$ending
    succeeds convert "$writers/mdtraj.pdb" frames.$ending --frame all
  done
  "$PYTHON" -W ignore - "$writers" <<'PYTHON' || fail 'MDAnalysis reads other atoms, boxes or frames than were written'
import sys
import numpy as np
import MDAnalysis as mda
u = mda.Universe("written.gro")
assert len(u.atoms) == 21 and np.allclose(u.dimensions, [10000, 10000, 123456.78, 90, 90, 90]), u.dimensions
theirs = mda.Universe(sys.argv[1] + "/gromacs_triclinic.gro")
for ending in "gro", "pdb":
    ours = mda.Universe("skewed." + ending)
    assert np.allclose(ours.atoms.positions, theirs.atoms.positions, atol=1e-3)
    assert np.allclose(ours.dimensions, theirs.dimensions, atol=2e-2), (ours.dimensions, theirs.dimensions)
models = mda.Universe("frames.pdb")
assert len(models.trajectory) == 2 and len(models.atoms) == 60
for frame in models.trajectory:
    assert np.allclose(frame.dimensions, [30, 31, 32, 90, 90, 90], atol=1e-3), frame.dimensions
PYTHON
fi
finish
