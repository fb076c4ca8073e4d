"""Errors of poles, and the least that any unbiased estimator has."""

from __future__ import annotations

import numpy
import scipy.optimize
import scipy.special


def pole_errors(found, generator):
    """|Δλ| for each true pole, paired at the least total."""
    truth = numpy.linalg.eigvals(generator)
    distance = abs(truth[:, None] - numpy.asarray(found))
    row, column = scipy.optimize.linear_sum_assignment(distance)
    return distance[row, column]


def relative_pole_error(found, generator):
    """Mean |Δλ|/|λ|."""
    return (pole_errors(found, generator) / abs(numpy.linalg.eigvals(generator))).mean()


def expected_modulus(covariance):
    """E|z| of a complex z with normal parts: s₁ √(2/π) E(√(1 − s₂²/s₁²)), s₁² ≥ s₂² eigenvalues of the covariance."""
    small, large = numpy.linalg.eigvalsh(covariance)
    return numpy.sqrt(2 * large / numpy.pi) * scipy.special.ellipe(1 - max(small, 0) / large)


def least_errors(generator, directions, t, starts, sigma):
    """E|Δλ| of every pole at the Cramér–Rao bound: noise sigma in every value, starts unknown.

    The generator is free along the directions. With A = VΛW the derivative of exp(At)x along E is
    V (Φ(t) ∘ WEV) W x, Φ_ij = (exp λ_i t − exp λ_j t)/(λ_i − λ_j), and that of λ_j is (WEV)_jj.
    """
    values, right = numpy.linalg.eig(generator)
    left = numpy.linalg.inv(right)
    n, p = len(values), len(directions)
    waves = numpy.exp(numpy.outer(t, values))
    difference = values[:, None] - values
    numpy.fill_diagonal(difference, 1)
    quotient = (waves[:, :, None] - waves[:, None, :]) / difference
    quotient[:, range(n), range(n)] = t[:, None] * waves
    turned = [left @ e @ right for e in directions]
    flow = ((right * waves[:, None, :]) @ left).real.reshape(-1, n)
    orthogonal = numpy.linalg.qr(flow)[0]
    information = numpy.zeros((p, p))
    for start in starts:
        amplitudes = left @ start
        columns = numpy.empty((len(t) * n, p))
        for k, g in enumerate(turned):
            moved = numpy.einsum("tij,ij->ti", quotient, g * amplitudes)
            columns[:, k] = (moved @ right.T).real.ravel()
        columns -= orthogonal @ (orthogonal.T @ columns)
        information += columns.T @ columns / sigma**2
    covariance = numpy.linalg.inv(information)
    slopes = numpy.array([numpy.diag(g) for g in turned])  # direction, pole
    parts = numpy.stack([slopes.real, slopes.imag])
    by_pole = numpy.einsum("akj,kl,blj->jab", parts, covariance, parts)
    return numpy.array([expected_modulus(c) for c in by_pole])


def entries(n, where):
    """Unit matrices for full, sd and the true couplings and losses of a ladder (`wiring`)."""
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if where == "sd" or j == i + 1]
    losses = range(n) if where == "sd" else range(1, n, 2)
    result = []
    if where == "full":
        pairs, losses = [], []
        result = [numpy.outer(a, b) for a in numpy.eye(n) for b in numpy.eye(n)]
    for i, j in pairs:
        e = numpy.zeros((n, n))
        e[i, j], e[j, i] = 1, -1
        result.append(e)
    for i in losses:
        e = numpy.zeros((n, n))
        e[i, i] = -1
        result.append(e)
    return result
