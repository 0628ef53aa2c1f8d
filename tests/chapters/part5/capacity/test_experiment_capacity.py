"""The experiments on the width of shared modules, at tiny sizes, and what is stored of them."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.capacity import experiment


def areas(n_splits, best):
    """Areas of eleven widths that are largest at one of them, with a little more for every later split."""
    height = -np.abs(np.arange(len(experiment.SHARED)) - best) / 100
    return 0.9 + height[:, None, None] + np.zeros((1, n_splits, 10)) + np.arange(n_splits)[None, :, None] / 1e4


def widths(n_splits=24, best=4):
    apart = np.full((len(experiment.APART), n_splits, 10), 0.8)
    apart[1, :, :5], apart[3, :, 5:] = 0.85, 0.87
    return experiment.Widths(areas(n_splits, best), apart)


def test_the_best_width_below_the_largest_is_not_the_largest():
    found = widths(best=10)
    assert (found.best, found.best_narrower) == (100, 50)


def test_changes_against_the_largest_width_are_paired():
    mean, error = widths().over_largest()
    assert mean[-1] == 0
    assert mean[4] == pytest.approx(0.06)
    assert error == pytest.approx(np.zeros(11), abs=1e-12)
    both = widths().curves()
    assert both["shared"][1] == pytest.approx(np.full(11, np.std([20, 21, 22, 23], ddof=1) / 1e4 / 2))
    assert both["apart"][0] == pytest.approx([0.8, 0.825, 0.8, 0.835, 0.8])


def test_blocks_of_splits_follow_each_other(monkeypatch):
    seen = []
    monkeypatch.setattr(experiment, "drawn", lambda module, share, splits: seen.extend(splits) or ([0] * 5, 0))
    monkeypatch.setattr(experiment, "fit", lambda *given: None)
    monkeypatch.setattr(experiment, "areas", lambda *given: 0.0)
    for block in (0, 1):
        experiment.width_cells("linear", 0.0, block)
    assert seen == list(range(2 * experiment.SETTINGS.block))


def test_windows_are_patches_at_every_second_pixel():
    images = np.arange(128.0).reshape(2, 64)
    found = experiment.windows(images)
    assert found.shape == (2, 9, 16)
    assert (found[0, 0].reshape(4, 4)[0] + 0.5) * 16 == pytest.approx([0, 1, 2, 3])
    assert (found[0, 4].reshape(4, 4)[0] + 0.5) * 16 == pytest.approx([18, 19, 20, 21])


def test_stored_linear_modules_agree_with_the_closed_form_from_ten_units_on():
    """A least-squares fit for each task, with the ridge that is best on average, by numpy alone."""
    found = experiment.stored_widths("linear", 0.0)
    data, labels = experiment.drawn("linear", 0.0, range(4))
    x, y = data[0][:, :, 0], data[1]
    maps = [np.linalg.solve(a.T @ a + 30 * np.eye(64), a.T @ b) for a, b in zip(x, y, strict=True)]
    scores = np.einsum("snp,spk->snk", data[4][:, :, 0], np.stack(maps))
    ridge = experiment.area_under_curve(scores.swapaxes(1, 2), labels.swapaxes(1, 2))
    assert found.shared[5, :4].mean() == pytest.approx(ridge.mean(), abs=0.012)


def test_no_single_unit_fits_the_second_task_better():
    """A constant and one rectified unit, over a fine grid of kinks and both directions."""
    best = np.inf
    for kink in np.linspace(-3, 3, 601):
        for side in (1, -1):
            rows = np.column_stack([np.maximum(0, side * (np.array([-1, 0, 1]) - kink)), np.ones(3)])
            fitted = rows @ np.linalg.lstsq(rows, np.array([1.0, 0, 1]), rcond=None)[0]
            best = min(best, float(((fitted - [1, 0, 1]) ** 2).sum()))
    assert best == pytest.approx(0.5)
