"""What the tests of explorers ask a page."""

from browser import Browser

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
