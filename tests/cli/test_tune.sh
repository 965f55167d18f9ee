#!/usr/bin/env bash
# rill tune: the tuned deck is the given one but for keys that were measured to be faster; the largest step for a bias;
# what it refuses.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

# A deck whose kernel is several times slower than any other, and whose mesh is finer than need be.
cat >slow.ini <<'DECK'
; a small box
[system]
molecules = 64
boundary = periodic
[integrator]
step = 2 fs
steps = 50
[thermostat]
method = baoab
friction = 5 /ps
[forces]
cutoff = 0.6 nm
kernel = reference   ; slow
DECK
succeeds tune slow.ini -o fast.ini --quiet --json --threads 1 --time-limit 30s --set thermostat.seed=7
cp .stdout tuned.json
[ ! -s .stderr ] || fail "tune --quiet says: $(head -c 300 .stderr)"
grep -v -e '^kernel' slow.ini >rest
[ "$(grep -c -F -x -f rest fast.ini)" -eq "$(wc -l <rest)" ] || fail "lines of the deck are not in the tuned one: $(cat fast.ini)"
grep -q -x 'seed = 7' fast.ini || fail 'the tuned deck lacks what --set gave'
succeeds check fast.ini --json
cp .stdout checked.json
succeeds run fast.ini -q -o out

# ---- the step for a bias ----
cat >warm.ini <<'DECK'
[system]
structure = water7.gro
[integrator]
step = 2 fs
steps = 100
[thermostat]
method = baoab
temperature = 50 K
friction = 5 /ps
[output]
series = warm.csv
series_interval = 20 fs
DECK
succeeds tune warm.ini -o stepped.ini --quiet --json --time-limit 30s --bias temperature=2K --sample 30ps
cp .stdout stepped.json
succeeds check stepped.ini
# A smaller bias than that of the step given, which the series' interval makes smaller still.
succeeds tune warm.ini -o plain.ini --time-limit 30s --threads 1024 --set integrator.step=4fs --bias temperature=0.3K \
  --sample 30ps
says stdout 'us/step'
says stdout 'fs would do; output.series_interval = 20 fs allows '
says stdout "times as long as warm.ini with --set 'integrator.step=4fs' for the same simulated time, for the smaller bias"
grep -q -F 'at most 0.3 K is requested' plain.ini || fail "no reason for the step: $(cat plain.ini)"
! grep -q 'given by --set' plain.ini || fail "the step is not that of --set: $(cat plain.ini)"
says stderr 'note: --threads 1024: decks are timed with at most'
! grep -q -w 1024 .stdout || fail 'more threads than processors were timed'

if [ -n "${PYTHON-}" ]; then
  "$PYTHON" - <<'PYTHON' || fail 'what tune says'
import json, math

tuned, checked = json.load(open("tuned.json")), json.load(open("checked.json"))
fast = open("fast.ini").read()
assert tuned["deck"] == "slow.ini" and tuned["set"] == ["thermostat.seed=7"] and tuned["out"] == "fast.ini" and tuned["molecules"] == 64, tuned
changes = {change["key"]: change for change in tuned["changes"]}
assert changes["kernel"]["value"] not in ("auto", "reference"), changes
for change in tuned["changes"]:  # plain words and numbers, with the reason above
    assert change["section"] == "forces" and "auto" not in change["value"], change
    line = fast.index(f"\n{change['key']} = {change['value']}")
    assert change["reason"] is None or fast[:line].endswith("; " + change["reason"]), fast
assert set(changes) <= {"threads", "kernel", "precision", "cutoff_by", "mesh_order", "mesh_grid", "buffer"}
assert fast.count("\nkernel = ") == 1 and "; slow" in fast
# What is kept is the first row of its key, or one whose gain the rule accepts; errors are within the accuracy.
by = {}
for row in tuned["measurements"]:
    by.setdefault(row["key"], []).append(row)
assert list(by)[0] == "kernel" and list(by)[-1] == "deck" and "mesh" in by and "buffer" in by, list(by)
for key, rows in by.items():
    assert sum(row["kept"] for row in rows) == 1 and rows[0]["gain"] is None, (key, rows)
    for row in rows:
        if row["failure"] is None:
            assert row["step_us"] > 0 and 0 < row["force_error"] <= 5e-4, row
        if row["kept"] and row is not rows[0]:
            assert row["gain"] > 0.01 and row["gain"] > 3 * row["gain_error"], row
for change in tuned["changes"]:  # the comment has the error of the forces where that is another one
    rows = by["mesh" if change["key"].startswith("mesh") else change["key"]]
    now, then = (next(row for row in rows if row["kept"])["force_error"], rows[0]["force_error"])
    if change["reason"] is not None and abs(now / then - 1) > 0.03:
        assert change["reason"].endswith(f"; error of the forces {now:.1e} instead of {then:.1e}"), (change, rows)
given, last = by["deck"]
assert tuned["gain"] == last["gain"] > 0.3, tuned
assert abs(1 - last["step_us"] / given["step_us"] - last["gain"]) < 0.1, by["deck"]

stepped = json.load(open("stepped.json"))
bias, h = stepped["bias"], stepped["tuned_step_fs"]
assert (bias["observable"], bias["unit"], bias["most"], bias["power"]) == ("temperature", "K", 2, 2) and bias["runs"] >= 3
worst = lambda h: (abs(bias["slope"]) + 2 * bias["slope_error"]) * h**2
assert worst(h) <= 2 * (1 + 1e-9), (bias, h)
allowed = [g for g in (1, 1.25, 2, 2.5, 4, 5) if worst(g) <= 2]  # steps that divide 20 fs, up to the longest run
assert h == max(allowed), (bias, h)
assert f"\nsteps = {round(100 * 2 / h)}\n" in open("stepped.ini").read()  # the time stays
assert math.isclose(bias["tuned"], bias["slope"] * h**2) and math.isclose(bias["given"], bias["slope"] * 4)
PYTHON
fi

# ---- --set: what it replaces, or leaves without effect, becomes a comment ----
# A mesh that is prescribed stays.
succeeds tune slow.ini -o set.ini --time-limit 30s --threads 1 --set integrator.time=0.4ps --set thermostat.method=none \
  --set forces.mesh_order=6
! grep -q '^mesh' .stdout || fail 'another mesh than the prescribed one was timed'
says stdout 'cutoff_by'
says stdout 'less time than slow.ini with --set'
grep -q -x 'mesh_order = 6' set.ini || fail "another mesh than the prescribed one: $(cat set.ini)"
grep -q -x '; steps = 50' set.ini || fail "the number of steps is not replaced: $(cat set.ini)"
grep -q -x '; friction = 5 /ps' set.ini || fail "the friction is not commented out: $(cat set.ini)"
grep -q -x 'time = 0.4ps' set.ini || fail "the time is not set: $(cat set.ini)"
succeeds check set.ini
[ "$(head -c 100 .stderr)" = '' ] || fail "the deck with --set: $(cat .stderr)"

# ---- forces.threads: a limit, which --threads replaces, and which may change when a run is resumed ----
succeeds check base.ini --json --set forces.threads=1
says stdout '"threads": 1,'
succeeds check base.ini --json --set forces.threads=7
says stdout '"threads": 2,'
succeeds run base.ini -o one --set forces.threads=1 --set integrator.time=0.5ps
says stdout 'kernel, 1 thread'
succeeds run base.ini -q -o one --resume --set forces.threads=7
succeeds run base.ini -o two --set forces.threads=1 --threads 3
says stdout 'kernel, 3 threads'
grep -v '^#' one/base.csv >one.csv
grep -v '^#' two/base.csv >two.csv
same_files one.csv two.csv

# ---- what is refused, with nothing written ----
refuses '--time-limit 1s: the measurements take about half a minute at least; 30s' tune slow.ini -o fault.ini \
  --time-limit 1s
refuses '--bias temperature=1: ' tune warm.ini -o bias.ini --bias temperature=1
refuses '--bias oo=0.1nm: the mean O-O distance is known in vacuum only' tune slow.ini -o bias.ini --bias oo=0.1nm
refuses '--bias pressure=1bar: a cluster in vacuum has no pressure' tune warm.ini -o bias.ini --bias pressure=1bar
refuses '--bias needs constant volume: rill compare compares methods at one volume' tune slow.ini -o bias.ini \
  --bias temperature=1K --set barostat.method=mc --set barostat.pressure=1bar --set forces.lj=shift \
  --set forces.tail=yes
refuses 'missing -o OUT' tune slow.ini
refuses 'fast.ini exists; give --force' tune slow.ini -o fast.ini
refuses 'is the input itself' tune slow.ini -o slow.ini --force
refuses 'the name of the output is empty' tune slow.ini -o ''
refuses '/proc/a.ini: cannot be created' tune slow.ini -o /proc/a.ini
mkdir -p elsewhere
refuses "relative to the deck's folder" tune warm.ini -o elsewhere/warm.ini
refuses 'rill tune is for water' tune "$inputs/simple-pendulum.ini" -o pendulum.ini
refuses 'replicas are advanced together' tune "$inputs/ladder7.ini" -o ensemble.ini
refuses 'NAME=VALUE is expected' tune warm.ini -o bias.ini --bias heat=1K
refuses 'a value above 0 is expected' tune warm.ini -o bias.ini --bias temperature=-1K
refuses 'under a thermostat' tune slow.ini -o bias.ini --bias pressure=1bar --set thermostat.method=none
refuses '--sample has no effect without --bias' tune warm.ini -o bias.ini --sample 1ps
refuses 'x86: one of auto, reference' tune slow.ini -o fault.ini --set forces.kernel=x86
finish
