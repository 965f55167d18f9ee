"""What the drawing scripts share: reading rill's files, the look of the pictures, one clear line when something is wrong.

Files read: CSV (comment lines with '#', a header of names, then numbers) and H5MD trajectories.  Nothing here writes
to them.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
# A trajectory that is still being written may be looked at.
os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")
try:
    import h5py
    import matplotlib
    import numpy as np
except ImportError as missing:
    sys.exit(f"{os.path.basename(sys.argv[0])}: this Python ({sys.executable}) has no module '{missing.name}'; "
             "on Debian: apt-get install python3-numpy python3-h5py python3-matplotlib, then run /usr/bin/python3")
matplotlib.use("Agg")
import matplotlib.pyplot as plt

# Okabe and Ito's colours, which keep apart for colour-blind eyes; the darker ones first, since lines are thin.
BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY = "#0072B2", "#D55E00", "#009E73", "#AA4499", "#E69F00", "#56B4E9"
COLOURS = [BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY]
INK, GREY, FAINT = "#222222", "#6E6E6E", "#D9D9D9"

DISTRIBUTION_COLUMNS = ["r_nm", "density_per_nm", "error_per_nm"]      # in vacuum
RADIAL_COLUMNS = ["r_nm", "g", "error", "neighbours"]                   # in a box
SERIES_COLUMNS = ["step", "time_ps", "kinetic", "potential", "total", "temperature"]


class DataError(Exception):
    """A file that cannot be used; the text says which, where and why."""


def run(main):
    """Calls main() and turns what can go wrong with files into one line and exit status 2."""
    try:
        main()
    except DataError as error:
        print(f"{os.path.basename(sys.argv[0])}: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(1)


# --- tables ---

class Table:
    """A CSV file: columns by name (arrays of float), comment lines without '#', and the path it came from."""

    def __init__(self, path, comments, names, values):
        self.path, self.comments, self.names, self.values = path, comments, names, values

    def __getitem__(self, name):
        return self.values[:, self.names.index(name)]

    def __contains__(self, name):
        return name in self.names

    def __len__(self):
        return len(self.values)


def read_text(path):
    if os.path.isdir(path):
        raise DataError(f"{path}: this is a folder, expected a file")
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise DataError(f"{path}: not a text file, expected a CSV that rill wrote") from None


def header_of(path):
    """The names in a CSV's header; [] for anything else."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    return line.strip().split(",")
    except (OSError, UnicodeDecodeError):
        pass
    return []


def read_table(path, required):
    """Reads a CSV that must have the columns `required`.  A last line torn by a killed run is left out."""
    text = read_text(path)
    lines = text.splitlines()
    torn = bool(lines) and not text.endswith("\n")
    comments, names, rows = [], None, []
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            comments.append(line[1:].strip())
        elif not line.strip():
            continue
        elif names is None:
            names = [name.strip() for name in line.split(",")]
            absent = [name for name in required if name not in names]
            if absent:
                raise DataError(f"{path}:{number}: no column '{absent[0]}' in the header; expected {','.join(required)}")
            if len(set(names)) < len(names):
                raise DataError(f"{path}:{number}: a column name stands twice in the header")
        else:
            fields = line.split(",")
            if torn and number == len(lines):
                break
            if len(fields) != len(names):
                raise DataError(f"{path}:{number}: {len(fields)} values, expected {len(names)} as in the header")
            try:
                rows.append([float(field) for field in fields])
            except ValueError:
                bad = next(k for k, field in enumerate(fields) if not is_number(field))
                raise DataError(f"{path}:{number}: '{fields[bad].strip()}' in column {names[bad]} is not a number") from None
    if names is None:
        raise DataError(f"{path}: no header line, expected {','.join(required)}")
    if not rows:
        raise DataError(f"{path}: no rows of numbers")
    return Table(path, comments, names, np.array(rows))


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def find_csv(path, required, what, name=None):
    """The CSV to read for `path`: itself, or the only one in the folder `path` that has the columns `required`
    (and whose file name begins with `name`, when given)."""
    if not os.path.isdir(path):
        return path
    found = [file for file in folder(path, ".csv", name) if set(required) <= set(header_of(file))]
    return only(found, path, what)


def distribution_columns(path):
    """Those of a g(r) where the CSV's header has them, otherwise those of a density of pair distances."""
    return RADIAL_COLUMNS if set(RADIAL_COLUMNS) <= set(header_of(path)) else DISTRIBUTION_COLUMNS


def find_distribution(path):
    """The distribution of distances at `path`, of either kind: the file itself, or the only one of oxygens in a folder."""
    if os.path.isdir(path):
        found = [file for file in folder(path, ".csv") if set(distribution_columns(file)) <= set(header_of(file))
                 and not file.endswith(("-rdf-OH.csv", "-rdf-HH.csv"))]
        path = only(found, path, "O-O distribution (CSV)")
    return read_table(path, distribution_columns(path))


def folder(path, ending, name=None):
    try:
        return sorted(os.path.join(path, file) for file in os.listdir(path)
                      if file.endswith(ending) and file.startswith(name or ""))
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None


def only(found, path, what):
    if not found:
        raise DataError(f"{path}: no {what} in this folder")
    if len(found) > 1:
        raise DataError(f"{path}: more than one {what}: {', '.join(map(os.path.basename, found))}; name the one to draw")
    return found[0]


# --- the deck, which every output holds ---

def parse_deck(lines):
    """{'section.key': 'value'} of deck lines; lines that are not deck are passed over."""
    deck, section = {}, None
    for line in lines:
        heading = re.match(r"\s*\[([\w-]+)\]\s*$", line)
        entry = re.match(r"\s*([\w-]+)\s*=\s*(.*?)\s*(?:\s;.*)?$", line)
        if heading:
            section = heading[1]
        elif entry and section:
            deck[f"{section}.{entry[1]}"] = entry[2]
    return deck


UNITS = {"time": {"fs": 1e-3, "ps": 1.0, "ns": 1e3, "us": 1e6}, "temperature": {"K": 1.0}}


def quantity(text, dimension):
    """'2 fs' in ps, '10 K' in K; None when the text is not such a quantity."""
    match = re.match(r"\s*([-+0-9.eE]+)\s*(\w+)\s*$", text or "")
    if not match or match[2] not in UNITS[dimension] or not is_number(match[1]):
        return None
    return float(match[1]) * UNITS[dimension][match[2]]


def run_length(deck):
    """The planned length of the run, ps; None when the deck does not say."""
    step, steps = quantity(deck.get("integrator.step"), "time"), deck.get("integrator.steps", "")
    if step and steps.isdigit():
        return step * int(steps)
    return quantity(deck.get("integrator.time"), "time")


def duration(time):
    """A time in ps as '2 fs', '500 ps' or '20 ns'."""
    unit, size = ("ns", 1e3) if time >= 1e4 else ("ps", 1.0) if time >= 1 else ("fs", 1e-3)
    return f"{time / size:.6g} {unit}"


def target_temperature(deck, time):
    """The thermostat's temperature at each of `time` (ps), or None without a thermostat."""
    if deck.get("thermostat.method", "none") == "none":
        return None
    ends = [quantity(part, "temperature") for part in deck.get("thermostat.temperature", "").split("->")]
    if None in ends:
        return None
    length = run_length(deck)
    fraction = np.clip(time / (length or max(time[-1], 1e-300)), 0, 1)
    return ends[0] + (ends[-1] - ends[0]) * fraction


def describe(deck):
    """One line that says what was run, from the deck; '' when there is none."""
    method = deck.get("integrator.method", "")
    if method and deck.get("constraints.solver"):
        method += "/" + deck["constraints.solver"]
    step, length = quantity(deck.get("integrator.step"), "time"), run_length(deck)
    parts = [method, f"step {duration(step)}" if step else ""]
    if deck.get("thermostat.method", "none") != "none":
        temperature = f" at {deck['thermostat.temperature']}" if "thermostat.temperature" in deck else ""
        parts.append((deck["thermostat.method"] + temperature).replace("->", "→"))
        if "thermostat.friction" in deck:
            parts.append(f"friction {deck['thermostat.friction']}")
    elif method:
        parts.append("no thermostat")
    parts.append(duration(length) if length else "")
    return "  ·  ".join(part for part in parts if part)


# --- trajectories ---

class Trajectory:
    """The committed frames of an H5MD file: time [F] in ps, and of one frame at a time the positions [N, 3] in nm."""

    def __init__(self, path):
        self.path = path
        if os.path.isdir(path):
            raise DataError(f"{path}: this is a folder, expected a trajectory")
        try:
            open(path, "rb").close()
            self.file = h5py.File(path, "r")
        except OSError as error:
            raise DataError(f"{path}: {error.strerror or 'not an HDF5 file'}") from None
        try:
            group = self.file["particles/trajectory"]
            self.group, self.value = group, group["position/value"]
            # A frame counts once its step is written.
            self.frames = len(group["position/step"])
            self.time = np.asarray(group["position/time"][:self.frames], float)
            self.atoms = self.value.shape[1]
        except (KeyError, AttributeError, IndexError, TypeError):
            raise DataError(f"{path}: HDF5, but without /particles/trajectory/position as in H5MD") from None
        if self.frames == 0:
            raise DataError(f"{path}: no frame is complete")

    def positions(self, frame=-1):
        try:
            return np.asarray(self.value[range(self.frames)[frame]], float)
        except OSError:
            raise DataError(f"{self.path}: frame {frame} cannot be read") from None

    def species(self):
        """Atomic numbers [N]."""
        if "species" in self.group and self.group["species"].shape == (self.atoms,):
            return np.asarray(self.group["species"], int)
        return np.resize([8, 1, 1], self.atoms)

    def bonds(self):
        """Pairs of atoms [B, 2]; O-H of each molecule when the file has none."""
        if "connectivity/bonds" in self.file:
            return np.asarray(self.file["connectivity/bonds"], int).reshape(-1, 2)
        oxygen = np.arange(0, self.atoms - 2, 3)
        return np.column_stack([np.repeat(oxygen, 2), np.column_stack([oxygen + 1, oxygen + 2]).ravel()])

    def box(self, frame=-1):
        """Rows are box vectors, nm; None in vacuum."""
        if "box/edges/value" not in self.group:
            return None
        return np.asarray(self.group["box/edges/value"][range(self.frames)[frame]], float)


# --- the look ---

def style():
    """Sober: thin dark axes on two sides, a faint grid, no frame around legends."""
    plt.rcParams.update({
        "font.family": "DejaVu Sans", "font.size": 9, "axes.titlesize": 10, "axes.labelsize": 9,
        "xtick.labelsize": 8, "ytick.labelsize": 8, "legend.fontsize": 8,
        "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": GREY, "axes.linewidth": 0.7,
        "axes.labelcolor": INK, "text.color": INK, "xtick.color": GREY, "ytick.color": GREY,
        "xtick.labelcolor": INK, "ytick.labelcolor": INK, "xtick.major.width": 0.7, "ytick.major.width": 0.7,
        "axes.grid": True, "grid.color": "#ECECEC", "grid.linewidth": 0.6, "axes.axisbelow": True,
        "axes.titlelocation": "left", "axes.titleweight": "bold", "axes.prop_cycle": plt.cycler(color=COLOURS),
        "lines.linewidth": 1.3, "legend.frameon": False, "legend.handlelength": 1.4, "figure.facecolor": "white",
        "axes.formatter.useoffset": False, "axes.formatter.limits": (-4, 5), "savefig.dpi": 160,
    })


def check_picture(path):
    """Refuses a picture's name before any work is done."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in (".png", ".pdf", ".svg"):
        raise DataError(f"{path}: the picture's name must end in .png, .pdf or .svg")


forced = False


def parse(parser, *outputs):
    """The arguments, with --force; existing files named by `outputs` are refused without it."""
    global forced
    parser.add_argument("-f", "--force", action="store_true", help="replace existing files")
    arguments = parser.parse_args()
    forced = arguments.force
    for path in (getattr(arguments, name) for name in outputs):
        if path is not None:
            may_write(path)
    return arguments


def may_write(path):
    if not forced and os.path.lexists(path):
        raise DataError(f"{path}: the file exists; --force replaces it")


def save(figure, path):
    may_write(path)
    try:
        figure.savefig(path)
    except OSError as error:
        raise DataError(f"{path}: cannot be written: {error.strerror}") from None
    plt.close(figure)


def in_blocks(time, values, blocks, reduce=np.mean):
    """`reduce` (np.mean, np.max) over equal runs of rows; the rows themselves when there are fewer than 2 * blocks."""
    width = len(values) // blocks if blocks else 0
    if width < 2:
        return time, values
    rows = width * (len(values) // width)
    return time[:rows].reshape(-1, width).mean(1), reduce(values[:rows].reshape(-1, width), axis=1)


def rms(values, axis):
    return np.sqrt(np.mean(values ** 2, axis=axis))


def number(value):
    """Four digits or all before the point, with a proper minus sign."""
    return f"{value:.0f}".replace("-", "−") if 1e4 <= abs(value) < 1e9 else f"{value:.4g}".replace("-", "−")


# --- panels, used by one script for a picture of its own and by the summary ---

def is_radial(table):
    return "g" in table


def distribution_of(table):
    """Distance, density or g, and its error."""
    return tuple(table[name] for name in (RADIAL_COLUMNS if is_radial(table) else DISTRIBUTION_COLUMNS)[:3])


def edges_of(r):
    """The edges of bins with these centres, [len(r) + 1]."""
    width = r[1] - r[0] if len(r) > 1 else 2 * r[0]
    return np.append(r - width / 2, r[-1] + width / 2)


def average(tables):
    """One table of the mean over replicas; the error of each bin is from their scatter."""
    first = tables[0]
    columns = RADIAL_COLUMNS if is_radial(first) else DISTRIBUTION_COLUMNS
    for table in tables:
        if is_radial(table) != is_radial(first) or not np.array_equal(table["r_nm"], first["r_nm"]):
            raise DataError(f"{table.path}: its bins are not those of {first.path}, so that there is no average")
    if len(tables) < 2:
        raise DataError(f"{first.path}: an average needs two files or more")
    values = {name: np.mean([table[name] for table in tables], axis=0) for name in columns}
    values[columns[2]] = np.std([table[columns[1]] for table in tables], axis=0, ddof=1) / np.sqrt(len(tables))
    return Table(first.path, first.comments, list(columns), np.column_stack(list(values.values())))


def draw_distribution(axes, tables, labels, peaks=False):
    """Density of O-O distances, or g(r), as steps with a band of one standard error."""
    radial = is_radial(tables[0])
    for table in tables:
        if is_radial(table) != radial:
            raise DataError(f"{table.path}: one of a g(r) in a box and a density of pair distances in vacuum; they have "
                            "no common axis")
    top = right = 0.0
    left = np.inf
    for table, label, colour in zip(tables, labels, COLOURS * len(tables)):
        r, density, error = distribution_of(table)
        if not np.all(np.isfinite(r) & np.isfinite(density)):
            raise DataError(f"{table.path}: a distance or a density is not finite")
        edges, band = edges_of(r), np.where(np.isfinite(error), error, 0)
        axes.stairs(density, edges, baseline=None, color=colour, label=label, linewidth=1.2, zorder=3)
        axes.stairs(density + band, edges, baseline=np.maximum(density - band, 0), fill=True, color=colour, alpha=0.3,
                    linewidth=0, zorder=2)
        occupied = np.flatnonzero(density > 1e-3 * density.max())
        if len(occupied):
            left, right = min(left, r[occupied[0]]), max(right, r[occupied[-1]])
        top = max(top, np.max(density + band))
    if not right > 0:
        raise DataError(f"{tables[0].path}: the density is zero everywhere")
    margin = 0.04 * (right - left) + 0.01
    axes.set_xlim(max(0, left - margin), right + margin)
    axes.set_ylim(0, top * 1.1 or 1)
    axes.set_xlabel("O–O distance  r / nm")
    axes.set_ylabel("g(r)" if radial else "density of pair distances  P(r) / nm$^{-1}$")
    if radial:
        axes.axhline(1, color=GREY, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
        if len(tables) == 1:
            draw_neighbours(axes, tables[0])
    if peaks and len(tables) == 1:
        label_peaks(axes, tables[0])
    if len(tables) > 1 or labels[0]:
        axes.legend(loc="upper right")


def draw_neighbours(axes, table):
    """How many others are within r, on an axis at the right."""
    other = axes.twinx()
    other.plot(table["r_nm"], table["neighbours"], color=GREY, linewidth=0.8)
    other.set_ylim(0, None)
    other.set_ylabel("neighbours within r", color=GREY)
    other.grid(False)


def label_peaks(axes, table):
    """Writes the distance over each maximum that stands out of its error and of its surroundings."""
    r, density, error = distribution_of(table)
    error = np.where(np.isfinite(error), error, 0)
    top, width = axes.get_ylim()[1], np.ptp(axes.get_xlim())
    labelled = []
    for k in range(1, len(r) - 1):
        if not density[k - 1] < density[k] >= density[k + 1]:
            continue
        # Prominence: how far one must go down before coming to something higher, on the shallower side.
        valleys = []
        for side in (density[:k][::-1], density[k + 1:]):
            higher = np.flatnonzero(side > density[k])
            valleys.append(side[:higher[0] + 1].min() if len(higher) else side.min())
        if density[k] - max(valleys) <= max((6 if is_radial(table) else 3) * error[k], 0.02 * top):
            continue
        # A label that would run into one on its left goes above it.
        height = density[k] + error[k] + 0.015 * top
        for x, y in labelled:
            if r[k] - x < 0.07 * width and abs(height - y) < 0.05 * top:
                height = y + 0.05 * top
        labelled.append((r[k], height))
        axes.annotate(f"{r[k]:.{peak_decimals(r, density, error, k)}f}", (r[k], height), ha="center", va="bottom", fontsize=7,
                      color=GREY)


def peak_decimals(r, density, error, k):
    """Decimals of a maximum's place that the width of the bins, and the bins as high within the errors, leave certain."""
    low = high = k
    while low > 0 and density[low - 1] + error[low - 1] >= density[k] - error[k]:
        low -= 1
    while high + 1 < len(r) and density[high + 1] + error[high + 1] >= density[k] - error[k]:
        high += 1
    return int(np.clip(np.ceil(-np.log10((r[high] - r[low]) / 2 + (r[1] - r[0]) / 2)), 1, 4))


def means_from(deck, time):
    """The time that the run's means begin at, ps; that of the first sample when the deck does not say."""
    begin = quantity(deck.get("output.means_from"), "time")
    return begin if begin is not None and begin <= time[-1] else time[0]


def shade_equilibration(axes, time, begin):
    """What means and scales leave out."""
    if begin > time[0]:
        axes.axvspan(time[0], begin, color=FAINT, alpha=0.45, linewidth=0, zorder=0)


def draw_lines(axes, table, lines, blocks, begin=None, mean_unit=None):
    """Columns against time; lines: [(name, label, colour, {options of plot})].  Long series are drawn as block means over a
    faint line of the samples (of the first column alone, unless about means).  What lies before `begin` is shaded, and left out of
    the scale and of means.  mean_unit: curves are drawn about their means, which go into the legend with this unit."""
    time = table["time_ps"]
    begin = time[0] if begin is None else begin
    counted, low, high = time >= begin, np.inf, -np.inf
    for place, (name, label, colour, options) in enumerate(lines):
        if name not in table or not np.any(np.isfinite(table[name][counted])):
            continue
        values = table[name]
        if mean_unit is not None:
            mean = np.nanmean(values[counted])
            values, label = values - mean, f"{label} ⟨{number(mean)} {mean_unit}⟩"
        reduced = in_blocks(time, values, blocks)
        shown = values[counted]
        if len(reduced[0]) < len(time) and (place == 0 or mean_unit is not None):
            axes.plot(time, values, color=colour, alpha=0.2, linewidth=0.5)
        elif len(reduced[0]) < len(time) and np.any(reduced[0] >= begin):
            shown = reduced[1][reduced[0] >= begin]
        low, high = min(low, np.nanmin(shown)), max(high, np.nanmax(shown))
        axes.plot(*reduced, color=colour, label=label, marker="." if len(values) == 1 else None, **options)
    shade_equilibration(axes, time, begin)
    if high > low:
        axes.set_ylim(low - 0.06 * (high - low), high + 0.06 * (high - low))
    limit_time(axes, time)


def limit_time(axes, time):
    if len(time) > 1 and time[-1] > time[0]:
        axes.set_xlim(time[0], time[-1])


def legend_above(axes, columns=None):
    """A legend between the title and the axes, in one line or in this many columns."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        axes.set_title(axes.get_title(loc="left"), pad=18)
        axes.legend(handles, labels, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncol=columns or len(handles),
                    borderaxespad=0.2, columnspacing=0.9, handlelength=1.1, handletextpad=0.4, fontsize=7.5)


def draw_energies(axes, table, deck, blocks):
    draw_lines(axes, table, [("potential", "potential", BLUE, {}), ("kinetic", "kinetic", VERMILION, {}),
                             ("total", "total", INK, {})], blocks, means_from(deck, table["time_ps"]), "kJ/mol")
    axes.set_ylabel("energy − mean / kJ mol$^{-1}$")
    axes.set_title("Energies")
    legend_above(axes)


def draw_pressure(axes, table, deck, blocks):
    """The pressure, by time and in blocks, with its mean in the legend; the run's summary has the error."""
    begin = means_from(deck, table["time_ps"])
    mean = np.mean(table["pressure"][table["time_ps"] >= begin])
    draw_lines(axes, table, [("pressure", f"⟨{number(mean)} bar⟩", BLUE, {})], blocks, begin)
    axes.axhline(mean, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.set_ylabel("pressure / bar")
    axes.set_title("Pressure")
    legend_above(axes)


def draw_density(axes, table, deck, blocks):
    """At constant pressure: the density, by time and in blocks, with the volume on the right; the means are in the legend."""
    begin = means_from(deck, table["time_ps"])
    counted = table["time_ps"] >= begin
    mean, volume = np.mean(table["density"][counted]), np.mean(table["volume"][counted])
    label = f"⟨{number(mean)} g cm$^{{-3}}$⟩, ⟨{number(volume)} nm$^3$⟩"
    draw_lines(axes, table, [("density", label, BLUE, {})], blocks, begin)
    axes.axhline(mean, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
    mass = table["density"][0] * table["volume"][0]
    right = axes.secondary_yaxis("right", functions=(lambda density: mass / np.maximum(density, 1e-9),
                                                     lambda volume: mass / np.maximum(volume, 1e-9)))
    right.set_ylabel("volume / nm$^3$")
    axes.set_ylabel("density / g cm$^{-3}$")
    axes.set_title("Density")
    legend_above(axes)


def has_density(table, deck):
    """Whether the volume changes: at constant pressure."""
    return deck.get("barostat.method", "none") != "none" and "density" in table and "volume" in table


def has_pressure(table):
    return "pressure" in table and np.all(np.isfinite(table["pressure"]))


def draw_temperatures(axes, table, deck, blocks):
    """The estimator that is to be trusted is bold, under baoab the half-step one; translation and rotation are by it."""
    half = deck.get("thermostat.method") == "baoab"
    trusted, other = ("temperature_half", "temperature") if half else ("temperature", "temperature_half")
    names = {"temperature": "on-step", "temperature_half": "half-step"}
    draw_lines(axes, table, [(trusted, names[trusted], BLUE, {"linewidth": 1.9}),
                             (other, names[other], PURPLE, {"linewidth": 0.9, "linestyle": (0, (1.5, 1.2))}),
                             (trusted + "_translation", "translation", GREEN, {"linewidth": 0.8}),
                             (trusted + "_rotation", "rotation", ORANGE, {"linewidth": 0.8})], blocks,
               means_from(deck, table["time_ps"]))
    target = target_temperature(deck, table["time_ps"])
    if target is not None:
        axes.plot(table["time_ps"], target, color=INK, linewidth=1, linestyle=(0, (4, 3)), label="target", zorder=4)
        low, high = axes.get_ylim()
        axes.set_ylim(min(low, target.min() - 0.02 * (high - low)), max(high, target.max() + 0.02 * (high - low)))
    axes.set_ylim(bottom=max(0, axes.get_ylim()[0]))
    axes.set_ylabel("temperature / K")
    axes.set_title("Temperatures")
    legend_above(axes)


def draw_deviations(axes, table, blocks):
    """Constraint deviations: the largest, and the root of the mean square, of each block of a long series."""
    lines = [("position_deviation_max", "lengths: max", BLUE, np.max), ("position_deviation_rms", "rms", SKY, rms),
             ("velocity_deviation_max", "velocities: max", VERMILION, np.max),
             ("velocity_deviation_rms", "rms", ORANGE, rms)]
    draw_logarithms(axes, table, lines, blocks)
    axes.set_ylabel("relative deviation")
    axes.set_title("Constraints")
    legend_above(axes)


def draw_momenta(axes, table, blocks):
    """Sizes of the total linear and angular momentum, the largest of each block of a long series."""
    sizes = {"time_ps": table["time_ps"]}
    for name in ("momentum", "angular_momentum"):
        parts = [f"{name}_{axis}" for axis in "xyz"]
        if all(part in table for part in parts):
            sizes[name] = np.sqrt(sum(table[part] ** 2 for part in parts))
    lines = [("momentum", "linear / u nm ps$^{-1}$", BLUE, np.max),
             ("angular_momentum", "angular / u nm$^2$ ps$^{-1}$", VERMILION, np.max)]
    draw_logarithms(axes, Table(table.path, [], list(sizes), np.column_stack(list(sizes.values()))), lines, blocks)
    axes.set_ylabel("size of the total")
    axes.set_title("Momentum")
    legend_above(axes)


def draw_logarithms(axes, table, lines, blocks):
    """Columns against time on a logarithmic scale; lines: [(name, label, colour, reduction in blocks)].  Zeros do not
    show, and the legend names the columns that are zero throughout."""
    everything = []
    for name, label, colour, reduce in lines:
        if name not in table:
            continue
        time, values = in_blocks(table["time_ps"], table[name], blocks, reduce)
        shown = np.where(values > 0, values, np.nan)
        count = np.count_nonzero(np.isfinite(shown))
        if count:
            everything.extend(shown[np.isfinite(shown)])
            axes.plot(time, shown, color=colour, linewidth=1, label=label, marker="." if count == 1 else None)
        elif np.any(values == 0):
            axes.plot([], [], color=colour, label=f"{label} 0")
    if everything:
        axes.set_yscale("log")
        # A few samples far below the others (momentum right after it was removed) do not set the scale.
        low, high = np.percentile(everything, 4), max(everything)
        axes.set_ylim(low / 2, max(high * 2, low * 30))
    limit_time(axes, table["time_ps"])
