"""Experiments of Part VI: implicit regularization; one module for each chapter, with its name."""
