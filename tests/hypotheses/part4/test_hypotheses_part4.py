"""Part IV: with its hypotheses a theorem's conclusion is seen in numbers; without one of them it is not."""

import numpy as np
import pytest
from numbers_of_flows import frame, softmax
from scipy.spatial import ConvexHull
from scipy.special import logsumexp
from scipy.stats import norm

from mtlbook_lib.theory import classification

DRAWS = 200_000
K = 3
P = np.eye(K) - 1 / K
ON_A_LINE = np.array([[1.0, -1.0, 0.5], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]])  # mixes draws to logits that depend


def pull(teacher_map, student, x):
    """Minus the gradient of the cross-entropy in the map, on many inputs with the teacher's labels."""
    y = np.eye(len(teacher_map))[np.argmax(x @ teacher_map.T, axis=1)]
    return (y - softmax(x @ student.T)).T @ x / len(x)


def out_of_form(pulled, form):
    return np.linalg.norm(pulled - np.sum(pulled * form) / np.sum(form**2) * form) / np.linalg.norm(pulled)


def test_thm_aligned__equal_strengths():
    rng = np.random.default_rng(0)
    u, x = frame(rng, K, K), rng.normal(size=(DRAWS, K))
    assert out_of_form(pull(u, 0.5 * u, x), P @ u) < 0.02
    unequal = u * np.array([3.0, 1.0, 0.3])
    assert out_of_form(pull(unequal, 0.5 * unequal, x), P @ unequal) > 0.1


def test_thm_aligned__infinitely_many_examples():
    rng = np.random.default_rng(1)
    u, x = frame(rng, K, K), rng.normal(size=(DRAWS, K))
    assert out_of_form(pull(u, 0.5 * u, x), P @ u) < 0.02
    assert out_of_form(pull(u, 0.5 * u, x[:30]), P @ u) > 0.1


def test_thm_aligned_rank_one__a_teacher_of_rank_one():
    rng = np.random.default_rng(2)
    x, v = rng.normal(size=(DRAWS, 4)), np.eye(4)[0]
    u, w = np.array([1.0, 0.2, -1.2]), np.array([0.4, 0.1, -0.5])
    student = np.outer(w, v)
    one = pull(np.outer(u, v), student, x)
    label = np.array([0.0, 0.0, 0.0])
    label[[0, 2]] = 1 / np.sqrt(2 * np.pi), -1 / np.sqrt(2 * np.pi)
    p = softmax(np.outer(x[:, 0], w))
    g = np.mean(p[:, :, None] * (np.eye(K) - p[:, None, :]), axis=0)
    assert np.abs(one[:, 0] - label + g @ w).max() < 0.01
    assert np.abs(one[:, 1:]).max() < 0.01
    two = pull(np.outer(u, v) + np.outer(np.array([0.0, 1.0, 0.0]), np.eye(4)[1]), student, x)
    assert np.abs(two[:, 1:]).max() > 0.1


@pytest.mark.parametrize("labels", [(1.0, 0.0, 0.0, -1.0), (0.5, 0.5, 0.0, -1.0)], ids=["one", "two at the top"])
def test_thm_aligned_rank_one__one_largest_entry(labels):
    """Two entries that are the largest share their labels; the second rises, and w turns away from the first."""
    xi, weights = np.polynomial.hermite_e.hermegauss(100)
    weights, w, ratio, cosine = weights / weights.sum(), 0.05 * np.array([0.5, 0.3, 0.1, -0.9]), [], []
    for _ in range(1000):
        ratio.append((w[1] - w[2]) / (w[0] - w[3]))
        cosine.append((w[0] - w[3]) / np.sqrt(2) / np.linalg.norm(w))
        delta = np.array(labels) / np.sqrt(2 * np.pi) - (weights * xi) @ softmax(np.outer(xi, w))
        w = w + 0.01 * (np.linalg.norm(w) * delta + w * (w @ delta) / np.linalg.norm(w))
    assert (np.diff(ratio) < 0).all() if labels[1] == 0 else ratio[-1] > 2 * ratio[0]
    assert (np.diff(cosine) > 0).all() if labels[1] == 0 else cosine[-1] < cosine[0] - 0.02


def mean_pull(rng, teacher_map, n, d, noise=0.0, root=1.0):
    """The mean square of the labels' pull on a map of zero, over draws of n examples."""
    k, found = len(teacher_map), []
    for _ in range(1500):
        x = rng.normal(size=(n, d)) * root
        z = x @ teacher_map.T + noise * rng.normal(size=(n, k))
        y = np.eye(k)[np.argmax(z, axis=1)] - 1 / k
        found.append(np.sum((y.T @ x / n) ** 2))
    return np.mean(found)


@pytest.mark.parametrize("case", ["met", "equal_strengths", "clean", "white_inputs"])
def test_thm_data_pull__clean_equal_strengths_and_white_inputs(case):
    rng = np.random.default_rng(3)
    n, d = 40, 6
    u = frame(rng, d, K).T
    a = 1.5 / np.sqrt(np.pi) / (K - 1)
    law = (1 - 1 / n) * (K - 1) * a**2 + (1 - 1 / K) * d / n
    strengths = np.array([4.0, 1.0, 0.1])[:, None] if case == "equal_strengths" else 1.0
    teacher_map = frame(rng, K, K) @ (strengths * u)
    root = np.sqrt(np.array([3.0, 1.4, 1, 0.4, 0.1, 0.1])) if case == "white_inputs" else 1.0
    measured = mean_pull(rng, teacher_map, n, d, noise=3.0 if case == "clean" else 0.0, root=root)
    assert (abs(measured / law - 1) < 0.02) == (case == "met")
    assert case == "met" or abs(measured / law - 1) > 0.04


def bounds(points, labels, loss, slope):
    """Lower bound, benefit and upper bound for one step between two numbers, of a loss with a given slope."""
    a, b = points
    benefit = np.mean(loss(a, labels) - loss(b, labels))
    return (b - a) * -np.mean(slope(b, labels)), benefit, (b - a) * -np.mean(slope(a, labels))


def test_thm_benefit_bounds__cross_entropy():
    """What the proof uses of the loss is that it is convex: the share of wrong labels, made smooth, is not."""
    x = np.array([1.0, 0.4, 2.0])
    low, benefit, high = bounds(
        (0.5, 6.0), x, lambda w, x: np.log1p(np.exp(-w * x)), lambda w, x: -x / (1 + np.exp(w * x))
    )
    assert low <= benefit <= high
    low, benefit, high = bounds((-6.0, 0.5), x, lambda w, x: 1 / (1 + np.exp(w * x)),
                                lambda w, x: -x * np.exp(w * x) / (1 + np.exp(w * x)) ** 2)  # fmt: skip
    assert benefit > high + 0.3


def test_thm_benefit_bounds__inputs_of_finite_mean_norm():
    """With tails like 1/x² the loss of random labels grows with the largest input, and there is nothing to bound."""

    def loss_up_to(largest, tail):
        x = np.geomspace(1.0, largest, 20_001)
        losses = (np.logaddexp(0, x) + np.logaddexp(0, -x)) / 2
        return np.trapezoid(losses * x**-tail, x)

    assert loss_up_to(1e6, 3.0) - loss_up_to(1e3, 3.0) < 1e-3
    assert loss_up_to(1e6, 2.0) - loss_up_to(1e3, 2.0) > 3


def best_losses(overlap, alone, together):
    """The least losses on two ways of strengths."""
    return [np.min(classification.generalization_loss(np.asarray(way), overlap, K)) for way in (alone, together)]


def test_rem_no_go__a_finite_best_strength():
    slow, fast = np.linspace(0, 10, 2001), np.linspace(0, 20, 2001)
    alone, together = best_losses(0.7, slow, fast)
    assert abs(alone - together) < 1e-4
    alone, together = best_losses(1.0, slow, fast)  # no strength is best: whoever grows faster is ahead
    assert alone - together > 0.01


def test_rem_no_go__strengths_that_are_continuous():
    best = classification.optimal_scale(0.7, K)
    alone, together = best_losses(0.7, [0.0, 3 * best], np.linspace(0, 3 * best, 2001))
    assert alone - together > 0.05


def loss_of_pairs(rng, overlap, scales, mix):
    """Mean loss of logits that have the given overlap with a teacher's, class by class, then are mixed."""
    t = rng.normal(size=(DRAWS, K)) @ mix
    z = scales * (overlap * t + np.sqrt(1 - overlap**2) * rng.normal(size=(DRAWS, K)) @ mix)
    return np.mean(logsumexp(z, axis=1) - z[np.arange(DRAWS), np.argmax(t, axis=1)])


def test_thm_loss_exact__independent_logits_of_equal_norm():
    rng = np.random.default_rng(4)
    law = classification.generalization_loss(2.0, 0.7, K)
    assert abs(loss_of_pairs(rng, 0.7, 2.0, np.eye(K)) - law) < 0.01
    unequal = np.sqrt(3 / 4.2) * np.array([2.0, 2.0, 0.632])  # the same mean square
    assert abs(loss_of_pairs(rng, 0.7, 2.0 * unequal, np.eye(K)) - law) > 0.05
    assert abs(loss_of_pairs(rng, 0.7, 2.0, ON_A_LINE) - law) > 0.03


def test_thm_loss_scale__an_overlap_between_zero_and_one():
    def slope(c, overlap):
        h = 1e-3
        f = classification.generalization_loss
        return (f(c + h, overlap, K) - f(c - h, overlap, K)) / (2 * h)

    best = classification.optimal_scale(0.7, K)
    assert slope(best / 2, 0.7) < -0.01 < 0.01 < slope(2 * best, 0.7)
    assert max(slope(c, 1.0) for c in (1.0, 5.0, 20.0)) < 0  # at overlap one the loss falls for ever
    assert min(slope(c, -0.2) for c in (0.1, 1.0, 5.0)) > 0  # below zero it rises from the start


def test_thm_loss_agreement__pairs_independent_of_each_other():
    rng = np.random.default_rng(5)

    def agreement(mix):
        t, n = rng.normal(size=(DRAWS, K)) @ mix, rng.normal(size=(DRAWS, K)) @ mix
        return np.mean(np.argmax(t, axis=1) == np.argmax(0.7 * t + np.sqrt(0.51) * n, axis=1))

    law = classification.label_agreement(0.7, K)
    assert abs(agreement(np.eye(K)) - law) < 0.005
    assert abs(agreement(ON_A_LINE) - law) > 0.05


def test_thm_loss_agreement__pairs_of_one_law():
    """A student that is loud on some of the classes: each pair has the same correlation as before."""
    rng = np.random.default_rng(7)
    t, n = rng.normal(size=(2, DRAWS, K))
    student = 0.7 * t + np.sqrt(0.51) * n
    law = classification.label_agreement(0.7, K)
    assert abs(np.mean(np.argmax(t, axis=1) == np.argmax(student, axis=1)) - law) < 0.005
    loud = student * np.where(np.arange(K) < K // 2, 3.0, 1.0)
    assert abs(np.mean(np.argmax(t, axis=1) == np.argmax(loud, axis=1)) - law) > 0.02


def test_thm_loss_agreement__a_correlation_inside():
    """At correlation 1 pairs have no density, and labels agree. Below 0 every student is best at scale 0."""
    shares = classification.label_agreement(np.array([0.99, 0.9999, -0.3, -0.9]), K)
    assert shares[0] < 0.96
    assert 0.99 < shares[1] < 1
    assert shares[2] - shares[3] > 0.1
    losses = [classification.optimal_loss(overlap, K) for overlap in (-0.3, -0.9)]
    assert np.allclose(losses, np.log(K))


def test_thm_labels_corners__output_modes_in_random_position():
    rng = np.random.default_rng(6)
    k = 8
    xi = rng.normal(size=DRAWS)
    law = 2 * k * (k - 1) / 2 * np.mean(norm.cdf(xi / np.sqrt(2)) ** (k - 2))
    corners = [len(ConvexHull(frame(rng, k, 2)).vertices) for _ in range(400)]
    assert abs(np.mean(corners) - law) < 0.25
    angles = 2 * np.pi * np.arange(k) / k
    polygon = np.stack([np.cos(angles), np.sin(angles)], axis=1) / 2  # orthonormal columns too
    assert np.allclose(polygon.T @ polygon, np.eye(2))
    assert len(ConvexHull(polygon).vertices) == k > law + 1.5


@pytest.mark.parametrize(("features", "unchanged"), [(1, 0.9), (2, 0.0)])
def test_eq_labels_flip__two_features(features, unchanged):
    """With one feature and two classes most teachers of SNR 3 lose no label to noise in their weights."""
    rng = np.random.default_rng(8)
    x = rng.normal(size=(4000, features))
    clean = rng.normal(size=(300, 2, features))
    noisy = clean + rng.normal(size=clean.shape) / 3
    kept = [np.all(np.argmax(x @ a.T, axis=1) == np.argmax(x @ b.T, axis=1)) for a, b in zip(clean, noisy, strict=True)]
    assert np.mean(kept) == pytest.approx(unchanged, abs=0.05)


def test_thm_weights_max__measured_on_the_loss_that_chooses():
    rng = np.random.default_rng(7)
    weights, same, other = np.linspace(0, 1, 11), [], []
    for _ in range(200):
        clean, partner = rng.normal(size=4), rng.normal(size=4)
        x, z = rng.normal(size=(5, 4)), rng.normal(size=(8, 4))
        y = x @ clean + rng.normal(size=5)
        few = rng.normal(size=(3, 4))
        labels = few @ clean + rng.normal(size=3)
        found = [np.linalg.solve(x.T @ x + w * z.T @ z, x.T @ y + w * z.T @ z @ partner) for w in weights]
        chosen_by = [np.mean((labels - few @ b) ** 2) for b in found]
        clean_loss = [np.sum((b - clean) ** 2) for b in found]
        best = int(np.argmin(chosen_by))
        same.append(chosen_by[0] - chosen_by[best])
        other.append(clean_loss[0] - clean_loss[best])
    assert min(same) >= 0
    assert np.mean(np.array(other) < -0.1) > 0.02


def test_thm_labels_corners__the_distance_that_the_change_of_variables_gives():
    """Its factor, the size of the simplex, does not contain the distance p of the plane, which is N(0, 1/q)."""
    rng = np.random.default_rng(16)
    points = rng.normal(size=(20_000, 3, 3))  # three points in space
    normals = np.linalg.solve(points, np.ones((20_000, 3, 1)))[..., 0]
    distances = 1 / np.linalg.norm(normals, axis=1)
    assert np.mean(distances**2) == pytest.approx(1 / 3, abs=0.02)
    flat = points / np.linalg.norm(points, axis=2, keepdims=True)  # of another law: on the sphere
    others = 1 / np.linalg.norm(np.linalg.solve(flat, np.ones((20_000, 3, 1)))[..., 0], axis=1)
    assert abs(np.mean((others / np.sqrt(np.mean(others**2))) ** 4) - 3) > 0.3  # not normal
    assert np.mean((distances * np.sqrt(3)) ** 4) == pytest.approx(3, abs=0.3)
