#!/usr/bin/env bash
# thermostat.method = ghmc from outside: what is refused, what is printed, and the same bytes after a resume, wherever in
# a trial the run was stopped.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

sed 's/^method = gla/method = ghmc/; s/^temperature = 10 K/temperature = 150 K/; s/^step = 2 fs/step = 8 fs/
  s/^time.*/steps = 200/; s/^interval.*/interval = 7 steps/; s/^series = .*/&\nseries_interval = 4 steps\ncheckpoint_interval = 10 steps/
  s/^\[output\]/[confine]\nradius = 0.6 nm\nstiffness = 1000 kJ\/mol\/nm2\n&/' base.ini >trial.ini

# ---- refusals, each with its reason ----
refuses 'samples the ensemble of one temperature' run trial.ini --set 'thermostat.temperature=150 K -> 10 K'
refuses 'expected more than 0 K' run trial.ini --set 'thermostat.temperature=0 K'
refuses 'a friction of one rate' run trial.ini --set 'thermostat.friction=2 u/ps'
refuses 'give thermostat.friction as a rate' run trial.ini --set 'thermostat.friction=2 u/ps'
refuses 'a symmetric splitting' run trial.ini --set integrator.method=lie-trotter
refuses 'this method solves equations' run trial.ini --set integrator.method=dvp
refuses 'trial_steps' run trial.ini --set thermostat.trial_steps=0
refuses 'trial_steps' run base.ini --set thermostat.trial_steps=2
cat >penalised.ini <<'DECK'
[system]
structure = water7.gro
[penalty]
stiffness = 20 akma
[integrator]
method = zs
step = 0.5 fs
steps = 20
[thermostat]
method = ghmc
temperature = 150 K
friction = 2 u/ps
DECK
refuses "a filter's physical positions" run penalised.ini
succeeds check penalised.ini --set integrator.method=verlet # no constraints: any friction
succeeds check trial.ini --set constraints.solver=rotor --set 'thermostat.friction=2 u/ps'

# ---- what is printed ----
succeeds check trial.ini --set thermostat.trial_steps=5
says stdout 'trials of 5 steps'
succeeds check trial.ini --json
says stdout '"trial_steps": 1'
succeeds list thermostats
says stdout ghmc
succeeds run trial.ini -q -o printed
says stdout 'of 200'
says stdout 'rejected, did not return'
says stdout 'under ghmc trust either temperature'
grep -q 'energy conservation' .stdout && fail 'a drift of the energy is judged'

# trials FOLDER: the counts of the last command, which had --json.
trials() { tr -d ' \n' <.stdout | grep -o '"trials":{[^}]*}'; }

# ---- resumed ----
for steps in 1 5; do
  for solver in settle shake lgvi; do
    set -- --set thermostat.trial_steps=$steps --set constraints.solver=$solver
    rm -rf whole parts
    succeeds run trial.ini -q -o whole --json "$@"
    whole=$(trials)
    made=$((200 / steps)) accepted=$(grep -o '"accepted":[0-9]*' <<<"$whole" | cut -d: -f2)
    case $whole in *"\"made\":$made,"*) ;; *) fail "$solver: not $made trials: $whole" ;; esac
    [ "$accepted" -gt 0 ] && [ "$accepted" -lt $made ] || fail "$solver, trials of $steps: $accepted accepted of $made"
    succeeds run trial.ini -q -o parts --set integrator.steps=37 "$@"
    succeeds run trial.ini -q -o parts --set integrator.steps=113 --resume --threads 1 "$@"
    succeeds run trial.ini -q -o parts --resume --json "$@"
    [ "$(trials)" = "$whole" ] || fail "$solver, trials of $steps: $whole, resumed $(trials)"
    rm -f whole/*.prev parts/*.prev
    for file in whole/*; do same_files "$file" "parts/${file#whole/}"; done
  done
done
finish
