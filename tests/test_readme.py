"""The README is short. Its examples, and those of the reference, run and print what the texts say they print."""

import contextlib
import doctest
import importlib
import io
import re
import shlex
import shutil

import numpy as np
import pytest

from mtlbook_lib.command_line.main import main
from mtlbook_lib.forecast.policy import VERDICTS
from tests.install.examples import ROOT, copied_example, docstring_modules, examples, fits, install_lines

EXAMPLES = [one.text for one in examples() if one.kind == "python"]
PROMISE = re.compile(r"# -> (.+)$", re.MULTILINE)


def promised(source: str) -> list[str]:
    """What the comments of an example say that it prints, line by line."""
    return PROMISE.findall(source)


def printed(source: str) -> list[str]:
    """What an example prints, run on its own."""
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        exec(compile(source, "example", "exec"), {})
    return stream.getvalue().splitlines()


def test_the_readme_fits_two_screens() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf8").splitlines()
    assert len(lines) <= 72


def test_the_texts_show_the_uses_of_the_library() -> None:
    shown = "".join(EXAMPLES)
    assert len(EXAMPLES) == 4
    for name in ("noise_scale", "optimal_shrinkage", "test_error", "shrinkage_error", "forecast_transfer", "recommend"):
        assert name in shown, name


NAMES = ["recommend", "shrink a matrix", "predict a curve", "forecast transfer"]


@pytest.mark.parametrize("source", EXAMPLES, ids=NAMES)
def test_example_prints_what_the_text_says(source: str) -> None:
    assert promised(source), "an example without a promised line shows nothing"
    assert source.count("print(") == len(promised(source))
    assert printed(source) == promised(source)


def test_the_cells_to_be_copied_run_by_themselves() -> None:
    example = copied_example()
    assert example.install in install_lines()
    first, _, verdict, *rest = printed(example.text)
    assert first.startswith("B helps with probability 0.")
    assert verdict.partition(".")[0].lower() in VERDICTS
    assert len(rest) > 5


SHELL = [one for one in examples() if one.kind == "console"]


@pytest.mark.parametrize("example", SHELL, ids=lambda one: shlex.split(one.text)[1])
def test_shell_example_prints_what_the_text_says(example, tmp_path, monkeypatch, capsys):
    pytest.importorskip("pandas")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(example.text)
    assert program == "mtlbook"
    assert main(arguments) == 0
    assert fits(capsys.readouterr().out.splitlines(), example.printed)


def test_every_shell_example_follows_an_install_line_that_reads_tables():
    assert len(SHELL) == 8
    assert all("tables" in one.install for one in SHELL)
    assert {one.install for one in SHELL} | {"."} <= set(install_lines())
    assert ["figure" in one.install for one in SHELL] == ["--figure" in one.text for one in SHELL]


# Those of the theory, one for each function, are run by tests/theory/test_examples.py.
ELSEWHERE = [module for module in docstring_modules() if not module.startswith("mtlbook_lib.theory.")]


@pytest.mark.parametrize("module", ELSEWHERE)
def test_docstring_examples_print_what_they_say(module):
    found = doctest.testmod(importlib.import_module(module))
    assert found.attempted
    assert not found.failed


def test_dots_stand_for_any_lines():
    assert fits(["a", "b", "c"], ("a", "...", "c"))
    assert fits(["a"], ("a", "..."))
    assert not fits(["a", "b"], ("a",))
    assert not fits(["a"], ("...", "b"))
    assert not fits([], ("a",))


def test_example_tables_are_rows_of_the_data_that_they_name():
    pandas, sets = pytest.importorskip("pandas"), pytest.importorskip("sklearn.datasets")
    source = sets.load_diabetes(as_frame=True, scaled=False).frame
    sex, rows = source["sex"], source.drop(columns="sex")
    parts = {"target.csv": rows[sex == 1][:40], "partners/other-sex.csv": rows[sex == 2][:100],
             "partners/shuffled.csv": rows[sex == 2][100:200]}  # fmt: skip
    new = pandas.read_csv(ROOT / "examples" / "new.csv")
    np.testing.assert_allclose(new.to_numpy(), rows[sex == 1][40:45].to_numpy()[:, :-1])
    for name, part in parts.items():
        found, wanted = pandas.read_csv(ROOT / "examples" / name).to_numpy(), part.to_numpy()
        np.testing.assert_allclose(found[:, :-1], wanted[:, :-1])
        np.testing.assert_allclose(np.sort(found[:, -1]), np.sort(wanted[:, -1]))
        assert np.array_equal(found[:, -1], wanted[:, -1]) == ("shuffled" not in name)
