"""Reads the files of write_sample with h5py and MDAnalysis and compares every number.  Usage: read_back.py DIRECTORY"""
import sys
import warnings

warnings.simplefilter("ignore")
import h5py
import numpy as np
import MDAnalysis
from MDAnalysis.coordinates.H5MD import H5MDReader

directory = sys.argv[1]
ATOMS = 21
TRAJECTORY = "particles/trajectory"
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def positions(frame):
    return frame / 1024.0 + np.arange(3 * ATOMS).reshape(ATOMS, 3) / 64.0


def velocities(frame):
    return np.arange(3 * ATOMS).reshape(ATOMS, 3) / 32.0 - frame / 512.0


def edges(frame):
    return np.diag([2.5, 3.0, 3.5]) + np.eye(3) * frame / 1024.0


def steps(frames):
    return 4294967290 + 50 * np.arange(frames, dtype=np.int64)


def check_plain(name, frames, with_velocities, periodic, real):
    with h5py.File(f"{directory}/{name}", "r") as file:
        group = file[TRAJECTORY]
        expect(list(file["particles"]) == ["trajectory"], f"{name}: one particle group")
        expect("observables" not in file, f"{name}: no observables at another stride (I06)")
        value = group["position/value"]
        expect(value.shape == (frames, ATOMS, 3) and value.dtype == real, f"{name}: shape and type {value.shape} {value.dtype}")
        expect(np.array_equal(value[:], np.array([positions(f) for f in range(frames)]).reshape(value.shape)),
               f"{name}: positions")
        expect(np.array_equal(group["position/step"][:], steps(frames)), f"{name}: steps beyond 2^32 (E09)")
        expect(group["position/time"].dtype == np.float64 and
               np.array_equal(group["position/time"][:], steps(frames) * 0.002), f"{name}: time is step times dt (E11)")
        expect(("velocity" in group) == with_velocities, f"{name}: velocities")
        if with_velocities:
            expect(np.array_equal(group["velocity/value"][:], np.array([velocities(f) for f in range(frames)])),
                   f"{name}: velocity values")
            expect(group["velocity/step"].id == group["position/step"].id or
                   h5py.h5o.get_info(group["velocity/step"].id).addr == h5py.h5o.get_info(group["position/step"].id).addr,
                   f"{name}: hard-linked step")
        box = group["box"]
        expect(box.attrs["dimension"] == 3, f"{name}: dimension")
        expect([b.decode() for b in box.attrs["boundary"]] == ["periodic" if periodic else "none"] * 3, f"{name}: boundary")
        expect(("edges" in box) == periodic, f"{name}: edges")
        if periodic:
            expect(np.array_equal(box["edges/value"][:], np.array([edges(f) for f in range(frames)])), f"{name}: edge values")
        expect(file["h5md"].attrs["version"].tolist() == [1, 1], f"{name}: version")
        expect(file["h5md/author"].attrs["name"] == b"N/A", f"{name}: author")
        expect(file["h5md/creator"].attrs["name"] == b"rill" and file["h5md/creator"].attrs["version"] == b"1.2.3",
               f"{name}: creator")
        expect(file["h5md/modules/units"].attrs["system"] == "SI", f"{name}: units module")
        for path, unit in [("position/value", "nm"), ("position/time", "ps"), ("mass", "u"), ("charge", "e")]:
            expect(group[path].attrs["unit"] == unit, f"{name}: unit of {path} (F04)")
        expect(group["mass"][:6].tolist() == [15.9994, 1.008, 1.008] * 2, f"{name}: mass")
        expect(group["charge"][:3].tolist() == [-0.834, 0.417, 0.417], f"{name}: charge")
        expect(group["species"][:6].tolist() == [8, 1, 1] * 2 and group["id"][:].tolist() == list(range(ATOMS)),
               f"{name}: species and id")
        bonds = file["connectivity/bonds"]
        expect(bonds.shape == (14, 2) and bonds[:4].tolist() == [[0, 1], [0, 2], [3, 4], [3, 5]], f"{name}: bonds")
        expect(file[bonds.attrs["particles_group"]] == group, f"{name}: bonds refer to the particles")
        vmd = file["parameters/vmd_structure"]
        expect(np.array_equal(np.column_stack([vmd["bond_from"], vmd["bond_to"]]), bonds[:] + 1), f"{name}: bonds of VMD")
        expect(vmd["resid"][:].tolist() == [i // 3 for i in range(ATOMS)] and vmd["resname"].shape == (7,), f"{name}: residues")
        expect(vmd["name"][:].tolist() == [b"O", b"H"] and vmd["indexOfSpecies"][:].tolist() == [8, 1], f"{name}: species of VMD")
        own = file["parameters/rill"]
        expect(own["deck"][()] == b"[system]\nkind = water\n", f"{name}: deck")
        expect(own.attrs["seed"] == 18446744073709551557 and own.attrs["degrees_of_freedom"] == 36, f"{name}: seed and dof")
        expect(own["step"][()] == 0.002 and own.attrs["version"] == b"1.2.3", f"{name}: step and version")


def check_mdanalysis(name, frames, with_velocities, periodic):
    universe = MDAnalysis.Universe.empty(ATOMS, trajectory=False)
    universe.load_new(f"{directory}/{name}")
    expect(isinstance(universe.trajectory, H5MDReader) and len(universe.trajectory) == frames,
           f"{name}: {len(universe.trajectory)} frames in MDAnalysis")
    seen = 0
    for f, now in enumerate(universe.trajectory):
        seen += 1
        expect(np.array_equal(now.positions, (10 * positions(f)).astype(np.float32)), f"{name}: frame {f} in Angstrom")
        expect(now.time == steps(frames)[f] * 0.002 and now.data["step"] == steps(frames)[f], f"{name}: time of frame {f}")
        if with_velocities:
            expect(np.allclose(now.velocities, 10 * velocities(f), rtol=1e-6, atol=0), f"{name}: velocities of frame {f}")
        if periodic:
            expect(np.allclose(now.dimensions, [*(10 * np.diag(edges(f))), 90, 90, 90], rtol=1e-6),
                   f"{name}: box {now.dimensions} of frame {f} (F03)")
        else:
            expect(now.dimensions is None, f"{name}: a box in vacuum")
    expect(seen == frames, f"{name}: {seen} frames read by MDAnalysis")
    # Without a topology the group has to be called `trajectory`.
    expect(MDAnalysis.Universe(f"{directory}/{name}").atoms.n_atoms == ATOMS, f"{name}: alone in MDAnalysis")


def check_table():
    with h5py.File(f"{directory}/vacuum.h5md", "r") as file:
        table = file["parameters/rill/series"]
        expect(list(table.attrs["columns"]) == [b"time", b"energy"] and list(table.attrs["units"]) == [b"ps", b"kJ/mol"] and
               table.attrs["description"] == b"energies at their own stride", "table: heading")
        expect(table["values"][:].tolist() == [[0, -1.5], [0.25, -2.5], [0.5, -3.5]], "table: values")


for name, frames, with_velocities, periodic, real in [
    ("vacuum.h5md", 300, False, False, np.float32),
    ("none.h5md", 0, False, False, np.float32),
    ("one.h5md", 1, False, False, np.float32),
    ("killed.h5md", 300, True, False, np.float64),
    ("periodic.h5md", 300, True, True, np.float64),
]:
    check_plain(name, frames, with_velocities, periodic, real)
    if frames > 0:
        check_mdanalysis(name, frames, with_velocities, periodic)
check_table()
for failure in failures[:20]:
    print("failed:", failure)
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
