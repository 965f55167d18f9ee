"""Runs analysis/*.py on small files made here: pictures appear, and each kind of bad file is one clear line and exit
status 2.  Run by test_plots.sh."""
import contextlib
import io
import json
import math
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import matplotlib.image as image
import numpy as np

SCRIPTS = os.path.join(os.environ["RILL_SOURCE"], "analysis")
os.environ.pop("DISPLAY", None)
sys.path.insert(0, SCRIPTS)
import rilldata
DISTRIBUTION = "r_nm,density_per_nm,error_per_nm"
RADIAL = "r_nm,g,error,neighbours"
SERIES = ("step,time_ps,kinetic,lj,coulomb,confine,potential,total,temperature,temperature_half,temperature_translation,"
          "temperature_rotation,temperature_half_translation,temperature_half_rotation,momentum_x,momentum_y,momentum_z,angular_momentum_x,angular_momentum_y,"
          "angular_momentum_z,position_deviation_max,position_deviation_rms,velocity_deviation_max,"
          "velocity_deviation_rms,iterations")
DECK = ["[system]", "kind = water", "boundary = vacuum", "[integrator]", "method = rattle", "step = 2 fs", "time = 1 ns",
        "[constraints]", "solver = settle", "[thermostat]", "method = gla", "temperature = 300 K -> 10 K",
        "friction = 0.2 /ps"]
BONDED = [(0, 0, 0), (0.0957, 0, 0), (-0.024, 0.0927, 0)]


class Plots(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text, mode="w"):
        with open(self.path(name), mode) as file:
            file.write(text)
        return self.path(name)

    def distribution(self, name="run-rdf.csv", error="0.05"):
        comments = "".join(f"# {line}\n" for line in ["rill"] + DECK)
        rows = [f"{(k + 0.5) * 0.01},{np.exp(-((k - 28) / 2.0) ** 2)},{error}\n" for k in range(60)]
        return self.write(name, comments + DISTRIBUTION + "\n" + "".join(rows))

    def radial(self, name="box-rdf.csv"):
        rows = [f"{(k + 0.5) * 0.01},{1 - np.exp(-(k / 28) ** 8)},0.01,{(k / 10) ** 3}\n" for k in range(90)]
        return self.write(name, "# rill\n" + RADIAL + "\n" + "".join(rows))

    def series(self, name="run-series.csv", rows=1000, pressure=""):
        comments = "".join(f"# {line}\n" for line in DECK)
        columns = (SERIES + pressure).split(",")
        lines = [",".join(f"{value:.17g}" for value in [50.0 * k, 0.1 * k] + list(1 + np.sin(k + np.arange(len(columns) - 2))))
                 for k in range(rows)]
        return self.write(name, f"{comments}{SERIES}{pressure}\n# units: 1,ps\n" + "\n".join(lines) + "\n")

    def trajectory(self, name="run.h5md", molecules=7, frames=3, box=False, committed=None):
        places = np.array([(0.28 * k, 0.1 * (k % 2), 0.05 * (k % 3)) for k in range(molecules)])
        frame = (places[:, None, :] + np.array(BONDED)).reshape(-1, 3)
        with h5py.File(self.path(name), "w") as file:
            group = file.create_group("particles/trajectory")
            group["position/value"] = np.array([frame + 0.001 * k for k in range(frames)], "f4").reshape(frames, -1, 3)
            group["position/step"] = np.arange(frames if committed is None else committed)
            group["position/time"] = np.arange(frames if committed is None else committed, dtype=float)
            group["species"] = np.resize([8, 1, 1], 3 * molecules).astype("i4")
            if box:
                group["box/edges/value"] = np.array([np.eye(3)] * frames)
        return self.path(name)

    def pendulum(self, name="run.h5", kind="double-spherical-pendulum", growth=0.0, periods=4.6, frequency=2.9):
        """A motion of period 2 pi / frequency, up to rotations by 0.7 rad/s; growth: it never comes back."""
        t = np.arange(0, periods * 2 * np.pi / frequency, 0.02)
        shape = [np.exp(growth * t) * (a + b * np.exp(1j * frequency * t)) + 0.1 * np.exp(-2j * frequency * t)
                 for a, b in ((1.0, 0.4), (1.5, -0.9))]
        flat = np.array([[c * np.exp(0.7j * t), 1j * (k + 1) * c * np.exp(0.7j * t)] for k, c in enumerate(shape)])
        q, p = (np.stack([flat[:, i].real, flat[:, i].imag, -np.abs(flat[:, i])]).T.reshape(len(t), -1) for i in (0, 1))
        with h5py.File(self.path(name), "w") as file:
            group = file.create_group("series")
            group.attrs["system"], group.attrs["deck"] = np.bytes_(kind), np.bytes_("[integrator]\nmethod = dvp\n")
            group["t"], group["q"], group["p"] = t, q, p
        return self.path(name)

    def test_pattern(self):
        path = self.pendulum()
        for turns in 0, -1:
            result = self.run_script("pattern.py", path, "-o", self.path("out.png"), "--turns", str(turns), "--force")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            period, phase, rate = (float(value) for value in re.findall(r"(?:period|phase|rate) ([-\d.e]+)", result.stdout))
            self.assertAlmostEqual(period, 2 * np.pi / 2.9, delta=1e-4)
            self.assertAlmostEqual(phase, 0.7 * 2 * np.pi / 2.9 + 2 * np.pi * turns, delta=1e-4)
            self.assertAlmostEqual(rate, phase / period, delta=1e-6)
            self.assert_drawn("out.png")
        os.remove(self.path("out.png"))
        result = self.run_script("pattern.py", path, "-o", self.path("out.png"), "--period", "2.1666")
        self.assertRegex(result.stdout, r"^period 2\.1666 s, phase 1\.51")
        os.remove(self.path("out.png"))
        self.refuses("no period: the nearest return", "pattern.py", self.pendulum(growth=0.1))
        self.refuses("the run ends before", "pattern.py", self.pendulum(periods=0.7))
        self.refuses("expected a time within the run", "pattern.py", self.pendulum(), "--period", "200")
        self.refuses("a run of rigid-body", "pattern.py", self.pendulum(kind="rigid-body"))
        self.refuses("not an HDF5 file", "pattern.py", self.write("run.h5", "text"))
        self.refuses("without /series/t", "pattern.py", self.trajectory("run.h5"))
        self.refuses("No such file", "pattern.py", self.path("none.h5"))

    def run_script(self, script, *arguments):
        """As the command line does, but within this process, which saves a start of Python each time."""
        path, stdout, stderr, kept, status = os.path.join(SCRIPTS, script), io.StringIO(), io.StringIO(), sys.argv, 0
        sys.argv = [path, *arguments]
        try:
            with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
                runpy.run_path(path, run_name="__main__")
        except SystemExit as leave:
            status = leave.code
        finally:
            sys.argv = kept
        return subprocess.CompletedProcess(sys.argv, status or 0, stdout.getvalue(), stderr.getvalue())

    def command(self, script, *arguments):
        """The script as a process of its own, from another folder."""
        return subprocess.run([sys.executable, "-B", os.path.join(SCRIPTS, script), *arguments], cwd=self.folder,
                              capture_output=True, text=True, timeout=300)

    def draws(self, script, *arguments, picture="out.png"):
        result = self.run_script(script, *arguments, "-o", self.path(picture))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assert_drawn(picture)
        os.remove(self.path(picture))

    def assert_drawn(self, picture):
        """Data are drawn in colours, all else in greys; a dot of a line that is one sample long has some 20 pixels."""
        pixels = image.imread(self.path(picture))[..., :3]
        self.assertGreater(np.count_nonzero(np.ptp(pixels, axis=2) > 0.3), 20)

    def refuses(self, expected, script, *arguments, picture="out.png"):
        result = self.run_script(script, *arguments, "-o", self.path(picture))
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith(script + ": "), result.stderr)
        self.assertIn(expected, result.stderr)
        self.assertFalse(os.path.exists(self.path(picture)))

    def test_distribution(self):
        self.draws("rdf.py", self.distribution())
        self.draws("rdf.py", self.folder, "--peaks")
        other = self.distribution("other.csv", error="nan")
        self.draws("rdf.py", self.path("run-rdf.csv"), other, "--label", "a", "--label", "b")

    def properties(self, name="run-properties.json", **changed):
        times = [0.1 * k for k in range(1, 30)]
        curve = lambda y, *names: {"columns": ["time", *names], "units": ["ps"] * (1 + len(names)), "fit": [0.5, 2],
                                   "rows": [[t, *([y(t)] * len(names))] for t in times]}
        document = {"properties": [{"property": "diffusion", "value": 5.5, "error": None, "unit": "1e-9 m2/s", "remark": ""},
                                   {"property": "viscosity", "value": 0.3, "error": 0.01, "unit": "mPa s", "remark": ""}],
                    "notes": [],
                    "curves": {"displacement": curve(lambda t: 0.03 * t, "squared_displacement", "squared_displacement_error"),
                               "viscosity": curve(lambda t: 1 - math.exp(-t), "stress_correlation", "viscosity", "viscosity_error"),
                               "velocity": curve(lambda t: math.exp(-t), "velocity_correlation", "diffusion", "diffusion_error"),
                               "velocity_spectrum": {**curve(lambda t: t, "spectrum"), "columns": ["wavenumber", "spectrum"],
                                                     "fit": [None, None]},
                               "dipole_P1": curve(lambda t: math.exp(-t), "correlation", "error"),
                               "dipole_P2": curve(lambda t: math.exp(-3 * t), "correlation", "error")}}
        return self.write(name, json.dumps({**document, **changed}))

    def test_properties(self):
        self.draws("properties.py", self.properties())
        self.draws("properties.py", self.folder)
        with open(self.properties()) as file:
            document = json.load(file)
        for name in list(document["curves"])[1:]:
            del document["curves"][name]
        self.draws("properties.py", self.properties(curves=document["curves"]))
        self.refuses("no correlation functions", "properties.py", self.properties(curves={}))
        self.refuses("no properties that rill wrote", "properties.py", self.write("b-properties.json", "{}"))
        self.refuses("more than one properties", "properties.py", self.folder)
        self.refuses("has no columns, rows and fit", "properties.py", self.properties(curves={"displacement": {"rows": [["a"]]}}))

    def test_folder_with_distributions_of_all_pairs(self):
        for ending in ("rdf", "rdf-OH", "rdf-HH"):
            self.radial(f"box-{ending}.csv")
        self.draws("rdf.py", self.folder)

    def test_box(self):
        self.draws("rdf.py", self.radial(), "--peaks")
        self.draws("rdf.py", self.folder)
        self.draws("series.py", self.series(pressure=",pressure"))
        self.trajectory(box=True)
        self.draws("summary.py", self.folder)
        self.refuses("no common axis", "rdf.py", self.radial(), self.distribution("other.csv"))

    def test_series(self):
        self.draws("series.py", self.series())
        self.draws("series.py", self.folder)
        self.draws("series.py", self.series(rows=1))

    def test_step_control(self):
        quick = ["--rill", os.environ["RILL"], "--counts", "125", "--periods", "20"]
        self.draws("step_control.py", *quick)
        self.refuses("no-such-program: No such file", "step_control.py", "--rill", "no-such-program")

    def test_series_torn_by_a_kill(self):
        # F13: the last line of a killed run may be incomplete.
        with open(self.series()) as file:
            text = file.read()
        self.draws("series.py", self.write("run-series.csv", text[:-30]))
        self.draws("series.py", self.write("run-series.csv", text[:-3]))

    def test_average_of_replicas(self):
        first, second = self.distribution("a.csv"), self.distribution("b.csv")
        self.draws("rdf.py", first, second, "--average", "--peaks")
        self.refuses("two files or more", "rdf.py", first, "--average")
        with open(second) as file:
            other = file.read().replace("0.005,", "0.006,", 1)
        self.refuses("its bins are not those of", "rdf.py", first, self.write("c.csv", other), "--average")
        tables = [rilldata.find_distribution(path) for path in (first, second)]
        tables[1].values = tables[1].values.copy()
        tables[1].values[:, 1] += 0.5
        mean = rilldata.average(tables)
        np.testing.assert_allclose(mean["density_per_nm"], tables[0]["density_per_nm"] + 0.25)
        np.testing.assert_allclose(mean["error_per_nm"], 0.25)

    def test_peaks_have_no_more_digits_than_their_bins_and_errors(self):
        r = (np.arange(100) + 0.5) * 0.0025
        density, none = np.exp(-((r - 0.12) / 0.01) ** 2), np.zeros(100)
        self.assertEqual(rilldata.peak_decimals(r, density, none, 48), 3)
        self.assertEqual(rilldata.peak_decimals(r, density, none + 0.3, 48), 2)
        self.assertEqual(rilldata.peak_decimals(r / 100, density, none, 48), 4)

    def drawn(self, draw, deck, path):
        """The axes that a panel was drawn on."""
        axes = rilldata.plt.figure().add_subplot()
        self.addCleanup(rilldata.plt.close, axes.figure)
        draw(axes, rilldata.read_table(path, rilldata.SERIES_COLUMNS), deck, 50)
        return axes

    def test_equilibration_is_left_out(self):
        # The first fifth is far off; the mean of the rest is 300, as the printed summary has it.
        path = self.series(rows=1000, pressure=",pressure")
        table = rilldata.read_table(path, [])
        values = table.values
        for name in ("pressure", "potential", "temperature"):
            values[:, table.names.index(name)] = np.where(values[:, 1] < 20, 5000, 300 + np.sin(np.arange(1000) * np.pi / 2))
        self.write("run-series.csv", ",".join(table.names) + "\n" +
                   "".join(",".join(map(str, row)) + "\n" for row in values.tolist()))
        deck = {"output.means_from": "20 ps", "thermostat.method": "gla", "thermostat.temperature": "300 K"}
        axes = self.drawn(rilldata.draw_pressure, deck, path)
        self.assertIn("⟨300 bar⟩", axes.get_legend().get_texts()[0].get_text())
        self.assertLess(axes.get_ylim()[1], 310)
        self.assertNotIn("⟨300 bar⟩", self.drawn(rilldata.draw_pressure, {}, path).get_legend().get_texts()[0].get_text())
        self.assertIn("⟨300 kJ/mol⟩", self.drawn(rilldata.draw_energies, deck, path).get_legend().get_texts()[0].get_text())
        deck["output.means_from"] = "20000 fs"
        self.assertEqual(rilldata.means_from(deck, table["time_ps"]), 20)

    def test_the_trusted_temperature_is_bold(self):
        for method, trusted in (("gla", "on-step"), ("baoab", "half-step")):
            axes = self.drawn(rilldata.draw_temperatures, {"thermostat.method": method}, self.series())
            lines = {line.get_label(): line.get_linewidth() for line in axes.lines}
            self.assertEqual(max(lines, key=lines.get), trusted)

    def test_temperatures_do_not_begin_at_zero(self):
        path = self.series()
        table = rilldata.read_table(path, [])
        table.values[:, 2:] += 298
        self.write("run-series.csv", ",".join(table.names) + "\n" +
                   "".join(",".join(map(str, row)) + "\n" for row in table.values.tolist()))
        self.assertGreater(self.drawn(rilldata.draw_temperatures, {}, path).get_ylim()[0], 200)

    def test_titles_stand_clear_of_legends(self):
        axes = self.drawn(rilldata.draw_temperatures, {"thermostat.method": "gla", "thermostat.temperature": "1 K"},
                          self.series())
        axes.figure.canvas.draw()
        title, legend = axes._left_title.get_window_extent(), axes.get_legend().get_window_extent()
        self.assertFalse(title.overlaps(legend))

    def test_failed_methods_are_marked(self):
        names = ("method,step_fs,step_us,step_least_us,step_most_us,forces_us,solve_us,thermostat_us,rest_us,stable_step_fs,"
                 "momentum_change_u_nm_ps,oo_distance_L1,oo_seed_noise_L1,temperature_K,temperature_error_K,"
                 "temperature_half_K,temperature_half_error_K,status")
        for rows in (3, 24):
            lines = [f"method{k},{k + 1},1,0.9,1.1,0.5,0.2,0.1,0.2,,,0.0{k + 1},0.02,10,0.1,10,0.1,ok" for k in range(rows)]
            lines[1] = "method1,2" + "," * 15 + ",failed"
            path = self.write("table.csv", "\n".join(["# of water", names] + lines) + "\n")
            self.draws_text("failed", "compare.py", path)
        small = "method,step,position_error,energy_error,total_ms,status\n"
        path = self.write("small.csv", small + "a,0.1,1e-3,1e-4,2,ok\nb,0.25,,,,failed\n")
        self.draws_text("b (failed at 0.25)", "compare.py", path)
        self.refuses("nothing to draw", "compare.py", self.write("none.csv", small + "b,0.25,,,,failed\n"))
        self.refuses("no independent samples", "compare.py", path, "--samples")
        sampled = ("method,step,step_us,q1_mean,q1_mean_error,q1_bias,q1_bias_error,q1_tau,q1_tau_error,q1_samples_per_s,"
                   "q1_samples_per_s_error,q1_cost_s,q1_cost_error_s,status\n")
        path = self.write("sampled.csv", sampled + "a,0.1,1,0,0.1,,,2,0.2,9,1,0.11,0.01,ok\na,0.2,1,0,0.1,0.2,0.3,2,0.2,9,1,"
                          "0.05,0.01,ok\nb,0.2,,,,,,,,,,,,failed\n")
        self.draws_text("seconds per independent sample", "compare.py", path)
        two = sampled.replace(",status", ",q2_bias,q2_bias_error,q2_samples_per_s,q2_cost_s,q2_cost_error_s,status")
        path = self.write("two.csv", two + "a,0.1,1,0,0.1,0.2,0.3,2,0.2,9,1,0.11,0.01,0.2,0.3,9,0.1,0.01,ok\n"
                          "other,0.1,1,0,0.1,,,,,,,,,0.2,0.3,9,0.1,0.01,ok\n")
        self.draws_text("other", "compare.py", path)  # which the first panel lacks

    def draws_text(self, text, script, *arguments):
        result = self.run_script(script, *arguments, "-o", self.path("out.svg"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        with open(self.path("out.svg")) as file:
            self.assertIn(f"<!-- {text} -->", file.read())
        os.remove(self.path("out.svg"))

    def test_summary(self):
        self.distribution(), self.series(), self.trajectory()
        self.draws("summary.py", self.folder)

    def test_summary_of_what_is_there(self):
        for make in (self.distribution, self.series, self.trajectory):
            path = make()
            self.draws("summary.py", self.folder)
            os.remove(path)

    def test_summary_of_awkward_trajectories(self):
        # F06: one frame; one molecule; a box; and more rows of positions than committed frames (a killed run).
        for options in ({"frames": 1}, {"molecules": 1}, {"molecules": 40, "box": True}, {"frames": 5, "committed": 4}):
            with self.subTest(options):
                self.trajectory(**options)
                self.draws("summary.py", self.folder)

    def test_existing_files(self):
        self.series("a-series.csv")
        with open(self.path("out.png"), "w") as file:
            file.write("mine")
        result = self.run_script("series.py", self.path("a-series.csv"), "-o", self.path("out.png"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("the file exists; --force replaces it", result.stderr)
        with open(self.path("out.png")) as file:
            self.assertEqual(file.read(), "mine")
        self.draws("series.py", self.path("a-series.csv"), "--force")

    def test_summary_of_several_runs(self):
        self.series("a-series.csv"), self.series("b-series.csv")
        self.refuses("more than one series (CSV): a-series.csv, b-series.csv", "summary.py", self.folder)
        self.draws("summary.py", self.folder, "--name", "a")

    def test_bad_tables(self):
        header = DISTRIBUTION + "\n"
        for text, expected in {
            "": "no header line",
            "# only a comment\n": "no header line",
            header: "no rows of numbers",
            "r,density\n1,2\n": ":1: no column 'r_nm'",
            "# c\n" + header + "0.1,0.2,0.3\n0.1,0.2\n": ":4: 2 values, expected 3",
            header + "0.1,0.2,0.3,0.4\n": ":2: 4 values, expected 3",
            header + "0.1,x2,0.3\n": ":2: 'x2' in column density_per_nm is not a number",
            header + "0.1,,0.3\n": ":2: '' in column density_per_nm",
            header + "0,1,2,3,4,5\n": ":2: 6 values",
            DISTRIBUTION + ",r_nm\n1,2,3,4\n": "stands twice",
            header + "0.1,0,0\n": "zero everywhere",
            header + "0.1,nan,0\n": "not finite",
        }.items():
            with self.subTest(expected):
                self.refuses(expected, "rdf.py", self.write("bad.csv", text))
        self.refuses("not a text file", "rdf.py", self.write("bad.csv", b"\xff\xfe\x00\x80", "wb"))
        self.refuses("no column 'step'", "series.py", self.distribution())

    def test_missing_files(self):
        self.refuses("No such file", "rdf.py", self.path("none.csv"))
        self.refuses("No such file", "series.py", self.path("none.csv"))
        self.refuses("no such folder", "summary.py", self.path("none"))
        self.refuses("not a folder", "summary.py", self.distribution("x.csv"))
        os.remove(self.path("x.csv"))
        self.refuses("no O-O distribution", "rdf.py", self.folder)
        self.refuses("neither a series", "summary.py", self.folder)

    def test_bad_trajectories(self):
        self.write("run.h5md", "not HDF5")
        self.refuses("not an HDF5 file", "summary.py", self.folder)
        self.write("run.h5md", "")
        self.refuses("not an HDF5 file", "summary.py", self.folder)
        with h5py.File(self.path("run.h5md"), "w") as file:
            file["x"] = 1
        self.refuses("without /particles/trajectory/position", "summary.py", self.folder)
        self.trajectory(committed=0)
        self.refuses("no frame is complete", "summary.py", self.folder)
        with h5py.File(self.trajectory(), "r+") as file:
            file["particles/trajectory/position/value"][-1, 0, 0] = np.nan
        self.refuses("not numbers", "summary.py", self.folder)

    def test_picture_names(self):
        path = self.distribution()
        self.refuses(".png, .pdf or .svg", "rdf.py", path, picture="out.csv")
        self.refuses("cannot be written", "rdf.py", path, picture="none/out.png")
        result = self.run_script("rdf.py", path)
        self.assertEqual(result.returncode, 2)

    def test_commands(self):
        self.distribution(), self.series(), self.trajectory()
        for script, source in (("rdf.py", "run-rdf.csv"), ("series.py", "run-series.csv"), ("summary.py", ".")):
            result = self.run_script(script, "--help")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("--output", result.stdout)
            result = self.command(script, source, "-o", "out.png")
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
            self.assert_drawn("out.png")
            os.remove(self.path("out.png"))
            result = self.command(script, "none", "-o", "out.png")
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertRegex(result.stderr, rf"^{script}: none: .*\n$")


if __name__ == "__main__":
    unittest.main()
