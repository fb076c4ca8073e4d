"""The estimator by scikit-learn's own checks."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import lgn


def test_without_scikit_learn():
    t, X = lgn.generate("rlc", omega=2.0, noise=0.01)
    system = lgn.LinearSystem(structure="metric", dt=0.1).fit(X)
    assert np.array_equal(system.A_, lgn.fit(np.arange(300) * 0.1, X, "metric").A)
    assert system.n_features_in_ == 2 and system.step_ == 0.1
    assert np.allclose(system.predict(X[:5]), X[:5] @ lgn.expm(0.1 * system.A_).T)
    assert 0.999 < system.score(X) < 1
    assert system.score(X, t=t) == pytest.approx(system.score(X), rel=1e-9)
    assert repr(system) == "LinearSystem(dt=0.1, structure='metric')"
    assert np.array_equal(pickle.loads(pickle.dumps(system)).predict(X), system.predict(X))
    with pytest.raises(ValueError, match="Invalid parameter 'wrong'"):
        system.set_params(wrong=1)
    assert system.set_params(structure="full").get_params()["structure"] == "full"


def test_several_runs():
    data = lgn.generate("rlc", x0="random", trajectories=2, noise=0.01)
    system = lgn.LinearSystem("full").fit(data.X, t=data.t)
    assert system.score([data.X[0], data.X[1]], t=[data.t, data.t]) > 0.99


def test_not_fitted():
    with pytest.raises(ValueError, match="not fitted"):
        lgn.LinearSystem().predict([[1.0]])


def test_frames():
    frame = lgn.generate("rlc", noise=0.01).to_frame().drop(columns="t")
    system = lgn.LinearSystem("full", dt=0.1).fit(frame)
    assert system.feature_names_in_.tolist() == ["q", "p"]
    assert system.model_.channels == ["q", "p"]


@pytest.mark.filterwarnings("ignore::lgn.IdentificationWarning")
def test_model_selection():
    selection = pytest.importorskip("sklearn.model_selection")
    t, X = lgn.generate("rlc", omega=1.0, gamma=0.2, noise=0.02)
    first, second = np.arange(200), np.arange(200, 300)
    search = selection.GridSearchCV(
        lgn.LinearSystem(dt=0.1), {"structure": ["skew", "full"]}, cv=[(first, second)]
    )
    assert search.fit(X).best_params_ == {"structure": "full"}


# All checks that scikit-learn has for an estimator of no special kind. It leaves out, by itself, those of classifiers,
# regressors, transformers and clusterers (a system is none of them: y is ignored), those of sample weights (fit takes
# none), and check_estimators_nan_inf, for the tag allow_nan says that NaN is a missing sample; infinities are refused, see
# below. None is skipped here.
try:
    from sklearn.utils.estimator_checks import check_estimator

    CHECKS = list(check_estimator(lgn.LinearSystem(), generate_only=True))
except ImportError:
    CHECKS = []


@pytest.mark.skipif(not CHECKS, reason="scikit-learn is not installed")
def test_there_are_checks():
    assert len(CHECKS) > 20


@pytest.mark.parametrize(
    "estimator, check", CHECKS, ids=[getattr(c, "func", c).__name__ for _, c in CHECKS]
)
@pytest.mark.filterwarnings("ignore::lgn.IdentificationWarning")
def test_scikit_learn(estimator, check):
    check(estimator)


def test_gaps_and_infinities():
    t, X = lgn.generate("rlc", noise=0.01)
    X = np.array(X)
    X[3, 0] = np.nan
    assert np.isfinite(lgn.LinearSystem("full").fit(X, t=t).A_).all()
    X[3, 0] = np.inf
    with pytest.raises(ValueError, match="infinite"):
        lgn.LinearSystem("full").fit(X, t=t)
