"""pydmd_hidden.py INPUT OUTPUT WAY: forty hidden states of a long record of one channel, by PyDMD.

WAY is `hankel`: DMD of rank 40 of windows of 200 samples and those a sample later, every twentieth pair of them; with
all of them, as `HankelDMD` has it, it takes more than a minute. `bopdmd`: windows a hundred samples apart, so that each
sample is in two of them, rank 40, from the poles of DMD.
"""

import sys
import warnings

import numpy
from pydmd import BOPDMD, DMD

from server import read_numbers, serve

STATES, RATE, ROWS = 40, 44100.0, 200
warnings.simplefilter("ignore")  # of the condition of the data, which noise sees to
source, target, way = sys.argv[1:4]
y = read_numbers(source, "samples", 1, -1)[0]


def windows(apart):
    """Those from every so many samples on, and those a sample later, [sample of the window, window]."""
    views = numpy.lib.stride_tricks.sliding_window_view(y, ROWS + 1)[::apart].T
    return views[:-1].copy(), views[1:].copy()


def poles_of(before, after):
    found = DMD(svd_rank=STATES, exact=False).fit(before, after)
    return numpy.log(found.eigs.astype(complex)) * RATE


def bopdmd():
    apart = 100
    before, after = windows(apart)
    start = poles_of(before, after)
    start = -abs(start.real) + 1j * start.imag
    # Ended where an iteration gains a thousandth; to go on changes no pole by a hundredth of its error.
    options = {"tol": 1e-12, "maxiter": 30, "eps_stall": 1e-3}
    found = BOPDMD(svd_rank=STATES, init_alpha=start, varpro_opts_dict=options)
    return found.fit(before, numpy.arange(before.shape[1]) * apart / RATE).eigs


def answer(poles):
    poles = poles[poles.imag > 0]
    poles = poles[numpy.argsort(poles.imag)]
    return {"poles": numpy.array([poles.real, poles.imag])}


serve(bopdmd if way == "bopdmd" else lambda: poles_of(*windows(20)), answer, target)
