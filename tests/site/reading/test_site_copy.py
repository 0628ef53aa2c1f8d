"""What a reader copies is what can be used, and a browser that keeps nothing changes no page."""

import re
from pathlib import Path

from browser import Browser, serve
from selenium.webdriver.common.by import By

CHAPTER = "book/part2/random-students.html"
# What a copy of these elements would put into the clipboard as plain text.
COPIED = """
const [first, last] = [...arguments].map((selector) => document.querySelector(selector));
const range = new Range();
range.setStart(first, 0);
range.setEnd(last, last.childNodes.length);
getSelection().removeAllRanges();
getSelection().addRange(range);
const data = new DataTransfer();
const event = new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true });
document.querySelector("article").dispatchEvent(event);
return data.getData("text/plain");
"""
FRAMED = """<!DOCTYPE html><title>x</title>
<iframe sandbox="allow-scripts" src="{page}" width="1200" height="900"></iframe>"""
THEME = """
const [done] = arguments;
const seen = [];
for (let round = 0; round < 3; round += 1) {
  document.querySelector(".theme-switch-button").click();
  seen.push(document.documentElement.dataset.mode);
}
done(seen);
"""


def test_a_formula_is_copied_as_its_tex(browser: Browser, server: str) -> None:
    browser.open(f"{server}/{CHAPTER}")
    box = "#equation-eq-riccati"
    text = browser.driver.execute_script(COPIED, f"{box} .katex-html .base", f"{box} .katex-html .base")
    assert text.strip().startswith(r"$$\begin{aligned}")
    assert text.count(r"\dot Q &= F Q - \tfrac12 Q") == 1
    paragraph = ".bd-article section > p:has(.math)"
    words = browser.driver.execute_script(COPIED, paragraph, paragraph)
    assert "$" in words
    whole = browser.driver.execute_script(
        "const copy = document.querySelector(arguments[0]).cloneNode(true);"
        "copy.querySelectorAll('[data-copy]').forEach((e) => e.replaceWith(e.dataset.copy)); return copy.textContent;",
        paragraph,
    )
    assert " ".join(words.split()) == " ".join(whole.split())


def test_a_command_is_copied_without_prompt_and_output(browser: Browser, server: str, site: Path) -> None:
    browser.open(f"{server}/book/reference/api.html")
    blocks = browser.driver.execute_script(
        "return [...document.querySelectorAll('.highlight pre')].map((e) => e.textContent)"
        ".filter((text) => text.startsWith('$ '))"
    )
    assert blocks
    # What the button of the page copies, by its own function and settings.
    script = (site / "_static/copybutton.js").read_text(encoding="utf8")
    function = script[script.index("function formatCopyText(") : script.index("var copyTargetText")]
    call = re.findall(r"return formatCopyText\(text, (.*)\)", script)[-1]
    for block in blocks:
        copied = browser.driver.execute_script(f"{function}; return formatCopyText(arguments[0], {call})", block)
        assert copied == "\n".join(line[2:] for line in block.splitlines() if line.startswith("$ "))


def test_the_theme_can_be_switched_where_nothing_may_be_kept(browser: Browser, site: Path, tmp_path: Path) -> None:
    """In a frame without an origin every use of the storage is an error, as where a reader has blocked it."""
    (tmp_path / "index.html").write_text(FRAMED.format(page=f"site/{CHAPTER}"), encoding="utf8")
    (tmp_path / "site").symlink_to(site)
    with serve(tmp_path) as server:
        browser.visit(f"{server}/index.html")
        browser.driver.switch_to.frame(browser.driver.find_element(By.TAG_NAME, "iframe"))
        try:
            seen = browser.driver.execute_async_script(THEME)
        finally:
            browser.driver.switch_to.default_content()
    assert len(set(seen)) == 3
    # Fonts are refused to such a frame; nothing fails for want of a storage.
    assert [error for error in browser.errors() if "torage" in error or "Uncaught" in error] == []
