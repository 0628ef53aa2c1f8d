"""Baselines of sharing for A: errors of its rows left out one at a time, in closed form."""

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast._input.columns import standardised
from mtlbook_lib.forecast._tasks import Task
from mtlbook_lib.methods.shared_ridge import shared_ridge

BASELINES = {
    "ridge alone": "a ridge of A by itself",
    "pool": "one ridge for both tasks",
    "shared + own": "a ridge with shared and own coefficients",
    "feature": "B's prediction as a further input of A",
}


def baselines_left_out(a: Task, b: Task) -> dict[str, Array]:
    """For each of the BASELINES label minus prediction, shape (n_a,), in units of A's standardised labels."""
    tables = standardised([a.inputs, b.inputs])
    n, both, labels = len(a.labels), np.concatenate(tables), np.concatenate([a.labels, b.labels])
    task = np.repeat([0, 1], [n, len(b.labels)])
    shared = [shared_ridge(both, labels, task, own).left_out[:n] for own in (0.0, None)]
    alone = shared_ridge(tables[0], a.labels).left_out
    by_b = shared_ridge(tables[1], b.labels).predict(tables[0])
    feature = shared_ridge(np.column_stack([tables[0], by_b]), a.labels).left_out
    return dict(zip(BASELINES, [alone, *shared, feature], strict=True))
