#!/usr/bin/env python3
"""Draws work against precision from what `rill compare --csv` wrote: the error of the positions against the time of the run
and against the step, and the error of the energy against the time."""
import argparse
import csv

import rilldata as rill
from rilldata import np, plt

MARKS = "osv^D<>ph*"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", metavar="CSV", help="the table of rill compare")
    parser.add_argument("-o", "--output", required=True, metavar="PNG", help="the picture (.png, .pdf or .svg)")
    arguments = parser.parse_args()
    rill.check_picture(arguments.output)
    comment, names, rows = read(arguments.csv)
    step, energy = column(names, "step"), column(names, "energy_error")
    panels = [("total_ms", "position_error", "time of the run / ms", "error of the positions"),
              (step, "position_error", label(step, "step"), "error of the positions"),
              ("total_ms", energy, "time of the run / ms", label(energy, "error of the energy"))]
    rill.style()
    figure, axes = plt.subplots(1, 3, figsize=(12.4, 4.4), constrained_layout=True)
    methods = list(dict.fromkeys(row["method"] for row in rows))
    for axis, (x, y, xlabel, ylabel) in zip(axes, panels):
        for k, method in enumerate(methods):
            points = [(float(row[x]), float(row[y])) for row in rows
                      if row["method"] == method and row["status"] == "ok" and row[y] and float(row[y]) > 0]
            if points:
                axis.plot(*np.array(sorted(points)).T, MARKS[k % len(MARKS)] + "-", ms=4, lw=1.1, label=method,
                          color=plt.cm.turbo(0.04 + 0.92 * k / max(1, len(methods) - 1)) if len(methods) > 6 else None)
        axis.set(xscale="log", yscale="log", xlabel=xlabel, ylabel=ylabel)
        if x == step:
            steps = sorted({float(row[step]) for row in rows})
            axis.set_xticks(steps[:: 1 + len(steps) // 6])
            axis.xaxis.set_major_formatter("{x:.4g}")
            axis.xaxis.set_minor_formatter(plt.NullFormatter())
    if not axes[0].lines:
        raise rill.DataError(f"{arguments.csv}: no run that came to its end, so nothing to draw")
    axes[2].legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    figure.suptitle(comment, x=0.012, ha="left", fontsize=10)
    rill.save(figure, arguments.output)


def read(path):
    lines = [line for line in rill.read_text(path).splitlines() if line]
    comment = next((line[1:].strip() for line in lines if line.startswith("#")), "")
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    names = list(rows[0]) if rows else []
    for name in ("method", "position_error", "total_ms", "status"):
        if name not in names:
            raise rill.DataError(f"{path}: no column '{name}'; expected a table of rill compare --csv")
    return comment, names, rows


def column(names, begin):
    """The column of this name, with its unit."""
    return next(name for name in names if name == begin or name in (begin + "_s", begin + "_J"))


def label(name, text):
    return f"{text} / {name[-1]}" if name.endswith(("_s", "_J")) else text


if __name__ == "__main__":
    rill.run(main)
