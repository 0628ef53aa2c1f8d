"""A stock Jupyter Book: `jupyter-book build .` makes the book from nothing, without the commands of `bookbuild`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from bookbuild.chapters import ROOT

CHAPTER = """---
jupytext:
  text_representation:
    format_name: myst
kernelspec:
  display_name: Python 3
  name: python3
---
# A chapter

```{code-cell} ipython3
from mtlbook_lib.chapters import style
from mtlbook_lib.notebook import frames, progress

def draw(top):
    figure, ax = style.panel(xlabel="x", ylabel="y")
    style.line(ax, [0, 1], [0, top], color="theory")
    return figure

print("number", sum(progress.bar(range(5))))
frames.slider(draw, range(1, 10), "top", alt=lambda top: f"A line rises to {top}.")
```
"""


CONTENTS = """format: jb-book
root: book/a
parts:
- caption: Part I
  chapters:
  - file: book/part1/b
"""


def test_a_stock_build_executes_the_chapters_and_makes_the_pages(tmp_path):
    for name in ("bookbuild", "mtlbook_lib", "book/_static", "book/_templates"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "part*"))
    files = ("_config.yml", "CITATION.cff", "requirements.txt", "book/references.bib", "book/reference/glossary.md")
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "book/contents.yml").write_text("{questions: {}, core: [part1/b], beyond: [], ways: {}, keywords: {}}")
    (tmp_path / "book/a.md").write_text(CHAPTER)
    (tmp_path / "book/part1").mkdir()
    (tmp_path / "book/part1/b.md").write_text("# Text\n")
    (tmp_path / "_toc.yml").write_text(CONTENTS)
    command = [Path(sys.executable).with_name("jupyter-book"), "build", "."]
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("MTLBOOK_")}
    where = {"cwd": tmp_path, "env": surroundings | {"PYTHONPATH": str(tmp_path)}}
    done = subprocess.run(command, **where, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    page = (tmp_path / "_build/html/book/a.html").read_text()
    assert "number 10" in page
    assert 'class="mtl-frames"' in page
