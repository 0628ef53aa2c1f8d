"""The built files as text: their links, their anchors, and what they load."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_CSS_ADDRESS = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
# Tags that name and load nothing, by attributes known to be harmless: most of a page, and slow to parse one by one.
_HARMLESS = re.compile(
    r"""<(?!style|script|textarea|title)[a-z][\w-]*
    (?:\s+(?:(?:class|role|tabindex|title|aria-hidden|aria-label|mathvariant|stretchy|fence|separator|width|height|viewBox
    |preserveAspectRatio|d|x|y|r|cx|cy|x1|x2|y1|y2|rx|ry|points|transform|fill|fill-opacity|opacity|stroke|stroke-[a-z]+)
    ="[^"]*"|style="[^"(]*"))*\s*/?>
    |</(?!style|script|textarea|title)[a-z][\w-]*>""",
    re.VERBOSE,
)
_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL)
_OWN = re.compile(r"(?:\.\./)+|pagename = '[^']*'")  # what differs on every page
_REFRESH = re.compile(r"http-equiv\s*=\W*refresh", re.IGNORECASE)
# Attributes, and kinds of link elements, whose address a browser loads without being asked.
_LOADED = {"src", "srcset", "poster", "data", "background", "xlink:href"}
_LOADED_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "manifest"}


@dataclass
class Page(HTMLParser):
    """One page, parsed without a browser."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    redirect: bool = False

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the anchors and addresses of an element."""
        values = {name: value or "" for name, value in attrs}
        self._in_style = tag == "style"
        self.anchors.update(values[name] for name in ("id", "name") if values.get(name))
        self.redirect |= values.get("http-equiv", "").lower() == "refresh"
        self.loads += [values[name] for name in _LOADED if values.get(name)]
        self.loads += css_addresses(values.get("style", ""))
        if "href" in values:
            loaded = tag == "link" and _LOADED_LINKS & set(values.get("rel", "").lower().split())
            (self.loads if loaded else self.links).append(values["href"])

    def handle_data(self, data: str) -> None:
        """Note the addresses of a style sheet inside the page."""
        if self._in_style:
            self.loads += css_addresses(data)

    def handle_endtag(self, tag: str) -> None:
        """A style sheet ends with its element."""
        self._in_style = False


def css_addresses(text: str) -> list[str]:
    """Addresses that a style sheet loads."""
    return [first or second for first, second in _CSS_ADDRESS.findall(text)]


@cache
def parse(path: Path) -> Page:
    """Read one page."""
    page = Page()
    page.feed(_HARMLESS.sub("", path.read_text(encoding="utf8")))
    return page


def redirects(path: Path) -> bool:
    """Whether a page only leads to another one; most are not parsed for the answer."""
    return bool(_REFRESH.search(path.read_text(encoding="utf8"))) and parse(path).redirect


def scripts(path: Path) -> frozenset[tuple[str, str]]:
    """What a page runs: the attributes and texts of its scripts, but no data and no name of the page."""
    found = _SCRIPT.findall(path.read_text(encoding="utf8"))
    return frozenset((_OWN.sub("", how), "" if "json" in how else _OWN.sub("", text)) for how, text in found)


def pages(site: Path) -> list[Path]:
    """Every page that a reader can open (the theme leaves fragments of templates among its static files)."""
    return sorted(path for path in site.rglob("*.html") if "_static" not in path.relative_to(site).parts)


def is_outside(address: str) -> bool:
    """Whether an address needs the network."""
    return address.startswith("//") or urlsplit(address).scheme in ("http", "https", "ws", "wss", "ftp")


def outside_loads(site: Path) -> Iterator[str]:
    """What pages and style sheets would fetch from elsewhere."""
    for path in pages(site):
        yield from (f"{path.relative_to(site)}: {address}" for address in parse(path).loads if is_outside(address))
    for path in sorted(site.rglob("*.css")):
        addresses = css_addresses(path.read_text(encoding="utf8"))
        yield from (f"{path.relative_to(site)}: {address}" for address in addresses if is_outside(address))


def broken_links(site: Path, path: Path) -> Iterator[str]:
    """Links, scripts, pictures and anchors of one page that lead nowhere."""
    page = parse(path)
    for address in dict.fromkeys([*page.links, *page.loads]):
        parts = urlsplit(address)
        if is_outside(address) or parts.scheme in ("mailto", "data", "javascript"):
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if target.is_dir():
            target /= "index.html"
        if not target.is_file() or not target.is_relative_to(site.resolve()):
            yield f"{address}: no such file in the site"
        elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in parse(target).anchors:
            yield f"{address}: no such anchor"
