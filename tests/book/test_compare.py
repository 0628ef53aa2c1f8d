"""What counts as a difference between a printed text and its reference."""

import pytest

from bookbuild.compare import WIDGET, Tolerance, differences, texts

DEFAULT = Tolerance()


def test_equal_texts_agree():
    assert differences(["slope −0.6667 ± 0.01"], ["slope −0.6667 ± 0.01"], DEFAULT) == []


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("value 1.0002", "value 1.0001"),
        ("value -1.5", "value 1.5"),
        ("value −1.5", "value 1.5"),
        ("1e-7", "2e-7"),
        ("3 seeds", "4 seeds"),
        ("holds", "fails"),
        ("W21", "W32"),
        ("1 2", "1 2 3"),
    ],
)
def test_a_changed_number_or_word_is_a_difference(new, old):
    assert differences([new], [old], DEFAULT) != []


@pytest.mark.parametrize(("new", "old"), [("1.000001", "1.0"), ("1e-12", "3e-13"), ("-0.0", "0.0"), ("1e2", "100")])
def test_numbers_within_tolerance_agree(new, old):
    assert differences([new], [old], DEFAULT) == []


def test_the_cell_can_set_its_own_tolerance():
    assert differences(["1.02"], ["1.0"], Tolerance(rtol=0.05)) == []
    assert differences(["1.08"], ["1.0"], Tolerance(rtol=0.05)) != []


def test_a_missing_output_is_a_difference():
    assert differences([], ["1.0"], DEFAULT) != []
    assert differences(["1.0", "2.0"], ["1.0"], DEFAULT) != []


def test_widgets_are_skipped_and_streams_are_kept():
    widget = {"output_type": "display_data", "data": {WIDGET: {}, "text/plain": "VBox()"}}
    stream = {"output_type": "stream", "name": "stdout", "text": "one \n"}
    shown = {"output_type": "display_data", "data": {"text/html": "<b>x</b>", "text/plain": "x"}}
    assert texts([widget, stream, shown]) == ["one", "x"]


def test_pieces_of_one_stream_are_one_text():
    pieces = [{"output_type": "stream", "name": "stdout", "text": text} for text in ("a\nb", "c\n", "d\n")]
    shown = {"output_type": "display_data", "data": {"text/plain": "x"}}
    assert texts(pieces) == ["a\nbc\nd"]
    assert texts([pieces[0], shown, pieces[1], pieces[2]]) == ["a\nb", "x", "c\nd"]
