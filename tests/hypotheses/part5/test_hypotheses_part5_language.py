"""Part V, real language: with its hypotheses a theorem's conclusion is seen; without one of them it is not."""

import numpy as np
import pytest

from mtlbook_lib.theory.hard_sharing import weighted_ridge_risk


@pytest.mark.parametrize("case", ["met", "independent", "independent tasks", "mean_zero", "linear"])
def test_prop_language_risk__independent_noise_of_mean_zero_about_a_linear_model(case):
    rng = np.random.default_rng(12)
    x1, x2 = rng.normal(size=(6, 2)), rng.normal(size=(5, 2))
    x1[:5] = x2
    theta1, theta2, weight, ridge = np.array([1.0, -0.5]), np.array([0.5, 0.2]), 0.5, 1.0
    s1, s2 = x1.T @ x1, x2.T @ x2
    law = sum(weighted_ridge_risk(s1, s2, theta1, theta2, 1.0, 1.0, weight, ridge, np.eye(2)))
    noise = rng.normal(size=(20_000, 11))
    signs = np.sign(np.concatenate([x1[:, 0], x2[:, 0]]))
    if case == "independent":
        noise = noise[:, :1] * signs  # one draw for all
    elif case == "independent tasks":
        noise[:, 6:] = noise[:, :5]  # each task's noise is as it should be, but both have the same
    elif case == "mean_zero":
        noise = np.sqrt(0.5) * (noise + signs)
    clean = np.concatenate([x1 @ theta1, x2 @ theta2])
    if case == "linear":
        clean = clean + np.concatenate([x1[:, 0], x2[:, 0]]) ** 3
    rows = np.concatenate([weight * x1, x2])
    found = (clean + noise) @ rows @ np.linalg.inv(s2 + weight * s1 + ridge * np.eye(2)) - theta2
    risk = np.mean(np.sum(found**2, axis=1))
    assert (abs(risk / law - 1) < 0.03) == (case == "met")
    assert case == "met" or abs(risk / law - 1) > 0.08


def test_prop_language_risk__a_matrix_that_can_be_inverted():
    """Without a ridge and with fewer rows than inputs the least fit of all misses what no row shows."""
    rng = np.random.default_rng(13)
    x2, theta = rng.normal(size=(3, 5)), rng.normal(size=5)
    for ridge, met in ((0.5, True), (0.0, False)):
        m = x2.T @ x2 + ridge * np.eye(5)
        inverse = np.linalg.pinv(m)
        mean = inverse @ x2.T @ x2 @ theta  # of the fit, over the noise
        assert (np.abs(mean - theta + ridge * inverse @ theta).max() < 1e-9) == met


def test_prop_language_risk__new_inputs_of_mean_zero():
    rng = np.random.default_rng(15)
    x1, x2 = rng.normal(size=(6, 2)), rng.normal(size=(5, 2))
    s1, s2, theta = x1.T @ x1, x2.T @ x2, np.array([1.0, -0.5])
    law = sum(weighted_ridge_risk(s1, s2, theta, 0 * theta, 0.5, 0.5, 0.5, 1.0, np.eye(2)))
    labels = np.concatenate([x1 @ theta, np.zeros(5)]) + 0.5 * rng.normal(size=(40_000, 11))
    fits = labels @ np.concatenate([0.5 * x1, x2]) @ np.linalg.inv(s2 + 0.5 * s1 + np.eye(2))
    for mean, met in ((np.zeros(2), True), (np.array([1.0, -1.0]), False)):
        risk = np.mean(np.sum((rng.normal(size=(40_000, 2)) + mean) * fits, axis=1) ** 2)
        assert (abs(risk / law - 1) < 0.05) == met
        assert met or risk > 1.3 * law
