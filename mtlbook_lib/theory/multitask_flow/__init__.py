r"""Diagonal linear networks trained on several tasks at once: their gradient flow from any start, and its limit.

Feature d has coefficients :math:`\beta_{o,d} = u_{+,d} v_{+,o,d} - u_{-,d} v_{-,o,d}` in the tasks o. Both pathways
start at :math:`u = \alpha, v = 0`, and the loss is the sum over the tasks of their mean squared errors. ``group_flow``
follows the weights however small their start is; ``group_selection`` is what becomes of them as :math:`\alpha \to 0`:
features enter one after the other. For one task the flow ends at ``interpolation.min_penalty`` with width
:math:`\alpha^2`.
"""

from mtlbook_lib.theory.multitask_flow.flow import group_flow
from mtlbook_lib.theory.multitask_flow.selection import group_selection

__all__ = ["group_flow", "group_selection"]
__dir__ = __all__.copy
