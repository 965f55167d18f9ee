#!/usr/bin/env bash
# Steps that nobody can mean, meshes about next to nothing, and names in the columns of a table.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

refuses 'out of range, 1e-12 to 1000000 ps is expected: is the unit right?' check base.ini --set integrator.step=1e-308fs
refuses 'is expected to be 1e-6 to 1000 fs,' check base.ini --set integrator.step=1e-8fs
refuses 'is expected to be 1e-6 to 1000 fs,' check base.ini --set integrator.step=2ps --set integrator.time=20ps --set output.interval=2ps

# ---- a box of 150 nm with seven molecules ----
sed '$d' water7.gro >far.gro
echo '150 150 150' >>far.gro
start=$(date +%s)
refuses 'for 7 molecules: the box is too large for particle-mesh Ewald' energy far.gro --boundary periodic --coulomb pme
[ $(($(date +%s) - start)) -lt 20 ] || fail 'the refusal took its time'
succeeds energy far.gro --boundary periodic --coulomb ewald

# ---- names in a table ----
printf 'method,steps\n# units: ,1\nrattle,1.50\nlgvi,2\n' >table.csv
succeeds info table.csv
grep -q '^    method  *rattle  *lgvi$' .stdout || fail "names are not shown: $(cat .stdout)"
grep -q '^    steps  *1  *1.5  *2$' .stdout || fail "numbers are not shown: $(cat .stdout)"
finish
