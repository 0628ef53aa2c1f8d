"""Teachers of related tasks have the Gram matrix asked for, and the first is the single task's teacher."""

import numpy as np
import pytest

from mtlbook_lib.data.related import alike_gram, pair_gram, related_teachers, stacked_training
from mtlbook_lib.data.teachers import low_rank_teachers


@pytest.mark.parametrize("q", [-1.0, -0.4, 0.0, 0.3, 1 - 1e-9, 1.0])
def test_rank_one_pair_has_the_overlap(q):
    a, b = related_teachers(5, 8, [[3.0], [1.0]], pair_gram(q), range(4))
    overlap = (a.right * b.right).sum(axis=-2).squeeze()
    np.testing.assert_allclose(overlap, q, atol=1e-14)


@pytest.mark.parametrize("ranks", [(1, 1), (2, 2), (3, 1), (1, 1, 2)])
def test_ranks_may_fill_the_input_space_and_no_more(ranks):
    """As many input vectors as inputs, and as many output vectors as outputs."""
    n_inputs, n_outputs = sum(ranks), max(ranks)
    strengths = [np.ones(rank) for rank in ranks]
    tasks = related_teachers(n_outputs, n_inputs, strengths, np.eye(n_inputs), range(3))
    vectors = np.concatenate([task.right for task in tasks], axis=-1)
    assert vectors.shape == (3, 1, n_inputs, n_inputs)
    np.testing.assert_allclose(
        vectors @ vectors.swapaxes(-1, -2), np.broadcast_to(np.eye(n_inputs), vectors.shape), atol=1e-12
    )
    for task, rank in zip(tasks, ranks, strict=True):
        assert np.linalg.matrix_rank(task.clean[0, 0]) == rank
    with pytest.raises(ValueError, match=f"their sum at most n_inputs = {n_inputs - 1}"):
        related_teachers(n_outputs, n_inputs - 1, strengths, np.eye(n_inputs), range(3))
    with pytest.raises(ValueError, match=f"each rank at most n_outputs = {n_outputs - 1}|n_outputs must be at least 1"):
        related_teachers(n_outputs - 1, n_inputs, strengths, np.eye(n_inputs), range(3))


def test_first_task_is_the_single_task_whatever_the_others_are():
    alone = low_rank_teachers(5, 8, [3.0, 1.0], range(4), noise_scale=0.7)
    for q in (0.0, 0.6, 1.0):
        gram = pair_gram(q, 2, 1)
        first = related_teachers(5, 8, [[3.0, 1.0], [2.0]], gram, range(4), noise_scale=0.7)[0]
        np.testing.assert_allclose(first.training, alone.training, atol=1e-13)


def test_tasks_have_their_own_outputs_and_noise():
    a, b = related_teachers(40, 50, [[1.0], [1.0]], pair_gram(1.0), range(10))
    for first, second in ((a.left, b.left), (a.noise, b.noise)):
        assert abs(np.corrcoef(first.ravel(), second.ravel())[0, 1]) < 4 / np.sqrt(first.size)


def test_pair_gram_takes_numbers_and_matrices():
    matrix = 0.5 * np.array([[1.0, 1.0], [1.0, -1.0]])
    gram = pair_gram(matrix, 2, 2)
    assert gram.shape == (1, 4, 4)
    np.testing.assert_array_equal(gram[0, :2, 2:], matrix)
    np.testing.assert_array_equal(gram[0, 2:, :2], matrix.T)
    assert pair_gram([0.1, 0.2, 0.3], 2, 1).shape == (3, 3, 3)
    np.testing.assert_array_equal(pair_gram(0.3, 2, 1)[0, :2, 2], [0.3, 0.0])
    assert pair_gram(np.zeros((5, 2, 3)), 2, 3).shape == (5, 5, 5)


def test_stacked_training_has_the_outputs_of_all_tasks():
    tasks = related_teachers(5, 8, [[3.0], [1.0], [2.0]], alike_gram(0.5, 3), range(4))
    data = stacked_training(tasks)
    assert data.shape == (4, 1, 15, 8)
    for k, task in enumerate(tasks):
        np.testing.assert_array_equal(data[..., 5 * k : 5 * k + 5, :], task.training)


def test_tasks_that_were_not_drawn_together_are_not_stacked():
    one = related_teachers(5, 8, [[3.0], [1.0]], pair_gram(0.5), range(4))
    for other in (low_rank_teachers(5, 8, [1.0], range(3)), low_rank_teachers(5, 9, [1.0], range(4))):
        with pytest.raises(ValueError, match="tasks must be at least one, with the same seeds, settings and inputs"):
            stacked_training([one[0], other])
    with pytest.raises(ValueError, match="tasks must be at least one"):
        stacked_training([])
