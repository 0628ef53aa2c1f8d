"""The transfer theorem: turned teachers, the scatter between data sets, other noise, the composite in the noise."""

from mtlbook_lib.experiments.part3.transfer_theorem.composite import (
    composite_data,
    explicit_composite,
    in_plane,
    projected_terms,
    random_composites,
)
from mtlbook_lib.experiments.part3.transfer_theorem.limits import (
    Spread,
    heavy_noise,
    random_signs,
    sign_shifts,
    spreads,
    student_t,
    with_noise,
)
from mtlbook_lib.experiments.part3.transfer_theorem.pairs import (
    EPS,
    PAIRS,
    TIMES,
    Curves,
    Pair,
    curves,
    draw,
)
from mtlbook_lib.experiments.part3.transfer_theorem.rotation import (
    Rotation,
    mirror_gap,
    rotations,
    turned,
)

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
