"""The questions above each explorer: the answers are the explorer's own."""

from typing import Any

import pytest
from browser import Browser
from explorer_page import LATER, ask

START = "const start = (moved) => Object.assign(window.mtl.dials.starts(view.dials), moved);"
# Of each explorer: settings, what the page answers, and what the sentences say of it.
SAID: list[tuple[str, str, list[dict[str, Any]], str, list[float], float]] = [
    ("transfer", "part3", [{"sA": 3, "sB": 3, "q": 0.5}, {}, {"H": 10}], "benefit", [-0.081, 0.188, 0.330], 5e-4),
    ("classes", "part4", [{}], "benefit", [0.94], 5e-3),
    ("sharing", "part5", [{}, {"v": 5}], "shared", [0.310, 0.347], 5e-4),
    ("bias", "part6", [{}, {"x": 0.23}], "finetuned", [0.997, 0.5], 0.05),
]


@pytest.mark.parametrize(("view", "part", "moves", "name", "wanted", "within"), SAID, ids=[case[0] for case in SAID])
def test_the_answers_are_those_of_the_explorer(
    browser: Browser, server: str, view: str, part: str, moves: list[dict[str, Any]], name: str,
    wanted: list[float], within: float,
) -> None:  # fmt: skip
    browser.open(f"{server}/book/{part}/explorer.html")
    script = f"{START} return arguments[0].map((moved) => view.answer(start(moved))[arguments[1]])"
    found = ask(browser, view, script, moves, name)
    assert found == pytest.approx(wanted, abs=within)


def test_harm_and_help_change_where_the_answers_say(browser: Browser, server: str) -> None:
    """Similarity, ten times as many examples, noise of the target, size of the source, factor before finetuning."""
    browser.open(f"{server}/book/part3/explorer.html")
    states = ask(browser, "transfer", f"{START} return [start({{}})]")
    ((turn,),) = (slices["slice"]["turns"] for slices in ask(browser, "transfer", LATER, states))
    assert turn["q"] == pytest.approx(0.354, abs=5e-4)
    browser.open(f"{server}/book/part4/explorer.html")
    few, many = ask(browser, "classes", f"{START} return [40, 400].map((n) => view.answer(start({{ n }})).few.loss)")
    assert few - many == pytest.approx(0.30, abs=5e-3)
    ratio = f"{START} const a = view.answer(start()); return a.exact.map((gain, i) => a.rem[i] / gain)"
    ratios = ask(browser, "classes", ratio)
    assert [ratios[0], max(ratios), ratios[-1]] == pytest.approx([1.11, 1.7, 1.4], abs=0.05)
    browser.open(f"{server}/book/part5/explorer.html")
    state = "start({ m: 20, n: 1.5, s: arguments[0], c })"
    many_rows = f"{START} return [0, 0.5, 1].map((c) => view.answer({state}).benefit)"
    low, high = (ask(browser, "sharing", many_rows, noise) for noise in (0.05, 1))
    assert max(low) < 0 < min(high)
    risks = ask(browser, "sharing", f"{START} return view.answer(start({{ c: 0.8 }})).bySize")
    assert [min(risks), risks[-1]] == pytest.approx([0.306, 0.353], abs=5e-4)
    browser.open(f"{server}/book/part6/explorer.html")
    shares = ask(browser, "bias", f"{START} return [0.3, 1, 3, 10].map((r) => view.answer(start({{ r }})).finetuned)")
    assert shares == sorted(shares)
