#!/usr/bin/env bash
# Densities at 298.15 K and 1 bar, 900 molecules: each model of which tests/data/densities has GROMACS's, 1 ns (TIP3P
# 2 ns) after 50 ps, within three combined standard errors.  With RILL_PHYSICS_SCALE below 0.5: TIP3P and TIP4P/2005
# alone, that part of the time, and four standard errors, since those of short runs are not well known themselves.  A
# tail of Lennard-Jones that is counted twice, 259 bar, must be refused.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
scale=${RILL_PHYSICS_SCALE:-1}
densities=$data/densities/densities.csv
most=3 models=$(awk -F, '$5 == "GROMACS" { print $1 }' "$densities")
[ -n "$models" ] || fail "no models in $densities"
if awk -v s="$scale" 'BEGIN { exit !(s < 0.5) }'; then
  most=4 models=$(grep -x -E 'tip3p|tip4p-2005' <<<"$models")
fi
judges() { # judges MODEL FILE
  "${PYTHON:-python3}" "$RILL_SOURCE/tests/physics/densities.py" judge "$densities" "$1" "$2" 50 "$most"
}
for model in $models; do
  ns=1
  [ "$model" != tip3p ] || ns=2
  time=$(awk -v s="$scale" -v ns=$ns 'BEGIN { t = 1000 * ns * s; print 50 + (t < 40 ? 40 : t) }')
  succeeds run "$data/densities/npt.ini" -q -o "$model" --set system.model="$model" --set integrator.time="$time ps"
  judges "$model" "$model/npt.csv" || fail "density of $model"
done
succeeds run "$data/densities/npt.ini" -q -o twice --set barostat.pressure='259 bar' --set integrator.time='100 ps'
judges tip3p twice/npt.csv && fail 'the tail counted twice was not noticed'
finish
