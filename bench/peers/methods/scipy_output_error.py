"""scipy.optimize: output error

The same, less its means: `least_squares` of the simulation's error with exact derivatives, in modal coordinates, where every mode is
a recursive filter, from what nfoursid finds; channels count by their size. Order, and block rows of the start, are chosen by a
free run.
"""

import numpy
import scipy.optimize
import scipy.signal

from held_system import HeldSystem, describe  # noqa: F401
import nfoursid_driven


def settings_driven(y, u):
    return [s for s in nfoursid_driven.settings_driven(y, u) if s[1] == 15]


class Modes:
    """Poles inside the unit circle, of a conjugate pair one; x = Σ_j B_j (filter of u_j), ŷ = Re C x + D u."""

    def __init__(self, start, y, u):
        values, vectors = numpy.linalg.eig(start.phi)
        values = numpy.where(abs(values) > 0.999, 0.999 * values / abs(values), values)
        keep = values.imag >= 0
        self.real = values[keep].imag == 0
        self.y, self.u, self.sizes = y, u, y.std(axis=0)
        b = numpy.linalg.solve(vectors, start.gamma.astype(complex))[keep]
        c = (start.c @ vectors)[:, keep] * numpy.where(self.real, 1, 2)
        # Each mode is scaled so that the largest entry of its column of C is one, and stays so.
        self.largest = abs(c).argmax(axis=0)
        scale = c[self.largest, range(len(self.largest))]
        self.start = (values[keep], b * scale[:, None], c / scale, start.d)

    def pack(self, poles, b, c, d):
        return numpy.concatenate([x.ravel() for z in (poles, b, c) for x in (z.real, z.imag)] + [d.ravel()])

    def unpack(self, x):
        k, m, l = len(self.largest), self.u.shape[1], self.y.shape[1]
        cut = numpy.split(x, numpy.cumsum([k, k, k * m, k * m, k * l, k * l]))
        poles = cut[0] + 1j * numpy.where(self.real, 0, cut[1])
        b = (cut[2] + 1j * numpy.where(numpy.repeat(self.real, m), 0, cut[3])).reshape(k, m)
        c = (cut[4] + 1j * cut[5]).reshape(l, k)
        c = numpy.where(self.real, c.real, c)
        c[self.largest, range(k)] = 1
        return poles, b, c, cut[6].reshape(l, m)

    def responses(self, poles):
        """Of every mode to every input, and how they move with the pole."""
        u = self.u.T.astype(complex)
        once = numpy.array([scipy.signal.lfilter([0, 1], [1, -p], u) for p in poles])
        return once, numpy.array([scipy.signal.lfilter([0, 1], [1, -p], r) for p, r in zip(poles, once)])

    def residuals(self, x):
        poles, b, c, d = self.unpack(x)
        if (abs(poles) >= 1).any():
            return numpy.full(self.y.size, 1e6)
        states = numpy.einsum("kjt,kj->kt", self.responses(poles)[0], b)
        return (((c @ states).real.T + self.u @ d.T - self.y) / self.sizes).ravel()

    def jacobian(self, x):
        poles, b, c, d = self.unpack(x)
        once, twice = self.responses(poles)
        l, samples = self.y.shape[1], len(self.y)
        states, slopes = (numpy.einsum("kjt,kj->kt", r, b) for r in (once, twice))
        columns = []

        def add(complex_columns, fixed):
            """`complex_columns` [k, …, t, l] by the real part of an unknown, then by its imaginary one."""
            for unit in (1, 1j):
                part = (unit * complex_columns).real
                if unit == 1j:
                    part[fixed] = 0
                columns.append((part / self.sizes).reshape(-1, samples * l))

        add(slopes[:, :, None] * c.T[:, None, :], self.real)
        add(once[:, :, :, None] * c.T[:, None, None, :], self.real)
        by_c = numpy.zeros((l, len(poles), samples, l), complex)
        for i in range(l):
            by_c[i, :, :, i] = states
            by_c[i, self.largest == i] = 0
        for unit in (1, 1j):
            part = (unit * by_c).real
            if unit == 1j:
                part[:, self.real] = 0
            columns.append((part / self.sizes).reshape(-1, samples * l))
        by_d = numpy.zeros((l, self.u.shape[1], samples, l))
        for i in range(l):
            by_d[i, :, :, i] = self.u.T
        columns.append((by_d / self.sizes).reshape(-1, samples * l))
        return numpy.concatenate(columns).T

    def system(self, x, y, u):
        poles, b, c, d = self.unpack(x)
        blocks = [numpy.array([[p.real, -p.imag], [p.imag, p.real]]) for p in poles]
        k, m = b.shape
        phi = numpy.zeros((2 * k, 2 * k))
        gamma, shown = numpy.empty((2 * k, m)), numpy.empty((len(c), 2 * k))
        for i, block in enumerate(blocks):
            phi[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block
            gamma[2 * i], gamma[2 * i + 1] = b[i].real, b[i].imag
            shown[:, 2 * i], shown[:, 2 * i + 1] = c[:, i].real, -c[:, i].imag
        return HeldSystem.about_means(phi, gamma, shown, d, y, u)


def fit_driven(t, y, u, setting):
    start = nfoursid_driven.fit_driven(t, y, u, setting)
    modes = Modes(start, y - y.mean(axis=0), u - u.mean(axis=0))
    found = scipy.optimize.least_squares(modes.residuals, modes.pack(*modes.start), modes.jacobian, x_scale="jac", max_nfev=50)
    return modes.system(found.x, y, u)
