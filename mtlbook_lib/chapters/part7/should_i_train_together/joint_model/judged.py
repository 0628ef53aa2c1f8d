"""Gains of `JointRegressor` over the same model of the target alone, beside the baselines, on real tables.

Losses are squared errors on rows never seen, over the variance of the label in the target's population. Targets are
the unit of error: a table's three questions, each with its partners, sizes and draws averaged.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part7.should_i_train_together.joint_model.process import process
from mtlbook_lib.chapters.part7.should_i_train_together.joint_model.tables import Recipe, Tasks, load
from mtlbook_lib.forecast import JointRegressor
from mtlbook_lib.methods.shared_ridge import shared_ridge

SIZES = {20: 8, 40: 8, 80: 6, 160: 3}  # rows of the target, and draws of them
ROWS_B, TEST_ROWS, LEAST_TEST = 150, 300, 40
SEVERAL = {20: 3, 80: 2}  # the same for several partners
ROWS_EACH = 100
KINDS = ("population", "label", "permuted")  # same label elsewhere, another label here, labels of no meaning
RULES = ("average", "shared + own", "pool", "feature", "process", "choice", "stack", "alone, ridge")
GROUPS = ("one", "two", "three", "two, one permuted", "two, all permuted")

Rows = tuple[Array, Array]


@dataclass(frozen=True)
class Draw:
    """Rows of the target, its test rows, and partners by name: the kind and, of populations, which."""

    target: Rows
    test: Rows
    partners: dict[str, Rows]


def drawn(tasks: Tasks, question: int, n: int, seed: int) -> Draw | None:
    """One draw of a target's rows, of rows to test it on and of its partners; None where there are too few.

    Another label is asked on rows of the target's own population that are neither its training nor its test rows.
    """
    rng = np.random.default_rng([question, n, seed])
    own = rng.permutation(np.flatnonzero(tasks.populations == 0))
    here = min(ROWS_B, (len(own) - n) // 2)
    test = own[n + here :][:TEST_ROWS]
    labels, other = tasks.labels[question], tasks.labels[1 if question != 1 else 0]
    if len(test) < LEAST_TEST or not np.ptp(labels[own[:n]]) > 0:
        return None
    partners = {}
    for place in range(1, min(int(tasks.populations.max()), 2) + 1):
        chosen = rng.permutation(np.flatnonzero(tasks.populations == place))[:ROWS_B]
        partners[f"population {place}"] = tasks.inputs[chosen], labels[chosen]
    partners["label"] = tasks.inputs[own[n : n + here]], other[own[n : n + here]]
    x, y = partners["population 1"]
    partners["permuted"] = x, rng.permutation(y)
    varied = {name: rows for name, rows in partners.items() if np.ptp(rows[1]) > 0}
    return Draw((tasks.inputs[own[:n]], labels[own[:n]]), (tasks.inputs[test], labels[test]), varied)


def predictions(model: JointRegressor, target: Rows, partner: Rows, new: Array) -> dict[str, Array]:
    """Of every rule; "alone" is a fit to the target alone. Baselines have the inputs of both standardised and clipped.

    `model` is fitted to both.
    """
    apart = joint([target])
    separate = {"alone": apart.predict(new, 0), "average": model.predict(new)}
    x_a, x_b, at_new = _alike(target[0], partner[0], new)
    ways, left = _ways((x_a, target[1]), (x_b, partner[1]), at_new)
    errors = np.array([*left.values(), apart.sharing_[0].left_out])
    said = np.array([*(ways[name] for name in left), separate["alone"]])
    weights = nnls(np.vstack([errors.T, 1e3 * np.ones(len(errors))]), np.r_[np.zeros(len(x_a)), 1e3])[0]
    ways["choice"] = said[int(np.argmin(np.square(errors).mean(axis=1)))]
    ways["stack"] = weights / weights.sum() @ said
    return separate | ways


def joint(parts: Sequence[Rows]) -> JointRegressor:
    """Fitted with the first part as the target."""
    inputs, labels = (np.concatenate([part[axis] for part in parts]) for axis in (0, 1))
    task = np.repeat(np.arange(len(parts)), [len(part[1]) for part in parts])
    return JointRegressor(target=0, repeats="keep").fit(inputs, labels, task)


def measured(recipes: Mapping[str, Recipe], sizes: Mapping[int, int] = SIZES) -> list[dict[str, Any]]:
    """Mean losses of each target, partner and size, plain and capped at 1, and what the model had said of its gain."""
    rows = []
    for tasks, question, n, draws in _cells(recipes, sizes):
        for partner in ("population 1", "population 2", "label", "permuted"):
            held = [draw for draw in draws if partner in draw.partners]
            if held:
                losses, said = zip(*[_asked(tasks, question, draw, partner) for draw in held], strict=True)
                rows.append({"set": tasks.name, "question": question, "n": n, "partner": partner,
                              "draws": len(held), "loss": _mean(losses), "capped": _mean(losses, 1.0),
                              "said": [list(one) for one in said]})  # fmt: skip
    return rows


def several(recipes: Mapping[str, Recipe], sizes: Mapping[int, int] = SEVERAL) -> list[dict[str, Any]]:
    """Mean gains over the target alone with one partner and with several, of ROWS_EACH rows, losses capped at 1."""
    rows = []
    for tasks, question, n, draws in _cells(recipes, sizes):
        names = ("population 1", "population 2", "label")
        held = [draw for draw in draws if all(_varies(draw, name) for name in names)]
        if held:
            gains = [_gains_of_groups(tasks, question, draw) for draw in held]
            means = {name: float(np.mean([gain[name] for gain in gains])) for name in GROUPS}
            rows.append({"set": tasks.name, "question": question, "n": n, "gains": means})
    return rows


def _varies(draw: Draw, partner: str) -> bool:
    return partner in draw.partners and bool(np.ptp(draw.partners[partner][1][:ROWS_EACH]) > 0)


def _gains_of_groups(tasks: Tasks, question: int, draw: Draw) -> dict[str, float]:
    first, second, third = ((x[:ROWS_EACH], y[:ROWS_EACH]) for x, y in
                            (draw.partners[name] for name in ("population 1", "population 2", "label")))  # fmt: skip
    rng = np.random.default_rng(len(draw.target[1]))
    shuffled = [(x, rng.permutation(y)) for x, y in (first, second)]
    groups = dict(zip(GROUPS, ([first], [first, second], [first, second, third], [first, shuffled[1]], shuffled),
                      strict=True))  # fmt: skip

    def loss(*partners: Rows) -> float:
        return min(_loss(joint([draw.target, *partners]).predict(draw.test[0], 0), tasks, question, draw), 1.0)

    alone = loss()
    return {name: alone - loss(*group) for name, group in groups.items()}


def _cells(recipes: Mapping[str, Recipe], sizes: Mapping[int, int]) -> Iterator[tuple[Tasks, int, int, list[Draw]]]:
    for name, recipe in recipes.items():
        tasks = load(name, recipe)
        for question in range(3):
            for n, times in sizes.items():
                draws = [drawn(tasks, question, n, seed) for seed in range(times)]
                yield tasks, question, n, [draw for draw in draws if draw is not None]


def _asked(tasks: Tasks, question: int, draw: Draw, partner: str) -> tuple[dict[str, float], tuple[float, ...]]:
    rows = draw.partners[partner]
    model = joint([draw.target, rows])
    losses = {name: _loss(said, tasks, question, draw)
              for name, said in predictions(model, draw.target, rows, draw.test[0]).items()}  # fmt: skip
    mean, deviation = model.predict(draw.test[0], return_std=True)
    sharing = model.sharing_[0]
    covered = float((np.abs(draw.test[1] - mean) < 1.645 * deviation).mean())
    unit = draw.target[1].var() / tasks.labels[question][tasks.populations == 0].var()
    return losses, (*(unit * number for number in (sharing.gain, sharing.error, sharing.alone)), covered,
                    losses["alone"] - losses["average"])  # fmt: skip


def _loss(said: Array, tasks: Tasks, question: int, draw: Draw) -> float:
    return float(np.square(said - draw.test[1]).mean() / tasks.labels[question][tasks.populations == 0].var())


def _mean(losses: Sequence[dict[str, float]], cap: float = np.inf) -> dict[str, float]:
    return {name: float(np.mean([min(loss[name], cap) for loss in losses])) for name in losses[0]}


def _alike(x_a: Array, x_b: Array, new: Array) -> list[Array]:
    both = np.concatenate([x_a, x_b])
    spread = both.std(axis=0)
    units = np.where(spread > 1e-12 * np.abs(both).max(axis=0), spread, np.inf)
    return [np.clip((rows - both.mean(axis=0)) / units, -3, 3) for rows in (x_a, x_b, new)]


def _ways(a: Rows, b: Rows, new: Array) -> tuple[dict[str, Array], dict[str, Array]]:
    """Predictions of the baselines, and errors on rows of a that each leaves out."""
    task: NDArray[np.int64] = np.repeat([0, 1], [len(a[1]), len(b[1])])
    inputs, labels = (np.concatenate([a[axis], b[axis]]) for axis in (0, 1))
    ridge, other = shared_ridge(*a), shared_ridge(*b)
    seen = [np.column_stack([rows, other.predict(rows)]) for rows in (a[0], new)]
    feature = shared_ridge(seen[0], a[1])
    shared = {"pool": shared_ridge(inputs, labels, task, 0.0), "shared + own": shared_ridge(inputs, labels, task)}
    said: dict[str, Array] = {"alone, ridge": ridge.predict(new), "feature": feature.predict(seen[1])}
    said["process"] = process(a, b, new)
    said |= {name: model.predict(new, 0) for name, model in shared.items()}
    left = {name: model.left_out[: len(a[1])] for name, model in shared.items()}
    return said, left | {"alone, ridge": ridge.left_out, "feature": feature.left_out}
