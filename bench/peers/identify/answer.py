"""What a method answers, and how its predictions are judged without the truth."""

from __future__ import annotations

import dataclasses

import numpy


@dataclasses.dataclass
class Answer:
    """Poles of the continuous system, and its generator in the channels where the method gives it."""

    poles: numpy.ndarray
    generator: numpy.ndarray | None = None

    @classmethod
    def of_generator(cls, generator):
        return cls(numpy.linalg.eigvals(generator), numpy.asarray(generator))

    @classmethod
    def of_step_map(cls, step_map, step, channels=None):
        """x[k+1] = Φ x[k]; `channels` carries these states to the measured ones, where that can be undone."""
        values, vectors = numpy.linalg.eig(step_map)
        poles = numpy.log(values.astype(complex)) / step
        if channels is None:
            return cls(poles)
        shapes = channels @ vectors
        return cls(poles, (shapes * poles @ numpy.linalg.inv(shapes)).real)

    def good(self, order):
        return len(self.poles) == order and numpy.isfinite(self.poles).all()


@dataclasses.dataclass
class Modes:
    """Modes of random vibration: frequencies (Hz), damping ratios, and their standard errors where a method has them."""

    frequency: numpy.ndarray
    damping: numpy.ndarray
    frequency_error: numpy.ndarray | None = None
    damping_error: numpy.ndarray | None = None


def unexplained(answer, t, X, known):
    """NRMSE of what the answer predicts for samples from `known` on; starts are fitted to those before.

    Without a generator every channel of every run has amplitudes of its own.
    """
    runs, samples, n = X.shape
    if answer.generator is None:
        basis = numpy.exp(numpy.outer(t - t[0], answer.poles))
        data = X.transpose(1, 0, 2).reshape(samples, runs * n)
        first = known
    else:
        values, vectors = numpy.linalg.eig(answer.generator)
        flow = numpy.exp(numpy.outer(t - t[0], values))[:, None, :] * vectors  # sample, channel, mode
        basis = flow.reshape(samples * n, n)
        data = X.reshape(runs, samples * n).T
        first = known * n
    amplitudes = numpy.linalg.lstsq(basis[:first], data[:first].astype(complex), rcond=None)[0]
    wrong = data[first:] - (basis[first:] @ amplitudes).real
    return numpy.sqrt((wrong**2).mean() / (data[first:] ** 2).mean())


def side_by_side(X):
    """[channel of every run, sample]: decays of one system from several starts are one decay with more channels."""
    return X.transpose(0, 2, 1).reshape(-1, X.shape[1])
