"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

eps: float = 1e-3
aspect: float = 0.5
n_outputs: int = 50
n_inputs: int = 100
modest: float = 3.0
strong: float = 100.0
grid: tuple[float, ...] = (0, 0.25, 0.5, 0.7, 0.8, 0.9, 1)
slider: tuple[float, ...] = (0.6, 0.84, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0)
n_sets_network_gap: Sizes = Sizes(1, 2, 50)
n_sets_figure_eight: Sizes = Sizes(5, 175, 2000)
n_sets_agreement: Sizes = Sizes(5, 155, 2000)
n_similarities: Sizes = Sizes(2, 7, 7)
n_sets_buried_mode: Sizes = Sizes(5, 200, 4000)
n_sets_edge_term: Sizes = Sizes(20, 800, 8000)
n_sets_at_strengths: Sizes = Sizes(10, 100, 4000)
