"""Experiments of Part VI: implicit regularisation; one module for each chapter, with its name."""
