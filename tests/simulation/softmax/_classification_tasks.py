"""Small classification problems of two tasks, and losses written without the engine."""

import numpy as np
import torch

from mtlbook_lib.data.classification import labelled, snr_pairs
from mtlbook_lib.simulation import softmax

SEEDS = (3, 5)
N_CLASSES, N_FEATURES, N_HIDDEN = 4, 9, 6


def two_tasks(n_main=20, n_auxiliary=14):
    teachers = snr_pairs(N_CLASSES, N_FEATURES, 3.0, [0.5, 3.0, 30.0], [0.0, 0.5, 1.0], SEEDS)
    roles = (("main", n_main), ("auxiliary", n_auxiliary))
    tasks = [labelled(teacher, n, role) for teacher, (role, n) in zip(teachers, roles, strict=True)]
    return tasks, labelled(teachers[0], 50, "test", noise="none")


def students(depth=2, n_tasks=2, scale=0.5, **options):
    sizes = N_CLASSES, N_FEATURES, N_HIDDEN
    return softmax.normal_students(*sizes, scale, SEEDS, depth=depth, n_tasks=n_tasks, **options)


def loss_by_hand(layers, n_tasks, rectified, task, examples):
    """Mean cross-entropy of a single network, its layers without batch axes."""
    layers, (inputs, labels) = [layer.cpu() for layer in layers], examples
    for layer in layers[: len(layers) - n_tasks]:
        inputs = (layer @ inputs).relu() if rectified else layer @ inputs
    logits = layers[len(layers) - n_tasks + task] @ inputs
    return torch.nn.functional.cross_entropy(logits.T, labels)


def single(tasks, seed, setting):
    """Examples of one seed and setting as tensors."""
    return [
        (torch.from_numpy(np.array(task.inputs[seed])), torch.from_numpy(np.array(task.labels[seed, setting])))
        for task in tasks
    ]
