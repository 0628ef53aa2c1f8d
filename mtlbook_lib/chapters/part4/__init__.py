"""Experiments of Part IV: classification; one module for each chapter, with its name."""
