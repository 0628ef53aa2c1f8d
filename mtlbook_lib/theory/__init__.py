"""What the papers, and our corrections of them, predict. NumPy and SciPy only; see the API page of the book.

Whatever a function cannot work with it refuses by name, with a ValueError or a TypeError. Strengths, scales and time
constants must lie between 1e-50 and 1e50 wherever their products or powers would leave float64.
"""

from mtlbook_lib._lazy import modules

__getattr__, __dir__ = modules(__name__, __path__)
