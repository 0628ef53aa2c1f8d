"""The explorer of classifiers as a reader uses it: address and arrow keys."""

from browser import Browser
from explorer_page import numbers, ready
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from mtlbook_lib.theory.softmax import isotropic_gain

PAGE = "book/part4/explorer.html"


def test_page_shows_the_gain_of_the_setting_in_its_address(browser: Browser, server: str) -> None:
    browser.open(f"{server}/{PAGE}?k=50&c=3")
    ready(browser)
    found = numbers(browser)["Gain at norm 3: exact"]
    assert abs(float(found) - isotropic_gain(3.0, 50)) <= 0.5e-5 + 1e-9
    field = browser.driver.find_element(By.CSS_SELECTOR, "#mtl-dial-k ~ input[type=number]")
    assert field.get_attribute("value") == "50"


def test_an_arrow_key_moves_a_whole_number_by_one(classes: Browser) -> None:
    dial = classes.driver.find_element(By.ID, "mtl-dial-k")
    field = classes.driver.find_element(By.CSS_SELECTOR, "#mtl-dial-k ~ input[type=number]")
    seen = []
    for key in (Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.HOME, Keys.ARROW_LEFT):
        dial.send_keys(key)
        seen.append(field.get_attribute("value"))
    assert seen == ["11", "12", "11", "2", "2"]
