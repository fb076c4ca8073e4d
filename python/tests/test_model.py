"""What a model can do."""

from __future__ import annotations

import copy
import pickle
import runpy
import sys
import types

import numpy as np
import pytest

import lgn

eps = np.finfo(float).eps


@pytest.fixture(scope="module")
def model(ringdown):
    return lgn.fit(ringdown, structure="sd")


@pytest.fixture(scope="module")
def varying():
    data = lgn.generate("ltv-oscillator", t1=20, noise=0.01)
    return lgn.fit(data, structure="ltv-sd")


@pytest.fixture(scope="module")
def hidden_data():
    data = lgn.generate("ladder", sections=3, t1=30, dt=0.1, noise=0.01, trajectories=2, x0="e1")
    return [data.t] * 2, [run[:, [0, 4]] + [5, -2] for run in data.X]


@pytest.fixture(scope="module")
def hidden(hidden_data):
    return lgn.fit(*hidden_data, states=6, channels=["v1", "v3"])


def test_arrays_are_read_only_windows(model):
    assert model.A.shape == (6, 6) and model.x0.shape == (1, 6) and model.energy.shape == (6, 6)
    assert not model.A.flags.owndata
    with pytest.raises(ValueError, match="read-only"):
        model.A[0, 0] = 1
    kept = lgn.generate("rlc").truth.A
    assert kept[0, 1] == 1  # the model it is a window on is gone from here, and still alive


def test_modes(model):
    pandas = pytest.importorskip("pandas")
    table = model.modes
    assert isinstance(table, pandas.DataFrame) and len(table) == 6
    assert np.array_equal(table["re"] + 1j * table["im"], model.poles)
    # Each is an eigenvalue: its residual is rounding, some ten times ε ‖A‖.
    residual = model.A @ model.shapes - model.shapes * model.poles
    assert np.abs(residual).max() < 100 * eps * np.linalg.norm(model.A)
    assert (table["se_frequency_hz"] > 0).all() and table["identifiable"].all()
    assert table["frequency_hz"].iloc[0] == pytest.approx(0.0708, abs=3e-4)


def test_modes_without_pandas(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    rows = model.modes
    assert isinstance(rows, list) and rows[0]["re"] == model.poles[0].real
    assert lgn.modes(model.A)[0]["im"] == pytest.approx(model.poles[0].imag)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
@pytest.mark.parametrize("which", ["model", "varying", "hidden"])
def test_pickling(which, again, request):
    before = request.getfixturevalue(which)
    after = again(before)
    assert after.to_json() == before.to_json()
    times = np.linspace(0, 5, 7)
    assert np.array_equal(after.simulate(times), before.simulate(times))
    with pytest.raises(lgn.Error, match="lost its data"):
        after.report("nowhere.html")


def test_save_and_load(model, tmp_path):
    model.save(tmp_path / "model.json")
    assert lgn.load(tmp_path / "model.json").to_json() == model.to_json()
    (tmp_path / "model.json").write_text("{")
    with pytest.raises(lgn.Error, match="model.json"):
        lgn.load(tmp_path / "model.json")


def test_simulate(model):
    times = np.array([0.0, 0.3, 1.0, 2.5])
    states = model.simulate(times)
    # Steps add up to the time but for rounding: at most k ε ‖A t‖ per state of size one.
    for t, x in zip(times, states):
        assert np.allclose(x, lgn.expm(model.A * t) @ model.x0[0], rtol=0, atol=1e3 * eps)
    both = model.simulate(times, [model.x0[0], 2 * model.x0[0]])
    assert np.array_equal(both[0], states) and np.allclose(both[1], 2 * states, rtol=1e-14)
    for bad, words in [([1, 0], "increase"), ([], "empty"), ([[0, 1]], "one-dimensional")]:
        with pytest.raises(lgn.Error, match=words):
            model.simulate(bad)
    with pytest.raises(lgn.Error, match="x0 has 2 values"):
        model.simulate([0, 1], [1, 2])


def test_scipy(model):
    signal = pytest.importorskip("scipy.signal")
    system = model.to_scipy()
    times = np.arange(100) * 0.1
    _, outputs, _ = signal.lsim(system, U=np.zeros((100, 6)), T=times, X0=model.x0[0])
    # Both multiply by exp(A dt) once per sample; each product rounds by about n ε.
    assert np.allclose(outputs, model.simulate(times), rtol=0, atol=100 * 6 * 10 * eps)
    assert model.to_scipy(B=np.ones(6)).B.shape == (6, 1)


def test_control(model, monkeypatch):
    """What python-control is asked for, by a stand-in; test_control.py has the package itself."""
    asked = {}
    stand_in = types.ModuleType("control")
    stand_in.ss = lambda *matrices, **names: asked.update(matrices=matrices, names=names) or "system"
    monkeypatch.setitem(sys.modules, "control", stand_in)
    assert model.to_control(B=np.ones(6)) == "system"
    assert asked["names"] == {"states": model.channels, "outputs": model.channels}
    for theirs, ours in zip(asked["matrices"], [model.A, np.ones((6, 1)), np.eye(6), np.zeros((6, 1))]):
        assert np.array_equal(theirs, ours)


def test_a_varying_generator(varying):
    assert varying.varies and np.array_equal(varying.generator(1.0), varying.generator(1.0))
    assert not np.array_equal(varying.generator(1.0), varying.generator(2.0))
    with pytest.raises(lgn.Error, match="varies in time"):
        varying.to_scipy()
    by_magnus = lgn.magnus(varying.generator, np.linspace(0, 10, 11), varying.x0[0])
    # Both are exact to the default tolerance of 1e-11 per sample.
    assert np.allclose(by_magnus, varying.simulate(np.linspace(0, 10, 11)), rtol=0, atol=1e-9)


def test_extrapolation_warns():
    data = lgn.generate("ltv-chain", masses=2, t1=40, dt=0.2)
    model = lgn.fit(data, structure="ltv-full", basis="spline")
    with pytest.warns(lgn.IdentificationWarning, match=r"\[extrapolation\]") as caught:
        model.simulate([0, 100])
    assert caught[0].filename == __file__ and caught[0].message.code == "extrapolation"


def test_evaluate(model, ringdown):
    scores = model.evaluate(ringdown)
    assert scores["nrmse"] == pytest.approx(model.fit["nrmse_train"], rel=1e-6)
    assert set(scores["channels"]) == set(model.channels) and scores["energy_violations"] == 0


def test_words_and_pages(model, tmp_path, ringdown):
    assert "structure sd" in str(model) and "ζ" in str(model)
    assert repr(model) == "<lgn.Model: 6 states, structure sd, mle>"
    assert model._repr_html_().count("<tr>") == 4  # a head, and three pairs
    model.report(tmp_path / "fit.html")
    lgn.Model(model._model).report(tmp_path / "again.html", ringdown)
    assert (tmp_path / "fit.html").read_text() == (tmp_path / "again.html").read_text()
    lgn.generate("ladder", sections=3).save(tmp_path / "other.csv")
    model.report(tmp_path / "other.html", tmp_path / "other.csv")
    assert "not the data that the model was fitted to" in (tmp_path / "other.html").read_text()
    assert (tmp_path / "fit.html").read_text().rstrip().endswith("</html>")
    assert model.parameters["d"].shape == (6,) and model.fit["converged"]


def test_names_are_escaped():
    t, X = lgn.generate("rlc", noise=0.01)
    model = lgn.fit(t, X, "full", channels=["<b>", "&"], time_unit="<i>")
    assert "<b>" not in model._repr_html_() and "<i>" not in model._repr_html_()


def test_plot(model, varying):
    pytest.importorskip("matplotlib")
    assert len(model.plot().axes) == 5  # four channels and the poles
    assert len(varying.plot(channels=1).axes) == 2
    assert len(pickle.loads(pickle.dumps(model)).plot().axes) == 1


def test_export_simulates_without_lgn(tmp_path):
    truth = lgn.generate("ladder", sections=3).truth
    truth.export(tmp_path / "ladder_script.py")
    script = runpy.run_path(str(tmp_path / "ladder_script.py"))
    times = np.linspace(0, 20, 101)
    states = truth.simulate(times)
    # The same steps in other arithmetic: rounding of a hundred products.
    assert abs(script["simulate"](times) - states).max() <= 1e-12 * abs(states).max()
    with pytest.raises(lgn.Error, match=".py, .m, .mat, .mo, .cir or .tex"):
        truth.export(tmp_path / "ladder.txt")
    for ending in ("m", "mat", "mo"):
        truth.export(tmp_path / f"ladder.{ending}")
        assert (tmp_path / f"ladder.{ending}").stat().st_size > 0
def test_offsets_are_found_kept_and_used(tmp_path):
    data = lgn.generate("rlc", noise=0.01)
    plain = lgn.fit(data.t, data.X, structure="sd")
    assert plain.offset is None and plain.offset_errors is None
    raised = lgn.fit(data.t, data.X + [3, -0.5], structure="sd")
    assert abs(raised.offset - [3, -0.5]).max() < 0.02
    assert (raised.offset_errors > 0).all()
    assert abs(raised.simulate([0, 1000])[-1] - raised.offset).max() < 1e-6
    path = tmp_path / "model.json"
    raised.save(path)
    assert (lgn.load(path).offset == raised.offset).all()
    told = lgn.fit(data.t, data.X + [3, -0.5], structure="sd", offset=[3, -0.5])
    assert (told.offset == [3, -0.5]).all() and told.offset_errors is None
    assert lgn.fit(data.t, data.X, structure="sd", offset="estimate").offset is not None


def test_hidden_states(hidden, hidden_data, tmp_path):
    assert hidden.C.shape == (2, 6) and hidden.C_errors.shape == (2, 6) and hidden.A.shape == (6, 6)
    assert hidden.channels == ["v1", "v3"] and hidden.states == [f"x{k}" for k in range(1, 7)]
    assert hidden.record == "free" and hidden.x0.shape == (2, 6) and abs(hidden.offset - [5, -2]).max() < 0.01
    with pytest.raises(ValueError, match="read-only"):
        hidden.C[0, 0] = 1
    # C maps eigenvectors of A to the shapes, each up to a factor.
    poles, vectors = np.linalg.eig(hidden.A)
    assert hidden.shapes.shape == (2, 6)
    for pole, shape in zip(hidden.poles, hidden.shapes.T):
        seen = hidden.C @ vectors[:, np.argmin(abs(poles - pole))]
        overlap = abs(np.vdot(seen, shape)) / np.linalg.norm(seen) / np.linalg.norm(shape)
        assert overlap == pytest.approx(1, abs=1e3 * eps)
    assert set(hidden.modes["spurious"]) == {""}
    scores = hidden.evaluate(*hidden_data)
    # The fit counts the size of the signal from its mean, the evaluation from the offset: these differ by some per cent of it.
    assert scores["nrmse"] == pytest.approx(hidden.fit["nrmse_train"], rel=0.01) and scores["energy_violations"] == 0
    with pytest.raises(lgn.Error, match="cannot be read from the first sample"):
        hidden.evaluate(*hidden_data, x0="measured")
    hidden.save(tmp_path / "model.json")
    assert lgn.load(tmp_path / "model.json").to_json() == hidden.to_json()
    hidden.report(tmp_path / "report.html")
    assert "data-plot='stabilisation'" in (tmp_path / "report.html").read_text()


def test_hidden_states_elsewhere(hidden, tmp_path, monkeypatch):
    times = np.arange(100) * 0.1
    outputs = hidden.simulate(times)
    assert outputs.shape == (100, 2) and hidden.simulate(times, hidden.x0).shape == (2, 100, 2)
    hidden.export(tmp_path / "hidden_script.py")
    script = runpy.run_path(str(tmp_path / "hidden_script.py"))
    assert abs(script["simulate"](times) - outputs).max() <= 1e-12 * abs(outputs).max()
    signal = pytest.importorskip("scipy.signal")
    _, found, _ = signal.lsim(hidden.to_scipy(), U=np.zeros((100, 6)), T=times, X0=hidden.x0[0])
    # Both multiply by exp(A dt) once per sample; each product rounds by about n ε.
    assert np.allclose(found + hidden.offset, outputs, rtol=0, atol=100 * 6 * 10 * eps * abs(outputs).max())
    asked = {}
    stand_in = types.ModuleType("control")
    stand_in.ss = lambda *matrices, **names: asked.update(matrices=matrices, names=names)
    monkeypatch.setitem(sys.modules, "control", stand_in)
    hidden.to_control(B=np.ones(6))
    assert asked["names"] == {"states": hidden.states, "outputs": ["v1", "v3"]}
    assert np.array_equal(asked["matrices"][2], hidden.C) and asked["matrices"][3].shape == (2, 1)


def test_hidden_plot(hidden):
    pytest.importorskip("matplotlib")
    assert len(hidden.plot().axes) == 3  # two channels and the poles


def test_large_network():
    data = lgn.generate("network", size=20, noise=0.01, trajectories=2)
    names = data.truth.channels
    edges = [(names[i], names[j]) for i, j in np.argwhere(np.triu(data.truth.A, 1))]
    model = lgn.fit(data, structure="network", engine="sparse", edges=edges)
    n = len(model.states)
    assert model.A.shape == (n, n) and model.A.nnz <= 5 * n
    found = model.some_modes(3, near="0.1Hz")
    assert len(found) >= 3
    values = np.linalg.eigvals(model.A.toarray())
    re, im = np.array(found["re"]), np.array(found["im"])
    for pole in re + 1j * im:
        # Rounding by the matrix's size and the poles' condition.
        assert abs(values - pole).min() < 1e-10 * abs(model.A).sum(axis=0).max()
    assert model.simulate(t=np.arange(3.0)).shape == (3, n)
    again = pickle.loads(pickle.dumps(model))
    assert abs(again.A - model.A).max() < 1e-12 * abs(model.A).max()
    with pytest.raises(lgn.Error, match="dense"):
        model.to_scipy()
    with pytest.raises(lgn.Error, match="dense"):
        model.predict(data, horizon=2)
