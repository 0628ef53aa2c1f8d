r"""Diagonal networks of two layers and two pathways: one task, several at once, or one after another.

For each input d the network has a first layer :math:`u_\pm` and, for each task o, a readout :math:`v_{\pm,o}`:

.. math:: \beta_{o,d} = u_{+,d} v_{+,o,d} - u_{-,d} v_{-,o,d}, \qquad
    L = \sum_o \frac{1}{n_o} \left|X_o \beta_o - y_o\right|^2

Three functions train any number of tasks: ``gradient_flow`` goes to a given loss, however stiff; ``sampled_flow`` along
given times; ``descend`` by gradient descent. Pretraining and finetuning are two calls, with ``Weights.rescaled`` and
``Weights.with_readout`` between them. ``shrunk`` trains nothing: it looks for the least weights with the same
coefficients.
"""

from mtlbook_lib.simulation.diagonal.descent import descend
from mtlbook_lib.simulation.diagonal.flow import gradient_flow
from mtlbook_lib.simulation.diagonal.sampled import sampled_flow
from mtlbook_lib.simulation.diagonal.shrinking import shrunk
from mtlbook_lib.simulation.diagonal.weights import Fits, Weights, equal_pathways, start_from

__all__ = ["Fits", "Weights", "descend", "equal_pathways", "gradient_flow", "sampled_flow", "shrunk", "start_from"]
__dir__ = __all__.copy
