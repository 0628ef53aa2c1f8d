"""The numbers of the explorer of shared directions are those of the library, in the browser, at random settings."""

from typing import Any

import numpy as np
import pytest
from browser import Browser
from explorer_page import LATER, State, ask, largest_gaps

from mtlbook_lib.theory.hard_sharing import asymptotic_risk, asymptotic_transfer

SETTINGS = 60
TOLERANCE = 1e-6
RATIO_TOLERANCE = 1e-5  # where a flat curve is least is known to the root of its precision
SIZES, RATIOS = np.geomspace(0.2, 100, 61), np.geomspace(0.1, 10, 61)


def random_states(count: int, seed: int) -> list[State]:
    """Settings anywhere the dials reach; equal and unrelated models, and inputs without stretch are among them."""
    rng = np.random.default_rng(seed)
    ends = {"m": (0.2, 100), "n": (1.3, 50), "p": (0.05, 5), "s": (0.05, 5), "v": (1, 30)}
    columns = {name: np.exp(rng.uniform(*np.log(span), count)) for name, span in ends.items()}
    columns["c"] = rng.uniform(0, 1, count)
    columns["c"][::9], columns["c"][::13], columns["v"][::5] = 1.0, 0.0, 1.0
    return [dict(zip(columns, row, strict=True)) for row in zip(*(c.tolist() for c in columns.values()), strict=True)]


def tasks(state: State, **changes: float) -> tuple[Any, ...]:
    """The same tasks with four inputs: only examples for each input matter in the limit."""
    m, n, p, s, c, v = ({**state, **changes}[name] for name in "mnpscv")
    source, target = np.array([c, np.sqrt(1 - c**2)] * 2) / np.sqrt(2), np.array([1.0, 0.0] * 2) / np.sqrt(2)
    return np.diag([v, v, 1 / v, 1 / v]), np.eye(4), 4 * m, 4 * n, source, target, p, s


def benefit(state: State, shared: float) -> float:
    """Part of the risk of the target that is gone."""
    alone = state["s"] ** 2 / (state["n"] - 1)
    return float((alone - shared) / (alone + shared))


def expected(state: State) -> dict[str, Any]:
    """What the page shows at once, by the library; some points of its curves."""
    ratio, shared, _ = asymptotic_transfer(*tasks(state))
    risks, losses = asymptotic_risk(*tasks(state), RATIOS[::15])
    by_size = [tasks(state, m=size) for size in SIZES[::30]]
    return {
        "ratio": np.arctan(ratio),
        "alone": state["s"] ** 2 / (state["n"] - 1),
        "shared": shared,
        "pooled": asymptotic_risk(*tasks(state), 1.0)[0],
        "benefit": benefit(state, shared),
        "risks": risks,
        "losses": losses / (4 * (state["m"] + state["n"])),
        "bySize": [asymptotic_transfer(*one)[1] for one in by_size],
        "bySizePooled": [asymptotic_risk(*one, 1.0)[0] for one in by_size],
    }


def shown(answer: dict[str, Any]) -> dict[str, Any]:
    """The same from the page."""
    return {
        **{name: answer[name] for name in ("alone", "shared", "pooled", "benefit")},
        "ratio": np.arctan(answer["ratio"]),
        **{name: answer[name][::15] for name in ("risks", "losses")},
        **{name: answer[name][::30] for name in ("bySize", "bySizePooled")},
    }


def compared(state: State, answer: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    return expected(state), shown(answer)


def test_numbers_are_those_of_the_library(sharing: Browser) -> None:
    worst = largest_gaps(sharing, "sharing", random_states(SETTINGS, seed=50), compared)
    assert len(worst) == 9
    assert worst.pop("ratio") <= RATIO_TOLERANCE
    assert {name: gap for name, gap in worst.items() if not gap <= TOLERANCE} == {}


def test_map_is_that_of_the_library(sharing: Browser) -> None:
    states = random_states(2, seed=51)
    rng = np.random.default_rng(0)
    for state, later in zip(states, ask(sharing, "sharing", LATER, states), strict=True):
        grid = later["map"]
        for i, j in zip(rng.integers(len(grid["x"]), size=10), rng.integers(len(grid["y"]), size=10), strict=True):
            noise = grid["x"][i]
            there = {**state, "s": noise, "p": noise * state["p"] / state["s"], "c": grid["y"][j]}
            wanted = benefit(there, asymptotic_transfer(*tasks(there))[1])
            assert abs(grid["values"][i][j] - wanted) < TOLERANCE


def test_stretch_does_not_matter_for_equal_sizes_of_one_model(sharing: Browser) -> None:
    states = [{"m": 3, "n": 3, "p": 1.0, "s": 1.0, "c": 1.0, "v": v} for v in (1.0, 5.0, 25.0)]
    for answer in ask(sharing, "sharing", "return arguments[0].map(view.answer)", states):
        assert answer["pooled"] == pytest.approx(1 / 5, abs=1e-9)
