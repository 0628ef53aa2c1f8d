"""The experiments of the chapter on the logistic loss, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.other_losses import experiment
from mtlbook_lib.theory.training_paths import relative_margin


@pytest.fixture(scope="module")
def run():
    return experiment.classifiers(0.1, 4, n_seeds=2)


def test_margins_never_exceed_the_largest_and_end_near_it(run):
    tasks = experiment.data(4, 2)
    for kind, largest in run.largest.items():
        assert np.all(run.margin[kind] <= 1 + 1e-8)
        assert np.all(run.margin[kind][-1] > 0.8)
        signed = [tasks.signed[0], tasks.signed_aux[0]][: largest.shape[1]]
        top = relative_margin(signed, largest[0])
        assert relative_margin(signed, run.beta[kind][-1, 0]) / top == pytest.approx(run.margin[kind][-1, 0])
        cosines = run.direction(kind)  # a norm is flat: they may stay small where the margin is nearly the largest one
        assert np.all(cosines <= 1 + 1e-8)
        assert np.all(cosines[-1] > cosines[0])


def test_errors_are_shares_of_wrong_labels(run):
    tasks = experiment.data(4, 2)
    x = np.random.default_rng(0).standard_normal((200_000, 40))
    wrong = np.sign(x @ run.beta["single"][4, 0, 0]) != np.sign(x @ tasks.teacher[0])
    assert wrong.mean() == pytest.approx(run.error["single"][4, 0], abs=0.005)


def test_marks_are_losses_and_training_data_are_right_at_the_end(run):
    tasks = experiment.data(4, 2)
    for kind in ("single", "finetune"):
        margins = np.einsum("sid,msd->msi", tasks.signed, run.beta[kind][:, :, 0])
        assert -np.log(np.logaddexp(0, -margins).mean(axis=2)) == pytest.approx(
            np.broadcast_to(run.marks[:, None], (9, 2)), rel=1e-5
        )
        assert np.all(margins[-1] > 0)
    assert np.all(np.abs(run.alike) <= 1)
