"""What users have, as the data that the library takes."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _lgn
from ._errors import Error

if TYPE_CHECKING:
    import pandas

    from ._model import Model

#: Where data come from: files, their checksum, and what reading them took for granted; empty for arrays.
Source = tuple[list[bytes], str, list[str]]
NO_FILES: Source = ([], "", [])


class Data:
    """Trajectories of a system: times `t`, samples `X`, inputs `u` (None without), names of the `channels`.

    With one run `t` is [sample] and `X` is [sample, channel]; runs at the same times are
    [run, sample, channel], others a list with one array per run. `truth` is the system that made
    the data, where it is known. Unpacks as `t, X = data`, and `lgn.fit(data)` takes it whole.

    >>> import lgn
    >>> lgn.generate("rlc", trajectories=2, x0="random")
    <lgn.Data: 2 runs, 600 samples, channels q, p>
    """

    def __init__(self, dataset: _lgn.Dataset, truth: Model | None = None) -> None:
        self._dataset = dataset
        self.truth = truth
        runs = [dataset.run(k) for k in range(len(dataset))]
        times = [t for _, t, _ in runs]
        same = all(np.array_equal(times[0], t) for t in times[1:])
        self.t: Any = times[0] if same else times
        states = [x for _, _, x in runs]
        self.X: Any = states[0] if len(runs) == 1 else np.stack(states) if same else states
        self.labels: list[str] = [label for label, _, _ in runs]
        driving = [dataset.driving(k) for k in range(len(dataset))] if dataset.inputs else []
        self.u: Any = None if not driving else driving[0] if len(runs) == 1 else np.stack(driving) if same else driving

    @property
    def channels(self) -> list[str]:
        """Names of the measured channels, one per column of X."""
        return self._dataset.channels

    def __iter__(self) -> Iterator[Any]:
        return iter((self.t, self.X))

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.channels, _parts(self._dataset), self._dataset.inputs, self.truth)

    def __repr__(self) -> str:
        runs = len(self._dataset)
        return (
            f"<lgn.Data: {runs} run{'' if runs == 1 else 's'}, {self._dataset.samples} samples, "
            f"channels {', '.join(self.channels)}>"
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the data, in the format of the path's ending: .npz, .npy (which holds no names), .mat, .h5, else CSV.

        >>> import lgn
        >>> data = lgn.generate("rlc", noise=0.01)
        >>> data.save("rlc.npz")
        >>> lgn.fit("rlc.npz", structure="metric").channels
        ['q', 'p']
        """
        self._dataset.write(os.fsencode(path))

    def to_frame(self) -> pandas.DataFrame:
        """The data as a DataFrame with columns t, the channels, and `trajectory` for several runs."""
        from ._frames import frame_of

        return frame_of(self._dataset)


def _parts(dataset: _lgn.Dataset) -> list[Any]:
    """Runs as a Dataset is made from."""
    driven = bool(dataset.inputs)
    return [(*dataset.run(k), dataset.driving(k) if driven else None) for k in range(len(dataset))]


def _unpickled(channels: list[str], runs: list[Any], inputs: list[str], truth: Model | None) -> Data:
    return Data(_lgn.Dataset(channels, runs, inputs), truth)


def dataset_of(
    t: Any,
    X: Any = None,
    *,
    u: Any = None,
    channels: Sequence[str] | None = None,
    inputs: Sequence[str] | str | None = None,
    time: str | int | None = None,
    time_unit: str | None = None,
    **reading: Any,
) -> tuple[_lgn.Dataset, Source]:
    """Any of the forms that `fit` takes, as a Dataset, and the files it comes from.

    `reading` are the other fields of ReadOptions, for files alone; what is None or False is not given.
    """
    if u is not None and (X is None or _is_frame(X)):
        raise Error("u goes with arrays t and X", "name the columns of inputs with inputs")
    if X is None and isinstance(t, Data):
        return (t._dataset if channels is None else _rename(t, channels)), NO_FILES
    first = t[0] if isinstance(t, (list, tuple)) and t else t
    given = {name: value for name, value in reading.items() if value is not None and value is not False}
    if X is None and isinstance(first, (str, os.PathLike)):
        if time is not None:
            given["time"] = time
        if time_unit is not None:
            given["time_unit"] = time_unit
        return _files(t, channels, inputs, given)
    if given:
        raise Error(f"{next(iter(given))} is for files")
    if isinstance(time, int):
        raise Error("the number of a time column is for files", "name the column")
    samples = first if X is None else X[0] if isinstance(X, (list, tuple)) and len(X) > 0 else X
    if _is_frame(samples):
        from ._frames import dataset_of_frames

        return dataset_of_frames(t, X, channels, inputs, time), NO_FILES
    if u is not None:
        return _arrays(t, X, channels, u, inputs), NO_FILES
    if time is not None or inputs is not None:
        raise Error("time and inputs name columns", "give a DataFrame or a file")
    if X is None:
        raise Error("X is missing", "fit takes t and X, a DataFrame with a time column, or a path")
    return _arrays(t, X, channels), NO_FILES


def _is_frame(value: Any) -> bool:
    """Whether it is a DataFrame or a Series, without importing pandas."""
    return type(value).__module__.partition(".")[0] == "pandas" and hasattr(value, "index")


def _rename(data: Data, channels: Sequence[str]) -> _lgn.Dataset:
    return _lgn.Dataset(list(channels), _parts(data._dataset), data._dataset.inputs)


def _files(
    paths: Any, channels: Any, inputs: Any, given: dict[str, Any]
) -> tuple[_lgn.Dataset, Source]:
    listed = list(paths) if isinstance(paths, (list, tuple)) else [paths]
    names = [os.fsencode(path) for path in listed]
    options = _lgn.ReadOptions()
    options.begin = "auto"
    options.channels = list(channels or [])
    options.inputs = input_names(inputs)
    for name, value in given.items():
        is_list = isinstance(getattr(options, name), list)
        setattr(options, name, list(value) if is_list else value if value is True else str(value))
    dataset, assumptions = _lgn.read_data(names, options)
    return dataset, (names, _lgn.sha256_of_files(names), assumptions)


def input_names(inputs: Sequence[str] | str | None) -> list[str]:
    """As the library takes them: none for the usual names, ["none"] for no input."""
    if inputs is None:
        return []
    if isinstance(inputs, str):
        return [inputs]
    return list(inputs) or ["none"]


def numbers(values: Any, name: str) -> np.ndarray:
    """An array of doubles; gaps of masked arrays are NaN."""
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(float), np.nan)
    try:
        array = np.asarray(values)
        if not np.iscomplexobj(array):
            return np.ascontiguousarray(array, dtype=float)
    except (TypeError, ValueError):
        raise Error(f"{name} is not an array of numbers") from None
    raise Error(f"Complex data not supported: {name} is complex", "give its real and imaginary parts")


def seconds(values: Any, name: str) -> np.ndarray:
    """Times as numbers: dates are seconds since the first of them, durations are seconds."""
    array = np.asarray(values)
    if array.dtype.kind == "M":
        array = array - array.flat[0]
    if array.dtype.kind == "m":
        array = array / np.timedelta64(1, "s")
    if array.dtype.kind == "O" and array.size > 0:
        array = np.array(_differences(list(array.flat))).reshape(array.shape)
    if array.dtype.kind in "US":
        raise Error(f"{name} is not an array of numbers", "pandas.to_datetime makes dates of text")
    return numbers(array, name)


def is_date(value: Any) -> bool:
    """Whether it is a time of the calendar: a date of Python's, NumPy's or pandas's, or a period."""
    return isinstance(value, (datetime.date, np.datetime64)) or hasattr(value, "to_timestamp")


def _differences(values: list[Any]) -> list[Any]:
    """Objects that are dates (with time zones or without), periods or durations, in seconds; others as they are."""
    if hasattr(values[0], "to_timestamp"):
        values = [value.to_timestamp() for value in values]
    try:
        if is_date(values[0]):
            values = [value - values[0] for value in values]
        return [v.total_seconds() if isinstance(v, datetime.timedelta) else v for v in values]
    except TypeError:
        return values


def _runs_of(values: Any, name: str) -> list[np.ndarray]:
    """[sample], [sample, column], with [run] before it, or a list, as one [sample, column] per run."""
    if isinstance(values, (list, tuple)) and len(values) > 0 and np.ndim(values[0]) == 2:
        return [numbers(x, name) for x in values]
    whole = numbers(values, name)
    if whole.ndim == 1:
        whole = whole[:, np.newaxis]
    if whole.ndim not in (2, 3):
        raise Error(f"{name} has {whole.ndim} dimensions", "give [sample, channel] or [run, sample, channel]")
    return list(whole) if whole.ndim == 3 else [whole]


def _inputs_of(u: Any, states: list[np.ndarray], names: Any) -> tuple[list[np.ndarray], list[str]]:
    """The inputs of every run, and their names."""
    driving = _runs_of(u, "u")
    if len(driving) != len(states):
        raise Error(f"u has {len(driving)} runs, X has {len(states)}")
    for k, (inputs, x) in enumerate(zip(driving, states)):
        if len(inputs) != len(x):
            raise Error(f"run {k + 1} has {len(inputs)} samples of u, but {len(x)} of X")
    width = driving[0].shape[1]
    usual = ["u"] if width == 1 else [f"u{k + 1}" for k in range(width)]
    named = usual if names is None else [names] if isinstance(names, str) else [str(name) for name in names]
    if len(named) != width:
        raise Error(f"there are {len(named)} names for {width} inputs", "give one per column of u")
    return driving, named


def _arrays(
    t: Any, X: Any, channels: Sequence[str] | None, u: Any = None, inputs: Any = None
) -> _lgn.Dataset:
    """t: [sample], [run, sample] or a list; X and u: [sample], [sample, channel], with [run] before it, or a list."""
    states = _runs_of(X, "X")
    times = _times(t, len(states))
    if not states or any(x.ndim != 2 for x in states):
        raise Error("every run in X must be [sample, channel]")
    width = states[0].shape[1]
    for k, (when, x) in enumerate(zip(times, states)):
        if x.shape[1] != width:
            raise Error(f"run {k + 1} has {x.shape[1]} channels, the first has {width}")
        if len(when) != len(x):
            raise Error(
                f"run {k + 1} has {len(when)} times, but {len(x)} samples",
                "X is [sample, channel]; is it transposed?" if x.shape[1] == len(when) else "",
            )
    if width == 0:
        raise Error(f"X has 0 feature(s) (shape={states[0].shape}) while a minimum of 1 is required.")
    names = list(channels) if channels is not None else [f"x{k + 1}" for k in range(width)]
    if len(names) != width:
        raise Error(f"there are {len(names)} names for {width} channels", "give one per column of X")
    driving, named = _inputs_of(u, states, inputs) if u is not None else ([None] * len(states), [])
    runs = [(str(k + 1), *run) for k, run in enumerate(zip(times, states, driving))]
    return _lgn.Dataset([str(name) for name in names], runs, named)


def _times(t: Any, runs: int) -> list[np.ndarray]:
    """The times of every run."""
    nested = isinstance(t, (list, tuple)) and len(t) > 0 and np.ndim(t[0]) == 1
    times = [seconds(part, "t") for part in t] if nested else None
    if times is None:
        whole = seconds(t, "t")
        if whole.ndim == 1:
            return [whole] * runs
        if whole.ndim != 2:
            raise Error(f"t has {whole.ndim} dimensions", "give [sample], or one such array per run")
        times = list(whole)
    if len(times) != runs:
        raise Error(f"t has {len(times)} runs, X has {runs}")
    return times
