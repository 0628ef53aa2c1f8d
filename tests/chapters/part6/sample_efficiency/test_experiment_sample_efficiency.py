"""The experiments of the chapter on sample efficiency, at tiny sizes, and what is stored for it."""

import numpy as np
import pytest
from scipy.stats import norm

from mtlbook_lib.chapters import sparse_pairs, stored_results
from mtlbook_lib.chapters.part6.sample_efficiency import experiment
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.theory.interpolation import min_l2, min_penalty, min_weighted_l2

TASKS, SIZES = ((20, 20), (5, 0)), (12, 30)


@pytest.fixture(scope="module")
def errors():
    return experiment.trained(2, TASKS, SIZES, 120, 124)


@pytest.fixture(scope="module")
def problem():
    aux, main = sparse_pairs.teachers(2, TASKS, 120)
    return aux, main[1], sphere_inputs(120, SIZES[0], [2])[0]


def test_every_arm_has_its_errors(errors):
    assert set(errors) == set(experiment.ARMS)
    assert all(found.shape == (2, 2) for found in errors.values())


def test_lazy_networks_are_at_the_least_norm(errors, problem):
    _, truth, x = problem
    expected = sparse_pairs.relative_errors(min_l2(x, x @ truth), truth)
    assert errors["lazy"][1, 0] == pytest.approx(expected, rel=1e-3)


def test_rich_networks_are_at_the_least_penalty(errors, problem):
    _, truth, x = problem
    expected = sparse_pairs.relative_errors(min_penalty(x, x @ truth, 2 * sparse_pairs.ALPHA**2), truth)
    assert errors["single"][1, 0] == pytest.approx(expected, rel=1e-2)


def test_probed_networks_are_near_the_weighted_least_squares_of_ideal_pretraining(errors, problem):
    aux, truth, x = problem
    energy = np.sqrt(aux**2 + 4 * sparse_pairs.ALPHA**4)
    expected = sparse_pairs.relative_errors(min_weighted_l2(x, x @ truth, energy), truth)
    assert errors["probing"][1, 0] == pytest.approx(expected, rel=0.1)


def test_sharing_helps_finetuning(errors):
    assert np.all(errors["finetune"][0] < errors["single"][0])
    assert errors["finetune"][1, 0] > 1.0


def test_joint_networks_do_not_undercut_the_least_norm():
    found = experiment.trained_together(1, TASKS, (20,), 100, 104)
    assert all(values.shape == (2, 1) for values in found.values())
    assert np.all(found["excess"] > -1e-6)
    assert found["excess"].max() < 0.3


def test_limits_are_those_of_the_minimisers():
    limits = experiment.limits((40, 20), 64)
    assert limits["lazy"] == pytest.approx(1 - 0.064)
    assert limits["finetune"] == sparse_pairs.limit((40, 20), 1.0, 64)
    aux, main = sparse_pairs.teachers(0, ((40, 20),), 1000)
    x = sphere_inputs(1000, 64, range(8))
    energy = np.sqrt(aux**2 + 4 * sparse_pairs.ALPHA**4)
    fits = [min_weighted_l2(one, one @ main[0], energy) for one in x]
    assert np.mean(sparse_pairs.relative_errors(np.array(fits), main[0])) == pytest.approx(limits["probing"], rel=0.2)
    fits = [min_penalty(one, one @ main[0], 2 * sparse_pairs.ALPHA**2) for one in x]
    assert np.mean(sparse_pairs.relative_errors(np.array(fits), main[0])) == pytest.approx(limits["single"], rel=0.15)


def test_examples_needed_are_sums_over_features():
    t = np.linspace(0.01, 4, 2000)
    psi = 2 * ((1 + t**2) * norm.cdf(-t) - t * norm.pdf(t))
    found = experiment.needed(10, features=30)
    new, zero = 20 * (1 + t**2), 950 * psi
    assert found["finetune"] == pytest.approx(np.min(30 + new + zero), abs=1e-2)
    assert found["multi"] == pytest.approx(np.min(10 * (1 + t**2 / 2) + 20 + new + zero), abs=1e-2)
    assert found["single"] == pytest.approx(np.min(30 * (1 + t**2) + 970 * psi), abs=1e-2)


def test_stored_results_have_the_announced_shapes():
    networks, joint, limits = experiment.stored_networks(), experiment.stored_joint(), experiment.stored_limits()
    assert {found.shape[1:] for found in networks.values()} == {(len(experiment.TASKS), len(experiment.SIZES))}
    assert {found.shape[1:] for found in joint.values()} == {(len(experiment.JOINT_TASKS), len(experiment.JOINT_SIZES))}
    assert set(limits) == {*((40, shared) for shared in experiment.LIMIT_OVERLAPS),
                           *((k, 0) for k in experiment.SPARSITIES)}  # fmt: skip
    assert {curve.shape for arms in limits.values() for curve in arms.values()} == {(len(experiment.LIMIT_SIZES),)}


def test_a_stored_limit_is_found_again():
    kept = {arm: values[3] for arm, values in experiment.stored_limits()[5, 0].items()}
    assert experiment.limits((5, 0), experiment.LIMIT_SIZES[3]) == pytest.approx(kept, rel=1e-4)


def test_run_keeps_what_the_cells_find(tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "N_TRAINED", 2)
    monkeypatch.setattr(experiment, "N_JOINT", 1)
    monkeypatch.setattr(experiment, "trained", lambda seed, *_: {"finetune": np.full((1, 1), seed / 3)})
    monkeypatch.setattr(experiment, "trained_together", lambda seed, *_: {"multi": np.full((1, 1), 2.0 + seed)})
    monkeypatch.setattr(experiment, "limits", lambda task, n: {"lazy": task[0] / n})
    found = experiment.compute_stored(tmp_path)
    assert found["networks"] == {"finetune": [[[0.0]], [[0.33333]]]}
    assert found["joint"] == {"multi": [[[2.0]]]}
    assert found["limits"]["lazy"][0][0] == 40 / experiment.LIMIT_SIZES[0]
    assert stored_results.text(found).startswith("{")
