"""More auxiliary data, and students with more layers or rectifiers: Figs. 3, A3 and A4."""

from mtlbook_lib.experiments.part4.auxiliary_data.live import (
    first_pull,
    fresh_amounts,
    fresh_trunks,
    three_layers,
    weighted,
)
from mtlbook_lib.experiments.part4.auxiliary_data.stored import (
    compute_stored,
    retrain_sample,
    run_further,
    stored_amounts,
    stored_grid,
    stored_shift,
    stored_trunks,
)
from mtlbook_lib.experiments.part4.auxiliary_data.sweeps import (
    AMOUNTS,
    AUXILIARY,
    FINE,
    LAYERS,
    MAIN,
    N_MAIN,
    RELATEDNESS,
    scale_of_start,
)

__all__ = [
    "AMOUNTS",
    "AUXILIARY",
    "FINE",
    "LAYERS",
    "MAIN",
    "N_MAIN",
    "RELATEDNESS",
    "compute_stored",
    "first_pull",
    "fresh_amounts",
    "fresh_trunks",
    "retrain_sample",
    "run_further",
    "scale_of_start",
    "stored_amounts",
    "stored_grid",
    "stored_shift",
    "stored_trunks",
    "three_layers",
    "weighted",
]
