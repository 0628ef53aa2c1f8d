"""The numbers of the explorer of classifiers are those of the library, computed in the browser at random settings."""

from typing import Any

import numpy as np
import pytest
from browser import Browser
from explorer_page import LATER, State, ask, largest_gaps

from mtlbook_lib.theory import classification, softmax

SETTINGS = 60
TOLERANCE = 1e-6
NORMS = np.geomspace(0.05, 100, 121)


def random_states(count: int, seed: int) -> list[State]:
    """Settings anywhere the dials reach; two and a thousand classes, both ends of the relatedness are among them."""
    rng = np.random.default_rng(seed)
    classes = np.rint(np.exp(rng.uniform(np.log(2), np.log(1000), count))).astype(int)
    classes[::9], classes[::11] = 2, 1000
    ends = {"s": (0.1, 20), "n": (1, 10000), "c": (0.05, 100)}
    logs = {name: np.exp(rng.uniform(np.log(low), np.log(high), count)) for name, (low, high) in ends.items()}
    logs["s"][::13], logs["c"][::7] = 20.0, 50.0
    related = rng.uniform(0, 1, count)
    related[::5] = rng.integers(0, 2, len(related[::5]))
    columns = {"k": classes, "x": rng.integers(2, 101, count), "r": related, **logs}
    columns["n"] = np.rint(columns["n"]).astype(int)
    return [dict(zip(columns, row, strict=True)) for row in zip(*(c.tolist() for c in columns.values()), strict=True)]


def best(overlap: float, k: int) -> list[float]:
    """Least loss, and the logarithm of the norm at which it is reached."""
    scale = classification.optimal_scale(overlap, k)
    return [classification.generalization_loss(scale, overlap, k), np.log(scale)]


def expected(state: State) -> dict[str, Any]:
    """What the page shows at once, by the library; every thirtieth point of its curves."""
    k, s, n, x, r, c = (state[name] for name in "ksnxrc")
    norms, teacher = NORMS[::30], classification.teacher_overlap(s)
    step = classification.one_step_overlap(n * k, x * k, k)
    helped = classification.denoising_overlap(s, r, k, x * k)
    gains = [softmax.isotropic_gain, softmax.rem_gain, softmax.interpolated_gain]
    return {
        "gains": [gain(c, k) for gain in gains],
        "curves": [gain(norms, k) for gain in gains],
        "overlaps": [teacher, step, teacher * step, helped],
        "endless": best(teacher, k),
        "few": best(teacher * step, k),
        "together": best(helped, k),
        "benefit": classification.denoising_benefit(s, r, k, x * k),
        "loss": classification.generalization_loss(c, teacher * step, k),
        "losses": classification.generalization_loss(norms, teacher * step, k),
        "ideal": classification.generalization_loss(norms, teacher, k),
        "steps": classification.one_step_overlap(np.array([1, 100, 10000]) * k, x * k, k),
        "agreement": classification.label_agreement(teacher, k),
    }


def shown(answer: dict[str, Any]) -> dict[str, Any]:
    """The same from the page."""
    least = {name: [answer[name]["loss"], np.log(answer[name]["scale"])] for name in ("endless", "few", "together")}
    return {
        **{name: answer[name] for name in ("gains", "benefit", "loss", "agreement")},
        **{name: answer[name][::30] for name in ("losses", "ideal", "steps")},
        **least,
        "curves": [answer[name][::30] for name in ("exact", "rem", "interpolated")],
        "overlaps": [answer[name] for name in ("teacher", "step", "learned", "helped")],
    }


def compared(state: State, answer: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    return expected(state), shown(answer)


def test_numbers_are_those_of_the_library(still_classes: Browser) -> None:
    worst = largest_gaps(still_classes, "classes", random_states(SETTINGS, seed=30), compared)
    assert len(worst) == 12
    assert {name: gap for name, gap in worst.items() if not gap <= TOLERANCE} == {}


def test_curves_of_benefit_and_agreement_are_those_of_the_library(still_classes: Browser) -> None:
    states = random_states(12, seed=31)
    strengths = np.geomspace(0.1, 20, 25)[::8]
    for state, later in zip(states, ask(still_classes, "classes", LATER, states), strict=True):
        k, features = state["k"], state["x"] * state["k"]
        related = np.linspace(0, 1, 31)[::10]
        benefits = classification.denoising_benefit(state["s"], related, k, features)
        agreements = classification.label_agreement(classification.teacher_overlap(strengths), k)
        assert np.abs(later["benefits"][::10] - benefits).max() < TOLERANCE
        assert np.abs(later["agreements"][::8] - agreements).max() < TOLERANCE
        assert len(later["benefits"]) == 31


def test_a_random_overlap_of_the_inputs_is_worth_nothing(still_classes: Browser) -> None:
    """Relatedness sqrt(k/d), whatever the noise."""
    states = [{"k": 10, "s": s, "n": 10, "x": 16, "r": 0.25, "c": 1.0} for s in (0.3, 3.0)]
    for answer in ask(still_classes, "classes", "return arguments[0].map(view.answer)", states):
        assert abs(answer["benefit"]) < TOLERANCE
        assert answer["helped"] == pytest.approx(answer["teacher"], abs=1e-12)
