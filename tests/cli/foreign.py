"""Trajectories as other programs write them: the right distribution, or one message that says what is wrong."""
import os
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

RILL = os.environ["RILL"]
INPUTS = os.path.join(os.environ["RILL_SOURCE"], "inputs")
FRAMES = 6
failures = 0


def check(good, message):
    global failures
    if not good:
        failures += 1
        print("FAIL:", message)


def rill(*arguments):
    return subprocess.run([RILL, *arguments], capture_output=True, text=True)


def refused(words, *arguments, status=2):
    done = rill(*arguments)
    check(done.returncode == status, f"{arguments}: exit status {done.returncode}, expected {status}")
    check(words in done.stderr, f"{arguments}: no '{words}' in: {done.stderr}")
    check(done.stdout == "" or status == 1, f"{arguments}: refused, but printed {done.stdout[:200]}")


def accepted(*arguments):
    done = rill(*arguments)
    check(done.returncode == 0, f"{arguments}: exit status {done.returncode}: {done.stderr}")
    return done


def water():
    """[frames][molecules][3][3], nm: a cluster that swells, about the middle of a box of 3 nm."""
    with open(f"{INPUTS}/water7.gro") as file:
        lines = file.readlines()[2:23]
    one = np.array([[float(line[20 + w * k:20 + w * (k + 1)]) for k in range(3)] for line in lines
                    for w in [line.index(".", line.index(".") + 1) - line.index(".")]]).reshape(7, 3, 3)
    one -= one.mean(axis=(0, 1)) - 1.5
    grown = [one + 0.02 * f * (one[:, :1] - 1.5) for f in range(FRAMES)]
    return np.array(grown)


ORDERS = {
    "OHH": [3 * m + a for m in range(7) for a in (0, 1, 2)],
    "HOH": [3 * m + a for m in range(7) for a in (1, 0, 2)],
    "HHO": [3 * m + a for m in range(7) for a in (1, 2, 0)],
    "O, HH": [3 * m for m in range(7)] + [3 * m + a for m in range(7) for a in (1, 2)],
    "HH, O": [3 * m + a for m in range(7) for a in (1, 2)] + [3 * m for m in range(7)],
    "O, H, H": [3 * m + a for a in range(3) for m in range(7)],
}


def write(name, atoms, unit="nm", species=None, steps=None, times=True, box=None, box_steps=None, velocity=None):
    frames = len(atoms)
    steps = np.arange(frames) * 10 if steps is None else np.array(steps)
    with h5py.File(name, "w") as file:
        file.create_group("h5md").attrs["version"] = np.array([1, 1], dtype=np.int32)
        file.create_group("h5md/creator").attrs["name"] = "another"
        group = file.create_group("particles/all")
        position = group.create_group("position")
        position["value"] = atoms
        position["step"] = steps
        if unit:
            position["value"].attrs["unit"] = unit
        if times:
            position["time"] = 0.002 * steps if times is True else np.array(times, dtype=float)
            position["time"].attrs["unit"] = "ps"
        if species is not None:
            group["species"] = np.array(species, dtype=np.int32)
        if velocity is not None:
            group["velocity/value"] = velocity
            group["velocity/value"].attrs["unit"] = "nm ps-1"
            group["velocity/step"] = steps
        if box is not None:
            group.create_group("box").attrs["boundary"] = np.array([b"periodic"] * 3)
            group["box/edges/value"] = box
            group["box/edges/step"] = np.arange(len(box)) * 10 if box_steps is None else np.array(box_steps)
    return name


def rdf(name, *more):
    return accepted("rdf", name, "--max", "1nm", "--bins", "50", *more).stdout


def check_orders(x):
    flat = x.reshape(FRAMES, 21, 3)
    expected = rdf(write("whole.h5md", flat))
    check("samples: 6" in expected, "samples of the whole file")
    for name, places in ORDERS.items():
        kinds = [8 if p % 3 == 0 else 1 for p in places]
        done = accepted("rdf", write("o.h5md", flat[:, places]), "--max", "1nm", "--bins", "50")
        check(done.stdout == expected, f"{name}: another distribution")
        check(("atoms are in the order" in done.stderr) == (name != "OHH"), f"{name}: note: {done.stderr}")
        check(rdf(write("s.h5md", flat[:, places], species=kinds)) == expected, f"{name}, species: another distribution")
        wrong = kinds[1:] + kinds[:1]
        refused("by their distances they are O, H, H", "rdf", write("w.h5md", flat[:, places], species=wrong))
    refused("cannot be identified", "rdf", write("far.h5md", 1.5 * flat))
    refused("cannot be identified", "info", "far.h5md")
    shuffled = list(range(21))
    shuffled[4], shuffled[8] = 8, 4
    refused("cannot be identified", "rdf", write("mixed.h5md", flat[:, shuffled]))
    refused("28 atoms; expected a multiple of 3", "rdf", write("four.h5md", np.concatenate([flat, flat[:, :7]], axis=1)))
    refused("Angstrom: add the attribute unit", "rdf", write("bare.h5md", 10 * flat, unit=None))
    refused("Angstrom: correct the attribute unit", "rdf", write("unit.h5md", 10 * flat, unit="nm"))
    check("no unit" in accepted("info", write("nm.h5md", flat, unit=None)).stderr, "a unit that was guessed")
    return expected


def check_boxes(x):
    for box in (np.diag([3.0, 3.0, 3.0]), np.array([[3.0, 0, 0], [1.2, 2.9, 0], [-1.1, 1.3, 2.8]])):
        boxes = np.array([box] * FRAMES)
        whole = rdf(write("whole.h5md", x.reshape(FRAMES, 21, 3), box=boxes))
        # the box's corner in the middle of the cluster, each atom wrapped by itself
        part = (x - 1.5) @ np.linalg.inv(box)
        broken = ((part - np.floor(part)) @ box).reshape(FRAMES, 21, 3)
        for name in ("OHH", "HOH", "O, HH"):
            done = accepted("rdf", write("broken.h5md", broken[:, ORDERS[name]], box=boxes), "--max", "1nm", "--bins", "50")
            check(done.stdout == whole, f"{name}, broken: another distribution")
            check("broken across the box; they are made whole" in done.stderr, f"{name}, broken: note: {done.stderr}")
            accepted("convert", "broken.h5md", "frame.xyz", "--frame", "0", "--force")
            atoms = np.array([line.split()[1:4] for line in open("frame.xyz").readlines()[2:]], dtype=float).reshape(7, 3, 3)
            bonds = np.linalg.norm(atoms[:, 1:] - atoms[:, :1], axis=2)
            check(bonds.max() < 1.0, f"{name}, broken: a bond of {bonds.max()} Angstrom in the converted frame")
        refused("with a box if molecules are broken", "rdf", write("nobox.h5md", broken))
    boxes = np.array([np.diag([3.0, 3.0, 3.0])] * FRAMES)
    flat = x.reshape(FRAMES, 21, 3)
    refused("3 boxes (box/edges/value) for 6 frames", "rdf", write("few.h5md", flat, box=boxes[:3]))
    refused("not given at the steps", "rdf", write("other.h5md", flat, box=boxes, box_steps=np.arange(FRAMES) * 100))
    check("the same in all frames" in accepted("info", write("same.h5md", flat, box=boxes)).stdout, "a constant box")
    boxes[3] *= 1.01
    check("changes from frame to frame" in accepted("info", write("same.h5md", flat, box=boxes)).stdout, "a box that changes")
    boxes[3] = np.nan
    refused("frame 3: the box is not finite", "rdf", write("nanbox.h5md", flat, box=boxes))


def check_damage(x):
    flat = x.reshape(FRAMES, 21, 3)
    damaged = flat.copy()
    damaged[3, 4, 1] = np.nan
    damaged[5, 0, 0] = np.inf
    refused("frame 3: the position of the first H of molecule 2 is not finite", "rdf", write("nan.h5md", damaged))
    refused("2 of 6 frames are damaged", "rdf", "nan.h5md")
    check("damaged      2 of 6 frames" in accepted("info", "nan.h5md").stdout, "info on damaged frames")
    check("samples: 3" in rdf("nan.h5md", "--to", "0.04ps"), "the frames before the damage")
    refused("frame 5: the position of O of molecule 1", "convert", "nan.h5md", "nan.gro")
    late = flat.copy()
    late[0, :, :] = np.nan  # the order of the atoms comes from the first frame that is finite
    check("samples: 5" in rdf(write("late.h5md", late[:, ORDERS["HHO"]]), "--from", "0.02ps"), "a first frame of NaN")
    velocity = np.zeros_like(flat)
    velocity[2, 7, 0] = np.nan
    write("v.h5md", flat, velocity=velocity)
    check("the velocity of the first H of molecule 3" in accepted("info", "v.h5md").stdout, "info on damaged velocities")
    refused("the velocity of", "convert", "v.h5md", "v.gro", "--frame", "2")
    rdf("v.h5md")
    for name, steps, times in (("back", [0, 10, 20, 10, 20, 30], True), ("again", [0, 10, 20, 20, 30, 40], True),
                               ("times", None, [0, 1, 2, 0, 1, 2])):
        refused("frame 3 has step", "rdf", write(name + ".h5md", flat, steps=steps, times=times))
        check("disordered   1 frames" in accepted("info", name + ".h5md").stdout, f"{name}: info on disordered frames")
    refused("frame 2: the time is not finite", "rdf", write("t.h5md", flat, times=[0, 1, np.nan, 3, 4, 5]))
    write("timeless.h5md", flat, times=False)
    rdf("timeless.h5md")
    refused("no times", "rdf", "timeless.h5md", "--from", "1ps")


def check_impossible(x):
    """Finite numbers that no frame has: far away, molecules in pieces, faster than anything, boxes of light years."""
    flat = x.reshape(FRAMES, 21, 3)
    boxes = np.array([np.diag([3.0, 3.0, 3.0])] * FRAMES)
    velocity = np.zeros_like(flat)
    frames = {name: flat.copy() for name in ("far", "torn", "stretched")}
    frames["far"][3] += 1e30 * np.arange(21)[:, None]
    frames["torn"][3, 4] = flat[3, 3] + 1000 * (flat[3, 4] - flat[3, 3])
    frames["stretched"][3, 20] = flat[3, 18] + 11 * (flat[3, 20] - flat[3, 18])
    words = {"far": "the position of the first H of molecule 1 is 1e+30 nm", "fast": "the velocity of O of molecule 3 is 1e+20 nm/ps",
             "torn": "an O-H bond of molecule 2 is 95.", "stretched": "an O-H bond of molecule 7 is 1.0", "box": "an edge of the box is 1e+12 nm"}
    for name in words:
        fast, huge = velocity.copy(), boxes.copy()
        if name == "fast":
            fast[3, 6, 2] = 1e20
        if name == "box":
            huge[3, 0, 0] = 1e12
        write("i.h5md", frames.get(name, flat), velocity=fast, box=huge if name == "box" else None)
        told = accepted("info", "i.h5md").stdout
        check("damaged      1 of 6 frames; the first: i.h5md: frame 3: is impossible: " + words[name] in told, f"{name}: info: {told}")
        refused(words[name], "convert", "i.h5md", "i.gro", "--frame", "3")
        if name == "fast":
            rdf("i.h5md")  # does not read velocities
        else:
            refused(words[name], "rdf", "i.h5md")
            check("samples: 3" in rdf("i.h5md", "--to", "0.04ps"), f"{name}: the frames before it")
    # whole molecules may be far from the origin, as those that evaporate, and broken at the box's faces
    rdf(write("i.h5md", flat + 1e5))
    accepted("convert", "i.h5md", "i.xyz", "--frame", "3", "--force")


def check_own():
    """A run of rill's that was damaged: its series is sound, its frames are not."""
    with open("own.ini", "w") as deck:
        deck.write(f"[system]\nmolecules = 2\n[integrator]\nstep = 2 fs\nsteps = 200\n"
                   "[output]\ntrajectory = own.h5md\ninterval = 20 steps\nseries = own.csv\nseries_interval = 1 steps\n")
    accepted("run", "own.ini", "-q")
    check("passes  frames" in rill("validate", "own.h5md").stdout, "validate on sound frames")
    with h5py.File("own.h5md", "r+") as file:
        file["particles/trajectory/position/value"][4, 2, 1] = np.nan
    done = rill("validate", "own.h5md")
    check(done.returncode == 1 and "FAILS   frames" in done.stdout, f"validate on a damaged frame: {done.stdout}{done.stderr}")
    refused("frame 4: the position of the second H of molecule 1", "rdf", "own.h5md")
    with h5py.File("own.h5md", "r+") as file:
        file["particles/trajectory/position/value"][4, 2, 1] = 1e30
    done = rill("validate", "own.h5md")
    check(done.returncode == 1 and "impossible: the position" in done.stdout, f"validate on an impossible frame: {done.stdout}{done.stderr}")


def deleted(path):
    return lambda file: file.__delitem__(path)


def instead(path, **how):
    """Another dataset in place of one, with its unit."""
    def change(file):
        unit = file[path].attrs.get("unit")
        del file[path]
        file.create_dataset(path, **how)
        if unit is not None:
            file[path].attrs["unit"] = unit
    return change


def check_forms(x):
    """Files in which one thing is not as H5MD or rill has it."""
    flat = x.reshape(FRAMES, 21, 3)
    position, step, time = (f"particles/all/position/{name}" for name in ("value", "step", "time"))

    def spoilt(words, change, command="info"):
        write("spoilt.h5md", flat)
        with h5py.File("spoilt.h5md", "r+") as file:
            change(file)
        refused(words, command, "spoilt.h5md")

    def attribute(path, name, value):
        return lambda file: file[path].attrs.__setitem__(name, value)

    def periodic(words, edges=None):
        def change(file):
            file.create_group("particles/all/box").attrs["boundary"] = np.array(words, dtype="S")
            if edges is not None:
                file["particles/all/box/edges"] = edges
        return change

    def velocity(values, unit):
        def change(file):
            file["particles/all/velocity/value"] = values
            file["particles/all/velocity/step"] = file[step]
            if unit:
                file["particles/all/velocity/value"].attrs["unit"] = unit
        return change

    def many_frames(file):
        instead(position, shape=(2**40, 21, 3), dtype="f4", chunks=(1, 3, 3))(file)
        instead(step, data=10)(file)
        instead(time, data=0.02)(file)

    spoilt("is H5MD version 2.0; versions 1.x can be read", attribute("h5md", "version", np.array([2, 0], dtype=np.int32)))
    spoilt("it has no /h5md with a version", deleted("h5md"))
    spoilt("the unit 'furlong' of the positions is not known", attribute(position, "unit", "furlong"))
    spoilt("the unit 'fortnight' of time is not known", attribute(time, "unit", "fortnight"))
    spoilt("holds no positions", deleted("particles/all/position"))
    spoilt("the positions do not depend on time", deleted(position))
    spoilt("the positions have no step", deleted(step))
    spoilt("position/step is neither a number nor a list of integers", instead(step, data=0.5 * np.arange(FRAMES)))
    spoilt("not real numbers of shape [frames][atoms][3]", instead(position, data=flat[:, :, :2]))
    spoilt("not real numbers of shape [frames][atoms][3]", instead(position, data=np.zeros(flat.shape, dtype=int)))
    spoilt("claims 1099511627776 frames, which a file of", many_frames)
    spoilt("claims 3298534883328 atoms, which a file of",
           instead(position, shape=(FRAMES, 3 * 2**40, 3), dtype="f4", chunks=(1, 3, 3)))
    spoilt("frame 2 has the step -7; expected 0 or more", instead(step, data=np.array([0, 10, -7, 30, 40, 50])),
           "rdf")
    spoilt("the velocities are not of the shape of the positions", velocity(flat[:, :3], "nm ps-1"))
    spoilt("the velocities have no unit", velocity(flat, None))
    spoilt("the unit 'nm' of the velocities is not known", velocity(flat, "nm"))
    spoilt("periodic in 1 of 3 directions; all or none can be read", periodic(["periodic", "none", "none"]))
    spoilt("is periodic but has no box edges", periodic(["periodic"] * 3))
    spoilt("the box edges are neither [3] nor [3][3]", periodic(["periodic"] * 3, np.ones(2)))
    spoilt("contains no deck: only runs of rill can be judged", lambda file: None, "validate")


def check_parts_of_runs():
    """Files of rill's with a part missing, or with numbers that do not fit each other."""
    def spoilt(words, run, change, command="validate"):
        shutil.copy(run, "part-" + run)
        with h5py.File("part-" + run, "r+") as file:
            change(file)
        refused(words, command, "part-" + run)

    def cut_deck(file):
        """Zeros in place of some lines in the middle."""
        deck = file["parameters/rill/deck"][()]
        del file["parameters/rill/deck"]
        file["parameters/rill/deck"] = np.array(deck[:deck.index(b"\n") + 1] + bytes(64) + deck[99:],
                                                        dtype=f"S{len(deck)}")

    accepted("run", f"{INPUTS}/planar-pendulum.ini", "-q", "-o", ".", "--set", "integrator.time=1")
    small = "planar-pendulum.h5"
    spoilt("contains no series of a small system", small, deleted("series/q"), "info")
    spoilt("has no energies, momenta and residuals for all its frames", small, deleted("series/energy"))
    spoilt("claims 1099511627776 frames, which a file of", small,
           instead("series/t", shape=(2**40,), dtype="f8", chunks=(64,)))
    with open("whole.ini", "w") as deck:
        deck.write("[system]\nmolecules = 2\n[integrator]\nstep = 2 fs\nsteps = 20\n"
                   "[output]\ntrajectory = run.h5md\ninterval = 10 steps\nseries = run.csv\n")
    accepted("run", "whole.ini", "-q")
    spoilt("holds no table series; it is written when a run ends", "run.h5md", deleted("parameters/rill/series"))
    spoilt("the table series has no column", "run.h5md", lambda file: file["parameters/rill/series"].attrs.__setitem__(
        "columns", np.array([b"other"] * len(file["parameters/rill/series"].attrs["columns"]))))
    lost = "a part of it cannot be read; it may be damaged"
    spoilt(lost, "run.h5md", lambda file: file["h5md/creator"].attrs.__delitem__("name"), "info")
    spoilt(lost, "run.h5md", lambda file: file["parameters/rill"].attrs.__delitem__("degrees_of_freedom"), "info")
    spoilt(lost, "run.h5md", deleted("parameters/rill/step"), "info")
    spoilt(lost, "run.h5md", cut_deck, "info")
    spoilt("frame 2: is damaged: step 20 at 7 ps; expected 0.04 ps", "run.h5md",
           lambda file: file["particles/trajectory/position/time"].__setitem__(2, 7), "rdf")


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    x = water()
    check_orders(x)
    check_boxes(x)
    check_damage(x)
    check_impossible(x)
    check_own()
    check_forms(x)
    check_parts_of_runs()
    os.chdir("/")
sys.exit(1 if failures else 0)
