"""Outside baselines: gradients combined by the TorchJD package, trained once and kept beside the book.

Its aggregators take the gradients of one network at a time, so these runs are not batched over splits.
"""

from __future__ import annotations

from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from torch import nn

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.experiments.kept_arrays import read
from mtlbook_lib.experiments.part5.svd_reweighting.splits import RIDGE, Compared, areas, compare, draw
from mtlbook_lib.experiments.sweep import sweep
from mtlbook_lib.methods.sharing import GradientAggregation, HardSharing, Training, shared

FILE = "results/part5/svd-reweighting.json"
N_SPLITS, DIGITS = 30, 6
SETTINGS: dict[str, tuple[str, list[int], list[float], int]] = {
    # data, columns, shares of random labels, capacity
    "weak annotators": ("at least 5", [0, 0, 0, 0], [0.0, 0.2, 0.8, 0.8], 1),
}
METHODS = ("equal", "pcgrad", "upgrad")
TRAINING = Training(optimizer="adam", rate=2e-2, epochs=800, batch_size=None, validation=0.0, dtype="float64")


def available() -> bool:
    """Whether TorchJD and what it projects with are installed."""
    return all(find_spec(name) is not None for name in ("torchjd", "qpsolvers", "quadprog"))


def trained_cells(setting: str, method: str, split: int) -> dict[str, Array]:
    """Areas under the curve of all tasks after training on one split."""
    name, columns, shares, rank = SETTINGS[setting]
    splits = draw(name, np.array(columns), np.array([shares]), 150, [split])
    x, y = splits.with_ridge(RIDGE)
    model = _model(method, rank).fit(x[0], y[0])
    models = np.stack([_weights(model, task) for task in range(y.shape[-1])], axis=-1)
    return {"areas": areas(splits, models[None])[0]}


def _model(method: str, rank: int) -> HardSharing:
    if method == "equal":
        return shared(rank, _head, training=TRAINING)
    return GradientAggregation(method, rank, _head, training=TRAINING)


def _head(n_features: int, n_outputs: int) -> nn.Module:
    return nn.Linear(n_features, n_outputs, bias=False)


def _weights(model: HardSharing, task: int) -> Array:
    """The linear map of one task, (d,)."""
    encoder, head = model.network_of(task)
    layers = [part for part in (*encoder.modules(), *head.modules()) if isinstance(part, nn.Linear)]
    first, last = (layer.weight.detach().numpy() for layer in layers)
    return np.asarray((last @ first)[0])


def compute_stored(folder: Path) -> dict[str, Any]:
    """Train everything that is kept, or what a former call left undone."""
    kept: dict[str, dict[str, Any]] = {name: {} for name in SETTINGS}
    for setting, method in product(SETTINGS, METHODS):
        settings = [{"setting": setting, "method": method, "split": split} for split in range(N_SPLITS)]
        cells = sweep(trained_cells, settings, folder)
        kept[setting][method] = [one["areas"].round(DIGITS).tolist() for one in cells]
    return {"splits": N_SPLITS, "areas": kept}


def _kept(setting: str) -> dict[str, Array]:
    """Stored areas of each method, (split, task)."""
    found: dict[str, Array] = read(FILE, "areas", setting)
    return found


@own_seeds()
def with_baselines(setting: str) -> Compared:
    """All closed-form arms on the stored splits, with "pcgrad", "upgrad", and "trained" with equal weights."""
    name, columns, shares, rank = SETTINGS[setting]
    noise = np.tile(shares, (N_SPLITS, 1))
    found = compare(draw(name, np.array(columns), noise, 150, range(N_SPLITS)), noise, rank)
    stored = {("trained" if method == "equal" else method): values for method, values in _kept(setting).items()}
    return Compared({**found.areas, **stored}, found.weights, noise)


@own_seeds()
def retrain_sample(setting: str, seed: int) -> tuple[Array, Array]:
    """Areas of one random split now, and as stored: by PCGrad where TorchJD is installed, else with equal weights."""
    split = int(np.random.default_rng(seed).integers(N_SPLITS))
    method = "pcgrad" if available() else "equal"
    return trained_cells(setting, method, split)["areas"], _kept(setting)[method][split]
