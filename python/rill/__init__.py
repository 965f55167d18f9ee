"""rill: molecular dynamics of rigid and constrained water, and small mechanical systems.

    import rill
    sim = rill.Simulation("inputs/water7.ini", {"thermostat.temperature": "20 K"})
    energies = []
    sim.run("10 ps", every=50, call=lambda s: energies.append(s.observe().potential))

Units of water: nm, ps, u, e, K, kJ/mol.  Small systems: pure numbers, or SI.  Arrays are numpy's, and copies.
A simulation is used by one thread at a time; several may live on several threads."""

import collections
import ctypes
import pathlib
import warnings

import numpy

from . import _c
from ._c import Error

__all__ = ['Simulation', 'Error', 'Listed', 'Mean', 'Frames', 'compare', 'energy', 'keys', 'methods', 'models', 'read',
           'systems', 'version']

version = _c.librill.rill_version().decode()

Error.__module__ = 'rill'

Listed = collections.namedtuple('Listed', 'name summary source')
Mean = collections.namedtuple('Mean', 'mean error samples')
Frames = collections.namedtuple('Frames', 'step time positions velocities box')
Frames.__doc__ = """Frames of a file: step (F,), time (F,) in ps (NaN where the file has none), positions (F, N, 3, 3) in nm,
velocities of the same shape in nm/ps or None, box (F, 3, 3) in nm or None."""


def _pointer(array):
    return array.ctypes.data_as(_c.doubles)


class Simulation:
    """A deck's system at its start, bound to its method.

    deck: the path of a deck, or its text (with line ends); overrides: {"section.key": value}, as --set of the program takes
    them; threads: at most this many (0: all cores), results do not depend on it; note: called with each line of notes and
    warnings when the call that made it returns (default: Python's warnings).  Raises rill.Error with all faults of the deck."""

    def __init__(self, deck, overrides=None, *, threads=0, note=None):
        self._handle = _c.handle()
        self._kept = []  # callables that C may call
        self._own_step = None
        self._options = _c.Options(overrides, threads, note if note is not None else _warn)
        options = ctypes.byref(self._options.c)
        if '\n' in str(deck):
            _c.call('rill_open_text', b'deck', str(deck).encode(), options, ctypes.byref(self._handle))
        else:
            _c.call('rill_open', str(deck).encode(), options, ctypes.byref(self._handle))
        self._options.deliver()
        count = _c.librill.rill_observable_count(self._handle)
        names = [_c.librill.rill_observable_name(self._handle, i).decode() for i in range(count)]
        self._observation = collections.namedtuple('Observation', names)

    # ---- life ----

    def close(self):
        """Releases the simulation; using it afterwards raises rill.Error.  Also at the end of a with statement."""
        handle, self._handle = self._handle, None
        if handle:
            _c.librill.rill_close(handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, '_handle', None):
            self.close()

    @property
    def _open(self):
        if not self._handle:
            raise Error('the simulation is closed')
        return self._handle

    # ---- what it is ----

    @property
    def molecules(self):
        """Number of water molecules; 0 of a small system."""
        return _c.librill.rill_molecules(self._open)

    @property
    def steps(self):
        """Steps done since the deck's start."""
        return _c.librill.rill_steps_done(self._open)

    @property
    def time(self):
        """Time since the deck's start, in time_unit."""
        return self.steps * self.step_length

    @property
    def step_length(self):
        """The length of a step, in time_unit."""
        return _c.librill.rill_step_length(self._open)

    @property
    def time_unit(self):
        """'ps' of water, 's' or '' of small systems."""
        return _c.librill.rill_time_unit(self._open).decode()

    @property
    def planned(self):
        """Steps of the deck's run."""
        return _c.librill.rill_steps_planned(self._open)

    @property
    def deck(self):
        """The deck in full, with all defaults."""
        return _c.librill.rill_deck_text(self._open).decode()

    # ---- state ----

    def _shape(self):
        molecules = self.molecules
        return (molecules, 3, 3) if molecules > 0 else (_c.librill.rill_coordinates(self._open),)

    def _taken(self, values):
        array = numpy.ascontiguousarray(values, dtype=float)
        if array.shape != self._shape():
            raise Error(f'an array of shape {self._shape()} is expected, found {array.shape}')
        return array

    @property
    def positions(self):
        """(molecules, 3, 3): molecule; O, H, H; x, y, z, in nm, unwrapped; (n,) of a small system.  May be set."""
        out = numpy.empty(self._shape())
        _c.librill.rill_get_positions(self._open, _pointer(out))
        return out

    @positions.setter
    def positions(self, values):
        _c.call('rill_set_positions', self._open, _pointer(self._taken(values)))

    @property
    def velocities(self):
        """As positions, in nm/ps; of a small system its canonical momenta.  May be set."""
        out = numpy.empty(self._shape())
        _c.librill.rill_get_velocities(self._open, _pointer(out))
        return out

    @velocities.setter
    def velocities(self, values):
        _c.call('rill_set_velocities', self._open, _pointer(self._taken(values)))

    @property
    def forces(self):
        """As positions, in kJ/mol/nm, without those of constraints; -grad V of a mechanical small system."""
        out = numpy.empty(self._shape())
        _c.call('rill_get_forces', self._open, _pointer(out))
        return out

    @property
    def box(self):
        """(3, 3), rows a, b, c in nm; None in vacuum and of small systems."""
        out = numpy.empty((3, 3))
        return out if _c.librill.rill_get_box(self._open, _pointer(out)) else None

    def energy_at(self, positions):
        """(potential energy, forces) at other positions; the state stays as it is."""
        potential, forces = numpy.empty(1), numpy.empty(self._shape())
        _c.call('rill_energy_at', self._open, _pointer(self._taken(positions)), _pointer(potential), _pointer(forces))
        return float(potential[0]), forces

    def save(self, path, replace=False):
        """All that a step depends on, to a file; replace: one that is there."""
        _c.call('rill_save', self._open, str(path).encode(), replace)

    def load(self, path):
        """The state of a file that save wrote, or of a checkpoint of `rill run`, of the same deck."""
        _c.call('rill_load', self._open, str(path).encode())

    # ---- observables ----

    def observe(self):
        """Of the present state: a named tuple with the columns of the series, such as potential, temperature, momentum_x."""
        values = numpy.empty(len(self._observation._fields))
        _c.call('rill_observe', self._open, _pointer(values))
        return self._observation(*values.tolist())

    @property
    def units(self):
        """{observable: unit}"""
        return {name: _c.librill.rill_observable_unit(self._open, i).decode()
                for i, name in enumerate(self._observation._fields)}

    def means(self):
        """{observable: Mean(mean, error, samples)} of what run has sampled, at the deck's series interval; error is NaN where
        there are too few independent samples."""
        result = {}
        for i, name in enumerate(self._observation._fields):
            value = _c.librill.rill_mean(self._open, i)
            result[name] = Mean(value.mean, value.error, value.samples)
        return result

    # ---- steps ----

    def step(self, count=1):
        """Takes this many steps, without limits, means or calls."""
        error = _c.RillError()
        status = _c.librill.rill_step(self._open, count, ctypes.byref(error))
        if self._own_step is not None:
            self._own_step.raise_again()
        _c.check(status, error)

    def _steps_of(self, length):
        if isinstance(length, int):
            return length
        steps = ctypes.c_uint64()
        text = length if isinstance(length, str) else f'{float(length)!r} {self.time_unit}'
        _c.call('rill_steps_of', self._open, text.strip().encode(), ctypes.byref(steps))
        return steps.value

    def _watchers(self, every, call):
        """The user's, and one that lets Python see Ctrl-C."""
        guarded = _c.Guarded(lambda *_: call(self)) if call is not None else None
        often = 1000 if self.molecules == 0 else max(1, 20000 // self.molecules)
        beats = _c.Guarded(lambda *_: None)
        watchers = [(often, beats)] if guarded is None else [(self._steps_of(every or 1), guarded), (often, beats)]
        callables = [_c.WATCH(watcher) for _, watcher in watchers]
        array = (_c.Watcher * len(watchers))(*(_c.Watcher(each, c, None) for (each, _), c in zip(watchers, callables)))
        return array, len(watchers), [watcher for _, watcher in watchers], callables

    def _under_watch(self, function, leading, every, call):
        array, count, guarded, callables = self._watchers(every, call)
        error = _c.RillError()
        with _c.Interrupts(self.stop) as interrupts:
            status = getattr(_c.librill, function)(self._open, *leading, array, count, ctypes.byref(error))
        del callables
        interrupts.raise_again()
        for watcher in guarded + ([self._own_step] if self._own_step is not None else []):
            watcher.raise_again()
        self._options.deliver()
        if _c.STATUSES[status] != 'INTERRUPTED':
            _c.check(status, error)
        return _c.STATUSES[status] == 'OK'

    def run(self, length=None, every=None, call=None):
        """Runs under the limits of [stop], gathers means, and writes nothing.

        length: steps (an int), or a time ("100 ps", or a float in time_unit); None: to the deck's end.  call(sim) is called
        before the first step, after each `every` (steps, or a time), and at the end; a true value that it returns ends the run.
        Returns whether the run came to its end.  An exception in call, and Ctrl-C, end the run after the step under way, and
        are raised."""
        until = 0 if length is None else self.steps + self._steps_of(length)
        if length is not None and until == self.steps:
            return True
        return self._under_watch('rill_run', (until,), every, call)

    def run_files(self, folder=None, *, replace=False, resume=False, every=None, call=None):
        """As `rill run`: the deck's run with all its files in the folder, from its start or resumed from its checkpoint."""
        flags = (1 if replace else 0) | (2 if resume else 0)
        return self._under_watch('rill_run_files', (None if folder is None else str(folder).encode(), flags), every, call)

    def stop(self):
        """Ends a run that is under way on another thread."""
        _c.librill.rill_stop(self._open)

    # ---- user-defined methods ----

    def use_splitting(self, name, stages, *, order, symmetric=True):
        """Steps by a splitting from now on: stages are ('kick' | 'drift', coefficient of the step), in order."""
        for letter, _ in stages:
            if letter not in ('kick', 'drift'):
                raise Error(f'a stage is a kick or a drift, found {letter!r}')
        array = (_c.Stage * len(stages))(*(_c.Stage(letter == 'kick', c) for letter, c in stages))
        _c.call('rill_use_splitting', self._open, name.encode(), order, symmetric, array, len(stages))

    def use_step(self, name, step, *, order):
        """Steps by step(q, p, h, mass, gradient) from now on, of a mechanical system without constraints: q and p are arrays to be
        changed in place, gradient(q) is that of the potential."""
        def c_step(_, state, h):
            s = state.contents
            view = lambda pointer: numpy.ctypeslib.as_array(pointer, shape=(s.n,))

            def gradient(q):
                q, out = numpy.ascontiguousarray(q, dtype=float), numpy.empty(s.n)
                _c.librill.rill_gradient(state, _pointer(q), _pointer(out))
                return out

            step(view(s.q), view(s.p), h, view(s.mass), gradient)

        guarded = _c.Guarded(c_step)
        own = _c.STEP(guarded)
        _c.call('rill_use_step', self._open, name.encode(), order, own, None)
        self._kept.append(own)
        self._own_step = guarded


def _warn(text):
    warnings.warn(text.removeprefix('warning: ').removeprefix('note: '), stacklevel=5)


# ---- listings ----

def _listed(which):
    found = []
    take = _c.LISTED(lambda _, *texts: found.append(Listed(*(text.decode() for text in texts))))
    _c.librill.rill_list(which, take, None)
    return found


def methods():
    """All methods: a list of Listed(name, summary, source)."""
    return _listed(0)


def systems():
    """All systems, as methods()."""
    return _listed(1)


def keys():
    """All keys of decks, as methods(); source is the default."""
    return _listed(2)


def models():
    """All models of water, as methods()."""
    return _listed(3)


# ---- comparisons and files ----

def compare(deck, methods=None, steps=None, overrides=None, *, threads=0, note=None):
    """Methods and steps on the deck's system, as `rill compare`: {column: array}, a row for each method and step, which
    pandas.DataFrame takes as it is.  methods: such as ["rattle", "zs/full"] (default: all that bind); steps: such as
    ["1 fs", "2 fs"] (default: the deck's, of small systems its half and quarter, too)."""
    rows = []

    def take(_, compared):
        c = compared.contents
        row = {'method': c.method.decode(), 'step': c.step, 'steps': c.steps}
        row.update({c.names[i].decode(): c.values[i] for i in range(c.count)})
        row['failure'] = c.failure.decode(errors='replace')
        rows.append(row)

    options = _c.Options(overrides, threads, note)
    join = lambda items: None if items is None else ','.join(items).encode()
    _c.call('rill_compare_methods', str(deck).encode(), ctypes.byref(options.c), join(methods), join(steps),
            _c.COMPARED(take), None)
    options.deliver()
    return {name: numpy.array([row[name] for row in rows]) for name in (rows[0] if rows else ())}


def read(path):
    """A trajectory or structures (.h5md, .gro, .pdb, .xyz): Frames.  A series (.csv): {column: array}."""
    path = pathlib.Path(path)
    if path.suffix == '.csv':
        return _read_csv(path)
    frames = []

    def take(_, frame):
        f = frame.contents
        shape = (f.molecules, 3, 3)
        copy = lambda pointer, of: numpy.ctypeslib.as_array(pointer, shape=of).copy() if pointer else None
        frames.append((f.step, f.time, copy(f.positions, shape), copy(f.velocities, shape), copy(f.box, (3, 3))))

    guarded = _c.Guarded(take)
    error = _c.RillError()
    status = _c.librill.rill_read_frames(str(path).encode(), _c.FRAME(guarded), None, ctypes.byref(error))
    guarded.raise_again()
    _c.check(status, error)
    columns = list(zip(*frames)) if frames else [()] * 5
    if len({positions.shape for positions in columns[2]}) > 1:
        raise Error(f'{path} has frames of different numbers of molecules')
    gather = lambda arrays: None if not arrays or any(a is None for a in arrays) else numpy.array(arrays)
    return Frames(numpy.array(columns[0]), numpy.array(columns[1]), gather(columns[2]), gather(columns[3]), gather(columns[4]))


def _read_csv(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        lines = [line for line in file if not line.startswith('#')]
    names = lines[0].strip().split(',')
    rows = [[float(cell) if cell else numpy.nan for cell in line.strip().split(',')] for line in lines[1:]]
    return dict(zip(names, numpy.array(rows).reshape(len(rows), len(names)).T))


Energy = collections.namedtuple('Energy', [name for name, _ in _c.Energies._fields_])


def energy(path, *, model=None, boundary=None, coulomb=None, lj=None, cutoff=0, switch_from=0, accuracy=0, stiffness=0,
           coulomb_constant=0, rigid=False):
    """Energies and forces of the first frame of a structure file, as `rill energy`: potential, lj, coulomb, penalty, lj_tail, virial
    in kJ/mol, pressure and pressure_tail in bar (NaN in vacuum), largest_force and forces (molecules, 3, 3) in kJ/mol/nm, deviation of
    the geometry.  boundary: "vacuum" or "periodic", to be chosen for a file with a box; in a box coulomb: "pme", "ewald",
    "reaction-field", "cut"; lj: "cut", "shift", "switch"; cutoff and switch_from in nm; 0 and None: the default."""
    words = [None if word is None else str(word).encode() for word in (model, boundary, coulomb, lj)]
    settings = _c.EnergySettings(words[0], coulomb_constant, stiffness, rigid, words[1], words[2], words[3], cutoff, switch_from,
                                 accuracy)
    found = _c.Energies()
    _c.call('rill_structure_energy', str(path).encode(), ctypes.byref(settings), ctypes.byref(found))
    try:
        forces = numpy.ctypeslib.as_array(found.forces, shape=(found.molecules, 3, 3)).copy()
    finally:
        _c.librill.rill_structure_energies_release(ctypes.byref(found))
    return Energy(*(getattr(found, name) for name in Energy._fields[:-1]), forces)
