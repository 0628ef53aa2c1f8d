"""The chapter "ReLU networks": its experiment, figures, claims, stored results."""
