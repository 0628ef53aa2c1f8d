"""What is committed beside a chapter: written, refused when it does not fit, and computed again, one cell of each."""

import json
from datetime import date
from importlib.metadata import version

import numpy as np
import pytest

from mtlbook_lib._files import CHAPTERS
from mtlbook_lib._random import other_seeds
from mtlbook_lib.chapters import classifier_pairs, sizes, stored_results
from mtlbook_lib.chapters.sizes import load_all
from mtlbook_lib.chapters.stored_results import Some, spot_check
from mtlbook_lib.chapters.sweep import CorruptResult, combinations
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
    assert list(found) == ["command", "date", "versions", "device", "losses"]
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


# What was measured in seconds is another each time; what the joint model is judged by has a test of its own cells, and
# so have the trained encoder, which needs packages that are not always there, and the joint model on texts.
NOT_AGAIN = {"part5/real_language/fine-tuning.json", "part5/real_language/commands.json",
             "part5/real_language/all-columns.json",
             "part5/real_language/joint-model.json",
             "part4/auxiliary_data/auxiliary-data-further.json", "part7/past_one_machine/scaling.json",
             "part7/past_one_machine/gpu.json", "part7/should_i_train_together/joint-model.json"}  # fmt: skip
load_all()


def test_every_committed_result_is_checked_or_said_not_to_be():
    checked = [check.file for check in stored_results.SPOT_CHECKS if check.file.startswith("part")]
    assert len(checked) == len(set(checked))
    assert set(checked) | NOT_AGAIN == {entry.file for entry in sizes.COMMITTED.values()}
    assert not set(checked) & NOT_AGAIN


@pytest.mark.parametrize("check", stored_results.SPOT_CHECKS, ids=lambda check: check.file)
def test_a_cell_comes_out_again(check):
    now, kept = check.numbers(draw=1)
    assert now == pytest.approx(kept, rel=0, abs=check.tolerance)
    # Another cell would not do; annotators of one target have one model in this chapter, and areas that are alike.
    assert np.ptp(kept) > check.tolerance or check.file == "part5/svd_reweighting/svd-reweighting.json"


@pytest.fixture
def checks(monkeypatch):
    monkeypatch.setattr(stored_results, "SPOT_CHECKS", [])
    grid = np.arange(12.0).reshape(3, 4) + 1

    def made(off=0.0, relative=False, cut=0):
        @spot_check("made.json", 0.01, relative, row=range(3), columns=Some(range(4), 2))
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
    assert check(3) == "2 numbers computed again, all as stored to 0.01"
    assert checks(relative=True)(3).endswith("all as stored to 0.01 of their size")


@pytest.mark.parametrize(
    "wrong", [{"off": 0.011}, {"off": -0.011}, {"off": np.nan}, {"cut": 1}, {"off": 0.011, "relative": True}], ids=str
)
def test_what_is_off_is_named(checks, wrong):
    with pytest.raises(CorruptResult, match=r"made\.json is not what is computed now: of draw 3"):
        checks(**wrong)(3)


def test_a_quick_run_computes_nothing_again_and_says_so(checks, monkeypatch):
    check = checks(off=1.0)
    monkeypatch.setenv("MTLBOOK_PROFILE", "quick")
    assert check(3) == "nothing is computed again at this size"
    assert not stored_results.drawn_again("made.json")[0]  # who asks whether a file is right hears it


def test_other_seeds_of_a_run_do_not_reach_what_is_compared(checks, monkeypatch):
    monkeypatch.setenv("MTLBOOK_SEEDS", "5")
    seen = []
    spot_check("made.json", 1.0, seed=(7,))(lambda seed: (seen.append(other_seeds()) or [0.0], [0.0]))(0)
    assert seen == [0]


@pytest.mark.parametrize("content", ["{", "[1]", '{"other": 1}'], ids=["cut", "no object", "other name"])
def test_a_file_that_does_not_fit_is_named(tmp_path, monkeypatch, content):
    path = tmp_path / "kept.json"
    path.write_text(content)
    monkeypatch.setattr(stored_results, "chapter_file", lambda _: path)
    with pytest.raises(CorruptResult, match=r"kept\.json is corrupt"), stored_results.reading("kept.json") as found:
        found["losses"]


def test_numbers_keep_significant_digits_in_the_shape_they_have():
    assert stored_results.significant([[123456.0, -0.00123456], [1.0, 0.0]]) == [[123460.0, -0.0012346], [1.0, 0.0]]
    assert stored_results.significant(2.0 / 3, 3) == 0.667


RESULT = {"alone": np.array([2.0, 2.0]), "joint": np.array([1.5, 2.25]), "at_end": np.array([False, False])}


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """A file with one sweep of two data sets."""
    path = tmp_path / "pairs.json"
    losses = classifier_pairs.sweep_to_losses(
        lambda n, seed: RESULT, combinations(n=[50], seed=(0, 1)), tmp_path / "parts", ["n"], 2
    )
    path.write_text(stored_results.text({"grid": {"losses": losses}}))
    monkeypatch.setattr(stored_results, "chapter_file", lambda _: path)
    return path


def test_what_is_read_is_what_was_kept(stored):
    arms = classifier_pairs.stored("pairs.json", "grid")
    assert list(arms) == ["50"]
    assert arms["50"].benefit.tolist() == [[0.5, -0.25], [0.5, -0.25]]


def test_a_loss_that_still_falls_is_not_kept(tmp_path):
    result = {**RESULT, "at_end": np.array([False, True])}
    with pytest.raises(RuntimeError, match=r"still falling at the end, for \{'n': 50\}"):
        classifier_pairs.sweep_to_losses(lambda n: result, [{"n": 50}], tmp_path, ["n"], 2)


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


def test_combinations_run_through_the_last_name_fastest():
    found = combinations(n=(1, 2), seed=range(2))
    assert found == [{"n": 1, "seed": 0}, {"n": 1, "seed": 1}, {"n": 2, "seed": 0}, {"n": 2, "seed": 1}]


def cells(seed):
    return {"error": np.full(2, seed / 3), "loss": np.array(1.0)}


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(stored_results, "chapter_file", lambda name: tmp_path / name)
    networks = stored_results.sweep_to_lists(cells, combinations(seed=range(2)), tmp_path / "parts", 3)
    found = {"networks": networks, "rounds": [{"seconds": [1, None]}], "device": "cpu"}
    (tmp_path / "kept.json").write_text(json.dumps(found), encoding="utf8")
    return "kept.json"


def test_columns_have_the_settings_first_and_few_digits(file):
    found = stored_results.read(file, "networks")
    assert found["error"].tolist() == [[0.0, 0.0], [0.333, 0.333]]
    assert found["loss"].tolist() == [1.0, 1.0]


def test_results_are_put_together_along_an_axis_that_they_have(tmp_path):
    settings = combinations(seed=(2, 3))
    found = stored_results.sweep_to_lists(lambda seed: {"error": [[1.0, seed]]}, settings, tmp_path, along=1)
    assert found == {"error": [[1.0, 2.0, 1.0, 3.0]]}


def test_a_name_inside_another_is_found(file):
    assert stored_results.read(file, "networks", "loss").shape == (2,)


def test_what_is_missing_among_numbers_is_not_a_number(file):
    (cell,) = stored_results.read(file, "rounds")
    assert cell["seconds"] == pytest.approx([1.0, np.nan], nan_ok=True)


@pytest.mark.parametrize("names", [("networks", "time"), ("device",)])
def test_what_is_not_there_is_an_error_that_names_the_file(file, names):
    with pytest.raises(CorruptResult, match=r"kept\.json"):
        stored_results.read(file, *names)
