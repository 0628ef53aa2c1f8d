"""The figures of the chapter on SVD reweighting, on tiny inputs."""

from types import SimpleNamespace

import numpy as np

from mtlbook_lib.chapters.part5.svd_reweighting import figures as plots


def test_names_of_crowded_points_keep_apart():
    weights, changes = np.array([1.24, 1.265, 1.275]), np.array([-0.016, -0.025, -0.033])
    areas = {"svd": np.stack([changes, changes]), "equal": np.zeros((2, 3))}
    draw, _ = plots.gain_frames({2: SimpleNamespace(weights={"svd": np.stack([weights, weights])}, areas=areas)})
    places = np.array([text.get_position() for text in draw(2)[0].axes[0].texts[:3]]) / (2.5, 0.64)
    apart = np.linalg.norm(places[:, None] - places, axis=2)[np.triu_indices(3, 1)]
    assert apart.min() > 0.055
