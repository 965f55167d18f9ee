#!/usr/bin/env python3
"""Draws work against precision from what `rill compare --csv` wrote.  Small systems: the error of the positions against the
time of the run and against the step, and the error of the energy against the time.  Water: where the time of a step goes;
against the time of a nanosecond, the fluctuation of the energy, or under a thermostat the distance of the O-O distribution
from that of the reference; and the largest stable steps where they were looked for, otherwise the drift or the temperatures.
With --samples, and of small systems in heat baths: for each observable the cost of an independent sample against the step, and
the bias against that cost."""
import argparse
import csv

import rilldata as rill
from rilldata import np, plt

MARKS = "osv^D<>ph*"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", metavar="CSV", nargs="+", help="the table of rill compare; of several, with --stability, the "
                        "largest stable steps are drawn side by side")
    parser.add_argument("--samples", action="store_true", help="costs of independent samples and biases")
    parser.add_argument("-o", "--output", required=True, metavar="PNG", help="the picture (.png, .pdf or .svg)")
    arguments = rill.parse(parser, "output")
    rill.check_picture(arguments.output)
    tables = [read(path) for path in arguments.csv]
    comment, names, rows = tables[0]
    rill.style()
    if len(tables) > 1:
        figure = of_stable_steps(tables)
    else:
        figure = draw(arguments.samples, names, rows)
        figure.suptitle(comment, x=0.012, ha="left", fontsize=10)
    rill.save(figure, arguments.output)


def draw(samples, names, rows):
    sampled = observables(names)
    if samples and not sampled:
        raise rill.DataError("no independent samples in the table: rill compare counts them under a thermostat")
    if samples or (sampled and "forces_us" not in names):
        return of_samples(names, rows, sampled)
    return of_water(rows) if "forces_us" in names else of_small_system(names, rows)


def color(k, count):
    return plt.cm.turbo(0.04 + 0.92 * k / max(1, count - 1)) if count > 6 else f"C{k}"


def ran(row):
    return row["status"] == "ok"


def refuse_when_all_failed(rows):
    if not any(map(ran, rows)):
        raise rill.DataError("no run that came to its end, so nothing to draw")


def of_small_system(names, rows):
    step, energy = column(names, "step"), column(names, "energy_error")
    panels = [("total_ms", "position_error", "time of the run / ms", "error of the positions"),
              (step, "position_error", label(step, "step"), "error of the positions"),
              ("total_ms", energy, "time of the run / ms", label(energy, "error of the energy"))]
    figure, axes = plt.subplots(1, 3, figsize=(12.4, 4.4), constrained_layout=True)
    methods = list(dict.fromkeys(row["method"] for row in rows))
    refuse_when_all_failed(rows)
    for axis, (x, y, xlabel, ylabel) in zip(axes, panels):
        for k, method in enumerate(methods):
            points = [(float(row[x]), float(row[y])) for row in rows
                      if row["method"] == method and ran(row) and row[y] and float(row[y]) > 0]
            failed = [f"{float(row[step]):.4g}" for row in rows if row["method"] == method and not ran(row)]
            name = method + (f" (failed at {', '.join(failed)})" if failed else "")
            axis.plot(*np.array(sorted(points)).reshape(-1, 2).T, MARKS[k % len(MARKS)] + "-", ms=4, lw=1.1, label=name,
                      color=color(k, len(methods)))
        axis.set(xscale="log", yscale="log", xlabel=xlabel, ylabel=ylabel)
        if x == step:
            steps = sorted({float(row[step]) for row in rows})
            axis.set_xticks(steps[:: 1 + len(steps) // 6])
            axis.xaxis.set_major_formatter("{x:.4g}")
            axis.xaxis.set_minor_formatter(plt.NullFormatter())
    axes[2].legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


# --- independent samples ---

def observables(names):
    """Those whose independent samples were counted."""
    return [name[:-len("_samples_per_s")] for name in names if name.endswith("_samples_per_s")]


def of_samples(names, rows, sampled):
    refuse_when_all_failed(rows)
    step = step_of(names)
    methods = list(dict.fromkeys(row["method"] for row in rows))
    figure, axes = plt.subplots(len(sampled), 2, figsize=(11.0, 0.6 + 3.6 * len(sampled)), squeeze=False,
                                constrained_layout=True)
    for observable, (cost, bias) in zip(sampled, axes):
        draw_prices(cost, rows, methods, step, f"{observable}_cost_s", step_label(step), "seconds per independent sample")
        draw_prices(bias, rows, methods, f"{observable}_cost_s", name_with_unit(names, f"{observable}_bias"),
                    "seconds per independent sample", "|bias|")
        cost.set_title(observable.replace("_", " "), loc="left", fontsize=10)
    curves = {}  # a method may have points in some panels only
    for axis in axes.flat:
        handles, labels = axis.get_legend_handles_labels()
        curves.update(zip(labels, handles))
    names = [method for method in methods if method in curves]
    if names:
        axes[0][1].legend([curves[name] for name in names], names, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def step_of(names):
    return next(name for name in ("step_fs", "step_s", "step") if name in names)


def step_label(step):
    return {"step_fs": "step / fs", "step_s": "step / s"}.get(step, "step")


def name_with_unit(names, begin):
    return next(name for name in names if name.startswith(begin) and not name.startswith(begin + "_error"))


def error_name(name):
    """lj_coulomb_bias_kJ_mol: lj_coulomb_bias_error_kJ_mol"""
    for word in ("_cost", "_bias"):
        if word in name:
            return name.replace(word, word + "_error")
    return None


def draw_prices(axis, rows, methods, x, y, xlabel, ylabel):
    for k, method in enumerate(methods):
        points = np.array(sorted([float(row[name]) for name in (x, y, error_name(y))] for row in rows
                                 if row["method"] == method and ran(row) and row[x] and row[y] and row[error_name(y)]))
        if not points.size:
            continue
        values = np.abs(points[:, 1])
        below = np.minimum(points[:, 2], 0.9 * values)  # a logarithmic axis ends above 0
        axis.errorbar(points[:, 0], values, yerr=(below, points[:, 2]), fmt=MARKS[k % len(MARKS)] + "-", ms=4, lw=1.1,
                      capsize=2, label=method, color=color(k, len(methods)))
    axis.set(xscale="log", yscale="log", xlabel=xlabel, ylabel=ylabel)
    if not axis.has_data():
        axis.text(0.5, 0.5, "too few independent samples", transform=axis.transAxes, ha="center")
    elif x == step_of(rows[0]):
        axis.set_xticks(sorted({float(row[x]) for row in rows}))
        axis.xaxis.set_major_formatter("{x:.4g}")
        axis.xaxis.set_minor_formatter(plt.NullFormatter())


# --- water ---

PARTS = (("forces_us", "forces"), ("solve_us", "solve"), ("thermostat_us", "thermostat"), ("rest_us", "rest"))


MOST_CURVES = 8  # of more rows, a legend would be longer than the picture is high: then each panel has a line a row


def of_water(rows):
    refuse_when_all_failed(rows)
    for row in rows:
        if not ran(row):
            row.update({name: "" for name in row if name not in ("method", "step_fs", "status")})
    methods = list(dict.fromkeys(row["method"] for row in rows))
    thermostat = not any(row["momentum_change_u_nm_ps"] for row in rows)
    quality = (("oo_distance_L1", "L1 distance of the O–O distribution") if thermostat else
               ("energy_deviation_kJ_mol", "fluctuation of the energy / kJ mol⁻¹"))
    many = len(rows) > MOST_CURVES
    figure, axes = plt.subplots(1, 3, figsize=(10.5 if many else 15.0, 1.6 + 0.28 * max(len(rows), 10)), sharey=many,
                                constrained_layout=True)
    draw_parts(axes[0], rows)
    (draw_values if many else draw_against_cost)(axes[1], rows, methods, *quality)
    if thermostat and rows[0].get("oo_seed_noise_L1"):
        mark_seeds(axes[1], float(rows[0]["oo_seed_noise_L1"]), many)
    if any(row["stable_step_fs"] for row in rows):
        draw_stable_steps(axes[2], rows, methods)
    elif thermostat:
        draw_temperatures(axes[2], rows)
    else:
        (draw_values if many else draw_against_cost)(axes[2], rows, methods, "energy_drift_kJ_mol_ns",
                                                     "|drift| of the energy / kJ mol⁻¹ ns⁻¹")
    if not many:
        axes[1].legend(loc="best", fontsize=7.5)
    return figure


def mark_seeds(axis, distance, vertical):
    """The distance between two seeds of the first method, below which a distance says nothing."""
    (axis.axvline if vertical else axis.axhline)(distance, color=rill.FAINT, lw=1.5, zorder=0)
    place = ((distance, 0), ("data", "axes fraction")) if vertical else ((1, distance), ("axes fraction", "data"))
    axis.annotate("between seeds", place[0], xycoords=place[1], ha="right", va="bottom", fontsize=8,
                  rotation=90 if vertical else 0)


def draw_values(axis, rows, _, column, label):
    """A point a row."""
    points = [(abs(float(row[column])), k) for k, row in enumerate(rows) if row[column] and float(row[column]) != 0]
    axis.plot(*np.array(points).reshape(-1, 2).T, "o", ms=4)
    axis.set(xscale="log", xlabel=label)


def name_of(row, rows):
    steps = {other["step_fs"] for other in rows}
    return row["method"] + (f", {float(row['step_fs']):.4g} fs" if len(steps) > 1 else "")


def bars(axis, names):
    axis.set_yticks(range(len(names)), names, fontsize=8)
    axis.set_ylim(len(names) - 0.5, -0.5)


def draw_parts(axis, rows):
    """Stacked bars; on a logarithmic axis, where those would mislead, a mark for each part."""
    middle = np.array([float(row["step_us"] or "nan") for row in rows])
    logarithmic = np.nanmax(middle) > 20 * np.nanmin(middle)
    left = np.zeros(len(rows))
    for k, (column, label) in enumerate(PARTS):
        width = np.array([float(row[column] or 0) for row in rows])
        if not width.any():
            continue
        if logarithmic:
            shown = width > 1e-2 * middle
            axis.plot(width[shown], np.arange(len(rows))[shown], MARKS[k], ms=5, label=label, color=rill.COLOURS[k])
        else:
            axis.barh(range(len(rows)), width, left=left, height=0.7, label=label, color=rill.COLOURS[k])
        left += width
    ends = np.array([[float(row[name] or "nan") for name in ("step_least_us", "step_most_us")] for row in rows]).T
    axis.errorbar(middle, range(len(rows)), xerr=np.abs(ends - middle), fmt="k|", ms=7, lw=0.8, capsize=2,
                  label="whole step")
    for k, row in enumerate(rows):
        if not ran(row):
            axis.annotate("failed", (0.02, k), xycoords=("axes fraction", "data"), va="center", fontsize=8,
                          color=rill.VERMILION, fontweight="bold")
    bars(axis, [name_of(row, rows) for row in rows])
    axis.set(xlabel="time of a step / µs", xscale="log" if logarithmic else "linear")
    rill.legend_above(axis, columns=3)


def draw_against_cost(axis, rows, methods, column, label):
    for k, method in enumerate(methods):
        points = [(float(row["step_us"]) / float(row["step_fs"]), abs(float(row[column]))) for row in rows
                  if row["method"] == method and row[column] and float(row[column]) != 0]
        if points:
            axis.plot(*np.array(sorted(points)).T, MARKS[k % len(MARKS)] + "-", ms=5, lw=1.1, label=method,
                      color=color(k, len(methods)))
    axis.set(xscale="log", yscale="log", xlabel="time of a nanosecond / s", ylabel=label)


def draw_stable_steps(axis, rows, methods):
    """Of each method; rows that a method shares with others have the same bar."""
    steps = {row["method"]: float(row["stable_step_fs"] or 0) for row in rows}
    names = [name_of(row, rows) for row in rows] if len(rows) > MOST_CURVES else methods
    each = [row["method"] for row in rows] if len(rows) > MOST_CURVES else methods
    axis.barh(range(len(each)), [steps[method] for method in each], height=0.7, color=rill.COLOURS[0])
    bars(axis, names)
    axis.set_xlabel("largest stable step / fs")


def of_stable_steps(tables):
    for _, names, rows in tables:
        if "stable_step_fs" not in names or not any(row["stable_step_fs"] for row in rows):
            raise rill.DataError("several tables are drawn by their largest stable steps, and one has none; run rill compare "
                                 "with --stability")
    methods = list(dict.fromkeys(row["method"] for _, _, rows in tables for row in rows))
    figure, axis = plt.subplots(figsize=(7.4, 1.2 + 0.32 * len(methods)), constrained_layout=True)
    height = 0.8 / len(tables)
    for k, (comment, _, rows) in enumerate(tables):
        steps = {row["method"]: float(row["stable_step_fs"] or 0) for row in rows}
        axis.barh([i + (k - 0.5 * (len(tables) - 1)) * height for i in range(len(methods))],
                  [steps.get(method, 0) for method in methods], height=height, color=rill.COLOURS[k],
                  label=comment.split(";")[0].split(", ", 1)[1])
    bars(axis, methods)
    axis.set_xscale("log")
    axis.set_xlim(0.05, None)
    axis.xaxis.set_major_formatter("{x:g}")
    axis.set_xlabel("largest stable step / fs")
    rill.legend_above(axis)
    return figure


def draw_temperatures(axis, rows):
    for column, label, mark in (("temperature", "on-step", "o"), ("temperature_half", "half-step", "s")):
        points = [(float(row[column + "_K"]), k, float(row[column + "_error_K"] or 0)) for k, row in enumerate(rows)
                  if row[column + "_K"]]
        if points:
            x, y, error = np.array(points).T
            axis.errorbar(x, y, xerr=error, fmt=mark, ms=4, lw=0.9, capsize=2, label=label)
    bars(axis, [name_of(row, rows) for row in rows])
    axis.set_xlabel("kinetic temperature / K")
    rill.legend_above(axis)


def read(path):
    lines = [line for line in rill.read_text(path).splitlines() if line]
    comment = next((line[1:].strip() for line in lines if line.startswith("#")), "")
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    names = list(rows[0]) if rows else []
    of_water = "forces_us" in names
    of_samples = bool(observables(names))
    for name in ("method", "step_us", "status") if of_water or of_samples else ("method", "position_error", "total_ms", "status"):
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
