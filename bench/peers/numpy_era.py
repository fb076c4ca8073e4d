"""numpy_era.py INPUT OUTPUT WAY: forty hidden states of a long record of one channel.

WAY is `era`: the eigensystem realisation algorithm by the Gram matrix of its Hankel matrix, poles without errors;
`displacement`: the same, the Gram matrix in O(samples × rows), since it hardly changes along its diagonals;
`least-squares`: these poles refined by scipy.optimize.least_squares, amplitudes eliminated, analytic Jacobian
(Kaufman's), covariance.
"""

import sys

import numpy
import scipy.linalg
import scipy.optimize

from server import read_numbers, serve

# With half as many rows the nearest modes are not told apart; twice as many take four times as long and gain a quarter.
STATES, RATE, ROWS = 40, 44100.0, 200
source, target, way = sys.argv[1:4]
y = read_numbers(source, "samples", 1, -1)[0]
t = numpy.arange(len(y)) / RATE


def gram_by_products():
    """Of blocks that stay in the cache; of the view itself NumPy would not use BLAS."""
    windows = numpy.lib.stride_tricks.sliding_window_view(y, ROWS)
    gram = numpy.zeros((ROWS, ROWS))
    for begin in range(0, len(windows), 4096):
        block = numpy.ascontiguousarray(windows[begin : begin + 4096])
        gram += block.T @ block
    return gram


def gram_by_displacement():
    """G[i+1, j+1] = G[i, j] − y[i] y[j] + y[i+N] y[j+N] for N columns."""
    columns = len(y) - ROWS + 1
    gram = numpy.zeros((ROWS, ROWS))
    gram[0] = numpy.correlate(y, y[:columns], "valid")
    for i in range(ROWS - 1):
        leaves, comes = y[i : ROWS - 1], y[i + columns : ROWS - 1 + columns]
        gram[i + 1, i + 1 :] = gram[i, i:-1] - leaves[0] * leaves + comes[0] * comes
    return gram


def era(gram):
    _, vectors = scipy.linalg.eigh(gram, lower=False, subset_by_index=[ROWS - STATES, ROWS - 1])
    step = numpy.linalg.lstsq(vectors[:-1], vectors[1:], rcond=None)[0]
    poles = numpy.log(numpy.linalg.eigvals(step)) * RATE
    poles = poles[poles.imag > 0]
    return poles[numpy.argsort(poles.imag)]


class Projected:
    """Residuals and Jacobian in the poles, amplitudes at their best."""

    def __init__(self):
        self.at = None

    def evaluate(self, x):
        if self.at is not None and numpy.array_equal(x, self.at):
            return
        self.at = x.copy()
        waves = numpy.exp(numpy.outer(t, x[: STATES // 2] + 1j * x[STATES // 2 :]))
        basis = numpy.hstack([waves.real, waves.imag])
        gram = basis.T @ basis
        factor = scipy.linalg.cho_factor(gram)
        amplitude = scipy.linalg.cho_solve(factor, basis.T @ y)
        self.residual = y - basis @ amplitude
        a = amplitude[: STATES // 2] - 1j * amplitude[STATES // 2 :]
        slopes = t[:, None] * waves * a
        jacobian = -numpy.hstack([slopes.real, -slopes.imag])
        self.jacobian = jacobian - basis @ scipy.linalg.cho_solve(factor, basis.T @ jacobian)


def least_squares():
    start = era(gram_by_displacement())
    problem = Projected()

    def residual(x):
        problem.evaluate(x)
        return problem.residual

    def jacobian(x):
        problem.evaluate(x)
        return problem.jacobian

    found = scipy.optimize.least_squares(
        residual, numpy.r_[start.real, start.imag], jac=jacobian, method="lm", x_scale="jac", xtol=1e-9, ftol=1e-10
    )
    numpy.linalg.inv(found.jac.T @ found.jac)  # the covariance, which ours has too
    return found.x[: STATES // 2] + 1j * found.x[STATES // 2 :]


WAYS = {
    "era": lambda: era(gram_by_products()),
    "displacement": lambda: era(gram_by_displacement()),
    "least-squares": least_squares,
}
serve(WAYS[way], lambda poles: {"poles": numpy.array([poles.real, poles.imag])}, target)
