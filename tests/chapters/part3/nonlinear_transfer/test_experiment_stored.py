"""Stored runs: what is kept, what is read from it, and training some of it again."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.nonlinear_transfer import experiment

RULES = experiment.RULES["weak"] | {"strengths_b": [10.0], "steps_joint": [60], "seeds": [200, 201]}


def test_benefits_by_rule_are_those_of_each_rule():
    kept = experiment.stored_results()["weak"]
    common, own = experiment.benefit_by_rule(kept)
    assert list(common) == list(own) == list(kept["joint"])
    np.testing.assert_array_equal(common["3"], experiment.stored_benefit(kept, "3"))
    # The least error of a run is at most that at the common time: alone and jointly.
    alone = np.array(kept["alone"]["error"]) - kept["alone"]["own_least"]
    assert (own["3"] - common["3"] + alone >= -1e-6).all()
    assert (own["3"] != common["3"]).any()


def test_training_that_stops_too_early_is_an_error():
    with pytest.raises(RuntimeError, match="still falling"):
        experiment.stored_experiment(RULES | {"steps_joint": [20]})
