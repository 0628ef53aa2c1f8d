"""Training that ends where a lower loss is out of sight finds what the whole of it finds."""

from dataclasses import replace

import numpy as np
import pytest

from mtlbook_lib.data.classification import labelled, snr_pairs
from mtlbook_lib.simulation import softmax
from mtlbook_lib.simulation.softmax import stop_at_best, stopping

N_STEPS, RATE = 203, 0.5  # no multiple of what lies between two looks or two samples


def course(strength: float, start: float = 0.05):
    """Students of two tasks, their examples, and test examples."""
    teachers = snr_pairs(4, 8, strength, 10.0, [0.0, 1.0], range(2))
    tasks = [labelled(teacher, 40, name) for teacher, name in zip(teachers, ("main", "auxiliary"), strict=True)]
    students = softmax.normal_students(4, 8, 6, start, range(2), n_tasks=2)
    return students, tasks, labelled(teachers[0], 200, "test", noise="none")


def taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Fills with the steps of each call."""
    steps, descend = [], softmax.descend

    def counted(students, tasks, lr, n_steps, **options):
        steps.append(n_steps)
        return descend(students, tasks, lr, n_steps, **options)

    monkeypatch.setattr(stopping, "descend", counted)
    return steps


@pytest.mark.parametrize("strength", [0.3, 30.0])
@pytest.mark.parametrize("record", [1, 3])
def test_it_finds_what_the_whole_training_finds(strength, record, monkeypatch):
    students, tasks, test = course(strength)
    watch = {"test_loss": softmax.cross_entropy(test)}
    whole = softmax.descend(students, tasks, RATE, N_STEPS, record=record, observe=watch, task_weights=[1.0, 0.5])
    wanted, steps = softmax.optimal_stopping(whole), taken(monkeypatch)
    found = stop_at_best(students, tasks, test, RATE, N_STEPS, record=record, task_weights=[1.0, 0.5])
    for name in ("loss", "time", "refined", "at_end"):
        np.testing.assert_allclose(getattr(found, name), getattr(wanted, name), rtol=1e-12)
    if strength < 1:
        assert sum(steps) < 0.7 * N_STEPS  # a weak teacher is overfitted early


def test_training_goes_on_while_a_loss_may_still_fall(monkeypatch):
    """Small weights wait at the loss of a guess; what it does there is no minimum that has been passed."""
    students, tasks, test = course(30.0, start=1e-4)
    steps = taken(monkeypatch)
    stop_at_best(students, tasks, test, 0.01, N_STEPS)
    assert sum(steps) == N_STEPS


def test_joined_courses_are_one(monkeypatch):
    students, tasks, test = course(30.0)
    watch = {"test_loss": softmax.cross_entropy(test)}
    whole = softmax.descend(students, tasks, RATE, 7, record=2, observe=watch)
    first = softmax.descend(students, tasks, RATE, 4, record=2, observe=watch)
    rest = replace(
        whole, times=whole.times[3:] - whole.times[2], values={"test_loss": whole.values["test_loss"][..., 3:]}
    )
    both = stopping._joined([first, rest])
    np.testing.assert_allclose(both.times, whole.times, rtol=1e-15)
    np.testing.assert_array_equal(both.values["test_loss"], whole.values["test_loss"])


def test_test_examples_are_named_in_an_error():
    students, tasks, test = course(30.0)
    with pytest.raises(ValueError, match="labels of test must lie in 0"):
        stop_at_best(students, tasks, test._replace(labels=test.labels + 1), RATE, N_STEPS)
