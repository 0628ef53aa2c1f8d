"""Single tasks: the flow of fine-tuning by other routes, what counts as roundoff, and lists of one task."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtlbook_lib.theory import hard_sharing
from mtlbook_lib.theory.hard_sharing.tasks import Task, few_rows

RNG = np.random.default_rng(8)
X, Y, START = RNG.normal(size=(9, 4)), RNG.normal(size=9), RNG.normal(size=4)
TIMES = np.array([0.0, 0.02, 0.3])


def test_flow_is_that_of_half_the_squared_loss():
    flow = solve_ivp(lambda _, w: X.T @ (Y - X @ w), (0, 0.3), START, t_eval=TIMES, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(hard_sharing.finetuned_models(X, Y, START, TIMES), flow.y.T, rtol=1e-8, atol=1e-10)


def test_algorithm_1_with_the_head_held_is_this_flow():
    """Descent on a matrix in front of a fixed layer, by its definition, in small steps."""
    layer, head, rate = START / 2.5, 2.5, 1e-5
    matrix = np.eye(4)
    for _ in range(2000):
        residual = X @ matrix @ layer * head - Y
        matrix -= rate * np.outer(X.T @ residual, layer) * head
    tau = 2000 * rate * head**2 * layer @ layer
    found = hard_sharing.finetuned_models(X, Y, START, [tau])[0]
    np.testing.assert_allclose(matrix @ layer * head, found, atol=2e-3)
    np.testing.assert_allclose(np.linalg.matrix_rank(matrix - np.eye(4), tol=1e-9), 1)
    assert np.linalg.norm(found - START) > 0.5


def test_the_end_is_least_squares_and_the_start_survives_in_the_null_space():
    np.testing.assert_allclose(
        hard_sharing.finetuned_models(X, Y, START, [1e6])[0], np.linalg.lstsq(X, Y)[0], rtol=1e-9
    )
    wide, few = X[:2], Y[:2]
    found = hard_sharing.finetuned_models(wide, few, START, [1e6])[0]
    null = np.eye(4) - np.linalg.pinv(wide) @ wide
    np.testing.assert_allclose(found, np.linalg.pinv(wide) @ few + null @ START, rtol=1e-9)
    np.testing.assert_allclose(null @ hard_sharing.finetuned_models(wide, few, START, [0.1])[0], null @ START)


def test_several_starts_of_one_problem_are_a_loop():
    starts = np.stack([START, np.zeros(4), -START])
    found = hard_sharing.finetuned_models(X, Y, starts, TIMES)
    loop = [hard_sharing.finetuned_models(X, Y, start, TIMES) for start in starts]
    np.testing.assert_allclose(found, loop, atol=1e-14)


def test_a_stack_of_problems_equals_a_loop():
    xs, ys, starts = RNG.normal(size=(3, 9, 4)), RNG.normal(size=(3, 9)), RNG.normal(size=(3, 4))
    found = hard_sharing.finetuned_models(xs, ys, starts, TIMES)
    assert found.shape == (3, 3, 4)
    for index in range(3):
        one = hard_sharing.finetuned_models(xs[index], ys[index], starts[index], TIMES)
        np.testing.assert_allclose(found[index], one, rtol=1e-10)


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


@pytest.mark.parametrize("solve", ["single_task_solution", "finetuned_models"])
def test_the_number_of_problems_is_not_a_side_of_the_matrix(solve):
    x = np.tile(inputs(NONE, (3, 2)), (500, 1, 1))
    y = np.ones((500, 3))
    more = () if solve == "single_task_solution" else (np.zeros((500, 2)), [ENDLESS])
    found = np.reshape(getattr(hard_sharing, solve)(x, y, *more), (500, 2))
    np.testing.assert_allclose(found, np.tile([1, 1 / NONE], (500, 1)), rtol=1e-10)


def test_inputs_of_zeros_teach_nothing():
    x, y = np.zeros((4, 3)), labels(4)
    np.testing.assert_array_equal(hard_sharing.single_task_solution(x, y), np.zeros(3))
    np.testing.assert_array_equal(hard_sharing.finetuned_models(x, y, [1.0, 2.0, 3.0], [1.0]), [[1.0, 2.0, 3.0]])
    assert hard_sharing.optimal_heads([x], [y], np.eye(3)[:, :2])[0].tolist() == [0.0, 0.0]
    assert hard_sharing.explained_energy([x], [y], np.eye(3)[:, :2]) == 0.0


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


def test_inputs_of_zeros_leave_every_task_its_energy():
    y = np.array([[1.0, 2.0], [0.5, 3.0], [2.0, 1.0]])
    energies = np.sum(y**2, axis=0)
    found = hard_sharing.uncertainty_weights(np.zeros((3, 2)), y, 1)
    np.testing.assert_allclose(found, (1 / energies) / np.sum(1 / energies), rtol=1e-12)


def test_an_equivalent_of_few_rows_has_the_same_products_in_at_most_one_row_more_than_columns():
    rng = np.random.default_rng(3)
    for shape in ((9, 4), (5, 4), (4, 4), (3, 4), (2, 9, 4), (2, 3, 4)):
        task = Task(rng.normal(size=shape), rng.normal(size=shape[:-1]))
        few = few_rows(task)
        assert few.x.shape == (*shape[:-2], min(shape[-2], 5), 4)
        assert few.y.shape == few.x.shape[:-1]
        for sums, parts in (("...mi,...mj->...ij", "xx"), ("...mi,...m->...i", "xy"), ("...m,...m->...", "yy")):
            products = [np.einsum(sums, *(getattr(one, part) for part in parts)) for one in (task, few)]
            np.testing.assert_allclose(*products, rtol=1e-10, atol=1e-12)
        assert (few is task) == (shape[-2] <= 4)


ONE, GIVEN = X[:7, :3], Y[:7]


def test_one_task_is_a_list_of_tasks():
    layer, head = RNG.normal(size=(3, 2)), np.array([0.4, -1.2])
    lost = np.sum((ONE @ layer @ head - GIVEN) ** 2)
    assert hard_sharing.sharing_loss([ONE], [GIVEN], layer, [head]) == pytest.approx(lost, rel=1e-12)
    (best,) = hard_sharing.optimal_heads([ONE], [GIVEN], layer)
    np.testing.assert_allclose(best, np.linalg.lstsq(ONE @ layer, GIVEN)[0], rtol=1e-10)
    explained = GIVEN @ GIVEN - np.sum((ONE @ layer @ best - GIVEN) ** 2)
    assert hard_sharing.explained_energy([ONE], [GIVEN], layer) == pytest.approx(explained, rel=1e-10)
    shared, heads, loss = hard_sharing.shared_solution([ONE], [GIVEN], 1)
    solution = np.linalg.lstsq(ONE, GIVEN)[0]
    np.testing.assert_allclose(shared @ heads[0], solution, rtol=1e-9)
    assert loss == pytest.approx(np.sum((ONE @ solution - GIVEN) ** 2), rel=1e-10)


def test_one_row_one_input_and_one_number():
    assert hard_sharing.single_task_solution([[2.0]], [3.0]).tolist() == [1.5]
    np.testing.assert_allclose(
        hard_sharing.single_task_solution(ONE[:1], GIVEN[:1]), GIVEN[0] * ONE[0] / (ONE[0] @ ONE[0]), rtol=1e-12
    )
    assert hard_sharing.optimal_heads([[[2.0]]], [[3.0]], [[0.5]])[0] == pytest.approx([3.0])
    assert hard_sharing.covariance_similarity([[2.0]], [[-3.0]]) == pytest.approx(1.0)
    assert hard_sharing.shared_solution([[[2.0]], [[1.0]]], [[3.0], [1.0]], 1)[2] == pytest.approx(0.0, abs=1e-12)


def test_a_stack_of_no_data_sets_has_no_solutions():
    assert hard_sharing.single_task_solution(np.zeros((0, 4, 3)), np.zeros((0, 4))).shape == (0, 3)
