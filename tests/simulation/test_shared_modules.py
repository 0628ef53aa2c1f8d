"""Training of shared modules: limits with known answers, one module against many, and the end of training."""

import numpy as np
import pytest

from mtlbook_lib.simulation.shared_modules import refit_heads, train_modules

RNG = np.random.default_rng(0)
INPUTS = RNG.standard_normal((2, 30, 1, 4))
LABELS = RNG.standard_normal((2, 30, 3))


def train(labels=LABELS, width=2, n_steps=100, inputs=INPUTS, seeds=(0, 1), **options):
    return train_modules(inputs, labels, inputs, labels, width, seeds, n_steps, **options)


def errors(fits, inputs=INPUTS, labels=LABELS):
    return ((fits.scores(inputs) - labels) ** 2).mean(axis=1)


def test_a_linear_module_is_a_truncated_singular_value_decomposition():
    """White inputs: the best shared column explains the largest squared singular value of the single solutions."""
    x = np.linalg.qr(RNG.standard_normal((30, 4)))[0]
    x = np.linalg.qr(x - x.mean(axis=0))[0] * np.sqrt(30)
    y = LABELS[:1] - LABELS[:1].mean(axis=1, keepdims=True)
    fits = train(y, width=1, n_steps=2000, inputs=x[None, :, None], seeds=(3,), rectified=False)
    energy = np.linalg.svd(x.T @ y[0] / 30, compute_uv=False)[0] ** 2
    assert fits.losses.sum() == pytest.approx((y**2).mean(axis=1).sum() - energy, rel=1e-4)


def test_losses_are_those_of_the_kept_layers_and_stops_are_on_the_grid():
    for apart in (False, True):
        fits = train(apart=apart)
        assert errors(fits) == pytest.approx(fits.losses)
        assert np.all(fits.stopped % 10 == 0)


def test_a_task_apart_does_not_see_the_others():
    alone, other = train(apart=True), LABELS.copy()
    other[..., 1:] = RNG.standard_normal((2, 30, 2))
    changed = train(other, apart=True)
    assert changed.scores(INPUTS)[..., 0] == pytest.approx(alone.scores(INPUTS)[..., 0])
    assert changed.stopped[:, 0].tolist() == alone.stopped[:, 0].tolist()
    shared = [train(labels).scores(INPUTS)[..., 0] for labels in (LABELS, other)]
    assert np.abs(shared[0] - shared[1]).max() > 0.01


def test_heads_apart_see_their_own_units_only():
    fits = train(apart=True, width=2)
    seen = np.abs(fits.heads) > 0
    assert fits.heads.shape == (2, 6, 3)
    assert np.array_equal(seen[0], np.repeat(np.eye(3, dtype=bool), 2, axis=0))


def test_training_ends_where_held_out_examples_are_best():
    held = RNG.standard_normal((2, 30, 3))
    fits = train_modules(INPUTS, LABELS, INPUTS[:, ::-1], held, 6, (0, 1), 200)
    assert np.ptp(fits.stopped, axis=1).tolist() == [0, 0]
    assert np.all(fits.stopped < 200)
    ends = [train_modules(INPUTS, LABELS, INPUTS, LABELS, 6, (0, 1), n).scores(INPUTS[:, ::-1]) for n in (100, 200)]
    least = ((fits.scores(INPUTS[:, ::-1]) - held) ** 2).mean(axis=(1, 2))
    assert all(np.all(least <= ((end - held) ** 2).mean(axis=(1, 2)) + 1e-12) for end in ends)


def test_refitted_heads_are_never_worse_and_better_where_units_of_others_help():
    fits = train(apart=True, width=1)
    stacked, refitted = refit_heads(fits, INPUTS, LABELS)
    assert stacked == pytest.approx(errors(fits))
    assert np.all(refitted <= stacked + 1e-12)
    assert np.any(refitted < stacked - 0.01)
