"""What the tests of explorers ask a page."""

from browser import Browser
from selenium.webdriver.common.by import By

READY = """
const [done] = arguments;
const boxes = [...document.querySelectorAll(".mtl-explorer")];
const look = () => (boxes.every((box) => box.dataset.ready === "yes") ? done() : setTimeout(look, 20));
look();
"""
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
