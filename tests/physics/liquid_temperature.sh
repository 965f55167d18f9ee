#!/usr/bin/env bash
# Default settings give the temperature that was asked for: 216 molecules at 298.15 K, 10 ps to forget the start, then 100 ps,
# under both thermostats: within three standard errors (block averages, which the run prints) for the step that the method
# trusts, in all, in translation and in rotation.  The friction is strong enough for block averages of the shorter form, 20 ps,
# to know their errors.  Case B03.  Six comparisons; one in 60 seeds fails by chance.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
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
  awk -v trusted="$trusted" -v method=$method '
    /^  temperature, / { within = $2 == trusted; what = "temperature" }
    within && ($1 == "temperature," || $1 == "translation" || $1 == "rotation") {
      for (i = 1; i < NF; i++) if ($i == "+-") { mean = $(i - 1); error = $(i + 1) }
      rows++
      printf "%s %s %s: %g +- %g K\n", method, trusted, $1, mean, error
      if (!(error > 0 && error < 6 && (mean - 298.15) ^ 2 < (3 * error) ^ 2)) bad = 1
      if ($1 == "rotation") within = 0
    }
    END { exit bad || rows != 3 }' .stdout || fail "$method: temperature"
done
finish
