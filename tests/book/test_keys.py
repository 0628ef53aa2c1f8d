"""What makes the build execute a chapter again."""

import pytest

from bookbuild import chapters, keys
from bookbuild.chapters import as_chapter, pages
from bookbuild.keys import chapter_key
from mtlbook_lib.chapters.keys import Library

MINE, OTHERS = (f"mtlbook_lib/chapters/{name}/claims.yml" for name in ("page", "other"))
RUN, OTHER = "mtlbook_lib/chapters/part1/run.json", "mtlbook_lib/chapters/part1/other.json"
HEADER = """---
jupytext:
  text_representation:
    format_name: myst
kernelspec:
  name: python3
---
# A page

```{code-cell} ipython3
from mtlbook_lib.theory import spiked
spiked.law
open("run.json")
```
"""


@pytest.fixture
def project(tmp_path):
    """A tiny project: one chapter, two modules it reaches, one it does not."""
    files = {
        "book/page.md": HEADER,
        MINE: "- {id: a, tolerance: 1}\n",
        OTHERS: "- {id: b, tolerance: 1}\n",
        "_toc.yml": "format: jb-book\nroot: book/page\n",
        "requirements.txt": "numpy==1\n",
        "constraints.txt": "",
        RUN: "1",
        OTHER: "1",
        "mtlbook_lib/__init__.py": "",
        "mtlbook_lib/_checks.py": "",
        "mtlbook_lib/theory/__init__.py": "",
        "mtlbook_lib/theory/spiked.py": "from mtlbook_lib import _checks\nlaw = _checks.positive\n",
        "mtlbook_lib/theory/transfer.py": "",
        "mtlbook_lib/chapters/__init__.py": "",
        "mtlbook_lib/chapters/style.py": "line = 1\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def key(project):
    return chapter_key(as_chapter(pages(project)[0], project), project)


LAZY = "from mtlbook_lib._lazy import modules\n__getattr__, __dir__ = modules(__name__, __path__)"
# How a name of a module can be reached: what the chapter says, and what stands in the package.
ROUTES = {
    "the module": ("from mtlbook_lib.chapters import style\nprint(style)", {}),
    "a name of it": ("from mtlbook_lib.chapters.style import line\nline", {}),
    "its dotted name": ("import mtlbook_lib.chapters.style as s\ns.line", {}),
    "its whole name": ("import mtlbook_lib.chapters.style\nmtlbook_lib.chapters.style.line", {}),
    "inside a function": ("def f():\n    from mtlbook_lib.chapters import style\n    return style.line", {}),
    "after a magic": ("%matplotlib inline\nfrom mtlbook_lib.chapters import style\nstyle.line", {}),
    "by its name": ("import importlib\nimportlib.import_module('mtlbook_lib.chapters.style')", {}),
    "a re-export": ("from mtlbook_lib.chapters import line\nline", {"__init__": "from .style import line"}),
    "a relative module": ("import mtlbook_lib\nmtlbook_lib.chapters.style.line", {"__init__": "from . import style"}),
    "all names": ("from mtlbook_lib.chapters import *\nline", {"__init__": "from .style import *"}),
    "a neighbour": ("from mtlbook_lib.chapters import few\nfew.x", {"few": "from .style import line\nx = line"}),
    "a neighbour, late": ("from mtlbook_lib.chapters.curves import f\nf()",
                          {"curves": "def f():\n    from . import style\n    style.line"}),
    "a package inside": ("from mtlbook_lib.chapters.a import y\ny", {"a/__init__": "from ..style import line as y"}),
    "a lazy package": ("from mtlbook_lib import chapters\nchapters.style.line", {"__init__": LAZY}),
    "a lazy package by its name": ("import mtlbook_lib.chapters as f\nf.style", {"__init__": LAZY}),
}  # fmt: skip


@pytest.mark.parametrize("route", ROUTES)
def test_names_are_followed(project, route):
    code, texts = ROUTES[route]
    assert LINE not in reached(project, "from mtlbook_lib import chapters\nchapters")
    for name, text in texts.items():
        path = project / f"mtlbook_lib/chapters/{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    found = reached(project, code)
    assert LINE in found
    assert ("mtlbook_lib.theory.transfer", "") not in found


LINE = "mtlbook_lib.chapters.style", "line"


def reached(project, code):
    return Library(project).reached(code.replace("%", "# %"))


def test_a_name_brings_what_it_names_and_no_other_of_its_module(project):
    (project / "mtlbook_lib/chapters/style.py").write_text(
        "from mtlbook_lib._checks import a\nline = a\nother = 2\nx[1] = 2"
    )
    found = reached(project, "from mtlbook_lib.chapters.style import line\nline")
    modules = "", "mtlbook_lib._checks", "mtlbook_lib.chapters.style"
    assert {place for place in found if place[0] in modules} == {
        ("", ""), ("mtlbook_lib._checks", ""), LINE, ("mtlbook_lib.chapters.style", "")}  # fmt: skip
    assert found["mtlbook_lib.chapters.style", ""].syntax  # what may change any name of the module


LIBRARY = ["mtlbook_lib/theory/spiked.py", "mtlbook_lib/_checks.py"]


@pytest.mark.parametrize("name", [*LIBRARY, "requirements.txt", "constraints.txt", RUN])
def test_a_change_that_matters_changes_the_key(project, name):
    before = key(project)
    (project / name).write_text("x = 1\n")
    assert key(project) != before


@pytest.mark.parametrize("name", ["mtlbook_lib/theory/transfer.py", OTHER])
def test_a_change_elsewhere_does_not(project, name):
    before = key(project)
    (project / name).write_text("x = 1\n")
    assert key(project) == before


MODULE = """import os


class C:
    def f(self):
        return 1
"""
DOCUMENTED = '''"""A module."""

import os  # for later


class C:
    """A class."""

    def f(self):
        """A function."""
        # Always one.
        return (1)
'''


def test_comments_docstrings_and_layout_do_not_count_but_code_does(project):
    path = project / LIBRARY[0]
    path.write_text(MODULE)
    before = key(project)
    path.write_text(DOCUMENTED)
    assert key(project) == before
    path.write_text(DOCUMENTED.replace("(1)", "(2)"))
    assert key(project) != before
    path.write_text('x = "one"')
    before = key(project)
    path.write_text('x = "two"')  # a string that is no docstring
    assert key(project) != before


@pytest.mark.parametrize(
    ("call", "counts"),
    [
        ('load("other.json")', True),
        ('load("part/other")', True),
        ('def f():\n    return f"{x}/other.json"', True),
        ('x = "any other word"', False),
    ],
)
def test_results_that_a_module_names_count(project, call, counts):
    (project / LIBRARY[0]).write_text(f"{call}\n")
    before = key(project)
    (project / OTHER).write_text("2")
    assert (key(project) != before) == counts


@pytest.mark.parametrize(
    ("name", "words", "counts"),
    [
        (OTHERS, "tolerance: 1", False),
        (MINE, "tolerance: 1", True),
        ("book/page.md", "# A page", False),
        ("book/page.md", "run.json", True),
    ],
)
def test_own_claims_and_code_count_and_other_claims_and_prose_do_not(project, name, words, counts):
    before, text = key(project), (project / name).read_text()
    assert words in text
    (project / name).write_text(text.replace(words, f"{words}5"))
    assert (key(project) != before) == counts


def test_another_register_counts_by_what_it_says(project, monkeypatch, tmp_path):
    """`MTLBOOK_CLAIMS` decides verdicts: a build with a tolerance of its own is not the next one's."""
    before = key(project)
    other = tmp_path / "register/page/claims.yml"
    other.parent.mkdir(parents=True)
    monkeypatch.setenv("MTLBOOK_CLAIMS", str(tmp_path / "register"))
    other.write_text((project / MINE).read_text())
    assert key(project) == before
    other.write_text(other.read_text().replace("tolerance: 1", "tolerance: 5"))
    assert key(project) != before
    monkeypatch.delenv("MTLBOOK_CLAIMS")
    assert key(project) == before


def test_versions_of_what_runs_count(project, monkeypatch):
    before = key(project)
    monkeypatch.setattr(keys, "versions", lambda: {"numpy": "another"})
    assert key(project) != before


@pytest.mark.parametrize(
    ("name", "default", "other"),
    [
        ("MTLBOOK_PROFILE", "paper", "quick"),
        ("MTLBOOK_DTYPE", "float64", "float32"),
        ("MTLBOOK_DEVICE", "auto", "cpu"),
        ("MTLBOOK_SEEDS", "0", "1"),
        ("MTLBOOK_CONTRADICTIONS", "", "report"),
        ("OPENBLAS_CORETYPE", "", "Prescott"),
        ("CUBLAS_WORKSPACE_CONFIG", "", ":4096:8"),
        ("OMP_NUM_THREADS", "1", "4"),
    ],
)
def test_settings_count(project, monkeypatch, name, default, other):
    monkeypatch.delenv(name, raising=False)
    before = key(project)
    monkeypatch.setenv(name, other)
    assert key(project) != before
    monkeypatch.setenv(name, default)
    assert key(project) == before


def test_yaml_is_parsed_once_for_each_text(tmp_path, monkeypatch):
    parsed = []
    monkeypatch.setattr(chapters.yaml, "load", lambda text, Loader: parsed.append(text) or [text])
    path = tmp_path / "claims.yml"
    for text in ("once", "once", "twice"):
        path.write_text(f"- {text} {tmp_path}")
        assert chapters.read_yaml(path) == [f"- {text} {tmp_path}"]
    assert parsed == [f"- once {tmp_path}", f"- twice {tmp_path}"]


@pytest.mark.parametrize(
    ("claims", "asked", "given"),
    [
        ("- {conditions: x, precision: double}\n- {id: a}\n- {id: c}\n", "float32", {"MTLBOOK_DTYPE": "float64"}),
        ("- {conditions: x, precision: double}\n- {id: a}\n- {id: c}\n", "float64", {}),
        ("- {id: a, precision: double}\n- {id: c}\n", "float32", {}),  # one claim alone: the card says so
        ("- {id: a}\n", "float32", {}),
        ("[]\n", "float32", {}),
    ],
)
def test_a_chapter_of_double_precision_has_it_where_single_is_asked_for(project, monkeypatch, claims, asked, given):
    (project / MINE).write_text(claims)
    monkeypatch.setenv("MTLBOOK_DTYPE", asked)
    assert keys.precise("page", project) == given
    assert keys.precise("other", project) == {}
