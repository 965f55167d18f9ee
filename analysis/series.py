#!/usr/bin/env python3
"""Draws energies and temperatures against time, from a run's series (CSV), and of a periodic box the pressure.

Energies are drawn about their means, which stand in the legend in kJ/mol.  Long series show block means over a faint
line of all samples.  The dashed line is the thermostat's temperature.  What comes before the deck's output.means_from is shaded,
and left out of means and scales."""
import argparse

import rilldata as rill

BLOCKS = 120


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", metavar="SERIES", help="the series CSV, or a folder that holds one")
    parser.add_argument("-o", "--output", required=True, metavar="PNG", help="the picture (.png, .pdf or .svg)")
    arguments = rill.parse(parser, "output")
    rill.check_picture(arguments.output)

    table = rill.read_table(rill.find_csv(arguments.source, rill.SERIES_COLUMNS, "series (CSV)"), rill.SERIES_COLUMNS)
    deck = rill.parse_deck(table.comments)

    rill.style()
    rows = 5 if rill.has_pressure(table) else 4
    figure, panels = rill.plt.subplots(rows, 1, figsize=(7.2, 2.25 * rows), sharex=True, constrained_layout=True)
    rill.draw_energies(panels[0], table, deck, BLOCKS)
    draw_parts(panels[1], table, deck)
    draw_change(panels[2], table, deck)
    rill.draw_temperatures(panels[3], table, deck, BLOCKS)
    if rill.has_pressure(table):
        rill.draw_pressure(panels[4], table, deck, BLOCKS)
    panels[-1].set_xlabel("time / ps")
    figure.align_ylabels(panels)
    figure.supxlabel(rill.describe(deck), fontsize=7.5, color=rill.GREY)
    rill.save(figure, arguments.output)


def draw_parts(axes, table, deck):
    """The parts of the potential energy; the wall only when it was ever touched."""
    parts = [("coulomb", "Coulomb", rill.PURPLE, {}), ("lj", "Lennard-Jones", rill.GREEN, {})]
    if "confine" in table and table["confine"].any():
        parts.append(("confine", "wall", rill.ORANGE, {}))
    if "field" in table and table["field"].any():
        parts.append(("field", "field", rill.INK, {}))
    rill.draw_lines(axes, table, parts, BLOCKS, rill.means_from(deck, table["time_ps"]), "kJ/mol")
    axes.set_ylabel("energy − mean / kJ mol$^{-1}$")
    axes.set_title("Parts of the potential energy")
    rill.legend_above(axes)


def draw_change(axes, table, deck):
    """The total energy less its first value: conservation without a thermostat, exchange with one."""
    change = rill.Table(table.path, [], ["time_ps", "change"],
                        rill.np.column_stack([table["time_ps"], table["total"] - table["total"][0]]))
    axes.axhline(0, color=rill.FAINT, linewidth=0.8)
    rill.draw_lines(axes, change, [("change", None, rill.INK, {})], BLOCKS, rill.means_from(deck, table["time_ps"]))
    axes.set_ylabel("E(t) − E(0) / kJ mol$^{-1}$")
    axes.set_title("Change of the total energy")


if __name__ == "__main__":
    rill.run(main)
