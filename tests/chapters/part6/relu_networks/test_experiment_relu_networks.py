"""The experiments on ReLU networks at tiny sizes, and what is stored of them."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.relu_networks import experiment

ONE = experiment.problem(0, 24, 12, ("subset 1", "new 1"))


def test_arms_end_at_the_tolerance_and_finetuning_starts_from_what_was_pretrained():
    first = experiment.pretrain(ONE)
    assert first.loss.max() <= experiment.TOLERANCE
    tuned = experiment.finetune(ONE, first.layers, 6)
    for fits, n_tasks in ((experiment.single(ONE, 6), 1), (experiment.joint(ONE, 6), 2), (tuned, 1)):
        assert fits.converged.all()
        assert fits.layers.second.shape == (1, 2, n_tasks, 24)
    lazy = experiment.finetune(ONE, first.layers, 6, 10.0).layers
    moved = np.linalg.norm(lazy.first[0, 0] - 10 * first.layers.first[0, 0])
    assert moved < 0.05 * np.linalg.norm(lazy.first[0, 0])


def test_trends_are_mean_logarithms_of_ratios():
    errors = [np.full((2, 3), value) for value in (1.0, 5.0, np.e, np.e**2)]
    errors[0][1] = np.e
    assert experiment.trends(errors) == pytest.approx(np.array([[1.0, 2.0], [0.0, 1.0]]))


def test_the_factor_one_is_plain_finetuning():
    kept = experiment.stored()
    middle = experiment.FACTORS.index(1.0)
    for task in experiment.NESTED:
        assert kept.rescaled(task, middle) == pytest.approx(kept.errors("finetuned", task)[:, :4], rel=1e-3)


def test_norms_of_both_outputs_are_told_apart():
    """The kept numbers of one network: its error, then three norms."""
    joint = np.tile([0.1, 3.0, 4.0, 3.5], (2, len(experiment.TASKS), 5, 1))
    joint[:, 1] *= 2
    two, each, weights = experiment.Kept(8, 9, {"few": {"joint": joint}}).joint_norms(experiment.TASKS[1])
    assert two.shape == (2, 5)
    assert (two[0, 0], each[0, 0], weights[0, 0]) == (6.0, 8.0, 7.0)


def test_cells_of_the_paper_size_are_those_of_the_reduced_one_in_another_order():
    """Finetuning with the factor 1 is plain finetuning in either file, and both have the same arms."""
    paper, reduced = experiment.stored(experiment.PAPER_FILE), experiment.stored()
    assert (paper.n_hidden, paper.n_aux) == (experiment.WIDE, 1024)
    for part, cells in paper.measured.items():
        assert all(values.shape == reduced.measured[part][name].shape for name, values in cells.items())
    middle = experiment.FACTORS.index(1.0)
    for task in experiment.NESTED:
        assert paper.rescaled(task, middle) == pytest.approx(paper.errors("finetuned", task)[:, :4], rel=1e-3)
