#!/usr/bin/env python3
"""One process of OpenMM on its CPU platform, for bench/peers and bench/liquid.

  openmm_step.py version          what is installed, or what is missing
  openmm_step.py energy FILE      Lennard-Jones and Coulomb energy of the start, kJ/mol
  openmm_step.py forces FILE      forces of the start on every particle, kJ/mol/nm
  openmm_step.py run FILE STEPS   seconds of the second half of this many steps

FILE is what openmm_peer.py writes.  The answer is one object of JSON on standard output.
"""
import json
import math
import os
import sys
import time

try:
    import openmm
    from openmm import unit
except ImportError:
    sys.exit(f"no module openmm of 7.6 or later for {sys.executable} (Debian: apt-get install python3-simtk "
             "libopenmm-plugins)")

PLATFORM = "CPU"
KJ_MOL = unit.kilojoule_per_mole
PER_NM = KJ_MOL / unit.nanometer
SEED = 1
EVALUATIONS = 3
PAIRS, MESH = 0, 1  # groups of forces


def cpu_platform():
    for _ in range(2):
        names = {openmm.Platform.getPlatform(k).getName() for k in range(openmm.Platform.getNumPlatforms())}
        if PLATFORM in names:
            return openmm.Platform.getPlatformByName(PLATFORM)
        openmm.Platform.loadPluginsFromDirectory(openmm.Platform.getDefaultPluginsDirectory())
    sys.exit(f"OpenMM without its platform {PLATFORM} (Debian: apt-get install libopenmm-plugins)")


def version():
    # The kernel of the mesh comes with a plug-in of its own, libOpenMMPME; OpenMM takes its reference code without it.
    return {"version": openmm.Platform.getOpenMMVersion(),
            "mesh_plugin": cpu_platform().supportsKernels(["CalcPmeReciprocalForce"])}


def make_force(given):
    """Each molecule without pairs within itself; Lennard-Jones of the oxygen only, truncated."""
    force = openmm.NonbondedForce()
    charges = given["charges"]
    for molecule in range(given["molecules"]):
        first = len(charges) * molecule
        for k, charge in enumerate(charges):
            force.addParticle(charge, *((given["sigma"], given["epsilon"]) if k == 0 else (1.0, 0.0)))
        for j in range(len(charges)):
            for i in range(j):
                force.addException(first + i, first + j, 0.0, 1.0, 0.0)
    force.setNonbondedMethod(getattr(openmm.NonbondedForce, given["method"]))
    if given["cutoff"] is not None:
        force.setCutoffDistance(given["cutoff"])
    force.setReactionFieldDielectric(1.0)  # of CutoffNonPeriodic alone: plain Coulomb
    force.setUseSwitchingFunction(False)
    force.setUseDispersionCorrection(False)
    force.setReciprocalSpaceForceGroup(MESH)
    return force


def make_context(given):
    """(context, the force between its molecules) at the start, with velocities."""
    system = openmm.System()
    site = given["site"]
    for molecule in range(given["molecules"]):
        first = system.getNumParticles()
        for mass in given["masses"]:
            system.addParticle(mass)
        for i, j, distance in given["constraints"]:
            system.addConstraint(first + i, first + j, distance)
        if site is not None:
            system.setVirtualSite(first + 3, openmm.ThreeParticleAverageSite(first, first + 1, first + 2,
                                                                             1 - 2 * site, site, site))
    if given["edges"] is not None:
        a, b, c = given["edges"]
        system.setDefaultPeriodicBoxVectors((a, 0, 0), (0, b, 0), (0, 0, c))
    force = make_force(given)
    system.addForce(force)
    if given["friction_per_ps"] is None:
        integrator = openmm.VerletIntegrator(given["step_ps"])
    else:
        integrator = openmm.LangevinMiddleIntegrator(given["temperature_K"], given["friction_per_ps"], given["step_ps"])
        integrator.setRandomNumberSeed(SEED)
    context = openmm.Context(system, integrator, cpu_platform(), {"Threads": str(given["threads"])})
    context.setPositions(given["positions"])
    if site is not None:
        context.computeVirtualSites()
    context.setVelocitiesToTemperature(given["temperature_K"], SEED)
    return context, force


def potential(context):
    return context.getState(getEnergy=True).getPotentialEnergy().value_in_unit(KJ_MOL)


def energy(given):
    context, force = make_context(given)
    both = potential(context)
    for k in range(force.getNumParticles()):
        _, sigma, epsilon = force.getParticleParameters(k)
        force.setParticleParameters(k, 0.0, sigma, epsilon)
    force.updateParametersInContext(context)
    lj = potential(context)
    return {"lj": lj, "coulomb": both - lj}


def forces(given):
    state = make_context(given)[0].getState(getForces=True)
    return {"forces": [tuple(f) for f in state.getForces().value_in_unit(PER_NM)]}


def shares(context, step):
    """Pairs and mesh evaluated by themselves, % of the seconds of a step."""
    taken = {}
    for name, group in (("pairs", PAIRS), ("mesh", MESH)):
        begin = time.perf_counter()
        for _ in range(EVALUATIONS):
            context.getState(getEnergy=True, groups={group})
        taken[name] = 100 * (time.perf_counter() - begin) / EVALUATIONS / step
    return taken


def run(given, steps):
    # One more thread waits for those that work. On a processor of its own it takes longer to wake them, and be woken.
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-given["threads"]:])
    context = make_context(given)[0]
    integrator = context.getIntegrator()
    warm_up = steps // 2
    integrator.step(warm_up)
    begin = time.perf_counter()
    integrator.step(steps - warm_up)
    seconds = time.perf_counter() - begin
    if not math.isfinite(potential(context)):
        sys.exit(f"OpenMM's energy after {steps} steps is no number")
    answer = {"steps": steps - warm_up, "seconds": seconds}
    if given["method"] == "PME":
        answer["shares"] = shares(context, seconds / (steps - warm_up))
    return answer


def main(task, path=None, steps="0"):
    if task == "version":
        answer = version()
    else:
        with open(path, encoding="ascii") as file:
            given = json.load(file)
        answer = {"energy": energy, "forces": forces}[task](given) if task != "run" else run(given, int(steps))
    print(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
