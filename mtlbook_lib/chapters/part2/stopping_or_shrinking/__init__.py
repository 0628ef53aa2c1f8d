"""The chapter "Stopping early or shrinking": its experiment, figures, claims and stored results."""
