"""Reads what rill convert wrote for other programs, and compares it with the H5MD trajectories."""
import struct
import sys
import warnings

warnings.simplefilter("ignore")
import h5py
import MDAnalysis
import numpy as np
from MDAnalysis.analysis.dielectric import DielectricConstant
from MDAnalysis.analysis.hydrogenbonds import HydrogenBondAnalysis

failures = 0


def check(condition, text):
    global failures
    if not condition:
        failures += 1
        print("FAIL:", text)


def same_frames(name, left, right, numbers, velocities):
    check(len(right.trajectory) == len(numbers), f"{name}: {len(right.trajectory)} frames")
    for frame, number in zip(right.trajectory, numbers):
        other = left.trajectory[number]
        off = np.abs(frame.positions - other.positions).max()
        check(off < 1e-4, f"{name}: frame {number} is off by {off} A")
        check(np.allclose(frame.dimensions, other.dimensions, atol=1e-4), f"{name}: box {frame.dimensions}")
        check(abs(frame.time - other.time) < 1e-5, f"{name}: time {frame.time}, {other.time}")
        check(frame.has_velocities == velocities, f"{name}: velocities")
        if velocities:
            check(np.abs(frame.velocities - other.velocities).max() < 1e-4, f"{name}: velocities of frame {number}")


for model in ("tip3p", "opc"):
    whole = MDAnalysis.Universe(f"{model}.psf", f"{model}/box.h5md")
    numbers = range(len(whole.trajectory))
    check(len(numbers) == 13, f"{model}: {len(numbers)} frames")
    same_frames(model + ".dcd", whole, MDAnalysis.Universe(f"{model}.psf", f"{model}.dcd"), numbers, False)
    same_frames(model + ".trr", whole, MDAnalysis.Universe(f"{model}.psf", f"{model}.trr"), numbers, True)
    with h5py.File(f"{model}/box.h5md", "r") as file:
        charges = file["particles/trajectory/charge"][:]
    check(np.abs(whole.atoms.charges - charges).max() < 1e-7, f"{model}: charges {whole.atoms.charges[:3]}")
    check(abs(whole.atoms.total_charge()) < 1e-9, f"{model}: total charge {whole.atoms.total_charge()}")
    check(list(whole.atoms.masses[:3]) == [15.9994, 1.008, 1.008], f"{model}: masses {whole.atoms.masses[:3]}")
    check(list(whole.atoms.names[:3]) == ["OW", "HW1", "HW2"], f"{model}: names")
    check(len(whole.residues) == 216 and set(whole.residues.resnames) == {"SOL"}, f"{model}: residues")
    bonds = [[int(i) for i in bond.indices] for bond in whole.bonds]
    check(bonds == [[3 * (i // 2), 3 * (i // 2) + 1 + i % 2] for i in range(432)], f"{model}: bonds {bonds[:3]}")
    check(len(whole.angles) == 216 and list(whole.angles[0].indices) == [1, 0, 2], f"{model}: angles")

# ---- the fourth site: the charges of the model, and the dipole that those of the atoms have, too ----
opc, sites = MDAnalysis.Universe("opc.psf", "opc.dcd"), MDAnalysis.Universe("sites.psf", "sites.trr")
check(np.allclose(sites.atoms.charges[:4], [0, 0.679142, 0.679142, -1.358284], atol=1e-9), f"sites: {sites.atoms.charges[:4]}")
check(list(sites.atoms.names[:4]) == ["OW", "HW1", "HW2", "MW"], "sites: names")
x = sites.atoms.positions.reshape(-1, 4, 3)
height = np.linalg.norm(x[:, 3] - x[:, 0], axis=1)
check(np.abs(height - 0.1594).max() < 1e-4, f"sites: {height.min()} A from the oxygen")
for number in (0, 5, 12):
    moments = [(u.atoms.charges[:, None] * u.trajectory[number].positions.astype(float)).sum(0) for u in (opc, sites)]
    check(np.abs(moments[0] - moments[1]).max() < 2e-3, f"dipoles {moments}")
check(np.abs(sites.trajectory[3].positions - MDAnalysis.Universe("sites.psf", "sites.dcd").trajectory[3].positions).max() < 1e-4,
      "sites: DCD and TRR")

# ---- ranges of frames ----
tip3p = MDAnalysis.Universe("tip3p.psf", "tip3p/box.h5md")
same_frames("some.trr", tip3p, MDAnalysis.Universe("tip3p.psf", "some.trr"), [1, 5, 9], True)
with open("some.trr", "rb") as file:
    step = struct.unpack(">i", file.read(72)[68:])[0]
check(step == 10, f"some.trr: step {step} of the first frame")
steps = [line.split("step=")[1].split()[0] for line in open("some.gro") if "step=" in line]
check(steps == ["10", "50", "90"], f"some.gro: steps {steps}")
steps = [line.split("step=")[1].split()[0] for line in open("again.gro") if "step=" in line]
check(steps == ["10", "90"], f"again.gro: steps {steps}")

# ---- wrapping: by lattice vectors, molecules whole or not ----
for name, whole in (("molecules.dcd", True), ("atoms.trr", False)):
    u = MDAnalysis.Universe("tip3p.psf", name)
    outside = 0
    for frame, other in zip(u.trajectory, tip3p.trajectory):
        edge = frame.dimensions[:3]
        x = frame.positions.reshape(-1, 3, 3)
        inside = x[:, :1] if whole else x
        outside += np.sum(other.positions < 0) + np.sum(other.positions > edge)
        check((inside > -1e-4).all() and (inside < edge + 1e-4).all(), f"{name}: atoms outside the box")
        turns = (frame.positions - other.positions) / edge
        check(np.abs(turns - np.round(turns)).max() < 1e-5, f"{name}: moved by fractions of the box")
        bond = np.linalg.norm(x[:, 1:] - x[:, :1], axis=2)
        check(bond.max() < 1.0 if whole else bond.max() > 10, f"{name}: longest bond {bond.max()} A")
    check(outside > 100, f"{name}: nothing to wrap")

# ---- a skew box ----
plain = MDAnalysis.Universe("skew.gro")
n = len(plain.atoms)
for name in ("skew.dcd", "skew.trr"):
    u = MDAnalysis.Universe.empty(n, trajectory=True)
    u.load_new(name)
    check(np.allclose(u.dimensions, plain.dimensions, atol=2e-3), f"{name}: {u.dimensions}, {plain.dimensions}")
fractions = plain.atoms.positions[::3] @ np.linalg.inv(plain.trajectory.ts.triclinic_dimensions)
check(fractions.min() > -1e-5 and fractions.max() < 1 + 1e-5, f"skew.gro: {fractions.min()} to {fractions.max()}")

# ---- analyses that need charges, masses and bonds, given nothing but the files ----
whole = MDAnalysis.Universe("tip3p.psf", "tip3p.trr")
result = DielectricConstant(whole.atoms, temperature=298.15, make_whole=False).run()
moments, volumes = [], []
for frame in whole.trajectory:
    moments.append((whole.atoms.charges[:, None] * frame.positions.astype(float)).sum(0))
    volumes.append(frame.volume)
moments = np.array(moments)
fluctuation = ((moments ** 2).mean(0) - moments.mean(0) ** 2).sum()
expected = 1 + fluctuation / (3 * 8.8541878128e-12 * 1.380649e-23 * 298.15 * np.mean(volumes)) * 1.602176634e-19 ** 2 * 1e10
check(abs(result.results.eps_mean / expected - 1) < 1e-3, f"dielectric constant {result.results.eps_mean}, {expected}")
bonds = HydrogenBondAnalysis(whole, d_a_cutoff=3.5).run()
a_molecule = 2 * bonds.count_by_time().mean() / 216
check(2.0 < a_molecule < 3.5, f"{a_molecule} hydrogen bonds a molecule")
sys.exit(failures > 0)
