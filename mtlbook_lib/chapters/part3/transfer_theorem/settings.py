"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

eps: float = 1e-3
n_sets_rotations: Sizes = Sizes(8, 520, 4000)
n_inputs_rotations: Sizes = Sizes(60, 100, 200)
n_sets_composite_data: Sizes = Sizes(8, 560, 1000)
n_inputs_composite_data: Sizes = Sizes(100, 100, 400)
