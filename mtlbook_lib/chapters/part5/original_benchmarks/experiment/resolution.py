"""What the benchmarks' test sets can resolve, and what random labels do to rare findings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import stream
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.scores import area_under_curve, normal_scores
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import svd_task_weights
from mtlbook_lib.theory.resolution import accuracy_gain_error, area_gain_error

GLUE_ROWS = {"CoLA": 1043, "MRPC": 408, "QNLI": 5463, "RTE": 277, "SST-2": 872}
SENTIMENT_ROWS = {"MR": 10662, "SST": 9613, "SUBJ": 10000, "CR": 3775, "MPQA": 10606, "TREC": 5952}
FINDING_COUNTS = {
    "Infiltration": 19894, "Effusion": 13317, "Atelectasis": 11559, "Nodule": 6331, "Mass": 5782, "Pneumothorax": 5302,
    "Consolidation": 4667, "Pleural_Thickening": 3385, "Cardiomegaly": 2776, "Emphysema": 2516, "Edema": 2303,
    "Fibrosis": 1686, "Pneumonia": 1431, "Hernia": 227,
}  # fmt: skip
N_IMAGES, N_TEST_IMAGES = 112_120, 25_596
TYPICAL_AREA = 0.84


@dataclass(frozen=True)
class AreaScatter:
    """Standard deviations of areas over test sets, measured and predicted, for each prevalence."""

    single: Array
    predicted_single: Array
    paired: Array
    predicted_paired: Array
    n_sets: int


@sized(n_sets=(20, 1000, 10_000), cost="1 GB, 10 min on one core")
def area_scatter(
    prevalences: Array, *, n_sets: int, n_rows: int = 4000, area: float = TYPICAL_AREA, correlation: float = 0.9
) -> AreaScatter:
    """How areas under the curve, and the difference of two of them, scatter over random test sets.

    Scores are normal, shifted for positives so that the area is `area`; those of the two models are correlated.
    """
    positives = np.round(np.asarray(prevalences) * n_rows).astype(int)
    measured = []
    for part, n in enumerate(positives.tolist()):
        drawn = normal_scores(n, n_rows - n, area, correlation, n_sets, part)
        first, second = area_under_curve(*drawn).T
        measured.append((first.std(ddof=1), (second - first).std(ddof=1)))
    single, paired = np.transpose(measured)
    alone, together = (area_gain_error(area, positives, n_rows - positives, rho) for rho in (0.0, correlation))
    return AreaScatter(single, alone / np.sqrt(2), paired, together, n_sets)


def average_gain_error(benchmark: str, disagreement: float = 0.1, correlation: float = 0.9) -> float:
    """Standard error, over test rows, of the gain that a method has on average over the tasks of a benchmark.

    Parameters
    ----------
    benchmark : str
        ``"GLUE"``, ``"sentiment"`` (a tenth of each set) or ``"ChestX-ray14"`` (14 areas of 0.84, the official number
        of test images with the findings as frequent as in all).
    disagreement : float
        Share of rows on which one model is right and the other wrong, for accuracies.
    correlation : float
        Of the two models' scores, for areas.
    """
    if benchmark == "ChestX-ray14":
        positives = np.array(list(FINDING_COUNTS.values())) * N_TEST_IMAGES / N_IMAGES
        errors = area_gain_error(TYPICAL_AREA, positives, N_TEST_IMAGES - positives, correlation)
    else:
        rows = GLUE_ROWS if benchmark == "GLUE" else {name: n / 10 for name, n in SENTIMENT_ROWS.items()}
        errors = accuracy_gain_error(disagreement, list(rows.values()))
    return float(np.sqrt(np.sum(errors**2)) / len(errors))


@sized(n_sets=(2, 40, 1000), cost="300 MB, 5 min on one core")
def noisy_weights(prevalences: Array, shares: Array, *, n_sets: int, n_rows: int = 20_000) -> tuple[Array, Array]:
    """Weight that Algorithm 2 (rank 1) gives a task with random labels, relative to that of the true ones.

    Labels tell whether a noisy linear function of ten inputs is among the largest; a share is drawn anew.

    Returns
    -------
    mean, standard_error : ndarray, shape (share, prevalence)
        Over data sets.
    """
    found = np.empty((n_sets, len(shares), len(prevalences)))
    for i, j in np.ndindex(n_sets, len(prevalences)):
        rng = stream(i, "noisy weights", j)
        x = rng.standard_normal((n_rows, 10))
        score = x.sum(axis=1) + rng.standard_normal(n_rows)
        labels = (score > np.quantile(score, 1 - prevalences[j])).astype(float)
        for k, share in enumerate(shares):
            both = np.column_stack([labels, _drawn_anew(labels, share, rng)])
            weights = svd_task_weights(x, (both - both.mean(axis=0)) / both.std(axis=0), 1)
            found[i, k, j] = weights[1] / weights[0]
    return mean_and_error(found)


def _drawn_anew(labels: Array, share: float, rng: np.random.Generator) -> Array:
    return np.where(rng.random(len(labels)) < share, rng.integers(0, 2, len(labels)), labels)
