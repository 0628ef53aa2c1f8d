"""A reader's own run beside a claim: for each kind of check it agrees, says otherwise, or has too few seeds."""

from typing import Any

import numpy as np
import pytest
from example_claim import example_claim

from mtlbook_lib.notebook import _own_run as own_run
from mtlbook_lib.notebook import claims
from mtlbook_lib.notebook._entry import Resolution
from mtlbook_lib.notebook.register import RegisterError

# Kind, tolerance, then (measured, predicted, standard error) of a run that agrees, and of one that says otherwise.
RUNS: list[tuple[str, Any, tuple[Any, ...], tuple[Any, ...]]] = [
    ("z-score", 4.0, ([1.0, 1.3], [1.0, 1.0], [0.1, 0.1]), ([1.0, 1.5], [1.0, 1.0], [0.1, 0.1])),
    ("z-score", 4.0, ([1.0, 1.3], [1.0, 1.0], [0.0, 0.1]), ([1.1, 1.5], [1.0, 1.0], [0.0, 0.1])),
    ("exceeds", 4.0, (1.5, 1.0, 0.1), (0.5, 1.0, 0.1)),
    ("close", 0.1, (1.05, 1.0, 0.0), (1.2, 1.0, 0.0)),
    ("close", 0.1, (1.2, 1.0, 0.03), (1.2, 1.0, 0.02)),
    ("relative", 0.1, (10.5, 10.0, 0.0), (12.0, 10.0, 0.0)),
    ("at-most", 0.1, (0.05, 7.0, 0.0), (0.2, 7.0, 0.0)),
    ("at-least", 0.1, (0.05, 0.0, 0.02), (0.05, 0.0, 0.01)),
    ("range", (0.4, 0.6), (0.5, 0.0, 0.0), (0.7, 0.0, 0.02)),
]


@pytest.mark.parametrize(("kind", "tolerance", "good", "bad"), RUNS)
def test_a_run_agrees_or_says_otherwise(kind: str, tolerance: Any, good: tuple[Any, ...], bad: tuple[Any, ...]) -> None:
    claim = example_claim(kind, tolerance)
    assert own_run.finding(claim, *good) == f"Your run agrees with the claim {claim.id}, on record as: holds."
    assert own_run.finding(claim, *bad).startswith(f"Your run says otherwise than the claim {claim.id}")


def test_what_it_says_otherwise_is_the_worst_case() -> None:
    claim = example_claim("z-score", 4.0)
    said = own_run.finding(claim, np.array([0.690, 0.820]), np.array([0.690, 0.690]), np.array([0.02, 0.02]))
    assert said.endswith("on record as: holds. It measured 0.82 ± 0.02, predicted 0.69.")


@pytest.mark.parametrize("error", [0.0, np.nan, 0.5])
def test_too_few_seeds_are_said(error: float) -> None:
    """One seed has no error at all; few have one that would hide what the claim says it sees."""
    claim = example_claim("z-score", 4.0, resolves=Resolution(0.6, False))
    assert own_run.finding(claim, 1.1, 1.0, error).startswith(f"Too few seeds to judge the claim {claim.id}")
    assert "agrees" in own_run.finding(claim, 1.1, 1.0, 0.4)
    assert "Too few seeds" in own_run.finding(example_claim("exceeds", 4.0), 1.2, 1.0, 0.1)
    # Two seeds that count the same have no spread, however far from the law they are.
    assert "Too few seeds" in own_run.finding(claim, [0.50, 0.74], [0.50, 0.75], [0.02, 0.0])


def test_an_unknown_claim_is_refused() -> None:
    with pytest.raises(RegisterError, match="'no-such-claim' is not registered"):
        claims.compare("no-such-claim", 1.0, 1.0)
