"""What the pages will call figures, equations, theorems and works, counted in the texts: for notebooks before a build.

A test holds it to what the pages say once they are built. Run as `python -m bookbuild.front.labels_in_texts FILE`.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pybtex.database import parse_file

from bookbuild.chapters import BOOK, BUILD, ROOT, page_title, read_yaml
from bookbuild.front.labels import NAMES, NAMES_FILE, Names, authors, read_names

_COUNTED = re.compile(
    r"^    name: (?P<figure>fig-\S+)$|^\$\$ \((?P<displaymath>eq-\S+)\)$"
    r"|^(?::{3,}|`{3,})\{(?:prf:)?(?P<kind>theorem|proposition|remark|exercise)\}.*\n"
    r"(?::(?!label)[\w-]+:.*\n)*:label: (?P<label>\S+)$",
    re.MULTILINE,
)
_HEADED = re.compile(r"^\((?P<label>[\w-]+)\)=\n+#+ (?P<title>.+)$", re.MULTILINE)


def names_in_texts() -> Names:
    """The names of figures, equations, theorems, headed sections, works and pages."""
    names: Names = {"labels": {}, "numbers": {}, "works": {}, "titles": {}}
    for page, number in _pages():
        text = (BOOK / f"{page}.md").read_text(encoding="utf8")
        names["titles"][page] = page_title(BOOK / f"{page}.md")
        names["labels"] |= {one["label"]: one["title"] for one in _HEADED.finditer(text)}
        names["numbers"] |= dict(_numbered(text, number))
    names["labels"] |= names["numbers"]
    entries = parse_file(BOOK / "references.bib").entries.items()
    names["works"] = {key: (authors(one.persons.get("author", [])), one.fields.get("year", "")) for key, one in entries}
    return names


def _pages() -> Iterator[tuple[str, str]]:
    """The pages in their order, and the number of each that has one."""
    contents, number = read_yaml(ROOT / "_toc.yml"), 0
    yield contents["root"].removeprefix("book/"), ""
    for part in contents["parts"]:
        for chapter in part["chapters"]:
            number += bool(part.get("numbered"))
            yield chapter["file"].removeprefix("book/"), str(number) if part.get("numbered") else ""


def _numbered(text: str, chapter: str) -> Iterator[tuple[str, str]]:
    seen: Counter[str] = Counter()
    for found in _COUNTED.finditer(text):
        kind = found["kind"] or found.lastgroup
        seen[kind] += 1
        label = found["label"] or found[kind]
        yield label, f"{NAMES.get(kind, kind.capitalize())} {'.'.join(filter(None, (chapter, str(seen[kind]))))}"


def known_names() -> Names:
    """The names as the last build has kept them; before the first one, as the texts have them."""
    return read_names(BUILD) if (BUILD / NAMES_FILE).is_file() else names_in_texts()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bookbuild.front.labels_in_texts", description=__doc__)
    parser.add_argument("file", type=Path, help="where the names are written, as JSON")
    parser.parse_args().file.write_text(json.dumps(known_names(), ensure_ascii=False), encoding="utf8")
