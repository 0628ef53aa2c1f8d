r"""A low-rank signal in noise: where its singular values go, and how far its singular vectors turn.

The noise has independent entries of variance 1/columns (``spike`` takes any variance), the aspect is :math:`A` =
rows/columns, and "left" is the side of the rows. These are the limits of large matrices, for any aspect. The way back
from the data to the signal is in ``shrinkage``, what finite matrices add in ``finite_size``: both are offered here too.
"""

from mtlbook_lib.theory.spiked.finite_size import bulk_cross_density, largest_noise_singular_value, outlier_variance
from mtlbook_lib.theory.spiked.shrinkage import clean_singular_value, detected_modes, noise_scale, optimal_shrinkage
from mtlbook_lib.theory.spiked.signal import (
    left_overlap,
    noisy_singular_value,
    overlap,
    right_overlap,
    spike,
    threshold,
)

__all__ = ["bulk_cross_density", "clean_singular_value", "detected_modes", "largest_noise_singular_value",
           "left_overlap", "noise_scale", "noisy_singular_value", "optimal_shrinkage", "outlier_variance",
           "overlap", "right_overlap", "spike", "threshold"]  # fmt: skip
__dir__ = __all__.copy
