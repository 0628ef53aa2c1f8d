"""What is left out of a call of a trainer is what its description promises."""

import inspect

import pytest
import torch

from mtlbook_lib.simulation import (
    boundaries,
    convolution,
    diagonal,
    diagonal_variants,
    mixed_batches,
    rank_one,
    shallow,
    shared_modules,
    sharing,
    softmax,
    stopped_students,
)
from mtlbook_lib.simulation.linear import descent as linear
from mtlbook_lib.simulation.linear.shared_head import head_flow
from mtlbook_lib.simulation.rectifier import descent as rectifier
from mtlbook_lib.simulation.rectifier.heads import train_first_head
from mtlbook_lib.simulation.two_tasks.relu_direction import best_relu_direction
from mtlbook_lib.simulation.two_tasks.shared_features import train_features
from mtlbook_lib.simulation.two_tasks.worst_pairs import largest_model_error, least_sine

ADAM = {"rate": 1e-3, "batch_size": 50, "rectified": False, "dtype": None}
WATCHED = {"loss": "half", "record_every": 1, "observe": None}
LEAKY = {"slope": 0.2, "leaky_output": False}
DEFAULTS = {
    diagonal.gradient_flow: {"tolerance": 1e-10, "accuracy": 1e-2, "max_steps": 2000, "layers": "both"},
    diagonal.descend: {"tolerance": 1e-10, "reach": 0.02, "max_steps": 200_000},
    diagonal.sampled_flow: {"rtol": 1e-8, "max_steps": 100_000, "layers": "both"},
    diagonal_variants.descend_chains: {"tolerance": 1e-10, "reach": 0.02, "max_steps": 100_000},
    diagonal_variants.logistic_flow: {"accuracy": 1e-3, "max_steps": 20_000},
    diagonal_variants.fixed_steps: {"batch": None, "seeds": (), "loss": "squares"},
    shallow.gradient_flow: {"tolerance": 1e-8, "reach": 0.1, "miss": 0.1, "max_steps": 10_000},
    boundaries.angle_losses: {"n_angles": 72, "n_steps": 10, "ridge": 0.01},
    convolution.descend: {"rate": 1e-3, "max_steps": 2000, "heads_only": False, "dtype": torch.float32},
    head_flow: {"layers": "both", "rtol": 1e-7, "max_steps": 100_000},
    linear.descend: {**WATCHED, "covariance": None},
    rectifier.forward: LEAKY,
    rectifier.descend: {**WATCHED, **LEAKY},
    train_first_head: {"slope": 0.2, "eps": 1e-3, "n_hidden": 50, "rows_drawn": None, "record_every": 1,
                       "dtype": torch.float32},
    mixed_batches.train_on_mixed_batches: ADAM,
    mixed_batches.align_on_batches: ADAM,
    shared_modules.train_modules: {"rate": 0.03, "rectified": True, "apart": False},
    sharing.train_shared: {"weights": 1.0},
    softmax.loss_gradient: {"task_weights": None, "loss": "mean"},
    softmax.cross_entropy: {"task": 0},
    softmax.balance: {"layer": 0},
    softmax.aligned_students: {"depth": 2, "dtype": None},
    softmax.normal_students: {"depth": 2, "n_tasks": 1, "n_settings": 1, "rectified": False, "dtype": None},
    stopped_students.train_stopped: {"rectified": True, "frozen": False, "n_steps": 300, "every": 10},
    train_features: {"loss": "squares", "rate": 0.01, "dtype": None},
    least_sine: {"n_steps": 1500},
    largest_model_error: {"n_steps": 1500, "noise": 0.0},
    best_relu_direction: {"n_grid": 720},
    rank_one.rank_one_directions: {"n_grid": 801},
}  # fmt: skip


@pytest.mark.parametrize(("function", "promised"), DEFAULTS.items(), ids=[f.__qualname__ for f in DEFAULTS])
def test_what_is_left_out(function, promised):
    parameters = inspect.signature(function).parameters.values()
    assert {p.name: p.default for p in parameters if p.default is not p.empty} == promised
