"""Densities of runs at constant pressure, of rill's series or of GROMACS's energies (gmx energy, .xvg), with errors
by blocks.

densities.py mean FILE FROM_PS                        length in ns, mean and standard error in g/cm3
densities.py judge REFERENCE MODEL FILE FROM_PS MOST  whether the mean is that of GROMACS for this model in the table
                                                      REFERENCE, within MOST combined standard errors
"""
import csv
import sys
from math import hypot, sqrt
from statistics import fmean, stdev


def read(path, start):
    """Times, ps, and densities, g/cm3, after the time `start`."""
    with open(path, encoding="ascii") as file:
        lines = [line for line in file if line[0] not in "#@"]
    if path.endswith(".xvg"):  # kg/m3
        rows = [tuple(map(float, line.split())) for line in lines]
        rows = [(time, density / 1000) for time, density in rows]
    else:
        rows = [(float(row["time_ps"]), float(row["density"])) for row in csv.DictReader(lines)]
    return [row for row in rows if row[0] > start]


def error_of(values):
    """By blocks of ever more samples: the largest standard error of the mean, with at least 16 blocks."""
    largest = 0
    while len(values) >= 16:
        largest = max(largest, stdev(values) / sqrt(len(values)))
        values = [(a + b) / 2 for a, b in zip(values[::2], values[1::2])]
    return largest


def mean_of(path, start):
    """Length, ns, mean and standard error, g/cm3."""
    rows = read(path, start)
    if len(rows) < 16:
        sys.exit(f"{path}: {len(rows)} samples after {start} ps, at least 16 are needed")
    densities = [density for _, density in rows]
    return (rows[-1][0] - start) / 1000, fmean(densities), error_of(densities)


def judge(reference, model, path, start, most):
    with open(reference, encoding="ascii") as file:
        found = [row for row in csv.DictReader(line for line in file if line[0] != "#")
                 if row["model"] == model and row["program"] == "GROMACS"]
    if len(found) != 1:
        sys.exit(f"{reference}: {len(found)} rows of GROMACS for {model}, expected one")
    target, its_error = float(found[0]["density"]), float(found[0]["error"])
    length, density, error = mean_of(path, start)
    off = abs(density - target) / hypot(error, its_error)
    print(f"{model}: {density:.5f} +- {error:.5f} g/cm3 of {length:.2f} ns; GROMACS {target:.5f} +- {its_error:.5f}: "
          f"{off:.1f} combined standard errors")
    return off <= most


if __name__ == "__main__":
    if sys.argv[1:2] == ["mean"] and len(sys.argv) == 4:
        print("%.2f %.5f %.5f" % mean_of(sys.argv[2], float(sys.argv[3])))
    elif sys.argv[1:2] == ["judge"] and len(sys.argv) == 7:
        sys.exit(not judge(sys.argv[2], sys.argv[3], sys.argv[4], float(sys.argv[5]), float(sys.argv[6])))
    else:
        sys.exit(__doc__)
