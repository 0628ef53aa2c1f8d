"""Beside a slider another value may be written: the nearest picture is shown, and said to be that."""

import pytest
from browser import Browser
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PAGES = {
    "book/part1/noise-spectrum.html": [
        ("0.9", "0.9"), ("0,6", "0.5 is the nearest drawn"), ("70", "4 is the nearest drawn"), ("much", "0.125")],
    "book/part2/stopping-or-shrinking.html": [
        ("1e-4", "10⁻⁴"), ("0.03", "3·10⁻²"), ("10⁻⁵", "10⁻⁵"), ("2e-7", "10⁻⁷ is the nearest drawn")],
    "book/part6/finetuning-prior.html": [("−0.9", "-0.9"), ("-5", "-0.999 is the nearest drawn")],
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_the_nearest_picture_is_shown(browser: Browser, server: str, name: str) -> None:
    browser.open(f"{server}/{name}")
    control = browser.driver.find_element(By.CSS_SELECTOR, ".mtl-frames-control:has(.mtl-frames-other)")
    slider, field, told = (
        control.find_element(By.CSS_SELECTOR, one) for one in ("[type=range]", "[type=text]", "output")
    )
    for written, said in PAGES[name]:
        field.clear()
        if written == "much":  # says nothing: what is shown stays
            said = told.text
        field.send_keys(written, Keys.ENTER)
        assert told.text == said
        assert slider.get_attribute("aria-valuetext") == said.removesuffix(" is the nearest drawn")
