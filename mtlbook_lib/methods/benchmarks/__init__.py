"""The papers' comparisons on their own data and any encoder: Algorithms 1 and 2 of Wu, Zhang & Ré, and pretraining.

An encoder turns texts into rows of numbers and makes fresh torch modules for such rows; it is passed in. Here are those
of the papers: networks on word vectors, BERT from a folder, DenseNet from a file of weights, ResNet-18 with random
weights. Nothing is downloaded. Training that diverges is a ``RuntimeError``.
"""

from mtlbook_lib.methods.benchmarks.bert import BertEncoder
from mtlbook_lib.methods.benchmarks.images import WEIGHTINGS, compare_images
from mtlbook_lib.methods.benchmarks.networks import DenseNet, residual_network, small_network
from mtlbook_lib.methods.benchmarks.pretraining import ORDERS, Finetuning, compare_pretraining, rescaled
from mtlbook_lib.methods.benchmarks.scores import Scores, concatenate
from mtlbook_lib.methods.benchmarks.texts import METHODS, TextEncoder, compare_texts, transfer_texts
from mtlbook_lib.methods.benchmarks.words import WordEncoder, vocabulary

__all__ = ["METHODS", "ORDERS", "WEIGHTINGS", "BertEncoder", "DenseNet", "Finetuning", "Scores", "TextEncoder",
           "WordEncoder", "compare_images", "compare_pretraining", "compare_texts", "concatenate", "rescaled",
           "residual_network", "small_network", "transfer_texts", "vocabulary"]  # fmt: skip
__dir__ = __all__.copy
