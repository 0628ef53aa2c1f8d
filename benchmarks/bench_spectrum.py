"""The noise's law and the spectra of many matrices, against the straightforward ways to compute them."""

from __future__ import annotations

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

from benchmarks.timing import Figure, rate, table
from mtlbook_lib.theory import marchenko_pastur

ASPECT = 0.5
AGREEMENT = 1e-7  # what the baseline's quadrature reaches next to the edges of the support


def printed_density(s: float) -> float:
    """Equation 13 for one number."""
    return float(np.sqrt(max(4 * ASPECT - (s**2 - 1 - ASPECT) ** 2, 0.0)) / (np.pi * ASPECT * s))


def bench_density(points: int = 100_000) -> Figure:
    s = np.linspace(*marchenko_pastur.support(ASPECT), points)
    few = s[:: points // 2000]
    np.testing.assert_allclose(
        marchenko_pastur.density(few, ASPECT), [printed_density(x) for x in few], atol=AGREEMENT
    )
    ours = rate(lambda: marchenko_pastur.density(s, ASPECT), points)
    baseline = rate(lambda: [printed_density(x) for x in few], few.size)
    return Figure("Marchenko–Pastur density", "points", ours, baseline, "one point at a time")


def bench_tail_quantile(points: int = 20_000) -> Figure:
    lower, upper = marchenko_pastur.support(ASPECT)

    def by_root_finding(mass: float) -> float:
        return float(brentq(lambda s: quad(printed_density, s, upper)[0] - mass, lower, upper))

    mass = np.linspace(0.01, 0.99, points)
    few = mass[:: points // 20]
    np.testing.assert_allclose(
        marchenko_pastur.tail_quantile(few, ASPECT), [by_root_finding(m) for m in few], atol=AGREEMENT
    )
    ours = rate(lambda: marchenko_pastur.tail_quantile(mass, ASPECT), points)
    baseline = rate(lambda: [by_root_finding(m) for m in few], few.size)
    return Figure("Marchenko–Pastur quantile", "points", ours, baseline, "quad and brentq, one point at a time")


def bench_expectation(times: int = 50) -> Figure:
    """An average as a learning curve needs it: one integrand for each of many times."""
    lower, upper = marchenko_pastur.support(ASPECT)
    steepness = np.linspace(0.1, 20, times)

    def ours() -> np.ndarray:
        return marchenko_pastur.expectation(lambda s: np.tanh(steepness[:, None] * s) ** 2, ASPECT)

    def baseline() -> list[float]:
        return [quad(lambda s, k=k: np.tanh(k * s) ** 2 * printed_density(s), lower, upper)[0] for k in steepness]

    np.testing.assert_allclose(ours(), baseline(), atol=AGREEMENT)
    return Figure("average over noise", "integrals", rate(ours, times), rate(baseline, times), "quad, one at a time")


def bench_spectra(n_matrices: int = 400, n_rows: int = 50, n_cols: int = 100) -> Figure:
    from mtlbook_lib.simulation.spectra import singular_values

    matrices = np.random.default_rng(0).standard_normal((n_matrices, n_rows, n_cols)) / np.sqrt(n_cols)

    def loop() -> list[np.ndarray]:
        return [np.linalg.svd(matrix, compute_uv=False) for matrix in matrices]

    np.testing.assert_allclose(singular_values(matrices), loop(), atol=1e-10)
    ours = rate(lambda: singular_values(matrices), n_matrices)
    return Figure(f"spectra, {n_rows} x {n_cols}", "matrices", ours, rate(loop, n_matrices), "numpy, one at a time")


def main() -> list[Figure]:
    return [bench_density(), bench_tail_quantile(), bench_expectation(), bench_spectra()]


if __name__ == "__main__":
    print(table(main()))
