"""Steps and times of the output of a run that began at a large step: large_steps.py TRAJECTORY SERIES STEP LENGTH INTERVAL."""
import sys

import h5py
import numpy

trajectory, series, last, length, interval = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])
with h5py.File(trajectory, "r") as file:
    if "series" in file:
        steps, times = file["series/step"][:], file["series/t"][:]
    else:
        steps, times = file["particles/trajectory/position/step"][:], file["particles/trajectory/position/time"][:]
wanted = [step for step in range(last - 29, last + 1) if step % interval == 0 or step == last]
assert steps.dtype == numpy.int64
assert list(steps[-len(wanted) :]) == wanted, (steps, wanted)
assert all(time == step * length for step, time in zip(steps, times)), times
rows = numpy.loadtxt(series, delimiter=",", comments=("#", "s"), usecols=(0, 1))
assert rows[-1][0] == last and all(time == step * length for step, time in rows), rows
