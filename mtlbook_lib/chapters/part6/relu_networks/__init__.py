"""The chapter "ReLU networks": its experiment, figures, claims and stored results."""
