"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

stopping: tuple[int, int, int] = (200, 80, 10)  # inputs, examples, features of each part
chain: tuple[int, int, int] = (60, 20, 4)
steps: tuple[int, int, int] = (100, 40, 5)
start: float = 0.1  # of all weights, before noisy steps
time: float = 10_000.0  # rate times number of steps
n_stopped: Sizes = Sizes(4, 36, 400)
n_doubtful: Sizes = Sizes(4, 48, 400)
n_followed: Sizes = Sizes(2, 8, 100)
n_excess: Sizes = Sizes(2, 24, 400)
n_powers: Sizes = Sizes(4, 240, 2400)
n_chains: Sizes = Sizes(2, 6, 50)
n_noisy: Sizes = Sizes(2, 12, 200)
