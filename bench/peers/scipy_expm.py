"""scipy_expm.py INPUT OUTPUT N: scipy.linalg.expm."""

import sys

import scipy.linalg

from server import read_numbers, serve

source, target, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
a = read_numbers(source, "a", n, n)
serve(lambda: scipy.linalg.expm(a), lambda value: {"exp": value}, target)
