r"""How training ends, with other losses and before its end: classifiers of largest margin, early stopping, deep chains.

Conventions as in ``implicit_bias``: width :math:`\kappa`, start :math:`\beta_0`, and the loss
:math:`|X\beta - y|^2/n` where there are squares. Nothing is drawn at random.
"""

from mtlbook_lib.theory.training_paths.chains import chain_response, min_chain_penalty
from mtlbook_lib.theory.training_paths.margins import largest_margin, relative_margin
from mtlbook_lib.theory.training_paths.noise import width_loss
from mtlbook_lib.theory.training_paths.squares import flow_path, penalised

__all__ = ["chain_response", "flow_path", "largest_margin", "min_chain_penalty", "penalised", "relative_margin",
           "width_loss"]  # fmt: skip
__dir__ = __all__.copy
