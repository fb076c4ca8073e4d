"""Every form of data that people have."""

from __future__ import annotations

import datetime
import pickle

import numpy as np
import pytest

import lgn

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def data():
    return lgn.generate("rlc", omega=2.0, gamma=0.2, trajectories=3, x0="random", noise=0.01)


@pytest.fixture(scope="module")
def expected(data):
    return lgn.fit(data, structure="full").A


def test_runs(data, expected):
    t, X = data
    assert X.shape == (3, 300, 2) and t.shape == (300,)
    assert np.array_equal(lgn.fit(t, X, "full").A, expected)
    assert np.array_equal(lgn.fit([t, t, t], list(X), "full").A, expected)
    assert np.array_equal(lgn.fit(np.stack([t, t, t]), X, "full").A, expected)
    uneven = lgn.fit([t, t[:200]], [X[0], X[1][:200]], "full", channels=["position", "rate"])
    assert uneven.channels == ["position", "rate"] and uneven.x0.shape == (2, 2)


def test_one_channel_is_one_dimension():
    t = np.arange(50) * 0.1
    assert lgn.fit(t, np.exp(-0.5 * t), "full").A[0, 0] == pytest.approx(-0.5, rel=1e-9)


def test_missing_samples_are_nan_or_masked(data):
    t, X = data.t, np.array(data.X[0])
    X[::7, 0] = np.nan
    masked = np.ma.masked_invalid(X)
    assert np.array_equal(lgn.fit(t, X, "full").A, lgn.fit(t, masked, "full").A)


def test_frames(data, expected):
    frame = data.to_frame()
    assert list(frame.columns) == ["trajectory", "t", "q", "p"]
    model = lgn.fit(frame, structure="full")
    assert model.channels == ["q", "p"] and np.array_equal(model.A, expected)
    runs = [part.drop(columns="trajectory").set_index("t") for _, part in frame.groupby("trajectory")]
    assert np.array_equal(lgn.fit(runs, structure="full").A, expected)
    named = [run.reset_index().rename(columns={"t": "when"}) for run in runs]
    assert np.array_equal(lgn.fit(named, structure="full", time="when").A, expected)
    swapped = lgn.fit(frame, structure="full", channels=["p", "q"])
    assert swapped.channels == ["p", "q"] and swapped.A[0, 0] == pytest.approx(expected[1, 1], rel=1e-6)


def test_dates_count_in_seconds(data):
    X = data.X[0]
    dates = pandas.to_datetime("2024-03-01") + pandas.to_timedelta(np.arange(300) * 100, unit="ms")
    by_date = lgn.fit(pandas.DataFrame(X, index=dates), structure="full")
    by_time = lgn.fit(np.arange(300) * 0.1, X, "full")
    # Times in whole nanoseconds are those in seconds but for rounding.
    assert np.allclose(by_date.A, by_time.A, rtol=1e-9, atol=1e-12)
    assert by_date.channels == ["0", "1"]
    assert np.array_equal(by_date.simulate(dates[:5]), by_date.simulate(np.arange(5) * 0.1))
    python = list(dates.to_pydatetime())
    forms = [dates.to_numpy(), dates.tz_localize("Europe/Berlin"), python, dates.to_period("100ms")]
    forms += [dates - dates[0], [datetime.timedelta(milliseconds=100 * k) for k in range(300)]]
    for form in forms:
        assert np.array_equal(lgn.fit(form, X, "full").A, by_date.A)
        assert np.array_equal(lgn.fit(pandas.DataFrame(X, index=form), structure="full").A, by_date.A)


def test_data_pickle(data):
    again = pickle.loads(pickle.dumps(data))
    assert again.channels == data.channels and again.labels == data.labels
    assert np.array_equal(again.X, data.X) and np.array_equal(again.truth.A, data.truth.A)


@pytest.mark.filterwarnings("ignore::lgn.IdentificationWarning")
def test_inputs_are_kept_apart(data):
    frame = data.to_frame().query("trajectory == '1'").drop(columns="trajectory").assign(u=0.0)
    assert lgn.fit(frame, structure="full").channels == ["q", "p"]
    with pytest.raises(lgn.NotIdentified, match="is constant"):
        lgn.fit(frame.assign(u=1.0), structure="full")
    assert lgn.fit(frame.assign(u=frame.q**2), structure="full", inputs="none").channels[-1] == "u"


def test_files(tmp_path, data, expected):
    data.save(tmp_path / "all.csv")
    model = lgn.fit(tmp_path / "all.csv", structure="full")
    assert np.array_equal(model.A, expected)
    assert model.to_dict()["data"]["sha256"] is not None
    # A change of units is one of coordinates, q' = 4 q, exact in floating point: so is that of A but for rounding.
    scaled = lgn.fit(tmp_path / "all.csv", structure="full", scale={data.channels[0]: 4})
    units = np.array([4.0, 1.0])
    assert np.allclose(scaled.A, units[:, None] * model.A / units, rtol=1e-6, atol=1e-8)
    for ending in ("npz", "mat", "h5"):
        data.save(tmp_path / f"all.{ending}")
        same = lgn.fit(tmp_path / f"all.{ending}", structure="full")
        assert same.channels == model.channels and (same.A == model.A).all()
    both = lgn.fit([tmp_path / "all.csv", str(tmp_path / "all.csv")], structure="full")
    assert len(both.x0) == 6
    assert model.assumptions == []


def test_files_of_instruments(tmp_path):
    t = np.arange(200) * 0.05
    x = np.exp(-0.1 * t) * np.cos(2 * t)
    v = np.gradient(x, t)
    file = tmp_path / "log.txt"
    file.write_text("% x v\n" + "".join(f" 0 {a:.4f}  {b:.6f} {c:.6f}\n" for a, b, c in zip(t, x, v)))
    model = lgn.fit(file, structure="full", columns=["trial", "t", "x", "v"])
    assert model.channels == ["x", "v"]
    assert model.assumptions == ["blanks separate columns"]
    assert model.to_dict()["data"]["assumptions"] == model.assumptions
    same = lgn.fit(file, structure="full", columns=["-", "-", "x", "v"], rate=20)
    assert np.allclose(same.A, model.A, atol=1e-2)
    also = lgn.fit(file, structure="full", columns=["-", "t", "x", "v"], time=2, outputs=["x", "v"])
    assert np.array_equal(also.A, model.A)
    np.save(tmp_path / "matrix.npy", np.column_stack([x, v]))
    matrix = lgn.fit(tmp_path / "matrix.npy", structure="full", dt="50ms", columns=["x", "v"])
    assert np.allclose(matrix.A, model.A, atol=1e-2)
    with pytest.raises(lgn.Error, match="no time"):
        lgn.fit(tmp_path / "matrix.npy")
    with pytest.raises(lgn.Error, match="rate is for files"):
        lgn.fit(t, np.column_stack([x, v]), rate=20)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (([0, 1, 2], [[1, 2], [3, 4]]), "3 times, but 2 samples"),
        (([0, 0], [[1], [2]]), "times must increase"),
        (([0, 1], [["a"], ["b"]]), "not an array of numbers"),
        (([0, 1], [[1j], [2j]]), "Complex data not supported"),
        (([0, 1], [[1], [np.inf]]), "infinite"),
        (([0, 1], np.zeros((1, 1, 2, 1))), "4 dimensions"),
        (([0, 1],), "X is missing"),
        ((np.arange(3), np.zeros((2, 3))), "transposed"),
        ((pandas.DataFrame({"a": [1, 2]}),), "has no time"),
        ((pandas.DataFrame({"t": [1, 2]}),), "has no channel"),
        ((pandas.DataFrame({"t": ["2024-01-01", "2024-01-02"], "a": [1, 2]}),), "to_datetime"),
        ((pandas.DataFrame({"t": [pandas.Timestamp(0), pandas.NaT], "a": [1, 2]}),), "not finite"),
        ((pandas.DataFrame({"t": [0, 1, 2], "a": ["x", "y", "z"]}),), "does not hold numbers"),
        ((pandas.DataFrame([[0, 1, 2], [1, 2, 3]], columns=["t", "a", "a"]),), 'two channels are named "a"'),
        (("missing.csv",), "missing.csv"),
    ],
)
def test_what_cannot_be_used_is_said(arguments, words):
    with pytest.raises(lgn.Error, match=words):
        lgn.fit(*arguments)
