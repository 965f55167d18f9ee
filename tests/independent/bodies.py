#!/usr/bin/env python3
"""Rotating bodies from their equations, in numpy and scipy.  It shares no code with rill.

Magnetised body (Tao & Owhadi 2016, section 4.5): |R - R_ref| of the penalised motion, resolved, every 0.1 to t = 50;
the strain of the first-order variational Z&S; a symmetric splitting on the group.  Heavy body (Leok & Shingel, figure 1):
energy of Crouch & Grossman's method of two stages at h = 0.1."""
import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

E3 = np.array([0.0, 0, 1])
OMEGA = np.array([1, 0.2, 0.1])


def hat(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def exp(w):
    return Rotation.from_rotvec(w).as_matrix()


def torque(r):
    return np.cross(r.T @ E3, E3)


def integrate(rates, z, times):
    return solve_ivp(rates, (0, times[-1]), z, "DOP853", times, rtol=1e-12, atol=1e-13).y.T


def on_the_group(t, z):
    r = z[:9].reshape(3, 3)
    return np.concatenate([(r @ hat(z[9:])).ravel(), torque(r)])


def penalised_gradient(r, w):
    return np.outer(E3, E3) + 2 * w * w * (r @ r.T @ r - r)


def hessian(r, w):
    columns = []
    for k in range(9):
        a = np.zeros(9)
        a[k] = 1
        a = a.reshape(3, 3)
        columns.append((2 * w * w * (a @ r.T @ r + r @ a.T @ r + r @ r.T @ a - a)).ravel())
    return np.array(columns).T


def magnet():
    times = np.linspace(0, 50, 501)
    reference = integrate(on_the_group, np.concatenate([np.eye(3).ravel(), OMEGA]), times)[:, :9]
    start = np.concatenate([np.eye(3).ravel(), 0.5 * hat(OMEGA).ravel()])
    for w in (10, 20, 40):
        def penalised(t, z):
            return np.concatenate([2 * z[9:], -penalised_gradient(z[:9].reshape(3, 3), w).ravel()])
        z = integrate(penalised, start, times)[:, :9]
        print("penalised, w = %g: largest |R - R_ref| %.8g" % (w, np.linalg.norm(z - reference, axis=1).max()))
    h, w, beta = 0.1, 10, 0.4
    r, p, worst = np.eye(3), 0.5 * hat(OMEGA), 0
    for _ in range(500):
        a = np.linalg.solve(np.eye(9) + beta * h * h * hessian(r, w), -penalised_gradient(r, w).ravel()).reshape(3, 3)
        f = a - 2 * w * w * beta**2 * h**4 * (a @ a.T @ r + a @ r.T @ a + r @ a.T @ a)
        p = p + h * f
        r = r + 2 * h * p
        worst = max(worst, np.linalg.norm(r.T @ r - np.eye(3)))
    print("first order, w = 10: largest |R^T R - 1| %.8g" % worst)
    r, v, error, energy = np.eye(3), OMEGA.copy(), 0, 0
    first = 0.5 * v @ v + r[2, 2]
    for k in range(1, 501):
        v = v + 0.5 * h * torque(r)
        r = r @ exp(h * v)
        v = v + 0.5 * h * torque(r)
        error = max(error, np.linalg.norm(r.ravel() - reference[k]))
        energy = max(energy, abs(0.5 * v @ v + r[2, 2] - first))
    print("group, symmetric: largest |R - R_ref| %.8g, energy error %.8g" % (error, energy))


def heavy():
    j, h = np.array([1, 2.8, 2]), 0.1
    def rate(r, w):
        return (np.cross(j * w, w) + 9.81 * np.cross(E3, r.T @ E3)) / j
    r, w = np.eye(3), np.array([0.5, -0.5, 0.4])
    def energy():
        return 0.5 * (j * w * w).sum() - 9.81 * r[2, 2]
    first, worst = energy(), 0
    for _ in range(300):
        middle, rm = w + 0.5 * h * rate(r, w), r @ exp(0.5 * h * w)
        r, w = r @ exp(h * middle), w + h * rate(rm, middle)
        worst = max(worst, abs(energy() - first))
    print("Crouch & Grossman, pendulum, h = 0.1: largest energy error %.8g" % worst)


if __name__ == "__main__":
    magnet()
    heavy()
