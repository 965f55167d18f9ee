#!/usr/bin/env bash
# rill compare on small systems in heat baths: independent samples, against the closed forms of an oscillator.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
cat >oscillator.ini <<'DECK'
[system]
kind = harmonic-oscillator
[integrator]
method = verlet
step = 0.1
time = 40000
[thermostat]
method = gla
temperature = 1
friction = 1
seed = 3
DECK

succeeds compare oscillator.ini --methods verlet,implicit-midpoint --steps 1,0.5,0.1 --observables potential,kinetic,q1 \
  --reference verlet@0.05 --repeats 3 --csv gla.csv
says stdout 'independent samples of the potential energy'
says stdout 'bias: difference from verlet at step 0.05, another run'
succeeds compare oscillator.ini --set thermostat.method=baoab --methods verlet --steps 1,0.1 --repeats 2 --json
cp .stdout baoab.json
succeeds compare oscillator.ini --methods verlet --steps 0.2,0.4,0.5 --observables potential,kinetic --repeats 1 --extrapolate --json
cp .stdout limits.json
succeeds compare oscillator.ini --methods verlet --steps 0.5,1,1.6 --repeats 1 --extrapolate --json
cp .stdout coarse.json
succeeds compare oscillator.ini --methods verlet --steps 0.5,1,1.6 --repeats 1 --extrapolate
says stdout 'limits for a step of 0: mean = limit + slope h^p'
grep -q '^verlet  *potential .* no$' .stdout || fail "no word on the fit: $(cat .stdout)"
# rods and springs, judged by the rods
succeeds compare "$inputs/pendulum-chain.ini" --set system.count=3 --set thermostat.method=gla --set thermostat.temperature=0.1 \
  --set thermostat.friction=0.5 --set integrator.time=400 --steps 0.05 --repeats 1 --observables q6 \
  --methods zss-simplified/penalised/w=20,rattle/constrained
says stdout 'bias: difference from rattle/constrained at step 0.05'
succeeds compare "$inputs/pendulum-chain.ini" --set system.count=3 --set thermostat.method=gla --set thermostat.temperature=0.1 \
  --set thermostat.friction=0.5 --set integrator.time=40 --steps 0.05 --repeats 1 --methods zss-simplified/w=20
says stdout 'The reference is penalised'
grep -q 'sample different laws' .stdout && fail 'calls laws of springs different'
# energies have no bias between rods and springs, whose laws differ; the default is a coordinate
both=(--set system.count=3 --set thermostat.method=gla --set thermostat.temperature=0.1 --set thermostat.friction=0.5
  --set integrator.time=400 --steps 0.05 --repeats 1)
succeeds compare "$inputs/pendulum-chain.ini" "${both[@]}" --methods zss-simplified/w=20 --reference rattle/constrained@0.05
says stdout 'independent samples of the coordinate q6'
says stdout 'sample different laws of positions, however stiff the springs'
grep -q 'No bias' .stdout && fail 'misses the bias of a coordinate'
succeeds compare "$inputs/pendulum-chain.ini" "${both[@]}" --methods zss-simplified/w=20,zss-simplified/w=10,rattle/constrained \
  --observables potential,kinetic,q6 --csv both.csv
says stdout 'No bias is given of energies'
# with the law of springs the note has no reason; springs ignore the key
succeeds compare "$inputs/pendulum-chain.ini" "${both[@]}" --methods zss-simplified/w=20,rattle/constrained --json
cp .stdout own.json
succeeds compare "$inputs/pendulum-chain.ini" "${both[@]}" --methods zss-simplified/w=20,rattle/constrained \
  --set thermostat.measure=stiff-limit --csv limit.csv
grep -q 'sample different laws' .stdout && fail 'calls laws different that are made the same'
# one bar has one law
succeeds compare "$inputs/planar-pendulum.ini" --set thermostat.method=gla --set thermostat.temperature=1 \
  --set thermostat.friction=1 --set integrator.time=20 --steps 0.01 --repeats 1 --methods rattle/constrained,zss-simplified/w=20
grep -q 'sample different laws' .stdout && fail 'calls the laws of one bar different'
# the limits of [stop] end a row where they end the run
stiff=(--set system.count=10 --set "system.spacing=0 -2.23606797749979" --set thermostat.method=gla
  --set thermostat.temperature=0.2 --set thermostat.friction=0.2 --set integrator.time=100)
run_rill run "$inputs/pendulum-chain.ini" -q "${stiff[@]}" --set system.formulation=penalised --set penalty.stiffness=100 \
  --set integrator.method=zss-simplified --set integrator.step=0.1 --set output.series=none --set output.trajectory=stiff.h5 \
  --set output.interval="1 step"
[ $status -eq 1 ] || fail "the run beyond its limits: exit status $status, expected 1"
stopped=$(grep -o 'step [0-9]*: the total energy is [-0-9.e+]*' .stderr)
succeeds compare "$inputs/pendulum-chain.ini" "${stiff[@]}" --steps 0.1 --repeats 1 --observables q20 \
  --methods rattle/constrained,zss-simplified/penalised/w=100
says stdout "zss-simplified/penalised/w=100, step 0.1, failed: ${stopped:-no step}"
says stdout '([stop] max_energy_change)'

if [ -n "${PYTHON-}" ]; then
  "$PYTHON" - <<'PYTHON' || fail 'what compare says of heat baths'
import csv, json, math
rows = [{k: v if k in ("method", "status") else float(v or "nan") for k, v in row.items()}
        for row in csv.DictReader(line for line in open("gla.csv") if not line.startswith("#"))]
by = {(row["method"], row["step"]): row for row in rows}
assert len(by) == 6 and all(row["status"] == "ok" for row in rows), rows

def meets(row, name, expected):
    mean, error = row[name + "_mean"], row[name + "_mean_error"]
    assert error < 0.02 and abs(mean - expected) < 4.5 * error, (row["method"], row["step"], name, mean, error, expected)

# GLA with Verlet: <V> = k T / (2 (1 - h^2/4)), <K> = k T / 2; the implicit midpoint conserves quadratic forms: no error of the step.
for h in (1, 0.5, 0.1):
    meets(by["verlet", h], "potential", 0.5 / (1 - h * h / 4))
    meets(by["verlet", h], "kinetic", 0.5)
    meets(by["implicit-midpoint", h], "potential", 0.5)
# Biases are differences from an independent run.
row = by["verlet", 1]
assert abs(row["potential_bias"] - (2 / 3 - 0.5 / (1 - 0.05 ** 2 / 4))) < 4.5 * row["potential_bias_error"], row
assert row["potential_bias_error"] > row["potential_mean_error"] and by["verlet", 0.1]["potential_bias"] != 0
# Langevin dynamics: the autocorrelation of q has the integral friction / omega^2 = 1.
for method in ("verlet", "implicit-midpoint"):
    row = by[method, 0.1]
    assert abs(row["q1_tau"] - 1) < 4.5 * row["q1_tau_error"] and row["q1_tau_error"] < 0.5, row
    assert abs(row["q1_samples_per_s"] * 2 * row["q1_tau"] * row["step_least_us"] * 1e-6 / row["step"] - 1) < 1e-9, row
# BAOAB has no error of the step in positions.
for row in json.load(open("baoab.json")):
    assert abs(row["potential_mean"] - 0.5) < 4.5 * row["potential_mean_error"], row
    assert row["reference"] == "verlet at step 0.1", row
PYTHON
  "$PYTHON" - <<'PYTHON' || fail 'limits for a step of 0'
import json
good, = (row for row in json.load(open("limits.json")) if row.get("extrapolated") == "potential")
kinetic, = (row for row in json.load(open("limits.json")) if row.get("extrapolated") == "kinetic")
coarse, = (row for row in json.load(open("coarse.json")) if row.get("extrapolated"))
# GLA with Verlet: <V> = k T / (2 (1 - h^2/4)) = k T / 2 + k T h^2 / 8 + ..., <K> = k T / 2
assert good["runs"] == 3 and good["freedom"] == 1 and good["power"] == 2 and good["fits"], good
assert abs(good["limit"] - 0.5) < 4.5 * good["limit_error"] and good["limit_error"] < 0.01, good
assert abs(good["slope"] - 0.13) < 4.5 * good["slope_error"] and good["slope_error"] < 0.04, good
assert abs(kinetic["limit"] - 0.5) < 4.5 * kinetic["limit_error"] and abs(kinetic["slope"]) < 4.5 * kinetic["slope_error"], kinetic
assert not coarse["fits"] and coarse["probability"] < 1e-10 and coarse["chi_squared"] > 50, coarse
PYTHON
  "$PYTHON" - <<'PYTHON' || fail 'biases between rods and springs'
import csv, json
rods, *springs = sorted(csv.DictReader(line for line in open("both.csv") if not line.startswith("#")), key=lambda row: row["method"])
assert rods["method"] == "rattle/constrained" and len(springs) == 2
for row in springs:
    assert row["potential_bias"] == row["kinetic_bias"] == "" and row["potential_mean"] and row["q6_bias"], row
(springs, rods), (springs_too, corrected) = json.load(open("own.json")), csv.DictReader(line for line in open("limit.csv") if line[0] != "#")
assert float(springs_too["q6_mean"]) == springs["q6_mean"] and float(corrected["q6_mean"]) != rods["q6_mean"]
PYTHON
  "$PYTHON" -B "$RILL_SOURCE/analysis/compare.py" gla.csv -o gla.png || fail 'compare.py'
fi
refuses 'a ramp, 1 -> 9, and a comparison takes its statistics at one temperature' compare oscillator.ini --methods verlet \
  --set 'thermostat.temperature=1 -> 9'
refuses 'a ramp, 200 K -> 1 K' compare "$inputs/anneal7.ini" --methods rattle
refuses 'expected potential, kinetic, or a coordinate, q1 to q1' compare oscillator.ini --methods verlet --observables q2
refuses 'potential is given twice' compare oscillator.ini --methods verlet --observables potential,potential
refuses 'no row has constraints' compare "$inputs/pendulum-chain.ini" "${both[@]}" --methods zss-simplified/w=20 \
  --set thermostat.measure=stiff-limit
refuses 'METHOD@STEP is expected, such as verlet@0.05' compare oscillator.ini --methods verlet --reference verlet
refuses 'several steps are expected' compare oscillator.ini --methods verlet --steps 0.1 --extrapolate
refuses 'means are extrapolated under a thermostat' compare oscillator.ini --set thermostat.method=none --extrapolate
refuses 'leaves no samples' compare oscillator.ini --methods verlet --steps 0.1 --set output.means_from=40000
finish
