"""lgn, record ambient

The record, and that nobody measured what shakes it: the number of modes, their parameters and standard errors are its
own. What it marks as spurious is left out.
"""

import lgn

from answer import Modes


def fit(t, X, _):
    found = lgn.fit(t, X[0], record="ambient", progress=False).to_dict()["modes"]
    modes = [mode for mode in found if mode["im"] > 0 and not mode["spurious"]]  # conjugates are one
    values = [[mode[name] for mode in modes] for name in ("frequency_hz", "damping_ratio")]
    errors = [[mode["se"][name] for mode in modes] for name in ("frequency_hz", "damping_ratio")]
    return Modes(*values, *errors)
