#!/usr/bin/env python3
"""Draws the properties of a run's liquid, from DECK-properties.json: a panel for each, with the range of its fit or plateau shaded.

Mean squared displacements and the decays of the dipoles have the line that was fitted, the viscosity and the integral of velocities
their error bands.  What was fitted stands in the titles, with errors."""
import argparse
import json

import rilldata as rill

np = rill.np


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", metavar="PROPERTIES", help="the properties of a run (JSON), or a folder that holds one")
    parser.add_argument("-o", "--output", required=True, metavar="PNG", help="the picture (.png, .pdf or .svg)")
    arguments = rill.parse(parser, "output")
    rill.check_picture(arguments.output)

    results, curves = read(arguments.source)
    drawn = [name for name in PANELS if name in curves]
    if not drawn:
        raise rill.DataError(f"{arguments.source}: no correlation functions, which diffusion, viscosity, dipole and velocity have")
    rill.style()
    columns = 1 if len(drawn) == 1 else 2
    rows = (len(drawn) + columns - 1) // columns
    figure, panels = rill.plt.subplots(rows, columns, figsize=(5.2 * columns, 3.2 * rows), constrained_layout=True, squeeze=False)
    for axes, name in zip(panels.flat, drawn):
        PANELS[name](axes, curves[name], results)
    for axes in panels.flat[len(drawn):]:
        axes.set_visible(False)
    rill.save(figure, arguments.output)


class Curve:
    """Columns of a correlation function by name, and the range that was fitted (None: none)."""

    def __init__(self, path, name, document):
        try:
            rows = np.array([[np.nan if x is None else float(x) for x in row] for row in document["rows"]])
            self.columns = dict(zip(document["columns"], rows.T.reshape(len(document["columns"]), -1)))
            self.fit = tuple(document["fit"]) if None not in document["fit"] else None
        except (KeyError, TypeError, ValueError):
            raise rill.DataError(f"{path}: the curve {name} has no columns, rows and fit") from None

    def __getitem__(self, name):
        return self.columns[name]


def read(source):
    """Results by name, and curves."""
    path = source
    if rill.os.path.isdir(source):
        path = rill.only(rill.folder(source, "-properties.json"), source, "properties (JSON)")
    try:
        document = json.loads(rill.read_text(path))
        results = {result["property"]: result for result in document["properties"]}
        return results, {name: Curve(path, name, curve) for name, curve in document["curves"].items()}
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError):
        raise rill.DataError(f"{path}: no properties that rill wrote") from None


def caption(results, name, label):
    """"label = value ± error unit"."""
    result = results.get(name)
    if result is None or result["value"] is None:
        return f"{label}: no value"
    error = f" ± {result['error']:.2g}" if result["error"] is not None else ""
    unit = "" if result["unit"] == "1" else " " + result["unit"]
    return f"{label} = {result['value']:.4g}{error}{unit}"


def shade(axes, curve):
    if curve.fit is not None:
        axes.axvspan(*curve.fit, color=rill.FAINT, alpha=0.5, linewidth=0, zorder=0)


def draw_band(axes, t, y, error, colour):
    axes.plot(t, y, color=colour)
    axes.fill_between(t, y - error, y + error, color=colour, alpha=0.25, linewidth=0)


def draw_displacement(axes, curve, results):
    t, y = curve["time"], curve["squared_displacement"]
    axes.plot(t[1:], y[1:], ".", color=rill.BLUE)
    if curve.fit is not None:
        inside = (t >= curve.fit[0]) & (t <= curve.fit[1])
        line = np.polyfit(t[inside], y[inside], 1)
        axes.plot(t[inside], np.polyval(line, t[inside]), color=rill.VERMILION)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylabel("mean squared displacement / nm$^2$")
    axes.set_xlabel("time / ps")
    axes.set_title(caption(results, "diffusion", "D"))
    shade(axes, curve)


def draw_viscosity(axes, curve, results):
    draw_band(axes, curve["time"], curve["viscosity"], curve["viscosity_error"], rill.BLUE)
    axes.set_ylabel("integral of the stress correlation / mPa s")
    axes.set_xlabel("time / ps")
    axes.set_title(caption(results, "viscosity", "η"))
    if curve.fit is not None:
        axes.set_xlim(0, 3 * curve.fit[1])
        shown = curve["time"] <= 3 * curve.fit[1]
        axes.set_ylim(0, 1.6 * np.nanmax(curve["viscosity"][shown]))
    shade(axes, curve)


def draw_velocity(axes, curve, results):
    draw_band(axes, curve["time"], curve["diffusion"], curve["diffusion_error"], rill.GREEN)
    axes.set_ylabel("integral of the velocity correlation / 10$^{-9}$ m$^2$/s")
    axes.set_xlabel("time / ps")
    axes.set_title(caption(results, "diffusion_velocity", "D"))
    if curve.fit is not None:
        axes.set_xlim(0, 3 * curve.fit[1])
    shade(axes, curve)


def draw_spectrum(axes, curve, _):
    axes.plot(curve["wavenumber"], curve["spectrum"], color=rill.GREEN)
    axes.set_xlabel("wavenumber / cm$^{-1}$")
    axes.set_ylabel("spectrum of velocities / ps")
    axes.set_title("Centres of mass")


def decay(label, name):
    def draw(axes, curve, results):
        t, y = curve["time"], curve["correlation"]
        known = y > 0
        axes.plot(t[known], y[known], ".", color=rill.PURPLE)
        if curve.fit is not None:
            inside = (t >= curve.fit[0]) & (t <= curve.fit[1]) & known
            line = np.polyfit(t[inside], np.log(y[inside]), 1)
            axes.plot(t[inside], np.exp(np.polyval(line, t[inside])), color=rill.VERMILION)
            axes.set_xlim(0, 2 * curve.fit[1])
        axes.set_yscale("log")
        axes.set_ylim(0.01, 1.1)
        axes.set_xlabel("time / ps")
        axes.set_ylabel(f"{label} of dipoles")
        axes.set_title(caption(results, name, "τ"))
        shade(axes, curve)
    return draw


PANELS = {
    "displacement": draw_displacement,
    "viscosity": draw_viscosity,
    "velocity": draw_velocity,
    "velocity_spectrum": draw_spectrum,
    "dipole_P1": decay("P$_1$", "dipole_tau_1"),
    "dipole_P2": decay("P$_2$", "dipole_tau_2"),
}


if __name__ == "__main__":
    rill.run(main)
