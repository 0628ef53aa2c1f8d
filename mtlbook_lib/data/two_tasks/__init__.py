"""Two tasks: inputs of which one is on, models of a given cosine (linear or rectified), and points in the plane."""

from mtlbook_lib._lazy import modules

__getattr__, __dir__ = modules(__name__, __path__)
