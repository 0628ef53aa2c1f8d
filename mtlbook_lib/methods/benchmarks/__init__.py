"""Algorithms 1 and 2 and what they are compared with, on the benchmarks of Wu, Zhang & Ré (2020) and any encoder.

An encoder turns texts into rows of numbers and makes fresh torch modules for such rows; it is passed in. Here are those
of the paper: networks on word vectors, BERT from a folder, DenseNet from a file of weights. Nothing is downloaded.
"""

from mtlbook_lib.methods.benchmarks.bert import BertEncoder
from mtlbook_lib.methods.benchmarks.images import WEIGHTINGS, compare_images
from mtlbook_lib.methods.benchmarks.networks import DenseNet, small_network
from mtlbook_lib.methods.benchmarks.scores import Scores, together
from mtlbook_lib.methods.benchmarks.texts import METHODS, TextEncoder, compare_texts, transfer_texts
from mtlbook_lib.methods.benchmarks.words import WordEncoder, vocabulary

__all__ = [
    "METHODS",
    "WEIGHTINGS",
    "BertEncoder",
    "DenseNet",
    "Scores",
    "TextEncoder",
    "WordEncoder",
    "compare_images",
    "compare_texts",
    "small_network",
    "together",
    "transfer_texts",
    "vocabulary",
]
