#!/usr/bin/env python3
"""Energies and forces of water models from LAMMPS (Debian 12: 20220106), in double precision: energies.csv, forces.csv.

    python3 make.py [lmp]

Structures of ../structures, their molecules rebuilt with each model's geometry: the oxygen, the bisector of the angle
and the plane are kept.  Clusters: all pairs.  The box: Lennard-Jones within 9 Angstrom by LAMMPS, Coulomb by the Ewald
sum below, since LAMMPS's error function is good to 1e-6 only; the two are compared.  Units are LAMMPS's `real`:
Angstrom, kcal/mol, e, with its Coulomb constant, 332.06371.  The numbers of the models are those of their papers,
written here once more.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.special import erfc

HERE = os.path.dirname(os.path.abspath(__file__))
KCAL = 4.184
COULOMB = 332.06371
SPC_A, SPC_B = 0.37122, 0.3428  # (kJ/mol)^(1/6) nm, (kJ/mol)^(1/12) nm
SPC_LJ = 10 * SPC_B**2 / SPC_A, (SPC_A / SPC_B)**12 / 4 / KCAL
TETRAHEDRAL = np.degrees(np.arccos(-1 / 3))
# O-H (Angstrom), H-O-H (degrees), charge of H, sigma (Angstrom), epsilon (kcal/mol)
MODELS = {
    "tip3p": (0.9572, 104.52, 0.417, 3.15061, 0.1521),
    "spc": (1.0, TETRAHEDRAL, 0.41, *SPC_LJ),
    "spce": (1.0, TETRAHEDRAL, 0.4238, *SPC_LJ),
    "tip3p-fb": (1.01181082494, 108.14844252, 0.4242243450515, 3.17796456355, 0.652143528104 / KCAL),
    "opc3": (0.978882, 109.4711586, 0.447585, 3.17427035, 0.163406),
}
STRUCTURES = "c002_min_hp.gro", "c007_liq_hp.gro", "c020_a_hp.gro", "p216.xyz"
KEPT = 9  # of the box the forces of every ninth molecule are kept


def read(name):
    """Positions (molecules, 3, 3) in Angstrom, and the edge of the cube or None."""
    with open(os.path.join(HERE, "..", "structures", name), encoding="ascii") as file:
        lines = file.read().splitlines()
    if name.endswith(".xyz"):
        edge = float(lines[1].split('Lattice="')[1].split()[0])
        return np.array([line.split()[1:4] for line in lines[2:2 + int(lines[0])]], float).reshape(-1, 3, 3), edge
    first = lines[2].index(".", 20)
    width = lines[2].index(".", first + 1) - first
    rows = [[10 * float(line[20 + k * width:20 + (k + 1) * width]) for k in range(3)]
            for line in lines[2:2 + int(lines[1])]]
    return np.array(rows).reshape(-1, 3, 3), None


def rebuild(molecules, oh, angle):
    """The molecules with this geometry."""
    oxygen = molecules[:, 0]
    u = molecules[:, 1:] - oxygen[:, None]
    u /= np.linalg.norm(u, axis=2)[:, :, None]
    along, across = u[:, 0] + u[:, 1], u[:, 0] - u[:, 1]
    along *= (oh * np.cos(np.radians(angle / 2)) / np.linalg.norm(along, axis=1))[:, None]
    across *= (oh * np.sin(np.radians(angle / 2)) / np.linalg.norm(across, axis=1))[:, None]
    return np.stack((oxygen, oxygen + along + across, oxygen + along - across), axis=1)


def ewald(positions, charge, edge, alpha=0.6, cutoff=9.0, waves=21):
    """(energy, forces) of the Coulomb interaction between molecules in a cube, in vacuum's units times COULOMB.  Every
    pair is counted by erfc within the cutoff, every charge by the waves; the pairs of a molecule are taken out."""
    x = positions.reshape(-1, 3)
    q = np.tile([-2 * charge, charge, charge], len(positions))
    forces = np.zeros_like(x)
    energy = -alpha / np.sqrt(np.pi) * np.sum(q * q)
    for i in range(len(x)):
        d = x[i] - x
        d -= edge * np.round(d / edge)
        r2 = np.sum(d * d, axis=1)
        own = np.arange(len(x)) // 3 == i // 3
        r2[i] = np.inf
        r = np.sqrt(r2)
        share = np.where(own, erfc(alpha * r) - 1, np.where(r < cutoff, erfc(alpha * r), 0)) / r
        energy += 0.5 * q[i] * np.sum(q * share)
        gauss = np.where(own | (r < cutoff), 2 * alpha / np.sqrt(np.pi) * np.exp(-(alpha * r)**2), 0)
        forces[i] += q[i] * np.sum((q * (share + gauss) / r2)[:, None] * d, axis=0)
    n = np.arange(-waves, waves + 1)
    for k in range(waves + 1):  # the waves of negative k are the conjugates
        a, b = (v.ravel() for v in np.meshgrid(n, n))
        vectors = 2 * np.pi / edge * np.stack((np.full(a.size, k), a, b), axis=1)
        k2 = np.sum(vectors * vectors, axis=1)
        vectors, k2 = vectors[k2 > 0], k2[k2 > 0]
        weight = (1 if k == 0 else 2) * 2 * np.pi / edge**3 * np.exp(-k2 / (4 * alpha**2)) / k2
        phase = np.exp(1j * x @ vectors.T)
        sums = q @ phase
        energy += np.sum(weight * np.abs(sums)**2)
        forces += 2 * q[:, None] * (((np.conj(sums) * phase).imag * weight) @ vectors)
    return COULOMB * energy, COULOMB * forces


def lammps(program, positions, edge, charge, sigma, epsilon):
    """(Lennard-Jones, Coulomb, forces) in kcal/mol and Angstrom; charge 0: without Coulomb."""
    count = len(positions)
    low, high = (0, edge) if edge else (positions.min() - 50, positions.max() + 50)
    lines = ["water", "", f"{3 * count} atoms", f"{2 * count} bonds", f"{count} angles", "2 atom types", "1 bond types",
             "1 angle types", ""] + [f"{low!r} {high!r} {c}lo {c}hi" for c in "xyz"]
    lines += ["", "Masses", "", "1 15.9994", "2 1.008", "", "Atoms # full", ""]
    for k, r in enumerate(positions.reshape(-1, 3)):
        kind, q = (1, -2 * charge) if k % 3 == 0 else (2, charge)
        lines.append(f"{k + 1} {k // 3 + 1} {kind} {q!r} " + " ".join(repr(float(x)) for x in r))
    lines += ["", "Bonds", ""] + [f"{2 * m + h} 1 {3 * m + 1} {3 * m + 1 + h}" for m in range(count) for h in (1, 2)]
    lines += ["", "Angles", ""] + [f"{m + 1} 1 {3 * m + 2} {3 * m + 1} {3 * m + 3}" for m in range(count)]
    pairs = "lj/cut/coul/long 9.0" if edge and charge else "lj/cut 9.0" if edge else "lj/cut/coul/cut 90.0"
    kspace = "kspace_style ewald 1e-12\nkspace_modify gewald 0.55\npair_modify table 0" if edge and charge else ""
    script = f"""units real
atom_style full
boundary {"p p p" if edge else "f f f"}
special_bonds lj/coul 0 0 0
pair_style {pairs}
bond_style zero
angle_style zero
read_data water.data
pair_coeff * * 0 1
pair_coeff 1 1 {epsilon!r} {sigma!r}
bond_coeff 1
angle_coeff 1
{kspace}
neighbor 1.0 bin
thermo_style custom evdwl ecoul elong
thermo_modify format float %.16g
dump forces all custom 1 forces.txt id fx fy fz
dump_modify forces sort id format float %.16g
run 0
"""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "water.data"), "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
        out = subprocess.run([program, "-log", "none"], cwd=folder, input=script, text=True, stdout=subprocess.PIPE,
                             check=True, env=dict(os.environ, OMP_NUM_THREADS="1")).stdout.splitlines()
        at = next(k for k, line in enumerate(out) if line.split() == ["E_vdwl", "E_coul", "E_long"])
        lj, coulomb, far = (float(word) for word in out[at + 1].split())
        forces = np.loadtxt(os.path.join(folder, "forces.txt"), skiprows=9)[:, 1:]
    return lj, coulomb + far, forces


def evaluate(program, positions, edge, charge, sigma, epsilon):
    lj, coulomb, forces = lammps(program, positions, edge, charge, sigma, epsilon)
    if edge is None:
        return lj, coulomb, forces
    exact, charged = ewald(positions, charge, edge)
    total = lammps(program, positions, edge, 0, sigma, epsilon)[2] + charged
    if abs(exact - coulomb) > 5e-6 * abs(exact) or np.abs(total - forces).max() > 1e-5 * np.sqrt(np.mean(total**2)):
        sys.exit(f"the Ewald sums differ: {exact!r}, LAMMPS {coulomb!r}, {np.abs(total - forces).max()}")
    return lj, exact, total


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "lmp"
    with open(os.path.join(HERE, "energies.csv"), "w", encoding="ascii") as energies, \
            open(os.path.join(HERE, "forces.csv"), "w", encoding="ascii") as forces:
        energies.write("# LAMMPS, by make.py: kcal/mol; Coulomb constant 332.06371 kcal A/mol/e2\n"
                       "model,structure,lj,coulomb\n")
        forces.write("# LAMMPS, by make.py: kcal/mol/A; atoms from 1\nmodel,structure,atom,fx,fy,fz\n")
        for model, (oh, angle, *rest) in MODELS.items():
            for structure in STRUCTURES:
                molecules, edge = read(structure)
                lj, coulomb, found = evaluate(program, rebuild(molecules, oh, angle), edge, *rest)
                energies.write(f"{model},{structure},{lj:.15g},{coulomb:.15g}\n")
                for k, f in enumerate(found):
                    if edge is None or k // 3 % KEPT == 0:
                        forces.write(f"{model},{structure},{k + 1}," + ",".join(f"{x:.12g}" for x in f) + "\n")


if __name__ == "__main__":
    main()
