"""numpy_samples.py INPUT OUTPUT step-map | npz | csv: one step map of a million samples by least squares, or reading them."""

import sys

import numpy

from server import read_numbers, serve

source, target, what = sys.argv[1:4]
STEP = 0.05

if what == "step-map":
    states = read_numbers(source, "states", 2, 1_000_000).T.copy()

    def work():
        return numpy.linalg.lstsq(states[:-1], states[1:], rcond=None)[0]

    def answer(step_map):
        return {"frequency": numpy.abs(numpy.log(numpy.linalg.eigvals(step_map).astype(complex)).imag).max() / STEP}

elif what == "npz":

    def work():
        with numpy.load(f"{source}/samples.npz") as arrays:
            return arrays["t"], arrays["x"]

    def answer(arrays):
        return {"states": arrays[1].reshape(-1, 2).T}

else:

    def work():
        return numpy.loadtxt(f"{source}/samples.csv", delimiter=",", skiprows=1)

    def answer(table):
        return {"states": table[:, 1:].T}


serve(work, answer, target)
