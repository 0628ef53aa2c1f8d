"""Training rows of a target and of its partners, and rows that test the target."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array, instance, one_of
from mtlbook_lib._random import seed_tuple, stream
from mtlbook_lib.data.real_pairs.held_out import HELD_OUT
from mtlbook_lib.data.real_pairs.pairs import Partner, Target
from mtlbook_lib.data.real_pairs.questions import Source
from mtlbook_lib.data.real_pairs.shifts import shift_columns
from mtlbook_lib.data.real_pairs.sources import SOURCES, source_of

MOST_TEST_ROWS, FEWEST_OF_A_CLASS, _TRIES = 300, 3, 5000
_Rows = NDArray[np.int64]


@dataclass(frozen=True)
class PartnerRows:
    """Inputs, shape (seed, n_b, d), and labels, shape (seed, n_b), of a partner; whether they are 0 and 1."""

    inputs: Array
    labels: Array
    binary: bool


@dataclass(frozen=True)
class TargetRows:
    """Rows of a target for every seed, in random order, and those of its partners.

    Attributes
    ----------
    inputs, labels : ndarray, shapes (seed, n_a, d) and (seed, n_a)
        Training rows.
    new_inputs, new_labels : ndarray, shapes (seed, n_new, d) and (seed, n_new)
        Test rows, 300 or what is left.
    binary : bool
        Whether labels are 0 and 1.
    partners : tuple of PartnerRows
    """

    inputs: Array
    labels: Array
    new_inputs: Array
    new_labels: Array
    binary: bool
    partners: tuple[PartnerRows, ...]


def draw_rows(target: Target, seeds: Iterable[int]) -> TargetRows:
    """Rows for every seed; those of the target, of its partners, and the test rows are disjoint.

    All partners have the first of one sequence of rows, unless they have the target's. Rows are drawn again until both
    classes of a yes-or-no task have at least three. Columns that would give away a label are left out of all tasks.
    Inputs are centred on the whole data set and in its units.

    Raises
    ------
    ValueError
        If rows with enough examples of every class are not found.
    """
    asked = instance("target", target, Target)
    source, chosen = source_of(one_of("target.source", asked.source, SOURCES + HELD_OUT)), seed_tuple(seeds)
    for name in (asked.question, *(partner.question for partner in asked.partners)):
        one_of("target's and its partners' question", name, tuple(source.questions))
    orders = [_order(asked, source, seed) for seed in chosen]
    own, pool, new = (np.stack(part) for part in zip(*orders, strict=True))
    hidden, question = _hidden(asked, source), source.questions[asked.question]
    inputs = _inputs(source, "none", hidden)
    partners = tuple(
        _partner_rows(asked, place, source, hidden, own if partner.same_rows else pool[:, : partner.n_rows], chosen)
        for place, partner in enumerate(asked.partners)
    )
    return TargetRows(inputs[own], question.answers[own], inputs[new], question.answers[new], question.binary, partners)


def _partner_rows(
    target: Target, place: int, source: Source, hidden: list[int], rows: _Rows, seeds: tuple[int, ...]
) -> PartnerRows:
    partner = target.partners[place]
    question = source.questions[partner.question]
    labels = [
        _disturbed(question.answers[row], question.binary, partner, stream(seed, f"labels of partner {place}"))
        for row, seed in zip(rows, seeds, strict=True)
    ]
    return PartnerRows(_inputs(source, partner.shift, hidden)[rows], np.stack(labels), question.binary)


def _disturbed(labels: Array, binary: bool, partner: Partner, rng: np.random.Generator) -> Array:
    order, flips, noise = rng.permutation(len(labels)), rng.random(len(labels)), rng.standard_normal(len(labels))
    changed = labels[order] if partner.permuted else labels
    if binary:
        return np.where(flips < partner.noise, 1 - changed, changed)
    return np.asarray(changed + labels.std() * np.sqrt((1 - 2 * partner.noise) ** -2 - 1) * noise)


def _order(target: Target, source: Source, seed: int) -> tuple[_Rows, _Rows, _Rows]:
    """Rows of the target, of its partners, and for the test."""
    n_a, n_b = target.n_rows, max(partner.n_rows for partner in target.partners)
    name = f"rows of {target.source}, {target.question}, {n_a}"
    for attempt in range(_TRIES):
        order = stream(seed, name, attempt).permutation(len(source.rows))
        own, pool, rest = np.split(order, [n_a, n_a + n_b])
        tasks = [(target.question, own), (target.question, rest)]
        tasks += [(p.question, own if p.same_rows else pool[: p.n_rows]) for p in target.partners]
        if all(_has_classes(source, *task) for task in tasks):
            return own, pool, rest[:MOST_TEST_ROWS]
    raise ValueError(f"target must have {FEWEST_OF_A_CLASS} rows of every class; {target} has not in {_TRIES} draws.")


def _has_classes(source: Source, question: str, rows: _Rows) -> bool:
    asked = source.questions[question]
    ones = asked.answers[rows].sum()
    return not asked.binary or bool(min(ones, len(rows) - ones) >= FEWEST_OF_A_CLASS)


def _hidden(target: Target, source: Source) -> list[int]:
    asked = {target.question, *(partner.question for partner in target.partners)}
    constant = set(np.flatnonzero(np.ptp(source.rows, axis=0) == 0).tolist())
    return sorted(constant.union(*(source.questions[name].hidden for name in asked)))


def _inputs(source: Source, shift: str, hidden: list[int]) -> Array:
    """Columns in their units; hidden ones are emptied before they can be moved, then left out."""
    mean = source.rows.mean(axis=0)
    rows = source.rows.copy()
    rows[:, hidden] = mean[hidden]
    if shift in ("turned", "rolled"):  # of images as they are; other columns have units of their own
        shifted = (shift_columns(rows, shift, source.images) - mean) / source.units
    else:
        shifted = shift_columns((rows - mean) / source.units, shift, source.images)
    return np.delete(shifted, hidden, axis=1)
