"""The data sets of Wu, Zhang & Ré (2020), and CIFAR-100, from folders that a user has, in the formats of their authors.

Nothing is downloaded. A file that is missing is a ``MissingData``, which names it with the environment variable, the
layout and where the data come from; a line that does not fit is a ``ValueError``, which names it and its file. Blank
lines are left out.
"""

from mtlbook_lib.data.benchmarks.chest import FINDINGS, XRays, chest_xrays, pixels, with_random_labels
from mtlbook_lib.data.benchmarks.cifar_100 import Pictures, cifar
from mtlbook_lib.data.benchmarks.glue import GLUE, glue_task
from mtlbook_lib.data.benchmarks.scores import class_score
from mtlbook_lib.data.benchmarks.sentiment import SENTIMENT, sentiment_task
from mtlbook_lib.data.benchmarks.sources import MissingData, Source
from mtlbook_lib.data.benchmarks.texts import Texts, TextTask
from mtlbook_lib.data.benchmarks.vectors import word_vectors

__all__ = ["FINDINGS", "GLUE", "SENTIMENT", "MissingData", "Pictures", "Source", "TextTask", "Texts", "XRays",
           "chest_xrays", "cifar", "class_score", "glue_task", "pixels", "sentiment_task", "with_random_labels",
           "word_vectors"]  # fmt: skip
__dir__ = __all__.copy
