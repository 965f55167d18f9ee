"""Runs the program and reads its files with h5py and MDAnalysis.  Cases C02, E11, F01, F04, F06, I06."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings

warnings.simplefilter("ignore")
import h5py
import MDAnalysis
import numpy as np

RILL = os.environ["RILL"]
INPUTS = os.path.join(os.environ["RILL_SOURCE"], "inputs")
MASS = np.array([15.9994, 1.008, 1.008] * 7)
GAS_CONSTANT = 8.314462618e-3  # kJ/mol/K
DECK = """[system]
structure = water7.gro
[integrator]
step = 2 fs
steps = {steps}
[thermostat]
method = gla
temperature = 100 K
friction = 1 /ps
seed = 3
[output]
trajectory = w.h5md
interval = 100 fs
series = w.csv
series_interval = 60 fs
precision = {precision}
velocities = yes
"""
KILLS = int(os.environ.get("RILL_KILLS", "10"))
failures = 0


def check(condition, text):
    global failures
    if not condition:
        failures += 1
        print("FAIL:", text)


def start(folder, steps, precision="double"):
    with open("w.ini", "w") as stream:
        stream.write(DECK.format(steps=steps, precision=precision))
    with open(folder + ".err", "w") as errors:
        return subprocess.Popen([RILL, "run", "w.ini", "-q", "-o", folder], stdout=subprocess.DEVNULL, stderr=errors,
                                stdin=subprocess.DEVNULL)


def run(folder, steps, precision="double"):
    status = start(folder, steps, precision).wait()
    check(status == 0, f"{folder}: exit status {status}: {open(folder + '.err').read()}")


def universe(folder):
    return MDAnalysis.Universe(f"{folder}/w.gro", f"{folder}/w.h5md")


def read_csv(path):
    with open(path) as stream:
        lines = [line for line in stream if not line.startswith("#")]
    return lines[0].strip().split(","), np.array([[float(x) for x in line.split(",")] for line in lines[1:]])


def bonds(positions):
    molecules = positions.reshape(-1, 3, 3)
    return np.linalg.norm(molecules[:, 1:] - molecules[:, :1], axis=2)


def check_whole(folder, frames):
    u = universe(folder)
    check((u.atoms.n_atoms, u.residues.n_residues) == (21, 7), f"{folder}: {u.atoms.n_atoms} atoms, {u.residues.n_residues} residues")
    check(list(u.atoms.names[:3]) == ["OW", "HW1", "HW2"], f"{folder}: names {u.atoms.names[:3]}")
    check(u.trajectory.n_frames == frames, f"{folder}: {u.trajectory.n_frames} frames, expected {frames}")
    with h5py.File(f"{folder}/w.h5md", "r") as file:
        group = file["particles/trajectory"]
        positions, velocities = group["position/value"][:], group["velocity/value"][:]
        steps = group["position/step"][:]
        check(np.array_equal(group["position/time"][:], steps * 0.002), f"{folder}: time is not step times h")
    for i in range(0, frames, max(1, frames // 50)):
        frame = u.trajectory[i]
        check(frame.dimensions is None, f"{folder}: frame {i} has a box {frame.dimensions}")
        check(abs(frame.time - steps[i] * 0.002) < 1e-12, f"{folder}: time {frame.time} of frame {i}")
        # MDAnalysis keeps single precision
        check(np.allclose(frame.positions, positions[i] * 10, rtol=3e-7, atol=0), f"{folder}: positions of frame {i}")
        check(np.allclose(frame.velocities, velocities[i] * 10, rtol=3e-7, atol=0), f"{folder}: velocities of frame {i}")
    return positions, velocities, steps


def check_values(folder):
    """Rows of the series against what follows from the frames of the same steps; strides differ (I06)."""
    positions, velocities, steps = check_whole(folder, 11)
    check(list(steps) == list(range(0, 501, 50)), f"steps {steps}")
    # Bonds hold to round-off of positions of a few tenths of nm.
    check(np.abs(bonds(positions[-1]) - 0.09572).max() < 1e-15, f"bonds off by {np.abs(bonds(positions[-1]) - 0.09572).max()}")
    names, table = read_csv(f"{folder}/w.csv")
    column = {name: table[:, i] for i, name in enumerate(names)}
    expected = sorted(set(range(0, 501, 30)) | {500})
    check(list(column["step"]) == expected, f"steps of the series {column['step']}")
    with h5py.File(f"{folder}/w.h5md", "r") as file:
        check("observables" not in file, "observables at another stride than the frames")
        stored = file["parameters/rill/series/values"][:]
        freedom = file["parameters/rill"].attrs["degrees_of_freedom"]
    check(np.array_equal(stored, table, equal_nan=True), "the series in the trajectory is not that of the CSV")
    check(freedom == 42, f"degrees of freedom {freedom}")
    for i, step in enumerate(steps):
        if step not in expected:
            continue
        row = expected.index(step)
        kinetic = 0.5 * (MASS[:, None] * velocities[i] ** 2).sum()
        check(abs(kinetic - column["kinetic"][row]) < 1e-12 * kinetic, f"kinetic energy of step {step}: {kinetic}, {column['kinetic'][row]}")
        temperature = 2 * kinetic / (freedom * GAS_CONSTANT)
        # the gas constant here has ten digits
        check(abs(temperature - column["temperature"][row]) < 1e-9 * temperature, f"C02: temperature {temperature} of step {step}")
        momentum = (MASS[:, None] * velocities[i]).sum(axis=0)
        for axis, name in enumerate("xyz"):
            check(abs(momentum[axis] - column["momentum_" + name][row]) < 1e-12, f"momentum {name} of step {step}")
    check(np.isnan(column["temperature_half"][0]) and np.isfinite(column["temperature_half"][1:]).all(), "half-step temperature")
    frame = str(list(steps).index(300))
    subprocess.run([RILL, "convert", f"{folder}/w.h5md", "frame.xyz", "--frame", frame], check=True, stdout=subprocess.DEVNULL)
    said = subprocess.run([RILL, "energy", "frame.xyz", "--json"], check=True, capture_output=True, text=True).stdout
    potential = float(said.split('"potential_kJ_mol": ')[1].split(",")[0])
    # XYZ holds 1e-11 nm; forces reach 1e3 kJ/mol/nm
    check(abs(potential - column["potential"][expected.index(300)]) < 1e-6, f"potential energy of step 300: {potential}")


def check_single():
    """Single precision, half a unit in its last place; and single frames (F06)."""
    run("single", 500, "single")
    check_whole("single", 11)
    with h5py.File("single/w.h5md", "r") as one, h5py.File("whole/w.h5md", "r") as other:
        rounded = other["particles/trajectory/position/value"][:].astype(np.float32)
        check(np.array_equal(one["particles/trajectory/position/value"][:], rounded), "single precision is not the double rounded")
    run("lone", 0)
    check_whole("lone", 1)


def check_killed():
    """kill -9 at other times: frames that are there are those of a run that was not killed.  A frame counts once step has it;
    the positions may have one row more, at which MDAnalysis ends its loop over the frames."""
    run("long", 20000)
    with h5py.File("long/w.h5md", "r") as file:
        whole = file["particles/trajectory/position/value"][:]
    seen = 0
    for round in range(KILLS):
        folder = f"killed{round}"
        process = start(folder, 10 ** 12)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and not (os.path.exists(f"{folder}/w.csv") and os.path.getsize(f"{folder}/w.csv") > 4000):
            time.sleep(0.002)
        time.sleep(0.003 * (round % 50) + 0.0001 * (round % 7))
        process.kill()
        process.wait()
        with h5py.File(f"{folder}/w.h5md", "r") as file:
            group = file["particles/trajectory"]
            found = group["position/value"][:len(group["position/step"])]
            check(len(group["position/value"]) - len(found) in (0, 1), f"{folder}: {len(group['position/value'])} rows, {len(found)} steps")
            check(len(group["velocity/value"]) >= len(found) and len(group["position/time"]) >= len(found), f"{folder}: short columns")
        frames = min(len(found), len(whole))
        seen += frames
        check(np.array_equal(found[:frames], whole[:frames]), f"{folder}: frames differ from those of a whole run")
        check(np.isfinite(found).all() and (len(found) == 0 or np.abs(bonds(found[-1]) - 0.09572).max() < 1e-14), f"{folder}: last frame")
        if len(found):
            u = universe(folder)
            u.trajectory[len(found) - 1]
            check(abs(u.trajectory.time - (len(found) - 1) * 0.1) < 1e-9, f"{folder}: time {u.trajectory.time}")
            try:
                u.trajectory.next()
                check(False, f"{folder}: MDAnalysis reads more than the committed frames")
            except StopIteration:
                pass
        shutil.rmtree(folder)
    check(seen > 100, f"killed runs left {seen} frames only")
    print(f"{KILLS} runs killed, {seen} frames compared")


def check_interrupted():
    process = start("stopped", 10 ** 12)
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    check(process.wait() == 143, f"SIGTERM: exit status {process.returncode}")
    with h5py.File("stopped/w.h5md", "r") as file:
        steps = file["particles/trajectory/position/step"][:]
    check_whole("stopped", len(steps))
    check(list(steps[:-1]) == list(range(0, 50 * (len(steps) - 1), 50)), "SIGTERM: steps of the frames")


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    shutil.copy(os.path.join(INPUTS, "water7.gro"), ".")
    run("whole", 500)
    check_values("whole")
    check_single()
    check_killed()
    check_interrupted()
    os.chdir("/")
sys.exit(1 if failures else 0)
