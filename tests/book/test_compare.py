"""How far a printed number may move, and that what is more than arithmetic is still seen."""

import copy

import numpy as np
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_notebook, new_output

from bookbuild.chapters import BOOK
from bookbuild.compare import CLAIM_MIME, FIGURE_MIME, MANY, PART, REMEDY, WIDGET, Shown, differences, shown
from bookbuild.reference_outputs import cell_misses, misses
from mtlbook_lib.notebook import claims, register


def differ(new, old):
    return differences([Shown(new)], [Shown(old)]) != []


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("value -1.5", "value 1.5"),
        ("value −1.5", "value 1.5"),
        ("value -0.02 ± 0.05", "value 0.02 ± 0.05"),
        ("1e-5", "3e-5"),
        ("0.27", "0.29"),
        ("0.5200002", "0.51"),
        ("3 seeds", "4 seeds"),
        ("rank 3: 0.5", "rank 4: 0.5"),
        ("holds", "fails"),
        ("W21", "W32"),
        ("1 2", "1 2 3"),
        ("18/19", "17/19"),
        ("60/80", "62/80"),
        ("60/80", "60/81"),
        ("60 %", "62 %"),
        ("error < 1e-3", "error 1e-3"),
        ("at most 5", "at least 5"),
        ("a\nb", "a"),
    ],
)
def test_a_changed_number_or_word_is_a_difference(new, old):
    assert differ(new, old)
    assert differ(old, new)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("slope −0.6667 ± 0.01", "slope −0.6667 ± 0.01"),
        ("0.031", "0.030"),
        ("1.0001", "1.0002"),
        ("2.4e-5", "2.5e-5"),
        ("1e-12", "3e-13"),
        ("8.8e-16", "4.31e-13"),
        ("< 1e-10", "1.399e-10"),
        ("-0.0", "0.0"),
        ("-0.001", "+0.000"),
        ("1e2", "100"),
        ("63/80", "62/80"),
        ("63 of 80", "62 of 80"),
        ("63 %", "62 %"),
        ("[ 0.1  0.  ]", "[0.1 0.0]"),
        ("0.53 ± 0.09", "0.55 ± 0.10"),
    ],
)
def test_what_arithmetic_or_a_tie_may_do_is_none(new, old):
    assert not differ(new, old)
    assert not differ(old, new)


def test_a_sampled_number_may_move_by_a_part_of_its_error_and_no_more():
    old = "0.50000 ± 0.10000"
    assert not differ(f"{0.5 + 0.99 * PART * 0.1:.5f} ± 0.10000", old)
    assert differ(f"{0.5 + 1.01 * PART * 0.1:.5f} ± 0.10000", old)
    assert differ("0.60000 ± 0.10000", old), "one standard error"
    assert differ("0.50000 ± 0.20000", old), "an error of another size"


def test_a_count_of_few_is_exact():
    assert differ(f"5/{MANY - 1}", f"6/{MANY - 1}")
    assert not differ(f"5/{MANY}", f"6/{MANY}")


def test_a_changed_seed_is_seen():
    """Means over twenty draws, as chapters print them: all but a few of two hundred other seeds show."""

    def line(seed):
        draws = np.random.default_rng(seed).standard_normal((3, 20))
        means, errors = draws.mean(axis=1), draws.std(axis=1, ddof=1) / np.sqrt(20)
        return "\n".join(f"rank {k}: {m:.3f} ± {e:.3f}" for k, (m, e) in enumerate(zip(means, errors, strict=True)))

    assert sum(differ(line(seed), line(0)) for seed in range(1, 201)) >= 198


def test_a_missing_output_is_a_difference_and_failures_say_what_to_do():
    assert differences([], [Shown("1.0")]) != []
    assert differences([Shown("1.0"), Shown("2.0")], [Shown("1.0")]) != []
    found = differences([Shown("error 0.27 here")], [Shown("error 0.29 here")])
    assert found[0].startswith("0.27 instead of 0.29 (a rounded number may move by one unit")
    assert found[1] == REMEDY


def test_a_cell_without_a_reference_may_print_nothing():
    assert cell_misses([], None) == []
    assert cell_misses([Shown("1")], [Shown("1")]) == []
    assert cell_misses([Shown("1")], None) == [
        "the cell prints but has no reference: look at what it prints, then `make references`"
    ]


def test_widgets_are_skipped_and_streams_are_kept():
    widget = {"output_type": "display_data", "data": {WIDGET: {}, "text/plain": "VBox()"}}
    stream = {"output_type": "stream", "name": "stdout", "text": "one \n"}
    seen = {"output_type": "display_data", "data": {"text/html": "<b>x</b>", "text/plain": "x"}}
    assert shown([widget, stream, seen]) == [Shown("one"), Shown("x")]


def test_what_a_slider_draws_is_compared():
    """A sign that is turned in one of its frames is seen, and so are other words."""
    line = {"ends": [[0, 1], [-1, 1]], "places": [[0.5, 0.7, 0.0, 0.5, 1.0, 0.9]], "alt": "rises to 0.8"}

    def slides(panel):
        data = {WIDGET: {}, "text/plain": "P: 3 frames, 1 to 9", FIGURE_MIME: [line, panel]}
        return shown([{"output_type": "display_data", "data": data}])

    before = slides(line)
    assert before == [Shown("P: 3 frames, 1 to 9", None, [line, line])]
    assert differences(slides(line | {"places": [[0.5, 0.71, 0.0, 0.5, 1.0, 0.9]]}), before) == []
    assert (
        "panel 2: what is drawn" in differences(slides(line | {"places": [[0.5, 0.3, 0.0, 0.5, 1.0, 0.1]]}), before)[0]
    )
    assert differences(slides(line | {"alt": "rises to 0.6"}), before)[0].startswith("0.6 instead of 0.8")


def test_pieces_of_one_stream_are_one_text():
    pieces = [{"output_type": "stream", "name": "stdout", "text": text} for text in ("a\nb", "c\n", "d\n")]
    seen = {"output_type": "display_data", "data": {"text/plain": "x"}}
    assert shown(pieces) == [Shown("a\nbc\nd")]
    assert shown([pieces[0], seen, pieces[1], pieces[2]]) == [Shown("a\nbc\nd"), Shown("x")]
    assert shown([seen, *pieces]) == [Shown("a\nbc\nd"), Shown("x")]
    assert shown([{"output_type": "stream", "name": "stdout", "text": "\n"}, seen]) == [Shown("x")]


ENTRY = {"paper": "beyond", "place": ["here"], "statement": "It is so.", "why": "Because."}
KINDS = {
    "z-score": {"check": "z-score", "tolerance": 4, "scope": "all", "resolves": 10},
    "close": {"check": "close", "tolerance": 1e-3},
    "relative": {"check": "relative", "tolerance": 1e-8},
    "residual": {"check": "at-most", "tolerance": 1e-8},
    "vanishing": {"check": "at-most", "tolerance": 1e-4},
    "bounded": {"check": "at-most", "tolerance": 0.5},
}


def test_sizes_without_references_have_nothing_to_miss(tmp_path, monkeypatch):
    printed = new_output("stream", name="stdout", text="1.0\n")
    notebook = new_notebook(cells=[new_code_cell("print(1.0)", outputs=[printed])])
    assert misses("part1/page", notebook, tmp_path) == [
        "cell 'print(1.0)': the cell prints but has no reference: look at what it prints, then `make references`"
    ]
    monkeypatch.setattr("bookbuild.reference_outputs.comparable", lambda: False)  # as at the large size
    assert misses("part1/page", notebook) == []


@pytest.fixture
def published(tmp_path, monkeypatch):
    """What a claim of a kind publishes, by the library's own check."""
    entries = [{**ENTRY, **kind, "id": name, "verdict": "holds"} for name, kind in KINDS.items()]
    path = tmp_path / "claims.yml"
    path.write_text(yaml.safe_dump(entries))
    registered = register.load(path)

    def publish(name, *numbers):
        outcome = claims.evaluate(registered[name], *numbers)
        data = {"text/plain": str(outcome), CLAIM_MIME: outcome.record()}
        return shown([{"output_type": "display_data", "data": data}])

    return publish


def test_a_claim_is_compared_case_by_case_and_not_by_its_worst(published):
    """Two cases of nearly the same size: rounding decides which is the worst, and the card shows another one."""
    one = published("z-score", [1.999, 2.0], 0.0, [1.0, 1.0])
    other = published("z-score", [2.001, 2.0], 0.0, [1.0, 1.0])
    assert "(case 2)" in one[0].text
    assert "(case 1)" in other[0].text
    assert differences(one, other) == []
    # Not the worst, and still seen.
    assert differences(published("z-score", [1.0, 2.0], 0.0, [1.0, 1.0]), one) != []


@pytest.mark.parametrize(
    ("kind", "old", "near", "far"),
    [
        ("z-score", ([0.5], 0.0, [1.0]), ([0.7], 0.0, [1.1]), ([1.5], 0.0, [1.0])),
        ("z-score", ([0.5], 0.0, [1.0]), ([0.5], 0.1, [1.0]), ([0.5], 0.0, [2.0])),
        ("z-score", ([0.5], 0.0, [1.0]), ([0.5], 0.0, [1.0]), ([-0.5], 0.0, [1.0])),
        ("close", ([1.0], 1.0), ([1.0005], 1.0), ([0.9], 0.9)),
        ("relative", ([1e-12], 1e-12), ([1.0001e-12], 1.0001e-12), ([2e-12], 2e-12)),
        ("residual", ([3e-12],), ([8e-9],), ([[1e-12, 1e-12]],)),
        ("vanishing", ([2e-5],), ([8e-5],), ([5e-4],)),
        ("bounded", ([0.2],), ([0.20001],), ([0.3],)),
    ],
)
def test_how_far_the_cases_of_a_claim_may_move(published, kind, old, near, far):
    reference = published(kind, *old)
    assert differences(published(kind, *near), reference) == []
    assert differences(published(kind, *far), reference) != []


def test_another_verdict_or_claim_is_a_difference(published):
    old = published("close", [1.0], 1.0)
    for change in ({"verdict": "fails"}, {"id": "other"}, {"judged": False}):
        new = copy.deepcopy(old[0].claim) | change
        assert differences([Shown(old[0].text, new)], old) != []


def test_many_cases_are_shown_by_some(published):
    old = published("close", np.ones(10_000), 1.0)[0]
    assert old.claim["cases"]["statement"]["n"] == 10_000
    assert len(old.claim["cases"]["statement"]["measured"]) < 100


def test_no_cell_of_the_book_has_a_rule_of_its_own():
    own = [page for page in BOOK.rglob("*.md") if "\ntolerance:" in page.read_text(encoding="utf8")]
    assert own == []
