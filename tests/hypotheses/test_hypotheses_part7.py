"""Part VII: with its hypotheses the theorem's conclusion is seen in numbers; without one of them it is not."""

import numpy as np
import pytest

D, N, OWN = 14, 6, 1.5


def error_at_the_end(rng, roots=1.0, dependent=False, n=N):
    """Mean error of the least-norm fit of the own part, in units of the noise that plain least squares keeps."""
    count = 12_000
    x = rng.normal(size=(count, n, D)) * roots
    own = rng.normal(size=(count, D))
    own *= np.sqrt(OWN) / np.linalg.norm(own, axis=1, keepdims=True)
    noise = rng.normal(size=(count, n))
    if dependent:  # of the same mean variance, louder where the inputs are long
        length = np.sum(x**2, axis=2)
        noise *= length / np.sqrt(np.mean(length**2))
    y = np.einsum("cnd,cd->cn", x, own) + noise
    fit = np.einsum("cdn,cn->cd", np.linalg.pinv(x), y)
    return np.mean(np.sum((fit - own) ** 2 * roots**2, axis=1)) * n / D


def law(n=N):
    delta = n / D
    return (1 - delta) * OWN * delta + delta * n / (D - n - 1)


@pytest.mark.parametrize(
    ("changes", "met"),
    [
        ({}, True),
        ({"roots": np.sqrt(np.r_[np.full(2, 5.0), np.full(12, 4 / 12)])}, False),
        ({"dependent": True}, False),
    ],
)
def test_thm_picture_trained__standard_normal_inputs_and_noise_apart_from_them(changes, met):
    found = error_at_the_end(np.random.default_rng(0), **changes)
    assert (abs(found / law() - 1) < 0.03) == met
    assert met or abs(found / law() - 1) > 0.06


def test_thm_picture_trained__fewer_examples_than_inputs_or_more():
    """Next to as many examples as inputs the mean has no finite value; the formula for few would be negative."""
    assert law(n=D + 6) < 0
    assert error_at_the_end(np.random.default_rng(1), n=D + 6) == pytest.approx((D + 6) / 5, rel=0.03)


def test_thm_picture_trained__descent_from_the_shared_model():
    """Descent that starts elsewhere keeps what it had in the directions without data."""
    rng = np.random.default_rng(2)
    x, own = rng.normal(size=(2000, N, D)), rng.normal(size=D)
    seen = np.linalg.pinv(x) @ x
    from_zero = np.mean([np.sum((s @ own - own) ** 2) for s in seen]) / np.sum(own**2)
    elsewhere = np.mean([np.sum((s @ own + (np.eye(D) - s) @ -own - own) ** 2) for s in seen]) / np.sum(own**2)
    assert from_zero == pytest.approx(1 - N / D, abs=0.02)
    assert elsewhere > 3 * from_zero
