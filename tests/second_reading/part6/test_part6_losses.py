"""Logistic loss, stopping, depth and noise, read a second time with code and data sets of our own."""

import numpy as np
import pytest
from own_diagonal import examples
from own_losses import interpolator, largest_margin, least_l1, logistic, sparse, three_layers, two_layers


def excesses(seeds, layers, alpha):
    """How much more l1 norm than the least the interpolators have, by seed."""
    found = []
    for seed in seeds:
        rng = np.random.default_rng([seed, 78])
        x = examples(rng, 20, 60)
        y = x @ sparse(rng, 60, 4)
        found.append(np.abs(interpolator(x, y, layers(alpha))).sum() / least_l1(x, y) - 1)
    return np.array(found)


@pytest.mark.claims("other-chain-l1")
def test_a_third_layer_takes_nine_tenths_of_the_excess_but_not_all():
    ratio = excesses(range(8), three_layers, 0.06).mean() / excesses(range(8), two_layers, 0.06).mean()
    assert 0.02 < ratio < 0.1


@pytest.mark.claims("other-chain-power")
def test_the_cube_is_of_the_median_and_not_of_every_data_set():
    seeds = range(120, 144)
    large, small = (excesses(seeds, three_layers, alpha) for alpha in (0.02, 0.005))
    each = np.log(large / small) / np.log(4)
    assert np.median(each) == pytest.approx(2.93, abs=0.03)
    assert each.min() < 2.2


def classes(seed, shared):
    """Signed examples of a main task and of another one of 40 inputs, four features each."""
    rng = np.random.default_rng([seed, 313, shared])
    place = rng.permutation(40)
    teachers = np.zeros((2, 40))
    teachers[0, place[:4]], teachers[1, place[4 - shared : 8 - shared]] = rng.choice([-1.0, 1.0], (2, 4))
    x = [examples(rng, n, 40) for n in (20, 60)]
    return [z * np.sign(z @ t)[:, None] for z, t in zip(x, teachers, strict=True)]


def pretrained(aux, alpha, gamma=1e-3):
    """Both parts of the coefficients after pretraining from equal weights, with a readout of gamma."""
    root = np.sqrt(aux**2 + 4 * alpha**4)
    up, down = np.sqrt((root + aux) / 2), np.sqrt((root - aux) / 2)
    return ((up + gamma) ** 2 + (down - gamma) ** 2) / 4, ((up - gamma) ** 2 + (down + gamma) ** 2) / 4


def cosine(a, b):
    return a @ b / np.linalg.norm(a) / np.linalg.norm(b)


@pytest.mark.claims("other-fading", "other-identical")
def test_pretraining_fades_when_it_is_held_and_not_when_it_is_as_long():
    alpha, marks = 0.1, [10.0, 250.0]
    main, other = classes(0, 0)
    width = np.full(40, alpha**2)
    alone, aux = (logistic(z, width, width, marks) for z in (main, other))
    held = [cosine(*pair) for pair in zip(alone, logistic(main, *pretrained(aux[0], alpha), marks), strict=True)]
    along = cosine(alone[1], logistic(main, *pretrained(aux[1], alpha), marks)[1])
    assert held[0] + 0.05 < held[1] < 0.97
    assert along < held[1] - 0.05


@pytest.mark.claims("other-margin", "other-start")
def test_the_margin_is_largest_from_starts_that_are_neither_large_nor_small():
    main, _ = classes(1, 0)
    ends = [logistic(main, *np.full((2, 40), a**2), [250.0])[0] for a in (3.0, 0.3, 1e-3)]
    large, middle, small = ((main @ end).min() / np.abs(end).sum() / largest_margin(main) for end in ends)
    assert middle > large + 0.04
    assert middle > small + 0.03


def descent(x, y, alpha, rate, steps, rng=None):
    """Weights of both pathways by steps on the mean square or on one example; sum of squared pulls."""
    up, down, pulls = np.full(x.shape[1], alpha), np.full(x.shape[1], alpha), 0.0
    for _ in range(steps):
        rows = slice(None) if rng is None else [rng.integers(len(y))]
        left = y[rows] - x[rows] @ (up**2 - down**2)
        pull = 2 * x[rows].T @ left / len(left)
        up, down, pulls = up * (1 + rate * pull), down * (1 - rate * pull), pulls + pull**2
    return up, down, pulls


def regression(seed, noise):
    rng = np.random.default_rng([seed, 404])
    x = examples(rng, 40, 100)
    return x, x @ sparse(rng, 100, 5) + noise * np.sqrt(0.05) * rng.standard_normal(40), rng


@pytest.mark.claims("other-stopped")
@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_a_stopped_network_is_its_own_interpolator_and_not_that_of_the_labels(noise):
    x, y, _ = regression(0, noise)
    up, down, _ = descent(x, y, 1e-3, 0.5, 400)
    beta = up**2 - down**2
    own, last = (interpolator(x, outputs, two_layers(1e-3)) for outputs in (x @ beta, y))
    assert np.linalg.norm(beta - own) < 5e-3 * np.linalg.norm(beta)
    assert np.linalg.norm(beta - last) > 0.1 * np.linalg.norm(beta)


@pytest.mark.claims("other-noise-width")
def test_noisy_steps_take_of_the_width_what_their_pulls_say():
    x, y, rng = regression(1, 0.0)
    up, down, pulls = descent(x, y, 0.1, 0.5, 4000, rng)
    fall = -np.log(np.abs(up * down) / 0.01)
    assert fall.mean() == pytest.approx(0.25 * pulls.mean(), rel=0.02)
    assert 0.03 < fall.mean() < 0.15
