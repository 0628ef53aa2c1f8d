"""Transfer between leaky tasks: Fig. 12 with standard errors, its variations, and runs that are stored.

Tasks have rank four, 100 inputs and 50 outputs each; students have 50 hidden units, slope 0.2 and initial scale 1e-3,
unless a function says otherwise.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.learning_curves import added_distances
from mtlbook_lib.chapters.paired_curves import Pair, PairedCurves
from mtlbook_lib.chapters.part3.nonlinear_transfer import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import Draws, reading, spot_check
from mtlbook_lib.data.inputs import gaussian_inputs
from mtlbook_lib.data.leaky import LeakyPair, leaky_outputs, leaky_pair
from mtlbook_lib.data.related import pair_gram, related_teachers, stacked_training
from mtlbook_lib.data.teachers import Teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.engine import Trajectory
from mtlbook_lib.simulation.linear import students
from mtlbook_lib.simulation.rectifier.descent import Predictor, descend, forward, prediction_error
from mtlbook_lib.simulation.rectifier.heads import train_first_head
from mtlbook_lib.statistics import at_best_of_mean
from mtlbook_lib.theory.transfer import best_head_stopping

RANK, N_OUTPUTS, N_INPUTS, N_HIDDEN = SETTINGS.rank, SETTINGS.n_outputs, SETTINGS.n_inputs, SETTINGS.n_hidden
SLOPE, EPS, RATE = SETTINGS.slope, SETTINGS.eps, SETTINGS.rate
WEAK, MODEST, STRONG = 0.5**0.25, SETTINGS.modest, SETTINGS.strong
GRID = np.array(SETTINGS.grid)
_MANY = 8  # seeds whose mean curve must have its minimum inside; that of a few may lie anywhere


def tasks(s_a: float, s_b: float, qs: ArrayLike, seeds: Iterable[int]) -> tuple[Teachers, Teachers]:
    """Linear teachers of A and B, four equal strengths each, similarity `qs` times the identity."""
    first, second = related_teachers(
        N_OUTPUTS, N_INPUTS, [[s_a] * RANK, [s_b] * RANK], pair_gram(qs, RANK, RANK), seeds
    )
    return first, second


def train(
    pair: LeakyPair,
    outputs: Array,
    horizon: float,
    slope: float = SLOPE,
    lr: float = RATE,
    every: int = 5,
    eps: float = EPS,
    n_hidden: int = N_HIDDEN,
) -> Array:
    """Test error on task A of students of `outputs`, shape (seed, setting, time), up to the time `horizon`."""
    data = pair.inputs, outputs, pair.probe, pair.answers, pair.seeds
    run = train_first_head(*data, lr, round(horizon / lr), slope=slope, eps=eps, n_hidden=n_hidden, record_every=every)
    return np.asarray(run.values["test_error"])


def paired(alone: Array, joint: Array) -> PairedCurves:
    """The two curves, whose minima must not lie at the end of the training."""
    curves = PairedCurves(alone, joint)
    if len(alone) >= _MANY and not curves.interior:
        raise RuntimeError("a mean curve is lowest at an end of the training: change its horizon.")
    return curves


def linear_part(teacher: Teachers, slope: float = SLOPE, n_examples: int = 4000) -> tuple[float, float]:
    """Mean gain of the part of a leaky teacher that is linear in its inputs, and the share of its energy."""
    x = gaussian_inputs(N_INPUTS, n_examples, teacher.seeds, role="training")
    y = leaky_outputs(teacher, x, slope)[:, 0]
    z = teacher.right[:, 0].swapaxes(-1, -2) @ x
    gains = np.linalg.svd(y @ z.swapaxes(-1, -2) * N_INPUTS / n_examples, compute_uv=False)
    share = (gains**2).sum(-1) / ((y**2).sum((1, 2)) * N_INPUTS / n_examples)
    return float(gains.mean() / teacher.singular_values[0, 0]), float(share.mean())


def linear_benefit(s_a: float, s_b: float, qs: ArrayLike, eps: float = EPS) -> Array:
    """Theory for linear tasks of rank four at the sizes of the simulation, with all terms of order one."""
    both = [s_a] * RANK, [s_b] * RANK
    grams = pair_gram(np.atleast_1d(qs), RANK, RANK)
    return _least((both[0],), np.eye(RANK), eps) - np.array([_least(both, gram, eps) for gram in grams])


def _least(strengths: Sequence[Sequence[float]], gram: Array, eps: float) -> float:
    return best_head_stopping(strengths, gram, N_OUTPUTS / N_INPUTS, N_OUTPUTS, eps, order=1)[0]


@sized(n_seeds=SETTINGS.n_seeds_mean_linear_part, cost="1 GB, 10 s on one core")
def mean_linear_part(*, n_seeds: int) -> tuple[float, float]:
    """Gain and share of the linear part, mean over teachers."""
    return linear_part(tasks(1.0, 1.0, [0.0], range(n_seeds))[0])


@sized(n_seeds=SETTINGS.n_seeds_change_by_turning, cost="1 GB, 1 min on one core")
def change_by_turning(*, n_seeds: int) -> float:
    """Largest change of a learning curve if inputs, input modes and first layer are turned, in double precision."""
    teachers = tasks(3.0, 3.0, [0.5], range(n_seeds))
    pair = leaky_pair(teachers)
    first, last = students.orthogonal(2 * N_OUTPUTS, N_INPUTS, N_HIDDEN, EPS, pair.seeds, dtype=torch.float64)
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((N_INPUTS, N_INPUTS)))[0]
    inputs = turn @ pair.inputs
    turned = [leaky_outputs(replace(task, right=turn @ task.right), inputs) + task.noise for task in teachers]
    before = _double_curve([first, last], pair.inputs, pair.joint, pair.probe, pair.answers)
    rotated = first @ torch.tensor(turn.T).to(first)
    after = _double_curve([rotated, last], inputs, np.concatenate(turned, axis=-2), turn @ pair.probe, pair.answers)
    return float(np.abs(after - before).max())


def _double_curve(layers: Sequence[torch.Tensor], *data: Array) -> Array:
    """Error on A over 160 steps. Tensors keep their double precision, arrays would take that of the runtime."""
    inputs, targets, probe, answers = (torch.tensor(values).to(layers[0]) for values in data)
    error = prediction_error(probe, answers)

    def first_head(predict: Predictor) -> torch.Tensor:
        return error(lambda x: predict(x, N_OUTPUTS))

    run = descend(layers, inputs, targets, RATE, 160, leaky_output=True, record_every=20, observe={"A": first_head})
    return np.asarray(run.values["A"])


COMMON: dict[str, Any] = {
    "rank": RANK,
    "n_outputs": N_OUTPUTS,
    "n_inputs": N_INPUTS,
    "n_hidden": N_HIDDEN,
    "n_probe": 300,
    "slope": SLOPE,
    "eps": EPS,
    "dtype": "float32",
}
# Steps of the joint students: one number for each strength of B.
FILE = "part3/nonlinear_transfer/nonlinear-transfer.json"
RULES: dict[str, dict[str, Any]] = {
    "strong": {
        "strength_a": 100.0,
        "strengths_b": [1.0, 3.0, 10.0, 100.0],
        "similarities": [0.0, 0.5, 0.8, 1.0],
        "seeds": list(range(48)),
        "learning_rate": 0.005,
        "steps_alone": 2800,
        "steps_joint": [1600, 1600, 1600, 1600],
        "record_every": 40,
    },
    "weak": {
        "strength_a": WEAK,
        "strengths_b": [1.0, 3.0, 10.0],
        "similarities": [0.0, 1.0],
        "seeds": list(range(200, 680)),
        "learning_rate": 0.02,
        "steps_alone": 160,
        "steps_joint": [140, 110, 60],
        "record_every": 2,
    },
}


def stored_results() -> dict[str, Any]:
    """Stored numbers of the runs, by the names of RULES."""
    with reading(FILE) as content:
        kept: dict[str, Any] = content["experiments"]
    return kept


def stored_experiment(rules: dict[str, Any]) -> dict[str, Any]:
    """All runs of one strength of A: alone, alone but started as a part of the joint student, and jointly."""
    part = rules["similarities"], rules["seeds"]
    data = [leaky_pair(tasks(rules["strength_a"], strength, *part)) for strength in rules["strengths_b"]]
    joint = [_train(rules, pair, pair.joint, n) for pair, n in zip(data, rules["steps_joint"], strict=True)]
    # Task A is the same in all pairs.
    alone, same_start = (
        _train(rules, data[0], data[0].first, rules["steps_alone"], rows) for rows in (None, data[0].joint.shape[-2])
    )
    names = [f"{strength:g}" for strength in rules["strengths_b"]]
    return {
        "settings": COMMON | rules,
        "alone": _summary(alone),
        "alone_same_start": _summary(same_start),
        "joint": {name: _summary(run) for name, run in zip(names, joint, strict=True)},
    }


@sized(file=FILE, minutes=10)
def compute_stored(_: Path) -> dict[str, Any]:
    """Everything that is kept."""
    return {"experiments": {name: stored_experiment(rules) for name, rules in RULES.items()}}


def _train(
    rules: dict[str, Any], pair: LeakyPair, outputs: Array, n_steps: int, rows_drawn: int | None = None
) -> Trajectory:
    data, lr = (pair.inputs, outputs, pair.probe, pair.answers, pair.seeds), rules["learning_rate"]
    return train_first_head(*data, lr, n_steps, rows_drawn=rows_drawn, record_every=rules["record_every"])


def _summary(run: Trajectory) -> dict[str, Any]:
    """Error of every seed where the mean curve is least, for each setting, and the least error of every seed.

    The minimum of the mean curve must not be the last sample.
    """
    curves = run.values["test_error"]
    errors, place = at_best_of_mean(curves)
    if not np.all((place > 0) & (place < run.times.size - 1)):
        raise RuntimeError(f"the mean curve is still falling at the end: best times {run.times[place]}.")
    return {
        "time": run.times[place].round(6).tolist(),
        "error": errors.round(7).tolist(),
        "own_least": curves.min(-1).round(7).tolist(),
    }


def stored_benefit(trained: dict[str, Any], partner: str, alone: str = "alone", kind: str = "error") -> Array:
    """Benefit of each seed and similarity in the stored results of one experiment."""
    return np.asarray(np.array(trained[alone][kind]) - np.array(trained["joint"][partner][kind]))


def benefit_by_rule(trained: dict[str, Any]) -> tuple[dict[str, Array], dict[str, Array]]:
    """Stored benefits by partner: all seeds stopped at one time, and each at its own best one."""
    common, own = (
        {partner: stored_benefit(trained, partner, kind=rule) for partner in trained["joint"]}
        for rule in ("error", "own_least")
    )
    return common, own


def trained_again(trained: dict[str, Any], strength_b: float, place: int, some: list[int]) -> tuple[Array, Array]:
    """Errors of some students of one cell of an experiment, a strength of B and a similarity, alone and jointly.

    Now, and as stored: at the common time to stop, and the least of each alone.
    """
    rules, kept = trained["settings"], trained["joint"][f"{strength_b:g}"]
    seeds, alone = [rules["seeds"][i] for i in some], trained["alone"]
    pair = leaky_pair(tasks(rules["strength_a"], strength_b, [rules["similarities"][place]], seeds))
    now = train(pair, pair.joint, kept["time"][place], lr=rules["learning_rate"], every=20)[:, 0, -1]
    single = _train(rules, pair, pair.first, rules["steps_alone"]).values["test_error"]
    same = _train(rules, pair, pair.first, rules["steps_alone"], pair.joint.shape[-2]).values["test_error"]
    then = [np.array(part["own_least"]).reshape(len(rules["seeds"]), -1)[some, 0]
            for part in (alone, trained["alone_same_start"])]  # fmt: skip
    least = [run.min(-1)[:, 0] for run in (single, same)]
    return np.concatenate([now, *least]), np.concatenate([np.array(kept["error"])[some, place], *then])


_CELLS = {kind: list(product(r["strengths_b"], range(len(r["similarities"])))) for kind, r in RULES.items()}


@spot_check(FILE, 1e-3, every_part=True, strong=_CELLS["strong"], some=Draws(range(48), 2), weak=_CELLS["weak"],
            more=Draws(range(480), 4))  # fmt: skip
def recomputed(
    strong: tuple[float, int], some: list[int], weak: tuple[float, int], more: list[int]
) -> tuple[Array, Array]:
    """Errors of a few students of a cell of both experiments."""
    kept = stored_results()
    pairs = trained_again(kept["strong"], *strong, some), trained_again(kept["weak"], *weak, more)
    now, then = zip(*pairs, strict=True)
    return np.concatenate(now), np.concatenate(then)


HORIZONS = {WEAK: {1.0: 2.8, 3.0: 2.2, 10.0: 1.2}, MODEST: {1.0: 3.2, 3.0: 3.0, 10.0: 2.9}}
ENDS = [0, 2, 3]  # places of the similarities 0, 0.8 and 1


@sized(n_seeds=SETTINGS.n_seeds_figure_twelve, cost="12 GB, 5 min on one GPU")
def figure_twelve(*, n_seeds: int) -> dict[Pair, PairedCurves]:
    """Curves of tasks A of strength 0.84 and 3 for each strength of B, at the similarities `GRID`.

    A joint student learns faster beside a strong task: its narrow minimum needs dense samples.
    """
    curves = {}
    for s_a, partners in HORIZONS.items():
        alone = None
        for s_b, horizon in partners.items():
            pair = leaky_pair(tasks(s_a, s_b, GRID, range(n_seeds)))
            alone = train(pair, pair.first, SETTINGS.alone) if alone is None else alone
            every = 2 if s_a == WEAK and s_b == 10 else 5
            curves[s_a, s_b] = paired(alone, train(pair, pair.joint, horizon, every=every))
    return curves


@sized(n_seeds=SETTINGS.n_seeds_least_help, cost="3 GB, 30 s on one GPU")
def least_help(*, n_seeds: int) -> Array:
    """Benefit in the cell of the figure where well aligned tasks help least: strength 3 from 3 at 0.8, (n_seeds,)."""
    pair = leaky_pair(tasks(MODEST, 3.0, [0.8], range(n_seeds)))
    return paired(train(pair, pair.first, SETTINGS.alone), train(pair, pair.joint, HORIZONS[MODEST][3.0])).benefit[:, 0]


def wider(figure: dict[Pair, PairedCurves], s_b: float) -> PairedCurves:
    """Task A of strength 3 at no and at full similarity, the joint student with one hidden unit for each output."""
    alone = figure[MODEST, s_b].alone
    pair = leaky_pair(tasks(MODEST, s_b, GRID[[0, -1]], range(len(alone))))
    return paired(alone, train(pair, pair.joint, HORIZONS[MODEST][s_b], n_hidden=100))


def single_outputs(teacher: Teachers) -> Teachers:
    """The teacher with four single outputs for its output modes."""
    left = np.zeros((*teacher.right.shape[:2], teacher.left.shape[-2], RANK))
    left[..., range(RANK), range(RANK)] = 1
    return replace(teacher, left=left)


def output_modes(figure: dict[Pair, PairedCurves]) -> dict[str, PairedCurves]:
    """Two tasks of strength 3 at the similarities 0, 0.8 and 1, as in the figure or with single outputs in one task."""
    usual = figure[MODEST, 3.0]
    a, b = tasks(MODEST, 3.0, GRID[ENDS], range(len(usual.alone)))
    in_a, in_b = leaky_pair((single_outputs(a), b)), leaky_pair((a, single_outputs(b)))
    return {
        "random modes": PairedCurves(usual.alone, usual.joint[:, ENDS]),
        "A: single outputs": paired(train(in_a, in_a.first, SETTINGS.alone), train(in_a, in_a.joint, SETTINGS.later)),
        "B: single outputs": paired(usual.alone, train(in_b, in_b.joint, SETTINGS.later)),
    }


def opposite_inputs(figure: dict[Pair, PairedCurves]) -> PairedCurves:
    """Two tasks of strength 3 at similarity -1."""
    alone = figure[MODEST, 3.0].alone
    pair = leaky_pair(tasks(MODEST, 3.0, [-1.0], range(len(alone))))
    return paired(alone, train(pair, pair.joint, SETTINGS.later))


class Learned(NamedTuple):
    """Gain of the student of a task of strength 0.84 alone, in units of its teacher's energy, (seed,)."""

    energy: Array  # of the mean output
    mean: Array  # what the student gains from the mean output
    rest: Array  # and from all the rest


@sized(n_seeds=SETTINGS.n_seeds_learned_alone, cost="1 GB, 1 min on one GPU")
def learned_alone(every: int = 5, *, n_seeds: int) -> Learned:
    """Split the gain of the student alone at the best time of the mean curve."""
    pair = leaky_pair(tasks(WEAK, 1.0, [0.0], range(n_seeds)))
    curves = train(pair, pair.first, SETTINGS.alone, every=every)
    steps = max(1, every * int(curves.mean(axis=(0, 1)).argmin()))
    run = train_first_head(pair.inputs, pair.first, pair.probe, pair.answers, pair.seeds, RATE, steps)
    layers = [torch.tensor(layer) for layer in run.layers]
    output = forward(layers, torch.tensor(pair.probe[:, None]).to(layers[0]), leaky_output=True).numpy()
    whole, n_probe = _energy(pair.answers), pair.probe.shape[-1]
    wanted, learned = (values.mean(-1, keepdims=True) for values in (pair.answers, output))
    gain = n_probe * (_energy(wanted) - _energy(wanted - learned)) / whole
    return Learned(n_probe * _energy(wanted) / whole, gain, 1 - _energy(pair.answers - output) / whole - gain)


def _energy(values: Array) -> Array:
    return np.asarray((values**2).sum((-2, -1))[:, 0])


@sized(n_seeds=SETTINGS.n_seeds_stopped_by_validation, cost="2 GB, 30 s on one GPU")
def stopped_by_validation(*, n_seeds: int) -> Array:
    """Benefit of a task of strength 0.84 from one of strength 10 at full similarity, shape (n_seeds,).

    Each run stops where its error on one half of the test inputs is least, and is judged on the other half.
    """
    whole = leaky_pair(tasks(WEAK, 10.0, [1.0], range(n_seeds)))
    halves = [
        replace(whole, probe=whole.probe[..., part], answers=whole.answers[..., part])
        for part in (slice(150), slice(150, None))
    ]
    least = []
    for outputs, horizon in ((whole.first, 3.2), (whole.joint, 1.2)):
        seen, unseen = (train(half, outputs, horizon, every=2)[:, 0] for half in halves)
        least.append(unseen[np.arange(n_seeds), seen.argmin(-1)])
    return np.asarray(least[0] - least[1])


class Slopes(NamedTuple):
    """By slope: curves of two tasks of strength 3 at the similarities `GRID`, and gain and share of the teachers."""

    curves: dict[float, PairedCurves]
    parts: dict[float, tuple[float, float]]


@sized(
    n_seeds=SETTINGS.n_seeds_slopes,
    slopes=((1.0, 0.2, 0.0), (1.0, 0.8, 0.65, 0.5, 0.35, 0.2, 0.1, 0.05, 0.0), tuple(np.linspace(1, 0, 41).round(3))),
    cost="8 GB, 20 min on one GPU",
)
def slopes(*, n_seeds: int, slopes: Sequence[float]) -> Slopes:
    """From linear networks, slope 1, to rectified ones, slope 0."""
    teachers = tasks(MODEST, 3.0, GRID, range(n_seeds))
    curves = {}
    for a in slopes:
        pair = leaky_pair(teachers, a)
        alone = train(pair, pair.first, 4.0, a, lr=0.05, every=3)
        curves[a] = paired(alone, train(pair, pair.joint, 3.6, a, lr=0.05, every=3))
    return Slopes(curves, {a: linear_part(teachers[0], a) if a < 1 else (1.0, 1.0) for a in slopes})


@sized(n_seeds=SETTINGS.n_seeds_weak_linear, cost="6 GB, 2 min on one GPU")
def weak_linear(*, n_seeds: int) -> PairedCurves:
    """A task of strength 0.84 beside one of strength 10 at slope 1, at the similarities `GRID`."""
    pair = leaky_pair(tasks(WEAK, 10.0, GRID, range(n_seeds)), 1.0)
    return paired(train(pair, pair.first, 3.0, 1.0), train(pair, pair.joint, 1.2, 1.0, every=2))


@sized(n_seeds=SETTINGS.n_seeds_aligned_linear, cost="2 GB, 2 min on 16 cores")
def aligned_linear(*, n_seeds: int) -> PairedCurves:
    """The same tasks, learned by aligned linear students: exact curves against the teacher's map."""
    teachers, times = tasks(WEAK, 10.0, GRID, range(n_seeds)), np.geomspace(0.15, 4, 200)
    clean = teachers[0].clean

    def errors(data: Array, target: Array) -> Array:
        modes = spectra.data_modes(data, target, slice(target.shape[-2]))
        return np.asarray(1 + added_distances(modes, times, EPS) / (target**2).sum((-2, -1))[..., None])

    return paired(errors(teachers[0].training[:, :1], clean[:, :1]), errors(stacked_training(teachers), clean))


@sized(n_seeds=SETTINGS.n_seeds_starts, cost="6 GB, 5 min on one GPU")
def starts(*, n_seeds: int) -> dict[tuple[float, float], Array]:
    """By learning rate and initial scale: benefit of strength 3 from 10, no and full similarity, shape (seed, 2)."""
    pair = leaky_pair(tasks(MODEST, 10.0, [0.0, 1.0], range(n_seeds)))
    benefits = {}
    for lr, eps, longer in ((0.02, 1e-3, 0.0), (0.04, 1e-3, 0.0), (0.02, 1e-2, -0.8), (0.02, 1e-4, 1.0)):
        alone = train(pair, pair.first, 3.6 + longer, lr=lr, eps=eps)
        benefits[lr, eps] = paired(alone, train(pair, pair.joint, 2.9 + longer, lr=lr, eps=eps)).benefit
    return benefits
