"""The built files as text: their links, their anchors, and what they load."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL)
_OWN = re.compile(r"(?:\.\./)+|pagename = '[^']*'")  # what differs on every page
_REFRESH = re.compile(r"http-equiv\s*=\W*refresh", re.IGNORECASE)
_ANCHOR = re.compile(r"\s(?:id|name)=\"([^\"]+)\"")
_ADDRESS = re.compile(r"\s(?:href|src)=\"([^\"]*)\"")


@dataclass(frozen=True)
class Page:
    """What a page can be linked at, and where it leads or loads from."""

    anchors: frozenset[str]
    addresses: tuple[str, ...]


@cache
def parse(path: Path) -> Page:
    """Read one page; what its scripts say is no element."""
    text = _SCRIPT.sub(r"<script\1>", path.read_text(encoding="utf8"))
    found = (frozenset(map(unescape, _ANCHOR.findall(text))), tuple(map(unescape, _ADDRESS.findall(text))))
    return Page(*found)


def redirects(path: Path) -> bool:
    """Whether a page only leads to another one."""
    return bool(_REFRESH.search(path.read_text(encoding="utf8").partition("<body")[0]))


def scripts(path: Path) -> frozenset[tuple[str, str]]:
    """What a page runs: the attributes and texts of its scripts, but no data and no name of the page."""
    found = _SCRIPT.findall(path.read_text(encoding="utf8"))
    return frozenset((_OWN.sub("", how), "" if "json" in how else _OWN.sub("", text)) for how, text in found)


def pages(site: Path) -> list[Path]:
    """Every page that a reader can open (the theme leaves fragments of templates among its static files)."""
    return sorted(path for path in site.rglob("*.html") if "_static" not in path.relative_to(site).parts)


def broken_links(site: Path, path: Path) -> Iterator[str]:
    """Links, scripts, pictures and anchors of one page that lead nowhere."""
    for address in dict.fromkeys(parse(path).addresses):
        parts = urlsplit(address)
        if parts.netloc or parts.scheme in ("mailto", "data", "javascript"):
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if target.is_dir():
            target /= "index.html"
        if not target.is_file() or not target.is_relative_to(site.resolve()):
            yield f"{address}: no such file in the site"
        elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in parse(target).anchors:
            yield f"{address}: no such anchor"
