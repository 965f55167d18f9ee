#!/usr/bin/env bash
# What went wrong in other programs, tried on whole runs.  Cases A10, A11, C05, D07, D09, D10, E08, F07, H09.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
cp "$data/structures/p216.xyz" "$data/structures/p210_dodeca.xyz" .
cat >box.ini <<'DECK'
[system]
structure = p216.xyz
boundary = periodic
[start]
temperature = 300 K
[integrator]
method = rattle
step = 2 fs
steps = 10
[output]
trajectory = b.h5md
interval = 5 steps
series = b.csv
DECK
# values COLUMN FILE: of every row
values() {
  awk -F, -v name="$1" '/^step/ { for (i = 1; i <= NF; i++) if ($i == name) at = i } /^[0-9]/ { print $at }' "$2"
}
rows() { grep '^[0-9]' "$1"; }

# D07: one box as three numbers and as nine, of which six are zero: the same bytes, and no word about it.
succeeds convert p216.xyz three.gro
{ head -n -1 three.gro; tail -n 1 three.gro | awk '{ print $1, $2, $3, "0.0 0.0 0.0 0.0 0.0 0.0" }'; } >nine.gro
for box in three nine; do
  succeeds run box.ini -q -o $box --set system.structure=$box.gro
  [ ! -s .stderr ] || fail "D07, $box: $(cat .stderr)"
done
same_files three/box-final.gro nine/box-final.gro
[ "$(rows three/b.csv)" = "$(rows nine/b.csv)" ] || fail 'D07: the series differ'

# D09, D10: a skewed cell runs as the cube does, and its box is in every frame what it was in the file.
succeeds run box.ini -q -o skewed --set system.structure=p210_dodeca.xyz --set integrator.steps=100 --set output.interval=20steps
expected='2.100000000 2.100000000 1.484920000 0.000000000 0.000000000 0.000000000 0.000000000 1.050000000 1.050000000'
for frame in 0 1 2 3 4 5; do
  succeeds convert skewed/b.h5md frame.gro -f --frame $frame
  tail -n 1 frame.gro | awk -v expected="$expected" '{ split(expected, e, " "); for (i = 1; i <= 9; i++) if (($i - e[i]) ^ 2 > 1e-12) exit 1 }' ||
    fail "D10: the box of frame $frame is $(tail -n 1 frame.gro)"
  [ "$frame" = 0 ] || [ "$(tail -n 1 frame.gro)" = "$box" ] || fail "D10: the box has changed in frame $frame"
  box=$(tail -n 1 frame.gro)
done
values total skewed/b.csv | awk 'NR == 1 { first = $1 } { last = $1 } END { exit !(NR == 6 && (last - first) ^ 2 < 4) }' ||
  fail "D09: total energies $(values total skewed/b.csv | tr '\n' ' ')"

# A10: without motion the pressure after no step and after one is the same: it has the constraints' part in both, or in none.
succeeds run box.ini -q -o rest --set start.velocities=zero --set integrator.steps=1 --set integrator.step=1e-6fs
values pressure rest/b.csv | awk '{ p[NR] = $1 } END { exit !(NR == 2 && p[1] > 1 && (p[1] - p[2]) ^ 2 < (1e-9 * p[1]) ^ 2) }' ||
  fail "A10: pressures $(values pressure rest/b.csv | tr '\n' ' ')"

# A11: one arrangement in small and large boxes: the same energy a molecule, finite, and the same bytes for 1 and 2 threads.
lattice() { # lattice N: N^3 waters 0.31 nm apart
  awk -v n="$1" 'BEGIN {
    a = 0.31; print "lattice"; print 3 * n ^ 3
    for (i = 0; i < n; i++) for (j = 0; j < n; j++) for (k = 0; k < n; k++) {
      m++
      for (s = 0; s < 3; s++)
        printf "%5d%-5s%5s%5d%12.7f%12.7f%12.7f\n", m % 100000, "SOL", s ? "HW" s : "OW", (3 * m + s - 2) % 100000,
          a * i + (s == 0 ? 0 : s == 1 ? 0.075695 : -0.075695), a * j + (s ? 0.0585882 : 0), a * k }
    printf "%f %f %f\n", n * a, n * a, n * a }' >"lattice$1.gro"
}
for n in 4 6 11; do
  lattice $n
  for threads in 1 2; do
    succeeds run box.ini -q -o $n-$threads --threads $threads --set system.structure=lattice$n.gro --set start.velocities=zero \
      --set forces.cutoff=0.6nm --set forces.precision=double --set forces.accuracy=1e-6 --set integrator.steps=5
  done
  same_files $n-1/b.csv $n-2/b.csv
  same_files $n-1/box-final.gro $n-2/box-final.gro
  rows $n-1/b.csv | grep -q -i 'inf' && fail "A11: $n^3 molecules: not finite"
  values potential $n-1/b.csv | awk -v n=$n 'NR == 1 { printf "%.17g\n", $1 / n ^ 3 }' >>per-molecule
done
# The energy of a molecule in the lattice is one number; the cutoff is the same, and Ewald's sum good to 1e-6 of the forces.
awk '{ e[NR] = $1 } END { exit !(NR == 3 && (e[1] - e[2]) ^ 2 + (e[1] - e[3]) ^ 2 < (1e-4 * e[1]) ^ 2) }' per-molecule ||
  fail "A11: energies a molecule $(tr '\n' ' ' <per-molecule)"

# C05: two molecules that drift with 1 nm/ps: the drift is taken away before the first row, so nothing jumps after it.
awk 'BEGIN {
  print "drift"; print 6
  for (m = 0; m < 2; m++) for (a = 0; a < 3; a++)
    printf "%5d%-5s%5s%5d%12.7f%12.7f%12.7f%12.7f%12.7f%12.7f\n", m + 1, "SOL", a ? "HW" a : "OW", 3 * m + a + 1,
      a == 0 ? 0 : a == 1 ? 0.075695 : -0.075695, a ? 0.0585882 : 0, 0.3 * m, 1, 0, 0.1 * m
  print "0 0 0" }' >drift.gro
succeeds run base.ini -q -o drift --set system.structure=drift.gro --set start.velocities=file --set start.remove=linear \
  --set thermostat.method=none --set integrator.step=0.1fs --set integrator.time=1fs --set output.interval=0.1fs
values kinetic drift/base.csv | awk 'NR == 1 { first = $1 } NR == 2 { second = $1 }
  END { exit !(first > 0.01 && first < 0.2 && (second - first) ^ 2 < (0.1 * first) ^ 2) }' ||
  fail "C05: kinetic energies $(values kinetic drift/base.csv | head -n 3 | tr '\n' ' ')"

# E08: the results of water do not go through a BLAS that is another one on another processor.
for core in Haswell Prescott; do OPENBLAS_CORETYPE=$core "$RILL" run base.ini -q -o blas-$core >/dev/null || fail "E08: $core"; done
same_files blas-Haswell/base.csv blas-Prescott/base.csv

# H09: molecules too far apart to know of one another have the pressure of an ideal gas of molecules, not of atoms.
awk 'BEGIN {
  print "gas"; print 81
  for (m = 0; m < 27; m++) for (s = 0; s < 3; s++)
    printf "%5d%-5s%5s%5d%12.7f%12.7f%12.7f\n", m + 1, "SOL", s ? "HW" s : "OW", 3 * m + s + 1,
      2 * int(m / 9) + (s == 0 ? 0 : s == 1 ? 0.075695 : -0.075695), 2 * (int(m / 3) % 3) + (s ? 0.0585882 : 0), 2 * (m % 3)
  print "6 6 6" }' >gas.gro
succeeds run box.ini -q -o gas --set system.structure=gas.gro --set forces.coulomb=cut --set integrator.steps=0 --set output.velocities=yes \
  --set output.precision=double
succeeds convert gas/b.h5md gas-last.gro
awk -v p="$(values pressure gas/b.csv)" 'NR > 2 && NR <= 83 {
    mass = (NR - 3) % 3 == 0 ? 15.9994 : 1.008
    for (k = 0; k < 3; k++) v[k] += mass * substr($0, 63 + 14 * k, 14)
    if ((NR - 3) % 3 == 2) { for (k = 0; k < 3; k++) { twice += v[k] ^ 2 / 18.0154; v[k] = 0 } } }
  END { ideal = twice / 3 / 216 * 16.605390666; print p, ideal; exit !(ideal > 1 && (p - ideal) ^ 2 < (1e-4 * ideal) ^ 2) }' gas-last.gro >pressures ||
  fail "H09: pressure and that of the ideal gas: $(cat pressures)"

# The tensor too, each component in bar: of an ideal gas sum M V_a V_b / V, whose components off the diagonal are not 0.
awk -v p="$(for c in xx yy zz xy xz yz; do values pressure_$c gas/b.csv; done | tr '\n' ' ')" 'NR > 2 && NR <= 83 {
    mass = (NR - 3) % 3 == 0 ? 15.9994 : 1.008
    for (k = 0; k < 3; k++) v[k] += mass * substr($0, 63 + 14 * k, 14)
    if ((NR - 3) % 3 == 2) {
      for (i = 0; i < 3; i++) for (k = i; k < 3; k++) t[i, k] += v[i] * v[k] / 18.0154 / 216 * 16.605390666
      for (k = 0; k < 3; k++) v[k] = 0 } }
  END { split(p, got); split("00 11 22 01 02 12", at); print p
    for (n = 1; n <= 6; n++) { ideal = t[substr(at[n], 1, 1), substr(at[n], 2, 1)]; print ideal
      wrong += !((got[n] - ideal) ^ 2 < (1e-4 * t[0, 0]) ^ 2 && ideal ^ 2 > (1e-2 * t[0, 0]) ^ 2) }
    exit wrong > 0 }' gas-last.gro >pressures || fail "H09: pressure tensor and that of the ideal gas: $(cat pressures)"

# F07: positions are unwrapped: a molecule that flies through a box is found where it has got to.
{ head -n 1 drift.gro; echo 3; sed -n '6,8p' drift.gro | sed 's/^    2/    1/'; echo '1.9 1.9 1.9'; } >flight.gro
succeeds run box.ini -q -o flight --set system.structure=flight.gro --set start.velocities=file --set start.remove=none --set forces.coulomb=cut \
  --set integrator.steps=5000 --set output.interval=5000steps
succeeds convert flight/b.h5md end.xyz
# 10 ps with 1 and 0.1 nm/ps, in Angstrom.
awk 'BEGIN { m["O"] = 15.9994; m["H"] = 1.008 } NR > 2 { x += m[$1] * $2 / 18.0154; z += m[$1] * $4 / 18.0154 }
  END { print x, z; exit !((x - 100) ^ 2 < 1e-4 && (z - 13) ^ 2 < 1e-4) }' end.xyz >centre ||
  fail "F07: the flying molecule is at $(cat centre)"

# One that leaves GRO's columns, of 14 characters: XYZ has room for where it has got to.
{ printf 'far\n3\n'
  for atom in '1 OW 9990 0' '2 HW1 9990.09572 0' '3 HW2 9989.9760013 0.0926627'; do
    read -r number name x y <<<"$atom"
    printf '    1SOL  %5s%5d%14.9f%14.9f%14.9f%14.9f%14.9f%14.9f\n' "$name" "$number" "$x" "$y" 0 90 0 0
  done
  echo '0 0 0'; } >far.gro
printf '[system]\nstructure = far.gro\n[start]\nvelocities = file\nremove = none\n[integrator]\nstep = 2 fs\nsteps = 100\n[output]\ntrajectory = far.h5md\n' >far.ini
succeeds run far.ini -q -o far
says stdout 'far/far-final.xyz'
awk '$1 == "O" { exit !(($2 - 100080) ^ 2 < 1e-6) }' far/far-final.xyz || fail "where it has got to: $(tail -n 3 far/far-final.xyz)"

finish
