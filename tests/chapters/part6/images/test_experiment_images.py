"""The experiments on images at tiny sizes, and what is stored of them."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.images import experiment
from mtlbook_lib.data.real import digits

DATA = experiment.Digits((0, 31))


@pytest.fixture
def fast(monkeypatch):
    for name, value in (("EXAMPLES", (4, 8)), ("FACTORS", (0.5, 1.0)), ("TOLERANCE", 0.5)):
        monkeypatch.setattr(experiment, name, value)


def rows_of(images):
    return {tuple(row) for row in images.inputs.reshape(-1, 64).tolist()}


def test_data_sets_have_their_pair_and_test_images_of_their_own():
    pixels, labels = digits().inputs, digits().labels
    named = {tuple(row): label for row, label in zip((pixels / 8).tolist(), labels, strict=True)}
    for seed in DATA.seeds:
        one, pair = experiment.Digits((seed,)), experiment.PAIRS[seed % 45]
        assert {named[row] for row in rows_of(one.main(64))} == set(pair)
        assert not {named[row] for row in rows_of(one.auxiliary())} & set(pair)
        assert not rows_of(one.test()) & rows_of(one.main(64))
    assert DATA.main(4).labels.tolist() == [[0, 1, 0, 1]] * 2
    assert np.array_equal(DATA.main(16).inputs[:, :4], DATA.main(4).inputs)
    assert DATA.test().inputs.shape == (2, experiment.N_TEST, 64)
    assert len(experiment.PAIRS) == 45


def test_arms_learn_what_they_are_given(fast):
    first = experiment.pretrain(DATA)
    assert first.converged.all()
    assert first.networks.heads[0].shape == (2, 64, 8)
    both = experiment.joint(DATA, 8)
    assert both.losses.shape == (2, 2)
    assert both.losses.max() <= 0.5
    tuned = experiment.finetune(DATA, first.networks, 8, 0.01, (0.5, 1.0))
    assert len(tuned.networks) == 4
    probed = experiment.probe(DATA, first.networks, 8)
    assert np.array_equal(probed.networks.trunk[0], first.networks.trunk[0])
    assert not np.array_equal(tuned.networks.trunk[0][1], first.networks.trunk[0][0])


def test_a_factor_shrinks_the_first_guess_by_its_cube():
    networks, images = experiment.random_networks([2], DATA.seeds), DATA.test().inputs
    half = networks.rescaled([0.5, 0.5])
    assert np.std(half.logits(images)) == pytest.approx(np.std(networks.logits(images)) / 8)
