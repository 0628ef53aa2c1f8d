"""What a chapter shows: claims, figures, interactive frames and progress."""

from mtlbook_lib._extras import require

require("notebook", "matplotlib", "ipywidgets", "tqdm", "yaml")
