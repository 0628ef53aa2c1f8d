"""Part VI, several tasks and rectifiers: with its hypotheses a theorem's conclusion is seen; without one it is not."""

import numpy as np
import pytest
from numbers_of_flows import flow


def several(w, g):
    """Both pathways pulled by one gradient: (u, v of two tasks) of each."""
    u, v = w[:, 0], w[:, 1:]
    sign = np.array([1.0, -1.0])
    return np.column_stack([sign * (v @ g), np.outer(sign * u, g)])


def in_turn(start, first, second):
    w = flow(lambda w: several(w, first), start, 1.0, 200)
    return flow(lambda w: several(w, second), w, 1.0, 200)


def both_coefficients(w):
    return w[0, 0] * w[0, 1:] - w[1, 0] * w[1, 1:]


A, B = np.array([0.9, 0.0]), np.array([0.0, 0.7])
START = np.array([[0.3, 0.0, 0.0], [0.3, 0.0, 0.0]])


def test_prop_multi_conserved__infinitely_small_steps():
    def conserved(w):
        return np.array([w[0, 0] ** 2 - w[0, 1:] @ w[0, 1:], w[0, 0] * w[1, 0] + w[0, 1:] @ w[1, 1:]])

    end = in_turn(START, A, B)
    assert np.abs(conserved(end) - conserved(START)).max() < 1e-9
    stepped = START + several(START, A)
    stepped = stepped + several(stepped, B)
    assert np.abs(conserved(stepped) - conserved(START)).max() > 0.02


def test_prop_multi_order__readouts_of_zero():
    law = 0.09 * np.array([np.sinh(1.8) * np.cosh(0.7), np.sinh(1.4) * np.cosh(0.9) ** 2])
    assert np.allclose(both_coefficients(in_turn(START, A, B)), law, atol=1e-8)
    other = START + np.array([[0, 0.2, 0.0], [0, -0.2, 0.0]])
    assert np.abs(both_coefficients(in_turn(other, A, B)) - law).max() > 0.05


def test_prop_multi_order__a_gain_in_size():
    """With a negative impulse the task that comes second has the smaller coefficient, which is larger in size."""
    first, second = (both_coefficients(in_turn(START, *pulls))[0] for pulls in ((-A, B), (B, -A)))
    assert second < first < 0
    assert second / first == pytest.approx(np.cosh(0.7), abs=1e-6)


def test_prop_multi_mirror__two_tasks():
    """With two tasks the coefficients are no function of the impulse; pulls of one task may come in any order."""
    assert np.abs(both_coefficients(in_turn(START, A, B)) - both_coefficients(in_turn(START, B, A))).max() > 0.02
    one, two = in_turn(START, A, 0.4 * A), in_turn(START, 0.4 * A, A)
    assert np.allclose(both_coefficients(one), both_coefficients(two), atol=1e-9)


def test_prop_small_flow__readouts_of_zero():
    def off_the_shell(start):
        w = in_turn(start, A, B)[0]
        return abs(w[0] ** 2 - w[1:] @ w[1:] - 0.09)  # cosh² - sinh², times the square of the start

    assert off_the_shell(START) < 1e-9
    assert off_the_shell(START + np.array([[0, 0.2, 0.0], [0, -0.2, 0.0]])) > 0.03


def rapidities(pulls):
    """The proposition's flow from its start at zero, where it goes along the pull."""

    def under(g, start):
        def force(q):
            r = np.linalg.norm(q)
            if r == 0:
                return g
            along = (g @ q) / r**2 * q
            return along + r / np.tanh(r) * (g - along)

        return flow(force, start, 1.0, 200)

    q = np.zeros(2)
    for g in pulls:
        q = under(g, q)
    return q


def test_prop_small_flow__infinitely_small_steps():
    q = rapidities([A, B])
    law = 0.09 * np.sinh(2 * np.linalg.norm(q)) * q / np.linalg.norm(q)
    assert np.allclose(both_coefficients(in_turn(START, A, B)), law, atol=1e-8)
    stepped = START
    for g in (A, A, B, B):
        stepped = stepped + several(stepped, g) / 2
    assert np.abs(both_coefficients(stepped) - law).max() > 0.02


def test_prop_small_flow__a_first_layer_that_is_not_zero():
    """However small its start, a flow leaves it along the pull; from zero it does not."""
    for alpha in (0.3, 1e-3, 1e-6):
        moved = both_coefficients(in_turn(START * alpha / 0.3, A, A)) / alpha**2
        assert np.allclose(moved, [np.sinh(3.6), 0])
    assert np.all(in_turn(0 * START, A, A) == 0)


def rectified_pulls(activate, slope):
    """How fast the squared lengths of a unit's weights grow, into it and out of it."""
    rng = np.random.default_rng(2)
    x, target, w, a = rng.normal(size=(20, 3)), rng.normal(size=20), rng.normal(size=3), 0.8
    rest = target - a * activate(x @ w)
    return 2 * w @ (x.T @ (rest * a * slope(x @ w))), 2 * a * (rest @ activate(x @ w))


def test_prop_relu_balance__a_homogeneous_unit():
    inward, outward = rectified_pulls(lambda z: np.maximum(z, 0), lambda z: (z > 0).astype(float))
    assert inward == pytest.approx(outward)
    inward, outward = rectified_pulls(np.tanh, lambda z: 1 / np.cosh(z) ** 2)
    assert abs(inward - outward) > 0.5


def test_prop_relu_path__a_homogeneous_unit():
    z = np.linspace(-2, 2, 50)
    for activate, met in ((lambda z: np.maximum(z, 0), True), (np.tanh, False)):
        assert (np.abs(activate(3 * z) / 3 - activate(z)).max() < 1e-12) == met
    # With freely chosen factors the least is twice the product; as the weights stand they cost more.
    factor = np.geomspace(0.1, 10, 2001)
    assert np.min((factor * 2.0) ** 2 + (0.5 / factor) ** 2) == pytest.approx(2 * 2.0 * 0.5, rel=1e-4)


def test_prop_relu_kernel__unit_inputs_and_independent_standard_normal_weights():
    rng = np.random.default_rng(3)
    phi = 0.9
    law = (np.sin(phi) + 2 * (np.pi - phi) * np.cos(phi)) / (2 * np.pi)

    def kernel(length=1.0, size=1.0, dependent=False):
        x, z = length * np.array([1.0, 0.0]), np.array([np.cos(phi), np.sin(phi)])
        w, a = rng.normal(size=(200_000, 2)), size * rng.normal(size=200_000)
        a = w[:, 0] if dependent else a
        on = (w @ x > 0) & (w @ z > 0)
        return np.mean(on * ((w @ x) * (w @ z) + a**2 * (x @ z)))

    assert kernel() == pytest.approx(law, abs=0.01)
    assert abs(kernel(length=2.0) - law) > 0.2
    assert abs(kernel(size=0.1) - law) > 0.1
    assert abs(kernel(dependent=True) - law) > 0.03  # each readout is the unit's first weight


@pytest.mark.parametrize(("factor", "bias", "met"), [(2.0, 0.0, True), (2.0, 0.5, False), (-2.0, 0.0, False)])
def test_prop_images_homogeneous__no_biases_and_a_positive_factor(factor, bias, met):
    rng = np.random.default_rng(4)
    weights, x = rng.normal(size=(3, 4, 4)), rng.normal(size=4)

    def features(s):
        h = x
        for w in weights:
            h = np.maximum(s * w @ h + bias, 0)
        return h

    assert np.allclose(features(factor), factor**3 * features(1.0)) == met


@pytest.mark.parametrize("dropped", ["nothing", "equal", "not zero", "from zero", "no noise", "no preferred direction"])
def test_prop_efficiency_lazy__an_equal_layer_a_start_at_zero_no_noise_and_random_rows(dropped):
    rng = np.random.default_rng(3)
    n, dim, count = 4, 8, 4000
    x, truth = rng.normal(size=(count, n, dim)), np.eye(dim)[0]
    layer, start, noise = np.full(dim, 0.7), np.zeros(dim), 0.0
    if dropped == "equal":
        layer[0] = 2.0
    elif dropped == "not zero":
        layer = np.zeros(dim)
    elif dropped == "from zero":
        start = -truth
    elif dropped == "no noise":
        noise = 0.3
    elif dropped == "no preferred direction":
        x[..., 0] *= 3
    features = x * layer
    rest = x @ (truth - start) + noise * rng.normal(size=(count, n))
    end = start + layer * (np.linalg.pinv(features) @ rest[..., None])[..., 0]  # the flow of the readout ends here
    off = np.mean(np.sum((end - truth) ** 2, axis=1)) - (1 - n / dim)
    assert (abs(off) < 0.02) == (dropped == "nothing")
    assert dropped == "nothing" or abs(off) > 0.1


def test_eq_multi_ends__coefficients_far_apart():
    """To the first order in which the main coefficient enters, beyond the constant that it does not."""
    aux = 2.0

    def paid(beta):
        return 2 * np.sqrt(beta**2 + aux**2) - 2 * aux

    assert paid(0.02) / (0.02**2 / aux) == pytest.approx(1, abs=1e-3)
    assert (paid(2000.0) + 2 * aux) / (2 * 2000.0) == pytest.approx(1, abs=1e-3)
    assert abs(paid(aux) / aux - 1) > 0.15
    assert abs((paid(aux) + 2 * aux) / (2 * aux) - 1) > 0.4


def test_prop_relu_path__no_unit_with_one_layer_of_zero():
    factor = np.geomspace(1e-4, 1e4, 4001)

    def cheapest(w, a):
        cost = (factor * w) ** 2 + (a / factor) ** 2
        return cost.min(), factor[cost.argmin()]

    least, where = cheapest(2.0, 0.5)
    assert least == pytest.approx(2 * 2.0 * 0.5, rel=1e-4)
    assert where == pytest.approx(0.5, rel=0.01)
    least, where = cheapest(2.0, 0.0)  # the infimum, 0, is not reached
    assert 0 < least < 1e-6
    assert where == factor[0]
