"""The experiments of the chapter on one mode, at tiny sizes."""

import numpy as np
import pytest
import torch

from mtlbook_lib.chapters.part2.one_mode import experiment
from mtlbook_lib.theory import linear_dynamics as ld

TIMES = np.array([0.5, 1.0])
MODES = np.array([4.0, 1.0])


def test_downhill_is_the_slope_of_the_loss():
    """Second route: a finite difference of half the loss along one weight, from the covariances alone."""
    net = experiment.downhill(n=4, n_hidden=2, n_examples=9, seed=3)

    def loss(shift):
        first = net.first.copy()
        first[1, 2] += shift
        w = net.second @ first
        return 0.5 * np.trace(w @ net.sigma11 @ w.T) - np.trace(w @ net.sigma31.T)

    slope = (loss(1e-5) - loss(-1e-5)) / 2e-5
    assert net.direction.size == net.first.size + net.second.size
    assert net.direction[4 + 2] == pytest.approx(-slope, rel=1e-6)


def test_growth_without_noise_has_the_modes_that_went_in():
    found = experiment.growth(MODES, TIMES)
    assert found.modes[0, :3] == pytest.approx([4.0, 1.0, 0.0], abs=1e-12)
    assert found.strength[..., :2] == pytest.approx(found.predicted[..., :2], abs=1e-5)
    # Where the data say nothing the student's vectors are a draw of its own: no more than the start is seen there.
    assert np.abs(found.strength[..., 2:]).max() < 1.01e-3
    assert found.share[0, :, :2] == pytest.approx(found.strength[0, :, :2] / MODES)


def test_a_tilt_leaves_the_start_but_hastens_growth():
    at_start = np.array([0.0, 0.5])
    even = experiment.noisy_growth(at_start, n_seeds=1)
    tilted = experiment.noisy_growth(at_start, tilt=2.0, n_seeds=1)
    assert even.strength.shape == (1, 2, 50)
    assert tilted.strength[0, 0] == pytest.approx(even.strength[0, 0])
    assert np.all(tilted.strength[0, 1, :3] > 1.5 * even.strength[0, 1, :3])
    assert even.strength == pytest.approx(even.predicted, abs=1e-7)


def test_identities_do_not_depend_on_the_precision_of_the_book(monkeypatch):
    double = experiment.deep_growth(TIMES, depths=(3,))[0]
    monkeypatch.setenv("MTLBOOK_DTYPE", "float32")
    assert experiment.off_diagonal(TIMES, depths=(2,), n_seeds=1) == pytest.approx(0, abs=1e-10)
    assert experiment.imbalance_drift(0.5, depths=(2, 3), n_seeds=2) == pytest.approx(0, abs=1e-9)
    single = experiment.deep_growth(TIMES, depths=(3,))[0]
    assert single.strength == pytest.approx(double.strength, rel=1e-12)
    assert single.depth == 3


def test_the_drift_of_imbalance_is_a_difference_that_can_be_seen():
    """Of layers that are not trained by the flow: a student and its double."""
    layers = [torch.tensor([[1.0, 2.0]], dtype=torch.float64), torch.tensor([[3.0]], dtype=torch.float64)]
    assert float(experiment._imbalance(layers)[0]) == 9 - 5
    assert float(experiment._imbalance([2 * layers[0], layers[1]])[0]) == 9 - 20


def test_the_front_is_between_the_modes_around_one_half():
    modes = np.array([[3.0, 2.0, 1.0]])
    logit = np.array([1.0, -1.0, -2.0])
    share = 1 / (1 + np.exp(-logit))
    found = experiment.Growth(np.array([1.0]), modes, (share * modes)[:, None])
    assert experiment.half_learned(found) == pytest.approx([2.5])


def test_a_wave_that_skips_a_mode_is_counted():
    shares = np.array([[[0.9, 0.2, 0.8, 0.1], [0.9, 0.8, 0.2, 0.1]]])
    found = experiment.Growth(np.arange(2.0), np.ones((1, 4)), shares)
    assert experiment.overtaken(found).tolist() == [1, 0]


def test_descent_is_near_the_flow_and_nearer_with_smaller_steps():
    coarse, fine = experiment.descents(MODES, rates=(0.02, 0.01))
    assert coarse.error / fine.error == pytest.approx([2.0, 2.0], rel=0.05)
    assert fine.half_steps() * 0.01 == pytest.approx(ld.half_time(MODES, experiment.EPS), rel=0.02)
    strengths, lag = fine.lag(mode=0)
    assert strengths.shape == lag.shape
    assert lag[0] < 0.5
    assert 1 < lag.max() < 2


def test_the_whole_loss_goes_twice_as_fast():
    half, whole = (experiment.descend(MODES, 0.01, loss, until=4.0) for loss in ("half", "full"))
    assert half.half_steps() == pytest.approx(2 * whole.half_steps(), rel=0.02)


@pytest.mark.parametrize("depth", [2, 3])
def test_descent_settles_below_the_largest_rate_only(depth):
    limit = 2 / (depth * 2.0 ** (2 - 2 / depth))
    ends = [experiment.descent_end(2.0, depth, share * limit, 2000) for share in (0.9, 1.1)]
    assert ends[0] == pytest.approx(2.0, abs=1e-9)
    assert abs(ends[1] - 2.0) > 1e-3
