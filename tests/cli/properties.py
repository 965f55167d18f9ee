"""Properties of a run, computed once more from its frames, which were written at every sample in double precision.

python3 properties.py FOLDER: reads t.h5md, t.csv, t-properties.json, t-rdf*.csv of tests/cli/test_properties.sh.
"""
import json
import os
import sys

import h5py
import numpy as np

folder = sys.argv[1]
MASS = np.array([15.9994, 1.008, 1.008])
R = 8.31446261815324e-3
COULOMB = 138.93545764438
BAR = 0.0602214076
CHARGE = np.array([-0.834, 0.417, 0.417])
T, STEP, EVERY, N = 298.15, 0.002, 10, 216
failures = 0


def check(what, found, expected, tolerance):
    global failures
    worst = np.max(np.abs(np.asarray(found) - expected) / (np.abs(expected) + np.max(np.abs(expected))))
    if not worst <= tolerance:
        failures += 1
        print(f"FAIL: {what}: {worst:.2g} apart, expected {tolerance:g}: {found} and {expected}")


def read():
    with h5py.File(os.path.join(folder, "t.h5md")) as file:
        atoms = file["particles/trajectory"]
        x = atoms["position/value"][...].reshape(-1, N, 3, 3)
        v = atoms["velocity/value"][...].reshape(-1, N, 3, 3)
        box = np.diagonal(atoms["box/edges/value"][...], axis1=1, axis2=2)
    return x, v, box


def correlate(pair, values, every, lags):
    """Every lag with all pairs whose later sample is a multiple of `every`, of samples that are as far apart as the
    level of a multiple-tau scheme has them."""
    result = []
    for lag, level in lags:
        kept = values[:: 1 << level]
        apart = lag >> level
        terms = [pair(kept[i - apart], kept[i]) for i in range(0, len(kept), every) if i >= apart]
        result.append(np.mean(terms))
    return np.array(result)


def levels_of(times, values):
    lags = [int(round(t / (STEP * EVERY))) for t in times]
    return [(lag, 0 if lag < values else int(np.log2(lag / (values // 2)))) for lag in lags]


def read_table(name):
    lines = [line for line in open(os.path.join(folder, name)) if not line.startswith("#")]
    rows = np.array([[float(a) for a in line.split(",")] for line in lines[1:]])
    return dict(zip(lines[0].strip().split(","), rows.T))


x, v, box = read()
document = json.load(open(os.path.join(folder, "t-properties.json")))
result = {p["property"]: p for p in document["properties"]}
curve = {name: np.array([[np.nan if a is None else a for a in row] for row in c["rows"]])
         for name, c in document["curves"].items()}
series = read_table("t.csv")
volume = series["volume"] if np.isfinite(series["volume"]).all() else np.prod(box, axis=1)

# dielectric constant
dipoles = np.einsum("fmac,a->fmc", x, CHARGE)
total = dipoles.sum(axis=1)
square, mean = np.mean(np.sum(total**2, axis=1)), np.sum(np.mean(total, axis=0) ** 2)
check("<M2>", result["dipole_square"]["value"], square, 1e-11)
check("<M>2", result["dipole_mean_square"]["value"], mean, 1e-11)
check("dielectric", result["dielectric"]["value"],
      1 + 4 * np.pi * COULOMB * (square - mean) / (3 * volume.mean() * R * T), 1e-10)

# mean squared displacement, added from wrapped positions
centre = np.einsum("fmac,a->fmc", x, MASS) / MASS.sum()
wrapped = centre - np.floor(centre / box[:, None]) * box[:, None]
moved = np.diff(wrapped, axis=0)
moved -= np.round(moved / box[1:, None]) * box[1:, None]
moved -= moved.mean(axis=1, keepdims=True)
path = np.concatenate([np.zeros((1, N, 3)), np.cumsum(moved, axis=0)])
lags = levels_of(curve["displacement"][:, 0], 16)
expected = correlate(lambda a, b: np.mean(np.sum((a - b) ** 2, axis=1)), path, 4, lags)
check("mean squared displacement", curve["displacement"][:, 1], expected, 1e-9)
times = curve["displacement"][:, 0]
fit = (times > 0.0799) & (times < 0.4001)
check("diffusion", result["diffusion"]["value"], np.polyfit(times[fit], expected[fit], 1)[0] / 6 * 1e3, 1e-9)

# reorientation
axis = dipoles / np.linalg.norm(dipoles, axis=2, keepdims=True)
cosine = lambda a, b: np.sum(a * b, axis=1)
lags = levels_of(curve["dipole_P1"][:, 0], 16)
first = correlate(lambda a, b: np.mean(cosine(a, b)), axis, 4, lags)
check("P1", curve["dipole_P1"][:, 1], first, 1e-11)
check("P2", curve["dipole_P2"][:, 1],
      correlate(lambda a, b: np.mean(1.5 * cosine(a, b) ** 2 - 0.5), axis, 4, lags), 1e-11)
fit = (times > 0.0399) & (times < 0.4001)
check("tau_1", result["dipole_tau_1"]["value"], -1 / np.polyfit(times[fit], np.log(first[fit]), 1)[0], 1e-9)

# velocities, and their integral
velocity = np.einsum("fmac,a->fmc", v, MASS) / MASS.sum()
velocity -= velocity.mean(1, keepdims=True)
lags = levels_of(curve["velocity"][:, 0], 64)
expected = correlate(lambda a, b: np.mean(cosine(a, b)), velocity, 4, lags)
check("velocity correlation", curve["velocity"][:, 1], expected, 1e-11)
steps = np.diff(curve["velocity"][:, 0])
integral = np.concatenate([[0], np.cumsum(0.5 * steps * (expected[1:] + expected[:-1]))])
check("integral of velocities", curve["velocity"][:, 2], integral / 3 * 1e3, 1e-11)

# stress: the series has the pressure tensor at the same steps
s = {k: series["pressure_" + k] for k in ("xx", "yy", "zz", "xy", "xz", "yz")}
five = np.array([s["xy"], s["xz"], s["yz"], 0.5 * (s["xx"] - s["yy"]),
                 (2 * s["zz"] - s["xx"] - s["yy"]) / np.sqrt(12)]).T
lags = levels_of(curve["viscosity"][:, 0], 128)
expected = correlate(lambda a, b: np.mean(a * b), five, 1, lags)
check("stress correlation", curve["viscosity"][:, 1], expected, 1e-10)
steps = np.diff(curve["viscosity"][:, 0])
integral = np.concatenate([[0], np.cumsum(0.5 * steps * (expected[1:] + expected[:-1]))])
check("viscosity", curve["viscosity"][:, 2], integral * volume.mean() / (R * T) * BAR * 1e-4, 1e-9)

# energies
potential = series["potential"]
if "heat_capacity_volume" in result:
    check("Cv", result["heat_capacity_volume"]["value"], (potential.var() / (N * R * T**2) + 3 * R) * 1e3, 1e-7)
else:
    enthalpy = potential + BAR * volume
    check("Cp", result["heat_capacity_pressure"]["value"], (enthalpy.var() / (N * R * T**2) + 3 * R) * 1e3, 1e-7)
    check("expansion", result["expansion"]["value"],
          np.mean((enthalpy - enthalpy.mean()) * (volume - volume.mean())) / (R * T**2 * volume.mean()) * 1e4, 1e-7)
    check("compressibility", result["compressibility"]["value"],
          volume.var() / (R * T * volume.mean()) * 1e6 * BAR, 1e-7)
check("heat of vaporisation", result["vaporisation"]["value"], (R * T - potential.mean() / N) / 4.184, 1e-11)

# hydrogen bonds
bonds = 0
for frame, edges in zip(x, box):
    oxygen = frame[:, 0]
    apart = oxygen[None] - oxygen[:, None]
    apart -= np.round(apart / edges) * edges
    distance = np.linalg.norm(apart, axis=2)
    near = (distance < 0.35) & ~np.eye(N, dtype=bool)
    best = np.zeros((N, N))
    for h in (1, 2):
        bond = frame[:, h] - oxygen
        with np.errstate(invalid="ignore"):
            best = np.fmax(best, np.einsum("ic,ijc->ij", bond, apart) / distance / np.linalg.norm(bond, axis=1)[:, None])
    bonds += np.sum(near & (best > np.cos(np.radians(30))))
check("hydrogen bonds", result["hydrogen_bonds"]["value"], 2 * bonds / len(x) / N, 1e-12)

# distributions of the last molecules' atoms
for name, one, other, pairs, per in (("t-rdf.csv", [0], [0], 0.5, 2), ("t-rdf-OH.csv", [0], [1, 2], 2, 1),
                                     ("t-rdf-HH.csv", [1, 2], [1, 2], 2, 1)):
    table = read_table(name)
    width = table["r_nm"][1] - table["r_nm"][0]
    outer = np.round(np.arange(len(table["g"]) + 1) * width, 12)
    counts = np.zeros(len(table["g"]))
    for frame, edges in zip(x, box):
        for a in one:
            for b in other:
                apart = frame[None, :, b] - frame[:, None, a]
                apart -= np.round(apart / edges) * edges
                distance = np.linalg.norm(apart, axis=2)[~np.eye(N, dtype=bool)]
                counts += np.histogram(distance, outer)[0] * (0.5 if one == other else 1)
    shells = 4 * np.pi / 3 * np.diff(outer**3)
    g = counts / len(x) / (pairs * N * (N - 1)) * volume.mean() / shells
    check(name, table["g"], g, 1e-9)
    check(name + " neighbours", table["neighbours"], per * np.cumsum(counts) / len(x) / N, 1e-9)
    print(f"{name}: highest g {g.max():.3f}")
sys.exit(failures > 0)
