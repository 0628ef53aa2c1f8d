"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

aspect: float = 0.5
copies: tuple[int, ...] = (1, 2, 4, 8)
n_sets_copies: Sizes = Sizes(2, 100, 1000)
n_inputs_copies: Sizes = Sizes(200, 200, 400)
n_sets_strong_companion: Sizes = Sizes(20, 470, 4000)
n_inputs_strong_companion: Sizes = Sizes(100, 100, 400)
n_strengths: Sizes = Sizes(12, 60, 1000)
most: Sizes = Sizes(1e5, 1e5, 1e8)
