"""Shrinking each head, at tiny sizes."""

from dataclasses import replace

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.shrinking_heads import experiment
from mtlbook_lib.data.related import pair_gram

STRONG = {"alike": ([[9.0], [9.0]], pair_gram(0.9)[0]), "unrelated": ([[9.0], [8.0]], np.eye(2))}


@pytest.fixture(scope="module")
def comparison():
    return experiment.compare(STRONG, n_sets=3)


def test_the_longer_map_is_one_of_the_two(comparison):
    head, alone, longer = comparison.errors["head"], comparison.errors["alone"], comparison.longer()
    assert np.all((longer == head) | (longer == alone))
    assert comparison.missing_length()[0] == pytest.approx(np.zeros(2), abs=0.02)
    assert comparison.excess("head")[0] == pytest.approx(np.zeros(2))


def test_the_choice_by_length_costs_what_it_errs_more_than_the_better_method_on_average(comparison):
    longer = {"length": [[1, 0], [0, 1]], "length alone": [[0, 1], [1, 0]]}
    errors = longer | {"head": [[4, 2], [5, 2]], "alone": [[3, 6], [3, 6]]}
    given = replace(comparison, errors={name: np.array(values, dtype=float) for name, values in errors.items()})
    assert given.longer().tolist() == [[4, 6], [3, 2]]  # by the head rule where it makes the map longer
    assert given.cost_of_choice()[0].tolist() == [0.5, 2]


def test_several_similarities_give_what_a_loop_gives():
    q = np.array([0.2, 0.9])
    batch = experiment.learn([[2.0], [3.0]], pair_gram(q), range(3))
    for i, value in enumerate(q):
        one = experiment.learn([[2.0], [3.0]], pair_gram(value), range(3))
        for method in ("head", "joint", "alone", "gradient"):
            assert batch[method][:, i] == pytest.approx(one[method][:, 0])


def test_parabolas_add_up_to_the_total():
    x = np.linspace(0, 4, 5)
    found = experiment.parabolas(x, 0.84, 3.0, 0.5)
    assert found["A"] * 0.84**2 + found["B"] * 9 == pytest.approx(found["total"] * (0.84**2 + 9))
    assert found["total"][0] == 0
