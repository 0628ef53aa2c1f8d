"""The helper package of the book: theory, simulation, data, and what a chapter needs to show them.

One rule for bad input holds for every public function, and `tests/bad_input` calls all of them with it. A number
outside the range that its parameter states, an entry that is not finite, an unknown name, and shapes that do not fit
raise `ValueError`; an argument of the wrong kind, as a fraction where a count is expected, raises `TypeError`. The
message names the argument and the remedy. A section *Raises* says only what goes beyond this rule.
"""

from mtlbook_lib._lazy import modules

__version__ = "1.1.0"
__getattr__, __dir__ = modules(__name__, __path__)
