r"""Networks with one hidden layer of rectifiers: one task, several at once, or one after another.

.. math:: f_o(x) = \sum_h w^{(2)}_{o,h}\, (w^{(1)}_h \cdot x)_+, \qquad
    L = \sum_o \frac{1}{n_o} \sum_i \left(f_o(x_i) - y_i\right)^2

``gradient_flow`` takes all networks of a batch to a given loss, each on its own clock. Pretraining and finetuning are
two calls, with ``Layers.rescaled`` and ``Layers.with_readout`` between them.
"""

from mtlbook_lib.simulation.shallow.flow import Fits, gradient_flow
from mtlbook_lib.simulation.shallow.layers import Layers, random_layers

__all__ = ["Fits", "Layers", "gradient_flow", "random_layers"]
__dir__ = __all__.copy
