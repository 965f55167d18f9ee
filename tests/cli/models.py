"""Energies and forces of the water models against LAMMPS's (tests/data/models); standard library only."""
import csv
import json
import os
import subprocess
import sys
import tempfile

RILL = os.environ["RILL"]
DATA = os.path.join(os.environ["RILL_SOURCE"], "tests", "data")
CALORIE = 4.184
CONSTANT = "332.06371kcal*A/mol/e2"
failures = 0


def check(condition, text):
    global failures
    if not condition:
        failures += 1
        print("FAIL:", text)


def rows(name):
    with open(os.path.join(DATA, "models", name)) as stream:
        return list(csv.DictReader(line for line in stream if not line.startswith("#")))


def energy(model, structure, forces, *options):
    path = os.path.join(DATA, "structures", structure)
    done = subprocess.run([RILL, "energy", path, "--rigid", "--json", "--model", model, "--coulomb-constant", CONSTANT, "--force",
                           "--forces", forces, *options], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    check(done.returncode == 0, f"{model}, {structure}: {done.stderr}")
    if done.returncode != 0:
        sys.exit(1)
    with open(forces) as stream:
        found = {row["atom"]: row for row in csv.DictReader(line for line in stream if not line.startswith("#"))}
    return json.loads(done.stdout), found


def compare(row, forces, folder, *options):
    """Energies to 1e-6, forces to 1e-6 of their root mean square."""
    model, structure = row["model"], row["structure"]
    what = f"{model}, {structure} {' '.join(options)}"
    found, table = energy(model, structure, os.path.join(folder, "forces.csv"), *options)
    for name in ("lj", "coulomb"):
        expected = float(row[name]) * CALORIE
        check(abs(found[name + "_kJ_mol"] - expected) <= 1e-6 * abs(expected),
              f"{what}: {name} {found[name + '_kJ_mol']!r}, expected {expected!r}")
    difference = size = count = 0
    for line in forces:
        if (line["model"], line["structure"]) != (model, structure):
            continue
        for c in ("fx", "fy", "fz"):
            expected = float(line[c]) * 10 * CALORIE
            difference = max(difference, abs(float(table[line["atom"]][c]) - expected))
            size += expected ** 2
            count += 1
    check(count >= 18, f"{what}: {count} forces")
    check(difference <= 1e-6 * (size / count) ** 0.5,
          f"{what}: a force differs by {difference:.3g} of {(size / count) ** 0.5:.4g} kJ/mol/nm")


energies, forces = rows("energies.csv"), rows("forces.csv")
check(len(energies) == 20, f"{len(energies)} energies")
with tempfile.TemporaryDirectory() as scratch:
    for one in energies:
        if one["structure"].startswith("p"):
            compare(one, forces, scratch, "--boundary", "periodic", "--coulomb", "ewald")
            compare(one, forces, scratch, "--boundary", "periodic", "--accuracy", "1e-7")
        else:
            compare(one, forces, scratch)
sys.exit(failures > 0)
