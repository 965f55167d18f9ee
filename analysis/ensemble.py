#!/usr/bin/env python3
"""Combines the temperatures of an ensemble of replicas (a deck with [ensemble]) by the multistate Bennett acceptance
ratio: mean potential energy and heat capacity as functions of temperature, with errors.

Prints tables of the temperatures and of the exchanges between neighbouring ones, among them the test of Shirts (J.
Chem. Theory Comput. 9, 909 (2013)): the logarithm of the ratio of the distributions of the energy at two temperatures
is a straight line, with the slope 1/RT1 - 1/RT2.  A slope several errors off means wrong samples: too long a step, or
too short a run.  Several runs are pooled when their temperatures and systems are the same.  All errors are standard
errors.

Of replicas at a single temperature there is no curve: the mean over all seeds is printed."""
import argparse
import os

import ladders as tools
import rilldata as rill
from rilldata import np, plt


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="+", metavar="RUN",
                        help="the trajectory (.h5md) of an ensemble, or a folder that holds one")
    parser.add_argument("-o", "--output", metavar="PNG", help="a picture (.png, .pdf or .svg)")
    parser.add_argument("--csv", metavar="CSV", help="the curves, as a table")
    parser.add_argument("--from", dest="begin", metavar="TIME", type=time_of,
                        help="leave out samples before this time, for example '50 ps' (default: the deck's "
                        "output.means_from)")
    arguments = rill.parse(parser, "output", "csv")
    if arguments.output:
        rill.check_picture(arguments.output)
    if arguments.csv and not arguments.csv.endswith(".csv"):
        raise rill.DataError(f"{arguments.csv}: the table's name must end in .csv")

    runs = tools.read_runs(arguments.source)
    ladders = [ladder for run in runs for ladder in run.ladders(arguments.begin)]
    result = (Single if runs[0].rungs == 1 else Ensemble)(runs, ladders)
    if arguments.csv and runs[0].rungs == 1:
        raise rill.DataError(f"{runs[0].path}: a single temperature, so that there is no curve to write")
    if arguments.output:
        rill.style()
        rill.save(result.draw(), arguments.output)
    if arguments.csv:
        write_curve(arguments.csv, result)
    result.print()


def time_of(text):
    """'50 ps', '2ns' or a number of ps."""
    time = float(text) if rill.is_number(text) else rill.quantity(text, "time")
    if time is None or not 0 <= time < np.inf:
        raise argparse.ArgumentTypeError(f"expected a time such as '50 ps', not '{text}'")
    return time


class Results:
    """What follows from the samples of all ladders."""

    def __init__(self, runs, ladders):
        self.runs, self.ladders = runs, ladders
        self.samples = tools.Samples(ladders)
        self.temperatures, self.freedom = runs[0].temperatures, runs[0].freedom
        self.multiplicity = self.samples.resampled(np.random.default_rng(1))
        self.direct = tools.direct(self.samples, self.multiplicity)
        self.r_hat = np.array([tools.split_r_hat(self.samples, k) for k in range(len(self.temperatures))])

    def begin(self):
        return min(ladder.time[0] for ladder in self.ladders)

    def system(self):
        run = self.runs[0]
        return f"{count(run.molecules, 'water molecule')}, {run.freedom:g} degrees of freedom"

    def print_samples(self):
        samples = self.samples
        print(f"samples from {self.begin():g} ps on: {len(samples.energy)}, independent "
              f"{samples.independent.sum():.0f}; errors: bootstrap over {samples.blocks} blocks of "
              f"{samples.length:.3g} ps")

    def print_left_out(self):
        for run in self.runs:
            final = [int((ladder.walk[-1] < 0).sum()) for ladder in self.ladders if ladder.run is run]
            if sum(final):
                print(f"{run.path}: {sum(final)} of {run.replicas} replicas failed and were left out")

    def head(self, figure):
        figure.suptitle(f"{count(self.runs[0].molecules, 'water molecule')}: {self.title()}", x=0.012, ha="left",
                        fontsize=13, fontweight="bold")

    def caption(self):
        deck = {key: value for key, value in self.runs[0].deck.items() if key != "thermostat.temperature"}
        text = rill.describe(deck)
        return "bands and bars: one standard error" + (f"  ·  {text}" if text else "")


class Ensemble(Results):
    def __init__(self, runs, ladders):
        super().__init__(runs, ladders)
        self.curve = tools.curve_of(self.samples, self.multiplicity)
        measured = tools.measured_acceptance(runs)
        self.pairs = [tools.Pair(self.samples, k, measured) for k in range(len(self.temperatures) - 1)]
        self.trips = tools.trips_of(ladders)
        self.even = tools.even_temperatures(self.temperatures, [pair.acceptance() for pair in self.pairs])

    def title(self):
        t = self.temperatures
        return (f"{count(len(self.ladders), 'ladder')} of {len(t)} temperatures, {t[0]:g} K to {t[-1]:g} K"
                + (f", of {len(self.runs)} runs" if len(self.runs) > 1 else ""))

    def print(self):
        print(f"{self.title()}; {self.system()}")
        self.print_samples()
        self.print_left_out()
        self.print_rungs()
        self.print_pairs()
        self.print_peaks()
        self.print_exchanges()

    def print_rungs(self):
        print("\nU in kJ/mol; C: configurational heat capacity in R, total with "
              f"{self.freedom / 2:g} R more; each from the temperature alone, and from all (MBAR)")
        print(f"{'T / K':>9} {'<U>':>10} {'error':>7} {'MBAR':>10} {'error':>7} {'C':>8} {'error':>6} {'MBAR':>8} "
              f"{'error':>6} {'samples*':>9} {'R-hat':>6}")
        rungs, curve = slice(tools.GRID, None), self.curve
        rows = zip(self.temperatures, *self.direct[:2], curve.potential[rungs], curve.potential_error[rungs],
                   *self.direct[2:], curve.capacity[rungs], curve.capacity_error[rungs], self.samples.independent,
                   self.r_hat)
        for t, u, du, v, dv, c, dc, d, dd, n, r in rows:
            print(f"{t:9.4g} {u:10.3f} {du:7.2g} {v:10.3f} {dv:7.2g} {c:8.2f} {dc:6.2g} {d:8.2f} {dd:6.2g} {n:9.0f} "
                  f"{r:6.3f}")
        print("  * independent ones")
        if np.any(self.r_hat > 1.1):
            print("R-hat above 1.1: ladders, or their halves, differ by more than the errors say; run longer")

    def print_pairs(self):
        allowed = tools.allowed_deviation(len(self.pairs))
        print("\nneighbouring temperatures; slopes of ln(p2/p1) against U in mol/kJ, deviations in standard errors")
        print(f"{'T1 / K':>9} {'T2 / K':>9} {'acceptance':>11} {'measured':>9} {'overlap':>8} {'slope':>9} "
              f"{'error':>8} {'expected':>9} {'deviation':>10}")
        for k, pair in enumerate(self.pairs):
            measured = f"{pair.measured:9.3f}" if np.isfinite(pair.measured) else f"{'-':>9}"
            slope = (f"{pair.slope:9.5f} {pair.slope_error:8.2g} {pair.expected_slope:9.5f} {pair.deviation:10.2f}"
                     if np.isfinite(pair.slope) else f"{'-':>9} {'-':>8} {pair.expected_slope:9.5f} {'-':>10}")
            wrong = "  wrong" if abs(pair.deviation) > allowed else ""
            print(f"{self.temperatures[k]:9.4g} {self.temperatures[k + 1]:9.4g} {pair.expected:11.3f} {measured} "
                  f"{pair.area:8.3f} {slope}{wrong}")
        print("  acceptance: expected from the energies; measured: in the run's CSV; overlap: of histograms of U")
        found = [abs(pair.deviation) for pair in self.pairs if np.isfinite(pair.deviation)]
        if not self.curve.converged:
            print("  MBAR has not converged: too little overlap")
        if len(found) < len(self.pairs):
            print("  -: the energies do not overlap, and the curves of MBAR are wrong; take more temperatures")
        if found:
            verdict = ("as at right temperatures" if max(found) <= allowed else "these samples are not those of both "
                       "temperatures: too long a step, or too short a run")
            print(f"slopes: at most {max(found):.2f} standard errors off, {allowed:.2f} allowed (a right run has "
                  f"more with a probability of {100 * tools.CHANCE:g} %): {verdict}")

    def print_peaks(self):
        print()
        for peak in self.curve.peaks:
            height, error = peak.height
            print(f"peak of C: at {peak.place[0]:.4g} +- {peak.place[1]:.2g} K, {height:.2f} +- {error:.2g} R "
                  f"configurational, {height + self.freedom / 2:.2f} R in total")
        if not self.curve.peaks:
            print("peak of C: none inside the range that stands out of the errors")

    def print_exchanges(self):
        trips, time = self.trips
        print(f"round trips: {trips}" + (f", one in {time:.4g} ps of a replica" if trips else "")
              + "; as far as the samples show them")
        even, acceptance = self.even
        print(f"temperatures for an even acceptance of {acceptance:.2f}:\n  temperatures = "
              + ", ".join(f"{t:.5g} K" for t in even))

    # --- the picture ---

    def draw(self):
        figure = plt.figure(figsize=(11.0, 9.6), constrained_layout=True)
        grid = figure.add_gridspec(3, 6, height_ratios=[1.35, 1, 1])
        self.head(figure)
        self.draw_capacity(figure.add_subplot(grid[0, :4]))
        self.draw_potential(figure.add_subplot(grid[0, 4:]))
        self.draw_histograms(figure.add_subplot(grid[1, :3]))
        self.draw_acceptance(figure.add_subplot(grid[1, 3:]))
        self.draw_walks(figure.add_subplot(grid[2, :3]))
        draw_distances(figure.add_subplot(grid[2, 3:]), self, spread(len(self.temperatures), 4))
        figure.supxlabel(self.caption(), fontsize=8, color=rill.GREY)
        return figure

    def draw_capacity(self, axes):
        curve, grid = self.curve, slice(0, tools.GRID)
        band(axes, curve.temperatures[grid], curve.capacity[grid], curve.capacity_error[grid])
        points(axes, self.temperatures, *self.direct[2:])
        low = min((curve.capacity - 3 * curve.capacity_error).min(), np.nanmin(self.direct[2] - self.direct[3]))
        high = max((curve.capacity + 3 * curve.capacity_error).max(), np.nanmax(self.direct[2] + self.direct[3]))
        axes.set_ylim(low - 0.06 * (high - low), high + 0.12 * (high - low))
        axes.set(xlabel="temperature / K", ylabel="configurational C / R")
        axes.set_title("Heat capacity")
        for peak in curve.peaks:
            place, error = peak.place
            axes.axvspan(place - error, place + error, color=rill.FAINT, alpha=0.6, linewidth=0, zorder=0)
            axes.annotate(f"{place:.4g} ± {error:.2g} K", (place, axes.get_ylim()[1]), xytext=(0, -3),
                          textcoords="offset points", ha="center", va="top", fontsize=8, color=rill.INK)
        axes.legend(loc="best")
        half = self.freedom / 2
        other = axes.secondary_yaxis("right", functions=(lambda c: c + half, lambda c: c - half))
        other.set_ylabel("total C / R", color=rill.GREY)

    def draw_potential(self, axes):
        curve, grid = self.curve, slice(0, tools.GRID)
        band(axes, curve.temperatures[grid], curve.potential[grid], curve.potential_error[grid])
        points(axes, self.temperatures, *self.direct[:2])
        axes.set(xlabel="temperature / K", ylabel="⟨U⟩ / kJ mol$^{-1}$")
        axes.set_title("Mean potential energy")

    def draw_histograms(self, axes):
        rungs = len(self.temperatures)
        colours = ramp(rungs)
        maxima = draw_histograms(axes, [self.samples.at(k, False) for k in range(rungs)], colours)
        for k, side, shift in ((0, "center", 0), (rungs - 1, "left", 12)):
            axes.annotate(f"{self.temperatures[k]:.4g} K", maxima[k], xytext=(shift, 3), textcoords="offset points",
                          ha=side, fontsize=8, color=colours[k])
        axes.set_title("Energies at the temperatures")

    def draw_acceptance(self, axes):
        middle = (self.temperatures[1:] + self.temperatures[:-1]) / 2
        mark = "-" if len(middle) > 1 else ""
        axes.plot(middle, [pair.area for pair in self.pairs], "^" + mark, color=rill.GREEN, ms=4.5, lw=1,
                  label="overlap of histograms")
        axes.plot(middle, [pair.expected for pair in self.pairs], "o" + mark, color=rill.BLUE, ms=4.5,
                  label="acceptance expected")
        measured = np.array([pair.measured for pair in self.pairs])
        if np.isfinite(measured).any():
            axes.plot(middle, measured, "s", color=rill.VERMILION, ms=7, fillstyle="none", label="measured")
        axes.axhline(self.even[1], color=rill.GREY, lw=0.8, linestyle=(0, (4, 3)), label="if even")
        axes.set_xlim(self.temperatures[0], self.temperatures[-1])
        axes.set_ylim(0, 1)
        axes.set(xlabel="temperature, between the two / K", ylabel="probability")
        axes.set_title("Neighbouring temperatures")
        rill.legend_above(axes)

    def draw_walks(self, axes):
        """Three replicas of the first ladder, for some round trips, side by side where they meet; others faint."""
        ladder, last = self.ladders[0], len(self.temperatures) - 1
        shown = np.flatnonzero(ladder.time - ladder.time[0] <= (5 * self.trips[1] if self.trips[0] else np.inf))
        shown = shown[:: 1 + len(shown) // 240]
        chosen = spread(last + 1, 3)
        colours = ramp(last + 1)
        for r in [r for r in range(last + 1) if r not in chosen] + chosen:
            rung = np.where(ladder.walk[shown, r] >= 0, ladder.walk[shown, r], np.nan)
            own = {"color": rill.FAINT, "lw": 0.6, "zorder": 1}
            if r in chosen:
                own = {"color": colours[r], "lw": 1.4, "zorder": 3}
                rung = rung + 0.07 * (chosen.index(r) - (len(chosen) - 1) / 2)
            axes.plot(ladder.time[shown], rung, drawstyle="steps-post", **own)
        rungs = range(0, last + 1, 1 + last // 8)
        axes.set_yticks(rungs, [f"{self.temperatures[k]:.4g}" for k in rungs])
        axes.set_ylim(-0.3, last + 0.3)
        rill.limit_time(axes, ladder.time[shown])
        axes.set(xlabel="time / ps", ylabel="temperature / K")
        axes.set_title(f"Walks of {len(chosen)} replicas" + (", the others faint" if last >= len(chosen) else ""))


class Single(Results):
    """Replicas that differ in their seeds alone."""

    def __init__(self, runs, ladders):
        super().__init__(runs, ladders)
        energies = [tools.finite(ladder.energy[:, 0]) for ladder in ladders]
        self.means = np.array([energy.mean() if len(energy) else np.nan for energy in energies])
        self.mean, self.error, self.capacity, self.capacity_error = (part[0] for part in self.direct)
        seeds = np.isfinite(self.means).sum()
        self.scatter = np.nanstd(self.means, ddof=1) / np.sqrt(seeds) if seeds > 1 else np.nan

    def title(self):
        return (f"{count(len(self.ladders), 'replica')} at {self.temperatures[0]:g} K"
                + (f", of {len(self.runs)} runs" if len(self.runs) > 1 else ""))

    def print(self):
        print(f"{self.title()}; {self.system()}")
        self.print_samples()
        self.print_left_out()
        print("\na single temperature: means over all seeds, no curve")
        print(f"  <U>    {self.mean:.3f} +- {self.error:.2g} kJ/mol"
              + (f"; by the scatter of the seeds +- {self.scatter:.2g}" if np.isfinite(self.scatter) else ""))
        print(f"  C      {self.capacity:.2f} +- {self.capacity_error:.2g} R configurational, "
              f"{self.capacity + self.freedom / 2:.2f} R in total")
        print(f"  R-hat  {self.r_hat[0]:.3f}")

    def draw(self):
        figure, axes = plt.subplots(1, 3, figsize=(12.4, 4.2), constrained_layout=True)
        self.head(figure)
        axes[0].plot(np.arange(len(self.means)), self.means, "o", color=rill.BLUE, ms=5, label="each replica")
        axes[0].axhline(self.mean, color=rill.INK, lw=1, label=f"all: {rill.number(self.mean)} ± {self.error:.2g}")
        axes[0].axhspan(self.mean - self.error, self.mean + self.error, color=rill.FAINT, alpha=0.7, lw=0, zorder=0)
        axes[0].xaxis.get_major_locator().set_params(integer=True)
        axes[0].set(xlabel="replica", ylabel="⟨U⟩ / kJ mol$^{-1}$")
        axes[0].set_title("Mean potential energy")
        rill.legend_above(axes[0])
        draw_histograms(axes[1], [self.samples.at(0, False)], [rill.BLUE])
        axes[1].set_title("Energies")
        draw_distances(axes[2], self, [0])
        figure.supxlabel(self.caption(), fontsize=8, color=rill.GREY)
        return figure


def count(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def spread(size, most):
    """Up to `most` of the numbers below `size`, evenly, with both ends."""
    return sorted({int(k) for k in np.round(np.linspace(0, size - 1, min(size, most)))})


def ramp(rungs):
    """A colour for each rung, from cold to hot."""
    ends = [rill.BLUE, rill.PURPLE, rill.VERMILION, rill.ORANGE]
    colours = plt.matplotlib.colors.LinearSegmentedColormap.from_list("rungs", ends)
    return [colours(k / max(1, rungs - 1)) for k in range(rungs)]


def band(axes, x, y, error):
    axes.fill_between(x, y - error, y + error, color=rill.BLUE, alpha=0.25, linewidth=0, zorder=2)
    axes.plot(x, y, color=rill.BLUE, label="from all temperatures (MBAR)", zorder=3)
    axes.set_xlim(x[0] - 0.02 * (x[-1] - x[0]), x[-1] + 0.02 * (x[-1] - x[0]))


def points(axes, x, y, error):
    axes.errorbar(x, y, np.where(np.isfinite(error), error, 0), fmt="o", color=rill.VERMILION, ms=4, lw=1,
                  capsize=2.5, label="from each alone", zorder=4)


def draw_histograms(axes, energies, colours):
    """Each in bins for its own width, normalised, or scaled to the same height where heights would differ much;
    returns the maxima, [(U, height)]."""
    maxima, scaled = [], max(map(np.std, energies)) > 4 * min(map(np.std, energies))
    for energy, colour in zip(energies, colours):
        width = max(3.5 * energy.std() / len(energy) ** (1 / 3), energy.std() / 6)
        edges = np.arange(energy.min() - width, energy.max() + 2 * width, width)
        density = np.histogram(energy, edges, density=True)[0]
        density = density / density.max() if scaled else density
        axes.stairs(density, edges, fill=True, color=colour, alpha=0.5 / (3 + len(energies)), linewidth=0, zorder=2)
        axes.stairs(density, edges, baseline=None, color=colour, linewidth=1, zorder=3)
        highest = int(density.argmax())
        maxima.append(((edges[highest] + edges[highest + 1]) / 2, density[highest]))
    shown = np.percentile(np.concatenate(energies), [0.05, 99.95])
    axes.set_xlim(shown[0] - 0.03 * np.ptp(shown), shown[1] + 0.03 * np.ptp(shown))
    axes.set_ylim(0, 1.15 * max(density for _, density in maxima))
    axes.set(xlabel="U / kJ mol$^{-1}$", ylabel="density, scaled" if scaled else "density / mol kJ$^{-1}$")
    return maxima


def draw_distances(axes, result, rungs):
    axes.set_title("O–O distances")
    found = tools.distances(result.runs, result.begin(), rungs)
    if found is None or not found[1]:
        axes.text(0.5, 0.5, "in a box: see rill rdf" if found is None else "no frames, or no pairs", ha="center",
                  va="center", color=rill.GREY, transform=axes.transAxes)
        axes.set_axis_off()
        return
    edges, curves = found
    colours = ramp(len(result.temperatures))
    middle = (edges[1:] + edges[:-1]) / 2
    for rung, (density, error) in curves.items():
        axes.plot(middle, density, color=colours[rung], lw=1.1, label=f"{result.temperatures[rung]:.4g} K", zorder=3)
        axes.fill_between(middle, density - error, density + error, color=colours[rung], alpha=0.25, lw=0, zorder=2)
    occupied = np.flatnonzero(np.max([density for density, _ in curves.values()], axis=0) > 0.005)
    axes.set_xlim(edges[occupied[0]] - 0.02, edges[occupied[-1]] + 0.02)
    axes.set_ylim(0, None)
    axes.set(xlabel="r / nm", ylabel="P(r) / nm$^{-1}$")
    axes.legend(loc="upper right")


def write_curve(path, result):
    curve, grid = result.curve, slice(0, tools.GRID)
    table = np.column_stack([curve.temperatures, curve.potential, curve.potential_error, curve.capacity,
                             curve.capacity + result.freedom / 2, curve.capacity_error])[grid]
    lines = ["# by MBAR from " + ", ".join(os.path.basename(run.path) for run in result.runs),
             f"# {result.title()}; {result.system()}; samples from {result.begin():g} ps on",
             "# heat capacities of the whole system; errors are standard errors",
             "temperature_K,potential_kJ_mol,potential_error_kJ_mol,heat_capacity_configurational_R,"
             "heat_capacity_total_R,heat_capacity_error_R"]
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines + [",".join(f"{value:.10g}" for value in row) for row in table]) + "\n")
    except OSError as error:
        raise rill.DataError(f"{path}: cannot be written: {error.strerror}") from None


if __name__ == "__main__":
    rill.run(main)
