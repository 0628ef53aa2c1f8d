"""The explorer of classifiers as a reader uses it: dials, address, examples."""

from browser import NARROW, WIDE, Browser
from explorer_page import OUTSIDE, numbers, pictures, ready
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from mtlbook_lib.theory.softmax import isotropic_gain

PAGE = "book/part4/explorer.html"
DIALS = {"k", "s", "n", "x", "r", "c"}


def test_page_shows_the_gain_of_the_setting_in_its_address(browser: Browser, server: str) -> None:
    browser.open(f"{server}/{PAGE}?k=50&c=3")
    ready(browser)
    found = numbers(browser)["Gain at norm 3: exact"]
    assert abs(float(found) - isotropic_gain(3.0, 50)) <= 0.5e-5 + 1e-9
    field = browser.driver.find_element(By.CSS_SELECTOR, "#mtl-dial-k ~ input[type=number]")
    assert field.get_attribute("value") == "50"


def test_pictures_and_dials_fit_the_page_and_every_dial_moves(classes: Browser) -> None:
    """By keyboard, in both sizes, and the setting is kept in the address."""
    for size in (NARROW, WIDE):
        classes.resize(size)
        assert classes.driver.execute_script(OUTSIDE) == [], size
        before, moved = pictures(classes), set()
        assert len(before) == 5
        for dial in classes.driver.find_elements(By.CSS_SELECTOR, ".mtl-dial input[type=range]"):
            name = (dial.get_attribute("id") or "").removeprefix("mtl-dial-")
            value, address = dial.get_attribute("value"), classes.driver.current_url
            # A relatedness of 1 is the end of its dial.
            dial.send_keys(Keys.ARROW_LEFT if name == "r" else Keys.ARROW_RIGHT)
            after = pictures(classes)
            assert after != before, (name, size)
            assert dial.get_attribute("value") != value, (name, size)
            assert f"{name}=" in classes.driver.current_url != address, (name, size)
            before = after
            moved.add(name)
        assert moved == DIALS


def test_an_arrow_key_moves_a_whole_number_by_one(classes: Browser) -> None:
    dial = classes.driver.find_element(By.ID, "mtl-dial-k")
    field = classes.driver.find_element(By.CSS_SELECTOR, "#mtl-dial-k ~ input[type=number]")
    seen = []
    for key in (Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.HOME, Keys.ARROW_LEFT):
        dial.send_keys(key)
        seen.append(field.get_attribute("value"))
    assert seen == ["11", "12", "11", "2", "2"]


def test_examples_set_the_dials(classes: Browser) -> None:
    seen = set()
    for button in classes.driver.find_elements(By.CSS_SELECTOR, ".mtl-examples button"):
        button.click()
        ready(classes)
        seen.add(classes.driver.find_element(By.CSS_SELECTOR, ".mtl-answer").text)
    assert len(seen) == 5
    assert {text[0] for text in seen} == {"+", "±"}
