"""What is committed beside a chapter: written, refused when it does not fit, and computed again, one cell of each."""

import json
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from pathlib import Path
from threading import get_ident

import numpy as np
import pytest

from mtlbook_lib._files import CHAPTERS
from mtlbook_lib._random import other_seeds
from mtlbook_lib.chapters import classifier_pairs, sizes, stored_results
from mtlbook_lib.chapters.sizes import load_all
from mtlbook_lib.chapters.stored_results import Draws, spot_check
from mtlbook_lib.chapters.sweep import CorruptResult, combinations, sweep
from mtlbook_lib.simulation import engine


def test_a_result_is_written_beside_its_chapter_with_what_it_ran_with(tmp_path, monkeypatch):
    folders = []

    def run(folder):
        folders.append(folder)
        return {"losses": [[1.0, 2.0], [3.0, 4.0]]}

    monkeypatch.setattr(sizes, "CHAPTERS", tmp_path)
    (tmp_path / "part4" / "chapter").mkdir(parents=True)
    entry = sizes.Committed("part4/chapter/some-name.json", run, 1)
    stored_results.compute(entry)
    written = (tmp_path / "part4/chapter/some-name.json").read_text(encoding="utf8")
    found = json.loads(written)
    assert list(found) == ["key", "command", "date", "versions", "device", "losses"]
    assert found["command"] == "python -m mtlbook_lib results part4/some-name --force"
    assert date.fromisoformat(found["date"]) <= date.today()
    assert found["versions"]["numpy"] == version("numpy")
    assert found["device"] == str(engine.device())
    assert "[1.0,2.0],\n[3.0,4.0]" in written
    assert folders == [stored_results.PARTS / "part4/some-name"]


def test_every_file_beside_a_chapter_has_what_computes_it():
    load_all()
    files = {entry.path for entry in sizes.COMMITTED.values()}
    assert files == set(CHAPTERS.glob("part*/*/*.json"))


load_all()
COMMITTED = sorted(sizes.COMMITTED.values(), key=lambda entry: entry.file)


@pytest.mark.parametrize("entry", COMMITTED, ids=lambda entry: entry.name)
def test_a_committed_result_was_made_by_the_present_code_and_settings(entry):
    stored_results.key_is_of_now(entry)


# Cells of a second and more: one of these files each time.
SLOW = ("constructed", "images", "should-i-train-together", "multi-task-penalty", "nested-features", "relu-networks",
        "sample-efficiency", "deeper-students")  # fmt: skip
IN_TURN = [check for check in stored_results.SPOT_CHECKS if Path(check.file).stem in SLOW]
DRAWN = [[check] for check in stored_results.SPOT_CHECKS if check not in IN_TURN] + [IN_TURN]


@pytest.mark.parametrize("checks", DRAWN, ids=lambda checks: checks[0].file)
def test_a_cell_comes_out_again_another_one_each_time(checks):
    draw = stored_results.a_draw()
    check = checks[draw % len(checks)]
    assert check.compared(draw), f"{check.file}, draw {draw}"


def of_thread(k):
    return {"thread": np.array(get_ident())}


def test_on_a_gpu_the_settings_of_a_sweep_run_in_threads_with_streams_of_their_own(tmp_path, monkeypatch):
    begun = []
    monkeypatch.setattr(stored_results, "_own_stream", lambda: begun.append(get_ident()))
    with stored_results._streams():
        found = sweep(of_thread, combinations(k=range(4)), tmp_path)
    assert {int(one["thread"]) for one in found} <= set(begun) - {get_ident()}


def two_numbers(seed, n):
    return {"losses": np.array([seed, n + 0.25])}


@pytest.fixture
def swept(tmp_path, monkeypatch):
    """A committed result of two sweeps of one function, and one that says what it lacks."""
    monkeypatch.setattr(sizes, "CHAPTERS", tmp_path)

    def run(folder):
        kept = {}
        for n in (3, 4):
            kept[f"n {n}"] = stored_results.sweep_to_lists(two_numbers, combinations(seed=range(5), n=[n]), folder)
        return {"sizes": [3, 4], "parts": kept}

    entry = sizes.Committed("made.json", run, 1)
    entry.path.write_text(stored_results.text(run(tmp_path / "parts")), encoding="utf8")
    return entry


def test_a_result_without_its_key_is_refused_until_cells_of_it_came_out(swept):
    with pytest.raises(stored_results.OtherKey, match="make results NAMES=made"):
        stored_results.key_is_of_now(swept)
    assert stored_results.state(swept) == "made by other code"
    before = json.loads(swept.path.read_bytes())
    assert stored_results.renewed(swept).startswith("stamped")
    after = json.loads(swept.path.read_bytes())
    assert after.pop("key")
    assert after.pop("drawn")["numbers"] % 2 == 0
    assert after == before
    stored_results.key_is_of_now(swept)
    assert stored_results.renewed(swept).endswith("}")  # which cells; the file stays


def differs(entry, draw):
    try:
        stored_results.drawn_again(entry, draw)
    except CorruptResult:
        return True
    return False


@pytest.mark.parametrize(
    ("old", "new"), [('"n 4":{"losses":[[0.0,4.25]', '"n 4":{"losses":[[0.0,9.25]'), ("[3,4]", "[3,5]")]
)
def test_every_part_of_a_result_is_drawn_from(swept, old, new, monkeypatch):
    text = swept.path.read_text(encoding="utf8")
    assert old in text
    swept.path.write_text(text.replace(old, new), encoding="utf8")
    draw = next(draw for draw in range(200) if differs(swept, draw))
    monkeypatch.setattr(stored_results, "a_draw", lambda: draw)
    assert stored_results.renewed(swept) == "renewed"
    assert json.loads(swept.path.read_bytes())["parts"]["n 4"]["losses"][0] == [0.0, 4.25]


def test_what_cannot_be_computed_from_the_repository_says_so(swept):
    lacking = replace(swept, lacking="a GPU")
    assert "not recomputed here: it needs a GPU" in stored_results.renewed(lacking)
    assert "a GPU" in json.loads(swept.path.read_bytes())["drawn"]["why"]


@pytest.fixture
def checks(monkeypatch):
    monkeypatch.setattr(stored_results, "SPOT_CHECKS", [])
    grid = np.arange(12.0).reshape(3, 4) + 1

    def made(off=0.0, relative=False, cut=0):
        @spot_check("made.json", 0.01, relative, row=range(3), columns=Draws(range(4), 2))
        def cell(row, columns):
            kept = grid[row, columns]
            return (kept * (1 + off) if relative else kept + off)[cut:], kept

        return cell

    return made


def test_each_draw_takes_another_cell(checks):
    check = checks()
    kept = [check.numbers(draw)[1] for draw in range(60)]
    assert {tuple(cell) for cell in kept} == {
        (4 * row + i + 1.0, 4 * row + j + 1.0) for row in range(3) for i in range(4) for j in range(i + 1, 4)
    }
    assert check() == "2 numbers computed again, all as stored to 0.01"
    assert checks(relative=True)().endswith("all as stored to 0.01 of their size")


@pytest.mark.parametrize(
    "wrong", [{"off": 0.011}, {"off": -0.011}, {"off": np.nan}, {"cut": 1}, {"off": 0.011, "relative": True}], ids=str
)
def test_what_is_off_is_named(checks, wrong):
    with pytest.raises(CorruptResult, match=r"made\.json is not what is computed now: of {'row'"):
        checks(**wrong)()


def test_a_quick_run_computes_nothing_again_and_says_so(checks, monkeypatch):
    check = checks(off=1.0)
    monkeypatch.setenv("MTLBOOK_PROFILE", "quick")
    assert check() == "nothing is computed again at this size"
    with pytest.raises(CorruptResult):  # who asks whether a file is right hears it
        check.compared(3)


def test_other_seeds_of_a_run_do_not_reach_what_is_compared(checks, monkeypatch):
    monkeypatch.setenv("MTLBOOK_SEEDS", "5")
    seen = []
    spot_check("made.json", 1.0, seed=(7,))(lambda seed: (seen.append(other_seeds()) or [0.0], [0.0]))()
    assert seen == [0]


@pytest.mark.parametrize("content", ["{", "[1]", '{"other": 1}'], ids=["cut", "no object", "other name"])
def test_a_file_that_does_not_fit_is_named(tmp_path, monkeypatch, content):
    path = tmp_path / "kept.json"
    path.write_text(content)
    monkeypatch.setattr(stored_results, "chapter_file", lambda _: path)
    with pytest.raises(CorruptResult, match=r"kept\.json is corrupt"), stored_results.reading("kept.json") as found:
        found["losses"]


RESULT = {"alone": np.array([2.0, 2.0]), "joint": np.array([1.5, 2.25]), "at_end": np.array([False, False])}


def ended(n, seed):
    return RESULT


def falling(n):
    return {**RESULT, "at_end": np.array([False, True])}


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """A file with one sweep of two data sets."""
    path = tmp_path / "pairs.json"
    losses = classifier_pairs.sweep_to_losses(ended, combinations(n=[50], seed=(0, 1)), tmp_path / "parts", ["n"], 2)
    path.write_text(stored_results.text({"grid": {"losses": losses}}))
    monkeypatch.setattr(stored_results, "chapter_file", lambda _: path)
    return path


def test_what_is_read_is_what_was_kept(stored):
    arms = classifier_pairs.stored("pairs.json", "grid")
    assert list(arms) == ["50"]
    assert arms["50"].benefit.tolist() == [[0.5, -0.25], [0.5, -0.25]]


def test_a_loss_that_still_falls_is_not_kept(tmp_path):
    with pytest.raises(RuntimeError, match=r"still falling at the end, for \{'n': 50\}"):
        classifier_pairs.sweep_to_losses(falling, [{"n": 50}], tmp_path, ["n"], 2)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("1.5", "NaN", 1),
        lambda text: text.replace("1.5", '"1.5"', 1),
        lambda text: text.replace("1.5,", "", 1),
        lambda text: text.replace("grid", "other"),
        lambda text: json.dumps([text]),
    ],
    ids=["cut", "no number", "text", "one is missing", "other name", "no object"],
)
def test_a_corrupt_file_is_named_and_refused(stored, change):
    stored.write_text(change(stored.read_text()))
    with pytest.raises(CorruptResult, match=r"pairs\.json is corrupt"):
        classifier_pairs.stored("pairs.json", "grid")


def cells(seed):
    return {"error": np.full(2, seed / 3), "loss": np.array(1.0)}


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(stored_results, "chapter_file", lambda name: tmp_path / name)
    networks = stored_results.sweep_to_lists(cells, combinations(seed=range(2)), tmp_path / "parts", 3)
    found = {"networks": networks, "rounds": [{"seconds": [1, None]}], "device": "cpu"}
    (tmp_path / "kept.json").write_text(json.dumps(found), encoding="utf8")
    return "kept.json"


@pytest.mark.parametrize("names", [("networks", "time"), ("device",)])
def test_what_is_not_there_is_an_error_that_names_the_file(file, names):
    with pytest.raises(CorruptResult, match=r"kept\.json"):
        stored_results.read(file, *names)


def test_neither_a_time_nor_the_shape_of_what_was_not_drawn_has_to_come_out(tmp_path, monkeypatch):
    monkeypatch.setattr(sizes, "CHAPTERS", tmp_path)
    nan = float("nan")
    now = {"seconds": 2.0, "losses": [[nan, nan, nan], [3.0, 4.0]]}
    entry = sizes.Committed("made.json", lambda _: now, 1)
    entry.path.write_text('{"seconds":1.0,"losses":[[5.0],[3.0,4.0]]}', encoding="utf8")
    assert stored_results.drawn_again(entry, 1) == ([], 2)
    now["losses"][1] = [3.0, 4.5]
    with pytest.raises(CorruptResult, match=r"4\.5"):
        stored_results.drawn_again(entry, 1)
