"""Exponentials, and flows of generators that vary in time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from . import _lgn
from ._data import numbers
from ._errors import Error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def expm(A: ArrayLike) -> np.ndarray:
    """exp(A) of a square matrix, or of a stack of them [..., n, n].

    Scaling and squaring with a Taylor polynomial; the error is close to what the conditioning of exp
    at A allows.

    >>> import lgn
    >>> lgn.expm([[0, 1], [0, 0]])
    array([[1., 1.],
           [0., 1.]])
    """
    stack = numbers(A, "A")
    if stack.ndim <= 2:
        return _lgn.expm(stack)
    flat = [_lgn.expm(a) for a in stack.reshape(-1, *stack.shape[-2:])]
    return np.array(flat).reshape(stack.shape)


def expm_frechet(
    A: ArrayLike, E: ArrayLike, compute_expm: bool = True
) -> tuple[np.ndarray, np.ndarray] | np.ndarray:
    """exp(A) and its Fréchet derivative at A in the direction E, from one sweep.

    With `compute_expm=False` the derivative alone, as SciPy has it.

    >>> import lgn
    >>> value, derivative = lgn.expm_frechet([[0.0]], [[2.0]])
    >>> float(derivative[0, 0])
    2.0
    """
    value, derivative = _lgn.expm_frechet(numbers(A, "A"), numbers(E, "E"))
    return (value, derivative) if compute_expm else derivative


def magnus(
    A: Callable[[float], ArrayLike],
    t: ArrayLike,
    x0: ArrayLike | None = None,
    *,
    method: str | int = "6",
    tolerance: float | None = None,
    substeps: int | None = None,
    energy: ArrayLike | None = None,
) -> np.ndarray:
    """The states of ẋ = A(t) x at increasing times, from x0 at t[0], by Magnus steps.

    x0 is [state], for [sample, state]; or [state, k] for several, for [sample, state, k]. Without x0: the
    maps from t[0] to every time, [sample, state, state].

    method: 2, 4, 6, 4-simpson, 4-commutator-free or printed. Steps are as many as it takes for
    `tolerance`, the relative error of the map from one time to the next, or `substeps` between any
    two times. With `energy`, Q of a ½ xᵀQx that never grows under A(t), no step lets it grow.

    >>> import lgn, numpy as np
    >>> turn = lambda t: [[0, t], [-t, 0]]
    >>> lgn.magnus(turn, [0, np.sqrt(np.pi)], [1, 0]).round(9) + 0
    array([[ 1.,  0.],
           [ 0., -1.]])
    """
    times = numbers(t, "t")
    if times.ndim != 1 or times.size == 0:
        raise Error("t must be one-dimensional, and not empty")
    initial = np.eye(len(np.atleast_2d(A(float(times[0]))))) if x0 is None else numbers(x0, "x0")
    if initial.ndim not in (1, 2):
        raise Error("x0 must be [state] or [state, k]")
    states = _lgn.magnus(
        A,
        initial.reshape(len(initial), -1),
        times,
        str(method),
        _lgn.magnus_tolerance if tolerance is None else tolerance,
        substeps,
        energy,
    )
    return states.reshape(len(times), *initial.shape)
