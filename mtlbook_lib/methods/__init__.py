"""Methods for a practitioner's own data. NumPy, the book's theory, and torch for `sharing`."""

from mtlbook_lib._lazy import modules

__getattr__, __dir__ = modules(__name__, __path__)
