"""analysis/ensemble.py and analysis/ladders.py on ensembles with a known answer, made here, and on one that rill
runs.  Run by test_ensemble_analysis.sh."""
import contextlib
import io
import os
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
import ladders as tools
import rilldata

R = 8.31446261815324e-3
FREEDOM = 36           # quadratic coordinates of the potential energy: C = FREEDOM / 2 R, <U> = FREEDOM / 2 R T
TEMPERATURES = [100.0, 112.0, 125.0, 140.0, 157.0]
MOLECULES = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0], [-0.1, 0, 0], [0, 0.1, 0]])  # two in one place


def gamma_walk(generator, shape, rows, correlation):
    """Values of a gamma distribution; correlated ones are sums of squares of autoregressive normal numbers."""
    if not correlation:
        return generator.gamma(shape, size=rows)
    keep, x = np.exp(-1 / correlation), generator.normal(size=int(2 * shape))
    values = np.empty(rows)
    for i in range(rows):
        x = keep * x + np.sqrt(1 - keep * keep) * generator.normal(size=len(x))
        values[i] = x @ x / 2
    return values


def write_ensemble(path, ladders=2, rows=600, temperatures=TEMPERATURES, sampled=None, seed=1, correlation=0,
                   frames=20, exchange=True, deck="", left_out=()):
    """A trajectory with the layout of rill's, with energies of independent harmonic oscillators; the two molecules of
    a replica are 0.5 nm apart, 0.02 nm more at each rung, and 0.1 nm less in each further ladder.

    sampled: temperatures that the energies are from, where they are wrong."""
    generator, rungs = np.random.default_rng(seed), len(temperatures)
    replicas, frames = ladders * rungs, min(frames, rows)
    sampled = temperatures if sampled is None else sampled
    energy = np.array([[-50 + R * t * gamma_walk(generator, FREEDOM / 2, rows, correlation) for t in sampled]
                       for _ in range(ladders)])  # [ladders, rungs, rows]
    held = np.empty((rows, replicas), int)
    for ladder in range(ladders):
        order = np.arange(rungs)  # the rung of each replica
        for row in range(rows):
            if exchange and row:
                for low in range(row % 2, rungs - 1, 2):
                    if generator.random() < 0.5:
                        first, second = np.flatnonzero(order == low), np.flatnonzero(order == low + 1)
                        order[first], order[second] = low + 1, low
            held[row, ladder * rungs:(ladder + 1) * rungs] = order
    potential = np.array([[energy[r // rungs, held[row, r], row] for r in range(replicas)] for row in range(rows)])
    places = np.tile(MOLECULES, (frames, replicas, 1, 1)).reshape(frames, replicas, 6, 3)
    places[:, :, 3:, 0] += (0.501 + 0.02 * held[:frames] - 0.1 * (np.arange(replicas) // rungs))[:, :, None]
    held = held.astype(float)
    for replica, row in left_out:
        held[row:, replica], potential[row:, replica] = -1, np.nan
    with h5py.File(path, "w") as file:
        group = file.create_group("particles/trajectory")
        group["position/value"] = places.reshape(frames, -1, 3).astype("f4")
        group["position/step"], group["position/time"] = np.arange(frames), np.arange(frames, dtype=float)
        rill = file.create_group("parameters/rill")
        rill.attrs["replicas"], rill.attrs["degrees_of_freedom"] = replicas, 12.0
        rill["deck"] = deck
        rill["ladder/values"] = np.array(temperatures)[:, None]
        rill["rung/values"], rill["potential/values"] = held[:frames], potential[:frames]
        rill["sample_time/values"] = np.column_stack([np.arange(rows), np.arange(rows) * 0.5])
        rill["sample_rung/values"], rill["sample_potential/values"] = held, potential
    return path


def samples_of(*paths, begin=None):
    return tools.Samples([ladder for run in tools.read_runs(paths) for ladder in run.ladders(begin)])


def resampled(samples):
    return samples.resampled(np.random.default_rng(1))


class Analysis(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def ensemble(self, name="run.h5md", **options):
        return write_ensemble(self.path(name), **options)

    def run_script(self, *arguments):
        """Within this process, which saves a start of Python each time."""
        path, kept, status = os.path.join(SCRIPTS, "ensemble.py"), sys.argv, 0
        stdout, stderr = io.StringIO(), io.StringIO()
        sys.argv = [path, *arguments]
        try:
            with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
                runpy.run_path(path, run_name="__main__")
        except SystemExit as leave:
            status = leave.code
        finally:
            sys.argv = kept
        return subprocess.CompletedProcess(sys.argv, status or 0, stdout.getvalue(), stderr.getvalue())

    def prints(self, *arguments):
        result = self.run_script(*arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def refuses(self, expected, *arguments):
        before = sorted(os.listdir(self.folder))
        result = self.run_script(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("ensemble.py: "), result.stderr)
        self.assertIn(expected, result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def assert_drawn(self, name):
        pixels = image.imread(self.path(name))[..., :3]
        self.assertGreater(np.count_nonzero(np.ptp(pixels, axis=2) > 0.3), 2000)

    def assert_within(self, value, error, expected, errors=4.0):
        value, error = np.asarray(value), np.asarray(error)
        self.assertTrue(np.all(error > 0))
        self.assertLess(np.max(np.abs(value - expected) / error), errors)

    # --- the known answer ---

    def test_harmonic_oscillators(self):
        temperatures = np.array(TEMPERATURES) / 5
        samples = samples_of(self.ensemble(temperatures=temperatures))
        curve = tools.curve_of(samples, resampled(samples))
        self.assert_within(curve.capacity, curve.capacity_error, FREEDOM / 2)
        self.assert_within(curve.potential, curve.potential_error, -50 + FREEDOM / 2 * R * curve.temperatures)
        potential, potential_error, capacity, capacity_error = tools.direct(samples, resampled(samples))
        self.assert_within(capacity, capacity_error, FREEDOM / 2)
        self.assert_within(potential, potential_error, -50 + FREEDOM / 2 * R * temperatures)
        # Errors of n samples from a gamma distribution with the shape k: of the mean sqrt(k / n), of the variance
        # sqrt((2 k^2 + 6 k) / n).  MBAR knows more than each temperature alone.
        shape, n = FREEDOM / 2, 2 * 600
        np.testing.assert_allclose(potential_error / (R * temperatures), np.sqrt(shape / n), rtol=0.35)
        np.testing.assert_allclose(capacity_error, np.sqrt((2 * shape ** 2 + 6 * shape) / n), rtol=0.35)
        for own, all_together in ((potential_error, curve.potential_error), (capacity_error, curve.capacity_error)):
            ratio = np.mean(all_together[-5:] / own)
            self.assertTrue(0.3 < ratio < 0.8, ratio)

    def test_bins_change_nothing(self):
        samples = samples_of(self.ensemble())
        grid = np.linspace(100, 157, 20)
        curve = tools.curve_of(samples, np.ones((2, samples.blocks), int), grid)
        self.assertLess(np.max(curve.capacity_error), 1e-9)  # all replicates are the same
        reference = samples.energy[samples.thinned].mean()
        binned = tools.Binned(samples, tools.first_guess(samples), reference)
        beta = 1 / (R * curve.temperatures)
        mean, variance = binned.moments(beta, binned.solve(np.ones(samples.blocks))[None])
        np.testing.assert_allclose(reference + mean[0], curve.potential, atol=1e-3)
        np.testing.assert_allclose(variance[0] * beta ** 2, curve.capacity, atol=2e-3)

    def test_output(self):
        path = self.ensemble()
        text = self.prints(path, "-o", self.path("out.png"), "--csv", self.path("curve.csv"))
        self.assert_drawn("out.png")
        self.assertIn("2 ladders of 5 temperatures, 100 K to 157 K; 2 water molecules, 12 degrees of freedom\n", text)
        self.assertIn(": as at right temperatures\n", text)
        self.assertNotIn("  wrong\n", text)
        table = rilldata.read_table(self.path("curve.csv"), ["temperature_K", "heat_capacity_total_R"])
        self.assertEqual((len(table), table["temperature_K"][0], table["temperature_K"][-1]), (tools.GRID, 100, 157))
        kinetic = table["heat_capacity_total_R"] - table["heat_capacity_configurational_R"]
        np.testing.assert_allclose(kinetic, 6, atol=1e-6)
        self.assert_within(table["heat_capacity_configurational_R"], table["heat_capacity_error_R"], FREEDOM / 2)

    def test_samples_of_another_temperature(self):
        text = self.prints(self.ensemble(sampled=[100, 112, 132, 140, 157]))
        wrong = [line.split()[:2] for line in text.splitlines() if line.endswith("  wrong")]
        self.assertEqual(wrong, [["112", "125"], ["125", "140"]])
        self.assertIn("these samples are not those of both temperatures", text)

    def test_energies_that_do_not_overlap(self):
        text = self.prints(self.ensemble(temperatures=[10.0, 300.0]), "-o", self.path("out.png"))
        self.assertIn("the energies do not overlap", text)
        self.assertTrue(text.startswith("2 ladders of 2 temperatures"), text)
        self.assertIn("MBAR has not converged", text)

    def test_correlated_samples(self):
        # Squares of numbers whose correlation falls with exp(-t/6): that of the energies falls with exp(-t/3), and
        # (1 + a) / (1 - a) = 6.1 samples, a = exp(-1/3), count as one.
        samples = samples_of(self.ensemble(correlation=6, ladders=3))
        self.assertAlmostEqual(np.mean(samples.independent) / (1800 / 6.05), 1, delta=0.3)
        self.assertGreaterEqual(samples.length, 3 * samples.correlation)
        curve = tools.curve_of(samples, resampled(samples))
        self.assert_within(curve.capacity, curve.capacity_error, FREEDOM / 2)
        free = samples_of(self.ensemble("free.h5md", ladders=3))
        ratio = np.mean(curve.potential_error / tools.curve_of(free, resampled(free)).potential_error)
        self.assertTrue(1.6 < ratio < 3.6, ratio)  # the root of 6.05 is 2.5

    # --- several runs, parts of runs ---

    def test_runs_are_pooled(self):
        first, second = self.ensemble("a.h5md"), self.ensemble("b.h5md", ladders=1, rows=700, seed=2)
        text = self.prints(first, second)
        self.assertIn("3 ladders of 5 temperatures, 100 K to 157 K, of 2 runs", text)
        self.assertEqual(len(samples_of(first, second).energy), 5 * (2 * 600 + 700))
        other = self.ensemble("c.h5md", temperatures=TEMPERATURES[:-1] + [158.0])
        self.refuses("its temperatures are not those of", first, other)
        self.refuses("named twice", first, first)
        copy = self.path("copy.h5md")
        shutil.copyfile(first, copy)
        self.refuses("would be counted twice", first, copy)
        with h5py.File(shutil.copy(second, self.path("d.h5md")), "r+") as file:
            file["parameters/rill"].attrs["degrees_of_freedom"] = 11.0
        self.refuses("2 molecules with 11 degrees of freedom", first, self.path("d.h5md"))

    def test_the_start_is_left_out(self):
        path = self.ensemble(deck="[output]\nmeans_from = 50 ps\n")
        with h5py.File(path, "r+") as file:
            file["parameters/rill/sample_potential/values"][:100] += 30
        self.assertEqual(len(samples_of(path).energy), 5 * 2 * 500)
        self.assertIn("samples from 50 ps on", self.prints(path))
        self.assertIn("samples from 60 ps on", self.prints(path, "--from", "0.06 ns"))
        self.assertIn("samples from 70 ps on", self.prints(path, "--from", "70"))
        self.refuses("no samples from 400 ps on; the last one is at 299.5 ps", path, "--from", "400 ps")
        result = self.run_script(path, "--from", "soon")
        self.assertEqual(result.returncode, 2)
        self.assertIn("expected a time such as '50 ps', not 'soon'", result.stderr)

    def test_replicas_that_were_left_out(self):
        path = self.ensemble(exchange=False, left_out=[(1, 300), (7, 0)])
        text = self.prints(path, "-o", self.path("out.png"))
        self.assertIn("2 of 10 replicas failed and were left out", text)
        self.assertEqual(len(samples_of(path).energy), 10 * 600 - 300 - 600)

    def test_one_temperature(self):
        path = self.ensemble(temperatures=[120.0], ladders=6)
        text = self.prints(path, "-o", self.path("out.png"))
        self.assert_drawn("out.png")
        self.assertIn("6 replicas at 120 K", text)
        self.assertIn("a single temperature: means over all seeds, no curve", text)
        line = next(line for line in text.splitlines() if line.startswith("  <U> ")).split()
        self.assert_within(float(line[1]), float(line[3]), -50 + FREEDOM / 2 * R * 120)
        self.refuses("there is no curve to write", path, "--csv", self.path("curve.csv"))

    # --- parts ---

    def test_round_trips(self):
        walk = np.array([[0, 1, 2, 1, 0, 1, 2, 2, 0, 0], [2, 1, 0, 0, 1, 0, 1, 1, 1, 1],
                         [1, 2, 1, 2, 2, 2, 0, 0, 2, 2]]).T
        self.assertEqual(tools.round_trips(walk).tolist(), [2, 0, 0])
        ladder = samples_of(self.ensemble(rows=300)).ladders[0]
        ladder.time, ladder.walk = np.arange(10.0), walk
        self.assertEqual(tools.trips_of([ladder]), (2, 3 * 9 / 2))

    def test_even_acceptance(self):
        # Where ln T is what rejections are proportional to, the answer is the geometric series.
        temperatures = np.array([100.0, 105, 125, 150, 180, 200])
        even, acceptance = tools.even_temperatures(temperatures, 1 - np.diff(np.log(temperatures)))
        np.testing.assert_allclose(even, 100 * 2 ** (np.arange(6) / 5), rtol=2e-3)
        self.assertAlmostEqual(acceptance, 1 - np.log(2) / 5)
        # A pair that nobody passes makes its neighbours move closer.
        even, _ = tools.even_temperatures(np.array([100.0, 110, 120, 130]), [0.9, 0.0, 0.9])
        self.assertTrue(110 < even[1] < even[2] < 120, even)

    def test_acceptance(self):
        samples = samples_of(self.ensemble())
        generator, k = np.random.default_rng(3), 2
        low, high = (R * TEMPERATURES[i] * generator.gamma(FREEDOM / 2, size=400000) for i in (k, k + 1))
        delta = 1 / (R * TEMPERATURES[k]) - 1 / (R * TEMPERATURES[k + 1])
        exact = np.mean(np.exp(np.minimum(0, delta * (low - high))))
        self.assertAlmostEqual(tools.Pair(samples, k, [np.nan] * 4).expected, exact, delta=0.02)
        self.assertAlmostEqual(tools.common_area(low, low), 1)
        self.assertEqual(tools.common_area(low, low + 1000), 0)

    def test_the_peak(self):
        grid = np.linspace(10, 20, 41)
        place, height, inside = tools.maximum(grid, 7 - 2 * (grid - 14.1) ** 2)
        self.assertAlmostEqual(place, 14.1)
        self.assertAlmostEqual(height, 7)
        self.assertTrue(inside)
        self.assertFalse(tools.maximum(grid, grid)[2])

        def curve(place, height=5.0):
            return height * np.exp(-(grid - place) ** 2) + (grid - 10)  # a peak, and a higher end

        rows = np.array([curve(14.0), curve(14.5), curve(15.0), curve(14.5)])
        peak, = tools.peaks_of(grid, rows[1], rows, 1.0)
        single = [tools.maximum(grid[10:28], row[10:28]) for row in rows]
        self.assertEqual(peak.place, (single[1][0], np.std([place for place, _, _ in single], ddof=1)))
        self.assertEqual(peak.height, (single[1][1], np.std([height for _, height, _ in single], ddof=1)))
        # A peak as high as its error, and one that half of the replicates do not have.
        rough = np.array([curve(14.5, height) for height in (2, 8, 2, 8)])
        self.assertEqual(tools.peaks_of(grid, rows[1], rough, 1.0), [])
        self.assertEqual(tools.peaks_of(grid, rows[1], np.array([rows[1], grid, grid, rows[1]]), 1.0), [])

    def test_r_hat(self):
        same = samples_of(self.ensemble())
        self.assertLess(max(tools.split_r_hat(same, k) for k in range(5)), 1.02)
        same.ladders[1].energy[:, 2] += 10
        self.assertGreater(tools.split_r_hat(same, 2), 1.3)

    def test_distances_are_within_a_replica(self):
        runs = tools.read_runs([self.ensemble()])
        edges, curves = tools.distances(runs, 0, [0, 4])
        self.assertEqual(sorted(curves), [0, 4])
        for rung, (density, error) in curves.items():
            expected = np.histogram([0.501 + 0.02 * rung - 0.1 * ladder for ladder in (0, 1)], edges, density=True)[0]
            np.testing.assert_allclose(density, expected)
            np.testing.assert_allclose(error, density)  # a distance is that of one of the two ladders only

    # --- what is refused ---

    def test_refusals(self):
        path = self.ensemble(rows=300)
        self.refuses("must end in .png, .pdf or .svg", path, "-o", self.path("out.jpg"))
        self.refuses("must end in .csv", path, "--csv", self.path("out.txt"))
        self.refuses("cannot be written", path, "--csv", self.path("none/out.csv"))
        self.refuses("cannot be written", path, "-o", self.path("none/out.png"))
        self.refuses("No such file", self.path("none.h5md"))
        os.mkdir(self.path("empty"))
        self.refuses("no trajectory (.h5md) in this folder", self.path("empty"))
        self.refuses("too few samples: ", self.ensemble("few.h5md", rows=5))
        self.refuses("of 3 correlation times (",
                     self.ensemble("slow.h5md", rows=400, ladders=1, correlation=20))

        def without_replicas(group):
            del group.attrs["replicas"]

        def without_rungs(group):
            del group["sample_rung"]

        def without_samples(group):
            del group["sample_rung/values"]
            group["sample_rung/values"] = np.empty((0, 10))

        def seven_replicas(group):
            group.attrs["replicas"] = 7

        def sixth_rung(group):
            group["sample_rung/values"][3, 3] = 5

        for change, expected in ((without_replicas, "not of an ensemble"),
                                 (without_rungs, "without the table /parameters/rill/sample_rung"),
                                 (without_samples, "no samples"),
                                 (seven_replicas, "7 replicas of 5 temperatures and"),
                                 (sixth_rung, "are not of 10 replicas on 5 rungs")):
            with self.subTest(expected):
                changed = shutil.copy(path, self.path(change.__name__ + ".h5md"))
                with h5py.File(changed, "r+") as file:
                    change(file["parameters/rill"])
                self.refuses(expected, changed)

    # --- a run of rill ---

    def test_a_run_of_rill(self):
        structure = os.path.join(os.environ["RILL_SOURCE"], "inputs/water7.gro")
        deck = "\n".join(["[system]", f"structure = {structure}", "[confine]", "radius = 0.6 nm",
                          "stiffness = 1000 kJ/mol/nm2", "[integrator]", "method = rattle", "step = 2 fs",
                          "time = 100 ps", "[start]", "remove = none", "[thermostat]", "method = baoab",
                          "friction = 2 /ps", "[ensemble]", "replicas = 8", "temperatures = 100 K -> 150 K, 4",
                          "exchange = neighbours",
                          "exchange_interval = 0.2 ps", "[output]", "trajectory = seven.h5md", "interval = 2 ps",
                          "series_interval = 0.2 ps", "means_from = 10 ps", ""])
        with open(self.path("seven.ini"), "w") as file:
            file.write(deck)
        run = subprocess.run([os.environ["RILL"], "run", self.path("seven.ini"), "-q", "-o", self.path("results")],
                             capture_output=True, text=True, timeout=100)
        self.assertEqual(run.returncode, 0, run.stderr)
        text = self.prints(self.path("results"), "-o", self.path("out.png"))
        self.assert_drawn("out.png")
        self.assertIn("7 water molecules, 42 degrees of freedom", text)
        # The same samples give the same averages as in the run.
        samples = samples_of(self.path("results"))
        table = rilldata.read_table(self.path("results/seven-ensemble.csv"), ["potential"])
        potential, _, capacity, _ = tools.direct(samples, resampled(samples))
        np.testing.assert_allclose(potential, table["potential"], rtol=1e-6)
        np.testing.assert_allclose(capacity, table["heat_capacity_configurational"], rtol=1e-6)
        self.assertEqual(table["samples"].sum(), len(samples.energy))
        np.testing.assert_allclose(samples.ladders[0].run.measured, table["acceptance"][:-1])
        expected = [tools.Pair(samples, k, table["acceptance"]).expected for k in range(3)]
        np.testing.assert_allclose(expected, table["acceptance"][:-1], atol=0.1)
        trips = int(text.split("round trips: ")[1].split(",")[0])
        self.assertEqual(trips, sum(tools.round_trips(ladder.walk).sum() for ladder in samples.ladders))


if __name__ == "__main__":
    unittest.main()
