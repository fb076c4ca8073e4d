"""What to measure, before anything is."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from . import _lgn


class Plan:
    """Standard errors to expect of a measurement; `lgn.plan` and `Model.plan` make one. Printed, it is a table.

    >>> import lgn
    >>> plan = lgn.plan([(3.2, 0.01), (7, 0.02)], duration="20s", rate=100, noise="2%", want="zeta<1%")
    >>> [round(mode["frequency_hz"], 6) for mode in plan.modes]
    [3.2, 7.0]
    >>> plan.met, plan.needs["runs"]
    (True, 1.0)
    >>> twice = lgn.plan([(3.2, 0.01), (7, 0.02)], duration="20s", rate=100, noise="4%")
    >>> round(twice.modes[0]["se"]["damping_ratio"] / plan.modes[0]["se"]["damping_ratio"], 9)
    2.0
    """

    def __init__(self, found: tuple[str, str, str]) -> None:
        self._json, self._text, self._svg = found
        self._dict: dict[str, Any] = json.loads(self._json)

    @property
    def modes(self) -> list[dict[str, Any]]:
        """The modes with the standard errors to expect, `se`, as `lgn plan --json` names them."""
        return self._dict["modes"]

    @property
    def against(self) -> dict[str, list[dict[str, Any]]]:
        """The same against `duration`, `rate`, `runs` and `noise`; None where a record cannot be planned."""
        return self._dict["against"]

    @property
    def met(self) -> bool | None:
        """Whether all that is wanted is met; None where nothing is wanted."""
        if not self._dict["wants"]:
            return None
        return self._dict["shortfall"] is not None and self._dict["shortfall"] <= 1

    @property
    def needs(self) -> dict[str, float | None]:
        """What would meet it, each alone: `duration`, `rate_hz`, `runs`, `noise_factor`; None where nothing was found."""
        return self._dict["needs"]

    @property
    def next_sensor(self) -> str | None:
        """The channel that would tell most beside the sensors; None where all are used."""
        return self._dict["next_sensor"]

    @property
    def best_input(self) -> str | None:
        """The kind of input that tells most; None where the system moves freely."""
        return self._dict["best_input"]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `lgn plan --json` prints it."""
        return json.loads(self._json)

    def save_figure(self, path: str | os.PathLike[str]) -> None:
        """Writes the drawing of errors against record length and sampling rate, an SVG."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._svg)

    def _repr_svg_(self) -> str:
        return self._svg

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<lgn.Plan: {len(self.modes)} modes, {self._dict['duration']:.4g} {self._dict['time_unit']} at {self._dict['rate_hz']:.4g} Hz>"


def _word(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return ",".join(_word(part) for part in value)
    return value if isinstance(value, str) else repr(float(value))


def _words(values: Any) -> list[str]:
    if values is None:
        return []
    return [values] if isinstance(values, str) else [v if isinstance(v, str) else str(v) for v in values]


def plan_of(
    model: _lgn.Model | None,
    modes: Sequence[str | Sequence[float | str]] = (),
    *,
    duration: float | str | None = None,
    rate: float | str | None = None,
    runs: int | None = None,
    noise: float | str | Sequence[float | str] | None = None,
    sensors: str | Sequence[str | int] | None = None,
    want: str | Sequence[str] | None = None,
    input: str = "",
    amplitude: float = 1,
    seed: int = 1,
) -> Plan:
    typed = [modes] if isinstance(modes, str) else [_word(mode) for mode in modes]
    return Plan(
        _lgn.plan(
            model, typed, _word(duration), _word(rate), "" if runs is None else str(runs), _word(noise),
            _words(sensors), _words(want), input, amplitude, seed,
        )
    )  # fmt: skip


def plan(modes: Sequence[str | Sequence[float | str]], **measurement: Any) -> Plan:
    """Standard errors to expect of every frequency and damping ratio, from the Fisher information; nothing is simulated.

    modes are pairs (frequency in Hz, damping ratio) or text, "3.2Hz,1%", or "5s" for a time constant; behind them, where there are several sensors,
    the size of the mode in each: (3.2, 0.01, 1, 0.5). All are released from rest. For a model there is `Model.plan`.

    measurement: duration ("20s", or a number in the unit of time), rate ("200Hz", or a number in Hz), runs, noise ("1%" of the rms of each channel,
    or a number in its unit, or one for each), sensors (names or numbers), want ("zeta<5%", "f<0.1%", or several), and for driven models input ("steps",
    "chirp", "multisine", "random"), amplitude (rms) and seed.

    >>> import lgn
    >>> plan = lgn.plan(["12Hz,1%,1,0.3", "31Hz,1%,0.2,1"], sensors=[1], want="zeta<0.2%")
    >>> plan.met, plan.next_sensor
    (False, 'y2')
    """
    return plan_of(None, modes, **measurement)
