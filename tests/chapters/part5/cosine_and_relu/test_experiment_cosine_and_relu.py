"""Cosine similarity and rectified features, at tiny sizes."""

import pytest

from mtlbook_lib.chapters.part5.cosine_and_relu import experiment

TINY = {"n_seeds": 2, "n_steps": 60}


def test_half_similar_sources_are_those_in_the_middle():
    run = experiment.higher_rank([50, 100], [0.5], **TINY)
    assert experiment.half_similar([50, 100], **TINY) == pytest.approx(run.change[:, :, 0])
