"""The simulated benefit against the law for one output, the theory for many, and a trained network's equations."""

import numpy as np
import pytest
from refusals import refused
from scipy.integrate import solve_ivp

from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.methods.one_output import one_output_benefit
from mtlbook_lib.methods.simulated_benefit import _RATIO, _times, simulated_benefit
from mtlbook_lib.theory.transfer import transfer_benefit

Q = [[0.8]]


@pytest.mark.parametrize("q", [0.3, 0.9])
def test_one_output_in_many_inputs_obeys_the_law(q):
    clean = np.array([[9.0, 6 * q], [6 * q, 4.0]])
    law = one_output_benefit(clean + np.eye(2), np.eye(2))
    found, error = simulated_benefit([3.0], [2.0], [[q]], 1, 600, seeds=range(200))
    # Terms of order 1/d are about 5/d for these strengths (see the chapter).
    assert abs(found - law) < 4 * error + 5 / 600
    assert error < 0.05


def test_many_outputs_obey_the_theory_of_order_one():
    found, error = simulated_benefit([3.0], [4.0], Q, 40, 80, seeds=range(150))
    theory = 9 * transfer_benefit([3.0], [4.0], Q, 0.5, 40, 1e-3, order=1)
    assert abs(theory) > 10 * error
    assert abs(found - theory) < 4 * error + 0.15 * abs(theory)


def test_it_is_the_gradient_flow_of_an_aligned_network():
    """Two teachers, integrated layer by layer from the aligned start, stopped at the best mean time."""
    seeds, eps = [0, 1, 2], 1e-3
    a, b = related_teachers(2, 5, [[3.0], [2.0]], pair_gram(Q, 1, 1), seeds)
    times = np.geomspace(0.1, 12, 500)

    def least(stacks):
        curves = [error_curve(data, clean, times, eps) for data, clean in zip(stacks, a.clean[:, 0], strict=True)]
        return np.mean(curves, axis=0).min()

    own, other = a.training[:, 0], b.training[:, 0]
    expected = least(own) - least(np.concatenate([own, other], axis=-2))
    found, _ = simulated_benefit([3.0], [2.0], Q, 2, 5, eps, seeds)
    assert found == pytest.approx(expected, abs=2e-3)


def test_times_reach_from_the_strongest_mode_to_the_weakest_that_matters():
    assert _times(np.array([[4.0, 1.0], [2.0, 0.5]]), 1e-3)[[0, -1]] == pytest.approx([0.25, 8 * np.log(1e3)])
    assert _times(np.array([[4.0, 1e-9]]), 1e-3)[-1] == pytest.approx(np.log(1e3) * _RATIO)


def error_curve(data, clean, times, eps):
    u, s, vt = np.linalg.svd(data, full_matrices=False)
    first, second = np.sqrt(eps) * np.eye(len(s)) @ vt, np.sqrt(eps) * u

    def flow(_, state):
        w21, w32 = np.split(state, [first.size])
        w21, w32 = w21.reshape(first.shape), w32.reshape(second.shape)
        rest = data - w32 @ w21
        return np.concatenate([(w32.T @ rest).ravel(), (rest @ w21.T).ravel()])

    start = np.concatenate([first.ravel(), second.ravel()])
    states = solve_ivp(flow, (0, times[-1]), start, t_eval=times, rtol=1e-8, atol=1e-10).y.T
    maps = states[:, first.size :].reshape(-1, *second.shape) @ states[:, : first.size].reshape(-1, *first.shape)
    return ((maps[:, : len(clean)] - clean) ** 2).sum((1, 2))


def test_rank_and_order_of_the_tasks_matter_as_they_should():
    q = np.array([[0.9], [0.0]])
    a, _ = simulated_benefit([4.0, 2.0], [6.0], q, 4, 20, seeds=range(40))
    flipped, _ = simulated_benefit([2.0, 4.0], [6.0], q[::-1], 4, 20, seeds=range(400))
    other, error = simulated_benefit([4.0, 2.0], [6.0], q[::-1], 4, 20, seeds=range(400))
    assert a == pytest.approx(flipped, abs=0.15)
    # B helps the weak mode of A more than the strong one.
    assert other - flipped > 4 * error


test_bad_arguments_are_refused = refused(
    simulated_benefit,
    {"s_a": [3.0], "s_b": [2.0], "q": Q, "n_outputs": 2, "n_inputs": 5, "seeds": range(3)},
    {
        "singular value|eigenvalue": [{"q": [[1.1]]}],
        "shape": [{"q": [[0.5, 0.5]]}],
        "seeds must be at least two": [{"seeds": [1]}],
        "at most n_inputs": [{"n_inputs": 1}],
    },
)
