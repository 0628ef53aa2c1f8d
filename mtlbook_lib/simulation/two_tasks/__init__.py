"""Two tasks that share features: searches for the worst and the best direction, and training."""
