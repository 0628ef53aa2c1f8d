"""One step of descent and the losses of linear classifiers, against their definitions on explicit examples."""

import numpy as np
import pytest
import torch
from scipy.optimize import brentq
from scipy.special import logsumexp, softmax

from mtlbook_lib._random import stream
from mtlbook_lib.simulation import one_step

TEACHERS = np.random.default_rng(0).standard_normal((2, 3, 5))
NOISE = np.random.default_rng(1).standard_normal((2, 3, 5))


def joint_logits(student, teacher, seed, n_draws):
    drawn = torch.from_numpy(stream(seed, "test examples").standard_normal((n_draws, 2 * len(student))))
    return one_step._joint_logits(student, teacher, drawn)


def test_step_is_the_negative_gradient_at_zero():
    found = one_step.one_step_maps(TEACHERS, [40], [0, 1])
    x = stream(1, "examples").standard_normal((40, 5))
    y = (x @ TEACHERS[1].T).argmax(axis=1)

    def loss(w):
        logits = x @ w.T
        return np.mean(logsumexp(logits, axis=1) - logits[np.arange(40), y])

    gradient = np.zeros((3, 5))
    for place in np.ndindex(3, 5):
        step = np.zeros((3, 5))
        step[place] = 1e-6
        gradient[place] = (loss(step) - loss(-step)) / 2e-6
    assert found[1, 0] == pytest.approx(-gradient, abs=1e-9)


def test_more_examples_take_in_the_fewer():
    several = one_step.one_step_maps(TEACHERS, [10, 30], [0, 1])
    assert several.shape == (2, 2, 3, 5)
    assert one_step.one_step_maps(TEACHERS[:1], [10], [0])[0, 0] == pytest.approx(several[0, 0])
    rest = 30 * several[:, 1] - 10 * several[:, 0]
    assert not np.allclose(rest, 20 * several[:, 1])


def test_losses_are_those_of_explicit_inputs():
    """The same law from inputs instead of joint logits."""
    maps = TEACHERS + NOISE
    found = one_step.losses([0.0, 0.7], maps, TEACHERS, [0, 1], 40_000)
    assert found.shape == (2, 2)
    assert found[:, 0] == pytest.approx(np.full(2, np.log(3)))
    x = np.random.default_rng(5).standard_normal((200_000, 5))
    for place in range(2):
        y, logits = (x @ TEACHERS[place].T).argmax(axis=1), 0.7 * x @ maps[place].T
        explicit = np.mean(logsumexp(logits, axis=1) - logits[np.arange(len(x)), y])
        assert found[place, 1] == pytest.approx(explicit, abs=0.02)


def test_a_map_that_knows_nothing_gets_the_smallest_multiple():
    best = one_step.best_losses(-TEACHERS, TEACHERS, [0, 1], 5000)
    assert best.loss == pytest.approx(np.full(2, np.log(3)), abs=0.01)
    assert np.all(best.scale * np.abs(TEACHERS).max(axis=(1, 2)) < 0.05)


def test_the_best_multiple_is_found_on_a_tenth_and_tested_on_the_rest():
    maps = TEACHERS + NOISE
    found = one_step.best_losses(maps, TEACHERS, [0, 1], 4000)
    for place in range(2):
        logits, y = (part.numpy() for part in joint_logits(maps[place], TEACHERS[place], place, 4000))
        own = logits[np.arange(4000), y]

        def slope(c, few=logits[:400], mine=own[:400]):
            return np.mean((softmax(c * few, axis=1) * few).sum(axis=1) - mine)

        scale = brentq(slope, 1e-3, 1e3, xtol=1e-12)
        assert found.scale[place] == pytest.approx(scale, rel=1e-6)
        rest = logsumexp(scale * logits[400:], axis=1) - scale * own[400:]
        assert found.loss[place] == pytest.approx(rest.mean(), rel=1e-8)
        assert found.agreement[place] == pytest.approx((logits.argmax(axis=1) == y).mean())
