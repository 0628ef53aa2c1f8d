"""The figures of the chapter on growing past one machine."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part7.past_one_machine import figures as plots

SIZES = (8, 64)


def test_cost_panels_draw_a_law_for_each_number_and_its_gain():
    curves = {n: (np.array([10.0, 20.0 * n]), np.ones(2)) for n in (1, 64)}
    laws = {1: np.array([10.0, 20.0]), 64: np.array([20.0, 1280.0])}
    figures, alts = plots.cost_panels(SIZES, curves, laws, (np.array([32.0, 1.1]), np.ones(2)))
    left, right = (figure.axes[0] for figure in figures)
    assert len(left.containers) == 2
    assert left.lines[0].get_ydata() == pytest.approx([10, 20])
    assert right.lines[0].get_ydata() == pytest.approx([32, 1])
    assert "64 students from 10 to 1280" in alts[0]
    assert "32 times longer one by one than in a batch at size 8, and 1.1 times at size 64" in alts[1]


def test_frames_say_where_overhead_and_work_are_equal():
    sizes = np.geomspace(8, 256, 11)
    draw, words = plots.share_frames(sizes, 100.0, sizes**3 * 1e-4)
    total, work, share = (line.get_ydata() for line in draw(4.0).axes[0].lines)
    assert total == pytest.approx(work + share)
    assert share == pytest.approx(25.0)
    assert words(1.0).endswith("at size 100.")
    assert words(8.0).endswith("at size 50.")


def test_a_core_and_a_gpu_are_told_apart_without_colour():
    times = np.array([0.1, 0.2, 100.0]), np.array([0.01, 0.01, 1.0])
    flat = np.array([0.25, 0.25, 0.3]), np.array([0.01, 0.01, 0.01])
    figures, alts = plots.gpu_panels((8, 32, 384), (times, times), (flat, flat), 64)
    core, gpu = figures[1].axes[0].get_lines()[:2]
    assert (core.get_linestyle(), gpu.get_linestyle()) != (gpu.get_linestyle(), core.get_linestyle())
    assert figures[1].axes[0].get_ylabel() == "ms a step, 64 students"
    assert alts[1].endswith("0.10 to 100 on one core, 0.25 to 0.3 on the GPU.")


def test_sizes_that_stand_close_are_written_in_two_rows():
    same = np.ones(4), np.ones(4)
    figures, _ = plots.gpu_panels((8, 128, 192, 384), (same, same), (same, same), 64)
    words = [text.get_text() for text in figures[0].axes[0].get_xticklabels()]
    assert words == ["8", "128", "\n192", "384"]
