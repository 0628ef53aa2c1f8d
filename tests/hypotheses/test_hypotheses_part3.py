"""Part III: with its hypotheses a theorem's conclusion is seen in numbers; without one of them it is not."""

import numpy as np
import pytest
from numbers_of_flows import frame, layers_flow

from mtlbook_lib.theory import spiked, transfer
from mtlbook_lib.theory.linear_dynamics import mode_strength
from mtlbook_lib.theory.transfer import alike_error, composite_modes
from mtlbook_lib.theory.transfer.known_shares import head_change, known_share_strength


def gram(q):
    return np.array([[1.0, q], [q, 1.0]])


def test_thm_modes_alike__equal_strengths():
    q = 0.5
    for strengths, met in (([2.0, 2.0], True), ([2.0, 1.0], False)):
        sigma, _ = composite_modes([[s] for s in strengths], gram(q))
        s = np.sqrt(np.mean(np.square(strengths)))
        assert (np.abs(sigma**2 - s**2 * np.array([1 + q, 1 - q])).max() < 1e-9) == met
        assert met or np.abs(sigma**2 - s**2 * np.array([1 + q, 1 - q])).max() > 0.2


def test_thm_modes_alike__one_similarity_for_all_pairs():
    for similarities, met in (([0.5, 0.5, 0.5], True), ([0.9, 0.5, 0.1], False)):
        g = np.eye(3)
        g[np.triu_indices(3, 1)] = similarities
        sigma, _ = composite_modes([[1.0]] * 3, np.maximum(g, g.T))
        assert (np.abs(sigma**2 - [2.0, 0.5, 0.5]).max() < 1e-9) == met
        assert met or np.abs(sigma**2 - [2.0, 0.5, 0.5]).max() > 0.1


def test_thm_modes_alike__the_same_input_mode():
    for q, modes in ((1.0, 1), (0.9, 2)):
        sigma, _ = composite_modes([[2.0], [1.0]], gram(q))
        assert np.sum(sigma > 1e-6) == modes
        assert (abs(sigma[0] ** 2 - 5) < 1e-9) == (q == 1)


def gain(s, q, heads, aspect):
    return alike_error(s, q, 1, aspect) - alike_error(s, q, heads, aspect)


@pytest.mark.parametrize("heads", [2, 4])
def test_thm_border_alike__as_many_rows_as_inputs_together(heads):
    s = 1.6
    border = s**2 / (1 + s**2)
    assert abs(gain(s, border, heads, 1 / heads)) < 1e-12
    assert abs(gain(s, border, heads, 2 / heads)) > 0.01


def test_thm_border_alike__large_strengths_and_no_fewer_rows_than_inputs():
    s = 20.0
    for aspect, met in ((0.8, True), (0.2, False)):
        border = 1 - s**-2 + (1.5 - aspect) * s**-4
        near = gain(s, border - 20 * s**-6, 2, aspect) * gain(s, border + 20 * s**-6, 2, aspect)
        assert (near < 0) == met
    # Small strengths: the first terms of the series miss the border by far more than the first one left out.
    assert abs(gain(1.0, 1 - 1 + 0.7, 2, 0.8)) > 0.01


def test_thm_border_alike__visible_alone():
    """Below the threshold there is nothing to lose alone, and no border at this similarity."""
    s = 0.7  # the threshold of one task is 0.84
    border = s**2 / (1 + s**2)
    assert gain(0.9, 0.9**2 / (1 + 0.9**2) + 0.05, 2, 0.5) > 0.001
    assert abs(gain(s, border + 0.05, 2, 0.5)) < 1e-12


def test_thm_heads_all_or_none__half_as_many_outputs_as_inputs():
    s = 200.0
    for aspect, none in ((0.6, True), (0.25, False)):
        two, many = (gain(s, 1 - 1.0 / s**2, heads, aspect) * s**2 for heads in (2, 10**6))
        assert (two < 1e-3) == none
        assert abs(many) < 1e-3
        assert none or two > 0.03


def test_thm_heads_all_or_none__strong_tasks():
    c, heads, aspect = 0.5, 4, 0.6
    law = (1 - 1 / heads) * (1 - c)
    assert abs(gain(200.0, 1 - c / 200.0**2, heads, aspect) * 200.0**2 - law) < 1e-3
    assert abs(gain(1.0, 1 - c, heads, aspect) - law) > 0.1


def test_thm_heads_all_or_none__strengths_that_heads_share():
    """Two visible difference modes are equally strong: a head that knows its shares of the data's modes does better."""
    rng, s, c, heads, aspect = np.random.default_rng(3), 8.0, 3.0, 3, 0.5
    axes, rows = np.eye(100), 50
    own = s * (np.sqrt(1 - c / s**2) * axes[0] + np.sqrt(c) / s * axes[1 : heads + 1])  # input modes of the tasks
    clean = np.zeros((heads * rows, 100))
    clean[::rows] = own
    sigma, _ = composite_modes([[s]] * heads, own @ own.T / s**2)
    shared = sigma * spiked.overlap(sigma, heads * aspect)
    ahead = []
    for _ in range(60):
        left, _, right = np.linalg.svd(clean + rng.normal(size=clean.shape) / 10, full_matrices=False)
        left, right = left[:rows, :heads], right[:heads]
        seen = np.einsum("ia,ij,aj->a", left, clean[:rows], right)
        best = np.linalg.solve((left.T @ left) * (right @ right.T), seen)
        errors = [np.sum((clean[:rows] - left * x @ right) ** 2) for x in (shared, best)]
        ahead.append(errors[0] - errors[1])
    assert np.mean(ahead) > 0.05 + 4 * np.std(ahead) / np.sqrt(60)
    alone = gain(s, 1 - c / s**2, heads, aspect) * s**2
    assert alone < -0.5  # with shared strengths this company harms, so the difference counts


def spread_of_start(rng, draw):
    """Variance of a rectified teacher's label for a mode along an axis, and for one along the diagonal."""
    x = draw((60_000, 4))
    return [np.var(np.maximum(x @ v, 0)) for v in (np.eye(4)[0], np.full(4, 0.5))]


def test_thm_leaky_inputs__inputs_alike_in_all_directions():
    """The variance of a rectified teacher's labels, the error before training, depends on the direction."""
    rng = np.random.default_rng(0)
    axis, diagonal = spread_of_start(rng, lambda size: rng.normal(size=size))
    assert abs(axis - diagonal) < 0.01
    axis, diagonal = spread_of_start(rng, lambda size: rng.choice([-1.0, 1.0], size=size))
    assert diagonal - axis > 0.04


def on_circle(angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


GRID = 2 * np.pi * np.arange(360) / 360


@pytest.mark.parametrize("dependent", [False, True])
def test_thm_leaky_inputs__first_weights_apart_from_the_inputs(dependent):
    """One input and one unit, before training: the unit's weights are the input, mirrored, and have the same law."""
    x = on_circle(GRID)
    starts = [x * [1, -1]] if dependent else [on_circle(GRID[k] + 0 * GRID) for k in range(0, 360, 5)]
    one, other = (
        np.mean([(np.maximum(x @ v, 0) - np.maximum(np.sum(w * x, axis=1), 0)) ** 2 for w in starts]) for v in np.eye(2)
    )
    assert (abs(one - other) < 1e-3) == (not dependent)
    assert not dependent or abs(one - other) > 0.2


@pytest.mark.parametrize("places", [(0.0, 2 * np.pi / 3, 4 * np.pi / 3), (0.0, 0.7, 2.8)])
def test_thm_leaky_inputs__inputs_that_may_be_mirrored(places):
    """Three inputs, turned at random. With angles that their mirror image has not, A tells B from B's image."""
    x = on_circle(GRID[::4, None] + np.array(places))

    def mean_error(angle):
        a, b = np.maximum(x[..., 0], 0), np.maximum(x @ on_circle(angle), 0)
        found = []
        for start in on_circle(GRID[::4]):  # of one unit, whose output both heads take as it is
            w = np.tile(0.1 * start, (len(x), 1))
            for _ in range(30):
                seen = np.einsum("ijk,ik->ij", x, w)
                rest = (2 * np.maximum(seen, 0) - a - b) * (seen > 0)
                w = w - 0.3 * np.einsum("ij,ijk->ik", rest, x)
            found.append(np.sum((np.maximum(np.einsum("ijk,ik->ij", x, w), 0) - a) ** 2, axis=1))
        return np.mean(found)

    change = abs(mean_error(1.2) / mean_error(-1.2) - 1)
    assert change < 1e-6 if places[2] > 4 else change > 0.05


def head_energy(sigma, weights, shares):
    """Change of the error of a head whose strengths follow from `shares`, true ones being `weights`."""
    strengths = [known_share_strength(s, p, 0.5) for s, p in zip(sigma, shares, strict=True)]
    return sum(head_change(x, s, w, 0.5) for x, s, w in zip(strengths, sigma, weights, strict=True))


def test_thm_heads_best__known_shares():
    sigma, weights = composite_modes([[1.5], [3.0]], gram(0.5))
    joint = 2 * [0.5]
    assert head_energy(sigma, weights[0], weights[0]) <= head_energy(sigma, weights[0], joint)
    # The shares of the other head in their place.
    assert head_energy(sigma, weights[0], weights[1]) > head_energy(sigma, weights[0], joint) + 0.1


def alone(rng, u, v, noise, inputs=None):
    """Mean error of the best multiple of the data's first mode, for one rank-one teacher."""
    n, found = 8, []
    for _ in range(1500):
        x = np.eye(n) if inputs is None else inputs
        data = 2 * np.outer(u, v) @ x @ x.T + noise() @ x.T
        left, _, right = np.linalg.svd(data)
        found.append((u @ left[:, 0]) ** 2 * (v @ right[0]) ** 2)
    return 1 - np.mean(found)


@pytest.mark.parametrize("even", [True, False])
def test_thm_transfer__noise_alike_for_all_outputs(even):
    rng = np.random.default_rng(1)
    sizes = np.ones(8) if even else np.array([2.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
    v, axis, diagonal = frame(rng, 8, 1)[:, 0], np.eye(8)[0], np.ones(8) / np.sqrt(8)
    one, other = (
        alone(rng, u, v, lambda: sizes[:, None] * rng.normal(size=(8, 8)) / np.sqrt(8)) for u in (axis, diagonal)
    )
    assert (abs(one - other) < 0.03) == even
    assert even or abs(one - other) > 0.05


def steps_until_learned(v, rate):
    """Steps that an aligned student of two layers takes along `rate` of its gradients to half of its error."""
    u = np.eye(8)[0]
    data, weights = np.outer(u, v), [0.3 * np.outer(u, v), 0.3 * np.outer(u, u)]
    for step in range(2000):
        error = weights[1] @ weights[0] - data
        if np.sum(error[0] ** 2) < 0.5:
            return step
        gradients = weights[1].T @ error, error @ weights[0].T
        weights = [w - rate(g) for w, g in zip(weights, gradients, strict=True)]
    raise AssertionError("not learned")


@pytest.mark.parametrize(("rate", "met"), [(lambda g: 0.01 * g, True), (lambda g: 0.01 * np.sign(g), False)])
def test_thm_transfer__descent(rate, met):
    """Adam's first steps have one size for every weight, so that a mode along an axis is learned in another time."""
    axis, diagonal = (steps_until_learned(v, rate) for v in (np.eye(8)[0], np.ones(8) / np.sqrt(8)))
    assert (abs(axis / diagonal - 1) < 0.01) == met
    assert met or abs(axis / diagonal - 1) > 0.2


@pytest.mark.parametrize("orthonormal", [True, False])
def test_thm_transfer__orthonormal_inputs(orthonormal):
    rng = np.random.default_rng(2)
    inputs = np.eye(8) if orthonormal else np.diag([2.0, 1, 1, 1, 0.7, 0.7, 0.7, 0.2])
    u, first, last = frame(rng, 8, 1)[:, 0], np.eye(8)[0], np.eye(8)[7]
    one, other = (alone(rng, u, v, lambda: rng.normal(size=(8, 8)) / np.sqrt(8), inputs) for v in (first, last))
    assert (abs(one - other) < 0.03) == orthonormal
    assert orthonormal or abs(one - other) > 0.3


def test_thm_composite_modes__outputs_of_their_own():
    rng = np.random.default_rng(3)
    v = frame(rng, 5, 2) @ np.linalg.cholesky(gram(0.6)).T
    sigma, _ = composite_modes([[2.0], [1.0]], gram(0.6))
    own = np.stack([2 * v[:, 0], v[:, 1]])  # one output for each task
    assert np.allclose(np.linalg.svd(own, compute_uv=False), sigma)
    shared = own.sum(axis=0, keepdims=True)  # one output for both
    assert abs(np.linalg.svd(shared, compute_uv=False)[0] - sigma[0]) > 0.2


def test_thm_composite_modes__orthonormal_modes_within_a_task():
    sigma, _ = composite_modes([[2.0, 1.0]], np.eye(2))
    assert np.allclose(sigma, [2, 1])
    leaning = np.diag([2.0, 1.0]) @ np.linalg.cholesky(gram(0.6))
    assert abs(np.linalg.svd(leaning, compute_uv=False)[0] - 2) > 0.05


def test_eq_rank_one_pair__modes_that_differ():
    """Equal strengths and no similarity: how one comes there decides the weights."""
    by_similarity = composite_modes([[1.0], [1.0]], gram(1e-6))[1]
    by_strength = composite_modes([[1.0 + 1e-6], [1.0]], gram(0.0))[1]
    assert np.allclose(by_similarity, 0.5)
    assert np.allclose(np.sort(by_strength, axis=None), [0, 0, 1, 1])


def test_thm_crossing__half_as_many_outputs_as_inputs():
    s = 1.5
    border = s**2 / (1 + s**2)
    assert abs(transfer.rank_one_pair(s, s, border, 0.5)[2]) < 1e-12
    assert abs(transfer.rank_one_pair(s, s, border, 0.9)[2]) > 0.01


def test_thm_crossing__equal_strengths():
    s = 1.5
    border = s**2 / (1 + s**2)
    assert abs(transfer.rank_one_pair(s, s, border, 0.5)[2]) < 1e-12
    assert abs(transfer.rank_one_pair(s, 2 * s, border, 0.5)[2]) > 0.01


def test_thm_crossing__visible():
    s = 0.7  # below the threshold, 0.84: neither has anything to lose
    assert transfer.rank_one_pair(s, s, s**2 / (1 + s**2) + 0.05, 0.5)[2] == pytest.approx(0)
    assert transfer.rank_one_pair(1.5, 1.5, 2.25 / 3.25 + 0.05, 0.5)[2] > 0.005


def test_thm_transfer__a_start_apart_from_the_noise():
    """Of one weight matrix, half trained: a start that is the noise, mirrored in the first input, knows that input."""
    rng = np.random.default_rng(4)
    z, own = rng.normal(size=(2, 20_000, 2, 2)) / np.sqrt(2)
    mirrored = z * [-1, 1]

    def spread(start, v):
        clean = np.outer([1.0, 0.0], v)
        return np.var(np.sum(((start + clean + z) / 2 - clean) ** 2, axis=(1, 2)))

    one, other = (spread(own, v) for v in np.eye(2))
    assert abs(one / other - 1) < 0.1
    one, other = (spread(mirrored, v) for v in np.eye(2))
    assert one < 0.7 * other


@pytest.mark.parametrize("tilt", [1.0, 2.0])
def test_eq_head_network__balanced_layers(tilt):
    rng = np.random.default_rng(5)
    data = rng.normal(size=(4, 5))  # two heads of two outputs, stacked
    left, s_hat, right = np.linalg.svd(data, full_matrices=False)
    hidden, eps, t = frame(rng, 6, 4), 0.05, 0.7
    first, second = layers_flow(
        tilt * np.sqrt(eps) * hidden @ right, np.sqrt(eps) * left @ hidden.T / tilt, data, np.eye(5), t
    )
    gap = np.abs(second @ first - left * mode_strength(t, s_hat, eps) @ right)[:2].max()
    assert (gap < 1e-6) == (tilt == 1)
    assert tilt == 1 or gap > 0.05
