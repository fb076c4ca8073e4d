"""Modes as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _lgn

if TYPE_CHECKING:
    import pandas
    from numpy.typing import ArrayLike


def modes(A: ArrayLike, time_unit: str = "s") -> pandas.DataFrame | list[dict[str, Any]]:
    """Poles, frequencies, damping ratios and time constants of a generator A.

    A pandas DataFrame with one row per eigenvalue, slowest oscillation first, conjugate pairs side by
    side; a list of dicts where pandas is not installed. Angular quantities are radians per unit of
    time; `frequency_hz` is per second.

    >>> import lgn
    >>> lgn.modes([[0, 1], [-4, -0.4]])["damping_ratio"].round(3).tolist()
    [0.1, 0.1]
    """
    return as_table(_lgn.mode_columns(A, time_unit))


def as_table(columns: dict[str, Any]) -> Any:
    """Columns as a DataFrame, or as a list of rows without pandas."""
    try:
        import pandas
    except ImportError:
        names = list(columns)
        return [dict(zip(names, row)) for row in zip(*columns.values())]
    return pandas.DataFrame(columns)
