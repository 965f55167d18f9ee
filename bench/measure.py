"""What the benchmarks share: start structures, running rill, timing a step, and the table.

Python 3 and its standard library only.  Lengths are in nm, energies in kJ/mol, times of a step in seconds;
tables show microseconds.
"""
import argparse
import json
import math
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

STEP_FS = 2.0
TEMPERATURE_K = 150.0
FRICTION_PER_PS = 1.0

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class BenchError(Exception):
    """Something that a person has to put right; the message says what."""


def run_command(command, folder, environment=None):
    """Run to the end, return (standard output, seconds); a failure is a BenchError with the last lines said."""
    begin = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    seconds = time.perf_counter() - begin
    if done.returncode != 0:
        tail = "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:])
        raise BenchError(f"{os.path.basename(command[0])} {' '.join(command[1:3])} ended with status "
                         f"{done.returncode}:\n{tail}")
    return done.stdout, seconds


def physical_constants():
    """The constants that rill was compiled with: '#define RILL_NAME value' of src/base/units.h."""
    constants = {}
    with open(os.path.join(ROOT, "src", "base", "units.h"), encoding="utf-8") as header:
        for line in header:
            match = re.match(r"#define RILL_(\w+)\s+(.+?)\s*(?:/\*.*)?$", line)
            if match:
                expression = re.sub(r"RILL_(\w+)", lambda name: repr(constants[name.group(1)]), match.group(2))
                constants[match.group(1)] = float(eval(expression, {"__builtins__": {}}))  # numbers and * only
    return constants


class WaterModel:
    """A water model of three sites in nm, degrees, e, kJ/mol and u, as its paper has it (`rill list models`)."""

    def __init__(self, oh, angle, charge_h, sigma, epsilon, mass_o=15.9994, mass_h=1.008):
        self.oh, self.angle, self.hh = oh, angle, 2 * oh * math.sin(math.radians(angle / 2))
        self.charge_o, self.charge_h = -2 * charge_h, charge_h
        self.sigma, self.epsilon = sigma, epsilon
        self.mass_o, self.mass_h = mass_o, mass_h


TIP3P = WaterModel(0.09572, 104.52, 0.417, 0.315061, 0.1521 * 4.184)


class Structure:
    """A water cluster read from a GRO file: positions in nm, three atoms (O H H) a molecule."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        with open(path, encoding="ascii") as file:
            lines = file.read().splitlines()
        count = int(lines[1])
        width = None
        self.positions = []
        for line in lines[2:2 + count]:
            if width is None:  # the distance between decimal points is the width of a column
                first = line.index(".", 20)
                width = line.index(".", first + 1) - first
            self.positions.append(tuple(float(line[20 + k * width:20 + (k + 1) * width]) for k in range(3)))
        if count == 0 or count % 3:
            raise BenchError(f"{path}: {count} atoms are not whole water molecules")
        names = [line[10:15].strip()[:1] for line in lines[2:2 + count]]
        if names != ["O", "H", "H"] * (count // 3):
            raise BenchError(f"{path}: atoms must come in the order O H H")
        self.molecules = count // 3
        self.centre = tuple((min(p[k] for p in self.positions) + max(p[k] for p in self.positions)) / 2
                            for k in range(3))
        # An upper bound of every pair distance.
        self.diameter = 2 * max(sum((p[k] - self.centre[k]) ** 2 for k in range(3)) ** 0.5 for p in self.positions)


class Timing:
    """One run of a program: steps taken, seconds from start to exit, seconds per step by its own count (or None)."""

    def __init__(self, steps, wall, own=None):
        self.steps, self.wall, self.own = steps, wall, own


class Rill:
    def __init__(self, program, threads=1, precision="double"):
        self.label = "rill" if precision == "double" else f"rill {precision}"
        self.threads, self.precision = threads, precision
        # kJ/mol per molecule, where another is the judge; in single precision 7e-5 has been seen (portable kernels)
        self.energy_tolerance = 1e-5 if precision == "double" else 1e-4
        self.program = shutil.which(program) or (os.path.abspath(program) if os.access(program, os.X_OK) else None)
        self.missing = None if self.program else f"{program} is no program: build rill first, or say --rill FILE"

    def version(self):
        return run_command([self.program, "--version"], None)[0].splitlines()[0]

    def setup(self, threads=None):
        counts = ", ".join(map(str, threads or [self.threads]))
        return (f"rattle + settle, gla {FRICTION_PER_PS:g} /ps, all pairs in vacuum, {self.precision} precision, "
                f"threads {counts}, no [output]; time by the difference between a long and a short run")

    def build(self, molecules, path):
        run_command([self.program, "build", "water", str(molecules), "-o", path], None)
        return Structure(path)

    def prepare(self, structure, folder):
        self.folder, self.start = folder, os.path.join(folder, "start.gro")
        shutil.copyfile(structure.path, self.start)
        self.deck = os.path.join(folder, "bench.ini")
        with open(self.deck, "w", encoding="ascii") as deck:
            deck.write(f"""[system]
kind = water
structure = start.gro
boundary = vacuum
[integrator]
method = rattle
step = {STEP_FS:g} fs
steps = 1000
[constraints]
solver = settle
[forces]
precision = {self.precision}
[thermostat]
method = gla
temperature = {TEMPERATURE_K:g} K
friction = {FRICTION_PER_PS:g} /ps
seed = 1
""")

    def energy(self):
        if self.precision != "double":
            return self.energy_of_run()
        answer = json.loads(run_command([self.program, "energy", self.start, "--json"], self.folder)[0])
        return answer["lj_kJ_mol"], answer["coulomb_kJ_mol"]

    def energy_of_run(self):
        """Of the start, as a run's own forces have it: rill energy is in double precision."""
        run_command([self.program, "run", self.deck, "--set", "integrator.steps=0", "--set", "output.series=energy.csv",
                     "--quiet", "--force", "-o", self.folder], self.folder)
        with open(os.path.join(self.folder, "energy.csv"), encoding="ascii") as file:
            rows = [line.rstrip().split(",") for line in file if not line.startswith("#")]
        row = dict(zip(rows[0], rows[1]))
        return float(row["lj"]), float(row["coulomb"])

    def run(self, steps):
        wall = run_command([self.program, "run", self.deck, "--set", f"integrator.steps={steps}",
                            "--threads", str(self.threads), "--quiet", "--force", "-o", self.folder], self.folder)[1]
        return Timing(steps, wall)


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Clock:
    """Times a step of a prepared program by runs of two lengths, chosen so that the long one takes `seconds`.

    A peer's time is the one it reports for its own loop, which leaves all start-up out; rill's is the difference of
    the two run lengths, so that nothing rests on what rill says of itself.
    """

    def __init__(self, program, seconds):
        self.program = program
        self.runs = []
        self.shares = []  # of the time asked for, how much a processor spent on the long runs
        start_up = min(program.run(1).wall for _ in range(2))
        steps, elapsed = 16, 0.0
        while elapsed < max(0.1, 0.1 * seconds):  # until the steps outweigh the noise of starting a program
            if steps > 10 ** 9:
                raise BenchError(f"{program.label} takes no time for {steps} steps; does it run them?")
            steps *= 4
            run = program.run(steps)
            elapsed = run.wall - start_up if run.own is None else run.own * steps
        if run.own is None:  # and outweigh how much one start differs from the next
            seconds = max(seconds, 2 * start_up)
        self.long = max(20, int(steps * seconds / elapsed))
        self.short = max(1, self.long // 10)

    def sample(self):
        short = self.program.run(self.short)
        before = processor_seconds()
        long = self.program.run(self.long)
        self.shares.append((processor_seconds() - before) / (long.wall * self.program.threads))
        self.runs.append((short, long))

    def summarise(self, statistic):
        """(time of a step, time by the difference between a long and a short run), by `statistic` over the repeats."""
        difference = ((statistic([long.wall for _, long in self.runs]) -
                       statistic([short.wall for short, _ in self.runs])) / (self.long - self.short))
        own = [long.own for _, long in self.runs]
        if None not in own:
            return statistic(own), difference
        if difference <= 0:
            raise BenchError(f"{self.program.label}: longer runs took no longer; the machine is too busy, or "
                             f"--seconds and --repeats are too small")
        return difference, difference

    def median(self):
        return self.summarise(statistics.median)[0]

    def fastest(self):
        return self.summarise(min)[0]

    def by_difference(self):
        return self.summarise(statistics.median)[1]


def measure(clocks, repeats):
    """Interleaved: each program once, then each again, so that a slow spell of the machine meets all of them."""
    for _ in range(repeats):
        for clock in clocks:
            clock.sample()


def warn_if_busy(clocks):
    """Other work on the machine spoils the numbers, those of several threads most; a remark (or None) says so."""
    # The best served tells: rill uses one thread where several do not pay, and some programs sleep as they start.
    share = max(statistics.median(clock.shares) for clock in clocks)
    if share >= 0.95:
        return None
    remark = f"the machine was busy: no program got more than {100 * share:.0f} % of its processors; repeat when idle"
    print(f"warning: {remark}", file=sys.stderr)
    return remark


def machine():
    """The kind of processor and its vector instructions, as the system says."""
    model, flags = "unknown processor", set()
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    model = line.split(":", 1)[1].strip()
                elif line.startswith("flags"):
                    flags = set(line.split(":", 1)[1].split())
    except OSError:
        pass
    vectors = [shown for flag, shown in (("avx2", "AVX2"), ("fma", "FMA"), ("avx512f", "AVX-512")) if flag in flags]
    return f"{model}, {len(os.sched_getaffinity(0))} cores, {' '.join(vectors) or 'no AVX2'}"


def microseconds(seconds):
    return f"{seconds * 1e6:.3f}" if seconds < 1e-4 else f"{seconds * 1e6:.1f}"


def print_table(header, rows):
    widths = [max(len(str(row[k])) for row in [header, *rows]) for k in range(len(header))]
    for row in [header, *rows]:
        print("  ".join(str(cell).ljust(width) if k == 1 else str(cell).rjust(width)
                        for k, (cell, width) in enumerate(zip(row, widths))).rstrip())


def write_csv(path, header, rows, remarks):
    with open(path, "w", encoding="utf-8") as file:
        for remark in remarks:
            file.write(f"# {remark}\n")
        file.write(",".join(header) + "\n")
        for row in rows:
            file.write(",".join("" if cell is None else str(cell) for cell in row) + "\n")


def integer_list(text):
    try:
        values = [int(part) for part in text.split(",")]
    except ValueError:
        values = [0]
    if min(values) < 1:
        raise argparse.ArgumentTypeError(f"'{text}': expected positive whole numbers, such as 7,100,1000")
    return values


def option_parser(description):
    """The options that every benchmark has."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="measurements of each, interleaved (default 5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of the longer of the two runs that a time is the difference of "
                        "(default 1)")
    parser.add_argument("--rill", type=os.path.abspath, default=os.path.join(ROOT, "build", "rill"), metavar="FILE",
                        help="the program (default build/rill)")
    parser.add_argument("--csv", metavar="FILE", help="write the table there as well")
    return parser


def add_gromacs(parser):
    parser.add_argument("--gromacs", action="append", metavar="PROGRAM",
                        help="a build of GROMACS, by name or path (default gmx); may be given again: its version and "
                             "instruction set stand beside its times")


def add_openmm(parser):
    parser.add_argument("--no-openmm", action="store_true", help="leave out OpenMM")


def describe_gromacs(program):
    """Version, precision and instruction set of a build of GROMACS."""
    text = subprocess.run([program, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False).stdout
    found = [re.search(rf"^{word}:\s*(.+)$", text, re.MULTILINE)
             for word in ("GROMACS version", "Precision", "SIMD instructions")]
    number, precision, simd = (match.group(1).strip() if match else "unknown" for match in found)
    return number.split("-")[0], precision, simd


def parse(parser):
    options = parser.parse_args()
    if options.repeats < 1 or options.seconds <= 0:
        parser.error("--repeats and --seconds must be positive")
    return options


def guarded(main):
    """Run main() in a temporary folder; messages to standard error, exit status 1 for a failure."""
    with tempfile.TemporaryDirectory(prefix="rill-bench-") as folder:
        try:
            return main(folder)
        except BenchError as error:
            print(f"{os.path.basename(sys.argv[0])}: {error}", file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            return 130
