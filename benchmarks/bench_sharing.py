"""One shared direction for two tasks: a batch of pairs against the same pairs one at a time."""

from collections.abc import Callable

import numpy as np

from benchmarks.timing import Row, timed
from mtlbook_lib.data.linear_tasks import regression_tasks
from mtlbook_lib.simulation.rank_one import alternating_directions, rank_one_directions
from mtlbook_lib.theory.hard_sharing import rank_one_optimum

Moments = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def make(n_pairs: int, n_inputs: int) -> tuple[list[tuple[list[np.ndarray], list[np.ndarray]]], Moments]:
    """Pairs of noisy tasks with unlike axes, condition number 10; covariances and products of all of them."""
    tasks = regression_tasks(3 * n_inputs, n_inputs, (1.0, 1.0), 10.0, 1.0, range(n_pairs), covariances="rotated")
    pairs = [(list(x), list(y)) for x, y in zip(tasks.inputs, tasks.labels, strict=True)]
    turned = tasks.inputs.swapaxes(-1, -2)
    s, b = turned @ tasks.inputs, (turned @ tasks.labels[..., None])[..., 0]
    return pairs, (s[:, 0], b[:, 0], s[:, 1], b[:, 1])


def one_at_a_time(moments: Moments) -> np.ndarray:
    """The batched solver, called for each pair."""
    return np.array([rank_one_directions(*pair)[2] for pair in zip(*moments, strict=True)])


def certified(pairs: list[tuple[list[np.ndarray], list[np.ndarray]]]) -> np.ndarray:
    """Branch and bound, with a proof, for each pair."""
    return np.array([rank_one_optimum(*pair)[2] for pair in pairs])


def alternating(moments: Moments, n_starts: int, n_steps: int) -> np.ndarray:
    """Alternating least squares from random starts, for each pair: the best end."""
    starts = np.random.default_rng(0).standard_normal((n_starts, moments[1].shape[-1]))
    return np.array([alternating_directions(*pair, starts, n_steps)[1].max() for pair in zip(*moments, strict=True)])


def size_rows(what: str, n_pairs: int, n_inputs: int, starts: tuple[int, int]) -> list[Row]:
    """Errors are relative, of the energy explained, against the certified optimum."""
    pairs, moments = make(n_pairs, n_inputs)
    routes: dict[str, Callable[[], np.ndarray]] = {
        "the same solver, pair by pair": lambda: one_at_a_time(moments),
        "branch and bound with its proof, pair by pair": lambda: certified(pairs),
        f"alternating least squares, {starts[0]} starts of {starts[1]} steps": lambda: alternating(moments, *starts),
    }
    exact = certified(pairs)
    ours, seconds = timed(lambda: rank_one_directions(*moments)[2], n_pairs)
    error = float(np.abs(ours / exact - 1).max())
    found = []
    for name, route in routes.items():
        value, theirs = timed(route, n_pairs, repeats=2)
        their_error = float(np.abs(value / exact - 1).max())
        found.append(Row(f"rank-one optimum, {what}", name, "pair", seconds, theirs, error, their_error))
    return found


def rows(small: bool = False) -> list[Row]:
    if small:
        return size_rows("5 inputs", 3, 5, (10, 300))
    return [*size_rows("5 inputs", 200, 5, (20, 300)), *size_rows("100 inputs", 20, 100, (10, 100))]
