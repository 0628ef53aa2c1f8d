"""Students with leaky rectifiers: descent on their layers, and students of several tasks."""

from mtlbook_lib._lazy import modules

__getattr__, __dir__ = modules(__name__, __path__)
