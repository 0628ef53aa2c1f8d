"""Half-times of deep random students, many cases in one call."""

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.timing import Row, largest_difference, timed
from mtlbook_lib.theory.linear_dynamics import deep_random_half_time

DEPTH, EPS = 4, 1e-3


def by_solve_ivp(strength: float, rtol: float) -> float:
    """Half-time by the reduced flow, whose layers are all 2 x 2 where inputs, hidden units and outputs are as many."""
    mode = np.array([[0.0, 0.0], [strength, 0.0]])  # from the first input to the second output
    left, right = np.array([0.0, 1.0]), np.array([1.0, 0.0])

    def product(layers: list[np.ndarray]) -> np.ndarray:
        return np.linalg.multi_dot([np.eye(2), *reversed(layers), np.eye(2)])

    def slope(_: float, state: np.ndarray) -> np.ndarray:
        layers = list(state.reshape(DEPTH, 2, 2))
        misfit = mode - product(layers)
        parts = [product(layers[i + 1 :]).T @ misfit @ product(layers[:i]).T for i in range(DEPTH)]
        return np.ravel(parts)

    def half(_: float, state: np.ndarray) -> float:
        return float(left @ product(list(state.reshape(DEPTH, 2, 2))) @ right - strength / 2)

    half.terminal = True
    start = np.tile(EPS ** (1 / DEPTH) * np.eye(2), (DEPTH, 1, 1)).ravel()
    found = solve_ivp(slope, (0.0, 1e6), start, "DOP853", events=half, rtol=rtol, atol=rtol * 1e-3)
    return float(found.t_events[0][0])


def rows(small: bool = False) -> list[Row]:
    strengths = np.linspace(0.7, 4.0, 4 if small else 200)
    few = np.linspace(0, strengths.size - 1, 3, dtype=int)
    exact = np.array([by_solve_ivp(strength, 1e-12) for strength in strengths[few]])
    ours, seconds = timed(lambda: deep_random_half_time(strengths, EPS, DEPTH), strengths.size)
    single, alone = timed(lambda: [deep_random_half_time(s, EPS, DEPTH) for s in strengths[few]], few.size)
    other, ivp = timed(lambda: [by_solve_ivp(s, 1e-9) for s in strengths[few]], few.size)
    what = f"deep_random_half_time, {strengths.size} cases"

    def row(name: str, value: list[float], theirs: float) -> Row:
        errors = (largest_difference(np.asarray(x) / exact, 1.0) for x in (ours[few], value))
        return Row(what, name, "case", seconds, theirs, *errors)

    return [row("the same, one by one", single, alone), row("scipy DOP853 and event, one by one", other, ivp)]
