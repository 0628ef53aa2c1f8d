"""The experiments on ReLU networks at tiny sizes, and what is stored of them."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.relu_networks import experiment
from mtlbook_lib.theory.implicit_bias import tangent_kernel

ONE = experiment.problem(0, 24, 12, ("subset 1", "new 1"))


def test_main_tasks_share_what_their_names_say():
    for name, (units, shared, correlated) in experiment.MAIN.items():
        one = experiment.problem(3, 8, 5, (name,))
        cosines = np.einsum("ad,md->ma", one.aux.units[0], one.main[0].units[0]).max(axis=1)
        assert len(cosines) == units
        assert np.sum(cosines > 1 - 1e-9) == shared
        assert np.sum(np.isclose(cosines[shared : shared + correlated], experiment.COSINE)) >= correlated - 1


def test_errors_are_relative_to_predicting_zero():
    _, labels = ONE.data(experiment.N_TEST, "test")
    assert ONE.errors(np.zeros_like(labels[0])) == pytest.approx([1.0, 1.0])
    assert ONE.errors(0.9 * labels[0]) == pytest.approx([0.01, 0.01])


def test_baselines_fit_what_they_can():
    x, _ = ONE.data(6)
    features = experiment.pretrain(ONE).layers
    assert ONE.probed_errors(features, 6).shape == ONE.kernel_errors(6).shape == (2,)
    gram = tangent_kernel(x[0, 0], x[0, 0])
    assert np.linalg.eigvalsh(gram).min() > 0
    assert np.all(ONE.kernel_errors(64) < ONE.kernel_errors(6))


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


def test_all_factors_at_once_are_what_each_would_be_alone(monkeypatch):
    """Finetuning after every factor is trained as one batch, with the networks of the paper's size."""
    monkeypatch.setattr(experiment, "FACTORS", (0.5, 1.0, 10.0))
    first = experiment.pretrain(ONE).layers
    together = experiment._rescaled(ONE, first, 6)
    for found, factor in zip(together, experiment.FACTORS, strict=True):
        np.testing.assert_allclose(found, experiment._short(ONE, experiment.finetune(ONE, first, 6, factor)), rtol=1e-6)


def test_cells_of_the_paper_size_are_those_of_the_reduced_one_in_another_order():
    """Finetuning with the factor 1 is plain finetuning in either file, and both have the same arms."""
    paper, reduced = experiment.stored(experiment.PAPER_FILE), experiment.stored()
    assert (paper.n_hidden, paper.n_aux) == (experiment.WIDE, 1024)
    for part, cells in paper.measured.items():
        assert all(values.shape == reduced.measured[part][name].shape for name, values in cells.items())
    middle = experiment.FACTORS.index(1.0)
    for task in experiment.NESTED:
        assert paper.rescaled(task, middle) == pytest.approx(paper.errors("finetuned", task)[:, :4], rel=1e-3)
