"""The explorer of transfer: its numbers are those of the library, its dials move it, its address keeps the setting."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import NARROW, WIDE, Browser
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from mtlbook_lib.theory.spiked import threshold
from mtlbook_lib.theory.transfer import (
    best_head_stopping,
    composite_modes,
    head_error,
    head_shrinkage_error,
    transfer_benefit,
)

PAGE = "book/part3/explorer.html"
SETTINGS, BATCH = 240, 20
EPS = 1e-3
TOLERANCE = 1e-6
READY = """
const [done] = arguments;
const boxes = [...document.querySelectorAll(".mtl-explorer")];
const look = () => (boxes.every((box) => box.dataset.ready === "yes") ? done() : setTimeout(look, 20));
look();
"""
LATER = """
const finish = (steps) => { for (;;) { const { done, value } = steps.next(); if (done) return value; } };
return arguments[0].map((state) => finish(view.later(state)));
"""
PICTURES = "return [...document.querySelectorAll('.mtl-canvas canvas')].map((canvas) => canvas.toDataURL())"
State = dict[str, Any]


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


@pytest.fixture
def explorer(browser: Browser, server: str) -> Iterator[Browser]:
    browser.open(f"{server}/{PAGE}")
    ready(browser)
    yield browser
    browser.resize(WIDE)


def ready(browser: Browser) -> None:
    """Wait until the slow part of the answer is there."""
    browser.driver.execute_async_script(READY)


def ask(browser: Browser, script: str, *arguments: Any) -> Any:
    return browser.driver.execute_script(f"const view = window.mtl.views.transfer; {script}", *arguments)


def test_numbers_are_those_of_the_library(explorer: Browser) -> None:
    states = random_states(SETTINGS, seed=20)
    worst: dict[str, float] = {}
    for first in range(0, SETTINGS, BATCH):
        batch = states[first : first + BATCH]
        for state, answer in zip(batch, ask(explorer, "return arguments[0].map(view.answer)", batch), strict=True):
            wanted, found = expected(state, answer["times"][::25]), shown(answer)
            for name, values in wanted.items():
                # Late in training errors are counted in hundreds: relative to their size where that is above 1.
                gap = np.abs(np.subtract(values, found[name], dtype=float)) / np.maximum(1, np.abs(values))
                worst[name] = max(worst.get(name, 0.0), float(np.max(gap, initial=0.0)))
    print(f"largest deviations over {SETTINGS} settings: {worst}")
    assert len(worst) == 8
    assert {name: gap for name, gap in worst.items() if gap > TOLERANCE} == {}


@pytest.mark.parametrize("seed", range(3))
def test_map_and_turning_points_are_those_of_the_library(explorer: Browser, seed: int) -> None:
    states = [state | {"H": min(state["H"], 4)} for state in random_states(4, seed=100 + seed)]
    rng = np.random.default_rng(seed)
    for state, later in zip(states, ask(explorer, LATER, states), strict=True):
        grid = later["map"]
        for i, j in zip(rng.integers(len(grid["x"]), size=8), rng.integers(len(grid["y"]), size=8), strict=True):
            assert abs(grid["values"][i][j] - benefit(state, sB=grid["x"][i], q=grid["y"][j])) < TOLERANCE
        for point in later["slice"]["points"][::8]:
            assert abs(point["benefit"] - benefit(state, q=point["q"])) < TOLERANCE
        for turn in later["slice"]["turns"]:
            assert abs(benefit(state, q=turn["q"])) < TOLERANCE


def test_sign_changes_where_the_chapter_says(explorer: Browser) -> None:
    """Equal strengths s under shrinkage: at s^2/(1 + s^2)."""
    for s in (2.0, 5.0):
        state = {"sA": s, "sB": s, "q": 0.5, "A": 0.5, "H": 2, "N": 50, "method": "heads", "order": "0"}
        (turn,) = ask(explorer, "return window.mtl.transfer.overSimilarity(arguments[0]).turns", formula_names(state))
        assert turn["helpsAbove"]
        assert abs(turn["q"] - s**2 / (1 + s**2)) < TOLERANCE


def formula_names(state: State) -> dict[str, Any]:
    """A setting of the dials in the names of the formulas."""
    return {
        "a": state["sA"], "b": state["sB"], "q": state["q"], "aspect": state["A"], "heads": state["H"],
        "outputs": state["N"], "eps": EPS, "method": state["method"], "order": int(state["order"]),
    }  # fmt: skip


def numbers(browser: Browser) -> dict[str, str]:
    """Names and values as a reader sees them."""
    terms = browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-numbers dt, .mtl-numbers dd")
    texts = [term.text for term in terms]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def address(server: str, **state: Any) -> str:
    return f"{server}/{PAGE}?" + "&".join(f"{name}={value}" for name, value in state.items())


@pytest.mark.parametrize("method", ["gradient", "shrinkage"])
def test_page_shows_the_benefit_of_the_setting_in_its_address(browser: Browser, server: str, method: str) -> None:
    names = {"gradient": "stop", "shrinkage": "heads"}
    browser.open(address(server, sA=0.84, sB=3, q=0.25, method=names[method]))
    ready(browser)
    wanted = transfer_benefit(0.84, 3.0, 0.25, 0.5, 50, EPS, method=method, order=int(method == "gradient"))
    found = numbers(browser)["Benefit"].replace("−", "-").replace("+", "")
    assert abs(float(found) - wanted) <= 0.5e-4 + TOLERANCE
    answer = browser.driver.find_element(By.CSS_SELECTOR, ".mtl-answer").text
    assert answer.startswith("− No" if wanted < 0 else "+ Yes")


def pictures(browser: Browser) -> list[str]:
    ready(browser)
    return browser.driver.execute_script(PICTURES)


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_every_dial_moves_by_keyboard_and_is_kept_in_the_address(explorer: Browser, size: tuple[int, int]) -> None:
    explorer.resize(size)
    for dial in explorer.driver.find_elements(By.CSS_SELECTOR, ".mtl-dial :is(input[type=range], select)"):
        before = (pictures(explorer), explorer.driver.current_url)
        value = dial.get_attribute("value")
        dial.send_keys(Keys.ARROW_RIGHT if dial.tag_name == "input" else Keys.ARROW_DOWN)
        after = (pictures(explorer), explorer.driver.current_url)
        name = dial.get_attribute("id").removeprefix("mtl-dial-")
        assert dial.get_attribute("value") != value, name
        assert f"{name}=" in after[1], name
        assert after[0] != before[0] or name == "order", name  # shrinkage, which is set by then, knows no order


def test_a_number_can_be_typed_and_is_kept_within_the_dial(explorer: Browser) -> None:
    field = explorer.driver.find_element(By.CSS_SELECTOR, "#mtl-dial-sB ~ input[type=number]")
    for text, value in (("2.345", "2.345"), ("1000", "12"), (Keys.DELETE, "12")):
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text, Keys.TAB)
        assert field.get_attribute("value") == value
    assert "sB=12" in explorer.driver.current_url


def test_a_click_on_the_map_moves_the_setting(explorer: Browser) -> None:
    over = explorer.driver.find_elements(By.CSS_SELECTOR, ".mtl-canvas .u-over")[-1]
    over.click()  # its middle
    ready(explorer)
    field = explorer.driver.find_element(By.CSS_SELECTOR, "#mtl-dial-q ~ input[type=number]")
    assert abs(float(field.get_attribute("value")) - 0.5) < 0.02
    assert "q=0.5" in explorer.driver.current_url or "q=0.4" in explorer.driver.current_url


def test_examples_set_the_dials(explorer: Browser) -> None:
    seen = set()
    for button in explorer.driver.find_elements(By.CSS_SELECTOR, ".mtl-examples button"):
        button.click()
        ready(explorer)
        seen.add(explorer.driver.find_element(By.CSS_SELECTOR, ".mtl-answer").text)
    assert len(seen) == 6
    assert {text[0] for text in seen} == {"+", "−", "±"}


def test_explorer_works_from_disk_and_in_both_themes(browser: Browser, site: Path) -> None:
    browser.open(f"{(site / PAGE).as_uri()}?sB=5")
    light = pictures(browser)
    assert numbers(browser)["Benefit"].startswith(("+", "−"))
    browser.ask("theme", "dark")
    assert all(dark != drawn for dark, drawn in zip(pictures(browser), light, strict=True))
    browser.driver.find_element(By.ID, "mtl-dial-q").send_keys(Keys.ARROW_LEFT)
    ready(browser)
    assert "q=" in browser.driver.current_url
    assert browser.errors() == []


def test_front_page_has_a_live_figure_that_leads_to_the_explorer(browser: Browser, server: str) -> None:
    browser.open(f"{server}/book/intro.html")
    before = pictures(browser)
    browser.driver.find_element(By.ID, "mtl-dial-sB").send_keys(Keys.ARROW_RIGHT)
    assert pictures(browser) != before
    link = browser.driver.find_element(By.CSS_SELECTOR, ".mtl-explorer a").get_attribute("href")
    assert "part3/explorer.html?sB=3.0" in link


@pytest.mark.parametrize("page_name", ["book/part3/when-it-helps.html", "book/reference/scoreboard.html"])
def test_other_pages_do_not_load_it(site: Path, page_name: str) -> None:
    assert "uPlot" not in (site / page_name).read_text(encoding="utf8")
    assert "uPlot" in (site / PAGE).read_text(encoding="utf8")


def test_without_scripts_the_page_says_where_to_look(browser: Browser, site: Path) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.driver.get((site / PAGE).as_uri())
        text = browser.driver.find_element(By.CSS_SELECTOR, ".mtl-explorer").text
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert "scripts, which are switched off" in text
