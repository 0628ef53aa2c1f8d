r"""Small convolutional classifiers of 8 × 8 images, many at once: one task, several, or one after another.

.. math:: h_1 = (K_1 * x)_+, \quad h_2 = (K_2 * h_1)_+, \quad \varphi = (W h_2)_+, \quad z_o = V_o\, \varphi

Filters have 3 × 3 pixels and move by two; there are no biases, so that a trunk whose weights are multiplied by
:math:`s > 0` has features multiplied by :math:`s^3`. ``descend`` takes every network of a batch to a given loss.
Pretraining and finetuning are two calls, with ``Networks.rescaled`` and ``Networks.with_heads`` between them.
"""

from mtlbook_lib.simulation.convolution.descent import Fits, Images, descend
from mtlbook_lib.simulation.convolution.layers import Networks, random_heads, random_networks

__all__ = ["Fits", "Images", "Networks", "descend", "random_heads", "random_networks"]
__dir__ = __all__.copy
