"""Arguments that do not fit are refused by name."""

import pytest
import torch
from _classification_tasks import students, two_tasks

from mtlbook_lib.simulation import softmax


def test_students_of_layers_are_checked():
    layers = students(3).layers
    again = softmax.Students.of(layers, n_heads=2)
    assert (len(again.trunk), len(again.heads)) == (2, 2)
    with pytest.raises(ValueError, match="layers must hold at least the 6 heads; got 4"):
        softmax.Students.of(layers, n_heads=6)
    with pytest.raises(ValueError, match="linear trunk"):
        students(rectified=True).composite()


def test_what_belongs_to_the_students():
    tasks, _ = two_tasks()
    run = softmax.descend(students(n_settings=1), tasks, 0.1, 3)
    assert run.times.tolist() == pytest.approx([0.0, 0.1, 0.2, 0.3])
    chosen = softmax.descend(students(n_settings=1), tasks, 0.1, 3, record=[1, 2])
    assert chosen.times.tolist() == pytest.approx([0.1, 0.2])
    one = softmax.descend(students(), [(t.inputs, t.labels[:, :1]) for t in tasks], 0.1, 3)
    assert one.layers[0].shape == (2, 1, 6, 9)
    start = students(3, n_settings=3)
    wanted = start.heads[0] @ start.trunk[1] @ start.trunk[0]
    assert torch.allclose(start.composite(), wanted)
    assert torch.allclose(softmax.composite()(start), wanted)
    assert softmax.Students.of(start.layers).heads[0] is start.layers[-1]
