"""A progress bar on a terminal."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

#: Called with task, step, steps and error; False ends the fit with the best so far.
Progress = Callable[[str, int, int, float], Any]


class Bar:
    """A line on standard error, drawn only where that is a terminal, and wiped at the end."""

    _width = 24

    def __enter__(self) -> Progress | None:
        self._drawn = False
        try:
            visible = sys.stderr.isatty()
        except (AttributeError, ValueError):
            visible = False
        return self._show if visible else None

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def _show(self, task: str, step: int, steps: int, error: float) -> None:
        self._drawn = True
        filled = int(self._width * step / steps) if steps > 0 else 0
        rest = f"step {step} of at most {steps}"
        if math.isfinite(error):
            rest += f", error {error:.3g}"
        bar = "█" * filled + "░" * (self._width - filled)
        sys.stderr.write(f"\r\033[K{task} {bar} {rest}")
        sys.stderr.flush()
