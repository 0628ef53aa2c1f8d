"""Finetuning after the pretrained weights were rescaled: sparse tasks on pretrained features and on new ones."""

from mtlbook_lib.experiments.part6.nested_features.networks import *
from mtlbook_lib.experiments.part6.nested_features.orders import *
from mtlbook_lib.experiments.part6.nested_features.stored import *
from mtlbook_lib.experiments.sparse_pairs import ALPHA, GAMMA, K_AUX, LOSS

__all__ = [
    "ALPHA",
    "FACTORS",
    "GAMMA",
    "JOINT_SIZES",
    "JOINT_TASKS",
    "K_AUX",
    "LIMIT_FACTORS",
    "LIMIT_TASKS",
    "LOSS",
    "SIZES",
    "TASKS",
    "TRAINED_FACTORS",
    "TRAINED_SIZES",
    "Networks",
    "compute_stored",
    "measured_orders",
    "retrain_sample",
    "stored_curves",
    "stored_joint",
    "stored_networks",
    "stored_scans",
    "trained",
]
