"""An identified system."""

from __future__ import annotations

import html
import json
import os
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from . import _lgn
from ._data import dataset_of, is_date, numbers, seconds
from ._design import design_of
from ._errors import Error, warn
from ._modes import as_table
from ._plan import Plan, plan_of
from ._response import Response, TimeResponse
from ._state_space import StateSpace

if TYPE_CHECKING:
    import control
    import matplotlib.figure
    import scipy.signal
    from numpy.typing import ArrayLike


class Prediction(NamedTuple):
    """What `Model.predict` expects: y and its standard errors, [sample, channel], and NRMSE by channel."""

    y: Any
    se: Any
    nrmse: dict[str, float]


class Model(StateSpace):
    """A generator A with everything that was found out about it; `lgn.fit` and `lgn.load` make one.

    Arrays are windows on the model and read-only. Models pickle, as the text of their model file: the
    data that they came from stay behind.

    >>> import lgn, pickle
    >>> model = lgn.fit(lgn.generate("oscillator", omega=3.0), structure="parametric:oscillator")
    >>> pickle.loads(pickle.dumps(model)).A.tolist() == model.A.tolist()
    True
    """

    def __init__(self, model: _lgn.Model, dataset: _lgn.Dataset | None = None) -> None:
        self._model = model
        self._dataset = dataset
        self._dict: dict[str, Any] | None = None

    @property
    def poles(self) -> np.ndarray:
        """Eigenvalues of A, slowest oscillation first, conjugate pairs side by side."""
        columns = self._model.mode_columns()
        return columns["re"] + 1j * columns["im"]

    @property
    def modes(self) -> Any:
        """Poles, frequencies, damping ratios, time constants, with standard errors (se_…).

        A pandas DataFrame with one row per eigenvalue, or a list of dicts without pandas.

        >>> import lgn
        >>> model = lgn.fit(lgn.generate("rlc", omega=2.0, gamma=0.4, noise=0.01), structure="metric")
        >>> model.modes["damping_ratio"].round(2).tolist()
        [0.1, 0.1]
        >>> bool((model.modes["se_damping_ratio"] < 0.001).all())
        True
        """
        return as_table(self._model.mode_columns())

    def some_modes(self, count: int = 20, near: float | str | None = None) -> Any:
        """So many modes, a conjugate pair being one: the slowest, or those nearest to a frequency (5, "5Hz").

        As `modes`, of which a large network has only those that the fit computed; others are computed here.

        >>> import lgn
        >>> model = lgn.fit(lgn.generate("ladder", sections=3, noise=0.01), structure="sd")
        >>> len(model.modes), len(model.some_modes(1))
        (6, 2)
        """
        return as_table(self._model.some_modes(count, "" if near is None else str(near)))

    @property
    def shapes(self) -> np.ndarray:
        """Mode shapes: right eigenvectors of A as channels show them, one column per pole."""
        return self._model.mode_shapes()

    @property
    def x0(self) -> np.ndarray:
        """Initial states of the runs of the data, [run, state]."""
        return self._model.starts

    @property
    def energy(self) -> np.ndarray | None:
        """Q of the energy ½ (x − x̄)ᵀQ(x − x̄) that never grows; None where no energy is known."""
        return self._model.energy

    @property
    def channels(self) -> list[str]:
        """Names of the measured channels."""
        return self._model.channels

    @property
    def states(self) -> list[str]:
        """Names of the states: those of the channels, or x1, x2, … where they are hidden."""
        return self._model.states

    @property
    def record(self) -> str:
        """What moved the system: free (nothing after its initial state), driven (by inputs) or ambient (forces nobody measured)."""
        return self._model.record

    @property
    def structure(self) -> str:
        """What A is made of: sd, metric, network, ltv-sd, parametric:LAW and others."""
        return self._model.structure

    @property
    def method(self) -> str:
        """How it was found: closed-form, mle, adam, successive; generate where it was given."""
        return self._model.method

    @property
    def time_unit(self) -> str:
        """The unit of times."""
        return self._model.time_unit

    @property
    def assumptions(self) -> list[str]:
        """What reading the files took for granted, such as a unit or a separator; empty for arrays."""
        return self._model.assumptions

    @property
    def varies(self) -> bool:
        """Whether the generator varies in time."""
        return self._model.varies

    @property
    def warnings(self) -> list[tuple[str, str]]:
        """What a user should know, as pairs of code and message."""
        return self._model.warnings

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the structure by name: numbers, vectors and matrices."""
        found = self.to_dict()["parameters"]
        return {k: np.array(v, dtype=float) if isinstance(v, list) else v for k, v in found.items()}

    @property
    def fit(self) -> dict[str, Any]:
        """How the fit went: nrmse_train, noise_sigma, iterations, converged, seconds and others."""
        return self.to_dict()["fit"]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as the model file holds it."""
        if self._dict is None:
            self._dict = json.loads(self._model.to_json())
        return self._dict

    def to_json(self) -> str:
        """The text of the model file."""
        return self._model.to_json()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file (lgn-model/1), whole or not at all; `lgn.load` reads it."""
        self._model.write(os.fsencode(path))

    def export(self, path: str | os.PathLike[str], format: str = "", *, ports: str = "") -> None:
        """Writes the model for others than lgn, by the ending of the path or the name of the format.

        python (.py) and octave or matlab (.m) are scripts that simulate it, mat (.mat) holds its arrays,
        modelica (.mo) is a model, spice (.cir) a subcircuit whose ports are an admittance or an impedance: what
        names of channels and inputs say, or `ports`.

        >>> import lgn
        >>> lgn.generate("rlc").truth.export("rlc.py")
        """
        self._model.write_export(os.fsencode(path), format, ports)

    def simulate(
        self, t: ArrayLike, x0: ArrayLike | None = None, *, u: ArrayLike | None = None
    ) -> np.ndarray:
        """The response [sample, channel] at increasing times t; t[0] is the time of x0.

        u are the inputs then, [sample, input]; without them inputs are zero.

        x0 is [state], or [run, state] for [run, sample, channel]; by default the initial state of the first run.
        Dates count in seconds from the first of them.

        >>> import lgn
        >>> model = lgn.generate("oscillator", omega=1.0).truth
        >>> model.simulate([0, 3.141592653589793], [1, 0]).round(6)
        array([[ 1.,  0.],
               [-1., -0.]])
        """
        times = seconds(t, "t")
        if self.varies and np.size(t) > 0 and is_date(np.asarray(t).flat[0]):
            raise Error("the generator varies in time", "give t in the numbers it was identified from, not as dates")
        if x0 is None and len(self.x0) == 0:
            raise Error("the model has no initial state", "give x0")
        initial = numbers(self.x0[0] if x0 is None else x0, "x0")
        if times.ndim != 1 or times.size == 0:
            raise Error("t must be one-dimensional, and not empty")
        if not np.all(np.isfinite(times)) or np.any(np.diff(times) <= 0):
            raise Error("the times t must be finite and increase")
        driving = None if u is None else numbers(u, "u").reshape(times.size, -1)
        self._warn_extrapolation(times)
        if initial.ndim == 2:
            return np.stack([self._model.simulate(one, times, driving) for one in initial])
        return self._model.simulate(initial, times, driving)

    def response(self, frequencies: ArrayLike | None = None) -> Response:
        """Transfer functions from the inputs to the channels, with standard errors.

        At these frequencies (Hz), or over all that matter: from a tenth of the slowest mode to ten times the fastest, up to the
        Nyquist frequency.

        >>> import lgn
        >>> data = lgn.generate("rlc", omega=2.0, gamma=0.4, noise=0.01, input="steps", t1=60)
        >>> model = lgn.fit(data.t, data.X[:, :1], u=data.u, states=2, hold="zoh")
        >>> found = model.response([0.01, 0.3])
        >>> found.H.shape, bool((found.magnitude_se < 0.05 * found.magnitude).all())
        ((2, 1, 1), True)
        >>> sorted(found.figures[0]["static_gain"])
        ['se', 'value']
        """
        default = frequencies is None
        at = _lgn.response_frequencies(self._model) if default else numbers(frequencies, "frequencies").reshape(-1)
        if at.size == 0 or not np.all(np.isfinite(at)) or np.any(at < 0):
            raise Error("the frequencies must be finite numbers of at least zero, one or more")
        found = _lgn.frequency_response(self._model, at)
        curves = ("bode", "step", "impulse")
        pairs = json.loads(_lgn.response_json(self._model))["responses"]
        figures = [{name: value for name, value in pair.items() if name not in curves} for pair in pairs]
        return Response(at, **found, inputs=self.inputs, channels=self.channels, figures=figures)

    def plan(self, **measurement: Any) -> Plan:
        """Standard errors to expect of another measurement of this system; arguments as `lgn.plan` has them.

        Free motion begins with the model's initial states, driven motion at rest.

        >>> import lgn
        >>> truth = lgn.generate("mass-spring", masses=2, damping=0.2, input="random").truth
        >>> plan = truth.plan(sensors=["q1"], duration=100, rate=5, noise="2%")
        >>> len(plan.modes), plan.next_sensor in truth.channels, plan.best_input in ("steps", "chirp", "multisine", "random")
        (2, True, True)
        """
        return plan_of(self._model, **measurement)

    def design(self, free: str | list[str], **wanted: Any) -> Model:
        """A model with other values of these elements, such that targets are met at the least of an objective.

        free are names with * and ?; wanted: targets ("zeta>=0.2", or several), minimise or maximise (an expression, by default
        the least change), bounds ({"R*": (1e-3, 10)}), tie ("R1=R2"), series ("E24"), robust (targets hold with 95% over the errors of the values), tolerance
        ({"R*": 0.01}, what parts are made to), starts, seed, max_seconds and report (a page to write). Expressions are those of
        `lgn design`. Raises NotIdentified where no values meet the targets.

        >>> import lgn
        >>> ladder = lgn.generate("ladder", sections=3).truth
        >>> better = ladder.design("R*", targets="zeta>=0.2", minimise="sum(R*)", bounds={"R*": (1e-3, 10)})
        >>> round(better.designed["objective"]["after"], 4)
        1.5911
        >>> print(better.design_text().splitlines()[1].split()[2][:5])  # R1, that was 0.1
        0.807
        """
        return Model(design_of(self._model, free, **wanted))

    @property
    def designed(self) -> dict[str, Any] | None:
        """How its values were chosen: values, targets with sensitivities, objective; None where they were identified."""
        return self.to_dict().get("design")

    def design_text(self) -> str:
        """The same as a table; empty where the model was not designed."""
        return _lgn.design_text(self._model)

    def step_response(self, t: ArrayLike | None = None) -> TimeResponse:
        """What channels do after an input has gone from 0 to 1 at t = 0, from rest; at these times, or until it has settled.

        >>> import lgn
        >>> truth = lgn.generate("rlc", omega=2.0, gamma=0.4, input="steps").truth
        >>> truth.step_response([0, 50]).y[:, 0, 0].round(3).tolist()
        [0.0, 0.25]
        """
        return self._time_response(_lgn.step_response, t)

    def impulse_response(self, t: ArrayLike | None = None) -> TimeResponse:
        """The same after a unit impulse, C exp(A t) B; D δ(t) is left out."""
        return self._time_response(_lgn.impulse_response, t)

    def _time_response(self, respond: Any, t: ArrayLike | None) -> TimeResponse:
        at = _lgn.response_times(self._model) if t is None else numbers(t, "t").reshape(-1)
        return TimeResponse(at, **respond(self._model, at), inputs=self.inputs, channels=self.channels)

    def generator(self, t: float) -> np.ndarray:
        """A(t); the same at every time where the generator is constant.

        >>> import lgn
        >>> truth = lgn.generate("ltv-oscillator", gamma=0.5, modulation=0.4).truth
        >>> truth.generator(0.0).tolist()
        [[0.0, 1.0], [-1.0, -0.5]]
        """
        return self._model.generator(t)

    def evaluate(
        self, t: Any, X: Any = None, *, u: Any = None, x0: Literal["estimate", "measured"] = "estimate"
    ) -> dict[str, Any]:
        """NRMSE and energy of the model on data, as `lgn.fit` takes them, per run and per channel.

        >>> import lgn
        >>> data = lgn.generate("ladder", sections=2)
        >>> scores = data.truth.evaluate(data)
        >>> scores["nrmse"] < 1e-12, scores["energy_violations"], list(scores["channels"])
        (True, 0.0, ['v1', 'i1', 'v2', 'i2'])
        """
        if x0 not in ("estimate", "measured"):
            raise Error(f'x0 does not know "{x0}"', "it takes estimate or measured")
        dataset = self._data(t, X, u)
        for k in range(len(dataset)):
            self._warn_extrapolation(dataset.run(k)[1])
        return self._model.evaluate(dataset, x0 == "measured")

    def predict(self, t: Any, X: Any = None, *, u: Any = None, horizon: int = 1) -> Prediction:
        """What every sample was expected to be from those at least `horizon` samples before it, with standard errors.

        Data are as `lgn.fit` takes them. Arrays are [sample, channel], lists of them where there are several runs; NaN
        where too little was seen before.

        >>> import lgn
        >>> data = lgn.generate("rlc", noise=0.01, t1=30)
        >>> found = lgn.fit(data, structure="sd").predict(data, horizon=3)
        >>> found.y.shape == found.se.shape, all(value < 0.1 for value in found.nrmse.values())
        (True, True)
        """
        dataset = self._data(t, X, u)
        if isinstance(horizon, bool) or not isinstance(horizon, (int, np.integer)):
            raise Error(f"horizon is a number of samples, not {horizon!r}", "give a whole number")
        for k in range(len(dataset)):
            self._warn_extrapolation(dataset.run(k)[1])
        outputs, errors, nrmse = self._model.predict(dataset, int(horizon))
        one = len(outputs) == 1
        return Prediction(outputs[0] if one else outputs, errors[0] if one else errors, nrmse)

    def report(self, path: str | os.PathLike[str], t: Any = None, X: Any = None) -> None:
        """Writes a self-contained page about the model and data: by default those of the fit.

        >>> import lgn
        >>> lgn.fit(lgn.generate("rlc", noise=0.01), structure="metric").report("report.html")
        """
        dataset, checksum = self._sourced(t, X)
        own = t is None or (checksum != "" and checksum == self.to_dict()["data"]["sha256"])
        self._model.write_report(dataset, own and len(dataset) == len(self.x0), os.fsencode(path))

    def plot(self, t: Any = None, X: Any = None, *, channels: int = 4) -> matplotlib.figure.Figure:
        """Draws data against model for the first channels, and the poles; returns the figure.

        Needs matplotlib. The data are those of the fit, or given as for `lgn.fit`.

        >>> import lgn
        >>> figure = lgn.fit(lgn.generate("rlc", noise=0.01), structure="metric").plot()
        >>> figure.savefig("rlc.svg")
        """
        from ._plot import draw

        known = t is not None or self._dataset is not None
        return draw(self, self._data(t, X) if known else None, channels)

    def to_scipy(self, B: ArrayLike | None = None) -> scipy.signal.StateSpace:
        """The model as ẋ = A x + B u, y = C x (y = x where no state is hidden), without its offset.

        Without B inputs are those of the model, and D its feedthrough; a model without inputs then has one for every state.

        >>> import lgn
        >>> lgn.generate("rlc", omega=2.0).truth.to_scipy(B=[0, 1]).A.tolist()
        [[0.0, 1.0], [-4.0, -0.1]]
        """
        import scipy.signal

        return scipy.signal.StateSpace(*self._state_space(B))

    def to_control(self, B: ArrayLike | None = None) -> control.StateSpace:
        """The same for python-control, with the names of states and channels."""
        import control

        named = {"inputs": self.inputs} if B is None and self.inputs else {}
        return control.ss(*self._state_space(B), states=self.states, outputs=self.channels, **named)

    def _state_space(self, B: ArrayLike | None) -> tuple[np.ndarray, ...]:
        if self.varies:
            raise Error("the generator varies in time", "a state space of constant A would not be it")
        self._model.check_dense("a state space")
        n = len(self.A)
        own = B is None and self.B is not None
        inputs = np.array(self.B) if own else np.eye(n) if B is None else numbers(B, "B").reshape(n, -1)
        seen = np.eye(n) if self.C is None else np.array(self.C)
        through = np.array(self.D) if own and self.D is not None else np.zeros((len(seen), inputs.shape[1]))
        return np.array(self.A), inputs, seen, through

    def _data(self, t: Any, X: Any, u: Any = None) -> _lgn.Dataset:
        return self._sourced(t, X, u)[0]

    def _sourced(self, t: Any, X: Any, u: Any = None) -> tuple[_lgn.Dataset, str]:
        """Data, and the checksum of the files they come from; empty where they come from none."""
        if t is not None:
            named = self.channels if X is not None or not hasattr(t, "channels") else None
            dataset, (_, checksum, _) = dataset_of(t, X, u=u, channels=named, time_unit=self.time_unit)
            if len(dataset.inputs) != len(self.inputs) and self.inputs:
                raise Error(f"the data have {len(dataset.inputs)} inputs, the model has {len(self.inputs)}", "give u")
            dataset = dataset.of_channels(self.channels)
            if len(dataset.channels) != len(self.channels):
                raise Error(f"the data have {len(dataset.channels)} channels, the model has {len(self.channels)}")
            return dataset, checksum
        if self._dataset is None:
            raise Error("the model has lost its data", "give them again: t and X")
        return self._dataset, ""

    def _warn_extrapolation(self, times: np.ndarray) -> None:
        if not self._model.extrapolated(times):
            return
        begin, end = self._model.learned_span()
        message = (
            f"the generator was identified from t = {begin:.6g} to {end:.6g} and its basis does not repeat; "
            "beyond that it is extrapolated, and the data say nothing about it"
        )
        warn("extrapolation", message, stacklevel=4)

    def __repr__(self) -> str:
        n = len(self.states)
        return f"<lgn.Model: {n} state{'' if n == 1 else 's'}, structure {self.structure}, {self.method}>"

    def __str__(self) -> str:
        return self._model.summary() + "\n" + self._model.tables()

    def _repr_html_(self) -> str:
        unit = html.escape(self.time_unit)
        hertz = html.escape(self._model.frequency_unit)
        header = [f"pole [1/{unit}]", f"ω<sub>n</sub> [rad/{unit}]", f"f [{hertz}]", "ζ"]
        header += [f"τ [{unit}]", "Q", "channels"]
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._model.mode_rows()
        )
        head = "".join(f"<th>{cell}</th>" for cell in header)
        summary = "<br>".join(html.escape(line) for line in self._model.summary().splitlines())
        return f"<p>{summary}</p><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_json, (self.to_json(),)


Model.__module__ = "lgn"


def _from_json(text: str) -> Model:
    return Model(_lgn.model_from_json(text, "pickled model"))


def load(path: str | os.PathLike[str]) -> Model:
    """Reads a model file, such as `Model.save` and `lgn fit -o` write.

    >>> import lgn, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "model.json")
    >>> lgn.generate("ladder", sections=2).truth.save(path)
    >>> lgn.load(path)
    <lgn.Model: 4 states, structure parametric:ladder, generate>
    """
    return Model(_lgn.read_model(os.fsencode(path)))
