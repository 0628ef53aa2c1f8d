"""The experiments of the chapter on auxiliary tasks, at tiny sizes, and what is stored of the large ones."""

import pytest

from mtlbook_lib.chapters.part4.auxiliary_tasks import experiment


def test_a_setting_does_not_depend_on_the_others():
    together = experiment.train(
        experiment.Pairs([3.0, 3.0, 1.0], [0.1, 100.0, 3.0], [0.0, 1.0, 0.5], 60, 60), [4, 5], n_steps=60
    )
    single = experiment.train(experiment.Pairs(3.0, 100.0, 1.0, 60, 60), [5], n_steps=60)
    assert together.joint.shape == (2, 3)
    assert together.joint[1, 1] == pytest.approx(single.joint[0, 0], abs=1e-5)
    assert together.alone[1, 0] == together.alone[1, 1] == pytest.approx(single.alone[0, 0], abs=1e-5)


def test_an_auxiliary_task_without_weight_does_nothing():
    arms = experiment.train(experiment.Pairs(3.0, 100.0, 1.0, 60, 60), [0, 1], n_steps=60, task_weight=0.0)
    assert arms.benefit == pytest.approx(0.0, abs=1e-6)
