"""Samples of ensembles (replicas on ladders of temperatures), and what follows from them by the multistate Bennett
acceptance ratio (MBAR; Shirts and Chodera, J. Chem. Phys. 129, 124105 (2008)).

Energies are in kJ/mol, temperatures in K, times in ps.  A ladder has one replica at each of its temperatures, the
rungs; rungs and ladders count from 0."""
import contextlib
import glob
import io
import os
import warnings

import rilldata as rill
from rilldata import np

GAS_CONSTANT = 8.31446261815324e-3  # kJ/mol/K
GRID = 241                          # temperatures of a curve
REPLICATES = 200                    # of the bootstrap
MOST_BINS = 4000                    # of the energies of a bootstrap
BLOCKS = 20                         # at most, of the longest ladder
CORRELATION_TIMES = 3               # at least, in a block
LEAST_BLOCKS, LEAST_SAMPLES = 6, 10
PROMINENCE = 3                      # errors that a peak must stand out
CHANCE = 0.01                       # with which a right run has a slope that is called wrong


def pymbar():
    """The module, or one line that says how to get it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pymbar as module
    except ImportError:
        raise rill.DataError("this Python has no module 'pymbar'; on Debian: apt-get install python3-pymbar, then "
                             "run /usr/bin/python3") from None
    return module


# --- reading ---

class Run:
    """One trajectory of an ensemble: its temperatures [K], its deck, and if known the acceptances that it measured
    [K - 1], otherwise None."""

    def __init__(self, path):
        self.trajectory = rill.Trajectory(find(path))
        self.path = self.trajectory.path
        parameters = self.trajectory.file.get("parameters/rill")
        if parameters is None or "replicas" not in parameters.attrs:
            raise rill.DataError(f"{self.path}: a single trajectory, not of an ensemble; expected that of a deck "
                                 "with [ensemble]")
        self.replicas = int(parameters.attrs["replicas"])
        self.freedom = float(parameters.attrs["degrees_of_freedom"])
        self.deck = rill.parse_deck(text_of(parameters["deck"][()]).splitlines()) if "deck" in parameters else {}
        self.temperatures = self.table("ladder")[:, 0]
        self.rungs = len(self.temperatures)
        if self.rungs == 0 or self.replicas % self.rungs or self.trajectory.atoms % (3 * self.replicas):
            raise rill.DataError(f"{self.path}: {self.replicas} replicas of {self.rungs} temperatures and "
                                 f"{self.trajectory.atoms} atoms do not go together")
        self.molecules = self.trajectory.atoms // (3 * self.replicas)
        self.measured = self.read_measured()

    def table(self, name):
        try:
            return np.asarray(self.trajectory.file[f"parameters/rill/{name}/values"], float)
        except (KeyError, OSError):
            raise rill.DataError(f"{self.path}: an ensemble without the table /parameters/rill/{name}") from None

    def has_samples_of(self, other):
        """Whether both have the same energies at their second sample: the first may be a common start."""
        mine, its = self.table("sample_potential"), other.table("sample_potential")
        return min(len(mine), len(its)) > 1 and np.array_equal(mine[1], its[1])

    def read_measured(self):
        """Mean probabilities of the exchanges that were tried, from the CSV beside the trajectory."""
        stem = os.path.splitext(self.path)[0] + "-ensemble.csv"
        others = glob.glob(os.path.join(glob.escape(os.path.dirname(self.path) or "."), "*-ensemble.csv"))
        path = stem if os.path.exists(stem) else others[0] if len(others) == 1 else None
        if path is None:
            return None
        table = rill.read_table(path, ["temperature", "acceptance"])
        if len(table) != self.rungs or not np.allclose(table["temperature"], self.temperatures, rtol=1e-6):
            return None
        return table["acceptance"][:-1]

    def ladders(self, begin=None):
        """The samples of each ladder from `begin` on, by default from the deck's output.means_from."""
        time, rung, potential = (self.table(f"sample_{name}") for name in ("time", "rung", "potential"))
        rows = min(map(len, (time, rung, potential)))  # of a killed run, a table may be a row ahead
        if rows == 0:
            raise rill.DataError(f"{self.path}: no samples; the run has not got to its first series_interval")
        time, rung, potential = time[:rows, 1], rung[:rows].astype(int), potential[:rows]
        if any(part.shape[1] != self.replicas or part.max() >= limit
               for part, limit in ((rung, self.rungs), (potential, np.inf))):
            raise rill.DataError(f"{self.path}: the tables of samples are not of {self.replicas} replicas on "
                                 f"{self.rungs} rungs")
        begin = rill.means_from(self.deck, time) if begin is None else begin
        kept = time >= begin - 1e-9 * abs(begin)
        if not kept.any():
            raise rill.DataError(f"{self.path}: no samples from {begin:g} ps on; the last one is at {time[-1]:g} ps")
        for first in range(0, self.replicas, self.rungs):
            mine = slice(first, first + self.rungs)
            yield Ladder(self, time[kept], rung[kept, mine], potential[kept, mine])


class Ladder:
    """time [n]; walk [n, K]: the rung of each replica, -1 when left out; energy [n, K]: of the replica at each rung,
    nan when there is none."""

    def __init__(self, run, time, walk, potential):
        self.run, self.time, self.walk = run, time, walk
        self.energy = np.full(potential.shape, np.nan)
        row, replica = np.nonzero((walk >= 0) & np.isfinite(potential))
        self.energy[row, walk[row, replica]] = potential[row, replica]

    def interval(self):
        return (self.time[-1] - self.time[0]) / (len(self.time) - 1) if len(self.time) > 1 else 0.0


def text_of(value):
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def find(path):
    """The trajectory to read for `path`: itself, or the only one in a folder."""
    if not os.path.isdir(path):
        return path
    return rill.only(rill.folder(path, ".h5md"), path, "trajectory (.h5md)")


def read_runs(paths):
    """Runs that may be pooled: of the same temperatures and the same system."""
    runs = [Run(path) for path in paths]
    if len({os.path.realpath(run.path) for run in runs}) < len(runs):
        raise rill.DataError(f"{runs[0].path}: a run is named twice, and would be counted twice")
    for k, run in enumerate(runs):
        for other in runs[:k]:
            if run.has_samples_of(other):
                raise rill.DataError(f"{run.path}: its samples are those of {other.path}, which would be counted twice; "
                                     "runs that are pooled need seeds of their own ([thermostat] seed)")
    for run in runs[1:]:
        if run.rungs != runs[0].rungs or not np.allclose(run.temperatures, runs[0].temperatures, rtol=1e-9):
            raise rill.DataError(f"{run.path}: its temperatures are not those of {runs[0].path}; only runs of the "
                                 "same ladder are pooled")
        if run.molecules != runs[0].molecules or run.freedom != runs[0].freedom:
            raise rill.DataError(f"{run.path}: {run.molecules} molecules with {run.freedom:g} degrees of freedom, "
                                 f"and {runs[0].path} has {runs[0].molecules} with {runs[0].freedom:g}")
    return runs


# --- samples ---

def inefficiency(series):
    """Samples of a series that count as one independent sample, 1 or more."""
    if len(series) < LEAST_SAMPLES or np.ptp(series) == 0:
        return float(max(1, len(series)))
    return float(pymbar().timeseries.statisticalInefficiency(series - series.mean(), fast=True))


class Samples:
    """What the ladders hold, in blocks of time whose samples are resampled together: of all replicas of a ladder.

    energy, rung, block: arrays over all samples; thinned: which of them are independent of those before.
    independent [K]: effective number of samples; correlation: the longest time of a rung, ps."""

    def __init__(self, ladders):
        self.ladders, self.temperatures = ladders, ladders[0].run.temperatures
        self.rungs, self.beta = len(self.temperatures), 1 / (GAS_CONSTANT * self.temperatures)
        g = np.ones((len(ladders), self.rungs))
        for l, ladder in enumerate(ladders):
            for k in range(self.rungs):
                g[l, k] = inefficiency(finite(ladder.energy[:, k]))
        interval = np.array([ladder.interval() for ladder in ladders])
        self.correlation = float(np.max(np.mean(g * interval[:, None], axis=0)))
        spans = np.array([len(ladder.time) for ladder in ladders]) * interval
        self.length = max(CORRELATION_TIMES * self.correlation, spans.max() / BLOCKS)
        self.collect(g, spans)
        self.independent = np.sum([[np.isfinite(ladder.energy[:, k]).sum() / g[l, k] for k in range(self.rungs)]
                                   for l, ladder in enumerate(ladders)], axis=0)
        self.check()

    def collect(self, g, spans):
        parts, self.blocks = [], 0
        for l, ladder in enumerate(self.ladders):
            count = max(1, int(spans[l] / self.length + 1e-9)) if self.length > 0 else 1
            block = self.blocks + np.arange(len(ladder.time)) * count // len(ladder.time)
            self.blocks += count
            for k in range(self.rungs):
                there = np.flatnonzero(np.isfinite(ladder.energy[:, k]))
                thinned = np.zeros(len(there), bool)
                thinned[np.floor(np.arange(0, len(there), g[l, k])).astype(int)] = True
                parts.append((ladder.energy[there, k], np.full(len(there), k), block[there], thinned))
        self.energy, self.rung, self.block, self.thinned = map(np.concatenate, zip(*parts))

    def check(self):
        there = self.energy[self.thinned]
        counts = np.bincount(self.rung[self.thinned], minlength=self.rungs)
        if counts.min() < LEAST_SAMPLES or np.ptp(there) == 0:
            k = int(counts.argmin())
            raise rill.DataError(f"{self.ladders[0].run.path}: too few samples: {counts[k]} independent ones at "
                                 f"{self.temperatures[k]:g} K, expected {LEAST_SAMPLES} or more; run longer, or "
                                 "sample more often")
        if self.blocks < LEAST_BLOCKS:
            raise rill.DataError(f"{self.ladders[0].run.path}: too few samples: {self.blocks} "
                                 f"block{'s' * (self.blocks > 1)} of {CORRELATION_TIMES} correlation times "
                                 f"({self.correlation:.3g} ps each), expected {LEAST_BLOCKS} or more for an error; "
                                 "run longer, or with more replicas")

    def at(self, rung, thinned=True):
        return self.energy[(self.rung == rung) & (self.thinned | (not thinned))]

    def resampled(self, generator):
        """How often each block is in each replicate [REPLICATES, blocks]."""
        return generator.multinomial(self.blocks, np.full(self.blocks, 1 / self.blocks), REPLICATES)


def finite(values):
    return values[np.isfinite(values)]


def deviation(replicates):
    """Standard deviation over the replicates."""
    return np.nanstd(replicates, axis=0, ddof=1)


def split_r_hat(samples, rung):
    """Root of the variance of all over that within the halves of ladders; near 1 where these sample the same."""
    halves = []
    for ladder in samples.ladders:
        series = finite(ladder.energy[:, rung])
        half = len(series) // 2
        halves += [series[:half], series[half:2 * half]] if half > 1 else []
    if len(halves) < 2:
        return np.nan
    within = np.mean([half.var(ddof=1) for half in halves])
    n = min(map(len, halves))
    return np.sqrt((n - 1) / n + np.var([half.mean() for half in halves], ddof=1) / within)


def direct(samples, multiplicity):
    """Means of each rung from its own samples: potential, its error, C / R (configurational), its error; each [K]."""
    k_t = 1 / samples.beta
    place = samples.block * samples.rungs + samples.rung
    reference = np.array([samples.at(k, False).mean() for k in range(samples.rungs)])
    u = samples.energy - reference[samples.rung]
    sums = [np.bincount(place, weights, samples.blocks * samples.rungs).reshape(-1, samples.rungs)
            for weights in (np.ones(len(u)), u, u * u)]

    def moments(weights):
        n, first, second = (weights @ part for part in sums)
        with np.errstate(invalid="ignore", divide="ignore"):
            return reference + first / n, (second / n - (first / n) ** 2) / k_t ** 2

    potential, capacity = moments(np.ones(samples.blocks))
    spread = moments(multiplicity)
    correction = np.sqrt(samples.blocks / (samples.blocks - 1))
    return potential, correction * deviation(spread[0]), capacity, correction * deviation(spread[1])


# --- MBAR ---

class Curve:
    """potential and capacity (configurational, in R) at each temperature, with errors; peaks: of the capacity."""

    def __init__(self, temperatures):
        self.temperatures = temperatures


def first_guess(samples):
    """Free energies over kT from the integral of <U> over beta."""
    mean = np.array([samples.at(k).mean() for k in range(samples.rungs)])
    step = np.diff(samples.beta)
    return np.concatenate([[0], np.cumsum(step * (mean[1:] + mean[:-1]) / 2)])


def free_energies(samples, reference):
    """Those of the rungs, over kT, by pymbar; and whether it converged, which it says on standard output."""
    order = np.argsort(samples.rung[samples.thinned], kind="stable")
    energy = samples.energy[samples.thinned][order] - reference
    counts = np.bincount(samples.rung[samples.thinned], minlength=samples.rungs)
    guess = first_guess(samples) - (samples.beta - samples.beta[0]) * reference
    said = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(said):
        warnings.simplefilter("ignore")
        solved = pymbar().MBAR(np.outer(samples.beta, energy), counts, initial_f_k=guess, maximum_iterations=200,
                               solver_tolerance=1e-10)
    return np.array(solved.f_k, float), "not converge" not in said.getvalue()


def mixture(free, beta, counts, energy):
    """Logarithm, at each energy, of the density of all samples over that of states."""
    exponents = np.log(np.maximum(counts, 1e-300))[:, None] + free[:, None] - np.outer(beta, energy)
    top = exponents.max(0)
    return top + np.log(np.exp(exponents - top).sum(0))


def moments(beta, energy, log_weight):
    """Mean and variance of the energy at each of beta; log_weight: logarithms of the samples' weights at beta = 0."""
    result = np.empty((2, len(beta)))
    for i, b in enumerate(beta):
        exponent = log_weight - b * energy
        weight = np.exp(exponent - exponent.max())
        weight /= weight.sum()
        mean = weight @ energy
        result[:, i] = mean, weight @ (energy - mean) ** 2
    return result


class Binned:
    """The samples in narrow bins of the energy, with which MBAR is repeated many times.

    A bin is so narrow that curves from the bins differ from those from the samples by much less than their errors."""

    def __init__(self, samples, free, reference):
        energy = samples.energy[samples.thinned] - reference
        rung, self.block = samples.rung[samples.thinned], samples.block[samples.thinned]
        low, width = energy.min(), np.ptp(energy) / MOST_BINS
        number = np.minimum((energy - low) // width, MOST_BINS - 1).astype(int)
        _, self.number = np.unique(number, return_inverse=True)
        self.bins = self.number.max() + 1
        self.energy = np.bincount(self.number, energy) / np.bincount(self.number)
        self.counts = np.bincount(self.block * samples.rungs + rung, minlength=samples.blocks * samples.rungs)
        self.counts = self.counts.reshape(-1, samples.rungs)
        exponents = free[:, None] - np.outer(samples.beta, self.energy)
        self.shift = exponents.max(0)
        self.relative = np.exp(exponents - self.shift)  # [K, bins], 1 where largest

    def solve(self, multiplicity):
        """The number of samples in each bin over their density [bins], when each block counts so often."""
        inside = np.bincount(self.number, multiplicity[self.block], self.bins)
        counts = multiplicity @ self.counts
        change = np.zeros(len(counts))
        for iteration in range(50):
            part = (counts * np.exp(change))[:, None] * self.relative
            density = part.sum(0)
            part /= density
            expected = part @ inside
            gradient = expected - counts
            if np.abs(gradient).max() < 1e-8 * counts.sum():
                break
            hessian = np.diag(expected) - (part * inside) @ part.T
            step = np.linalg.lstsq(hessian, gradient, rcond=1e-12)[0]
            if iteration == 0 or np.abs(step).max() > 2:  # far away, Newton's steps may lead nowhere
                step = np.log(np.maximum(expected, 1e-300) / np.maximum(counts, 1e-300))
            change -= step - step[0]
        return inside / density

    def moments(self, beta, weights):
        """Means and variances of the energy [replicates, len(beta)]; weights [replicates, bins]."""
        exponents = -np.outer(beta, self.energy) - self.shift
        relative = np.exp(exponents - exponents.max(1)[:, None])
        total = weights @ relative.T
        mean = weights @ (relative * self.energy).T / total
        return mean, weights @ (relative * self.energy ** 2).T / total - mean ** 2


def curve_of(samples, multiplicity, grid=None):
    """The curve by MBAR, on `grid` (by default GRID temperatures over the ladder's range) and then at the rungs."""
    if grid is None:
        grid = np.linspace(samples.temperatures[0], samples.temperatures[-1], GRID)
    curve = Curve(np.concatenate([grid, samples.temperatures]))
    beta = 1 / (GAS_CONSTANT * curve.temperatures)
    reference = samples.energy[samples.thinned].mean()
    free, curve.converged = free_energies(samples, reference)
    energy = samples.energy[samples.thinned] - reference
    counts = np.bincount(samples.rung[samples.thinned], minlength=samples.rungs)
    mean, variance = moments(beta, energy, -mixture(free, samples.beta, counts, energy))
    curve.potential, curve.capacity = reference + mean, variance * beta ** 2

    binned = Binned(samples, free, reference)
    mean, variance = binned.moments(beta, np.array([binned.solve(row) for row in multiplicity]))
    capacity = variance * beta ** 2
    correction = np.sqrt(samples.blocks / (samples.blocks - 1))
    curve.potential_error, curve.capacity_error = correction * deviation(mean), correction * deviation(capacity)
    curve.peaks = peaks_of(grid, curve.capacity[:len(grid)], capacity[:, :len(grid)], correction)
    return curve


def maximum(grid, values):
    """Place and height of the maximum, by the parabola through the three highest points; inside: not at an end."""
    k = int(values.argmax())
    if k in (0, len(values) - 1):
        return grid[k], values[k], False
    curvature = values[k - 1] - 2 * values[k] + values[k + 1]
    shift = (values[k - 1] - values[k + 1]) / (2 * curvature) if curvature < 0 else 0.0
    return grid[k] + shift * (grid[k + 1] - grid[k]), values[k] - (values[k - 1] - values[k + 1]) * shift / 4, True


class Peak:
    """place and height of a maximum inside the range, each with its error."""

    def __init__(self, place, height, places, heights, correction):
        self.place = place, correction * np.std(places, ddof=1)
        self.height = height, correction * np.std(heights, ddof=1)


def peaks_of(grid, capacity, replicates, correction):
    """The maxima that stand out of the valleys beside them by PROMINENCE errors of that difference, from low to high
    temperatures; a maximum must also be inside, between the same valleys, in nearly all replicates."""
    peaks = []
    for k in range(1, len(grid) - 1):
        if not capacity[k - 1] < capacity[k] >= capacity[k + 1]:
            continue
        low, high = valleys(capacity, k)
        place, height, _ = maximum(grid[low:high + 1], capacity[low:high + 1])
        found = [maximum(grid[low:high + 1], row[low:high + 1]) for row in replicates]
        places, heights, inside = map(np.array, zip(*found))
        spread = np.std(heights - np.maximum(replicates[:, low], replicates[:, high]), ddof=1)
        if inside.mean() >= 0.95 and height - max(capacity[low], capacity[high]) > PROMINENCE * correction * spread:
            peaks.append(Peak(place, height, places, heights, correction))
    return peaks


def valleys(values, k):
    """The lowest places on either side of a maximum, before something higher comes."""
    left, right = np.flatnonzero(values[:k] > values[k]), np.flatnonzero(values[k + 1:] > values[k])
    first = left[-1] if len(left) else 0
    last = k + 1 + (right[0] if len(right) else len(values) - k - 2)
    return first + int(values[first:k].argmin()), k + 1 + int(values[k + 1:last + 1].argmin())


# --- neighbouring temperatures ---

def overlap(low, high, delta):
    """Expected acceptance of an exchange between samples at neighbouring temperatures; delta: difference of beta."""
    low, high = thin_to(low, 1500), thin_to(high, 1500)
    return float(np.mean(np.exp(np.minimum(0, delta * (low[:, None] - high)))))


def thin_to(values, most):
    return values if len(values) <= most else values[np.linspace(0, len(values) - 1, most).astype(int)]


def common_area(low, high):
    """Of the normalised histograms."""
    edges = np.linspace(min(low.min(), high.min()), max(low.max(), high.max()), 61)
    return float(sum(np.minimum(*(np.histogram(u, edges)[0] / len(u) for u in (low, high)))))


def slope(samples, rung):
    """d ln(p_high / p_low) / dU of a rung and the next one, by maximum likelihood (Shirts, J. Chem. Theory Comput. 9,
    909 (2013)), and its error: the larger of that for independent samples and that from the scatter of the blocks."""
    mine = samples.thinned & ((samples.rung == rung) | (samples.rung == rung + 1))
    energy, high = samples.energy[mine], samples.rung[mine] == rung + 1
    middle, scale = energy.mean(), energy.std()
    design = np.column_stack([np.ones(len(energy)), (energy - middle) / scale])
    parameters = np.array([np.log(high.sum() / (~high).sum()), 0.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(design @ parameters, -500, 500)))
        information = (design * (p * (1 - p))[:, None]).T @ design
        try:
            step = np.linalg.solve(information, design.T @ (high - p))
        except np.linalg.LinAlgError:
            return np.nan, np.nan
        parameters += np.clip(step, -3, 3)
        if np.abs(step).max() < 1e-9:
            break
    else:
        return np.nan, np.nan  # energies that do not overlap
    inverse = np.linalg.inv(information)
    scores = np.array([np.bincount(samples.block[mine], column * (high - p), samples.blocks) for column in design.T])
    robust = inverse @ (scores @ scores.T) @ inverse * samples.blocks / (samples.blocks - 1)
    return parameters[1] / scale, np.sqrt(max(inverse[1, 1], robust[1, 1])) / scale


def allowed_deviation(pairs):
    """Standard errors that the largest of `pairs` deviations exceeds with a probability of CHANCE."""
    from statistics import NormalDist
    return NormalDist().inv_cdf(1 - CHANCE / (2 * pairs))


class Pair:
    """A rung and the next one: acceptance expected from their energies and, where known, measured in the runs."""

    def __init__(self, samples, rung, measured):
        low, high = samples.at(rung), samples.at(rung + 1)
        self.expected_slope = samples.beta[rung] - samples.beta[rung + 1]
        self.expected, self.area = overlap(low, high, self.expected_slope), common_area(low, high)
        self.measured = measured[rung]
        self.slope, self.slope_error = slope(samples, rung)
        self.deviation = (self.slope - self.expected_slope) / self.slope_error

    def acceptance(self):
        return self.measured if np.isfinite(self.measured) else self.expected


def measured_acceptance(runs):
    """Mean over the runs that know it [K - 1]; nan otherwise."""
    known = [run.measured for run in runs if run.measured is not None and np.isfinite(run.measured).all()]
    return np.mean(known, axis=0) if known else np.full(runs[0].rungs - 1, np.nan)


def even_temperatures(temperatures, acceptance):
    """As many temperatures over the same range, for the same acceptance of all pairs, and that acceptance.

    The rejections, summed from the lowest temperature up, are a function of temperature that hardly depends on the
    ladder (Syed et al., J. R. Stat. Soc. B 84, 321 (2022)); it is interpolated monotonically and divided evenly."""
    from scipy.interpolate import PchipInterpolator
    summed = np.concatenate([[0], np.cumsum(np.maximum(1 - np.asarray(acceptance), 1e-6))])
    even = PchipInterpolator(summed, temperatures)(np.linspace(0, summed[-1], len(temperatures)))
    even[0], even[-1] = temperatures[0], temperatures[-1]
    return even, 1 - summed[-1] / (len(temperatures) - 1)


def round_trips(walk):
    """How often each replica of a ladder went from the lowest rung to the highest and back; walk: [n, replicas]."""
    trips = np.zeros(walk.shape[1], int)
    for r, rungs in enumerate(walk.T):
        ends = rungs[(rungs == 0) | (rungs == walk.shape[1] - 1)]
        ends = ends[np.argmax(ends == 0):] if (ends == 0).any() else ends[:0]
        trips[r] = np.count_nonzero((ends[1:] == 0) & (ends[:-1] > 0))
    return trips


def trips_of(ladders):
    """Round trips of all replicas, and the time of a replica for one, ps (nan without any)."""
    count = sum(int(round_trips(ladder.walk).sum()) for ladder in ladders)
    time = sum((ladder.time[-1] - ladder.time[0]) * ladder.walk.shape[1] for ladder in ladders)
    return count, time / count if count else np.nan


# --- distances ---

def distances(runs, begin, rungs, width=0.006, most=3e7):
    """Densities of O-O distances at some rungs, averaged over ladders: (edges, {rung: (density, error)}); None in a
    box.

    Pairs are of the same replica.  Of long runs a part of the frames is read, evenly spread."""
    histograms = {rung: [] for rung in rungs}
    for run in runs:
        trajectory = run.trajectory
        if trajectory.box(0) is not None:
            return None
        held = run.table("rung").astype(int)
        frames = np.flatnonzero(trajectory.time[:min(trajectory.frames, len(held))] >= begin - 1e-9 * abs(begin))
        cost = len(rungs) * run.replicas / run.rungs * run.molecules ** 2 + 9 * run.replicas * run.molecules
        frames = thin_to(frames, max(1, int(min(2000, most / len(runs) / cost))))
        add_distances(run, frames, held, width, histograms)
    longest = max((len(h) for rung in rungs for h in histograms[rung]), default=0)
    curves = {}
    for rung in rungs:
        dense = np.array([np.pad(h, (0, longest - len(h))) / (h.sum() * width) for h in histograms[rung] if h.sum()])
        if len(dense):
            error = dense.std(0, ddof=1) / np.sqrt(len(dense)) if len(dense) > 1 else 0 * dense[0]
            curves[rung] = dense.mean(0), error
    return np.arange(longest + 1) * width, curves


def add_distances(run, frames, held, width, histograms):
    first, second = np.triu_indices(run.molecules, 1)
    if len(first) == 0:
        return
    found = {rung: [[] for _ in range(run.replicas // run.rungs)] for rung in histograms}
    for frame in frames:
        oxygen = run.trajectory.positions(int(frame)).reshape(run.replicas, run.molecules, 3, 3)[:, :, 0]
        for replica in np.flatnonzero(np.isin(held[frame], list(histograms))):
            apart = np.linalg.norm(oxygen[replica, first] - oxygen[replica, second], axis=1)
            found[held[frame, replica]][replica // run.rungs].append(apart)
    for rung, ladders in found.items():
        histograms[rung] += [np.bincount((np.concatenate(parts) / width).astype(int)).astype(float)
                             for parts in ladders if parts]
