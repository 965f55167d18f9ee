#!/usr/bin/env python3
"""Draws the published figures from what `rill reproduce all --data DIR --csv DIR/results.csv` wrote: a picture a figure,
axes as in the papers.  Where a paper prints numbers they are drawn as open circles."""
import argparse
import csv
import os
import re

import rilldata as rill
from rilldata import np, plt

RESULTS = ["name", "quantity", "setting", "expected", "source", "ours", "difference", "tolerance", "verdict"]
METHODS = {"dvp": "DVP", "energy-momentum": "EM"}
COLOURS = rill.COLOURS + [rill.GREY]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", metavar="DIR", help="the folder of --data")
    parser.add_argument("names", metavar="NAME", nargs="*", help="figures, such as tao-owhadi-figure-1 (default: all)")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="the folder for the pictures (NAME.png)")
    parser.add_argument("--csv", metavar="FILE", help="the numbers (default: results.csv in the data's folder)")
    arguments = rill.parse(parser)
    for name in arguments.names:
        if name not in FIGURES:
            raise rill.DataError(f"{name}: no such figure; there are {', '.join(FIGURES)}")
    results = Results(arguments.csv or os.path.join(arguments.data, "results.csv"))
    rill.style()
    try:
        os.makedirs(arguments.output, exist_ok=True)
    except OSError as error:
        raise rill.DataError(f"{arguments.output}: {error.strerror}") from None
    for name in arguments.names or FIGURES:
        figure = FIGURES[name](name, Curves(arguments.data, name), results)
        path = os.path.join(arguments.output, name + ".png")
        rill.save(figure, path)
        print(path)


# --- what was written ---

class Results:
    """Rows of the results' CSV, by name."""

    def __init__(self, path):
        lines = [line for line in rill.read_text(path).splitlines() if line and not line.startswith("#")]
        if not lines or lines[0].split(",") != RESULTS:
            raise rill.DataError(f"{path}: no results of rill reproduce; expected the header {','.join(RESULTS)}")
        self.path, self.rows = path, list(csv.DictReader(lines))

    def against_step(self, name, quantity):
        """{method: (steps, ours, printed)} of a quantity whose name begins so; printed: from the setting, or NaN."""
        found = {}
        for row in self.rows:
            step = re.search(r"h = ([0-9.e+-]+)", row["setting"])
            method = re.search(r"method = ([a-z0-9-]+)", row["setting"])
            if row["name"] == name and row["quantity"].startswith(quantity) and step and method:
                printed = re.search(r"printed: ([0-9.e+-]+)", row["setting"])
                value = (float(step.group(1)), float(row["ours"]), float(printed.group(1)) if printed else np.nan)
                found.setdefault(method.group(1), []).append(value)
        if not found:
            raise rill.DataError(f"{self.path}: no row of {name} with '{quantity}'; run rill reproduce all --csv again")
        return {method: np.array(sorted(values)).T for method, values in found.items()}


class Curves:
    """The curves of a figure: [(curve, columns, {column: array})], read on demand."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name

    def read(self):
        curves, number = [], 1
        while True:
            path = os.path.join(self.folder, self.name + (f"-{number}" if number > 1 else "") + ".csv")
            if number > 1 and not os.path.exists(path):
                return curves
            curves += self.of_file(path)
            number += 1

    @staticmethod
    def of_file(path):
        lines = [line for line in rill.read_text(path).splitlines() if line and not line.startswith("#")]
        rows = list(csv.reader(lines))
        if not rows or rows[0][0] != "curve":
            raise rill.DataError(f"{path}: no curves of rill reproduce; expected a header that begins with 'curve'")
        groups = {}
        for row in rows[1:]:
            if len(row) == len(rows[0]):  # a line torn by a killed run is left out
                groups.setdefault(row[0], []).append([float(value or "nan") for value in row[1:]])
        return [(curve, rows[0][1:], dict(zip(rows[0][1:], np.array(values).T))) for curve, values in groups.items()]


# --- Wendlandt & Marsden 1997 ---

def title(figure, text):
    figure.suptitle(text, x=0.012, ha="left", fontsize=11, fontweight="bold")


def draw_against_step(found, label, heading):
    """found: {method: (steps, ours, printed)}"""
    figure, axes = plt.subplots(figsize=(5.6, 4.2), constrained_layout=True)
    for k, (method, (steps, ours, paper)) in enumerate(found.items()):
        shown = ours > 0
        if not np.isfinite(paper).any() and ours[shown].size and ours[shown].max() < 1e-9:
            axes.plot([], [], label=f"{METHODS.get(method, method)}: round-off, below {ours.max():.0e}", color=rill.COLOURS[k])
            continue
        axes.plot(steps[shown], ours[shown], "o-", ms=4, label=METHODS.get(method, method), color=rill.COLOURS[k])
        printed = paper > 0
        if printed.any():
            axes.plot(steps[printed], paper[printed], "o", ms=9, mfc="none", color=rill.COLOURS[k],
                      label=f"{METHODS.get(method, method)}, printed")
    axes.set(xscale="log", yscale="log", xlabel="time step h (s)", ylabel=label)
    axes.legend()
    title(figure, heading)
    return figure


def times_against_step(heading):
    return lambda name, _, results: draw_against_step(results.against_step(name, "time"), "CPU time (s)", heading)


def errors_against_step(label, heading):
    def draw(name, curves, _):
        found = {}
        for curve, columns, values in curves.read():
            if columns[0] != "h, s":
                raise rill.DataError(f"{name}: no errors against the step in {curves.folder}")
            found[curve] = tuple(values[column] for column in columns)
        return draw_against_step(found, label, heading)
    return draw


def against_time(heading, panels):
    """panels: (ylabel, [columns that begin so, ...], last time)."""
    def draw(name, curves, _):
        figure, axes = plt.subplots(len(panels), 1, figsize=(7.4, 1.3 + 2.1 * len(panels)), constrained_layout=True,
                                    squeeze=False)
        data = curves.read()
        for axis, (label, wanted, last) in zip(axes[:, 0], panels):
            for _, columns, values in data:
                time = values[columns[0]]
                for column in columns[1:]:
                    if any(column.startswith(begin) for begin in wanted):
                        axis.plot(time[time <= last], values[column][time <= last], lw=0.9, label=pretty(column))
            if not axis.lines:
                raise rill.DataError(f"{name}: no curve that begins with {wanted[0]} in {curves.folder}")
            axis.set(ylabel=label, xlim=(0, None))
            rill.legend_above(axis)
        axes[-1, 0].set_xlabel("time (s)")
        title(figure, heading)
        return figure
    return draw


def pretty(column):
    for method, short in METHODS.items():
        column = column.replace(method, short)
    return column.replace("lambda", "λ")


# --- Tao & Owhadi 2016 ---

def errors_of_methods(name, curves, _):
    data = curves.read()
    rows = (len(data) + 1) // 2
    figure, axes = plt.subplots(rows, 2, figsize=(9.6, 1.75 * rows + 0.6), sharex=True, constrained_layout=True, squeeze=False)
    for axis, (curve, columns, values) in zip(axes.flat, data):
        axis.plot(values["t"], values["error of x2"], lw=0.8, label="x₂")
        axis.plot(values["t"], values["error of y2"], lw=0.8, label="y₂")
        axis.set_title(curve, fontsize=9)
        axis.set_ylabel("error")
    for axis in axes.flat[len(data):]:
        axis.set_axis_off()
    axes.flat[0].legend(loc="upper left", ncol=2)
    for axis in axes.flat[len(data) - 2:len(data)]:
        axis.set_xlabel("t")
        axis.tick_params(labelbottom=True)
    title(figure, "Tao & Owhadi, Fig. 1: double pendulum, errors against the benchmark")
    return figure


def stability(name, curves, _):
    """Left: each (w, h) of the scan that fails.  Right: when, over a long run."""
    data = curves.read()
    short, long = ([item for item in data if item[1][0] == first] for first in ("h", "w"))
    figure, axes = plt.subplot_mosaic([["short", "long"], ["legend"] * 2], figsize=(10.4, 5.0), constrained_layout=True,
                                      gridspec_kw={"height_ratios": [1, 0.13]})
    steps = np.unique(short[0][2]["h"]) if short else []
    for k, ((curve, columns, values), mark) in enumerate(zip(short, "osvD^Px")):
        failed = np.isfinite(values[columns[2]])
        spread = 1.045 ** (k - 0.5 * (len(short) - 1))  # side by side, not one above the other
        axes["short"].plot(values["h"][failed] * spread, values["w"][failed], mark, ms=3, color=COLOURS[k],
                     label=curve if failed.any() else f"{curve}: none fails")
    if len(steps):
        axes["short"].plot(steps, 0.13 / (0.4 * steps**2), lw=0.8, color=rill.GREY, label="wβh² = 0.13", zorder=0)
    axes["short"].set(xscale="log", yscale="log", xlabel="h", ylabel="ω that fails, t ≤ 50", ylim=(4, 15000))
    axes["short"].set_xticks(steps, [f"{step:g}" for step in steps])
    axes["short"].minorticks_off()
    for k, ((curve, columns, values), mark) in enumerate(zip(long, "osvD^Px")):
        failed = np.isfinite(values[columns[1]])
        axes["long"].plot(values["w"][failed], values[columns[1]][failed], mark + "-", ms=3.5, lw=0.6, color=COLOURS[k])
    axes["long"].set(xscale="log", yscale="log", xlabel="ω", ylabel="time of failure, h = 0.1", ylim=(0.05, 1000), xlim=(4, 15000))
    axes["legend"].set_axis_off()
    axes["legend"].legend(*axes["short"].get_legend_handles_labels(), loc="center", ncol=4, fontsize=8)
    title(figure, "Tao & Owhadi, Fig. 1, caption: stiffness that each method bears")
    return figure


def satisfaction(name, curves, _):
    (_, columns, values), = curves.read()
    figure, axes = plt.subplots(figsize=(5.6, 4.2), constrained_layout=True)
    for column, mark in zip(columns[1:], "osv"):
        axes.plot(values[columns[0]], values[column], mark + "-", ms=4, label=column)
    axes.set(xscale="log", xlabel="ω", ylabel="ω² |g(q)|", ylim=(0, None))
    axes.legend()
    title(figure, "Tao & Owhadi, Fig. 2(a): satisfaction of constraints")
    return figure


def multipliers(name, curves, _):
    (_, columns, values), *_ = curves.read()
    figure, axes = plt.subplots(2, 1, figsize=(7.4, 5.0), sharex=True, constrained_layout=True)
    for k, axis in enumerate(axes, 1):
        for column in columns[1:]:
            if column.startswith(f"lambda{k}"):
                axis.plot(values["t"], values[column], lw=1.6 if "SHAKE" in column else 0.8, label=column.split(", ")[1])
        axis.set_ylabel("λ₁" if k == 1 else "λ₂")
        rill.legend_above(axis)
    axes[-1].set_xlabel("t")
    title(figure, "Tao & Owhadi, Fig. 2(b): Lagrange multipliers")
    return figure


def chain(name, curves, _):
    data = curves.read()
    figure, axes = plt.subplots(4, 1, figsize=(7.4, 7.0), sharex=True, constrained_layout=True)
    for axis, column in zip(axes, ("x5", "y5", "x10", "y10")):
        for k, (curve, _, values) in enumerate(data):
            axis.plot(values["t"], values[column], lw=max(0.7, 2.4 - 0.5 * k), label=curve, alpha=0.85)
        axis.set_ylabel(column[0] + ("₅" if column.endswith("5") else "₁₀"))
    axes[0].legend(loc="lower right", bbox_to_anchor=(1, 1), ncol=3, fontsize=7.5)
    axes[-1].set_xlabel("t")
    title(figure, "Tao & Owhadi, Fig. 3: chain of ten pendula")
    return figure


def transitions(name, curves, _):
    data = curves.read()
    figure, axes = plt.subplots(len(data), 1, figsize=(7.4, 0.9 + 1.9 * len(data)), sharex=True, constrained_layout=True,
                                squeeze=False)
    for axis, (curve, _, values) in zip(axes[:, 0], data):
        for well in (0.795399, 5.487786):
            axis.axhline(well, color=rill.FAINT, lw=1.2)
        axis.plot(values["t"], values["mean angle"], lw=0.8)
        axis.set_title(curve, fontsize=9)
        axis.set_ylabel("mean angle")
    axes[-1, 0].set_xlabel("t")
    title(figure, "Tao & Owhadi, Fig. 8: conformational transitions of DNA")
    return figure


def dipole(name, curves, _):
    (_, columns, values), *_ = curves.read()
    figure, axes = plt.subplots(3, 1, figsize=(7.4, 5.6), sharex=True, constrained_layout=True)
    for axis, letter in zip(axes, "xyz"):
        for column, width in ((f"{letter}, benchmark", 1.8), (f"{letter}, Z&S", 0.9)):
            axis.plot(values["t"], values[column], lw=width, label=column.split(", ")[1])
        axis.set(ylabel=f"dipole, {letter}", ylim=(-1.1, 1.1))
    rill.legend_above(axes[0])
    axes[-1].set_xlabel("t")
    title(figure, "Tao & Owhadi, Fig. 9: magnetised rigid body")
    return figure


def preservation(name, curves, _):
    data = curves.read()
    figure, axes = plt.subplots(3, len(data), figsize=(3.0 * len(data), 6.4), sharex=True, constrained_layout=True,
                                squeeze=False)
    for column, (curve, _, values) in enumerate(data):
        for row, (quantity, label) in enumerate((("energy error", "energy error"), ("|R^T R - 1|", "|RᵀR − I|"),
                                                  ("|R - R_ref|", "|R − R_benchmark|"))):
            axis = axes[row, column]
            axis.plot(values["t"], values[quantity], lw=0.8)
            if column == 0:
                axis.set_ylabel(label)
        axes[0, column].set_title(curve.replace(", ", "\n", 1), fontsize=8.5)
        axes[-1, column].set_xlabel("t")
    title(figure, "Tao & Owhadi, Fig. 10: energy, group structure and deviation")
    return figure


def distributions(heading):
    """One panel: the densities of O-O distances, in the range where there are any."""
    def draw(name, curves, _):
        (_, columns, values), = curves.read()
        figure, axes = plt.subplots(figsize=(7.4, 4.2), constrained_layout=True)
        r, most = values[columns[0]], max(values[column].max() for column in columns[1:])
        for column, width in zip(columns[1:], (1.8, 1.0, 0.8)):
            axes.step(r, values[column], where="mid", lw=width, label=column.replace("w =", "ω ="))
        shown = np.any([values[column] > 2e-3 * most for column in columns[1:]], axis=0)
        axes.set(xlabel="r / Å", ylabel="P(r) / Å⁻¹", xlim=(r[shown].min() - 0.2, r[shown].max() + 0.2), ylim=(0, None))
        axes.legend()
        title(figure, heading)
        return figure
    return draw


def water_multiplier(name, curves, _):
    (_, columns, values), = curves.read()
    figure, axes = plt.subplots(2, 1, figsize=(7.4, 5.0), sharex=True, constrained_layout=True)
    for axis, wanted in zip(axes, (columns[1:3], columns[3:])):
        for column, width in zip(wanted, (2.0, 0.8)):
            axis.plot(values["t"], values[column], lw=width, label=column + ("" if "RATTLE" in column else ", ω = 500"))
        axis.set_ylabel("λ / kcal mol⁻¹ Å⁻²")
        rill.legend_above(axis)
    axes[-1].set_xlabel("t (48.9 fs)")
    title(figure, "Tao & Owhadi, Fig. 5: multiplier of the first O–H bond, windows of 0.2")
    return figure


def water_conservation(name, curves, _):
    data = curves.read()
    figure, axes = plt.subplots(3, len(data), figsize=(2.8 * len(data), 6.0), sharex=True, constrained_layout=True,
                                squeeze=False)
    for column, (curve, _, values) in enumerate(data):
        for row, (quantity, label) in enumerate((("energy error", "energy error / kcal mol⁻¹"),
                                                 ("momentum error", "momentum error"),
                                                 ("angular momentum error", "angular momentum error"))):
            axis = axes[row, column]
            axis.plot(values["t"], values[quantity], lw=0.7)
            axis.ticklabel_format(axis="y", scilimits=(-2, 3))
            if column == 0:
                axis.set_ylabel(label)
        axes[0, column].set_title(curve.replace("w =", "ω ="), fontsize=8.5)
        axes[-1, column].set_xlabel("t (48.9 fs)")
    title(figure, "Tao & Owhadi, Fig. 6: 7 waters, energy and momenta, h = 0.05")
    return figure


# --- Leok & Shingel ---

def shooting(heading, order):
    """(a) error against step, (b) against CPU time, (c) energy against time."""
    def draw(name, curves, _):
        data = curves.read()
        errors, energies = ([item for item in data if item[1][0] == first] for first in ("h", "t"))
        if not errors or not energies:
            raise rill.DataError(f"{name}: no curves against h and t in {curves.folder}")
        figure, axes = plt.subplot_mosaic([["step", "time"], ["energy"] * 2], figsize=(8.4, 6.4), constrained_layout=True)
        for k, (curve, _, values) in enumerate(errors):
            for panel, abscissa in (("step", "h"), ("time", "CPU time")):
                axes[panel].plot(values[abscissa], values["global error"], "o-", ms=4, color=COLOURS[k], label=curve.split(",")[0])
        steps, error = errors[-1][2]["h"], errors[-1][2]["global error"]
        axes["step"].plot(steps, 0.3 * error[0] * (steps / steps[0])**order, ":", color=rill.GREY, label=f"order {order}")
        axes["step"].set(xscale="log", yscale="log", xlabel="time step h", ylabel="global error at t = 10")
        axes["time"].set(xscale="log", yscale="log", xlabel="CPU time (s)", ylabel="global error at t = 10")
        for k, (curve, _, values) in enumerate(energies):
            axes["energy"].plot(values["t"], values["H"], lw=0.8, color=COLOURS[k], label=curve.split(",")[0])
        axes["energy"].set(xlabel="time", ylabel="Hamiltonian, h = 0.2", xlim=(200, 300))
        axes["energy"].ticklabel_format(axis="y", useOffset=False)
        axes["step"].legend()
        rill.legend_above(axes["energy"])
        title(figure, heading)
        return figure
    return draw


def rotations(name, curves, _):
    """(a) energy against time, a panel a problem; (b) orthogonality against step and CPU time."""
    data = curves.read()
    energies, steps = ([item for item in data if item[1][0] == first] for first in ("t", "h"))
    if not energies or not steps:
        raise rill.DataError(f"{name}: no curves against t and h in {curves.folder}")
    problems = list(dict.fromkeys(curve.split(", ")[0] for curve, _, _ in energies))
    colours = dict(zip(("RK", "SRK", "LGM", "LGVI", "LGVI, compensated"), COLOURS))
    figure, axes = plt.subplot_mosaic([problems, ["step"] * len(problems)], figsize=(10.4, 6.6), constrained_layout=True)
    for curve, _, values in energies:
        problem, method = curve.split(", ")
        axes[problem].plot(values["t"], values["energy error"], lw=0.8, color=colours[method], label=method)
    for problem in problems:
        axes[problem].set(title=problem, xlabel="time")
        if max(abs(line.get_ydata()).max() for line in axes[problem].lines) > 1e-2:
            axes[problem].set_yscale("symlog", linthresh=1e-3)
        else:
            axes[problem].ticklabel_format(axis="y", scilimits=(-3, 3))
    axes[problems[0]].set_ylabel("energy error, h = 0.1")
    axes[problems[0]].legend()
    for curve, _, values in steps:
        axes["step"].plot(values["h"], values["orthogonality error"], "o-", ms=4, color=colours[curve], label=curve)
    axes["step"].set(xscale="log", yscale="log", xlabel="time step h", ylabel="mean |RᵀR − I|, free body")
    axes["step"].legend(ncol=2)
    title(figure, "Leok & Shingel, Fig. 1: Lie group velocity Verlet and methods of its order")
    return figure


# --- Leimkuhler & Patrick ---

def leapfrogs(heading):
    """Left: errors against the step, by body.  Right: energies against time."""
    def draw(name, curves, _):
        data = curves.read()
        errors, energies = ([item for item in data if item[1][0] == first] for first in ("h", "t"))
        if not errors or not energies:
            raise rill.DataError(f"{name}: no curves against h and t in {curves.folder}")
        figure, axes = plt.subplot_mosaic([["error", k] for k in range(len(energies))], figsize=(10.4, 4.6),
                                          constrained_layout=True)
        bodies = list(dict.fromkeys(curve.rsplit(", ", 1)[0] for curve, _, _ in errors))
        for curve, _, values in errors:
            body, method = curve.rsplit(", ", 1)
            axes["error"].plot(values["h"], values["error"], "s--" if method == "yoshida4" else "o-", ms=4,
                         color=COLOURS[bodies.index(body)], label=curve)
        axes["error"].set(xscale="log", yscale="log", xlabel="time step h", ylabel="largest error at the end")
        axes["error"].legend(fontsize=7.5)
        for k, (curve, _, values) in enumerate(energies):
            axes[k].plot(values["t"], values["energy error"], lw=0.6, color=COLOURS[0])
            axes[k].set_title(curve, fontsize=9)
            axes[k].set_ylabel("energy error")
            axes[k].ticklabel_format(axis="y", scilimits=(-3, 3))
        axes[len(energies) - 1].set_xlabel("time")
        title(figure, heading)
        return figure
    return draw


RIGID, PENDULUM = "Wendlandt & Marsden, Fig. {}: rigid body", "Wendlandt & Marsden, Fig. {}: double spherical pendulum"
FIGURES = {
    "wendlandt-marsden-figure-2": times_against_step(RIGID.format(2)),
    "wendlandt-marsden-figure-3": errors_against_step("quaternion error", RIGID.format(3)),
    "wendlandt-marsden-figure-4": against_time(RIGID.format(4), [("q_y", ["q_y"], 10), ("q_y", ["q_y"], 30)]),
    "wendlandt-marsden-figure-5": errors_against_step("energy error (J)", RIGID.format(5)),
    "wendlandt-marsden-figure-6": errors_against_step("momentum error (kg m²/s)", RIGID.format(6)),
    "wendlandt-marsden-figure-7": times_against_step(PENDULUM.format(7)),
    "wendlandt-marsden-figure-8": errors_against_step("position error (m)", PENDULUM.format(8)),
    "wendlandt-marsden-figure-9": against_time(PENDULUM.format(9), [("y₂ (m)", ["y_2"], 10), ("y₂ (m)", ["y_2"], 30)]),
    "wendlandt-marsden-figure-10": errors_against_step("energy error (J)", PENDULUM.format(10)),
    "wendlandt-marsden-figure-11": errors_against_step("momentum error about z (kg m²/s)", PENDULUM.format(11)),
    "wendlandt-marsden-figure-12": against_time(PENDULUM.format(12), [
        ("energy (J)", ["E, h = 0.0001 s", "E, h = 0.001 s"], 30), ("energy (J)", ["E, h = 0.01 s", "E, h = 0.1 s"], 30),
        ("multipliers", ["lambda"], 30)]),
    "tao-owhadi-figure-1": errors_of_methods,
    "tao-owhadi-stability": stability,
    "tao-owhadi-figure-2a": satisfaction,
    "tao-owhadi-figure-2b": multipliers,
    "tao-owhadi-figure-3": chain,
    "tao-owhadi-figure-4": distributions("Tao & Owhadi, Fig. 4: O–O distances of 7 waters at 10 K"),
    "tao-owhadi-figure-5": water_multiplier,
    "tao-owhadi-figure-6": water_conservation,
    "tao-owhadi-figure-7": distributions("Tao & Owhadi, Fig. 7: O–O distances of 100 waters at 10 K"),
    "tao-owhadi-figure-8": transitions,
    "tao-owhadi-figure-9": dipole,
    "tao-owhadi-figure-10": preservation,
    "leok-shingel-figure-1": rotations,
    "leok-shingel-figure-2": shooting("Leok & Shingel, Fig. 2: pendulum, SVIMID and MID", 2),
    "leok-shingel-figure-3": shooting("Leok & Shingel, Fig. 3: pendulum, SVIRK4 and SRK4", 4),
    "leok-shingel-figure-4": shooting("Leok & Shingel, Fig. 4: oscillator, Simpson and Euler–Maclaurin", 4),
    "leimkuhler-patrick-ellipsoid": leapfrogs("Leimkuhler & Patrick, section 5.1: particle on an ellipsoid"),
    "leimkuhler-patrick-lie-poisson": leapfrogs("Leimkuhler & Patrick, section 5.2: free rigid body, Lie–Poisson"),
}

if __name__ == "__main__":
    rill.run(main)
