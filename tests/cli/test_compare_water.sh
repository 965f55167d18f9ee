#!/usr/bin/env bash
# rill compare on water: what it prints and writes, laws that its numbers keep, what it refuses.  Case B01.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
set_time() { printf '%s\n' --set "integrator.time=$1"; }

# ---- table, CSV: rigid and penalised methods from one deck ----
succeeds compare base.ini $(set_time 20ps) --quiet --repeats 2 --csv table.csv \
  --methods rattle/settle,rattle/mshake,shake/shake,zss-simplified/20akma,zss-simplified/500akma,dvp
says stdout 'time and work per step'
says stdout 'conservation'
says stdout 'sampling'
[ ! -s .stderr ] || fail "compare --quiet says: $(head -c 300 .stderr)"
refuses 'table.csv exists' compare base.ini --methods rattle --csv table.csv
# constant energy, two steps, JSON
succeeds compare base.ini $(set_time 4ps) --set thermostat.method=none --set start.temperature=10K --set start.minimize=yes \
  --set penalty.stiffness=20akma --steps 2fs,1fs --repeats 1 --json --stability 1ps \
  --methods rattle,dvp,dvp/newton-krylov,zss-simplified,newmark-pushforward,verlet/penalised
says stderr 'verlet/penalised, step 2 fs: failed'
cp .stdout nve.json

if [ -n "${PYTHON-}" ]; then
  "$PYTHON" - <<'PYTHON' || fail 'what compare says'
import csv, json, math

def number(text):
    return float(text) if text else math.nan

rows = [{k: v if k in ("method", "status") else number(v) for k, v in row.items()}
        for row in csv.DictReader(line for line in open("table.csv") if not line.startswith("#"))]
by = {row["method"]: row for row in rows}
assert [row["method"] for row in rows] == ["rattle/settle", "rattle/mshake", "position-shake/shake", "zss-simplified/20akma",
                                            "zss-simplified/500akma", "dvp"], rows
assert all(row["status"] == "ok" and row["steps"] == 10000 and row["step_fs"] == 2 for row in rows)
settle, soft, stiff = by["rattle/settle"], by["zss-simplified/20akma"], by["zss-simplified/500akma"]
for row in rows:  # the parts make the whole, but for the machine's mood; the median is between the ends
    parts = sum(row[name] for name in ("forces_us", "solve_us", "thermostat_us", "rest_us") if not math.isnan(row[name]))
    assert 0.2 * row["step_us"] < parts < 5 * row["step_us"], row
    assert row["step_least_us"] <= row["step_us"] <= row["step_most_us"], row
    assert abs(row["speed_ns_day"] / (86400 * row["step_fs"] / row["step_us"]) - 1) < 1e-6, row
    assert math.isnan(row["momentum_change_u_nm_ps"]), row  # noise changes it
# Same start and noise: the solvers of one map sample the same motion (20 ps at 10 K; round-off grows little).
for name in ("rattle/mshake", "position-shake/shake"):
    assert abs(by[name]["temperature_K"] - settle["temperature_K"]) < 1e-3, by[name]
    assert by[name]["oo_distance_L1"] < 1e-3
assert settle["oo_distance_L1"] == 0 and settle["oo_seed_noise_L1"] > 0
assert settle["iterations_mean"] <= 1 < by["rattle/mshake"]["iterations_mean"] < 5 < by["position-shake/shake"]["iterations_mean"]
assert math.isnan(soft["iterations_mean"]) and abs(soft["force_evaluations"] - 1) < 0.01 and 3 <= by["dvp"]["force_evaluations"] <= 8
# Rigid to the solver's tolerance; at q to O(w^-2), at x off by beta h^2 a whatever w is.
assert settle["bond_deviation_q_max"] < 1e-14 and by["position-shake/shake"]["bond_deviation_q_max"] < 2e-10
assert 0.012 < soft["bond_deviation_q_rms"] < 0.018
assert stiff["bond_deviation_q_rms"] < 2e-4 and 0.003 < stiff["bond_deviation_x_rms"] < 0.012
assert soft["stiffness_akma"] == 20 and settle["stiffness_akma"] == 0
# Soft bonds move the peaks: the reference's L1 is 0.32 (bins of 0.05 A).
assert soft["oo_distance_L1"] > 0.15 and soft["oo_distance_L1"] > 3 * stiff["oo_distance_L1"]
assert soft["oo_mean_nm"] < settle["oo_mean_nm"] - 0.0015
# B01: on-step and half-step temperatures; the latter is far off on stiff bonds.  20 ps of weak friction know no error.
assert math.isnan(settle["temperature_error_K"]) and stiff["temperature_half_K"] > 1.2 * stiff["temperature_K"]

rows = json.load(open("nve.json"))
by = {(row["method"], row["step_fs"]): row for row in rows}
assert len(rows) == 12 and by["verlet/penalised", 2]["status"] == "failed" and by["verlet/penalised", 1]["status"] == "ok"
for method in ("rattle", "dvp", "zss-simplified", "newmark-pushforward"):
    long, short = by[method, 2], by[method, 1]
    assert long["temperature_half_K"] is None or long["temperature_half_K"] > 0
    # second order: fluctuations of the energy go with the square of the step
    ratio = long["energy_deviation_kJ_mol"] / short["energy_deviation_kJ_mol"]
    assert 2.5 < ratio < 6.5, (method, ratio)
    assert long["momentum_change_u_nm_ps"] < 1e-8 and long["angular_momentum_change_u_nm2_ps"] < 1e-8, (method, long)
    assert long["thermostat_us"] is None
    assert long["stable_step_fs"] >= 4, (method, long)
assert 0.7 <= by["verlet/penalised", 1]["stable_step_fs"] <= 1.2  # 2 over the bonds' frequency: 1.08 fs
# One map, two nonlinear solvers: the same motion to the tolerance of the solve.
a, b = by["dvp", 2], by["dvp/newton-krylov", 2]
assert abs(a["energy_deviation_kJ_mol"] - b["energy_deviation_kJ_mol"]) < 1e-6 and a["residual_nm"] < 1e-12 > b["residual_nm"]
assert b["iterations_mean"] < a["iterations_mean"] and b["force_evaluations"] <= 8
PYTHON
  "$PYTHON" -B "$RILL_SOURCE/analysis/compare.py" table.csv -o compare.png || fail 'compare.py'
  [ "$(head -c 4 compare.png | tail -c 3)" = PNG ] || fail 'no picture'
fi

# ---- independent samples: under a thermostat, of named observables; biases against a run of its own ----
succeeds compare base.ini $(set_time 40ps) --set thermostat.friction=5/ps --quiet --repeats 3 --csv samples.csv --steps 2fs,4fs \
  --methods zss-simplified/penalised/w=20akma,rattle/lgvi/constrained --observables lj-coulomb,oo,potential --reference rattle/lgvi@2fs
says stdout 'independent samples of the energy of molecules'
says stdout 'bias: difference from rattle/lgvi at 2 fs, another run'
says stdout 'reference rattle/lgvi/constrained'
says stdout 'No bias is given of energies between constrained and penalised rows'
succeeds compare base.ini $(set_time 40ps) --set thermostat.friction=5/ps --quiet --repeats 1 --methods zss-simplified/20akma
says stdout 'reference zss-simplified/20akma, penalised'
says stdout 'The reference is penalised'
if [ -n "${PYTHON-}" ]; then
  "$PYTHON" - <<'PYTHON' || fail 'what compare says of independent samples'
import csv, math

def number(text):
    return float(text) if text else math.nan

rows = [{k: v if k in ("method", "status") else number(v) for k, v in row.items()}
        for row in csv.DictReader(line for line in open("samples.csv") if not line.startswith("#"))]
assert [(row["method"], row["step_fs"]) for row in rows] == [
    (method, step) for method in ("zss-simplified/penalised/w=20akma", "rattle/lgvi/constrained") for step in (2, 4)]
soft, _, rigid, rigid4 = rows
for row in rows:
    for name, unit in (("lj_coulomb", "kJ_mol"), ("oo", "nm")):
        value = {key: row[f"{name}_{key}"] for key in (
            f"mean_{unit}", f"mean_error_{unit}", f"bias_{unit}", f"bias_error_{unit}", "tau_ps", "tau_error_ps", "samples_per_s",
            "samples_per_s_error", "cost_s", "cost_error_s")}
        assert not any(map(math.isnan, value.values())), (row["method"], value)
        assert abs(value["samples_per_s"] * value["cost_s"] - 1) < 1e-8
        # Samples per second: a step over twice tau and the least time of a step.
        assert abs(value["cost_s"] / (2 * value["tau_ps"] / (1e-3 * row["step_fs"]) * 1e-6 * row["step_least_us"]) - 1) < 1e-8
        least = value["tau_error_ps"] / value["tau_ps"]
        most = math.hypot(least, row["step_us"] / row["step_least_us"] - 1)
        assert 0.999999 * least <= value["cost_error_s"] / value["cost_s"] <= 1.000001 * most, value
        assert abs(value["samples_per_s_error"] * value["cost_s"] / value["cost_error_s"] * value["cost_s"] - 1) < 1e-6
        # The error of the mean is that of the independent samples: 36 ps / (2 tau) of them.
        assert 0 < value["tau_ps"] < 1 and value[f"bias_error_{unit}"] > value[f"mean_error_{unit}"] > 0
# The reference has noise of its own.  The means of rigid methods agree within their errors, those of soft bonds do not: 26 kJ/mol at w = 20 (reference).
assert abs(rigid["lj_coulomb_bias_kJ_mol"]) < 4.5 * rigid["lj_coulomb_bias_error_kJ_mol"] and rigid["lj_coulomb_bias_kJ_mol"] != 0
assert -27.5 < soft["lj_coulomb_bias_kJ_mol"] < -25, soft
assert math.isnan(soft["potential_bias_kJ_mol"]) and not math.isnan(rigid["potential_bias_kJ_mol"]), (soft, rigid)
assert soft["oo_bias_nm"] < -0.0015 and abs(rigid["oo_bias_nm"]) < 2e-4, (soft, rigid)
# Distributions are compared with that of the first rigid method.
assert rigid["oo_distance_L1"] == 0 and soft["oo_distance_L1"] > 0.1
PYTHON
fi

# ---- the limits of [stop] end a row, as they end a run; a reference that fails is named ----
limited=($(set_time 1ps) --quiet --set start.temperature=10K --set thermostat.friction=50/ps --set thermostat.temperature=300K --set stop.max_temperature=90K)
run_rill compare base.ini "${limited[@]}" --repeats 1 --methods rattle
[ $status -eq 1 ] || fail "the comparison beyond its limits: exit status $status, expected 1"
says stdout ' K, above 90 K ([stop] max_temperature)'
succeeds compare base.ini $(set_time 4ps) --quiet --repeats 1 --methods rattle --steps 2fs --observables lj-coulomb --reference rattle@40fs
says stdout 'bias: difference from rattle at 40 fs, another run, which failed'

# ---- overrides go to the methods that read them; a deck's own sections, too ----
cat base.ini - >own.ini <<'DECK'
[constraints]
solver = mshake
tolerance = 1e-6
DECK
succeeds compare own.ini $(set_time 0.2ps) --quiet --repeats 1 --csv own.csv --set integrator.beta=0.3 \
  --methods rattle,zss-simplified/20akma,rattle/shake
[ "$(lines_of own.csv)" -eq 0 ] || [ "$(grep -c ',ok$' own.csv)" -eq 3 ] || fail 'not three rows that are ok'
# one molecule: no pairs, no distribution
cat >one.ini <<'DECK'
[system]
molecules = 1
[integrator]
method = rattle
step = 1 fs
steps = 200
DECK
succeeds compare one.ini --quiet --repeats 1 --methods rattle,shake,zss-simplified/80akma
# a former name of a method is accepted, noted, and shown as the present one
succeeds compare one.ini --repeats 1 --methods rattle,shake/shake
says stderr 'note: --methods shake/shake: the method shake is called position-shake now'
says stdout 'position-shake/shake'
refuses 'position-shake is given twice' compare one.ini --quiet --methods shake,position-shake
succeeds run one.ini -o former --set integrator.method=shake
says stderr 'note: integrator.method = shake is called position-shake now'
says stdout 'position-shake'
succeeds check one.ini --set integrator.method=position-shake --set constraints.solver=shake
grep -q former .stderr && fail 'a note of a present name'

# ---- refusals: before anything runs ----
refuses 'rattle and verlet are the same method' compare base.ini --methods rattle,verlet
refuses 'rattle and rattle/settle are the same method' compare base.ini --methods rattle,rattle/settle
refuses 'zs/20akma is given twice' compare base.ini --quiet --methods zs/20akma,rattle,zs/20akma
refuses 'did you mean rattle?' compare base.ini --methods ratle
refuses 'the deck has no stiffness' compare base.ini --methods rattle,zss-simplified
refuses 'does not offer the mechanical capability' compare base.ini --methods rattle,energy-momentum
refuses 'inside splittings only; use gla' compare base.ini --methods rattle,dvp --set thermostat.method=baoab
refuses 'has no constraints to solve' compare base.ini --methods zss-simplified/20akma/settle
refuses 'constrained and penalised exclude each other' compare base.ini --methods zs/constrained/20akma
refuses 'has no form for constraints; expected, for example, zs/20akma' compare base.ini --methods zs/constrained
refuses 'not an observable of this system; expected lj-coulomb, potential, temperature, temperature-half or oo' compare base.ini --observables foo
refuses 'potential is given twice' compare base.ini --observables potential,potential
refuses 'under a thermostat' compare base.ini --set thermostat.method=none --observables potential
refuses 'under a thermostat' compare base.ini --set thermostat.method=none --reference rattle@1fs
refuses 'such as --steps 2fs,4fs,6fs' compare base.ini --methods rattle --extrapolate
succeeds compare base.ini --quiet --methods rattle/settle,rattle/lgvi --steps 1fs,2fs,4fs --set integrator.time=20ps --repeats 1 \
  --observables lj-coulomb,temperature-half --extrapolate --json
[ "$(grep -c '"extrapolated": ' .stdout)" -eq 4 ] || fail "limits: $(cat .stdout)"
refuses 'METHOD@STEP is expected' compare base.ini --methods rattle --reference rattle
refuses '--reference' compare base.ini --methods rattle --reference ratle@1fs
refuses "'foo' is not an option of a method" compare base.ini --methods rattle/foo
says stderr 'expected settle, mshake, shake, lgvi or rotor (solver), gauss-newton or full (hessian), '
refuses 'too many options' compare base.ini --methods rattle/A/B/C/D/E/A/B/C/D/E/A/B
refuses "'penalisedX' is not an option of a method" compare base.ini --methods rattle/penalisedX
refuses 'the unit is missing' compare base.ini --methods zs/20
refuses 'none of the methods reads it' compare base.ini --methods rattle --set integrator.beta=0.3
refuses 'not a whole number of steps' compare base.ini --methods rattle --steps 3fs
refuses 'a time above 0 ps is expected' compare base.ini --methods rattle --stability 0fs
refuses '--repeats' compare base.ini --methods rattle --repeats 0
finish
