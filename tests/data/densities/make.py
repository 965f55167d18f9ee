#!/usr/bin/env python3
"""Writes the inputs of GROMACS for a box of a water model at 298.15 K and 1 bar into the current folder: start.gro,
water.top, npt.mdp.  usage: make.py MODEL START NANOSECONDS; START is a structure of `rill build`, with the massless
sites of a four-site model (`rill convert --sites`).  gromacs.sh runs it.  The numbers of the models are written here
once more on purpose: those of the papers, not of rill's table."""
import shutil
import sys
from math import acos, cos, degrees, radians, sin

KCAL = 4.184
GAS_CONSTANT = 8.31446261815324e-3
SPC = (0.3428 ** 2 / 0.37122, 0.25 * (0.37122 / 0.3428) ** 12)
TETRAHEDRAL = degrees(acos(-1 / 3))
# r_OH in nm, angle in degrees, charge of a hydrogen, r_OM in nm, sigma in nm, epsilon in kJ/mol
MODELS = {
    "tip3p": (0.09572, 104.52, 0.417, None, 0.315061, 0.1521 * KCAL),
    "spce": (0.1, TETRAHEDRAL, 0.4238, None, *SPC),
    "opc3": (0.0978882, 109.4711586, 0.447585, None, 0.317427035, 0.163406 * KCAL),
    "tip4p-ew": (0.09572, 104.52, 0.52422, 0.0125, 0.316435, 0.16275 * KCAL),
    "tip4p-2005": (0.09572, 104.52, 0.5564, 0.01546, 0.31589, 93.2 * GAS_CONSTANT),
    "opc": (0.087243313, 103.59893, 0.679142, 0.015939833, 0.316655208, 0.212800813 * KCAL),
}
MASS_O, MASS_H = 15.9994, 1.008
STEP_PS = 0.002


def topology(model, molecules):
    oh, angle, charge, om, sigma, epsilon = MODELS[model]
    hh = 2 * oh * sin(radians(angle / 2))
    atoms = [("OW", 0.0 if om else -2 * charge, MASS_O), ("HW1", charge, MASS_H), ("HW2", charge, MASS_H)]
    if om:
        atoms.append(("MW", -2 * charge, 0.0))
    lines = ["[ defaults ]", "1 2 yes 1.0 1.0", "[ atomtypes ]", f"OW 8 {MASS_O!r} 0.0 A {sigma!r} {epsilon!r}",
             f"HW 1 {MASS_H!r} 0.0 A 0.0 0.0"]
    if om:
        lines.append("MW 0 0.0 0.0 D 0.0 0.0")
    lines += ["[ moleculetype ]", "SOL 2", "[ atoms ]"]
    lines += [f"{i} {name[:2]} 1 SOL {name} 1 {q!r} {mass!r}" for i, (name, q, mass) in enumerate(atoms, 1)]
    lines += ["[ settles ]", f"1 1 {oh!r} {hh!r}"]
    if om:
        weight = om / (2 * oh * cos(radians(angle / 2)))
        lines += ["[ virtual_sites3 ]", f"4 1 2 3 1 {weight!r} {weight!r}"]
    lines.append("[ exclusions ]")
    numbers = range(1, len(atoms) + 1)
    lines += [" ".join(map(str, [i] + [j for j in numbers if j != i])) for i in numbers]
    lines += ["[ system ]", "water", "[ molecules ]", f"SOL {molecules}"]
    return "\n".join(lines) + "\n"


def parameters(nanoseconds):
    return f"""integrator = md
dt = {STEP_PS}
nsteps = {round(nanoseconds * 1000 / STEP_PS)}
nstlog = 0
nstcalcenergy = 20
nstenergy = 20
cutoff-scheme = Verlet
verlet-buffer-tolerance = 0.0005
coulombtype = PME
rcoulomb = 0.9
fourierspacing = 0.1
pme-order = 4
rvdw = 0.9
vdw-modifier = Potential-shift
DispCorr = EnerPres
tcoupl = v-rescale
tc-grps = System
tau-t = 1
ref-t = 298.15
pcoupl = C-rescale
pcoupltype = isotropic
nstpcouple = 10
tau-p = 0.5
compressibility = 4.5e-5
ref-p = 1
gen-vel = yes
gen-temp = 298.15
gen-seed = 1
ld-seed = -1075871915
"""


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in MODELS:
        sys.exit(f"usage: make.py MODEL START NANOSECONDS; the models are {', '.join(MODELS)}")
    with open(sys.argv[2], encoding="ascii") as file:
        sites = int(file.read().splitlines()[1])
    with open("water.top", "w", encoding="ascii") as file:
        file.write(topology(sys.argv[1], sites // (4 if MODELS[sys.argv[1]][3] else 3)))
    with open("npt.mdp", "w", encoding="ascii") as file:
        file.write(parameters(float(sys.argv[3])))
    if sys.argv[2] != "start.gro":
        shutil.copyfile(sys.argv[2], "start.gro")
