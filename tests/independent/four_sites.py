#!/usr/bin/env python3
"""Four-site water from the definition, in numpy and scipy: energies and forces of clusters and of a box by plain sums.  It
shares no code with rill.  Units: nm, kJ/mol, e.

  four_sites.py FOLDER         writes four_sites.csv and four_sites_forces.csv of tests/data/energies
  four_sites.py FOLDER lammps  compares those of the clusters with LAMMPS (lmp)
  four_sites.py FOLDER gromacs compares those of the box with GROMACS in double precision (gmx_d)

Structures are those of tests/data/structures, rebuilt for each model: the oxygen, the bisector and the plane are kept.
The Ewald sum has all images and waves whose terms exceed 1e-17; Lennard-Jones in the box is cut at 0.9 nm."""
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.special import erf, erfc

COULOMB = 138.93545764438
GAS = 8.31446261815324e-3
KCAL = 4.184
# r_OH, angle, q_H, r_OM, sigma, epsilon
MODELS = {
    "tip4p": (0.09572, 104.52, 0.520, 0.0150, 0.315365, 0.1550 * KCAL),
    "tip4p-ew": (0.09572, 104.52, 0.52422, 0.0125, 0.316435, 0.16275 * KCAL),
    "tip4p-2005": (0.09572, 104.52, 0.5564, 0.01546, 0.31589, 93.2 * GAS),
    "opc": (0.087243313, 103.59893, 0.679142, 0.015939833, 0.316655208, 0.212800813 * KCAL),
    "tip4p-fb": (0.09572, 104.52, 0.5258681106763, 0.010527446, 0.3165552430462, 0.7492790213533),
}
CLUSTERS = ("c002_min", "c007_liq", "c020_a")
BOX, CUTOFF = "p216", 0.9
EVERY = 6  # of the box's molecules, forces of one in this many are written
HERE = os.path.dirname(os.path.abspath(__file__))


def read(name):
    """Positions [molecules][3][3] and the edge of the cubic box, or None."""
    with open(os.path.join(HERE, "../data/structures", name + ".xyz"), encoding="ascii") as file:
        lines = file.read().splitlines()
    edge = float(lines[1].split('"')[1].split()[0]) / 10 if "Lattice" in lines[1] else None
    return np.array([[float(x) for x in line.split()[1:4]] for line in lines[2:]]).reshape(-1, 3, 3) / 10, edge


def unit(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def rebuild(x, model):
    oh, half = MODELS[model][0], np.radians(MODELS[model][1]) / 2
    u1, u2 = unit(x[:, 1] - x[:, 0]), unit(x[:, 2] - x[:, 0])
    along, across = oh * np.cos(half) * unit(u1 + u2), oh * np.sin(half) * unit(u1 - u2)
    return np.stack([x[:, 0], x[:, 0] + along + across, x[:, 0] + along - across], axis=1)


def charges(x, model):
    """Positions of M, H, H as a linear map of O, H, H, and the map."""
    oh, angle, _, om = MODELS[model][:4]
    a = om / (2 * oh * np.cos(np.radians(angle) / 2))
    c = np.array([[1 - 2 * a, a, a], [0, 1, 0], [0, 0, 1]])
    return np.einsum("ij,mjk->mik", c, x), c


def lennard_jones(o, model, edge=None):
    sigma, epsilon = MODELS[model][4:]
    energy, f = 0.0, np.zeros_like(o)
    d = o[:, None] - o[None]
    if edge is not None:
        d -= edge * np.round(d / edge)
    r2 = (d * d).sum(-1)
    np.fill_diagonal(r2, np.inf)
    if edge is not None:
        r2[r2 >= CUTOFF**2] = np.inf
    s6 = (sigma**2 / r2)**3
    energy = 0.5 * (4 * epsilon * (s6 * s6 - s6)).sum()
    f = ((24 * epsilon * (2 * s6 * s6 - s6) / r2)[..., None] * d).sum(1)
    return energy, f


def coulomb_vacuum(r, q):
    n = len(r) // 3
    d = r[:, None] - r[None]
    distance = np.sqrt((d * d).sum(-1))
    distance[np.kron(np.eye(n), np.ones((3, 3))) > 0] = np.inf
    e = COULOMB * q[:, None] * q[None] / distance
    return 0.5 * e.sum(), ((e / distance**2)[..., None] * d).sum(1)


def coulomb_box(r, q, edge):
    """Ewald's sum with tin-foil boundary, without the pairs within molecules."""
    n, beta = len(r) // 3, 5.2
    energy, f = -COULOMB * beta / np.sqrt(np.pi) * (q * q).sum(), np.zeros_like(r)
    same = np.kron(np.eye(n), np.ones((3, 3))) > 0
    within = r[:, None] - r[None]  # molecules are whole
    for image in np.ndindex(3, 3, 3):
        shift = edge * (np.array(image) - 1)
        d = within - shift
        if not shift.any():
            r1 = np.sqrt((within**2).sum(-1))
            pairs = same & (r1 > 0)
            s = np.where(pairs, r1, 1.0)
            e = np.where(pairs, -COULOMB * q[:, None] * q[None] * erf(beta * s) / s, 0)
            gauss = 2 * beta / np.sqrt(np.pi) * np.exp(-(beta * s)**2)
            g = np.where(pairs, -COULOMB * q[:, None] * q[None] * (erf(beta * s) / s - gauss) / s**2, 0)
            energy += 0.5 * e.sum()
            f += (g[..., None] * within).sum(1)
        # other molecules are wrapped to the nearest image of the first charge first
        d = d - edge * np.repeat(np.repeat(np.round((r[::3][:, None] - r[::3][None]) / edge), 3, 0), 3, 1)
        s = np.sqrt((d * d).sum(-1))
        s[same & (not shift.any())] = np.inf
        e = COULOMB * q[:, None] * q[None] * erfc(beta * s) / s
        g = (e + COULOMB * q[:, None] * q[None] * 2 * beta / np.sqrt(np.pi) * np.exp(-(beta * s)**2)) / s**2
        energy += 0.5 * e.sum()
        f += (g[..., None] * np.where(np.isfinite(s)[..., None], d, 0)).sum(1)
    top = int(np.ceil(2 * beta * 6.3 * edge / (2 * np.pi)))
    wave = 2 * np.pi / edge
    axis = [np.exp(1j * wave * np.outer(np.arange(-top, top + 1), r[:, c])) for c in range(3)]
    numbers = np.arange(-top, top + 1)
    for i, h in enumerate(numbers):
        for j, k in enumerate(numbers):
            waves = q * axis[0][i] * axis[1][j] * axis[2]  # [l][charge]
            k2 = wave**2 * (h * h + k * k + numbers**2)
            with np.errstate(divide="ignore"):
                weight = np.where(k2 > 0, np.exp(-k2 / (4 * beta**2)) / k2, 0)
            total = waves.sum(1)
            energy += COULOMB * 2 * np.pi / edge**3 * (weight * abs(total)**2).sum()
            slope = COULOMB * 4 * np.pi / edge**3 * weight[:, None] * (np.conj(total)[:, None] * waves).imag
            f += wave * np.stack([h * slope.sum(0), k * slope.sum(0), (numbers[:, None] * slope).sum(0)], axis=1)
    return energy, f


def evaluate(x, model, edge=None):
    """Coulomb energy, Lennard-Jones energy, forces on the atoms."""
    q = np.tile([-2.0, 1.0, 1.0], len(x)) * MODELS[model][2]
    r, c = charges(x, model)
    flat = r.reshape(-1, 3)
    coulomb, g = coulomb_vacuum(flat, q) if edge is None else coulomb_box(flat, q, edge)
    f = np.einsum("ij,mik->mjk", c, g.reshape(-1, 3, 3))
    lj, on_oxygens = lennard_jones(x[:, 0], model, edge)
    f[:, 0] += on_oxygens
    return coulomb, lj, f


def check(x, model, f, edge=None, step=1e-5):
    """The largest error of a few forces against central differences of the energy, relative to the largest force."""
    worst = 0.0
    for m, a, k in ((0, 0, 0), (0, 1, 1), (1, 2, 2)):
        values = []
        for sign in (1, -1):
            y = x.copy()
            y[m, a, k] += sign * step
            values.append(sum(evaluate(y, model, edge)[:2]))
        worst = max(worst, abs(-(values[0] - values[1]) / (2 * step) - f[m, a, k]))
    return worst / abs(f).max()


def write(folder):
    with open(os.path.join(folder, "four_sites.csv"), "w", encoding="ascii") as table, \
            open(os.path.join(folder, "four_sites_forces.csv"), "w", encoding="ascii") as forces:
        table.write("# Four-site water by tests/independent/four_sites.py: kJ/mol; molecules of tests/data/structures\n"
                    "# rebuilt for the model; p216: an Ewald sum, Lennard-Jones cut at 0.9 nm without shift or tail.  LAMMPS\n"
                    "# (lj/cut/tip4p/cut, all pairs) has the same energies and forces of the clusters to 5e-15, GROMACS\n"
                    "# in double precision those of the box to 3e-11, its forces to 2e-7 of their root mean square.\n"
                    "name,model,coulomb,lj\n")
        forces.write("# Forces on the atoms, kJ/mol/nm; molecules and atoms from 0\nname,model,molecule,atom,fx,fy,fz\n")
        for name in CLUSTERS + (BOX,):
            start, edge = read(name)
            for model in MODELS:
                x = rebuild(start, model)
                coulomb, lj, f = evaluate(x, model, edge)
                table.write(f"{name},{model},{coulomb:.15g},{lj:.15g}\n")
                for m in range(0, len(x), 1 if edge is None else EVERY):
                    for a in range(3):
                        forces.write(f"{name},{model},{m},{a}," + ",".join(f"{v:.12g}" for v in f[m, a]) + "\n")
                if edge is None:
                    print(f"{name} {model}: against central differences {check(x, model, f):.1e}")
    if len(sys.argv) <= 2:
        x = rebuild(read(BOX)[0], "opc")
        edge = read(BOX)[1]
        print(f"{BOX} opc: against central differences {check(x, 'opc', evaluate(x, 'opc', edge)[2], edge):.1e}")


def lammps(x, model):
    """Energy, and forces on the atoms, kJ/mol and nm, of a cluster by LAMMPS, lj/cut/tip4p/cut with all pairs."""
    oh, angle, charge, om, sigma, epsilon = MODELS[model]
    with tempfile.TemporaryDirectory() as folder:
        n = len(x)
        with open(os.path.join(folder, "data"), "w", encoding="ascii") as file:
            file.write(f"water\n\n{3 * n} atoms\n{2 * n} bonds\n{n} angles\n2 atom types\n1 bond types\n1 angle types\n\n"
                       "-100 100 xlo xhi\n-100 100 ylo yhi\n-100 100 zlo zhi\n\nMasses\n\n1 15.9994\n2 1.008\n\nAtoms\n\n")
            for i, r in enumerate(x.reshape(-1, 3) * 10):
                q = -2 * charge if i % 3 == 0 else charge
                file.write(f"{i + 1} {i // 3 + 1} {1 if i % 3 == 0 else 2} {q:.17g} {r[0]:.17g} {r[1]:.17g} {r[2]:.17g}\n")
            file.write("\nBonds\n\n")
            for m in range(n):
                file.write(f"{2 * m + 1} 1 {3 * m + 1} {3 * m + 2}\n{2 * m + 2} 1 {3 * m + 1} {3 * m + 3}\n")
            file.write("\nAngles\n\n" + "".join(f"{m + 1} 1 {3 * m + 2} {3 * m + 1} {3 * m + 3}\n" for m in range(n)))
        with open(os.path.join(folder, "in"), "w", encoding="ascii") as file:
            file.write("units real\natom_style full\nboundary f f f\nbond_style zero\nangle_style zero\n"
                       f"pair_style lj/cut/tip4p/cut 1 2 1 1 {10 * om:.17g} 80.0 80.0\nread_data data\n"
                       "bond_coeff * 0.9572\nangle_coeff * 104.52\n"
                       f"pair_coeff * * 0 1\npair_coeff 1 1 {epsilon / KCAL:.17g} {10 * sigma:.17g}\n"
                       f"bond_coeff * {10 * oh:.17g}\nangle_coeff * {angle:.17g}\n"
                       "thermo_style custom evdwl ecoul\nthermo_modify format float %.15g\n"
                       "dump 1 all custom 1 forces id fx fy fz\ndump_modify 1 sort id format float %.15g\nrun 0\n")
        out = subprocess.run(["lmp", "-in", "in", "-log", "none"], cwd=folder, capture_output=True, text=True, check=True)
        lines = out.stdout.splitlines()
        at = next(i for i, line in enumerate(lines) if line.split()[:2] == ["E_vdwl", "E_coul"])
        lj, coulomb = map(float, lines[at + 1].split())
        rows = [line.split() for line in open(os.path.join(folder, "forces"), encoding="ascii")][9:]
    f = np.array([[float(v) for v in row[1:]] for row in rows]).reshape(-1, 3, 3)
    return coulomb * KCAL, lj * KCAL, f * KCAL * 10


def compare():
    for name in CLUSTERS:
        for model in MODELS:
            x = rebuild(read(name)[0], model)
            ours, theirs = evaluate(x, model), lammps(x, model)
            factor = COULOMB / (332.06371 * KCAL / 10)  # LAMMPS's constant is another
            lj, f = ours[1], ours[2]
            coulomb_forces = f.copy()
            coulomb_forces[:, 0] -= lennard_jones(x[:, 0], model)[1]
            f = f - coulomb_forces * (1 - 1 / factor)
            print(f"{name} {model}: coulomb {theirs[0] * factor / ours[0] - 1:+.1e}, lj {theirs[1] / lj - 1:+.1e}, "
                  f"forces {abs(theirs[2] - f).max() / abs(f).max():.1e}")


def topology(model, molecules):
    """GROMACS's, of rigid molecules with their massless site."""
    oh, angle, charge, om, sigma, epsilon = MODELS[model]
    half = np.radians(angle) / 2
    weight = om / (2 * oh * np.cos(half))
    return f"""[ defaults ]
1 2 yes 1.0 1.0
[ atomtypes ]
OW 8 15.9994 0.0 A {sigma:.17g} {epsilon:.17g}
HW 1 1.008 0.0 A 0.0 0.0
MW 0 0.0 0.0 D 0.0 0.0
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW 1 0.0 15.9994
2 HW 1 SOL HW1 1 {charge!r} 1.008
3 HW 1 SOL HW2 1 {charge!r} 1.008
4 MW 1 SOL MW 1 {-2 * charge!r} 0.0
[ settles ]
1 1 {oh!r} {2 * oh * np.sin(half):.17g}
[ virtual_sites3 ]
4 1 2 3 1 {weight:.17g} {weight:.17g}
[ exclusions ]
1 2 3 4
2 1 3 4
3 1 2 4
4 1 2 3
[ system ]
water
[ molecules ]
SOL {molecules}
"""


PARAMETERS = f"""integrator = md
nsteps = 0
nstfout = 1
nstenergy = 1
nstcalcenergy = 1
continuation = yes
cutoff-scheme = Verlet
verlet-buffer-tolerance = -1
rlist = {CUTOFF}
coulombtype = PME
rcoulomb = {CUTOFF}
ewald-rtol = 1e-11
fourierspacing = 0.03
pme-order = 12
rvdw = {CUTOFF}
vdw-modifier = None
"""


def gromacs(x, model, edge):
    """Coulomb and Lennard-Jones energies, and forces on the atoms, of a box."""
    a = charges(x, model)[0][:, 0]
    sites = np.concatenate([x, a[:, None]], axis=1)
    names = "OW", "HW1", "HW2", "MW"
    lines = ["water", str(4 * len(x))]
    for m, molecule in enumerate(sites):
        for k, r in enumerate(molecule):
            lines.append(f"{m + 1:5d}SOL  {names[k]:>5s}{(4 * m + k + 1) % 100000:5d}" + "".join(f"{v:21.16f}" for v in r))
    lines.append(f"{edge:.16f} {edge:.16f} {edge:.16f}")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("box.gro", "\n".join(lines) + "\n"), ("water.top", topology(model, len(x))),
                           ("one.mdp", PARAMETERS)):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(text)

        def run(command, words=""):
            return subprocess.run(["gmx_d", "-quiet", *command.split()], cwd=folder, input=words, capture_output=True, text=True,
                                  check=True, env=dict(os.environ, OMP_NUM_THREADS="1", GMX_MAXBACKUP="-1")).stdout

        def last(name):
            with open(os.path.join(folder, name), encoding="ascii") as file:
                return [float(v) for v in file.read().split("\n")[-2].split()][1:]

        run("grompp -f one.mdp -c box.gro -p water.top -o one.tpr -maxwarn 2")
        run("mdrun -deffnm one -ntmpi 1 -ntomp 1 -notunepme")
        run("energy -f one.edr -o one.xvg -dp", "LJ-(SR)\nCoulomb-(SR)\nCoul.-recip.\n\n")
        run("traj -s one.tpr -f one.trr -of forces.xvg -fp", "System\n")
        lj, near, far = last("one.xvg")
        f = np.array(last("forces.xvg")).reshape(-1, 4, 3)[:, :3]
    return near + far, lj, f


def compare_box():
    start, edge = read(BOX)
    for model in MODELS:
        x = rebuild(start, model)
        coulomb, lj, f = evaluate(x, model, edge)
        theirs = gromacs(x, model, edge)
        print(f"{BOX} {model}: coulomb {theirs[0] / coulomb - 1:+.1e}, lj {theirs[1] / lj - 1:+.1e}, "
              f"forces {abs(theirs[2] - f).max() / np.sqrt(np.mean(f * f)):.1e} of their root mean square")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[2:] == ["lammps"]:
        compare()
    elif sys.argv[2:] == ["gromacs"]:
        compare_box()
    else:
        write(sys.argv[1])
