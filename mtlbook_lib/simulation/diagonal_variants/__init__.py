"""Diagonal networks of two pathways with another loss, other steps, or more layers than those of ``diagonal``.

``logistic_flow`` trains classifiers to losses far below the smallest number, ``fixed_steps`` takes plain or stochastic
steps of gradient descent, and ``descend_chains`` trains networks of any depth.
"""

from mtlbook_lib.simulation.diagonal_variants.layers import Chains, descend_chains
from mtlbook_lib.simulation.diagonal_variants.logistic import logistic_flow
from mtlbook_lib.simulation.diagonal_variants.steps import fixed_steps

__all__ = ["Chains", "descend_chains", "fixed_steps", "logistic_flow"]
__dir__ = __all__.copy
