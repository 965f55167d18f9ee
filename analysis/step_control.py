#!/usr/bin/env python3
"""Draws what control of the step does to Kepler's problem with the eccentricity 0.9, from runs that it makes with `rill run`:
the error of the position after ten periods, and of the energy in them, against the number of steps in a period; and the energy
over many periods of 200 steps.  Verlet with equal steps is drawn beside three kinds of control."""
import argparse
import os
import subprocess
import tempfile

import rilldata as rill
from rilldata import np

METHODS = ["verlet", "verlet-transformed", "verlet-adaptive", "verlet-naive"]
ECCENTRICITY, PERIODS = 0.9, 10
DECK = """[system]
kind = kepler
eccentricity = {eccentricity}
[integrator]
method = {method}
step = {step!r}
steps = {steps}
[output]
series = kepler.csv
series_interval = {interval} steps
[stop]
max_energy_change = none
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rill", default="rill", help="the program")
    parser.add_argument("--counts", type=int, nargs="+", default=[125 * 2**k for k in range(6)], help="steps in a period")
    parser.add_argument("--periods", type=int, default=1000, help="of the long runs")
    parser.add_argument("-o", "--output", required=True, metavar="PNG", help="the picture (.png, .pdf or .svg)")
    arguments = rill.parse(parser, "output")
    if min(arguments.counts) < 1 or arguments.periods < 1:
        parser.error("--counts and --periods: whole numbers above 0 are expected")
    rill.check_picture(arguments.output)
    rill.style()
    figure, panels = rill.plt.subplots(1, 3, figsize=(11, 3.6), constrained_layout=True)
    for k, method in enumerate(METHODS):
        draw_work(panels[:2], arguments, method, f"C{k}")
        if method != "verlet":
            draw_energy(panels[2], arguments, method, f"C{k}")
    for axes, what in zip(panels, ("error of the position", "largest error of the energy", "error of the energy")):
        axes.set_yscale("log")
        axes.set_ylabel(what)
    for axes in panels[:2]:
        axes.set_xscale("log")
        axes.set_xlabel("steps in a period")
    panels[2].set_xlabel("time / periods, 200 steps in each")
    panels[0].legend(fontsize=8)
    rill.save(figure, arguments.output)


def fictitious_period():
    """The time of a period for steps as long as r^(3/2): dt = r dE and dtau = dt r^(-3/2), over the eccentric anomaly E."""
    r = 1 - ECCENTRICITY * np.cos(2 * np.pi * np.arange(20000) / 20000)
    return 2 * np.pi * np.mean(r**-0.5)


def run(program, method, per_period, periods, interval):
    """Time, position and relative error of the energy at the samples of a run, which may end early."""
    period = 2 * np.pi if method == "verlet" else fictitious_period()
    deck = DECK.format(eccentricity=ECCENTRICITY, method=method, step=float(period / per_period),
                       steps=periods * per_period, interval=interval)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kepler.ini")
        with open(path, "w", encoding="utf-8") as file:
            file.write(deck)
        try:
            made = subprocess.run([program, "run", path, "-q", "-o", folder], capture_output=True, text=True, check=False)
        except OSError as error:
            raise rill.DataError(f"{program}: {error.strerror}; name the program with --rill") from None
        if made.returncode > 1:
            raise rill.DataError(made.stderr.strip())
        table = rill.read_table(os.path.join(folder, "kepler.csv"), ["t", "total", "q1", "q2"])
    time = table["t"] if method == "verlet" else table["clock"]
    return time, np.array([table["q1"], table["q2"]]), np.abs(2 * table["total"] + 1)


def exact(time):
    """The position at a time, by Newton's method on Kepler's equation."""
    mean = np.remainder(time + np.pi, 2 * np.pi) - np.pi
    eccentric = mean + np.copysign(ECCENTRICITY, mean)
    for _ in range(60):
        eccentric = eccentric - (eccentric - ECCENTRICITY * np.sin(eccentric) - mean) / (1 - ECCENTRICITY * np.cos(eccentric))
    return np.array([np.cos(eccentric) - ECCENTRICITY, np.sqrt(1 - ECCENTRICITY**2) * np.sin(eccentric)])


def draw_work(panels, arguments, method, color):
    errors = []
    for count in arguments.counts:
        time, position, energy = run(arguments.rill, method, count, PERIODS, 1)
        errors.append((np.hypot(*(position[:, -1] - exact(time[-1]))), energy.max()))
    for axes, row in zip(panels, np.transpose(errors)):
        axes.plot(arguments.counts, row, marker="o", markersize=4, color=color, label=method)


def draw_energy(axes, arguments, method, color):
    """The largest error in each ten periods."""
    time, _, energy = run(arguments.rill, method, 200, arguments.periods, 7)
    bound = time < 2 * np.pi * arguments.periods  # what is not bound goes far in a step
    time, energy = time[bound], energy[bound]
    blocks = np.floor(time / (20 * np.pi)).astype(int)
    most = [energy[blocks == block].max() for block in np.unique(blocks)]
    axes.plot(10 * (np.unique(blocks) + 1), most, color=color)


if __name__ == "__main__":
    rill.run(main)
