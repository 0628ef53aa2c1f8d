"""Teachers, synthetic tasks and real data sets."""

from mtlbook_lib._lazy import modules

__getattr__, __dir__ = modules(__name__, __path__)
