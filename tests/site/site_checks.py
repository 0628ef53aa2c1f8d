"""What is asked of every page: first what the browser sees of it, then the problems that follow from that."""

from collections.abc import Callable, Iterable
from typing import Any

from browser import NARROW, WIDE, Browser

LIGHT, DARK = f"light, {WIDE[0]} px wide", f"dark, {NARROW[0]} px wide"
CONTRAST = 4.5  # WCAG AA, for text
FONT_PIXELS = 7.0  # the smallest font of a figure on a phone

# Rules of axe-core that markup of the theme violates, each with the theme's element. An element of the article is never
# excused, whatever it looks like.
ALLOWED = [
    # Their visible text is a keyboard hint, or the titles of icons, and no part of their name.
    ("label-content-name-mismatch", "button.search-button__button"),
    ("label-content-name-mismatch", "button.theme-switch-button"),
    # The logo stands above the navigation, in no landmark.
    ("region", ".sidebar-primary-item:has(> a.navbar-brand)"),
]


Facts = dict[str, Any]  # what the browser saw of one page


def look(browser: Browser, address: str) -> Facts:
    """Load a page once and ask everything about it: as narrow as a phone and dark, then wide and light."""
    browser.open(address, size=NARROW)
    browser.ask("theme", "dark")
    facts = browser.ask("narrow")
    facts["sliders"] = [move(browser, index, label) for index, label in enumerate(facts["sliders"])]
    browser.resize(WIDE)
    browser.ask("theme", "light")
    facts |= browser.ask("wide")
    facts |= {"requests": browser.requests(), "errors": browser.errors()}
    # Last, for the page is thinned. The theme decides one rule alone; the others judge markup.
    browser.ask("thin")
    browser.ask("theme", "light")  # what came back into the page fades to its colours again
    facts["violations"] = {LIGHT: browser.accessibility(ALLOWED)}
    browser.ask("theme", "dark")
    facts["violations"]["dark"] = browser.accessibility(ALLOWED, contrast_alone=True)
    return facts


def faults_from_disk(browser: Browser, address: str, site: str) -> Iterable[str]:
    """What goes wrong when a page is opened without a server.

    How a page looks is asked over http. Here it is loaded with all that belongs to it, and not laid out.
    """
    with browser.without_layout():
        browser.open(address, unfold=False)
    facts = {"formulas": browser.ask("formulas"), "requests": browser.requests(), "errors": browser.errors()}
    yield from untypeset(facts)
    yield from (f"asked of others: {request}" for request in outside(facts, site))
    yield from (f"console: {error}" for error in console(facts))


def move(browser: Browser, index: int, label: str) -> dict[str, Any]:
    """Move a slider by keyboard; what is shown after each key."""
    browser.ask("focusSlider", index)
    frames = []
    for key in ("HOME", "ARROW_RIGHT", "END", "HOME"):
        browser.press(key)
        frames.append(browser.ask("shownFrame", index))
    return {"label": label, **dict(zip(("first", "second", "last", "again"), frames, strict=True))}


def outside(facts: Facts, site: str) -> Iterable[str]:
    """Requests that leave the site, whose address is `site`."""
    return [address for address in facts["requests"] if not address.startswith((site, "data:", "blob:", "about:"))]


def console(facts: Facts) -> Iterable[str]:
    """Severe messages of the console."""
    return facts["errors"]


def untypeset(facts: Facts) -> Iterable[str]:
    """Formulas that a reader sees as TeX, as an error or not at all."""
    seen = facts["formulas"]
    yield from (f"TeX in the text: {text}" for text in seen["raw"])
    yield from (f"not typeset: {text}" for text in seen["untouched"])
    yield from (f"TeX error: {text}" for text in seen["errors"])
    if seen["empty"]:
        yield f"{seen['empty']} formulas are empty"
    if seen["typeset"] < seen["sources"]:
        yield f"{seen['sources']} formulas in the page, {seen['typeset']} typeset"


def cut(facts: Facts) -> Iterable[str]:
    """Formulas that do not fit a wide window or whose lines are not aligned there, or that scroll on a phone unsaid."""
    yield from (f"wider than the column: {formula}" for formula in facts["cut"])
    yield from (f"lines that are not aligned: {formula}" for formula in facts["ragged"])
    yield from (f"no cue that it scrolls: {formula}" for formula in facts["silent"])


def wordless(facts: Facts) -> Iterable[str]:
    """Pictures without an alternative text."""
    return facts["wordless"]


def stuck(facts: Facts) -> Iterable[str]:
    """Sliders without a name, or whose figure does not follow the keyboard."""
    for number, slider in enumerate(facts["sliders"], start=1):
        name = f"slider {number} ({slider['label'] or 'no label'})"
        first, second, last = slider["first"], slider["second"], slider["last"]
        if not slider["label"] or not first["value"]:
            yield f"{name}: its label or its value is not said"
        if not first["picture"]:
            yield f"{name}: no figure below it"
        if first["picture"] == second["picture"]:
            yield f"{name}: an arrow key does not change the figure"
        if last["picture"] in (first["picture"], second["picture"]):
            yield f"{name}: End does not lead to the last figure"
        if slider["again"] != first:
            yield f"{name}: Home does not lead back to the first figure"
        if first["words"] == last["words"] or first["value"] == last["value"]:
            yield f"{name}: the alternative text or the value stays the same"


def inaccessible(facts: Facts) -> Iterable[str]:
    """What axe-core finds, less what the theme causes."""
    for where, violations in facts["violations"].items():
        yield from (f"{where}: {v['rule']} at {v['target']}: {v['element']}\n{v['why']}" for v in violations)


def too_wide(facts: Facts) -> Iterable[str]:
    """What makes a page scroll sideways on a phone, or is cut off there."""
    if facts["sideways"]["width"] > NARROW[0]:
        yield f"the page is {facts['sideways']['width']} px wide in a window of {NARROW[0]} px"
    yield from (f"sticks out: {element}" for element in facts["sideways"]["cut"])


def illegible(facts: Facts) -> Iterable[str]:
    """Text of figures that is too faint on the page, or too small."""
    for where, texts in ((LIGHT, facts["light"]), (DARK, facts["dark"])):
        for text in texts:
            name = f"{where}: text of the figure {text['figure'][:60]!r}"
            if text["contrast"] < CONTRAST:
                yield f"{name}: contrast {text['contrast']:.2f} < {CONTRAST} (colour {text['colour']})"
            if text["height"] < FONT_PIXELS:
                yield f"{name}: font of {text['height']:.1f} px < {FONT_PIXELS} px"


def search_fields(facts: Facts) -> Iterable[str]:
    """Search fields, where there is not just one."""
    return [] if len(facts["fields"]) == 1 else facts["fields"] or ["no search field"]


CHECKS: dict[str, Callable[[Facts], Iterable[str]]] = {
    check.__name__: check
    for check in (console, untypeset, cut, wordless, stuck, inaccessible, too_wide, illegible, search_fields)
}


def problems(facts: Facts, site: str) -> Iterable[str]:
    """All that is wrong with a page of the site at this address."""
    yield from (f"{name}: {problem}" for name, check in CHECKS.items() for problem in check(facts))
    yield from (f"asked of others: {request}" for request in outside(facts, site))
