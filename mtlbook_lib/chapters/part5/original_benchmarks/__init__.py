"""The chapter "The original benchmarks": its experiment, figures, claims and stored results."""
