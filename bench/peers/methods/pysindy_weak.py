"""pysindy: weak form

All runs; linear terms, 150 windows (3 n if more) with bumps of power 8 in each run, sequentially thresholded least
squares without ridge. Width of the windows and threshold are chosen by prediction.
"""

import itertools

import numpy
import pysindy

from answer import Answer


def settings(t, X):
    return list(itertools.product((1.0, 2.0, 4.0), (0, 0.02, 0.05)))


def describe(setting):
    return "half width {}, threshold {}".format(*setting)


def fit(t, X, setting):
    width, threshold = setting
    numpy.random.seed(1)  # places of the windows
    library = pysindy.WeakPDELibrary(
        pysindy.PolynomialLibrary(degree=1, include_bias=False),
        spatiotemporal_grid=t,
        H_xt=[width],
        p=8,
        K=max(150, 3 * X.shape[2]),
        is_uniform=True,
    )
    model = pysindy.SINDy(feature_library=library, optimizer=pysindy.STLSQ(threshold=threshold, alpha=0))
    model.fit(list(X), t=[t] * len(X))
    return Answer.of_generator(model.coefficients())
