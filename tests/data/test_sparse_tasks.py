"""Sparse teachers with shared features, and inputs on the sphere."""

import numpy as np
import pytest

from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_examples, sphere_inputs


@pytest.mark.parametrize("overlap", [0, 3, 5])
def test_features_and_their_overlap(overlap):
    pair = sparse_teachers(30, 7, 5, overlap, range(20))
    assert set(np.unique(pair.main)) == {-1.0, 0.0, 1.0}
    assert np.all((pair.aux != 0).sum(axis=1) == 7)
    assert np.all((pair.main != 0).sum(axis=1) == 5)
    assert np.all(((pair.aux != 0) & (pair.main != 0)).sum(axis=1) == overlap)


def test_inputs_have_unit_norm_and_no_direction():
    x = sphere_inputs(6, 500, [0, 1])
    assert np.linalg.norm(x, axis=-1) == pytest.approx(np.ones((2, 500)))
    assert np.abs(x.mean(axis=1)).max() < 5 / np.sqrt(6 * 500)
    assert x[0].T @ x[0] / 500 == pytest.approx(np.eye(6) / 6, abs=0.05)
    assert np.array_equal(sphere_inputs(6, 40, [1])[0], x[1, :40])
    assert not np.array_equal(sphere_inputs(6, 40, [1], role="aux")[0], x[1, :40])


def test_labels_are_what_the_teacher_says_of_the_inputs():
    teachers = np.random.default_rng(0).standard_normal((3, 6))
    x, y = sphere_examples(teachers, 4, [5, 6, 7], "aux")
    np.testing.assert_array_equal(x, sphere_inputs(6, 4, [5, 6, 7], "aux"))
    assert y == pytest.approx(np.einsum("snd,sd->sn", x, teachers))
