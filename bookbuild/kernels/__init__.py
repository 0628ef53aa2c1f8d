"""Kernels of chapters that start warm."""
