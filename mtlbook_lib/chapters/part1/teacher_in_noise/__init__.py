"""The chapter "A teacher in the noise": its experiment, figures, claims and stored results."""
