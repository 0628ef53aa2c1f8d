"""What is asked of all chapters together; the last file of the folder, when each page has been looked at."""

from pathlib import Path
from statistics import median

from browser import Browser
from site_shares import noted

KINDS = ("code", "figures", "cards")


def test_figures_get_more_of_a_chapter_than_code(browser: Browser, server: str, site: Path, shares: Path) -> None:
    """Shares of the height of a page as a reader finds it, with folds closed."""
    chapters = [path for path in sorted(site.glob("book/part*/*.html")) if path.stem != "explorer"]
    found = {}
    for path in chapters:
        page = path.relative_to(site).as_posix()
        found[page] = noted(shares, page) or measured(browser, f"{server}/{page}")
    middle = {kind: median(share[kind] for share in found.values()) for kind in KINDS}
    print({name: {kind: round(part, 3) for kind, part in share.items()} for name, share in found.items()}, middle)
    assert len(found) == len(chapters) > 1
    assert {name: share for name, share in found.items() if share["code"] > 0.15 or share["figures"] < 0.08} == {}
    assert middle["code"] < 0.1
    assert middle["figures"] > 0.16
    assert middle["figures"] > middle["cards"]


def measured(browser: Browser, address: str) -> dict[str, float]:
    """The shares of a page that nobody has looked at in this run."""
    browser.open(address, unfold=False)
    shares: dict[str, float] = browser.ask("shares")
    return shares
