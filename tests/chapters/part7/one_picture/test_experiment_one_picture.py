"""The experiments of the chapter with one picture of the four theories, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part7.one_picture import experiment
from mtlbook_lib.theory.interpolation import min_l2


def test_predicted_ends_with_one_unit_relate_as_the_early_gains_do():
    ends = [experiment.courses(1.5, q, n_inputs=20, n_seeds=1).predicted["capacity 1"][-1] for q in (0.4, 0.9)]
    left = [1 - experiment.early_gain((1.5, 1.5), q, 1 / 20) for q in (0.4, 0.9)]
    assert ends[0] / ends[1] == pytest.approx(left[0] / left[1], rel=1e-6)


@pytest.mark.parametrize(("strengths", "q"), [((1.0, 1.0), 0.6), ((2.0, 1.0), 0.9), ((1.5, 3.0), 0.4)])
def test_both_parts_give_the_gain_of_the_second_mode(strengths, q):
    cross = strengths[0] * strengths[1] * q
    values, modes = np.linalg.eigh([[strengths[0] ** 2, cross], [cross, strengths[1] ** 2]])
    gain = modes[0, 0] ** 2 * (1 - values[0])
    assert experiment.early_gain(strengths, q, 1e-6) == pytest.approx(gain, abs=1e-4)
    assert experiment.pooled_gain(strengths, q, 1e5) == pytest.approx(gain, abs=1e-3)


def test_tasks_share_the_old_features_and_add_new_ones():
    aux, main = experiment.tasks(range(3))
    assert np.all((aux != 0).sum(axis=1) == 20)
    assert np.all((main != aux).sum(axis=1) == 10)
    assert np.all(main[aux != 0] == aux[aux != 0])


def test_a_small_start_is_not_lazy():
    aux, main = experiment.tasks(range(2))
    x = np.random.default_rng(0).standard_normal((2, 40, experiment.DIM))
    y = (x @ main[..., None])[..., 0]
    beta = experiment.trained(1e-2, aux, x, y).beta[:, 0, 0]
    lazy = np.array([start + min_l2(a, b - a @ start) for start, a, b in zip(aux, x, y, strict=True)])
    assert (x @ beta[..., None])[..., 0] == pytest.approx(y, abs=1e-4)
    assert np.all(np.linalg.norm(beta - lazy, axis=1) > 0.5)
