#!/usr/bin/env bash
# rill compare on small systems: constrained and penalised formulations in one table, and what it says of the reference.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
chain=$inputs/pendulum-chain.ini
ten() { run_ten=(compare "$chain" --set system.count=10 --set integrator.time=20 --steps 0.05 "$@"); }

# ---- Tao & Owhadi 2016, section 4.2: SHAKE and Z&S on a chain of ten pendula, against its constrained motion ----
ten --methods rattle/constrained,zs/penalised/w=20,zs/w=40 --repeats 3 --json
succeeds "${run_ten[@]}"
cp .stdout chain.json
ten --methods rattle/constrained,zs/penalised/w=20 --repeats 2
succeeds "${run_ten[@]}"
says stdout 'verlet/yoshida8 at step'
says stdout 'least'
grep -q 'penalised system' .stdout && fail 'calls a constrained reference penalised'
# a penalised deck, whose methods name their formulation, is judged by the constrained motion, too
ten --methods rattle/constrained,zs/penalised --repeats 1 --set system.formulation=penalised --set penalty.stiffness=20 --json
succeeds "${run_ten[@]}"
cp .stdout named.json
# ... and by its own where they do not, which the output says
ten --methods zs --repeats 1 --set system.formulation=penalised
succeeds "${run_ten[@]}" --csv penalised.csv
says stdout 'reference verlet/yoshida8 of the penalised system, w = 20, at step'
says stdout 'The reference is penalised: errors leave out that of the penalty'
grep -q '^# .*of the penalised system, w = 20' penalised.csv || fail 'the CSV does not say that its reference is penalised'
# three forms of one body
succeeds compare "$inputs/magnetic-rigid-body.ini" --set integrator.time=1 --repeats 1 --json \
  --methods lgvi/group,rattle/constrained,zss-simplified/penalised/w=200 --steps 0.01
cp .stdout body.json

if [ -n "${PYTHON-}" ]; then
  "$PYTHON" - <<'PYTHON' || fail 'what compare says of formulations'
import csv, json
rattle, zs, stiff = json.load(open("chain.json"))
assert [row["method"] for row in (rattle, zs, stiff)] == ["rattle/constrained", "zs/penalised/w=20", "zs/w=40"]
# Independent programs: 1.72e-3, and of Z&S, which is started and judged at x, 1.668e-2.
assert abs(rattle["position_error"] - 1.718e-3) < 2e-6 and rattle["position_x_error"] is None, rattle
assert abs(zs["position_x_error"] - 1.668e-2) < 1e-5, zs
# At the physical positions it is less; a stiffer penalty errs less; both are far from the constrained motion.
assert 0.0145 < zs["position_error"] < 0.0155 and 0.004 < stiff["position_error"] < 0.6 * zs["position_error"], (zs, stiff)
assert {row["reference"] for row in (rattle, zs, stiff)} == {"verlet/yoshida8"}
for row in (rattle, zs, stiff):
    assert 0 < row["step_least_us"] <= row["step_us"] <= row["step_most_us"], row
    assert abs(row["total_ms"] / row["step_us"] / row["steps"] * 1e3 - 1) < 1e-9, row
named = {row["method"]: row for row in json.load(open("named.json"))}
assert named["zs/penalised"]["reference"] == "verlet/yoshida8/constrained", named
assert named["zs/penalised"]["position_error"] == zs["position_error"], named
assert named["rattle/constrained"]["position_error"] == rattle["position_error"], named
# Against the penalised motion the penalty's own error, the larger part, is missing.
own, = csv.DictReader(line for line in open("penalised.csv") if not line.startswith("#"))
assert float(own["position_error"]) != zs["position_error"]
body = {row["method"]: row for row in json.load(open("body.json"))}
assert body["lgvi/group"]["position_error"] < 1e-4 > body["rattle/constrained"]["position_error"] > 0, body
assert 1e-6 < body["zss-simplified/penalised/w=200"]["position_error"] < 1e-2, body
PYTHON
fi

# ---- rows that fail, and a disk that is full ----
command=(compare "$chain" --methods zss-simplified/w=1000,zss-simplified/w=2000 --steps 1 --set integrator.time=50 --repeats 1)
run_rill "${command[@]}" --json
[ $status -eq 1 ] || fail "where all rows fail: exit status $status, expected 1"
says stderr 'all 2 rows failed, the first one with: step '
[ "$(grep -c '"failure": "step ' .stdout)" -eq 2 ] || fail "JSON does not say why rows failed: $(head -c 600 .stdout)"
ten --methods rattle/constrained,zs/w=20000 --repeats 1 --json
succeeds "${run_ten[@]}"
says stdout '"failure": null'
says stdout '"failure": "step '
ten --methods rattle --repeats 1 --csv full.csv
(ulimit -f 0 && "$RILL" "${run_ten[@]}" >/dev/null 2>full.txt)
[ ! -e full.csv ] || fail 'a table that could not be written is left'

# ---- refusals ----
refuses 'constrained and penalised exclude each other' compare "$chain" --methods rattle/constrained/w=20
refuses 'the stiffness is given twice' compare "$chain" --methods zs/w=20/w=30
refuses 'none of the methods reads it' compare "$chain" --methods rattle/constrained --set penalty.stiffness=20
refuses 'the step 0.050 is given twice' compare "$chain" --methods rattle --steps 0.05,0.1,0.050
refuses 'springs need a stiffness above 0' compare "$chain" --methods zs/penalised/w=0
refuses 'out of range, 1e-12 to 1000000 is expected' compare "$chain" --methods rattle --steps 0
grep -q 'water' .stderr && fail 'names usual steps of water for a chain'
refuses 'does not bind' compare "$chain" --methods zs/constrained
refuses 'unknown key formulation' compare "$inputs/harmonic-oscillator.ini" --methods verlet/penalised
refuses 'under a thermostat' compare "$chain" --observables potential
refuses '--repeats' compare "$chain" --repeats 0
finish
