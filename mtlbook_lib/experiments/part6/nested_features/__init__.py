"""Finetuning after the pretrained weights were rescaled: sparse tasks on pretrained features and on new ones."""

from mtlbook_lib.experiments.part6.nested_features.networks import (
    ALPHA,
    GAMMA,
    K_AUX,
    LOSS,
    Networks,
    predicted,
    relative_errors,
    trained,
)
from mtlbook_lib.experiments.part6.nested_features.orders import measured_orders
from mtlbook_lib.experiments.part6.nested_features.stored import (
    FACTORS,
    LIMIT_FACTORS,
    LIMIT_TASKS,
    SIZES,
    TASKS,
    TRAINED_FACTORS,
    TRAINED_SIZES,
    limits,
    run,
    stored_limits,
    stored_networks,
    stored_predicted,
    train_again,
)

__all__ = [
    "ALPHA",
    "FACTORS",
    "GAMMA",
    "K_AUX",
    "LIMIT_FACTORS",
    "LIMIT_TASKS",
    "LOSS",
    "SIZES",
    "TASKS",
    "TRAINED_FACTORS",
    "TRAINED_SIZES",
    "Networks",
    "limits",
    "measured_orders",
    "predicted",
    "relative_errors",
    "run",
    "stored_limits",
    "stored_networks",
    "stored_predicted",
    "train_again",
    "trained",
]
