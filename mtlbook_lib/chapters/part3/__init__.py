"""Experiments of Part III: transfer between tasks; one module for each chapter, with its name."""
