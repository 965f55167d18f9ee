"""Copies of an HDF5 file with a number changed in each: change.py FILE DATASET... makes FILE.0, FILE.1, ...; 77 without h5py."""
import shutil
import sys

try:
    import h5py
except ImportError:
    sys.exit(77)

for i, name in enumerate(sys.argv[2:]):
    copy = f"{sys.argv[1]}.{i}"
    shutil.copy(sys.argv[1], copy)
    with h5py.File(copy, "r+") as file:
        first = file[name][0]
        file[name][0] = first + 1
