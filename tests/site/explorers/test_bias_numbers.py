"""The numbers of the explorer of finetuning are those of the library, in the browser, at random settings."""

from typing import Any

import numpy as np
import pytest
from browser import Browser
from explorer_page import LATER, State, ask, largest_gaps

from mtlbook_lib.theory import implicit_bias, interpolation

SETTINGS = 100
TOLERANCE = 1e-6
AUXES, FACTORS = np.geomspace(1e-4, 10, 61), np.geomspace(0.01, 10, 61)
COEFFICIENTS = np.linspace(-1, 1, 121)


def random_states(count: int, seed: int) -> list[State]:
    """Settings anywhere the dials reach; no rescaling, and inputs of 1 and more, are among them."""
    rng = np.random.default_rng(seed)
    ends = {"b": (1e-4, 10), "a": (1e-4, 1), "g": (1e-4, 3), "r": (0.01, 10)}
    columns = {name: np.exp(rng.uniform(*np.log(span), count)) for name, span in ends.items()}
    columns["x"] = rng.uniform(0.05, 1.5, count)
    columns["r"][::7], columns["x"][::11] = 1.0, 1.0
    return [dict(zip(columns, row, strict=True)) for row in zip(*(c.tolist() for c in columns.values()), strict=True)]


def prepared(state: State) -> tuple[Any, Any]:
    """Width and start of the old and of the new feature."""
    aux = np.array([state["b"], 0.0])
    given = (aux, state["a"], state["g"], 0.0, state["r"])
    return implicit_bias.finetuning_width(*given), implicit_bias.finetuning_start(*given)


def share(state: State, kappa: Any, start: Any = 0.0) -> float:
    """Part of the label on the old feature at the least penalty."""
    x = np.array([[state["x"], 1.0]])
    return float(state["x"] * interpolation.min_penalty(x, np.ones(1), kappa, start)[0])


def finetuned(state: State) -> float:
    return share(state, *prepared(state))


def printed(state: State) -> float:
    # The printed width after the factor, which multiplies the square root of the coefficient.
    return share(state, implicit_bias.printed_width(state["r"] ** 2 * np.array([state["b"], 0.0]), state["g"]))


def from_scratch(state: State) -> float:
    return share(state, np.full(2, 2 * state["a"] ** 2))


def probed(state: State) -> float:
    x = np.array([[state["x"], 1.0]])
    layer = implicit_bias.pretrained_layer(np.array([state["b"], 0.0]), state["a"])
    energy = state["r"] ** 2 * (layer[0] ** 2 + layer[1] ** 2)
    return float(state["x"] * interpolation.min_weighted_l2(x, np.ones(1), energy, prepared(state)[1])[0])


def multi_task(state: State) -> float:
    x = np.array([[state["x"], 1.0]])
    return float(state["x"] * interpolation.min_group_norm_given(x, np.ones(1), np.array([state["b"], 0.0]))[0])


def orders(state: State) -> tuple[float, float]:
    """Order and dependence without a start, by differences of the library's penalty."""
    step = 1e-5

    def logarithm(beta: float, aux: float) -> float:
        width = implicit_bias.finetuning_width(aux, state["a"], state["g"], 0.0, state["r"])
        return float(np.log(implicit_bias.penalty_terms(beta, width)))

    up, down = np.exp(step), np.exp(-step)
    b = state["b"]
    return (
        (logarithm(up, b) - logarithm(down, b)) / (2 * step),
        (logarithm(1.0, b * up) - logarithm(1.0, b * down)) / (2 * step),
    )


def shape(kappa: float, start: float) -> Any:
    values = implicit_bias.penalty_terms(COEFFICIENTS, kappa, start)
    return (values / values.max())[::20]


def expected(state: State) -> dict[str, Any]:
    """What the page shows at once, by the library; some points of its curves."""
    kappa, start = prepared(state)
    order, dependence = orders(state)
    auxes = [{**state, "b": aux} for aux in AUXES[::20]]
    factors = [{**state, "r": factor} for factor in FACTORS[::20]]
    return {
        "finetuned": finetuned(state),
        "printed": printed(state),
        "probed": probed(state),
        "fromScratch": from_scratch(state),
        "width": kappa[0],
        "widthNew": kappa[1],
        "start": start[0],
        "order": order,
        "dependence": dependence,
        "shapes": [shape(kappa[0], start[0]), shape(kappa[1], 0.0)],
        "auxCurves": [[finetuned(one) for one in auxes], [printed(one) for one in auxes]],
        "factorCurves": [[method(one) for one in factors] for method in (finetuned, printed, probed)],
    }


def compared(state: State, answer: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    found = {
        **answer,
        "shapes": [curve[::20] for curve in answer["shapes"][:2]],
        "auxCurves": [curve[::20] for curve in answer["auxCurves"][:2]],
        "factorCurves": [curve[::20] for curve in answer["factorCurves"]],
    }
    return expected(state), found


def test_numbers_are_those_of_the_library(bias: Browser) -> None:
    worst = largest_gaps(bias, "bias", random_states(SETTINGS, seed=60), compared)
    assert len(worst) == 12
    assert {name: gap for name, gap in worst.items() if not gap <= TOLERANCE} == {}


def test_both_tasks_together_is_the_least_group_norm(bias: Browser) -> None:
    # The library's certificate is relative to the norm, which is flat at its least: a share is known to its root.
    states = random_states(40, seed=61)
    answers = ask(bias, "bias", "return arguments[0].map(view.answer)", states)
    for state, answer in zip(states, answers, strict=True):
        assert answer["multiTask"] == pytest.approx(multi_task(state), abs=2e-4)


def test_map_is_that_of_the_library(bias: Browser) -> None:
    states = random_states(2, seed=62)
    rng = np.random.default_rng(0)
    for state, later in zip(states, ask(bias, "bias", LATER, states), strict=True):
        grid = later["map"]
        for i, j in zip(rng.integers(len(grid["x"]), size=10), rng.integers(len(grid["y"]), size=10), strict=True):
            wanted = finetuned({**state, "b": grid["x"][i], "x": grid["y"][j]}) - 0.5
            assert abs(grid["values"][i][j] - wanted) < TOLERANCE


def test_two_like_features_share_the_label(bias: Browser) -> None:
    """The old feature was hardly used, and both have the same input: half of the label rests on each."""
    states = [{"b": 1e-4, "x": 1.0, "a": 1.0, "g": g, "r": 1.0} for g in (1e-4, 3.0)]
    for answer in ask(bias, "bias", "return arguments[0].map(view.answer)", states):
        assert answer["fromScratch"] == pytest.approx(0.5, abs=1e-12)
        assert answer["finetuned"] == pytest.approx(0.5, abs=1e-3)
