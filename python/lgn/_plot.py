"""Pictures by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np

from . import _lgn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._model import Model

_points = 1200


def draw(model: Model, dataset: _lgn.Dataset | None, channels: int) -> Figure:
    """The first run of the data and the model through it, channel by channel, beside the poles."""
    shown = min(channels, len(model.channels)) if dataset is not None else 0
    figure = plt.figure(figsize=(10, max(3.5, 1.6 * shown)), layout="constrained")
    grid = figure.add_gridspec(max(shown, 1), 2 if shown else 1, width_ratios=[2, 1] if shown else [1])
    if dataset is not None and shown:
        _signals(figure, grid, model, dataset, shown)
    _poles(figure.add_subplot(grid[:, -1]), model)
    return figure


def _signals(figure: Any, grid: Any, model: Model, dataset: _lgn.Dataset, shown: int) -> None:
    _, t, x = dataset.run(0)
    initial = model._model.fitted_starts(dataset)[0]
    driven = bool(model.inputs)  # between samples only the model knows its inputs
    times = t if driven else np.linspace(t[0], t[-1], _points)
    states = model._model.simulate(initial, times, dataset.driving(0) if driven else None)
    first = None
    for k in range(shown):
        axes = first = figure.add_subplot(grid[k, 0], sharex=first)
        axes.plot(t, x[:, k], ".", color="0.6", markersize=3, label="data")
        axes.plot(times, states[:, k], color="C0", linewidth=1.2, label="model")
        axes.set_ylabel(model.channels[k])
        axes.label_outer()
        if k == 0:
            axes.legend(loc="upper right", fontsize="small")
    axes.set_xlabel(f"time [{model.time_unit}]")


def _poles(axes: Any, model: Model) -> None:
    columns = model._model.mode_columns()
    axes.axvline(0, color="0.7", linewidth=0.8)
    axes.axhline(0, color="0.7", linewidth=0.8)
    known = np.isfinite(columns["se_re"]) & np.isfinite(columns["se_im"])
    axes.errorbar(
        columns["re"],
        columns["im"],
        xerr=np.where(known, columns["se_re"], 0),
        yerr=np.where(known, columns["se_im"], 0),
        fmt="x",
        color="C3",
        capsize=2,
    )
    axes.set_title("poles of the mean generator" if model.varies else "poles")
    axes.set_xlabel(f"Re λ [1/{model.time_unit}]")
    axes.set_ylabel(f"Im λ [rad/{model.time_unit}]")
