r"""Growth of the singular modes of deep linear networks under gradient flow: aligned, balanced and random students.

For a two-layer student :math:`W = W_{32} W_{21}` on orthonormal inputs, gradient flow is

.. math:: \dot W_{21} = W_{32}^T(\Sigma_{31} - W), \qquad \dot W_{32} = (\Sigma_{31} - W)\,W_{21}^T .

The first group of functions follows one mode of an aligned student of any depth, ``balanced_flow`` the whole composite
map of an unaligned two-layer student, and the ``random`` functions the time that a random student loses by aligning.
The ``imbalanced`` ones give one layer a larger start than the other, up to the lazy limit.
`depth` counts weight matrices (2 is one hidden layer); times are in units of the time constant
(see ``mtlbook_lib.theory``); strengths are dimensionless.
"""

from mtlbook_lib.theory.linear_dynamics.balanced import balanced_distances, balanced_flow
from mtlbook_lib.theory.linear_dynamics.deep_random import (
    deep_random_half_time,
    deep_random_ratio_limit,
    deep_random_strength,
)
from mtlbook_lib.theory.linear_dynamics.imbalanced import (
    imbalanced_distances,
    imbalanced_flow,
    imbalanced_mode,
    lazy_error,
)
from mtlbook_lib.theory.linear_dynamics.modes import half_time, mode_strength, mode_time, wave_front
from mtlbook_lib.theory.linear_dynamics.random_students import effective_initial_scale, random_student_delay

__all__ = ["balanced_distances", "balanced_flow", "deep_random_half_time", "deep_random_ratio_limit",
           "deep_random_strength", "effective_initial_scale", "half_time", "imbalanced_distances",
           "imbalanced_flow", "imbalanced_mode", "lazy_error", "mode_strength", "mode_time", "random_student_delay",
           "wave_front"]  # fmt: skip
__dir__ = __all__.copy
