#!/usr/bin/env python3
"""Draws the distribution of O-O distances with its error band; several files are laid over each other.

In a periodic box the curve is g(r), with the number of neighbours within r on the right.  In vacuum there is no
volume, and it is the normalised density of pair distances: its integral over all distances is 1.  The band is one standard error."""
import argparse
import os

import rilldata as rill


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="+", metavar="RESULTS",
                        help="a CSV of rill's distribution of distances, or a folder that holds one")
    parser.add_argument("-o", "--output", required=True, metavar="PNG", help="the picture (.png, .pdf or .svg)")
    parser.add_argument("--label", action="append", metavar="TEXT", help="name in the legend, once a file, in order")
    parser.add_argument("--peaks", action="store_true", help="write the distance over each resolved peak (one file)")
    arguments = parser.parse_args()
    if arguments.label and len(arguments.label) != len(arguments.source):
        parser.error(f"{len(arguments.label)} labels for {len(arguments.source)} files")
    rill.check_picture(arguments.output)

    tables = [rill.find_distribution(source) for source in arguments.source]
    paths = [table.path for table in tables]
    labels = arguments.label or ([None] if len(paths) == 1 else names(paths))

    rill.style()
    figure, axes = rill.plt.subplots(figsize=(7.2, 4.4), constrained_layout=True)
    rill.draw_distribution(axes, tables, labels, arguments.peaks)
    axes.set_title("O–O radial distribution" if rill.is_radial(tables[0]) else "O–O distance distribution")
    if len(tables) == 1:
        figure.supxlabel(rill.describe(rill.parse_deck(tables[0].comments)), fontsize=7.5, color=rill.GREY)
    rill.save(figure, arguments.output)


def names(paths):
    """File names, with as many folders in front as it takes to keep them apart."""
    parts = [os.path.splitext(os.path.abspath(path))[0].split(os.sep) for path in paths]
    depth = 1
    while depth < max(map(len, parts)) and len({tuple(part[-depth:]) for part in parts}) < len(set(map(tuple, parts))):
        depth += 1
    return ["/".join(part[-depth:]) for part in parts]


if __name__ == "__main__":
    rill.run(main)
