#!/usr/bin/env bash
# Water as rigid bodies from the command line: the same files and observables as under constraints; what is refused.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
cp "$data/structures/p216.xyz" .
lgvi=(--set constraints.solver=lgvi)
nve=(--set thermostat.method=none --set start.temperature=150K)

# ---- the same motion as RATTLE's: LGVI is RATTLE in other coordinates; series agree to round-off over 1 ps ----
succeeds run base.ini -q -o settle "${nve[@]}"
succeeds run base.ini -o lgvi "${nve[@]}" "${lgvi[@]}"
says stdout 'lgvi: none, molecules are rigid bodies'
says stdout 'attitudes, ||q|^2-1|'
says stdout 'iterations of a solve'
[ "$(cd settle && ls)" = "$(cd lgvi && ls)" ] || fail "other files: $(ls settle lgvi)"
succeeds run base.ini -q -o rotor "${nve[@]}" --set constraints.solver=rotor
values() { # values FILE: time, total, temperatures, deviations, iterations, by name
  awk -F, '/^step/ { for (i = 1; i <= NF; i++) at[$i] = i; next } /^[0-9]/ {
    print $at["total"], $at["temperature_translation"], $at["temperature_rotation"], $at["temperature_half_rotation"],
      $at["position_deviation_max"], $at["attitude_deviation"], $at["iterations"] }' "$1"
}
differ() { # differ A B COLUMN: the largest difference
  paste -d ' ' <(values "$1") <(values "$2") | awk -v c="$3" '{ d = $c - $(c + 7); if (d < 0) d = -d; if (d > m) m = d } END { print m + 0 }'
}
for column in 1 2 3; do
  awk -v d="$(differ settle/base.csv lgvi/base.csv $column)" 'BEGIN { exit !(d < 1e-8) }' || fail "column $column of lgvi is not settle's"
  awk -v d="$(differ settle/base.csv rotor/base.csv $column)" 'BEGIN { exit !(d > 1e-6) }' || fail "column $column of rotor is settle's"
done
[ "$(values lgvi/base.csv | awk '!($5 < 1e-14 && $6 >= 0 && $6 < 4e-15 && (NR == 1 || $7 >= 1 && $7 <= 4))' | wc -l)" -eq 0 ] ||
  fail "deviations of bodies: $(values lgvi/base.csv | head -3)"
values settle/base.csv | awk '{ if ($6 != "nan" && $6 != "" && $6 != "NaN") exit 1 }' || fail 'an attitude where there is none'

# ---- threads; every thermostat; a wall; a periodic box ----
for solver in lgvi rotor; do
  for thermostat in gla baoab; do
    set=(--set constraints.solver=$solver --set thermostat.method=$thermostat --set thermostat.temperature=300K)
    succeeds run base.ini -q -o one-$solver-$thermostat "${set[@]}" --threads 1 --set confine.radius=0.5nm
    succeeds run base.ini -q -o two-$solver-$thermostat "${set[@]}" --threads 3 --set confine.radius=0.5nm
    for file in base.csv base-final.gro base.gro base-rdf.csv; do
      same_files one-$solver-$thermostat/$file two-$solver-$thermostat/$file
    done
  done
done
succeeds run base.ini -q -o composed --set integrator.method=yoshida4 "${lgvi[@]}"
succeeds run base.ini -q -o friction "${lgvi[@]}" --set 'thermostat.friction=20u/ps'
grep -q 'friction gamma' .stderr && fail 'bodies have the exact flow of any friction, and a warning'
cat >box.ini <<'DECK'
[system]
structure = p216.xyz
boundary = periodic
[start]
temperature = 300 K
[integrator]
method = rattle
step = 2 fs
time = 100 fs
[output]
series = base.csv
series_interval = 10 fs
DECK
succeeds run box.ini -q -o box-settle
succeeds run box.ini -q -o box-lgvi "${lgvi[@]}"
awk -v d="$(differ box-settle/base.csv box-lgvi/base.csv 1)" 'BEGIN { exit !(d < 0.5) }' || fail 'the box: another energy than -8000 kJ/mol' # mixed precision
succeeds energy lgvi/base-final.gro --json
says stdout '"molecules": 7'

# ---- compare ----
succeeds compare base.ini --quiet --repeats 1 --csv table.csv --methods rattle/settle,rattle/lgvi,rattle/rotor,yoshida4/lgvi
[ "$(grep -c ',ok$' table.csv)" -eq 0 ] || [ "$(grep -c ',ok$' table.csv)" -eq 4 ] || fail 'compare: not four rows'
grep -q '^rattle/lgvi,' table.csv || fail 'compare: no row of rattle/lgvi'
refuses 'rattle/lgvi is given twice' compare base.ini --methods rattle/lgvi,rattle/lgvi
refuses 'has no constraints to solve' compare base.ini --methods zss-simplified/20akma/lgvi

# ---- refused, with the reason ----
refuses 'difference quotients' run base.ini "${lgvi[@]}" --set integrator.method=shake
refuses 'raw force' run base.ini "${lgvi[@]}" --set integrator.method=zss
refuses 'no stiff part' run base.ini "${lgvi[@]}" --set integrator.method=zss-simplified
refuses 'use constraints.solver = settle' run base.ini "${lgvi[@]}" --set integrator.method=dvp
refuses 'geodesic_steps has no effect here' run base.ini "${lgvi[@]}" --set thermostat.method=baoab --set thermostat.geodesic_steps=2
refuses 'tolerance has no effect here' run base.ini "${lgvi[@]}" --set constraints.tolerance=1e-8
refuses 'did you mean lgvi' run base.ini --set constraints.solver=lgiv
finish
