"""How wide a shared module should be: ten digit tasks on linear, fully connected and convolutional modules."""

from mtlbook_lib.experiments.part5.capacity.curves import Widths
from mtlbook_lib.experiments.part5.capacity.stored import run, stored_widths, train_again

__all__ = ["Widths", "run", "stored_widths", "train_again"]
