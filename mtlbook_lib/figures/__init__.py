"""How the figures of the chapters are drawn: the style of the house, and one module for each chapter."""

from mtlbook_lib._extras import require

require("notebook", "matplotlib")
