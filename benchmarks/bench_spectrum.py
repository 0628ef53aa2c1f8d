"""The noise's law and the spectra of many matrices, against the straightforward ways to compute them."""

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

from benchmarks.timing import Row, largest_difference, timed
from mtlbook_lib.theory import marchenko_pastur

ASPECT = 0.5


def printed_density(s: np.ndarray) -> np.ndarray:
    """The density in one line, for positive values."""
    return np.sqrt(np.maximum(4 * ASPECT - (s * s - 1 - ASPECT) ** 2, 0.0)) / (np.pi * ASPECT * s)


def upper_mass(s: float) -> float:
    """Mass to the right, by quadrature over an angle in which the integrand is smooth."""
    root = np.sqrt(ASPECT)
    end = np.arccos(np.clip((s * s - 1 - ASPECT) / (2 * root), -1, 1))

    def integrand(angle: float) -> float:
        return 2 * np.sin(angle) ** 2 / (np.pi * (1 + ASPECT + 2 * root * np.cos(angle)))

    return quad(integrand, 0.0, end, epsabs=1e-14, epsrel=1e-13)[0]


def density_row(points: int) -> Row:
    lower, upper = marchenko_pastur.support(ASPECT)
    s = np.linspace(lower, upper, points)
    x = s.astype(np.longdouble)
    wide, root = np.longdouble(ASPECT), np.sqrt(np.longdouble(ASPECT))
    inside = np.maximum((1 + root - x) * (x - (1 - root)) * (1 + root + x) * (x + 1 - root), 0)
    exact = np.sqrt(inside) / (np.pi * wide * x)
    ours, seconds = timed(lambda: marchenko_pastur.density(s, ASPECT), points, repeats=9)
    line, theirs = timed(lambda: printed_density(s), points, repeats=9)
    errors = largest_difference(ours, exact), largest_difference(line, exact)
    return Row(f"density, {points} points", "one line of NumPy", "point", seconds, theirs, *errors)


def quantile_rows(points: int) -> list[Row]:
    lower, upper = marchenko_pastur.support(ASPECT)
    grid = np.linspace(lower, upper, 2 * points)
    table = marchenko_pastur.tail_mass(grid[::-1], ASPECT)
    mass = np.random.default_rng(0).uniform(size=points)
    few = np.linspace(0, points - 1, 20, dtype=int)

    def one(value: float) -> float:
        return float(brentq(lambda s: upper_mass(s) - value, lower, upper, xtol=1e-14))

    exact, alone = timed(lambda: [one(m) for m in mass[few]], few.size, repeats=1)
    ours, seconds = timed(lambda: marchenko_pastur.tail_quantile(mass, ASPECT), points)
    read, theirs = timed(lambda: np.interp(mass, table, grid[::-1]), points)
    error = largest_difference(ours[few], exact)
    _, all_in = timed(
        lambda: np.interp(mass, marchenko_pastur.tail_mass(grid[::-1], ASPECT), grid[::-1]), points, repeats=3
    )
    what, table_error = f"tail_quantile, {points} points", largest_difference(read[few], exact)
    return [
        Row(what, "np.interp in a table made before", "point", seconds, theirs, error, table_error),
        Row(what, "np.interp, making the table counted", "point", seconds, all_in, error, table_error),
        Row(what, "quad and brentq, which is the reference", "point", seconds, alone, error, 0.0),
    ]


def expectation_row(times: int) -> Row:
    """An average as a learning curve needs it: one integrand for each of many times."""
    lower, upper = marchenko_pastur.support(ASPECT)
    steepness = np.linspace(0.1, 20, times)
    nodes, weights = np.polynomial.legendre.leggauss(400)
    angle = np.pi / 2 * (1 + nodes)
    s = np.sqrt(1 + ASPECT + 2 * np.sqrt(ASPECT) * np.cos(angle))
    density = 2 * np.sin(angle) ** 2 / (np.pi * s**2)
    exact = np.tanh(steepness[:, None] * s) ** 2 @ (np.pi / 2 * weights * density)

    def in_one() -> np.ndarray:
        return marchenko_pastur.expectation(lambda x: np.tanh(steepness[:, None] * x) ** 2, ASPECT)

    def one_by_one() -> list[float]:
        return [quad(lambda x, k=k: np.tanh(k * x) ** 2 * printed_density(x), lower, upper)[0] for k in steepness]

    (ours, seconds), (theirs, other) = timed(in_one, times), timed(one_by_one, times)
    errors = largest_difference(ours, exact), largest_difference(theirs, exact)
    return Row(f"average over noise, {times} integrands", "quad, one at a time", "integral", seconds, other, *errors)


def spectra_row(n_matrices: int, n_rows: int, n_cols: int) -> Row:
    from mtlbook_lib.simulation.spectra import singular_values

    matrices = np.random.default_rng(0).standard_normal((n_matrices, n_rows, n_cols)) / np.sqrt(n_cols)
    squares = np.linalg.eigvalsh(matrices @ matrices.swapaxes(-1, -2))[:, ::-1]  # of well-conditioned matrices
    ours, seconds = timed(lambda: singular_values(matrices), n_matrices)
    theirs, other = timed(lambda: [np.linalg.svd(matrix, compute_uv=False) for matrix in matrices], n_matrices)
    errors = largest_difference(ours, np.sqrt(squares)), largest_difference(theirs, np.sqrt(squares))
    return Row(f"spectra, {n_rows} x {n_cols}", "numpy, one at a time", "matrix", seconds, other, *errors)


def rows(small: bool = False) -> list[Row]:
    if small:
        return [density_row(100), *quantile_rows(200), expectation_row(3), spectra_row(3, 5, 10)]
    return [density_row(100_000), *quantile_rows(20_000), expectation_row(50), spectra_row(400, 50, 100)]
