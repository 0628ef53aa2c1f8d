"""Weight, column and signs of the pages."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import site_html
from browser import NARROW, WIDE, Browser, serve

# Bytes of a page before its figures: text, its run, numbers of its claims, styles, scripts, fonts. The theme's own
# style sheet is 400 kB of them.
WEIGHT = 1_780_000
HEAVIER = {  # every claim and every simulation, with their formulas
    "book/reference/scoreboard.html": 2_700_000,
    "book/reference/api-simulation.html": 1_820_000,
}
FONTS = ("fa-solid-900.woff2", "KaTeX_Main-Regular.woff2", "KaTeX_Math-Italic.woff2", "KaTeX_Size2-Regular.woff2")
FIGURE = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
VERDICTS = """
const found = {};
document.querySelectorAll(".bd-article .mtl-verdict").forEach((badge) => {
  const verdict = (badge.closest("[class*='mtl-verdict-']").className.match(/mtl-verdict-([\\w-]+)/) || [])[1];
  const [symbol] = badge.textContent.trim().split(/\\s/);
  const { backgroundColor, color } = getComputedStyle(badge);
  (found[verdict] = found[verdict] || new Set()).add([symbol, backgroundColor, color].join(" | "));
});
return Object.fromEntries(Object.entries(found).map(([verdict, looks]) => [verdict, [...looks]]));
"""
JUMPS = """
const [done] = arguments;
let sum = 0;
const count = (list) => list.getEntries().forEach((entry) => { sum += entry.value; });
new PerformanceObserver(count).observe({ type: "layout-shift", buffered: true });
setTimeout(() => done(sum), 500);
"""
COLUMN = """
const article = document.querySelector(".bd-article");
const number = (element, name) => parseFloat(getComputedStyle(element)[name]);
const lines = (p) => Math.round(p.offsetHeight / number(p, "lineHeight"));
const plain = [...article.querySelectorAll("section > p")].filter((p) => lines(p) > 2 && !p.querySelector(".math"));
const letters = plain.map((p) => p.textContent.length / lines(p)).sort((one, other) => one - other);
const headings = ["h1", "h2", "h3"].map((name) => article.querySelector(name)).filter(Boolean);
return {
  letters: letters[Math.floor(letters.length / 2)],
  width: article.clientWidth - number(article, "paddingLeft") - number(article, "paddingRight"),
  headings: headings.map((heading) => [number(heading, "fontWeight"), number(heading, "fontSize")]),
};
"""
# Whether the caption stands beside the last panel of each figure of three or five.
ODD = """
const odd = ".mtl-panel:is(:nth-child(3), :nth-child(5)):last-child";
return [...document.querySelectorAll(`figure:has(${odd})`)].map((figure) => {
  const panels = [...figure.querySelectorAll(".mtl-panel")].filter((panel) => panel.checkVisibility());
  const [panel, caption] = [panels.at(-1), figure.querySelector("figcaption")].map((e) => e.getBoundingClientRect());
  return panels.length % 2 === 1 && caption.left >= panel.right - 1 && caption.top < panel.bottom;
});
"""


def weight(page: Path, fonts: list[Path]) -> int:
    """Bytes of a page and of all that it loads, without the pictures in it."""
    text = FIGURE.sub("", page.read_text(encoding="utf8"))
    names = {unquote(urlsplit(address).path) for address in site_html.parse(page).addresses}
    files = {(page.parent / name).resolve() for name in names if name.endswith((".js", ".css"))}
    return len(text.encode()) + sum(path.stat().st_size for path in [*files, *fonts])


def test_pages_are_light(site: Path) -> None:
    pages = [path for path in site_html.pages(site) if path.parent != site]
    fonts = [path for name in FONTS for path in sorted(site.rglob(name))[:1]]
    weights = {path.relative_to(site).as_posix(): weight(path, fonts) for path in pages}
    assert {name: size for name, size in weights.items() if size > HEAVIER.get(name, WEIGHT)} == {}
    assert min(weights.values()) > 300_000  # the styles of the theme alone


def test_verdicts_look_alike_wherever_they_stand(browser: Browser, server: str) -> None:
    pages = ["book/part3/transfer-theorem.html", "book/part2/one-mode.html", "book/reference/scoreboard.html"]
    looks: dict[str, set[str]] = {}
    for page in pages:
        browser.open(f"{server}/{page}")
        for theme in ("light", "dark"):
            browser.ask("theme", theme)
            for verdict, seen in browser.driver.execute_script(VERDICTS).items():
                looks.setdefault(f"{verdict}, {theme}", set()).update(seen)
    assert len(looks) >= 6
    assert {name: seen for name, seen in looks.items() if len(seen) != 1} == {}


def test_the_column_is_made_for_reading(browser: Browser, server: str) -> None:
    browser.open(f"{server}/book/part1/teacher-in-noise.html")
    seen = browser.driver.execute_script(COLUMN)
    assert 60 < seen["letters"] < 80  # in a line of the median paragraph; single ones differ
    assert 740 <= seen["width"] <= 800
    assert len(seen["headings"]) >= 2
    assert seen["headings"] == sorted(seen["headings"], reverse=True)


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize(
    "name", ["part2/generalization-curves", "part3/real-tasks", "reference/scoreboard", "part4/explorer"]
)
def test_a_page_does_not_jump_while_it_loads(browser: Browser, server: str, name: str, size: tuple[int, int]) -> None:
    with browser.slow():
        browser.visit(f"{server}/book/{name}.html", size)
        jumps = browser.driver.execute_async_script(JUMPS)
    assert jumps < 0.1  # what browsers call good


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("late", ["a picture without a size", "a text that a script adds"])
def test_a_page_that_jumps_is_seen(browser: Browser, tmp_path: Path, size: tuple[int, int], late: str) -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><!-- {} --></svg>'
    (tmp_path / "picture.svg").write_text(picture.format("x" * 300_000))
    (tmp_path / "late.js").write_text("document.querySelector('p').before('more '.repeat(600)); //" + "x" * 300_000)
    added = '<img src="picture.svg">' if "picture" in late else '<script src="late.js" defer></script>'
    (tmp_path / "index.html").write_text(f"<!DOCTYPE html><title>x</title>{added}<p>{'words ' * 900}</p>")
    with serve(tmp_path) as server, browser.slow():
        browser.visit(f"{server}/index.html", size)
        assert browser.driver.execute_async_script(JUMPS) > 0.1


@pytest.mark.parametrize("name", ["part3/when-it-helps", "part4/auxiliary-tasks"])
def test_no_panel_stands_alone_in_its_row(browser: Browser, server: str, name: str) -> None:
    browser.visit(f"{server}/book/{name}.html")
    rows = browser.driver.execute_script(ODD)
    assert rows
    assert all(rows)


def test_formulas_break_on_a_phone(browser: Browser, server: str) -> None:
    browser.open(f"{server}/book/part2/random-students.html")
    broken = (
        "return [...document.querySelectorAll('.mtl-equation .katex-html')].filter((e) => e.offsetHeight > 60).length"
    )
    wide = browser.driver.execute_script(broken)
    browser.resize(NARROW)
    assert browser.ask("wideFormulas")["cut"] == []
    assert browser.driver.execute_script(broken) > wide


def test_a_wide_table_shows_that_it_scrolls(browser: Browser, server: str) -> None:
    browser.visit(f"{server}/book/part4/random-energy.html", NARROW)
    scrolls = "return [...document.querySelectorAll('.bd-article :is(.output, .pst-scrollable-table-container)')]"
    wide = ".filter((box) => box.scrollWidth > box.clientWidth + 1 && box.checkVisibility())"
    told = ".map((box) => box.dataset.more === 'right' && box.tabIndex === 0)"
    found = browser.driver.execute_script(scrolls + wide + told)
    assert found
    assert all(found)


def test_text_is_there_without_scripts(browser: Browser, server: str) -> None:
    """What needs no script is there at first paint: formulas, and the first frame of a figure with a slider."""
    page = f"{server}/book/part1/noise-spectrum.html"
    with browser.without_scripts():
        browser.driver.get(page)
    shown = (
        "const shown = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 0;"
        "const seen = (selector) => [...document.querySelectorAll(selector)].filter(shown).length;"
        "return [seen('.katex .base'), seen('.mtl-frame svg, .mtl-frame div')];"
    )
    formulas, frames = browser.driver.execute_script(shown)
    assert formulas > 100
    assert frames > 0
