"""scipy_driven.py INPUT OUTPUT: maximum likelihood of a driven system by scipy.optimize.least_squares, with standard errors.

What methods/scipy_output_error.py does, from what nfoursid finds: modes as recursive filters, exact derivatives. Initial states are what an
impulse before the first sample does. Channels are weighed by their noise, until that does not change any more.
"""

import pathlib
import sys

import numpy
import scipy.linalg
import scipy.optimize

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE / "identify"), str(HERE / "methods")]
import nfoursid_driven  # noqa: E402
from scipy_output_error import Modes  # noqa: E402
from server import read_numbers, serve  # noqa: E402

STATES, SAMPLES, ROWS = 8, 2000, 15
source, target = sys.argv[1:3]
y = read_numbers(source, "samples", 2, SAMPLES).T.copy()
u = read_numbers(source, "inputs", 2, SAMPLES).T.copy()
# A sample before the first, at which channels show nothing.
late_y = numpy.vstack([numpy.zeros(2), y])
late_u = numpy.zeros((SAMPLES + 1, 3))
late_u[1:, :2], late_u[0, 2] = u, 1


def work():
    start = nfoursid_driven.fit_driven(None, y, u, (STATES, ROWS))
    start.gamma = numpy.hstack([start.gamma, numpy.zeros((STATES, 1))])
    start.d = numpy.hstack([start.d, numpy.zeros((2, 1))])
    modes = Modes(start, late_y, late_u)
    x, change = modes.pack(*modes.start), 1
    while change > 1e-6:
        found = scipy.optimize.least_squares(
            modes.residuals, x, modes.jacobian, x_scale="jac", xtol=1e-8, ftol=1e-12, gtol=1e-8
        )
        x = found.x
        noise = modes.sizes * found.fun.reshape(late_y.shape).std(axis=0)
        change = abs(noise / modes.sizes - 1).max()
        modes.sizes = noise
    scipy.linalg.pinvh(found.jac.T @ found.jac)
    return numpy.log(modes.unpack(x)[0])


def answer(poles):
    poles = poles[numpy.argsort(abs(poles))]
    return {"poles": numpy.array([poles.real, poles.imag])}


serve(work, answer, target)
