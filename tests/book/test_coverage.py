"""The register, the chapters and the references speak of the same things; the checks say which chapter does not."""

import ast
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from bookbuild.chapters import ROOT, chapters, registered_claims
from bookbuild.reference_outputs import keyed_cells, load, path_of
from mtlbook_lib.notebook._entry import asserted

BOOK_CHAPTERS = chapters()
REGISTER = registered_claims()
EXERCISE = "{exercise}"
MARK = r"(?m)(^:label: {0}$|\({0}\)\s*$)"  # a theorem's label, or an equation's
SOLUTION = ("{solution-start}", "{solution-end}")


def checked_ids(code: Iterable[str]) -> list[str]:
    """The ids that the cells of a chapter check, as literals."""
    calls = [node for cell in code for node in ast.walk(ast.parse(cell)) if isinstance(node, ast.Call)]
    checks = [call for call in calls if ast.unparse(call.func) == "claims.check"]
    return [ast.literal_eval(call.args[0]) for call in checks]


def out_of_step(name: str, code: Iterable[str], register: Iterable[dict[str, Any]]) -> list[str]:
    """The claims that a chapter checks though they are not its own, or twice, or that it leaves out."""
    own = {entry["id"] for entry in register if entry["chapter"] == name and asserted(entry) != "not checked"}
    checked = Counter(checked_ids(code))
    return sorted((checked.keys() ^ own) | {claim for claim, times in checked.items() if times > 1})


def lacks_exercises(text: str) -> bool:
    """A chapter has three exercises or more, each with the begin and the end of its solution."""
    n_exercises = text.count(EXERCISE)
    return n_exercises < 3 or any(text.count(mark) != n_exercises for mark in SOLUTION)


def test_every_statement_says_what_it_rests_on():
    assert [entry["id"] for entry in REGISTER if "status" not in entry] == []


def unproved(register: Iterable[dict[str, Any]], texts: dict[str, str]) -> list[str]:
    """The claims called proved that name no theorem and no numbered equation of their chapter."""
    proved = (entry for entry in register if entry.get("status") == "proved")
    return [e["id"] for e in proved if not (e.get("proof") and re.search(MARK.format(e["proof"]), texts[e["chapter"]]))]


def test_every_proved_statement_names_its_proof():
    texts = {chapter.name: chapter.path.read_text(encoding="utf8") for chapter in BOOK_CHAPTERS}
    assert unproved(REGISTER, texts) == []


def test_a_proof_that_is_not_there_is_found():
    text = {"a": "```{prf:theorem} One\n:label: thm-one\n$$ x $$ (eq-one)\n"}
    entry = {"id": "x", "chapter": "a", "status": "proved"}
    assert unproved([entry, entry | {"proof": "thm-on"}, entry | {"proof": "eq-two"}], text) == ["x"] * 3
    sound = [entry | {"proof": "thm-one"}, entry | {"proof": "eq-one"}, entry | {"status": "derived"}]
    assert unproved(sound, text) == []


def test_chapters_check_exactly_their_registered_claims():
    found = {chapter.name: out_of_step(chapter.name, chapter.code(), REGISTER) for chapter in BOOK_CHAPTERS}
    assert {name: claims for name, claims in found.items() if claims} == {}
    assert sum(len(checked_ids(chapter.code())) for chapter in BOOK_CHAPTERS) > 500, "the search found few checks"


def test_claims_out_of_step_are_found():
    register = [{"id": name, "chapter": "a", "verdict": "holds"} for name in ("one", "two")]
    register += [{"id": "other", "chapter": "b", "verdict": "holds"}]
    register += [{"id": "left", "chapter": "a", "verdict": "not checked"}]
    sound = "claims.check('one', 1, 1)\nclaims.check('two', x, y)"
    assert out_of_step("a", [sound], register) == []
    for more, found in (("other", ["other"]), ("one", ["one"]), ("left", ["left"]), ("unknown", ["unknown"])):
        assert out_of_step("a", [sound, f"claims.check({more!r}, 1, 1)"], register) == found
    assert out_of_step("a", ["claims.check('two', 1, 1)"], register) == ["one"]


def test_every_claim_names_a_chapter_of_the_book():
    assert {entry["chapter"] for entry in REGISTER} <= {chapter.name for chapter in BOOK_CHAPTERS}


def test_references_belong_to_cells_of_their_chapter():
    """Where a cell changed, look at it, then `make references`."""
    kept = {chapter.name: set(load(chapter.name)) for chapter in BOOK_CHAPTERS}
    cells = {chapter.name: {key for key, _ in keyed_cells(chapter.notebook().cells)} for chapter in BOOK_CHAPTERS}
    assert {name: keys - cells[name] for name, keys in kept.items() if keys - cells[name]} == {}
    assert all(kept.values()), "a chapter without a reference is compared with nothing"


def test_no_reference_without_a_chapter():
    found = set((ROOT / "tests" / "chapters").rglob("reference*.json"))
    assert found == {path_of(chapter.name) for chapter in BOOK_CHAPTERS}


def test_chapters_have_three_exercises_with_solutions():
    ways_in = "part0/"  # these pages ask their questions in the text
    chapters_alone = [chapter for chapter in BOOK_CHAPTERS if not chapter.name.startswith(ways_in)]
    texts = {chapter.name: chapter.path.read_text(encoding="utf8") for chapter in chapters_alone}
    assert [name for name, text in texts.items() if lacks_exercises(text)] == []


def test_missing_exercises_are_found():
    three = 3 * "".join([EXERCISE, *SOLUTION])
    assert not lacks_exercises(three)
    assert lacks_exercises(three[: len(three) * 2 // 3])
    for mark in (EXERCISE, *SOLUTION):
        assert lacks_exercises(three + mark)
