"""How the figures of the chapters are drawn: the shared style, and one module for each chapter."""

from mtlbook_lib._extras import require
from mtlbook_lib._lazy import modules

require("notebook", "matplotlib")

__getattr__, __dir__ = modules(__name__, __path__)
