"""Two tasks that share features: searches for the worst and the best direction, and training."""

from mtlbook_lib._lazy import modules

__getattr__, __dir__ = modules(__name__, __path__)
