"""Bounds on what the target of two tasks loses by sharing: for linear and for ReLU features."""
