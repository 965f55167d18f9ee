#!/usr/bin/env bash
# The fluctuation of the energy at constant energy falls with the step as each method's order says: for every method that
# binds to rigid water (2, 1, 0.5 fs) and to penalised water (0.5, 0.25, 0.125 fs), found in the list of combinations.
# Limits: the ratio of the last halving within 25 % of 2^order, of one before it, where higher powers of the step are not yet
# small, within 60 %; where rounding covers the fluctuation nothing can be said.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
[ -n "${PYTHON:-}" ] || exit 77

cat >orders.py <<'PY'
import csv, json, subprocess, sys
rill, deck = sys.argv[1:]
def run(*a):
    p = subprocess.run([rill, *a], capture_output=True, text=True)
    if p.returncode: sys.exit(f"rill {' '.join(a)}: {p.stderr}")
    return p.stdout
orders = {m["name"]: m["order"] for m in json.loads(run("list", "integrators", "--json"))}
binding = {"rigid": [], "penalised": []}
for line in run("list", "combinations", "all").splitlines():
    w = line.split()
    if len(w) > 3 and w[0] in ("water", "water/penalised") and w[2] == "none" and w[3] == "binds":
        binding["penalised" if "penalised" in w[0] else "rigid"].append(w[1])
failures = checked = 0
def judge(labels, steps, file, *more):
    global failures, checked
    run("compare", deck, "--methods", ",".join(labels), "--steps", ",".join(steps), "--csv", file, "--quiet",
        "--repeats", "1", *more)
    rows = list(csv.DictReader(l for l in open(file) if not l.startswith("#")))
    for label in labels:
        size = [float(r["energy_deviation_kJ_mol"]) for r in rows if r["method"] == label]
        order = orders[label.split("/")[0]]
        ratios = [(a, b) for a, b in zip(size, size[1:]) if b > 1e-8]    # below is round-off
        for k, (coarse, fine) in enumerate(ratios):
            checked += 1
            ratio = coarse / fine
            good = abs(ratio / 2**order - 1) <= (0.25 if k == len(ratios) - 1 else 0.6)
            print(f"{label:32s} order {order}: {coarse:.3g} -> {fine:.3g}, ratio {ratio:.3g}", "" if good else "FAIL")
            failures += not good
# Newmark's one-step form keeps an acceleration from a linear model; of its starts, D is the one without a fast transient.
special = {"newmark-onestep": "newmark-onestep/D"}
judge(binding["rigid"], ["2fs", "1fs", "0.5fs"], "rigid.csv", "--set", "integrator.time=2ps")
judge([special.get(m, m) + "/20akma" for m in binding["penalised"]], ["0.5fs", "0.25fs", "0.125fs"], "penalised.csv",
      "--set", "integrator.time=1ps")
print(f"{checked} ratios, {failures} failures")
if checked < 36: sys.exit("too few ratios were checked")
# a mutant: order 4 claimed of an order-2 method must fail
orders["verlet"] = 4
before = failures
judge(["verlet"], ["2fs", "1fs"], "mutant.csv", "--set", "integrator.time=2ps")
if failures == before: sys.exit("a wrong order was not seen")
sys.exit(1 if before else 0)
PY
"$PYTHON" orders.py "$RILL" "$inputs/water7-nve.ini" || fail 'orders'
finish
