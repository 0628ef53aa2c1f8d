"""Experiments of Part V: data geometry; one module for each chapter, with its name."""
