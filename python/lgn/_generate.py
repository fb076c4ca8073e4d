"""Example data from known systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _lgn
from ._data import Data
from ._model import Model

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def generate(
    system: str,
    *,
    trajectories: int = 1,
    t1: float = 30,
    dt: float = 0.1,
    noise: float = 0,
    seed: int = 1,
    x0: str | ArrayLike | None = None,
    input: str = "",
    hold: str = "zoh",
    **constants: Any,
) -> Data:
    """Trajectories of a known system at 0, dt, 2 dt, … < t1, with the system itself as `truth`.

    noise is the standard deviation relative to the signal's. x0, the initial state, is random, e1 (the first
    unit vector) or the first states, the others zero. input drives the system by steps, a chirp, a multisine or random values
    (`data.u`), which keep their value between samples (hold zoh) or go straight to the next (foh). Systems and their parameters:

    oscillator: omega. rlc: omega, gamma.
    ladder: sections; R, L, C (one number, or one per section).
    mass-spring: masses, mass, stiffness, damping. random: states.
    ltv-oscillator: omega, gamma, modulation, omega_d: damping gamma (1 + modulation sin(omega_d t)).
    ltv-chain: masses, stiffness, damping, drift, tau.
    truss, beam: states, highest (Hz), damping_ratio.
    network: topology (ladder, chain, ring, grid, tree), size, spread, loss.

    The same data as `lgn generate` makes for the same options.

    >>> import lgn
    >>> data = lgn.generate("mass-spring", masses=2, trajectories=3, noise=0.01)
    >>> data.X.shape, data.channels
    ((3, 300, 4), ['q1', 'q2', 'v1', 'v2'])
    >>> data.truth.A[2].tolist()
    [-2.0, 1.0, -0.05, 0.0]
    """
    dataset, truth, _ = _lgn.generate(system, constants, trajectories, t1, dt, noise, seed, x0, input, hold)
    return Data(dataset, Model(truth))
