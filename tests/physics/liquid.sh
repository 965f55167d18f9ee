#!/usr/bin/env bash
# Liquid water of TIP3P at 298.15 K and 0.989 g/cm3, 895 molecules, 300 ps after 20: energy -9.60(2) kcal/mol with the
# tail, pressure 0(100) bar, first maximum of g(r) 2.71(4) at 0.2785(20) nm, bins of 0.002 nm.  Then 200 ps at constant
# energy: drift at most 0.01 kT/ns/dof in mixed precision, double not above it; the energy's error goes with the square of
# the step.  Each within two standard errors of the run itself, so that a shorter run is a blunter test; of the drift, a
# change of the energy over the whole run, a shorter one sees what the way to equilibrium changes.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
scale=${RILL_PHYSICS_SCALE:-1}
steps() { awk -v n="$1" -v s="$scale" 'BEGIN { printf "%d", n * s }'; }
# value LABEL: "mean error" of the summary's first line that begins so
value() {
  awk -v label="$1" 'index($0, label) == 1 && !found { split(substr($0, length(label)), f, " "); print f[1], f[3]; found = 1 }' .stdout
}
# near NAME VALUE ERROR TARGET TOLERANCE; an ERROR that is no number, of a run too short to quote one, ends the comparison
# unless the run has its full length
near() {
  if [[ ! $3 =~ ^[0-9.e+-]+$ ]] && awk -v s="$scale" 'BEGIN { exit !(s < 1) }'; then
    echo "$1: $2, too short a run for an error"
    return
  fi
  echo "$1: $2 +- $3, expected $4 +- $5"
  awk -v x="$2" -v e="$3" -v t="$4" -v d="$5" 'BEGIN { exit !((x - t) ^ 2 <= (d + 2 * e) ^ 2) }' || fail "$1"
}

warm=$(steps 10000)
succeeds run "$inputs/liquid900.ini" -q -o liquid --set system.molecules=895 --set integrator.steps=$((warm + $(steps 150000))) \
  --set output.means_from="$(awk -v n="$warm" 'BEGIN { print n * 0.002 }')ps" --set output.trajectory=t.h5md
cat .stdout
read -r energy error <<<"$(value '    a molecule ')"
near 'energy, kcal/mol' "$energy" "$error" -9.60 0.02
read -r pressure error <<<"$(value '  pressure ')"
near 'pressure, bar' "$pressure" "$error" 0 100
read -r height error <<<"$(value '  first maximum ')"
near 'first maximum of g' "$height" "$error" 2.71 0.04
# Near its maximum g falls by 4000 nm^-2 d^2: noise of e moves the highest of such bins by about half of sqrt(e / 4000).
near 'its place, nm' "$(sed -n 's/.* at \([0-9.]*\) nm (bins.*/\1/p' .stdout)" \
  "$(awk -v e="$error" 'BEGIN { print 0.5 * sqrt(e / 4000) }')" 0.2785 0.002

cat >nve.ini <<'DECK'
[system]
structure = liquid/liquid900-final.gro
boundary = periodic
[start]
velocities = file
[integrator]
step = 2 fs
steps = 1
[forces]
lj = shift
[output]
series = nve.csv
series_interval = 20 fs
DECK
# Shifted, the energy has no step where a pair crosses the cutoff; the forces are the same.
for precision in mixed double; do
  succeeds run nve.ini -q -o "$precision" --set integrator.steps="$(steps 100000)" --set forces.precision=$precision
  read -r drift error <<<"$(value '  drift ')"
  near "drift in $precision, kT/ns/dof" "$drift" "$error" 0 "$(awk -v s="$scale" 'BEGIN { print 0.01 / (s < 1 ? s : 1) }')"
done
# The fluctuation of 8 ps; 2 fs to 1 fs gains 4 less what pairs that cross the cutoff add, which a switch keeps small.
for step in 4 2 1; do
  succeeds run nve.ini -q -o step$step --set integrator.step=${step}fs --set integrator.steps=$((8000 / step)) --set forces.lj=switch \
    --set forces.accuracy=1e-5
  read -r "error$step" _ <<<"$(value '  standard deviation ')"
done
echo "standard deviations of the energy, kJ/mol: 4 fs ${error4:?}, 2 fs ${error2:?}, 1 fs ${error1:?}"
awk -v a="$error4" -v b="$error2" -v c="$error1" 'BEGIN { exit !(a / b > 3.2 && a / b < 4.8 && b / c > 3 && b / c < 4.8) }' ||
  fail 'the energy does not follow the square of the step'
finish
