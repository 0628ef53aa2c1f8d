"""The numbers of the explorer of transfer are those of the library, computed in the browser at random settings."""

from typing import Any

import numpy as np
import pytest
from browser import Browser
from explorer_page import LATER, State, ask, largest_gaps

from mtlbook_lib.theory.spiked import threshold
from mtlbook_lib.theory.transfer import best_head_stopping, composite_modes, head_error, head_shrinkage_error

SETTINGS = 100
EPS = 1e-3
TOLERANCE = 1e-6


def random_states(count: int, seed: int) -> list[State]:
    """Settings anywhere the dials reach; equal strengths, both ends of the similarity and thresholds are among them."""
    rng = np.random.default_rng(seed)
    strengths = np.exp(rng.uniform(np.log(0.2), np.log(12), (count, 2)))
    similarity, aspect = rng.uniform(0, 1, count), np.exp(rng.uniform(np.log(0.1), np.log(2), count))
    heads, outputs = rng.integers(2, 11, count), rng.integers(20, 201, count)
    strengths[::7, 1] = strengths[::7, 0]
    strengths[::11, 0] = aspect[::11] ** 0.25
    similarity[::5] = rng.integers(0, 2, len(similarity[::5]))
    method = rng.choice(["stop", "stop", "heads", "joint"], count)
    names = ("sA", "sB", "q", "A", "H", "N", "method", "order")
    order = rng.choice(["0", "1"], count)
    columns = (*strengths.T, similarity, aspect, heads, outputs, method, order)
    return [dict(zip(names, row, strict=True)) for row in zip(*(column.tolist() for column in columns), strict=True)]


def tasks(state: State, heads: int | None = None) -> tuple[list[float], np.ndarray]:
    """Strengths and Gram matrix of the first `heads` tasks (all where left out)."""
    number = state["H"] if heads is None else heads
    gram = np.full((number, number), state["q"])
    np.fill_diagonal(gram, 1.0)
    return [state["sA"], *[state["sB"]] * (number - 1)], gram


def least(state: State, heads: int | None = None) -> tuple[float, float | None]:
    """Least error of A by the library, and the time at which training stops."""
    if state["method"] == "stop":
        sizes = (state["A"], state["N"], EPS)
        return best_head_stopping(*tasks(state, heads), *sizes, order=int(state["order"]))
    joint = state["method"] == "joint"
    return head_shrinkage_error(*tasks(state, heads), state["A"], joint=joint), None


def benefit(state: State, **changes: Any) -> float:
    changed = state | changes
    return least(changed, 1)[0] - least(changed)[0]


def expected(state: State, times: list[float]) -> dict[str, Any]:
    """What the page shows at once, by the library."""
    strengths, weights = composite_modes(*tasks(state))
    (alone, alone_time), (together, together_time) = least(state, 1), least(state)
    sizes = {"aspect": state["A"], "n_outputs": state["N"], "eps": EPS, "order": int(state["order"])}
    return {
        "strengths": strengths,
        "shares": weights[0],
        "visible": strengths > threshold(state["H"] * state["A"]),
        "errors": [alone, together, alone - together],
        "times": [time for time in (alone_time, together_time) if time is not None],
        "thresholds": [threshold(state["A"]), threshold(state["H"] * state["A"])],
        "single": head_error(times, *tasks(state, 1), **sizes),
        "joint": head_error(times, *tasks(state), **sizes),
    }


def shown(answer: dict[str, Any]) -> dict[str, Any]:
    """The same from the page."""
    modes = [mode for mode in answer["modes"] for _ in range(mode["count"])]
    found = [answer["alone"], answer["together"]]
    return {
        "strengths": [mode["strength"] for mode in modes],
        "shares": [mode["share"] for mode in modes],
        "visible": [mode["visible"] for mode in modes],
        "errors": [*(one["error"] for one in found), answer["benefit"]],
        "times": [one["time"] for one in found if one["time"] is not None],
        "thresholds": [answer["seen"]["alone"], answer["seen"]["together"]],
        "single": answer["single"][::25],
        "joint": answer["joint"][::25],
    }


def compared(state: State, answer: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    return expected(state, answer["times"][::25]), shown(answer)


def test_numbers_are_those_of_the_library(still_explorer: Browser) -> None:
    worst = largest_gaps(still_explorer, "transfer", random_states(SETTINGS, seed=20), compared)
    assert len(worst) == 8
    assert {name: gap for name, gap in worst.items() if not gap <= TOLERANCE} == {}


@pytest.mark.parametrize("seed", range(3))
def test_map_and_turning_points_are_those_of_the_library(still_explorer: Browser, seed: int) -> None:
    states = [state | {"H": min(state["H"], 4)} for state in random_states(4, seed=100 + seed)]
    rng = np.random.default_rng(seed)
    for state, later in zip(states, ask(still_explorer, "transfer", LATER, states), strict=True):
        grid = later["map"]
        for i, j in zip(rng.integers(len(grid["x"]), size=8), rng.integers(len(grid["y"]), size=8), strict=True):
            assert abs(grid["values"][i][j] - benefit(state, sB=grid["x"][i], q=grid["y"][j])) < TOLERANCE
        for point in later["slice"]["points"][::8]:
            assert abs(point["benefit"] - benefit(state, q=point["q"])) < TOLERANCE
        for turn in later["slice"]["turns"]:
            assert abs(benefit(state, q=turn["q"])) < TOLERANCE


def test_sign_changes_where_the_chapter_says(still_explorer: Browser) -> None:
    """Equal strengths s under shrinkage: at s^2/(1 + s^2)."""
    script = "return window.mtl.transfer.overSimilarity(arguments[0]).turns"
    for s in (2.0, 5.0):
        state = {"sA": s, "sB": s, "q": 0.5, "A": 0.5, "H": 2, "N": 50, "method": "heads", "order": "0"}
        (turn,) = ask(still_explorer, "transfer", script, formula_names(state))
        assert turn["helpsAbove"]
        assert abs(turn["q"] - s**2 / (1 + s**2)) < TOLERANCE


def formula_names(state: State) -> dict[str, Any]:
    """A setting of the dials in the names of the formulas."""
    return {
        "a": state["sA"], "b": state["sB"], "q": state["q"], "aspect": state["A"], "heads": state["H"],
        "outputs": state["N"], "eps": EPS, "method": state["method"], "order": int(state["order"]),
    }  # fmt: skip
