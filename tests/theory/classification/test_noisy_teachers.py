"""Relatedness of noisy teachers against canonical correlations of drawn ones."""

import numpy as np
import pytest

from mtlbook_lib.theory.classification import noisy_relatedness, teacher_overlap


def test_limits():
    assert noisy_relatedness(1e9, 1e9, 0.3, 5, 50) == pytest.approx(0.3)
    assert noisy_relatedness(1e9, 1e9, 0.0, 5, 50) == pytest.approx(0.0, abs=1e-8)
    assert noisy_relatedness(1e-9, 1.0, 1.0, 5, 50) == pytest.approx(np.sqrt(5 / 50))
    visible = teacher_overlap(2.0) * teacher_overlap(0.5)
    assert noisy_relatedness(2.0, 0.5, 1.0, 5, 10**9) == pytest.approx(visible, rel=1e-6)
    grid = noisy_relatedness(np.ones(3)[:, None], 1.0, [0.0, 1.0], 5, 50)
    assert grid.shape == (3, 2)
