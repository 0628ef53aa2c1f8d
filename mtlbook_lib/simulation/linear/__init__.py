"""Deep linear students: their weights, gradient flow and descent on their layers, and what to watch in them."""

from mtlbook_lib._lazy import modules

__getattr__, __dir__ = modules(__name__, __path__)
