"""What drawing functions take and return."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from matplotlib.figure import Figure

from mtlbook_lib._checks import Array

Panels = tuple[list[Figure], list[str]]  # figures of one axes each, and what each shows in words
Described = Iterator[tuple[Figure, str]]  # the same, one panel with its words after the other
Drawing = tuple[Callable[[Any], Figure], Callable[[Any], str]]  # a frame of a slider for a value, and its words
Frame = tuple[Callable[[Any], list[Figure]], Callable[[Any], str]]  # the same for several panels
Cloud = tuple[Array, Array, Array]  # score or prediction of pairs; their measured benefit, and its standard error
Law = Callable[[Array, float], Array]  # density of a law at singular values, for an aspect
Support = Callable[[float], tuple[float, float]]  # its edges, for an aspect
