"""SLICOT through Octave's control package: `n4sid`

The same, less its means. Order and number of block rows are chosen by a free run.
"""

from held_system import describe, orders_and_rows  # noqa: F401
from slicot import octave


def settings_driven(y, u):
    return orders_and_rows(y, u)


def fit_driven(t, y, u, setting):
    return octave.fit("n4sid", y, u, setting)
