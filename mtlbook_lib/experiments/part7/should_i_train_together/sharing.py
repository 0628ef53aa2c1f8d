"""Five ways of sharing on real pairs: what each gains on new rows, and what was recommended from the training rows.

The recommendation was fixed on pairs from ``SOURCES`` and is judged on pairs from ``HELD_OUT``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.real_pairs import TargetRows
from mtlbook_lib.experiments.part7.should_i_train_together.forecasts import VERDICTS
from mtlbook_lib.experiments.part7.should_i_train_together.students import narrow_losses
from mtlbook_lib.forecast import Recommendation, SharedRidge, TwoTaskGP, recommend

WAYS = ("pool", "shared + own", "feature", "process")
LEARNERS = (*WAYS, "network")
# What is stored of a recommendation, in this order: first the expected gains, then the gains on rows left out and
# their errors, each for the WAYS.
SAID = (*(f"{kind}, {way}" for kind in ("expected", "left out", "error") for way in WAYS),
        "gain", "nats", "score", "cosine", "verdict", "way")  # fmt: skip
_WORST = 4.0  # an error on new rows, over the variance of their labels, counts at most so much


def gains_and_advice(rows: TargetRows, seeds: Sequence[int]) -> dict[str, Array]:
    """Measured gains, "gains", shape (seed, partner, 5), and what was "said", (seed, partner, 18).

    A gain is the test error of A alone minus that with B, over the variance of the test labels; of the network, the
    loss over a constant's. Where a partner has no column that varies, nothing can be shared and nothing is said.
    """
    shape = (len(seeds), len(rows.partners))
    gains, said = np.zeros((*shape, len(LEARNERS))), np.zeros((*shape, len(SAID)))
    for seed in range(len(seeds)):
        for place, partner in enumerate(rows.partners):
            data = rows.inputs[seed], rows.labels[seed], partner.inputs[seed], partner.labels[seed]
            if not np.ptp(data[2], axis=0).max() > 0:
                said[seed, place, SAID.index("verdict")] = VERDICTS.index("cannot tell")
                continue
            gains[seed, place, :4] = sharing_gains(*data, rows.new_inputs[seed], rows.new_labels[seed])
            said[seed, place] = numbers_of(recommend(*data, repeats="keep", draws=2), cosine(*data))
    alone, joint = narrow_losses(rows, seeds)
    gains[..., 4] = alone - joint
    return {"gains": gains, "said": said}


def sharing_gains(x_a: Array, y_a: Array, x_b: Array, y_b: Array, new: Array, truth: Array) -> Array:
    """Gains of the four WAYS on new rows, each over the same model of A alone."""
    x_a, x_b, new = _same_units(x_a, x_b, new)
    y_a, truth = (labels - y_a.mean() for labels in (y_a, truth))
    both, labels = np.concatenate([x_a, x_b]), np.concatenate([y_a / y_a.std(), (y_b - y_b.mean()) / y_b.std()])
    task = np.repeat([0, 1], [len(y_a), len(y_b)])
    alone, other = SharedRidge(own=0.0).fit(x_a, y_a), SharedRidge(own=0.0).fit(x_b, y_b)
    feature = SharedRidge(own=0.0).fit(np.column_stack([x_a, other.predict(x_a)]), y_a)
    apart, process = TwoTaskGP().fit(x_a, y_a), TwoTaskGP().fit(x_a, y_a, x_b, y_b)
    shared = [SharedRidge(own).fit(both, labels, task).predict(new, 0) * y_a.std() for own in (0.0, None)]
    said = [alone.predict(new), apart.predict(new), *shared]
    said += [feature.predict(np.column_stack([new, other.predict(new)])), process.predict(new)]
    errors = np.minimum(np.square(np.array(said) - truth).mean(axis=1) / truth.var(), _WORST)
    return np.asarray([errors[0] - errors[2], errors[0] - errors[3], errors[0] - errors[4], errors[1] - errors[5]])


def cosine(x_a: Array, y_a: Array, x_b: Array, y_b: Array) -> float:
    """Between the coefficients of both tasks, each learned by a ridge of its own in common units."""
    x_a, x_b, _ = _same_units(x_a, x_b, x_a)
    slopes = [SharedRidge(own=0.0).fit(x, y).coef_[0] for x, y in ((x_a, y_a), (x_b, y_b))]
    size = float(np.linalg.norm(slopes[0]) * np.linalg.norm(slopes[1]))
    return float(slopes[0] @ slopes[1]) / size if size > 0 else 0.0


def numbers_of(told: Recommendation, alike: float) -> list[float]:
    """The numbers SAID."""
    gains = [told.gains[way][part] for part in (0, 1) for way in WAYS]
    way = WAYS.index(told.way) if told.way in WAYS else -1
    forecast = [float(np.nan_to_num(told.forecast.gain)), told.forecast.nats, told.forecast.score]
    return [*(told.expected[name] for name in WAYS), *gains, *forecast, alike, VERDICTS.index(told.verdict), way]


def constructed(seed: int, n_pairs: int) -> dict[str, Any]:
    """Of drawn tasks, how often the same task and permuted labels "likely help".

    5, 10 or 20 Gaussian columns; a linear teacher or eight rectified units, noise half of it or as large; 40, 80 or 160
    rows for each task.
    """
    rng = np.random.default_rng(seed)
    found = [_constructed_pair(rng) for _ in range(n_pairs)]
    return {"same": np.mean([same for same, _ in found]), "permuted": np.mean([other for _, other in found])}


def _constructed_pair(rng: np.random.Generator) -> tuple[bool, bool]:
    d, n_a, n_b = (int(rng.choice(values)) for values in ((5, 10, 20), (40, 80, 160), (40, 80, 160)))
    noise, linear = float(rng.choice([0.5, 1.0])), bool(rng.integers(2))
    x, units = rng.standard_normal((n_a + n_b, d)), rng.standard_normal((d, 1 if linear else 8))
    clean = x @ units[:, 0] if linear else np.maximum(x @ units, 0) @ rng.standard_normal(8)
    y = (clean - clean.mean()) / clean.std() + noise * rng.standard_normal(n_a + n_b)
    labels = y[n_a:], rng.permutation(y[n_a:])
    same, other = (recommend(x[:n_a], y[:n_a], x[n_a:], of_b, draws=2).verdict for of_b in labels)
    return same == VERDICTS[0], other == VERDICTS[0]


def _same_units(x_a: Array, x_b: Array, new: Array) -> tuple[Array, Array, Array]:
    """Columns in units of their spread over the rows of both tasks."""
    both = np.concatenate([x_a, x_b])
    spread = both.std(axis=0)
    unit = np.where(spread > 1e-12 * np.abs(both).max(axis=0), spread, np.inf)
    a, b, fresh = ((rows - both.mean(axis=0)) / unit for rows in (x_a, x_b, new))
    return a, b, fresh
