"""scipy_mle.py INPUT OUTPUT WAY [REPEATS]: maximum likelihood of the noisy ladder by scipy.optimize.least_squares.

The unknowns are θ = (S above its diagonal row by row, d), d ≥ 0, and the start of every run.
WAY is `2-point`: SciPy takes differences of the residuals; `analytic`: it is given their Jacobian;
`projected`: θ alone, with the starts that fit best (variable projection) and Kaufman's Jacobian.
With REPEATS it is a bootstrap: so many artificial data sets are fitted from the model's θ and starts, for their poles.
"""

import sys

import numpy
import scipy.linalg
import scipy.optimize

from server import read_numbers, serve

N, RUNS, SAMPLES, STEP = 6, 5, 300, 0.1
source, target, way = sys.argv[1:4]
repeats = int(sys.argv[4]) if len(sys.argv) > 4 else 0

ROW, COLUMN = numpy.triu_indices(N, 1)
COUPLINGS = len(ROW)
P = COUPLINGS + N
LOWER = numpy.r_[numpy.full(COUPLINGS, -numpy.inf), numpy.zeros(N)]
UNBOUNDED = numpy.full(N * RUNS, -numpy.inf)


def generator(theta):
    skew = numpy.zeros((N, N))
    skew[ROW, COLUMN] = theta[:COUPLINGS]
    return skew - skew.T - numpy.diag(theta[COUPLINGS:])


DIRECTIONS = numpy.array([generator(unit) for unit in numpy.eye(P)])


def powers(step_map):
    """Φ, Φ², Φ⁴ …: with them the number of samples doubles in every product."""
    result = [step_map]
    while 2 ** len(result) < SAMPLES:
        result.append(result[-1] @ result[-1])
    return result


def trajectories(maps, starts):
    """States, n × (sample, start)."""
    width = starts.shape[1]
    states = numpy.empty((N, SAMPLES * width))
    states[:, :width] = starts
    have = width
    for step_map in maps:
        more = min(have, SAMPLES * width - have)
        numpy.matmul(step_map, states[:, :more], out=states[:, have : have + more])
        have += more
    return states


def step_derivatives(a):
    """Derivatives of exp(hA) along every direction, by A's eigenvectors: p × n × n."""
    values, right = numpy.linalg.eig(STEP * a)
    left = numpy.linalg.inv(right)
    difference = values[:, None] - values
    exponential = numpy.exp(values)
    # Eigenvalues that nearly coincide would lose digits; those of a ladder do not.
    numpy.fill_diagonal(difference, 1)
    quotient = (exponential[:, None] - exponential) / difference
    numpy.fill_diagonal(quotient, exponential)
    return (right @ (left @ (STEP * DIRECTIONS) @ right * quotient) @ left).real


def derivatives(a, maps, states, result):
    """Derivatives of all states along every direction, into p × n × (sample, run)."""
    map_derivatives = step_derivatives(a)
    result[:, :, :RUNS] = 0
    have = RUNS
    for step_map in maps:
        more = min(have, SAMPLES * RUNS - have)
        part = result[:, :, have : have + more]
        numpy.matmul(map_derivatives, states[:, :more], out=part)
        part += step_map @ result[:, :, :more]
        map_derivatives = map_derivatives @ step_map + step_map @ map_derivatives
        have += more


class Fit:
    """Residuals of one data set, in the order channel, sample, run, and their Jacobian at the last unknowns."""

    def __init__(self, samples):
        self.target = samples.reshape(N * SAMPLES, RUNS)

    def propagate(self, theta):
        self.a = generator(theta)
        self.maps = powers(scipy.linalg.expm(STEP * self.a))

    def residuals(self, x):
        self.propagate(x[:P])
        self.states = trajectories(self.maps, x[P:].reshape(N, RUNS))
        return self.states.ravel() - self.target.ravel()

    def jacobian(self, x):
        transposed = numpy.zeros((P + N * RUNS, N, SAMPLES * RUNS))
        derivatives(self.a, self.maps, self.states, transposed[:P])
        flow = trajectories(self.maps, numpy.eye(N)).reshape(N, SAMPLES, N)
        by_start = transposed[P:].reshape(N, RUNS, N, SAMPLES, RUNS)
        for run in range(RUNS):
            by_start[:, run, :, :, run] = flow.transpose(2, 0, 1)
        return transposed.reshape(P + N * RUNS, -1).T

    def projected_residuals(self, theta):
        self.propagate(theta)
        self.flow = trajectories(self.maps, numpy.eye(N)).reshape(N * SAMPLES, N)
        self.factor = scipy.linalg.cho_factor(self.flow.T @ self.flow, check_finite=False)
        starts = scipy.linalg.cho_solve(self.factor, self.flow.T @ self.target, check_finite=False)
        self.states = (self.flow @ starts).reshape(N, SAMPLES * RUNS)
        return self.states.ravel() - self.target.ravel()

    def projected_jacobian(self, theta):
        moved = numpy.empty((P, N, SAMPLES * RUNS))
        derivatives(self.a, self.maps, self.states, moved)
        moved = moved.reshape(P, N * SAMPLES, RUNS)
        shared = (self.flow.T @ moved).transpose(1, 0, 2).reshape(N, P * RUNS)
        shared = scipy.linalg.cho_solve(self.factor, shared, check_finite=False)
        moved -= self.flow @ shared.reshape(N, P, RUNS).transpose(1, 0, 2)
        return moved.reshape(P, -1).T

    def solve(self, theta, starts):
        # dogbox puts unknowns on their bounds, and is about three times as fast here as trf, the default. From a start
        # on a bound it needs more steps. Tolerances are the loosest that give the answer.
        theta = numpy.r_[theta[:COUPLINGS], numpy.maximum(theta[COUPLINGS:], 1e-3)]
        if way == "projected":
            functions = (self.projected_residuals, self.projected_jacobian)
            x, lower, tolerance = theta, LOWER, 1e-6
        else:
            functions = (self.residuals, self.jacobian if way == "analytic" else "2-point")
            x, lower, tolerance = numpy.r_[theta, starts.ravel()], numpy.r_[LOWER, UNBOUNDED], 1e-4
        residuals, jacobian = functions
        return scipy.optimize.least_squares(
            residuals, x, jacobian, bounds=(lower, numpy.inf), method="dogbox", ftol=tolerance, xtol=tolerance
        ).x[:P]


def poles(theta):
    values = numpy.linalg.eigvals(generator(theta))
    values = values[numpy.lexsort((values.imag, values.real, abs(values.imag)))]
    return numpy.r_[values.real, values.imag]


theta = read_numbers(source, "theta", P)
starts = read_numbers(source, "starts", N, RUNS).copy(order="C")
samples = read_numbers(source, "samples", N, SAMPLES, RUNS, max(repeats, 1))
fits = [Fit(samples[..., b].copy(order="C")) for b in range(samples.shape[-1])]

if repeats:
    serve(
        lambda: [poles(fit.solve(theta, starts)) for fit in fits], lambda found: {"poles": numpy.array(found).T}, target
    )
else:
    serve(lambda: fits[0].solve(theta, starts), lambda found: {"theta": found}, target)
