"""What makes the build execute a chapter again."""

import pytest

from bookbuild.chapters import as_chapter, pages
from bookbuild.keys import chapter_key, library_modules

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
open("run.json")
```
"""


@pytest.fixture
def project(tmp_path):
    """A tiny project: one chapter, two modules it reaches, one it does not."""
    files = {
        "book/page.md": HEADER,
        "book/claims.yml": "- {id: a, chapter: page, tolerance: 1}\n- {id: b, chapter: other, tolerance: 1}\n",
        "_toc.yml": "format: jb-book\nroot: book/page\n",
        "requirements.txt": "numpy==1\n",
        "constraints.txt": "",
        "results/run.json": "1",
        "results/other.json": "1",
        "mtlbook_lib/__init__.py": "",
        "mtlbook_lib/_checks.py": "",
        "mtlbook_lib/theory/__init__.py": "",
        "mtlbook_lib/theory/spiked.py": "from mtlbook_lib import _checks\n",
        "mtlbook_lib/theory/transfer.py": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def key(project):
    return chapter_key(as_chapter(pages(project)[0], project), project)


def test_imports_are_followed(project):
    names = [path.name for path in library_modules(["from mtlbook_lib.theory import spiked"], project)]
    assert sorted(names) == ["__init__.py", "__init__.py", "_checks.py", "spiked.py"]


LIBRARY = ["mtlbook_lib/theory/spiked.py", "mtlbook_lib/_checks.py"]


@pytest.mark.parametrize("name", [*LIBRARY, "requirements.txt", "constraints.txt", "results/run.json"])
def test_a_change_that_matters_changes_the_key(project, name):
    before = key(project)
    (project / name).write_text("x = 1\n")
    assert key(project) != before


@pytest.mark.parametrize("name", ["mtlbook_lib/theory/transfer.py", "results/other.json"])
def test_a_change_elsewhere_does_not(project, name):
    before = key(project)
    (project / name).write_text("x = 1\n")
    assert key(project) == before


def test_own_claims_count_and_other_claims_do_not(project):
    before = key(project)
    register = project / "book/claims.yml"
    register.write_text(register.read_text().replace("chapter: other, tolerance: 1", "chapter: other, tolerance: 2"))
    assert key(project) == before
    register.write_text(register.read_text().replace("chapter: page, tolerance: 1", "chapter: page, tolerance: 2"))
    assert key(project) != before


def test_prose_does_not_count_but_code_does(project):
    before = key(project)
    page = project / "book/page.md"
    page.write_text(page.read_text().replace("# A page", "# Another title"))
    assert key(project) == before
    page.write_text(page.read_text().replace("run.json", "run.json "))
    assert key(project) != before


def test_settings_count(project, monkeypatch):
    before = key(project)
    monkeypatch.setenv("MTLBOOK_PROFILE", "quick")
    assert key(project) != before
