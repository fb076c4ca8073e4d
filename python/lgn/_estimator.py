"""A linear system as an estimator of scikit-learn's kind; scikit-learn itself is not needed."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from ._data import dataset_of, numbers
from ._errors import Error
from ._fit import identify

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._model import Model


class LinearSystem:
    """The system ẋ = A x as an estimator: rows of X are samples in the order of time.

    structure, method, basis, loss, holdout, seed, threads, max_seconds: as in `lgn.fit`; None is its
    default. dt: the time between rows where `fit` is given no times; `predict` looks as far ahead.

    After `fit`: `model_` (an `lgn.Model`), `A_`, `poles_`, `step_` (how far `predict` looks ahead),
    `n_features_in_`, and `feature_names_in_` for a DataFrame.

    >>> import lgn
    >>> t, X = lgn.generate("rlc", omega=2.0)
    >>> system = lgn.LinearSystem(structure="metric").fit(X, t=t)
    >>> bool(abs(system.predict(X[:1]) - X[1]).max() < 1e-8)
    True
    >>> round(system.score(X, t=t), 6)
    1.0
    """

    def __init__(
        self,
        structure: str = "auto",
        method: str | None = None,
        basis: str | None = None,
        loss: str | None = None,
        holdout: float | None = None,
        dt: float = 1.0,
        seed: int | None = None,
        threads: int | None = None,
        max_seconds: float | None = None,
    ) -> None:
        self.structure = structure
        self.method = method
        self.basis = basis
        self.loss = loss
        self.holdout = holdout
        self.dt = dt
        self.seed = seed
        self.threads = threads
        self.max_seconds = max_seconds

    def fit(self, X: Any, y: Any = None, t: Any = None) -> LinearSystem:
        """Identifies the system; y is ignored. t: times of the rows; several runs as `lgn.fit` takes them."""
        self._forget()
        names = _names(X)
        dataset, source = self._dataset(X, t)
        options = {name: value for name, value in self.get_params().items() if value is not None}
        del options["dt"]
        options["states"] = "measured"  # rows are states
        self.model_: Model = identify(dataset, source, options, progress=False)
        self.A_ = np.array(self.model_.A)
        self.poles_ = self.model_.poles
        self.step_ = float(self.dt if t is None else self.model_.to_dict()["data"]["step"])
        self.n_features_in_ = len(self.model_.channels)
        if names is not None:
            self.feature_names_in_ = names
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Where each row, taken as a state, is one step later: x̄ + exp(A step_) (x − x̄)."""
        model = self._fitted()
        states = _rows(X)
        if states.shape[1] != self.n_features_in_:
            raise Error(
                f"X has {states.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        if model.varies:
            raise Error("the generator varies in time", "use simulate, which knows the time")
        if model.C is not None:
            raise Error("states are hidden: a row does not tell them", "use simulate, or another structure")
        from ._flow import expm

        rest = 0.0 if model.offset is None else model.offset
        return rest + (states - rest) @ expm(self.A_ * self.step_).T

    def simulate(self, t: ArrayLike, x0: ArrayLike | None = None) -> np.ndarray:
        """The states at times t from x0 at t[0], as `Model.simulate`."""
        return self._fitted().simulate(t, x0)

    def score(self, X: Any, y: Any = None, t: Any = None) -> float:
        """R² of the model's free response, from the initial states that fit X best; 1 is perfect."""
        model = self._fitted()
        dataset, _ = self._dataset(X, t)
        initial_states = model._model.fitted_starts(dataset)
        residual = total = 0.0
        for k, x0 in enumerate(initial_states):
            _, times, states = dataset.run(k)
            residual += np.nansum((model._model.simulate(x0, times) - states) ** 2)
            total += np.nansum((states - np.nanmean(states, axis=0)) ** 2)
        return float(1 - residual / total) if total > 0 else float(residual == 0)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments of the constructor, by name."""
        return {name: getattr(self, name) for name in _parameters(type(self))}

    def set_params(self, **params: Any) -> LinearSystem:
        """Changes arguments of the constructor."""
        known = _parameters(type(self))
        for name, value in params.items():
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self!r}. Valid parameters are: {known}."
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        changed = {k: v for k, v in self.get_params().items() if v != defaults[k].default}
        return f"LinearSystem({', '.join(f'{k}={v!r}' for k, v in changed.items())})"

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def _more_tags(self) -> dict[str, Any]:
        """For scikit-learn before 1.6: a missing sample is NaN, and the order of rows matters."""
        return {"allow_nan": True}

    def __sklearn_tags__(self) -> Any:
        """The same for scikit-learn from 1.6 on."""
        from sklearn.base import BaseEstimator

        tags = BaseEstimator.__sklearn_tags__(self)
        tags.input_tags.allow_nan = True
        return tags

    def _dataset(self, X: Any, t: Any) -> Any:
        several = isinstance(X, (list, tuple)) and len(X) > 0 and np.ndim(X[0]) == 2
        if t is None:
            if not several:
                X = X if hasattr(X, "columns") else _rows(X)
            count = max(len(x) for x in X) if several else len(X)
            if not several and count < 2:
                raise Error(
                    f"Found array with {count} sample(s) (shape={np.shape(X)}) while a minimum of 2 is required."
                )
            every = np.arange(count) * float(self.dt)
            t = [every[: len(x)] for x in X] if several else every
        return dataset_of(t, X)

    def _fitted(self) -> Model:
        if hasattr(self, "model_"):
            return self.model_
        message = "This LinearSystem instance is not fitted yet. Call 'fit' first."
        if "sklearn" in sys.modules:
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(message)
        raise Error(message)

    def _forget(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)


LinearSystem.__module__ = "lgn"


def _parameters(kind: type) -> list[str]:
    return sorted(name for name in inspect.signature(kind).parameters)


def _names(X: Any) -> np.ndarray | None:
    """Names of the columns, where all of them are text."""
    columns = getattr(X, "columns", None)
    if columns is None or not all(isinstance(c, str) for c in columns):
        return None
    return np.array(columns, dtype=object)


def _rows(X: Any) -> np.ndarray:
    """[sample, channel], with scikit-learn's words where it is not."""
    if hasattr(X, "toarray"):
        raise TypeError("A sparse matrix was passed, but dense data is required. Use X.toarray().")
    if getattr(X, "dtype", None) == object:
        X = np.asarray(X, dtype=float)  # its own error says more than ours would
    states = numbers(X, "X")
    if states.ndim != 2:
        raise Error(
            f"Expected 2D array, got {states.ndim}D array instead. Reshape your data either using "
            "array.reshape(-1, 1) or array.reshape(1, -1)"
        )
    if states.shape[1] == 0:
        raise Error(f"0 feature(s) (shape={states.shape}) while a minimum of 1 is required.")
    return states
