#!/usr/bin/env bash
# thermostat.measure from outside: refusals with their reasons, what is printed and written, the same bytes after a
# resume, and ladders of temperatures.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

# deck KIND MEASURE [LINE]...: writes KIND.ini; the lines belong to [system].
deck() {
  printf '[system]\nkind = %s\n' "$1" >"$1.ini"
  printf '%s\n' "${@:3}" >>"$1.ini"
  cat >>"$1.ini" <<DECK
[integrator]
method = verlet
step = 0.05
steps = 400
[thermostat]
method = baoab
temperature = 0.5
friction = 1
seed = 4
measure = $2
[output]
trajectory = out.h5
interval = 20 steps
series = out.csv
series_interval = 10 steps
checkpoint = out.checkpoint
checkpoint_interval = 7 steps
DECK
}

# ---- refusals ----
deck planar-triatomic stiff-limit
refuses 'did you mean stiff-limit? (constrained, stiff-limit)' check planar-triatomic.ini --set thermostat.measure=stif-limit
refuses 'has no constraints whose measure could be corrected' check planar-triatomic.ini --set system.formulation=penalised
refuses 'without those that correct the measure of rods; splittings have them; use method = rattle' check \
  planar-triatomic.ini --set thermostat.method=gla --set integrator.method=dvp
sed '/^method = baoab/d; /^temperature/d; /^friction/d; /^seed/d' planar-triatomic.ini >cold.ini
refuses '[thermostat] measure has no effect here: it needs a thermostat' check cold.ini
refuses 'for rigid water det(Dg M^-1 Dg^T) is constant' check "$inputs/water7.ini" --set thermostat.measure=stiff-limit
deck planar-pendulum stiff-limit
refuses 'system planar-pendulum: ln det(Dg M^-1 Dg^T) is constant, so that both measures are the same' check planar-pendulum.ini
deck harmonic-oscillator stiff-limit
refuses 'has no constraints' check harmonic-oscillator.ini
succeeds check harmonic-oscillator.ini --set thermostat.measure=constrained

# ---- what is printed and written ----
succeeds check planar-triatomic.ini
says stdout 'friction 1, seed 4, measure stiff-limit'
succeeds check planar-triatomic.ini --json
says stdout '"measure": "stiff-limit"'
succeeds run planar-triatomic.ini -q -o whole
grep -q '^step,.*,temperature,temperature_half,correction,q1,' whole/out.csv || fail 'the series has no column of the correction'
# kT/2 ln (16 (17^2/16^2 - cos^2)), here at the right angle and 0.5
awk -F, '$1 == 0 { exit !($4 - 0.7234594914681629 < 1e-12 && 0.7234594914681629 - $4 < 1e-12 && $4 == $17) }' whole/out.csv ||
  fail 'not the closed form at the start'
succeeds run planar-triatomic.ini -q -o rods --set thermostat.measure=constrained
grep -q correction rods/out.csv && fail 'a correction of rods that are not corrected'
succeeds list systems planar-triatomic
says stdout 'masses = 16 1 16'

# ---- the same bytes after a resume ----
deck pendulum-chain stiff-limit 'count = 10'
for kind in planar-triatomic pendulum-chain; do
  for method in gla baoab; do
    rm -rf whole parts
    succeeds run $kind.ini -q -o whole --threads 1 --set thermostat.method=$method
    succeeds run $kind.ini -q -o parts --threads 3 --set thermostat.method=$method --set integrator.steps=133
    succeeds run $kind.ini -q -o parts --threads 2 --set thermostat.method=$method --resume
    for file in out.h5 out.csv out.checkpoint; do same_files whole/$file parts/$file; done
  done
done

# ---- ladders: the potential of exchanges and averages is the one without the correction, here 0 ----
sed 's/^temperature = .*//; /^trajectory/d; /^interval/d; /^series/d' planar-triatomic.ini >ladder.ini
cat >>ladder.ini <<'DECK'
series_interval = 5 steps
[ensemble]
replicas = 4
temperatures = 0.5 -> 4, 4
exchange = neighbours
exchange_interval = 10 steps
DECK
succeeds run ladder.ini -q -o whole4 --threads 1
succeeds run ladder.ini -q -o parts4 --threads 3 --set integrator.steps=133
succeeds run ladder.ini -q -o parts4 --threads 2 --resume
same_files whole4/ladder-ensemble.csv parts4/ladder-ensemble.csv
same_files whole4/out.checkpoint parts4/out.checkpoint
awk -F, '/^[0-9]/ { rows++; tried += $14; accepted += $15 } END { exit !(rows == 3 && tried > 50 && accepted > 0.999 * tried) }' \
  <(grep -v nan,nan,nan whole4/ladder-ensemble.csv) || fail "exchanges: $(cat whole4/ladder-ensemble.csv)"

finish
