"""The chapter "Probe, then tune": its experiment, figures, claims and stored results."""
