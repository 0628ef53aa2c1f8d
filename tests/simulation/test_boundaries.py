"""Losses against the angle, by other routes: a general optimiser over the head, and over direction and heads."""

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar

from mtlbook_lib.simulation.boundaries import AngleLosses, angle_losses

RNG = np.random.default_rng(5)
POINTS = RNG.standard_normal((2, 30, 2))
LABELS = np.where(POINTS @ [1.0, 0.5] + RNG.standard_normal((2, 30)) > 0, 1.0, -1.0)
OTHER = RNG.standard_normal((2, 40, 2))
OTHER_LABELS = np.where(OTHER @ [-1.0, -2.0] + RNG.standard_normal((2, 40)) > 0, 1.0, -1.0)


def loss(x, y, w, ridge=0.01):
    return np.logaddexp(0, -y * (x @ w)).sum() + 0.5 * ridge * w @ w


def test_every_angle_has_its_best_head():
    fit = angle_losses(POINTS, LABELS, n_angles=5)
    for k, angle in enumerate(fit.angles):
        direction = np.array([np.cos(angle), np.sin(angle)])
        found = minimize_scalar(lambda a, d=direction: loss(POINTS[1], LABELS[1], a * d))
        assert fit.losses[1, k] == pytest.approx(found.fun, rel=1e-8)
        assert fit.heads[1, k] == pytest.approx(found.x, abs=1e-4)


def test_two_tasks_share_the_best_direction_also_with_opposite_heads():
    target, source = angle_losses(POINTS, LABELS, 180), angle_losses(OTHER, OTHER_LABELS, 180)

    def both(v, i):
        w = np.array([np.cos(v[0]), np.sin(v[0])])
        return loss(POINTS[i], LABELS[i], v[1] * w) + loss(OTHER[i], OTHER_LABELS[i], v[2] * w)

    for i, angle in enumerate(target.best_angles(source)):
        found = min((minimize(both, [s, 1.0, -1.0], args=(i,)) for s in (0.0, 1.0, 2.0, 3.0)), key=lambda f: f.fun)
        turned = found.x[0] + np.pi * (found.x[1] < 0)
        assert np.cos(angle - turned) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("lowest", [0.4, 0.55, 0.69])
def test_between_the_angles_a_parabola_is_exact(lowest):
    angles = np.linspace(-np.pi / 2, np.pi / 2, 60, endpoint=False)
    losses = np.array([(angles - lowest) ** 2, 3 * (angles - lowest) ** 2 + 1])
    fit = AngleLosses(angles, losses, np.ones((2, 60)))
    assert fit.best_angles() == pytest.approx([lowest, lowest], abs=1e-12)


@pytest.mark.parametrize("n_steps", [1, 2, 3])
@pytest.mark.parametrize("size", [0.05, 1.0])
def test_steps_are_those_of_newton_but_no_longer_than_two(size, n_steps):
    fit = angle_losses(size * POINTS, LABELS, 3, n_steps, ridge=0.3)
    for k, angle in enumerate(fit.angles):
        margins, head = LABELS[1] * size * (POINTS[1] @ [np.cos(angle), np.sin(angle)]), 0.0
        for _ in range(n_steps):
            wrong = 1 / (1 + np.exp(head * margins))
            slope = 0.3 * head - (wrong * margins).sum()
            step = -slope / ((wrong * (1 - wrong) * margins**2).sum() + 0.3)
            head += np.sign(step) * min(abs(step), 2.0)
        assert fit.heads[1, k] == pytest.approx(head, rel=1e-10)
        assert fit.losses[1, k] == pytest.approx(np.logaddexp(0, -head * margins).sum() + 0.15 * head**2)


@pytest.mark.parametrize("lowest", [-np.pi / 2 + 0.003, np.pi / 2 - 0.02])
@pytest.mark.parametrize(("head", "turn"), [(0.4, 0.0), (0.0, 0.0), (-0.1, np.pi)])
def test_the_two_ends_of_half_a_turn_meet(lowest, head, turn):
    angles = np.linspace(-np.pi / 2, np.pi / 2, 180, endpoint=False)
    fit = AngleLosses(angles, 1 - np.cos(2 * (angles - lowest))[None], np.full((1, 180), head))
    assert fit.best_angles() == pytest.approx([lowest + turn], abs=1e-5)
