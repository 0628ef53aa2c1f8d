"""Penalties of single coordinates and their sums, against arithmetic with 60 digits and against their derivatives."""

import mpmath
import numpy as np
import pytest

from mtlbook_lib.theory import implicit_bias
from mtlbook_lib.theory.implicit_bias import divergence

Z = [1e-150, 1e-9, 1e-4, 0.01, 0.3, 1.0, 7.0, 1e5, 1e200]


def exact_q(z):
    with mpmath.workdps(400):
        z = mpmath.mpf(z)
        return float(2 - mpmath.sqrt(4 + z**2) + z * mpmath.asinh(z / 2))


def exact_penalty(beta, kappa, beta0):
    """Twice the divergence from its generator phi, which the library's form does not use."""
    with mpmath.workdps(60):
        beta, kappa, beta0 = map(mpmath.mpf, (beta, kappa, beta0))

        def phi(b):
            return b * mpmath.asinh(b / kappa) - mpmath.sqrt(b**2 + kappa**2)

        return float(2 * (phi(beta) - phi(beta0) - mpmath.asinh(beta0 / kappa) * (beta - beta0)))


@pytest.mark.parametrize("z", Z)
def test_q_has_full_relative_accuracy(z):
    assert implicit_bias.q(z) == pytest.approx(exact_q(z), rel=1e-15)
    assert implicit_bias.q(-z) == implicit_bias.q(z)


@pytest.mark.parametrize("kappa", [1e-12, 1e-3, 1.0, 1e6])
@pytest.mark.parametrize("beta0", [0.0, 1e-7, -0.3, 50.0])
def test_penalty_terms_have_full_relative_accuracy(kappa, beta0):
    near = [beta0 * (1 + step) for step in (1e-9, -1e-4, 0.05, -0.7)] if beta0 else []
    for beta in [1e-10, -1e-3, 0.4, 2.5, -300.0, *near]:
        expected = exact_penalty(beta, kappa, beta0)
        assert implicit_bias.penalty_terms(beta, kappa, beta0) == pytest.approx(expected, rel=2e-14)


def test_the_divergence_keeps_its_digits_where_its_two_forms_meet():
    """Of the term that cancels, sinh h − h, each factor of the series up to h = 1 is needed."""
    for h in np.linspace(0.05, 1, 20):
        with mpmath.workdps(60):
            excess = float(mpmath.sinh(h) - mpmath.mpf(h))
        found = divergence._sine_excess(np.array([h, -h]))
        np.testing.assert_allclose(found, [excess, -excess], rtol=1e-15)
    for h in (0.9, 0.999, 1.001, 1.2, 1.45, 1.9, -0.9, -1.1, -1.9):
        beta = float(0.3 * np.exp(h))
        assert implicit_bias.penalty_terms(beta, 1e-9, 0.3) == pytest.approx(exact_penalty(beta, 1e-9, 0.3), rel=4e-15)


def test_sums_are_over_the_last_axis():
    rng = np.random.default_rng(0)
    beta, beta_aux = rng.normal(size=(3, 4)), rng.normal(size=4)
    printed = implicit_bias.printed_penalty(beta, beta_aux, 0.2)
    assert printed.shape == (3,)
    width = np.abs(beta_aux) + 0.04
    for row, value in zip(beta, printed, strict=True):
        assert value == pytest.approx(sum(exact_penalty(b, k, 0) for b, k in zip(row, width, strict=True)), rel=1e-14)
        assert implicit_bias.printed_penalty(row, beta_aux, 0.2) == pytest.approx(value, rel=1e-15)
    assert isinstance(implicit_bias.printed_penalty(beta[0], beta_aux, 0.2), float)
    many = rng.normal(size=(2, 3, 4))
    expected = implicit_bias.penalty_terms(many, width).sum(axis=2)
    np.testing.assert_allclose(implicit_bias.printed_penalty(many, beta_aux, 0.2), expected, rtol=1e-14)


def test_finetuning_penalty_uses_the_width_and_start_of_unequal_pathways():
    beta, beta_aux, alpha, gamma = np.array([0.4, -1.0]), np.array([0.9, -0.02]), 0.3, 0.5
    root = np.sqrt(beta_aux**2 + 4 * alpha**4)
    u_plus, u_minus = np.sqrt((root + beta_aux) / 2), np.sqrt((root - beta_aux) / 2)
    width = np.sqrt(beta_aux**2 / 4 + (alpha**2 + gamma**2) ** 2)
    expected = sum(map(exact_penalty, beta, width, gamma * (u_plus - u_minus)))
    assert implicit_bias.finetuning_penalty(beta, beta_aux, alpha, gamma) == pytest.approx(expected, rel=1e-13)
