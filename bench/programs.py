"""The programs that rill is compared with: how a water cluster is set up in each, and how a step is timed.

docs/benchmarks.md says why they are set up so.
"""
import os
import re
import shutil

from measure import (BenchError, FRICTION_PER_PS, STEP_FS, TEMPERATURE_K, TIP3P, Timing, describe_gromacs,
                     physical_constants, run_command)
import openmm_peer

CONSTANTS = physical_constants()
ANGLE, OH, HH = TIP3P.angle, TIP3P.oh, TIP3P.hh
SIGMA, EPSILON = TIP3P.sigma, TIP3P.epsilon
CHARGE_O, CHARGE_H = TIP3P.charge_o, TIP3P.charge_h
MASS_O, MASS_H = TIP3P.mass_o, TIP3P.mass_h
KCAL, ANGSTROM = CONSTANTS["KCAL"], CONSTANTS["ANGSTROM"]
NEVER = 1000000000  # a period in steps that no run reaches, and that fits 32 bits


def beyond(structure):
    """A cut-off that no pair reaches, with room for the cluster to swell."""
    return round(1.2 * structure.diameter + 0.6, 3)


def environment(threads):
    """One thread, and no questions from Open MPI when a container runs as root."""
    return dict(os.environ, OMP_NUM_THREADS=str(threads), LC_ALL="C", OMPI_ALLOW_RUN_AS_ROOT="1",
                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_hwloc_base_binding_policy="none",
                OMPI_MCA_rmaps_base_oversubscribe="1", GMX_MAXBACKUP="-1")


class Lammps:
    label = "LAMMPS"
    precision = "double"
    energy_tolerance = 1e-5  # kJ/mol per molecule; its Coulomb constant, 332.06371 kcal A/mol, is another by 1e-8

    def __init__(self, program, threads):
        self.program, self.threads = shutil.which(program), threads
        self.missing = None if self.program else f"no program {program} on the PATH (Debian: apt-get install lammps)"

    def version(self):
        found = re.search(r"Simulator - (.+)", run_command([self.program, "-h"], None, environment(1))[0])
        return "LAMMPS " + (found.group(1).strip() if found else "of unknown version")

    def setup(self):
        return (f"fix nve, fix langevin (damp {1 / FRICTION_PER_PS:g} ps), fix shake 1e-6 (bonds and angle); "
                f"lj/cut/coul/cut beyond the cluster, LJ of oxygen only; neighbour list built once; no periodicity; "
                f"{self.threads} MPI rank(s); timer loop; time of its own loop")

    def prepare(self, structure, folder):
        self.folder = folder
        count, cutoff = structure.molecules, beyond(structure) / ANGSTROM
        half = 2 * cutoff
        lines = ["water cluster", "", f"{3 * count} atoms", f"{2 * count} bonds", f"{count} angles", "2 atom types",
                 "1 bond types", "1 angle types", ""]
        lines += [f"{-half:.6f} {half:.6f} {axis}lo {axis}hi" for axis in "xyz"]
        lines += ["", "Masses", "", f"1 {MASS_O!r}", f"2 {MASS_H!r}", "", "Atoms # full", ""]
        for k, position in enumerate(structure.positions):
            kind, charge = (1, CHARGE_O) if k % 3 == 0 else (2, CHARGE_H)
            place = " ".join(f"{(position[a] - structure.centre[a]) / ANGSTROM:.12f}" for a in range(3))
            lines.append(f"{k + 1} {k // 3 + 1} {kind} {charge!r} {place}")
        lines += ["", "Bonds", ""]
        lines += [f"{2 * m + h} 1 {3 * m + 1} {3 * m + 1 + h}" for m in range(count) for h in (1, 2)]
        lines += ["", "Angles", ""]
        lines += [f"{m + 1} 1 {3 * m + 2} {3 * m + 1} {3 * m + 3}" for m in range(count)]
        with open(os.path.join(folder, "water.data"), "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
        # Hydrogens get a Lennard-Jones cut-off that no pair is below, so that no time goes into a zero.
        with open(os.path.join(folder, "water.in"), "w", encoding="ascii") as file:
            file.write(f"""units real
atom_style full
boundary f f f
newton on
timer loop
atom_modify sort 0 0
pair_style lj/cut/coul/cut {cutoff:.6f}
bond_style harmonic
angle_style harmonic
special_bonds lj/coul 0 0 0
read_data water.data
pair_coeff 1 1 {EPSILON / KCAL!r} {SIGMA / ANGSTROM!r}
pair_coeff 1 2 0.0 1.0 0.01 {cutoff:.6f}
pair_coeff 2 2 0.0 1.0 0.01 {cutoff:.6f}
bond_coeff 1 450.0 {OH / ANGSTROM!r}
angle_coeff 1 55.0 {ANGLE!r}
neighbor 2.0 bin
neigh_modify once yes one {max(2000, 3 * count)} page {max(100000, 30 * count)}
thermo 0
thermo_style custom step evdwl ecoul
thermo_modify format float %.12g
timestep {STEP_FS:g}
velocity all create {TEMPERATURE_K:g} 2718 mom yes rot yes dist gaussian
fix move all nve
fix bath all langevin {TEMPERATURE_K:g} {TEMPERATURE_K:g} {1000 / FRICTION_PER_PS:g} 3141
fix rigid all shake 1e-6 100 0 b 1 a 1
run ${{steps}} post no
""")

    def lammps(self, steps):
        command = [self.program, "-in", "water.in", "-var", "steps", str(steps), "-log", "none", "-nocite"]
        if self.threads > 1:
            command = ["mpirun", "-n", str(self.threads)] + command
        return run_command(command, self.folder, environment(1))

    def energy(self):
        output = self.lammps(0)[0]
        values = re.search(r"^\s*Step .*\n\s*0\s+(\S+)\s+(\S+)\s*$", output, re.MULTILINE)
        if not values:
            raise BenchError("LAMMPS printed no energies for step 0:\n" + output[-1500:])
        return KCAL * float(values.group(1)), KCAL * float(values.group(2))

    def run(self, steps):
        output, wall = self.lammps(steps)
        loop = re.search(r"Loop time of (\S+) on", output)
        return Timing(steps, wall, float(loop.group(1)) / steps if loop else None)


class Gromacs:
    def __init__(self, program, threads, precision):
        self.label, self.precision, self.threads = f"GROMACS {precision}", precision, threads
        self.program = shutil.which(program)
        self.described = describe_gromacs(self.program) if self.program else None
        if self.described:
            self.label += f" {self.described[0]} {self.described[2]}"
        self.missing = None if self.program else f"no program {program} on the PATH (Debian: apt-get install gromacs)"
        # kJ/mol per molecule: the log shows six digits, and single precision sums many terms that cancel.
        self.energy_tolerance = 2e-3

    def version(self):
        number, precision, simd = self.described
        return f"{self.program}: GROMACS {number}, {precision} precision, compiled for {simd}"

    def setup(self):
        return (f"integrator sd (tau-t {1 / FRICTION_PER_PS:g} ps), SETTLE; plain cut-off beyond the cluster in a "
                f"box of over twice that; pair list built once (verlet-buffer-tolerance -1); no energies between the "
                f"ends; -ntmpi 1 -ntomp {self.threads}; time of its own loop over the second half of a run")

    def prepare(self, structure, folder):
        self.folder = folder
        count, cutoff = structure.molecules, beyond(structure)
        box = round(2.1 * cutoff + 0.2, 3)
        with open(os.path.join(folder, "water.gro"), "w", encoding="ascii") as file:
            file.write(f"water cluster\n{3 * count}\n")
            for k, position in enumerate(structure.positions):
                name = ("OW", "HW1", "HW2")[k % 3]
                place = "".join(f"{position[a] - structure.centre[a] + box / 2:16.11f}" for a in range(3))
                file.write(f"{(k // 3 + 1) % 100000:5d}{'SOL':<5s}{name:>5s}{(k + 1) % 100000:5d}{place}\n")
            file.write(f"{box:.5f} {box:.5f} {box:.5f}\n")
        with open(os.path.join(folder, "water.top"), "w", encoding="ascii") as file:
            file.write(f"""[ defaults ]
1 2 yes 1.0 1.0
[ atomtypes ]
OW 8 {MASS_O!r} 0.0 A {SIGMA!r} {EPSILON!r}
HW 1 {MASS_H!r} 0.0 A 0.0 0.0
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW 1 {CHARGE_O!r} {MASS_O!r}
2 HW 1 SOL HW1 1 {CHARGE_H!r} {MASS_H!r}
3 HW 1 SOL HW2 1 {CHARGE_H!r} {MASS_H!r}
[ settles ]
1 1 {OH!r} {HH!r}
[ exclusions ]
1 2 3
2 1 3
3 1 2
[ system ]
water cluster
[ molecules ]
SOL {count}
""")
        # nstcalcenergy stays above 0: from 2024 on mdrun refuses an input in which nothing sets how often it
        # communicates ("All 3 inputs for determining nstglobalcomm are <= 0"; sd counts as no thermostat there).
        # A period beyond every run computes energies as seldom as 0 does, and suits 2022 too.
        quiet = f"nstenergy = 0\nnstlog = 0\nnstcalcenergy = {NEVER}\n"
        verbose = "nstenergy = 1\nnstlog = 1\nnstcalcenergy = 1\n"
        for name, output in (("quiet", quiet), ("energy", verbose)):
            with open(os.path.join(folder, f"{name}.mdp"), "w", encoding="ascii") as file:
                file.write(f"""integrator = sd
dt = {STEP_FS / 1000:g}
nsteps = 0
comm-mode = none
{output}nstxout = 0
nstvout = 0
nstfout = 0
cutoff-scheme = Verlet
nstlist = {NEVER}
verlet-buffer-tolerance = -1
rlist = {cutoff}
pbc = xyz
coulombtype = cut-off
coulomb-modifier = none
rcoulomb = {cutoff}
epsilon-rf = 1
vdwtype = cut-off
vdw-modifier = none
rvdw = {cutoff}
DispCorr = no
tc-grps = System
tau-t = {1 / FRICTION_PER_PS:g}
ref-t = {TEMPERATURE_K:g}
ld-seed = 1
gen-vel = yes
gen-temp = {TEMPERATURE_K:g}
gen-seed = 1
continuation = no
""")
            run_command([self.program, "-quiet", "grompp", "-f", f"{name}.mdp", "-c", "water.gro", "-p", "water.top",
                         "-o", f"{name}.tpr", "-po", f"{name}-full.mdp", "-maxwarn", "5"], folder, environment(1))

    def mdrun(self, name, *options):
        """(log, seconds) of one mdrun of the prepared input `name`."""
        wall = run_command([self.program, "-quiet", "mdrun", "-s", f"{name}.tpr", "-deffnm", f"{name}-run",
                            "-ntmpi", "1", "-ntomp", str(self.threads), "-noconfout", "-cpt", "-1", *options],
                           self.folder, environment(self.threads))[1]
        with open(os.path.join(self.folder, f"{name}-run.log"), encoding="utf-8", errors="replace") as file:
            return file.read(), wall

    def energy(self):
        log = self.mdrun("energy")[0]
        # Columns of fifteen characters: a line of names over a line of values.
        block = re.search(r"Energies \(kJ/mol\)\n(.*?)\n\s*\n", log, re.DOTALL)
        lines = block.group(1).splitlines() if block else []
        terms = {}
        for names, values in zip(lines[::2], lines[1::2]):
            terms.update(zip((names[k:k + 15].strip() for k in range(0, len(names), 15)), map(float, values.split())))
        if "LJ (SR)" in terms and "Coulomb (SR)" in terms:
            return terms["LJ (SR)"], terms["Coulomb (SR)"]
        raise BenchError("GROMACS printed no energies for step 0")

    def run(self, steps):
        half = steps // 2
        log, wall = self.mdrun("quiet", "-nsteps", str(steps), *(["-resetstep", str(half)] if half else []))
        own = re.search(r"^\s*Time:\s+\S+\s+(\S+)", log, re.MULTILINE)
        return Timing(steps, wall, float(own.group(1)) / (steps - half) if own else None)


class OpenMM(openmm_peer.OpenMM):
    # kJ/mol per molecule: single precision; up to 4.5e-5 has been seen.  Its Coulomb constant is rill's to 1e-14.
    energy_tolerance = 1e-4

    def __init__(self, threads, all_pairs=False):
        openmm_peer.OpenMM.__init__(self, threads)
        self.all_pairs = all_pairs
        if all_pairs:
            self.label += " NoCutoff"

    def setup(self):
        pairs = ("NoCutoff" if self.all_pairs else
                 "CutoffNonPeriodic beyond the cluster, reaction field of dielectric 1, neighbour list its own")
        return (f"LangevinMiddleIntegrator ({FRICTION_PER_PS:g} /ps), SETTLE; {pairs}; no CMMotionRemover; Threads "
                f"{self.threads}, on as many processors; time of its own loop over the second half of a run")

    def prepare(self, structure, folder):
        self.write(folder, structure.positions, **openmm_peer.rigid_water(), edges=None,
                   method="NoCutoff" if self.all_pairs else "CutoffNonPeriodic",
                   cutoff=None if self.all_pairs else beyond(structure),
                   temperature_K=TEMPERATURE_K, friction_per_ps=FRICTION_PER_PS)

    def ask(self, *words):
        """(answer, seconds of the process) of one task on the prepared input."""
        text, wall = run_command(openmm_peer.command(words[0], openmm_peer.INPUT, *words[1:]), self.folder,
                                 environment(self.threads))
        return self.answer(text), wall

    def energy(self):
        found = self.ask("energy")[0]
        return found["lj"], found["coulomb"]

    def run(self, steps):
        found, wall = self.ask("run", str(steps))
        return Timing(steps, wall, found["seconds"] / found["steps"])


class Replicas:
    """Two replicas that exchange temperatures every EXCHANGE steps, one MPI rank each, on two processors."""

    COUNT, EXCHANGE, TEMPERATURES = 2, 500, (100.0, 110.0)

    def ranks(self, command):
        mpirun = shutil.which("mpirun")
        if mpirun is None:
            raise BenchError("no program mpirun on the PATH (Debian: apt-get install openmpi-bin)")
        return [mpirun, "-n", str(self.COUNT)] + command

    def whole(self, steps):
        """Steps up to a whole number of exchanges, at least two."""
        return max(2, (steps + self.EXCHANGE - 1) // self.EXCHANGE) * self.EXCHANGE


class LammpsReplicas(Replicas, Lammps):
    """LAMMPS's temper."""

    label = "LAMMPS temper"

    def __init__(self, program):
        Lammps.__init__(self, program, self.COUNT)

    def prepare(self, structure, folder):
        Lammps.prepare(self, structure, folder)
        path = os.path.join(folder, "water.in")
        with open(path, encoding="ascii") as file:
            text = file.read()
        first, second = self.TEMPERATURES
        text = text.replace(f"langevin {TEMPERATURE_K:g} {TEMPERATURE_K:g}", "langevin $t $t")
        text = text.replace("run ${steps} post no", f"temper ${{steps}} {self.EXCHANGE} $t bath 3847 58382")
        text = f"variable t world {first:g} {second:g}\n" + text
        with open(path, "w", encoding="ascii") as file:
            file.write(text)

    def run(self, steps):
        steps = self.whole(steps)
        command = self.ranks([self.program, "-partition", f"{self.COUNT}x1", "-in", "water.in", "-var", "steps",
                              str(steps), "-log", "none", "-nocite"])
        wall = run_command(command, self.folder, environment(1))[1]
        with open(os.path.join(self.folder, "screen.0"), encoding="ascii", errors="replace") as file:
            loop = re.search(r"Loop time of (\S+) on", file.read())
        return Timing(steps, wall, float(loop.group(1)) / steps if loop else None)


class GromacsReplicas(Replicas, Gromacs):
    """GROMACS's mdrun -multidir -replex."""

    def __init__(self, program, serial):
        Gromacs.__init__(self, program, self.COUNT, "mixed")
        self.label = "GROMACS -multidir"
        self.mpi, self.program = self.program, shutil.which(serial)
        if self.missing is None and self.program is None:
            self.missing = f"no program {serial} on the PATH (Debian: apt-get install gromacs)"

    def prepare(self, structure, folder):
        for number, temperature in enumerate(self.TEMPERATURES):
            room = os.path.join(folder, f"replica{number}")
            os.makedirs(room)
            Gromacs.prepare(self, structure, room)
            path = os.path.join(room, "quiet.mdp")
            with open(path, encoding="ascii") as file:
                text = file.read()
            text = text.replace(f"nstcalcenergy = {NEVER}", f"nstcalcenergy = {self.EXCHANGE}")
            text = text.replace(f"ref-t = {TEMPERATURE_K:g}", f"ref-t = {temperature:g}")
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
            run_command([self.program, "-quiet", "grompp", "-f", "quiet.mdp", "-c", "water.gro", "-p", "water.top",
                         "-o", "quiet.tpr", "-po", "quiet-full.mdp", "-maxwarn", "5"], room, environment(1))
        self.folder = folder

    def run(self, steps):
        steps = self.whole(2 * steps)
        half = steps // 2
        command = self.ranks([self.mpi, "-quiet", "mdrun", "-multidir", "replica0", "replica1", "-replex",
                              str(self.EXCHANGE), "-s", "quiet.tpr", "-deffnm", "quiet", "-ntomp", "1", "-noconfout",
                              "-cpt", "-1", "-nsteps", str(steps), "-resetstep", str(half)])
        wall = run_command(command, self.folder, environment(1))[1]
        with open(os.path.join(self.folder, "replica0", "quiet.log"), encoding="utf-8", errors="replace") as file:
            own = re.search(r"^\s*Time:\s+\S+\s+(\S+)", file.read(), re.MULTILINE)
        return Timing(steps, wall, float(own.group(1)) / (steps - half) if own else None)
