"""Calls that a random search over all public callables found: each is refused by the name of an argument."""

import numpy as np
import pytest
import test_bad_input_packages as packages
import valid_calls_methods
import valid_calls_theory

CALLS = (
    {f"theory.{module}": calls for module, calls in valid_calls_theory.CALLS.items()},
    valid_calls_methods.CALLS,
    packages.CALLS,
)
TINY = 1e-200 * np.eye(3)
ROWS = np.random.default_rng(0).standard_normal((12, 3))
FOUND = [
    ("theory.generalization", "test_error_random", {"n_outputs": 10**4}, "n_outputs must be at most n_inputs"),
    ("theory.hard_sharing", "greedy_energies", {"xs": [TINY, TINY], "ys": np.ones((2, 3))}, r"xs\[0\] must"),
    ("theory.interpolation", "min_penalty", {"kappa": 5e-324}, "kappa must lie in"),
    ("theory.learning_curves", "penalty_error", {"start": -(2**63)}, "truth, start, kappa and noise must"),
    ("data.real", "standardiser", {"rows": 1e-200 * ROWS}, "rows must have columns that vary"),
    ("data.noisy_tasks", "noisy_tasks", {"n_examples": 1}, "n_examples must be enough"),
    ("data.digit_tasks", "yes_no_targets", {"tasks": {"odd": 1}}, "tasks must be something to iterate over"),
    ("data.two_tasks.image_classes", "split_classes", {"pair": [[3], [1]]}, "pair must be two"),
    ("data.linear_tasks", "transfer_pairs", {"n_inputs": 10**6}, "n_inputs must be at most 10000"),
    ("data.inputs", "gaussian_inputs", {"seeds": range(10**12)}, "seeds must have at most"),
    ("forecast", "JointRegressor.fit", {"X": np.ones((34, 3))}, "X must have a column that varies"),
    ("methods.sharing", "HardSharing.score", {"Y": np.ones((12, 2))}, "Y must vary in each task"),
    ("simulation.softmax", "weights", {"layer": 9}, "layer must be the place of a layer"),
    ("simulation.softmax", "balance", {"layer": 9}, "layer must be the place of a hidden layer"),
]


@pytest.mark.parametrize(("module", "name", "change", "told"), FOUND, ids=[name for _, name, *_ in FOUND])
def test_it_is_refused_by_name(module, name, change, told):
    (call,) = [calls[module][name] for calls in CALLS if name in calls.get(module, ())]
    with pytest.raises((ValueError, TypeError), match=told):
        packages.called(module, name)(**call | change)
