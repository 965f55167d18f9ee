"""What a killed run left in a folder, read by h5py and MDAnalysis: readable.py FOLDER."""
import glob
import os
import sys
import warnings

import h5py
import numpy

warnings.simplefilter("ignore")


def has_rows(path):
    with open(path) as file:
        return sum(not line.startswith("#") for line in file) > 1


def has_begun(path):
    """False for a file that was killed while HDF5 laid it out: then there is no checkpoint and no row of the series."""
    folder = sys.argv[1]
    counted = any(glob.glob(os.path.join(folder, name)) for name in ("*.checkpoint", "*.checkpoint.prev"))
    counted = counted or any(has_rows(csv) for csv in glob.glob(os.path.join(folder, "*.csv")))
    try:
        h5py.File(path, "r").close()
    except OSError:
        assert not counted, path
        return False
    return True


for path in glob.glob(os.path.join(sys.argv[1], "*.h5")):
    if not has_begun(path):
        continue
    with h5py.File(path, "r") as file:
        frames = len(file["series/t"])
        for name, rows in file["series"].items():
            assert len(rows) >= frames, name
            assert name == "multiplier" or numpy.isfinite(rows[:frames]).all(), name
for path in glob.glob(os.path.join(sys.argv[1], "*.h5md")):
    first_frame = path[:-5] + ".gro"
    if not os.path.exists(first_frame) or os.path.getsize(first_frame) == 0 or not has_begun(path):
        continue
    with h5py.File(path, "r") as file:
        position = file["particles/trajectory/position"]
        frames = len(position["value"])
        assert len(position["step"]) == len(position["time"]) == frames
        assert numpy.isfinite(position["value"][:]).all()
    if frames == 0:
        continue
    import MDAnalysis

    universe = MDAnalysis.Universe(first_frame, path)
    assert len(universe.trajectory) == frames
    universe.trajectory[-1]
    bond = numpy.linalg.norm(universe.atoms.positions[1] - universe.atoms.positions[0])
    assert min(abs(bond - length) for length in (0.9572, 0.8724)) < 1e-3, bond  # TIP3P, OPC
