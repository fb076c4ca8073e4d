"""python-control: eigensystem realization

`eigensys_realization` for impulse responses, which free decays are: the channels are outputs, every run is the answer
to an input of its own, so that all runs share one system of order n. The number of block rows is chosen by prediction, all
other samples are columns.
"""

import control
import numpy

from answer import Answer


def settings(t, X):
    # It takes a full singular value decomposition: more rows than this cost minutes.
    return [rows for rows in (5, 10, 20, 30, 60, 100, 150) if rows * X.shape[2] <= 3000 and rows < len(t) - 1]


def describe(setting):
    return f"{setting} block rows"


def fit(t, X, setting):
    # The sample before the first one would be the feedthrough, which nothing has here.
    responses = numpy.concatenate([numpy.zeros_like(X[:, :1]), X], 1).transpose(2, 0, 1)
    step = t[1] - t[0]
    system, _ = control.eigensys_realization(responses, X.shape[2], m=setting, n=len(t) - setting, dt=step)
    return Answer.of_step_map(system.A, step, system.C)
