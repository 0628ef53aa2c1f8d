"""What networks really do: torch, batched over (seed, setting), on any device and in any precision."""

from mtlbook_lib._extras import require

require("simulation", "torch")
