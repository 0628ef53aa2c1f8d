"""The transfer theorem: turned teachers, the scatter between data sets, other noise, the composite in the noise."""

from mtlbook_lib.experiments.part3.transfer_theorem.composite import *
from mtlbook_lib.experiments.part3.transfer_theorem.limits import *
from mtlbook_lib.experiments.part3.transfer_theorem.pairs import *
from mtlbook_lib.experiments.part3.transfer_theorem.rotation import *

__all__ = [
    "EPS",
    "PAIRS",
    "TIMES",
    "Curves",
    "Pair",
    "Rotation",
    "Spread",
    "composite_data",
    "curves",
    "draw",
    "explicit_composite",
    "heavy_noise",
    "in_plane",
    "mirror_gap",
    "projected_terms",
    "random_composites",
    "random_signs",
    "rotations",
    "sign_shifts",
    "spreads",
    "student_t",
    "turned",
    "with_noise",
]
