"""The data that all methods get, as files with t, X [run, sample, channel], truth; of free decays starts and sigma."""

from __future__ import annotations

import dataclasses

import lgn
import numpy
import scipy.integrate


@dataclasses.dataclass
class Problem:
    name: str
    sections: int
    runs: int
    noise: float  # relative to the standard deviation of the clean data
    seeds: int
    integrated: bool = False  # by an adaptive method to 1e-8, in place of the exact solution


SIX = [Problem(f"six-{100 * noise:g}", 3, 5, noise, 5) for noise in (0.01, 0.05, 0.1)]
HUNDRED = [Problem("hundred-clean", 50, 3, 0, 1, integrated=True), Problem("hundred-1", 50, 3, 0.01, 1)]


@dataclasses.dataclass
class Vibration:
    """A tower of five floors that white forces shake, a sensor on each; 1% damping, the lowest mode at 1 Hz."""

    name: str
    samples: int
    step: float
    noise: float  # relative to the standard deviation of each channel
    seeds: int
    first: int = 1  # of the seeds


# Seeds on which no method was tried while it was written.
TOWER = Vibration("tower", 60_000, 0.05, 0.05, 20, first=1001)


def integrate(generator, t, start):
    """As the paper's data were made."""
    solution = scipy.integrate.solve_ivp(
        lambda _, x: generator @ x, (t[0], t[-1]), start, t_eval=t, rtol=1e-8, atol=1e-10
    )
    return solution.y.T


def make(problem, seed):
    """The arrays of one data set; starts of decays are random, of energy 1."""
    if isinstance(problem, Vibration):
        # Exact in discrete time, from the stationary distribution on.
        end = (problem.samples - 0.5) * problem.step
        data = lgn.generate("tower", t1=end, dt=problem.step, noise=problem.noise, seed=seed)
        return {"t": numpy.array(data.t), "X": numpy.array(data.X)[None], "truth": numpy.array(data.truth.A)}
    options = {"sections": problem.sections, "trajectories": problem.runs, "t1": 30, "dt": 0.1, "seed": seed}
    data, clean = lgn.generate("ladder", noise=problem.noise, **options), lgn.generate("ladder", **options)
    t, X, truth = numpy.array(data.t), numpy.array(data.X), numpy.array(clean.truth.A)
    if problem.integrated:
        X = numpy.stack([integrate(truth, t, run[0]) for run in X])
    return {"t": t, "X": X, "truth": truth, "starts": clean.X[:, 0], "sigma": problem.noise * clean.X.std()}


def write(problem, folder):
    """The files, one for each seed."""
    first = getattr(problem, "first", 1)
    files = [folder / f"{problem.name}-{seed}.npz" for seed in range(first, first + problem.seeds)]
    for seed, file in enumerate(files, start=first):
        numpy.savez(file, **make(problem, seed))
    return files
