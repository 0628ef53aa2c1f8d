"""Schematics of networks: who reads whom, what is named where, and the same in words."""

import numpy as np
import pytest

from mtlbook_lib.chapters import style

LAYERS = [[("inputs", 4, "")], [("own part", 2, "A"), ("", 1, "")], [("task A", 1, "A"), ("task B", 1, "B")]]


def wires(ax) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Ends of each line between two units."""
    lines = (np.round(line.get_xydata(), 9) for line in ax.lines if line.get_linestyle() == "-")
    return [(tuple(start), tuple(end)) for start, end in lines]


def test_a_unit_reads_what_serves_a_task_of_its_own():
    (figure,), (words,) = style.schematic({"one": LAYERS})
    ax = figure.axes[0]
    found = wires(ax)
    assert len(found) == 4 * 3 + 3 + 1  # the own part reaches task A alone
    assert all(end[1] - start[1] == 1 for start, end in found)
    assert ax.get_title() == "one"
    assert (
        words
        == "Schematic, one; from below: inputs (4), then own part (2) and units (1), then task A (1) and task B (1)."
    )


def test_paired_inputs_are_read_one_by_one():
    layers = [[("inputs", 3, "")], [("weights", 3, "")], [("output", 1, "")]]
    (figure,), _ = style.schematic({"diagonal": layers}, paired=True)
    found = wires(figure.axes[0])
    assert len(found) == 3 + 3
    assert [start[0] == end[0] for start, end in found[:3]] == [True] * 3
    with pytest.raises(ValueError, match="zip"):
        style.schematic({"diagonal": [layers[0], [("weights", 2, "")]]}, paired=True)


def test_students_beside_each_other_have_letters():
    figures, _ = style.schematic({"one": LAYERS, "two": LAYERS})
    assert [figure.axes[0].get_title(loc="left") for figure in figures] == ["a", "b"]
