r"""Which solution training picks: the penalties that diagonal networks, and small shallow networks, minimise.

The diagonal network computes :math:`\beta = u_+v_+ - u_-v_-` for each coordinate; u is the first layer, v the readout,
and + and − are its two pathways. Gradient flow keeps, for each coordinate, a width :math:`\kappa` and a start
:math:`\beta_0` (the coefficient before training): :math:`\beta = \kappa\sinh(2G + \mathrm{asinh}(\beta_0/\kappa))`,
G being the negative gradient of the loss integrated over time. Hence it minimises
:math:`\sum_d 2D_{\phi_{\kappa_d}}(\beta_d\|\beta_{0,d})` among all interpolators: like l1 where
:math:`|\beta| \gg \kappa`, like weighted l2 where :math:`|\beta| \ll \kappa`. ``interpolation`` computes
the minimisers.

Conventions: pretraining starts at width :math:`c = 2\alpha^2` (every weight :math:`\alpha` where the layers are
balanced; :math:`u_0^2 = c(1+\lambda)/2`, :math:`v_0^2 = c(1-\lambda)/2` in general) and ends at `beta_aux`. Then the
first layer is multiplied by `rescale`, and after that both readouts are set to `gamma`. Functions of single
coordinates broadcast; penalties and norms are sums over the last axis.
"""

from mtlbook_lib.theory.implicit_bias.boosts import boosted_weights, needed_slopes
from mtlbook_lib.theory.implicit_bias.norms import group_norm, path_norm
from mtlbook_lib.theory.implicit_bias.orders import group_orders, penalty_orders
from mtlbook_lib.theory.implicit_bias.pathways import pathway_invariants, pretrained_layer
from mtlbook_lib.theory.implicit_bias.penalties import finetuning_penalty, penalty_terms, printed_penalty, q
from mtlbook_lib.theory.implicit_bias.probing import probed_start, probed_width, probing_path
from mtlbook_lib.theory.implicit_bias.tangent import kernel_interpolator, tangent_kernel
from mtlbook_lib.theory.implicit_bias.widths import finetuning_start, finetuning_width, printed_width

__all__ = ["boosted_weights", "finetuning_penalty", "finetuning_start", "finetuning_width", "group_norm",
           "group_orders", "kernel_interpolator", "needed_slopes", "path_norm", "pathway_invariants",
           "penalty_orders", "penalty_terms", "pretrained_layer", "printed_penalty", "printed_width",
           "probed_start", "probed_width", "probing_path", "q", "tangent_kernel"]  # fmt: skip
__dir__ = __all__.copy
