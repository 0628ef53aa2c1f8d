"""Networks of the paper's size: Fig. 2c, and how far multi-task training is from the least group norm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part6._diagonal import invariants
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.sparse_pairs import (
    ALPHA,
    DIM,
    GAMMA,
    K_AUX,
    N_AUX,
    pretrained,
    relative_errors,
    trained_on,
    trained_on_both,
)
from mtlbook_lib.chapters.stored_results import spot_check, sweep_to_lists
from mtlbook_lib.chapters.sweep import combinations
from mtlbook_lib.data.sparse_tasks import SparseTeachers, sparse_teachers, sphere_inputs
from mtlbook_lib.simulation.diagonal import Fits, Weights, equal_pathways
from mtlbook_lib.statistics import relative_distance
from mtlbook_lib.theory.implicit_bias import group_norm, penalty_terms, printed_penalty
from mtlbook_lib.theory.interpolation import min_group_norm_given

FILE = "part6/multi_task_penalty/multi-task-penalty.json"
SIZES, OVERLAPS, SEEDS = (16, 32, 64, 128, 256), (0, 20, 40), 8
KINDS = ("multi-task", "finetuned", "alone")
DIGITS = 17  # all of them
_ACCURACY = 0.05  # the coefficients are right to about a thousandth
MEASURES = ("distance", "excess", "balance", "error", "least error", "loss")


@sized(file=FILE, minutes=10)
def compute_stored(folder: Path) -> dict[str, Any]:
    """Train all networks, or what a former call left undone: ten minutes on one core."""
    both = sweep_to_lists(joint_cells, combinations(overlap=OVERLAPS, seed=range(SEEDS)), folder, DIGITS)
    norms = sweep_to_lists(norm_cells, combinations(seed=range(SEEDS)), folder, DIGITS)
    shape = len(OVERLAPS), SEEDS, len(SIZES)
    joint = {name: np.reshape(cells, shape).tolist() for name, cells in both.items()}
    return {"sizes": SIZES, "overlaps": OVERLAPS, "joint": joint, "norms": norms}


def read() -> tuple[dict[str, Array], dict[str, Array]]:
    """What is kept: multi-task networks (overlap, seed, size), and the norms of Fig. 2c (seed, size)."""
    return stored_results.read(FILE, "joint"), stored_results.read(FILE, "norms")


@spot_check(FILE, 0.029, relative=True, place=range(len(OVERLAPS)), seed=range(SEEDS), size=range(len(SIZES)))
@sized(finer=(2, 5, 10), cost="1 GB, 10 s on one core")
def recomputed(place: int, seed: int, size: int, *, finer: int) -> tuple[Array, Array]:
    """Distance and error of one network, trained with finer steps: the stored one has the accuracy of its training."""
    now = joint_cells(seed, OVERLAPS[place], SIZES[size : size + 1], accuracy=_ACCURACY / finer)
    names = ("distance", "error")
    return np.array([now[name][0] for name in names]), np.array([read()[0][name][place, seed, size] for name in names])


def joint_cells(seed: int, overlap: int, sizes: Any = SIZES, dim: int = DIM, accuracy: float = _ACCURACY) -> Any:
    """Multi-task networks of one pair of teachers, each (size,), against the least group norm.

    Distance and excess are relative; `balance` is the sum of squared weights over the group norm, less 1.
    """
    rows: list[list[float]] = []
    for n in sizes:
        fits = joint(seed, overlap, n, dim, accuracy)
        teachers, x = _task(seed, overlap, n, dim)
        beta, best = fits.beta[0, 0], min_group_norm_given(x, x @ teachers.main[0], teachers.aux[0])
        norm, truth = float(group_norm(beta)), teachers.main[0]
        rows.append([
            float(relative_distance(beta[1], best)),
            norm / float(group_norm([teachers.aux[0], best])) - 1,
            float(fits.weights.squared_norm[0, 0]) / norm - 1,
            *(float(relative_errors(b, truth)) for b in (beta[1], best)),
            float(fits.loss[0, 0]),
        ])  # fmt: skip
    return {name: np.array(column) for name, column in zip(MEASURES, np.transpose(rows), strict=True)}


def joint(seed: int, overlap: int, n_examples: int, dim: int = DIM, accuracy: float = _ACCURACY) -> Fits:
    """One network trained on both tasks at once from weights of 0.001."""
    teachers, x = _task(seed, overlap, n_examples, dim)
    first = sphere_inputs(dim, N_AUX, [seed], "aux")[0]
    return trained_on_both(first, teachers.aux[0], x, teachers.main, accuracy)


def norm_cells(seed: int, sizes: Any = SIZES, dim: int = DIM) -> dict[str, Array]:
    """Fig. 2c: norms over those of the teachers, for networks of three kinds whose tasks have the same features.

    The auxiliary coefficients of a finetuned network, and of one that learns the main task alone, are those after
    pretraining; width and start of the finetuning penalty are always those of the pretrained network.
    """
    teachers = sparse_teachers(dim, K_AUX, K_AUX, K_AUX, [seed])
    before, small = pretrained(seed, teachers.aux[0], N_AUX), equal_pathways(ALPHA, ALPHA, (1, 1, dim))
    weights, known, rows = before.weights.with_readout(GAMMA), before.beta[0, 0, 0], []
    for n in sizes:
        x = _task(seed, K_AUX, n, dim)[1]
        tuned, alone = (trained_on(begin, x, teachers.main).beta[0, 0, 0] for begin in (weights, small))
        pairs = [*joint(seed, K_AUX, n, dim).beta[0, 0]], [known, tuned], [known, alone]
        rows.append([_norms(pair, [teachers.aux[0], teachers.main[0]], weights, known) for pair in pairs])
    found = np.array(rows)
    names = ("group", "exact", "printed")
    norms = {f"{kind} {name}": found[:, i, j] for i, kind in enumerate(KINDS) for j, name in enumerate(names)}
    return {**norms, "pretraining loss": np.array(before.loss[0])}


def _norms(pair: Any, truth: list[Array], weights: Weights, known: Array) -> list[float]:
    """Group norm, and finetuning penalty, exact and printed, over those of the teachers."""
    kappa, start = (part[0] for part in invariants(weights))
    exact, printed = np.transpose([
        [float(np.sum(penalty_terms(beta, kappa, start))), float(printed_penalty(beta, known, GAMMA))]
        for beta in (pair[1], truth[1])
    ])  # fmt: skip
    return [float(group_norm(pair) / group_norm(truth)), exact[0] / exact[1], printed[0] / printed[1]]


def _task(seed: int, overlap: int, n_examples: int, dim: int) -> tuple[SparseTeachers, Array]:
    """Teachers, and inputs (n, D) of the main task."""
    return sparse_teachers(dim, K_AUX, K_AUX, overlap, [seed]), sphere_inputs(dim, n_examples, [seed])[0]
