"""The functions of rill/rill.h through ctypes."""

import pathlib
import signal
import threading
from ctypes import (CDLL, CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_int, c_size_t, c_uint64,
                    c_uint, c_void_p)


class Error(Exception):
    """What rill refuses or fails at, in its own words; `status` is the name of the reason, such as "ERROR_INPUT"."""

    def __init__(self, message, status='ERROR_USAGE'):
        super().__init__(message)
        self.status = status


# In the order of enum rill_status.
STATUSES = ('OK', 'ERROR_USAGE', 'ERROR_INPUT', 'ERROR_OUTPUT', 'ERROR_UNSUPPORTED', 'ERROR_MEMORY', 'ERROR_WRITE',
            'ERROR_CONVERGENCE', 'ERROR_NOT_FINITE', 'ERROR_FAILED', 'INTERRUPTED')


class RillError(Structure):
    _fields_ = [('status', c_int), ('length', c_size_t), ('text', c_char * 8192)]

    def raise_(self):
        raise Error(self.text.decode(errors='replace'), STATUSES[self.status])


NOTE = CFUNCTYPE(None, c_void_p, c_char_p)
WATCH = CFUNCTYPE(c_int, c_void_p, c_void_p, c_uint64, c_double)
LISTED = CFUNCTYPE(None, c_void_p, c_char_p, c_char_p, c_char_p)
doubles = POINTER(c_double)


class OpenOptions(Structure):
    _fields_ = [('overrides', POINTER(c_char_p)), ('override_count', c_size_t), ('threads', c_int), ('note', NOTE),
                ('context', c_void_p)]


class Watcher(Structure):
    _fields_ = [('every', c_uint64), ('watch', WATCH), ('context', c_void_p)]


class MeanValue(Structure):
    _fields_ = [('samples', c_size_t), ('mean', c_double), ('error', c_double)]


class Stage(Structure):
    _fields_ = [('kick', c_bool), ('coefficient', c_double)]


class StepState(Structure):
    _fields_ = [('n', c_size_t), ('q', doubles), ('p', doubles), ('mass', doubles), ('system', c_void_p)]


STEP = CFUNCTYPE(c_int, c_void_p, POINTER(StepState), c_double)


class Compared(Structure):
    _fields_ = [('method', c_char_p), ('failure', c_char_p), ('step', c_double), ('steps', c_uint64), ('count', c_size_t),
                ('names', POINTER(c_char_p)), ('values', doubles)]


COMPARED = CFUNCTYPE(None, c_void_p, POINTER(Compared))


class Frame(Structure):
    _fields_ = [('index', c_size_t), ('step', c_uint64), ('time', c_double), ('molecules', c_size_t), ('positions', doubles),
                ('velocities', doubles), ('box', doubles)]


FRAME = CFUNCTYPE(c_int, c_void_p, POINTER(Frame))


class EnergySettings(Structure):
    _fields_ = [('model', c_char_p), ('coulomb_constant', c_double), ('stiffness', c_double), ('rigid', c_bool),
                ('boundary', c_char_p), ('coulomb', c_char_p), ('lj', c_char_p), ('cutoff', c_double),
                ('switch_from', c_double), ('accuracy', c_double)]


class Energies(Structure):
    _fields_ = [('molecules', c_size_t), ('potential', c_double), ('lj', c_double), ('coulomb', c_double),
                ('penalty', c_double), ('lj_tail', c_double), ('virial', c_double), ('pressure', c_double),
                ('pressure_tail', c_double), ('largest_force', c_double), ('deviation', c_double), ('forces', doubles)]


def load():
    """The shared library: the place that was noted when the module was built or installed."""
    from . import _path
    for path in _path.LIBRARIES:
        if pathlib.Path(path).exists():
            return CDLL(path)
    return CDLL('librill.so.0')


librill = load()
failure = POINTER(RillError)
handle = c_void_p

SIGNATURES = {
    'rill_version': (c_char_p,),
    'rill_open': (c_int, c_char_p, POINTER(OpenOptions), POINTER(handle), failure),
    'rill_open_text': (c_int, c_char_p, c_char_p, POINTER(OpenOptions), POINTER(handle), failure),
    'rill_close': (None, handle),
    'rill_molecules': (c_size_t, handle),
    'rill_coordinates': (c_size_t, handle),
    'rill_steps_done': (c_uint64, handle),
    'rill_steps_planned': (c_uint64, handle),
    'rill_step_length': (c_double, handle),
    'rill_time_unit': (c_char_p, handle),
    'rill_steps_of': (c_int, handle, c_char_p, POINTER(c_uint64), failure),
    'rill_deck_text': (c_char_p, handle),
    'rill_step': (c_int, handle, c_uint64, failure),
    'rill_run': (c_int, handle, c_uint64, POINTER(Watcher), c_size_t, failure),
    'rill_run_files': (c_int, handle, c_char_p, c_uint, POINTER(Watcher), c_size_t, failure),
    'rill_stop': (None, handle),
    'rill_get_positions': (None, handle, doubles),
    'rill_get_velocities': (None, handle, doubles),
    'rill_get_forces': (c_int, handle, doubles, failure),
    'rill_set_positions': (c_int, handle, doubles, failure),
    'rill_set_velocities': (c_int, handle, doubles, failure),
    'rill_get_box': (c_bool, handle, doubles),
    'rill_energy_at': (c_int, handle, doubles, doubles, doubles, failure),
    'rill_save': (c_int, handle, c_char_p, c_bool, failure),
    'rill_load': (c_int, handle, c_char_p, failure),
    'rill_observable_count': (c_size_t, handle),
    'rill_observable_name': (c_char_p, handle, c_size_t),
    'rill_observable_unit': (c_char_p, handle, c_size_t),
    'rill_observe': (c_int, handle, doubles, failure),
    'rill_mean': (MeanValue, handle, c_size_t),
    'rill_use_splitting': (c_int, handle, c_char_p, c_int, c_bool, POINTER(Stage), c_size_t, failure),
    'rill_use_step': (c_int, handle, c_char_p, c_int, STEP, c_void_p, failure),
    'rill_gradient': (None, POINTER(StepState), doubles, doubles),
    'rill_list': (None, c_int, LISTED, c_void_p),
    'rill_compare_methods': (c_int, c_char_p, POINTER(OpenOptions), c_char_p, c_char_p, COMPARED, c_void_p, failure),
    'rill_read_frames': (c_int, c_char_p, FRAME, c_void_p, failure),
    'rill_structure_energy': (c_int, c_char_p, POINTER(EnergySettings), POINTER(Energies), failure),
    'rill_structure_energies_release': (None, POINTER(Energies)),
}

for name, (result, *arguments) in SIGNATURES.items():
    function = getattr(librill, name)
    function.restype = result
    function.argtypes = arguments


def check(status, error):
    """Raises what a function of the library has said."""
    if status != 0:
        error.raise_()


def call(name, *arguments):
    """Calls a function whose last argument is a struct rill_error, and raises its message."""
    error = RillError()
    check(getattr(librill, name)(*arguments, byref(error)), error)


def overrides_of(given):
    """{"section.key": value} or ["section.key=value"], as C takes them."""
    if given is None:
        given = []
    if isinstance(given, dict):
        given = [f'{key}={value}' for key, value in given.items()]
    texts = [str(text).encode() for text in given]
    return (c_char_p * len(texts))(*texts), len(texts)


class Options:
    """What C borrows while a deck is open; keeps the Python objects behind it alive.  Notes wait until C has returned, so that
    what the caller does with them may raise."""

    def __init__(self, overrides, threads, note):
        self.list, count = overrides_of(overrides)
        self.deliver_to = note
        self.waiting = []
        self.note = NOTE(lambda _, text: self.waiting.append(text.decode(errors='replace')))
        self.c = OpenOptions(self.list, count, threads, self.note, None)

    def deliver(self):
        waiting, self.waiting[:] = list(self.waiting), []
        for text in waiting if self.deliver_to is not None else []:
            self.deliver_to(text)


class Interrupts:
    """Ctrl-C while C is at work: its handler stops the run, and is called when C has returned.  An exception that came in the
    midst of a callback would be lost.  Only the main thread gets signals."""

    def __init__(self, stop):
        self.stop = stop
        self.caught = None
        self.before = None

    def __enter__(self):
        if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
            self.before = signal.signal(signal.SIGINT, self.catch)
        return self

    def catch(self, number, frame):
        self.caught = number, frame
        self.stop()

    def __exit__(self, *_):
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)

    def raise_again(self):
        if self.caught is not None:
            self.before(*self.caught)


class Guarded:
    """A Python callable for C: an exception ends what C is at, and is raised again when C has returned."""

    def __init__(self, function):
        self.function = function
        self.exception = None

    def __call__(self, *arguments):
        if self.exception is not None:
            return 1
        try:
            return 1 if self.function(*arguments) else 0
        except BaseException as exception:
            self.exception = exception
            return 1

    def raise_again(self):
        if self.exception is not None:
            exception, self.exception = self.exception, None
            raise exception
