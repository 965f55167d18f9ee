#!/usr/bin/env python3
"""Draws the path of a spherical or double spherical pendulum as seen from above, in space and in a frame that turns
uniformly about the vertical: pattern evocation, after Marsden and Scheurle.

When the motion up to rotations about the vertical has a period T, the pendulum comes back after it turned by a phase,
and turns by the same phase in every period.  In a frame that turns at phase/T the path is closed.  T is the first return
of positions and momenta to the run's first row, up to a rotation; it and the phase are printed.  Other frames show
closed paths too: --turns adds whole turns to the phase."""
import argparse

import rilldata as rill

np = rill.np
SYSTEMS = ("spherical-pendulum", "double-spherical-pendulum")
CLOSE = 0.02    # a return: this part of the largest distance from the start


class Motion:
    """/series of a run: t [F]; positions and momenta [F, masses, 3]; the deck."""

    def __init__(self, path):
        self.path = path
        try:
            open(path, "rb").close()
            with rill.h5py.File(path, "r") as file:
                series = file["series"]
                self.deck = rill.parse_deck(text_of(series.attrs.get("deck", "")).splitlines())
                kind = text_of(series.attrs.get("system", "?"))
                if kind not in SYSTEMS:
                    raise rill.DataError(f"{path}: a run of {kind}, expected one of {' or '.join(SYSTEMS)}")
                self.t = np.asarray(series["t"], float)
                frames = len(self.t)
                self.q, self.p = (np.asarray(series[name][:frames], float).reshape(frames, -1, 3) for name in "qp")
        except OSError as error:
            raise rill.DataError(f"{path}: {error.strerror or 'not an HDF5 file'}") from None
        except (KeyError, ValueError):
            raise rill.DataError(f"{path}: HDF5, but without /series/t, q and p of a small system") from None
        if len(self.t) < 5:
            raise rill.DataError(f"{path}: {len(self.t)} rows, expected 5 or more")
        if not (np.isfinite(self.q).all() and np.isfinite(self.p).all()):
            raise rill.DataError(f"{path}: some coordinates are not numbers")


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def distance_and_phase(motion):
    """Of each row from the first: the least distance of (q, p) over rotations about the vertical, and the rotation that
    attains it.  Positions and momenta are in units of their root mean squares."""
    flat, upright = [], []
    for values in (motion.q, motion.p):
        scale = np.sqrt(np.mean(values ** 2)) or 1.0
        flat.append((values[..., 0] + 1j * values[..., 1]) / scale)
        upright.append(values[..., 2] / scale)
    flat, upright = np.concatenate(flat, 1), np.concatenate(upright, 1)
    overlap = flat @ flat[0].conj()
    square = np.sum(np.abs(flat) ** 2, 1) + np.sum(np.abs(flat[0]) ** 2) - 2 * np.abs(overlap)
    return np.sqrt(np.maximum(square + np.sum((upright - upright[0]) ** 2, 1), 0)), np.angle(overlap)


def vertex(before, here, after):
    """Where a parabola through three neighbouring values has its extremum, in steps from the middle one."""
    bend = before - 2 * here + after
    return 0.5 * (before - after) / bend if bend > 0 else 0.0


def find_period(motion):
    """The period, the phase in (-pi, pi], and the distance of that return in parts of the largest one."""
    distance, angle = distance_and_phase(motion)
    most = distance.max()
    if most == 0:
        raise rill.DataError(f"{motion.path}: the motion is a uniform rotation: it has no period of its own")
    inner = np.arange(2, len(distance) - 1)
    low = inner[(distance[inner] <= distance[inner - 1]) & (distance[inner] < distance[inner + 1])]
    away = np.maximum.accumulate(distance)
    low = low[away[low] > 0.5 * most]
    if len(low) == 0:
        raise rill.DataError(f"{motion.path}: the run ends before the motion, up to rotations, returns to its start")
    # Rows pass by the return itself: judge it by the bottom of a parabola.
    square = distance ** 2
    shift = np.array([vertex(*square[k - 1:k + 2]) for k in low])
    floor = np.sqrt(np.maximum(square[low] + 0.25 * (square[low + 1] - square[low - 1]) * shift, 0)) / most
    good = np.flatnonzero(floor < CLOSE)
    if len(good) == 0:
        k = np.argmin(floor)
        raise rill.DataError(f"{motion.path}: no period: the nearest return, at t = {motion.t[low[k]]:.4g}, is {100 * floor[k]:.3g} % "
                             f"of the largest distance away, expected below {100 * CLOSE:g} %; --period takes one")
    k = good[0]
    row, part = low[k], shift[k]
    return motion.t[row] - motion.t[0] + part * (motion.t[row + 1] - motion.t[row]), phase_at(angle, row, part), floor[k]


def phase_at(angle, row, part):
    """The angle between rows, from a parabola through three; in (-pi, pi]."""
    before, here, after = np.unwrap(angle[row - 1:row + 2])
    phase = here + 0.5 * part * (after - before) + 0.5 * part * part * (before - 2 * here + after)
    return -((-phase + np.pi) % (2 * np.pi) - np.pi)


def given_period(motion, period):
    """As find_period, for a period that the user gives."""
    if not 0 < period <= motion.t[-1] - motion.t[0]:
        raise rill.DataError(f"--period {period:g}: expected a time within the run, up to {motion.t[-1] - motion.t[0]:g}")
    distance, angle = distance_and_phase(motion)
    at = np.interp(period, motion.t - motion.t[0], np.arange(len(motion.t)))
    row = int(np.clip(round(at), 1, len(motion.t) - 2))
    return period, phase_at(angle, row, at - row), distance[row] / (distance.max() or 1.0)


def draw(axes, path, title):
    for mass in range(path.shape[1]):
        axes.plot(path[:, mass].real, path[:, mass].imag, color=rill.COLOURS[mass], linewidth=0.8, label=f"mass {mass + 1}")
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_title(title, pad=18)
    axes.set_xlabel("x / m")
    axes.set_ylabel("y / m")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", metavar="RUN", help="the run's HDF5 file (output.trajectory)")
    parser.add_argument("--period", type=float, metavar="T", help="the period, in s; otherwise it is found")
    parser.add_argument("--turns", type=int, default=0, metavar="N", help="whole turns added to the phase (default 0)")
    parser.add_argument("-o", "--output", required=True, metavar="PNG", help="the picture (.png, .pdf or .svg)")
    arguments = rill.parse(parser, "output")
    rill.check_picture(arguments.output)

    motion = Motion(arguments.source)
    found = find_period(motion) if arguments.period is None else given_period(motion, arguments.period)
    period, phase, defect = found[0], found[1] + 2 * np.pi * arguments.turns, found[2]
    seen = motion.q[..., 0] + 1j * motion.q[..., 1]
    turned = seen * np.exp(-1j * phase / period * (motion.t - motion.t[0]))[:, None]

    rill.style()
    figure, panels = rill.plt.subplots(1, 2, figsize=(8.4, 4.4), constrained_layout=True)
    draw(panels[0], seen, "In space")
    draw(panels[1], turned, "In the turning frame")
    if seen.shape[1] > 1:
        rill.legend_above(panels[1])
    figure.supxlabel(f"period {period:.6g} s  ·  phase {phase:.6g} rad  ·  {motion.deck.get('integrator.method', '')}", fontsize=7.5,
                     color=rill.GREY)
    rill.save(figure, arguments.output)
    print(f"period {period:.8g} s, phase {phase:.8g} rad, rate {phase / period:.8g} rad/s; return to {100 * defect:.2g} %")


if __name__ == "__main__":
    rill.run(main)
