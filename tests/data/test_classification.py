"""Classification tasks: streams of their own, what labels ignore, two kinds of noise, relatedness."""

import numpy as np
import pytest

from mtlbook_lib.data.classification import (
    Examples,
    argmax_labels,
    labelled,
    normal_inputs,
    snr_pairs,
    snr_teachers,
)

SEEDS = (2, 9, 11)


def agreement(one, other):
    return (one.labels == other.labels).mean(axis=-1)


def test_labels_are_the_largest_output_of_the_map():
    teachers = snr_teachers(5, 12, [0.5, 3.0], SEEDS)
    x, y = labelled(teachers, 30)
    assert y.dtype == np.int64
    assert x.shape == (3, 12, 30)
    for seed, setting, example in np.ndindex(3, 2, 30):
        logits = (teachers.clean + teachers.noise)[seed, setting] @ x[seed, :, example]
        assert logits[y[seed, setting, example]] == max(logits)


def test_both_noises_are_of_one_size_but_only_one_is_a_map():
    """Each output's noise has variance one; noise in the weights moves equal inputs alike."""
    teachers = snr_teachers(10, 400, 1.0, range(20))
    weight, sample, clean = (labelled(teachers, 500, noise=kind) for kind in ("weight", "sample", "none"))
    one, other = (agreement(noisy, clean).mean(axis=1) for noisy in (weight, sample))
    assert abs(one.mean() - other.mean()) < 0.03
    x = normal_inputs(400, 1, range(20)).repeat(50, axis=-1)
    assert np.ptp(argmax_labels(teachers.training, x), axis=-1).max() == 0
    drawn = np.random.default_rng(0).standard_normal((20, 10, 50))
    assert np.ptp(argmax_labels(teachers.clean, x, drawn), axis=-1).min() > 0


def test_streams_are_separate():
    teachers = snr_teachers(4, 10, 2.0, SEEDS)
    few, many = (labelled(teachers, n, noise="sample") for n in (5, 50))
    np.testing.assert_array_equal(few.inputs, many.inputs[..., :5])
    np.testing.assert_array_equal(few.labels, many.labels[..., :5])
    other, test = (labelled(teachers, 5, role) for role in ("auxiliary", "test"))
    assert min(np.abs(few.inputs - other.inputs).max(), np.abs(other.inputs - test.inputs).max()) > 0.1
    main = snr_pairs(4, 10, 2.0, [1.0, 5.0], [0.3, 1.0], SEEDS)[0]
    np.testing.assert_allclose(main.training, np.repeat(teachers.training, 2, axis=1), rtol=0, atol=1e-13)


@pytest.mark.parametrize("rank", [None, 2])
def test_right_vectors_overlap_by_the_relatedness(rank):
    first, second = snr_pairs(4, 12, 2.0, 3.0, [0.0, 0.6, 1.0], SEEDS, rank)
    overlap = first.right.swapaxes(-1, -2) @ second.right
    wanted = np.array([0.0, 0.6, 1.0])[:, None, None] * np.eye(rank or 4)
    np.testing.assert_allclose(overlap, np.broadcast_to(wanted, overlap.shape), rtol=0, atol=1e-12)
    assert np.abs(first.left - second.left).max() > 0.1
    assert np.abs(first.noise - second.noise).max() > 0.1


@pytest.mark.parametrize("n", [6, 7])
def test_halves_are_apart_and_have_as_many_examples(n):
    whole = Examples(np.arange(2.0 * n).reshape(1, 2, n), np.arange(n)[None, None])
    one, other = whole.halves
    assert (one.labels.ravel().tolist(), other.labels.ravel().tolist()) == ([0, 1, 2], [3, 4, 5])
    np.testing.assert_array_equal(np.concatenate([one.inputs, other.inputs], axis=2), whole.inputs[..., :6])


def test_the_input_covariance_is_the_mean_over_examples():
    task = labelled(snr_teachers(5, 12, 1.0, SEEDS), 30)
    found = task.input_covariance
    assert found.shape == (3, 1, 12, 12)
    for seed, x in enumerate(task.inputs):
        np.testing.assert_allclose(found[seed, 0], np.mean([np.outer(one, one) for one in x.T], axis=0), atol=1e-14)


def test_inputs_and_noise_have_unit_variance_in_every_output():
    x = normal_inputs(50, 2000, SEEDS)
    np.testing.assert_allclose(x @ x.swapaxes(-1, -2) / 2000, np.broadcast_to(np.eye(50), (3, 50, 50)), atol=0.12)
    noise = snr_teachers(10, 400, 1.0, SEEDS).noise
    np.testing.assert_allclose((noise**2).sum(axis=-1).mean(), 1.0, atol=0.05)
