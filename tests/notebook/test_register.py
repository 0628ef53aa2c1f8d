"""The register is read strictly, and its errors say what to change."""

import os
from pathlib import Path

import pytest
import yaml

from mtlbook_lib._files import CHAPTERS
from mtlbook_lib.notebook import register

ENTRY = {
    "id": "mass-of-noise",
    "paper": "lampinen-ganguli",
    "place": ["Eq. 13", "App. D"],
    "statement": "The mass is one.",
    "check": "close",
    "tolerance": 1e-10,
    "why": "Roundoff.",
    "verdict": "holds",
}


def write(folder: Path, *entries: object) -> Path:
    path = folder / "claims.yml"
    path.write_text(yaml.safe_dump(list(entries), allow_unicode=True), encoding="utf8")
    return path


def beside(folder: Path, chapter: str) -> Path:
    """The folder of a chapter, made where it is not there."""
    (folder / chapter).mkdir(parents=True, exist_ok=True)
    return folder / chapter


def changed(**fields: object) -> dict[str, object]:
    """A valid entry with some fields changed; None removes a field."""
    return {key: value for key, value in (ENTRY | fields).items() if value is not None}


def test_fields_of_a_valid_entry(tmp_path: Path) -> None:
    fields = {"check": "z-score", "tolerance": 4, "allowance": 0.1, "resolves": 0.5, "scope": "50 rows"}
    claim = register.load(write(tmp_path, changed(**fields)))["mass-of-noise"]
    assert claim.place == ("Eq. 13", "App. D")
    assert (claim.check, claim.tolerance, claim.allowance) == ("z-score", 4.0, 0.1)
    assert (claim.holds, claim.reason, claim.scope, claim.quantity, claim.wider) == ("", "", "50 rows", "", "")
    assert (str(claim.resolves), claim.sampled) == ("0.5", False)


def test_range_and_order(tmp_path: Path) -> None:
    path = write(tmp_path, changed(id="b", check="range", tolerance=[-0.5, "1e-1"]), changed(id="a"))
    claims = register.load(path)
    assert list(claims) == ["b", "a"]
    assert claims["b"].tolerance == (-0.5, 0.1)


def test_all_problems_in_one_message(tmp_path: Path) -> None:
    with pytest.raises(register.RegisterError) as caught:
        register.load(write(tmp_path, changed(id="one", why=None), changed(id="two", paper="x"), changed(id="two")))
    text = str(caught.value)
    assert "'one': why" in text
    assert "'two': unknown paper" in text
    assert "'two': the id is used 2 times" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1", "must be a list"),
        ("- [", "not valid YAML"),
        ("- id: a\n  paper: beyond\n  paper: beyond\n", "'paper' is given twice"),
    ],
)
def test_not_a_list_of_entries(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "claims.yml").write_text(text, encoding="utf8")
    with pytest.raises(register.RegisterError, match=message):
        register.load(tmp_path / "claims.yml")


HEAD = {"conditions": "50 rows "}


def test_what_claims_of_a_chapter_share_is_said_once(tmp_path: Path) -> None:
    write(beside(tmp_path, "part1/noise_spectrum"), HEAD, ENTRY)
    write(beside(tmp_path, "part1/other"), changed(id="elsewhere"))
    found = register.load(tmp_path)
    assert {name: claim.conditions for name, claim in found.items()} == {"mass-of-noise": "50 rows", "elsewhere": ""}


def test_claims_of_a_chapter_share_the_precision_that_they_need(tmp_path: Path) -> None:
    write(beside(tmp_path, "part1/noise_spectrum"), HEAD | {"precision": "double"}, ENTRY)
    write(beside(tmp_path, "part1/other"), changed(id="elsewhere"), changed(id="fine", precision="double"))
    found = {name: claim.precision for name, claim in register.load(tmp_path).items()}
    assert found == {"mass-of-noise": "double", "elsewhere": "", "fine": "double"}
    with pytest.raises(register.RegisterError, match="unknown precision 'single'; it must be one of double"):
        register.load(write(tmp_path, changed(precision="single")))


def test_where_a_file_lies_says_whose_claims_it_has(tmp_path: Path) -> None:
    path = write(beside(tmp_path, "part1/noise_spectrum"), ENTRY)
    for named in (tmp_path, path):
        assert register.load(named)["mass-of-noise"].chapter == "part1/noise-spectrum"


@pytest.mark.parametrize("head", [HEAD | {"conditions": " "}, HEAD | {"conditions": 1}, HEAD | {"scope": "x"}])
def test_what_says_the_shared_conditions_says_nothing_else(tmp_path: Path, head: dict[str, str]) -> None:
    with pytest.raises(register.RegisterError, match="must hold conditions, as text, alone"):
        register.load(write(tmp_path, head, ENTRY))


def test_a_check_supports_a_card_of_its_chapter(tmp_path: Path) -> None:
    check = changed(id="check", supports="mass-of-noise", paper="beyond")
    assert register.load(write(tmp_path, ENTRY, check))["check"].supports == "mass-of-noise"
    refused = pytest.raises(register.RegisterError, match="'check': supports names 'mass-of-noise', which has no card")
    for other in (changed(paper="beyond", supports="check"), changed(id="another")):  # no card itself, unknown
        with refused:
            register.load(write(tmp_path, other, check))
    write(tmp_path, check)
    write(beside(tmp_path, "part1/other"), ENTRY)
    with refused:
        register.load(tmp_path)


@pytest.mark.parametrize(("n_places", "valid"), [(19, False), (20, False), (21, True)])
def test_share_of_places_not_checked(tmp_path: Path, n_places: int, valid: bool) -> None:
    skipped = changed(id="skipped", place=["Fig. 0"], verdict="not checked", reason="No data.", check=None)
    skipped = {key: value for key, value in skipped.items() if key not in ("tolerance", "why")}
    others = [changed(id=f"checked-{n}", place=[f"Fig. {n}"]) for n in range(1, n_places)]
    elsewhere = [changed(id=f"other-{n}", place=[f"Eq. {n}"], paper="beyond") for n in range(40)]
    path = write(tmp_path, skipped, *others, *elsewhere)
    if valid:
        assert register.load(path)["skipped"].reason == "No data."
    else:
        with pytest.raises(register.RegisterError, match=f"'lampinen-ganguli': 1 of its {n_places} places"):
            register.load(path)


@pytest.mark.parametrize("place", ["claims.yml", "book/claims.yml", "../claims.yml", "../book/claims.yml"])
def test_a_register_near_the_working_folder_decides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.delenv("MTLBOOK_CLAIMS", raising=False)
    here = tmp_path / "work"
    stray = here / place
    stray.parent.mkdir(parents=True, exist_ok=True)
    here.mkdir(exist_ok=True)
    write(stray.parent, ENTRY)
    monkeypatch.chdir(here)
    assert register.find() == CHAPTERS
    monkeypatch.setenv("MTLBOOK_CLAIMS", str(stray))
    assert list(register.load()) == ["mass-of-noise"]


def test_a_folder_is_read_file_by_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(beside(tmp_path, f"part1/{name}"), changed(id=name))
    assert list(register.load(tmp_path)) == ["one", "two"]
    write(tmp_path / "part1" / "two", changed(id="one"))
    with pytest.raises(register.RegisterError, match="'one': the id is used 2 times"):
        register.load(tmp_path)


def test_a_folder_that_is_named_and_is_not_there_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTLBOOK_CLAIMS", str(tmp_path / "none.yml"))
    with pytest.raises(register.RegisterError, match=r"none\.yml.*neither a file nor a folder"):
        register.load()


def test_an_edited_register_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path, ENTRY)
    register.load(path)
    before = path.stat()
    write(tmp_path, changed(id="renamed"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert list(register.load(path)) == ["renamed"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (changed(notes="x"), "claim 'mass-of-noise': unknown field 'notes'"),
        (changed(id=None), "entry 1: id is missing"),
        ("a line", "entry 1: must be a mapping"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, entry: object, message: str) -> None:
    with pytest.raises(register.RegisterError) as caught:
        register.load(write(tmp_path, entry))
    assert message in str(caught.value)
