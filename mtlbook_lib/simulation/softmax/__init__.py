"""Softmax classifiers of one task or of several on one trunk: students, descent, and what is watched of them."""

from mtlbook_lib.simulation.softmax.descent import descend, loss_gradient, squared_gradient
from mtlbook_lib.simulation.softmax.observables import (
    Observable,
    balance,
    component,
    composite,
    cross_entropy,
    softmax_covariance,
)
from mtlbook_lib.simulation.softmax.stopping import Stopping, optimal_stopping, stop_at_best
from mtlbook_lib.simulation.softmax.students import Students, aligned_students, normal_students

__all__ = ["Observable", "Stopping", "Students", "aligned_students", "balance", "component", "composite",
           "cross_entropy", "descend", "loss_gradient", "normal_students", "optimal_stopping", "softmax_covariance",
           "squared_gradient", "stop_at_best"]  # fmt: skip
__dir__ = __all__.copy
