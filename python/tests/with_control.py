"""with_control.py MODEL: what python-control makes of Model.to_control; test_control.py runs it."""

import sys

import control
import numpy as np

import lgn

eps = np.finfo(float).eps
model = lgn.load(sys.argv[1])
n = len(model.A)

system = model.to_control()
assert isinstance(system, control.StateSpace) and system.isctime()
assert system.state_labels == model.states and system.output_labels == model.channels
assert np.array_equal(system.A, model.A) and np.array_equal(system.B, np.eye(n))

# Both find eigenvalues of the same matrix, each to a few ε ‖A‖ times their condition, which is small here.
key = lambda pole: (round(pole.imag, 6), pole.real)  # noqa: E731
assert np.allclose(sorted(system.poles(), key=key), sorted(model.poles, key=key), rtol=0, atol=1e3 * eps)

# Both multiply by exp(A dt) once per sample; each product rounds by about n ε.
times = np.arange(100) * 0.1
free = control.initial_response(system, times, model.x0[0]).outputs
offset = 0 if model.offset is None else model.offset
seen = np.eye(n) if model.C is None else model.C
assert np.array_equal(system.C, seen)
assert np.allclose(free.T + offset, model.simulate(times), rtol=0, atol=100 * n * 10 * eps * (1 + abs(free).max()))

# A step on all states from rest ends where A x + B = 0.
forced = model.to_control(B=np.ones(n))
assert forced.ninputs == 1
rest = -seen @ np.linalg.solve(model.A, np.ones(n))
slowest = -1 / model.poles.real.max()
final = control.step_response(forced, np.linspace(0, 40 * slowest, 4001)).outputs[:, 0, -1]
assert np.allclose(final, rest, rtol=0, atol=1e-9 * abs(rest).max())  # e⁻⁴⁰ is 4e-18; steps round 4001 times

print(f"python-control {control.__version__}")
