"""scipy_expm_multiply.py INPUT OUTPUT: exp(hA) from sample to sample by scipy.sparse.linalg.expm_multiply."""

import sys

import numpy
import scipy.sparse
import scipy.sparse.linalg

from server import read_numbers, serve

RUNS, SAMPLES, STEP = 4, 300, 0.1
source, target = sys.argv[1], sys.argv[2]
rows, columns, values = (read_numbers(source, name, -1) for name in ("rows", "columns", "values"))
x0 = read_numbers(source, "x0", -1, RUNS)
n = len(x0)
a = STEP * scipy.sparse.csr_matrix((values, (rows.astype(int), columns.astype(int))), (n, n))
trace = a.diagonal().sum()


def states():
    x = numpy.ascontiguousarray(x0)
    for _ in range(SAMPLES - 1):
        x = scipy.sparse.linalg.expm_multiply(a, x, traceA=trace)
    return x


serve(states, lambda last: {"last": last}, target)
