"""pandas in and out; imported only where a DataFrame is at hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas

from . import _lgn
from ._data import input_names, numbers, seconds
from ._errors import Error

_RUN = "trajectory"


def frame_of(dataset: _lgn.Dataset) -> pandas.DataFrame:
    """All runs below one another, as in a CSV file."""
    frames = []
    for k in range(len(dataset)):
        label, t, x = dataset.run(k)
        frame = pandas.DataFrame(x, columns=dataset.channels)
        frame.insert(0, "t", t)
        if len(dataset) > 1:
            frame.insert(0, _RUN, label)
        frames.append(frame)
    return pandas.concat(frames, ignore_index=True)


def dataset_of_frames(
    t: Any,
    X: Any,
    channels: Sequence[str] | None,
    inputs: Sequence[str] | str | None,
    time: str | None,
) -> _lgn.Dataset:
    """A DataFrame or a list of them: `fit(frame)`, or `fit(t, frame)` with times of their own."""
    given = t if X is None else X
    frames = list(given) if isinstance(given, (list, tuple)) else [given]
    frames = [f.to_frame() if isinstance(f, pandas.Series) else f for f in frames]
    if not all(isinstance(frame, pandas.DataFrame) for frame in frames):
        raise Error("some runs are DataFrames and others are not")
    if X is None:
        timed = [_with_time(frame, time) for frame in frames]
    else:
        times = list(t) if isinstance(t, (list, tuple)) and np.ndim(t[0]) == 1 else [t] * len(frames)
        if len(times) != len(frames):
            raise Error(f"t has {len(times)} runs, X has {len(frames)}")
        timed = [(seconds(when, "t"), frame) for when, frame in zip(times, frames)]
    runs = []
    names: tuple[list[Any], list[Any]] | None = None
    for number, (when, frame) in enumerate(timed):
        if len(when) != len(frame):
            raise Error(f"run {number + 1} has {len(when)} times, but {len(frame)} samples")
        found = _columns(frame, channels, inputs)
        names = names or found
        if set(map(str, found[0])) != set(map(str, names[0])):
            raise Error(f"run {number + 1} has other columns than the first")
        runs += _runs(when, frame, names, str(number + 1), len(frames) > 1)
    if names is None:
        raise Error("there is no run")
    return _lgn.Dataset([str(c) for c in names[0]], runs, [str(c) for c in names[1]])


def _runs(when: Any, frame: Any, names: Any, label: str, several: bool) -> list[Any]:
    """One frame as runs: one, or one per label of a column `trajectory`."""
    parts: list[tuple[str, Any]] = [(label, slice(None))]
    if _RUN in frame.columns:
        labels = frame[_RUN]
        parts = [
            (f"{label}:{which}" if several else str(which), np.flatnonzero(labels == which))
            for which in pandas.unique(labels)
        ]
    states = np.column_stack([_column(frame, c) for c in names[0]])
    driven = np.column_stack([_column(frame, c) for c in names[1]]) if names[1] else None
    return [
        (name, when[rows], states[rows], None if driven is None else driven[rows])
        for name, rows in parts
    ]


def _with_time(frame: Any, time: str | None) -> tuple[np.ndarray, Any]:
    """The times of a frame, and the frame without them."""
    if time is not None:
        if time in frame.columns:
            return seconds(frame[time], time), frame.drop(columns=time)
        if frame.index.name == time:
            return seconds(frame.index, time), frame
        raise Error(f'there is no column "{time}"', f"there are {', '.join(map(str, frame.columns))}")
    for column in frame.columns:
        if str(column).lower() in ("t", "time"):
            return seconds(frame[column], str(column)), frame.drop(columns=column)
    counts = isinstance(frame.index, pandas.RangeIndex) and frame.index.name is None
    if counts or isinstance(frame.index, pandas.MultiIndex):
        raise Error(
            "the DataFrame has no time",
            "name a column t or time, say which with time, or make the times its index",
        )
    return seconds(frame.index, "the index"), frame


def _columns(
    frame: Any, channels: Sequence[str] | None, inputs: Sequence[str] | str | None
) -> tuple[list[Any], list[Any]]:
    """Which columns are channels and which are inputs."""
    there = [c for c in frame.columns if c != _RUN]
    asked = input_names(inputs)
    if asked == ["none"]:
        driving = []
    elif asked:
        driving = [_named(there, name) for name in asked]
    else:
        driving = [c for c in there if re.fullmatch(r"[uU][0-9]*", str(c))]
    measured = [c for c in there if c not in driving]
    if channels is not None:
        measured = [_named(there, name) for name in channels]
        driving = [c for c in driving if c not in measured]
    if not measured:
        raise Error("the DataFrame has no channel", "every column but time and inputs is one")
    return measured, driving


def _named(there: list[Any], name: str) -> Any:
    for column in there:
        if column == name or str(column) == name:
            return column
    raise Error(f'there is no column "{name}"', f"there are {', '.join(map(str, there))}")


def _column(frame: Any, name: Any) -> np.ndarray:
    values = frame[name]
    if isinstance(values, pandas.DataFrame):
        raise Error(f'two channels are named "{name}"', "rename one of them")
    try:
        return numbers(values.to_numpy(dtype=float, na_value=np.nan), f'column "{name}"')
    except (TypeError, ValueError):
        raise Error(f'column "{name}" does not hold numbers', "leave it out with channels=") from None
