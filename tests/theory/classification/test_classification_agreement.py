"""Label agreement to all digits, against the law of a pair as an integral over its correlation."""

import numpy as np
import pytest
from scipy.special import ndtr

from mtlbook_lib.theory.classification import label_agreement

NODES, WEIGHTS = np.polynomial.legendre.leggauss(60)


def opposed_both_below(x, y, rho):
    """The same from correlation -1, where no pair is below unless x + y > 0; small values keep their digits."""
    law = np.maximum(ndtr(x) - ndtr(-y), 0.0)
    half = (np.arcsin(rho) + np.pi / 2) / 2
    for node, weight in zip(half * (1 + NODES), half * WEIGHTS, strict=True):
        r = -np.cos(node)
        law = law + weight * np.sin(node) * density(x, y, r)
    return law


def density(x, y, rho):
    return np.exp(-(x**2 + y**2 - 2 * rho * x * y) / (2 * (1 - rho**2))) / (2 * np.pi * np.sqrt(1 - rho**2))


def both_below(x, y, rho):
    """The density at (x, y) is the slope of the law in the correlation, here the sine of an angle."""
    half = np.arcsin(rho) / 2
    law = ndtr(x) * ndtr(y)
    for node, weight in zip(half * (1 + NODES), half * WEIGHTS, strict=True):
        law = law + weight * np.cos(node) * density(x, y, np.sin(node))
    return law


@pytest.mark.parametrize("overlap", [0.55, -0.6])
def test_agreement_to_ten_digits(overlap):
    """Trapezoids over the logits themselves; the classes of an array share what is computed."""
    x = np.arange(-8.3, 8.3, 0.13)
    law, weights = both_below(x[:, None], x, overlap), 0.13**2 * density(x[:, None], x, overlap)
    classes = np.array([3, 40, 2, 700])
    expected = [k * np.sum(weights * np.maximum(law, 0.0) ** (k - 1)) for k in classes.tolist()]
    assert label_agreement(overlap, classes) == pytest.approx(expected, rel=5e-11, abs=0)
    assert [label_agreement(overlap, int(k)) for k in classes] == pytest.approx(expected, rel=5e-11, abs=0)


@pytest.mark.parametrize(("overlap", "k"), [(-0.99, 7), (-0.9, 10**4)])
def test_opposed_labels_agree_where_the_sum_of_the_logits_is_extreme(overlap, k):
    total, difference = np.arange(-9.0, 40.0, 0.06)[:, None], np.arange(-9.0, 9.0, 0.06)
    part, rest = np.sqrt((1 + overlap) / 2) * total, np.sqrt((1 - overlap) / 2) * difference
    law = opposed_both_below(part + rest, part - rest, overlap)
    value = k * 0.06**2 / (2 * np.pi) * np.sum(np.exp(-(total**2 + difference**2) / 2) * law ** (k - 1))
    assert label_agreement(overlap, k) == pytest.approx(value, rel=1e-7, abs=0)


@pytest.mark.parametrize("k", [2, 10, 10**6, 10**9])
def test_independent_labels_agree_once_in_k(k):
    assert label_agreement(0.0, k) * k == pytest.approx(1.0, abs=1e-13)
