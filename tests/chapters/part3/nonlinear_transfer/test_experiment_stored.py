"""Stored runs: what is kept, what is read from it, and training some of it again."""

import json

import numpy as np
import pytest

from mtlbook_lib._files import chapter_file
from mtlbook_lib.chapters.part3.nonlinear_transfer import experiment

FILE = chapter_file("part3/nonlinear_transfer/nonlinear-transfer.json")
RULES = experiment.RULES["weak"] | {"strengths_b": [10.0], "steps_joint": [60], "seeds": [200, 201]}


def test_what_is_kept_is_what_training_again_gives():
    found = experiment.stored_experiment(RULES)
    assert found["joint"].keys() == {"10"}
    assert np.shape(found["joint"]["10"]["error"]) == (2, 2)
    now, kept = experiment.trained_again(found, 10.0, 1, [0, 1])
    np.testing.assert_allclose(now, kept, atol=1e-4)
    gain = experiment.stored_benefit(found, "10", kind="own_least")
    assert gain[0, 1] == pytest.approx(found["alone"]["own_least"][0][0] - found["joint"]["10"]["own_least"][0][1])


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


@pytest.mark.parametrize("name", experiment.RULES)
def test_the_stored_file_was_made_by_the_rules(name):
    found = json.loads(FILE.read_text(encoding="utf8"))["experiments"][name]
    assert {key: found["settings"][key] for key in experiment.RULES[name]} == experiment.RULES[name]
    shape = len(found["settings"]["seeds"]), len(found["settings"]["similarities"])
    assert {np.shape(run["error"]) for run in found["joint"].values()} == {shape}
