"""What the tests of explorers ask a page."""

from collections.abc import Callable
from typing import Any

import numpy as np
from browser import Browser
from selenium.webdriver.common.by import By

READY = """
const [done] = arguments;
const boxes = [...document.querySelectorAll(".mtl-explorer")];
const look = () => (boxes.every((box) => box.dataset.ready === "yes") ? done() : setTimeout(look, 20));
look();
"""
# What a view computes a step at a time, all of it at once.
LATER = """
const finish = (steps) => { for (;;) { const { done, value } = steps.next(); if (done) return value; } };
return arguments[0].map((state) => finish(view.later(state)));
"""
# What reaches beyond the window.
OUTSIDE = """
const out = (e) => e.getBoundingClientRect().right > innerWidth || e.getBoundingClientRect().left < 0;
return [...document.querySelectorAll(".mtl-explorer *")].filter((e) => e.checkVisibility() && out(e))
  .map((e) => e.outerHTML.slice(0, 120));
"""
BATCH = 20
State = dict[str, Any]
PICTURES = "return [...document.querySelectorAll('.mtl-canvas canvas')].map((canvas) => canvas.toDataURL())"


def ready(browser: Browser) -> None:
    """Wait until the slow part of the answer is there."""
    browser.driver.execute_async_script(READY)


def pictures(browser: Browser) -> list[str]:
    ready(browser)
    return browser.driver.execute_script(PICTURES)


def numbers(browser: Browser) -> dict[str, str]:
    """Names and values as a reader sees them."""
    terms = browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-numbers dt, .mtl-numbers dd")
    texts = [term.text for term in terms]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def ask(browser: Browser, view: str, script: str, *arguments: Any) -> Any:
    """What a script that may use the `view` of the page returns."""
    return browser.driver.execute_script(f"const view = window.mtl.views.{view}; {script}", *arguments)


def largest_gaps(
    browser: Browser,
    view: str,
    states: list[State],
    compared: Callable[[State, Any], tuple[dict[str, Any], dict[str, Any]]],
) -> dict[str, float]:
    """Largest deviation of each quantity over all settings, relative to its size where that is above 1.

    `compared` gives what is wanted and what the page answers, by name.
    """
    worst: dict[str, float] = {}
    for first in range(0, len(states), BATCH):
        batch = states[first : first + BATCH]
        for state, answer in zip(batch, ask(browser, view, "return arguments[0].map(view.answer)", batch), strict=True):
            wanted, found = compared(state, answer)
            for name, values in wanted.items():
                gap = np.abs(np.subtract(values, found[name], dtype=float)) / np.maximum(1, np.abs(values))
                # Unlike Python's own, this maximum keeps what is no number.
                worst[name] = float(np.maximum(worst.get(name, 0.0), np.max(gap, initial=0.0)))
    print(f"largest deviations over {len(states)} settings: {worst}")
    return worst
