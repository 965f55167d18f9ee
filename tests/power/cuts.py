"""Power cuts: runs of rill are recorded (record.c), and what a disk may hold after a cut at any moment is put together from
the record.  Whatever a checkpoint names must be there, and the run, resumed, must end as the same bytes.

    cuts.py [--cuts N] [--seed S] [--deck cluster|penalised|small]

RILL is the program, RILL_RECORDER the one that records.  The disk that is imagined:

 - Data of a file are on it once the file was synced, names once their folder was.
 - What was not synced is on it or not, each page by itself, as after any of the writes since (or each sector of 512 bytes,
   which is harsher); of a file that grew any length since.  A page that never was on the disk may hold zeros instead.
 - A page that is overwritten holds what it held or what came later, not something else.
 - Each name by itself is what it was when its folder was synced, or anything since.

Modes: all (as after a kill), dropped (only what was synced), zeroed (lengths, but no new pages), shuffled (any of these, page by
page, name by name)."""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

PAGE, SECTOR = 4096, 512
MODES = ["all", "dropped", "zeroed", "shuffled", "shuffled"]

DECKS = {
    "cluster": """[system]
structure = water7.gro
[integrator]
step = 2 fs
steps = 100
[thermostat]
method = gla
temperature = 10 K
friction = 0.2 /ps
[output]
trajectory = cluster.h5md
interval = 7 steps
velocities = yes
series = cluster.csv
series_interval = 3 steps
checkpoint_interval = 15 steps
[rdf]
pair = O-O
bins = 40
""",
    "penalised": """[system]
structure = water7.gro
[start]
temperature = 10 K
[integrator]
method = zss-simplified
step = 1 fs
steps = 100
[penalty]
stiffness = 100 akma
record = multipliers
[output]
trajectory = penalised.h5md
interval = 10 steps
series = penalised.csv
series_interval = 4 steps
checkpoint_interval = 15 steps
""",
    "small": """[system]
kind = double-spherical-pendulum
[integrator]
method = rattle
step = 10 ms
steps = 100
[output]
trajectory = small.h5
interval = 3 steps
series = small.csv
series_interval = 2 steps
checkpoint_interval = 15 steps
""",
}


class File:
    """durable: its bytes when it was synced last; since: writes (offset, bytes) and lengths (None, length) after that."""

    def __init__(self, durable=b""):
        self.durable, self.since = durable, []

    def now(self):
        data = bytearray(self.durable)
        for at, change in self.since:
            apply(data, at, change)
        return bytes(data)

    def sync(self):
        self.durable, self.since = self.now(), []

    def after_cut(self, mode, rng):
        if mode == "dropped" or not self.since:
            return self.durable
        if mode == "all":
            return self.now()
        unit = PAGE if mode == "zeroed" else rng.choice([PAGE, SECTOR])
        versions, lengths, data = {}, [len(self.durable)], bytearray(self.durable)

        def piece(content, i):
            return bytes(content[i * unit : (i + 1) * unit]).ljust(unit, b"\0")

        for at, change in self.since:
            before = len(data)
            apply(data, at, change)
            if at is None:
                touched = range(min(before, change) // unit, (max(before, change) + unit - 1) // unit)
            else:
                touched = range(at // unit, (at + len(change) + unit - 1) // unit)
            for i in touched:
                if i not in versions:
                    versions[i] = [piece(self.durable, i)]
                versions[i].append(piece(data, i))
            lengths.append(len(data))
        length = len(data) if mode == "zeroed" else rng.choice(lengths)
        result = bytearray(self.durable)
        apply(result, None, max(length, len(result)))
        for i, choices in versions.items():
            chosen = choices[0] if mode == "zeroed" else rng.choice(choices)
            apply(result, i * unit, chosen)
        apply(result, None, length)
        return bytes(result)


def apply(data, at, change):
    if at is None:
        del data[change:]
        data.extend(bytes(change - len(data)))
        return
    if at > len(data):
        data.extend(bytes(at - len(data)))
    data[at : at + len(change)] = change


FOLDER = "folder"


class Disk:
    """names: of each path what it was when its folder was synced, and all that it has been since: a File, FOLDER or None."""

    def __init__(self):
        self.names, self.inodes = {}, {}

    def load(self, root):
        """What is there is durable."""
        for place, folders, files in os.walk(root):
            for name in folders:
                self.names[os.path.relpath(os.path.join(place, name), root)] = [FOLDER]
            for name in files:
                path = os.path.join(place, name)
                with open(path, "rb") as stream:
                    file = File(stream.read())
                self.names[os.path.relpath(path, root)] = [file]
                self.inodes[os.stat(path).st_ino] = file

    def set(self, path, value):
        self.names.setdefault(os.path.normpath(path), [None]).append(value)

    def get(self, path):
        return self.names.get(os.path.normpath(path), [None])[-1]

    def do(self, words, data):
        kind = words[0]
        if kind == "create":
            self.inodes[int(words[1])] = file = File()
            self.set(words[2], file)
        elif kind == "write":
            self.inodes[int(words[1])].since.append((int(words[2]), data))
        elif kind == "truncate":
            self.inodes[int(words[1])].since.append((None, int(words[2])))
        elif kind == "sync":
            self.inodes[int(words[1])].sync()
        elif kind == "link":
            self.set(words[2], self.get(words[1]))
        elif kind == "rename":
            self.set(words[2], self.get(words[1]))
            self.set(words[1], None)
        elif kind == "unlink":
            self.set(words[1], None)
        elif kind == "mkdir":
            self.set(words[1], FOLDER)
        elif kind == "syncdir":
            folder = os.path.normpath(words[1])
            for path, versions in self.names.items():
                if (os.path.dirname(path) or ".") == folder:
                    del versions[:-1]
        else:
            raise ValueError(f"unknown record {words}")

    def cut(self, mode, rng, root):
        """Makes what is there after a cut."""
        for path in sorted(self.names):
            versions = self.names[path]
            value = versions[0] if mode == "dropped" else rng.choice(versions) if mode == "shuffled" else versions[-1]
            place = os.path.join(root, path)
            if value is None or not os.path.isdir(os.path.dirname(place)):
                continue
            if value is FOLDER:
                os.mkdir(place)
                continue
            with open(place, "wb") as stream:
                stream.write(value.after_cut(mode, rng))


def read_record(path):
    with open(path, "rb") as stream:
        while line := stream.readline():
            if b"\t" in line:
                head, *names = line[:-1].split(b"\t")[:-1]
                words = head.split(b" ", 2 if head.startswith(b"create") else 1) + names
            else:
                words = line.split()
            words = [word.decode() for word in words]
            yield words, stream.read(int(words[3])) if words[0] == "write" else None


class Trial:
    def __init__(self, name, work, arguments):
        self.name, self.work, self.rng = name, work, random.Random(f"{arguments.seed} {name}")
        self.deck = name + ".ini"
        self.inputs = os.path.join(work, "inputs")
        os.mkdir(self.inputs)
        with open(os.path.join(self.inputs, self.deck), "w") as stream:
            stream.write(DECKS[name])
        shutil.copy(os.path.join(os.environ["RILL_SOURCE"], "inputs", "water7.gro"), self.inputs)
        self.count = self.resumed = self.anew = 0
        self.reference = os.path.join(work, "reference")
        shutil.copytree(self.inputs, self.reference)
        self.rill(self.reference, "run", *self.full())

    def full(self):
        return [self.deck, "-q", "-o", "new/out"]

    def rill(self, place, *words, recorder=None):
        environment = dict(os.environ, OMP_NUM_THREADS="1")
        if recorder:
            environment["RILL_RECORD"] = recorder
        program = os.environ["RILL_RECORDER" if recorder else "RILL"]
        done = subprocess.run([program, *words], cwd=place, env=environment, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, errors="replace")
        if done.returncode:
            raise AssertionError(f"rill {' '.join(words)}: exit status {done.returncode}: {done.stderr[:1000]}")
        return done.stdout

    def record(self, place, commands):
        """Runs the commands there; the state before, all calls, and where each command ends."""
        disk, path, calls, ends = Disk(), os.path.join(self.work, "record"), [], []
        disk.load(place)
        for words in commands:
            if os.path.exists(path):
                os.remove(path)
            self.rill(place, *words, recorder=path)
            calls += read_record(path)
            ends.append(len(calls))
        return disk, calls, ends

    def check(self, place, ended):
        """After a cut; ended: after the last command, so that all must be there."""
        out = os.path.join(place, "new", "out")
        base = os.path.join(out, self.name + ".checkpoint")
        self.count += 1
        if os.path.exists(base) or os.path.exists(base + ".prev"):
            told = self.rill(place, "verify", "new/out", "-q")
            if ended and ", complete" not in told:
                raise AssertionError(f"the run had ended: {told}")
            self.rill(place, "run", *self.full(), "--resume")
            self.resumed += 1
        else:
            if ended:
                raise AssertionError("the run had ended, and there is no checkpoint")
            self.rill(place, "run", *self.full(), "--force")
            self.anew += 1
        self.compare(out)

    def compare(self, out):
        whole = os.path.join(self.reference, "new", "out")
        names = {name for name in os.listdir(whole) if not name.endswith(".prev")}
        there = {name for name in os.listdir(out) if not name.endswith((".prev", ".part"))}
        if names != there:
            raise AssertionError(f"files {sorted(there)}, expected {sorted(names)}")
        for name in names:
            with open(os.path.join(whole, name), "rb") as one, open(os.path.join(out, name), "rb") as other:
                if one.read() != other.read():
                    raise AssertionError(f"{name} differs from that of a run that was left alone")

    def cut_at(self, disk, position, mode, ended, keep=False):
        place = os.path.join(self.work, "cut")
        shutil.rmtree(place, ignore_errors=True)
        os.mkdir(place)
        disk.cut(mode, self.rng, place)
        for name in os.listdir(self.inputs):
            shutil.copy(os.path.join(self.inputs, name), place)
        if keep:
            return place
        try:
            self.check(place, ended)
        except AssertionError as fault:
            raise AssertionError(f"{self.name}, after call {position}, {mode}: {fault} ({place})") from None
        return place

    def explore(self, start, commands, cuts):
        """Cuts at random calls, in random modes; and at the end of each command, of which all must be there."""
        disk, calls, ends = self.record(start, commands)
        chosen = {}
        for _ in range(cuts):
            chosen.setdefault(self.rng.randrange(len(calls)), []).append(self.rng.choice(MODES))
        for end in ends:
            chosen.setdefault(end, []).append("dropped")
        for position in range(len(calls) + 1):
            for mode in chosen.get(position, []):
                self.cut_at(disk, position, mode, position in ends)
            if position < len(calls):
                disk.do(*calls[position])

    def start(self):
        place = os.path.join(self.work, "start")
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.inputs, place)
        return place

    # ---- scenarios ----

    def continued(self, cuts):
        """A run that is complete, and then continued."""
        shorter = ["run", *self.full(), "--set", "integrator.steps=40"]
        self.explore(self.start(), [shorter, ["run", *self.full(), "--resume"]], cuts)

    def replaced(self, cuts):
        """A run in the place of an earlier one."""
        shorter = ["run", *self.full(), "--set", "integrator.steps=40"]
        self.explore(self.start(), [shorter, ["run", *self.full(), "--force"]], cuts)

    def nested(self, cuts):
        """Cuts while a run is resumed that was cut itself."""
        disk, calls, _ = self.record(self.start(), [["run", *self.full()]])
        at = self.rng.randrange(len(calls) // 2, len(calls))
        for position in range(at):
            disk.do(*calls[position])
        place = self.cut_at(disk, at, self.rng.choice(MODES), False, keep=True)
        if not os.path.exists(os.path.join(place, "new", "out", self.name + ".checkpoint")):
            return
        again = os.path.join(self.work, "again")
        shutil.rmtree(again, ignore_errors=True)
        shutil.move(place, again)
        self.explore(again, [["run", *self.full(), "--resume"]], cuts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cuts", type=int, default=60)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--deck", choices=sorted(DECKS), action="append")
    arguments = parser.parse_args()
    decks = arguments.deck or sorted(DECKS)
    total = resumed = anew = 0
    for turn, name in enumerate(decks):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # where syncing takes no time
        with tempfile.TemporaryDirectory(dir=memory) as work:
            trial = Trial(name, work, arguments)
            scenarios = [trial.continued, trial.nested, trial.replaced]
            share = (arguments.cuts * (turn + 1)) // len(decks) - (arguments.cuts * turn) // len(decks)
            try:
                while trial.count < share:
                    scenarios[turn % len(scenarios)](min(40, share - trial.count))
                    turn += 1
            except AssertionError as fault:
                print(f"FAIL: {fault}")
                return 1
            total, resumed, anew = total + trial.count, resumed + trial.resumed, anew + trial.anew
    print(f"{total} power cuts: {resumed} runs resumed, {anew} started again, all to the same bytes")
    return 0


sys.exit(main())
