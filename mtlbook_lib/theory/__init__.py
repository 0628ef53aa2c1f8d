"""Predictions of the papers, and of our corrections of them. NumPy and SciPy only; see the API page of the book.

Whatever a function cannot work with it refuses by name, with a ValueError or a TypeError. Strengths and scales must lie
between 1e-50 and 1e50 wherever their products or powers would leave float64.

Examples in docstrings begin after ``import numpy as np`` and ``from mtlbook_lib.theory.<module> import *``.

Where a formula holds point by point its arguments broadcast: numbers give a float, arrays an array of their common
shape.

Times of training are in units of the time constant of gradient flow, which is the inverse learning rate for half the
sum of squares, and half of that without the factor 1/2. With another time constant, divide the times that go in by it,
and multiply by it the times that come out: ``tau * half_time(s_hat, eps)``, ``mode_strength(t / tau, s_hat, eps)``.
"""

from mtlbook_lib._lazy import modules

__getattr__, __dir__ = modules(__name__, __path__)
