"""The built files as text: their links, their anchors, and what they load."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape
from os.path import normpath
from pathlib import Path
from urllib.parse import unquote, urlsplit

_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL)
_OWN = re.compile(r"(?:\.\./)+|pagename = '[^']*'")  # what differs on every page
_REFRESH = re.compile(r"http-equiv\s*=\W*refresh", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\s(id|name|href|src)=\"([^\"]*)\"")


@dataclass(frozen=True)
class Page:
    """What a page can be linked at, and where it leads or loads from."""

    anchors: frozenset[str]
    addresses: tuple[str, ...]


@cache
def parse(path: Path) -> Page:
    """Read one page; what its scripts say is no element."""
    text = _SCRIPT.sub(r"<script\1>", path.read_text(encoding="utf8"))
    found = [(name, unescape(value)) for name, value in _ATTRIBUTE.findall(text)]
    anchors = frozenset(value for name, value in found if name in ("id", "name"))
    return Page(anchors, tuple(value for name, value in found if name in ("href", "src")))


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


def looked_at(site: Path) -> list[str]:
    """The names of all pages that lead to no other one; of sources the two largest."""
    names = [path.relative_to(site).as_posix() for path in pages(site) if not redirects(path)]
    sources = [name for name in names if name.startswith("_modules/mtlbook_lib/")]
    largest = sorted(sources, key=lambda name: (site / name).stat().st_size)[-2:]
    return [name for name in names if name not in sources or name in largest]


def kinds(site: Path) -> list[str]:
    """One page of all that run the same scripts at the same depth, for each kind."""
    alike = {(name.count("/"), scripts(site / name)): name for name in looked_at(site)}
    return sorted(alike.values())


@cache
def leads_to(site: Path, folder: Path, name: str) -> Path | None:
    """The file of the site that a link of a page in a folder leads to; None where there is none."""
    target = Path(normpath(folder / unquote(name)))
    target = target / "index.html" if target.is_dir() else target
    return target if target.is_file() and target.is_relative_to(site) else None


def broken_links(site: Path, path: Path) -> Iterator[str]:
    """Links, scripts, pictures and anchors of one page that lead nowhere."""
    for address in dict.fromkeys(parse(path).addresses):
        parts = urlsplit(address)
        if parts.netloc or parts.scheme in ("mailto", "data", "javascript"):
            continue
        target = leads_to(site, path.parent, parts.path) if parts.path else path
        if target is None:
            yield f"{address}: no such file in the site"
        elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in parse(target).anchors:
            yield f"{address}: no such anchor"
