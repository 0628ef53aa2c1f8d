"""Displays of a chapter: claims, figures, interactive frames and progress."""

from mtlbook_lib._extras import require
from mtlbook_lib._lazy import modules

require("notebook", "matplotlib", "ipywidgets", "tqdm", "yaml")

__getattr__, __dir__ = modules(__name__, __path__)
