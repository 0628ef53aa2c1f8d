"""Searches for the worst pair of directions, against a fine grid in the plane."""

import numpy as np
import pytest

from mtlbook_lib._random import stream
from mtlbook_lib.simulation.two_tasks.worst_pairs import largest_model_error, least_sine

STRETCHES, ANGLE = np.array([4.0, 1.0]), 0.8
TURNS = np.linspace(0, np.pi, 20001)


def on_grid():
    a = np.stack([np.cos(TURNS), np.sin(TURNS)], axis=1)
    b = np.stack([np.cos(TURNS + ANGLE), np.sin(TURNS + ANGLE)], axis=1)
    return a, b


@pytest.mark.parametrize("ratio", [0.0, 0.3])
def test_largest_error_is_that_of_the_grid(ratio):
    a, b = on_grid()
    features, labels = STRETCHES * a, STRETCHES * b
    noise = ratio * np.linalg.norm(labels, axis=1, keepdims=True) * features
    noise /= np.linalg.norm(features, axis=1, keepdims=True)
    errors = []
    for seen in (labels + noise, labels - noise):
        heads = (features * seen).sum(axis=1) / (features**2).sum(axis=1)
        errors.append(np.linalg.norm(heads[:, None] * a - b, axis=1).max())
    found = largest_model_error(STRETCHES, ANGLE, range(4), 400, ratio)
    assert found.max() == pytest.approx(max(errors), rel=1e-5)


def test_the_first_start_counts_and_each_step_is_one_more_try():
    """The first numbers of a stream are the start, and each step takes the next ones: written out for two steps."""
    values, angle = np.array([10.0, 3.0, 1.0]), 0.5
    draws = stream(4, "worst pairs").standard_normal((3, 2, 3))

    def frame(pair):
        first = pair[0] / np.linalg.norm(pair[0])
        rest = pair[1] - (pair[1] @ first) * first
        return np.stack([first, rest / np.linalg.norm(rest)])

    def sine(now):
        a, b = values * now[0], values * (np.cos(angle) * now[0] + np.sin(angle) * now[1])
        return np.sqrt(1 - (a @ b) ** 2 / (a @ a) / (b @ b))

    now, size = frame(draws[0]), 1.0
    for change in draws[1:]:
        tried = frame(now + size * change)
        better = sine(tried) < sine(now)
        now, size = (tried, min(1.5 * size, 1.0)) if better else (now, 0.9 * size)
    assert least_sine(values, angle, [4], 2) == pytest.approx([sine(now)], rel=1e-9)


def test_many_more_steps_find_the_worst_pair_to_many_digits():
    """The known least sine for two stretches: sin φ is cut to 2ab sin φ / (a² + b² + (a² − b²) cos φ)."""
    a, b = STRETCHES
    least = 2 * a * b * np.sin(ANGLE) / (a**2 + b**2 + (a**2 - b**2) * np.cos(ANGLE))
    assert least_sine(STRETCHES, ANGLE, [0, 1]) == pytest.approx(least, rel=1e-13)
