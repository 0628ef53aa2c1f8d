"""Two tasks of given cosine: their models, labels and classes."""

import numpy as np
import pytest

from mtlbook_lib.data.two_tasks.feature_tasks import direction_pairs, rotated_pairs


def test_models_have_the_cosines_and_labels_are_theirs():
    cosines = [1.0, 0.3, -1.0]
    tasks = direction_pairs(7, 5, 6, cosines, [0, 4], False)
    first, second = (model[..., 0] for model in tasks.models)
    assert (first * second).sum(axis=-1) == pytest.approx(np.tile(cosines, (2, 1)), abs=1e-12)
    assert np.linalg.norm(second, axis=-1) == pytest.approx(np.ones((2, 3)))
    wanted = np.einsum("smd,scd->scm", tasks.inputs[1], second)
    assert tasks.labels[1] == pytest.approx(wanted)
    assert tasks.new_labels[0] == pytest.approx(np.einsum("smd,scd->scm", tasks.new_inputs, first))


def test_rectified_labels_and_classes_follow_the_same_models():
    linear, relu, classes, relu_classes = (
        direction_pairs(9, 5, 4, [0.2], [1], rectified, kind)
        for rectified, kind in ((False, False), (True, False), (False, True), (True, True))
    )
    assert relu.labels[1] == pytest.approx(np.maximum(linear.labels[1], 0))
    assert classes.labels[0].tolist() == (linear.labels[0] > 0).astype(float).tolist()
    assert relu_classes.labels[0].tolist() == classes.labels[0].tolist()


def test_rotations_mix_orthogonal_models():
    tasks = rotated_pairs(5, 6, 4, 12, 3, [0.0, 0.25, 1.0], 0.0, [0, 1])
    first, second = tasks.models
    assert first[0, 0].T @ first[0, 0] == pytest.approx(np.eye(3), abs=1e-12)
    assert first[1, 0].T @ second[1, 0] == pytest.approx(np.zeros((3, 3)), abs=1e-12)
    assert second[0, 2] == pytest.approx(first[0, 2])
    assert second[0, 1].T @ second[0, 1] == pytest.approx((0.25**2 + 0.75**2) * np.eye(3), abs=1e-12)
    wanted = np.maximum(tasks.inputs[1][0] @ second[0, 1], 0).sum(axis=-1)
    assert tasks.labels[1][0, 1] == pytest.approx(wanted)
    assert [x.shape for x in tasks.inputs] == [(2, 5, 12), (2, 6, 12)]
