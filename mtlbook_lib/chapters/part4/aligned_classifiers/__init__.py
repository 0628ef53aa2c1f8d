"""The chapter "Aligned classifiers": its experiment, figures, claims, stored results."""
