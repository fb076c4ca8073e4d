"""python-control: Markov parameters and eigensystem realization

The same, less its means: `markov` by least squares, then `eigensys_realization`, which is what the package has for records with
inputs (slycot has no routine for them). Order and number of Markov parameters, twice the block rows, are chosen by a free run.
"""

import control

from held_system import HeldSystem, describe, orders_and_rows  # noqa: F401


def settings_driven(y, u):
    return orders_and_rows(y, u)


def fit_driven(t, y, u, setting):
    order, rows = setting
    parameters = control.markov((y - y.mean(axis=0)).T, (u - u.mean(axis=0)).T, m=2 * rows + 1)
    found, _ = control.eigensys_realization(parameters, order, m=rows, n=rows)
    return HeldSystem.about_means(found.A, found.B, found.C, found.D, y, u)
