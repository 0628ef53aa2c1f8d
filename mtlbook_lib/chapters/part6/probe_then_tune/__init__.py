"""The chapter "Probe, then tune": its experiment, figures, claims, stored results."""
