"""Part I: with its hypotheses a theorem's conclusion is seen in numbers; without one of them it is not."""

import numpy as np
import pytest
from numbers_of_flows import frame

from mtlbook_lib.theory import marchenko_pastur, spiked

N = 300


def share_beyond(mass, z):
    """The share of singular values beyond the point that has the `mass` of the law to its right."""
    values = np.linalg.svd(z, compute_uv=False)
    return np.mean(values > marchenko_pastur.tail_quantile(mass, z.shape[0] / z.shape[1]))


def test_thm_marchenko_pastur__one_law_of_the_entries():
    rng = np.random.default_rng(0)
    signs = rng.choice([-1.0, 1.0], size=(N, 2 * N)) / np.sqrt(2 * N)
    assert abs(share_beyond(0.99, signs) - 0.99) < 0.02
    # Entries of the same variance, whose law changes with the size: about one in a row is not zero.
    rare = np.sqrt(2 * N) * (rng.random((N, 2 * N)) < 1 / (2 * N)) * signs
    assert share_beyond(0.99, rare) < 0.8


def test_thm_marchenko_pastur__independent_entries():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(N, 2 * N)) / np.sqrt(2 * N)
    assert abs(share_beyond(0.5, z) - 0.5) < 0.02
    twice = np.concatenate([z[: N // 2], z[: N // 2]])
    assert abs(share_beyond(0.5, twice) - 0.5) > 0.05


def test_thm_noise_edge__gaussian_entries():
    rng = np.random.default_rng(1)
    n, (a, b) = 60, (np.sqrt(59), np.sqrt(60))

    def edge(draw):
        tops = [np.linalg.norm(draw(), 2) ** 2 for _ in range(100)]
        return (np.mean(tops) - (a + b) ** 2) / ((a + b) * (1 / a + 1 / b) ** (1 / 3))

    assert abs(edge(lambda: rng.normal(size=(n, n))) + 1.21) < 0.5
    # Of variance one, but with a fourth moment that is infinite: single entries stand above the edge.
    assert edge(lambda: rng.standard_t(2.5, size=(n, n)) / np.sqrt(5)) > 3


def with_teacher(rng, strengths, noise):
    u, v = frame(rng, N, len(strengths)), frame(rng, N, len(strengths))
    left, values, right = np.linalg.svd(u * strengths @ v.T + noise)
    return u, v, left, values, right.T


def gaussian(rng):
    return rng.normal(size=(N, N)) / np.sqrt(N)


def test_thm_spiked__visible():
    rng = np.random.default_rng(2)
    for s, visible in ((2.0, True), (0.7, False)):
        u, _, left, values, _ = with_teacher(rng, [s], gaussian(rng))
        formula = np.sqrt((1 + s**2) * (1 + s**2)) / s
        assert (abs(values[0] - formula) < 0.1) == visible
        assert (abs((left[:, 0] @ u[:, 0]) ** 2 - (s**4 - 1) / (s**4 + s**2)) < 0.1) == visible


@pytest.mark.parametrize("chosen", [False, True])
def test_thm_spiked__a_teacher_apart_from_the_noise(chosen):
    """The noise's own first vectors are uniformly random, too, but their strengths add."""
    rng, s = np.random.default_rng(7), 2.0
    noise = gaussian(rng)
    own, _, of_inputs = np.linalg.svd(noise)
    u, v = (own[:, :1], of_inputs[:1].T) if chosen else (frame(rng, N, 1), frame(rng, N, 1))
    top = np.linalg.norm(s * u @ v.T + noise, 2)
    assert top == pytest.approx(s + 2 if chosen else s + 1 / s, abs=0.1)


def test_thm_spiked__distinct_values():
    rng = np.random.default_rng(3)

    def misses(strengths):
        found = []
        for _ in range(4):
            u, _, left, _, _ = with_teacher(rng, strengths, gaussian(rng))
            found.append((left[:, 0] @ u[:, 0]) ** 2 - spiked.left_overlap(strengths[0], 1.0) ** 2)
        return np.max(np.abs(found))

    assert misses([4.0, 2.0]) < 0.05
    assert misses([4.0, 4.0]) > 0.2  # the data's first mode is anywhere in the plane of the two


def test_thm_spiked__a_fixed_number_of_values():
    rng = np.random.default_rng(4)
    assert abs(with_teacher(rng, [2.0], gaussian(rng))[3][0] - 2.5) < 0.1
    many = with_teacher(rng, np.linspace(2, 1.9, N // 2), gaussian(rng))[3]
    assert many[0] > 2.9


def test_thm_spiked__a_finite_fourth_moment():
    rng = np.random.default_rng(5)
    signs = rng.choice([-1.0, 1.0], size=(N, N)) / np.sqrt(N)
    assert abs(with_teacher(rng, [2.0], signs)[3][0] - 2.5) < 0.1
    heavy = rng.standard_t(2.2, size=(N, N)) / np.sqrt(11 * N)
    assert with_teacher(rng, [2.0], heavy)[3][0] > 3


def test_thm_spiked__gaussian_entries_for_a_teacher_of_any_direction():
    """It is not enough that the law of the noise is the same in all directions: its singular values count too."""
    rng = np.random.default_rng(8)
    assert abs(with_teacher(rng, [2.0], gaussian(rng))[3][0] - 2.5) < 0.05
    orthogonal = frame(rng, N, N)  # of the same variance, and all its singular values are one
    assert abs(with_teacher(rng, [2.0], orthogonal)[3][0] - (1 + np.sqrt(2))) < 0.02


def test_thm_spiked__noise_alike_in_all_directions():
    """Noise of the same mean variance, louder in the rows where the teacher sits."""
    rng = np.random.default_rng(6)
    loud = np.where(np.arange(N) < N // 2, np.sqrt(1.8), np.sqrt(0.2))[:, None]
    even, v = np.ones(N) / np.sqrt(N), frame(rng, N, 1)[:, 0]
    on_the_loud = np.where(np.arange(N) < N // 2, 1.0, 0.0) / np.sqrt(N / 2)
    for noise, u, met in ((1.0, even, True), (loud, on_the_loud, False)):
        values = np.linalg.svd(2 * np.outer(u, v) + noise * gaussian(rng), compute_uv=False)
        assert (abs(values[0] - 2.5) < 0.1) == met


def test_thm_shrinkage__the_limit():
    rng = np.random.default_rng(7)

    def error(n):
        found = []
        for _ in range(6000 // n):
            u, v = frame(rng, n, 1), frame(rng, n, 1)
            left, values, right = np.linalg.svd(2 * u @ v.T + rng.normal(size=(n, n)) / np.sqrt(n))
            best = 2 * (left[:, 0] @ u[:, 0]) * (right[0] @ v[:, 0])
            found.append(abs(best - spiked.optimal_shrinkage(max(values[0], 2.0), 1.0)))
        return np.mean(found)

    assert error(N) < 0.07
    assert error(6) > 0.2


def test_thm_shrinkage__noise_of_unit_size():
    rng = np.random.default_rng(8)
    for size, met in ((1.0, True), (1.5, False)):
        u, v, left, values, right = with_teacher(rng, [3.0], size * gaussian(rng))
        best = 3 * (left[:, 0] @ u[:, 0]) * (right[:, 0] @ v[:, 0])
        assert (abs(best - spiked.optimal_shrinkage(values[0], 1.0)) < 0.1) == met


def components(rng, n, strengths):
    """Terms of the best strengths of the data's modes, one for each mode of the teacher: (data, teacher)."""
    u, v = frame(rng, n, len(strengths)), frame(rng, n, len(strengths))
    left, _, right = np.linalg.svd(u * strengths @ v.T + rng.normal(size=(n, n)) / np.sqrt(n))
    return strengths * (left.T @ u) * (right @ v)


def test_thm_shrinkage__distinct_strengths():
    """Each best strength is the mode's own, with its sign; of equal modes the others' part stays at any size."""
    rng = np.random.default_rng(9)

    def apart(strengths):
        best = strengths * spiked.overlap(strengths, 1.0)
        found = [np.abs(components(rng, N, strengths)[: len(strengths)] - np.diag(best)).max() for _ in range(4)]
        return np.mean(found)

    assert apart(np.array([4.0, 2.0])) < 0.12
    assert apart(np.array([3.0, 3.0])) > 0.3


def test_thm_shrinkage__strengths_far_apart_for_the_size():
    """In a sixty by sixty matrix 3 and 2.9 are not distinct enough: a large part of the best is the other mode's."""
    rng = np.random.default_rng(10)

    def of_the_other(strengths, n):
        return np.mean([abs(components(rng, n, strengths)[0, 1]) for _ in range(20)])

    assert of_the_other(np.array([3.0, 2.0]), 60) < 0.1
    assert of_the_other(np.array([3.0, 2.9]), 60) > 0.3


def test_thm_shrinkage__a_fixed_number_of_modes():
    """What the best strengths of all invisible modes hold of the teacher: nothing, unless the modes are many."""
    rng = np.random.default_rng(11)

    def held(strengths, n_visible):
        best = components(rng, N, strengths).sum(axis=1)[n_visible:]
        return np.sum(best**2) / np.sum(strengths**2)

    assert held(np.array([3.0, 0.8]), 1) < 0.02
    assert held(np.linspace(0.9, 0.8, N // 2), 0) > 0.2
