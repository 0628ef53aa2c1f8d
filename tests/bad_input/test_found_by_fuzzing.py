"""Calls that a random search over all public callables found: each is refused by the name of an argument."""

import numpy as np
import pytest
import torch
from every_call import CALLS, called

TINY = 1e-200 * np.eye(3)
ROWS = np.random.default_rng(0).standard_normal((12, 3))
SPARSE, META = torch.eye(3).to_sparse(), torch.ones(3, device="meta")
FOUND = [
    ("theory.generalization", "test_error_random", {"n_outputs": 10**4}, "n_outputs must be at most n_inputs"),
    ("theory.hard_sharing", "greedy_energies", {"xs": [TINY, TINY], "ys": np.ones((2, 3))}, r"xs\[0\] must"),
    ("theory.interpolation", "min_penalty", {"kappa": 5e-324}, "kappa must lie in"),
    ("theory.learning_curves", "penalty_error", {"start": -(2**63)}, "truth, start, kappa and noise must"),
    ("data.real", "standardiser", {"rows": 1e-200 * ROWS}, "rows must be zero or at least 1e-120"),
    ("data.noisy_tasks", "noisy_tasks", {"n_examples": 1}, "n_examples must be enough"),
    ("data.digit_tasks", "yes_no_targets", {"tasks": {"odd": 1}}, "tasks must be something to iterate over"),
    ("data.two_tasks.image_classes", "split_classes", {"pair": [[3], [1]]}, "pair must be two"),
    ("data.linear_tasks", "transfer_pairs", {"n_inputs": 10**6}, "n_inputs must be at most 10000"),
    ("data.inputs", "gaussian_inputs", {"seeds": range(10**12)}, "seeds must have at most"),
    ("forecast", "JointRegressor.fit", {"X": np.ones((34, 3))}, "X must have a column that varies"),
    ("methods.sharing", "HardSharing.score", {"Y": np.ones((12, 2))}, "Y must vary in each task"),
    ("data.gaussian_pairs", "gaussian_pair", {"sigmas": np.ones((2, 3))}, "sigmas must have 1 axes"),
    ("data.gaussian_pairs", "gaussian_pair", {"spreads": np.zeros((2, 0, 3))}, "spreads must be matrices"),
    ("data.classification", "snr_teachers", {"n_features": 1, "rank": None}, "rank must be at most 1"),
    ("data.sparse_tasks", "sphere_examples", {"beta": np.ones((1, 0))}, "beta must have a row"),
    ("data.two_tasks.image_classes", "image_tasks", {"labels": [[0, 1]]}, "labels must be one for each"),
    ("forecast", "rank_auxiliaries", {"progress": lambda items: None}, "progress must return something to iterate"),
    ("forecast", "benefit_matrix", {"progress": lambda items: None}, "progress must return something to iterate"),
    ("forecast", "compare", {"fit_joint": lambda *tables: None}, "what fit_joint returns must be a function"),
    ("forecast", "JointRegressor.predict", {"task": [["a"]]}, "task must be one"),
    ("forecast", "JointRegressor.predict", {"task": {"a"}}, "task must hold labels"),
    ("methods.benchmarks", "compare_pretraining", {"network": lambda: None}, "the result of network must be a Module"),
    ("methods.simulated_benefit", "simulated_benefit", {"seeds": [3]}, "seeds must be at least two"),
    ("statistics", "slope_of_means", {"x": np.array([[0.0, 1.0], [1.0, 0.0]]), "y": np.eye(2)}, "slopes of y over x"),
    ("simulation.engine", "to_tensor", {"values": SPARSE}, "values must be a dense tensor"),
    ("simulation.spectra", "svd", {"matrices": SPARSE}, "matrices must be a dense tensor"),
    ("simulation.spectra", "svd", {"matrices": META}, "matrices must be a dense tensor"),
    (
        "simulation.spectra",
        "leading_data_modes",
        {"training": np.zeros((2, 2, 4)), "teacher": np.ones((2, 2, 4))},
        "training must not be zero",
    ),
    ("simulation.rectifier.descent", "descend", {"inputs": META}, "inputs must be a dense tensor"),
    ("simulation.rectifier.descent", "prediction_error", {"inputs": np.ones((4, 1, 3, 5))}, "inputs must have"),
    ("simulation.linear.observables", "relative_train_error", {"target_power": np.zeros((2, 0))}, "target_power must"),
    (
        "simulation.linear.observables",
        "mode_strengths",
        {"training": np.ones((0, 1, 3, 4))},
        "training must have a shape without",
    ),
    ("simulation.two_tasks.on_axes", "alternate_on_axes", {"start": np.zeros(3)}, "start must not be zero"),
    ("simulation.two_tasks.on_axes", "alternate_on_axes", {"products": np.zeros((2, 3))}, "products must not be"),
    ("simulation.rank_one", "alternating_directions", {"starts": 1e-200 * np.ones((1, 3))}, "starts must be zero or"),
    ("theory.hard_sharing", "shared_solution", {"xs": [TINY, TINY], "ys": np.ones((2, 3))}, r"xs\[0\] must"),
    ("simulation.softmax", "balance", {"layer": 9}, "layer must be the place of a hidden layer"),
]


@pytest.mark.parametrize(
    ("module", "name", "change", "told"), FOUND, ids=[f"{name}-{next(iter(change))}" for _, name, change, _ in FOUND]
)
def test_it_is_refused_by_name(module, name, change, told):
    with pytest.raises((ValueError, TypeError), match=told):
        called(module, name)(**CALLS[module][name] | change)


UNSOLVED = [
    ("min_chain_penalty", {"x": np.zeros((3, 5))}, "x, y and alpha"),
    ("flow_path", {"x": np.vstack([1e20 * np.ones(5), np.eye(2, 5)])}, "x, y and kappa"),
]


@pytest.mark.parametrize(("name", "change", "told"), UNSOLVED, ids=[name for name, *_ in UNSOLVED])
def test_a_solver_that_finds_nothing_says_of_what(name, change, told):
    call = CALLS["theory.training_paths"][name]
    wrong = {key: np.resize(value, np.shape(call[key])) for key, value in change.items()}
    with pytest.raises(RuntimeError, match=told):
        called("theory.training_paths", name)(**call | wrong)


class TheirsError(Exception):
    """Raised by what a caller hands over."""


@pytest.mark.filterwarnings("ignore")
def test_an_error_of_the_caller_s_own_function_comes_out_as_it_is():
    def broken(*_: object) -> None:
        raise TheirsError

    for module, name, argument in (("forecast", "compare", "fit_joint"), ("forecast", "group_tasks", "progress"),
                                   ("theory.generalization", "curve_minimum", "curve")):  # fmt: skip
        with pytest.raises(TheirsError):
            called(module, name)(**CALLS[module][name] | {argument: broken})


def test_what_cannot_be_written_out_is_still_refused_by_name():
    class Silent:
        def __repr__(self) -> str:
            raise TheirsError

    for module, name, argument in (("data.inputs", "gaussian_inputs", "seeds"), ("methods.sharing", "shared", "loss"),
                                   ("methods.sharing", "shared", "training")):  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=argument):
            called(module, name)(**CALLS[module][name] | {argument: Silent()})
