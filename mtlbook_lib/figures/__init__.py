"""How the figures of the chapters are drawn: the shared style, and one module for each chapter.

A drawing function takes results and returns panels with their alternative texts; for a slider it returns two functions,
which give the panels and the text of a value. Its docstring uses these words: (seed, time) is the shape of an array, by
its axes; a curve is a mean and its standard error; a mapping that goes from A to B has a colour or a panel for each A;
the places `fine` are those of lines.
"""

from mtlbook_lib._extras import require
from mtlbook_lib._lazy import modules

require("notebook", "matplotlib")

__getattr__, __dir__ = modules(__name__, __path__)
