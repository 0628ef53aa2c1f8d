"""What the functions of transfer refuse, by name of the argument."""

import warnings

import numpy as np
import pytest

from mtlbook_lib.theory import transfer

PAIR = {"s_a": 2.0, "s_b": 3.0, "q": 0.5, "aspect": 0.5, "n_outputs": 50, "eps": 1e-3}


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"q": -2}, ValueError, "q must have no singular value above 1"),
        ({"s_a": [2.0, 1.0], "q": [[0.8], [0.8]]}, ValueError, "q must have no singular value above 1"),
        ({"s_b": [1.0, 2.0], "q": [[0.1, 0.1]], "n_outputs": 1, "aspect": 0.1}, ValueError, "n_outputs must be at"),
        ({"n_outputs": 1, "aspect": 1.0}, ValueError, "n_outputs/aspect"),
        ({"aspect": [0.5, 0.6]}, TypeError, "aspect"),
        ({"eps": 0.5}, ValueError, "eps must be below 1/2"),
        ({"order": 2}, ValueError, "order must be 0 or 1"),
        ({"order": 1, "method": "shrinkage"}, ValueError, "order must be 0 for shrinkage"),
    ],
)
def test_benefit_rejects_what_it_cannot_answer(change, error, match):
    with pytest.raises(error, match=match):
        transfer.transfer_benefit(**{**PAIR, **change})


@pytest.mark.parametrize(
    ("singular_values", "gram", "error", "match"),
    [
        ([], [[1.0]], ValueError, "at least one task"),
        ([[3.0], [-1.0]], np.eye(2), ValueError, r"singular_values\[1\]"),
        ([[3.0], []], np.eye(1), ValueError, r"singular_values\[1\]"),
        ([[3.0], ["x"]], np.eye(2), TypeError, r"singular_values\[1\]"),
        ([[3.0], [2.0, 1.0]], np.eye(2), ValueError, "gram must have one row and column for each of 3"),
        ([[3.0], [2.0]], np.ones((2, 3)), ValueError, "gram must have one row"),
        ([[3.0], [2.0]], [[1.0, 0.5], [0.4, 1.0]], ValueError, "gram must be symmetric"),
        ([[3.0], [2.0]], [[1.0, 1.5], [1.5, 1.0]], ValueError, "gram must have no negative eigenvalue"),
        ([[3.0], [2.0]], [[1.1, 0.5], [0.5, 1.0]], ValueError, "gram must have an identity block"),
        ([[3.0, 2.0]], [[1.0, 0.5], [0.5, 1.0]], ValueError, "gram must have an identity block"),
    ],
)
def test_modes_reject_what_is_no_composite(singular_values, gram, error, match):
    with pytest.raises(error, match=match):
        transfer.composite_modes(singular_values, gram)
    with pytest.raises(error, match=match):
        transfer.head_error(1.0, singular_values, gram, 0.5, 50, 1e-3)


@pytest.mark.parametrize("name", ["s_a", "s_b"])
def test_one_task_of_several_modes_is_told_from_a_sweep(name):
    with pytest.warns(UserWarning, match=rf"{name} is read as one task of rank 3\. For a sweep .* {name}\[:, None\]"):
        told = transfer.transfer_benefit(**{**PAIR, name: [3.0, 2.0, 1.0]})
    ranks = (3, 1) if name == "s_a" else (1, 3)
    with warnings.catch_warnings(action="error"):
        assert transfer.transfer_benefit(**{**PAIR, name: [3.0, 2.0, 1.0], "q": PAIR["q"] * np.eye(*ranks)}) == told
