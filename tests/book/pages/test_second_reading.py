"""Every test that reads a claim a second time names it, and the register knows the name."""

from pathlib import Path

import pytest

from bookbuild import second_reading
from bookbuild.chapters import ROOT, registered_claims


def faults(root: Path) -> list[str]:
    """Tests without a claim, and claims that the register lacks."""
    known, found = {entry["id"] for entry in registered_claims(ROOT)}, []
    for path, test in second_reading.second_readers(root):
        claims = second_reading.claims_of(test)
        found += [f"{path}: {test.name} names {claim or 'no claim'}" for claim in claims or [""] if claim not in known]
    return found


def test_every_second_reading_names_claims_of_the_register() -> None:
    assert len(list(second_reading.second_readers(ROOT))) > 150
    assert faults(ROOT) == []


def test_what_names_no_claim_or_an_unknown_one_is_found(tmp_path: Path) -> None:
    folder = tmp_path / second_reading.FOLDER / "part1"
    folder.mkdir(parents=True)
    marked = '@pytest.mark.claims("mp-mass", "no-such")\n@pytest.mark.slow("x")\ndef test_b():\n    pass\n'
    (folder / "test_one.py").write_text(f"def test_a():\n    pass\n\n{marked}", encoding="utf8")
    name = "tests/second_reading/part1/test_one.py"
    assert faults(tmp_path) == [f"{name}: test_a names no claim", f"{name}: test_b names no-such"]
    assert second_reading.readings(tmp_path) == {"mp-mass": (name,), "no-such": (name,)}


def test_a_claim_says_who_read_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_reading, "readings", lambda: {"a": ("tests/x.py", "tests/y.py")})
    assert second_reading.said("a") == "read a second time: tests/x.py, tests/y.py"
    assert second_reading.said("b") == ""
