"""The explorer of transfer as a reader uses it: dials, address, map, examples."""

from pathlib import Path
from typing import Any

import pytest
from browser import Browser
from explorer_page import numbers, ready
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from mtlbook_lib.theory.transfer import transfer_benefit

PAGE = "book/part3/explorer.html"
EPS = 1e-3
TOLERANCE = 1e-6


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


def test_a_number_can_be_typed_and_is_kept_within_the_dial(explorer: Browser) -> None:
    field = explorer.driver.find_element(By.CSS_SELECTOR, "#mtl-dial-sB ~ input[type=number]")
    for text, value in (("2.345", "2.345"), ("1000", "12"), (Keys.DELETE, "12")):
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text, Keys.TAB)
        assert field.get_attribute("value") == value
    assert "sB=12" in explorer.driver.current_url


def test_a_click_on_the_map_moves_the_setting(explorer: Browser) -> None:
    over = explorer.driver.find_elements(By.CSS_SELECTOR, ".mtl-canvas .u-over")[0]
    over.click()  # its middle
    ready(explorer)
    field = explorer.driver.find_element(By.CSS_SELECTOR, "#mtl-dial-q ~ input[type=number]")
    assert abs(float(field.get_attribute("value")) - 0.5) < 0.02
    assert "q=0.5" in explorer.driver.current_url or "q=0.4" in explorer.driver.current_url


@pytest.mark.parametrize("page_name", ["book/part3/when-it-helps.html", "book/reference/scoreboard.html"])
def test_other_pages_do_not_load_it(site: Path, page_name: str) -> None:
    assert "uPlot" not in (site / page_name).read_text(encoding="utf8")
    assert "uPlot" in (site / PAGE).read_text(encoding="utf8")
