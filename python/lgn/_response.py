"""What a driven model does to its inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Response:
    """The transfer functions of a model over frequency, [frequency, channel, input]; `Model.response` makes one.

    Errors are one standard error, and None where the model has none.

    >>> import lgn
    >>> found = lgn.generate("rlc", omega=2.0, gamma=0.4, input="steps").truth.response([0.0])
    >>> abs(found.H[0, 0]).round(3).tolist(), found.inputs, found.channels, found.magnitude_se
    ([0.25], ['u'], ['q', 'p'], None)
    """

    frequency: np.ndarray
    """In Hz, or per unit of time where its length is unknown."""
    H: np.ndarray
    """C (iω I − A)⁻¹ B + D, with the delay, complex."""
    magnitude_se: np.ndarray | None
    """Of the magnitude."""
    phase: np.ndarray
    """arg H in radians, without jumps."""
    phase_se: np.ndarray | None
    """Of the phase, in radians."""
    inputs: list[str]
    channels: list[str]
    figures: list[dict[str, Any]]
    """Static gain, bandwidth, peak, margins and zeros of each input and channel, as `lgn response --json` names them."""

    @property
    def magnitude(self) -> np.ndarray:
        """The absolute value of H."""
        return np.abs(self.H)

    @property
    def decibels(self) -> np.ndarray:
        """The magnitude in decibels, 20 log₁₀."""
        with np.errstate(divide="ignore"):
            return 20 * np.log10(self.magnitude)


@dataclass(frozen=True)
class TimeResponse:
    """What channels do after a step or an impulse of an input, [time, channel, input].

    >>> import lgn
    >>> found = lgn.generate("rlc", omega=2.0, gamma=0.4, input="steps").truth.impulse_response([0, 1])
    >>> found.y.shape, found.y[0, :, 0].tolist(), found.se
    ((2, 2, 1), [0.0, 1.0], None)
    """

    t: np.ndarray
    y: np.ndarray
    se: np.ndarray | None
    """Standard errors of y; None where the model has none."""
    inputs: list[str]
    channels: list[str]
