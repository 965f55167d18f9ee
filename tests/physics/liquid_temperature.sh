#!/usr/bin/env bash
# Default settings give the requested temperature: 216 molecules at 298.15 K, 10 ps to forget the start, then 100 ps,
# under both thermostats: within three standard errors for the step that the method trusts, in all, in translation and in
# rotation.  The shorter form, 20 ps, may be too short for the run to quote an error: then that of kinetic energies which only
# the friction decorrelates, T sqrt(2 / dof) sqrt(2 tau / t) with tau = 1 / (2 friction).  Case B03.  Six comparisons: one in 60
# seeds fails by chance; of the shorter form, whose errors are themselves uncertain, five standard errors are allowed.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
allowed=$(awk -v scale="${RILL_PHYSICS_SCALE:-1}" 'BEGIN { print scale < 1 ? 5 : 3 }')
time=$(awk -v scale="${RILL_PHYSICS_SCALE:-1}" 'BEGIN { t = 100 * scale; print t < 20 ? 20 : t }')
cp "$data/structures/p216.xyz" .
cat >liquid.ini <<'DECK'
[system]
structure = p216.xyz
boundary = periodic
[integrator]
step = 2 fs
time = 10 ps
[thermostat]
method = gla
temperature = 298.15 K
friction = 5 /ps
[output]
series = liquid.csv
series_interval = 10 steps
DECK
for method in gla baoab; do
  succeeds run liquid.ini -q -o start-$method --set thermostat.method=$method
  succeeds run liquid.ini -q -o $method --set thermostat.method=$method --set integrator.time="$time ps" --set thermostat.seed=2 \
    --set system.structure=start-$method/liquid-final.gro --set start.velocities=file
  trusted=$(sed -n 's/.*under .* trust the \(on-step\|half-step\) temperature.*/\1/p' .stdout)
  [ -n "$trusted" ] || fail "$method: no word on which temperature to trust"
  awk -v allowed="$allowed" -v trusted="$trusted" -v method=$method -v time="$time" '
    /^  temperature, / { within = $2 == trusted; what = "temperature" }
    within && ($1 == "temperature," || $1 == "translation" || $1 == "rotation") {
      mean = $1 == "temperature," ? $3 : $2
      freedom = $1 == "temperature," ? 216 * 6 - 3 : 216 * 3
      error = 298.15 * sqrt(2 / freedom) * sqrt(0.2 / time)
      for (i = 1; i < NF; i++) if ($i == "+-") error = $(i + 1)
      rows++
      printf "%s %s %s: %g +- %g K\n", method, trusted, $1, mean, error
      if (!(error > 0 && error < 6 && (mean - 298.15) ^ 2 < (allowed * error) ^ 2)) bad = 1
      if ($1 == "rotation") within = 0
    }
    END { exit bad || rows != 3 }' .stdout || fail "$method: temperature"
done
finish
