"""Images, read a second time: the stored runs counted anew, and what normalisation makes of a factor."""

import json

import numpy as np
import pytest
import torch

from mtlbook_lib._files import chapter_file

STORED = chapter_file("part6/images/images.json")


@pytest.fixture(scope="module")
def errors():
    """Test errors of each arm: first column of its stored numbers."""
    measured = json.loads(STORED.read_text(encoding="utf8"))["measured"]
    return {name: np.array(found)[..., 0] for name, found in measured.items() if name != "auxiliary"}


def saved(worse, better):
    """Mean over numbers of images of the share of errors that is saved."""
    return (1 - better.mean(axis=0) / worse.mean(axis=0)).mean()


def jackknife(worse, better):
    """Share saved and its error, each pair of digits left out in turn."""
    n = len(worse)
    rest = np.array([saved(np.delete(worse, i, axis=0), np.delete(better, i, axis=0)) for i in range(n)])
    return saved(worse, better), np.sqrt((n - 1) ** 2 / n * rest.var(ddof=1))


@pytest.mark.claims("images-benefit")
def test_learning_together_costs_errors_and_a_third_saved_is_excluded(errors):
    share, error = jackknife(errors["alone"][:, 0], errors["joint"])
    assert share < 0 < share + 2 * error
    small, its_error = jackknife(errors["alone"][:, 0], errors["finetuned"][:, 1, 6])
    assert small < 1 / 3 - 4 * its_error


@pytest.mark.claims("images-rescaled", "images-small-head")
def test_a_smaller_trunk_helps_the_usual_head_and_hardly_the_small_one(errors):
    tuned = errors["finetuned"]
    for place in (3, 4, 5):
        share, error = jackknife(tuned[:, 0, 6], tuned[:, 0, place])
        assert share > 4 * error
        share, error = jackknife(tuned[:, 1, 6], tuned[:, 1, place])
        assert share < 0.2 - 4 * error


@pytest.mark.claims("images-flat")
def test_no_step_below_two_thirds_saves_a_tenth(errors):
    tuned = errors["finetuned"][:, 0]
    for place in (1, 2, 3, 4):
        share, error = jackknife(tuned[:, place], tuned[:, place - 1])
        assert share < 0.1 - 4 * error
    pooled = 1 - tuned[:, 3].mean() / tuned[:, 4].mean()
    assert pooled == pytest.approx(0.036, abs=5e-4)


def normalised(x):
    return torch.nn.functional.batch_norm(x, None, None, training=True)


def features(x, filters, normalise):
    """Two convolutions and a bridge across the second."""
    first = torch.relu(normalise(torch.nn.functional.conv2d(x, filters[0], padding=1)))
    return torch.relu(first + normalise(torch.nn.functional.conv2d(first, filters[1], padding=1)))


@pytest.mark.claims("images-filters")
def test_normalisation_undoes_a_factor_of_the_filters():
    draw = torch.Generator().manual_seed(5)
    x = torch.randn((8, 3, 12, 12), generator=draw)
    filters = [torch.randn((8, n, 3, 3), generator=draw) / (3 * n**0.5) for n in (3, 8)]
    halves = [f / 2 for f in filters]
    for normalise, least, most in ((normalised, 0, 0.01), (torch.nn.Identity(), 0.4, 1)):
        before, after = features(x, filters, normalise), features(x, halves, normalise)
        assert least <= ((after - before).norm() / before.norm()).item() < most
