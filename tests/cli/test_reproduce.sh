#!/usr/bin/env bash
# rill reproduce: names, table, CSV, curves; rill compare: its table as text, CSV and JSON, and its refusals.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

# ---- names ----
succeeds reproduce
names=$(cat .stdout)
for name in wendlandt-marsden-table-1 wendlandt-marsden-table-2 wendlandt-marsden-figure-{2..12} \
  tao-owhadi-stability tao-owhadi-figure-{1,2a,2b,3,8,9,10} \
  leok-shingel-figure-{1,2,3,4} leimkuhler-patrick-{ellipsoid,lie-poisson} marsden-wendlandt-reduction; do
  grep -q -x -e "$name" <<<"$names" || fail "reproduce does not offer $name"
done
refuses 'did you mean tao-owhadi-figure-2a' reproduce tao-owhadi-figure-2c
refuses '--csv, --data and --long need a name' reproduce --csv a.csv

# ---- one result: table, CSV, curves ----
succeeds reproduce tao-owhadi-figure-10 --csv one.csv --data data
says stdout 'R^T R - 1'
says stdout ' 0 differ'
[ "$(head -1 one.csv)" = name,quantity,setting,expected,source,ours,difference,tolerance,verdict ] || fail 'header of the CSV'
refuses 'one.csv exists' reproduce tao-owhadi-figure-10 --csv one.csv
refuses 'tao-owhadi-figure-10.csv exists' reproduce all --data data
mkdir second && touch second/leok-shingel-figure-2-2.csv # before anything is computed
refuses 'leok-shingel-figure-2-2.csv exists' reproduce leok-shingel-figure-2 --data second
[ ! -e second/leok-shingel-figure-2.csv ] || fail 'a file was written before all places were looked at'
succeeds reproduce tao-owhadi-figure-10 --csv one.csv --data data --force
if [ -n "${PYTHON-}" ]; then
  "$PYTHON" - <<'PYTHON' || fail 'the CSV of reproduce'
import csv
rows = list(csv.DictReader(open("one.csv")))
assert len(rows) > 10 and {row["name"] for row in rows} == {"tao-owhadi-figure-10"}
for row in rows:
    assert row["verdict"] in ("agrees", "known-deviation", ""), row
    if row["verdict"] != "":
        assert row["source"] in ("paper", "exact", "independent"), row
        assert abs(float(row["difference"]) - (float(row["ours"]) - float(row["expected"]))) == 0
        assert abs(float(row["difference"])) <= float(row["tolerance"]), row
    else:
        assert row["expected"] == row["source"] == row["difference"] == row["tolerance"] == "", row
curves = list(csv.reader(line for line in open("data/tao-owhadi-figure-10.csv") if not line.startswith("#")))
assert curves[0][:2] == ["curve", "t"] and all(len(row) == len(curves[0]) for row in curves) and len(curves) > 1000
PYTHON
fi
# table 1 to the printed digits
succeeds reproduce wendlandt-marsden-table-1
says stdout ' 0 differ'
[ "$(grep -c ' paper .*  agrees$' .stdout)" -ge 15 ] || fail 'table 1: too few numbers agree'

# a known deviation keeps its reason, and data have neither source nor verdict
succeeds reproduce leimkuhler-patrick-lie-poisson
says stdout '  known-deviation'
says stdout 'Order 2 and |mu|^2 are conserved with any factor'
grep -q 'mean iterations of the fixed point .* - .* -$' .stdout || fail 'data with a verdict'

# ---- compare ----
cat >dp.ini <<'DECK'
[system]
kind = double-pendulum
[integrator]
method = rattle
step = 0.1
time = 5
DECK
succeeds compare dp.ini --methods rattle,dvp,yoshida4,energy-momentum --steps 0.1,0.05,0.025 --csv table.csv
says stdout 'reference'
refuses 'table.csv exists' compare dp.ini --csv table.csv
# An option after the slash; the deck's beta and stiffness are passed on where they have an effect, passed over where not.
succeeds compare dp.ini --set system.formulation=penalised --methods zs,newmark-onestep/B,newmark-onestep/D,zss,zss-simplified/full
succeeds compare dp.ini --methods rattle/yoshida6 --steps 0.1
succeeds compare dp.ini --set system.formulation=penalised --set penalty.stiffness=2 --steps 0.1 \
  --methods galerkin/3/lobatto4,shooting/rk4/simpson,shooting/implicit-midpoint/trapezoid/yoshida4
says stdout 'shooting/implicit-midpoint/trapezoid/yoshida4 '
refuses 'singular' compare dp.ini --set system.formulation=penalised --methods galerkin/3/gauss2
refuses 'is not an option of a method' compare dp.ini --methods galerkin/hermite3
run_rill compare dp.ini --methods rattle,dvp --steps 0.1 --json
[ $status -eq 0 ] || fail "compare --json: exit status $status"
if [ -n "${PYTHON-}" ]; then
  "$PYTHON" - <<'PYTHON' || fail 'what compare says'
import csv, json, math
json_rows = json.load(open(".stdout"))
assert [row["method"] for row in json_rows] == ["rattle", "dvp"] and all(row["status"] == "ok" for row in json_rows)
assert {"method", "step", "steps", "position_error", "energy_error", "momentum_error", "constraint_residual", "iterations", "step_us",
        "step_least_us", "step_most_us", "position_x_error", "reference", "total_ms", "status", "failure"} == set(json_rows[0]), json_rows[0]
rows = list(csv.DictReader(line for line in open("table.csv") if not line.startswith("#")))
errors = {}
for row in rows:
    errors.setdefault(row["method"], []).append(float(row["position_error"]))
order = {method: math.log2(e[1] / e[2]) for method, e in errors.items()}
assert abs(order["rattle"] - 2) < 0.05 and abs(order["dvp"] - 2) < 0.05 and abs(order["yoshida4"] - 4) < 0.2, order
assert abs(order["energy-momentum"] - 2) < 0.05, order
# Theorem: with a potential that is linear, DVP and RATTLE have the same positions; the energy-momentum method keeps the energy.
assert all(abs(a - b) < 1e-9 for a, b in zip(errors["rattle"], errors["dvp"])), errors
assert all(float(row["energy_error"]) < 1e-12 for row in rows if row["method"] == "energy-momentum"), rows
assert all(float(row["constraint_residual"]) < 1e-12 for row in rows)
PYTHON
fi
# The deck's composition: methods that cannot be composed are left out of the default list.
succeeds compare "$inputs/double-pendulum-angles.ini" --steps 0.1
# A failure is reported in its own line, the others stand; a row each in the CSV.
succeeds compare dp.ini --set system.formulation=penalised --methods verlet,zs --steps 0.1 --csv failed.csv
says stdout 'failed: step'
grep -q '^verlet,.*,failed$' failed.csv || fail 'a failed method has no row'
grep -q '^zs,.*,ok$' failed.csv || fail 'the other method has no row'
refuses '--stability has no effect on a small system' compare dp.ini --stability 5ps
refuses 'rattle is given twice' compare dp.ini --methods rattle,dvp,rattle
refuses 'method zs does not bind' compare "$inputs/rigid-body.ini" --methods zs
refuses 'is not an option of a method' compare dp.ini --methods rattle/F
refuses 'not a whole number of steps' compare dp.ini --methods rattle --steps 0.3
refuses 'is not known' compare dp.ini --methods ratle

# ---- drawings ----
if [ -n "${PYTHON-}" ]; then
  cp one.csv data/results.csv
  "$PYTHON" -B "$RILL_SOURCE/analysis/papers.py" data tao-owhadi-figure-10 -o png >/dev/null || fail 'papers.py'
  "$PYTHON" -B "$RILL_SOURCE/analysis/compare.py" table.csv -o png/compare.png || fail 'compare.py'
  for picture in png/tao-owhadi-figure-10.png png/compare.png; do
    [ "$(head -c 4 $picture | tail -c 3)" = PNG ] || fail "$picture is no picture"
  done
  rm -f png/*
  for name in wendlandt-marsden-figure-3 leok-shingel-figure-{1,4} leimkuhler-patrick-{ellipsoid,lie-poisson}; do
    succeeds reproduce $name --data data
    "$PYTHON" -B "$RILL_SOURCE/analysis/papers.py" data $name -o png >/dev/null || fail "papers.py, $name"
  done
  "$PYTHON" -B "$RILL_SOURCE/analysis/papers.py" data wendlandt-marsden-figure-2 -o png >/dev/null 2>.stderr
  [ $? -eq 2 ] || fail 'papers.py without the numbers it needs: not exit status 2'
  [ "$(wc -l <.stderr)" -eq 1 ] || fail 'papers.py: not one clear line'
  "$PYTHON" -B "$RILL_SOURCE/analysis/compare.py" one.csv -o png/no.png 2>.stderr
  [ $? -eq 2 ] || fail 'compare.py with another table: not exit status 2'
fi
finish
