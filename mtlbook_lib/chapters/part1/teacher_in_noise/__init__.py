"""The chapter "A teacher in the noise": its experiment, figures, claims, stored results."""
