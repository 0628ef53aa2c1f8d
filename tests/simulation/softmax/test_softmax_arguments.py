"""Arguments that do not fit are refused by name."""

import numpy as np
import pytest
import torch
from _classification_tasks import SEEDS, students, two_tasks
from refusals import refused

from mtlbook_lib.simulation import softmax


def changed(**new):
    tasks, _ = two_tasks()
    (x, y), second = tasks
    given = {"x": x, "y": y, **new}
    return [(given["x"], given["y"]), second]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"tasks": changed(y=np.full((2, 3, 20), -1))}, ValueError, r"labels of tasks\[0\] must be at least 0"),
        ({"task_weights": [1.0, -1.0]}, ValueError, "task_weights must be 0 or greater"),
        ({"task_weights": [1.0, 1e100]}, ValueError, "task_weights must be at most"),
        ({"record": [3, 3]}, ValueError, "record must be increasing steps"),
        ({"batch_size": 4}, ValueError, "batch_seeds must be given"),
        ({"batch_size": 15, "batch_seeds": SEEDS}, ValueError, "batch_size must be at most 14"),
        ({"record": [0, 2, 1]}, ValueError, "record must be increasing steps"),
        ({"record": [[0, 1]]}, ValueError, "record must be increasing steps"),
        ({"record": np.array([], dtype=int)}, ValueError, "record must be increasing steps"),
        ({"record": [3]}, ValueError, "record must be increasing steps of at most n_steps = 2"),
        (
            {"tasks": changed(y=torch.from_numpy(np.where(np.arange(20) == 3, -1, np.zeros((2, 3, 20), int))))},
            ValueError,
            "must lie in",
        ),
        (
            {"tasks": changed(y=np.where(np.arange(20) == 3, 4, np.zeros((2, 3, 20), int)))},
            ValueError,
            "must lie in 0 ... 3",
        ),
    ],
)
def test_bad_arguments_of_descent_are_named(change, error, message):
    given = {"students": students(), "tasks": changed(), "lr": 0.1, "n_steps": 2}
    with pytest.raises(error, match=message):
        softmax.descend(**(given | change))


test_bad_arguments_of_students_are_named = refused(
    softmax.normal_students,
    {"n_classes": 4, "n_features": 9, "n_hidden": 6, "scale": 0.1, "seeds": SEEDS},
    {
        "n_hidden must be one width or depth - 1": [{"n_hidden": [3, 3]}],
        "target must tell the classes apart": [lambda: softmax.component(np.ones((2, 1, 3, 4)))],
    },
)


def test_students_of_layers_are_checked():
    layers = students(3).layers
    again = softmax.Students.of(layers, n_heads=2)
    assert (len(again.trunk), len(again.heads)) == (2, 2)
    with pytest.raises(ValueError, match="layers must hold at least the 6 heads; got 4"):
        softmax.Students.of(layers, n_heads=6)
    with pytest.raises(ValueError, match="linear trunk"):
        students(rectified=True).composite()


@pytest.mark.parametrize(
    "ask",
    [
        lambda task: students().alone(task),
        lambda task: softmax.composite(task)(students()),
        lambda task: softmax.component(np.ones((2, 1, 4, 9)) * np.arange(4)[:, None], task)(students(n_settings=3)),
        lambda task: softmax.cross_entropy(two_tasks()[0][0], task)(students(n_settings=3)),
    ],
    ids=["alone", "composite", "component", "cross_entropy"],
)
def test_a_task_without_a_head_is_named(ask):
    ask(1)
    with pytest.raises(ValueError, match=r"task must be the place of a head, 0 to 1; got 1000000\."):
        ask(10**6)


def test_observables_of_other_students_are_refused():
    (first, _), _ = two_tasks()
    with pytest.raises(ValueError, match=r"examples must have inputs \(2, 9, N\) and labels \(2, 1 or 1, N\)"):
        softmax.cross_entropy(first)(students(n_settings=1))
    with pytest.raises(ValueError, match=r"target must have the shape of the students' maps, \(2, 1, 4, 9\)"):
        softmax.component(np.ones((2, 1, 4, 8)) * np.arange(4)[:, None])(students(n_settings=1))


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
