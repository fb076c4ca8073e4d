"""Records with inputs, generated like those of DaISy: several inputs and channels, noise that is not white."""

from __future__ import annotations

import dataclasses

import numpy
import scipy.linalg
import scipy.signal


@dataclasses.dataclass
class Record:
    states: int
    inputs: int
    channels: int
    samples: int  # of which the first half is given, and the second predicted
    noise: float  # relative to the standard deviation of each channel's response
    feedthrough: bool = False
    steps: bool = True  # inputs are steps at random times, else first-order noise

    @property
    def name(self):
        kind = "steps" if self.steps else "noise"
        return f"{self.states} states, {self.inputs} inputs ({kind}), {self.channels} channels, {self.samples:,} samples"


RECORDS = [
    Record(4, 2, 2, 1000, 0.1),
    Record(4, 2, 1, 1500, 0.2, steps=False),
    Record(6, 2, 2, 2000, 0.1, feedthrough=True),
    Record(6, 3, 2, 1000, 0.05, steps=False),
    Record(8, 2, 2, 4000, 0.1),
    Record(8, 3, 3, 2000, 0.1, steps=False),
    Record(8, 4, 2, 6000, 0.2),
    Record(10, 2, 2, 10000, 0.1, steps=False),
    Record(10, 3, 2, 3000, 0.05),
    Record(12, 4, 3, 5000, 0.1, feedthrough=True),
]
FIRST_SEED = 2001  # on which no method was tried while it was written


def system(record, random):
    """Continuous A, B, C and D in units of a sample: pairs of 3 to 40 samples' periods, a real pair of poles at times."""
    blocks = []
    for k in range(record.states // 2):
        if k == 0 and random.random() < 0.5:
            blocks.append(-numpy.diag(numpy.exp(random.uniform(numpy.log(0.02), numpy.log(0.5), 2))))
            continue
        rate = 2 * numpy.pi / numpy.exp(random.uniform(numpy.log(3), numpy.log(40)))
        damping = numpy.exp(random.uniform(numpy.log(0.02), numpy.log(0.3)))
        blocks.append(rate * numpy.array([[0, 1], [-1, -2 * damping]]))
    a = scipy.linalg.block_diag(*blocks)
    # So that all modes respond alike to noise as wide as theirs.
    b = random.normal(size=(record.states, record.inputs)) * numpy.sqrt(abs(numpy.diag(a)) + 0.02)[:, None]
    c = random.normal(size=(record.channels, record.states))
    d = random.normal(size=(record.channels, record.inputs)) * (1.0 if record.feedthrough else 0.0)
    return a, b, c, d


def excite(record, random):
    if record.steps:
        held = random.random((record.inputs, record.samples)) < 0.15
        held[:, 0] = True
        levels = random.normal(size=held.shape)
        place = numpy.maximum.accumulate(numpy.where(held, numpy.arange(record.samples), 0), axis=1)
        return numpy.take_along_axis(levels, place, axis=1)
    return scipy.signal.lfilter([0.6], [1, -0.8], random.normal(size=(record.inputs, record.samples)))


def respond(phi, moved, c):
    """C x for x[k+1] = Φ x[k] + moved[k], from rest."""
    x, shown = numpy.zeros(len(phi)), []
    for row in moved:
        shown.append(c @ x)
        x = phi @ x + row
    return numpy.array(shown)


def make(record, seed):
    """t, y and u [sample, …] and what y is without noise: forces on the states and first-order noise of the sensors, of equal size."""
    random = numpy.random.default_rng(seed)
    a, b, c, d = system(record, random)
    n, m = b.shape
    both = scipy.linalg.expm(numpy.block([[a, b], [numpy.zeros((m, n + m))]]))
    phi, gamma = both[:n, :n], both[:n, n:]
    u = excite(record, random)
    clean = respond(phi, (gamma @ u).T, c) + (d @ u).T
    forces = respond(phi, random.normal(size=(record.samples, n)) * numpy.linalg.norm(gamma, axis=1), c)
    slow = scipy.signal.lfilter([1], [1, -0.9], random.normal(size=clean.shape), axis=0)
    size = record.noise / numpy.sqrt(2) * clean.std(axis=0)
    y = clean + size * (forces / forces.std(axis=0) + slow / slow.std(axis=0))
    rest = random.normal(size=record.channels)
    return {"t": numpy.arange(float(record.samples)), "y": y + rest, "u": u.T, "clean": clean + rest}


def write(folder):
    files = []
    for seed, record in enumerate(RECORDS, start=FIRST_SEED):
        files.append(folder / f"record-{seed}.npz")
        numpy.savez(files[-1], **make(record, seed))
    return files
