#!/usr/bin/env python3
"""DNA ring (Tao & Owhadi 2016, section 4.4) from its equations, in numpy, all starts at once: values at t = 100 of the
deterministic start, arrivals in the second well, changes of the well, energies, and the step at which Verlet fails.  It
shares no code with rill, but for the definition of the random starts (splitmix64, Box & Muller's cosine)."""
import sys

import numpy as np

N, A, X0, EPS = 200, 7.0, 0.3, 1 / 1400


def energy(t, v):
    e = np.exp(-A * (1 - np.cos(t) - X0)) - 1
    return 0.5 * (v * v).sum(-1) + 0.5 * ((np.roll(t, -1, -1) - t)**2).sum(-1) + EPS * (e * e).sum(-1)


def gradient(t):
    e = np.exp(-A * (1 - np.cos(t) - X0))
    return 2 * t - np.roll(t, 1, -1) - np.roll(t, -1, -1) - 2 * EPS * A * np.sin(t) * e * (e - 1)


def curvature(t):
    e, s, c = np.exp(-A * (1 - np.cos(t) - X0)), np.sin(t), np.cos(t)
    return EPS * (2 * A * A * s * s * e * (2 * e - 1) - 2 * A * c * e * (e - 1))


def third(t):
    e, s, c = np.exp(-A * (1 - np.cos(t) - X0)), np.sin(t), np.cos(t)
    return EPS * (6 * A**2 * s * c * e * (2 * e - 1) - 2 * A**3 * s**3 * e * (4 * e - 1) + 2 * A * s * e * (e - 1))


def ring_solve(diagonal, off, right):
    """Rows of (diagonal, constant off-diagonals, closed to a ring), by Thomas's recursion and Sherman & Morrison."""
    gamma = -diagonal[:, 0]
    d = diagonal.copy()
    d[:, 0] -= gamma
    d[:, -1] -= off * off / gamma
    u = np.zeros_like(right)
    u[:, 0], u[:, -1] = gamma, off
    y = np.stack([right, u])
    c = np.empty_like(d)
    c[:, 0] = off / d[:, 0]
    y[:, :, 0] /= d[:, 0]
    for k in range(1, d.shape[1]):
        m = 1 / (d[:, k] - off * c[:, k - 1])
        c[:, k] = off * m
        y[:, :, k] = (y[:, :, k] - off * y[:, :, k - 1]) * m
    for k in range(d.shape[1] - 2, -1, -1):
        y[:, :, k] -= c[:, k] * y[:, :, k + 1]
    x, z = y
    ratio = (x[:, 0] + off * x[:, -1] / gamma) / (1 + z[:, 0] + off * z[:, -1] / gamma)
    return x - ratio[:, None] * z


def force(t, method, h, beta):
    if method == "verlet":
        return -gradient(t)
    s = beta * h * h
    a = ring_solve(1 + s * (2 + curvature(t)), -s, -gradient(t))
    return a - 0.5 * s * s * third(t) * a * a if method == "zs" else a


def random_start(seed):
    state, mask, out = seed, (1 << 64) - 1, []

    def uniform():
        nonlocal state
        state = (state + 0x9e3779b97f4a7c15) & mask
        z = ((state ^ (state >> 30)) * 0xbf58476d1ce4e5b9) & mask
        z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & mask
        return (((z ^ (z >> 31)) >> 11) + 0.5) / (1 << 53)
    for _ in range(N):
        radius = np.sqrt(-2 * np.log(uniform()))
        out.append(radius * np.cos(2 * np.pi * uniform()))
    return np.array(out)


def begin(noise):
    k = np.arange(1, N + 1)
    return 0.8 + 0.1 * noise, np.broadcast_to(np.cos(4 * np.pi * k / N) / np.sqrt(N), noise.shape).copy()


def passages(method, h, beta, time, starts):
    t, v = begin(starts)
    count = len(starts)
    left = np.arccos(0.7)
    right = 2 * np.pi - left
    first, changes, well = np.full(count, np.nan), np.zeros(count, int), np.zeros(count, bool)
    failed, total, steps = np.full(count, np.nan), np.zeros(count), int(round(time / h))
    f = force(t, method, h, beta)
    for k in range(steps):
        mean = t.mean(1)
        total += energy(t, v) / steps
        hit = np.abs(mean - np.where(well, left, right)) < 0.2
        first[hit & np.isnan(first)] = k * h
        changes += hit
        well ^= hit
        v = v + 0.5 * h * f
        t = t + h * v
        f = force(t, method, h, beta)
        v = v + 0.5 * h * f
        lost = ~(np.abs(t.mean(1) - np.pi) < 100) & np.isnan(failed)
        failed[lost] = (k + 1) * h
    return first, changes, total, failed


def say(*words):
    print(*words, flush=True)


def main():
    k = np.arange(1, N + 1)
    for method, h in (("verlet", 0.2), ("verlet", 0.05), ("zs", 2), ("zs", 1), ("zss", 2)):
        t, v = begin(np.sqrt(2) * np.sin(k * k.astype(float))[None])
        f = force(t, method, h, 0.3)
        for _ in range(int(round(100 / h))):
            v = v + 0.5 * h * f
            t = t + h * v
            f = force(t, method, h, 0.3)
            v = v + 0.5 * h * f
        say(method, h, "t = 100: mean rate %.10g energy %.10g theta_1 %.10g" % (v.mean(), energy(t, v)[0], t[0, 0]))
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    starts = np.array([random_start(s) for s in range(1, seeds + 1)])
    for method, h in (("verlet", 0.2), ("zs", 2.0)):
        for time in (500, 5000):
            first, changes, mean, failed = passages(method, h, 0.3, time, starts)
            say(method, h, "t <=", time, "arrivals of the first eight", first[:8], "mean %.5g sd %.4g" % (np.nanmean(first), np.nanstd(first)),
                "changes %.4g sd %.3g" % (changes.mean(), changes.std()), "energy %.6g sd %.4g" % (mean.mean(), mean.std()),
                "first energies", mean[:4], "failed", np.isfinite(failed).sum(), np.isnan(first).sum())
    for h in np.arange(0.90, 1.02, 0.01):
        say("verlet h = %.2f fails by t = 5000 at" % h, passages("verlet", h, 0, 5000, starts[:4])[3])


if __name__ == "__main__":
    np.seterr(all="ignore")
    main()
