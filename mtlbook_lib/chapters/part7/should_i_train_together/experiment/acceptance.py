"""How good the recommendation is: order, worth, false promises, opposite verdicts; errors over targets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib import forecast
from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.forecasts import VERDICTS
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.judged import LEARNERS, WAYS, Judged
from mtlbook_lib.data.scores import rank_correlation as spearman
from mtlbook_lib.statistics import Estimate, jackknife_error

PREDICTORS = ("recommendation", "cross-validation", "linear forecast", "evidence", "score", "cosine")
POLICIES = ("recommendation", "cross-validation", "cosine", "always")
_Pairs = NDArray[np.int64]


def said_of(judged: Judged, learner: str, name: str) -> Array:
    """A predictor's number for a learner, shape (draw, pair); the network's is the mean over the ways."""
    kind = {"recommendation": "expected", "cross-validation": "left out"}.get(name)
    if kind is None:
        return judged.number({"linear forecast": "gain", "evidence": "nats"}.get(name, name))
    values = judged.each_way(kind)
    return values[..., WAYS.index(learner)] if learner in WAYS else np.asarray(values.mean(axis=-1))


def others(judged: Judged, learner: str) -> Array:
    """Mean measured gain over all other draws than the one that was advised on, shape (draw, pair)."""
    runs = judged.gains[..., LEARNERS.index(learner)]
    return np.asarray((runs.sum(axis=0) - runs) / (len(runs) - 1))


def order(judged: Judged, learner: str, name: str) -> Estimate:
    """Spearman's rank correlation over pairs of what was said with the measured gain, mean over draws."""
    said, truth = said_of(judged, learner, name), others(judged, learner)
    return _with_error(judged, lambda pairs: float(spearman(said[:, pairs], truth[:, pairs]).mean()))


def worth(judged: Judged, learner: str, policy: str) -> Estimate:
    """Mean measured gain over never sharing, where the policy shares."""
    value = others(judged, learner) * _shared(judged, learner, policy)
    return _with_error(judged, lambda pairs: float(value[:, pairs].mean()))


def best_rival(found: dict[str, Estimate]) -> tuple[str, Estimate]:
    """The best of all but the recommendation."""
    name = max((name for name in found if name != "recommendation"), key=lambda name: found[name][0])
    return name, found[name]


def false_promises(judged: Judged) -> Estimate:
    """Share of all draws that were told "likely helps" though the recommended way costs two standard errors."""
    way = np.maximum(judged.number("way").astype(int), 0)
    helps = (judged.number("verdict") == VERDICTS.index("likely helps")) & (judged.number("way") >= 0)
    wrong = helps & np.take_along_axis(np.broadcast_to(_costs(judged), (*way.shape, 4)), way[..., None], -1)[..., 0]
    return _with_error(judged, lambda pairs: float(wrong[:, pairs].mean()))


def false_by_student(judged: Judged, of_way: bool = True) -> dict[str, float]:
    """Share of all draws that were told "likely helps" of a student that loses two standard errors.

    The verdict is that about its own way, or if not `of_way` that of the pair; the network has the latter alone.
    """
    helps, runs = judged.number("verdict") == VERDICTS.index("likely helps"), judged.gains
    loses = runs.mean(axis=0) < -2 * runs.std(axis=0, ddof=1) / np.sqrt(len(runs))
    found = {}
    for place, learner in enumerate(LEARNERS):
        told = helps
        if of_way and learner in WAYS:
            gain, error = (judged.each_way(name)[..., place] for name in ("left out", "error"))
            told = helps & forecast.policy.clear(
                judged.each_way("expected")[..., place], gain, error, judged.number("nats")
            )
        found[learner] = float((told & loses[:, place]).mean())
    return found


def verdict_shares(judged: Judged) -> dict[str, float]:
    """How often each verdict is given."""
    return {name: float((judged.number("verdict") == place).mean()) for place, name in enumerate(VERDICTS)}


def verdict_gains(judged: Judged) -> dict[str, Estimate]:
    """Mean measured gain of the recommended way where a verdict is given; none is 0."""
    way = judged.number("way").astype(int)
    truth = np.stack([others(judged, name) for name in WAYS], axis=-1)
    value = np.where(way >= 0, np.take_along_axis(truth, np.maximum(way, 0)[..., None], -1)[..., 0], 0.0)
    found = {}
    for place, name in enumerate(VERDICTS):
        given = judged.number("verdict") == place
        found[name] = _with_error(judged, partial(_mean_where, value, given))
    return found


def opposite_pairs(judged: Judged) -> Estimate:
    """Share of pairs that got "likely helps" in one draw and "no gain expected" in another."""
    verdict = judged.number("verdict")
    opposed = (verdict == 0).any(axis=0) & (verdict == 1).any(axis=0)
    return _with_error(judged, lambda pairs: float(opposed[pairs].mean()))


def _shared(judged: Judged, learner: str, by: str) -> NDArray[np.bool_]:
    said = said_of(judged, learner, by) if by != "always" else np.ones(judged.said.shape[:2])
    if by == "recommendation" and learner in WAYS:
        return np.asarray(forecast.policy.shares(said, judged.each_way("error")[..., WAYS.index(learner)], learner))
    return np.asarray(forecast.policy.shares(said, 0.0))


def _costs(judged: Judged) -> NDArray[np.bool_]:
    """Pairs whose mean gain is below minus two standard errors, shape (pair, way)."""
    runs = judged.gains[..., :4]
    return np.asarray(runs.mean(axis=0) < -2 * runs.std(axis=0, ddof=1) / np.sqrt(len(runs)))


def _mean_where(value: Array, given: NDArray[np.bool_], pairs: _Pairs) -> float:
    """Mean over the draws of these pairs with the verdict; NaN if there are none."""
    chosen = given[:, pairs]
    return float(value[:, pairs][chosen].mean()) if chosen.any() else float("nan")


def _with_error(judged: Judged, measure: Callable[[_Pairs], float]) -> Estimate:
    """A number of all pairs, and its standard error by leaving out one target with its partners after the other."""
    n = int(judged.owner.max()) + 1
    left = np.array([measure(np.flatnonzero(judged.owner != place)) for place in range(n)])
    known = left[~np.isnan(left)]
    error = float(jackknife_error(known)) if len(known) > 1 else float("nan")
    return measure(np.arange(len(judged.owner))), error
