"""lgn_fit.py INPUT OUTPUT: the fit of fit_ladder100 through the Python package in the build folder."""

import os
import pathlib
import sys

from server import read_numbers, serve

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, os.path.join(os.environ.get("LGN_BUILD", HERE.parent.parent / "build"), "python"))
import lgn  # noqa: E402

N, RUNS, SAMPLES = 100, 3, 300
source, target = sys.argv[1:3]
t = read_numbers(source, "times", SAMPLES)
X = read_numbers(source, "samples", N, SAMPLES, RUNS).transpose(2, 1, 0).copy()  # run, time, state
channels = [f"{kind}{section}" for section in range(1, N // 2 + 1) for kind in "vi"]
serve(lambda: lgn.fit(t, X, channels=channels), lambda model: {"A": model.A}, target)
