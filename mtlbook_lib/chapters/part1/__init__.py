"""Experiments of Part I: signals in noise; one module for each chapter, with its name."""
