"""What the chapter on auxiliary data runs: few examples of the main task, many of another, and rectified students."""

from __future__ import annotations

import numpy as np

from mtlbook_lib.experiments.classifier_pairs import Arms, train
from mtlbook_lib.experiments.sizes import sized

N_MAIN = 100
AUXILIARY_SIZES = (25, 50, 100, 200, 400, 800)
RELATEDNESS = (0.0, 0.5, 1.0)
STRENGTHS = (0.3, 3.0, 100.0)
TRUNKS = (0, 1, 2, 3)  # rectified layers below the heads; 0 is a linear trunk
# Rate and number of steps: the optimum of summed losses comes sooner.
DESCENT = {"mean": (0.25, 240), "sum": (0.1, 240)}


@sized(
    quick={"n_seeds": 2},
    paper={"n_seeds": 12},
    large={"n_seeds": 200},
    large_cost="30 GB, 10 min on one GPU",
)
def data_efficiency(n_auxiliary: int, loss: str, *, n_seeds: int) -> Arms:
    """Fig. 3 (left) and A3: 100 examples of a main task of strength 3, and more or fewer of the auxiliary task.

    Settings run through the relatedness for each auxiliary strength, (9,). `loss` "mean" counts each task once, "sum"
    each example.
    """
    rate, n_steps = DESCENT[loss]
    strengths, related = np.repeat(STRENGTHS, len(RELATEDNESS)), np.tile(RELATEDNESS, len(STRENGTHS))
    return train(3.0, strengths, related, N_MAIN, n_auxiliary, range(n_seeds), n_steps=n_steps, rate=rate, loss=loss)


@sized(
    quick={"n_seeds": 2, "n_examples": 100},
    paper={"n_seeds": 12, "n_examples": 400},
    large={"n_seeds": 200, "n_examples": 400},
    large_cost="30 GB, 10 min on one GPU",
)
def deeper_trunks(n_layers: int, *, n_seeds: int, n_examples: int, n_steps: int = 300) -> Arms:
    """Fig. 3 (right) and A4: students with 0 (linear) to 3 rectified layers, clean auxiliary tasks, r = 0, 1/2, 1.

    All students start at the scale that keeps rectified layers alive, the linear one small.
    """
    return train(
        3.0,
        100.0,
        RELATEDNESS,
        n_examples,
        n_examples,
        range(n_seeds),
        n_steps=n_steps,
        rate=0.1 if n_layers else 0.25,
        depth=max(n_layers, 1) + 1,
        rectified=n_layers > 0,
    )
