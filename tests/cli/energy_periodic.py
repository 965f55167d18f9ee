"""What rill energy says of water in periodic boxes; standard library only."""
import csv
import json
import os
import subprocess
import sys
import tempfile

RILL = os.environ["RILL"]
DATA = os.path.join(os.environ["RILL_SOURCE"], "tests", "data")
CALORIE = 4.184
CONSTANT = ["--coulomb-constant", "332.06371kcal*A/mol/e2"]
failures = 0


def check(condition, text):
    global failures
    if not condition:
        failures += 1
        print("FAIL:", text)


def close(found, expected, relative, text):
    check(abs(found - expected) <= relative * abs(expected), f"{text}: {found!r}, expected {expected!r} to {relative}")


def rill(*arguments):
    return subprocess.run([RILL, "energy", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def energy(path, *options):
    done = rill(path, "--boundary", "periodic", "--json", *CONSTANT, *options)
    check(done.returncode == 0, f"{path} {options}: {done.returncode}: {done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else sys.exit(1)


def refused(fragment, *arguments):
    done = rill(*arguments)
    check(done.returncode == 2 and not done.stdout and fragment in done.stderr,
          f"{arguments}: {done.returncode}, {done.stdout[:100]!r}, {done.stderr!r}, expected {fragment!r}")


def rows(path):
    with open(path) as stream:
        return list(csv.DictReader(line for line in stream if not line.startswith("#")))


def force_error(name, path):
    """Root mean square difference from the reference forces, relative to them."""
    unit, difference, size = CALORIE * 10, 0, 0
    expected, found = rows(os.path.join(DATA, "energies", name + "_forces.csv")), rows(path)
    check([r["atom"] for r in found] == [r["atom"] for r in expected], f"{name}: atoms of the forces")
    for f, e in zip(found, expected):
        for c in "xyz":
            reference = (float(e["flj_" + c]) + float(e["fcoul_" + c])) * unit
            difference += (float(f["f" + c]) - reference) ** 2
            size += reference ** 2
    return (difference / size) ** 0.5


def box(row, folder):
    name = row["name"]
    value = {key: float(text) for key, text in row.items() if key != "name"}
    value["volume"] = value["ax"] * value["by"] * value["cz"]
    value["virial"] = sum(value["molecular_" + cc] for cc in ("xx", "yy", "zz"))
    path = os.path.join(DATA, "structures", name + ".xyz")
    forces = os.path.join(folder, name + ".csv")
    # The reference is converged to 1e-10 of the energies, and its virial to 2e-8 kcal/mol.
    found = energy(path, "--coulomb", "ewald", "--forces", forces)
    check(found["molecules"] == value["molecules"] and found["boundary"] == "periodic", f"{name}: {found}")
    close(found["volume_nm3"], value["volume"] * 1e-3, 1e-12, name + ", volume")
    close(found["lj_kJ_mol"], value["lj"] * CALORIE, 1e-10, name + ", Lennard-Jones")
    close(found["lj_tail_kJ_mol"], value["lj_tail"] * CALORIE, 1e-10, name + ", tail")
    close(found["coulomb_kJ_mol"], value["coulomb"] * CALORIE, 1e-10, name + ", Coulomb")
    close(found["potential_kJ_mol"], (value["lj"] + value["coulomb"]) * CALORIE, 1e-10, name + ", potential")
    close(found["virial_kJ_mol"], value["virial"] * CALORIE, 1e-9, name + ", virial")
    close(found["pressure_bar"], value["pressure"], 1e-9, name + ", pressure")
    close(found["pressure_tail_bar"], value["tail_pressure"], 1e-9, name + ", pressure of the tail")
    check(found["virial_kind"] == "molecular", name + ", kind of virial")
    for i, row_found in enumerate(found["virial_tensor_kJ_mol"]):
        for j, component in enumerate(row_found):
            # 1e-8 of the size of its two parts
            check(abs(component / CALORIE - value["molecular_" + "xyz"[i] + "xyz"[j]]) < 1e-4, f"{name}, virial {i}{j}: {component}")
    check(force_error(name, forces) < 1e-9, f"{name}: forces off by {force_error(name, forces)}")
    # The mesh comes to the direct sum as its accuracy is raised; the forces have the requested accuracy.
    errors = []
    for accuracy in (1e-3, 1e-5, 1e-7):
        mesh = energy(path, "--accuracy", str(accuracy), "--forces", forces, "--force")
        errors.append(force_error(name, forces))
        # measured on at most 256 molecules, which have the error of all to a few hundredths
        check(errors[-1] < (1 if value["molecules"] <= 256 else 1.05) * accuracy,
              f"{name}: forces off by {errors[-1]}, {accuracy} requested")
        close(mesh["pme"]["measured_force_error"], errors[-1], 0.1, f"{name}: measured error at {accuracy}")
        close(mesh["coulomb_kJ_mol"], value["coulomb"] * CALORIE, accuracy, f"{name}, Coulomb by mesh to {accuracy}")
        close(mesh["lj_kJ_mol"], value["lj"] * CALORIE, 1e-10, name + ", Lennard-Jones beside the mesh")
        check(abs(mesh["pressure_bar"] - value["pressure"]) < 2e5 * accuracy, f"{name}, pressure by mesh: {mesh}")
        parts = sum(mesh[f"coulomb_{part}_kJ_mol"] for part in ("real", "excluded", "reciprocal", "self"))
        close(parts, mesh["coulomb_kJ_mol"], 1e-10, name + ", parts of Coulomb")
    check(errors[0] > 10 * errors[1] > 100 * errors[2], f"{name}: errors {errors} do not follow the accuracy")
    # A shift takes its constant off each pair and leaves the forces; the tail gives the constant back.
    shifted = energy(path, "--coulomb", "ewald", "--lj", "shift")
    close(shifted["lj_kJ_mol"], value["lj_shifted"] * CALORIE, 1e-10, name + ", shifted")
    close(shifted["max_force_kJ_mol_nm"], found["max_force_kJ_mol_nm"], 1e-15, name + ", forces of a shift")
    close(shifted["virial_kJ_mol"], found["virial_kJ_mol"], 1e-12, name + ", virial of a shift")


def options():
    path = os.path.join(DATA, "structures", "p216.xyz")
    # What is switched off from the cutoff's very end on is shifted.
    late = energy(path, "--coulomb", "cut", "--lj", "switch", "--switch-from", "0.8999999nm")
    shifted = energy(path, "--coulomb", "cut", "--lj", "shift")
    close(late["lj_kJ_mol"], shifted["lj_kJ_mol"], 1e-6, "a late switch")
    # A reaction field and a cutoff see the same pairs: the field pulls between charges of either sign.
    cut, field = shifted["coulomb_kJ_mol"], energy(path, "--coulomb", "reaction-field")["coulomb_kJ_mol"]
    check(abs(field - cut) > 10, f"reaction field {field}, cut {cut}")
    # A smaller cutoff changes the pairs, not the Coulomb energy of the direct sum.
    small = energy(path, "--coulomb", "ewald", "--cutoff", "0.7nm")
    reference = energy(path, "--coulomb", "ewald")
    close(small["coulomb_kJ_mol"], reference["coulomb_kJ_mol"], 1e-15, "Coulomb by another cutoff")
    check(abs(small["lj_kJ_mol"] - reference["lj_kJ_mol"]) > 1, "Lennard-Jones by another cutoff")
    text = rill(path, "--boundary", "periodic").stdout
    for label in ("periodic box of 6.45626 nm3", "pme: beta", "virial, molecular", "at zero velocities",
                  "error of the forces"):
        check(label in text, f"as text: no {label!r} in {text}")


def refusals():
    path = os.path.join(DATA, "structures", "p216.xyz")
    cluster = os.path.join(DATA, "structures", "c020_a.xyz")
    refused("has a box: choose --boundary", path)
    refused("the file has no box", cluster, "--boundary", "periodic")
    # both numbers, and what would do
    refused("cutoff 0.95 nm is more than half of the box's shortest lattice vector, 1.86206 nm", path, "--boundary", "periodic",
            "--cutoff", "0.95nm")
    refused("at most 0.93103 nm", path, "--boundary", "periodic", "--cutoff", "0.95nm", "--coulomb", "ewald")
    refused("expected pme, ewald, reaction-field or cut", path, "--boundary", "periodic", "--coulomb", "spme")
    refused("expected cut, shift or switch", path, "--boundary", "periodic", "--lj", "shifted")
    refused("expected a length above 0", path, "--boundary", "periodic", "--cutoff", "0nm")
    refused("--switch-from is of --lj switch", path, "--boundary", "periodic", "--switch-from", "0.8nm")
    refused("expected between 0 and the cutoff", path, "--boundary", "periodic", "--lj", "switch", "--switch-from", "1nm")
    refused("--accuracy is of --coulomb pme", path, "--boundary", "periodic", "--coulomb", "cut", "--accuracy", "1e-4")
    refused("accuracy", path, "--boundary", "periodic", "--accuracy", "0")
    refused("--cutoff is of --boundary periodic", cluster, "--cutoff", "0.9nm")
    refused("--penalty with --boundary periodic", path, "--boundary", "periodic", "--penalty", "20akma")


with tempfile.TemporaryDirectory() as scratch:
    for reference in rows(os.path.join(DATA, "energies", "boxes.csv")):
        box(reference, scratch)
options()
refusals()
sys.exit(1 if failures else 0)
