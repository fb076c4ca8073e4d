"""Inputs: B and D, simulation, evaluation, conversion."""

import os
import pathlib
import pickle

import numpy as np
import pytest

import lgn


@pytest.fixture(scope="module")
def data():
    return lgn.generate("mass-spring", masses=2, damping=0.2, noise=0.01, input="steps", t1=60, dt=0.2)


@pytest.fixture(scope="module")
def model(data):
    return lgn.fit(data.t, data.X[:, :1], u=data.u, channels=["q1"], inputs="force", progress=False)


def test_hidden_states_are_found_from_inputs(data, model):
    assert model.record == "driven" and model.inputs == ["force"] and model.hold == "zoh"
    assert model.B.shape == (4, 1) and model.C.shape == (1, 4) and model.D is None
    assert model.B_errors.shape == (4, 1) and model.delay == 0
    truth = np.linalg.eigvals(data.truth.A)
    assert max(abs(truth - pole).min() for pole in model.poles) < 0.02


def test_simulation_follows_the_inputs(data, model):
    y = model.simulate(data.t, u=data.u)
    assert np.linalg.norm(y - data.X[:, :1]) < 0.03 * np.linalg.norm(data.X[:, :1])
    scores = model.evaluate(data.t, data.X[:, :1], u=data.u)
    assert scores["nrmse"] < 0.03 and scores["fit_percent"]["q1"] > 97
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.simulate(data.t, u=data.u), y)
    with pytest.raises(lgn.Error, match="inputs"):
        model.simulate(data.t, u=np.zeros((len(data.t), 2)))
    with pytest.raises(lgn.Error, match="give u"):
        model.evaluate(data.t, data.X[:, :1])


def test_state_spaces_have_the_inputs(model):
    scipy_signal = pytest.importorskip("scipy.signal")
    system = model.to_scipy()
    assert isinstance(system, scipy_signal.StateSpace)
    assert system.B.shape == (4, 1) and system.C.shape == (1, 4) and not system.D.any()


def test_responses_are_those_of_the_matrices(data, model):
    found = model.response([0.0, 0.1, 0.3])
    assert found.H.shape == (3, 1, 1) and found.frequency.tolist() == [0.0, 0.1, 0.3]
    for f, h in zip(found.frequency, found.H):
        resolvent = np.linalg.solve(2j * np.pi * f * np.eye(4) - model.A, model.B)
        assert np.allclose(h, model.C @ resolvent, rtol=1e-10, atol=0)
    truth = data.truth.response([0.0, 0.1, 0.3]).H[:, :1]
    assert (abs(found.magnitude - abs(truth)) < 4 * found.magnitude_se).all()
    assert (abs(np.angle(found.H / truth)) < 4 * found.phase_se + 1e-12).all()
    everything = model.response()
    assert np.all(np.diff(everything.frequency) > 0) and everything.decibels.shape == everything.H.shape
    gain = everything.figures[0]["static_gain"]
    assert gain["value"] == pytest.approx(found.H[0, 0, 0].real) and 0 < gain["se"] < 0.1 * gain["value"]
    step = model.step_response()
    assert step.y.shape == (len(step.t), 1, 1) and step.se.shape == step.y.shape
    assert model.step_response([200.0]).y[0, 0, 0] == pytest.approx(gain["value"], rel=1e-6)
    assert model.impulse_response([0.0, 1.0]).y[0, 0, 0] == pytest.approx((model.C @ model.B)[0, 0], abs=1e-12)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.response([0.1]).magnitude_se, model.response([0.1]).magnitude_se)
    assert data.truth.response([0.1]).magnitude_se is None


def test_responses_need_inputs_and_sense(model):
    with pytest.raises(lgn.Error, match="no inputs"):
        lgn.generate("rlc").truth.response()
    with pytest.raises(lgn.Error, match="frequencies"):
        model.response([-1.0])
    with pytest.raises(lgn.Error, match="increase"):
        model.step_response([1.0, 0.5])


def test_data_keep_their_inputs(data):
    again = pickle.loads(pickle.dumps(data))
    assert np.array_equal(again.u, data.u) and again.u.shape == (300, 1)
    assert lgn.generate("rlc").u is None
    with pytest.raises(lgn.Error, match="runs"):
        lgn.fit(data.t, data.X, u=np.zeros((2, 300, 1)))
    with pytest.raises(lgn.Error, match="constant"):
        lgn.fit(data.t, data.X, u=np.ones(300), progress=False)


def test_passive_models_are_passive(tmp_path):
    data = lgn.generate("mass-spring", masses=2, damping=0.2, noise=0.3, input="random", t1=60, dt=0.2, seed=3)
    velocity = data.X[:, 2:3]
    model = lgn.fit(data.t, velocity, u=data.u, states=4, hold="zoh", passive=True, progress=False)
    assert model.passive and model.structure == "port-hamiltonian"
    n = len(model.A)
    feedthrough = 0 if model.D is None else model.D
    least = min(
        (model.C @ np.linalg.solve(1j * w * np.eye(n) - model.A, model.B) + feedthrough).real.min()
        for w in np.linspace(0, 20, 2001)
    )
    # Rounding of a resolvent whose poles are some 0.01 away from the axis.
    assert least >= -1e-12
    model.save(tmp_path / "port.json")
    assert lgn.load(tmp_path / "port.json").passive
    model.export(tmp_path / "port.cir", ports="impedance")
    assert ".subckt port p1 n1" in (tmp_path / "port.cir").read_text()
    free = lgn.fit(data.t, velocity, u=data.u, states=4, hold="zoh", progress=False)
    assert not free.passive
    with pytest.raises(lgn.Error, match="2 outputs"):
        lgn.fit(data.t, data.X[:, :2], u=data.u, passive=True, progress=False)
    with pytest.raises(lgn.Error, match="no inputs"):
        lgn.fit(data.t, velocity, passive=True, progress=False)


def test_noise_that_is_not_white_has_a_gain(data):
    random = np.random.default_rng(3)
    slow = np.zeros(len(data.t))
    for k in range(1, len(slow)):
        slow[k] = 0.9 * slow[k - 1] + 0.05 * random.standard_normal()
    y = data.X[:, 0] + slow
    red = lgn.fit(data.t, y, u=data.u, states=5, hold="zoh", feedthrough="no", progress=False)
    white = lgn.fit(
        data.t, y, u=data.u, states=5, hold="zoh", feedthrough="no", noise_model="output", progress=False
    )
    assert red.K.shape == red.K_errors.shape == (5, 1) and white.K is None
    assert red.innovation_covariance.shape == (1, 1)
    next_sample = red.predict(data.t, y, u=data.u)
    assert next_sample.y.shape == next_sample.se.shape == (len(y), 1)
    assert next_sample.nrmse["x1"] < 0.9 * white.predict(data.t, y, u=data.u).nrmse["x1"]
    error = (y[50:] - next_sample.y[50:, 0]) / next_sample.se[50:, 0]
    assert 0.8 < np.mean(error**2) < 1.2  # 250 squares: two standard errors are 0.18
    assert np.array_equal(pickle.loads(pickle.dumps(red)).K, red.K)
    with pytest.raises(lgn.Error, match="horizon"):
        red.predict(data.t, y, u=data.u, horizon=0)


# Measured records are not part of the project: the folder that holds them, where there is one.
ARM = pathlib.Path(os.environ.get("LGN_MEASURED", "measured")) / "robot_arm_dat.mat"


@pytest.mark.skipif(not ARM.exists(), reason="the record is not there")
def test_robot_arm_is_simulated_and_predicted():
    """Everything is chosen on the first half; the second is simulated from its first 60 samples, and predicted."""
    u, y = pytest.importorskip("scipy.io").loadmat(ARM)["robot_arm_dat"].T
    half = len(y) // 2
    t = np.arange(half, dtype=float)
    model = lgn.fit(t, y[:half], u=u[:half], progress=False)
    assert model.K is not None
    later_u, later = u[half:], y[half:]
    n = len(model.states)
    rest = model.simulate(t, np.zeros(n), u=later_u)[:, 0]
    units = np.stack([model.simulate(t, one, u=later_u)[:, 0] - rest for one in np.eye(n)], axis=1)
    x0 = np.linalg.lstsq(units[:60], (later - rest)[:60], rcond=None)[0]
    assert np.linalg.norm(later - rest - units @ x0) < 0.036 * np.linalg.norm(later - later.mean())
    arx = Regression(u[:half], y[:half])
    for horizon in (1, 5, 10, 20):
        ahead = model.predict(t, later, u=later_u, horizon=horizon).y[60:, 0]
        ours = np.linalg.norm(later[60:] - ahead)
        theirs = np.linalg.norm(later[60:] - arx.predict(later_u, later, horizon)[60:])
        assert ours < 1.05 * theirs, horizon


class Regression:
    """ARX by least squares, its orders those that foresee the last quarter of what it is given best."""

    def __init__(self, u, y):
        first = 3 * len(y) // 4

        def error(orders):
            self.orders, self.theta = orders, self._fit(u[:first], y[:first], orders)
            return np.linalg.norm((y - self.predict(u, y, 1))[first:])

        self.orders = min(((a, b) for a in range(1, 15) for b in range(1, 15)), key=error)
        self.theta = self._fit(u, y, self.orders)

    @staticmethod
    def _rows(u, y, orders, at):
        a, b = orders
        return np.column_stack(
            [y[at - i] for i in range(1, a + 1)] + [u[at - i] for i in range(b)] + [np.ones(len(at))]
        )

    def _fit(self, u, y, orders):
        at = np.arange(max(orders), len(y))
        return np.linalg.lstsq(self._rows(u, y, orders, at), y[at], rcond=None)[0]

    def predict(self, u, y, horizon):
        """Every sample from those at least `horizon` before it."""
        a, b = self.orders
        begin = max(self.orders) + horizon
        ends = np.arange(begin, len(y))
        known = np.stack([y[ends - horizon - i] for i in range(a)], axis=1)  # the last first
        for ahead in range(horizon - 1, -1, -1):
            at = ends - ahead
            rows = np.column_stack([known, *(u[at - i] for i in range(b)), np.ones(len(at))])
            known = np.column_stack([rows @ self.theta, known])[:, :a]
        result = np.zeros(len(y))
        result[begin:] = known[:, 0]
        return result
