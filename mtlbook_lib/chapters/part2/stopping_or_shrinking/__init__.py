"""The chapter "Stopping early or shrinking": its experiment, figures, claims, stored results."""
