"""PyDMD: BOPDMD (variable projection)

All runs side by side as channels of one decay, rank n, projected on the n principal components; it starts from the
poles of total least squares (growing ones made to decay), and iterates up to 100 times, to a tolerance of 1e-12. Every
run has mode shapes of its own, since the package takes one record.
"""

import numpy
from pydmd import BOPDMD

from answer import Answer, side_by_side
from pydmd_dmd import by_dmd


def fit(t, X, _):
    start = by_dmd(t, X, total_least_squares=True).poles
    start = numpy.minimum(start.real, -1e-3) + 1j * start.imag
    options = {"tol": 1e-12, "maxiter": 100}
    dmd = BOPDMD(svd_rank=X.shape[2], init_alpha=start, varpro_opts_dict=options)
    return Answer(dmd.fit(side_by_side(X), t).eigs)
