"""The runs that are kept beside the book: how they are made and read, and how some are trained again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments import stored_results
from mtlbook_lib.experiments.part6.relu_networks import arms, tasks
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.experiments.sweep import sweep
from mtlbook_lib.statistics import mean_and_error

FILE = "results/part6/relu-networks.json"
DIGITS = 6


@sized(
    quick={"n_seeds": 2, "n_hidden": 64, "n_aux": 160},
    paper={"n_seeds": 32, "n_hidden": 64, "n_aux": 160},
    large={"n_seeds": 12, "n_hidden": 1000, "n_aux": 1024},
    large_cost="3 GB; three days on one core, not tried on a GPU",
)
def run(folder: str | Path, progress: Any = None, *, n_seeds: int, n_hidden: int, n_aux: int) -> dict[str, Any]:
    """Train everything that is kept, or what a former call left undone; half an hour on one core.

    The profile "large" has the paper's numbers of hidden units and of auxiliary examples.
    """
    sizes = {"n_hidden": n_hidden, "n_aux": n_aux}
    settings = [{"seed": seed, **sizes} for seed in range(n_seeds)]
    few, many = (sweep(cells, settings, folder, progress=progress) for cells in (arms.seed_cells, arms.late_cells))
    kept = {name: np.stack([cells[name] for cells in few]) for name in few[0]}
    for name in many[0]:
        kept[name] = np.concatenate([kept[name], np.stack([cells[name] for cells in many])], axis=2)
    measured = {name: _rounded(values).tolist() for name, values in kept.items()}
    return {"sizes": sizes, "seeds": n_seeds, "tolerance": tasks.TOLERANCE, "measured": measured}


@dataclass(frozen=True)
class Kept:
    """What is stored, first axis seed; ``arms.seed_cells`` describes the arrays."""

    n_hidden: int
    n_aux: int
    measured: dict[str, Array]

    def errors(self, arm: str, task: str) -> Array:
        """Test errors (seed, n) of "single", "joint", "finetuned", "kernel" or "probed" on a main task."""
        values = self.measured[arm][:, tasks.TASKS.index(task)]
        return values if values.ndim == 2 else np.asarray(values[..., 0])

    def rescaled(self, task: str, factor: int) -> Array:
        """Test errors (seed, n) of finetuning after the first layer was multiplied by a factor, given by its place."""
        return np.asarray(self.measured["rescaled"][:, factor, tasks.NESTED.index(task), :, 0])

    def starts(self, teacher: str) -> dict[str, Array]:
        """Training alone from "small" and "large" weights, (seed, n, 5), columns as in ``arms.seed_cells``."""
        place = list(tasks.TEACHERS).index(teacher)
        return {name: self.measured["starts"][:, i, place] for i, name in enumerate(("small", "large"))}

    def losses(self) -> dict[str, Array]:
        """All last losses, in any shape, by arm."""
        trained = ("pretrained", "single", "joint", "finetuned", "rescaled", "starts")
        return {name: self.measured[name][..., -1] for name in trained}


def stored() -> Kept:
    """What the stored runs measured."""
    with stored_results.reading(FILE) as found:
        measured = {name: np.array(values, dtype=float) for name, values in found["measured"].items()}
        return Kept(found["sizes"]["n_hidden"], found["sizes"]["n_aux"], measured)


def geometric_mean(values: Array) -> tuple[Array, Array]:
    """Geometric mean over seeds, which no single bad one decides, and its standard error to first order."""
    mean, error = mean_and_error(np.log(values))
    return np.exp(mean), np.exp(mean) * error


def train_again(draw: int) -> tuple[Array, Array]:
    """Test errors of one seed, drawn with the seed `draw`, now and as stored.

    All main tasks alone and finetuned with a number of examples that is drawn too, and two together with the auxiliary
    task with the least number.
    """
    rng, kept = np.random.default_rng(draw), stored()
    seed, place = int(rng.integers(len(kept.measured["single"]))), int(rng.integers(len(tasks.FEW)))
    some = rng.choice(len(tasks.TASKS), 2, replace=False)
    one = tasks.problem(seed, kept.n_hidden, kept.n_aux)
    few = tasks.problem(seed, kept.n_hidden, kept.n_aux, tuple(tasks.TASKS[i] for i in some))
    n = tasks.FEW[place]
    now = [
        one.network_errors(arms.single(one, n).layers),
        one.network_errors(arms.finetune(one, arms.pretrain(one).layers, n).layers),
        few.network_errors(arms.joint(few, tasks.FEW[0]).layers, 1),
    ]
    was = [kept.measured[arm][seed, :, place, 0] for arm in ("single", "finetuned")]
    return np.concatenate(now), np.concatenate([*was, kept.measured["joint"][seed, some, 0, 0]])


def _rounded(values: Array) -> Array:
    return np.vectorize(lambda value: float(f"{value:.{DIGITS}g}"))(values)
