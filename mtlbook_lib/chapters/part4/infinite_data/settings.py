"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

n_classes: int = 10
n_features: int = 100
n_hidden: int = 50
start: float = 0.05  # of the weights, over the root of the layer's inputs
rate: float = 1.0  # of gradient descent, also without data; half of it moves no benefit by more than 0.005
clean: float = 100.0  # SNR of the second task, unless said
n_seeds: Sizes = Sizes(2, 8, 400)  # of the flow without data
n_descents: Sizes = Sizes(2, 8, 64)
n_noisy: Sizes = Sizes(2, 16, 64)  # where examples are noisy
n_test: Sizes = Sizes(200, 3000, 10_000)
largest: Sizes = Sizes(2000, 8000, 64_000)  # number of examples
n_pairs: Sizes = Sizes(40, 1000, 20_000)  # of teachers, for the filter
