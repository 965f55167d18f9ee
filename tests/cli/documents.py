"""What every command prints with --json, against its text, its CSV and its files.

The folder has base.ini and water7.gro.
"""
import csv
import io
import json
import math
import os
import re
import subprocess
import sys

RILL = os.environ["RILL"]
failures = 0


def check(condition, text):
    global failures
    if not condition:
        failures += 1
        print("FAIL:", text)


def unique(pairs):
    names = [name for name, _ in pairs]
    check(len(names) == len(set(names)), f"a member stands twice: {names}")
    return dict(pairs)


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def rill(*arguments):
    return subprocess.run([RILL, *arguments], capture_output=True, stdin=subprocess.DEVNULL)


def text(*arguments):
    done = rill(*arguments)
    check(done.returncode == 0, f"{arguments}: {done.returncode}: {done.stderr!r}")
    return done.stdout.decode()


def document(*arguments, status=0):
    """The one document on standard output: ASCII, and ended by a line feed."""
    done = rill(*arguments, "--json")
    check(done.returncode == status, f"{arguments}: {done.returncode}, expected {status}: {done.stderr!r}")
    try:
        found = json.loads(done.stdout.decode("ascii"), object_pairs_hook=unique, parse_constant=no_constant)
    except ValueError as problem:
        sys.exit(f"FAIL: {arguments}: {problem}: {done.stdout[:300]!r}")
    check(done.stdout.endswith(b"\n") and not done.stdout.endswith(b"\n\n"), f"{arguments}: no end of line")
    document.stderr = done.stderr.decode(errors="replace")
    return found


def refused(*arguments, status=2):
    done = rill(*arguments, "--json")
    check(done.returncode == status and done.stdout == b"" and done.stderr.startswith(b"rill: error: "),
          f"{arguments}: {done.returncode}, {done.stdout[:100]!r}, {done.stderr[:200]!r}")


def table(path):
    with open(path) as stream:
        return list(csv.DictReader(line for line in stream if not line.startswith("#")))


def close(found, expected, text, relative=1e-12):
    check(found is not None and abs(found - expected) <= relative * max(abs(expected), 1e-300),
          f"{text}: {found!r}, expected {expected!r}")


def write(path, content):
    with open(path, "w") as stream:
        stream.write(content)


write("box.ini", """[system]
kind = water
boundary = periodic
molecules = 50
[forces]
coulomb = pme
cutoff = 0.55 nm
[start]
temperature = 300 K
[integrator]
method = rattle
step = 2 fs
time = 40 fs
[output]
trajectory = box.h5md
interval = 4 fs
series = box.csv
[rdf]
pair = O-O
max = 0.5 nm
""")
write("small.ini", """[system]
kind = spherical-pendulum
[integrator]
method = rattle
step = 0.02 s
time = 2 s
[output]
trajectory = small.h5
series = small.csv
""")


def summaries():
    """Means of the series, and the numbers of the text, which are rounded."""
    found = document("run", "base.ini", "-o", "run")
    said = text("run", "base.ini", "-o", "said", "-q")
    rows = table("run/base.csv")
    check(found["outcome"] == "complete" and found["steps"] == found["steps_done"] == 500
          and found["resumed_from"] is None,
          f"run: {found['outcome']}")
    check(found["step_ps"] == 0.002 and found["time_ps"] == 1 and found["samples"] == len(rows), "run: steps")
    for name in ("potential", "kinetic", "total", "temperature"):
        mean = found["means"][name + ("_K" if name == "temperature" else "_kJ_mol")]
        close(mean["mean"], math.fsum(float(row[name]) for row in rows) / len(rows), name)
        check(mean["error"] is None and mean["reason"] == "too few independent samples" and mean["samples"] == 11,
              f"{name}: {mean}")
    for label, name in (("potential energy", "potential_kJ_mol"), ("temperature, half-step", "temperature_half_K")):
        check(f"{found['means'][name]['mean']:.6g}" == re.search(label + r" +(\S+)", said)[1],
              f"{name} is not that of the text")
    worst = max(float(row["position_deviation_max"]) for row in rows)
    close(found["largest_deviations"]["bond_lengths"], worst, "bond lengths")
    check(abs(sum(found["speed"]["shares"].values()) - 1) < 0.01 and found["speed"]["wall_s"] > 0,
          f"{found['speed']}")
    check(sorted(found["files"].values()) == sorted("run/" + name for name in os.listdir("run")),
          f"run: {found['files']}")

    again = document("run", "base.ini", "-o", "run", "--resume")
    check(again["outcome"] == "complete" and again["resumed_from"]["steps_done"] == 500
          and again["files"] == found["files"],
          f"run, complete already: {again}")


def errors_of_means():
    """A run that is long enough for errors, at constant energy, with a drift."""
    write("nve.ini",
          "[system]\nstructure = water7.gro\n[start]\ntemperature = 10 K\n[integrator]\nstep = 2 fs\ntime = 20 ps\n"
                     "[output]\nseries = nve.csv\ninterval = 10 fs\n")
    found, said = document("run", "nve.ini", "-o", "nve"), text("run", "nve.ini", "-o", "nve-said", "-q")
    drift = found["energy_drift"]
    shown = re.search(r"drift +(\S+)(?: +\+- (\S+))? .*\n.*deviation +(\S+)", said)
    check(f"{drift['slope_kT_ns_dof']:.4g}" == shown[1] and f"{drift['deviation_kJ_mol']:.4g}" == shown[3],
          f"{drift}, {shown[0]}")
    check((drift["error"] is None) == (shown[2] is None) == ("reason" in drift), f"{drift}, {shown[0]}")
    with_errors = 0
    for label, name in (("potential energy", "potential_kJ_mol"), ("kinetic energy", "kinetic_kJ_mol"),
                        ("temperature, on-step", "temperature_K")):
        mean = found["means"][name]
        error = re.search(label + r" +\S+(?: +\+- (\S+))?", said)[1]
        with_errors += error is not None
        check("reason" in mean if error is None else f"{mean['error']:.3g}" == error and "reason" not in mean,
              f"{name}: {mean}")
    check(with_errors > 0, "no mean has an error")


def stops():
    write("long.ini", "[system]\nstructure = water7.gro\n[start]\ntemperature = 10 K\n[integrator]\nstep = 1 fs\n"
                      "steps = 400000000\n[output]\ntrajectory = long.h5md\ninterval = 1 ps\n")
    first = document("run", "long.ini", "-o", "long", "--max-time", "0.3s", "--stopped-status", "7", status=7)
    check(first["outcome"] == "stopped" and 0 < first["steps_done"] < first["steps"] == 400000000,
          f"stopped: {first['steps_done']}")
    close(first["time_ps"], 1e-3 * first["steps_done"], "the time where it stopped")
    end = first["steps_done"] + 1000
    second = document("run", "long.ini", "-o", "long", "--resume", "--set", f"integrator.steps={end}")
    check(second["outcome"] == "complete" and second["steps_done"] == end
          and second["resumed_from"]["steps_done"] == first["steps_done"]
          and second["resumed_from"]["checkpoint"] == second["files"]["checkpoint"],
          f"resumed: {second['resumed_from']}")
    refused("run", "long.ini", "-o", "failed", "--set", "stop.max_temperature=1e-3K")
    refused("run", "base.ini", "-o", "run")
    refused("run", "nowhere.ini")


def boxes():
    found = document("run", "box.ini", "-o", "box")
    check("filling a box" in document.stderr, "run: notes are not on standard error")
    rows = table("box/box.csv")
    close(found["means"]["pressure_bar"]["mean"], math.fsum(float(row["pressure"]) for row in rows) / len(rows),
          "pressure")
    close(found["means"]["potential_per_molecule_kcal_mol"]["mean"],
          found["means"]["potential_kJ_mol"]["mean"] / 4.184 / 50,
          "potential of a molecule")
    check(found["speed"]["lists_made"] > 0 and len(found["speed"]["shares_of_forces"]) > 5, f"{found['speed']}")

    found = document("energy", "box/box-final.gro", "--boundary", "periodic", "--cutoff", "0.55nm")
    parts = [found[f"coulomb_{part}_kJ_mol"] for part in ("real", "excluded", "reciprocal", "self")]
    close(found["coulomb_kJ_mol"], math.fsum(parts), "the parts of Coulomb")
    close(found["potential_kJ_mol"], found["lj_kJ_mol"] + found["coulomb_kJ_mol"], "potential of the box")
    said = text("energy", "box/box-final.gro", "--boundary", "periodic", "--cutoff", "0.55nm")
    check(f"{found['pressure_bar']:.10f}" in said and f"{found['lj_tail_kJ_mol']:.10f}" in said
          and f"{found['pme']['measured_force_error']:.2g}" in said, "energy of a box: other numbers than the text's")

    checked = document("check", "box.ini")
    check("filling a box" in document.stderr, "check: notes are not on standard error")
    edge = checked["box_nm"][2][2]
    close(checked["volume_nm3"], edge ** 3, "volume")
    close(checked["density_g_cm3"], 0.989, "density", 1e-6)
    said = text("check", "box.ini")
    check(f"beta {checked['mesh']['beta_per_nm']:.4g} /nm" in said
          and "grid " + " x ".join(str(n) for n in checked["mesh"]["grid"]) in said,
          "check: another mesh than the text's")


def checks():
    found, said = document("check", "base.ini"), text("check", "base.ini")
    energy = document("energy", "water7.gro", "--rigid")
    close(found["start"]["potential_kJ_mol"], energy["potential_kJ_mol"], "potential of the start")
    check(f"temperature {found['start']['temperature_K']:.4g} K" in said, "temperature of the start")
    check(found["deck_in_full"] == said.split("the deck in full\n\n")[1], "check: another deck than the text's")
    check(found["settings"]["integrator"] == {"method": "rattle", "step": "0.002 ps", "steps": "500"},
          f"{found['settings']}")
    check(found["settings"]["output"]["trajectory"] == "base.h5md", "a setting of the last but one section")
    check(found["thermostat"] == {"method": "gla", "temperature_K": [10, 10], "friction_per_ps": 0.2, "seed": 1},
          f"{found['thermostat']}")
    check(f"E gains {found['stop']['max_energy_change_kJ_mol']:.4g} kJ/mol" in said, f"{found['stop']}")
    check(found["steps"] == 500 and found["step_ps"] == 0.002 and found["molecules"] == 7 and found["box_nm"] is None
          and found["resources"]["disk_bytes"] > 0, "check: numbers")
    refused("check", "base.ini", "--set", "integrator.step=2")

    found = document("check", "small.ini")
    check(found["stop"]["max_temperature_K"] is None and found["step_s"] == 0.02 and found["units"] == "SI",
          f"{found}")


def small_systems():
    found = document("run", "small.ini", "-o", "small")
    rows = table("small/small.csv")
    energies = [float(row["total"]) for row in rows]
    close(found["energy_J"]["first"], energies[0], "first energy")
    close(found["energy_J"]["mean"], math.fsum(energies) / len(energies), "mean energy")
    close(found["energy_J"]["largest_deviation"], max(abs(e - energies[0]) for e in energies), "largest deviation",
          1e-9)
    check(found["step_s"] == 0.02 and found["time_s"] == 2 and found["system"] == "spherical-pendulum", "a small run")
    described = document("info", "small/small.h5")
    check(described["kind"] == "series" and described["frames"] == len(rows) and described["last_time_s"] == 2,
          f"{described}")
    check(described["deck_in_full"] == text("info", "small/small.h5").split("its deck in full\n\n")[1],
          "deck of a series")


def files():
    structure = document("info", "water7.gro")
    energy = document("energy", "water7.gro")
    check(structure["geometry_deviation"] == energy["geometry_deviation"] and structure["molecules"] == 7
          and structure["frames"] == 1 and structure["box_nm"] is None, f"{structure}")
    check(f"{structure['nearest_oxygens_nm']:.4f} nm apart" in text("info", "water7.gro"), "nearest oxygens")
    text("convert", "run/base.h5md", "frames.xyz", "--frame", "all")
    frames = document("info", "frames.xyz", "--frame", "all")
    energies = document("energy", "frames.xyz", "--frame", "all")
    check([f["frame"] for f in frames] == list(range(11)) == [e["frame"] for e in energies], "frames of a file")
    for row, energy in zip(table("run/base.csv"), energies):
        close(energy["potential_kJ_mol"], float(row["potential"]), "potential of a frame", 1e-4)
    check(document("info", "frames.xyz", "--frame", "last")["frame"] == 10, "the last frame")
    refused("info", "frames.xyz", "--frame", "11")
    refused("energy", "frames.xyz", "--frame", "11")

    recording, said = document("info", "run/base.h5md"), text("info", "run/base.h5md")
    check(recording["frames"] == 11 and recording["last_frame"] == {"step": 500, "time_ps": 1}
          and recording["damaged_frames"] == 0 and recording["first_damage"] is None, f"{recording}")
    check(recording["deck_in_full"] == said.split("its deck in full\n\n")[1], "deck of a trajectory")
    checkpoint = document("info", "run/base.checkpoint")
    check(checkpoint["step"] == 500 and checkpoint["complete"] and checkpoint["frames"] == 11
          and checkpoint["time"] == 1,
          f"{checkpoint}")
    rows, columns = table("run/base.csv"), document("info", "run/base.csv")
    check(columns["rows"] == len(rows) and [c["name"] for c in columns["columns"]] == list(rows[0]),
          "columns of a CSV")
    for column in columns["columns"]:
        for place, row in (("first", rows[0]), ("last", rows[-1])):
            number = float(row[column["name"]])
            check(column[place] is None if math.isnan(number) else column[place] == number, f"{column}")
    refused("info", ".")
    refused("info", "nowhere.gro")

    for path, options in (("run/base.h5md", ()), ("box/box.h5md", ("--max", "0.5nm"))):
        found = document("rdf", path, "--bins", "20", *options)
        shown = list(csv.DictReader(io.StringIO("".join(
            line for line in text("rdf", path, "--bins", "20", *options).splitlines(True) if line[0] != "#"))))
        check(found["samples"] == 11 and len(shown) == 20, f"rdf {path}")
        for name in shown[0]:
            values = ["nan" if value is None else f"{value:.10g}" for value in found[name]]
            check(values == [row[name] for row in shown], f"rdf {path}: {name}")
    check(document("rdf", "run/base.h5md", "--csv", "rdf.csv")["csv"] == "rdf.csv" and len(table("rdf.csv")) == 200,
          "rdf --csv")
    check(document("rdf", "run/base.h5md", "--from", "0.25ps", "--to", "0.75ps")["samples"] == 5, "rdf --from --to")
    refused("rdf", "run/base.h5md", "--from", "1ns")

    verified = document("verify", "run")
    check({f["state"] for f in verified[0]["files"]} == {"intact"}, f"{verified}")


def builders():
    built = document("build", "water", "3", "-o", "three.gro", "-q")
    close(document("energy", "three.gro")["potential_kJ_mol"], built["potential_kJ_mol"], "energy of what was built",
          1e-6)
    check(built["file"] == "three.gro" and built["kind"] == "cluster" and built["molecules"] == 3, f"{built}")
    refused("build", "water", "3", "-o", "three.gro")
    lowest = document("minimize", "water7.gro", "-o", "minimum.gro")
    close(document("energy", "minimum.gro")["potential_kJ_mol"], lowest["potential_kJ_mol"], "energy of the minimum",
          1e-6)
    check(lowest["potential_kJ_mol"] <= lowest["potential_before_kJ_mol"] and lowest["max_force_kJ_mol_nm"] < 1e-3,
          f"{lowest}")
    several = document("minimize", "frames.xyz", "-o", "minima.xyz", "--frame", "all", "-q")
    check(len(several) == 11 and several[10]["frame"] == 10, "minima of all frames")
    refused("minimize", "water7.gro", "-o", "minimum.gro")


def results():
    name = "tao-owhadi-figure-10"
    rows = document("reproduce", name, "--csv", "rows.csv")
    expected = table("rows.csv")
    check(len(rows) == len(expected) > 0, "reproduce: rows")
    for row, line in zip(rows, expected):
        for column in ("expected", "ours", "difference", "tolerance"):
            check(row[column] == (float(line[column]) if line[column] else None), f"reproduce: {row}, {line}")
        check(all((row[column] or "") == line[column] for column in ("name", "quantity", "setting", "source",
                                                                     "verdict")), f"{row}")
    check([r["name"] for r in document("reproduce")] == text("reproduce").split(), "reproduce: names")
    refused("reproduce", "nothing")


def choices():
    for topic in ("integrators", "systems", "models", "thermostats", "constraints", "forces", "units", "combinations"):
        found = document("list", topic)
        check(len(found) > 1, f"list {topic}")
        if topic == "units":
            shown = [line.split() for line in text("list", topic).splitlines()[1:]]
            check([(u["unit"], u["value"]) for u in found] == [(w[0], float(w[-2])) for w in shown], "list units")
        elif topic != "combinations":
            names = {line.split(",")[0].split(";")[0].split()[0] for line in text("list", topic).splitlines()
                     if not line.startswith(" ")}
            check({entry["name"] for entry in found} <= names, f"list {topic}")
    check([p["name"] for p in document("list", "systems", "spherical-pendulum")[0]["parameters"]],
          "parameters of a system")
    refused("list", "systems", "nothing")
    spce, = document("list", "models", "spce")
    check(spce["r_oh_nm"] == 0.1 and spce["charge_h_e"] == 0.4238 and abs(spce["dipole_D"] - 2.351) < 5e-4,
          f"list models spce: {spce}")
    refused("list", "models", "nothing")
    compared = document("compare", "small.ini", "--methods", "rattle", "--steps", "0.1s,0.05s", "--csv",
                        "compared.csv")
    check([row["step_s"] for row in compared] == [0.1, 0.05]
          == [float(row["step_s"]) for row in table("compared.csv")]
          and all(row["status"] == "ok" for row in compared), f"{compared}")
    verdicts = document("validate", "run/base.h5md")
    check({v["verdict"] for v in verdicts} <= {"passes", "fails", "open"}, f"{verdicts}")


def strangers():
    """A title with everything that breaks a document, and a file's name with it."""
    with open("water7.gro", "rb") as stream:
        lines = stream.read().split(b"\n")
    lines[0] = b'a "title" \\ \x1b]0;x\x07 \x7f \xff\xc3 \xc3\xa9 \xe2\x80\xae '
    lines[0] += b'\xf0\x9f\x98\x80 \xed\xa0\x80 \t. \xe2\x80'
    name = b'st"r\\\n\x01\xfe.gro'
    with open(name, "wb") as stream:
        stream.write(b"\n".join(lines))
    found = document("info", name)
    check(found["title"] == 'a "title" \\ ?]0;x? ? \ufffd\ufffd \xe9 \u202e \U0001f600 \ufffd\ufffd\ufffd  . \ufffd\ufffd',
          f"{found['title']!r}")
    check(found["file"] == 'st"r\\\n\x01\ufffd.gro', f"{found['file']!r}")
    check(document("info", name, "--frame", "all")[0]["title"] == found["title"], "the title in a list")
    write('out".csv', "name,value\nx\x1b\x7f,1\n")
    check(document("info", 'out".csv')["columns"][0]["first"] == "x\x1b\x7f", "a cell")


for part in (summaries, errors_of_means, stops, boxes, checks, small_systems, files, builders, results, choices,
             strangers):
    part()
sys.exit(failures > 0)
