#!/usr/bin/env bash
# rill validate: verdicts on sound runs and on runs that are not; decks, trajectories, small systems; refusals.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

# fails ARGUMENT...: exit status 1, because a verdict failed.
fails() {
  command=$*
  run_rill "$@"
  [ $status -eq 1 ] || fail "rill $command: exit status $status, expected 1: $(head -c 600 .stderr)"
  says stderr 'verdicts failed'
}
verdict() { # verdict NAME WORD
  grep -q -E "^$2 +$1 " .stdout || fail "after rill $command: $1 is not \"$2\": $(grep " $1" .stdout)"
}

# ---- a deck: nothing is written, every verdict passes ----
sed 's/time = 1 ps/time = 100 ps/; s/friction = .*/friction = 2 \/ps/; s/seed = 1/seed = 1\n[start]\nminimize = yes/' base.ini >sound.ini
before=$(listing)
succeeds validate sound.ini -q
[ "$(listing)" = "$before" ] || fail 'validate wrote something'
for name in equilibration 'bond lengths' 'bond velocities' temperature 'kinetic energies' equipartition order reversal \
  threads; do
  verdict "$name" passes
done
says stdout '11 passed, 0 failed, 0 open'
says stdout 'statistical verdicts by chance in'
[ "$(awk 'length > 118' .stdout)" = '' ] || fail 'lines are too long'

# ---- the trajectory of the same deck: the same words on its series ----
grep -E ' (equilibration|bond|temperature|kinetic|equipartition)' .stdout >of-deck
succeeds run sound.ini -q -o out
succeeds validate out/base.h5md
grep -E ' (equilibration|bond|temperature|kinetic|equipartition)' .stdout >of-file
same_files of-deck of-file
succeeds validate out/base.h5md --json
[ -z "${PYTHON:-}" ] || "$PYTHON" - <<'PY' || fail 'the JSON is not as expected'
import json
found = {v["what"]: v for v in json.load(open(".stdout"))}
assert found["temperature"]["limit"] == 10 and abs(found["temperature"]["value"] - 10) < 1, found["temperature"]
assert all(v["verdict"] == "passes" for v in found.values()), found
assert found["bond lengths"]["value"] < 1e-13 and found["bond lengths"]["error"] is None
PY

# ---- faults that must be found out ----
# a start far from the bath's temperature that friction cannot bring there in the time
fails validate sound.ini -q --set start.temperature=40K --set thermostat.friction=0.002/ps --set integrator.time=20ps
verdict temperature FAILS
# a step that is too long for the hydrogens
fails validate "$inputs/water7-nve.ini" -q --set integrator.method=yoshida4 --set integrator.step=8fs --set \
  integrator.steps=500 --set output.interval=5steps --set output.series_interval=5steps
verdict order FAILS
# bonds left looser than is asked of others
succeeds validate "$inputs/water7-nve.ini" -q --set integrator.time=10ps
for name in momentum 'angular momentum' order reversal threads; do verdict "$name" passes; done
fails validate "$inputs/water7-nve.ini" -q --set integrator.time=2ps --set constraints.solver=shake --set \
  constraints.tolerance=1e-5
verdict reversal FAILS

# ---- springs are judged by what tears them, not by the tolerance of constraints ----
sed 's/^method = rattle/method = zss-simplified/; s/^step = .*/step = 1 fs/; s/^time = .*/time = 2 ps/; /^\[thermostat\]/,/^seed/d' base.ini >springs.ini
printf '[start]\ntemperature = 10 K\nminimize = yes\n[penalty]\nstiffness = 100 akma\n' >>springs.ini
run_rill validate springs.ini -q
verdict 'bond lengths' passes
grep -q 'bond velocities' .stdout && fail 'springs are held to the tolerance of constraints'

# ---- small systems, a deck and its file ----
cat >pendulum.ini <<'DECK'
[system]
kind = double-pendulum
[integrator]
method = rattle
step = 0.01
time = 20
[output]
trajectory = pendulum.h5
interval = 0.01
DECK
succeeds validate pendulum.ini
verdict energy passes
verdict constraints passes
cp .stdout of-deck
succeeds run pendulum.ini -q
succeeds validate pendulum.h5
same_files of-deck .stdout
# energy that drifts by a tenth of its exchange
if [ -n "${PYTHON:-}" ]; then
  "$PYTHON" - <<'PY'
import h5py
with h5py.File("pendulum.h5", "r+") as f:
    e, t = f["series/energy"], f["series/t"]
    e[:, 2] = e[:, 2] + 0.1 * (e[:, 0].max() - e[:, 0].min()) * t[:] / t[-1]
PY
  fails validate pendulum.h5
  verdict energy FAILS
fi

# ---- refusals ----
refuses 'cannot be opened' validate missing.ini
refuses 'water7.gro is not a run: expected a trajectory' validate water7.gro
refuses 'apply only to decks' validate out/base.h5md --set integrator.step=1fs
refuses 'DECK|TRAJECTORY' validate
head -c 4000 out/base.h5md >cut.h5md
refuses 'truncated or damaged' validate cut.h5md
finish
