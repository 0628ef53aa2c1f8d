"""The helper package of the book: theory, simulation, data, and what a chapter needs to show them."""

__version__ = "0.1.0"
