"""What finite matrices add: the bulk's hidden overlap with the signal, and where the edge of noise really lies."""

import numpy as np
import pytest
from scipy.integrate import quad

from mtlbook_lib.theory import marchenko_pastur, spiked

ASPECTS = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0]


@pytest.mark.parametrize("aspect", ASPECTS)
def test_outlier_and_bulk_together_exhaust_the_signal(aspect):
    for s in aspect**0.25 * np.array([0.2, 0.9, 1, 1.1, 3.0]):
        seen = spiked.noisy_singular_value(s, aspect) * spiked.overlap(s, aspect)
        assert seen == pytest.approx(s - aspect / s**3 if s > aspect**0.25 else 0, abs=1e-10)

        def integrand(angle, s=s):
            x = np.sqrt(1 + aspect + 2 * np.sqrt(aspect) * np.cos(angle))
            return spiked.bulk_cross_density(x, s, aspect) * np.sqrt(aspect) * np.sin(angle)

        hidden = quad(integrand, 0, np.pi, epsabs=1e-12, epsrel=1e-12, limit=200)[0]
        assert hidden + seen == pytest.approx(s, abs=1e-10)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("aspect", ASPECTS)
def test_bulk_cross_density_has_no_nan_at_its_limits(aspect):
    lower, upper = marchenko_pastur.support(aspect)
    ends = np.array([-1, 0, lower, upper, upper + 1])
    for s in (0, 0.5, spiked.threshold(aspect), 2.0):
        np.testing.assert_array_equal(spiked.bulk_cross_density(ends, s, aspect), 0)
    np.testing.assert_array_equal(spiked.bulk_cross_density(np.linspace(lower, upper, 9), 0, aspect), 0)
    near = upper * (1 - np.array([1e-4, 1e-6]))
    far, close = spiked.bulk_cross_density(near, spiked.threshold(aspect), aspect)
    assert close / far == pytest.approx(10, rel=1e-3)  # at threshold, an inverse root towards the edge


@pytest.mark.parametrize(
    ("n_cols", "centre", "width"), [(17, 49, 7 * (7 / 12) ** (1 / 3)), (2, 16, 4 * (4 / 3) ** (1 / 3))]
)
def test_the_edge_of_oblong_noise_by_hand(n_cols, centre, width):
    """Of 9 rows: centre (4 + 3)² and width 7 · (1/4 + 1/3)^(1/3), or (1 + 3)² and 4 · (1 + 1/3)^(1/3)."""
    mean = np.sqrt((centre - 1.2065336 * width) / n_cols)
    expected = mean, 1.2679831 * width / (2 * np.sqrt(n_cols * centre))
    assert spiked.largest_noise_singular_value(n_cols, 9) == pytest.approx(expected, rel=1e-12)
