"""The settings that several chapters share: sparse pairs of the paper's size."""

dim: int = 1000  # inputs
n_aux: int = 1024  # examples of the auxiliary task
k_aux: int = 40  # its features
alpha: float = 1e-3  # all weights at the start
gamma: float = 1e-3  # readout after pretraining
loss: float = 1e-10  # mean squared error at which training stops
