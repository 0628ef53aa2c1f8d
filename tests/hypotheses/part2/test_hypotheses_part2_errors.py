"""Part II, errors: with its hypotheses a theorem's conclusion is seen in numbers; without one of them it is not."""

import numpy as np
import pytest
from numbers_of_flows import frame, layers_flow, teacher

from mtlbook_lib.theory import generalization, spiked
from mtlbook_lib.theory.linear_dynamics import mode_strength


def aligned_errors(rng, inputs, test_roots, turn=False):
    """The errors of a student in the modes of the data, as they are and by the formulas of the chapter."""
    clean = teacher(rng, 4, 6, [3.0, 1.5])
    y = clean @ inputs + rng.normal(size=(4, inputs.shape[1])) / np.sqrt(6)
    data = y @ inputs.T
    left, s_hat, right = np.linalg.svd(data, full_matrices=False)
    if turn:
        left, right = frame(rng, 4, 4), frame(rng, 6, 4).T
    x = mode_strength(0.4, s_hat, 0.01)
    w = left * x @ right
    train = np.sum((y - w @ inputs) ** 2) / np.sum(y**2)
    test = np.sum(((w - clean) * test_roots) ** 2) / np.sum((clean * test_roots) ** 2)
    captured = np.einsum("ia,ij,aj->a", left, clean, right)
    train_law = 1 + np.sum(x**2 - 2 * x * s_hat) / np.sum(s_hat**2)
    return abs(train - train_law), abs(test - 1 - np.sum(x**2 - 2 * x * captured) / np.sum(clean**2))


def test_thm_aligned_errors__orthonormal_training_inputs():
    rng = np.random.default_rng(0)
    assert max(aligned_errors(rng, frame(rng, 6, 6), 1.0)) < 1e-10
    assert aligned_errors(rng, rng.normal(size=(6, 12)) / np.sqrt(6), 1.0)[0] > 0.05


def test_thm_aligned_errors__white_test_inputs():
    rng = np.random.default_rng(1)
    assert aligned_errors(rng, frame(rng, 6, 6), np.sqrt(np.array([3.0, 3, 1, 1, 0.1, 0.1])))[1] > 0.01


def test_thm_aligned_errors__aligned_student():
    rng = np.random.default_rng(2)
    assert aligned_errors(rng, frame(rng, 6, 6), 1.0, turn=True)[0] > 0.05


def test_thm_aligned_errors__test_inputs_of_mean_zero():
    rng = np.random.default_rng(14)
    w, clean = rng.normal(size=(2, 3, 4))
    law = np.sum((w - clean) ** 2) / np.sum(clean**2)
    for mean, met in ((np.zeros(4), True), (np.array([2.0, 0, 0, -1]), False)):
        x = rng.normal(size=(100_000, 4)) + mean
        error = np.sum((x @ (w - clean).T) ** 2) / np.sum((x @ clean.T) ** 2)
        assert (abs(error / law - 1) < 0.02) == met
        assert met or abs(error / law - 1) > 0.1


def mean_train_error(rng, strengths, t, noise):
    n, found = 60, []
    for _ in range(10):
        s_hat = np.linalg.svd(teacher(rng, n, n, strengths) + noise((n, n)) / np.sqrt(n), compute_uv=False)
        x = mode_strength(t, s_hat, 1e-3)
        found.append(1 + np.sum(x**2 - 2 * x * s_hat) / np.sum(s_hat**2))
    return np.mean(found)


def test_thm_error_curves__a_fixed_number_of_strengths():
    rng = np.random.default_rng(3)
    for strengths, met in (([3.0], True), (np.linspace(1.4, 1.6, 30), False)):
        measured = mean_train_error(rng, strengths, 2.0, lambda size: rng.normal(size=size))
        gap = abs(measured - generalization.train_error(2.0, strengths, 1.0, 60, eps=1e-3))
        assert (gap < 0.03) == met
        assert met or gap > 0.08


def test_thm_error_curves__gaussian_noise():
    """Signs come out the same to this accuracy; a law without a fourth moment does not."""
    rng = np.random.default_rng(4)
    law = generalization.train_error(2.0, [3.0], 1.0, 60, eps=1e-3)
    assert abs(mean_train_error(rng, [3.0], 2.0, lambda size: rng.choice([-1.0, 1.0], size=size)) - law) < 0.03
    heavy = mean_train_error(rng, [3.0], 2.0, lambda size: rng.standard_t(2.1, size=size) / np.sqrt(21))
    assert abs(heavy - law) > 0.1


def error_of_the_data(rng, clean, noise):
    return np.mean([np.sum(noise(clean) ** 2) for _ in range(4000)]) / np.sum(clean**2)


def test_thm_final_error__noise_of_mean_zero():
    rng = np.random.default_rng(5)
    clean = teacher(rng, 3, 4, [2.0])
    law = 3 / 4.0
    for noise in (lambda w: rng.normal(size=w.shape) / 2, lambda w: rng.choice([-0.5, 0.5], size=w.shape)):
        assert abs(error_of_the_data(rng, clean, noise) - law) < 0.03
    # Of the same variance around another mean than zero.
    assert error_of_the_data(rng, clean, lambda w: 0.3 + rng.normal(size=w.shape) / 2) - law > 0.2


def end_error(rng, n, p, clean, noise):
    """Test error at the end of training from next to nothing, and what the law for many examples says of its mean."""
    x = np.sqrt(p / n) * frame(rng, p, n).T if p >= n else frame(rng, n, p)
    inputs = x @ x.T
    w = (clean @ x + noise((len(clean), p)) / np.sqrt(n)) @ x.T @ np.linalg.pinv(inputs)
    return np.sum((w - clean) ** 2) / np.sum(clean**2)


def test_thm_oversampled__at_least_as_many_examples_as_inputs():
    rng = np.random.default_rng(6)
    n, clean = 6, teacher(rng, 6, 6, [2.0])
    for p, met in ((12, True), (6, True), (3, False)):
        errors = [end_error(rng, n, p, clean, lambda size: rng.normal(size=size)) for _ in range(1000)]
        # One example for an input, with the teacher multiplied: the noise over the teacher's energy.
        assert (abs(np.mean(errors) - n / (p / n * 4.0)) < 0.1) == met


def test_thm_oversampled__gaussian_noise():
    """The law of the error, not its mean: signs lose their exact size when examples mix them."""
    rng = np.random.default_rng(7)
    clean = teacher(rng, 2, 2, [2.0])

    def spreads(noise):
        return [np.std([end_error(rng, 2, p, clean, noise) * p for _ in range(1000)]) for p in (2, 8)]

    one, four = spreads(lambda size: rng.normal(size=size))
    assert abs(four / one - 1) < 0.1
    one, four = spreads(lambda size: rng.choice([-1.0, 1.0], size=size))
    assert one < 1e-9
    assert four > 0.5


def undersampled(rng, s, t, v_inside=False, towards_noise=False):
    """Test error of aligned students with half as many examples as inputs."""
    n, p, eps, found = 80, 40, 1e-3, []
    for _ in range(24):
        x, u, v = frame(rng, n, p), frame(rng, n, 1), frame(rng, n, 1)
        v = x[:, :1] if v_inside else v
        clean, noise = s * u @ v.T, rng.normal(size=(n, p)) / np.sqrt(n)
        if towards_noise:  # the same span, with inputs on which the teacher's mode is the noise's strongest one
            ours, theirs = (np.linalg.svd(m)[2] for m in (v.T @ x, noise))
            x = x @ ours.T @ theirs
        left, s_hat, right = np.linalg.svd((clean @ x + noise) @ x.T)
        learned = mode_strength(t, s_hat[:p], eps)
        w = left[:, :p] * learned @ right[:p]
        found.append((np.sum((w - clean) ** 2) + (n - p) * eps**2) / s**2)
    return np.mean(found)


def test_thm_undersampled__inputs_in_random_position():
    rng = np.random.default_rng(8)
    law = generalization.test_error_examples(0.9, [4.0], 80, 80, 40, 1e-3)
    assert abs(undersampled(rng, 4.0, 0.9) - law) < 0.05
    assert law - undersampled(rng, 4.0, 0.9, v_inside=True) > 0.2


def test_thm_undersampled__noise_apart_from_the_inputs():
    rng = np.random.default_rng(9)
    law = generalization.test_error_examples(1.5, [2.0], 80, 80, 40, 1e-3)
    assert abs(undersampled(rng, 2.0, 1.5) - law) < 0.03
    assert law - undersampled(rng, 2.0, 1.5, towards_noise=True) > 0.05


def test_thm_lazy_error__noise_apart_from_the_teacher():
    rng = np.random.default_rng(9)
    clean = teacher(rng, 3, 4, [2.0])
    c = 4.0 / (4.0 + 3)

    def least(noise):
        data = [clean + noise() for _ in range(6000)]
        up, down = np.mean([np.sum(clean * m) for m in data]), np.mean([np.sum(m**2) for m in data])
        return up / down, 1 - up**2 / down / np.sum(clean**2)

    factor, error = least(lambda: rng.normal(size=(3, 4)) / 2)
    assert (factor, error) == pytest.approx((c, 3 / 7), abs=0.02)
    # Of the same energy, but larger where the teacher is.
    assert abs(least(lambda: np.sqrt(3) * clean / 2 * rng.choice([0.2, np.sqrt(1.96)]))[1] - 3 / 7) > 0.1


def test_thm_lazy_error__noise_of_mean_zero():
    rng = np.random.default_rng(11)
    clean = np.diag([2.0, 0.0, 0.0])
    noise = rng.normal(size=(40_000, 3, 3)) / np.sqrt(3)
    for mean, scatter, met in ((0.0, 1.0, True), (0.5 * clean, np.sqrt(2 / 3), False)):
        data = clean + mean + scatter * noise
        assert np.mean(np.sum((data - clean) ** 2, axis=(1, 2))) == pytest.approx(3, rel=0.01)  # the same energy
        least = 1 - np.mean(np.sum(clean * data, axis=(1, 2))) ** 2 / np.mean(np.sum(data**2, axis=(1, 2))) / 4
        assert (abs(least - 3 / 7) < 0.01) == met


def test_thm_lazy_error__noise_of_mean_zero_whatever_the_teacher():
    """Noise that undoes a teacher of random sign has mean zero too, and then a factor finds the teacher."""
    clean = np.diag([2.0, 0.0, 0.0]) * np.array([1.0, -1.0])[:, None, None]
    noise = -np.sqrt(3) / 2 * clean  # the energy of three outputs
    assert np.sum(noise.mean(axis=0) ** 2) == 0
    c = 1 / (1 - np.sqrt(3) / 2)
    assert np.sum((c * (clean + noise) - clean) ** 2) < 1e-12


def test_thm_lazy_error__one_factor_for_all_data():
    rng = np.random.default_rng(10)
    clean = teacher(rng, 1, 2, [1.0])
    data = clean + rng.normal(size=(4000, 1, 2)) / np.sqrt(2)
    own = np.sum(clean * data, axis=(1, 2)) ** 2 / np.sum(data**2, axis=(1, 2))
    assert 1 - own.mean() < 0.5 - 0.05  # the law says one half


def test_thm_random_scale__noise_apart_from_the_teacher():
    rng = np.random.default_rng(11)
    clean = teacher(rng, 3, 4, [2.0])
    law = 3 * generalization.random_label_scale([2.0], 3) ** 2

    def energy(noise):
        return np.mean([np.sum((clean + noise()) ** 2) for _ in range(4000)])

    assert abs(energy(lambda: rng.normal(size=(3, 4)) / 2) - law) < 0.2
    assert energy(lambda: clean * np.sqrt(3) / 2 * rng.choice([0.2, np.sqrt(1.96)])) > law + 2


def test_thm_shrink_random__starts_alike_in_all_directions():
    rng = np.random.default_rng(12)
    clean = np.diag([2.0, 0.5])
    data = clean + rng.normal(size=(2, 2)) / np.sqrt(2)
    left, _, right = np.linalg.svd(data)
    floor = np.sum(clean**2) - np.sum(np.einsum("ia,ij,aj->a", left, clean, right) ** 2)

    def error(turn):
        errors = []
        for _ in range(100):
            a, b = turn(), turn()
            first, second = layers_flow(0.6 * a, 0.6 * b, data, np.eye(2), 0.3, 40)
            errors.append(np.sum((second @ first - clean) ** 2))
        return np.mean(errors)

    assert error(lambda: frame(rng, 2, 2)) >= floor
    near = np.sqrt(clean) / 0.6  # a start that knows the teacher
    assert error(lambda: near) < 0.7 * floor


def test_thm_shrink_random__flow_or_descent():
    """Steps by the sign of each entry, like those of Adam, cut large entries off. A shrinker does not know the axes."""
    rng = np.random.default_rng(13)
    clean, spikes = np.outer([1, -1, 1, 1, -1, 1], [1, 1, -1, 1, -1, -1]), np.zeros((6, 6))
    spikes[[0, 2, 5], [1, 4, 3]] = 6.0
    left, _, right = np.linalg.svd(clean + spikes)
    floor = np.sum(clean**2) - np.sum(np.einsum("ia,ij,aj->a", left, clean, right) ** 2)

    def least(step):
        errors = []
        for _ in range(10):
            w, course = 1e-3 * frame(rng, 6, 6), []
            for _ in range(300):
                w = w + 0.01 * step(clean + spikes - w)
                course.append(np.sum((w - clean) ** 2))
            errors.append(course)
        return np.mean(errors, axis=0).min()

    assert least(lambda pull: pull) >= floor
    assert least(np.sign) < 0.5 * floor


def test_thm_shrink_random__layers_independent_of_each_other():
    """Each layer alone is uniformly random, but the last undoes the first: the student starts as its teacher."""
    rng = np.random.default_rng(15)
    clean = np.eye(3)
    left, _, right = np.linalg.svd(clean + rng.normal(size=(3, 3)) / np.sqrt(3))
    floor = np.sum(clean**2) - np.sum(np.einsum("ia,ij,aj->a", left, clean, right) ** 2)
    pairs = [(frame(rng, 3, 3), frame(rng, 3, 3)) for _ in range(200)]
    assert np.mean([np.sum((last @ first - clean) ** 2) for first, last in pairs]) >= floor
    assert np.mean([np.sum((first.T @ first - clean) ** 2) for first, _ in pairs]) < 1e-12 < floor / 100


def stop_gap(eps, strengths=(6.0, 4.0, 2.0)):
    """What stopping misses at half as many outputs as inputs, and what the chapter says of its limit."""
    teacher_energy = np.sum(np.square(strengths))
    t = np.geomspace(0.02, 3, 6000) * np.log(1 / eps) / 6
    found = np.min(generalization.test_error(t, strengths, 0.5, 50, eps=eps))
    s = np.asarray(strengths)
    s_hat = np.array([spiked.noisy_singular_value(x, 0.5) for x in s])
    best = np.array([x * spiked.overlap(x, 0.5) for x in s])
    cost = [np.sum((s_hat - best)[:j] ** 2) + np.sum(best[j + 1 :] ** 2) for j in range(len(s))]
    return found - generalization.shrinkage_error(strengths, 0.5), min(cost) / teacher_energy


def test_thm_stop_gap__a_tiny_start():
    gap, law = stop_gap(1e-12)
    assert abs(gap / law - 1) < 0.1
    assert abs(stop_gap(0.1)[0] / law - 1) > 0.5


def test_thm_shrink__needs_no_large_rank():
    """The chapter says that a student of lower rank is no better: what it leaves out costs in full."""
    least = generalization.shrinkage_error([4.0, 2.0], 0.5)
    t = np.linspace(0, 5, 300)
    assert np.min(generalization.test_error(t, [4.0, 2.0], 0.5, 50)) >= least
    one = (np.min(generalization.test_error(t, [4.0], 0.5, 50, n_hidden=1)) * 16 + 4) / 20
    assert one >= least + 0.05


def test_eq_captured_derivative__a_simple_largest_value():
    """Where the teacher's mode overtakes one of the noise, the largest value has a kink."""
    clean, step = np.diag([1.0, 0.0, 0.0]), 1e-5
    for noise, met in ((np.random.default_rng(12).normal(size=(3, 3)) / 2, True), (np.diag([0.0, 2.0, 0.5]), False)):
        below, above = (np.linalg.svd((2 + h) * clean + noise)[1][0] for h in (-step, step))
        left, values, right = np.linalg.svd(2 * clean + noise)
        assert (abs((above - below) / (2 * step) - left[0, 0] * right[0, 0]) < 1e-6) == met
        assert (values[0] - values[1] > 0.1) == met


def test_eq_stop_least__an_infimum_where_data_show_less_than_they_captured():
    """One input and one output: with noise against the teacher the error falls for ever, else it has a minimum."""
    times = np.linspace(0, 40, 4001)
    for noise, reached in ((0.4, True), (-0.4, False)):
        x = mode_strength(times, 1 + noise, 1e-3)
        error = 1 + x**2 - 2 * x
        assert (error.min() < error[-1] - 0.1) == reached
        assert reached or error[-1] == pytest.approx(noise**2)
