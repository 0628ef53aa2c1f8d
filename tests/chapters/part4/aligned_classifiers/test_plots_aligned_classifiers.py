"""The figures of the chapter on aligned classifiers, on tiny inputs."""

import numpy as np

from mtlbook_lib.chapters.part4.aligned_classifiers import figures as plots

T = np.array([0.0, 1.0, 2.0])
CLOSURES = {"exact": T, "interpolated": 0.9 * T, "rem gain": 0.5 * T, "rem": 2 * T}


def test_closure_frames_share_their_axes():
    draw, alt = plots.closure_frames(T, {3: CLOSURES, 10: CLOSURES})
    assert draw(3).axes[0].get_ylim() == draw(10).axes[0].get_ylim()
    assert draw(10).axes[0].get_title() == "10 classes"
    assert alt(3).startswith("Strength of an aligned student of 3 classes")
