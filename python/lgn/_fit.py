"""From data to a model."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from . import _lgn
from ._data import Source, dataset_of
from ._errors import Error, warn
from ._model import Model
from ._progress import Bar, Progress


def fit(
    t: Any,
    X: Any = None,
    structure: str = "auto",
    *,
    u: Any = None,
    states: int | Literal["auto", "measured"] | None = None,
    record: Literal["auto", "free", "driven", "ambient"] | None = None,
    hold: Literal["auto", "zoh", "foh"] | None = None,
    feedthrough: Literal["auto", "yes", "no"] | bool | None = None,
    delay: float | Literal["auto"] | None = None,
    passive: bool | None = None,
    noise_model: Literal["auto", "output", "innovation"] | None = None,
    method: Literal["auto", "closed-form", "mle", "adam", "successive"] | None = None,
    engine: Literal["auto", "dense", "sparse", "petsc"] | None = None,
    basis: Literal["auto", "harmonics", "spline", "fourier"] | None = None,
    x0: Literal["estimate", "measured"] | None = None,
    offset: Literal["auto", "none", "estimate"] | Sequence[float] | None = None,
    start: Mapping[str, float] | None = None,
    holdout: float | None = None,
    loss: Literal["auto", "squares", "huber"] | None = None,
    confidence: float | None = None,
    errors: Literal["auto", "always", "never"] | None = None,
    bootstrap: int | None = None,
    magnus: str | int | None = None,
    kinds: Sequence[str] | None = None,
    edges: str | os.PathLike[str] | Sequence[str | tuple[str, str]] | None = None,
    require: Sequence[str | tuple[str, str]] | None = None,
    forbid: Sequence[str | tuple[str, str]] | None = None,
    epochs: int | None = None,
    learning_rate: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    max_seconds: float | None = None,
    thorough: bool | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    time_unit: str | None = None,
    channels: Sequence[str] | None = None,
    inputs: Sequence[str] | str | None = None,
    outputs: Sequence[str] | None = None,
    time: str | int | None = None,
    columns: Sequence[str] | None = None,
    dt: float | str | None = None,
    rate: float | str | None = None,
    variable: str | None = None,
    date_order: Literal["dmy", "mdy", "ymd"] | None = None,
    begin: float | str | None = None,
    end: float | str | None = None,
    decimal_comma: bool = False,
    scale: Mapping[str, float] | None = None,
    progress: bool | Progress = True,
) -> Model:
    """Finds the generator A of ẋ = A x + B u in a structure from data, and its physics.

    Data are, in any of these forms:

    - `fit(t, X)`: times [sample], and samples [sample, channel], [run, sample, channel] or a list of
      [sample, channel]; where runs have times of their own, t is a list too. NaN is a missing sample.
      Inputs are `u`, in the same form as X, named u1, u2, … or as `inputs` says.
    - `fit(frame)`: a pandas DataFrame with a column t or time (or the one that `time` names), or with
      times as its index; columns are channels, a column `trajectory` splits rows into runs, columns
      u, u1, … (or `inputs`) are inputs. Dates count in seconds. Also a list of DataFrames.
    - `fit("run.csv")`: the path of a text, NPY, NPZ, MAT, HDF5, WAV or FLAC file, or a list of them.
    - `fit(data)`: what `lgn.generate` returns.

    `structure` is auto (the simplest that the data support; may be full or ltv-full, which guarantee
    nothing), modal (hidden states in the coordinates of their modes), skew, sd, psd, scaled-sd, metric, full,
    network, mechanical, parametric:LAW, or ltv-skew, ltv-sd, ltv-psd, ltv-full for a generator that
    varies in time. Arguments that are not given are as in `lgn fit`:

    states: how many: a number, measured (one per channel), or auto (one per channel where that leaves only
    noise, else as many as the data support); more than channels are hidden, and seen through `Model.C`.
    record: what moves the system: auto, free (nothing after its initial state), driven (inputs) or ambient
    (forces nobody measured).
    hold: inputs between their samples: zoh, foh or auto. feedthrough: whether inputs act on channels at once: yes, no, auto.
    delay: how late inputs act, or auto.
    passive: passive at its ports for every parameter value: each output stands beside the input of the same number, and
    their product is power.
    noise_model: with inputs: output (white noise of the samples), innovation (any other: a predictor with the gain `Model.K`),
    auto (output unless its residuals are not white).
    method: auto (closed form, then maximum likelihood), closed-form, mle, adam, or successive (of nonlinear laws:
    linearised again and again).
    engine: what carries the fit: dense matrices, sparse products (networks), or auto: sparse above 400 states, 150 where
    pairs are to be found.
    basis: how a generator varies: auto, harmonics, spline or fourier.
    x0: estimate the initial state of every run, or take it as measured.
    offset: what channels show at rest: auto (estimated where the data support it), none, estimate, or a number
    for each channel.
    start: initial guesses of a law's parameters, by name.
    holdout: fraction of each run, at its end, for validation: predicted, not fitted. The validation error
    is the RMS of the prediction error over the RMS of the data, both of that part.
    loss: squares, huber where samples are outliers, or auto (default): huber where single samples of free motion
    stand out.
    confidence: of confidence intervals, 0.95. errors: standard errors auto, always or never.
    bootstrap: so many fits to simulated data (parametric bootstrap) check the standard errors.
    magnus: steps for a generator that varies: 2, 4, 6 and others.
    kinds, edges, require, forbid: what is known of a network and its topology; pairs are "A:B" or ("A", "B"), and
    edges may be the path of a file.
    epochs, learning_rate: of adam. seed: of random numbers. threads: of linear algebra and bootstrap.
    max_seconds: ends with the best so far, and the warning `stopped`. thorough: auto looks for topologies and for
    variation in time as long as that takes. checkpoint: a file from which the same call resumes.
    time_unit: of t, for labels and Hz; times of files that have a unit are converted to it.
    channels: names of the columns of X, or the columns to use; outputs is another word for it.
    columns: names of all columns of a file, "-" skips one. time: the name of its time column, the
    beginning of one, or a number from 1. dt ("10ms" or in time_unit) or rate ("1kHz" or in Hz) where a
    file has no time. variable: the array to read, or a group. date_order: of dates such as 5/6/2021. begin, end: times
    ("20ms", or in time_unit) before and after which samples are left out; begin is where something moves, "all" keeps the rest.
    scale: columns of a file that are multiplied, {"CH2": 0.1}.
    What reading took for granted is in `model.assumptions`.
    progress: False for no bar, or a function of task, step, steps and error; where it returns False
    the fit ends with the best so far.

    The result is the same to the last bit for the same data, options and number of threads, here and
    in the program. Raises Error for what cannot be used and NotIdentified where nothing was found;
    what a user should know comes as an IdentificationWarning. Ctrl-C works.

    >>> import lgn
    >>> data = lgn.generate("ladder", sections=2, t1=60, noise=0.02)
    >>> model = lgn.fit(data.t, data.X, structure="sd", channels=data.channels)
    >>> model.channels
    ['v1', 'i1', 'v2', 'i2']
    >>> abs(model.A - data.truth.A).max() < 0.01
    True
    """
    if outputs is not None and channels is not None:
        raise Error("channels and outputs are two words for one thing", "give one of them")
    dataset, source = dataset_of(
        t,
        X,
        u=u,
        channels=channels if outputs is None else outputs,
        inputs=inputs,
        time=time,
        time_unit=time_unit,
        columns=columns,
        dt=dt,
        rate=rate,
        variable=variable,
        date_order=date_order,
        begin=begin,
        end=end,
        decimal_comma=decimal_comma,
        scale=None if scale is None else [f"{name}={float(factor)!r}" for name, factor in scale.items()],
    )
    given: dict[str, Any] = {
        "structure": structure,
        "states": states,
        "record": record,
        "hold": hold,
        "feedthrough": {True: "yes", False: "no"}.get(feedthrough, feedthrough),  # type: ignore[arg-type]
        "delay": delay if delay is None or isinstance(delay, str) else repr(float(delay)),
        "passive": passive,
        "noise_model": noise_model,
        "method": method,
        "engine": engine,
        "basis": basis,
        "x0": x0,
        "offset": offset if offset is None or isinstance(offset, str) else ",".join(repr(float(v)) for v in offset),
        "start": None if start is None else [(str(k), float(v)) for k, v in start.items()],
        "holdout": holdout,
        "loss": loss,
        "confidence": confidence,
        "errors": errors,
        "bootstrap": bootstrap,
        "magnus": magnus,
        "kinds": None if kinds is None else list(kinds),
        "edges": os.fspath(edges) if isinstance(edges, (str, os.PathLike)) else _pairs(edges),
        "require": _pairs(require),
        "forbid": _pairs(forbid),
        "epochs": epochs,
        "learning_rate": learning_rate,
        "seed": seed,
        "threads": threads,
        "max_seconds": max_seconds,
        "thorough": thorough,
        "time_unit": time_unit,
    }
    options = {name: value for name, value in given.items() if value is not None}
    if checkpoint is not None:
        options["checkpoint"] = os.fspath(checkpoint)
    return identify(dataset, source, options, progress)


def identify(
    dataset: _lgn.Dataset,
    source: Source,
    options: dict[str, Any],
    progress: bool | Progress = True,
    stacklevel: int = 4,
) -> Model:
    """Fits, with a bar, and warns."""
    if progress is True:
        with Bar() as callback:
            found = _lgn.identify(dataset, options, callback)
    else:
        found = _lgn.identify(dataset, options, progress or None)
    if source[0]:
        found.set_files(*source)
    model = Model(found, dataset.of_channels(found.channels))
    for code, message in model.warnings:
        warn(code, message, stacklevel=stacklevel)
    return model


def _pairs(pairs: Sequence[str | tuple[str, str]] | None) -> list[str] | None:
    if pairs is None:
        return None
    return [pair if isinstance(pair, str) else ":".join(pair) for pair in pairs]
