"""The peer's side of a benchmark, as a small server that bench/run drives: the same protocol as bench/main.cpp."""

import sys
import time

import numpy


def read_numbers(folder, name, *shape):
    """Raw doubles, column by column, as lgn-bench writes them."""
    return numpy.fromfile(f"{folder}/{name}.f64").reshape(shape, order="F")


def write_numbers(folder, name, values):
    numpy.asarray(values).ravel(order="F").tofile(f"{folder}/{name}.f64")


def serve(work, answer, folder):
    """Evaluates `work` once, writes answer(result) to `folder`, and then measures on request."""
    for name, values in answer(work()).items():
        write_numbers(folder, name, values)
    print("ready", flush=True)
    for line in sys.stdin:
        work()  # the other side has used the caches meanwhile
        seconds = []
        while sum(seconds) < float(line):
            start = time.process_time()  # why not the clock on the wall: see bench/main.cpp
            work()
            seconds.append(time.process_time() - start)
        print(*seconds, flush=True)
