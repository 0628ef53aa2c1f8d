"""The runs that are kept beside the book: how they are made and read, and how some are trained again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.experiments import stored_results
from mtlbook_lib.experiments.part6.images import arms
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.experiments.sweep import sweep

FILE = "results/part6/images.json"
BLOCK = 9  # data sets that are trained together


@sized(
    quick={"n_blocks": 1},
    paper={"n_blocks": 5},
    large={"n_blocks": 100},
    large_cost="1 GB, 3 h on one core",
)
def compute_stored(folder: str | Path, progress: Any = None, *, n_blocks: int) -> dict[str, Any]:
    """Train everything that is kept, or what a former call left undone; eight minutes on one core."""
    settings = [{"first": BLOCK * block, "n_seeds": BLOCK} for block in range(n_blocks)]
    found = sweep(arms.cells, settings, folder, progress=progress)
    measured = {name: stored_results.significant(np.concatenate([one[name] for one in found])) for name in found[0]}
    sizes = {"examples": arms.EXAMPLES, "factors": arms.FACTORS, "heads": arms.HEADS, "tolerance": arms.TOLERANCE}
    return {"seeds": BLOCK * n_blocks, **sizes, "measured": measured}


@dataclass(frozen=True)
class Kept:
    """What is stored, first axis seed; ``arms.cells`` describes the arrays."""

    measured: dict[str, Array]

    def errors(self, arm: str) -> Array:
        """Test errors: "alone" (seed, head, n), "joint", "probed" (seed, n), "finetuned" (seed, head, factor, n)."""
        return np.asarray(self.measured[arm][..., 0])

    def finetuned(self, factor: float = 1.0, head: int = 0) -> Array:
        """Test errors (seed, n) of finetuning after the trunk was multiplied by a factor, with a head of some size."""
        return np.asarray(self.errors("finetuned")[:, head, arms.FACTORS.index(factor)])

    def losses(self) -> Array:
        """The last training losses of all networks, for both tasks."""
        main = [self.measured[arm][..., 2].ravel() for arm in ("alone", "joint", "probed", "finetuned")]
        return np.concatenate([*main, self.measured["auxiliary"].ravel()])

    def steps(self, arm: str) -> Array:
        """Steps that training took, axes as those of errors."""
        return np.asarray(self.measured[arm][..., 3])


def stored() -> Kept:
    """What the stored runs measured."""
    with stored_results.reading(FILE) as found:
        return Kept({name: np.array(values, dtype=float) for name, values in found["measured"].items()})


@own_seeds()
def retrain_sample(draw: int) -> tuple[Array, Array]:
    """Test cross-entropies of a data set and a number of examples, drawn with the seed `draw`, now and as stored.

    Alone, together, probed, and finetuned with every factor and head.
    """
    kept, rng = stored().measured, np.random.default_rng(draw)
    seed, place = int(rng.integers(len(kept["joint"]))), int(rng.integers(len(arms.EXAMPLES)))
    n, data = arms.EXAMPLES[place], arms.Digits((seed,))
    first = arms.pretrain(data).networks
    tuned = [arms.finetune(data, first, n, head).networks for head in arms.HEADS]
    single = [arms.alone(data, n, arms.HEADS[0]), arms.joint(data, n), arms.probe(data, first, n)]
    now = [data.test().errors(fits.networks)[1] for fits in single]
    now += [arms.repeated(data.test(), len(arms.FACTORS)).errors(networks)[1] for networks in tuned]
    was = [kept["alone"][seed, 0, place, 1], kept["joint"][seed, place, 1], kept["probed"][seed, place, 1]]
    return np.concatenate(now), np.append(was, kept["finetuned"][seed, :, :, place, 1].ravel())
