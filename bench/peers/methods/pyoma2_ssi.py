"""pyOMA2: data-driven SSI

Made for the stationary response to unmeasured excitation, which a free decay is not: the row shows what it makes of
data outside its assumptions. One record: all runs side by side, reduced to n principal components; order n. The number of
block rows is chosen by prediction.
"""

import logging

import numpy
from answer import Answer, side_by_side
from pyoma2.algorithms import SSI
from pyoma2.setup import SingleSetup

logging.disable(logging.INFO)


def settings(t, X):
    return [rows for rows in (2, 3, 4, 6, 8, 12, 16, 20, 30) if rows * X.shape[2] <= len(t)]


def describe(setting):
    return f"{setting} block rows"


def fit(t, X, setting):
    n, step = X.shape[2], t[1] - t[0]
    left, sizes, _ = numpy.linalg.svd(side_by_side(X).T, full_matrices=False)
    setup = SingleSetup(left[:, :n] * sizes[:n], fs=1 / step)
    method = SSI(name="ssi", method="dat", br=setting, ordmax=n)
    setup.add_algorithms(method)
    setup.run_by_name("ssi")
    return Answer.of_step_map(method.result.A[-1], step)
