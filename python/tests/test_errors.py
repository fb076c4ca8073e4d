"""Errors and warnings."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest

import lgn


def test_kinds():
    assert issubclass(lgn.NotIdentified, lgn.Error) and issubclass(lgn.Error, ValueError)
    assert lgn.Error.__module__ == "lgn" and issubclass(lgn.IdentificationWarning, UserWarning)


def test_where_and_what_would_help(tmp_path):
    (tmp_path / "bad.csv").write_text("t,x\n0,1\n1,oops\n")
    with pytest.raises(lgn.Error) as caught:
        lgn.fit(tmp_path / "bad.csv")
    error = caught.value
    assert error.file.endswith("bad.csv") and (error.line, error.column) == (3, 3)
    assert "bad.csv:3:" in str(error) and "oops" in error.problem
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and vars(again) == vars(error)


def test_errors_of_the_package_itself_look_the_same():
    with pytest.raises(lgn.Error) as caught:
        lgn.fit([0, 1])
    error = caught.value
    assert str(error) == f"{error.problem}; {error.help}" and error.problem == "X is missing"
    assert error.file is None and error.line is None


@pytest.mark.parametrize(
    "options, words",
    [
        ({"structure": "wrong"}, "wrong"),
        ({"method": "wrong"}, "wrong"),
        ({"loss": "wrong"}, "it takes auto, huber, squares"),
        ({"x0": "wrong"}, "it takes estimate, measured"),
        ({"bootstrap": 5}, "use bootstrap[= ]1000"),
        ({"bootstrap": "many"}, 'bootstrap= does not understand "many"'),
        ({"confidence": 2}, "confidence"),
        ({"holdout": 2}, ""),
        ({"threads": 0}, "threads= must be positive"),
        ({"max_seconds": -1}, "max_seconds"),
        ({"start": {"omega2": 1}}, "only a law has parameters to guess"),
        ({"basis": "spline"}, "does not vary in time"),
        ({"require": ["a:b"]}, "a"),
        ({"magnus": "wrong"}, "wrong"),
        ({"channels": ["one"]}, "1 names for 2 channels"),
    ],
)
def test_options(options, words):
    t, X = lgn.generate("rlc")
    with pytest.raises(lgn.Error, match=words) as caught:
        lgn.fit(t, X, **{"structure": "full", **options})
    assert "--" not in str(caught.value)


def test_remedies_name_arguments(tmp_path):
    file = tmp_path / "data.csv"
    file.write_text("place,x\n0,1\n1,2\n")
    with pytest.raises(lgn.Error, match="name the time column with time=; "):
        lgn.fit(file)
    file.write_text("t,u\n0,1\n1,2\n")
    with pytest.raises(lgn.Error, match='inputs="none" makes columns named u'):
        lgn.fit(file)
    with pytest.raises(lgn.Error, match='no column "y", which channels= names'):
        lgn.fit(file, channels=["y"])


def test_options_that_are_no_options():
    with pytest.raises(TypeError, match="structur"):
        lgn.fit([0, 1], [[1], [2]], structur="sd")
    with pytest.raises(TypeError, match="omegaa"):
        lgn.generate("rlc", omegaa=1)
    with pytest.raises(lgn.Error, match="unknown system"):
        lgn.generate("hourglass")


def test_not_identified():
    with pytest.raises(lgn.NotIdentified):
        lgn.fit(np.arange(20), np.zeros((20, 2)), "network")


def test_warnings_have_codes():
    noise = np.random.default_rng(1).standard_normal((40, 2))
    with pytest.warns(lgn.IdentificationWarning) as caught:
        model = lgn.fit(np.arange(40), noise, "full")
    codes = [w.message.code for w in caught]
    assert codes == [code for code, _ in model.warnings]
    assert str(caught[0].message).startswith(f"[{codes[0]}] ")
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for code in codes:
            warnings.filterwarnings("ignore", rf"\[{code}\]", lgn.IdentificationWarning)
        lgn.fit(np.arange(40), noise, "full")
    assert not any("--" in message for _, message in model.warnings)


def test_checkpoint(tmp_path):
    data = lgn.generate("ladder", sections=2, noise=0.05)
    first = lgn.fit(data, structure="sd", checkpoint=tmp_path / "state")
    assert (tmp_path / "state").exists()
    again = lgn.fit(data, structure="sd", checkpoint=tmp_path / "state")
    assert np.array_equal(again.A, first.A)
    with pytest.raises(lgn.Error, match="state"):
        lgn.fit(data, structure="psd", checkpoint=tmp_path / "state")
