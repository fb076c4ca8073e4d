"""nfoursid: N4SID

The same, less its means. Order and number of block rows are chosen by a free run.
"""

import numpy
import pandas
from nfoursid.nfoursid import NFourSID

from held_system import HeldSystem, describe, orders_and_rows  # noqa: F401


def settings_driven(y, u):
    return orders_and_rows(y, u)


def fit_driven(t, y, u, setting):
    order, rows = setting
    outputs = [f"y{k}" for k in range(y.shape[1])]
    inputs = [f"u{k}" for k in range(u.shape[1])]
    frame = pandas.DataFrame(numpy.hstack([y - y.mean(axis=0), u - u.mean(axis=0)]), columns=outputs + inputs)
    method = NFourSID(frame, output_columns=outputs, input_columns=inputs, num_block_rows=rows)
    method.subspace_identification()
    found, _ = method.system_identification(rank=order)
    return HeldSystem.about_means(found.a, found.b, found.c, found.d, y, u)
