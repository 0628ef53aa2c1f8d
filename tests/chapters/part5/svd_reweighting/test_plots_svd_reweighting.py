"""The figures of the chapter on SVD reweighting, on tiny inputs."""

import numpy as np

from mtlbook_lib.chapters.part5.svd_reweighting import figures as plots


def test_names_of_crowded_points_keep_apart():
    crowd = np.array([1.24, 1.265, 1.275]), np.array([-0.016, -0.025, -0.033])
    draw, _ = plots.gain_frames({2: crowd[0]}, {2: (crowd[1], np.full(3, 0.001))})
    places = np.array([text.get_position() for text in draw(2)[0].axes[0].texts[:3]]) / (2.5, 0.64)
    apart = np.linalg.norm(places[:, None] - places, axis=2)[np.triu_indices(3, 1)]
    assert apart.min() > 0.055
