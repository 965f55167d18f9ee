#!/usr/bin/env bash
# [ensemble] from outside: replicas have the bytes of single runs; the same files for any number of threads, with lanes and
# without, and resumed; refusals; what is printed and written; reading replicas and temperatures back.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

cat >ladder.ini <<'DECK'
[system]
structure = water7.gro
[confine]
radius = 0.3 nm
stiffness = 1000 kJ/mol/nm2
[start]
remove = none
[integrator]
method = rattle
step = 2 fs
steps = 600
[thermostat]
method = baoab
friction = 2 /ps
seed = 5
[rdf]
bins = 40
[ensemble]
replicas = 12
temperatures = 100 K -> 150 K, 4
exchange = neighbours
quench_interval = 70 steps
exchange_interval = 50 steps
[output]
trajectory = ladder.h5md
interval = 100 steps
series_interval = 30 steps
velocities = yes
precision = double
checkpoint_interval = 100 steps
DECK

# ---- refusals ----
refuses 'is no multiple of the number of temperatures, 4' run ladder.ini --set ensemble.replicas=10
refuses 'use 8 or 12' run ladder.ini --set ensemble.replicas=10
refuses 'increasing temperatures' run ladder.ini --set 'ensemble.temperatures=100 K, 90 K'
refuses 'number of temperatures, for example' run ladder.ini --set 'ensemble.temperatures=100 K -> 150 K'
refuses '2 to 256 temperatures' run ladder.ini --set 'ensemble.temperatures=100 K -> 150 K, 1000'
refuses 'above 0 K' run ladder.ini --set 'ensemble.temperatures=0 K -> 150 K, 4'
refuses 'two temperatures or more' run ladder.ini --set 'ensemble.temperatures=none'
refuses 'ensemble.temperatures replace it' run ladder.ini --set 'thermostat.temperature=300 K -> 10 K'
refuses 'it needs thermostat.method' check ladder.ini --set thermostat.method=none --set ensemble.exchange=neighbours
refuses "Maxwell's distribution exactly" run ladder.ini --set 'thermostat.friction=2 u/ps'
refuses 'a ladder needs all its temperatures' run ladder.ini --set ensemble.on_failure=leave-out
refuses 'series is for one system' run ladder.ini --set output.series=a.csv
refuses '`rill compare` takes one system' compare ladder.ini
refuses '`rill validate` takes one system' validate ladder.ini
refuses 'quench_interval finds the minima of clusters' run ladder.ini --set penalty.stiffness=20akma
refuses 'ensemble.quench_interval' run ladder.ini --set ensemble.quench_interval=none --set ensemble.minima=5
refuses '--lanes sometimes' run ladder.ini --lanes sometimes

# ---- what is printed before a run ----
succeeds check ladder.ini
says stdout '12 replicas: 3 ladders of 4 temperatures, 100 K to 150 K'
says stdout 'acceptance of a harmonic cluster 0.69'
succeeds check ladder.ini --json
tr -d ' \n' <.stdout >check.json
# seed_of REPLICA, temperature_of REPLICA
field() { grep -o '"replicas":\[.*\]' check.json | grep -o "\"$1\":[0-9.]*" | sed -n "$(($2 + 1))s/.*://p"; }
[ "$(field seed 0)" != "$(field seed 1)" ] || fail 'two replicas have one seed'
[ "$(field rung 6)" = 2 ] && [ "$(field ladder 6)" = 1 ] || fail 'replica 6 is not at rung 2 of ladder 1'

# ---- a trial run ----
refuses '--trial-run is for ensembles' check base.ini --trial-run 1ps
refuses '[ensemble] has one temperature' check ladder.ini --trial-run 1ps --set ensemble.temperatures=none --set ensemble.exchange=none
refuses '0.004 ps are 2 steps; expected 0.016 ps or more' check ladder.ini --trial-run 4fs
refuses 'time' check ladder.ini --trial-run 1K
before=$(listing)
succeeds check ladder.ini --trial-run 1ps
says stdout 'trial run of 1 ps: exchanges that would be accepted, from 744 energies at each temperature'
says stdout '4 temperatures for an even acceptance of'
succeeds check ladder.ini --trial-run 1ps --json
if [ -n "${PYTHON-}" ]; then # the same proposal as that of analysis/ensemble.py
  PYTHONPATH=$RILL_SOURCE/analysis "$PYTHON" - .stdout <<'CODE' || fail "the proposed temperatures: $(tail -n 30 .stdout)"
import json, sys, ladders
document = json.load(open(sys.argv[1]))
trial, temperatures = document["trial_run"], document["ensemble"]["temperatures_K"]
even, acceptance = ladders.even_temperatures(temperatures, trial["acceptance"])
assert all(0.3 < a < 0.9 and 0 < e < 0.2 for a, e in zip(trial["acceptance"], trial["acceptance_error"]))
assert abs(acceptance - trial["even_acceptance"]) < 1e-9
assert max(abs(a - b) for a, b in zip(even, trial["even_temperatures_K"])) < 1e-6
assert len(even) == 4 and trial["enough_temperatures_K"][-1] == temperatures[-1]
CODE
  succeeds check ladder.ini --trial-run 2ps --json --set 'ensemble.temperatures=60 K, 600 K'
  "$PYTHON" -c 'import json, sys; sys.exit(json.load(open(sys.argv[1]))["trial_run"]["acceptance"][0] > 0.05)' .stdout ||
    fail 'temperatures that are far apart seem to exchange'
fi
[ "$(listing)" = "$before" ] || fail 'a trial run left files'

# ---- replica 6 alone ----
sed '/^\[ensemble\]/,/^exchange_interval/d' ladder.ini >single.ini
succeeds run ladder.ini -q -o apart --set ensemble.exchange=none
succeeds run single.ini -q -o single --set "thermostat.seed=$(field seed 6)" \
  --set "thermostat.temperature=$(field temperature 6) K"
for frame in 0 3 6; do
  succeeds convert apart/ladder.h5md a.gro --replica 6 --frame $frame -f
  succeeds convert single/ladder.h5md b.gro --frame $frame -f
  tail -n +2 a.gro >a.rest
  tail -n +2 b.gro >b.rest
  same_files a.rest b.rest
done
sed -n '/replica 6,/,/replica 7,/p' apart/ladder-final.gro | sed '1d;$d' >a.rest
tail -n +2 single/single-final.gro >b.rest
same_files a.rest b.rest

# ---- threads, lanes, resuming ----
succeeds run ladder.ini -q -o whole --threads 1
succeeds run ladder.ini -q -o other --threads 3 --lanes off
succeeds run ladder.ini -q -o parts --threads 2 --set integrator.steps=150 # between two exchanges
succeeds run ladder.ini -q -o parts --threads 1 --resume --set integrator.steps=350 --lanes off # at an exchange
succeeds run ladder.ini -q -o parts --threads 3 --resume
rm -f whole/*.prev other/*.prev parts/*.prev
[ "$(ls whole)" = 'ladder-ensemble.csv
ladder-final.gro
ladder-minima.csv
ladder-minima.gro
ladder-rdf.csv
ladder.checkpoint
ladder.gro
ladder.h5md' ] || fail "the run wrote $(ls whole)"
for file in whole/*; do
  same_files "$file" "other/${file#whole/}"
  same_files "$file" "parts/${file#whole/}"
done
succeeds verify whole
says stdout 'all 7 files are as the checkpoint says'
succeeds run ladder.ini -q -o whole --resume
says stdout 'the run is complete'
refuses 'temperatures' run ladder.ini -q -o whole --resume --set 'ensemble.temperatures=100 K -> 160 K, 4' --set integrator.steps=700
refuses 'exchange_interval' run ladder.ini -q -o whole --resume --set 'ensemble.exchange_interval=60 steps' --set integrator.steps=700
# Averages and counts of minima are sums from output.means_from on, and their files name it.
sed '/^\[rdf\]/,/^bins/d' ladder.ini >bare.ini
succeeds run bare.ini -q -o bare
refuses 'the deck is not the one' run bare.ini -q -o bare --resume --set output.means_from=0.1ps --set integrator.steps=700

# ---- minima ----
# They are of copies: what is sampled is the same without them.
succeeds run ladder.ini -q -o plain --set ensemble.quench_interval=none
for file in ladder-final.gro ladder-rdf.csv ladder-ensemble.csv; do
  grep -v '^#' "whole/$file" >a.rest
  grep -v '^#' "plain/$file" >b.rest
  same_files a.rest b.rest
done
[ ! -e plain/ladder-minima.csv ] || fail 'minima that were not asked for'
grep -v '^#' whole/ladder-minima.csv >minima
[ "$(head -n 1 minima)" = 'rank,energy,contacts,mean_distance,largest_distance,first_replica,first_time,count,at_100_K,at_114.471_K,at_131.037_K,at_150_K' ] ||
  fail "columns of minima: $(head -n 1 minima)"
# Ten times, at the first step and the last one too, of three ladders.
awk -F, 'NR > 1 { for (i = 9; i <= 12; i++) n[i] += $i; all += $8 } END { exit !(n[9] == 30 && n[10] == 30 && n[11] == 30 && n[12] == 30 && all == 120) }' minima ||
  fail "not each replica was minimised each time: $(cat minima)"
[ "$(grep -c '^minimum' whole/ladder-minima.gro)" -eq $(($(wc -l <minima) - 2)) ] || fail 'not each minimum has its structure'
succeeds energy whole/ladder-minima.gro --frame 0
# Seven waters: the lowest minimum, of -242.33689 kJ/mol, which is far from a wall of 0.6 nm.
succeeds run ladder.ini -q -o seven --set confine.radius=0.6nm --set ensemble.minima=2
says stdout '-242.33689'
says stdout 'ended above the 2 lowest minima'
grep -v '^#' seven/ladder-minima.csv | sed -n 2p | grep -q '^0,-242.33689' || fail "the lowest minimum: $(grep -v '^#' seven/ladder-minima.csv)"
succeeds minimize seven/ladder-minima.gro --frame 0 -o again.gro
says stdout 'energy        -242.3368948 -> -242.3368948'

# ---- results ----
grep -v '^#' whole/ladder-ensemble.csv >rows
[ "$(wc -l <rows)" -eq 5 ] || fail "$(wc -l <rows) lines of averages, expected 5"
grep -q '^rung,temperature,samples,.*,potential,.*heat_capacity_configurational,heat_capacity_total,.*acceptance' rows ||
  fail "columns: $(head -n 1 rows)"
# 11 attempts (none before step 50, none after the last step) of 3 ladders: 6 at odd numbers, 5 at even ones
[ "$(cut -d, -f14 rows | tr '\n' ' ')" = 'tried 15 18 15 nan ' ] || fail "tried: $(cut -d, -f14 rows | tr '\n' ' ')"
[ "$(grep -c '^100,' whole/ladder-rdf.csv)" -eq 40 ] || fail 'no distribution at 100 K'
rm -rf json
succeeds run ladder.ini -q -o json --json
says stdout '"round_trips"'
says stdout '"heat_capacity_configurational_R"'
succeeds info whole/ladder.h5md
says stdout '12 of 7 molecules each'

# ---- reading back ----
refuses 'holds 12 replicas: choose one' convert whole/ladder.h5md none.gro
refuses '12 replicas (0 to 11); replica 12' convert whole/ladder.h5md none.gro --replica 12
refuses 'the nearest is 114.471 K' convert whole/ladder.h5md none.gro --temperature 120K
refuses '3 ladders (0 to 2); ladder 3' convert whole/ladder.h5md none.gro --temperature 150K --ladder 3
refuses 'holds one system' convert single/ladder.h5md none.gro --replica 0
refuses '--ladder needs --temperature' convert whole/ladder.h5md none.gro --ladder 1
succeeds convert whole/ladder.h5md t.gro --temperature 150K --ladder 1 --frame all
grep -q 'frames of ladder' .stderr && fail 'a note of the ladder that was requested'
succeeds convert whole/ladder.h5md first.gro --temperature 150K --frame all
says stderr 'note: frames of ladder 0 of 3; --ladder N takes another'
succeeds check ladder.ini --set integrator.steps=50
says stdout 'note: no exchange in this run of 50 steps: the first would be after 50'
succeeds check ladder.ini --set integrator.steps=51
grep -q 'no exchange in this run' .stdout && fail 'denies an exchange'
[ "$(grep -c 'of replica [4567],' t.gro)" -eq 7 ] || fail 'frames at 150 K of ladder 1 are not of its replicas'
[ "$(grep -c 'of replica 7,' t.gro)" -lt 7 ] || fail 'no exchange reached the highest temperature of ladder 1'
succeeds rdf whole/ladder.h5md --temperature 150K
says stdout 'samples: 21'
succeeds rdf whole/ladder.h5md --replica 2 --json
cp single/ladder.h5md copy.h5md
succeeds rdf single/ladder.h5md copy.h5md
says stdout 'samples: 14'
refuses 'holds 12 replicas' rdf whole/ladder.h5md

# ---- seeds alone; starts; failures ----
succeeds run ladder.ini -q -o seeds --set ensemble.temperatures=none --set ensemble.exchange=none --set ensemble.replicas=3 \
  --set integrator.steps=60
says stdout '300'
ramp=(--set ensemble.temperatures=none --set ensemble.exchange=none --set ensemble.replicas=3
  --set 'thermostat.temperature=150 K -> 10 K' --set output.interval=50steps)
succeeds run ladder.ini -q -o ramp "${ramp[@]}"
cp -r ramp earlier
mv earlier/ladder.checkpoint.prev earlier/ladder.checkpoint # the length of a run belongs to its ramp
succeeds info earlier/ladder.checkpoint
says stdout 'step         500'
succeeds run ladder.ini -q -o earlier "${ramp[@]}" --resume
for file in ladder.h5md ladder-final.gro ladder-ensemble.csv; do same_files "ramp/$file" "earlier/$file"; done
cp whole/ladder-final.gro many.gro
succeeds run ladder.ini -q -o many --set system.structure=many.gro --set integrator.steps=1
refuses '12 frames for 8 replicas' run ladder.ini --set system.structure=many.gro --set ensemble.replicas=8
succeeds run ladder.ini -q -o built --set system.molecules=3 --set ensemble.replicas=4 --set integrator.steps=1
succeeds convert built/ladder.h5md a.gro --replica 0 --frame 0 -f
succeeds convert built/ladder.h5md b.gro --replica 1 --frame 0 -f
cmp -s a.gro b.gro && fail 'two built starts are equal'
# without exchanges none are judged
succeeds run ladder.ini -q -o unexchanged --set ensemble.exchange=none --set 'ensemble.temperatures=60 K, 200 K, 600 K, 2000 K' --set 'start.temperature=60 K'
run_rill validate unexchanged/ladder.h5md
grep -q 'exchanges' .stdout && fail 'exchanges are judged though there were none'
refuses 'would be counted twice' rdf whole/ladder.h5md ./whole/../whole/ladder.h5md
# hot enough that some replicas exceed the limit, and others do not
hot=(--set ensemble.exchange=none --set 'start.temperature=20 K' --set 'thermostat.friction=20 /ps' --set 'stop.max_temperature=215 K' --set 'ensemble.temperatures=20 K, 30 K, 40 K, 200 K')
run_rill run ladder.ini -q -o stopped "${hot[@]}"
[ $status -eq 1 ] || fail "a replica beyond its limit: exit status $status, expected 1"
says stderr 'replica '
says stderr 'above 215 K'
succeeds verify stopped
succeeds run ladder.ini -q -o left "${hot[@]}" --set ensemble.on_failure=leave-out
says stdout 'replicas failed and were left out: 3'
finish
