#!/usr/bin/env python3
"""Draws a page that sums up a run: O-O distribution, last frame, energies, temperatures, constraint deviations and
momentum (of a periodic box: pressure; of one at constant pressure: density and volume in place of the deviations),
from what lies in a results folder (CSV files and the trajectory).

What comes before the deck's output.means_from is shaded, and left out of means and scales, as in the run's own summary."""
import argparse
import os

import rilldata as rill
from rilldata import np

BLOCKS = 80


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", help="the folder that a run wrote (rill run DECK -o DIR)")
    parser.add_argument("-o", "--output", required=True, metavar="PNG", help="the picture (.png, .pdf or .svg)")
    parser.add_argument("--name", metavar="START", help="take files whose names begin so, when DIR holds several runs")
    arguments = rill.parse(parser, "output")
    rill.check_picture(arguments.output)
    if not os.path.isdir(arguments.folder):
        there = os.path.exists(arguments.folder)
        raise rill.DataError(f"{arguments.folder}: {'not a folder' if there else 'no such folder'}")

    series = pick(arguments, rill.SERIES_COLUMNS, "series (CSV)")
    distribution = (pick(arguments, rill.RADIAL_COLUMNS, "O-O distribution (CSV)")
                    or pick(arguments, rill.DISTRIBUTION_COLUMNS, "O-O distribution (CSV)"))
    found = rill.folder(arguments.folder, ".h5md", arguments.name)
    trajectory = rill.Trajectory(rill.only(found, arguments.folder, "trajectory (.h5md)")) if found else None
    if not (series or distribution or trajectory):
        raise rill.DataError(f"{arguments.folder}: neither a series, nor an O-O distribution, nor a trajectory in this "
                             "folder")
    comments = [line for table in (series, distribution) if table for line in table.comments]
    deck = rill.parse_deck(comments)

    rill.style()
    figure = rill.plt.figure(figsize=(11.0, 8.6), constrained_layout=True)
    grid = figure.add_gridspec(3, 6, height_ratios=[1.4, 1, 1])
    figure.suptitle(title(deck, trajectory), x=0.012, ha="left", fontsize=13, fontweight="bold")

    axes = figure.add_subplot(grid[0, :4])
    axes.set_title("O–O radial distribution" if distribution and rill.is_radial(distribution)
                   else "O–O distance distribution")
    if distribution:
        rill.draw_distribution(axes, [distribution], [None], peaks=True)
    else:
        nothing(axes, "no O–O distribution in this folder")
    axes = figure.add_subplot(grid[0, 4:])
    axes.set_title("Last frame" + (f", {trajectory.time[-1]:.6g} ps" if trajectory else ""))
    if trajectory:
        draw_molecules(axes, trajectory)
    else:
        nothing(axes, "no trajectory in this folder")

    panels = [figure.add_subplot(grid[row, columns]) for row in (1, 2) for columns in (slice(0, 3), slice(3, 6))]
    drawings = [lambda axes: rill.draw_energies(axes, series, deck, BLOCKS),
                lambda axes: rill.draw_temperatures(axes, series, deck, BLOCKS),
                lambda axes: rill.draw_density(axes, series, deck, BLOCKS) if rill.has_density(series, deck)
                else rill.draw_deviations(axes, series, BLOCKS),
                lambda axes: rill.draw_pressure(axes, series, deck, BLOCKS) if rill.has_pressure(series)
                else rill.draw_momenta(axes, series, BLOCKS)]
    for axes, draw, name in zip(panels, drawings, ("Energies", "Temperatures", "Constraints", "Momentum")):
        if series:
            draw(axes)
            axes.set_xlabel("time / ps")
        else:
            axes.set_title(name)
            nothing(axes, "no series in this folder")
    figure.supxlabel(rill.describe(deck), fontsize=8, color=rill.GREY)
    rill.save(figure, arguments.output)


def pick(arguments, columns, what):
    """The folder's table with these columns, or None when it has none."""
    found = [path for path in rill.folder(arguments.folder, ".csv", arguments.name)
             if set(columns) <= set(rill.header_of(path))]
    if len(found) > 1:
        listed = ", ".join(map(os.path.basename, found))
        raise rill.DataError(f"{arguments.folder}: more than one {what}: {listed}; choose with --name")
    return rill.read_table(found[0], columns) if found else None


def title(deck, trajectory):
    count = f"{trajectory.atoms // 3} water molecules" if trajectory else deck.get("system.kind", "run")
    place = deck.get("system.boundary")
    return count + (f", {'in vacuum' if place == 'vacuum' else place}" if place else "")


def nothing(axes, text):
    axes.text(0.5, 0.5, text, ha="center", va="center", color=rill.GREY, transform=axes.transAxes)
    axes.set_axis_off()


# --- the last frame: everything is a sphere, drawn into a depth buffer ---

ATOM = {8: (0.046, (0.76, 0.22, 0.17)), 1: (0.030, (0.93, 0.93, 0.93))}   # nm, red-green-blue
OTHER = (0.046, (0.45, 0.55, 0.65))
BOND = (0.016, (0.70, 0.70, 0.70))
EDGE = (0.007, (0.35, 0.35, 0.35))                                         # of the box
HYDROGEN_BOND = (0.008, (0.27, 0.45, 0.65))
HYDROGEN_BOND_LENGTH = 0.245                                               # nm, O...H: the first minimum of liquid water
MOST_WITH_BONDS = 6000                                                     # atoms; of more, bonds would be a pixel wide
SMALLEST = 14                                                              # pixels: the radius of an oxygen without a box
PIXELS = 1500                                                              # reduced to half when drawn


def draw_molecules(axes, trajectory):
    """Ball and stick; dotted lines are hydrogen bonds."""
    positions = whole(trajectory)
    if not np.all(np.isfinite(positions)):
        raise rill.DataError(f"{trajectory.path}: the last frame holds positions that are not numbers")
    species = trajectory.species()
    box = trajectory.box()
    centre, radius, colour = spheres(positions, species, trajectory.bonds(), box)
    centre = (centre - positions.mean(0)) @ (view(positions) if box is None else view_of_box(box))
    low, high = (centre - radius[:, None]).min(0), (centre + radius[:, None]).max(0)
    middle, extent = (low + high) / 2, 1.04 * max(high[0] - low[0], high[1] - low[1], 0.35)
    scale = PIXELS / extent
    larger = max(1, SMALLEST / (ATOM[8][0] * scale)) if box is None else 1    # an evaporated cluster remains visible
    image = render((centre - middle) * scale + [PIXELS / 2, PIXELS / 2, 0], radius * scale * larger, colour)
    axes.imshow(image, extent=(0, extent, 0, extent), origin="lower", interpolation="antialiased")
    axes.set_axis_off()
    bar = max(length for length in (0.1, 0.2, 0.5, 1, 2, 5, 10) if length <= max(0.1, extent / 3))
    axes.plot([0, bar], [-0.03 * extent] * 2, color=rill.INK, linewidth=1.5, clip_on=False, solid_capstyle="butt")
    axes.text(bar / 2, -0.05 * extent, f"{bar:g} nm", ha="center", va="top", fontsize=8)
    if larger > 1:
        axes.text(extent, -0.12 * extent, f"atoms drawn {larger:.2g} times as large", ha="right", va="top", fontsize=8)
    axes.set_xlim(0, extent)
    axes.set_ylim(-0.12 * extent, extent)


def whole(trajectory):
    """The last frame; in a box, every molecule moved to the image whose oxygen lies inside."""
    positions = trajectory.positions()
    box = trajectory.box()
    if box is None or trajectory.atoms % 3 or abs(np.linalg.det(box)) == 0:
        return positions
    molecules = positions.reshape(-1, 3, 3)
    return (molecules - (np.floor(molecules[:, :1] @ np.linalg.inv(box)) @ box)).reshape(-1, 3)


def view_of_box(box):
    """A rotation as of view: the box's first vector runs to the right, its third up, both a little turned from us."""
    right = box[0] / np.linalg.norm(box[0])
    towards = np.cross(box[2], right)
    towards *= -1 / np.linalg.norm(towards) if np.dot(towards, box[1]) > 0 else 1 / np.linalg.norm(towards)
    up = np.cross(towards, right)
    turn, tilt = np.radians(22), np.radians(16)
    right, towards = right * np.cos(turn) - towards * np.sin(turn), towards * np.cos(turn) + right * np.sin(turn)
    up, towards = up * np.cos(tilt) - towards * np.sin(tilt), towards * np.cos(tilt) + up * np.sin(tilt)
    return np.column_stack([right, up, towards])


def view(positions):
    """A rotation (columns: right, up, towards us): of many directions the one from which atoms cover each other least,
    with the longest extent across."""
    sample = positions[::max(1, len(positions) // 120)]
    first, second = np.triu_indices(len(sample), 1)
    pairs = sample[first] - sample[second]
    k = np.arange(200) + 0.5
    height, angle = 1 - k / 200, k * np.pi * (3 - np.sqrt(5))        # a spiral over the half sphere
    radius = np.sqrt(1 - height ** 2)
    directions = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), height])
    apart = (pairs ** 2).sum(1)[:, None] - (pairs @ directions.T) ** 2
    towards = directions[np.exp(-apart / 0.07 ** 2).sum(0).argmin()]
    flat = positions - positions.mean(0)
    flat = flat - np.outer(flat @ towards, towards)
    right = np.linalg.svd(flat, full_matrices=False)[2][0]
    right = right - (right @ towards) * towards
    if np.linalg.norm(right) < 1e-6:
        right = np.cross(towards, np.eye(3)[np.abs(towards).argmin()])
    right = right / np.linalg.norm(right)
    return np.column_stack([right, np.cross(towards, right), towards])


def spheres(positions, species, bonds, box):
    """Centres, radii and colours: atoms, bonds and the box's edges as rows of small spheres, hydrogen bonds as dots."""
    looks = [ATOM.get(number, OTHER) for number in species]
    centre, radius, colour = [positions], [[r for r, _ in looks]], [[c for _, c in looks]]

    def row(starts, ends, look, spacing):
        for start, end in zip(starts, ends):
            count = max(2, int(np.linalg.norm(end - start) / spacing))
            centre.append(start + (end - start) * ((np.arange(count) + 0.5) / count)[:, None])
            radius.append([look[0]] * count)
            colour.append([look[1]] * count)

    if len(positions) <= MOST_WITH_BONDS:
        row(*positions[bonds.T], BOND, 0.003 if len(bonds) < 500 else 0.008)
        row(*positions[hydrogen_bonds(positions, species, bonds)], HYDROGEN_BOND, 0.028)
    if box is not None:
        corners = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)], float)
        pairs = [(a, b) for a in corners for b in corners if (b - a).sum() == 1 and (b >= a).all()]
        row(*(np.array(pairs).transpose(1, 0, 2) @ box), EDGE, 0.004)
    return np.concatenate(centre), np.concatenate(radius), np.concatenate(colour)


def hydrogen_bonds(positions, species, bonds):
    """Pairs (hydrogen, oxygen of another molecule) nearer than HYDROGEN_BOND_LENGTH."""
    oxygen = np.flatnonzero(species == 8)
    own = {int(h): int(o) for pair in bonds for o, h in (pair, pair[::-1]) if species[h] == 1}
    pairs = [(h, o) for h in own if len(oxygen)
             for o in oxygen[np.linalg.norm(positions[oxygen] - positions[h], axis=1) < HYDROGEN_BOND_LENGTH] if o != own[h]]
    return np.array(pairs, int).reshape(-1, 2).T


def render(centre, radius, colour):
    """Spheres in pixels, z towards us, to an image [rows, columns, 3]: nearest surface, light from the upper left,
    a dark rim, and distance fading into the white ground."""
    image = np.ones((PIXELS, PIXELS, 3))
    depth = np.full((PIXELS, PIXELS), -np.inf)
    light = np.array([-0.45, 0.55, 0.70])
    near, far = centre[:, 2].max(), centre[:, 2].min()
    for (x, y, z), r, own in zip(centre, radius, colour):
        columns = np.arange(max(0, int(x - r)), min(PIXELS, int(x + r) + 2))
        rows = np.arange(max(0, int(y - r)), min(PIXELS, int(y + r) + 2))
        nx, ny = (columns[None, :] - x) / r, (rows[:, None] - y) / r
        inside = 1 - nx ** 2 - ny ** 2
        nz = np.sqrt(np.maximum(inside, 0))
        target = np.ix_(rows, columns)
        front = (inside > 0) & (z + r * nz > depth[target])
        diffuse = np.clip(nx * light[0] + ny * light[1] + nz * light[2], 0, 1)
        shine = np.clip(nx * -0.25 + ny * 0.30 + nz * 0.92, 0, 1) ** 40
        shade = (0.50 + 0.55 * diffuse) * np.where(nz < 0.28, 0.62, 1.0)
        tone = np.clip(shade[..., None] * own + 0.30 * shine[..., None], 0, 1)
        fade = 0.45 * (near - z) / max(near - far, 1e-12)
        tone = tone * (1 - fade) + fade
        image[target] = np.where(front[..., None], tone, image[target])
        depth[target] = np.where(front, z + r * nz, depth[target])
    return image.reshape(PIXELS // 2, 2, PIXELS // 2, 2, 3).mean((1, 3))


if __name__ == "__main__":
    rill.run(main)
