"""What rill energy says of the reference clusters and of structure files of every kind; standard library only."""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

RILL = os.environ["RILL"]
DATA = os.path.join(os.environ["RILL_SOURCE"], "tests", "data")
CALORIE = 4.184
REFERENCE_CONSTANT = 332.06371  # kcal A/mol/e2, of the reference numbers
CONSTANT = 138.93545764438 / CALORIE * 10  # rill's own, in the same unit
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAIL:", text)


def check(condition, text):
    if not condition:
        fail(text)


def rill(*arguments):
    return subprocess.run([RILL, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def energy(name, *options):
    """The JSON of a structure file, or None."""
    done = rill("energy", name, "--json", *options)
    check(done.returncode == 0, f"energy {name} {options}: {done.returncode}: {done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else None


def close(found, expected, relative, text):
    check(abs(found - expected) <= relative * abs(expected), f"{text}: {found!r}, expected {expected!r} to {relative}")


def rows(path):
    with open(path) as stream:
        return list(csv.DictReader(line for line in stream if not line.startswith("#")))


FIELDS = {"molecules", "atoms", "coulomb_kJ_mol", "lj_kJ_mol", "lj_tail_kJ_mol", "potential_kJ_mol", "virial_kJ_mol",
          "max_force_kJ_mol_nm", "geometry_deviation"}


def clusters(folder):
    """Energies to 1e-10, forces to 1e-9 of the largest: the reference is in doubles, its coordinates have 11 decimals of nm,
    and both are rounded in the last digits of the file only."""
    for row in rows(os.path.join(DATA, "energies", "clusters.csv")):
        name = row["name"]
        path = os.path.join(DATA, "structures", name + "_hp.gro")
        lj, coulomb, molecules = float(row["lj"]) * CALORIE, float(row["coulomb"]) * CALORIE, int(row["molecules"])
        for constant in (REFERENCE_CONSTANT, None):
            scale = 1 if constant else CONSTANT / REFERENCE_CONSTANT
            options = ["--coulomb-constant", f"{constant}kcal*A/mol/e2"] if constant else []
            forces_file = os.path.join(folder, f"{name}-{constant}.csv")
            found = energy(path, "--boundary", "vacuum", "--forces", forces_file, *options)
            if found is None:
                continue
            where = f"{name}, constant {constant}"
            check(FIELDS <= set(found), f"{where}: fields missing: {FIELDS - set(found)}")
            check((found["molecules"], found["atoms"]) == (molecules, 3 * molecules), f"{where}: counts {found}")
            close(found["lj_kJ_mol"], lj, 1e-10, where + ", Lennard-Jones")
            close(found["coulomb_kJ_mol"], coulomb * scale, 1e-10, where + ", Coulomb")
            close(found["potential_kJ_mol"], found["lj_kJ_mol"] + found["coulomb_kJ_mol"], 1e-15, where + ", sum")
            if constant:
                close(found["virial_kJ_mol"], float(row["virial"]) * CALORIE, 1e-10, where + ", virial")
            check(found["lj_tail_kJ_mol"] == 0 and found["geometry_deviation"] < 1e-9, f"{where}: {found}")
            forces(name, forces_file, scale, found["max_force_kJ_mol_nm"])
            expected, size = molecular_virial(path, forces_file)
            check(abs(found["virial_molecular_kJ_mol"] - expected) <= 1e-12 * size, f"{where}: molecular virial")


def molecular_virial(structure, forces_file):
    """The sum of R.F over molecules, and of its parts' sizes."""
    with open(structure) as stream:
        lines = stream.read().splitlines()[2:-1]
    positions = [[float(x) for x in re.findall(r"-?[0-9]+\.[0-9]+", line[20:])[:3]] for line in lines]
    found = [[float(r["f" + c]) for c in "xyz"] for r in rows(forces_file)]
    masses = [15.9994, 1.008, 1.008]
    parts = []
    for m in range(0, len(positions), 3):
        for c in range(3):
            centre = sum(w * positions[m + a][c] for a, w in enumerate(masses)) / sum(masses)
            parts.append(centre * sum(found[m + a][c] for a in range(3)))
    return sum(parts), sum(map(abs, parts))


def forces(name, path, scale, largest_said):
    """--forces FILE: atom,fx,fy,fz in kJ/mol/nm, atoms in the file's order."""
    with open(path) as stream:
        check(stream.readline().strip() == "atom,fx,fy,fz", f"{path}: its header")
    expected = rows(os.path.join(DATA, "energies", name + "_forces.csv"))
    found = rows(path)
    check([r["atom"] for r in found] == [r["atom"] for r in expected], f"{name}: atoms of the forces")
    unit = CALORIE * 10  # kcal/mol/A
    pairs = [(float(f["f" + c]), (float(e["flj_" + c]) + float(e["fcoul_" + c]) * scale) * unit)
             for f, e in zip(found, expected) for c in "xyz"]
    largest = max(abs(e) for _, e in pairs)
    worst = max(abs(f - e) for f, e in pairs)
    check(worst <= 1e-9 * largest, f"{name}: forces off by {worst} of {largest}")
    close(largest_said, max(abs(f) for f, _ in pairs), 1e-15, name + ", largest force")


# (file, molecules) that are read, and (file, a piece of the message) that are refused.
READ = """hoh_hetatm.pdb wat_atom.pdb tip3_charmm.pdb sol_gromacs.pdb hoh_order.pdb crlf.pdb hybrid36_small.pdb serial_wrap.pdb
stars.pdb short_lines.pdb no_final_newline.pdb remarks_models.pdb cryst1_dummy.pdb touching_columns.pdb wat_names.gro
tip3_names.gro crlf.gro prec6.gro velocities.gro box9_rect.gro two_frames.gro crlf.xyz lower.xyz ff_names.xyz tabs.xyz
exponent.xyz hho_order.xyz o_then_h.xyz""".split()
READ = [(name, 20) for name in READ] + [("wrapped_atoms.gro", 216), ("wrapped_atoms.pdb", 216),
                                        ("triclinic.gro", 210), ("triclinic.pdb", 210)]
REFUSED = [("oxygen_only.pdb", "oxygen_only.pdb:2: found O, O, O in a row"), ("missing_h.pdb", "20 oxygens, 39 hydrogens"),
           ("bad_number.pdb", "bad_number.pdb:11: columns 31-38 (x): '   1.2x4'"), ("nan.pdb", "is not a finite number"),
           ("truncated.pdb", "the file ends inside this atom's line"), ("with_ion.pdb", "residue 'NA' is not water"),
           ("count_too_big.gro", "expected atom 61 of 63"), ("count_too_small.gro", "expected the box"),
           ("no_box.gro", "expected the box"), ("truncated.gro", "is it truncated?"), ("empty.gro", "the file is empty"),
           ("title_only.gro", "expected a line with the number of atoms"), ("negative_box.gro", "the box measures -3 nm"),
           ("count_too_big.xyz", "expected atom 61 of 66")]


def variants():
    folder = os.path.join(DATA, "variants")
    judged = {name for name, _ in READ + REFUSED}
    check(judged == set(os.listdir(folder)), f"variants without a verdict: {judged ^ set(os.listdir(folder))}")
    by_kind = {}
    for name, molecules in READ:
        found = energy(os.path.join(folder, name), "--boundary", "vacuum")
        if found is None:
            continue
        check(found["molecules"] == molecules, f"{name}: {found['molecules']} molecules, expected {molecules}")
        # Files of the same cluster with the same decimals have the same energy, however they are written.
        if molecules == 20 and name != "prec6.gro":
            by_kind.setdefault(name[-3:], []).append((name, found["potential_kJ_mol"]))
    for kind in by_kind.values():
        for name, value in kind[1:]:
            close(value, kind[0][1], 1e-10, f"{name} against {kind[0][0]}")
    for name, message in REFUSED:
        done = rill("energy", os.path.join(folder, name), "--boundary", "vacuum")
        check(done.returncode == 2 and not done.stdout, f"{name}: exit status {done.returncode}, {done.stdout}")
        check(message in done.stderr and name in done.stderr, f"{name}: {done.stderr}")
    for name in ("prec6.gro", "hoh_hetatm.pdb", "triclinic.gro"):
        done = rill("energy", os.path.join(folder, name))
        check(done.returncode == 2 and "has a box: choose --boundary" in done.stderr, f"{name} without a boundary: {done.stderr}")


def same_energy():
    """Orders of atoms differ, the energy does not: ten decimals of Angstrom, and rebuilt from them."""
    reference = energy(os.path.join(DATA, "structures", "c020_a_hp.gro"), "--boundary", "vacuum")
    for name in ("hho_order.xyz", "o_then_h.xyz", "exponent.xyz"):
        for options in ([], ["--rigid"]):
            found = energy(os.path.join(DATA, "variants", name), *options)
            # exponent.xyz has seven decimals of Angstrom; a rebuilt molecule moves by the bonds' 3e-10
            close(found["potential_kJ_mol"], reference["potential_kJ_mol"], 1e-6 if name == "exponent.xyz" else 1e-8,
                  f"{name} {options}")
    # G15: one cluster in nm and in Angstrom
    for name in ("c020_a", "c100_a"):
        values = [energy(os.path.join(DATA, "structures", name + ending), "--boundary", "vacuum", "--rigid")["potential_kJ_mol"]
                  for ending in ("_hp.gro", ".xyz")]
        close(values[0], values[1], 1e-8, name + " as GRO and XYZ")


def rounded():
    """Three decimals, and rebuilt: what another program makes of the same file in the same way.  Angstrom of ten decimals
    were rounded to make the reference's own coordinates, hence 1e-9."""
    with open(os.path.join(DATA, "energies", "rounded.csv")) as stream:
        for line in stream:
            words = line.strip().split(",")
            if len(words) != 4 or line.startswith("#"):
                continue
            path = os.path.join(DATA, "structures", words[0] + ".gro")
            for value, options in ((words[2], []), (words[3], ["--rigid"])):
                found = energy(path, "--boundary", "vacuum", "--coulomb-constant", f"{REFERENCE_CONSTANT}kcal*A/mol/e2", *options)
                close(found["potential_kJ_mol"], float(value) * CALORIE, 1e-9, f"{words[0]}.gro {options}")


def order_of_forces():
    """Forces stand in the file's order of atoms, whatever it is: H H O against O H H."""
    with tempfile.TemporaryDirectory() as folder:
        tables = []
        for name in (os.path.join(DATA, "variants", "hho_order.xyz"), os.path.join(DATA, "structures", "c020_a.xyz")):
            path = os.path.join(folder, os.path.basename(name) + ".csv")
            energy(name, "--forces", path)
            tables.append([[float(r["f" + c]) for c in "xyz"] for r in rows(path)])
        largest = max(abs(x) for row in tables[1] for x in row)
        for m in range(20):
            # files agree to their last decimal: 1e-10 of an Angstrom
            for here, there in ((0, 1), (1, 2), (2, 0)):
                for a, b in zip(tables[0][3 * m + here], tables[1][3 * m + there]):
                    check(abs(a - b) < 1e-7 * largest, f"hho_order.xyz: force on atom {3 * m + here + 1}: {a}, {b}")
        again = rill("energy", name, "--forces", path)
        check(again.returncode == 2 and "exists; give --force" in again.stderr, f"--forces over a file: {again.stderr}")
        check(rill("energy", name, "--forces", path, "--force").returncode == 0, "--forces --force")


def models():
    """tip3p-ac has A = 582000, C = 595 kcal/mol A^n: the energy of a known pair follows from the oxygens' distance."""
    path = os.path.join(DATA, "structures", "c002_min.xyz")
    with open(path) as stream:
        atoms = [[float(x) for x in line.split()[1:4]] for line in list(stream)[2:]]
    r2 = sum((a - b) ** 2 for a, b in zip(atoms[0], atoms[3]))
    found = energy(path, "--model", "tip3p-ac")
    close(found["lj_kJ_mol"], (582000 / r2 ** 6 - 595 / r2 ** 3) * CALORIE, 1e-12, "tip3p-ac")
    text = rill("energy", path)
    for label in ("Lennard-Jones", "Coulomb", "potential", "virial", "largest force", "deviates from the model's"):
        check(label in text.stdout, f"energy as text: no {label}")


with tempfile.TemporaryDirectory() as scratch:
    clusters(scratch)
variants()
same_energy()
rounded()
order_of_forces()
models()
sys.exit(1 if failures else 0)
