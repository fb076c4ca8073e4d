"""Values of a model's elements that make it do what is wanted."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _lgn

Words = str | Sequence[str] | None


def words_of(words: Words) -> list[str]:
    if words is None:
        return []
    return [words] if isinstance(words, str) else list(words)


def bounds_of(bounds: Words | Mapping[str, tuple[float, float]]) -> list[str]:
    if isinstance(bounds, Mapping):
        return [f"{name}={float(low)!r}:{float(high)!r}" for name, (low, high) in bounds.items()]
    return words_of(bounds)


def tolerances_of(tolerances: Words | Mapping[str, float]) -> list[str]:
    if isinstance(tolerances, Mapping):
        return [f"{name}={float(part)!r}" for name, part in tolerances.items()]
    return words_of(tolerances)


def design_of(
    model: _lgn.Model,
    free: Words,
    *,
    targets: Words = None,
    minimise: str = "",
    maximise: str = "",
    bounds: Words | Mapping[str, tuple[float, float]] = None,
    tie: Words = None,
    series: Words = None,
    robust: bool = False,
    tolerance: Words | Mapping[str, float] = None,
    starts: int = 0,
    seed: int = 1,
    max_seconds: float = 0,
    report: str | os.PathLike[str] | None = None,
) -> Any:
    found = _lgn.design(
        model, words_of(free), bounds_of(bounds), words_of(tie), words_of(targets), minimise, maximise,
        words_of(series), robust, tolerances_of(tolerance), starts, seed, max_seconds,
    )  # fmt: skip
    if report is not None:
        _lgn.write_design_report(model, found, os.fsencode(report))
    return found
