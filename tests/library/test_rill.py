"""The Python module, as scripts and notebooks use it."""

import contextlib
import gc
import io
import os
import pathlib
import signal
import tempfile
import threading
import time
import tracemalloc
import unittest
import warnings

import numpy

import rill

INPUTS = pathlib.Path(os.environ['RILL_SOURCE']) / 'inputs'
WATER = INPUTS / 'water7.ini'
PENDULUM = INPUTS / 'double-pendulum.ini'


class State(unittest.TestCase):
    def test_shapes_and_units(self):
        with rill.Simulation(WATER) as sim:
            self.assertEqual(sim.positions.shape, (7, 3, 3))
            self.assertEqual(sim.velocities.shape, (7, 3, 3))
            self.assertEqual(sim.forces.shape, (7, 3, 3))
            self.assertIsNone(sim.box)
            self.assertEqual((sim.molecules, sim.time_unit, sim.steps), (7, 'ps', 0))
            self.assertEqual(sim.units['potential'], 'kJ/mol')
            bonds = numpy.linalg.norm(sim.positions[:, 1] - sim.positions[:, 0], axis=1)
            numpy.testing.assert_allclose(bonds, 0.09572, rtol=1e-6)
        with rill.Simulation(PENDULUM) as sim:
            self.assertEqual(sim.positions.ndim, 1)
            self.assertEqual(sim.molecules, 0)
        with rill.Simulation(INPUTS / 'liquid216.ini', {'integrator.steps': 1}, note=lambda text: None) as sim:
            self.assertEqual(sim.box.shape, (3, 3))

    def test_forces_are_the_gradient_of_the_energy(self):
        with rill.Simulation(WATER) as sim:
            at, h = sim.positions, 1e-5
            forces = sim.forces
            for index in ((0, 0, 0), (3, 1, 2), (6, 2, 1)):
                moved = at.copy()
                moved[index] += h
                up = sim.energy_at(moved)[0]
                moved[index] -= 2 * h
                down = sim.energy_at(moved)[0]
                self.assertAlmostEqual(forces[index], (down - up) / (2 * h), delta=1e-3 * max(1, abs(forces[index])))
            numpy.testing.assert_array_equal(sim.positions, at)

    def test_state_is_set_saved_and_loaded(self):
        with tempfile.TemporaryDirectory() as folder, rill.Simulation(WATER) as sim, rill.Simulation(WATER) as other:
            path = pathlib.Path(folder) / 'state'
            sim.velocities = 2 * sim.velocities
            sim.step(50)
            sim.save(path)
            other.load(path)
            self.assertEqual(other.steps, 50)
            sim.step(50)
            other.step(50)
            numpy.testing.assert_array_equal(sim.positions, other.positions)
            with self.assertRaisesRegex(rill.Error, 'exist'):
                sim.save(path)
            with self.assertRaisesRegex(rill.Error, 'shape'):
                sim.positions = numpy.zeros((3, 3))
            with self.assertRaisesRegex(rill.Error, 'finite'):
                sim.positions = numpy.full((7, 3, 3), numpy.nan)


class Runs(unittest.TestCase):
    def test_calls_and_means(self):
        seen = []
        with rill.Simulation(WATER, {'thermostat.temperature': '20 K'}) as sim:
            self.assertTrue(sim.run('2 ps', every=100, call=lambda s: seen.append((s.steps, s.observe().potential))))
            self.assertEqual([steps for steps, _ in seen], list(range(0, 1001, 100)))
            self.assertEqual(sim.steps, 1000)
            self.assertAlmostEqual(sim.time, 2.0)
            mean = sim.means()['potential']
            self.assertGreater(mean.samples, 10)
            self.assertLess(abs(mean.mean - numpy.mean([p for _, p in seen])), 5)
            self.assertFalse(sim.run(100, every='0.02 ps', call=lambda s: s.steps >= 1050))
            self.assertEqual(sim.steps, 1050)

    def test_a_run_is_that_of_the_program(self):
        notes = []
        with tempfile.TemporaryDirectory() as folder:
            with rill.Simulation(WATER, ['integrator.steps=400'], note=notes.append) as files, rill.Simulation(WATER) as memory:
                self.assertTrue(files.run_files(folder))
                memory.run(400)
                numpy.testing.assert_array_equal(files.positions, memory.positions)
            frames = rill.read(pathlib.Path(folder) / 'water7.h5md')
            self.assertEqual(frames.positions.shape[1:], (7, 3, 3))
            series = rill.read(pathlib.Path(folder) / 'water7.csv')
            self.assertEqual(series['step'][-1], 400)
            self.assertTrue(any('beyond the end of the run' in note for note in notes))
            with rill.Simulation(WATER, ['integrator.steps=400'], note=notes.append) as again:
                with self.assertRaisesRegex(rill.Error, 'exists'):
                    again.run_files(folder)

    def test_a_small_system_in_a_heat_bath_has_a_temperature(self):
        deck = pathlib.Path(WATER).parent / 'chain-bath.ini'
        with rill.Simulation(deck) as sim:
            sim.run(200)
            seen = sim.observe()
            self.assertAlmostEqual(seen.temperature, 2 * seen.kinetic / 10, delta=1e-12)  # of ten constrained pendula
        with rill.Simulation(deck, {'thermostat.method': 'none'}) as sim:
            self.assertFalse(hasattr(sim.observe(), 'temperature'))

    def test_two_simulations_at_once(self):
        alone = rill.Simulation(WATER)
        alone.run(2000)
        sims = [rill.Simulation(WATER), rill.Simulation(WATER)]
        threads = [threading.Thread(target=sim.run, args=(2000,)) for sim in sims]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for sim in sims:
            numpy.testing.assert_array_equal(sim.positions, alone.positions)

    def test_interrupts_end_a_long_run(self):
        # ignored in a shell's background, where Python leaves it ignored
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        with rill.Simulation(WATER) as sim:
            threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            begun = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                sim.run(10 ** 12)
            self.assertLess(time.monotonic() - begun, 60)
            self.assertGreater(sim.steps, 0)
            sim.run(10)  # and goes on

    def test_stop_from_another_thread(self):
        with rill.Simulation(WATER) as sim:
            threading.Timer(0.2, sim.stop).start()
            self.assertFalse(sim.run(10 ** 12))


class Errors(unittest.TestCase):
    def test_bad_decks(self):
        with self.assertRaises(rill.Error) as caught:
            rill.Simulation(WATER, {'integrator.stp': '1 fs'})
        self.assertIn('integrator.stp', str(caught.exception))
        self.assertEqual(caught.exception.status, 'ERROR_INPUT')
        with self.assertRaisesRegex(rill.Error, 'no-such.ini'):
            rill.Simulation('no-such.ini')
        with self.assertRaisesRegex(rill.Error, 'frobnicate'):
            rill.Simulation('[system]\nkind = frobnicate\n')

    def test_a_failed_run_keeps_the_last_good_state(self):
        with rill.Simulation(WATER, {'integrator.step': '50 fs', 'constraints.solver': 'rotor'}, note=lambda text: None) as sim:
            with self.assertRaises(rill.Error) as caught:
                sim.run(2000)
            self.assertIn('step', str(caught.exception))
            self.assertTrue(numpy.isfinite(sim.positions).all())

    def test_an_exception_in_a_call_is_raised(self):
        with rill.Simulation(WATER) as sim:
            with self.assertRaisesRegex(ZeroDivisionError, 'division'):
                sim.run(100, every=10, call=lambda s: 1 // (s.steps - 30) and None)
            self.assertEqual(sim.steps, 30)

    def test_a_closed_simulation(self):
        sim = rill.Simulation(WATER)
        sim.close()
        sim.close()
        with self.assertRaisesRegex(rill.Error, 'closed'):
            sim.step()

    def test_warnings(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter('always')
            rill.Simulation(WATER, {'integrator.step': '20 fs', 'integrator.steps': 10}).close()
        self.assertTrue(any('longer than' in str(w.message) for w in caught))

    def test_no_leak(self):
        def once():
            with rill.Simulation(WATER) as sim:
                try:
                    sim.run(20, every=5, call=lambda s: 1 // 0)
                except ZeroDivisionError:
                    pass
            try:
                rill.Simulation(WATER, {'integrator.step': 'x'})
            except rill.Error:
                pass

        def resident():
            with open('/proc/self/statm') as file:
                return int(file.read().split()[1])

        for _ in range(20):
            once()
        gc.collect()
        before = resident()
        tracemalloc.start()
        for _ in range(100):
            once()
        gc.collect()
        self.assertLess(tracemalloc.get_traced_memory()[0], 300_000)
        tracemalloc.stop()
        self.assertLess(resident() - before, 2000)  # pages; a simulation that stays is some 100


class Methods(unittest.TestCase):
    @staticmethod
    def verlet(q, p, h, mass, gradient):
        p -= 0.5 * h * gradient(q)
        q += h * p / mass
        p -= 0.5 * h * gradient(q)

    def test_a_step_of_ones_own(self):
        deck = INPUTS / 'harmonic-oscillator.ini'
        with rill.Simulation(deck, {'integrator.method': 'verlet'}) as theirs, rill.Simulation(deck) as ours:
            ours.use_step('mine', self.verlet, order=2)
            theirs.step(100)
            ours.step(100)
            numpy.testing.assert_allclose(ours.positions, theirs.positions, rtol=0, atol=1e-12)

    def test_a_splitting_of_ones_own(self):
        kdk = [('kick', 0.5), ('drift', 1), ('kick', 0.5)]
        with rill.Simulation(WATER) as theirs, rill.Simulation(WATER) as ours:
            ours.use_splitting('mine', kdk, order=2)
            theirs.step(50)
            ours.step(50)
            numpy.testing.assert_array_equal(ours.positions, theirs.positions)
        with rill.Simulation(WATER) as sim, self.assertRaisesRegex(rill.Error, 'kick'):
            sim.use_splitting('mine', [('jump', 1)], order=2)

    def test_a_step_that_fails(self):
        with rill.Simulation(INPUTS / 'harmonic-oscillator.ini') as sim:
            sim.use_step('mine', lambda *_: 1 / 0, order=2)
            with self.assertRaises(ZeroDivisionError):
                sim.step()
            self.assertEqual(sim.steps, 0)


class Functions(unittest.TestCase):
    def test_listings(self):
        self.assertIn('verlet', [m.name for m in rill.methods()])
        self.assertIn('water', [s.name for s in rill.systems()])
        self.assertIn('integrator.step', [k.name for k in rill.keys()])
        self.assertIn('spce', [m.name for m in rill.models()])

    def test_compare(self):
        table = rill.compare(INPUTS / 'harmonic-oscillator.ini', methods=['verlet', 'implicit-midpoint'])
        self.assertEqual(len(table['method']), 6)
        self.assertTrue((table['position_error'] > 0).all())
        self.assertEqual(set(table['failure']), {''})

    def test_energy(self):
        whole = rill.energy(INPUTS / 'water7.gro')
        with rill.Simulation(WATER) as sim:
            self.assertAlmostEqual(whole.potential, sim.observe().potential, places=6)
        self.assertEqual(whole.forces.shape, (7, 3, 3))
        self.assertAlmostEqual(whole.potential, whole.lj + whole.coulomb, places=9)
        self.assertTrue(numpy.isnan(whole.pressure))
        stiff = rill.energy(INPUTS / 'water7.gro', stiffness=100)
        self.assertNotEqual(stiff.largest_force, whole.largest_force)
        for settings in ({'boundary': 'periodic'}, {'boundary': 'box'}, {'model': 'x'}, {'cutoff': -1}, {'accuracy': numpy.nan}):
            with self.subTest(settings), self.assertRaises(rill.Error):
                rill.energy(INPUTS / 'water7.gro', **settings)

    def test_energy_of_a_box(self):
        box = INPUTS.parent / 'tests/data/structures/p216.xyz'
        with self.assertRaisesRegex(rill.Error, 'has a box'):
            rill.energy(box)
        mesh, direct = rill.energy(box, boundary='periodic'), rill.energy(box, boundary='periodic', coulomb='ewald')
        self.assertAlmostEqual(mesh.potential / direct.potential, 1, places=6)
        self.assertNotEqual(mesh.potential, direct.potential)
        self.assertNotEqual(rill.energy(box, boundary='periodic', lj='shift').lj, mesh.lj)
        self.assertTrue(numpy.isfinite(mesh.pressure))
        self.assertAlmostEqual(abs(mesh.forces).max(), mesh.largest_force)

    def test_read(self):
        frames = rill.read(INPUTS / 'water7.gro')
        self.assertEqual(frames.positions.shape, (1, 7, 3, 3))
        with self.assertRaises(rill.Error):
            rill.read('no-such.gro')


class Documentation(unittest.TestCase):
    def test_the_programs_of_the_manual_run(self):
        text = (INPUTS.parent / 'docs' / 'python.md').read_text()
        programs = [part.split('```')[0] for part in text.split('```python\n')[1:]]
        self.assertGreaterEqual(len(programs), 5)
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(INPUTS, pathlib.Path(folder) / 'inputs')
            os.chdir(folder)
            try:
                for program in programs:
                    with self.subTest(program=program), contextlib.redirect_stdout(io.StringIO()), \
                            warnings.catch_warnings():
                        warnings.simplefilter('ignore')
                        exec(compile(program, 'docs/python.md', 'exec'), {'__name__': 'documentation'})
            finally:
                os.chdir(before)


if __name__ == '__main__':
    unittest.main()
