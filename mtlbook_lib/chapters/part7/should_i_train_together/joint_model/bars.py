"""The table of the judgement, and each bar with its number; errors are over targets."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mtlbook_lib.chapters.part7.should_i_train_together.joint_model.judged import GROUPS, RULES

BASELINES = ("pool", "feature", "process", "choice", "stack")
MEANS = {"gain": ("population 1", "population 2", "label"), "same label": ("population 1", "population 2"),
         "another label": ("label",), "permuted": ("permuted",)}  # fmt: skip
Cells = Sequence[dict[str, Any]]


def over_targets(cells: Cells, value: Callable[[dict[str, Any]], float]) -> tuple[float, float]:
    """Mean of the targets' means, and its standard error."""
    targets: dict[tuple[str, int], list[float]] = {}
    for cell in cells:
        targets.setdefault((cell["set"], cell["question"]), []).append(value(cell))
    means = np.array([np.mean(one) for one in targets.values()])
    return float(means.mean()), float(means.std(ddof=1) / np.sqrt(len(means)))


def of(cells: Cells, partners: Sequence[str], n: int | None = None) -> list[dict[str, Any]]:
    """Cells with these partners, and of this size."""
    return [cell for cell in cells if cell["partner"] in partners and n in (None, cell["n"])]


def gain(rule: str, loss: str = "capped", over: str = "alone") -> Callable[[dict[str, Any]], float]:
    """Function of a cell: loss of another rule less that of `rule`."""
    return lambda cell: float(cell[loss][over] - cell[loss][rule])


def pair_gains(cells: Cells, rule: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Mean over sizes of each pair that is not permuted."""
    pairs: dict[tuple[str, int, str], list[float]] = {}
    for cell in of(cells, MEANS["gain"]):
        pairs.setdefault((cell["set"], cell["question"], cell["partner"]), []).append(gain(rule)(cell))
    return np.array([np.mean(one) for one in pairs.values()])


def table(cells: Cells) -> list[dict[str, Any]]:
    """A row for each rule: gains over A alone, capped and plain, by kind and by size, and the worst."""
    rows = []
    for rule in RULES:
        row: dict[str, Any] = {"rule": rule}
        for name, partners in MEANS.items():
            row[name] = over_targets(of(cells, partners), gain(rule))
            row[f"{name}, plain"] = over_targets(of(cells, partners), gain(rule, "loss"))
        for n in sorted({cell["n"] for cell in cells}):
            row[f"n = {n}"] = over_targets(of(cells, MEANS["gain"], n), gain(rule))
        row["fifth worst %"] = float(np.quantile(pair_gains(cells, rule), 0.05))
        for name, kind in (("lost over .01", "gain"), ("permuted, lost over .01", "permuted")):
            row[name] = float(np.mean([gain(rule)(cell) < -0.01 for cell in of(cells, MEANS[kind])]))
        rows.append(row)
    return rows


def bars(cells: Cells, groups: Cells) -> list[dict[str, Any]]:
    """Each with its number, what it must be, and whether it is."""
    pairs, average = of(cells, MEANS["gain"]), table(cells)[0]
    judged = []

    def bar(name: str, value: float, least: float, error: float | None = None) -> None:
        judged.append({"bar": name, "value": value, "at least": least, "error": error, "met": bool(value >= least)})

    for baseline in BASELINES:
        mean, error = over_targets(pairs, gain("average", over=baseline))
        bar(f"ahead of {baseline}, in standard errors", mean / error, 2.0, error)
    for name, label in (("same label", "the same label"), ("another label", "another label")):
        mean, error = over_targets(of(cells, MEANS[name]), gain("average", over="shared + own"))
        bar(f"ahead of shared + own, {label}", mean, 0.0, error)
    mean, error = average["permuted"]
    bar("permuted partners", mean, -0.002, error)
    bar("fifth worst percent of the pairs", average["fifth worst %"], -0.015)
    bar("share of pair × size that loses over .01, negative", -average["lost over .01"], -0.03)
    means = {name: over_targets(groups, _group(name))[0] for name in GROUPS}
    bar("two partners over one", means["two"] / means["one"], 1.5)
    bar("three partners over one", means["three"] / means["one"], 1.5)
    return judged


def _group(name: str) -> Callable[[dict[str, Any]], float]:
    return lambda cell: float(cell["gains"][name])


def promises(cells: Cells) -> dict[str, float]:
    """How the expected gain meets the measured one, draw by draw, permuted partners included."""
    said = np.array([one for cell in cells for one in cell["said"]])
    expected, error, alone, covered, truth = said.T
    cost = np.maximum(2 * error - expected, 0.0)
    return {
        "expected": float(expected.mean()),
        "measured": float(truth.mean()),
        "correlation": float(np.corrcoef(expected, truth)[0, 1]),
        "costs more than said": float((truth < -cost - 1e-9).mean()),
        "costs .01 more than said": float((truth < -cost - 0.01).mean()),
        "expected above A's error": float((expected > alone).mean()),
        "labels in the 90 % interval": float(covered.mean()),
    }
