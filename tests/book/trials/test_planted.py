"""Planted errors change one line each, and only in a copy; what a test does not see is told."""

import ast

import pytest

from bookbuild.chapters import ROOT
from bookbuild.trials import planted

TEXT = '''
def clipped(values: "array", least: float = 0.5, strict: bool = True) -> "min of 2":
    """At least 2."""
    if len(values) < 2 and strict:
        raise ValueError(f"got {len(values) - 1} < 2")
    return -max(values[0], least) + values.mean()
'''
PLANTED = {
    "def clipped(values: \"array\", least: float = (1.0), strict: bool = True) -> \"min of 2\":",
    "def clipped(values: \"array\", least: float = 0.5, strict: bool = (False)) -> \"min of 2\":",
    "if (len(values) < 2 or strict):",
    "if (len(values) <= 2) and strict:",
    "if len(values) < (3) and strict:",
    "return (-max(values[0], least) - values.mean())",
    "return (max(values[0], least)) + values.mean()",
    "return -(min(values[0], least)) + values.mean()",
    "return -max(values[(1)], least) + values.mean()",
    "return -max(values[0], least) + (values.sum())",
}  # fmt: skip


def test_edges_signs_places_defaults_and_names_are_planted_and_no_words():
    found = planted.errors(TEXT, "some.py")
    assert {one.after for one in found} == PLANTED
    assert len(found) == len(PLANTED)
    for one in found:
        ast.parse(one.text)
        assert one.before == TEXT.splitlines()[one.line - 1].strip()
        assert one.inside == ("clipped",)


def test_a_seed_draws_of_every_part_of_the_library_and_finds_tests_that_exist():
    drawn = planted.draw(len(planted.AREAS), 3)
    assert drawn == planted.draw(len(planted.AREAS), 3) != planted.draw(len(planted.AREAS), 4)
    assert {one.file.split("/")[1] for one in drawn} == set(planted.AREAS)
    assert all((ROOT / test).exists() for one in drawn for test in planted.tests_of(one))


LAW = """def law(x):
    return x < 1


def other(x):
    return x + 1
"""
TESTS = "from mtlbook_lib.theory.laws import law\n\ndef test_law():\n    assert law(0) and not law(1)\n"


def test_what_no_test_sees_is_told(tmp_path, monkeypatch, capsys):
    for file, text in {"mtlbook_lib/theory/laws.py": LAW, "tests/theory/test_laws.py": TESTS}.items():
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_text(text, encoding="utf8")
    monkeypatch.setattr(planted, "ROOT", tmp_path)
    edge, _, sign, _ = planted.errors(LAW, "mtlbook_lib/theory/laws.py")
    monkeypatch.setattr(planted, "draw", lambda number, seed: [edge, sign])
    assert planted.main(["--number", "2"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "seen  mtlbook_lib/theory/laws.py:2: return x < 1 -> return (x <= 1)  tests/theory/test_laws.py::test_law",
        "SURVIVED  mtlbook_lib/theory/laws.py:6: return x + 1 -> return (x - 1)  ",
        "1 of 2 seen; 0 equivalent",
    ]
    assert (tmp_path / edge.file).read_text(encoding="utf8") == LAW
    monkeypatch.setitem(planted.EQUIVALENT, sign.after, "Nobody asks.")
    monkeypatch.setattr(planted, "run", lambda *_: "a test")  # of the edge, as before
    assert planted.main(["--number", "2"]) == 0
    assert planted.main(["--number", "2", "--only", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "0 of 0 seen; 1 equivalent"


def test_a_file_of_tests_that_is_not_there_is_an_error_and_no_red_test(tmp_path):
    file = tmp_path / "mtlbook_lib/theory/laws.py"
    file.parent.mkdir(parents=True)
    file.write_text(LAW, encoding="utf8")
    edge, *_ = planted.errors(LAW, "mtlbook_lib/theory/laws.py")
    with pytest.raises(RuntimeError, match="pytest ended with 4"):
        planted.run(edge, ["tests/no_such_test.py"], str(tmp_path))
    assert file.read_text(encoding="utf8") == LAW


def test_the_tests_of_an_inner_function_are_those_of_its_folder():
    file = "mtlbook_lib/methods/sharing/_fitting/loop.py"
    error, *_ = planted.errors((ROOT / file).read_text(encoding="utf8"), file)
    assert planted.tests_of(error)[0].startswith("tests/methods/sharing")
    assert "tests/methods/sharing" in planted.tests_of(error)
