"""Training of networks: torch, batched over (seed, setting), on any device and in any precision."""

from mtlbook_lib._extras import require
from mtlbook_lib._lazy import modules

require("simulation", "torch")

__getattr__, __dir__ = modules(__name__, __path__)
