"""pyOMA2: covariance-driven SSI

Orders 2, 4, … 30, standard errors from parts of the record. Modes are what its automatic clustering makes of the
stabilisation diagram, the quick one by average linkage, and standard errors those of the pole that stands for a cluster.
Block rows are tried as the table has them.
"""

import logging

from answer import Modes
from pyoma2.algorithms import SSI
from pyoma2.algorithms.data.run_params import Clustering
from pyoma2.setup import SingleSetup

logging.disable(logging.INFO)


def by_ssi(t, X, method, block_rows):
    setup = SingleSetup(X[0].copy(), fs=1 / (t[1] - t[0]))
    ssi = SSI(name="ssi", method=method, br=block_rows, ordmax=30, step=2, calc_unc=True)
    setup.add_algorithms(ssi)
    setup.run_by_name("ssi")
    ssi.add_clustering(Clustering(name="modes", quick="hier_avg"))
    ssi.run_clustering("modes")
    found = ssi.result.clustering_results["modes"]
    return Modes(found.Fn, found.Xi, found.Fn_std, found.Xi_std)


def fit(t, X, setting):
    return by_ssi(t, X, "cov", int(setting))
