"""Writes expected.csv: molecules, box and energies of the first frame of each sample, by other code than rill's.

Run in this folder: python3 expected.py >expected.csv.  All samples have the atoms molecule by molecule, O, H, H, in whole
molecules.  Energies of TIP3P in kJ/mol: of all pairs, and, where there is a box, of the pairs of atoms within 0.7 nm,
Lennard-Jones and Coulomb cut there.
"""
import glob

import numpy as np

CHARGE = np.array([-0.834, 0.417, 0.417])
EPSILON, SIGMA = 0.6363864, 0.315061  # kJ/mol (0.1521 kcal/mol) and nm
COULOMB = 138.93545764438


def read(name):
    lines = open(name).read().split("\n")
    if name.endswith(".gro"):
        count = int(lines[1])
        dots = [i for i, c in enumerate(lines[2]) if c == "." and i >= 20]
        width = dots[1] - dots[0]
        atoms = [[float(l[20 + k * width:20 + (k + 1) * width]) for k in range(3)] for l in lines[2:2 + count]]
        b = [float(w) for w in lines[2 + count].split()] + [0.0] * 9
        box = [[b[0], b[3], b[4]], [b[5], b[1], b[6]], [b[7], b[8], b[2]]]
    elif name.endswith(".pdb"):
        end = next((i for i, l in enumerate(lines) if l.startswith("ENDMDL")), len(lines))
        atoms = [[float(l[30 + 8 * k:38 + 8 * k]) / 10 for k in range(3)]
                 for l in lines[:end] if l.startswith(("ATOM", "HETATM"))]
        cell = [l for l in lines if l.startswith("CRYST1")]
        edges = [float(w) / 10 for w in cell[0].split()[1:4]] if cell else [0.0] * 3
        box = np.diag(edges if edges[0] > 0.1 else [0.0] * 3)
    else:
        count, at = int(lines[0]), 1
        atoms = [[float(w) / 10 for w in l.split()[at:at + 3]] for l in lines[2:2 + count]]
        box = np.zeros((3, 3))
        if 'Lattice="' in lines[1]:
            words = lines[1].split('Lattice="')[1].split('"')[0].split()
            box = np.array([float(w) / 10 for w in words]).reshape(3, 3)
    return np.array(atoms), np.array(box, dtype=float)


def energy(atoms, box, cutoff):
    n = len(atoms)
    images = [np.zeros(3)]
    if cutoff < np.inf:
        images = [i * box[0] + j * box[1] + k * box[2] for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)]
    charge = np.tile(CHARGE, n // 3)
    oxygen = np.arange(n) % 3 == 0
    other = np.arange(n)[:, None] // 3 < np.arange(n)[None, :] // 3
    total = 0.0
    if cutoff < np.inf:  # into the box, so that the nearest images are among the 27
        turns = np.floor(np.linalg.solve(box.T, atoms[oxygen].T).T)
        atoms = atoms - np.repeat(turns @ box, 3, axis=0)
    for shift in images:
        r = np.linalg.norm(atoms[:, None] - atoms[None, :] + shift, axis=2)
        near = other & (r < cutoff)
        qq = COULOMB * charge[:, None] * charge[None, :]
        six = np.where(oxygen[:, None] & oxygen[None, :], 1.0, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = qq / r + six * 4 * EPSILON * ((SIGMA / r) ** 12 - (SIGMA / r) ** 6)
        total += u[near].sum()
    return total


if __name__ == "__main__":
    print("# file, molecules, the box's vectors (nm, row by row), energy of all pairs, of pairs within 0.7 nm in the box")
    for name in sorted(glob.glob("*.gro") + glob.glob("*.pdb") + glob.glob("*.xyz")):
        if "tip4p" in name:
            continue
        atoms, box = read(name)
        has_box = box[0, 0] > 0
        numbers = " ".join("%.10g" % x for x in box.ravel()) if has_box else "none"
        cut = "%.9f" % energy(atoms, box, 0.7) if has_box else "none"
        print("%s,%d,%s,%.9f,%s" % (name, len(atoms) // 3, numbers, energy(atoms, box, np.inf), cut))
