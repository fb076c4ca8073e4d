"""A discrete system with held inputs, x[k+1] = Φ x[k] + Γ u[k], y = C x + D u + rest, and what it predicts."""

from __future__ import annotations

import dataclasses

import numpy

KNOWN = 60  # samples that tell the state a free run begins with


@dataclasses.dataclass
class HeldSystem:
    phi: numpy.ndarray
    gamma: numpy.ndarray
    c: numpy.ndarray
    d: numpy.ndarray
    rest: numpy.ndarray  # of y, where u is zero
    seconds: float | None = None  # of processor time, where another process did the work

    @classmethod
    def about_means(cls, phi, gamma, c, d, y, u, seconds=None):
        """Of a system that was found for y and u less their means."""
        return cls(phi, gamma, c, d, y.mean(axis=0) - static_gain(phi, gamma, c, d) @ u.mean(axis=0), seconds)

    def good(self):
        return all(numpy.isfinite(m).all() for m in (self.phi, self.gamma, self.c, self.d, self.rest))

    def free_run(self, y, u):
        """ŷ from the state that fits the first KNOWN samples best."""
        x, shown, seen, flow = numpy.zeros(len(self.phi)), [], [], numpy.eye(len(self.phi))
        for k, row in enumerate(u):
            shown.append(self.c @ x + self.d @ row + self.rest)
            if k < KNOWN:
                seen.append(self.c @ flow)
                flow = self.phi @ flow
            x = self.phi @ x + self.gamma @ row
        shown = numpy.array(shown)
        start = numpy.linalg.lstsq(numpy.concatenate(seen), (y - shown)[:KNOWN].ravel(), rcond=None)[0]
        for k in range(len(shown)):
            shown[k] += self.c @ start
            start = self.phi @ start
        return shown

    def error(self, y, u, truth=None):
        """Root mean square of the free run's error over that of the channels about their means, all channels alike."""
        with numpy.errstate(all="ignore"):
            wrong = self.free_run(y, u) - (y if truth is None else truth)
            return numpy.sqrt(((wrong / y.std(axis=0)) ** 2).mean())


def static_gain(phi, gamma, c, d):
    return c @ numpy.linalg.lstsq(numpy.eye(len(phi)) - phi, gamma, rcond=None)[0] + d


ORDERS = (2, 4, 6, 8, 10, 12, 14)


def orders_and_rows(y, u):
    """Orders and numbers of block rows that the record is long enough for."""
    enough = len(y) // (4 * (y.shape[1] + u.shape[1]))
    return [(n, rows) for rows in (15, 25) if rows < enough for n in ORDERS if n < rows]


def describe(setting):
    return f"{setting[0]} states, {setting[1]} block rows"
