"""The chapter "The spectrum of noise": its experiment, figures, claims and stored results."""
