#!/usr/bin/env python3
"""Penalised double pendulum and chain (Tao & Owhadi 2016, sections 4.1 and 4.2) from their equations, in numpy: times of
failure, least stiffness that fails, multipliers.  It shares no code with rill; numbers of `rill reproduce` with the
source `independent` come from here where the paper's own text and other prototypes give none.

U = sum g_c^2 w^2 / 2 with g = |r|^2 - L^2; Z&S: M x'' = f, (M + beta h^2 H) a = -grad V, f = a - (beta^2 h^4 / 2) a.V3.a."""
import sys

import numpy as np


class Chain:
    def __init__(self, lengths2, start, w, gravity=1.0):
        self.n, self.l2, self.w, self.g0 = len(lengths2), np.array(lengths2, float), w, gravity
        self.x0 = np.array(start, float).ravel()
        self.d = np.zeros((self.n, self.n))  # bars by particles: r = d x
        for c in range(self.n):
            self.d[c, c] = 1
            if c:
                self.d[c, c - 1] = -1

    def bars(self, x):
        r = self.d @ x.reshape(-1, 2)
        return r, (r * r).sum(1) - self.l2

    def gradient(self, x):
        r, g = self.bars(x)
        out = self.d.T @ (2 * self.w**2 * g[:, None] * r)
        out[:, 1] += self.g0
        return out.ravel()

    def hessian(self, x, gauss_newton=False):
        r, g = self.bars(x)
        blocks = 4 * r[:, :, None] * r[:, None, :]
        if not gauss_newton:
            blocks = blocks + 2 * g[:, None, None] * np.eye(2)
        return np.einsum("ca,cij,cb->aibj", self.d, self.w**2 * blocks, self.d).reshape(2 * self.n, 2 * self.n)

    def third(self, x, a):  # a.V3.a
        r, _ = self.bars(x)
        d = self.d @ a.reshape(-1, 2)
        each = self.w**2 * (4 * (d * d).sum(1)[:, None] * r + 8 * (r * d).sum(1)[:, None] * d)
        return (self.d.T @ each).ravel()

    def multiplier(self, x, a, beta, h):  # -w^2 of the constraint at q = x + beta h^2 a, linearised
        r, g = self.bars(x)
        return -self.w**2 * (g + beta * h * h * 2 * (r * (self.d @ a.reshape(-1, 2))).sum(1))


def double(w, gravity=1.0):
    return Chain([1, 2], [[0, -1], [1, -2]], w, gravity)


def zhang_skeel(system, h, beta, time, kind="zs", watch=None):
    """Time at which |g| > 0.5 at q = x + beta h^2 a, or None; watch(x, a) at each step, the start included."""
    x, v = system.x0.copy(), np.zeros_like(system.x0)
    one = np.eye(len(x))

    def force(x):
        a = np.linalg.solve(one + beta * h * h * system.hessian(x, kind == "gn"), -system.gradient(x))
        return (a - 0.5 * beta**2 * h**4 * system.third(x, a) if kind == "zs" else a), a
    f, a = force(x)
    if watch:
        watch(x, a)
    for k in range(int(round(time / h))):
        v = v + 0.5 * h * f
        x = x + h * v
        f, a = force(x)
        v = v + 0.5 * h * f
        if watch:
            watch(x, a)
        if not np.all(np.abs(system.bars(x + beta * h * h * a)[1]) <= 0.5):
            return (k + 1) * h
    return None


def midpoint(system, h, time):
    x, v = system.x0.copy(), np.zeros_like(system.x0)
    one = np.eye(len(x))
    for k in range(int(round(time / h))):
        y = x.copy()  # Newton for y = x + h v + h^2/2 a((x + y) / 2); from x + h v it finds other solutions when w is large
        for _ in range(60):
            m = 0.5 * (x + y)
            step = np.linalg.solve(one + 0.25 * h * h * system.hessian(m), y - x - h * v + 0.5 * h * h * system.gradient(m))
            y = y - step
            if np.abs(step).max() < 1e-13:
                break
        else:
            return (k + 1) * h
        v = 2 * (y - x) / h - v
        x = y
        if not np.all(np.abs(system.bars(x)[1]) <= 0.5):
            return (k + 1) * h
    return None


def newmark(system, h, beta, time):
    q, v = system.x0.copy(), np.zeros_like(system.x0)
    one, a = np.eye(len(q)), -system.gradient(q)
    for k in range(int(round(time / h))):
        base = q + h * v + h * h * (0.5 - beta) * a
        y = q.copy()
        for _ in range(60):
            step = np.linalg.solve(one + beta * h * h * system.hessian(y), y - base + beta * h * h * system.gradient(y))
            y = y - step
            if np.abs(step).max() < 1e-13:
                break
        else:
            return (k + 1) * h
        now = -system.gradient(y)
        v, a, q = v + 0.5 * h * (a + now), now, y
        if not np.all(np.abs(system.bars(q)[1]) <= 0.5):
            return (k + 1) * h
    return None


def exact_multipliers(step=0.001, time=50):
    """By generalised coordinates and RK4: (Dg M^-1 Dg^T) lambda = Dg M^-1 grad V - v^T Hess g v, every 0.01."""
    l2 = np.sqrt(2)

    def rates(z):
        a, b, p, q = z
        c, s = np.cos(a - b), np.sin(a - b)
        mass = np.array([[2, l2 * c], [l2 * c, 2]])
        right = np.array([-l2 * s * q * q - 2 * np.sin(a), l2 * s * p * p - l2 * np.sin(b)])
        return np.array([p, q, *np.linalg.solve(mass, right)])

    def lam(z):
        a, b, p, q = z
        r = np.array([[np.sin(a), -np.cos(a)], [l2 * np.sin(b), -l2 * np.cos(b)]])
        v = np.array([[p * np.cos(a), p * np.sin(a)], [l2 * q * np.cos(b), l2 * q * np.sin(b)]])
        dg = np.array([[*(2 * r[0]), 0, 0], [*(-2 * r[1]), *(2 * r[1])]])
        return np.linalg.solve(dg @ dg.T, dg @ [0, 1, 0, 1] - 2 * (v * v).sum(1))
    z, out = np.array([0, np.pi / 4, 0, 0]), []
    each = int(round(0.01 / step))
    for k in range(int(round(time / step)) + 1):
        if k % each == 0:
            out.append(lam(z))
        k1 = rates(z); k2 = rates(z + step / 2 * k1); k3 = rates(z + step / 2 * k2); k4 = rates(z + step * k3)
        z = z + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.array(out)


def main():
    def say(*words):
        print(*words, flush=True)
    for w, time in ((30, 50), (35, 50), (40, 50), (2000, 50), (22, 1000), (24, 1000)):
        say("Z&S, h = 0.1, w =", w, "t <=", time, "fails at", zhang_skeel(double(w), 0.1, 0.4, time))
    say("Z&S, printed gravity, w = 20 fails at", zhang_skeel(double(20, -1.0), 0.1, 0.4, 50))
    ten = [[i, -2 * i] for i in range(1, 11)]
    say("chain, Z&S, h = 0.05, printed gravity fails at", zhang_skeel(Chain([5] * 10, ten, 20, -1.0), 0.05, 0.4, 20))
    say("Z&Ss, w = 10000 fails at", zhang_skeel(double(10000), 0.1, 0.4, 50, "zss"))
    for w in (300, 500):
        say("Z&Ss, t <= 1000, w =", w, "fails at", zhang_skeel(double(w), 0.1, 0.4, 1000, "zss"))
    for time, w in ((50, 10000), (1000, 2000), (1000, 10000)):
        say("Gauss-Newton, w =", w, "t <=", time, "fails at", zhang_skeel(double(w), 0.1, 0.4, time, "gn"))
    for time, w in ((50, 200), (50, 300), (50, 2000), (1000, 200)):
        say("implicit midpoint, w =", w, "t <=", time, "fails at", midpoint(double(w), 0.1, time))
    for time, w in ((50, 10000), (1000, 2000), (1000, 10000)):
        say("Newmark, w =", w, "t <=", time, "fails at", newmark(double(w), 0.1, 0.4, time))
    exact = exact_multipliers()
    say("exact multipliers: means", exact.mean(0), "least of the first", exact[:, 0].min(), "largest of the second", exact[:, 1].max())
    for w in (20, 80):
        found = []
        s = double(w)
        zhang_skeel(s, 0.01, 0.4, 50, "zs", lambda x, a: found.append(s.multiplier(x, a, 0.4, 0.01)))
        z = np.array(found)
        mean = np.array([z[i - 10:i + 10].mean(0) for i in range(10, len(z) - 10)])
        cut = slice(10, len(z) - 10)
        say("Z&S at q, h = 0.01, w =", w, "rms error averaged", np.sqrt(((mean - exact[cut])**2).mean()), "raw",
            np.sqrt(((z[cut] - exact[cut])**2).mean()))
    for w in (10, 20, 40, 80, 160, 320):
        found = []
        s = double(w)
        zhang_skeel(s, 0.01, 0.4, 50, "zs", lambda x, a: found.append(np.abs(s.multiplier(x, a, 0.4, 0.01)).max()))
        say("w^2 |g(q(50))|, Z&S, h = 0.01, w =", w, found[-1], "largest", max(found))
    for h in (0.2, 0.1, 0.05, 0.025, 0.01):
        for i in range(400):
            w = 5 * 2**(i / 8)
            if zhang_skeel(double(w), h, 0.4, 50) is not None:
                say("least w = 5 2^(k/8) that fails by t = 50, h =", h, w)
                break


if __name__ == "__main__":
    np.seterr(all="ignore")
    sys.exit(main())
