"""Exercises with a place to answer, and their grades."""

from io import StringIO
from pathlib import Path

from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from bookbuild.chapters import chapters
from bookbuild.pages import answer, tags

PAGE = """# Page

:::{exercise} A title
:label: ex-a
:class: pencil
How many?

```{answer} How many $n$
:number: 0.25
:within: 0.01
```
:::

:::{solution} ex-a
Few.
:::

:::{exercise}
:label: ex-b
:class: easy
Why?
:::

:::{solution} ex-b
So.
:::
"""


def built(folder: Path, page: str, solutions: bool = True) -> tuple[BeautifulSoup, str]:
    """The page, and the warnings."""
    (folder / "index.md").write_text(page, encoding="utf8")
    settings = {
        "extensions": ["myst_parser", "sphinx_exercise", "sphinx_proof"],
        "myst_enable_extensions": ["dollarmath", "colon_fence"],
        "numfig": True,
    }
    warnings = StringIO()
    where = (str(folder), None, str(folder / "html"), str(folder / "trees"), "html", settings)
    with docutils_namespace():
        app = Sphinx(*where, status=None, warning=warnings)
        for part in (tags, answer):
            part.register(app)
        app.config[answer.SOLUTIONS] = solutions
        answer.keep_sources(app, app.config)  # the event is over
        app.build()
    html = (folder / "html/index.html").read_text(encoding="utf8")
    return BeautifulSoup(html, "html.parser"), warnings.getvalue()


def test_an_exercise_has_a_field_and_a_grade_and_no_identity_repeats(tmp_path: Path) -> None:
    page, warnings = built(tmp_path, PAGE)
    assert "index.md" not in warnings
    (form,) = page.select("form.mtl-answer-box")
    assert (form["data-number"], form["data-within"]) == ("0.25", "0.01")
    assert form.find_parent("div", class_="exercise")["id"] == "ex-a"
    assert form.select_one("label")["for"] == form.select_one("input")["id"]
    titles = [title.get_text() for title in page.select(".exercise > .admonition-title")]
    assert [grade in title for grade, title in zip(["worth a pencil", "easy"], titles, strict=True)] == [True, True]
    assert {script["src"].split("?")[0] for script in page.select("script[src]")} >= {"_static/answer.js"}
    identities = [part["id"] for part in page.select("[id]")]
    assert len(identities) == len(set(identities))


def test_no_identity_of_a_theorem_or_proof_repeats(tmp_path: Path) -> None:
    pair = "```{{prf:theorem}}\n:label: thm-{0}\nSo.\n```\n\n```{{prf:proof}}\nWell.\n```\n\n"
    page, _ = built(tmp_path, f"# Two\n\n{pair.format('a')}{pair.format('b')}")
    identities = [part["id"] for part in page.select("[id]")]
    assert {"thm-a", "thm-b"} <= set(identities)
    assert len(identities) == len(set(identities))


def test_an_answer_without_a_number_is_refused(tmp_path: Path) -> None:
    _, warnings = built(tmp_path, PAGE.replace(":number: 0.25\n", ""))
    assert "an answer needs a number" in warnings


def test_students_get_exercises_with_their_numbers_and_no_solution(tmp_path: Path) -> None:
    gated = "```{solution-start} ex-b\n:class: dropdown\n```\n\nSo.\n\n- secret\n\n```{solution-end}\n```\n\nNext."
    page = PAGE.replace(":::{solution} ex-b\nSo.\n:::\n", gated)
    found, written = {}, {}
    for name, solutions in {"whole": True, "short": False}.items():
        (tmp_path / name).mkdir()
        found[name], warnings = built(tmp_path / name, page, solutions)
        assert "index.md" not in warnings
        files = [path for path in (tmp_path / name / "html").rglob("*") if path.name.startswith(("index.", "searchi"))]
        written[name] = "".join(path.read_text("utf8") for path in files)
    titles = [[part.text for part in page.select(".exercise > .admonition-title")] for page in found.values()]
    assert titles[0] == titles[1] == ["Exercise 1  (A title) worth a pencil", "Exercise 2  easy"]
    known = ("Few.", "secret", "0.25", "How many", "Next.")
    assert {name: [word for word in known if word in text] for name, text in written.items()} == {
        "whole": list(known),
        "short": ["How many", "Next."],
    }


def test_notebooks_for_students_keep_all_but_solutions() -> None:
    for chapter in chapters():
        before, *texts = chapter.path.read_text("utf8").split("{solution-start}")
        kept = "\n".join(cell.source for cell in answer.without_solutions(chapter.notebook().cells))
        assert (kept.count("{exercise}"), kept.count("{solution-"), kept.count("{answer}")) == (len(texts), 0, 0)
        for text in texts:
            solution, _, after = text.partition("{solution-end}")
            secret = [line for line in solution.split("\n") if len(line) > 40 and line not in before]
            assert [line for line in secret if line in kept] == [], chapter.name
            said = [line for line in after.split("\n") if line.startswith(("#", "- ", "**Next"))]
            assert [line for line in said if line not in kept] == [], chapter.name
