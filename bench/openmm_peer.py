"""OpenMM's CPU platform as bench/peers and bench/liquid use it: whether it is there, its input, and its answers.

Every run is a process of its own (openmm_step.py), with the interpreter that runs the benchmark.
"""
import functools
import json
import os
import subprocess
import sys

from measure import STEP_FS, TIP3P

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "openmm_step.py")
INPUT = "water.json"


def command(*words):
    return [sys.executable, "-B", SCRIPT, *words]


@functools.lru_cache(maxsize=None)
def installed():
    """(what `version` answers, None), or (None, what is missing)."""
    done = subprocess.run(command("version"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors="replace", check=False)
    if done.returncode == 0:
        return json.loads(done.stdout), None
    return None, (done.stderr.strip().splitlines() or ["OpenMM does not start"])[-1]


def rigid_water(model=TIP3P):
    """Three sites: the input's description of one molecule."""
    return {"masses": [model.mass_o, model.mass_h, model.mass_h],
            "charges": [model.charge_o, model.charge_h, model.charge_h],
            "sigma": model.sigma, "epsilon": model.epsilon,
            "constraints": [(0, 1, model.oh), (0, 2, model.oh), (1, 2, model.hh)], "site": None}


class OpenMM:
    precision = "mixed"

    def __init__(self, threads):
        self.label, self.threads = "OpenMM", threads
        self.found, self.missing = installed()

    def version(self):
        return f"OpenMM {self.found['version']}, platform CPU (pairs in single precision, state in double)"

    def write(self, folder, positions, **given):
        """The input: positions, nm, as many a molecule as there are charges; and what make_context() reads."""
        self.folder = folder
        given = dict(given, molecules=len(positions) // len(given["charges"]), threads=self.threads,
                     step_ps=STEP_FS / 1000)
        with open(os.path.join(folder, INPUT), "w", encoding="ascii") as file:
            text = json.dumps(given, indent=1)
            places = ",\n".join(json.dumps(position) for position in positions)
            file.write(f"{text[:-2]},\n \"positions\": [\n{places}\n]}}\n")

    @staticmethod
    def answer(text):
        return json.loads(text.splitlines()[-1])
