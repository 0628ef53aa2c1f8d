"""The map of all theories: its numbers are those of the library, and the page and the front page move it."""

from pathlib import Path

import numpy as np
import pytest
from browser import Browser
from explorer_page import State, ask, largest_gaps, numbers, pictures, ready
from scipy.optimize import minimize_scalar
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from mtlbook_lib.chapters.part0.hour import experiment
from mtlbook_lib.theory.hard_sharing import asymptotic_risk

PAGE = "book/part0/hour.html"
SETTINGS, TOLERANCE, ENDLESS = 220, 1e-6, 1e9


def risk(state: State, ratio: float) -> float:
    """Error of the target beside a source of endless examples, whose weight is one over the squared ratio."""
    white, own = np.eye(2), np.array([np.sqrt(state["rho"]), 0.0])
    return float(asymptotic_risk(white, white, ENDLESS, 2 * state["delta"], np.zeros(2), own, 0.0, 1.0, ratio)[0])


def compared(state: State, answer: dict[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """A source of no weight, of overwhelming weight, and of the best one; each over its own size."""
    found = minimize_scalar(lambda power: risk(state, np.exp(power)), bounds=(2, 20), options={"xatol": 1e-7})
    wanted = {"learned": risk(state, 1e11), "left": risk(state, 1.0), "best": found.fun}
    return dict.fromkeys(wanted, 1.0), {name: answer[name] / wanted[name] for name in wanted}


def test_errors_are_those_of_the_library(browser: Browser, server: str) -> None:
    rng = np.random.default_rng(7)
    columns = rng.uniform(np.log([0.03, 0.01]), np.log([60, 100]), (SETTINGS, 2))
    states = [dict(zip(("delta", "rho"), place, strict=True)) for place in np.exp(columns).tolist()]
    browser.open(f"{server}/{PAGE}")
    ready(browser)
    worst = largest_gaps(browser, "picture", states, compared)
    assert len(worst) == 3
    assert {name: gap for name, gap in worst.items() if not gap <= TOLERANCE} == {}


def test_regions_follow_from_the_errors(browser: Browser, server: str) -> None:
    browser.open(f"{server}/{PAGE}")
    places = np.exp(np.random.default_rng(8).uniform(np.log([0.03, 0.01]), np.log([60, 100]), (300, 2))).tolist()
    script = "return arguments[0].map(([d, r]) => ({ ...mtl.picture.errors(d, r), region: mtl.picture.region(d, r) }))"
    seen = set()
    for (delta, _), found in zip(places, ask(browser, "picture", script, places), strict=True):
        least = min(found["left"], found["learned"])
        extreme = "keep" if found["left"] == least else "tune" if delta < 1 else "alone"
        assert found["region"] == ("compromise" if least >= 1.25 * found["best"] else extreme)
        seen.add(found["region"])
    assert len(seen) == 4


def test_buttons_are_the_stations_of_the_example(browser: Browser, server: str) -> None:
    browser.open(f"{server}/{PAGE}")
    settings = ask(browser, "picture", "return view.examples.map(([, values]) => values)")
    whole = experiment.whole()
    own = whole.own(experiment.PARTNER)
    wanted = [(3, whole.signal()), (3, own), (0.5, own), (3, 0.01), (30, own)]
    found = [(values["delta"], values["rho"]) for values in settings[:-1]]
    np.testing.assert_allclose(found, wanted, atol=0.005)
    said = set()
    for button in browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-examples button"):
        button.click()
        ready(browser)
        said.add(browser.driver.find_element(By.CSS_SELECTOR, ".mtl-answer").text)
    assert len(said) == 4


def test_dials_and_clicks_move_the_dot(browser: Browser, server: str) -> None:
    browser.open(f"{server}/{PAGE}?delta=3&rho=2")
    before = pictures(browser)
    assert numbers(browser)["Learned to the end"] == "0.5 × noise"
    for name in ("delta", "rho"):
        browser.driver.find_element(By.ID, f"mtl-dial-{name}").send_keys(Keys.ARROW_RIGHT)
        after = pictures(browser)
        assert after != before
        assert f"{name}=" in browser.driver.current_url
        before = after
    browser.driver.find_element(By.CSS_SELECTOR, ".mtl-canvas .u-over").click()
    ready(browser)
    middle = np.sqrt(0.03 * 60)
    field = browser.driver.find_element(By.CSS_SELECTOR, "#mtl-dial-delta ~ input[type=number]")
    assert float(field.get_attribute("value")) == pytest.approx(middle, rel=0.05)


def test_front_page_has_a_small_map_that_leads_to_the_page(browser: Browser, server: str) -> None:
    browser.open(f"{server}/book/intro.html")
    before = pictures(browser)
    browser.driver.find_element(By.ID, "mtl-dial-rho").send_keys(Keys.ARROW_RIGHT)
    assert pictures(browser) != before
    link = browser.driver.find_element(By.CSS_SELECTOR, ".mtl-explorer a").get_attribute("href")
    assert "part0/hour.html?rho=" in link


def test_without_scripts_the_page_has_its_words(browser: Browser, site: Path) -> None:
    with browser.without_scripts():
        browser.driver.get((site / PAGE).as_uri())
        text = browser.driver.find_element(By.CSS_SELECTOR, ".mtl-explorer").text
        asked = browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-ask")
        shown = [len(box.find_elements(By.CSS_SELECTOR, "ul > li")) for box in asked]
        answers = [box.find_element(By.CSS_SELECTOR, "summary").is_displayed() for box in asked]
    assert "scripts, which are switched off" in text
    assert shown == [3] * 7
    assert all(answers)


def test_a_question_says_whether_one_was_right(browser: Browser, server: str) -> None:
    browser.open(f"{server}/{PAGE}", unfold=False)
    boxes = browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-ask")
    assert len(boxes) == 7
    for box in boxes:
        right = int(box.get_attribute("data-right")) - 1
        said, fold = (box.find_element(By.CSS_SELECTOR, name) for name in (".mtl-said", "details"))
        assert said.get_attribute("role") == "status"
        assert fold.get_attribute("open") is None
        buttons = box.find_elements(By.TAG_NAME, "button")
        for place in ((right + 1) % 3, right):
            buttons[place].send_keys(Keys.ENTER)
            assert buttons[place].get_attribute("aria-pressed") == "true"
            assert said.text.startswith("✓ Right." if place == right else "✗ No.")
            assert (buttons[right].text in said.text) == (place != right)
        assert fold.get_attribute("open") is not None
