"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

aspect: float = 0.5
eps: float = 1e-3
n_inputs: int = 100
weak: float = 0.84  # the threshold of a task alone, A^(1/4)
n_sets_ruin: Sizes = Sizes(4, 100, 10000)
n_sets_benefits: Sizes = Sizes(2, 30, 3000)
n_partners: Sizes = Sizes(2, 5, 25)
n_sets_compare: Sizes = Sizes(3, 360, 10000)
n_sets_lost_among_equals: Sizes = Sizes(4, 480, 10000)
n_sets_estimated_noise: Sizes = Sizes(4, 100, 10000)
