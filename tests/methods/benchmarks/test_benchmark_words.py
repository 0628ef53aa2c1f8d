"""Word numbers, tables of vectors, and networks that ignore what stands behind the end of a text."""

import numpy as np
import pytest
import torch

from mtlbook_lib.data.benchmarks import Texts
from mtlbook_lib.methods.benchmarks import WordEncoder, vocabulary

TEXTS = Texts(("It works .", "no"), ("", "Yes it"), np.array([0, 1]), ("a", "b"))
VECTORS = {"it": [1.0, 0.0, 0.0], "no": [0.0, 1.0, 0.0], "elsewhere": [9.0, 9.0, 9.0]}


def encoder(kind="mlp", width=6, **settings):
    return WordEncoder(vocabulary([TEXTS]), VECTORS, kind, width, **{"length": 6, **settings})


def test_vocabulary_is_in_lower_case_and_in_order():
    assert vocabulary([TEXTS]) == [".", "<sep>", "it", "no", "works", "yes"]


def test_rows_are_numbers_of_words_with_the_pair_set_apart():
    rows = encoder().rows(TEXTS)
    assert rows.tolist() == [[4, 6, 2, 0, 0, 0], [5, 3, 7, 4, 0, 0]]
    unknown = Texts(("it flies far",), ("",), np.array([0]), ("a", "b"))
    assert encoder(length=5).rows(unknown)[0].tolist() == [4, 1, 1, 0, 0]
    long = Texts(("it " * 9,), ("",), np.array([0]), ("a", "b"))
    assert encoder().rows(long).tolist() == [[4] * 6]


def test_the_table_has_the_given_vectors_and_random_ones_for_the_rest():
    table = encoder(seed=1).table
    assert table.shape == (8, 3)
    assert not table[0].any()
    assert table[4].tolist() == VECTORS["it"]
    assert 0 < np.abs(table[6]).max() <= 0.25
    assert not np.array_equal(table[6], encoder(seed=2).table[6])


def test_filters_see_three_four_and_five_words():
    module = encoder("cnn").make()
    filters = [layer.weight.shape[2] for layer in module.modules() if isinstance(layer, torch.nn.Conv1d)]
    assert filters == [3, 4, 5]


@pytest.mark.parametrize("kind", ["mlp", "lstm", "cnn"])
def test_features_have_the_width_and_follow_the_words_alone(kind):
    made = encoder(kind, width=7, length=5).make()
    rows = torch.tensor([[4, 6, 2, 0, 0], [4, 6, 2, 0, 0], [4, 2, 6, 0, 0], [4, 6, 3, 0, 0]])
    features = made.double()(rows)
    assert features.shape == (4, 7)
    # Not bit by bit: where a row stands in its batch may decide in which order its terms are added.
    torch.testing.assert_close(features[0], features[1], rtol=1e-12, atol=1e-14)
    longer = made(torch.cat([rows, torch.zeros(4, 4, dtype=torch.int64)], dim=1))
    if kind != "cnn":  # its filters see one window of nothing more
        torch.testing.assert_close(longer, features)
    if kind == "mlp":
        torch.testing.assert_close(features[0], features[2])
    elif kind == "lstm":
        assert not torch.allclose(features[0], features[2])
    assert not torch.allclose(features[0], features[3])  # the last word counts too


def test_networks_start_from_the_table_and_do_not_change_it():
    one = encoder()
    made = one.make()
    before = one.table.copy()
    with torch.no_grad():
        made.embedding.weight.add_(1.0)
    assert np.array_equal(one.table, before)
    assert np.array_equal(one.make().embedding.weight.detach().numpy(), before)


def test_refusals():
    with pytest.raises(ValueError, match="vectors must have one length, and one word of the vocabulary or more; got 0"):
        WordEncoder(["a"], {"b": [1.0]})
    with pytest.raises(ValueError, match=r"got 2 vectors of lengths \[1, 2\]"):
        WordEncoder(["a", "b"], {"a": [1.0], "b": [1.0, 2.0]})
    with pytest.raises(ValueError, match="kind must be one of 'mlp', 'lstm', 'cnn'"):
        encoder("bag")
    with pytest.raises(ValueError, match="length must be at least 5"):
        encoder(length=4)
    with pytest.raises(ValueError, match="width must be at least 3"):
        encoder("cnn", width=2)
