"""The figures of the chapter on growing past one machine."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part7.past_one_machine import figures as plots


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
