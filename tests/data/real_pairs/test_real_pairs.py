"""Pairs of real tasks: what is asked, how inputs are shifted, and which rows are drawn."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine

from mtlbook_lib.data import real_pairs
from mtlbook_lib.data.real_pairs import Partner, Target, at_random, held_out

ODD = Target("digits", "odd", 20, (Partner("odd", 30), Partner("prime", 20, same_rows=True), Partner("odd", 25)))


@pytest.mark.parametrize("name", real_pairs.SOURCES)
def test_every_question_can_be_asked(name):
    source = real_pairs.source_of(name)
    assert source.rows.shape[1] == source.units.size
    for question in source.questions.values():
        assert question.answers.shape == source.rows.shape[:1]
        assert question.binary == (set(np.unique(question.answers)) == {0.0, 1.0})
        assert np.ptp(question.answers) > 0
        assert len(question.hidden) <= source.rows.shape[1] // 2


@pytest.mark.parametrize(("n_rows", "step"), [(2000, 1), (2001, 2), (6366, 4)])
def test_of_more_than_two_thousand_rows_evenly_spaced_ones_are_kept(monkeypatch, n_rows, step):
    """In place of statsmodels a table whose every column has the number of the row."""
    pandas, seen = pytest.importorskip("pandas"), held_out._NUMBERS["marriages"][1]
    table = pandas.DataFrame(dict.fromkeys((*seen, "affairs"), np.arange(n_rows)))
    fair = SimpleNamespace(load_pandas=lambda: SimpleNamespace(data=table))
    api = SimpleNamespace(datasets=SimpleNamespace(fair=fair))
    monkeypatch.setitem(sys.modules, "statsmodels", SimpleNamespace(api=api))
    monkeypatch.setitem(sys.modules, "statsmodels.api", api)
    monkeypatch.setattr(held_out, "require", lambda *names: None)
    source = held_out.held_out_source.__wrapped__("marriages")
    places = np.arange(0, n_rows, step)
    assert source.rows.tolist() == np.tile(places[:, None], (1, len(seen))).tolist()
    assert source.questions["affairs"].answers.tolist() == (places > 0).tolist()


def test_what_is_nearly_the_answer_is_hidden_with_it():
    """Of cells the mean, its error and the worst are ten columns each; some of the ten are nearly one measurement."""
    families = {"radius": (0, 2, 3), "texture": (1,), "smoothness": (4,), "concavity": (5, 6, 7), "symmetry": (8,)}
    asked = real_pairs.source_of("breast cancer").questions
    for name, family in (families | {"fractal dimension": (9,)}).items():
        wanted = tuple(place + ten for ten in (0, 10, 20) for place in family)
        assert asked[name].hidden == asked[f"high {name}"].hidden == wanted


def test_an_answer_that_is_a_column_is_hidden():
    for name in real_pairs.SOURCES:
        source = real_pairs.source_of(name)
        for asked, question in source.questions.items():
            left = np.delete(source.rows, question.hidden, axis=1)
            same = [asked for column in left.T if np.array_equal(column, question.answers)]
            assert same == []


def test_questions_are_those_of_the_data_sets():
    images = load_digits()
    digits = real_pairs.source_of("digits").questions
    assert np.array_equal(digits["odd"].answers, images["target"] % 2)
    pixels = [name for name in digits if name.startswith("pixel")]
    assert pixels == [f"pixel {place}" for place in ("1, 5", "2, 2", "2, 5", "3, 3", "4, 4", "5, 2", "6, 5")]
    assert np.array_equal(digits["pixel 3, 3"].answers, images["images"][:, 3, 3])
    wine = real_pairs.source_of("wine").questions
    assert np.array_equal(wine["vineyard 3"].answers, load_wine()["target"] == 2)


def test_shifts_of_an_image():
    image = np.arange(64.0)[None]
    turned, rolled, hidden, other = (
        real_pairs.shift_columns(image, shift, True).reshape(8, 8)
        for shift in ("turned", "rolled", "half hidden", "shuffled columns")
    )
    assert np.array_equal(turned, np.rot90(np.arange(64).reshape(8, 8)))
    assert rolled[3, 0] == 8 * 3 + 7
    assert np.array_equal(hidden[:4], np.arange(32).reshape(4, 8))
    assert np.all(hidden[4:] == 0)
    assert sorted(other.ravel()) == list(range(64))
    assert not np.array_equal(other.ravel(), image[0])


def test_shifts_of_columns():
    rows = np.arange(8.0).reshape(2, 4)
    assert np.array_equal(real_pairs.shift_columns(rows, "half hidden", False), rows * [1, 0, 1, 0])
    assert np.array_equal(real_pairs.shift_columns(rows, "times three", False), 3 * rows)
    assert np.array_equal(real_pairs.shift_columns(rows, "negated", False), -rows)
    with pytest.raises(ValueError, match="shift must be one of"):
        real_pairs.shift_columns(rows, "turned", False)
    with pytest.raises(ValueError, match="64 columns"):
        real_pairs.shift_columns(rows, "turned", True)


def test_rows_of_target_partners_and_test_are_apart():
    drawn = real_pairs.draw_rows(ODD, [0, 5])
    assert drawn.inputs.shape == (2, 20, 61)  # three pixels are constant
    assert drawn.new_inputs.shape == (2, 300, 61)
    for seed in range(2):
        own, pool, new = (
            {row.tobytes() for row in rows[seed]} for rows in (drawn.inputs, drawn.partners[0].inputs, drawn.new_inputs)
        )
        assert not own & pool
        assert not own & new
        assert not pool & new
    assert np.array_equal(drawn.partners[1].inputs, drawn.inputs)
    assert np.array_equal(drawn.partners[2].inputs, drawn.partners[0].inputs[:, :25])
    assert not np.array_equal(drawn.inputs[0], drawn.inputs[1])


def test_targets_drawn_at_random_leave_most_rows_to_others():
    near = False
    for target in real_pairs.random_targets(200, 1, 3):
        n_rows = len(real_pairs.source_of(target.source).rows)
        assert target.n_rows <= min(80, n_rows // 4)
        near |= n_rows // 5 < target.n_rows < 80
    assert near


@pytest.mark.parametrize(("source", "question"), [("digits", "odd"), ("diabetes", "progression")])
def test_noise_leaves_the_correlation_that_it_says(source, question):
    target = Target(source, question, 20, (Partner(question, 200), Partner(question, 200, noise=0.3)))
    clean, noisy = (part.labels for part in real_pairs.draw_rows(target, range(40)).partners)
    found = [np.corrcoef(*pair)[0, 1] for pair in zip(clean, noisy, strict=True)]
    assert np.mean(found) == pytest.approx(0.4, abs=0.02)


def test_pairs_by_hand_have_every_relation():
    targets = real_pairs.targets_by_hand()
    assert sum(len(target.partners) for target in targets) == 104
    for target in targets:
        relations = [target.relation(place) for place in range(len(target.partners))]
        assert set(relations) == set(real_pairs.RELATIONS)
        assert 14 <= target.n_rows <= 80


def test_pairs_at_random_are_the_seeds_and_can_be_drawn():
    targets = real_pairs.random_targets(60, 3, 1)
    assert targets == real_pairs.random_targets(60, 3, 1)
    assert targets[:5] == real_pairs.random_targets(5, 3, 1)
    assert targets != real_pairs.random_targets(60, 3, 2)
    assert {target.source for target in targets} == set(real_pairs.SOURCES)
    for target in targets:
        drawn = real_pairs.draw_rows(target, [0])
        assert drawn.new_inputs.shape[1] >= 60
        assert all(14 <= partner.n_rows <= 240 for partner in target.partners)
        assert drawn.inputs.shape[2] >= 2


class Drawn:
    """In place of a generator: these numbers one after the other, the first choice, and the least of a range."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)

    def choice(self, values):
        return values[0]

    def uniform(self, low, high):
        return low


@pytest.mark.parametrize(
    ("asked", "numbers", "expected"),
    [
        ("odd", (0.5, 0.5), Partner("odd", 14)),
        ("prime", (0.5, 0.5, 0.05), Partner("prime", 20, same_rows=True)),
        ("prime", (0.5, 0.9, 0.05), Partner("prime", 20, noise=0.1, same_rows=True)),
        ("prime", (0.5, 0.5, 0.2), Partner("prime", 14)),
        ("prime", (0.7, 0.5), Partner("prime", 14, "turned")),
    ],
)
def test_only_another_question_on_unmoved_inputs_may_have_the_targets_rows(asked, numbers, expected):
    rng = Drawn(*numbers)
    assert at_random._partner(rng, real_pairs.source_of("digits"), "odd", asked, (20, 240), 0.1) == expected
    assert rng.numbers == []


def test_all_shifts_are_drawn_and_those_of_images_for_images_alone():
    for_all = {"none", "half hidden", "times three", "negated", "shuffled columns"}
    found = {True: set(), False: set()}
    for target in real_pairs.random_targets(60, 3, 1):
        found[target.source == "digits"] |= {partner.shift for partner in target.partners}
    assert found == {True: for_all | {"turned", "rolled"}, False: for_all}
