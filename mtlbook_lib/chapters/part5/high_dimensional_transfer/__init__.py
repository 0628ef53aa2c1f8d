"""The chapter "Transfer in high dimensions, exactly": its experiment, figures, claims and stored results."""
