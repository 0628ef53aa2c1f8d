"""The chapter "The spectrum of noise": its experiment, figures, claims, stored results."""
