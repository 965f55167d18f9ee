#!/usr/bin/env python3
"""Seven TIP3P waters (Tao & Owhadi 2016, section 4.3) from the equations, in numpy: multipliers of figure 5, energies and
momenta of figure 6.  It shares no code with rill.  Units: A, kcal/mol, u, akma time.

  water.py START       the number of molecules, then nine coordinates (O, H, H) of each

All methods start from the same velocities, of about kT = 0.02: sqrt(2 kT / m) sin(k^2), k = 1 ... 63 the number of the
component, projected onto the rigid molecules' tangent space."""
import sys

import numpy as np

MASS = np.array([15.9994, 1.008, 1.008])
CHARGE = np.array([-0.834, 0.417, 0.417])
LENGTH = np.array([0.9572, 0.9572, 2 * 0.9572 * np.sin(np.radians(104.52) / 2)])
ENDS = ((0, 1), (0, 2), (1, 2))
SIGN = np.array([[1, -1, 0], [1, 0, -1], [0, 1, -1]], float)  # bonds by atoms: r_c = sum_i SIGN[c, i] x_i
H, BETA = 0.05, 0.4


def soft(x):
    """V0 and its force."""
    n = len(x)
    i, j = np.triu_indices(n, 1)
    d = x[i][:, :, None] - x[j][:, None, :]
    r2 = (d * d).sum(-1)
    e = 332.0637 * CHARGE[:, None] * CHARGE[None] / np.sqrt(r2)
    scale = e / r2
    r6 = r2[:, 0, 0]**-3
    scale[:, 0, 0] += (12 * 582000 * r6 * r6 - 6 * 595 * r6) / r2[:, 0, 0]
    f = np.zeros_like(x)
    pair = scale[..., None] * d
    np.add.at(f, i, pair.sum(2))
    np.add.at(f, j, -pair.sum(1))
    return e.sum() + (582000 * r6 * r6 - 595 * r6).sum(), f


def bonds(x):
    r = np.einsum("ci,mik->mck", SIGN, x)
    return r, (r * r).sum(-1) - LENGTH**2


def gram(r, s):  # Dg(r) M^-1 Dg(s)^T of a molecule's three bonds
    return 4 * np.einsum("ci,ei,mck,mek->mce", SIGN / MASS, SIGN, r, s)


def push(r, lam):  # M^-1 Dg^T lam
    return 2 * np.einsum("ci,mc,mck->mik", SIGN / MASS, lam, r)


def rigid_multipliers(x, v, f):
    r, _ = bonds(x)
    u, _ = bonds(v)
    right = -2 * (r * np.einsum("ci,mik->mck", SIGN, f / MASS[:, None])).sum(-1) - 2 * (u * u).sum(-1)
    return np.linalg.solve(gram(r, r), right[..., None])[..., 0]


def project(x, v):
    r, _ = bonds(x)
    rate = 2 * (r * np.einsum("ci,mik->mck", SIGN, v)).sum(-1)
    return v - push(r, np.linalg.solve(gram(r, r), rate[..., None])[..., 0])


class Rattle:
    def __init__(self, x, v):
        self.x, self.v = x.copy(), v.copy()
        self.f = soft(x)[1]

    def step(self):
        v = self.v + 0.5 * H * self.f / MASS[:, None]
        y = self.x + H * v
        r, _ = bonds(self.x)
        total = np.zeros_like(self.x)
        for _ in range(30):
            s, g = bonds(y)
            if np.abs(g).max() < 1e-14:
                break
            change = push(r, np.linalg.solve(gram(s, r), -g[..., None])[..., 0])
            y, total = y + change, total + change
        v = v + total / H
        self.x = y
        self.f = soft(y)[1]
        self.v = project(y, v + 0.5 * H * self.f / MASS[:, None])

    def physical(self):
        return self.x

    def multipliers(self):
        lam = rigid_multipliers(self.x, self.v, self.f)
        return lam, lam


class Penalised:
    """Simplified Z&Ss with Gauss & Newton's block or the full stiff one; one-step Newmark B (full block, a kept)."""

    def __init__(self, x, v, w, kind):
        self.x, self.v, self.w, self.kind = x.copy(), v.copy(), w, kind
        self.a = self.force(x) / MASS[:, None] if kind == "newmark" else self.solve(x)

    def force(self, x):
        r, g = bonds(x)
        return soft(x)[1] - np.einsum("ci,mc,mck->mik", SIGN, 2 * self.w**2 * g, r)

    def solve(self, at, shift=None):
        """(M + beta h^2 K) a = F(at) - K shift"""
        r, g = bonds(at)
        block = 4 * r[..., :, None] * r[..., None, :]
        if self.kind != "gn":
            block = block + 2 * g[..., None, None] * np.eye(3)
        k = self.w**2 * np.einsum("ci,ce,mckl->mikel", SIGN, SIGN, block).reshape(-1, 9, 9)
        right = self.force(at).reshape(-1, 9)
        if shift is not None:
            right = right - np.einsum("mab,mb->ma", k, shift.reshape(-1, 9))
        return np.linalg.solve(np.diag(np.repeat(MASS, 3)) + BETA * H * H * k, right[..., None])[..., 0].reshape(at.shape)

    def step(self):
        if self.kind == "newmark":
            predicted = self.x + H * self.v + 0.5 * H * H * (1 - 2 * BETA) * self.a
            a = self.solve(self.x, predicted - self.x)
            self.x = predicted + BETA * H * H * a
            self.v = self.v + 0.5 * H * (self.a + a)
            self.a = a
            return
        v = self.v + 0.5 * H * self.a
        self.x = self.x + H * v
        self.a = self.solve(self.x)
        self.v = v + 0.5 * H * self.a

    def physical(self):
        return self.x if self.kind == "newmark" else self.x + BETA * H * H * self.a

    def multipliers(self):
        r, g = bonds(self.x)
        along = 2 * (r * np.einsum("ci,mik->mck", SIGN, self.a)).sum(-1)
        return -self.w**2 * g, -self.w**2 * (g + BETA * H * H * along)


def energy(motion, w):
    q = motion.physical()
    return soft(q)[0] + 0.5 * w * w * (bonds(q)[1]**2).sum() + 0.5 * (MASS[:, None] * motion.v**2).sum()


def momenta(motion):
    p = MASS[:, None] * motion.v
    return p.sum((0, 1)), np.cross(motion.x, p).sum((0, 1))


def figure_5(x, v):
    lam = {}
    for name, motion in (("RATTLE", Rattle(x, v)), ("Gauss-Newton, w = 500", Penalised(x, v, 500, "gn")),
                         ("full block, w = 500", Penalised(x, v, 500, "full")), ("Gauss-Newton, w = 20", Penalised(x, v, 20, "gn"))):
        values = []
        for _ in range(400):
            motion.step()
            at_x, at_q = motion.multipliers()
            values.append((at_x[0, 0], at_q[0, 0]))
        lam[name] = np.array(values)
    exact = lam.pop("RATTLE")[:, 1]
    print("figure 5, RATTLE: mean %.8g standard deviation %.8g" % (exact.mean(), exact.std()))
    window = np.ones(4) / 4
    for name, values in lam.items():
        d = [np.sqrt((np.convolve(values[:, k] - exact, window, "valid")**2).mean()) for k in range(2)]
        print("figure 5, %s: rms difference of averages at x %.8g, at q %.8g" % (name, *d))


def figure_6(x, v, time):
    start = soft(x)[0] + 0.5 * (MASS[:, None] * v**2).sum()  # of the rigid start, for all
    for name, w, motion in (("RATTLE", 0, Rattle(x, v)), ("Gauss-Newton", 20, Penalised(x, v, 20, "gn")),
                            ("full block", 20, Penalised(x, v, 20, "full")), ("one-step Newmark B", 20, Penalised(x, v, 20, "newmark"))):
        p0, l0 = momenta(motion)
        errors, most, far = [], 0, 0
        for k in range(1, int(round(time / H)) + 1):
            motion.step()
            if k % 20 == 0:
                p, l = momenta(motion)
                errors.append(energy(motion, w) - start)
                most, far = max(most, np.abs(l - l0).max()), max(far, np.abs(p - p0).max())
                if len(errors) in (10, 20, 50, 100, 200, 500, 1000):
                    e = np.array(errors)
                    print("figure 6, %s, t <= %g: first energy %.10g, largest energy error %.8g, at the end %.8g, mean of the last tenth %.8g, "
                          "momenta %.3g %.8g" % (name, k * H, start, np.abs(e).max(), e[-1], e[-(len(e) // 10):].mean(), far, most), flush=True)


def main():
    with open(sys.argv[1]) as file:
        numbers = file.read().split()
    x = np.array(numbers[1:], float).reshape(int(numbers[0]), 3, 3)
    k = np.arange(1.0, x.size + 1).reshape(x.shape)
    v = project(x, np.sqrt(2 * 0.02 / MASS)[:, None] * np.sin(k * k))
    figure_5(x, v)
    figure_6(x, v, float(sys.argv[2]) if len(sys.argv) > 2 else 1000)


if __name__ == "__main__":
    np.seterr(all="ignore")
    main()
