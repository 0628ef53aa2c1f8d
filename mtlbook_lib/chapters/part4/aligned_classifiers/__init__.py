"""The chapter "Aligned classifiers": its experiment, figures, claims and stored results."""
