"""Two classes of images as main task."""

import numpy as np

from mtlbook_lib.data.two_tasks.image_classes import image_tasks, split_classes

LABELS = np.random.default_rng(1).permutation(np.repeat(np.arange(5), 20))


def test_the_parts_have_the_right_classes_and_nothing_in_common():
    split = split_classes(LABELS, (3, 1), 8, 30, 0)
    assert set(LABELS[split.main]) == set(LABELS[split.rest]) == {1, 3}
    assert set(LABELS[split.auxiliary]) == {0, 2, 4}
    rows = np.concatenate([split.main, split.auxiliary, split.rest])
    assert len(set(rows.tolist())) == len(rows) == 8 + 30 + 32
    assert np.array_equal(split.main_labels, (LABELS[split.main] == 1).astype(int))
    assert np.array_equal(np.array([0, 2, 4])[split.auxiliary_labels], LABELS[split.auxiliary])
    assert split.main_labels.tolist() == [0, 1] * 4


def test_tasks_of_several_seeds_are_those_of_each():
    images, pairs, seeds = np.random.default_rng(3).normal(size=(100, 6)), [(3, 1), (0, 4)], [5, 7]
    tasks = image_tasks(images, LABELS, pairs, 8, 30, 20, seeds)
    for i, seed in enumerate(seeds):
        one = split_classes(LABELS, pairs[i], 8, 30, seed)
        for found, rows, labels in (
            (tasks.main, one.main, one.main_labels),
            (tasks.auxiliary, one.auxiliary, one.auxiliary_labels),
            (tasks.test, one.rest[:20], one.rest_labels[:20]),
        ):
            assert np.array_equal(found.inputs[i], images[rows])
            assert np.array_equal(found.labels[i], labels)
