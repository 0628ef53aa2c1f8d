"""The recommendation follows its rule, and its numbers are those of comparisons that are written out."""

import json

import numpy as np
import pytest

from mtlbook_lib.forecast import RepeatedRows, SharedRidge, TwoTaskGP, compare, recommend

WAYS = ["pool", "shared + own", "feature", "process"]


def same_task(seed, n_a=20, noise=1.0):
    rng = np.random.default_rng(seed)
    x_a, x_b, direction = rng.standard_normal((n_a, 5)), rng.standard_normal((80, 5)), rng.standard_normal(5)
    y_a, y_b = (x @ direction + noise * rng.standard_normal(len(x)) for x in (x_a, x_b))
    return x_a, y_a, x_b, y_b


@pytest.fixture(scope="module")
def found():
    return recommend(*same_task(1), draws=6)


def test_the_rule(found):
    gain, error = max(found.gains.values())
    assert list(found.gains) == WAYS
    if gain > 2 * error:
        assert found.gains[found.way] == (found.gain, found.error) == (gain, error)
        assert found.at_worst == pytest.approx(gain - 2 * error)
    else:
        assert (found.way, found.gain, found.error, found.at_worst) == ("none", 0.0, 0.0, 0.0)
    assert sum(found.verdicts.values()) == pytest.approx(1)
    assert found.forecast_gain == tuple(sorted(found.forecast_gain))


def test_gains_are_those_of_a_comparison_by_hand(found):
    x_a, y_a, x_b, y_b = same_task(1)
    pooled = np.vstack([x_a, x_b])
    x_a, x_b = ((x - pooled.mean(axis=0)) / pooled.std(axis=0) for x in (x_a, x_b))
    y_a, y_b = ((y - y.mean()) / y.std() for y in (y_a, y_b))

    def shared(x, y, other, labels):
        model = SharedRidge(own=0.0).fit(np.vstack([x, other]), np.append(y, labels), [0] * len(y) + [1] * len(labels))
        return lambda new: model.predict(new, 0)

    def alone(x, y):
        return SharedRidge(own=0.0).fit(x, y).predict

    wanted = compare(alone, shared, x_a, y_a, x_b, y_b, repeats=4, folds=5)
    assert found.gains["pool"] == pytest.approx((wanted.difference, wanted.standard_error), rel=1e-9)
    process = compare(lambda x, y: TwoTaskGP(0.0).fit(x, y, x, y).predict, lambda *data: TwoTaskGP().fit(*data).predict,
                      x_a, y_a, x_b, y_b, repeats=4, folds=5)  # fmt: skip
    assert found.gains["process"] == pytest.approx((process.difference, process.standard_error), rel=1e-9)


def test_the_same_task_is_shared_and_permuted_labels_are_not():
    shared, permuted = [], []
    for seed in range(8):
        x_a, y_a, x_b, y_b = same_task(seed, n_a=16)
        shared.append(recommend(x_a, y_a, x_b, y_b, draws=2).way)
        y_b = np.random.default_rng(seed).permutation(y_b)
        permuted.append(recommend(x_a, y_a, x_b, y_b, draws=2).way)
    assert shared.count("none") <= 5
    assert permuted.count("none") >= 7


def test_words_and_json_say_the_same(found):
    told = json.loads(json.dumps(found.to_dict()))
    assert told["way"] == found.way
    assert told["gains"]["pool"] == list(found.gains["pool"])
    text = " ".join(str(found).split())
    assert text.startswith("Recommended: ")
    assert f"pool {found.gains['pool'][0]:+.3f} ± {found.gains['pool'][1]:.3f}" in text
    assert "above two of its standard errors; else learn A alone." in text


def test_seeds_decide_draws_and_folds():
    data = same_task(3)
    first, again, other = (recommend(*data, draws=3, seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert first.gains != other.gains
    assert first.forecast_gain != other.forecast_gain


def test_bad_input_is_named():
    x_a, y_a, x_b, y_b = same_task(0)
    with pytest.raises(RepeatedRows):
        recommend(x_a, y_a, x_a, y_a)
    with pytest.raises(ValueError, match="y_b must be numbers or two classes"):
        recommend(x_a, y_a, x_b, np.resize(["red", "green", "blue"], 80))
    with pytest.raises(ValueError, match="draws"):
        recommend(x_a, y_a, x_b, y_b, draws=1)
