"""The flow of several tasks against the weights' own equations, its one-task end, and its limit of small starts."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtlbook_lib.theory.interpolation import min_penalty
from mtlbook_lib.theory.multitask_flow import group_flow, group_selection
from mtlbook_lib.theory.multitask_flow.motion import Motion, Rapidities
from mtlbook_lib.theory.multitask_flow.problem import problem


def tasks(seed, n_features, samples, n_relevant):
    """Teachers of ±1 on the first features, and Gaussian inputs."""
    rng = np.random.default_rng(seed)
    xs = [rng.normal(size=(n, n_features)) for n in samples]
    betas = np.zeros((len(samples), n_features))
    betas[:, :n_relevant] = rng.choice([-1.0, 1.0], size=(len(samples), n_relevant))
    return xs, [x @ beta for x, beta in zip(xs, betas, strict=True)], betas


def weights_flow(xs, ys, alpha, end):
    """Both pathways of the network, weight by weight, by a Runge–Kutta method of order 8."""
    n_tasks, dim = len(xs), xs[0].shape[1]

    def parts(flat):
        state = flat.reshape(2, 1 + n_tasks, dim)
        return state[:, 0], state[:, 1:]

    def coefficients(flat):
        u, v = parts(flat)
        return u[0] * v[0] - u[1] * v[1]

    def slope(_, flat):
        u, v = parts(flat)
        betas = coefficients(flat)
        pull = np.array([2 / len(y) * x.T @ (y - x @ beta) for x, y, beta in zip(xs, ys, betas, strict=True)])
        signs = np.array([1.0, -1.0])
        du = signs[:, None] * (pull * v).sum(1)
        return np.concatenate([du[:, None], signs[:, None, None] * pull * u[:, None]], axis=1).ravel()

    start = np.zeros((2, 1 + n_tasks, dim))
    start[:, 0] = alpha
    return coefficients(solve_ivp(slope, (0, end), start.ravel(), "DOP853", rtol=1e-11, atol=1e-14).y[:, -1])


@pytest.mark.parametrize("samples", [(7,), (7, 4), (3, 6, 5)])
def test_flow_is_that_of_the_weights_at_any_time(samples):
    xs, ys, _ = tasks(1, 9, samples, 3)
    for end in (0.3, 1.7, 8.0):
        betas, loss, converged = group_flow(xs, ys, np.log(0.05), max_time=end)
        np.testing.assert_allclose(betas, weights_flow(xs, ys, 0.05, end), rtol=0, atol=1e-8)
        assert not converged
        assert loss == pytest.approx(sum(np.mean((y - x @ b) ** 2) for x, y, b in zip(xs, ys, betas, strict=True)))


@pytest.mark.parametrize("alpha", [1.0, 0.3, 0.1, 0.01])
def test_one_task_ends_at_the_least_penalty_of_width_alpha_squared(alpha):
    (x,), (y,), _ = tasks(2, 20, (8,), 3)
    betas, loss, converged = group_flow([x], [y], np.log(alpha))
    np.testing.assert_allclose(betas[0], min_penalty(x, y, alpha**2), rtol=0, atol=1e-8)
    assert converged
    assert loss <= 1e-10
    assert betas.shape == (1, 20)


@pytest.mark.parametrize(("seed", "samples"), [(0, (12, 12)), (3, (12, 14)), (4, (12, 12)), (11, (14, 12, 13))])
def test_a_start_of_e_minus_320_ends_at_the_selection(seed, samples):
    xs, ys, teachers = tasks(seed, 40, samples, 4)
    betas, order, times = group_selection(xs, ys)
    assert len(order) == len(times) < min(samples)
    np.testing.assert_allclose(betas, teachers, atol=1e-9)
    found, _, converged = group_flow(xs, ys, -320.0)
    assert converged
    assert np.linalg.norm(found - betas) < 1e-5 * np.linalg.norm(betas)


def test_lines_are_found_feature_by_feature():
    """Orthogonal inputs leave every feature alone, and a feature may have the other sign in another task."""
    rng = np.random.default_rng(12)
    ys = rng.normal(size=(2, 6))
    for given in (problem([np.eye(6)] * 2, ys), problem([(x := rng.normal(size=(4, 6))), -x], [ys[0, :4]] * 2)):
        lines, leaving = given.lines()
        assert leaving < 1e-12
        betas = lines * rng.normal(size=6)
        assert given.along(lines).loss_and_pull((betas * lines).sum(axis=0)[None])[0] == pytest.approx(
            given.loss_and_pull(betas)[0]
        )
    assert problem(rng.normal(size=(2, 4, 6)), ys[:, :4]).lines()[1] > 0.1


def test_entries_are_when_the_pull_has_added_up_to_one():
    xs, ys, _ = tasks(5, 15, (6, 8), 5)
    _, order, times = group_selection(xs, ys)
    step, total, entered, when = 1e-5, np.zeros(15), [], []
    betas = np.zeros((2, 15))
    for number in range(int(times[-1] / step) + 10):
        pulls = [2 / len(y) * x.T @ (y - x @ beta) for x, y, beta in zip(xs, ys, betas, strict=True)]
        total += step * np.hypot(*pulls)
        for feature in np.flatnonzero(total >= 1):
            if feature not in entered:
                entered.append(int(feature))
                when.append((number + 1) * step)
                for x, y, beta in zip(xs, ys, betas, strict=True):
                    beta[entered] = np.linalg.lstsq(x[:, entered], y, rcond=None)[0]
    assert entered == order.tolist()
    np.testing.assert_allclose(times, when, atol=3 * len(when) * step)


def test_nothing_to_learn_and_nothing_that_pulls():
    x = np.eye(3, 5)
    betas, loss, converged = group_flow([x, x], [np.zeros(3)] * 2, -5.0)
    assert not betas.any()
    assert (loss, converged) == (0.0, True)
    betas, order, times = group_selection([x, x], [np.zeros(3)] * 2)
    assert not betas.any()
    assert order.size == times.size == 0
    blind = np.zeros((3, 5))
    assert group_selection([blind], [np.ones(3)])[1].size == 0
    assert group_flow([blind], [np.ones(3)], -5.0, max_time=10.0)[1:] == (1.0, False)


@pytest.mark.parametrize("function", [lambda xs, ys: group_flow(xs, ys, -5.0), group_selection])
def test_tasks_that_do_not_fit_are_refused(function):
    x, y = np.ones((3, 4)), np.ones(3)
    with pytest.raises(ValueError, match="at least one; got 0 and 0"):
        function([], [])
    with pytest.raises(ValueError, match="one entry for each task, and at least one; got 2 and 1"):
        function([x, x], [y])
    with pytest.raises(ValueError, match=r"ys\[1\] must have shape .* one label for each row of xs\[1\]"):
        function([x, x], [y, np.ones(2)])
    with pytest.raises(ValueError, match=r"same number of columns .* in every task; xs\[0\] has shape"):
        function([x, np.ones((3, 5))], [y, y])
    with pytest.raises(ValueError, match=r"xs\[0\] must be finite"):
        function([x * np.nan], [y])


@pytest.mark.parametrize(("name", "value"), [("log_alpha", 11.0), ("log_alpha", -2e4)])
def test_numbers_out_of_range_are_refused(name, value):
    with pytest.raises(ValueError, match=f"^{name} must"):
        group_flow(**{"xs": [np.eye(2)], "ys": [np.ones(2)], "log_alpha": -1.0, name: value})


@pytest.mark.parametrize("n_tasks", [1, 2, 3])
@pytest.mark.parametrize("scale", [0.0, 1e-6, 0.05, 1.0, 4.0])
def test_the_derivative_of_the_motion_is_that_of_differences(n_tasks, scale):
    rng = np.random.default_rng(10)
    xs = [rng.normal(size=(4 + task, 5)) for task in range(n_tasks)]
    given = problem(xs, [rng.normal(size=len(x)) for x in xs])
    start = scale * rng.normal(size=5 * n_tasks)

    def motion(flat):
        at = Rapidities.of(flat.reshape(n_tasks, 5), -3.0)
        return Motion(at, given.pull(given.residuals(at.betas)))

    found = motion(start).jacobian(given.curvatures()).reshape(start.size, start.size)
    step = 1e-6 * max(scale, 0.1)
    moved = [(motion(start + step * e).slope - motion(start - step * e).slope).ravel() for e in np.eye(start.size)]
    wanted = np.transpose(moved) / (2 * step)
    np.testing.assert_allclose(found, wanted, atol=1e-6 * max(1.0, np.abs(found).max()))
