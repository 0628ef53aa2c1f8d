"""The figures of the chapter on sample efficiency."""

import numpy as np

from mtlbook_lib.chapters.part6.sample_efficiency import figures as plots

SIZES, CURVE = [64, 128, 256], (np.log([0.5, 0.1]), np.array([0.1, 0.2]))
LIMITS = {arm: np.array([0.9, 0.5, 1e-12]) for arm in ("single", "lazy", "finetune", "probing", "multi")}


def test_overlap_frames_keep_joint_training_apart_and_mark_what_is_needed():
    networks = {20: {"finetune": ([64, 128], CURVE), "probing": ([64, 128], CURVE), "multi": ([64, 128], CURVE)}}
    needed = {m: {"finetune": 100.0 + m, "multi": 200.0} for m in (20, 40)}
    draw, words = plots.overlap_frames([20, 40], SIZES, {20: LIMITS, 40: LIMITS}, needed, networks)
    left, right = (figure.axes[0] for figure in draw(20))
    assert (len(left.containers), len(right.containers)) == (2, 1)
    assert list(left.lines[-1].get_xdata()) == [120.0, 120.0]
    assert left.get_title() == "20 of 40 features shared"
    assert all(not figure.axes[0].containers for figure in draw(40))
    assert "errors at 128 examples: alone, rich 0.5" in words(40)
