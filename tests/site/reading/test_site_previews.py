"""What a link leads to is shown beside it: by mouse and by keyboard, over http and from disk, until Escape."""

from pathlib import Path

import pytest
from browser import Browser
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder

CHAPTER = "book/part2/generalization-curves.html"
SHOWN = """
const box = document.querySelector(".mtl-preview");
return box && !box.hidden && box.checkVisibility() ? box.innerHTML : "";
"""
# Where links stand, what they lead to, and what their previews must hold.
CASES = {
    CHAPTER: {"#equation-": "katex-display", "#fig-": "<svg", "#claim-": "mtl-verdict", "glossary.html#term-": "<dd"},
    "book/reference/scoreboard.html": {"#claim-": "mtl-verdict"},
    "book/part2/random-students.html": {"bibliography.html#": None},
}


def point_at(browser: Browser, address: str) -> None:
    """Move the pointer to the first link of the text that leads to `address`."""
    link = browser.driver.execute_script(
        "const link = document.querySelector(`.bd-article a[href*='${arguments[0]}']:not(.headerlink)`);"
        "link.scrollIntoView({ block: 'center' }); return link;",
        address,
    )
    ActionChains(browser.driver).move_to_element(link).perform()


def preview(browser: Browser, wait: float = 3.0) -> str:
    """What the preview shows, as soon as it shows something."""
    script = (
        f"const shown = () => {{ {SHOWN} }}; const [done] = arguments; const end = performance.now() + {1000 * wait};"
        "(function ask() { if (shown() || performance.now() > end) done(shown()); else setTimeout(ask, 20); })();"
    )
    return browser.driver.execute_async_script(script)


@pytest.mark.parametrize("over", ["http", "file"])
@pytest.mark.parametrize("place", CASES)
def test_pointing_at_a_link_shows_what_it_leads_to(
    browser: Browser, server: str, site: Path, over: str, place: str
) -> None:
    root = server if over == "http" else site.as_uri()
    browser.open(f"{root}/{place}")
    for address, content in CASES[place].items():
        point_at(browser, address)
        seen = preview(browser, 3.0 if content else 0.8)
        assert (content in seen) if content else seen == "", address
        assert "<a " not in seen, address
        browser.press("ESCAPE")
        assert browser.driver.execute_script(SHOWN) == "", address
    assert [request for request in browser.requests() if not request.startswith((root, "data:", "about:"))] == []
    assert browser.errors() == []


def test_a_link_that_is_focused_shows_it_too(browser: Browser, server: str) -> None:
    browser.open(f"{server}/{CHAPTER}")
    corner = ActionBuilder(browser.driver)
    corner.pointer_action.move_to_location(1, 1)  # nowhere near a link
    corner.perform()
    browser.press("TAB")  # from here on the browser shows where the focus is
    link = browser.driver.execute_script(
        "const link = document.querySelector('.bd-article a[href^=\"#equation-\"]:not(.headerlink)');"
        "link.focus(); return link;"
    )
    assert "katex-display" in preview(browser)
    assert link.get_attribute("aria-describedby") == "mtl-preview"
    assert browser.accessibility([], ["aria-valid-attr-value", "aria-tooltip-name"]) == []
    browser.press("ESCAPE")
    assert browser.driver.execute_script(SHOWN) == ""
    assert link.get_attribute("aria-describedby") is None
