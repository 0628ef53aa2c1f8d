"""Single tasks: the flow of fine-tuning by other routes, and what counts as roundoff."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtlbook_lib.theory import hard_sharing

RNG = np.random.default_rng(8)
X, Y, START = RNG.normal(size=(9, 4)), RNG.normal(size=9), RNG.normal(size=4)
TIMES = np.array([0.0, 0.02, 0.3])


def test_flow_is_that_of_half_the_squared_loss():
    flow = solve_ivp(lambda _, w: X.T @ (Y - X @ w), (0, 0.3), START, t_eval=TIMES, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(hard_sharing.finetuned_models(X, Y, START, TIMES), flow.y.T, rtol=1e-8, atol=1e-10)


EPS = 2.0**-52
ROWS = 200
TALL, WIDE = (ROWS, 2), (2, ROWS)
SCALES = [1e-8, 1.0, 1e8]
ENDLESS = 1e40


def inputs(ratio, shape=TALL, scale=1.0):
    """Singular values `scale` and `ratio` times it, along the axes."""
    x = np.zeros(shape)
    x[0, 0], x[1, 1] = scale, ratio * scale
    return x


def labels(size=ROWS):
    return np.random.default_rng(1).uniform(1, 2, size)


NONE, SOME = 100 * EPS, 300 * EPS  # the border is 200 roundoffs: the larger side of the matrix


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("shape", [TALL, WIDE])
@pytest.mark.parametrize(("ratio", "seen"), [(NONE, False), (SOME, True)])
def test_a_single_task(shape, ratio, seen, scale):
    y = labels(shape[0])
    expected = np.zeros(shape[1])
    expected[0], expected[1] = y[0] / scale, seen * y[1] / (ratio * scale)
    x = inputs(ratio, shape, scale)
    np.testing.assert_allclose(hard_sharing.single_task_solution(x, y), expected, rtol=1e-10)
    start = np.full(shape[1], 0.7 / scale)
    expected[2:], expected[1] = start[2:], expected[1] if seen else start[1]
    found = hard_sharing.finetuned_models(x, y, start, [ENDLESS * 1e30, ENDLESS * 1e32])
    np.testing.assert_allclose(found, [expected, expected], rtol=1e-10)


@pytest.mark.parametrize("layer_scale", SCALES)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("ratio", "seen"), [(NONE, False), (SOME, True)])
def test_heads_and_energy_of_a_shared_layer(ratio, seen, scale, layer_scale):
    x, y, layer = inputs(ratio, TALL, scale), labels(), layer_scale * np.eye(2)
    (head,) = hard_sharing.optimal_heads([x], [y], layer)
    expected = np.array([y[0], seen * y[1] / ratio]) / (scale * layer_scale)
    np.testing.assert_allclose(head, expected, rtol=1e-10)
    energy = hard_sharing.explained_energy([x], [y], layer)
    assert energy == pytest.approx(y[0] ** 2 + seen * y[1] ** 2, rel=1e-10)


def test_short_columns_of_the_layer_count_and_columns_of_zeros_do_not():
    rng = np.random.default_rng(2)
    x, y, layer = rng.normal(size=(9, 5)), rng.normal(size=9), rng.normal(size=(5, 2))
    whole = hard_sharing.explained_energy([x], [y], layer)
    for lengths in ([1e-20, 1.0], [1.0, 1e20]):
        assert hard_sharing.explained_energy([x], [y], layer * lengths) == pytest.approx(whole, rel=1e-12)
    one = hard_sharing.explained_energy([x], [y], layer[:, 0])
    assert hard_sharing.explained_energy([x], [y], layer * [1.0, 0.0]) == pytest.approx(one, rel=1e-12)
    assert one < 0.9 * whole


@pytest.mark.parametrize("scale", SCALES)
def test_tasks_on_the_same_inputs(scale):
    y = np.column_stack([labels(), labels()[::-1]]) * np.where(np.arange(ROWS) == 1, 50, 1)[:, None]
    models = hard_sharing.shared_models(inputs(SOME, TALL, scale), y, 2)
    np.testing.assert_allclose(models, y[:2] / [[scale], [SOME * scale]], rtol=1e-9)
    with pytest.raises(ValueError, match="x must have full column rank in every problem"):
        hard_sharing.shared_models(inputs(NONE, TALL, scale), y, 2)
    # One direction is left of two where the other is roundoff, though the labels are large there.
    rest = np.sum(y**2, axis=0)
    for ratio, row in ((NONE, 0), (SOME, 1)):
        lost = rest - y[row] ** 2
        found = hard_sharing.uncertainty_weights(inputs(ratio, TALL, scale), y[:, :1], 1)
        assert found.tolist() == [1.0]
        weights = hard_sharing.uncertainty_weights(inputs(ratio, TALL, scale), y, 1)
        if ratio == NONE:
            np.testing.assert_allclose(weights, (1 / lost) / np.sum(1 / lost), rtol=1e-10)
        else:
            assert np.max(np.abs(weights / ((1 / rest) / np.sum(1 / rest)) - 1)) > 0.01


def test_a_stack_of_problems_equals_a_loop():
    xs, ys, starts = RNG.normal(size=(3, 9, 4)), RNG.normal(size=(3, 9)), RNG.normal(size=(3, 4))
    found = hard_sharing.finetuned_models(xs, ys, starts, TIMES)
    assert found.shape == (3, 3, 4)
    for index in range(3):
        one = hard_sharing.finetuned_models(xs[index], ys[index], starts[index], TIMES)
        np.testing.assert_allclose(found[index], one, rtol=1e-10)
