"""Plans: what a measurement will tell, before it is made."""

import math

import lgn
import pytest

MODES = [(3.2, 0.01), (7, 0.02)]


def test_laws_of_scaling():
    plan = lgn.plan(MODES, duration="8s", rate=50, noise=0.01)
    louder = lgn.plan(["3.2Hz,1%", "7Hz,2%"], duration=8, rate="50Hz", noise=0.02)
    more = lgn.plan(MODES, duration=8, rate=50, noise=0.01, runs=4)
    for a, b, c in zip(plan.modes, louder.modes, more.modes):
        # Errors are σ times a matrix that does not know σ: to the rounding of its inverse.
        assert math.isclose(b["se"]["damping_ratio"], 2 * a["se"]["damping_ratio"], rel_tol=1e-9)
        assert math.isclose(c["se"]["frequency_hz"], a["se"]["frequency_hz"] / 2, rel_tol=1e-9)


def test_wants_sensors_and_the_figure(tmp_path):
    plan = lgn.plan([(12, 0.01, 1, 0.3), (31, 0.01, 0.2, 1)], sensors=["y1"], want=["zeta<0.2%", "f<1%"])
    assert plan.met is False and plan.next_sensor == "y2" and plan.best_input is None
    assert set(plan.needs) == {"duration", "rate_hz", "runs", "noise_factor"}
    again = lgn.plan([(12, 0.01, 1, 0.3), (31, 0.01, 0.2, 1)], sensors=["y1"], want="zeta<0.2%", runs=int(plan.needs["runs"]))
    assert again.met
    plan.save_figure(tmp_path / "plan.svg")
    assert (tmp_path / "plan.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "the next sensor" in str(plan) and plan.to_dict()["schema"] == "lgn-plan/1"


def test_a_fitted_model_expects_its_own_errors():
    data = lgn.generate("rlc", omega=2.0, gamma=0.1, noise=0.01, t1=40)
    model = lgn.fit(data, structure="metric", offset="none")
    plan = model.plan()
    expected, found = plan.modes[0]["se"]["damping_ratio"], model.to_dict()["modes"][0]["se"]["damping_ratio"]
    # The model's own noise, times and initial state; modal and metric have as many free parameters.
    assert math.isclose(expected, found, rel_tol=0.1)


def test_errors():
    with pytest.raises(lgn.Error, match="aliases"):
        lgn.plan(MODES, rate=10)
    with pytest.raises(lgn.Error, match="is no mode"):
        lgn.plan([(3.2,)])
    with pytest.raises(lgn.Error, match="number of runs"):
        lgn.plan(MODES, runs=0)
    with pytest.raises(lgn.Error, match='want="zeta<5%"'):
        lgn.plan(MODES, want="zeta")
