"""More auxiliary data, and students with more layers or rectifiers: Figs. 3, A3 and A4."""

from mtlbook_lib.experiments.part4.auxiliary_data.live import *
from mtlbook_lib.experiments.part4.auxiliary_data.stored import *
from mtlbook_lib.experiments.part4.auxiliary_data.sweeps import *

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
