"""What the functions of learning curves refuse, by name of the argument."""

import numpy as np
import pytest

from mtlbook_lib.theory import generalization

GOOD = {"t": 1.0, "teacher": [2.0], "aspect": 0.5, "n_outputs": 20}


@pytest.mark.parametrize("function", [generalization.train_error, generalization.test_error])
@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"teacher": 2.0}, ValueError, "teacher"),
        ({"teacher": [2.0] * 21}, ValueError, "teacher"),
        ({"aspect": 1.1}, ValueError, "aspect must be at most 1"),
        ({"teacher": [2.0, 3.0], "n_hidden": 1}, ValueError, "n_hidden must be at least the teacher's rank 2"),
    ],
)
def test_curves_reject_what_they_cannot_answer(function, change, error, match):
    with pytest.raises(error, match=match):
        function(**{**GOOD, **change})


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: generalization.test_error(1.0, [2.0], 0.5, 20, order=2), "order"),
        (lambda: generalization.test_error_random(1.0, [2.0], 20, 40), "aspect"),
        (lambda: generalization.test_error_examples(1.0, [2.0] * 3, 20, 20, 2, 1e-3), "teacher must have at most"),
        (lambda: generalization.shrinkage_error([], 0.5), "teacher"),
        (lambda: generalization.rank_one_optimum([2.0, 0.5**0.25], 0.5, 1e-3), "s must be above the threshold"),
        (lambda: generalization.best_stopping([2.0], 0.5, 20, eps=0.5), "eps must be below 1/2"),
        (lambda: generalization.bulk_shift(np.square, [2.0], 1.5), "aspect"),
        (lambda: generalization.bulk_shift(lambda s: s * np.nan, [2.0], 0.5), "func"),
        (lambda: generalization.bulk_shift(lambda s: s[:-1], [2.0], 0.5), "func must return one value"),
        (lambda: generalization.curve_minimum(lambda t: 1.0, 2.0), "curve must return one error per time"),
    ],
)
def test_other_functions_reject_what_they_cannot_answer(call, match):
    with pytest.raises(ValueError, match=match):
        call()
