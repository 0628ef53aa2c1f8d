"""Several processes make the pages that one makes, and what is stored of a page is that page."""

import pickle
import sys
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from bookbuild.pages import parallel, sources

EXTENSIONS = ["myst_parser", "sphinx_exercise", "sphinx_proof", "bookbuild.typeset", "parts"]
PAGES = 9
EXPERIMENTS = ("part2.one_mode.experiment", "part1.noise_spectrum.experiment", "part4.auxiliary_tasks.experiment")
NAMED = [
    EXPERIMENTS[2],
    f"{EXPERIMENTS[0]}.growth",
    *(f"{EXPERIMENTS[1]}.{name}" for name in ("tail_shares", "edge_slopes")),
]
PAGE = """# Page {0}

## First

See {{prf:ref}}`thm-{1}` and {{ref}}`ex-{1}` and $x_{0}$ and {{py:func}}`~mtlbook_lib.chapters.{2}`.

```{{prf:theorem}} Name {0}
:label: thm-{0}
It is so.
```

### Second

```{{exercise}} Count
:label: ex-{0}
How many?
```

```{{solution}} ex-{0}
:label: sol-{0}
Many, says the page.
```

```{{eval-rst}}
.. py:function:: name_{0}(a)

   What it gives.
```
"""


def setup(app: Sphinx) -> dict[str, bool]:
    """An extension of the parts that are tested."""
    for part in (parallel, sources):
        part.register(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


sys.modules["parts"] = SimpleNamespace(setup=setup)  # type: ignore[assignment]


def build(folder: Path, cores: int, last: str = "") -> tuple[Path, str]:
    """A book of a few pages, built by `cores` processes; its folder, and what was warned of."""
    source = folder / "source"
    source.mkdir(parents=True)
    names = [f"page{number}" for number in range(PAGES)]
    listed = "\n".join(names)
    (source / "index.md").write_text(f"# Book\n\n```{{toctree}}\n:numbered:\n{listed}\n```\n", encoding="utf8")
    for number, name in enumerate(names):
        code = NAMED[number] if number < len(NAMED) else "nothing"  # code of which one page speaks leads back to it
        text = PAGE.format(number, (number + 4) % PAGES, code) + (last if number == PAGES - 1 else "")
        (source / f"{name}.md").write_text(text, encoding="utf8")
    settings = {"extensions": EXTENSIONS, "html_math_renderer": "formulas", "numfig": True, "project": "book",
                "myst_enable_extensions": ["dollarmath"], "html_last_updated_fmt": None}  # fmt: skip
    warnings = StringIO()
    where = (str(source), None, str(folder / "html"), str(folder / "trees"), "html", settings)
    with docutils_namespace():
        app = Sphinx(*where, status=None, warning=warnings, parallel=cores)
        app.build()
    return folder, warnings.getvalue()


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, warnings = build(tmp_path_factory.mktemp("serial"), 1)
    assert warnings == ""
    return folder


def test_what_is_stored_of_a_page_belongs_to_it(book: Path) -> None:
    page = pickle.loads((book / "trees/page3.doctree").read_bytes())
    assert len(list(page.findall(nodes.paragraph))) > 3
    assert all(node.document is page for node in page.findall())


def test_what_the_book_keeps_of_an_exercise_knows_no_page(book: Path) -> None:
    kept = pickle.loads((book / "trees/environment.pickle").read_bytes()).sphinx_exercise_registry
    assert len(kept) == 2 * PAGES
    for entry in kept.values():
        assert entry["node"].parent is None
        assert entry["node"].document is None
        assert len(entry["node"]) == 1


def test_several_processes_make_the_same_pages(book: Path, tmp_path: Path) -> None:
    other, warnings = build(tmp_path, 2)
    assert warnings == ""
    pages = sorted(path.relative_to(book / "html").as_posix() for path in (book / "html").rglob("*.html"))
    assert len(pages) >= PAGES + 2
    code = ["index", *(f"mtlbook_lib/chapters/{name.replace('.', '/')}" for name in EXPERIMENTS)]
    assert {f"_modules/{name}.html" for name in code} == {name for name in pages if name.startswith("_modules")}
    for name in [*pages, "searchindex.js"]:
        assert (other / "html" / name).read_text("utf8") == (book / "html" / name).read_text("utf8"), name
    text = (other / "html/page5.html").read_text("utf8")
    assert "Exercise 1" in text
    assert 'class="katex"' in text


@pytest.mark.parametrize(("broken", "said"), [("{ref}`nowhere`", "nowhere"), ("$\\unheard$", "\\unheard")])
def test_what_goes_wrong_in_another_process_is_a_warning(tmp_path: Path, broken: str, said: str) -> None:
    _, warnings = build(tmp_path, 2, last=f"\n{broken}\n")
    assert said in warnings
    assert f"page{PAGES - 1}.md" in warnings
