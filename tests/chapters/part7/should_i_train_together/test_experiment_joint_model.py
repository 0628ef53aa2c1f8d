"""Draws, rules and bars of the study of the joint model, on a table made here."""

import json

import numpy as np
import pytest

from mtlbook_lib._files import chapter_file
from mtlbook_lib.chapters.part7.should_i_train_together.joint_model import FILE, judged
from mtlbook_lib.chapters.part7.should_i_train_together.joint_model.bars import bars, promises, table
from mtlbook_lib.chapters.part7.should_i_train_together.joint_model.tables import DEVELOPMENT, FURTHER, HELD_OUT, Tasks


@pytest.fixture(scope="module")
def tasks():
    rng = np.random.default_rng(0)
    inputs = rng.standard_normal((900, 4))
    first = inputs @ [1.0, -1.0, 0.5, 0.0] + rng.standard_normal(900)
    labels = np.stack([first, rng.standard_normal(900), first > 0])
    return Tasks("made", inputs, labels, np.repeat([0, 1, 2], 300))


def rows_of(part, tasks):
    """Places of some rows in the table."""
    return {int(np.flatnonzero((tasks.inputs == row).all(axis=1))[0]) for row in part[0]}


def test_development_judgement_and_what_came_later_share_no_table():
    assert len(DEVELOPMENT) == 12
    assert list(HELD_OUT) == ["penguins", "saratoga", "auto", "olive", "produc", "males"]
    items = [(one.package, one.item) for part in (DEVELOPMENT, HELD_OUT, FURTHER) for one in part.values()]
    assert len(items) == len(set(items)) == 18 + 24


def test_no_row_serves_twice_and_permuted_labels_are_those_of_the_first_population(tasks):
    draw = judged.drawn(tasks, 0, 40, seed=1)
    parts = [rows_of(part, tasks) for part in (draw.target, draw.test, *list(draw.partners.values())[:3])]
    assert sum(map(len, parts)) == len(set.union(*parts)) == 40 + 130 + 150 + 150 + 130
    assert {tasks.populations[row] for row in parts[0] | parts[1] | parts[4]} == {0}
    x, y = draw.partners["permuted"]
    assert np.array_equal(x, draw.partners["population 1"][0])
    assert sorted(y) == sorted(draw.partners["population 1"][1])
    assert not np.array_equal(y, draw.partners["population 1"][1])
    again = judged.drawn(tasks, 0, 40, seed=1)
    assert np.array_equal(again.target[1], draw.target[1])
    assert judged.drawn(tasks, 0, 250, seed=1) is None


def test_rules_predict_and_the_stack_is_convex(tasks):
    draw = judged.drawn(tasks, 0, 40, seed=0)
    partner = draw.partners["population 1"]
    found = judged.predictions(judged.joint([draw.target, partner]), draw.target, partner, draw.test[0])
    assert set(found) == {"alone", *judged.RULES}
    truth = draw.test[1]
    errors = {rule: np.mean(np.square(said - truth)) for rule, said in found.items()}
    assert errors["average"] < errors["alone"] < truth.var()
    inside = np.array([found[rule] for rule in ("alone", "alone, ridge", "pool", "shared + own", "feature")])
    assert (found["stack"] <= inside.max(axis=0) + 1e-9).all()
    assert (found["stack"] >= inside.min(axis=0) - 1e-9).all()
    assert any(np.array_equal(found["choice"], said) for said in inside)


def cells_of(gains):
    """Two targets; every rule but the average gains nothing."""
    found = []
    for (question, partner), gain in gains.items():
        loss = dict.fromkeys(["alone", *judged.RULES], 0.5) | {"average": 0.5 - gain}
        found += [{"set": "made", "question": question, "n": n, "partner": partner, "loss": loss, "capped": loss,
                   "said": [[gain, 0.01, 0.5, 0.9, gain]]} for n in (20, 40)]  # fmt: skip
    return found


def test_bars_are_met_and_missed_with_their_numbers():
    gains = {(q, p): 0.03 + 0.01 * q for q in (0, 1) for p in ("population 1", "label")}
    gains |= {(0, "permuted"): -0.001, (1, "permuted"): -0.005}
    several = {name: 0.02 if name == "one" else 0.04 for name in judged.GROUPS}
    groups = [{"set": "made", "question": q, "n": 20, "gains": several} for q in (0, 1)]
    found = {one["bar"]: one for one in bars(cells_of(gains), groups)}
    ahead = found["ahead of pool, in standard errors"]
    assert ahead["value"] == pytest.approx(0.035 / 0.005)
    assert ahead["met"]
    permuted = found["permuted partners"]
    assert permuted["value"] == pytest.approx(-0.003)
    assert not permuted["met"]
    assert found["share of pair × size that loses over .01, negative"]["value"] == 0
    assert found["two partners over one"]["value"] == pytest.approx(2)
    assert table(cells_of(gains))[0]["gain"] == pytest.approx((0.035, 0.005))
    promised = promises(cells_of(gains))
    assert promised["expected above A's error"] == 0
    assert promised["costs more than said"] == 0


def test_the_stored_table_and_bars_are_those_of_the_stored_losses():
    stored = json.loads(chapter_file(FILE).read_text(encoding="utf8"))
    for row, wanted in zip(table(stored["cells"]), stored["table"], strict=True):
        assert row["rule"] == wanted["rule"]
        assert row["gain"] == pytest.approx(wanted["gain"], abs=3e-6)
        assert row["fifth worst %"] == pytest.approx(wanted["fifth worst %"], abs=3e-6)
    for one, wanted in zip(bars(stored["cells"], stored["several"]), stored["bars"], strict=True):
        assert one["bar"] == wanted["bar"]
        assert one["met"] == wanted["met"]
        assert one["value"] == pytest.approx(wanted["value"], rel=0.01, abs=3e-3)
