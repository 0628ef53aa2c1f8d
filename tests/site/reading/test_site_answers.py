"""A field for an answer says whether a number is right, however a reader writes it."""

import pytest
from browser import Browser
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PAGE = "book/part5/capacity.html"  # asks for 1/0.81


@pytest.mark.parametrize(
    ("written", "said"),
    [("1.2346", "Right"), ("1,23", "Right"), ("1/0.81", "Right"), ("123 %", "Right"), ("2", "Not yet"),
     ("−1.23", "Not yet"), ("much", "A number, please"), ("", "A number, please")],
)  # fmt: skip
def test_a_number_is_right_or_not_yet(browser: Browser, server: str, written: str, said: str) -> None:
    if not browser.driver.current_url.endswith(PAGE):
        browser.open(f"{server}/{PAGE}")
    field = browser.driver.find_element(By.CSS_SELECTOR, ".mtl-answer-box input")
    field.clear()
    field.send_keys(written, Keys.ENTER)
    assert said in browser.driver.find_element(By.CSS_SELECTOR, ".mtl-answer-box .mtl-said").text
