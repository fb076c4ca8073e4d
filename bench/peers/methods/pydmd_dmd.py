"""PyDMD: DMD

All pairs of neighbouring samples of all runs, rank n; poles are logarithms of its eigenvalues.
"""

import numpy
from pydmd import DMD

from answer import Answer


def neighbours(X):
    """Samples and their successors, [channel, pair]."""
    n = X.shape[2]
    return X[:, :-1].reshape(-1, n).T, X[:, 1:].reshape(-1, n).T


def by_dmd(t, X, total_least_squares):
    n = X.shape[2]
    before, after = neighbours(X)
    dmd = DMD(svd_rank=n, tlsq_rank=n if total_least_squares else 0, exact=False).fit(before, after)
    poles = numpy.log(dmd.eigs.astype(complex)) / (t[1] - t[0])
    return Answer(poles, (dmd.modes * poles @ numpy.linalg.inv(dmd.modes)).real)


def fit(t, X, _):
    return by_dmd(t, X, total_least_squares=False)
