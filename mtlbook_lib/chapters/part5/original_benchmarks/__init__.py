"""The chapter "The original benchmarks": its experiment, figures, claims, stored results."""
