"""Experiments of Part VII: the theories in practice; one module for each chapter, with its name."""
