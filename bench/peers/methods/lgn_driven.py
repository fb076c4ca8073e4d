"""lgn, all defaults

The first half of the record: order, hold, feedthrough and noise model are its own choice.
"""

import lgn
import numpy
import scipy.linalg

from held_system import HeldSystem


def fit_driven(t, y, u, _):
    model = lgn.fit(t, y, u=u, progress=False)
    a, b, c = (numpy.array(m) for m in (model.A, model.B, model.C))
    d = numpy.zeros((len(c), b.shape[1])) if model.D is None else numpy.array(model.D)
    rest = numpy.array(model.offset)
    n, m = b.shape
    step = t[1] - t[0]
    matrix = numpy.zeros((n + 2 * m, n + 2 * m))
    matrix[:n, :n], matrix[:n, n : n + m] = step * a, step * b
    matrix[n : n + m, n + m :] = numpy.eye(m)
    all_ = scipy.linalg.expm(matrix)
    phi, first, second = all_[:n, :n], all_[:n, n : n + m], all_[:n, n + m :]
    if model.hold == "zoh":
        return HeldSystem(phi, first, c, d, rest)
    # x′ = x − Γ₁ u of inputs that are straight lines between samples.
    return HeldSystem(phi, first - second + phi @ second, c, d + c @ second, rest)
