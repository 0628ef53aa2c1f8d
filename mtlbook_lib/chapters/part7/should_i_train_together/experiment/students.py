"""Five students of a target, alone and with every partner, all seeds side by side; and the joint model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.chapters.part7.should_i_train_together import settings as SETTINGS
from mtlbook_lib.data.real_pairs import TargetRows
from mtlbook_lib.forecast import JointRegressor
from mtlbook_lib.simulation.stopped_students import StoppedStudents, train_stopped

STUDENTS = ("linear", "narrow", "wide", "finetune", "frozen")
UNITS = {"linear": 1, "narrow": 4, "wide": 32}
RATES = {"linear": 0.02, "narrow": 0.01, "wide": 0.01}
N_STEPS = SETTINGS.n_steps


@dataclass(frozen=True)
class _Task:
    """Rows of a task, numbers in units of their spread, and how many of the first are held out."""

    x: Array
    y: Array
    binary: bool
    n_held: int

    @property
    def kept(self) -> tuple[Array, Array]:
        return self.x[:, self.n_held :], self.y[:, self.n_held :]

    @property
    def held(self) -> tuple[Array, Array]:
        return self.x[:, : self.n_held], self.y[:, : self.n_held]


def student_losses(rows: TargetRows, seeds: Sequence[int]) -> dict[str, Array]:
    """Test losses of the target over that of the best constant, at most 1.

    "alone", (seed, 3): linear, narrow, wide, the last also for the two kinds of pretraining. "joint", (seed, partner,
    5). "squares alone", (seed,), and "squares joint", (seed, partner): mean squared errors of the wide students over
    the variance of the test labels.
    """
    target, test = _target(rows), _standardised(rows.labels, rows.new_labels, rows.binary)
    starts = {name: _start(name, seeds, target.x.shape[2]) for name in UNITS}

    def measured(students: StoppedStudents) -> tuple[Array, Array]:
        copies = len(students.trunk) // len(seeds)
        said = students.outputs(np.tile(rows.new_inputs, (copies, 1, 1)))
        said = said.reshape(copies, len(seeds), -1).swapaxes(0, 1)
        squares = relative_square(1 / (1 + np.exp(-said)) if rows.binary else said, test[:, None])
        return relative_loss(said, test[:, None], rows.binary), squares

    alone = [measured(_fit(name, [target], target, *starts[name])) for name in UNITS]
    joint = np.empty((len(seeds), len(rows.partners), len(STUDENTS)))
    squares = np.empty(joint.shape[:2])
    for places in _alike(rows):
        arms = _with_partners(target, rows, places, starts)
        for kind, name in enumerate(STUDENTS):
            joint[:, places, kind], errors = measured(arms[name])
            if name == "wide":
                squares[:, places] = errors
    return {
        "alone": np.concatenate([losses for losses, _ in alone], axis=1),
        "joint": joint,
        "squares alone": alone[-1][1][:, 0],
        "squares joint": squares,
    }


def model_losses(rows: TargetRows) -> dict[str, Array]:
    """The same squared errors of the joint model: "model alone", (seed,), and "model joint", (seed, partner)."""
    alone = np.empty(len(rows.inputs))
    joint = np.empty((len(rows.inputs), len(rows.partners)))
    for seed, (x, y, new, truth) in enumerate(
        zip(rows.inputs, rows.labels, rows.new_inputs, rows.new_labels, strict=True)
    ):
        alone[seed] = relative_square(JointRegressor().fit(x, y).predict(new), truth)
        for place, partner in enumerate(rows.partners):
            fitted = JointRegressor(target="a", repeats="keep").fit(x, y, partner.inputs[seed], partner.labels[seed])
            joint[seed, place] = relative_square(fitted.predict(new), truth)
    return {"model alone": alone, "model joint": joint}


def relative_loss(outputs: Array, labels: Array, binary: bool) -> Array:
    """Mean loss over that of the best constant on the same rows, at most 1, shape (...); rows are the last axis."""
    mean = labels.mean(axis=-1)
    if binary:
        losses = np.logaddexp(0.0, outputs) - labels * outputs
        null = -(mean * np.log(mean) + (1 - mean) * np.log(1 - mean))
    else:
        losses, null = (outputs - labels) ** 2, labels.var(axis=-1)
    return np.asarray(np.minimum(losses.mean(axis=-1) / null, 1.0))


def relative_square(said: Array, labels: Array) -> Array:
    """Mean squared error over the variance of the labels, at most 1."""
    return np.asarray(np.minimum(np.square(said - labels).mean(axis=-1) / labels.var(axis=-1), 1.0))


def _alike(rows: TargetRows) -> list[list[int]]:
    """Places of partners of one size and kind, as many together as a cache bears."""
    kinds: dict[tuple[int, bool], list[int]] = {}
    for place, partner in enumerate(rows.partners):
        kinds.setdefault((partner.labels.shape[1], partner.binary), []).append(place)
    groups = []
    for (n_b, _), places in kinds.items():
        most = max(1, SETTINGS.most_rows // (len(rows.labels) * (n_b + rows.labels.shape[1])))
        groups += [places[first : first + most] for first in range(0, len(places), most)]
    return groups


def _with_partners(
    target: _Task, rows: TargetRows, places: list[int], starts: dict[str, tuple[Array, Array]]
) -> dict[str, StoppedStudents]:
    """All five students with each of these partners, networks (partner, seed) folded into one axis."""
    own, partner, first = _side_by_side(target, rows, places, starts)
    both = [own, _Task(partner.x, partner.y, partner.binary, 0)]
    fits = {name: _fit(name, both, own, *first[name]) for name in UNITS}
    before = _fit("wide", [partner], partner, *first["wide"])
    for name in ("finetune", "frozen"):
        fits[name] = _fit("wide", [own], own, before.trunk, before.shifts, frozen=name == "frozen")
    return fits


def _side_by_side(
    target: _Task, rows: TargetRows, places: list[int], starts: dict[str, tuple[Array, Array]]
) -> tuple[_Task, _Task, dict[str, tuple[Array, Array]]]:
    """Copies of the target, these partners, and the starts of their students, (partner, seed) in one axis."""
    partners, copies = [rows.partners[place] for place in places], len(places)
    x, y = (np.concatenate([getattr(part, name) for part in partners]) for name in ("inputs", "labels"))
    partner = _task(x, y, partners[0].binary, SETTINGS.held_b)
    own = _Task(np.tile(target.x, (copies, 1, 1)), np.tile(target.y, (copies, 1)), target.binary, target.n_held)
    first = {name: (np.tile(trunk, (copies, 1, 1)), np.tile(shifts, (copies, 1)))
             for name, (trunk, shifts) in starts.items()}  # fmt: skip
    return own, partner, first


def _fit(
    name: str, tasks: list[_Task], judge: _Task, trunk: Array, shifts: Array, frozen: bool = False
) -> StoppedStudents:
    rows, labels = zip(*(task.kept for task in tasks), strict=True)
    kinds = [task.binary for task in tasks]
    how: dict[str, Any] = {"rectified": name != "linear", "frozen": frozen, "n_steps": N_STEPS}
    return train_stopped(rows, labels, kinds, *judge.held, trunk, shifts, RATES[name], **how)


def _start(name: str, seeds: Sequence[int], n_columns: int) -> tuple[Array, Array]:
    """Weights that keep the size of what passes; the same for all arms of a seed."""
    units, gain = UNITS[name], 1.0 if name == "linear" else 2.0
    trunk = normal((units, n_columns), seeds, f"trunk, {name}") * np.sqrt(gain / n_columns)
    return trunk, np.zeros((len(seeds), units))


def _target(rows: TargetRows) -> _Task:
    return _task(rows.inputs, rows.labels, rows.binary, SETTINGS.held_a)


def _task(x: Array, y: Array, binary: bool, share: float) -> _Task:
    return _Task(x, _standardised(y, y, binary), binary, max(SETTINGS.fewest_held, round(share * y.shape[1])))


def _standardised(of: Array, labels: Array, binary: bool) -> Array:
    """Numbers in the units of the training labels `of`; classes as they are."""
    if binary:
        return labels
    return np.asarray((labels - of.mean(axis=1, keepdims=True)) / of.std(axis=1, keepdims=True))
