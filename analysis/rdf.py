#!/usr/bin/env python3
"""Draws the distribution of O-O distances with its error band; several files are laid over each other.

In a periodic box the curve is g(r), with the number of neighbours within r on the right.  In vacuum there is no
volume, and it is the normalised density of pair distances: its integral over all distances is 1.  The band is one standard error.
With --average the files are replicas, and one curve is drawn: their mean, with the error from their scatter."""
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
    parser.add_argument("--average", action="store_true", help="draw the mean of the files, which are replicas (two or more)")
    arguments = rill.parse(parser, "output")
    curves = 1 if arguments.average else len(arguments.source)
    if arguments.label and len(arguments.label) != curves:
        parser.error(f"{len(arguments.label)} labels for {curves} curve{'s' if curves > 1 else ''}")
    rill.check_picture(arguments.output)

    tables = [rill.find_distribution(source) for source in arguments.source]
    paths, decks = [table.path for table in tables], [rill.parse_deck(table.comments) for table in tables]
    if arguments.average:
        tables = [rill.average(tables)]
    labels = arguments.label or ([None] if len(tables) == 1 else names(paths))

    rill.style()
    figure, axes = rill.plt.subplots(figsize=(7.2, 4.4), constrained_layout=True)
    rill.draw_distribution(axes, tables, labels, arguments.peaks)
    axes.set_title("O–O radial distribution" if rill.is_radial(tables[0]) else "O–O distance distribution")
    figure.supxlabel(caption(decks, arguments.average), fontsize=7.5, color=rill.GREY)
    rill.save(figure, arguments.output)


def caption(decks, averaged):
    """What was run; of several runs, what they have in common."""
    common = {key: value for key, value in decks[0].items() if all(deck.get(key) == value for deck in decks)}
    text = rill.describe(common)
    if averaged:
        return f"mean of {len(decks)} runs; the band is one standard error, of their scatter" + (f"  ·  {text}" if text else "")
    return text


def names(paths):
    """File names, with as many folders in front as it takes to keep them apart."""
    parts = [os.path.splitext(os.path.abspath(path))[0].split(os.sep) for path in paths]
    depth = 1
    while depth < max(map(len, parts)) and len({tuple(part[-depth:]) for part in parts}) < len(set(map(tuple, parts))):
        depth += 1
    return ["/".join(part[-depth:]) for part in parts]


if __name__ == "__main__":
    rill.run(main)
