"""Exponentials and Magnus flows against what is known."""

from __future__ import annotations

import numpy as np
import pytest

import lgn

eps = np.finfo(float).eps


def test_expm():
    linalg = pytest.importorskip("scipy.linalg")
    rng = np.random.default_rng(1)
    stack = rng.standard_normal((2, 3, 5, 5))
    ours = lgn.expm(stack)
    assert ours.shape == stack.shape
    # Two good methods differ by a few n ε ‖exp(A)‖.
    for a, value in zip(stack.reshape(-1, 5, 5), ours.reshape(-1, 5, 5)):
        assert np.linalg.norm(value - linalg.expm(a)) < 100 * 5 * eps * np.linalg.norm(value)
    # Of an array that is not contiguous, too.
    assert np.allclose(lgn.expm(stack[0, 0].T), ours[0, 0].T, rtol=1e-12)
    for bad in [np.zeros((2, 3)), np.zeros(3), [[np.nan]]]:
        with pytest.raises(lgn.Error):
            lgn.expm(bad)


def test_expm_frechet():
    linalg = pytest.importorskip("scipy.linalg")
    rng = np.random.default_rng(2)
    a, e = rng.standard_normal((2, 6, 6))
    value, derivative = lgn.expm_frechet(a, e)
    theirs = linalg.expm_frechet(a, e)
    for ours, other in zip((value, derivative), theirs):
        assert np.linalg.norm(ours - other) < 1000 * 6 * eps * np.linalg.norm(other)
    assert np.array_equal(lgn.expm_frechet(a, e, compute_expm=False), derivative)
    with pytest.raises(lgn.Error, match="one size"):
        lgn.expm_frechet(a, e[:3, :3])


def test_magnus_of_a_constant_generator():
    a = np.array([[0.0, 1.0], [-2.0, -0.1]])
    times = np.array([0.0, 0.5, 3.0])
    maps = lgn.magnus(lambda t: a, times)
    assert maps.shape == (3, 2, 2)
    for t, phi in zip(times, maps):
        assert np.allclose(phi, lgn.expm(a * t), rtol=0, atol=1e-10)
    assert np.allclose(lgn.magnus(lambda t: a, times, [1, 0]), maps[:, :, 0], atol=1e-14)
    assert lgn.magnus(lambda t: a, times, np.ones((2, 5))).shape == (3, 2, 5)
    assert lgn.magnus(lambda t: a, [1.0], [1, 0]).tolist() == [[1, 0]]


@pytest.mark.parametrize("method, order", [("2", 2), (4, 4), ("6", 6), ("4-commutator-free", 4)])
def test_magnus_converges_with_its_order(method, order):
    def generator(t):
        return [[0, 1 + np.sin(t)], [-2 * np.cos(t), -0.1 * t]]

    exact = lgn.magnus(generator, [0, 2], tolerance=1e-13)[-1]
    errors = [
        np.linalg.norm(lgn.magnus(generator, [0, 2], method=method, substeps=k)[-1] - exact)
        for k in (8, 16)
    ]
    # Halving the step divides the error by 2^order, within what higher terms add.
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.6)


def test_magnus_keeps_the_energy_from_growing():
    rng = np.random.default_rng(3)
    skew = rng.standard_normal((2, 4, 4))
    skew -= skew.transpose(0, 2, 1)

    def generator(t):
        return 3 * np.sin(5 * t) * skew[0] + np.cos(7 * t) * skew[1] - np.diag([1, 0, 0, 0])

    maps = lgn.magnus(generator, np.linspace(0, 5, 6), energy=np.eye(4), method=6, tolerance=1e-3)
    steps = [after @ np.linalg.inv(before) for before, after in zip(maps, maps[1:])]
    # Rounding: each step may grow by 8 n ε, and there are at most 512 of them.
    assert max(np.linalg.norm(step, 2) for step in steps) <= 1 + 512 * 8 * 4 * eps * 100


def test_what_a_generator_raises_comes_out():
    def generator(t):
        if t > 0.5:
            raise ZeroDivisionError("beyond")
        return np.eye(2)

    with pytest.raises(ZeroDivisionError, match="beyond"):
        lgn.magnus(generator, [0, 1], [1, 0])
    for bad in [lambda t: np.eye(3), lambda t: [[np.nan] * 2] * 2, lambda t: [1, 2]]:
        with pytest.raises(lgn.Error):
            lgn.magnus(bad, [0, 1], [1, 0])
    with pytest.raises(lgn.Error, match="positive definite"):
        lgn.magnus(lambda t: np.eye(2), [0, 1], [1, 0], energy=-np.eye(2))


def test_modes():
    assert lgn.modes([[-2.0]])["time_constant"].tolist() == [0.5]
    hertz = lgn.modes([[0, 1], [-1, 0]], time_unit="ms")["frequency_hz"]
    assert hertz[0] == pytest.approx(1000 / (2 * np.pi))
