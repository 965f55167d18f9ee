#!/usr/bin/env bash
# Trajectories and topologies for other programs: rill convert to DCD, TRR, PSF, ranges of frames, wrapping; read back by
# MDAnalysis, whose analyses of the dielectric constant and of hydrogen bonds run on them without further help.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
python=${PYTHON:-python3}
"$python" -c 'import MDAnalysis' 2>/dev/null || exit 77

cat >box.ini <<'DECK'
[system]
molecules = 216
boundary = periodic
density = 0.985 g/cm3
[integrator]
step = 2 fs
steps = 120
[thermostat]
method = baoab
temperature = 298.15 K
[barostat]
method = rescale
tau = 0.5 ps
interval = 10 steps
[forces]
cutoff = 0.8 nm
lj = shift
tail = yes
[output]
trajectory = box.h5md
interval = 10 steps
velocities = yes
means_from = 0 ps
DECK
succeeds run box.ini -q -o tip3p
succeeds run box.ini -q -o opc --set system.model=opc
for model in tip3p opc; do
  for ending in dcd trr psf gro; do succeeds convert $model/box.h5md $model.$ending; done
done
grep -q 'opc has its negative charge on a fourth site' <("$RILL" convert opc/box.h5md opc.psf -f 2>&1) ||
  fail 'no note of the charges that replace those of the sites'
for ending in dcd trr psf; do succeeds convert opc/box.h5md sites.$ending --sites opc; done
succeeds convert tip3p/box.h5md some.trr --frames 1:12:4
[ "$(cat .stdout)" = 'some.trr: 3 frames' ] || fail "frames: $(cat .stdout)"
succeeds convert tip3p/box.h5md some.gro --frames 1:12:4
succeeds convert some.gro again.gro --frames ::2
[ "$(cat .stdout)" = 'again.gro: 2 frames' ] || fail "frames of a file: $(cat .stdout)"
succeeds convert some.gro some.psf --model tip3p
same_files some.psf tip3p.psf
succeeds convert tip3p/box.h5md molecules.dcd --wrap molecule
succeeds convert tip3p/box.h5md atoms.trr --wrap atom
succeeds convert "$data/variants/triclinic.gro" skew.dcd
succeeds convert "$data/variants/triclinic.gro" skew.trr
succeeds convert "$data/variants/triclinic.gro" skew.gro --wrap molecule
# Frames that are not equally spaced.
sed 's/^interval = 10 steps/interval = 50 steps/; /^\[barostat\]/,/^interval/d' box.ini >uneven.ini
sed -i '/^\[forces\]/,/^tail/d' uneven.ini
succeeds run uneven.ini -q -o uneven
succeeds convert uneven/box.h5md uneven.dcd
grep -q 'DCD has one interval between frames, 0.1 ps' .stderr || fail "no note of unequal intervals: $(cat .stderr)"
"$python" "$RILL_SOURCE/tests/cli/interchange.py" 2>.errors || { cat .errors; fail 'what MDAnalysis reads'; }

# ---- refusals ----
refuses '--frames 3: expected FIRST:END' convert tip3p/box.h5md no.gro --frames 3
for range in : a:b 5:5 5:2 ::0 1:2:3:4 -3: 1:2:; do
  case $range in
    : | 1:2:) succeeds convert tip3p/box.h5md range.gro --frames=$range -f ;;
    *) refuses 'expected FIRST:END' convert tip3p/box.h5md no.gro --frames=$range ;;
  esac
done
refuses 'has 13 frames (0 to 12); frame 13 is not among them' convert tip3p/box.h5md no.gro --frames 13:
refuses 'has 3 frames (0 to 2); the range begins at 3' convert some.gro no.gro --frames 3:9
refuses 'either --frame or --frames' convert tip3p/box.h5md no.gro --frames 1: --frame 2
refuses '--wrap cell: expected molecule, atom or none' convert tip3p/box.h5md no.gro --wrap cell
refuses 'frame 0 has no box' convert "$inputs/water7.gro" no.gro --wrap molecule
refuses 'add --model NAME' convert some.gro no.psf
refuses 'only a topology (.psf) has a model' convert some.gro no.dcd --model tip3p
refuses '--frames: a topology (.psf) has no positions' convert tip3p/box.h5md no.psf --frames 1:
refuses 'the charges are those of tip3p' convert tip3p/box.h5md no.psf --sites opc
refuses 'has not the geometry of spce' convert some.gro no.psf --model spce
refuses 'ends in .gro, .pdb, .xyz, .dcd, .trr or .psf' convert some.gro no.xtc
refuses 'no.dcd' build water 7 -o no.dcd
refuses 'expected it to end in .gro' energy tip3p.dcd
finish
