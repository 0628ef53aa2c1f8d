"""When a second task helps: benefits of simulated students beside the theory, and the border of help.

Two tasks of rank one, aspect 1/2, 50 outputs each and 100 inputs, initial scale 1e-3, unless a function says otherwise.
"""

from mtlbook_lib.chapters.part3.when_it_helps.experiment.benefits import *
from mtlbook_lib.chapters.part3.when_it_helps.experiment.borders import *

__all__ = ["GRID", "MODEST", "PARTNERS", "SLIDER", "STRONG", "WEAK", "Agreement", "Landscape", "Setting", "Surface",
           "agreement", "at_strengths", "border", "buried_mode", "cells", "edge_term", "equal_tasks", "figure_eight",
           "figure_eight_lines", "further_settings", "landscape", "learn", "network_gap", "pair", "prices",
           "several_price", "stopped_border", "surface"]  # fmt: skip
