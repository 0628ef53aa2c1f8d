"""What every explorer does: it works from disk, in both themes, and says where to look without scripts."""

from pathlib import Path

import pytest
from browser import Browser
from explorer_page import pictures, ready
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

# Page, a setting in its address, and a dial.
EXPLORERS = [("part3", "sB=5", "q"), ("part4", "k=100", "s"), ("part5", "v=5", "c")]


@pytest.mark.parametrize(("part", "setting", "dial"), EXPLORERS)
def test_explorer_works_from_disk_and_in_both_themes(
    browser: Browser, site: Path, part: str, setting: str, dial: str
) -> None:
    browser.open(f"{(site / f'book/{part}/explorer.html').as_uri()}?{setting}")
    light = pictures(browser)
    browser.ask("theme", "dark")
    assert all(dark != drawn for dark, drawn in zip(pictures(browser), light, strict=True))
    browser.driver.find_element(By.ID, f"mtl-dial-{dial}").send_keys(Keys.ARROW_LEFT)
    ready(browser)
    assert f"{dial}=" in browser.driver.current_url
    assert browser.errors() == []


@pytest.mark.parametrize("part", [part for part, _, _ in EXPLORERS])
def test_without_scripts_the_page_says_where_to_look(browser: Browser, site: Path, part: str) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.driver.get((site / f"book/{part}/explorer.html").as_uri())
        text = browser.driver.find_element(By.CSS_SELECTOR, ".mtl-explorer").text
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert "scripts, which are switched off" in text
