"""Experiments of Part II: deep linear networks; one module for each chapter, with its name."""
