#pragma once

// The text of exported Python scripts; not installed.

#include <string_view>

namespace lgn::export_internal {

inline constexpr std::string_view python_head = R"py(#!/usr/bin/env python3
@title@
# dx/dt = @what@. It needs NumPy alone. As a module:
#     x = simulate(times)             a row per time, from x0 at the first
# As a program, for a table of channels as CSV:
#     python3 FILE --t1 T [--t0 T0] [--dt H] [--x0=a,b,...] [--run K]
import argparse
import math
import sys

try:
    import numpy as np
except ImportError:
    sys.exit("this model needs NumPy: python3 -m pip install numpy")

A = @A@@mean@
channels = [@channels@]
starts = @starts@  # x0 of every run
x0 = starts[0] if len(starts) else None
poles = np.array([@poles_re@]) + 1j * np.array([@poles_im@])
time_unit = @unit@
start_times = @start_times@  # of the runs, where the time of day matters
data_begin = @begin@
data_step = @step@
N = len(A)


def norm1(a):
    return np.abs(a).sum(axis=0).max()
)py";

inline constexpr std::string_view python_exponential = R"py(

# Taylor's polynomials of exp with few products: degree, the largest norm, factors of each product
# and the result, as sums of 1, a and earlier products.
taylor = [
    @taylor@]


def mixed(weights, matrices):
    return sum(w * m for w, m in zip(weights, matrices) if w != 0)


def halvings(a, radius, degree):
    """How often a is halved before its series: by the sizes of its powers, which may be far below
    that of a; and more where terms cancel, which would leave their rounding behind."""
    norm = norm1(a)
    b = a / norm
    b2 = b @ b
    b3 = b2 @ b
    d2, d3, d4, d5 = (norm * norm1(p) ** (1 / k)
                      for k, p in ((2, b2), (3, b3), (4, b2 @ b2), (5, b2 @ b3)))
    size = min(max(d2, d3), max(d3, d4), max(d4, d5))
    count = max(0, math.ceil(math.log2(size / radius))) if size > 0 else 0
    grown, power = np.ones(N), (degree + 1) * (math.log2(norm) - count)
    for _ in range(degree + 1):  # power: log2 of the size of |a / 2^count|^(degree + 1)
        grown = np.abs(b).T @ grown
        largest = grown.max()
        if largest == 0:
            return count
        power += math.log2(largest)
        grown = grown / largest
    excess = power - (math.log2(norm) - count) - degree * math.log2(6)
    return count + max(0, math.ceil(excess / degree))


def exponential(a):
    """exp(a) by scaling and squaring."""
    norm = norm1(a)
    if not math.isfinite(norm):
        raise ValueError("the generator is not finite")
    degree, radius, products, result = next((s for s in taylor if norm <= s[1]), taylor[-1])
    squarings = halvings(a, radius, degree) if norm > radius else 0
    powers = [a / 2.0 ** squarings]
    for left, right in products:
        powers.append((mixed(left[1:], powers) + left[0] * np.eye(N))
                      @ (mixed(right[1:], powers) + right[0] * np.eye(N)))
    value = mixed(result[1:], powers) + result[0] * np.eye(N)
    for _ in range(squarings):
        value = value @ value
    return value
)py";

inline constexpr std::string_view python_constant = R"py(

def maps(times):
    """exp(A (t_k+1 - t_k)) for each k; steps that differ by the rounding of times share one."""
    steps = np.diff(times)
    order = np.argsort(steps, kind="stable")
    room = 16 * np.finfo(float).eps * np.abs(times).max()
    flows, first = [None] * len(steps), 0
    while first < len(order):
        least, last = steps[order[first]], first + 1
        while last < len(order) and steps[order[last]] - least <= room:
            last += 1
        group = order[first:last]
        flow = exponential(math.fsum(steps[group]) / len(group) * A)
        for k in group:
            flows[k] = flow
        first = last
    return flows
)py";

/// φ(t) of waves, and of splines.
inline constexpr std::string_view python_waves = R"py(
frequencies = @frequencies@  # rad per unit of time
origin = @origin@


def functions(t):
    """What the entries of the generator are sums of: 1, then cosine and sine of each frequency."""
    turns = frequencies * (t - origin)
    return np.concatenate([[1.0], np.column_stack([np.cos(turns), np.sin(turns)]).ravel()])
)py";
inline constexpr std::string_view python_splines = R"py(
splines = @count@
spline_begin, spline_end = @begin@, @end@


def functions(t):
    """What the entries of the generator are sums of: 1, then cubic B-splines on even knots, whose
    values at the ends are held (the recursion of Cox and de Boor)."""
    spans = splines - 3
    u = spans * min(max((t - spline_begin) / (spline_end - spline_begin), 0.0), 1.0)
    first = min(int(u), spans - 1)
    values = [1.0]
    for degree in (1, 2, 3):
        saved, raised = 0.0, []
        for j in range(degree):
            right = min(max(first + j + 1, 0), spans)
            left = min(max(first + j + 1 - degree, 0), spans)
            share = values[j] / (right - left)
            raised.append(saved + (right - u) * share)
            saved = (u - left) * share
        values = raised + [saved]
    result = np.zeros(1 + splines)
    result[0] = 1
    result[1 + first:5 + first] = values
    return result
)py";

inline constexpr std::string_view python_softplus = R"py(
    bounded = [@bounded@]
    u[bounded] = np.maximum(u[bounded], 0) + np.log1p(np.exp(-np.abs(u[bounded])))
)py";
inline constexpr std::string_view python_modulated = R"py(
coefficients = @coefficients@  # a row per entry, a column per function


def generator(t):
    """A(t)."""
    u = coefficients @ functions(t)
@softplus@    pairs, s = @pairs@, np.zeros((N, N))
@body@)py";

/// A from u(t), for each structure; of S the first `pairs` entries are the upper triangle.
constexpr std::string_view python_body(std::string_view structure) {
  if (structure == "full") return "    return u.reshape((N, N), order=\"F\")\n";
  if (structure == "skew")
    return R"py(    s[np.triu_indices(N, 1)] = u
    return s - s.T
)py";
  if (structure == "sd")
    return R"py(    s[np.triu_indices(N, 1)] = u[:pairs]
    return s - s.T - np.diag(np.maximum(u[pairs:], 0))
)py";
  if (structure == "scaled-sd")
    return R"py(    s[np.triu_indices(N, 1)] = u[:pairs]
    a = s - s.T - np.diag(np.maximum(u[pairs:pairs + N], 0))
    scale = np.concatenate([[1.0], np.exp(np.clip(u[pairs + N:], -64, 64))])
    return scale[:, None] * a / scale
)py";
  if (structure == "psd")
    return R"py(    s[np.triu_indices(N, 1)] = u[:pairs]
    lower = np.zeros((N, N))
    lower.T[np.triu_indices(N)] = u[pairs:]
    return s - s.T - lower @ lower.T
)py";
  // metric
  return R"py(    s[np.triu_indices(N, 1)] = u[:pairs]
    lower, root = np.zeros((N, N)), np.zeros((N, N))
    lower.T[np.triu_indices(N)] = u[pairs:pairs + N * (N + 1) // 2]
    root.T[np.triu_indices(N)] = u[pairs + N * (N + 1) // 2:]
    np.fill_diagonal(root, np.exp(np.clip(root.diagonal(), -64, 64)))
    return (s - s.T - lower @ lower.T) @ (root @ root.T)
)py";
}

constexpr std::string_view python_law(std::string_view law) {
  if (law == "ltv-oscillator")
    return R"py(

def generator(t):
    """A(t)."""
    return np.array([[0.0, 1.0], [-omega2, -gamma0 * (1 + a * math.sin(omega_d * t))]])
)py";
  // ltv-chain
  return R"py(

def generator(t):
    """A(t): masses between two walls; the middle spring drifts."""
    masses = N // 2
    springs = np.full(masses + 1, stiffness)
    springs[(masses + 1) // 2] = stiffness * (1 + drift * math.tanh(t / tau))
    at = np.zeros((N, N))
    at[:masses, masses:] = np.eye(masses)
    at[masses:, :masses] = (np.diag(springs[1:-1], 1) + np.diag(springs[1:-1], -1)
                            - np.diag(springs[:-1] + springs[1:]))
    at[masses:, masses:] = -damping * np.eye(masses)
    return at
)py";
}

/// The steps that lgn takes, found in the same way.
inline constexpr std::string_view python_magnus = R"py(
# Methods: order, nodes, commutators and exponents in terms of h A(node) and earlier commutators.
wanted = @method@
free = @free@
midpoint = @midpoint@
tolerance, most_steps = @tolerance@, @most@
energy = @energy@  # Q of x'Qx, which never grows; None where that is not promised


def step(method, begin, h):
    """The map of one Magnus step, and the size of its exponents."""
    _, nodes, commutators, exponents = method
    r = [h * generator(begin + c * h) for c in nodes]
    for left, right in commutators:
        x, y = mixed(left, r), mixed(right, r)
        r.append(x @ y - y @ x)
    flow, size = np.eye(N), 0.0
    for weights in exponents:
        omega = mixed(weights, r)
        flow, size = exponential(omega) @ flow, size + norm1(omega)
    return flow, size


def product(begin, length, count):
    """The map of equal steps."""
    flow = np.eye(N)
    for k in range(count):
        flow = step(wanted, begin + length / count * k, length / count)[0] @ flow
    return flow


def difference(a, b):
    return 0.0 if (a == b).all() else np.linalg.norm(a - b) / np.linalg.norm(b)


def count_steps(begin, length):
    """So many that more than twice as many change less than the tolerance."""
    count, missed = 1, False
    coarse = product(begin, length, 1)
    while count < most_steps:
        fine = product(begin, length, 2 * count + 1)
        error = difference(coarse, fine)
        if missed and error <= tolerance:
            error = difference(fine, product(begin, length, 4 * count + 3))
        if error <= tolerance:
            return count
        missed = True
        factor = 1.1 * (error / tolerance) ** (1 / wanted[0]) if math.isfinite(error) else 2.0
        count = min(math.ceil(count * max(2.0, factor)), most_steps)
        coarse = product(begin, length, count)
    return most_steps


def decays(flow, size):
    """Whether the energy of no state grows by more than rounding."""
    root = np.linalg.cholesky(energy).T
    moved = np.linalg.solve(root.T, (root @ flow).T).T
    room = 8 * N * np.finfo(float).eps * max(1.0, size)
    return np.linalg.eigvalsh(moved.T @ moved).max() <= 1 + room


def decaying(begin, h, spare):
    """The map of one step in which the energy does not grow: as wanted, else without commutators,
    else in halves while there are steps to spare, else by the midpoint rule; and what is spare."""
    flow, size = step(wanted, begin, h)
    if energy is None or decays(flow, size):
        return flow, spare
    other, size = step(free, begin, h)
    if decays(other, size) and (difference(other, flow) <= tolerance or spare < 1):
        return other, spare
    if spare < 1:
        return step(midpoint, begin, h)[0], spare
    first, spare = decaying(begin, h / 2, spare - 1)
    second, spare = decaying(begin + h / 2, h / 2, spare)
    return second @ first, spare


def maps(times):
    """The flow from each time to the next."""
    rate = max(norm1(generator(t)) for t in np.linspace(times[0], times[-1], 64))
    flows = []
    for begin, end in zip(times[:-1], times[1:]):
        pieces = max(1, int(min(math.ceil((end - begin) * rate / 32), 1e6)))
        edges = [begin + (end - begin) * i / pieces for i in range(pieces)] + [end]
        flow = np.eye(N)
        for a, b in zip(edges[:-1], edges[1:]):
            count = count_steps(a, b - a)
            spare = most_steps - count
            for k in range(count):
                map_, spare = decaying(a + (b - a) / count * k, (b - a) / count, spare)
                flow = map_ @ flow
        flows.append(flow)
    return flows
)py";

inline constexpr std::string_view python_program = R"py(

def simulate(times, x0=None):
    """x at increasing times, a row each, from x0 at the first (default: the start of run 1)."""
    times = np.atleast_1d(np.asarray(times, dtype=float))
    if times.ndim != 1 or not np.isfinite(times).all() or (np.diff(times) <= 0).any():
        raise ValueError("times must be finite and increase")
    x0 = starts[0] if x0 is None and len(starts) else x0
    if np.shape(x0) != (N,):
        raise ValueError("x0 must be %d numbers" % N)
    states = np.empty((len(times), N))
    if len(times):
        states[0] = x0
        for k, flow in enumerate(maps(times)):
            states[k + 1] = flow @ states[k]
    return states


def grid(begin, end, step):
    """begin, begin + step, ... up to end, without the dust of binary arithmetic."""
    if not (step > 0 and end - begin >= step):
        sys.exit("--dt must be positive, and --t1 at least one --dt after --t0")
    times = []
    for k in range(math.floor((end - begin) / step * (1 + 1e-12)) + 1):
        time = begin + k * step
        rounded = float("%.15g" % time)
        times.append(rounded if abs(rounded - time) < 1e-6 * step else time)
    return np.array(times)


def cell(name):
    plain = name and not set(name) & set(",;\t\"\r\n") and name.strip(" ") == name and name[0] != "#"
    return name if plain else "\"" + name.replace("\"", "\"\"") + "\""


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--t1", type=float, required=True, help="end time")
    options.add_argument("--t0", type=float, help="time of the start")
    options.add_argument("--dt", type=float, help="time step (default: that of the data)")
    options.add_argument("--x0", help="the start, a,b,...; --x0=-1,2 where the first is negative")
    options.add_argument("--run", type=int, default=1, help="start as this run of the data did")
    given = options.parse_args()
    if given.x0 is None and not 1 <= given.run <= len(starts):
        sys.exit("there are %d runs to start from; give --x0 a,b,..." % len(starts))
    start = starts[given.run - 1] if given.x0 is None else [float(x) for x in given.x0.split(",")]
    if len(start) != N:
        sys.exit("--x0 must be %d numbers" % N)
    begin = given.t0
    if begin is None:
        known = given.x0 is None and given.run <= len(start_times)
        begin = start_times[given.run - 1] if known else data_begin
    step = float("%.12g" % data_step) if given.dt is None else given.dt
    times = grid(begin, given.t1, step)
    states = simulate(times, start)
    sys.stdout.reconfigure(encoding="utf-8", newline="")
    print(",".join(["t"] + [cell(name) for name in channels]))
    for t, x in zip(times, states):
        print(",".join(repr(float(value)) for value in [t, *x]))


if __name__ == "__main__":
    main()
)py";

}  // namespace lgn::export_internal
